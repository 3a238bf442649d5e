#!/bin/bash
# OpenACC programs print what they print when a C compiler ignores the directives, and each region's arrays are the
# host's; every way to build the cache directive; what is not taken is an error with its place.
#   tests/acc/acc.sh [NAME...]
. "$(dirname "$0")/../system/expect.sh"
here=tests/acc/programs
[ -x "$build/warpfab-acc" ] || { echo "skip  no libclang-14-dev: warpfab-acc is not built"; exit 0; }

# The program's own lines, without the table behind them and the summary.
own() { sed -e "/^$1: [0-9]* cycles/,\$d" "$scratch/all"; }

try() { # NAME OPTIONS...: the same lines as the plain program's, and no region differs
  local name=$1
  shift
  "$warpfab" acc "$here/$name.c" "$@" >"$scratch/all" 2>"$scratch/said" || return
  grep -q '^acc: .* compared with the host.s results, 0 differ' "$scratch/said" || return
  case $name in
  *_fcw) return 0 ;; # compares with a plain program by itself: the host would run iterations one by one
  esac
  gcc -w -O1 -ffp-contract=off "$here/$name.c" -o "$scratch/plain" -lm || return
  "$scratch/plain" >"$scratch/expected" || return
  own "$name" | cmp - "$scratch/expected"
}
tried() {
  try "$@"
  check "$*" $? || { tail -n 3 "$scratch/said"; own "$1" | diff - "$scratch/expected" | head -n 4; }
}

names=$*
if [ -n "$names" ]; then
  for name in $names; do tried "$name"; done
  finish
  exit
