#!/bin/bash
# What a description prices of the GPU (`gpu.NAME`) is as large as in C. sim/units/UNIT/gpu.txt has each row of the
# unit's descriptions again, with names for its numbers, and where those are from:
#   DESCRIPTION.NAME = FORMULA        the row's, with names (in capitals) for what C decides; a row that is there twice,
#                                     with other names, must be right with both
#   rtl: DESCRIPTION.NAME = FORMULA   a row whose places follow from the RTL's parameters, or are one
#   NAME = WORD of FILE               a constant of a C file (#define or enum), or section.key of a machine's .ini
#   NAME = EXPRESSION                 of names above; or clog2(EXPRESSION), or bits(EXPRESSION): to hold 0 to that
# With numbers for the names both must be the same text: a row that is changed here or there alone fails, and so does a
# constant of C. What is a number in both files (bits of fields that C has no constant for: a comment of gpu.txt says
# which) is no more than written twice; and whether C has a place that no row tells of, nothing here sees.
#   tests/system/contract_gpu.sh [UNIT]...     (all)
. "$(dirname "$0")/expect.sh"

for name in $(scripts/units with synth); do # "UNIT DESCRIPTION.NAME = FORMULA" of all
  ini=$(scripts/units ini "$name")
  ! grep -q '^gpu\.' "$ini" ||
    sed -n -E "s/^gpu\.([a-z_0-9]+) *= */$(scripts/units group "$name") $name.\1 = /p" "$ini" | tr -s ' '
done >"$scratch/all"
constant() { # WORD FILE: the number, of one definition
  case $2 in
    *.ini) awk -v key="$1" '/^\[/ { section = $1; gsub(/[][]/, "", section) }
      section "." $1 == key && $2 == "=" { print $3 }' "$2" ;;
    *) grep -oE "(#define +$1 +|(^|[{, ])$1 = )[0-9]+u?( *[,}]| *$| +/\*)" "$2" |
      sed -E "s/.*\b$1 (= )?[^0-9]*([0-9]+).*/\2/" ;;
  esac 2>/dev/null
}
bits() { # N: to hold 0 to N
  local n=$1 b=0
  while [ "$n" -gt 0 ]; do n=$((n / 2)) b=$((b + 1)); done
  echo $b
}
# value_of EXPRESSION: with the names that there are.
value_of() {
  local text=$1 inner
  inner=$(sed -n -E 's/^(clog2|bits)\((.*)\)$/\2/p' <<<"$text")
  inner=$(named "${inner:-$text}")
  [[ $inner =~ ^[0-9\ +*/\(\)-]+$ ]] || return
  inner=$((inner))
  case $text in
    clog2\(*) bits $((inner - 1)) ;;
    bits\(*) bits "$inner" ;;
    *) echo "$inner" ;;
  esac
}
named() { sed "$names" <<<"$1"; } # TEXT: with numbers for names

# The table's rows as "DESCRIPTION.NAME = FORMULA" with numbers, "rtl" before it; "odd LINE": it says nothing.
read_table() { # FILE
  local line name is number names=
  while IFS= read -r line; do
    name=${line%% = *} is=${line#* = }
    if [[ $line =~ ^(rtl:\ )?[a-z_0-9]+\.[a-z_0-9]+\ =\  ]]; then
      echo "${name/rtl:/rtl} = $(named "$is")"
    elif [[ $line =~ ^[A-Z_0-9]+\ =\  ]]; then
      if [[ $is == *' of '* ]]; then number=$(constant ${is/ of / }); else number=$(value_of "$is"); fi
      [[ $number =~ ^[0-9]+$ ]] || echo "odd $line"
      names+="s/\b$name\b/$number/g;"
    else
      echo "odd $line"
    fi
  done < <(grep -v '^#' "$1")
}
one() { # UNIT
  local table=sim/units/$1/gpu.txt odd
  sed -n "s/^$1 //p" "$scratch/all" | LC_ALL=C sort >"$scratch/rows"
  [ -s "$scratch/rows" ] || [ -e "$table" ] || return
  [ -r "$table" ] || { check "$1: $table is missing" 1; return; }
  read_table "$table" >"$scratch/table"
  odd=$(sed -n 's/^odd //p' "$scratch/table")
  check "$1: each line of $table has a number or a row${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(sed -n 's/^rtl //p' "$scratch/table" | sed -E 's/ x .*//; s/(=) .* of /\1 /' |
    grep -v -E '= (1|.*[A-Za-z].*)$')
  check "$1: places of the RTL's rows have a parameter, or are one${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(sed '/^odd /d; s/^rtl //' "$scratch/table" | LC_ALL=C sort -u | diff "$scratch/rows" - |
    sed -n "s/^</priced (gpu.NAME of the description's .ini):/p; s|^>|in C ($table):|p")
  check "$1: $(wc -l <"$scratch/rows") rows are priced as they are in C${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}
[ $# -gt 0 ] || set -- $(scripts/units list)
for unit; do one "$unit"; done
finish
