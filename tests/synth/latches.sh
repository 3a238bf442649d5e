#!/bin/bash
# wf_latch_words as `make synth` maps it, latches and clock gates of a library, does at every moment of any clock what
# its flops do: proven by induction; and a map that lets data through unheld is found.
set -u
cd "$(dirname "$0")/../.."
libs=${SHARED:-../shared}/data/libs build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); tail -n 4 "$out/log" | sed 's/^/    | /'; }
# equal MAP LIBERTY FLOPS: is the map of that library right? It has so many registers for what is written.
equal() {
  local read="read_verilog -sv -Irtl/common rtl/common/wf_latch_words.v
hierarchy -top wf_latch_words -chparam Width 2 -chparam Depth 3
proc
flatten
opt -fast"
  cat >"$out/equal.ys" <<EOF
$read
rename -top flops
design -stash flops
$read
techmap -I ${1%/*} -map $1
opt -fast
select -assert-count 9 $(sed -n 's|^// latches: \(.*\)|t:\1|p' "$1" | sed 's/ / t:/') %u
select -assert-count $3 t:\$dff t:\$_DFF_P_ %u
select -clear
rename -top latches
design -stash latches
read_liberty -ignore_miss_func $2
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
}
library NangateOpenCellLibrary "$libs/nangate45/nangate45_typ.lib.gz"
library asap7sc7p5t "$libs/asap7"
[ $failures = 0 ] && echo "synth latches: all right" || { echo "synth latches: $failures failed"; exit 1; }
