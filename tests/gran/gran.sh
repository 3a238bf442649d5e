#!/bin/bash
# The GRAN unit in the fabric: results are right with each predictor, misses fetch more than they want, with predict=0
# they do not and the cycles are near those without it, wrong settings are refused.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config fermi16 --app hbfs --graph rmat:scale=14 --set l1.bytes=16384 --set l1.ways=4"
run+=" --set l1.sectored=1"
expect 0 'verified: ' $run --unit gran
expect 0 'verified: ' $run --unit gran:kind=spp
expect 0 'verified: ' $run --unit gran:kind=bim
expect 0 "verified: " ${run%--set l1.sectored=1} --unit gran:kind=bim
for kind in nap spp bim; do
  check "$kind widens misses" "$([ "$(value widened --unit gran:kind=$kind)" -gt 1000 ]; echo $?)"
done
expect 0 'verified: ' $run --unit obm:level=l2,nap
one=$(value cycles --unit spp) two=$(value cycles --unit gran:kind=spp)
same "spp is gran:kind=spp: $one and $two cycles" "$one" "$two"
check "with predict=0 none is widened" "$([ "$(value widened --unit gran:predict=0)" -eq 0 ]; echo $?)"
one=$(value cycles --unit gran) two=$(value cycles --unit gran --set gran.gate=0)
same "a gated clock changes nothing: $one and $two cycles" "$one" "$two"
one=$(value cycles) two=$(value cycles --unit gran:predict=0)
check "a unit that guesses nothing costs 1 % at most: $one and $two cycles" \
  "$([ $((two * 100)) -le $((one * 101)) ]; echo $?)"
for kind in nap spp bim; do
  widened=$(value l2_widened --unit gran:level=l2 --set gran.kind=$kind --set l2.bytes=12288)
  check "$kind widens misses of a slice: $widened" "$([ "$widened" -gt 500 ]; echo $?)"
done
one=$(value cycles --unit gran:level=both) two=$(value cycles --unit gran:level=both --set gran.gate=0)
same "nor at the slices: $one and $two cycles" "$one" "$two"
one=$(value cycles --set l2.write=evict)
two=$(value cycles --set l2.write=evict --unit gran:level=both --set gran.predict=0)
check "guessing nothing at both levels costs 1 % at most: $one and $two cycles" \
  "$([ $((two * 100)) -le $((one * 101)) ]; echo $?)"
one=$(value misses) two=$(value misses --unit gran:kind=bim)
check "whole lines miss less often: $one and $two misses" "$([ "$two" -lt "$one" ]; echo $?)"
# OBM at the slices, a predictor beside the L1: each place has one unit.
both="--unit obm:level=l2,gran --set l2.bytes=12288"
expect 0 'verified: ' $run $both
check "both work together" "$([ "$(value l2_past $both)" -gt 500 ] && [ "$(value widened $both)" -gt 1000 ]; echo $?)"
expect 2 'obm and gran both take the place at the L2' $run --unit obm:level=l2,gran:level=both
expect 2 'obm and gran both take the place beside the L1' $run --unit obm,gran
expect 2 'gran.kind=' $run --unit gran:kind=lru
expect 2 'gran.nap_entries=24: expected a power of two' $run --unit gran --set gran.nap_entries=24
expect 2 'gran.filter_bits=100: expected a power of two' $run --unit gran:kind=bim --set gran.filter_bits=100
expect 2 '2 to 1024 sets' $warpfab run --app hbfs --graph rmat:scale=8 --unit gran --set l1.bytes=1048576
expect 2 'l1.victim_lines' $run --unit gran --set l1.victim_lines=8
finish
