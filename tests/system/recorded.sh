#!/bin/bash
# Regression over recorded counters: every application alone, and those that a unit is for with it, give the cycles and
# counters that tests/*/recorded.txt holds. A folder's rows are of its unit; those without a unit are in tests/system.
#   tests/system/recorded.sh [--update] [FOLDER...]     of tests/; all without one
# At each edge units look at the rules of their RTL that no proof without bound shows; RECORDED_ASSERTIONS=3: at all,
# =1: now and then, as runs do. The figures are the same.
# RECORDED_PART=K/N: of the rows each N-th, from the K-th (0..N-1); not with --update.
# A row: ARGUMENTS | UNITS or none | cycles, warp instructions, flits, DRAM reads, L1 hits | checksum of all modelled
# counters | joules | joules of units. --update writes the figures anew: look at the difference before committing it.
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2
export warpfab=${WARPFAB:-${BUILD:-build}/warpfab}
update=0 only=()
if [ "${1-}" = --update ]; then update=1; shift; fi
only=("$@")
part=${RECORDED_PART:-0/1}
[[ $part =~ ^[0-9]+/[1-9][0-9]*$ && ${part%/*} -lt ${part#*/} && ( $update = 0 || $part = 0/1 ) ]] ||
  { echo "recorded: RECORDED_PART=$part: expected K/N, K below N, and 0/1 with --update" >&2; exit 2; }
work=$(mktemp -d) || exit 2
export work
trap 'rm -rf "$work"' EXIT

# digest FILE.json: the row's figures. Modelled sections and units' counters count; lines of the PTX text do not.
digest() {
  awk '
    /^\t"(l1|l2|noc|dram|sm|unit)":/ { section = $1 }
    /^\t"(cycles|warp_instructions)":/ { gsub(/[^0-9]/, "", $2); figure[$1] = $2 }
    /^\t\t"(flits|reads|hits)":/ { value = $2; sub(/,/, "", value); figure[section $1] = value }
    /^\t\t"(total|unit)":/ && energy { value = $2; sub(/,/, "", value); figure["energy" $1] = value }
    /^\t"energy_joules":/ { energy = 1 }
    /^\t}/ { section = ""; energy = 0 }
    section != "" && !/"line":/ { sub(/,$/, ""); print section, $0 | "sort | cksum | cut -d\" \" -f1" }
    END {
      printf "%s %s ", figure["\"cycles\":"], figure["\"warp_instructions\":"]
      printf "%s ", figure["\"noc\":\"flits\":"]
      printf "%s %s | ", figure["\"dram\":\"reads\":"], figure["\"l1\":\"hits\":"]
      fflush()
      close("sort | cksum | cut -d\" \" -f1")
      printf "| %.6g | %.6g\n", figure["energy\"total\":"], figure["energy\"unit\":"]
    }' "$1" | tr '\n' ' ' | sed 's/  *$//'
}

# one NUMBER FILE ROW: result into NUMBER.row (the row as it is now) or NUMBER.failed
one() {
  local number=$1 file=$2 row=$3 args unit units=()
  args=${row%% | *} unit=${row#* | }
  unit=${unit%% | *}
  [ "$unit" = none ] || units=(--unit "$unit" --set "sim.assertions=${RECORDED_ASSERTIONS:-2}")
  if ! timeout 300 $warpfab run $args "${units[@]}" --json "$work/$number.json" >"$work/$number.log" 2>&1; then
    { echo "$file: $args ${units[*]-}: failed"; tail -n 3 "$work/$number.log"; } >"$work/$number.failed"
    return
  fi
  echo "$file	$args | $unit | $(digest "$work/$number.json")" >"$work/$number.row"
}
export -f one digest

number=10000 seen=0 jobs=()
for file in tests/*/recorded.txt; do
  folder=$(basename "$(dirname "$file")")
  [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $folder "* ]] || continue
  while IFS= read -r row; do
    [[ -z $row || $row == '#'* ]] && continue
    seen=$((seen + 1))
    [ $(((seen - 1) % ${part#*/})) = "${part%/*}" ] || continue
    printf '%s\n' "$row" >>"$work/$folder.rows"
    number=$((number + 1))
    jobs+=("$number" "$file" "$row")
  done <"$file"
done
# Every application has a row without a unit.
if [ ${#only[@]} -eq 0 ]; then
  for app in $($warpfab list apps | sed -n 's/^\([a-z][a-z0-9_]*\)  *.*/\1/p'); do
    grep -q -E "^([^|]* )?--app $app .*\| none \|" tests/system/recorded.txt ||
      { echo "recorded: tests/system/recorded.txt has no row of $app" >&2; exit 1; }
  done
fi
[ $number -gt 10000 ] || { echo "recorded: no rows in tests/*/recorded.txt" >&2; exit 2; }
printf '%s\0' "${jobs[@]}" | xargs -0 -P "${CHECK_JOBS:-2}" -n 3 bash -c 'one "$@"' _
cat "$work"/*.failed 2>/dev/null && exit 1

failed=0
for file in $(cat "$work"/*.row | cut -f1 | sort -u); do
  cat "$work"/*.row | awk -F'\t' -v f="$file" '$1 == f { print $2 }' >"$work/now"
  if [ $update = 1 ]; then
    { grep '^#' "$file"; cat "$work/now"; } >"$work/new" && cp "$work/new" "$file"
  else
    diff "$work/$(basename "$(dirname "$file")").rows" "$work/now" >"$work/diff" ||
      { echo "$file: recorded <, now >"; cat "$work/diff"; failed=1; }
  fi
done
said=recorded
[ $update = 1 ] || { [ $failed = 0 ] && said="as recorded" || said=compared; }
echo "$((number - 10000)) runs $said"
exit $failed
