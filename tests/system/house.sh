#!/bin/bash
# A unit is four folders and nothing else: in copies of the tree, a new one is made and put through every kind of check,
# and each of the units there are is taken away, with what is left still building and passing. With a unit go its page
# of results and the lines of pages that name it.
#   tests/system/house.sh [new|without UNIT]...     (both, for all units)
# HOUSE=full: with what `make check` runs that units could matter to, and the demo.
. "$(dirname "$0")/expect.sh"
top=$PWD
case $build in /*) kept=$build ;; *) kept=$top/$build ;; esac
copy=$scratch/tree
[ $# -gt 0 ] || set -- new $(scripts/units list | sed 's/^/without /')

# The tree as it is, with what is built of it; models are shared.
make_copy() {
  rm -rf "$copy" && mkdir -p "$copy/build" || exit 2
  git ls-files -z -co --exclude-standard | tar -c --null -T - --ignore-failed-read 2>/dev/null | tar -x -C "$copy"
  for part in obj lib gen ptx bin verify synth/bin tb; do
    [ -e "$kept/$part" ] && mkdir -p "$(dirname "$copy/build/$part")" && cp -a "$kept/$part" "$copy/build/$part"
  done
  ln -s "$(readlink -f "$kept/models")" "$copy/build/models"
  rm -f "$copy/build/obj/sim/base/wf_home.o" # it knows the folder that it was compiled for
}
# What HOUSE=full leaves out: this test; layers below the units; what is done for each unit by itself, in its own
# folders.
below='tests/(base|mem|graph|ptx|trace|model)/.*|(coverage|mutate|synth|hostile)/.*'
below+='|style/(layout|tidy|faults)|rtl/lint|formal-quick'
left_out="^(system/(house|recorded)|$below|($(scripts/units list | paste -sd'|'))/tests)$"
in_copy="env -C $copy -u WARPFAB_BUILD BUILD=build"
make_in_copy="$in_copy make --no-print-directory -j2 BUILD=build"

new_unit() {
  make_copy
  before=$(cd "$copy" && find . -path ./build -prune -o -type f -print | grep -v '^\./Bender\.yml$' |
    sort | xargs cksum)
  expect 0 'next: make build' $in_copy scripts/new-unit foo l1
  expect 2 'is there already' $in_copy scripts/new-unit foo l1
  expect 2 'no such kind' $in_copy scripts/new-unit other l9
  expect 2 'a unit.s name' $in_copy scripts/new-unit 9lives l1
  expect 2 'a word of Verilog' $in_copy scripts/new-unit reg l1
  expect 2 'keys of the machine' $in_copy scripts/new-unit l2 l1
  expect 2 'has another use' $in_copy scripts/new-unit unit l1
  after=$(cd "$copy" && find . -path ./build -prune -o -type f -print |
    grep -v -E '^\./((rtl|tb|sim/units|tests)/foo/|Bender\.yml$)' | sort | xargs cksum)
  [ "$before" = "$after" ] && passed=$((passed + 1)) ||
    { echo "FAIL  new-unit touched other files"; failed=$((failed + 1)); }
  expect 0 'as made' $in_copy bash -c 'packaging/flows check && echo as made'
  expect 0 'rtl/foo/' grep rtl/foo/ $copy/Bender.yml
  expect 0 '' $make_in_copy build
  expect 0 '^foo ' $in_copy build/warpfab list units
  expect 0 'verified: ' $in_copy build/warpfab run --app mm --set app.n=128 --unit foo
  expect 0 'verified: ' $in_copy build/warpfab run --app mm --set app.n=128 --unit foo --set foo.bypass=1
  expect 0 '1 modules clean' $make_in_copy lint LINT_DIRS=rtl/foo/
  expect 0 'PASSED' $make_in_copy test-foo
  expect 0 'formal: 1 quick: all right' $make_in_copy formal-quick UNIT=foo
  expect 0 'caught.*free' $make_in_copy formal-selftest UNIT=foo
  expect 0 'gates agrees' $make_in_copy replay FILE=tb/foo/first.wfr ENGINES="verilator icarus gates"
  expect 0 'foo' $make_in_copy coverage UNIT=foo
  expect 0 '3 of 3 caught' $make_in_copy mutate-seeded UNIT=foo
  expect 0 'docs/results/foo.md' $make_in_copy paper-foo
  expect 0 ' 0 failed' $in_copy tests/system/defaults.sh
  expect 0 ' 0 failed' $in_copy tests/system/contract.sh
  expect 0 ' 0 failed' $in_copy tests/energy/recorded.sh
}

# without UNIT: the recorded runs are shared out among the units, in HOUSE=full each has all.
n_units=$(scripts/units list | wc -l)
without() {
  local unit=$1 ini part
  make_copy
  ini=$(scripts/units ini "$unit") || exit 2
  (cd "$copy" && rm -r "$(dirname "$ini")" "tb/$unit" "sim/units/$unit" "tests/$unit") || exit 2
  rm -rf "$copy"/build/obj/{tb,sim/units,tests}/"$unit"
  rm -f "$copy/docs/results/$unit"{,-*}.{md,svg}
  (cd "$copy" && find . -path ./build -prune -o \( -name '*.md' -o -name Bender.yml \) -print0 |
    xargs -0 sed -i -E "/\b($unit|$(basename "$(dirname "$ini")"))\b/Id") || exit 2
  if [ "${HOUSE-}" = full ]; then
    (cd "$copy" && git init -q . && git add -A . &&
      git -c user.name=house -c user.email=house commit -qm "without $unit") || exit 2
    EXPECT_S=7200 expect 0 ' 0 failed' env CHECK_WITHOUT="$left_out" HOUSE= $make_in_copy check
    grep -A8 '^FAIL' "$scratch/log" | sed 's/^/      /'
    expect 0 'cycles' $in_copy scripts/demo
  fi
  expect 0 '' $make_in_copy build
  expect 2 'no such unit' $in_copy build/warpfab run --app mm --unit "$unit"
  local nth
  nth=$(scripts/units list | grep -nxF "$unit" | cut -d: -f1)
  [ "${HOUSE-}" = full ] && part=0/1 || part=$((nth - 1))/$n_units
  expect 0 ' as recorded' $in_copy RECORDED_PART=$part tests/system/recorded.sh system
  expect 0 ' 0 failed' $in_copy tests/system/bad_input.sh
  expect 0 '' $make_in_copy mutate-seeded-check
}

while [ $# -gt 0 ]; do
  case $1 in
    new) new_unit; shift ;;
    without) without "$2"; shift 2 ;;
    *) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
finish
