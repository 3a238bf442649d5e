#!/bin/bash
# LaPerm's scheduler in the dispatcher's place: applications whose threads launch work give the reference's results
# under every policy; kernels in the place of groups take under policy rr what they take with the GPU's own dispatcher;
# the same run gives the same cycles, with and without gating, skipping, assertions; other sizes; a recorded run replays
# in Verilator and Icarus; wrong settings.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config k20c"
join="--app join --set app.left=2000 --set app.right=2000 --set app.keys=60"
policies="rr tb_pri smx_bind adaptive"

apps=("bfs_dp --graph cite:n=1500,degree=16" "clr --graph rmat:scale=9,edges=8000" "amr --set app.side=48"
  "pre --set app.users=200 --set app.products=100 --set app.given=40" "regx --set app.texts=200")
for app in "${apps[@]}"; do # join: recorded.txt
  for policy in $policies; do
    expect 0 ' verified: ' $run --unit laperm:policy=$policy --app $app --set app.form=dtbl
  done
done
for app in "sssp_dp --graph cite:n=800,degree=16" "bht --set app.bodies=6000"; do
  expect 0 ' verified: ' $run --unit laperm --app $app --set app.form=dtbl
done

value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | head -1; }
# The GPU's own dispatcher serves kernels first come, first served, block by block round robin. (Its unit visits SMs in
# rotation: a block may start some cycles later.)
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 0 && a / b > 0.999 && a / b < 1.001) }'; }
for app in "${join#--app }" "amr --set app.side=48" "bfs_dp --graph cite:n=1500,degree=16"; do
  $run --app $app --set app.form=cdp --json $scratch/r.json >/dev/null; own=$(value cycles)
  $run --app $app --set app.form=cdp --unit laperm:policy=rr --json $scratch/r.json >/dev/null
  near "$(value cycles)" "$own"; check "$app: kernels under rr take $(value cycles) cycles, without the unit $own" $?
done

