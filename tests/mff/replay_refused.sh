#!/bin/bash
# Files that must not be played: a clear message and exit code 2.
. "$(dirname "$0")/../system/expect.sh"
export BUILD=$build
replay=sim/replay/replay
recording=$scratch/good.wfr.zst
expect 0 "[0-9]+ edges.*verilator agrees" $build/warpfab-replay tests/mff/gather.wfr --save $recording
zstdcat $recording >$scratch/good.wfr
gzip -c $scratch/good.wfr >$scratch/good.wfr.gz
for f in good.wfr good.wfr.gz good.wfr.zst; do
  expect 0 '[0-9]+ edges.*verilator agrees' $replay $scratch/$f "" "" verilator
done

# damaged and cut
change() { # change NAME BYTE: one bit of that byte
  cp $scratch/$1 $scratch/damaged-$1
  byte=$(od -An -tu1 -j $2 -N1 $scratch/$1)
  printf "\\$(printf %o $((byte ^ 1)))" | dd of=$scratch/damaged-$1 bs=1 seek=$2 conv=notrunc status=none
}
size=$(stat -c %s $scratch/good.wfr)
change good.wfr $((size - 400)); expect 2 "damaged-good.wfr:[0-9]+: the checksum is" $replay $scratch/damaged-good.wfr
change good.wfr.zst 700;        expect 2 "the text.s is|data are damaged" $replay $scratch/damaged-good.wfr.zst
change good.wfr.gz 700;         expect 2 "the text.s is|data are damaged" $replay $scratch/damaged-good.wfr.gz
sed 's/idle_o=0$/idle_o=1/' $scratch/good.wfr >$scratch/edited.wfr
expect 2 'edited.wfr:.*the checksum is [0-9a-f]{8}, the text.s is' $replay $scratch/edited.wfr
for f in good.wfr good.wfr.gz good.wfr.zst; do
  head -c $(($(stat -c %s $scratch/$f) / 2)) $scratch/$f >$scratch/cut-$f
  expect 2 'truncated' $replay $scratch/cut-$f
done
sed '$s/end [0-9]* /end 9999 /' $scratch/good.wfr >$scratch/count.wfr
expect 2 'tells 9999 edges, the file has [0-9]+' $replay $scratch/count.wfr
{ cat $scratch/good.wfr; echo '*3'; } >$scratch/more.wfr
expect 2 'behind the end record' $replay $scratch/more.wfr

# another unit, another configuration, another version
expect 2 'made for unit mff, not for wf_fifo' $replay $scratch/good.wfr wf_fifo
expect 2 'made for configuration replay of mff, not for paper' $replay $scratch/good.wfr mff paper
sed 's/^parameter TagEntries 8/parameter TagEntries 128/;$s/.*/end/' $scratch/good.wfr >$scratch/parameter.wfr
expect 2 'another configuration: parameter TagEntries was 128, mff in configuration replay has 8' $replay \
  $scratch/parameter.wfr
sed 's/^config replay/config small/;$s/.*/end/' $scratch/good.wfr >$scratch/config.wfr
expect 2 'another configuration: parameter NumSm was 1, mff in configuration small has 2' $replay $scratch/config.wfr
sed 's/^config replay/config nosuch/;$s/.*/end/' $scratch/good.wfr >$scratch/config.wfr
expect 2 'no configuration .nosuch.; there are: default, paper' $replay $scratch/config.wfr
sed 's/^unit mff/unit warp_drive/;$s/.*/end/' $scratch/good.wfr >$scratch/unit.wfr
expect 2 'warp_drive: no unit or top module of that name' $replay $scratch/unit.wfr
sed 's/^unit mff/unit ..\/x/' $scratch/good.wfr >$scratch/unit.wfr
expect 2 'unit.wfr:2: unit ../x: malformed' $replay $scratch/unit.wfr
sed '1s/1/9/' $scratch/good.wfr >$scratch/version.wfr
expect 2 'format version 9; this program reads version 1' $replay $scratch/version.wfr
sed '/^config/d' $scratch/good.wfr >$scratch/noconfig.wfr
expect 2 'no .config. line' $replay $scratch/noconfig.wfr

# no replay file at all
expect 2 'nosuch.wfr: cannot be read: No such file' $replay $scratch/nosuch.wfr
: >$scratch/empty.wfr
expect 2 'empty.wfr: the file is empty' $replay $scratch/empty.wfr
expect 2 'not a replay file' $replay data/debian12.mtx.gz
expect 2 "engine 'spice': expected verilator, icarus or gates" $replay $scratch/good.wfr "" "" spice
expect 2 'usage' make --no-print-directory BUILD=$build replay
expect 2 'cannot be read' make --no-print-directory BUILD=$build replay FILE=$scratch/nosuch.wfr

# lines of a body
body() { { sed '/^body/q' $scratch/good.wfr; echo "$1"; echo end; } >$scratch/line.wfr; }
body 'rsp.0=q';          expect 2 'line.wfr:[0-9]+: rsp=q: expected . r v:PAYLOAD or t:PAYLOAD' $replay \
  $scratch/line.wfr
body 'rsp=t:1';          expect 2 'stream rsp has lanes 0 to 1' $replay $scratch/line.wfr
body 'rsp.2=t:1';        expect 2 'stream rsp has lanes 0 to 1' $replay $scratch/line.wfr
body 'nothing=1';        expect 2 "'nothing': mff has no such stream or level port" $replay $scratch/line.wfr
body 'mem_rd.0=t:1';     expect 2 'mem_rd: expected 2 payload values' $replay $scratch/line.wfr
body 'mem_rd.0=t:1,2,3'; expect 2 'mem_rd: .,3. behind the payload' $replay $scratch/line.wfr
body 'mem_rd.0=r:1';     expect 2 'no payload may follow' $replay $scratch/line.wfr
body 'cfg=t:10,0';       expect 2 "'10': expected a hex number for 4 bits of cfg_addr_i" $replay $scratch/line.wfr
body 'cfg=t:x,0';        expect 2 "'x': expected a hex number for 4 bits" $replay $scratch/line.wfr
body 'idle_o=2';         expect 2 "'2': expected a hex number, x for digits not known, for 1 bits" $replay \
  $scratch/line.wfr
body '*0';               expect 2 'a number of edges, 1 or more' $replay $scratch/line.wfr
body '@5x';              expect 2 'expected @ and a cycle' $replay $scratch/line.wfr
statement() { { sed '/^body/q' tests/replay/fifo.wfr; echo "$1"; echo end; } >$scratch/line.wfr; }
statement 'sent in 1';     expect 2 "'sent': no such statement; there are send" $replay $scratch/line.wfr
statement 'send out 1';    expect 2 'out: the unit sends there: use expect' $replay $scratch/line.wfr
statement 'send into 1';   expect 2 "'into': no such stream; there are: in out" $replay $scratch/line.wfr
statement 'send in';       expect 2 'in: .*expected 1 values' $replay $scratch/line.wfr
statement 'send in 1,2';   expect 2 'in: .2.: more than 1 values' $replay $scratch/line.wfr
statement 'run soon';      expect 2 "'soon': expected a number of edges" $replay $scratch/line.wfr
statement 'set count_o 1'; expect 2 "'count_o': no level input" $replay $scratch/line.wfr
sed '$d' tests/replay/fifo.wfr >$scratch/noend.wfr
expect 2 'no end record' $replay $scratch/noend.wfr
finish
