#!/bin/bash
# Thread blocks preloaded by the RTL: the paper's applications are verified with rows found in the code, in every
# setting, and each byte that a load takes from the buffer has been compared with memory; counts of the RTL and of the
# fabric agree; the same run gives the same cycles, gated or not; without rows nothing changes; kernels that write what
# was preloaded, blocks that end early, kernels launched by threads, tables made to hurt, wrong settings.
. "$(dirname "$0")/../system/expect.sh"
# The unit's counters come last.
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | tail -1; }
run="$warpfab run --json $scratch/r.json"
on="$run --unit teleport"
small="--set app.rows=128 --set app.cols=192"
jac="--app jac $small"

# counts FOUND: at least so many look-ups found their line; RTL and fabric count the same.
counts() {
  [ "$(value found)" -ge "$1" ] &&
    [ "$(value looked_up)" = $(($(value found) + $(value not_found) + $(value found_coming))) ] &&
    [ "$(value looked_up)" = "$(value loads)" ] && [ "$(value found)" = "$(value load_hits)" ] &&
    [ "$(value fetched)" = "$(value fetches)" ] && [ "$(value fetched)" = "$(value replies)" ] &&
    [ "$(value tbs)" = "$(value held_blocks)" ] && [ "$(value gos)" = "$(value tbs)" ] &&
    [ "$(value requests)" = "$(value asks)" ] && [ "$(value stale_bytes)" = 0 ]
  local right=$?
  found="$(value fetched) lines fetched, $(value found) of $(value looked_up) found"
  check "  $(value held_blocks) blocks held $(value held_cycles) cycles, $found" $right
}
# app FOUND ARGUMENT...: verified, and counts.
app() {
  local least=$1
  shift
  expect 0 'verified: ' $on "$@"
  counts "$least"
}
for form in plain shared; do
  for name in mma jac hsp; do app 100 --app $name $small --set app.form=$form; done
  app 100 --app ptf --set app.cols=5000 --set app.form=$form
done
app 100 --app eds $small
app 100 --app jac --set app.rows=131 --set app.cols=77 # blocks beyond the border end at once
app 1000 --app srd --set app.n=256
app 100 --app bfs_rodinia --graph random:n=3000,degree=8
app 100 --app spmv --graph random:n=3000,degree=8 --config fermi16
app 500 --app jac $small --config k20c # 16 blocks an SM
app 100 --app jac $small --set core.sm_mhz=600 # answers wait for the SM

# The same run again: what the machine does, and what the unit counted.
outcome() {
  $on $jac "$@" >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -m1 -A14 '"dram":' $scratch/r.json
  sed -n '/"unit":\t{/,/^\t}/p' $scratch/r.json
}
first=$(outcome)
clocked=$(edges)
same "the same run twice" "$first" "$(outcome)"
same "idle RTL clocked" "$first" "$(outcome --set teleport.gate=0)"
[ "$(edges)" -gt "$clocked" ]; check "without the gate it is clocked more" $?
same "dead time ticked through" "$first" "$(outcome --set sim.skip=0)"
same "without the assertions of the RTL" "$first" "$(outcome --set sim.assertions=0)"
for set in teleport.overlap=1 teleport.ways=8 teleport.cap=8; do
  [ "$first" != "$(outcome --set $set)" ]; check "$set changes the run" $?
done

busy="--app srd --set app.n=256 --set app.turns=1 --unit teleport"
cycles() { $run $busy "$@" >/dev/null && value cycles; }
[ "$(cycles)" != "$(cycles --set mem.preload_priority=0)" ]
check "mem.preload_priority=0 changes a run whose loads also miss" $?

