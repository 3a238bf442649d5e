#!/bin/bash
# The OBM unit in the fabric: results are right, some misses go past the L1, with bypass=0 the cycles are near those
# without it, wrong settings are refused.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config fermi16 --app hbfs --graph rmat:scale=14 --set l1.bytes=16384 --set l1.ways=4"
expect 0 'verified: ' $run --unit obm
expect 0 'verified: ' $run --unit obm --set obm.gate=0
expect 0 'verified: ' $run --unit obm --set obm.bypass=0
expect 0 'verified: ' $run --unit obm --set obm.draw_bits=1 --set obm.count_bits=2 --set obm.id_bits=3
check "misses go past the L1" "$([ "$(value bypasses --unit obm)" -gt 1000 ]; echo $?)"
check "with bypass=0 none does" "$([ "$(value bypasses --unit obm --set obm.bypass=0)" -eq 0 ]; echo $?)"
one=$(value cycles --unit obm) two=$(value cycles --unit obm --set obm.gate=0)
same "a gated clock changes nothing: $one and $two cycles" "$one" "$two"
one=$(value cycles) two=$(value cycles --unit obm --set obm.bypass=0)
check "a unit that lets all in costs 1 % at most: $one and $two cycles" \
  "$([ $((two * 100)) -le $((one * 101)) ]; echo $?)"
expect 2 'obm.bypass=2' $run --unit obm --set obm.bypass=2
expect 2 '2 to 1024 sets' $warpfab run --app hbfs --graph rmat:scale=8 --unit obm --set l1.bytes=1048576
expect 0 'verified: ' $run --unit obm --set l1.sectored=1
expect 0 'verified: ' $run --unit obm --set l1.past=line
expect 0 'verified: ' $run --unit obm --set l1.past=line --set l1.sectored=1
expect 2 'l1.abyp' $run --unit obm --set l1.abyp=1

# At the slices of L2: as many as in the paper's machine are small enough here to replace lines.
small="--set l2.bytes=12288"
for level in l2 both; do
  expect 0 'verified: ' $run --unit obm:level=$level $small
  expect 0 'verified: ' $run --unit obm:level=$level $small --set obm.bypass=0
  expect 0 'verified: ' $run --unit obm:level=$level $small --set l2.write=evict --set l2.fill=line --set l1.past=line
  expect 0 'verified: ' $run --unit obm:level=$level $small --set l1.sectored=1
  one=$(value cycles --unit obm:level=$level $small) two=$(value cycles --unit obm:level=$level $small --set obm.gate=0)
  same "$level: a gated clock changes nothing: $one and $two cycles" "$one" "$two"
done
check "misses go past the L2" "$([ "$(value l2_past --unit obm:level=l2 $small)" -gt 1000 ]; echo $?)"
check "with bypass=0 none does" "$([ "$(value l2_past --unit obm:level=l2 $small --set obm.bypass=0)" -eq 0 ]; echo $?)"
one=$(value cycles $small) two=$(value cycles $small --unit obm:level=l2 --set obm.bypass=0)
check "at L2 a unit that lets all in costs 1 % at most: $one and $two cycles" \
  "$([ $((two * 100)) -le $((one * 101)) ]; echo $?)"
# The place beside the L1 is free then for what is set there, and another unit's claim is refused all the same.
expect 0 'verified: ' $run --unit obm:level=l2 $small --set l1.abyp=1
expect 0 'verified: ' $run --unit obm:level=l2 $small --set l1.victim_lines=8
expect 2 'l2.exclusive' $run --unit obm:level=l2 --set l2.exclusive=1
expect 2 'obm.level=l3' $run --unit obm:level=l3
finish
