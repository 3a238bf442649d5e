#!/bin/bash
# Occupancy bubbles in the fabric: applications give the reference's results in every mode, with every dispatcher there
# is; off is the run without the unit; the same run gives the same cycles, with and without gating, skipping,
# assertions; low SMs are slow and cost less; a recorded run replays in Verilator and Icarus; wrong settings.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config k20c"
join="--app join --set app.left=2000 --set app.right=2000 --set app.keys=60"
# Units that place blocks, as they are named; "": the GPU's own dispatcher.
places=("" $(grep -l 'WF_CLAIM_DISPATCHER' sim/units/*/*.c | cut -d/ -f3 | sort -u))
with() { [ -n "$1" ] && echo "$1,bubble" || echo bubble; }
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.e-]*\).*/\1/p" $scratch/r.json | head -1; }
more() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { exit !(a > b) }'; }

apps=("bfs_dp --graph cite:n=1500,degree=16" "clr --graph rmat:scale=9,edges=8000" "amr --set app.side=48"
  "pre --set app.users=200 --set app.products=100 --set app.given=40" "regx --set app.texts=200" "${join#--app }")
for app in "${apps[@]}"; do
  for place in "${places[@]}"; do
    for mode in divert full at_once; do
      expect 0 ' verified: ' $run --unit "$(with "$place")" --app $app --set app.form=dtbl --set bubble.mode=$mode
    done
  done
  for cut in 32 100; do # persistent threads, which the paper compares with
    expect 0 ' verified: ' $run --app $app --set app.form=pt --set app.from=$cut --set app.chunk=$cut
  done
done
expect 0 ' verified: ' $run --unit bubble --app pagerank --graph rmat:scale=10,edges=8000
expect 0 ' verified: ' $run --unit bubble --app bfs_dp --graph cite:n=1500,degree=16 --set app.form=cdp

# What the machine did, without what units and the host say.
machine() {
  $run "$@" --json $scratch/r.json >/dev/null || return
  sed '/^\t"host":/,/^\t}/d; /^\t"settings":/,/^\t}/d; /^\t"units":/d; /^\t"unit":/,/^\t}/d
    /^\t"energy_joules":/,/^\t}/d' $scratch/r.json
}
for place in "${places[@]}"; do
  for app in "$join --set app.form=dtbl" "--app bfs_dp --graph cite:n=1500,degree=16 --set app.form=cdp"; do
    plain=$(machine $app ${place:+--unit $place})
    same "off, ${place:-own dispatcher}: as without the unit" "$plain" \
      "$(machine $app --unit "$(with "$place")" --set bubble.mode=off)"
    [ "$plain" != "$(machine $app --unit "$(with "$place")")" ]; check "full is another run" $?
  done
done

# The same run again: what the machine does, what the unit counted, what it costs.
outcome() {
  machine $join --unit bubble --set app.form=dtbl "$@" || return
  sed -n '/^\t"unit":/,/^\t}/p; /^\t"energy_joules":/,/^\t}/p' $scratch/r.json
}
for mode in full at_once; do
  set -- --set bubble.mode=$mode
  first=$(outcome "$@")
  same "$mode: the same run twice" "$first" "$(outcome "$@")"
  same "$mode: idle RTL clocked" "$first" "$(outcome "$@" --set bubble.gate=0)"
  same "$mode: dead time ticked through" "$first" "$(outcome "$@" --set sim.skip=0 --set bubble.gate=0)"
  same "$mode: without the assertions of the RTL" "$first" "$(outcome "$@" --set sim.assertions=0)"
done
outcome >/dev/null
more "$(value low_cycles)" 100000 && more "$(value downs)" 10 && more "$(value resumes)" 0 &&
  more "$(value saved_leak_16)" "$(value saved_leak_30)" && more "$(value saved_leak_30)" "$(value saved_leak_55)" &&
  more "$(value saved_leak_55)" 0 && more 1 "$(value bubble_share)"
check "SMs go low and come up, $(value low_cycles) cycles, $(value saved) of the energy saved" $?
[ "$(value saved)" = "$(value saved_leak_55)" ]; check "the least favourable leakage is the default" $?
outcome --set bubble.mode=divert >/dev/null
[ "$(value low_cycles)" = 0 ] && more "$(value diverted_cycles)" 100000; check "divert only: no SM goes low" $?
machine $join --set app.form=dtbl >/dev/null
plain=$(value cycles)
outcome --set bubble.drain=0 --set bubble.gpu_level=0 >/dev/null
[ "$(value diverted)" = 0 ] && more "$(value bubbles)" 10 && [ "$(value cycles)" = "$plain" ]
check "bubbles are counted, and nothing else is done" $?
outcome --set bubble.threshold=0 >/dev/null
[ "$(value diverted)" = 0 ]; check "no bubble below a threshold of 0" $?

# A low SM with blocks runs at its own clock: the lower, the longer the run.
slow() {
  outcome --set bubble.mode=at_once --set bubble.threshold=8 --set bubble.low_mhz=$1 >/dev/null
  value cycles
}
fast=$(slow 706) middle=$(slow 353) low=$(slow 20)
more "$low" "$middle" && more "$middle" "$fast"; check "at 706, 353, 20 MHz: $fast, $middle, $low cycles" $?

# Energy of each SM and P-state: over all of them cycles, instructions and joules are those of the run.
whole="--set energy.uncore_static=0 --set energy.board=0"
states() { # of all SMs: KEY of STATE, "" of every state
  awk -v key="\"$1\":" -v state="${2:+\"$2\":}" '/^\t\t\t"sms":/ { in_sms = 1 } /^\t\t\t}\]/ { in_sms = 0 }
    in_sms && /"(high|between|low)":/ { of = $1 }
    in_sms && $1 == key && (state == "" || of == state) { sub(/,$/, "", $2); sum += $2 }
    END { printf "%.12g", sum }' $scratch/r.json
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 0 && (a - b) ^ 2 < (1e-9 * b) ^ 2) }'; }
part() { # of the run's energy
  sed -n '/"energy_joules":/,/"watts":/p' $scratch/r.json | sed -n "s/.*\"$1\":[[:space:]]*\([0-9.e-]*\).*/\1/p"
}
add() { awk 'BEGIN { for (i = 1; i < ARGC; i++) sum += ARGV[i]; printf "%.17g", sum }' "$@"; }
for options in "--unit bubble" "--unit laperm,bubble" \
  "--unit dtbl,bubble --set bubble.mode=at_once --set bubble.threshold=8" \
  "--unit bubble --set bubble.gpu_level=0 --set bubble.transition=3" "--set core.sm_mhz=353"; do
  machine $join --set app.form=dtbl $options $whole >/dev/null; check "$options" $?
  same "  SMs in all: 13" 13 "$(grep -c '"sm":[[:space:]]*[0-9]*,$' $scratch/r.json)"
  same "  cycles of all states" $((13 * $(value cycles))) "$(states cycles)"
  same "  instructions" "$(value warp_instructions)" "$(states warp_instructions)"
  near "$(add $(part core) $(part registers) $(part l1))" "$(states events)"
  check "  joules of events: $(states events)" $?
  near "$(part static)" "$(add "$(states clock)" "$(states leakage)")"
  check "  joules of clocks and leakage: $(states clock), $(states leakage)" $?
  more "$(states cycles low)" 0 && more "$(states leakage low)" 0 && more "$(states cycles low)" "$(states ticks low)"
  check "  low: $(states cycles low) cycles, $(states ticks low) of the SMs' own clocks" $?
  case $options in *bubble*)
    same "  as the unit counted them" "$(value low_cycles)" "$(states cycles low)"
    more "$(($(value transition_cycles) + 1))" "$(states cycles between)"
    check "  on the way: $(states cycles between) cycles, $(states entered between) times" $?
    ;;
  esac
