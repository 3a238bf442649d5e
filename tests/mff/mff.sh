#!/bin/bash
# The MFF unit in RTL: every graph application on graphs of several kinds gives the CPU reference's results (on R-MAT:
# recorded.txt); the same run gives the same cycles, and neither skipping dead time nor gating the idle unit's clock nor
# leaving the assertions out changes a result; other configurations; wrong settings.
. "$(dirname "$0")/../system/expect.sh"
for app in pagerank bfs sssp wcc; do
  expect 0 ' verified: ' $warpfab run --app $app --graph data/debian12.mtx.gz --set app.supersteps=2
  hubs="--graph data/debian12.mtx.gz --set app.supersteps=1"
  [ $app = wcc ] && hubs="--graph cite:n=2000,degree=16 --set app.supersteps=2" # its hubs take a lane 17 s
  for graph in "$hubs" "--graph rgg:scale=12 --set app.supersteps=2" "--graph grid:x=60,y=50 --set app.supersteps=2"; do
    expect 0 ' verified: ' $warpfab run --app $app $graph --unit mff --set app.strategy=thread
  done
done

# It is left unused where it does not pay, and used where it does.
expect 0 'strategy  *block without mff .auto' $warpfab run --app sssp --graph grid:x=60,y=50 --unit mff
expect 0 'strategy  *thread with mff .auto' $warpfab run --app bfs --graph rgg:scale=13 --unit mff

# What the modelled machine decides: cycles, interconnect, DRAM. Two partitions: a slice of the unit for each.
outcome() {
  $warpfab run --app sssp --graph rmat:scale=11,edges=20000 --set app.supersteps=4 --set core.sms=4 \
    --set l2.partitions=2 --set app.strategy=thread "$@" \
    --json $scratch/r.json >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -m1 -A10 '"dram":' $scratch/r.json
}
base=$(outcome)
unit=$(outcome --unit mff)
[ -n "$base" ] && [ "$base" != "$unit" ] && passed=$((passed + 1)) ||
  { echo "FAIL  outcomes are empty or alike"; failed=$((failed + 1)); }
same "the same run twice" "$unit" "$(outcome --unit mff)"
same "dead time ticked through" "$base" "$(outcome --set sim.skip=0)"
same "dead time ticked through, with the unit" "$unit" "$(outcome --unit mff --set sim.skip=0)"
same "idle unit clocked" "$unit" "$(outcome --unit mff --set mff.gate=0)"
same "without the assertions of the RTL" "$unit" "$(outcome --unit mff --set sim.assertions=0)"
same "slices on a thread of their own" "$unit" "$(outcome --unit mff --set sim.threads=2)"
same "the same, idle and clocked, dead time ticked through" "$unit" \
  "$(outcome --unit mff --set sim.threads=2 --set mff.gate=0 --set sim.skip=0)"
same "with those that are proven" "$unit" "$(outcome --unit mff --set sim.assertions=3)"

# Other configurations of the RTL give the same answers.
for set in "l2.partitions=1 core.sms=2 mff.tag_entries=64 mff.c_lines=4" \
  "l2.partitions=3 core.sms=4 mff.pack_words=1 mff.job_entries=12"; do
  expect 0 ' verified: ' $warpfab run --app sssp --graph rmat:scale=10,edges=9000 --unit mff --set app.strategy=thread \
    $(printf -- '--set %s ' $set)
done

# The part in the SMs: one command at a time; what passes its ports, played again.
small="$warpfab run --app pagerank --graph rmat:scale=9,edges=4000 --unit mff --set app.strategy=thread"
expect 0 ' verified: ' $small --set mff.sm_commands=1
expect 0 ' verified: ' $small --set mff.view=1 --record $scratch/sm.wfr --record-limit 3000
expect 0 'mff_sm tuned: [0-9]+ edges, [0-9]+ transfers: verilator agrees' $build/warpfab-replay $scratch/sm.wfr
# Who looks at the slices while their thread is at work waits for it: recordings, a run's limit.
for threads in 1 2; do
  expect 0 ' verified: ' $small --set sim.threads=$threads --record $scratch/slices$threads.wfr
  expect 3 'the limit of --max-cycles is reached' $small --set sim.threads=$threads --max-cycles 2000
done
same "the same recording from a thread" "$(md5sum <$scratch/slices1.wfr)" "$(md5sum <$scratch/slices2.wfr)"
expect 2 'sim.threads=3: expected' $small --set sim.threads=3
expect 2 'l2.ways=1: expected 2 or more' $small --set l2.ways=1
expect 2 'core.shared_bytes=8200: expected a multiple of 128' $small --set core.shared_bytes=8200
expect 2 'mff.sm_commands=257: expected' $small --set mff.sm_commands=257

expect 2 'neither units nor launches' $warpfab run --app bfs --graph random:n=500,degree=4 --unit mff \
  --set app.strategy=thread --set sample.launches=none
expect 2 'mff.tag_entries: no such parameter' $warpfab run --app bfs --graph random:n=500,degree=4 \
  --set mff.tag_entries=64
expect 2 'mff.tag_entries=0: expected a whole number' $warpfab run --app bfs --graph random:n=500,degree=4 --unit mff \
  --set mff.tag_entries=0
# Its instructions where it is not.
printf '.version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k()\n{\n  mff.wait;\n  ret;\n}\n' \
  >$scratch/unit.ptx
expect 2 'no such instruction' $warpfab trace write $scratch/y --ptx $scratch/unit.ptx --kernel k --grid 1 --block 32
finish
