#!/bin/bash
# wf_latch_words and wf_hold as `make synth` maps them, latches and clock gates of a library, do at every moment of any
# clock what their flops do: proven by induction; and a map that lets data through unheld is found.
set -u
cd "$(dirname "$0")/../.."
libs=${SHARED:-../shared}/data/libs build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); tail -n 4 "$out/log" | sed 's/^/    | /'; }
# equal MAP LIBERTY HOLDS: is the map of that library right? It has one register for what is written, or none.
equal() {
  same wf_latch_words "-chparam Width 2 -chparam Depth 3" \
    "read_verilog -sv -Irtl/common rtl/common/wf_latch_words.v" 9 "$3" "$1" "$2" "techmap -I ${1%/*} -map $1"
}
# equal_hold MAP LIBERTY: of wf_hold, at edges. Whether it holds comes from a flop.
equal_hold() {
  cat >"$out/held.v" <<'EOF'
module held (input wire clk_i, input wire hold_i, input wire in_i, output reg out_o);
  reg hold_q;
  wire out;
  always @(posedge clk_i) {hold_q, out_o} <= {hold_i, ~out};
  wf_hold #(.Width(1)) u_hold (.clk_i(clk_i), .hold_i(hold_q), .in_i(in_i), .out_o(out));
endmodule
EOF
  same held "" "read_verilog -sv -Irtl/common rtl/common/wf_hold.v $out/held.v" 1 2 "$1" "$2" "simplemap
extract -map synth/latches/hold_bit.v
techmap -D WF_HOLD -I ${1%/*} -map $1"
}
# same TOP PARAMETERS READ LATCHES FLOPS MAP LIBERTY STEPS: mapped by these it has so many of them, and is the same.
same() {
  local read="$3
hierarchy -top $1 $2
proc
flatten
opt -fast"
  cat >"$out/equal.ys" <<EOF
$read
rename -top flops
design -stash flops
$read
$8
opt -fast
select -assert-count $4 $(sed -n 's|^// latches: \(.*\)|t:\1|p' "$6" | sed 's/ / t:/') %u
select -assert-count $5 t:\$dff t:\$_DFF_P_ %u
select -clear
rename -top latches
design -stash latches
read_liberty -ignore_miss_func $7
design -copy-from flops -as flops flops
design -copy-from latches -as latches latches
miter -equiv -make_assert flops latches both
hierarchy -top both
flatten
clk2fflogic
opt -full
sat -verify -prove-asserts -set-init-zero -tempinduct -maxsteps 20
EOF
  yosys -q -s "$out/equal.ys" >"$out/log" 2>&1
}
# library NAME PATH: present, as ASAP7 in flow.sh
library() {
  [ -e "$2" ] || { echo "$1 is not there: its latches were not compared"; return; }
  local liberty map=synth/latches/$1.v
  liberty=$(LIBERTY=$2 BUILD=$build synth/library) || { bad "$1: no library"; return; }
  if equal "$map" "$liberty" 1; then echo "ok  latches of $1 do what flops do"; else bad "latches of $1"; fi
  cp "$map" "$out/unheld.v" && sed 's/open, data\[i\]/open, D[i]/' synth/latches/word.vh >"$out/word.vh"
  if cmp -s synth/latches/word.vh "$out/word.vh"; then bad "$1: nothing was changed"; fi
  if ! equal "$out/unheld.v" "$liberty" 0 && grep -q "proof did fail" "$out/log"; then
    echo "ok  $1: data that are not held are found"
  else bad "$1: data that are not held were not found"; fi
  if equal_hold "$map" "$liberty"; then echo "ok  held words of $1 do what flops do"; else bad "held words of $1"; fi
  cp "$map" "$out/open.v" && sed 's/CLK | HOLD/~CLK | HOLD/' synth/latches/hold.vh >"$out/hold.vh"
  if cmp -s synth/latches/hold.vh "$out/hold.vh"; then bad "$1: nothing was changed in hold.vh"; fi
  if ! equal_hold "$out/open.v" "$liberty" && grep -q "proof did fail" "$out/log"; then
    echo "ok  $1: words that are not held are found"
  else bad "$1: words that are not held were not found"; fi
}
library NangateOpenCellLibrary "$libs/nangate45/nangate45_typ.lib.gz"
library asap7sc7p5t "$libs/asap7"
[ $failures = 0 ] && echo "synth latches: all right" || { echo "synth latches: $failures failed"; exit 1; }
