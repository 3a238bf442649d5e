#!/bin/bash
# The whole flow of seeded faults on a toy counter: a good test notices them, a blind one fails the flow.
set -u
build=$(realpath "${BUILD:-build}")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/rtl/toy" "$work/out/tests/mutate" "$work/out/verify/mutate" "$work/out/models" || exit 2
ln -s "$root/tb" "$root/sim" "$root/verify" "$root/scripts" "$work/"
ln -s "$root/rtl/common" "$work/rtl/common"
cp "$root/tests/mutate/toy.v" "$work/rtl/toy/"
ln -s "$build/tests/mutate/toy" "$work/out/tests/mutate/toy"
ln -s "$build/verify/mutate/wf_mutate" "$work/out/verify/mutate/wf_mutate"
# The generator of models and Verilator's runtime, where they have been compiled.
[ ! -d "$build/bin" ] || ln -s "$build/bin" "$work/out/bin"
for runtime in "$build"/models/.runtime-*; do
  [ ! -d "$runtime" ] || ln -s "$runtime" "$work/out/models/"
done
cd "$work" || exit 2
failed=0
# ini LINES...: the toy's description with these lines in [mutate]
ini() {
  { printf '[unit]\nbench = rtl/toy\ntop = toy\nclock = clk_i\nreset = rst_ni\nsources = toy.v\ninclude = ../common\n'
    printf '[config nine]\nTop = 9\n[mutate]\n'
    printf '%s\n' "$@"; } >rtl/toy/unit.ini
}
# judge WANTED_CODE TEXT WHAT
judge() {
  local said code
  said=$(out/verify/mutate/wf_mutate run out toy 2>&1)
  code=$?
  [ $code -eq "$1" ] && [[ $said == *"$2"* ]] && { echo "right: $3"; return; }
  echo "WRONG: $3: exit $code, expected $1 and \"$2\" in:"
  echo "$said"
  failed=1
}
sample="sample = nine:20"
# Where a count above 9 would matter no test can get: those faults are equivalent.
ini "$sample" "kill = tests/mutate/toy TOY_CYCLES=60" "limit = 85"
judge 0 "by tests/mutate/toy TOY_CYCLES=60" "a test that looks notices the faults"
grep -q '"state":	"killed"' out/mutate/toy.json || { echo "WRONG: JSON"; failed=1; }
ini "$sample" "kill = tests/mutate/toy TOY_LOOK=0 TOY_CYCLES=0"
judge 1 "survived:" "a test that does nothing fails, and survivors are listed"
ini "$sample" "kill = tests/mutate/toy TOY_LOOK=0" "limit = 0"
judge 0 "mutate toy" "assertions alone notice some"
grep -q '"said":	.*netlist.v:[0-9]*: toy' out/mutate/toy.json ||
  { echo "WRONG: no assertion's text in the JSON"; failed=1; }
ini "$sample" "kill = tests/mutate/toy TOY_LOOK=0 TOY_CYCLES=0" "kill = tests/mutate/toy" "limit = 85"
judge 0 "0 by tests/mutate/toy TOY_LOOK=0" "what the first test misses goes to the next"
ini "sample = nine:1" "kill = tests/mutate/toy TOY_SPIN=1"
judge 1 "did not end" "a test that never ends has noticed nothing"
# The survivors of a test that does nothing, declared equivalent, no longer count; declared but noticed is wrong.
line=$(sed -n '/count_q + 4/s/^ *//p' rtl/toy/toy.v)
{ echo "# comment"; for l in "$line" "$(sed -n '/if (!rst_ni)/s/^ *//p' rtl/toy/toy.v)"; do
    echo "toy.v :: $l :: * :: only here, as a test"; done; } >rtl/toy/mutants.equiv
