#!/bin/bash
# No part of a unit lives in C unsaid: sim/units/UNIT/functions.txt tells of each function of a socket what it is for.
#   ROLE: NAME...
#   open    settings, models, memory            ports    puts on ports and takes from them what others say
#   gpu     the GPU around the unit does it     check    compares what the RTL did with what is right
#   rival   of a published rival, not the unit  trace   machine code of traces, analysed where no RTL runs
#   report  figures, text                       hint     a compiler's knowledge, which the unit can do without
#   owed    the unit's own work, which is still in C: its page's contract says so, in a row with "in C"
# What is in no list fails, and what is listed and not there, and what is owed where the page's contract is silent.
#   tests/system/contract.sh [UNIT]...     (all)
. "$(dirname "$0")/expect.sh"
roles='open|ports|gpu|check|rival|trace|report|hint|owed'

listed() { # UNIT [ROLE]: names
  sed -n -E "s/^(${2:-$roles}): //p" "sim/units/$1/functions.txt" | tr ' ' '\n' | sort
}
# The contract's rows of the unit's page.
contract() {
  sed -n '/^## Contract/,/^## /p' "$(dirname "$(scripts/units ini "$1")")/README.md" | grep '^|'
}
one() {
  local unit=$1 list=sim/units/$1/functions.txt there odd
  [ -r "$list" ] || { check "$unit: $list is missing" 1; return; }
  odd=$(grep -n -v -E "^(#|(($roles): ))" "$list")
  check "$unit: each line is a role with names${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  there=$(awk -f tests/system/functions.awk sim/units/"$unit"/*.[ch] | sort)
  odd=$(diff <(echo "$there" | uniq) <(listed "$unit") | sed -n 's/^</not listed:/p; s/^>/not there, or twice:/p')
  check "$unit: every function has one role${odd:+: $odd}" "$([ -z "$odd" ]; echo $?)"
  odd=$(listed "$unit" owed | wc -l)
  [ "$odd" -eq 0 ] || contract "$unit" | grep -q 'in C'
  check "$unit: $odd functions owed, and the contract says so" $?
}
[ $# -gt 0 ] || set -- $(scripts/units list)
for unit; do one "$unit"; done
finish
