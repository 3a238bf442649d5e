#!/bin/bash
# The scheduler of thread blocks in RTL in the dispatcher's place: every application whose threads launch work gives the
# reference's results in every form, with latencies and without; the same run gives the same cycles, with and without
# gating, skipping, assertions; tables of other sizes; a recorded run replays in Verilator and Icarus; launches that
# cannot be, wrong settings. (Block by block against the GPU's own dispatcher: tests/dtbl/test_dispatch.c.)
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config k20c --unit dtbl"
join="--app join --set app.left=2000 --set app.right=2000 --set app.keys=60"

apps=("bfs_dp --graph cite:n=3000,degree=16" "sssp_dp --graph cite:n=1500,degree=16"
  "clr --graph rmat:scale=10,edges=20000"
  "${join#--app }" "join --set app.spread=gaussian --set app.left=1000 --set app.right=2000 --set app.keys=60"
  "amr --set app.side=48" "amr --set app.side=16 --set app.levels=2" "bht --set app.bodies=6000"
  "pre --set app.users=400 --set app.products=120 --set app.given=40" "regx --set app.texts=400"
  "regx --set app.texts=400 --set app.kind=strings")
for app in "${apps[@]}"; do # forms without launches: recorded.txt, tests/apps
  for form in cdp dtbl; do
    expect 0 ' verified: ' $run --app $app --set app.form=$form
    expect 0 ' verified: ' $run --app $app --set app.form=$form --set launch.ideal=1
  done
  expect 0 ' verified: ' $run --app $app --set app.form=scan_dtbl --set app.from=32 --set app.chunk=32
done

# The same run again: what the machine does, and what the unit counted.
outcome() {
  $run $join --set app.form=${form-dtbl} "$@" --json $scratch/r.json >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -m1 -A16 '"launches":' $scratch/r.json
  sed -n '/"unit":\t{/,/^\t}/p' $scratch/r.json
}
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | head -1; }
first=$(outcome --set dtbl.lines=0)
clocked=$(edges)
[ "$(value agt_overflows)" -gt 100 ] && [ "$(value records_read)" = "$(value agt_overflows)" ] &&
  [ "$(value groups_refused)" -gt 0 ] &&
  [ "$(value groups_joined)" -gt 100 ] && [ "$(value mem_reads)" = "$(value records_read)" ]
right=$? # before the texts below are made
counts="$(value groups_joined), $(value groups_refused), $(value agt_overflows)"
check "groups join, are refused, lie in memory: $counts" $right
same "the same run twice" "$first" "$(outcome --set dtbl.lines=0)"
same "idle RTL clocked" "$first" "$(outcome --set dtbl.lines=0 --set dtbl.gate=0)"
[ "$(edges)" -gt "$clocked" ]; check "without the gate it is clocked more" $?
same "idle RTL clocked, dead time ticked through" "$first" \
  "$(outcome --set dtbl.lines=0 --set sim.skip=0 --set dtbl.gate=0)"

kept=$(outcome)
[ "$(value line_hits)" -gt 100 ] && [ "$(value records_read)" = "$(value agt_overflows)" ] && [ "$kept" != "$first" ]
right=$?
check "lines of records kept: $(value line_hits)" $right
[ "$(value ring_places)" = "$(value agt_overflows)" ]; check "records lie in the ring" $?
outcome --set dtbl.ring=64 >/dev/null
[ "$(value ring_places)" -gt 64 ] && [ "$(value ring_places)" -lt "$(value agt_overflows)" ] &&
  [ "$(value records_read)" = "$(value agt_overflows)" ]
