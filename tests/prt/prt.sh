#!/bin/bash
# The pending request table in the fabric: cycles are those of the account in C in every application, loads and lanes
# run out. What it answers wrong the book finds: tests/gpu/test_load_seat.c.
. "$(dirname "$0")/../system/expect.sh"
# Cycles, instructions, flits, DRAM reads and L1 hits of the rows of recorded.txt, which recorded.sh runs: two for each
# run, none and prt.
rows=0 odd=
while IFS='|' read -r arguments unit figures rest; do
  [[ $arguments == '#'* || $unit != ' prt ' ]] && continue
  rows=$((rows + 1))
  grep -qF -- "$arguments| none |$figures|" tests/prt/recorded.txt || odd+="$arguments: $figures; "
done <tests/prt/recorded.txt
check "the cycles of the account in C in $rows runs${odd:+: not so: $odd}" \
  "$([ $rows -gt 50 ] && [ -z "$odd" ]; echo $?)"
# Every application has one, but on machines whose loads may not pass the L1.
odd=
for app in $($warpfab list apps | sed -n 's/^\([a-z][a-z0-9_]*\)  *.*/\1/p'); do
  grep -q -E -- "^([^|]* )?--app $app .*\| prt \|" tests/prt/recorded.txt ||
    grep -q -E -- "^([^|]* )?--app $app --config a100 .*\| none \|" tests/system/recorded.txt || odd+="$app "
done
check "a row for every application${odd:+, not for $odd}" "$([ -z "$odd" ]; echo $?)"

run="$warpfab run --app stream --set app.bytes=262144 --set lsu.past=1"
expect 0 "verified: " $run --unit prt
expect 0 'verified: ' $run --unit prt --set lsu.loads=44 --set prt.counter_bits=0
expect 0 'verified: ' $run --unit prt,mshr --set lsu.loads=44
check "loads are refused" "$([ "$(value full --unit prt --set lsu.loads=8)" -gt 100 ]; echo $?)"
check "lanes are refused" \
  "$([ "$(value slots_full --unit prt --set lsu.loads=44 --set lsu.lane_slots=200)" -gt 100 ]; echo $?)"
for bound in "--set lsu.loads=4" "--set lsu.loads=44 --set lsu.lane_slots=100"; do
  same "$bound: the cycles of the account in C" "$(value cycles $bound)" "$(value cycles --unit prt $bound)"
  check "$bound: more than without a bound" "$([ "$(value cycles $bound)" -gt "$(value cycles)" ]; echo $?)"
done
run="$warpfab run --app stream --config a100 --set scale=1/16 --set app.bytes=262144"
run+=" --set lsu.past=1 --set lsu.loads=44"
same "sectors: the cycles of the account in C" "$(value cycles)" "$(value cycles --unit prt)"
expect 2 'lsu.loads=1025' $warpfab run --app stream --unit prt --set lsu.loads=1025
finish
