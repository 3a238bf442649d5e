#!/bin/bash
# Units together in one GPU: every two of those there are, and all at once, with the right result and with counters of each.
. "$(dirname "$0")/expect.sh"
units=($(scripts/units list))
graph=rmat:scale=9,edges=3000

# together LIST: right, and each of the units has told its counters.
together() {
  expect 0 'verified' $warpfab run --app pagerank --graph $graph --unit "$1" --json "$scratch/r.json"
  for unit in ${1//,/ }; do
    expect 0 . awk -v unit="\"$unit\":" '/^\t"unit":/ { inside = 1 } inside && $1 == unit { found = 1 } END { if (found) print "told"; exit !found }' "$scratch/r.json"
  done
}

for ((a = 0; a < ${#units[@]}; a++)); do
  for ((b = a + 1; b < ${#units[@]}; b++)); do together "${units[a]},${units[b]}"; done
done
together "$(IFS=,; echo "${units[*]}")"
expect 2 'named twice' $warpfab run --app pagerank --graph $graph --unit "${units[0]},${units[0]}"
finish