# Settings, each verified.
app 1 $jac --set teleport.overlap=1
[ "$(value found_coming)" -gt 10 ]; check "blocks that start at once: $(value found_coming) loads of what comes" $?
app 100 $jac --set teleport.overlap=1 --set mem.preload_priority=0
app 1000 $jac --set teleport.tiles=0 --set teleport.ranges=3
[ "$(value rows_set)" = 18 ] && [ "$(value ranges)" = $((18 * $(value tbs))) ]; right=$?
check "  a row for each line of a tile: 18, $(value ask_stalls) times the bus waits for a buffer" $right
app 1000 $jac
[ "$(value rows_set)" = 1 ] && [ "$(value ranges)" = "$(value tbs)" ]; check "  a tile is one row" $?
app 1000 $jac --set teleport.sets=4 --set teleport.ways=24 --set teleport.keep_unread=0
less=$(value found)
app 1000 $jac --set teleport.sets=4 --set teleport.ways=24
[ "$(value found)" -gt "$less" ]; check "  more is found if what nobody has read stays" $?
app 1 $jac --set teleport.sets=4 --set teleport.ways=1
[ "$(value asks_dropped)" -gt 100 ]; check "a way a set: $(value asks_dropped) requests dropped" $?
app 1 $jac --set teleport.cap=1
[ "$(value lines_cut)" -gt 10 ] && [ "$(value requests)" = "$(value tbs)" ]; check "a request a block" $?
{
  echo 'kernel jac_plain'
  for r in 0 1 2 3 4; do echo "p0 4 16 3072 0 $((192 * r)) 16 3072 0 $((192 * r + 17))"; done
} >$scratch/five.rows
app 1000 $jac --set teleport.table_rows=3 --set teleport.table=$scratch/five.rows
[ "$(value rows_set)" = 3 ] && [ "$(value rows_over)" = 2 ]; check "a table of 3 rows" $?

# Consecutive blocks on one SM, which any machine could do.
expect 0 'verified: ' $run $jac --set core.cta_run=2
expect 0 'verified: ' $on $jac --set core.cta_run=2
expect 2 'core.cta_run=65' $run $jac --set core.cta_run=65

# Without rows: the machine as it is without the unit.
machine() {
  $run "$@" >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A13 '"l1":' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
}
for what in "$jac" "--app bfs_rodinia --graph random:n=2000,degree=8"; do
  same "without rows: $what" "$(machine $what)" "$(machine $what --unit teleport --set teleport.rows=none)"
  [ "$(value kernels)" = 0 ] && [ "$(value kernels_without_rows)" -gt 0 ]; check "  and no kernel is preloaded" $?
done
launches="--config k20c --app bfs_dp --graph cite:n=1500,degree=16 --set app.form=cdp"
same "kernels launched by threads" "$(machine $launches)" "$(machine $launches --unit teleport)"

# Kernels that write what was preloaded. In place: a block reads what its own threads write, loop after loop.
cat >$scratch/k.ptx <<'END'
.version 6.0
.target sm_35
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 turns, .param .u32 other) {
  .reg .pred %p<3>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [turns];
  ld.param.u32 %r10, [other];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  xor.b32 %r6, %r5, %r10;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  mul.wide.u32 %rd4, %r6, 4;
  add.s64 %rd5, %rd1, %rd4;
  mov.u32 %r7, 0;
LOOP:
  setp.ge.u32 %p1, %r7, %r1;
  @%p1 bra DONE;
  ld.global.u32 %r8, [%rd5];
  add.s32 %r9, %r8, 3;
  bar.sync 0;
  st.global.u32 [%rd3], %r9;
  bar.sync 0;
  add.s32 %r7, %r7, 1;
  bra LOOP;
DONE:
  ret;
}
END
# A kernel that takes all shared memory leaves no room.
sed -e 's/entry k(/entry k2(/' -e 's/^LOOP:/  mov.u64 %rd6, big;\n  st.shared.u32 [%rd6], %r7;\nLOOP:/' \
  -e '5i   .shared .align 4 .b8 big[48900];' $scratch/k.ptx >$scratch/k2.ptx
printf 'kernel *\np0 4 128 0 0 0 128 0 0 127\n' >$scratch/own.rows
full="--ptx $scratch/k2.ptx --kernel k2 --grid 20 --block 128 --param iota:102400 --param u32:3 --param u32:32"
same "no shared memory left" "$(machine $full)" \
  "$(machine $full --unit teleport --set teleport.table=$scratch/own.rows)"
[ "$(value kernels_without_room)" = 1 ] && [ "$(value rows_left_out)" = 0 ]; check "  the kernel has no room" $?

