#!/bin/bash
# No part of a unit lives in C unsaid: sim/units/UNIT/functions.txt tells of each function of a socket what it is for,
# and sim/gpu/FILE.functions.txt of each function of the fabric's side of a seam, which knows no unit; sim/units/FILE's
# are of what sockets share, and those of caches, dispatch, launches, load/store units and schedulers in sim/gpu and
# sim/mem of the GPU around units; each with the inline functions of its header.
#   ROLE: NAME...
#   open    settings, models, memory            ports    puts on ports and takes from them what others say
#   gpu     the GPU around the unit does it     check    compares what the RTL did with what is right
#   rival   of a published rival, not the unit  trace   machine code of traces, analysed where no RTL runs
#   report  figures, text                       hint     a compiler's knowledge, which the unit can do without
#   owed    the unit's own work, which is still in C
# A unit's owed lines name the row of its page's contract that says so, with "in C", by how the row begins; they
# also name what the fabric does for the unit, as FILE:NAME:   owed (ROW): NAME... FILE:NAME...
# A list of the fabric says which sockets stand there, by a text that these have:   seam: TEXT
# Beside each list stands what was reviewed with it, reviewed.txt or FILE.reviewed.txt: each function (and macro) with
# its tokens and a sum of them. Work that is added inside a listed function changes its line: whoever changes it looks
# at its role again, and --reviewed writes the lines anew, for the commit's reader to see.
# What is in no list fails, and what is listed and not there; a function owed whose row is missing or does not say
# "in C", a row with "in C" for which nothing is owed, and what the fabric does for units and none of them owes.
#   tests/system/contract.sh [UNIT]...     (all)
#   tests/system/contract.sh --reviewed [UNIT]...
. "$(dirname "$0")/expect.sh"
roles='open|ports|gpu|check|rival|trace|report|hint|owed'

defined() { awk -f tests/system/functions.awk "$@"; }
listed() { # LIST [ROLE]: names
  sed -n -E "s/^(${2:-$roles})( \([^)]*\))?: //p" "$1" | tr -s ' ' '\n' | sort
}
bodies() { awk -v bodies=1 -f tests/system/functions.awk "$@" | LC_ALL=C sort; } # NAME TOKENS SUM
# changed LIST LINES BODIES: each function that is not as it was reviewed, with its role.
changed() {
  awk -v list="$1" '
    BEGIN { while ((getline line < list) > 0) if (line ~ /^[a-z]+( \([^)]*\))?: /) {
      role = line; sub(/[ :].*/, "", role)
      sub(/^[a-z]+( \([^)]*\))?: /, "", line)
      n = split(line, word)
      for (i = 1; i <= n; i++) of[word[i]] = role
    } }
    { sign = substr($0, 1, 1); line = substr($0, 3); split(line, part, " ") }
    sign == "<" { was[part[1]] = was[part[1]] " " part[2] }
    sign == ">" { is[part[1]] = is[part[1]] " " part[2] }
    END {
      for (name in is) if (!(name in was)) printf " %s (%s, new, tokens:%s)", name, of[name], is[name]
      for (name in was) printf " %s (%s, tokens:%s ->%s)", name, of[name], was[name], is[name] ? is[name] : " gone"
    }' < <(diff "$2" "$3" | grep '^[<>]')
}
# reviewed NAME LIST FILE...: each function is as it was when its role was looked at.
reviewed() {
  local name=$1 list=$2 sums=${2%functions.txt}reviewed.txt odd
  shift 2
  bodies "$@" >"$scratch/bodies"
  [ -z "$review" ] || cp "$scratch/bodies" "$sums"
  [ -r "$sums" ] || { check "$name: $sums is missing: tests/system/contract.sh --reviewed" 1; return; }
  odd=$(changed "$list" "$sums" "$scratch/bodies")
  check "$name: every function is as it was reviewed${odd:+:$odd: is its role in $list still all that it does, and
      nothing that the hardware should? Then tests/system/contract.sh --reviewed}" "$([ -z "$odd" ]; echo $?)"
}
# all_of NAME LIST FILE...: each line is a role with names, and each function of the files has one.
all_of() {
  local name=$1 list=$2 odd
  shift 2
  odd=$(grep -n -v -E "^(#|seam: |($roles): |owed \([^)]+\): )" "$list")
  check "$name: each line is a role with names${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(diff <(defined "$@" | sort -u) <(listed "$list" | grep -v /) |
    sed -n 's/^</not listed:/p; s/^>/not there, or twice:/p')
  check "$name: every function has one role${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  reviewed "$name" "$list" "$@"
}

