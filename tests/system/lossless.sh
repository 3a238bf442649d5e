#!/bin/bash
# Nothing is lost, nothing lies: what is written is there whole or not at all, whatever ends the run; wrong arguments
# are refused; a killed run takes its model build with it. A limit on a file's size stands for a full disk.
. "$(dirname "$0")/expect.sh"
g=chain:n=64
unit=$($warpfab list units | sed -n "1s/ .*//p") # any will do
run="$warpfab run --app pagerank --graph $g"
out=$scratch/out
mkdir -p "$out"
empty() { [ -z "$(ls -A "$out")" ]; check "$1 leaves nothing behind" $?; rm -rf "$out"; mkdir -p "$out"; }

# Devices and standard output: a failed write is an error.
for target in --json --timeline; do expect 2 '/dev/full: cannot be written: No space' $run $target /dev/full; done
for command in "$run" "$warpfab list apps" "$warpfab graph info $g" "$warpfab run --help" \
  "$warpfab ptx analyse --app jac"; do
  expect 2 "standard output cannot be written: No space" bash -c "$command >/dev/full"
  expect 2 "standard output cannot be written" bash -c "$command >&-"
done
slow() { (trap '' PIPE; sleep 0.2; "$warpfab" list counters); }
(slow; echo "exit $?" >&2) 2>"$scratch/pipe" | :
grep -q 'standard output cannot be written: Broken pipe' "$scratch/pipe" && grep -q 'exit 2' "$scratch/pipe"
check "a closed pipe is told" $?

# "-" is standard output, and it alone.
$run --json - >$scratch/a.json 2>$scratch/table && [ "$(head -c 1 $scratch/a.json)" = '{' ] &&
  [ "$(tail -n 1 $scratch/a.json)" = '}' ] &&
  grep -q ' verified: ' $scratch/table && [ ! -e ./- ]
check "--json - is the JSON alone" $?
$warpfab graph info $g --json - 2>/dev/null | head -c 1 | grep -q '{'; check "graph info --json -" $?
expect 2 'the file of two outputs' $run --json - --timeline -
expect 2 'the file of two outputs' $run --json $out/a --timeline $out/a
expect 2 'wave needs a regular file' $warpfab run --app pagerank --graph $g --unit $unit --wave /dev/null \
  --wave-unit $unit
empty "a refused run"

# A full disk.
full="tests/system/small_files.sh"
echo before >$scratch/kept.json
expect 2 'kept.json: cannot be written: File too large' $full $run --json $scratch/kept.json
[ "$(cat $scratch/kept.json)" = before ]; check "the earlier file is as it was" $?
expect 2 'cannot be written: File too large' $full $run --timeline $out/t.json
expect 2 'cannot be written: File too large' $full $warpfab graph generate random:n=500,degree=4 $out/g.el
expect 2 'cannot be written: File too large' $full $warpfab trace write $out/t --app mm --set app.n=32
expect 2 'no room for a wave' $full $run --unit $unit --wave $out/w.fst --wave-unit $unit
empty "a full disk"
ln -s kept.json $scratch/link.json
$run --json $scratch/link.json >/dev/null && [ -L $scratch/link.json ] && grep -q '"cycles"' $scratch/kept.json
check "a symbolic link stays, its file is written" $?
ln -s made/late.json $scratch/dangling
mkdir $scratch/made
$run --json $scratch/dangling >/dev/null && [ -L $scratch/dangling ] && grep -q '"cycles"' $scratch/made/late.json
check "a symbolic link to no file stays, the file it names is made" $?
ln -s nosuch/late.json $scratch/lost && expect 2 'lost: cannot be written: No such file' $run --json $scratch/lost
ln -s round $scratch/round && expect 2 'round: cannot be written: Too many' $run --json $scratch/round
[ -L $scratch/lost ] && [ -L $scratch/round ]; check "links that lead nowhere stay" $?
expect 2 'the file of two outputs' $run --json $scratch/dangling2 --timeline $scratch/./dangling2
ln -s other.json $scratch/dangling2 && expect 2 'the file of two outputs' $run --json $scratch/dangling2 \
  --timeline $scratch/other.json
