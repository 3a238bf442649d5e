#!/bin/bash
# Units' energy is that of their own netlists at a recorded run's activity: each row of a class whose source is
# `make power UNIT=u CONFIG=c` has the pJ, or the pJ an event, that docs/results has of them; each unit has such a row.
. "$(dirname "$0")/../system/expect.sh"
rows() { # UNIT: "pJ NAME CONFIG" of each row with such a source
  cat sim/units/"$1"/*.c | tr '\n' ' ' |
    grep -oE '\{"[a-z_]+", *WF_EN_PART_UNIT, *[0-9.]+, *NULL, *"make power UNIT=[a-z_]+ CONFIG=[a-z0-9]+' |
    sed -E 's/.*UNIT, *([0-9.]+), *NULL, *"make power UNIT=([a-z_]+) CONFIG=(.*)/\1 \2 \3/'
}
of_page() { # UNIT NAME CONFIG: both figures
  sed -n "/^<!-- synthesis $2:/,/^<!-- end of/p" "docs/results/$1.md" |
    awk -F ' *[|] *' -v c="\`$3\`" 'NF == 9 && $2 == c { print $7; print $8 }'
}
for unit in $(scripts/units list); do
  all=$(rows "$unit")
  check "$unit: its energy is of a recorded run" "$([ -n "$all" ]; echo $?)"
  while read -r pj name config; do
    of_page "$unit" "$name" "$config" | grep -qx "$pj"
    check "$unit: $pj pJ are what make power UNIT=$name CONFIG=$config has in docs/results" $?
  done <<<"$all"
done
finish