kernel="--ptx $scratch/k.ptx --kernel k --grid 200 --block 128 --param iota:102400"
words() { "$@" | grep -o 'CRC-32 [0-9a-f]*'; }
same "a kernel that works in place" "$(words $run $kernel --param u32:4 --param u32:33)" \
  "$(words $on --set teleport.table=$scratch/own.rows $kernel --param u32:4 --param u32:33)"
counts 500
[ "$(value stores_here)" -gt 500 ]; check "  stores throw $(value stores_here) lines out" $?
same "  while they come" "$(words $run $kernel --param u32:4 --param u32:33)" \
  "$(words $on --set teleport.overlap=1 --set teleport.table=$scratch/own.rows $kernel --param u32:4 --param u32:33)"
[ "$(value stores_coming)" -gt 0 ] || [ "$(value found_coming)" -gt 100 ]
check "  $(value stores_coming) of them on their way" $?
# What another SM writes: a load of the old value is noticed.
printf 'kernel k\np0 4 0 0 0 0 0 0 0 25599\n' >$scratch/all.rows
expect 1 'another SM wrote it in this kernel' $on --set teleport.cap=1023 --set teleport.table=$scratch/all.rows \
  $kernel --param u32:40 --param u32:128
expect 0 'CRC-32' $on --set teleport.cap=1023 --set teleport.table=$scratch/all.rows $kernel --param u32:40 \
  --param u32:128 --set teleport.races=1
[ "$(value stale_bytes)" -gt 0 ]; check "  races allowed: $(value stale_bytes) bytes were old" $?
printf 'kernel ccl_hook\np2 4 0 0 0 0 0 0 0 1999\n' >$scratch/ccl.rows
expect 1 'another SM wrote it in this kernel' $on --app ccl --graph random:n=4000,degree=8 \
  --set teleport.table=$scratch/ccl.rows
expect 0 'verified: ' $on --app ccl --graph random:n=4000,degree=8 --set teleport.table=$scratch/ccl.rows \
  --set teleport.races=1

# Tables made to hurt: results are right, nothing hangs.
hostile() { # hostile NAME ROW...
  local name=$1
  shift
  { echo 'kernel *'; printf '%s\n' "$@"; } >$scratch/h.rows
  expect 0 'verified: ' $on $jac --set teleport.table=$scratch/h.rows
  [ "$(value tbs)" = "$(value gos)" ] && [ "$(value fetched)" = "$(value replies)" ] &&
    [ "$(value fetched)" = "$(value fetches)" ]
  local right=$?
  check "  $name: $(value requests) requests, $(value fetched) lines" $right
}
hostile "nothing but device memory's bounds" "0 255 -8000000 0 0 -8000000 8000000 8000000 0 8000000"
[ "$(value lines_clipped)" -gt 0 ] && [ "$(value requests)" -gt 1000 ]; check "  cut at the bounds" $?
hostile "beyond memory" "0xffffff00 255 1 1 1 0 1 1 1 8000000"
[ "$(value fetched)" = 0 ]; check "  asks for nothing" $?
hostile "upside down" "p0 4 16 0 0 100 16 0 0 0" "p0 4 0 0 0 1 0 0 0 0"
[ "$(value fetched)" = 0 ]; check "  asks for nothing" $?
hostile "negative products" "p0 4 -16 -192 0 6000 -16 -192 0 6100"
hostile "what is written" "p1 4 16 3072 0 0 16 3072 0 3000" "p0 4 16 3072 0 0 16 3072 0 3000"
rows=()
for i in $(seq 100); do rows+=("p0 4 0 0 0 $((i * 7)) 0 0 0 $((i * 7 + 40))"); done
hostile "100 rows that overlap" "${rows[@]}"
[ "$(value rows_set)" = 64 ] && [ "$(value rows_over)" = 36 ]; check "  64 of them are in the table" $?
hostile "tiles" "p0 4 16 3072 0 0 16 3072 0 15 768 256" "0 255 -8000000 0 0 0 8000000 0 0 0 1048575 256" \
  "p0 4 0 0 0 0 0 0 0 200 0 256" "p0 1 0 0 0 0 0 0 0 0 1048576 2" "p0 1 0 0 0 0 0 0 0 0 1 257"