# ---- units ----

list_of() { echo "sim/units/$1/functions.txt"; }
contract() { # UNIT: the contract's rows, each from its first word
  sed -n '/^## Contract/,/^## /p' "$(dirname "$(scripts/units ini "$1")")/README.md" | sed -n 's/^| *//p'
}
owed_rows() { sed -n -E 's/^owed \(([^)]+)\):.*/\1/p' "$(list_of "$1")" | sort -u; }
begins() { awk -v start="$1" 'index($0, start) == 1'; }

# Every row that the list names is one, and says "in C".
rows_exist() {
  local row found
  owed_rows "$1" | while read -r row; do
    found=$(contract "$1" | begins "$row")
    [ "$(grep -c . <<<"$found")" -eq 1 ] || { echo "($row) begins no row, or several"; continue; }
    grep -qw 'in C' <<<"$found" || echo "($row) does not say \"in C\""
  done
}
# Every row that says "in C" is named.
rows_owed() {
  local row
  contract "$1" | grep -w 'in C' | while IFS= read -r row; do
    owed_rows "$1" | awk -v row="$row" 'index(row, $0) == 1 { n++ } END { exit !n }' || echo "$row"
  done
}
# What it names of the fabric is there.
names_of_fabric() {
  local name
  listed "$(list_of "$1")" | grep / | while read -r name; do
    [ -r "${name%:*}" ] && defined "${name%:*}" | grep -qx "${name#*:}" || echo "$name"
  done
}
one() {
  local unit=$1 list odd
  list=$(list_of "$1")
  [ -r "$list" ] || { check "$unit: $list is missing" 1; return; }
  all_of "$unit" "$list" sim/units/"$unit"/*.[ch]
  odd=$(grep '^owed:' "$list")
  check "$unit: what is owed names its row${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(rows_exist "$unit")
  check "$unit: what is owed is in the contract${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(rows_owed "$unit")
  check "$unit: what the contract says is in C is owed${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(names_of_fabric "$unit")
  check "$unit: what is owed of the fabric is there${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}

# ---- what sockets share, and the GPU's parts that blocks, launches and loads go through ----

# What units owe of FILE.
owed_of() {
  cat sim/units/*/functions.txt | sed -n -E 's/^owed \([^)]*\): //p' | tr ' ' '\n' | sed -n "s|^$1:||p" | sort -u
}
# shared FILE: 1 if it has no list.
shared() {
  local list=${1%.c}.functions.txt odd
  [ -r "$list" ] || { check "$1: $list is missing" 1; return 1; }
  all_of "$1" "$list" "$1" $(ls "${1%.c}.h" 2>/dev/null)
  odd=$(owed_of "$1" | comm -13 <(listed "$list" owed | sort -u) -)
  check "$1: what units owe there has that role${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(owed_of "$1" | comm -23 <(listed "$list" owed | sort -u) -)
  check "$1: what it does for units one of them owes${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  return 0
}

# ---- the fabric's sides of seams ----

# Units at the list's seam.
at_seam() { grep -lF -- "$(sed -n 's/^seam: //p' "$1")" sim/units/*/*.c | cut -d/ -f3 | sort -u; }
side() {
  local file=$1 list=${1%.c}.functions.txt unit name odd
  shared "$file" || return
  check "$file: the list names the seam" "$(grep -q '^seam: .' "$list"; echo $?)"
  odd=$(for name in $(listed "$list" owed); do
    for unit in $(at_seam "$list"); do
      listed "$(list_of "$unit")" owed | grep -qx "$file:$name" || echo "$unit: $file:$name"
    done
  done)
  check "$file: what it does for a unit is owed there${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
}

review=
[ "${1-}" != --reviewed ] || { review=1; shift; }
if [ $# -eq 0 ]; then
  for file in $(grep -l '^bool wf_[a-z0-9_]*_sit(' sim/gpu/*.c); do side "$file"; done
  for file in sim/units/*.c sim/gpu/{cta,dispatch,gpu,l1,l1_victims,launch,launch_pool,lsu,ready,scheduler,units}.c \
    sim/mem/{coalescer,crossbar,dram,l2,mem,unit_port}.c; do
    shared "$file"
  done
  set -- $(scripts/units list)
fi
for unit; do one "$unit"; done
finish
