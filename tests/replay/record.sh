#!/bin/bash
# Records a piece of PageRank over the shipped graph at the ports of a small MFF unit: the parameters of its
# configuration `replay', on a GPU of one SM and two partitions with quick memory, so that few cycles hold
# much traffic.
#   tests/replay/record.sh FILE EDGES
set -u
cd "$(dirname "$0")/../.." || exit 2
warpfab=${BUILD:-build}/warpfab
"$warpfab" run --app pagerank --graph data/debian12.mtx.gz --unit mff --max-cycles 40000 \
  --set app.supersteps=1 --set core.sms=1 --set core.warps=8 --set core.ctas=1 --set l2.partitions=2 \
  --set noc.latency=2 --set l2.latency=8 --set dram.latency=4 \
  --set mff.tag_entries=8 --set mff.c_lines=2 --set mff.v_lines=1 --set mff.work_registers=32 --set mff.c_registers=8 \
  --set mff.job_entries=4 --set mff.pack_words=2 --set mff.pack_entries=2 --set mff.counter_bits=12 \
  --record "$1" --record-limit "$2" >/dev/null 2>"$1.log"
# The cycle limit ends the run (exit code 3); the recording is complete before.
status=$?
[ $status -eq 3 ] && rm -f "$1.log" && echo "recorded: $1" && exit 0
cat "$1.log" >&2
echo "record.sh: expected the run to stop at its cycle limit (3), got exit code $status" >&2
exit 1
