#!/bin/bash
# Bad input gets a clear message, exit code 2, and leaves no partial file behind.
. "$(dirname "$0")/expect.sh"
g=data/debian12.mtx.gz
run="$warpfab run --app pagerank"
unit=$($warpfab list units | sed -n "1s/ .*//p") # any will do

expect 2 'usage' $warpfab
expect 2 "unknown command 'fly'" $warpfab fly
expect 2 'give one of --app' $warpfab run
expect 2 '--frobnicate: unknown option' $warpfab run --frobnicate
expect 2 '--app.*expects a value' $warpfab run --app
expect 2 'nosuch' $warpfab run --app nosuch
expect 2 'graph' $warpfab run --app pagerank
expect 2 'somewhere: no trace: expected a folder' $warpfab run --trace somewhere
expect 2 "records a unit.s ports" $run --graph $g --record x
expect 2 "go with --record" $run --graph $g --unit $unit --record-limit 5
expect 2 "not among the units" $run --graph $g --unit $unit --record x --record-unit warpdrive
expect 2 'cannot be written' $run --graph $g --unit $unit --record /nosuchfolder/x
expect 2 '/nosuchfolder/t.json: cannot be written' $run --graph $g --timeline /nosuchfolder/t.json
expect 2 'timeline.warps: no such parameter' $run --graph $g --set timeline.warps=1
expect 2 "no such unit; there are: $unit" $run --graph $g --unit warpdrive
expect 2 'named twice' $run --graph $g --unit $unit,$unit
expect 2 'neither a built-in configuration' $run --graph $g --config nosuch
expect 2 'l1.bytes=12: expected a whole number 1024' $run --graph $g --set l1.bytes=12
expect 2 'power of two' $run --graph $g --set l1.bytes=15360
expect 2 'expected KEY=VALUE' $run --graph $g --set l1.bytes
expect 2 'l1.prefetch=markov: expected none, stride, stream, ghb, imp or snake' $run --graph $g --set l1.prefetch=markov
expect 2 'l1.prefetch_degree=4: there is no prefetcher; expected l1.prefetch' $run --graph $g \
  --set l1.prefetch_degree=4
expect 2 'l1.prefetch_turn=idle: there is no prefetcher' $run --graph $g --set l1.prefetch_turn=idle
expect 2 "l2.prefetch_degree=4: there is no prefetcher; expected l2.prefetch" $run --graph $g --set l2.prefetch_degree=4
expect 2 "l2.prefetch=imp: expected none, stride, stream or ghb" $run --graph $g --set l2.prefetch=imp
expect 2 'it goes with a plain L1' $run --graph $g --set l1.prefetch=ghb --set l1.sectored=1
expect 2 'l1.allocate=late: expected miss or fill' $run --graph $g --set l1.allocate=late
expect 2 'whole, clean lines move' $run --graph $g --set l2.exclusive=1 --set l1.sectored=1
expect 2 'warpfab ptx analyse' $warpfab ptx fly
expect 2 'give one of FILE and --app' $warpfab ptx analyse
expect 2 'nosuch.ptx' $warpfab ptx analyse nosuch.ptx
expect 2 'no module of kernels' $warpfab ptx analyse --app nosuch
expect 2 "no kernel 'x'" $warpfab ptx analyse --app hbfs --kernel x
expect 2 'rows need --kernel, --grid and --block' $warpfab ptx analyse --app jac --grid 4
expect 2 'grid 4,x: expected X' $warpfab ptx analyse --app jac --kernel jac_plain --grid 4,x --block 1
expect 2 'expects a value' $warpfab ptx analyse --app jac --kernel jac_plain --grid
expect 2 'some of loops,choices,operators' $warpfab ptx analyse --app jac --relax everything
expect 2 '1 parameters given, it takes 7' $warpfab ptx analyse --app jac --kernel jac_plain --grid 4 --block 16 \
  --param u32:1
