#!/bin/bash
# The FLEXCL unit in the fabric: results are right, lines leave for L1s and come back, only where the duel says so;
# wrong settings are refused.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config fermi16 --app hbfs --graph rmat:scale=13 --set core.sms=4 --set l2.partitions=2"
for more in "" "--set l1.victim_lines=8" "--set l2.write=evict --set l2.fill=line" "--set l1.allocate=fill" \
  "--set l1.past=line --set l1.abyp=1" "--set flexcl.leaders=16 --set flexcl.psel_bits=2"; do
  expect 0 'verified: ' $run --unit flexcl $more
done
for app in hsssp gmis; do
  expect 0 'verified: ' $warpfab run --config fermi16 --app $app --graph rmat:scale=11 --unit flexcl
done
one=$(value cycles --unit flexcl) two=$(value cycles --unit flexcl --set flexcl.gate=0)
same "a gated clock changes nothing: $one and $two cycles" "$one" "$two"
check "lines leave for L1s" "$([ "$(value moved --unit flexcl)" -gt 100 ]; echo $?)"
check "and come back" "$([ "$(value victims --unit flexcl)" -gt 100 ]; echo $?)"
# As many lines leave as its answers of hits: those of exclusive sets alone, fewer than with exclusion everywhere.
one=$(value moved --unit flexcl) two=$(value moved --set l2.exclusive=1)
check "fewer than with exclusion everywhere: $one and $two" "$([ "$one" -lt "$two" ]; echo $?)"
expect 2 'flexcl.leaders=17' $run --unit flexcl --set flexcl.leaders=17
expect 2 'an L2 slice of 2 sets' $run --unit flexcl --set l2.bytes=2048
expect 2 'l1.sectored' $run --unit flexcl --set l1.sectored=1
expect 2 'l2.exclusive' $run --unit flexcl --set l2.exclusive=1
finish
