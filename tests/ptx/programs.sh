#!/bin/bash
# Programs of tests/ptx/programs on the fabric, as clang compiles them at each level, against the same source
# on the host: the memory that each kernel leaves must be the same, byte for byte.
set -u
cd "$(dirname "$0")/../.." || exit
clang=${CLANG:-clang-14} warpfab=${BUILD:-build}/warpfab
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
common="-std=c++17 -ffp-contract=off -Wno-unknown-cuda-version -Itests/ptx/programs"
device="-x cuda --cuda-device-only -nocudainc -nocudalib -S --cuda-gpu-arch=sm_52"
device+=" -Xclang -target-feature -Xclang +ptx60"
passed=0 failed=0

# Words of numbers from 0 to below the second argument.
numbers() { awk -v n="$1" -v top="$2" -v seed="$3" 'BEGIN { srand(seed); for (i = 0; i < n; i++) { x = int(rand() * top)
  printf "\\x%02x\\x%02x\\x%02x\\x%02x", x % 256, int(x / 256) % 256, int(x / 65536) % 256, int(x / 16777216) } }'; }
printf "$(numbers 4096 200 1)" >"$work/small"
printf "$(numbers 4096 33554432 2)" >"$work/large"

# The host's form: buffers from the same files, each thread in turn.
on_host() { # program, call, grid, block, files of the buffers
  local n=0 f
  {
    echo "#include \"$1.cu\""
    echo 'extern "C" { void *fopen(const char *, const char *); int fclose(void *);'
    echo 'unsigned long fread(void *, unsigned long, unsigned long, void *);'
    echo 'unsigned long fwrite(const void *, unsigned long, unsigned long, void *); }'
    echo 'extern "C" void __cxa_pure_virtual() { __builtin_trap(); }'
    echo "alignas(16) static char m[5][16384];"
    echo "int main(int, char **argv) { blockDim = {$4, 1, 1}; gridDim = {$3, 1, 1};"
    for f in $5; do
      echo "{ void *f = fopen(\"$work/$f\", \"rb\"); if (f) { fread(m[$n], 1, 16384, f); fclose(f); } }"
      n=$((n + 1))
    done
    echo "for (unsigned b = 0; b < $3; b++) for (unsigned t = 0; t < $4; t++)"
    echo "{ blockIdx = {b, 0, 0}; threadIdx = {t, 0, 0}; $2; }"
    echo 'void *f = fopen(argv[1], "wb"); fwrite(m, 1, sizeof m, f); fclose(f); }'
  } >"$work/host.cc"
  # shellcheck disable=SC2086
  $clang -x c++ $common -O1 -fno-rtti -fno-exceptions "$work/host.cc" -o "$work/host" && "$work/host" "$work/host.out"
}

# program, kernel, call on the host, grid, block, files of the buffers (zero: zeros), other parameters, bytes compared
try() {
  local level k n=0 f params=() dumps=() files=()
  [ -f "$work/zero" ] || head -c 16384 /dev/zero >"$work/zero"
  on_host "$1" "$3" "$4" "$5" "$6" || exit 1
  for f in $6; do
    params+=(--param "file:$work/$f") dumps+=(--dump "$n:$work/d$n") files+=("$work/d$n")
    n=$((n + 1))
  done
  head -c $((16384 * n)) "$work/host.out" >"$work/expected"
  for k in $7; do params+=(--param "$k"); done
  for level in -O0 -O3 "-O0 -g" "-O3 -g"; do
    # shellcheck disable=SC2086
    $clang $device $common $level "tests/ptx/programs/$1.cu" -o "$work/a.ptx" || exit 1
    if "$warpfab" run --ptx "$work/a.ptx" --kernel "$2" --grid "$4" --block "$5" "${params[@]}" "${dumps[@]}" \
      >"$work/log" 2>&1 && cat "${files[@]}" | cmp - "$work/expected" >>"$work/log"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "$1 $2 $level: $(tail -1 "$work/log")"
    fi
  done
}

