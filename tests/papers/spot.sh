#!/bin/bash
# Some runs of each section of docs/results, made again: a section whose cycles are not what the program gives is of
# another machine, and its target must be made anew (tests/papers/spot.c chose the runs). A section without such runs
# must say of which commit it is.
#   tests/papers/spot.sh [UNIT...]     (all pages)
. "$(dirname "$0")/../system/expect.sh"
declare -A made # cycles, by arguments: sections share runs
[ $# -gt 0 ] || set -- $(cd docs/results && ls *.md | sed 's/\.md$//')
for page; do
  older=$(awk '/^<!-- figures.*: made by / { section = $0 }
    section && (/^`make check` makes some of these runs again:/ || /Of commit [0-9a-f]+;/) { section = "" }
    /^<!-- end of figures/ && section { print section; section = "" }' "docs/results/$page.md")
  [ -z "$older" ]
  check "docs/results/$page.md: its sections have runs that are made again${older:+: not so: $older}" $?
  while IFS=$'\t' read -r section arguments recorded; do
    case $arguments in acc\ *) ;; *) arguments="run $arguments" ;; esac
    if [ -z "${made[$arguments]-}" ]; then
      if $warpfab $arguments --json $scratch/r.json >$scratch/log 2>&1; then
        made[$arguments]=$(sed -n 's/^\t"cycles":[[:space:]]*\([0-9]*\).*/\1/p' $scratch/r.json | head -1)
      else
        made[$arguments]=failed
        tail -n 3 $scratch/log
      fi
      rm -f $scratch/r.json
    fi
    now=${made[$arguments]-}
    [ "$now" = "$recorded" ]
    check "docs/results/$page.md, $section: $arguments: $recorded cycles${now:+, now $now}" $?
  done < <(awk '
    /^<!-- [a-z0-9 ]*: made by / { section = $0; sub(/^.*made by /, "", section); sub(/ -->.*/, "", section) }
    /^<!-- end of / { spot = 0 }
    spot && /^\| `(--|acc )/ {
      split($0, cell, "|"); gsub(/^ *`|` *$/, "", cell[2]); gsub(/ /, "", cell[3])
      print section "\t" cell[2] "\t" cell[3]
    }
    /^`make check` makes some of these runs again:/ { spot = 1 }' "docs/results/$page.md")
done
[ $passed -gt 0 ]; check "pages name runs" $?
finish