ln -s made/trace $scratch/folder && $warpfab trace write $scratch/folder --app mm --set app.n=16 >/dev/null &&
  [ -L $scratch/folder ] && [ -s $scratch/made/trace/kernelslist.g ]
check "a symbolic link to no folder stays, the folder it names is made" $?

# What can be known is told before any work, and before a model is built.
early() { # early REGEX COMMAND...
  cat >$scratch/no-model <<<"#!/bin/sh
echo A model is built >&2; exit 2"
  chmod +x $scratch/no-model
  WARPFAB_BUILD_MODEL=$scratch/no-model expect 2 "$@"
  ! grep -q 'A model is built' $scratch/log; check "  and before a model is built" $?
}
WARPFAB_BUILD_MODEL=$scratch/nosuch expect 2 '/nonexist/w.fst: cannot be written' $run --unit $unit \
  --wave /nonexist/w.fst --wave-unit $unit
on="--unit $unit"
for file in --json --timeline --record "--wave-unit $unit --wave"; do
  early 'cannot be written: No such file' $run $on $file ''
  early '/nonexist/f: cannot be written: No such file' $run $on $file /nonexist/f
  early "/new/: cannot be written: No such file" $run $on $file $scratch/new/
done
early '/nonexist/t: cannot be written: No such file' $warpfab trace write /nonexist/t --app mm $on
early 'cannot be written: No such file' $warpfab trace write '' --app mm $on
early 'nosuch.mtx' $warpfab run --app bfs $on --graph $scratch/nosuch.mtx
early "application 'bfs' needs a graph" $warpfab run --app bfs $on
early "application 'mm' takes no graph" $warpfab run --app mm $on --graph $g
early 'app.n=x: expected a whole number' $warpfab run --app mm $on --set app.n=x
early 'somewhere: no trace' $warpfab run --trace $scratch/somewhere $on
early 'nosuch.ptx' $warpfab run --ptx $scratch/nosuch.ptx --kernel k --grid 1 --block 32 $on
second=$($warpfab list units | sed -n "s/^\([a-z]\S*\) .*/\1/p" | sed -n 2p)
early 'no such unit' $run --unit $unit,warpdrive
early "$second.counter_bits=99: expected" $run --unit $unit,$second:counter_bits=99
early "named twice" $run --unit $unit,$second,$unit
expect 2 'Is a directory' $run --json $out
expect 2 'holds a trace already|not empty' $warpfab trace write sim --app mm --set app.n=32