expect 2 'no such parameter' $run --graph $g --set l1.bites=16384
expect 2 "$unit.counter_bits: no such parameter" $run --graph $g --set $unit.counter_bits=8
expect 2 "$unit.counter_bits=99: expected a whole number" $run --graph $g --unit $unit --set $unit.counter_bits=99
expect 2 'cannot be written' $run --graph $g --json /nosuchfolder/x.json
expect 2 'go together' $run --graph $g --unit $unit --wave $scratch/w.fst
expect 2 'not among the units' $run --graph $g --wave $scratch/w.fst --wave-unit $unit
expect 2 '0 <= A < B' $run --graph $g --unit $unit --wave $scratch/w.fst --wave-unit $unit --wave-window 9:3
expect 2 'memory' $run --graph $g --set memory.mib=1

expect 2 '0..9223372036854775807' $run --graph $g --max-cycles 9223372036854775808
expect 2 '0..18446744073709551615' $warpfab graph info $g --seed 18446744073709551616
expect 3 'SM 0 warp [0-9]+: .* in flight$' $run --graph $g --max-cycles 10
tail -n 1 $scratch/log | grep -Eq 'in flight$|^.and more.$'; check "who waits is told by whole lines" $?

# configurations
config=sim/gpu/configs/gtx480.ini
ini() { # ini REGEX SED-SCRIPT
  sed -e "$2" $config >$scratch/c.ini
  expect 2 "$1" $run --graph $g --config $scratch/c.ini
}
line=$(sed -n '/^sms = 15/=' $config)
ini "c.ini:$((line + 1)): core.sms=16: given twice" 's/^sms = 15/&\nsms = 16/'
ini "c.ini:$((line + 1)): core.sms=16: given twice" 's/^sms = 15/&\n  16/'
ini "c.ini:$line: core.sms=999: expected a whole number" 's/^sms = 15/sms = 999/; s/^banks = .*/banks = zz/'
ini "c.ini:$line: a line of 210 bytes; expected at most 190" "s/^sms = 15/& ;$(printf '%0200d' 0)/"
ini 'c.ini:1: a byte 0; expected text' '1s/$/\x00/'
ini 'key core.sms is missing' '/^sms = 15/d'
expect 2 '/dev/zero: larger than' $run --graph $g --config /dev/zero
expect 2 'sim: cannot be read: Is a directory' $run --graph $g --config sim

# graphs
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 1\n' >$scratch/nonsquare.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 1\n' >$scratch/zero.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n' >$scratch/range.mtx
head -c 20000 $g >$scratch/cut.mtx.gz
expect 2 'cut.mtx.gz' $run --graph $scratch/cut.mtx.gz
expect 2 'nonsquare.mtx:2' $run --graph $scratch/nonsquare.mtx
expect 2 'zero.mtx:3' $run --graph $scratch/zero.mtx
expect 2 'range.mtx:3' $run --graph $scratch/range.mtx
expect 2 'nosuch.mtx' $run --graph $scratch/nosuch.mtx
expect 2 'rmat' $run --graph rmat:scale=99

# PTX
cat >$scratch/good.ptx <<'P'
.version 3.2
.target sm_35
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u32 %r1, [k_param_1];
  mov.u32 %r2, %tid.x;
  add.s32 %r3, %r1, %r2;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