done
machine $join --set app.form=dtbl >/dev/null; grep -q '"sms"' $scratch/r.json
same "without SMs at a lower voltage there is none" 1 $?

# A slower regulator, other samples; sizes.
for set in transition=20 transition=0 calm=1 gpu_level=0 sample=100 sample=10000 drain=1 threshold=16 counter_bits=0; do
  expect 0 ' verified: ' $run --unit bubble $join --set app.form=dtbl --set bubble.$set
done
expect 0 ' verified: ' $run --unit bubble $join --set app.form=dtbl --set core.sms=2 --set core.ctas=4 \
  --set core.warps=16
host="--app pagerank --graph rmat:scale=9,edges=3000 --set launch.host=3000"
machine $host --unit bubble >/dev/null
more "$(value gpu_low_cycles)" 2000; check "between kernels the whole GPU is low: $(value gpu_low_cycles) cycles" $?

# Clocks and voltages over time: SMs go down and come up, and the picture changes nothing.
machine $join --unit bubble --set app.form=dtbl >/dev/null; plain=$(value cycles)
machine $join --unit bubble --set app.form=dtbl --timeline $scratch/t.json >/dev/null
same "with a timeline" "$plain" "$(value cycles)"
counter() { grep -c "\"name\":\"$1\".*:$2}}" $scratch/t.json; }
[ "$(counter MHz 100)" -gt 10 ] && [ "$(counter MHz 706)" -gt 13 ] && [ "$(counter voltage 0.55)" -gt 10 ] &&
  [ "$(counter warps '[0-9]*')" -gt 100 ] && [ "$(counter watts '[0-9.]*')" -gt 10 ]
