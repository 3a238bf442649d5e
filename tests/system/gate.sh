#!/bin/bash
# Of every unit there is: how often the simulation clocks its RTL changes no figure but the host's own, energy included.
# And what its example opens is what is priced and billed: the configuration of each description with `opens`, as many
# instances as `copies` says, and no other parameter because of the machine.
. "$(dirname "$0")/expect.sh"
units=$($warpfab list units | awk '!/^ / { print $1 }')
[ -n "$units" ] || { echo "FAIL  no units are listed"; exit 1; }

figures() { # figures UNIT GATE: all but what was set and what the host took
  $warpfab run --unit $1 $example --set $1.gate=$2 --json $scratch/$2.json >/dev/null || return
  sed '/^\t"host":/,/^\t}/d; /^\t"settings":/,/^\t}/d' $scratch/$2.json
}
opened() { # INI: what the run opened of it
  sed -n "/^\t\t\"rtl\":/,\$p" $scratch/1.json | sed -n "/^\t\t\t\"$1\":/,/}/p" |
    sed -n -E 's/.*"(config|overrides|instances)":\s*"?([^",]*)"?,?$/\1 \2/p' | tr '\n' ' '
}
for unit in $units; do
  example=$($warpfab list units | sed -n "s/^ *warpfab run --unit $unit //p")
  gated=$(figures $unit 1) clocked=$(figures $unit 0)
  if [ -n "$example" ] && [ -n "$gated" ] && [ "$gated" = "$clocked" ] &&
    [ "$(edges $scratch/0.json)" -gt "$(edges $scratch/1.json)" ]; then
    passed=$((passed + 1)); echo "ok    $unit: $(edges $scratch/1.json) edges or $(edges $scratch/0.json), the same"
  else
    failed=$((failed + 1))
    echo "FAIL  $unit: with $unit.gate=0 figures differ, or it is clocked no more: warpfab run --unit $unit $example"
    diff <(echo "$gated") <(echo "$clocked") | head -20
  fi
  for ini in "$(dirname "$(scripts/units ini "$unit")")"/*.ini; do
    priced=$(sed -n -E 's/^opens *= */config /p; s/^copies *= */instances /p' "$ini" | tr '\n' ' ')
    [ -n "$priced" ] || continue
    name=$(sed -n 's/^name *= *//p' "$ini")
    same "$ini: what is priced is what is opened" "$priced" "$(opened "${name:-$(basename "$ini" .ini)}")"
  done
  # Of each module in RTL the simulation's own cost: edges add up, and all took time.
  modules=$(awk '/^\t\t"rtl":/ { here = 1 } here && /^\t\t}/ { exit }
    here && /"edges":/ { edges += $2 } here && /"share":/ { n++; if ($2 + 0 <= 0) edges = -1 }
    END { print n, edges }' $scratch/1.json)
  [ "${modules%% *}" -gt 0 ] && [ "${modules#* }" = "$(edges $scratch/1.json)" ]
  check "$unit: time of ${modules%% *} modules in RTL" $?
  joules=$(sed -n "/\"units\":[[:space:]]*{/,/}/s/.*\"$unit\":[[:space:]]*\([0-9.e-]*\).*/\1/p" $scratch/1.json |
    head -1)
  first=$(sed -n "/^\t\t\"$unit\":/,/}/p" $scratch/1.json)
  if awk -v j="${joules:-0}" 'BEGIN { exit !(j > 0) }' && [ -n "$first" ]; then
    passed=$((passed + 1)); echo "ok    $unit: $joules J"
  else
    failed=$((failed + 1)); echo "FAIL  $unit: no energy, or no counters"
  fi
done
finish
