#!/bin/bash
# MSHRs in RAM in the fabric: applications verify, with few lines and with many; each refusal comes; what it cannot do
# is refused. What it answers wrong the book finds: tests/gpu/test_miss_seat.c.
. "$(dirname "$0")/../system/expect.sh"
# Every application has a row, but on machines that it does not know. recorded.sh runs them.
odd=
for app in $($warpfab list apps | sed -n 's/^\([a-z][a-z0-9_]*\)  *.*/\1/p'); do
  grep -q -E -- "^([^|]* )?--app $app .*\| mshr_rich \|" tests/mshr_rich/recorded.txt ||
    grep -q -E -- "^([^|]* )?--app $app --config a100 .*\| none \|" tests/system/recorded.txt || odd+="$app "
done
check "a row for every application${odd:+, not for $odd}" "$([ -z "$odd" ]; echo $?)"

run="$warpfab run --app mshr --set app.turns=1 --set l1.mshr_merge=64"
rich="--unit mshr_rich --set l1.mshrs=1024"
expect 0 'verified: ' $run $rich
expect 0 'verified: ' $run --unit mshr_rich
expect 0 'verified: ' $run $rich --set mshr_rich.counter_bits=0 --set mshr_rich.sub_bits=18 --set mshr_rich.slots=1
expect 0 'verified: ' $run $rich --set mshr_rich.ways=8 --set mshr_rich.stash=16 --set mshr_rich.rows=300
same "a clock that is never withheld: the same cycles" "$(value cycles $rich)" \
  "$(value cycles $rich --set mshr_rich.gate=0)"
check "1,024 lines are more than 32" "$([ "$(value cycles $rich)" -lt "$(value cycles --unit mshr_rich)" ]; echo $?)"
check "lines run out" "$([ "$(value full --unit mshr_rich)" -gt 100 ]; echo $?)"
check "the stash is full" "$([ "$(value stash_full --unit mshr_rich)" -gt 100 ]; echo $?)"
check "rows run out" "$([ "$(value no_row $rich --set mshr_rich.rows=32)" -gt 100 ]; echo $?)"
check "requests wait behind fills" "$([ "$(value behind_fill $rich)" -gt 100 ]; echo $?)"
run="$warpfab run --app srd --set app.n=64 --set app.turns=1 --set l1.mshr_merge=64"
check "requests merge" "$([ "$(value merged $rich)" -gt 100 ]; echo $?)"
expect 0 'verified: ' $run $rich --set l1.sectored=1
expect 0 'verified: ' $run $rich --set l1.sectored=1 --set l1.write_keep=1
expect 2 'l1.mshrs=50' $run --unit mshr_rich --set l1.mshrs=50
expect 2 'mshr_rich.sub_bits=9' $run --unit mshr_rich --set mshr_rich.sub_bits=9
expect 0 'verified: ' $run --unit mshr_rich --set l1.mshrs=96
expect 2 'Lines is 96, must be Ways' $run --unit mshr_rich --set l1.mshrs=96 --set mshr_rich.ways=4
expect 2 'both take the place beside the L1' $run --unit mshr_rich,mshr
finish
