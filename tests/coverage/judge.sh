#!/bin/bash
# What wf_coverage accepts and refuses, on counts of a unit made up here: each way to fall short must fail.
set -u
program=$(realpath "${BUILD:-build}")/verify/coverage/wf_coverage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -p rtl/toy build/coverage counts
failed=0
# judge WANTED_CODE TEXT WHAT: runs the report; its exit code and a text it must contain
judge() {
  local said code
  said=$("$program" report build toy counts 2>&1)
  code=$?
  [ $code -eq "$1" ] && [[ $said == *"$2"* ]] && { echo "right: $3"; return; }
  echo "WRONG: $3: exit $code, expected $1 and \"$2\" in:"
  echo "$said"
  failed=1
}
# point PAGE LINE COLUMN NAME LINES COUNT
point() {
  local s=""
  [ -n "$5" ] && s=$'\1S\2'$5
  printf "C '\1f\2rtl/x/../toy/toy.v\1l\2%s\1n\2%s\1page\2%s/toy__A1\1o\2%s%s\1h\2TOP.toy' %s\n" "$2" "$3" "$1" "$4" \
    "$s" "$6"
}
counts() {
  { echo "# SystemC::Coverage-3"
    point v_line 2 3 block 2 5
    point v_branch 3 5 if 3-4 "$1"
    point v_branch 3 6 else "" 4
    point v_toggle 1 2 'a[0]' "" 1; } >counts/toy.dat
}
lines() { printf 'module toy;\n  always @*\n    if (a)%s\n      b = 1;%s\nendmodule\n' "$1" "$2" >rtl/toy/toy.v; }
ini() { printf '[unit]\ntop = toy\n[coverage]\nrun = some/test A=1\nlimit = %s\n' "$1" >rtl/toy/unit.ini; }

ini 95; lines "" ""; counts 3
echo "situation 2" >counts/a.bins
judge 0 "100.0 % of 3 lines" "all covered"
grep -q '^ *3  *if (a)' build/coverage/toy/rtl-toy-toy.v && grep -q '"line_percent":	100' build/coverage/toy.json ||
  { echo "WRONG: annotated source or JSON"; failed=1; }
counts 0
judge 1 "too few lines" "lines below the limit"
judge 1 "missed rtl/toy/toy.v:4: NO REASON GIVEN" "missed lines are listed"
ini 30
judge 1 "no reason beside them" "missed lines without a reason"
lines " // coverage: never asked" " // coverage: never asked either"
judge 0 "2 missed with a reason" "missed lines with reasons"
lines "" " // coverage: this line only"
judge 1 "1 missed with a reason, 1 without" "a reason at a line's end is not the next one's"
ini 30; echo 'unused = toy.v: b = 1: nobody needs b' >>rtl/toy/unit.ini
lines "" ""
judge 1 "1 missed with a reason, 1 without" "the unit's reason for a shared module's line"
lines " // coverage: never asked" ""
judge 0 "missed rtl/toy/toy.v:4: nobody needs b" "the unit's reason is told"
echo 'unused = toy.v: c = 1: nobody needs c' >>rtl/toy/unit.ini
judge 1 "c = 1: no missed line has this text" "a unit's reason for no line"
ini 30
lines_above() {
  printf 'module toy;\n  always @*\n// coverage: both\n    if (a)\n      b = 1;\nendmodule\n' >rtl/toy/toy.v
}
lines_above
{ point v_line 2 3 block 2 5; point v_branch 4 5 if 4-5 0; } >counts/toy.dat
judge 0 "missed rtl/toy/toy.v:5: both" "a reason above missed lines is theirs"
sed -i "s|coverage: both|coverage: evaluated when the design is elaborated|" rtl/toy/toy.v
judge 0 "100.0 % of 1 lines" "lines of elaboration are not counted"
ini 95; lines "" ""; counts 3
echo "situation 0" >counts/a.bins
judge 1 "EMPTY" "an empty bin"
echo "situation 4" >counts/b.bins
judge 0 "1 bins, 0 empty" "bins are summed over runs"
cp counts/toy.dat counts/more.dat
judge 0 "toggles 100.0 %" "counts are summed over runs"
echo "nonsense" >>counts/more.dat
judge 2 "counts/more.dat:6: nonsense: not a coverage count" "a broken count file is named with its line"
rm counts/*.dat; echo "bin x" >counts/a.bins
judge 2 "counts/a.bins:1" "a broken bins file"
rm counts/*
judge 2 "no counts" "a folder without counts"
ini lots
judge 2 "limit = lots: expected percent" "a limit that is no number"
rm rtl/toy/unit.ini
judge 2 "toy: no unit or top module of that name" "an unknown unit"
exit $failed
