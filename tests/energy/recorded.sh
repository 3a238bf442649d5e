#!/bin/bash
# Units' energy is that of their own netlists at a recorded run's activity: each row of a class whose source is
# `make power UNIT=u CONFIG=c` has the pJ that docs/results has of them, and what docs/results has
# of recorded runs is what rows have. The slices of MFF, 1.4 million gates, are not played: an estimate, as
# sim/energy/README.md says.
. "$(dirname "$0")/../system/expect.sh"
rows() { # UNIT: "pJ NAME CONFIG" of each row with such a source
  cat sim/units/"$1"/*.c | tr '\n' ' ' |
    grep -oE '\{"[a-z_]+", *WF_EN_PART_UNIT, *[0-9.]+, *NULL, *"make power UNIT=[a-z_]+ CONFIG=[a-z0-9]+' |
    sed -E 's/.*UNIT, *([0-9.]+), *NULL, *"make power UNIT=([a-z_]+) CONFIG=(.*)/\1 \2 \3/'
}
of_page() { # UNIT: "NAME CONFIG pJ" of each row of the page's tables of recorded runs
  awk -F ' *[|] *' '/^<!-- synthesis / { split($0, word, /[ :]/); name = word[3] }
    /^<!-- end of synthesis/ { name = "" }
    name && NF == 8 && $2 ~ /^`/ && $3 ~ /^`/ { gsub(/`/, "", $2); print name, $2, $7 }' "docs/results/$1.md"
}
one() { # UNIT
  local said told pj name config
  said=$(rows "$1") told=$(of_page "$1" 2>/dev/null)
  while read -r pj name config; do
    [ -n "$pj" ] || continue
    grep -qxF "$name $config $pj" <<<"$told"
    check "$1: $pj pJ are what make power UNIT=$name CONFIG=$config has in docs/results" $?
  done <<<"$said"
  while read -r name config pj; do
    [ -n "$name" ] || continue
    grep -qE " $name $config$" <<<"$said"
    check "$1: what make power UNIT=$name CONFIG=$config found is what its energy is" $?
  done <<<"$told"
}
for unit in $(scripts/units list); do one "$unit"; done
finish
