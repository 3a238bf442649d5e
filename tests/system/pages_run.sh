#!/bin/bash
# README.md's commands run as they stand there: each ends with 0 and prints something. `make` is not among them: the
# check runs those itself; nor is --wave, which builds a model of its own (tests/apcm has waves). axpy.cu is the page's.
. "$(dirname "$0")/expect.sh"
here=$PWD tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for path in tests rtl data sim; do ln -s "$here/$path" "$tmp/"; done
mkdir "$tmp/build"
ln -s "$(realpath "$warpfab")" "$tmp/build/warpfab"
awk '/^```c/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$tmp/axpy.cu"
commands=$(sed -n 's/^    \(build\/warpfab [^#]*\).*/\1/p' README.md | grep -v -- --wave)
[ "$(wc -l <<<"$commands")" -ge 8 ]
check "README.md has commands" $?
while read -r command; do
  said=$(cd "$tmp" && bash -c "${command//\/tmp\//$tmp/}" 2>"$tmp/said" </dev/null)
  code=$?
  [ $code -eq 0 ] && [ -n "$said$(cat "$tmp/said")" ]
  check "$command" $? || tail -n 2 "$tmp/said"
done <<<"$commands"
finish
