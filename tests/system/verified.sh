#!/bin/bash
# Every graph application, without and with the MFF unit in RTL, on graphs of four kinds: results
# equal the CPU reference's. Then: the same run gives the same cycles, and neither skipping dead time
# nor gating the idle unit's clock changes a result.
. "$(dirname "$0")/expect.sh"
for graph in data/debian12.mtx.gz rmat:scale=12,edges=50000 rgg:scale=12 grid:x=60,y=50; do
  for app in pagerank bfs sssp wcc; do
    for unit in "" "--unit mff"; do
      expect 0 ' verified: ' $warpfab run --app $app --graph $graph --set app.supersteps=2 $unit
    done
  done
done

# What the modelled machine decides: cycles, interconnect, DRAM.
outcome() {
  $warpfab run --app sssp --graph rmat:scale=11,edges=20000 --set app.supersteps=4 "$@" --json $scratch/r.json >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -m1 -A10 '"dram":' $scratch/r.json
}
base=$(outcome)
unit=$(outcome --unit mff)
[ -n "$base" ] && [ "$base" != "$unit" ] && passed=$((passed + 1)) || { echo "FAIL  outcomes are empty or alike"; failed=$((failed + 1)); }
check_same() { # check_same NAME WANT GOT
  if [ "$2" = "$3" ]; then passed=$((passed + 1)); echo "ok    $1"; else failed=$((failed + 1)); echo "FAIL  $1"; diff <(echo "$2") <(echo "$3"); fi
}
check_same "the same run twice" "$unit" "$(outcome --unit mff)"
check_same "dead time ticked through" "$base" "$(outcome --set sim.skip=0)"
check_same "dead time ticked through, with the unit" "$unit" "$(outcome --unit mff --set sim.skip=0)"
check_same "idle unit clocked" "$unit" "$(outcome --unit mff --set mff.gate=0)"
check_same "without the assertions of the RTL" "$unit" "$(outcome --unit mff --set sim.assertions=0)"

# Other configurations of the RTL give the same answers.
for set in mff.tag_entries=64 mff.c_lines=4 mff.pack_words=1 mff.job_entries=12 core.sms=4 l2.partitions=3; do
  expect 0 ' verified: ' $warpfab run --app sssp --graph rmat:scale=10,edges=9000 --unit mff --set $set
done
finish
