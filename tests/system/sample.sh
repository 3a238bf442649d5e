#!/bin/bash
# Sampling of launches: results stay verified whatever is timed; what is timed first costs what it costs in the whole
# run; wrong settings.
. "$(dirname "$0")/expect.sh"
first() { tr -d '\n\t' <$scratch/r.json | grep -o "\"name\":\"$1\"[^}]*" | sed -n "${3:-1}p" | grep -o "\"$2\":[^,]*"; }
run="$warpfab run --config fermi16 --graph random:n=3000,degree=6 --json $scratch/r.json"
small="--set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152"

for app in hbfs hsssp hmst lsmst stcon; do
  expect 0 'sampled: 0 launches timed' $run --app $app --set sample.launches=none
done
for app in lsbfs lssssp; do expect 0 'verified: ' $run --app $app $small --set sample.launches=none; done
for app in kmn sgm srd mri; do expect 0 'verified: ' $warpfab run --app $app --set sample.launches=none; done
expect 0 'sampled: 1 launches timed, [1-9][0-9]* only executed' $run --app hmst --set sample.kernel=hmst_hook \
  --set sample.launches=2
expect 0 'verified: ' $run --app lsmst --set sample.launches=2-3,7
expect 0 'sampled: [1-9][0-9]* launches timed, [1-9][0-9]* only executed' $run --app hsssp \
  --set sample.min_instructions=3000

# The first launch finds an idle machine with empty caches either way.
$run --app hbfs >/dev/null
whole=$(first hbfs_kernel1 cycles)
$run --app hbfs --set sample.kernel=hbfs_kernel1 --set sample.launches=1 >/dev/null
[ -n "$whole" ] && [ "$whole" = "$(first hbfs_kernel1 cycles)" ] &&
  [ "$(first hbfs_kernel1 timed)" = '"timed":true' ]; right=$?
check "the first launch: ${whole#*:} cycles, sampled or not" $right
[ "$(first hbfs_kernel2 timed)" = '"timed":false' ] && [ "$(first hbfs_kernel2 cycles)" = '"cycles":0' ]; right=$?
check "the others have no cycles" $right

expect 2 'sample.launches=2-1: expected none or numbers' $run --app hbfs --set sample.launches=2-1
expect 2 'hbfs_kernel3' $run --app hbfs --set sample.kernel=hbfs_kernel3
expect 2 'sample.min_instructions' $run --app hbfs --set sample.min_instructions=-4
expect 2 'no such parameter' $run --app hbfs --set sample.size=4
expect 2 'not with kernels that launch kernels' $warpfab run --config k20c --app bfs_dp --graph cite:n=500,degree=8 \
  --set app.form=cdp --set sample.launches=none
expect 2 'not with a trace' $warpfab trace write $scratch/t --app hbfs --graph random:n=500,degree=4 \
  --set sample.launches=none
finish
