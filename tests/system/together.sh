#!/bin/bash
# Units together in one GPU: every two of those there are, and all at once, with the right result and with counters of each.
. "$(dirname "$0")/expect.sh"
units=($(scripts/units list))
graph=rmat:scale=9,edges=3000

# together LIST ARGUMENTS...: right, and each of the units has told its counters.
together() {
  local list=$1
  shift
  expect 0 'verified: ' $warpfab run "$@" --unit "$list" --json "$scratch/r.json"
  for unit in ${list//,/ }; do expect 0 "\"$unit\":" sed -n '/^\t"unit":/,$p' "$scratch/r.json"; done
}

for ((a = 0; a < ${#units[@]}; a++)); do
  for ((b = a + 1; b < ${#units[@]}; b++)); do together "${units[a]},${units[b]}" --app pagerank --graph $graph; done
done
all=$(IFS=,; echo "${units[*]}")
together "$all" --app pagerank --graph $graph
together "$all" --app jac --set app.rows=64 --set app.cols=64
expect 2 'named twice' $warpfab run --app pagerank --graph $graph --unit "${units[0]},${units[0]}"
finish
