#!/bin/bash
# Hand-written bugs of a toy, whose test is a script that looks at its text: all of them, some of them, pieces that add
# up, and verdicts that the next change makes void.
set -u
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/rtl/toy" "$work/tb/toy" "$work/out" || exit 2
ln -s "$root/verify" "$root/scripts" "$work/"
ln -s "$root/rtl/common" "$work/rtl/common"
cp "$root/tests/mutate/toy.v" "$work/rtl/toy/"
cd "$work" || exit 2
printf '[unit]\ntop = toy\nsources = toy.v\n[mutate]\nseeded = looks WF_UNIT={ini}\n' >rtl/toy/unit.ini
printf '%s\n' '#!/bin/bash' '! grep -q "4.d[23]" "$(dirname "$WF_UNIT")/toy.v"' >out/looks
chmod +x out/looks
table() { printf 'toy.v | count_q + 4'"'d1"' | count_q + 4'"'d%s"' | %s\n' "$@"; }
{ echo '# comment'; table 2 two 3 three 4 four; } >tb/toy/mutants.txt
failed=0
# run WANTED_CODE TEXT WHAT [BUGS]
run() {
  local said code
  said=$(BUGS=${4-} verify/mutate/seeded out toy 2>&1)
  code=$?
  [ $code -eq "$1" ] && [[ $said == *"$2"* ]] && { echo "right: $3"; return; }
  echo "WRONG: $3: exit $code, expected $1 and \"$2\" in:"
  echo "$said"
  failed=1
}
run 1 'mutants of toy: 2 of 3 caught' "all are run, and a bug that no test notices fails"
run 1 'MISSED 4: four' "it is named" 4
rm out/mutants/*
run 0 'mutants of toy: 1 of 1 caught, of 3 in the table' "one of them" 2
run 0 'mutants of toy: 2 of 2 caught, of 3 in the table' "pieces add up" 3
grep -q '^not run 4: four' out/mutants/toy.4.result ||
  { echo "WRONG: not run"; failed=1; }
run 1 'mutants of toy: 2 of 3 caught' "the last piece, with a line without a bug in its range" 4-9
run 1 'mutants of toy: 2 of 3 caught' "a bug that was missed before fails every piece" 2-3
echo '// changed' >>rtl/toy/toy.v
run 0 'mutants of toy: 1 of 1 caught, of 3 in the table' "verdicts on other sources are void" 2
sed -i 's/three/drei/' tb/toy/mutants.txt
run 0 'mutants of toy: 2 of 2 caught, of 3 in the table' "a verdict stays while others' lines change" 3
sed -i 's/two/zwei/' tb/toy/mutants.txt
run 0 'mutants of toy: 1 of 1 caught, of 3 in the table' "not that of a line that changed" 3
for bugs in 1 5-7 x 2- 2,,3; do
  run 2 "BUGS=$bugs: expected lines of tb/toy/mutants.txt that have a bug" "refused: BUGS=$bugs" "$bugs"
done
exit $failed