ini "$sample" "kill = tests/mutate/toy TOY_LOOK=0 TOY_CYCLES=0" "limit = 0"
judge 0 "only here, as a test" "equivalent faults are listed with their reasons"
ini "$sample" "kill = tests/mutate/toy"
judge 1 "said to be equivalent, yet noticed" "an equivalence that a test refutes fails"
# What no test reaches counts as not noticed, so that no list of these brings a unit over its limit.
list_survivors() { # REASON: what the good test leaves
  rm rtl/toy/mutants.equiv
  out/verify/mutate/wf_mutate run out toy 2>/dev/null | sed -n '/^  survived:/,/^  equivalent:/p' |
    sed -nE "s|^    nine [0-9]+: .*/([^/:]*):[0-9]+, ([^:]*): (.*)|\\1 :: \\3 :: \\2 :: $1|p" >survivors
  mv survivors rtl/toy/mutants.equiv
  [ -s rtl/toy/mutants.equiv ] || { echo "WRONG: the good test leaves nothing to list"; failed=1; }
}
ini "$sample" "kill = tests/mutate/toy TOY_CYCLES=60" "limit = 100"
list_survivors "no count gets there"
judge 0 "100.0 %" "the good test notices all that are not equivalent"
list_survivors "unreached: no count gets there"
judge 1 "where no test goes" "faults that no test reaches are told apart, and count as not noticed"
grep -q '"state":	"unreached"' out/mutate/toy.json || { echo "WRONG: no unreached fault in the JSON"; failed=1; }
judge 1 "the limit is 100 %" "and they fail the limit"
sed -i 's/:: [^:]* :: unreached/:: * :: unreached/' rtl/toy/mutants.equiv
echo "toy.v :: $line :: * :: unreached: only here, as a test" >>rtl/toy/mutants.equiv
judge 1 "said to be unreached, yet noticed" "what a test reaches is not unreached"
for reason in "unreached:no count" "Unreached: no count" "unreached : no count" "it is unreachable" "unreached:"; do
  echo "toy.v :: $line :: * :: $reason" >rtl/toy/mutants.equiv
  judge 2 "mutants.equiv:1: reason \"$reason\": expected \"unreached: WHY\"" "a reason that looks unreached: $reason"
done
# A cell is named by what is connected to it, and never by Yosys' count of cells.
ini "$sample" "kill = tests/mutate/toy TOY_LOOK=0 TOY_CYCLES=0" "limit = 0"
{ echo "toy.v :: $line :: * @ A=*count* @ B=*nothing* :: not all of them"
  echo "toy.v :: $line :: * @ A=*count* @ Y=* :: by its connections"; } >rtl/toy/mutants.equiv
judge 0 "by its connections" "a fault is named by its cell's connections, all of them"
echo "toy.v :: $line :: * @ *\$add\$toy.v:1\$12 :: by its number" >rtl/toy/mutants.equiv
judge 2 "mutants.equiv:1: a cell's number is another's" "a cell named by its number"
# Nor by a pattern that other numbers would not match, or other numbers would.
for pattern in '*[$]add[$]*:??[$]12' '*add?*:??[$]1*' '*$add$*?1?' '*$add$*:??$??' 'A=*count*' '*$add$*:*$?*'; do
  echo "toy.v :: $line :: * @ $pattern :: by its name" >rtl/toy/mutants.equiv
  case $pattern in
    A=* | *'*$?*') judge 0 "by its name" "a cell is named by $pattern" ;;
    *) judge 2 "and \"$pattern\" hangs on it" "a cell is not named by $pattern" ;;
  esac
done
echo "toy.v :: no reason" >rtl/toy/mutants.equiv
judge 2 "mutants.equiv:1: expected FILE" "a broken list of equivalents"
rm rtl/toy/mutants.equiv
ini "$sample"
judge 2 "must have sample and kill, or only seeded" "a sample without a test"
ini "seeded = tests/mutate/toy"
judge 0 "hand-written bugs only" "hand-written bugs and no sample"
ini "sample = nine" "kill = x"
judge 2 "[mutate] sample = nine: expected CONFIG:COUNT" "a sample without a count"
ini "$sample" "kill = tests/mutate/none"
judge 2 "cannot be run" "a test that is not there"
ini "sample = ten:5" "kill = tests/mutate/toy"
judge 2 "no configuration" "an unknown configuration"
ini "$sample" "kill = tests/mutate/toy"
sed -i 's/count_q + 4/count_q + 4'"'d1 + 4"'/' rtl/toy/toy.v
judge 1 "the unchanged design (fault 0 of nine) does not pass" "a design that fails without a fault"
exit $failed
