#!/bin/bash
# The spare-register unit listens to traces: our own runs, recorded and read back, show the pairs that the compiler's
# analysis of their PTX finds; machine code of four generations with known pairs; loops without any; what cannot be
# listened to; and, where it is, a trace of a real GPU.
. "$(dirname "$0")/../system/expect.sh"
value() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" $scratch/r.json | head -1; }
listen() { $warpfab run --unit spref --json $scratch/r.json --trace "$@" >$scratch/out; }
# Of a run: "PC head" and "PC tail HEAD-PC SHIFT EXTENSION", pcs in hexadecimal.
found() {
  awk 'function cut(text) { return substr(text, 1, length(text) - 1) }
    $3 == "head" {print $2, $3} $3 == "tail" {print $2, $3, cut($8), cut($10), $12}' $scratch/out
}
# The same of the compiler's analysis, whose instructions our traces put 16 bytes apart; of the kernels of form plain.
analysed() {
  $warpfab ptx analyse --app $1 | awk '
    / registers, / {other = /_(fine|swp|swpnc|ahead|unr[23]|wide[48]):/}
    other {next}
    $5 == "head" {printf "%x head\n", $1 * 16}
    $5 == "tail" {
      head = $7; sub(":", "", head)
      match($0, /\([a-z]* *v << [0-9]*/); split(substr($0, RSTART + 1, RLENGTH - 1), v, " ")
      printf "%x tail %x %s %s\n", $1 * 16, head * 16, v[4], v[1]}'
}
# What the modelled machine did; energy apart, of which the unit takes its own.
machine() {
  grep -vE '"(name|app|graph|units|verified|verdict|supersteps|seed)"' $scratch/r.json |
    awk '/^\t"(host|metrics|trace|settings|unit|units|energy_joules)":/ {skip = 1} !skip {print} /^\t[}\]]/ {skip = 0}'
}

# Timed: prefetches are sent and loads replaced, and each lane's move brings what lies at the load's own address.
moved() { # moved NAME OPTIONS...
  local name=$1
  shift
  $warpfab run --unit spref --set spref.timed=1 --json $scratch/r.json --trace $scratch/$name "$@" >$scratch/out &&
    [ "$(value replaced)" -gt 0 ] && [ "$(value moved_elsewhere_lanes)" = 0 ] &&
    [ $((20 * $(value prefetch_faults))) -lt "$(value replaced)" ]
  local right=$?
  check "$name timed: $(value cycles) cycles, $(value replaced) loads replaced, all by their own address" $right
}

small="--set l1.bytes=16384 --set l1.ways=4 --set core.shared_bytes=49152"
roundtrip() { # roundtrip APP OPTIONS...
  local app=$1 t=$scratch/t-$1
  shift
  expect 0 'verified: ' $warpfab trace write $t --config fermi16 --app $app --graph random:n=700,degree=8 "$@"
  listen $t --config fermi16 "$@"
  same "$app: the pairs of its trace are those of its PTX: $(found | tr '\n' ';')" "$(found)" "$(analysed $app)"
  [ "$(value breaks)" = 0 ] && [ "$(value drops)" = 0 ] && [ "$(value moves_head)" -gt 0 ] &&
    [ "$(value injected_head)" = "$(value moves_head)" ]
  local right=$?
  irregular=$(value breaks)
  check "$app: every lane goes on as often as was counted: $(value moves_head) moves, $irregular irregular" $right
  local heads=$(value injected_head) tails=$(value injected_tail) with
  with=$(machine)
  $warpfab run --trace $t --config fermi16 "$@" --json $scratch/r.json >/dev/null
  same "$app: cycles and traffic as without the unit" "$with" "$(machine)"
  # The RTL finds the same kinds of loads where it is told of the PTX itself.
  $warpfab run --app $app --graph random:n=700,degree=8 --config fermi16 --unit spref "$@" --json $scratch/r.json \
    >/dev/null
  [ "$heads" -gt 0 ] && [ "$(value injected_head)" -gt 0 ] && [ $((tails > 0)) = $(($(value injected_tail) > 0)) ]
  right=$?
  here="$(value injected_head) and $(value injected_tail)"
  check "$app: prefetches of heads and tails: $heads and $tails, of the PTX $here" $right
  local ptx=$(value cycles) order
  moved t-$app --config fermi16 "$@"
  local trace=$(value cycles)
  # How often values are lowered depends on the order of warps, of which a trace has one: three orders' sums.
  for order in 1 2; do
    $warpfab run --app $app --graph random:n=700,degree=8 --config fermi16 --unit spref --set sim.order=$order "$@" \
      --json $scratch/r.json >/dev/null
    ptx=$((ptx + $(value cycles)))
    $warpfab run --unit spref --set spref.timed=1 --trace $scratch/t-$app --config fermi16 --set sim.order=$order "$@" \
      --json $scratch/r.json >/dev/null
    trace=$((trace + $(value cycles)))
  done
  awk -v a=$trace -v b=$ptx 'BEGIN {exit !(a > 0.9 * b && a < 1.1 * b)}'
  check "$app timed: $trace cycles of three orders, within 10 % of the PTX's $ptx with the unit" $?
}
for app in hbfs hsssp hmst lsmst stcon; do roundtrip $app; done
for app in lsbfs lssssp; do roundtrip $app $small; done
listen $scratch/t-hbfs --config fermi16
grep -q '"verified":[[:space:]]*null' $scratch/r.json && grep -q 'a trace has addresses and no values' $scratch/r.json
check "JSON: verified is null, and why" $?
[ "$(grep -c '"role":[[:space:]]*"head"' $scratch/r.json)" = 1 ] && [ "$(value head_pc)" = 624 ] &&
  [ "$(value stride)" = 4 ] && [ "$(value strides_of_moves)" = 1 ]
check "JSON: a head, its tail's head_pc, the stride its addresses show" $?
[ "$(value rtl_edges)" -gt 100 ] && [ "$(value busy_sms)" = "$(value rtl_edges)" ]
check "its edges cost energy: $(value busy_sms)" $?
first=$(found)
for mode in spref1 spref1c; do
  listen $scratch/t-hbfs --config fermi16 --set spref.mode=$mode
  same "mode $mode: the same pairs" "$(found)" "$first"
done
listen $scratch/t-hbfs --config fermi16 --set spref.mode=off
[ "$(found)" = "" ]; check "mode off: none" $?

# ---- machine code ----

# sass NAME BINARY-VERSION TRACER-VERSION: standard input has lines "PC TEXT", those of the loop begin with +, those of
# one around it with =. Two warps, 12 iterations, 3 of the loop around. In TEXT, HEAD stands for addresses that step by
# 4, WIDE by 8, ANY for scattered ones; in the loop's line with BRA the last iteration takes nobody. A line with ! runs
# in every other lane.
sass() {
  mkdir -p $scratch/$1
  echo kernel-1.traceg >$scratch/$1/kernelslist.g
  awk -v binary=$2 -v version=$3 '
    BEGIN {
      printf "-kernel name = %s\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n", "k"
      printf "-shmem = 0\n-nregs = 20\n-binary version = %d\n", binary
      printf "-shmem base_addr = 0x00007f0001000000\n-local mem base_addr = 0x00007f0000000000\n"
      printf "-accelsim tracer version = %d\n#traces format = ...\n#BEGIN_TB\nthread block = 0,0,0\n", version
    }
    {
      outer[n + 0] = sub(/^=/, "")
      loop[n + 0] = sub(/^\+/, "")
      line[n + 0] = $0
      n++
    }
    function put(text, i, last,   mask, a, l) {
      mask = "ffffffff"
      if (last && text ~ / BRA /) mask = "00000000"
      if (sub(/^!/, "", text)) mask = "55555555"
      sub(/ /, " " mask " ", text)
      if (text ~ /HEAD/) sub(/HEAD/, sprintf("1 0x%x 256", 0x500000 + 65536 * warp + 4 * i), text)
      if (text ~ /WIDE$/ || text ~ /WIDE /)
        sub(/8 WIDE/, sprintf("8 1 0x%x 256", 0x500000 + 65536 * warp + 8 * i), text)
      if (text ~ /ANY/) {
        a = "2 0x600000"
        for (l = 1; l < 32; l++) a = a " " (x = (x * 75 + 74) % 65537) * 4 - 131072
        sub(/ANY/, a, text)
      }
      body[count++] = text (version >= 5 && text !~ / imm=/ ? " 0" : "")
      sub(/ imm=/, " ", body[count - 1])
    }
    END {
      for (warp = 0; warp < 2; warp++) {
        count = 0
        for (h = 0; h < n && !loop[h] && !outer[h]; h++) put(line[h], 0, 0)
        for (o = 0; o < (outer[h] ? 3 : 1); o++) {
          for (j = h; outer[j]; j++) put(line[j], 0, 0)
          for (i = 0; i < 12; i++) for (k = j; k < n && loop[k]; k++) put(line[k], 16 * o + i, i == 11)
          for (; outer[k]; k++) put(line[k], 0, o == 2)
        }
        for (; k < n; k++) put(line[k], 0, 0)
        printf "warp = %d\ninsts = %d\n", warp, count
        for (c = 0; c < count; c++) print body[c]
      }
      print "#END_TB"
    }' >$scratch/$1/kernel-1.traceg
}
pairs() { # pairs NAME EXPECTED [OPTION...]
  local name=$1 expected=$2
  shift 2
  listen $scratch/$name "$@"
  local rc=$?
  if [ -z "$expected" ]; then
    [ $rc = 0 ] && [ -z "$(found)" ]
    local right=$?
    check "$name: no pair" $right
  else
    same "$name: $(found | tr '\n' ';')" "$(found)" "$expected"
  fi
}
ampere() {
  cat <<'END'
0000 1 R0 S2R 0 0
0010 1 R2 IMAD.WIDE 2 R0 R10 0
0020 1 R4 IMAD.MOV.U32 2 R255 R255 0
+0100 1 R6 LDG.E.CONSTANT 1 R2 4 HEAD
+0110 1 R8 IMAD.WIDE 2 R6 R10 0
+0120 1 R8 LDG.E.CONSTANT 1 R8 4 ANY
+0130 1 R12 IADD3 3 R12 R8 R255 0
+0140 1 R4 IADD3 2 R4 R255 0
+0150 1 R2 IADD3 2 R2 R255 0
+0160 1 R3 IMAD.X 3 R255 R255 R3 0
+0170 0 ISETP.GE.AND 2 R4 R5 0
+0180 0 BRA 0 0
0190 0 EXIT 0 0
END
}
ampere | sass ampere 80 3
pairs ampere $'100 head\n120 tail 100 2 sign'
moved ampere
sass maxwell 52 3 <<'END'
0008 1 R0 S2R 0 0
+0108 1 R6 LDG.E.CI 1 R2 4 HEAD
+0110 1 R8 ISCADD 1 R6 0
+0118 1 R9 IADD.X 1 R7 0
+0128 1 R11 LDG.E.CI 1 R8 4 ANY
+0130 1 R4 IADD 1 R4 0
+0138 1 R2 IADD 1 R2 0
+0148 1 R3 IADD.X 2 R3 R255 0
+0150 0 ISETP.LT.AND 2 R4 R5 0
+0158 0 BRA 0 0
0168 0 EXIT 0 0
END
pairs maxwell $'108 head\n128 tail 108 2 none'
sass kepler 35 3 <<'END'
0008 1 R0 S2R 0 0
+0048 1 R6 LDG.E 1 R2 4 HEAD
+0050 1 R7 SHL 1 R6 0
+0058 1 R8 IADD 1 R7 0
+0060 1 R11 LDG.E 1 R8 4 ANY
+0068 1 R2 IADD 1 R2 0
+0070 1 R4 IADD32I 1 R4 0
+0078 0 ISETP.NE.AND 2 R5 R4 0
+0088 0 BRA 0 0
0090 0 EXIT 0 0
END
pairs kepler $'48 head\n60 tail 48 2 none'
# Immediates are in the trace: a shift by 3, steps of -2 down to the bound; and the loop's exit in the middle.
sass hopper 90 5 <<'END'
0000 1 R0 S2R 0 0
+0100 1 R4 VIADD 1 R4 0 imm=-2
+0110 1 R6 LDG.E.64.CONSTANT 1 R2 8 WIDE
+0120 1 R8 LEA 1 R6 0 imm=3
+0130 1 R9 LEA.HI.X 2 R6 R7 0
+0140 1 R12 LDG.E.CONSTANT 1 R8 4 ANY
+0150 1 R2 IADD3 2 R2 R255 0 imm=8
+0160 1 R3 IADD3.X 2 R3 R255 0
+0170 0 ISETP.GT.AND 2 R4 R5 0
+0180 0 BRA 0 0
0190 0 EXIT 0 0
END
pairs hopper $'110 head\n140 tail 110 3 none'
[ "$(value stride)" = 8 ]; check "hopper: the head steps by 8" $?
moved hopper

# The inner loop is entered three times by each warp, and each time its lanes go on as often as was counted.
ampere | sed 's/^0020/=&/; s/^0190.*/=0188 0 BRA 0 0\n&/' | sass nested 80 3
pairs nested $'100 head\n120 tail 100 2 sign' --set spref.mode=spref1
[ "$(value starts)" = 6 ] && [ "$(value breaks)" = 0 ] && [ "$(value injected_head)" = "$(value moves_head)" ]
right=$?
check "nested: $(value starts) starts, $(value moves_head) moves for $(value injected_head) prefetches" $right
moved nested --set spref.mode=spref1

# What is no pair, one thing changed at a time.
ampere | sed 's/\.CONSTANT//' | sass writable 80 3
pairs writable ""
grep -q 'not read-only by its opcode' $scratch/out; check "writable: says why" $?
pairs writable $'100 head\n120 tail 100 2 sign' --set spref.all_loads=1
ampere | sed 's/^+0130.*/+0130 1 R5 IADD3 3 R5 R8 R255 0/' | sass bound 80 3
pairs bound ""
grep -q 'its address steps, but the loop writes what its test compares with' $scratch/out; check "bound: says why" $?
# The bound is the second word of what is loaded in the loop.
ampere | sed 's/^+0130.*/+0130 1 R14 LDG.E.64.CONSTANT 1 R16 8 ANY/; s/^+0170.*/+0170 0 ISETP.GE.AND 2 R4 R15 0/' |
  sass bound_of_pair 80 3
pairs bound_of_pair ""
ampere | sed 's/^+0150.*/+0150 1 R2 IADD3 3 R2 R8 R255 0/' | sass variable_step 80 3
pairs variable_step ""
ampere | sed 's/^+0150/+!0150/' | sass guarded_step 80 3
pairs guarded_step ""
ampere | sed 's/^+0100.*/+0100 1 R2 LDG.E.CONSTANT 1 R2 8 ANY/; /^+0150/d; /^+0160/d' | sass chase 80 3
pairs chase ""
ampere | sed 's/^+0110.*/+0110 1 R8 LOP3.LUT 3 R6 R255 R255 0/' | sass hashed 80 3
pairs hashed "100 head"
ampere | sed 's/^+0130.*/+0130 1 R10 IADD3 3 R10 R8 R255 0/' | sass moving_base 80 3
pairs moving_base "100 head"
ampere | sed 's/^+//' | sass straight 80 3
pairs straight ""

# What it cannot listen to.
expect 2 "spref.mode=cspref: a trace comes without a compiler's table" $warpfab run --trace $scratch/ampere \
  --unit spref --set spref.mode=cspref
{
  printf 'MEMTRACE: CTX 0x0000000000000001 - LAUNCH - Kernel pc 0x0000000000000010 - Kernel name k - grid launch id 0'
  printf ' - grid size 1,1,1 - block size 32,1,1 - nregs 8 - shmem 0 - cuda stream id 0\n'
  printf 'MEMTRACE: CTX 0x0000000000000001 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E -%s\n' \
    "$(for ((i = 0; i < 32; i++)); do printf ' 0x%016x' $((0x7f0000000000 + 4 * i)); done)"
} >$scratch/mem_trace.txt
expect 0 'not verified' $warpfab run --trace $scratch/mem_trace.txt
expect 2 'grouped by thread block' $warpfab run --trace $scratch/mem_trace.txt --unit spref
expect 2 'cannot be recorded' $warpfab trace write $scratch/w --app hbfs --graph random:n=500,degree=4 --unit spref
expect 0 'head' $warpfab run --trace $scratch/ampere --unit spref --record $scratch/d.wfr --record-limit 300
expect 0 'spref paper: 300 edges, .* icarus agrees' make --no-print-directory BUILD=$build replay UNIT=spref \
  FILE=$scratch/d.wfr ENGINES="verilator icarus"

real=${SHARED:-../shared}/data/traces/accelsim-bfs-rodinia-graph4096
if [ -r $real/kernelslist.g ]; then
  # As compiled, a store may change the bound, and no array is read-only: the paper's unit finds nothing.
  listen $real --set spref.all_loads=1
  [ -z "$(found)" ] && grep -Eq ' 190 none +4670 .*its address steps, but the loop writes what its test compares with' \
    $scratch/out
  check "BFS of a real GPU: no pair, since its bound is loaded anew" $?
  # The same code with the reloads into registers of their own and two arrays read-only: 190 loads a neighbour, 1d0
  # whether it was visited.
  mkdir $scratch/real
  cp $real/kernelslist.g $scratch/real
  for f in $real/kernel-*.traceg; do
    sed -E 's/^(0290 [0-9a-f]+ 1 )R8 /\1R19 /; s/^(02a0 [0-9a-f]+ 1 )R9 /\1R20 /
      s/^(0190 [0-9a-f]+ 1 R12 LDG.E) /\1.CONSTANT /
      s/^(01d0 [0-9a-f]+ 1 R14 LDG.E.U8) /\1.CONSTANT /' $f >$scratch/real/${f##*/}
  done
  pairs real $'190 head\n1d0 tail 190 0 none'
  moved real --config rtx3070
else
  echo "SKIPPED a trace of a real GPU: there is none at $real"
fi
finish
