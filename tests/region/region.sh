#!/bin/bash
# The REGION unit in the fabric: results are right in each mode; lines of private regions leave L2 and come back; the
# rows of regions change hands if there are few; wrong settings are refused.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config fermi16 --app hbfs --graph rmat:scale=14 --set core.sms=2 --set l2.partitions=1"
for more in "" "--set l2.write=evict --set l2.fill=line" "--set l1.past=line" \
  "--set region.period=64 --set region.share=2" "--set region.probe=0 --set region.pc_rows=2"; do
  expect 0 'verified: ' $run --unit region $more
done
for mode in rex l2 bc; do
  for app in hsssp gmis; do
    expect 0 'verified: ' $warpfab run --config fermi16 --app $app --graph rmat:scale=11 --unit region:mode=$mode
  done
done
one=$(value cycles --unit rex) two=$(value cycles --unit region:mode=rex)
same "rex is region:mode=rex: $one and $two cycles" "$one" "$two"
expect 2 'region' $run --unit rex,bc
one=$(value cycles --unit region) two=$(value cycles --unit region --set region.gate=0)
same "a gated clock changes nothing: $one and $two cycles" "$one" "$two"
rex="--unit region:mode=rex --set region.period=256"
for key in moved victims l2_leaves l2_victims copies; do
  check "R-Exclusion: $key" "$([ "$(value $key $rex)" -gt 100 ]; echo $?)"
done
# What has left is what the unit let go; L1s send what it told them to, or less.
one=$(value moved $rex) two=$(value l2_leaves $rex)
check "no line leaves but those that it lets go: $one of $two" "$([ "$one" -le "$two" ]; echo $?)"
one=$(value victims $rex) two=$(value copies $rex)
check "no line comes back but those to be copied: $one of $two" "$([ "$one" -le "$two" ]; echo $?)"
check "R-Exclusion: nothing goes past L1" "$([ "$(value past_l1 $rex)" = 0 ]; echo $?)"
one=$(value regions_lost $rex --set region.region_rows=2)
check "few rows: replies of regions without one: $one" "$([ "$one" -gt 100 ]; echo $?)"
expect 2 'region.regions=64' $run --unit region --set region.regions=64
expect 2 'region.region_rows=40' $run --unit region --set region.region_rows=40
expect 2 'l1.sectored' $run --unit region --set l1.sectored=1
expect 2 'l2.exclusive' $run --unit region --set l2.exclusive=1
expect 2 'l1.victim_lines' $run --unit region --set l1.victim_lines=8
finish