fi
for name in "$here"/*.c; do tried "$(basename "$name" .c)"; done

for way in --cache=off --cache=rbc "--cache=rbc --write=back" --write=back --width=sync --scope=communicating \
  --share=thread --check --cache=auto --cache=ehc "--cache=ehc --entries=4"; do
  # shellcheck disable=SC2086
  tried stencil_cache $way
  # shellcheck disable=SC2086
  tried jacobi_cache $way
done
tried gemm_cache --width=fixed
tried nbody_cache -DFCW
tried gemm_cache -DFCW
for name in dyadic hotspot pathfinder exchange tile; do tried ${name}_fcw --check; done
tried hotspot_fcw -DPLAIN
tried dyadic_fcw -DPLAIN
expect 0 "cache\(a\[i:1\]\[l:16\], b\[l:16\]\[j:1\]\) is found for this loop" \
  "$warpfab" acc $here/gemm_cache.c --cache=auto -DN=128
expect 2 "a power of two from 1 to 4096" "$warpfab" acc $here/stencil_cache.c --cache=ehc --entries=25
expect 2 "writes through" "$warpfab" acc $here/stencil_cache.c --cache=ehc --write=back
expect 1 "more than 49152 bytes" "$warpfab" acc $here/stencil_cache.c --cache=ehc --entries=256
expect 1 "--width=fixed needs iterations that fill whole thread blocks" \
  "$warpfab" acc $here/jacobi_cache.c --width=fixed

# given TEXT: a program of that text
given() { printf '%b' "$1" >"$scratch/p.c"; }
head='#include <stdio.h>\nint n; static float a[64], f[64], m[32][32], *p, **q;\nstruct { float *v; } z;\n'
main=$head'int main(void) {\n  int i;\n  float s = 0;\n'

# What the comparison is for.
end='  return 0;\n}\n'
given "$main"'#pragma acc parallel loop independent\n  for (i = 1; i < 64; i++) a[i] = a[i - 1] + 1;\n'"$end"
expect 1 "element [0-9]+ of 'a' differs from the host's" "$warpfab" acc "$scratch/p.c"
expect 0 "p: [0-9]+ cycles" "$warpfab" acc "$scratch/p.c" --no-compare
given "$main"'#pragma acc parallel loop copyin(p[0:8])\n  for (i = 0; i < 8; i++) a[i] = p[i];\n'"$end"
expect 1 "p" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 8; i++) a[i] = p[i];\n'"$end"
expect 1 "p.c:7: p: is not on the device; move it by a data clause" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 60; i++) {\n#pragma acc cache(a[i:2])\n'\
'    for (int k = 0; k < 3; k++) s = a[i + k];\n  }\n'"$end"
expect 1 "an access to 'a' is not in the range that the directive promises" "$warpfab" acc "$scratch/p.c" --check

given "$main"'#pragma acc parallel loop vector(8)\n  for (i = 0; i < 56; i++) {\n'\
'#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0])\n'\
'    { a[i] = a[i + 1] + i; }\n  }\n'"$end"
expect 1 "fcw: an access to 'a' is not in the range" "$warpfab" acc "$scratch/p.c" --check
given "$main"'#pragma acc parallel loop vector(8)\n  for (i = 0; i < 56; i++) {\n'\
'#pragma acc fcw CHANNEL_WB(a[i:0:0])\n'\
'    { a[i] = a[i] + i; }\n  }\n'"$end"
expect 1 "p.c:7: element 0 of 'a' differs from the host's: 0 instead of -?nan" "$warpfab" acc "$scratch/p.c"
for words in '2 * i:0:1' 'i:1:0' '62 - i:0:0'; do
  given "$main"'#pragma acc parallel loop vector(8)\n  for (i = 30; i > 0; i -= 2) {\n'\
"#pragma acc fcw FETCH_ONLY(a[$words])\n    { f[i] = a[${words%%:*}] + 1; }\n  }\n$end"
  case $words in
  6*) expect 1 "fcw: an access to 'a' is not in the range" "$warpfab" acc "$scratch/p.c" --check ;;
  *) expect 0 "regions compared with the host's results, 0 differ" "$warpfab" acc "$scratch/p.c" --check ;;
  esac
done
given "$main"'#pragma acc parallel loop vector(8)\n  for (i = 1; i < 30; i++) {\n'\
'#pragma acc cache(m[i - 1:3][i:2])\n    { f[i] = m[i - 1][i + 1] + m[i + 1][i]; }\n  }\n'"$end"
expect 0 "regions compared with the host's results, 0 differ" "$warpfab" acc "$scratch/p.c" --check
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 8; i++) { float v[2] = {i, 2 * i}; f[i] = v[1]; }\n'"$end"
expect 0 "regions compared with the host's results, 0 differ" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < 60; i++) {\n#pragma acc cache(a[i+6:2])\n'\
'    for (int k = 6; k < 8; k++) s = a[i + k];\n  }\n'"$end"
expect 1 "cache: the range of 'a' leaves the array" "$warpfab" acc "$scratch/p.c" --check
given "$main"'  float *b = a + 1;\n#pragma acc kernels copy(a)\n  for (i = 0; i < 8; i++) { b[i] = a[i]; }\n'"$end"
expect 1 "p.c:8: .*'[ab]' are of one array, and the loop sets one" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 0; i < n; i *= 2) a[i] = 1;\n'"$end"
expect 0 "p: 0 cycles" "$warpfab" acc "$scratch/p.c"
given "$main"'n = 5;\n#pragma acc parallel loop\n  for (i = 0; i < n; i *= 2) a[i] = 1;\n'"$end"
expect 1 "p.c:8: loop: multiplied or divided by its step it does not come to its limit" "$warpfab" acc "$scratch/p.c"
given "$main"'n = -1;\n#pragma acc parallel loop\n  for (i = 0; i < 5; i += n) a[i] = 1;\n'"$end"
expect 1 "p.c:8: loop: its step is not above 0" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop\n  for (i = 1; i < 60; i++) {\n    if (i > 3) {\n#pragma acc cache(a[i-1:3])\n'\
'      { s = a[i - 1] + a[i + 1]; }\n    }\n  }\n'"$end"
expect 0 "p.c:10:1: note: cache is ignored here: threads of a block part in line 9" "$warpfab" acc "$scratch/p.c"
cat >"$scratch/p.c" <<'PROGRAM'
#include <openacc.h>
#include <stdio.h>
static int a[10], b[10];
int main(void) {
  acc_init(acc_device_default);
  acc_set_device_num(0, acc_device_nvidia);
  acc_copyin(a, sizeof a);
  int *d = acc_malloc(40);
  printf("%d%d", acc_is_present(a, sizeof a), acc_is_present(b, sizeof b));
#pragma acc parallel loop present(a) deviceptr(d)
  for (int i = 0; i < 10; i++) a[i] = i, d[i] = 3 * i;
  acc_memcpy_from_device(b, d, 40);
  acc_update_self(a, sizeof a);
  acc_delete(a, sizeof a);
  acc_free(d);
  printf(" %d %d\n", a[9], b[9]);
  return 0;
}
PROGRAM
expect 0 "^10 9 27$" "$warpfab" acc "$scratch/p.c"
expect 0 "1 on memory of no data clause not compared" "$warpfab" acc "$scratch/p.c"

given "$main"'#ifdef _OPENACC\n#pragma acc parallel loop\n#endif\n  for (i = 0; i < 8; i++) a[i] = _OPENACC;\n'\
'  printf("%g\\n", a[7]);\n'"$end"
expect 0 "acc: 1 compute regions compared" "$warpfab" acc "$scratch/p.c"
expect 0 "^201711" "$warpfab" acc "$scratch/p.c"

# refused PLACE TEXT STATEMENTS: exit code 2, and the message with its place
refused() {
  given "$main$3\n  return 0;\n}\n"
  expect 2 "p.c:$1: .*$2" "$warpfab" acc "$scratch/p.c"
}
loop='  for (i = 0; i < 8; i++)'
refused 7:27 "clause 'cpoy' is not supported" "#pragma acc parallel loop cpoy(a)\n$loop a[i] = 0;"
refused 7:13 "directive 'paralel' is not supported" "#pragma acc paralel loop\n$loop a[i] = 0;"
refused 8:10 "clause 'dtype' is not supported" "#pragma acc parallel loop \\\\\n         dtype(2)\n$loop a[i] = 0;"
refused 7:18 "clause 'collapse' does not belong to 'data'" "#pragma acc data collapse(2)\n  { }"
refused 7:32 "how much of 'p' is moved is not said" "#pragma acc parallel loop copy(p)\n$loop p[i] = 0;"
refused 7:38 "'\]' is missing" "#pragma acc parallel loop copy(p[0:8)\n$loop p[i] = 0;"
refused 7:32 "'b' is no variable" "#pragma acc parallel loop copy(b[0:8])\n$loop a[i] = 0;"
refused 7:41 "is an array|is start|\[start:length\]" "#pragma acc parallel loop copy(p[0:8],a[0:1:2])\n$loop a[i] = 0;"
refused 8:27 "'s' goes from one iteration to the next" "#pragma acc parallel loop\n$loop s += a[i];"
refused 7:38 "the operator is one of" "#pragma acc parallel loop reduction(-:s)\n$loop s += a[i];"
refused 8:3 "its step is none of" "#pragma acc parallel loop\n  for (i = 1; i < 8; i ^= 2) a[i] = 0;"
refused 8:3 "its step leads away" "#pragma acc parallel loop\n  for (i = 1; i < 8; i /= 2) a[i] = 0;"
refused 10:5 "a vector loop's step by" \
  "#pragma acc parallel loop gang\n$loop {\n#pragma acc loop vector\n"\
"    for (int j = 1; j < 8; j *= 2) a[j] = i;\n    a[0] = i;\n  }"
refused 10:34 "'n' goes from one iteration of a vector loop to the next" \
  "#pragma acc parallel loop gang private(n)\n$loop {\n#pragma acc loop vector\n"\
"    for (int j = 1; j < 8; j++) {n++; a[j] = n;}\n    a[0] = n;\n  }"
refused 9:22 "sets memory and 'n' at once; write two" \
  "#pragma acc parallel loop gang private(n)\n$loop {n = 0;\n              a[i] = n++;\n"\
"#pragma acc loop vector\n    for (int j = 1; j < 8; j++) a[j] = n;\n  }"
refused 8:29 "'s' is set in the loop and used behind it" \
  "#pragma acc kernels\n$loop { s = a[i]; a[i] = s + 1; }\n  return s;"
refused 9:5 "a data region is left from within" "#pragma acc data copy(a)\n  {\n    return 1;\n  }"
refused 7:34 "use_device\(s\): names of arrays" "#pragma acc host_data use_device(s)\n  { }"
refused 7:1 "host_data without use_device" "#pragma acc host_data\n  { }"
refused 7:23 "clause 'copyout' does not belong to 'host_data'" "#pragma acc host_data copyout(a)\n  { }"
refused 7:28 "'s' is a single value" "#pragma acc declare create(s)"
refused 7:21 "clause 'deviceptr' does not belong to 'declare'" "#pragma acc declare deviceptr(p)"
refused 9:1 "fcw: threads of a block part in line 8" \
  "#pragma acc parallel loop\n$loop if (i > 2) {\n#pragma acc fcw FETCH_ONLY(a[i:0:0])\n    { s = a[i]; }\n  }"
refused 11:18 "outside of macros" \
  "#define A(i) a[i]\n#pragma acc parallel loop\n$loop {\n#pragma acc cache(a[i:1])\n    { n = i; s = A(i); }\n  }"
refused 8:39 "its variable is set in its body" "#pragma acc parallel loop\n$loop { a[i] = 1; i++; }"
refused 8:29 "a static variable in a compute region" "#pragma acc parallel loop\n$loop { static int c; a[i] = c++; }"
refused 8:27 "reduction of 'a': only numbers are" "#pragma acc parallel loop reduction(+:a)\n$loop a[0] += i;"
refused 8:3 "its condition is none of" "#pragma acc parallel loop\n  for (i = 1; i != 8; i++) a[i] = 0;"
refused 8:3 "its step leads away" "#pragma acc parallel loop\n  for (i = 1; i < 8; i--) a[i] = 0;"
refused 8:39 "a parallel loop is left from within" "#pragma acc parallel loop\n$loop { if (a[i]) break; }"
refused 8:27 "'q' is of a type that is not moved" "#pragma acc parallel loop\n$loop q[i][0] = 1;"
refused 8:27 "'z' is of a type that is not moved" "#pragma acc parallel loop\n$loop z.v[0] = 1;"
refused 8:34 "'getchar' is called in a compute region" "#pragma acc parallel loop\n$loop a[i] = getchar();"
refused 7:1 "'loop' is followed by a for loop" "#pragma acc parallel loop\n  s = 1;"
refused 8:5 "a variable between the loops" "#pragma acc kernels\n  { int k = 3;\n $loop a[i] = k; }"
refused 8:3 "collapse: not so many loops" "#pragma acc parallel loop collapse(2)\n$loop a[i] = 1;"
refused 7:1 "'atomic' stands outside" "#pragma acc atomic\n  i += 3;"
refused 8:1 "'fcw' stands outside" "$loop\n#pragma acc fcw FOO(a[i:0:0])\n    { a[i] = 1; }"
refused 7:1 "'fcw_barrier' stands outside" "#pragma acc fcw_barrier"
refused 10:5 "atomic capture: the statement is none of" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc atomic capture\n    a[i] = 1;\n  }"
refused 7:27 "collapse.4.: 1 to 3 loops" "#pragma acc parallel loop tile(2,2,2,2)\n$loop a[i] = 0;"
refused 9:1 "'update' stands inside" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc update host(a)\n    a[i] = 1;\n  }"
refused 9:19 "a range of 'cache' is a\[start:length\]" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc cache(a[i:0:0])\n    a[i] = 1;\n  }"
refused 9:16 "the types are FETCH_ONLY" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc fcw FETCH(a[i:0:0])\n    { s = a[i]; }\n  }"
refused 10:7 "FETCH_ONLY only reads" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc fcw FETCH_ONLY(a[i:0:0])\n    { a[i] = 1; }\n  }"
refused 10:20 "set under a condition and used again" \
  "#pragma acc parallel loop\n$loop {\n"\
"#pragma acc fcw FETCH_CHANNEL(a[i:0:0])\n    { if (i > 3) { a[i] = 1; s = a[i]; } }\n  }"
refused 10:18 "'a' is in shared memory here, and in a subscript of 'a' as well" \
  "#pragma acc parallel loop\n$loop {\n#pragma acc cache(a[i:1])\n    { s = a[(int)a[i]]; }\n  }"
refused 8:1 "'parallel' stands inside of a compute region" \
  "#pragma acc kernels\n#pragma acc parallel loop\n$loop a[i] = 1;"
refused 9:1 "'parallel' stands inside of a compute region" \
  "#pragma acc kernels\n  {\n#pragma acc parallel loop\n$loop a[i] = 1;\n  }"
refused 7:3 "expected expression" "  )"
given "$head"'#pragma acc declare copyout(a)\nint main(void) {\n  return 0;\n}\n'
expect 2 "p.c:4:21: declare copyout\(...\) outside of functions" "$warpfab" acc "$scratch/p.c"
given "$head"'#pragma acc declare create(a)\nint other(void) {\n  return 0;\n}\n'
expect 2 "p.c:4:1: declare outside of functions is done when main" "$warpfab" acc "$scratch/p.c"
given "$head"'static int at(int i) { return n + i; }\nint main(void) {\n  int i;\n#pragma acc parallel loop\n'\
''"$loop a[i] = at(i);\n$end"
expect 2 "p.c:8:34: a function that is called here uses 'n', a variable outside" "$warpfab" acc "$scratch/p.c"
given "$head"'static long double q2[4];\nint main(void) {\n  int i;\n#pragma acc parallel loop\n'\
'  for (i = 0; i < 4; i++) q2[i] = i;\n'"$end"
expect 2 "p.c:8:27: 'q2' is of a type that is not moved to the device .long double" "$warpfab" acc "$scratch/p.c"
printf '#pragma acc parallel loop\n' >"$scratch/p.h"
given '#include "p.h"\nint main(void) {\n  return 0;\n}\n'
expect 2 "p.h:1:1: directives of included files are not taken" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop copy(a[60:5])\n'"$loop a[i] = 0;\n$end"
expect 1 "p.c:7: a: .60:5. is not in its 64 elements" "$warpfab" acc "$scratch/p.c"
given "$main"'#pragma acc parallel loop copy(p[0:n-1])\n'"$loop p[i] = 0;\n$end"
expect 1 "p.c:7: p: a range of less than no elements" "$warpfab" acc "$scratch/p.c"
expect 2 "no FILE.c" "$warpfab" acc
expect 2 "nothere.c" "$warpfab" acc nothere.c
expect 2 "unknown|not an option|is not" "$warpfab" acc $here/scan.c --nonsense

# What is emitted compiles by itself, and is the whole program.
"$warpfab" acc $here/histogram.c --emit "$scratch/kept" >/dev/null 2>&1 &&
  [ -s "$scratch/kept/histogram.cu" ] && ! grep -q 'pragma acc' "$scratch/kept/histogram.c"
check "--emit keeps both files, without directives" $?

# Directives with a letter gone or another in its place: a result or a message, and no crash.
broken=0
mkdir -p "$scratch/out"
for seed in $(seq 1 40); do
  awk -v seed="$seed" '
    BEGIN { srand(seed); letters = "([:,]) x0#" }
    /#pragma acc/ && rand() < 0.5 {
      at = 9 + int(rand() * length($0))
      $0 = substr($0, 1, at) substr(letters, 1 + int(rand() * 10), int(rand() * 2)) substr($0, at + 2)
    }
    { print }' $here/jacobi_cache.c >"$scratch/p.c"
  "$build/warpfab-acc" "$scratch/p.c" -o "$scratch/out" >"$scratch/log" 2>&1
  case $? in 0 | 2) ;; *) broken=$((broken + 1)) && cp "$scratch/p.c" "$build/acc-broken-$seed.c" ;; esac
done
same "40 files with broken directives" "$broken crashes" "0 crashes"
finish
