#!/bin/bash
# Units together in one GPU: every two of those there are, and all at once, with the right result, and each has done
# its work: the counter that its unit.ini names ([tests] works = ...) has counted. One that keeps loads past the L1
# ([tests] past = 1) gets one by a hint. SETS=all: every set of those that go together, too; SETS=five: all 32 sets of
# five units that stand at five places, and nothing else. MACHINE: options of the machine, for SETS=five.
. "$(dirname "$0")/expect.sh"
units=($(scripts/units list))
graph=rmat:scale=9,edges=3000
says() { sed -n "/^\[tests\]/,/^\[[^t]/s/^$2 *= *//p" "$(scripts/units ini "$1")"; } # UNIT KEY

# counted UNIT: its counter in the last run; nothing: it told none of that name.
counted() {
  sed -n '/^\t"unit":/,$p' "$scratch/r.json" |
    sed -n "/\"$1\":/,/}/s/.*\"$(says "$1" works)\":[[:space:]]*\([0-9]*\).*/\1/p" |
    head -n 1
}

# past LIST ARGUMENTS...: the option that sends the run's first load past the L1, where a unit keeps such.
past() {
  local list=$1 unit
  shift
  for unit in ${list//,/ }; do
    [ "$(says "$unit" past)" = 1 ] || continue
    rm -f "$scratch/loads.json"
    $warpfab run "$@" --unit "$list" --set probe.loads=1 --json "$scratch/loads.json" >/dev/null
    awk '/^\t"loads":/ { inside = 1 } inside && $1 == "\"kernel\":" { kernel = $2 }
      inside && $1 == "\"line\":" { gsub(/[",]/, "", kernel); print "--set ptx.cg=" kernel ":" $2 + 0; exit }' \
      "$scratch/loads.json"
    return
  done
}

# together LIST ARGUMENTS...
together() {
  local list=$1 unit
  shift
  expect 0 'verified: ' $warpfab run "$@" $(past "$list" "$@") --unit "$list" --json "$scratch/r.json"
  for unit in ${list//,/ }; do
    if [ "$(counted "$unit")" -gt 0 ] 2>/dev/null; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL  $list: $unit counts '$(counted "$unit")' $(says "$unit" works)"
    fi
  done
}

# What a GPU has once, and only one unit can take. One that may stand at either cache stands at the L1 unless told.
claims() {
  local either=none
  grep -qE '^ *\.at_l1 = ' sim/units/"$1"/*.c && either=WF_CLAIM_SLICE
  grep -ohE '\bWF_CLAIM_[A-Z0-9_]+' sim/units/"$1"/*.c | grep -vx "$either" | sort -u
}
apart() { [ -n "$(comm -12 <(claims "$1") <(claims "$2"))" ]; }

small="--app sssp --graph $graph --set app.supersteps=2 --set app.strategy=thread"
# sets_of LEAST UNIT...: every set of at least so many.
sets_of() {
  local least=$1 set i some
  shift
  for ((set = 0; set < 1 << $#; set++)); do
    some=()
    for ((i = 0; i < $#; i++)); do ((set >> i & 1)) && some+=("${@:i+1:1}"); done
    [ ${#some[@]} -lt $least ] || together "$(IFS=,; echo "${some[*]}")" ${MACHINE-} $small
  done
}
if [ "${SETS-}" = five ]; then
  expect 0 'verified: ' $warpfab run ${MACHINE-} $small
  sets_of 1 apcm dtbl mff spref teleport
  finish
  exit
fi

all=()
for ((b = 0; b < ${#units[@]}; b++)); do
  alone=1
  for ((a = 0; a < b; a++)); do
    pair="${units[a]},${units[b]}"
    if apart "${units[a]}" "${units[b]}"; then
      alone=0
      expect 2 'both take .*only one may' $warpfab run --app sssp --graph $graph --unit "$pair"
    else
      together "$pair" $small
    fi
  done
  [ $alone = 0 ] || all+=("${units[b]}")
done
[ "${SETS-}" != all ] || sets_of 3 "${all[@]}" # pairs are above
all=$(IFS=,; echo "${all[*]}")
together "$all" $small
# The place beside the L1 was apcm's: MSHRs there in its stead, with the others and with units at the L2.
for unit in mshr mshr_rich; do
  together "${all/apcm/$unit}" $small
  for other in obm gran; do
    expect 0 'verified: ' $warpfab run $small --unit "$unit,$other" --set "$other.level=l2"
  done
  together "$unit,prt,spref" $small --set l1.sectored=1 --set l1.write_keep=1
done
expect 0 'verified: ' $warpfab run --app jac --set app.rows=64 --set app.cols=64 --unit "$all"
expect 2 'named twice' $warpfab run --app pagerank --graph $graph --unit "${units[0]},${units[0]}"
finish