check "a small ring: places come again, and others lie below their parameters" $?
same "lines kept, the same run twice" "$kept" "$(outcome)"
same "lines kept, dead time ticked through" "$kept" "$(outcome --set sim.skip=0)"
same "lines kept, with gate and skipping off" "$kept" "$(outcome --set sim.skip=0 --set dtbl.gate=0)"
same "8 GB of memory" "$kept" "$(outcome --set memory.mib=8192)"
same "without the assertions of the RTL" "$kept" "$(outcome --set sim.assertions=0)"
port_of_crossbar "$kept"
outcome --set dtbl.spread=1 >/dev/null
[ "$(value agt_overflows)" -gt 0 ]; check "thread numbers spread over the SMs" $?

# Kernels wait in the unit's KMU: groups that are refused, and those that threads launch, most of them in memory.
[ "$(value kmu_groups)" = "$(value groups_refused)" ] && [ "$(value kmu_groups)" -gt 0 ]
check "groups that are refused wait as kernels" $?
kernels() { form=cdp outcome "$@"; }
waited=$(kernels)
[ "$(value kmu_kernels)" -gt 500 ] && [ "$(value kmu_launches)" = "$(value kmu_kernels)" ] &&
  [ "$(value kmu_spilled)" -gt 400 ] && [ "$(value kmu_refilled)" = "$(value kmu_spilled)" ]
right=$?
check "kernels wait in memory: $(value kmu_spilled) of $(value kmu_kernels)" $right
same "kernels that wait, dead time ticked through" "$waited" "$(kernels --set sim.skip=0)"
same "kernels that wait, idle RTL clocked" "$waited" "$(kernels --set dtbl.gate=0)"
same "kernels that wait, without the assertions of the RTL" "$waited" "$(kernels --set sim.assertions=0)"
kernels --set dtbl.kmu_entries=256 --set dtbl.kmu_burst=256 >/dev/null
few=$(value kmu_spilled)
kernels --set dtbl.kmu_entries=8 --set dtbl.kmu_burst=3 >/dev/null
[ "$(value kmu_spilled)" -gt "$few" ]; check "the smaller the queue, the more wait in memory" $?
[ "$(value kernel_waits)" -gt 1000 ] && [ "$(value kmu_launches)" = "$(value kmu_kernels)" ]
check "what it does not take waits in the warps: $(value kernel_waits) cycles" $?
kernels --set launch.kernels=2 --set launch.ways=0 >/dev/null
[ "$(value kmu_no_entry)" -gt 100 ]; check "kernels wait for an entry" $?

# Other sizes.
few="launch.kernels=2 --set core.sms=2 --set core.ctas=4 --set core.warps=16"
starved="--set dtbl.search_slots=1 --set dtbl.pool_bits=4 --set dtbl.done_depth=2 --set dtbl.counter_bits=0"
for set in "--set dtbl.agt_entries=16" "--set dtbl.agt_entries=16 --set dtbl.lines=0 $starved" \
  "--set $few"; do
  expect 0 ' verified: ' $run $join --set app.form=dtbl $set
done
expect 0 ' verified: ' $warpfab run --config gtx480 --unit dtbl --app bfs_dp --graph cite:n=1500,degree=16 \
  --set app.form=dtbl
# A pool of three groups: those that find it full leave as kernels, so a block that waits for its launches goes on.
alone="--app join --set app.left=600 --set app.right=600 --set app.keys=10 --set app.form=dtbl --set core.sms=1"
alone="$alone --set core.ctas=1 --json $scratch/r.json"
expect 0 ' verified: ' $run $alone
[ "$(value groups_refused)" -lt 100 ] && [ "$(value groups_joined)" -gt 500 ]; check "a pool with room takes groups" $?
expect 0 ' verified: ' $run $alone --set dtbl.pool_bits=2
[ "$(value groups_refused)" -gt 500 ] && [ "$(value groups_joined)" -ge 3 ]; check "a full pool sends groups away" $?

# Recorded and replayed.
expect 0 ' verified: ' $run $join --set app.form=dtbl --record $scratch/d.wfr --record-limit 1500
expect 0 'dtbl tuned: 1500 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=dtbl \
  FILE=$scratch/d.wfr ENGINES="verilator icarus"

