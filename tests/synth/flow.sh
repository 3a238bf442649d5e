#!/bin/bash
# The synthesis flow on test pieces whose answers are known, and on bad input.
set -u
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); sed 's/^/    | /' "$out/log" | tail -n 8; }
synth() { BUILD=$build synth/synth "$@" >"$out/log" 2>&1; }

# expect CODE TEXT WHAT COMMAND...: exit code and a piece of the message
expect() {
  local code=$1 text=$2 what=$3
  shift 3
  "$@"
  local got=$?
  [ $got = "$code" ] || { bad "$what: exit $got, expected $code"; return; }
  grep -q -e "$text" "$out/log" || { bad "$what: no \`$text' in the message"; return; }
  echo "ok  $what"
}
# value FILE PATH: a number of a result
value() { awk -v key="${2##*.}" '$0 ~ "^\t+\"" key "\":" { gsub(/[^0-9.]/, "", $2); print $2; exit }' "$1"; }
equal() { [ "$1" = "$2" ] && echo "ok  $3" || bad "$3: $1, expected $2"; }

expect 2 "nothere: no unit or top module of that name" "unknown unit" synth nothere paper
expect 2 "no configuration \`nothere'" "unknown configuration" synth wf_fifo nothere
expect 2 "no such file" "missing library" env LIBERTY=/nothere.lib BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
expect 2 "Makefile:1:.*a Liberty file" "a library that is none" env LIBERTY=Makefile BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
echo 'library (x) { time_unit : "1ns"; cell (INV) { area : 1;' >"$out/cut.lib"
expect 2 "cut.lib:2: the file ends" "a library cut short" env LIBERTY="$out/cut.lib" BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
expect 2 "expected picoseconds" "a period that is no number" env CLOCK_PS=fast BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
expect 2 "expected NAME=NUMBER" "malformed parameters" synth wf_fifo ram8 "Depth"
expect 2 "NotThere" "unknown parameter" synth wf_fifo ram8 "NotThere=3"
expect 2 "no RAM prices" "unknown source of prices" env RAM_SOURCE=x BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"

expect 1 "banks.g_array.word_q holds 2048 bits" "2 kbit array refused" synth tests/synth/rtl/banks.ini array
expect 1 "banks.genblk1.g_vector.word_q holds 2048 bits" "2 kbit vector refused" synth tests/synth/rtl/banks.ini vector
expect 1 "banks.genblk1.g_registers.g_word\[\].word_q holds 2048 bits" "2 kbit of registers refused" synth \
  tests/synth/rtl/banks.ini registers
expect 1 "gives 769 bits of RAM for ram8, the design has 768" "storage formula" synth \
  tests/synth/rtl/wrong_formula.ini ram8
expect 0 "in flops: banks.g_array.word_q, 1088 bits: this test wants" "more with a reason" synth \
  tests/synth/rtl/banks_allowed.ini over

gpu_rows() { # TEXT: a description with these lines in its [synth]
  sed "s|^ram_bits.*|$1|; s|\.\./\.\./\.\.|$(realpath --relative-to="$out" .)|" \
    tests/synth/rtl/wrong_formula.ini >"$out/gpu.ini"
}
for row in "4 x Depth+1:expected PLACES x BITS, or COPIES of" "4 flops:expected PLACES x BITS" \
  "4 x 10 of 3 RAM:expected PLACES x BITS" \
  "0 x 4 RAM:1 of 0 places of 4 bits" "4 x Nothing RAM:Nothing"; do
  gpu_rows "gpu.queue = ${row%%:*}"
  expect 2 "${row#*:}" "what the GPU keeps: ${row%%:*}" synth "$out/gpu.ini" ram8
done
for row in nothing:60 wf_fifo:90 wf_fifo; do
  gpu_rows "tight = $row"
  expect 2 "tight = $row: expected MODULE:PERCENT" "a module mapped to less: $row" synth "$out/gpu.ini" ram8
done
flexcl=$(realpath --relative-to="$out" rtl/flexcl)
sed -e "s|^period_ps.*|tight = wf_counters:60|; s|^sources = |&$flexcl/|; s|^library = \.|library = $flexcl|" \
  -e "s|\.\./common|$flexcl/&|" rtl/flexcl/unit.ini >"$out/tight.ini"
