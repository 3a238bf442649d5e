#!/bin/bash
# The MSHR file in the fabric: cycles are those of the C form in every application, both stalls come, what it cannot do
# is refused. What it answers wrong the book finds: tests/gpu/test_miss_seat.c.
. "$(dirname "$0")/../system/expect.sh"
# Cycles, instructions, flits, DRAM reads and L1 hits of each recorded row are those of tests/system, without the unit.
# recorded.sh runs both.
rows=0 odd=
while IFS='|' read -r arguments unit figures rest; do
  [[ $arguments == '#'* ]] && continue
  rows=$((rows + 1))
  grep -qF -- "$arguments| none |$figures|" tests/system/recorded.txt || odd+="$arguments: $figures; "
done <tests/mshr/recorded.txt
check "the C form's cycles in $rows runs${odd:+: not so: $odd}" "$([ $rows -gt 50 ] && [ -z "$odd" ]; echo $?)"
# Every application has one, but on machines that it does not know.
odd=
for app in $($warpfab list apps | sed -n 's/^\([a-z][a-z0-9_]*\)  *.*/\1/p'); do
  grep -q -E -- "^([^|]* )?--app $app .*\| mshr \|" tests/mshr/recorded.txt ||
    grep -q -E -- "^([^|]* )?--app $app --config a100 .*\| none \|" tests/system/recorded.txt || odd+="$app "
done
check "a row for every application${odd:+, not for $odd}" "$([ -z "$odd" ]; echo $?)"

run="$warpfab run --app mshr --set app.turns=1"
expect 0 'verified: ' $run --unit mshr
expect 0 'verified: ' $run --unit mshr --set mshr.sub_bits=18
expect 0 'verified: ' $run --unit mshr --set mshr.counter_bits=0
check "entries run out" "$([ "$(value full --unit mshr)" -gt 1000 ]; echo $?)"
check "128 are more than 32" \
  "$([ "$(value cycles --unit mshr --set l1.mshrs=128)" -lt "$(value cycles --unit mshr)" ]; echo $?)"
run="$warpfab run --app srd --set app.n=64 --set app.turns=1"
for merge in 1 2; do
  same "l1.mshr_merge=$merge: the C form's cycles" "$(value cycles --set l1.mshr_merge=$merge)" \
    "$(value cycles --unit mshr --set l1.mshr_merge=$merge)"
done
check "requests of a line run out" "$([ "$(value merge_full --unit mshr --set l1.mshr_merge=2)" -gt 10 ]; echo $?)"
check "requests merge" "$([ "$(value merged --unit mshr)" -gt 100 ]; echo $?)"
sectors="--set l1.sectored=1 --set l1.mshr_merge=4"
expect 0 'verified: ' $run --unit mshr $sectors
expect 0 'verified: ' $run --unit mshr $sectors --set l1.write_keep=1
check "sectors: loads wait for their line's last" \
  "$([ "$(value cycles $sectors)" -le "$(value cycles --unit mshr $sectors)" ]; echo $?)"
expect 2 'of lines that loads wait for' $run --unit mshr --set l1.prefetch=stride
expect 2 'mshr.sub_bits=9' $run --unit mshr --set mshr.sub_bits=9
expect 2 'both take the place beside the L1' $run --unit mshr,obm
finish