# What is read is not overwritten, whatever the command; what a command would not use is refused.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n' >$scratch/in.mtx
input='an input too; name another file'
$warpfab trace write $scratch/in --app mm --set app.n=16 >/dev/null || check "a trace" 1
kept() { (cd $scratch && sha256sum in.mtx in/*); }
kept >$scratch/kept
expect 2 "in.mtx: $input" $warpfab graph info $scratch/in.mtx --json $scratch/./in.mtx
expect 2 "in.mtx: $input" $warpfab graph convert --ignore-weights $scratch/in.mtx $scratch/in.mtx
expect 2 "kernelslist.g: $input" $warpfab trace info $scratch/in --json $scratch/in/kernelslist.g
expect 2 "kernel-1.traceg: $input" $warpfab run --trace $scratch/in --json $scratch/in/kernel-1.traceg
expect 2 "in/new.json: $input" $warpfab run --trace $scratch/in --timeline $scratch/in/new.json
kept | cmp -s - $scratch/kept; check "inputs are as they were" $?
expect 0 'warp instructions' $warpfab run --trace $scratch/in --json $scratch/in.json
expect 2 '--json.*: goes with graph info' $warpfab graph convert $scratch/in.mtx $out/g.el --json $out/g.json
expect 2 '--json.*: goes with graph info' $warpfab graph generate $g $out/g.el --json $out/g.json
for kind in '' :zst; do
  expect 2 'the file of two outputs' $warpfab trace write $out/t$kind --app mm --set app.n=16 --json $out/./t
done
expect 2 'window 9:10: begins behind --max-cycles 9$' $run --unit $unit --max-cycles 9 --wave $out/w.fst \
  --wave-unit $unit --wave-window 9:10
WARPFAB_QUICK=1 expect 2 'window 20000000:20000001: the run ended at cycle [0-9]+: there is no wave' $run --unit $unit \
  --set core.sms=2 --wave $out/w.fst --wave-unit $unit --wave-window 20000000:20000001
empty "a refused output"

# Signals: nothing under a final or temporary name, and who waits sees the signal.
long="--app pagerank --graph rmat:scale=15,edges=300000"
interrupted() { # interrupted SIGNAL NAME COMMAND...: once its output is begun
  local signal=$1 name=$2 pid got i
  shift 2
  env --default-signal "$@" >$scratch/log 2>&1 </dev/null &
  pid=$!
  for i in $(seq 200); do [ -n "$(ls -A "$out")" ] && break; sleep 0.05; done
  kill -s "$signal" $pid
  wait $pid
  got=$?
  [ $i -lt 200 ] && [ $got -eq $((128 + $(kill -l "$signal"))) ]
  check "$name ended by $signal ($got)" $?
  empty "$name, $signal"
}
ulimit -c 0
for signal in INT TERM HUP QUIT ILL TRAP ABRT FPE USR1 SEGV USR2 ALRM STKFLT XCPU VTALRM PROF IO PWR SYS RTMIN RTMAX; do
  interrupted $signal "--json and --timeline" $warpfab run $long --json $out/a.json --timeline $out/t.json
done
interrupted INT "trace write" $warpfab trace write $out/t $long
interrupted TERM "trace write" $warpfab trace write $out/t:zst $long
# The model build, too: its whole process group, however the run ends.
cat >$scratch/build-model <<'B'
#!/bin/bash
sh -c 'sleep 271 & wait' &
echo started >"$MARK"
wait
B
chmod +x $scratch/build-model
for signal in TERM INT KILL; do
  rm -f $scratch/mark
  MARK=$scratch/mark WARPFAB_BUILD_MODEL=$scratch/build-model env --default-signal $run --unit $unit \
    --wave $scratch/out/w.fst --wave-unit $unit >/dev/null 2>&1 &
  pid=$!
  for i in $(seq 100); do [ -s $scratch/mark ] && break; sleep 0.05; done
  kill -s $signal $pid
  wait $pid 2>/dev/null
  for i in $(seq 100); do pgrep -f "^sleep 271$" >/dev/null || break; sleep 0.05; done
  ! pgrep -f "^sleep 271$" >/dev/null; check "a build ends with its run ($signal)" $?
  [ $signal = KILL ] && rm -f $out/*
  empty "a wave whose model was being built, $signal"
done

# Arguments.
expect 2 '--graph.*given twice' $run --graph $g
expect 2 '--json.*given twice' $warpfab graph info $g --json a --json b
expect 2 'l1.bytes=32768 and l1.bytes=16384: given twice' $run --set l1.bytes=16384 --set l1.bytes=32768
expect 2 "$unit.counter_bits=8 and $unit.counter_bits=9: given twice" $run --unit $unit:counter_bits=9 \
  --set $unit.counter_bits=8
expect 2 "$unit.counter_bits=8 and $unit.counter_bits=8: given twice" $run --unit $unit:counter_bits=8:counter_bits=8
long=$(printf '0%.0s' $(seq 300))
expect 2 "counter_bits=0+99: expected" $run --unit $unit:counter_bits=${long}99
expect 2 '--json b: given twice' $warpfab trace info $scratch --js a --json=b
expect 2 '--unit: given twice' $build/warpfab-replay x --un a --unit b
expect 2 '--netlist goes with --bench' $build/warpfab-replay x --netlist
expect 2 '--kernel: given twice' $warpfab ptx analyse --app jac --kernel a --kernel a
expect 2 '--wave-window goes with --wave' $run --wave-window 1:2
expect 2 'go together' $run --unit $unit --wave-unit $unit
expect 2 '--graph: a trace takes no graph' $warpfab run --trace $scratch --graph $g
expect 3 'limit of --max-cycles is reached at cycle 10;' $run --max-cycles 10
cycles=$(sed -n 's/.*"cycles":[[:space:]]*\([0-9]*\).*/\1/p' $scratch/a.json | head -1)
expect 0 ' verified: ' $run --max-cycles $cycles
expect 3 "reached at cycle $((cycles - 1));" $run --max-cycles $((cycles - 1))
cat >$scratch/k.ptx <<'P'
.version 3.2
.target sm_35
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .align 4 .b8 k_param_1[12])
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u32 %r1, [k_param_1];
  ld.param.u32 %r2, [k_param_1+8];
  add.s32 %r3, %r1, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
}
P
ptx="$warpfab run --ptx $scratch/k.ptx --kernel k --grid 1 --block 32"
early "no kernel 'nosuch'" $warpfab run --ptx $scratch/k.ptx --kernel nosuch --grid 1 --block 32 $on
early '1 parameters given, it takes 2' $ptx --param buf:64 $on
early 'buf:x: expected a number of bytes' $ptx --param buf:x --param u32:1 $on
early 'blocks 4096x1x1' $warpfab run --ptx $scratch/k.ptx --kernel k --grid 1 --block 4096 --param buf:64 \
  --param hex:010000000200000003000000 $on