try recursion fibonacci 'fibonacci((int *)m[0])' 2 64 zero ""
try recursion sort 'sort((int *)m[0], 32)' 1 64 large s32:32
try recursion parity 'parity((int *)m[0])' 2 64 zero ""
try pointers by_table 'by_table((float *)m[0])' 2 64 large ""
try pointers by_choice 'by_choice((float *)m[0], 1)' 2 64 large s32:1
try pointers by_method 'by_method((float *)m[0])' 2 64 zero ""
try records mixed 'mixed((int *)m[0], (double *)m[1])' 2 96 "zero zero" ""
try kmeans nearest 'nearest((float *)m[0], (float *)m[1], (int *)m[2], 256, 16)' 4 64 \
  "large small zero" "s32:256 s32:16"
try mandelbrot mandelbrot 'mandelbrot((int *)m[0], 256, 0.01)' 4 64 zero "s32:256 f64:0.01"
try spmv csr_f32 'csr_f32((int *)m[0], (int *)m[1], (float *)m[2], (float *)m[3], (float *)m[4], 250)' 8 32 \
  "small small large large zero" s32:250
try records turn 'turn((vec *)m[0], (vec *)m[1], {{{1, 0, 2}, {0, 3, 0}, {0, 0, 4}}})' 2 32 "large zero" \
  hex:0000803f000000000000004000000000000040400000000000000000000000000000$(printf 8040)
try barriers relay 'relay((int *)m[0])' 1 128 zero ""
try barriers votes 'votes((int *)m[0])' 1 128 zero ""
try heap lists 'lists((int *)m[0], 5)' 2 64 zero s32:5

# What threads print, in their order; an assertion, a trap, and a stack that is too small end the run with code 1.
says() { # what the output must have, exit code, program, kernel, arguments
  local want=$1 code=$2 f=$3 kernel=$4 level
  shift 4
  for level in -O0 -O3; do
    # shellcheck disable=SC2086
    $clang $device $common $level "tests/ptx/programs/$f.cu" -o "$work/a.ptx" || exit 1
    "$warpfab" run --ptx "$work/a.ptx" --kernel "$kernel" --grid 1 --block 32 "$@" >"$work/log" 2>&1
    if [ $? = "$code" ] && [[ $(<"$work/log") == *"$want"* ]]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "$f $kernel $level: no '$want', or code not $code: $(head -2 "$work/log")"
    fi
  done
}
says $'thread 1 has 1,  0.25 and odd\nthread 2 has 2,  0.50 and even' 0 tell tell \
  --param iota:128 --param s32:3
says 'check: assertion `in[global_x()] < limit` failed' 1 tell check --param iota:128 --param s32:4
says 'lane 31: there is no function at 0x0' 1 pointers by_null --param iota:128
says 'the kernel executed a trap' 1 tell stop --param "file:$work/large"
says 'functions call each other too deep' 1 recursion deep --param buf:128
says 'malloc has not given that' 1 heap foreign --param buf:128
# PTX by hand: 32; 10 of v; what a function gets of local memory, 63, and 5; 4 of m. Prototypes; a switch; what has no
# effect; for sm_90, in nvcc's manner.
by_hand() { # file, block, words, parameters
  local f=$1 block=$2 words=$3
  shift 3
  if "$warpfab" run --ptx "tests/ptx/programs/$f" --kernel k --grid 1 --block "$block" "$@" 2>&1 |
    grep -q "parameter 0: .* first words $words"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$f: other words than $words"
  fi
}
by_hand old.ptx 1 '00000020 0000000a 00000044 00000004' --param buf:16
by_hand prototype.ptx 1 '0000002b 00000054 00000000 00000000' --param buf:16
by_hand narrow.ptx 32 '00000001 0000000b 00000015 0000001f' --param buf:128 --param iota:128
by_hand switch.ptx 32 '00000065 00000082 00000078 00000082' --param buf:128 --param iota:128
by_hand quiet.ptx 32 '00000001 00000002 00000003 00000004' --param buf:128 --param iota:128
by_hand hopper.ptx 32 '000001f0 00040000 00000037 00000000' --param buf:16 --param iota:128
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
