#!/bin/bash
# What README.md says that `make run` prints is what it prints, but for the host's time. With `write`: puts it there.
set -eu
cd "$(dirname "$0")/../.."
mask() {
  sed -e 's/^.*: \([0-9]* results, for a browser\)$/\1/' -e 's/^host seconds .*/host seconds/' -e 's/ *$//' -e '/^$/d'
}
said=$(sed -n '/^<!-- output of make run -->/,/^<!-- end of output -->/s/^    //p' README.md)
printed=$(scripts/demo | sed '1,/^$/d')
if [ "${1-}" = write ]; then
  awk 'NR == FNR { text = text ($0 == "" ? "" : "    " $0) "\n"; next }
    /^<!-- end of output/ { skip = 0 } !skip { print } /^<!-- output of make run/ { printf "%s", text; skip = 1 }' \
    <(echo "$printed" | sed 's/ *$//') README.md >README.md.new
  mv README.md.new README.md
elif [ -z "$said" ] || ! diff <(echo "$said" | mask) <(echo "$printed" | mask); then
  echo "FAIL  README.md (<) differs from what make run prints (>): tests/mff/readme.sh write"
  exit 1
fi
grep -q '</html>' "$(echo "$printed" | sed -n 's/^\(.*\): [0-9]* results, for a browser$/\1/p')" # exit 1: no such page
echo "README.md has the $(echo "$printed" | mask | wc -l) lines that make run prints"