expect 2 "tight = wf_counters:60: expected MODULE:PERCENT" "a dissolved module is not mapped by itself" \
  synth "$out/tight.ini" paper
gpu_rows "tight = wf_fifo:50"
KEEP=1 expect 0 "json written" "a module mapped to less" synth "$out/gpu.ini" ram8
equal "$(grep -c "map-50.abc wf_fifo$" "$build/synth/gpu-ram8@180nm.work/flow.ys")" 1 "half of the period is its own"
rm -rf "$build/synth/gpu-ram8@180nm.work"
gpu_rows "gpu.queue = 4 x Width + 1 flops\ngpu.table = 2 of 256 x 5 RAM\ngpu.finds = 4 x 10 compare"
expect 0 "in the GPU: table *512 " "what the GPU keeps is priced" synth "$out/gpu.ini" ram8
expect 0 "in the GPU: finds *4 " "what it compares is priced" synth "$out/gpu.ini" ram8
equal "$(sed -n 's/.*in the GPU: queue *4 *[0-9]* *\([0-9]*\) .*/\1/p' "$out/log")" 388 "flops that the GPU keeps"

expect 0 "json written" "1 kbit in flops is allowed" synth tests/synth/rtl/banks.ini fits
equal "$(value "$build/synth/banks-fits.json" flops)" 1024 "flops of a 128 x 8 array"
expect 0 "json written" "FIFO in RAM" synth wf_fifo ram8
fifo=$build/synth/wf_fifo-ram8.json
# head and tail 3 bits each, count 4, one valid flop of the output register
equal "$(value "$fifo" flops)" 11 "flops of wf_fifo ram8"
equal "$(value "$fifo" memory_bits)" 768 "RAM bits of wf_fifo ram8"
awk "BEGIN { exit !($(value "$fifo" logic_um2) > 1000 && $(value "$fifo" logic_um2) < 20000) }" &&
  echo "ok  area of wf_fifo ram8" || bad "area of wf_fifo ram8: $(value "$fifo" logic_um2) um2"
# Loads in the wrong unit made this 5 MHz once.
awk "BEGIN { exit !($(value "$fifo" clock.mhz) > 100 && $(value "$fifo" clock.mhz) < 2000) }" &&
  echo "ok  clock of wf_fifo ram8" || bad "clock of wf_fifo ram8"
# RAM leaks many times what logic does, and must not swallow it.
leaks() { sed -n "s/.*\"$1\":[[:space:]]*\([-+.e0-9]*\).*/\1/p" "$fifo" | head -n 1; }
awk "BEGIN { logic = $(leaks logic_leakage_mw); rest = $(leaks leakage_mw) - $(leaks memory_leak_mw) - logic
  exit !(logic > 0 && rest < 1e-4 && rest > -1e-4) }" &&
  echo "ok  leakage of wf_fifo ram8" || bad "leakage of wf_fifo ram8: $(leaks logic_leakage_mw) mW of logic"
cp "$fifo" "$out/first.json"
synth wf_fifo ram8
cmp -s "$fifo" "$out/first.json" && echo "ok  the same result again" || bad "two runs differ"
# A library in two files, each with some of the cells, is the library; other units are refused.
osu=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
cells() {
  awk -v from="$1" -v to="$2" '/^cell *\(/ { n++ } !n || (n >= from && n <= to); END { if (n > to) print "}" }' "$osu"
}
mkdir "$out/halves"
cells 1 20 >"$out/halves/a.lib" && cells 21 99 | gzip >"$out/halves/b.lib.gz"
for library in "$out/halves" "$out/halves/a.lib $out/halves/b.lib.gz"; do
  LIBERTY=$library synth wf_fifo ram8
  cmp -s "$fifo" "$out/first.json" && echo "ok  a library in two files" || bad "a library in two files: $library"
done
sed -i 's/time_unit *: *"1ns"/time_unit : "1ps"/' "$out/halves/a.lib"
expect 2 "a.lib:[0-9]*: time_unit 1ps is not that of" "files of two libraries" env LIBERTY="$out/halves/b.lib.gz \
  $out/halves/a.lib" BUILD="$build" bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
