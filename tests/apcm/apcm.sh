#!/bin/bash
# The APCM unit in RTL beside every L1: applications of each kind give the reference's results in every mode; the same
# run gives the same cycles, with and without gating, skipping, assertions; the locality probe changes no cycle; the
# rivals and wrong settings.
. "$(dirname "$0")/../system/expect.sh"
g=random:n=4096,degree=6
bfs="$warpfab run --app bfs_rodinia --graph $g"

for mode in bypass protect; do # both: recorded.txt
  for app in "bfs_rodinia --graph $g" "gc --graph random:n=2048,degree=4" "ssp --graph random:n=2048,degree=4" \
    "spmv --graph $g" "kmn --set app.points=4096" "wc --set app.bytes=65536" "mm --set app.n=64" \
    "ss --set app.documents=64" \
    "stn --set app.n=128" "ge --set app.n=48" "aps --set app.n=48" "ccl --graph $g" \
    "mri --set app.samples=1024 --set app.side=16"; do
    expect 0 ' verified: ' $warpfab run --app $app --unit apcm:mode=$mode
  done
done
expect 0 ' verified: ' $bfs --config gtx780 --unit apcm
expect 0 ' verified: ' $bfs --unit apcm --set core.scheduler=gto --set core.sms=3 --set l1.bytes=32768
expect 0 ' verified: ' $bfs --unit apcm --set apcm.mta_ways=4 --set apcm.ids=4 --set apcm.threshold=6 \
  --set apcm.renew=0 --set apcm.keep=0 --set apcm.loops=1 --set apcm.exits=1

outcome() { # what the modelled machine decides, and what the unit did
  $bfs "$@" --json $scratch/r.json >/dev/null || return
  grep -m1 '"cycles"' $scratch/r.json
  grep -m1 -A8 '"noc":' $scratch/r.json
  grep -A1 -E '"(loads_bypass|protected|refused|psb_sets)":' $scratch/r.json
}
plain=$(outcome)
unit=$(outcome --unit apcm)
same "the same run twice" "$unit" "$(outcome --unit apcm)"
same "idle RTL clocked" "$unit" "$(outcome --unit apcm --set apcm.gate=0)"
same "dead time ticked through" "$unit" "$(outcome --unit apcm --set sim.skip=0)"
same "without the assertions of the RTL" "$unit" "$(outcome --unit apcm --set sim.assertions=0)"
same "the locality probe does not disturb" "$plain" "$(outcome --set probe.locality=1)"
same "nor with the unit" "$unit" "$(outcome --unit apcm --set probe.locality=1)"
same "a warp limit with dead time ticked through" "$(outcome --set core.swl=2)" \
  "$(outcome --set core.swl=2 --set sim.skip=0)"

value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | head -1; }
outcome --unit apcm:mode=off >/dev/null
[ "$(value bypasses)" = 0 ] && [ "$(value protected)" = 0 ]; check "mode off: nothing bypassed or protected" $?
outcome --unit apcm:mode=bypass >/dev/null
[ "$(value bypasses)" -gt 0 ] && [ "$(value psb_sets)" = 0 ]; check "mode bypass bypasses, protects nothing" $?
outcome --unit apcm:mode=protect >/dev/null
[ "$(value loads_bypass)" = 0 ] && [ "$(value psb_sets)" -gt 0 ]; check "mode protect protects, sends no load past" $?
[ "$(grep -c '"class"' $scratch/r.json)" -ge 8 ]; check "a row per load" $?
outcome --set probe.locality=1 >/dev/null
awk -v a="$(value aps)" 'BEGIN {exit !(a > 0.25 && a <= 1)}'; check "access pattern similarity is a share" $?

# with a rival the cycles are other than without
for set in core.swl=4 l1.tokens=8 l1.abyp=1 l1.pd=16 l1.bypass_stalls=1; do
  now=$(outcome --set $set)
  [ -n "$now" ] && [ "$now" != "$plain" ]; check "$set changes the run" $?
  expect 0 ' verified: ' $bfs --set $set