early 'expected --graph to be given' $ptx --param graph:out_row --param hex:010000000200000003000000 $on
early 'graph:rows: expected out_row' $ptx --param graph:rows --param hex:010000000200000003000000 --graph $g $on
expect 0 'first words 00000004 ' $ptx --param buf:64 --param hex:010000000200000003000000
expect 2 'hex:0100000002000000: the kernel declares .b8 k_param_1.12., 12 bytes' $ptx --param buf:64 \
  --param hex:0100000002000000
expect 2 'u32:7: the kernel declares .b8' $ptx --param buf:64 --param u32:7
expect 2 '--graph: no --param graph' $ptx --param buf:64 --param hex:010000000200000003000000 --graph $g
hex="--param hex:010000000200000003000000"
base=$($warpfab list units | sed -n 's/^ *--base \([a-z]*\.[a-z_]*\)=.*/\1/p' | head -n 1) # of any unit that has one
[ -z "$base" ] || expect 2 "$base=0.4 and $base=0: given twice" $ptx --param buf:64 $hex --unit ${base%.*} \
  --base $base=0 --base $base=0+4
expect 2 'd: cannot be written: File too large' $full $ptx --param buf:640000 $hex --dump 0:$out/d
[ -z "$(ls -A $out)" ]; check "  and no part of it is left" $?
for p in f32:1 u32:1 f64:1; do
  expect 2 "$p: the kernel declares .u64 k_param_0, 8 bytes" $ptx --param $p --param hex:010000000200000003000000
done

# Graph files: understood or refused, never something else.
mtx() { printf "$1" >$scratch/g.mtx; shift; expect "$@" $warpfab graph info $scratch/g.mtx; }
el() { printf "$1" >$scratch/g.el; shift; expect "$@" $warpfab graph info $scratch/g.el; }
body='matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n'
for banner in '%%%%MatrixMarket ' '%%%%matrixmarket ' '%%%%MATRIXMARKET ' '\n  \n%%%%MatrixMarket ' \
  '%% a comment\n%%%%MatrixMarket ' '%%MatrixMarket '; do
  mtx "$banner$body" 0 'edges held +2$'