check "the timeline has clocks, voltages, warps and power" $?

# All SMs at a fixed lower clock and voltage; blocks on the fullest SM.
dvfs="--set core.sm_mhz=353 --set energy.low_volts=0.74 --set energy.low_leak=0.74"
machine $join --set app.form=dtbl >/dev/null; fast=$(value cycles)
machine $join --set app.form=dtbl $dvfs >/dev/null
more "$(value cycles)" "$fast" && more "$(value saved)" 0 && [ "$(value sm_share)" = 1 ]
check "all SMs at 353 MHz: $fast, $(value cycles) cycles, $(value saved) saved of the same time" $?
expect 0 ' verified: ' $run $join --set app.form=dtbl --set core.cta_place=fullest --unit bubble:threshold=1
expect 2 'core.sm_mhz fixes the SMs' $run --unit bubble $join --set core.sm_mhz=353
expect 2 'core.sm_mhz=800: expected core.mhz=706 or less' $run $join --set core.sm_mhz=800
expect 2 'core.cta_place=emptiest: expected turns, fullest or random' $run $join --set core.cta_place=emptiest
for place in "${places[@]}"; do
  [ -z "$place" ] ||
    expect 2 "core.cta_place=fullest: is of the GPU's own dispatcher" $run $join --unit $place \
      --set core.cta_place=fullest
done

# Recorded and replayed.
expect 0 ' verified: ' $run --unit bubble $join --set app.form=dtbl --record $scratch/b.wfr --record-limit 20000
expect 0 'bubble paper: 20000 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=bubble \
  FILE=$scratch/b.wfr ENGINES="verilator icarus"

# What cannot be.
expect 2 'bubble.mode=best: expected' $run --unit bubble $join --set bubble.mode=best
expect 2 'bubble.sample=5: expected a whole number' $run --unit bubble $join --set bubble.sample=5
expect 2 'bubble.drain=64: expected a whole number' $run --unit bubble $join --set bubble.drain=64
expect 2 'bubble.low_mhz=800: expected core.mhz=706 or less' $run --unit bubble $join --set bubble.low_mhz=800
finish
