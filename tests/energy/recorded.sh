#!/bin/bash
# Units' energy is that of their own netlists: each row of a class whose source is `make power UNIT=u CONFIG=c` has the
# pJ of that recorded run in docs/results, or a sixth of them where the source says so (the netlist of MFF has six
# slices), and what docs/results has of recorded runs is what rows have. An instance's watts are the leakage of what
# they name.
. "$(dirname "$0")/../system/expect.sh"
sources() { # UNIT COMMAND: "FIGURE NAME CONFIG PARTS" of each row of the unit's classes with such a source
  cat sim/units/"$1"/*.c | tr '\n' ' ' |
    grep -oE "[0-9.]+,( *NULL,)? *\"$2 UNIT=[a-z_]+ CONFIG=[a-z0-9]+, NanGate 45 nm(, a sixth|)${3-}" |
    sed -E 's/^([0-9.]+),.* UNIT=([a-z_]+) CONFIG=([a-z0-9]+), NanGate 45 nm/\1 \2 \3/
      s/, a sixth.*/ 6/; s/^([^ ]+ [^ ]+ [^ :]+)(:.*)?$/\1 1/'
}
of_page() { # UNIT FIELDS FIELD: "NAME CONFIG FIGURE" of each row of a table with so many fields
  awk -F ' *[|] *' -v fields="$2" -v field="$3" '
    /^<!-- synthesis / { split($0, word, /[ :]/); name = word[3] }
    /^<!-- end of synthesis/ { name = "" }
    name && NF == fields && $2 ~ /^`/ && ($3 ~ /^`/ || $3 ~ /45 nm/) { gsub(/`/, "", $2); print name, $2, $field }' \
    "docs/results/$1.md" 2>/dev/null
}
near() { awk -v a="$1" -v b="${2:-0}" 'BEGIN { exit !(b > 0 && a / b > 0.985 && a / b < 1.015) }'; }
one() { # UNIT
  local recorded leaks said figure name config parts there
  recorded=$(of_page "$1" 8 7) leaks=$(of_page "$1" 13 12)
  said=$(sources "$1" "make power")
  while read -r figure name config parts; do
    [ -n "$figure" ] || continue
    there=$(sed -n "s/^$name $config //p" <<<"$recorded")
    [ "$parts" = 1 ] || there=$(awk -v p="${there:-0}" -v n="$parts" 'BEGIN { printf "%.1f", p / n }')
    [ "$figure" = "$there" ]
    check "$1: $figure pJ are what make power UNIT=$name CONFIG=$config has in docs/results: $there" $?
  done <<<"$said"
  while read -r name config figure; do
    [ -n "$name" ] || continue
    grep -qE " $name $config [0-9]+$" <<<"$said"
    check "$1: what make power UNIT=$name CONFIG=$config found is what its energy is" $?
  done <<<"$recorded"
  while read -r figure name config parts; do
    [ -n "$figure" ] || continue
    there=$(sed -n "s/^$name $config //p" <<<"$leaks")
    near "$(awk -v w="$figure" 'BEGIN { print 1000 * w }')" "$there"
    check "$1: $figure W are the leakage of $name $config: $there mW" $?
  done < <(sources "$1" "make synth" ": leakage")
}
for unit in $(scripts/units list); do one "$unit"; done
finish