P
sed 's/add.s32/frobnicate.s32/' $scratch/good.ptx >$scratch/unknown.ptx
ptx="$warpfab run --kernel k --grid 1 --block 32"
expect 0 'first words 00000005 00000006' $ptx --ptx $scratch/good.ptx --param buf:128 --param u32:5
expect 2 'unknown.ptx:11' $ptx --ptx $scratch/unknown.ptx --param buf:128 --param u32:5
expect 2 '1 parameters given, it takes 2' $ptx --ptx $scratch/good.ptx --param buf:128
expect 2 "no kernel 'nosuch'; there are: k" $warpfab run --ptx $scratch/good.ptx --kernel nosuch --grid 1 --block 32
expect 2 'a block' $warpfab run --ptx $scratch/good.ptx --kernel k --grid 1 --block 4096 --param buf:128 --param u32:5
expect 2 'expected a whole number 0..4294967295' $ptx --ptx $scratch/good.ptx --param buf:128 --param u32:x
expect 1 'good.ptx:14: kernel k.*lane 0.*0x40' $ptx --ptx $scratch/good.ptx --param u64:64 --param u32:5
expect 3 'max-cycles' $warpfab run --app pagerank --graph $g --max-cycles 100

# Numbers: as the kernel declares them, decimal or 0x.
{
  echo '.version 3.2
.target sm_35
.address_size 64'
  for t in u8 s8 s16 u16 u32 s32 u64 s64 f32 f64; do
    b=$(tr -cd 0-9 <<<"$t") r=b64
    [ $b = 64 ] || r=b32
    echo ".visible .entry t$t(.param .u64 p, .param .$t x) { .reg .b64 %rd<2>; .reg .$r %v; ld.param.u64 %rd1, [p];"
    if [ $b = 8 ] || [ $b = 16 ]; then echo "ld.param.$t %v, [x];"; else echo "ld.param.b$b %v, [x];"; fi
    echo "st.global.$r [%rd1], %v; ret; }"
  done
} >$scratch/types.ptx
typed() { # typed CODE REGEX TYPE VALUE
  expect $1 "$2" $warpfab run --ptx $scratch/types.ptx --kernel t$3 --grid 1 --block 1 --param buf:8 --param $4
}
typed 0 'words ffffffff ffffffff' u64 u64:18446744073709551615
typed 0 'words 00000000 80000000' u64 u64:9223372036854775808
typed 0 'words 00000000 80000000' u64 u64:0x8000000000000000
typed 0 'words 00000000 80000000' s64 s64:-9223372036854775808
typed 0 'words ffff8000 ' s16 s32:-32768
typed 0 'words ffffffff ' u32 s32:-1
typed 0 'words 0000000a ' u32 u32:010
typed 0 'words 7f7fffff ' f32 f32:3.4028234e38
typed 0 'words 7f800000 ' f32 f32:inf
typed 2 'for .u64 x expected a whole number 0..18446744073709551615$' u64 u64:18446744073709551616
typed 2 'for .u8 x expected a whole number 0..255$' u8 u32:-1
typed 2 'for .u8 x expected a whole number 0..255$' u8 u32:256
typed 2 'for .s16 x expected a whole number -32768..32767$' s16 s32:40000
typed 2 'for .s16 x expected a whole number 0..32767$' s16 u32:40000
typed 2 'for .u32 x expected a whole number -2147483648..2147483647$' u32 s32:2147483648
typed 2 'for .u32 x expected a whole number 0..4294967295$' u32 u32:
typed 2 'f32:1e400: expected at most 3.402e38' f32 f32:1e400
typed 2 'f32:1e39: expected at most 3.402e38' f32 f32:1e39
typed 2 'f64:-1e400: expected at most 1.797e308' f64 f64:-1e400
expect 0 'app.n *= *16|verified: ' $warpfab run --app mm --set app.n=016

# compare
echo '{"app":"x"}' >$scratch/x.json
printf '{"app": "x",\n"cycles": }\n' >$scratch/y.json
expect 2 'no number .cycles.' $warpfab compare $scratch/x.json $scratch/x.json
expect 2 'y.json:2: not a JSON object' $warpfab compare $scratch/y.json $scratch/y.json
expect 2 'cannot be read' $warpfab compare $scratch/nosuch.json $scratch/x.json
ls $scratch/*.tmp >/dev/null 2>&1 && { echo "FAIL  a temporary file is left behind"; failed=$((failed + 1)); }
finish