done
el '0 1\n%%%%MatrixMarket matrix coordinate pattern general\n' 2 'g.el:2: a MatrixMarket header within an edge list'
mtx '%%%%MatrixMarket matrix\n3 3 1\n1 2\n' 2 'g.mtx:1: the MatrixMarket header is not complete'
el '\xef\xbb\xbf# c\n0, 1 # first\n1,2\n2,0 %% x\n' 0 'edges held +3$'
el '0,,1\n' 2 'g.el:1: nothing before a comma'
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 0.5\n2 3 1\n3 1 2\n1 3 4\n' >$scratch/real.mtx
expect 0 ' verified: ' $warpfab run --app pagerank --graph $scratch/real.mtx
expect 2 'real.mtx:3: "0.5" is no edge weight' $warpfab run --app sssp --graph $scratch/real.mtx
early 'real.mtx:3: "0.5" is no edge weight' $warpfab run --app sssp --graph $scratch/real.mtx $on
expect 2 'real.mtx:3: "0.5" is no edge weight' $warpfab graph convert $scratch/real.mtx $out/g.el

# A .mtx file promises a banner; one file for two outputs by other names; an output in an input's place.
printf '%%%%MatrixMaket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 6\n' >$scratch/typo.mtx
expect 2 'typo.mtx.*begins with a line "%%MatrixMarket' $warpfab graph info $scratch/typo.mtx
printf '3 3 2\n1 2 5\n2 3 6\n' >$scratch/none.mtx
expect 2 'none.mtx.*call an edge list .el' $warpfab graph info $scratch/none.mtx
cp $scratch/none.mtx $scratch/none.el
expect 0 'edges' $warpfab graph info $scratch/none.el
run="$warpfab run --app pagerank --graph chain:n=64"
expect 2 'the file of two outputs' $run --json $scratch/same --timeline $scratch/./same
expect 2 'the file of two outputs' $run --json - --timeline /dev/stdout
expect 2 'the file of two outputs' $run --json /dev/fd/1 --timeline -
expect 0 '"cycles":' $run --json /dev/fd/1
expect 2 'none.el: an input too' $warpfab run --app pagerank --graph $scratch/none.el --json $scratch/./none.el

# A byte 0 hides nothing, and nothing stands behind the end.
printf '0 1\n' | tee $scratch/el.gr >$scratch/el.wfg
expect 2 'el.gr: a file of this name begins with lines' $warpfab graph info $scratch/el.gr
expect 2 'el.wfg: a file of this name begins with the bytes WFGRAPH' $warpfab graph info $scratch/el.wfg
for more in '{}' 'x' '\0' '\0{}'; do
  { cat $scratch/a.json; printf "$more"; } >$scratch/more.json
  expect 2 'more.json:[0-9]+: not a JSON object, and nothing else' $warpfab compare $scratch/a.json $scratch/more.json
done
expect 0 'verified' $warpfab compare $scratch/a.json $scratch/a.json

# An allocation that is not checked loses what it was for. What goes into users' programs checks its own.
! grep -rnE '(^|[^_a-zA-Z])(malloc|calloc|realloc|strdup|asprintf)\(' sim --include=*.c |
  grep -vE '^sim/(base/wf_alloc|acc/include/wf_(go)?acc)\.c'
check "the simulator allocates through wf_alloc.h" $?

# An assertion whose condition is X fails; during reset none does.
cat >$scratch/x.v <<'V'
`include "wf_assert.vh"
module x;
  reg clk_i = 0, rst_ni = 0, what = `CONDITION;
  `WF_ASSERT(rule1, what, "Rule 1: it is known and true")
  initial begin
    #1 clk_i = 1;
    #1 clk_i = 0; rst_ni = `LIVE;
    #1 clk_i = 1;
    #1 $display("the end"); $finish;
  end
endmodule
V
asserted() { # asserted CODE REGEX CONDITION LIVE
  iverilog -g2012 -Irtl/common -DCONDITION=$3 -DLIVE=$4 -o $scratch/x $scratch/x.v && expect $1 "$2" vvp -n $scratch/x
}
asserted 0 "the end" "1'b1" 1
asserted 1 'FATAL.*Rule 1: it is known and true' "1'b0" 1
asserted 1 'FATAL.*Rule 1: it is known and true' "1'bx" 1
asserted 0 "the end" "1'bx" 0
finish