expect 2 "a second one, the first is in .*a.lib" "a cell in two files" env LIBERTY="$out/halves/a.lib \
  $out/halves/a.lib" BUILD="$build" bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
mkdir "$out/none"
expect 2 "no .lib or .lib.gz in that folder" "a folder without libraries" env LIBERTY="$out/none" BUILD="$build" \
  bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"

[ -s "$build/synth/wf_fifo-ram8.svg" ] && echo "ok  picture" || bad "no picture"

printf 'before\n\n<!-- zeal: made by hand -->\nafter\n<!-- end of zeal -->\n' >"$out/page.md"
"$build/synth/bin/synth_table" --page "$out/page.md" "$fifo" 2>"$out/log" && grep -q '| `ram8` |' "$out/page.md" &&
  cp "$out/page.md" "$out/once.md" &&
  "$build/synth/bin/synth_table" --page "$out/page.md" "$fifo" && cmp -s "$out/page.md" "$out/once.md" &&
  grep -q '^after$' "$out/page.md" &&
  echo "ok  table in a page, twice the same" || bad "table in a page"
sed -i '/end of synthesis/d' "$out/page.md"
expect 2 "no line" "a page with a section that does not end" bash -c '"$0" --page "$1" "$2" >"$3" 2>&1' \
  "$build/synth/bin/synth_table" "$out/page.md" "$fifo" "$out/log"

# The netlist equals the RTL; with one gate exchanged it does not.
KEEP=1 EQUIV=1 FLATTEN=1 expect 0 "^closed  wf_fifo-ram8" "netlist equals RTL" env KEEP=1 EQUIV=1 FLATTEN=1 \
  BUILD="$build" bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
work=$build/synth/wf_fifo-ram8@180nm.work
sed -i '0,/NOR2X1/s//NAND2X1/' "$work/netlist.v"
yosys -q -s "$work/equiv.ys" >"$out/log" 2>&1
grep -q 'Found a total of [1-9][0-9]* unproven' "$work/equiv.txt" && echo "ok  an exchanged gate is found" ||
  bad "an exchanged gate is not found"
rm -rf "$work"

# ASAP7, five files with outputs of flops inverted: as many flops, and areas and clock of 7 nm, where it is present.
libs=${SHARED:-../shared}/data/libs
if [ -d "$libs/asap7" ]; then
  LIBERTY=$libs/asap7 expect 0 "asap7sc7p5t (7 nm)" "a library in five files" synth wf_fifo ram8
  fifo=$build/synth/wf_fifo-ram8@7nm.json
  equal "$(value "$fifo" flops)" 11 "flops of wf_fifo ram8 in ASAP7"
  awk "BEGIN { exit !($(value "$fifo" logic_um2) > 5 && $(value "$fifo" logic_um2) < 50) }" &&
    awk "BEGIN { exit !($(value "$fifo" clock.mhz) > 1500 && $(value "$fifo" clock.mhz) < 9000) }" &&
    echo "ok  area and clock in ASAP7" ||
    bad "ASAP7: $(value "$fifo" logic_um2) um2, $(value "$fifo" clock.mhz) MHz"
  expect 0 "^closed  wf_fifo-ram8" "netlist in ASAP7 equals RTL" env LIBERTY="$libs/asap7" EQUIV=1 FLATTEN=1 \
    BUILD="$build" bash -c 'synth/synth wf_fifo ram8 >"$0" 2>&1' "$out/log"
else
  echo "SKIPPED a library in five files: no $libs/asap7"
fi

expect 0 "^SKIPPED prices: no /nothere" "prices without the library" env SHARED=/nothere bash -c \
  'synth/prices >"$0" 2>&1' "$out/log"

# The committed RAM prices follow from the tables they were fitted to, where these are present.
if [ -f "$libs/cacti/cacti_table.csv" ]; then
  "$build/synth/bin/ram_fit" "$libs"/cacti/*.csv "$libs/nangate45/fakeram" "$libs/asap7/README.md" \
    >"$out/table.csv" 2>"$out/log" &&
    cmp -s "$out/table.csv" synth/ram_table.csv &&
    echo "ok  RAM prices" || bad "synth/ram_table.csv is not what the tables give (make synth-fit)"
else
  echo "SKIPPED fit of the RAM prices: no $libs/cacti"
fi
[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
