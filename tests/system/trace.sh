#!/bin/bash
# Traces from the command line: a run that is recorded and read back takes the same cycles and does the same to caches,
# interconnect and DRAM; packed files; memory stays bounded; wrong input; and, where it is, a trace of a real GPU.
. "$(dirname "$0")/expect.sh"
# What the modelled machine did: everything but names, verdict, energy of units and the host.
machine() {
  grep -vE '"(name|app|graph|verified|verdict|supersteps|seed|strategy)"' "$1" |
    awk '/^\t"(host|metrics|trace|settings|unit)":/ {skip = 1} !skip {print} /^\t}/ {skip = 0}'
}
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" "$2" | head -1; }

g=random:n=1024,degree=6
n=0
roundtrip() { # roundtrip WRITE-SUFFIX OPTIONS...: recorded and read back
  local suffix=$1
  shift
  n=$((n + 1))
  expect 0 ' verified: ' $warpfab trace write $scratch/t$n$suffix "$@" --json $scratch/a.json
  expect 0 'not verified: a trace has addresses' $warpfab run --trace $scratch/t$n --json $scratch/b.json
  [ "$(machine $scratch/a.json)" = "$(machine $scratch/b.json)" ] && [ "$(value cycles $scratch/a.json)" -gt 1000 ]
  local right=$? # before the text below is made
  check "$* recorded and read back: $(value cycles $scratch/a.json) cycles" $right
}
roundtrip "" --app bfs_rodinia --graph $g
roundtrip :gz --app pagerank --graph $g --set app.supersteps=1
roundtrip :zst --app mm --set app.n=64
roundtrip "" --app wc --set app.bytes=65536
roundtrip :xz --app ge --set app.n=48
roundtrip "" --app kmn --set app.points=2048
roundtrip "" --app gc --graph random:n=1024,degree=4
[ -s $scratch/t2/kernel-1.traceg.gz ] && [ -s $scratch/t3/kernel-1.traceg.zst ] &&
  [ -s $scratch/t5/kernel-1.traceg.xz ]
check "files are packed as asked" $?
t=$scratch/t1
again() { $warpfab run --trace $t "$@" --json $scratch/c.json >/dev/null && machine $scratch/c.json; }
first=$(again)
same "the same trace twice" "$first" "$(again)"
same "dead time ticked through" "$first" "$(again --set sim.skip=0)"
[ "$first" != "$(again --set l1.bytes=32768)" ]; check "a larger L1 changes the run" $?
grep -q '"verified":[[:space:]]*null' $scratch/b.json && grep -q '"unknown_instructions":[[:space:]]*0' $scratch/b.json
check "JSON: verified is null, no unknown instruction" $?

# what info tells; one file instead of the folder
expect 0 'Accel-Sim SASS trace, [0-9]+ kernels, [0-9]+ copies' $warpfab trace info $t --json $scratch/i.json
sed -n 's/^[[:space:]]*"warp_instructions":[[:space:]]*\([0-9]*\).*/\1/p' $scratch/i.json | head -1 >$scratch/n1
$warpfab run --trace $t --json $scratch/c.json >/dev/null
same "info and run count the same instructions" "$(cat $scratch/n1)" "$(value warp_instructions $scratch/c.json)"
expect 0 "not verified" $warpfab run --trace $t/kernel-1.traceg

# bounded memory: one kernel of many blocks, in 40 MB of text (TRACE_MB)
k=$t/kernel-1.traceg
big=$scratch/big
mkdir $big
blocks=$(sed -n 's/^-grid dim = (\([0-9]*\),1,1)/\1/p' $k)
times=$((${TRACE_MB:-40} * 1000000 / $(stat -c %s $k) + 1))
awk -v n=$((blocks * times)) '/^-grid dim/ {$0 = "-grid dim = (" n ",1,1)"} {print} /^#traces/ {exit}' $k \
  >$big/kernel-1.traceg
awk '/^#BEGIN_TB/ {on = 1} on' $k >$scratch/body
for ((i = 0; i < times; i++)); do
  awk -v base=$((i * blocks)) '/^thread block/ {
    split($4, id, ","); print "thread block = " base + id[1] ",0,0"; next} {print}' $scratch/body