# Under rr blocks start as they were launched, but for groups that find no kernel and go as one; so they do with
# whatever other unit places blocks: the same ones are late, in the same order, so the others are in the same order too.
# (When a kernel starts, between which groups, is when the one before it has nothing to do.)
late() { # UNIT: blocks that start behind one that was launched later, of how many: which
  $run $join --set app.form=dtbl --unit $1 --json $scratch/r.json --timeline $scratch/t.json >/dev/null || return
  grep '"cat":"block"' $scratch/t.json |
    sed 's/.*"ts":\([0-9]*\),.*"kernel":\([0-9]*\),"grid":\([0-9]*\),"block":\[\([0-9]*\),.*/\1 \2 \3 \4/' |
    sort -s -n -k1,1 | awk '{ at = ($2 * 1e6 + $3) * 1e4 + $4 }
      at < last { late++; which = which " " $2 "." $3 "." $4; next } { last = at }
      END { print late + 0, "of", NR ":" which }'
}
rr=$(late laperm:policy=rr)
total=${rr#*of }
[ "${rr% of*}" -lt "$(value groups_refused)" ] && [ "${total%%:*}" -gt 1000 ]
check "rr: ${rr%%:*} blocks start out of turn, $(value groups_refused) groups found no kernel" $?
for place in $(grep -l WF_CLAIM_DISPATCHER sim/units/*/*.c | cut -d/ -f3 | sort -u); do
  [ $place = laperm ] || same "$place: blocks out of turn" "$rr" "$(late $place)"
done
bound=$(late laperm:policy=adaptive)
[ "${bound% of*}" -gt 300 ]; check "adaptive: ${bound%%:*} blocks start out of turn" $?

# The same run again: what the machine does, and what the unit counted.
outcome() {
  $run $join --unit laperm --set app.form=dtbl --set laperm.entries=4 "$@" --json $scratch/r.json >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -m1 -A16 '"launches":' $scratch/r.json
  sed -n '/"unit":\t{/,/^\t}/p' $scratch/r.json
}
first=$(outcome)
clocked=$(edges)
[ "$(value groups_memory)" -gt 100 ] && [ "$(value refills)" -ge "$(value groups_memory)" ] &&
  [ "$(value blocks_own)" -gt 0 ] && [ "$(value blocks_backup)" -gt 0 ] &&
  [ "$(value ring_places)" = "$(value refills)" ]
check "queues of four: $(value groups_memory) groups lie in memory and come back" $?
same "the same run twice" "$first" "$(outcome)"
same "idle RTL clocked" "$first" "$(outcome --set laperm.gate=0)"
[ "$(edges)" -gt "$clocked" ]; check "without the gate it is clocked more" $?
same "idle RTL clocked, dead time ticked through" "$first" "$(outcome --set sim.skip=0 --set laperm.gate=0)"
same "8 GB of memory" "$first" "$(outcome --set memory.mib=8192)"
same "without the assertions of the RTL" "$first" "$(outcome --set sim.assertions=0)"
outcome --set laperm.lines=0 >/dev/null
[ "$(value mem_reads)" = "$(value refills)" ] && [ "$(value ring_places)" = 0 ]
check "without lines each record is read by itself" $?
port_of_crossbar "$first"
outcome --set laperm.policy=smx_bind >/dev/null
[ "$(value blocks_backup)" = 0 ] && [ "$(value blocks_own)" -gt 100 ]; check "bound blocks stay where they are bound" $?

# Other sizes.
few="launch.kernels=2 --set core.sms=2 --set core.ctas=4 --set core.warps=16"
starved="--set laperm.search_slots=1 --set laperm.pool_bits=4 --set laperm.done_depth=2 --set laperm.counter_bits=0"
for policy in rr adaptive; do
  expect 0 ' verified: ' $run --unit laperm:policy=$policy $join --set app.form=dtbl --set laperm.entries=4 \
    --set laperm.lines=0 --set laperm.levels=1 --set laperm.cluster=2 --set laperm.skip=1 $starved
  expect 0 ' verified: ' $run --unit laperm:policy=$policy $join --set app.form=dtbl --set $few
done

# A pool of three groups: those that find it full leave as kernels, so a block that waits for its launches goes on.
alone="--app join --set app.left=600 --set app.right=600 --set app.keys=10 --set app.form=dtbl --set core.sms=1"
alone="$alone --set core.ctas=1 --json $scratch/r.json"
for policy in rr adaptive; do
  expect 0 ' verified: ' $run --unit laperm:policy=$policy $alone --set laperm.pool_bits=2
  [ "$(value groups_refused)" -gt 500 ] && [ "$(value groups_joined)" -ge 3 ]
  check "$policy: a full pool sends groups away" $?
done

# A clock of its own, lower than the GPU's.
slower=$(outcome --set laperm.mhz=400)
[ -n "$slower" ] && [ "$first" != "$slower" ]; check "at 400 of 706 MHz it serves otherwise" $?
same "at 400 MHz, idle RTL clocked, dead time ticked through" "$slower" \
  "$(outcome --set laperm.mhz=400 --set sim.skip=0 --set laperm.gate=0)"
same "at the GPU's clock, said" "$first" "$(outcome --set laperm.mhz=706)"

# Recorded and replayed.
expect 0 ' verified: ' $run --unit laperm $join --set app.form=dtbl --record $scratch/d.wfr --record-limit 1500
expect 0 'laperm tuned: 1500 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=laperm \
  FILE=$scratch/d.wfr ENGINES="verilator icarus"

# What cannot be.
run="$run --unit laperm"
expect 2 'laperm.policy=best: expected' $run $join --set laperm.policy=best
expect 2 'laperm.entries=2: expected a whole number' $run $join --set laperm.entries=2
expect 2 'launch.kernels=64: expected 32 or less' $run $join --set launch.kernels=64
expect 2 'laperm.lines=1: expected 0 or 2 to 64' $run $join --set laperm.lines=1
expect 2 'laperm.ring=100: expected 0 or a power of two from 16' $run $join --set laperm.ring=100
expect 2 'laperm.ring=64: with laperm.lines=0 records have no ring' $run $join --set laperm.lines=0 --set laperm.ring=64
finish