[ "$(value rows_left_out)" = 2 ] && [ "$(value lines_outside)" -gt 10 ] && [ "$(value lines_clipped)" -gt 10 ]
check "  two are left out, $(value lines_outside) lines are beyond memory, $(value lines_clipped) across its bounds" $?
hostile "more than 24 bits" "p0 4 16777216 0 0 0 0 0 0 0" "p0 4 0 0 0 0 0 0 0 8388608" "p0 4 0 0 0 -8388608 0 0 0 3"
[ "$(value rows_left_out)" = 2 ]; check "  two are left out" $?

# Tables that cannot be.
bad() { # bad REGEX LINE...
  local regex=$1
  shift
  printf '%s\n' "$@" >$scratch/b.rows
  expect 2 "$regex" $on $jac --set teleport.table=$scratch/b.rows
}
bad 'b.rows:1: a row before' 'p0 4 0 0 0 0 0 0 0 0'
bad 'b.rows:3: 9 fields' '# rows' 'kernel *' 'p0 4 0 0 0 0 0 0 0'
bad 'b.rows:2: 11 fields' 'kernel *' 'p0 4 0 0 0 0 0 0 0 0 0'
bad 'b.rows:2: 13 or more fields' 'kernel *' 'p0 4 0 0 0 0 0 0 0 0 0 1 1'
bad "b.rows:2: '-1'" 'kernel *' 'p0 4 0 0 0 0 0 0 0 0 -1 1'
bad "b.rows:2: '0'" 'kernel *' 'p0 4 0 0 0 0 0 0 0 0 128 0'
bad "b.rows:2: 'q0'" 'kernel *' 'q0 4 0 0 0 0 0 0 0 0'
bad "b.rows:2: 'p'" 'kernel *' 'p 4 0 0 0 0 0 0 0 0'
bad "b.rows:2: 'p0\*3'" 'kernel *' 'p0*3 4 0 0 0 0 0 0 0 0'
bad "b.rows:2: '0'" 'kernel *' 'p0 0 0 0 0 0 0 0 0 0'
bad "b.rows:2: '3000000000'" 'kernel *' 'p0 4 0 0 0 3000000000 0 0 0 0'
bad 'b.rows:2: p9: kernel jac_plain has 7' 'kernel *' 'p9 4 0 0 0 0 0 0 0 0'
bad 'b.rows:1: expected `kernel' 'kernel'
expect 2 '/none' $on $jac --set teleport.table=/none
expect 2 'rows come from one place' $on $jac --set teleport.table=$scratch/own.rows --set teleport.rows=auto
expect 2 'teleport.rows=some' $on $jac --set teleport.rows=some
expect 2 'teleport.sets=3' $on $jac --set teleport.sets=3
expect 2 'teleport.cap' $on $jac --set teleport.cap=5000
expect 2 'mem.preload_priority=2' $on $jac --set mem.preload_priority=2

# The timeline shows how long each block waited.
expect 0 'verified: ' $on $jac --timeline $scratch/t.json
waited=$(sed -n '/waits for its data/s/.*"dur":\([0-9]*\).*/\1/p' $scratch/t.json | awk '{ n += $1 } END { print n }')
[ "$(grep -c 'waits for its data' $scratch/t.json)" = "$(value held_blocks)" ] && [ "$waited" = "$(value held_cycles)" ]
check "the timeline has every wait" $?

# Recorded and replayed: the buffer of SM 0, the controller.
expect 0 'verified: ' $on $jac --record $scratch/b.wfr --record-limit 300
expect 0 'teleport_buffer bench.*: 300 edges, .* icarus agrees' make --no-print-directory BUILD=$build \
  replay UNIT=teleport_buffer FILE=$scratch/b.wfr ENGINES="verilator icarus"
expect 0 'verified: ' $on $jac --set teleport.view=1 --record $scratch/c.wfr --record-limit 300
expect 0 'teleport_controller bench.*: 300 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay \
  UNIT=teleport_controller FILE=$scratch/c.wfr ENGINES="verilator icarus"
finish
