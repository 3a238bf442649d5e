#!/bin/bash
# The spare-register unit in RTL where instructions issue: the paper's applications are verified in every form, with
# every replaced load checked against its move; loads are replaced; the same run gives the same cycles, gated or not;
# without the unit nothing changes; wrong settings.
. "$(dirname "$0")/../system/expect.sh"
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | head -1; }
run="$warpfab run --config fermi16 --graph random:n=1000,degree=8 --json $scratch/r.json"
small="--set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152"

# form REPLACED CACHE APP...: at least so many loads replaced; with CACHE, loads into the cache only; no prefetch at an
# address that is none.
form() {
  local mode=$1 least=$2
  shift 2
  expect 0 'verified: ' $run --unit spref --set spref.mode=$mode --app "$@"
  [ "$(value replaced)" -ge "$least" ] && [ "$(value prefetch_faults)" = 0 ] && [ "$(value sent)" -gt 50 ] &&
    [ "$(value replaced)" = $(($(value moves_head) + $(value moves_tail))) ] &&
    [ "$(value sent)" = $(($(value injected_head) + $(value injected_tail))) ]
  local right=$?
  check "$mode $1: $(value replaced) replaced, $(value sent) sent, $(value useless) useless" $right
}
for mode in spref1 spref cspref1 cspref; do
  for app in hbfs hsssp hmst lsmst; do form $mode 850 $app; done
  form $mode 50 stcon
done
for mode in spref1 cspref; do
  form $mode 1000 lsbfs $small
  form $mode 1000 lssssp $small
done
form spref1c 400 hbfs
[ "$(value sent_to_cache)" -gt 100 ]; right=$?
check "spref1c: $(value sent_to_cache) into the cache only" $right

# The same run again: what the machine does, and what the unit counted.
outcome() {
  $run --unit spref --app hbfs --set spref.mode=cspref "$@" >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  sed -n '/"unit":\t{/,/^\t}/p' $scratch/r.json
}
first=$(outcome)
clocked=$(edges)
same "the same run twice" "$first" "$(outcome)"
same "idle RTL clocked" "$first" "$(outcome --set spref.gate=0)"
[ "$(edges)" -gt "$clocked" ]; check "without the gate it is clocked more" $?
same "dead time ticked through" "$first" "$(outcome --set sim.skip=0)"
same "without the assertions of the RTL" "$first" "$(outcome --set sim.assertions=0)"
[ "$first" != "$(outcome --set spref.in_order=1)" ]; check "injected loads in their warp's order change the run" $?
outcome --set spref.spare=1 >/dev/null
[ "$(value spare_most)" = 1 ] && [ "$(value moves_tail)" = 0 ] && [ "$(value moves_head)" -gt 100 ]
check "one spare register: heads only" $?
outcome --set spref.spare=0 >/dev/null
[ "$(value replaced)" = 0 ]; check "no spare register: nothing is replaced" $?

# Waits by load: a replaced load is counted with its move's; energy of what is issued beside the program.
loads_of() { sed -n 's/.*"loads":[[:space:]]*\([0-9][0-9]*\),.*/\1/p' $scratch/r.json | paste -sd' '; }
sum_of() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9][0-9.]*\).*/\1/p" $scratch/r.json |
  awk '{ s += $1 } END { print s + 0 }'; }
$run --app hbfs --set probe.loads=1 >/dev/null
plain_loads=$(loads_of) plain_wait=$(sum_of wait)
same "the probe changes nothing" "$first" "$(outcome --set probe.loads=1)"
same "as many loads waited for, replaced or not" "$plain_loads" "$(loads_of)"
same "moves are noted at their loads" "$(value replaced)" "$(sum_of moved)"
wait=$(sum_of wait)
awk -v a="$wait" -v b="$plain_wait" 'BEGIN { exit !(a > 0 && a < b) }'
check "waits are shorter: $wait for $plain_wait" $?
# Loaded values are written to registers; addresses go to the unit.
[ "$(value operands_written)" = "$(value sent)" ] &&
  [ "$(value address_adds)" = "$(value injected_tail)" ]; right=$?
check "registers of injected instructions: $(value operands_read) read, $(value operands_written) written" $right

# Recorded and replayed.
expect 0 'verified: ' $run --unit spref --set spref.mode=cspref --app hbfs --record $scratch/d.wfr --record-limit 2000
expect 0 'spref paper: 2000 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=spref \
  FILE=$scratch/d.wfr ENGINES="verilator icarus"
expect 0 'verified: ' $run --unit spref --set spref.view=1 --app hmst --record $scratch/e.wfr --record-limit 2000
expect 0 'spref_edge paper: 2000 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay \
  UNIT=spref_edge FILE=$scratch/e.wfr ENGINES="verilator icarus"

# Off: nothing is told, nothing changes.
machine() {
  $run --app hmst "$@" >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
}
same "mode off is the machine without the unit" "$(machine)" "$(machine --unit spref --set spref.mode=off)"
expect 0 'verified: ' $warpfab run --config k20c --unit spref --app bfs --graph random:n=1000,degree=8

expect 2 'spref.mode=fast: expected off' $run --app hbfs --unit spref --set spref.mode=fast
expect 2 'spref.spare' $run --app hbfs --unit spref --set spref.spare=99
expect 2 'not with spref' $warpfab run --config k20c --unit spref --app bfs_dp --graph cite:n=500,degree=8 \
  --set app.form=cdp
expect 0 'verified: ' $warpfab run --config fermi16 --graph random:n=3000,degree=6 --app hsssp --unit spref \
  --set sample.kernel=hsssp_kernel1 --set sample.launches=4-6
finish