done >>$big/kernel-1.traceg
echo kernel-1.traceg >$big/kernelslist.g
expect 0 'not verified' $warpfab run --trace $big --json $scratch/big.json
[ "$(value peak_bytes $scratch/big.json)" -lt 60000000 ]
right=$?
megabytes=$(($(value peak_bytes $scratch/big.json) / 1000000))
check "$(($(stat -c %s $big/kernel-1.traceg) / 1000000)) MB of trace in $megabytes MB of memory" $right

# tracer version 6, by hand: clusters, uniform registers, values; on more SMs than 64
v6=tests/trace/v6
expect 0 'trace: [0-9]+ cycles, 120 warp instructions' $warpfab run --trace $v6 --config h100
expect 0 '12 instructions, 1 loops' $warpfab trace info $v6
mkdir $scratch/unended
sed '/^#END_TB/d' $v6/kernel-1.traceg >$scratch/unended/kernel-1.traceg
expect 2 'kernel-1.traceg:91: #END_TB is missing before this #BEGIN_TB: thread block 0,0,0 begins at line 17' \
  $warpfab run --trace $scratch/unended/kernel-1.traceg

# wrong input
expect 2 'holds a trace already' $warpfab trace write $t --app bfs_rodinia --graph $g
expect 2 'records --app and --ptx' $warpfab trace write $scratch/x --trace $t
expect 2 'expected :gz, :xz, :zst or nothing' $warpfab trace write $scratch/x:rar --app bfs_rodinia --graph $g
expect 2 'give one of --app' $warpfab run --trace $t --app pagerank --graph $g
expect 2 'no trace: expected a folder' $warpfab run --trace $scratch/nosuch
expect 2 'usage: warpfab trace info' $warpfab trace
expect 2 'expected one PATH' $warpfab trace info
expect 3 'max-cycles' $warpfab run --trace $big --max-cycles 100
expect 3 'max-cycles' $warpfab trace write $scratch/z --app pagerank --graph data/debian12.mtx.gz --max-cycles 100
expect 2 'memory.mib' $warpfab run --trace $t --set memory.mib=0
mkdir $scratch/cut
cp $t/* $scratch/cut
head -c $(($(stat -c %s $k) * 3 / 4)) $k >$scratch/cut/kernel-1.traceg
expect 2 'cut/kernel-1.traceg:[0-9]+: ' $warpfab run --trace $scratch/cut
rm $scratch/cut/kernel-1.traceg
expect 2 'kernelslist.g:[0-9]+: kernel file kernel-1.traceg is not in the folder' $warpfab run --trace $scratch/cut
expect 2 'a block of .* threads needs' $warpfab run --trace $t --set core.warps=2

real=${SHARED:-../shared}/data/traces/accelsim-bfs-rodinia-graph4096
if [ -r $real/kernelslist.g ]; then
  expect 0 'trace: [0-9]+ cycles, 159509 warp instructions' $warpfab run --trace $real
  expect 0 ' 190 load +4670 +24576 ' $warpfab trace info $real
  # cycles of each kernel against the field's simulator, whose include 5000 of launch
  reference=${SHARED:-../shared}/data/traces/accelsim-bfs-rtx3070.csv
  $warpfab run --trace $real --config rtx3070 --json $scratch/r.json >/dev/null
  sed -n '/"kernels"/,$p' $scratch/r.json | sed -n 's/.*"cycles":[[:space:]]*\([0-9]*\),.*/\1/p' |
    head -16 >$scratch/ours
  fit=$(tail -n +2 "$reference" | cut -d, -f2 | paste $scratch/ours - | awk '{
    x = $1; y = $2 - 5000; n++; sx += x; sy += y; sxx += x * x; syy += y * y; sxy += x * y
    e += (x > y ? x - y : y - x) / y
  } END {printf "%.4f %.1f", (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy)), 100 * e / n}')
  awk -v c="${fit% *}" -v e="${fit#* }" 'BEGIN {exit !(c >= 0.95 && e < 20)}'
  check "rtx3070: correlation with Accel-Sim and mean error in %: $fit" $?
else
  echo "SKIPPED a trace of a real GPU: there is none at $real"
fi
finish
