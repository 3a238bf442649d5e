#!/bin/bash
# Units together in one GPU: every two of those there are, and all at once, with the right result, and each has done
# its work: the counter that its unit.ini names ([tests] works = ...) has counted.
. "$(dirname "$0")/expect.sh"
units=($(scripts/units list))
graph=rmat:scale=9,edges=3000
sees() { sed -n '/^\[tests\]/,/^\[[^t]/s/^works *= *//p' "$(scripts/units ini "$1")"; }

# counted UNIT: its counter in the last run; nothing: it told none of that name.
counted() {
  sed -n '/^\t"unit":/,$p' "$scratch/r.json" |
    sed -n "/\"$1\":/,/}/s/.*\"$(sees "$1")\":[[:space:]]*\([0-9]*\).*/\1/p" |
    head -n 1
}

# together LIST ARGUMENTS...
together() {
  local list=$1 unit
  shift
  expect 0 'verified: ' $warpfab run "$@" --unit "$list" --json "$scratch/r.json"
  for unit in ${list//,/ }; do
    if [ "$(counted "$unit")" -gt 0 ] 2>/dev/null; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL  $list: $unit counts '$(counted "$unit")' $(sees "$unit")"
    fi
  done
}

for ((a = 0; a < ${#units[@]}; a++)); do
  for ((b = a + 1; b < ${#units[@]}; b++)); do
    together "${units[a]},${units[b]}" --app sssp --graph $graph --set app.supersteps=2 --set app.strategy=thread
  done
done
all=$(IFS=,; echo "${units[*]}")
together "$all" --app sssp --graph $graph --set app.supersteps=2 --set app.strategy=thread
expect 0 'verified: ' $warpfab run --app jac --set app.rows=64 --set app.cols=64 --unit "$all"
expect 2 'named twice' $warpfab run --app pagerank --graph $graph --unit "${units[0]},${units[0]}"
finish
