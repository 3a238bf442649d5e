#!/bin/bash
# Units' energy is that of their own netlists. A row of a class whose source is `make power UNIT=u CONFIG=c` has what a
# clocked cycle costs by docs/results: by events where that run has them, or else all of it; a sixth where the source
# says so (the netlist of MFF has six slices). Each event has a row WF_ENERGY_TRANSFER with its pJ, named u_EVENT where
# a unit has several modules, and each such row its event. What docs/results has of recorded runs is what rows have;
# energy by events lies within 10 % of what was measured in a run that they were not fitted to. An instance's watts are
# the leakage of what they name, or of the RAM that the GPU keeps for it.
#   tests/energy/recorded.sh
#   tests/energy/recorded.sh --write [UNIT]...   puts the figures of docs/results into these rows, and rows of transfers
#                                                behind that of the cycle
if [ "${1-}" = --write ]; then write=1 && shift; else write=""; fi
. "$(dirname "$0")/../system/expect.sh"
sources() { # UNIT COMMAND [MORE]: "FIGURE NAME CONFIG PARTS" of each row of the unit's classes with such a source
  cat sim/units/"$1"/*.c | tr '\n' ' ' |
    grep -oE "[0-9.]+,( *NULL,)? *\"$2 UNIT=[a-z_]+ CONFIG=[a-z0-9]+, NanGate 45 nm(, a sixth|)${3-}" |
    sed -E 's/^([0-9.]+),.* UNIT=([a-z_]+) CONFIG=([a-z0-9]+), NanGate 45 nm/\1 \2 \3/
      s/, a sixth.*/ 6/; s/^([^ ]+ [^ ]+ [^ :]+)(:.*)?$/\1 1/'
}
transfers() { # UNIT: "NAME FIGURE" of each row of its classes that counts a stream's transfers
  sed -n -E 's/^ *WF_ENERGY_TRANSFER\("(.*)", ([0-9.]+)\),$/\1 \2/p' sim/units/"$1"/*.c
}
of_page() { # UNIT FIELDS FIELD: "NAME CONFIG FIGURE" of each row of a table with so many fields
  awk -F ' *[|] *' -v fields="$2" -v field="$3" '
    /^<!-- synthesis / { split($0, word, /[ :]/); name = word[3] }
    /^<!-- end of synthesis/ { name = "" }
    name && NF == fields && $2 ~ /^`/ && ($3 ~ /^`/ || $3 ~ /45 nm/) { gsub(/`/, "", $2); print name, $2, $field }' \
    "docs/results/$1.md" 2>/dev/null
}
events() { # UNIT: "NAME CONFIG EVENT FIGURE", of a clocked cycle first
  awk -F ' *[|] *' '
    /^<!-- synthesis / { split($0, word, /[ :]/); name = word[3] }
    /^<!-- end of synthesis/ { name = "" }
    name && NF == 5 && $2 ~ /^`/ { gsub(/`/, "", $2); print name, $2, $3, $4 }' "docs/results/$1.md" 2>/dev/null
}
kept() { # UNIT: "NAME CONFIG MW" of the RAM that the GPU keeps
  awk '/^<!-- synthesis / { split($0, word, /[ :]/); name = word[3] }
    /^The RAM among it leaks/ { gsub(/[`().]+$|[`(]/, "", $8); print name, $8, $6 }' "docs/results/$1.md" 2>/dev/null
}
near() { awk -v a="$1" -v b="${2:-0}" 'BEGIN { exit !(b > 0 && a / b > 0.985 && a / b < 1.015) }'; }
# cycle NAME CONFIG PARTS: what a clocked cycle costs by the page
cycle() {
  local there
  there=$(sed -n "s/^$1 $2 cycle //p" <<<"$by_event")
  [ -n "$there" ] || there=$(sed -n "s/^$1 $2 //p" <<<"$recorded")
  [ "$3" = 1 ] || there=$(awk -v p="${there:-0}" -v n="$3" 'BEGIN { printf "%.1f", p / n }')
  echo "$there"
}
# prefixed: by_event's events as rows name them: "NAME FIGURE", of what `said` says is opened
prefixed() {
  awk -v several="$(awk '{ print $2 }' <<<"$said" | sort -u | wc -l)" '
    NR == FNR { opened[$2 " " $3] = 1; next }
    NF && $3 != "cycle" && ($1 " " $2) in opened { print (several > 1 ? $1 "_" : "") $3, $4 }' <(echo "$said") \
    <(echo "$by_event")
}
read_unit() { # UNIT
  recorded=$(of_page "$1" 8 7) kept=$(kept "$1") leaks=$(of_page "$1" 13 12) by_event=$(events "$1")
  said=$(sources "$1" "make power")
}
one() { # UNIT
  local figure name config parts there
  read_unit "$1"
  while read -r figure name config parts; do
    [ -n "$figure" ] || continue
    there=$(cycle "$name" "$config" "$parts")
    [ "$figure" = "$there" ]
    check "$1: $figure pJ are what make power UNIT=$name CONFIG=$config has in docs/results: $there" $?
  done <<<"$said"
  there=$(diff <(transfers "$1" | sort) <(prefixed | sort) | grep '^[<>]')
  [ -z "$there" ]
  check "$1: rows of transfers are the events of docs/results${there:+; row <, page >: $there}" $?
  while read -r name config figure; do
    [ -n "$name" ] || continue
    grep -qE " $name $config [0-9]+$" <<<"$said"
    check "$1: what make power UNIT=$name CONFIG=$config found is what its energy is" $?
  done <<<"$recorded"
  while read -r name config figure; do
    [ -n "$name" ] || continue
    awk -v r="$figure" 'BEGIN { exit !(r > 0.9 && r < 1.1) }'
    check "$1: by events $name $config takes $figure of what was measured in a run that was not fitted" $?
  done < <(of_page "$1" 10 9)
  while read -r figure name config parts; do
    [ -n "$figure" ] || continue
    there=$(sed -n "s/^$name $config //p" <<<"$leaks")
    near "$(awk -v w="$figure" 'BEGIN { print 1000 * w }')" "$there"
    check "$1: $figure W are the leakage of $name $config: $there mW" $?
  done < <(sources "$1" "make synth" ": leakage")
  while read -r figure name config parts; do
    [ -n "$figure" ] || continue
    there=$(sed -n "s/^$name $config //p" <<<"$kept")
    near "$(awk -v w="$figure" 'BEGIN { print 1000 * w }')" "$there"
    check "$1: $figure W are what RAM leaks that the GPU keeps for $name $config: $there mW" $?
  done < <(sources "$1" "make synth" ": what RAM leaks")
}
# put FILE BEFORE AFTER FIGURE: the number between what these match
put() {
  FIGURE=$4 perl -0777 -i -pe "s/($2)[0-9.]+(?=$3)/\$1\$ENV{FIGURE}/" "$1"
}
# put_transfers FILE NAME CONFIG PREFIX: rows of transfers behind that of a cycle, in place of those that are there
put_transfers() {
  ROWS=$(awk -v of="$2 $3 " -v prefix="$4" 'index($0, of) == 1 && $3 != "cycle" {
    printf "    WF_ENERGY_TRANSFER(\"%s%s\", %s),\n", prefix, $3, $4 }' <<<"$by_event") \
    perl -0777 -i -pe 's/("make power UNIT='"$2"' CONFIG='"$3"',[^}]*\},\n)(?: *WF_ENERGY_TRANSFER\(.*\),\n)*/$1 .
      ($ENV{ROWS} eq "" ? "" : "$ENV{ROWS}\n")/e' "$1"
}
write_unit() { # UNIT
  local file figure name config parts there several=""
  read_unit "$1"
  file=$(grep -l 'wf_energy_event energy' "sim/units/$1"/*.c) || return
  [ "$(awk '{ print $2 }' <<<"$said" | sort -u | wc -l)" -le 1 ] || several=1
  while read -r _ name config parts; do
    [ -n "$name" ] || continue
    put "$file" "" ", NULL,\s*\"make power UNIT=$name CONFIG=$config," "$(cycle "$name" "$config" "$parts")"
    put_transfers "$file" "$name" "$config" "${several:+${name}_}"
  done <<<"$said"
  while read -r figure name config _; do
    there=$(sed -n "s/^$name $config //p" <<<"$leaks")
    [ -z "$name" ] || near "$(awk -v w="$figure" 'BEGIN { print 1000 * w }')" "$there" ||
      put "$file" "" ",\s*\"make synth UNIT=$name CONFIG=$config, NanGate 45 nm: leakage" \
        "$(awk -v mw="$there" 'BEGIN { print mw / 1000 }')"
  done < <(sources "$1" "make synth" ": leakage")
  while read -r figure name config _; do
    there=$(sed -n "s/^$name $config //p" <<<"$kept")
    [ -z "$name" ] || [ -z "$there" ] ||
      put "$file" "" ",\s*\"make synth UNIT=$name CONFIG=$config, NanGate 45 nm: what RAM leaks" \
        "$(awk -v mw="$there" 'BEGIN { print mw / 1000 }')"
  done < <(sources "$1" "make synth" ": what RAM leaks")
}
if [ -n "$write" ]; then
  [ $# -gt 0 ] || set -- $(scripts/units list)
  for unit; do write_unit "$unit"; done
  exit
fi
for unit in $(scripts/units list); do one "$unit"; done
finish