done
expect 0 ' verified: ' $bfs --set core.swl=4 --unit apcm
expect 0 ' verified: ' $bfs --unit apcm --set apcm.pd=16

expect 0 ' verified: ' $bfs --unit apcm --record $scratch/apcm.rec --record-limit 3000
expect 0 'apcm paper: [0-9]{4} edges, .* icarus agrees' sim/replay/replay $scratch/apcm.rec apcm paper verilator icarus
expect 0 ' verified: ' $bfs --unit apcm --wave $scratch/apcm.fst --wave-unit apcm --wave-window 0:2000
[ -s $scratch/apcm.fst ]; check "a wave file" $?

expect 2 'apcm.mode=never: expected off, bypass, protect or both' $bfs --unit apcm:mode=never
expect 2 'l1.victim_lines must be 0' $bfs --unit apcm --set l1.victim_lines=8
expect 2 'entries must be ways times a power of two' $bfs --unit apcm --set apcm.mta_entries=24
expect 2 'entries must be ways times a power of two' $bfs --unit apcm --set apcm.mta_ways=64
expect 2 'apcm.ids=1: expected a whole number' $bfs --unit apcm --set apcm.ids=1
expect 2 'apcm.nosuch: no such parameter' $bfs --unit apcm --set apcm.nosuch=1
expect 2 'apcm.mode: no such parameter' $bfs --set apcm.mode=both
expect 2 '2048 sets and 4 ways .*at most 1024 and 64' $bfs --unit apcm --set l1.bytes=1048576
expect 2 'it decides over the L1' $bfs --unit apcm --set l1.pd=8
expect 2 'l1.prefetch and l1.bypass none' $bfs --unit apcm --set l1.prefetch=ghb
expect 2 'core.swl=65: expected a whole number' $bfs --set core.swl=65
expect 2 'probe.locality=2: expected' $bfs --set probe.locality=2
# A trace's loads need no help from the program.
$warpfab trace write $scratch/trace --app bfs_rodinia --graph rmat:scale=8,edges=1500 >/dev/null
expect 0 'psb_loop' $warpfab run --trace $scratch/trace --unit apcm
# Program counters have 12 bits: a load further down is not tracked, a branch not told.
awk 'BEGIN {
  print ".version 3.2\n.target sm_35\n.address_size 64\n.visible .global .u32 g;\n.visible .entry long()\n{"
  print ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\nmov.u32 %r1, 0;\nmov.u64 %rd1, g;"
  for (i = 0; i < 4096; i++) print "add.u32 %r1, %r1, 1;"
  print "ld.global.u32 %r2, [%rd1];\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 4099;\n@%p1 bra L;\nret;\n}"
}' >$scratch/long.ptx
expect 0 'far_loads 1 +far_moves 3( .*)?$' $warpfab run --ptx $scratch/long.ptx --kernel long --grid 1 --block 32 \
  --unit apcm
# Kernels that threads launch run beside the host's: loads of both are told, by numbers that differ.
for units in apcm apcm,dtbl apcm,laperm; do
  expect 0 ' verified: ' $warpfab run --config k20c --app amr --set app.side=64 --set app.form=dtbl --unit $units \
    --json $scratch/r.json
  same "$units: kernels with loads that count" "amr_coarse_dtbl amr_refine_dtbl" \
    "$(awk '$1 == "\"kernel\":" { gsub(/[",]/, "", $2); k = $2 }
      $1 == "\"loads\":" && k && $2 + 0 { print k }' $scratch/r.json | sort -u | xargs)"
  same "$units: none is far" 0 "$(value far_loads)"
done
# At each second edge the unit hears of two cycles' loads at once.
expect 0 ' verified: ' $bfs --unit apcm --set apcm.edge=2
# Loads that enter and leave the load/store unit in every cycle.
for config in gtx480 k20c gtx780; do
  expect 0 'there is no reference for this kernel' $warpfab run --config $config --ptx tests/apcm/many_loads.cu \
    --kernel k --grid 30 --block 256 --param buf:131072 --param buf:4096 --unit apcm
done

finish
