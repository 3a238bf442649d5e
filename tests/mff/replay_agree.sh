#!/bin/bash
# A recorded piece of a real graph and hand-written transactions, replayed on the Verilated RTL, on the RTL in Icarus
# and on a netlist in Icarus: outputs agree at every edge. Then the same with one expected value made wrong: each
# engine names edge, stream, lane and both values.
#   agree.sh        the small netlist of a queue
#   agree.sh all    that of the MFF unit too, which takes minutes to make, and the full-size unit in Icarus
. "$(dirname "$0")/../system/expect.sh"
export BUILD=$build
replay=sim/replay/replay
recording=$scratch/pagerank.wfr.zst
all=${1-}

# The netlist first: it takes longer than a single check may.
[ "$all" != all ] || $replay tests/mff/gather.wfr mff replay gates >$scratch/netlist.log 2>&1
expect 0 'recorded' tests/mff/record $recording 600
# Its header has every parameter, be they more than the name of a model's folder holds.
overrides=$(zstdcat $recording | sed -n 's/^overrides //p;/^body/q')
[ ${#overrides} -gt 120 ] && [[ " $overrides " == *" CounterBits=12 "* && " $overrides " == *" WorkRegs=32 "* ]] &&
  passed=$((passed + 1)) || { echo "FAIL  overrides: $overrides"; failed=$((failed + 1)); }
for engine in verilator icarus ${all:+gates}; do
  expect 0 "600 edges, [0-9]{3} transfers: $engine agrees" $replay $recording mff tuned $engine
  expect 0 "edges, 50 transfers: $engine agrees" $replay tests/mff/gather.wfr mff replay verilator $engine
done
for engine in icarus gates; do
  expect 0 "edges, 18 transfers: $engine agrees" $replay tests/replay/fifo.wfr wf_fifo ram8 verilator $engine
done

# The first, second, ... kind of fault in the 15th line that tells a reply: payload, completion, handshake.
zstdcat $recording >$scratch/text
line=$(grep -nE '(^| )rsp\.[01]=t:' $scratch/text | sed -n 15p | cut -d: -f1)
seed() { # seed NAME SED_EXPRESSION: a recording with that line changed, its checksum given up
  sed -E -e "${line}s/$2/" -e '$s/.*/end/' $scratch/text >$scratch/$1.wfr
  cmp -s <(sed '$d' $scratch/$1.wfr) <(sed '$d' $scratch/text) &&
    { echo "FAIL  $1: nothing was changed"; failed=$((failed + 1)); }
}
seed payload '(^| )(rsp\.[01]=t:[0-9a-f]*)[0-9a-f]( |$)/\1\2x\3'   # unknown digits are not compared
expect 0 'verilator agrees' $replay $scratch/payload.wfr "" "" verilator
seed payload '(^| )(rsp\.[01]=t):([0-9a-f]*)[0-9a-e]( |$)/\1\2:\3f\4'
seed withdrawn '(^| )(rsp\.[01])=t:[0-9a-f]*/\1\2=r'
lane=$(sed -nE "${line}s/.*(^| )rsp\.([01])=t:.*/\2/p" $scratch/text)
for engine in verilator icarus ${all:+gates}; do
  values='expected [0-9a-f]*f, got [0-9a-f]*[0-9a-e]$'
  expect 1 "payload.wfr:$line:.* edge [0-9]+ \(cycle [0-9]+\): rsp lane $lane: payload rsp_data_o: $values" \
    $replay $scratch/payload.wfr "" "" $engine
done
cp $scratch/log $scratch/payload.log
expect 1 "withdrawn.wfr:$line:.*: rsp lane $lane: valid rsp_valid_o: expected 0, got 1" $replay $scratch/withdrawn.wfr \
  "" "" verilator icarus
# The engines name the same place.
expect 1 "$(grep -o 'edge [0-9]*' $scratch/payload.log) " $replay $scratch/payload.wfr "" "" verilator
expect 0 'verilator agrees' $build/warpfab-replay tests/replay/fifo.wfr --save $scratch/queue.wfr
sed 's/^out=t:555555555555555555555555/out=t:555555555555555555555556/;$s/.*/end/' $scratch/queue.wfr >$scratch/one.wfr
line=$(grep -n 5555556 $scratch/one.wfr | cut -d: -f1)
for engine in verilator icarus gates; do
  expect 1 "one.wfr:$line:.* out.*: payload out_data_o: expected 5*6, got 5*\$" $replay $scratch/one.wfr "" "" $engine
done

# Scripts: a wrong expectation, one that never comes, a level.
sed '/^expect rsp.1 0704/s/1$/2/' tests/mff/gather.wfr >$scratch/wrong.wfr
expect 1 'wrong.wfr:.*: rsp.1: rsp_data_o: expected 7040001[0-9a-f]*2 \(line [0-9]*\), got 7040001[0-9a-f]*1' $replay \
  $scratch/wrong.wfr
sed '/^expect rsp.0 07040010/d' tests/mff/gather.wfr >$scratch/extra.wfr
expect 1 'extra.wfr:.*: rsp.0: rsp_data_o: expected' $replay $scratch/extra.wfr
sed 's/^check count_o 0/expect out 1/' tests/replay/fifo.wfr >$scratch/never.wfr
expect 3 'never.wfr.*: out: 1 items .* did not come after 10000 edges' $replay $scratch/never.wfr
sed 's/^check count_o 8/check count_o 7/' tests/replay/fifo.wfr >$scratch/level.wfr
expect 1 'level.wfr:.* count_o: expected 7, got 8' $replay $scratch/level.wfr

# The full-size unit of the default GPU.
if [ "$all" = all ]; then
  full="$warpfab run --app pagerank --graph data/debian12.mtx.gz --unit mff --set app.strategy=edges --max-cycles 2500"
  expect 3 'max-cycles' $full --record $scratch/full.wfr.gz --record-limit 1000
  expect 0 '1000 edges, [0-9]* transfers: icarus agrees' $replay $scratch/full.wfr.gz mff tuned verilator icarus
fi
# Recording changes nothing of the run.
outcome() { $warpfab run --app bfs --graph rmat:scale=10,edges=9000 --unit mff --set app.strategy=thread "$@" |
  sed '/host/d; /^  RTL /d'; }
base=$(outcome)
[ -n "$base" ] && [ "$base" = "$(outcome --record $scratch/a.wfr)" ] &&
  [ "$base" = "$(outcome --record $scratch/b.wfr)" ] &&
  cmp -s $scratch/a.wfr $scratch/b.wfr && passed=$((passed + 1)) ||
  { echo "FAIL  recording changes the run, or two recordings differ"; failed=$((failed + 1)); }
expect 0 'verilator agrees' $replay $scratch/a.wfr "" "" verilator
finish
