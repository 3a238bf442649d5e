#!/bin/bash
# The prefetching work's applications on its machine: verified, alone and beside each rival prefetcher; what the
# compiler's part says of them; a run repeats.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --config fermi16 --graph random:n=3000,degree=4"
shared="--set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152"

for app in hbfs hsssp hmst lsmst stcon; do expect 0 'verified: ' $run --app $app; done
for app in lsbfs lssssp; do
  expect 2 'needs 49152 bytes of shared memory, an SM has 16384' $run --app $app
  expect 0 'verified: ' $run --app $app $shared
done
expect 0 'verified: ' $run --app hbfs --set l1.bytes=65536 --set l1.ways=8
# Loads ahead by hand, over lists of every length up to that of several turns.
for app in hbfs hsssp hmst lsmst stcon lsbfs lssssp; do
  for form in fine swp swpnc ahead unr2 unr3 wide4 wide8; do
    expect 0 'verified: ' $warpfab run --config fermi16 --graph rmat:scale=8,edges=3000 $shared --app $app \
      --set app.form=$form
  done
done
expect 2 'app.form=swp2' $run --app hbfs --set app.form=swp2
# Blocks of other kernels would take of its spare registers.
expect 2 'bfs_dp_expand_dtbl launches kernels: not with spref' $warpfab run --config fermi16 --app bfs_dp \
  --graph rmat:scale=8,edges=1500 --set app.form=dtbl --unit spref
for rival in stride stream ghb; do
  expect 0 'verified: ' $run --app hbfs --set l1.prefetch=$rival --json $scratch/$rival.json
  expect 0 '"issued":.[1-9]' grep '"issued"' $scratch/$rival.json
  expect 0 'verified: ' $run --app lsmst --set l1.prefetch=$rival
done
expect 0 '"role":.*"tail"' \
  sh -c "$run --app hbfs --set probe.loads=1 --json $scratch/p.json >/dev/null && grep '\"role\"' $scratch/p.json"
expect 0 'of 39: \[r[0-9]* \+ \(zero v << 0\) \+0\]' $warpfab ptx analyse --app hbfs --kernel hbfs_kernel1
expect 0 'address from a tail-load' $warpfab ptx analyse --app hmst

# Off is as if it were not there, and a run repeats, cycle for cycle.
for i in 1 2; do $run --app stcon --json $scratch/r$i.json >/dev/null; done
$run --app stcon --set l1.prefetch=none --json $scratch/r3.json >/dev/null
cycles() { grep -m1 '"cycles"' "$1"; }
expect 0 "$(cycles $scratch/r1.json)" grep -m1 '"cycles"' $scratch/r2.json
expect 0 "$(cycles $scratch/r1.json)" grep -m1 '"cycles"' $scratch/r3.json
finish