expect 0 ' verified: ' $run $join --set app.form=cdp --set dtbl.view=kmu --record $scratch/k.wfr --record-limit 1500
expect 0 'dtbl_kmu tuned: 1500 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=dtbl_kmu \
  FILE=$scratch/k.wfr ENGINES="verilator icarus"

# What cannot be.
expect 2 'dtbl.kmu_ring=262145: expected a power of two' $run $join --set dtbl.kmu_ring=262145
expect 2 'dtbl.kmu_ring=64: launch.pool_kib has buffers for 262144 launches' $run $join --set dtbl.kmu_ring=64
expect 2 'launch.kmu=sms: its kernel management unit has one queue' $run $join --set launch.kmu=sms
expect 2 'dtbl.agt_entries=1000: expected a power of two' $run $join --set dtbl.agt_entries=1000
expect 2 'dtbl.agt_entries=4096: expected a whole number' $run $join --set dtbl.agt_entries=4096
expect 2 'dtbl.lines=1: expected 0 or 2 to 64' $run $join --set dtbl.lines=1
expect 2 'dtbl.ring=100: expected 0 or a power of two from 16' $run $join --set dtbl.ring=100
expect 2 'dtbl.ring=64: with dtbl.lines=0 records have no ring' $run $join --set dtbl.lines=0 --set dtbl.ring=64
expect 2 'dtbl.size: no such parameter' $run $join --set dtbl.size=3
ptx() { # ptx GRID BLOCK: a thread launches that much
  cat <<P
.version 3.2
.target sm_35
.address_size 64
.visible .entry child(.param .u64 out)
{
  ret;
}
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  { .param .b64 a; st.param.b64 [a], 8; .param .b64 b; st.param.b64 [b], 8; .param .b64 q;
  call.uni (q), cudaGetParameterBuffer, (a, b); ld.param.b64 %rd3, [q]; }
  cuda.launch.group %r1, child, %rd3, {$1}, {$2}, 0;
  ret;
}
P
}
try() { # try EXIT REGEX GRID BLOCK [options]
  local code=$1 regex=$2
  ptx "$3" "$4" >$scratch/l.ptx
  shift 4
  expect $code "$regex" $run --ptx $scratch/l.ptx --kernel k --grid 1 --block 1 --param buf:64 "$@"
}
try 0 'first words' "3, 1, 1" "64, 1, 1"
try 1 'l.ptx:.*launch of a grid of 0x1x1 blocks' "0, 1, 1" "64, 1, 1"
try 1 'l.ptx:.*launch of a block of 2048 threads' "1, 1, 1" "1024, 2, 1"
try 1 'l.ptx:.*launch of kernel child: a block of 1024 threads needs 32 warps, an SM has 16' "1, 1, 1" "1024, 1, 1" \
  --set $few
try 1 'l.ptx:.*launch of child: a grid of 65536x32768x1 blocks: the dtbl unit takes 2.30 in all' "65536, 32768, 1" \
  "32, 1, 1"
try 1 'l.ptx:.*launch of child: a block of 1024 threads in z: the dtbl unit takes 512' "1, 1, 1" "1, 1, 1024"
expect 2 'launch of k: a grid of 2000000000x1x1 blocks' $run --ptx $scratch/l.ptx --kernel k --grid 2000000000 \
  --block 1 --param buf:64
sed -i 's/, child,/, nobody,/' $scratch/l.ptx
expect 2 "no kernel 'nobody'" $run --ptx $scratch/l.ptx --kernel k --grid 1 --block 1 --param buf:64
# Blocks that wait for each other: as many are launched as its accounts of shared memory, in units of 128 bytes, hold.
expect 0 ' verified: ' $warpfab run --config k20c --graph rmat:scale=11,edges=16000 --app bfs \
  --set app.strategy=direction --set core.shared_bytes=16384 --unit dtbl
finish
