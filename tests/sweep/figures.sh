#!/bin/bash
# What a sweep costs, measured on this machine, and what a million points would: into docs/sweeps.md, between its marks.
#   tests/sweep/figures.sh        (make sweep-figures); RUNS=1000 that are stored, POINTS=100 that are run
set -eu -o pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build} warpfab=${BUILD:-build}/warpfab runs=${RUNS:-1000} points=${POINTS:-100}
scratch=$(mktemp -d -p "$build")
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
# cpu COMMAND...: seconds of the clock and of the processor, children's too
cpu() { local TIMEFORMAT='%3R %3U %3S'; { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1, $2 + $3 }'; }

# The store: one real result, with other numbers each time.
graph=rgg:scale=14
$warpfab run --app bfs --graph $graph --store "$scratch/one.db" >/dev/null
$warpfab results export json "$scratch/one.db" -o "$scratch/one.json"
mkdir "$scratch/bench"
"$build/tests/sweep/bench_store" "$scratch/one.json" "$runs" "$scratch/bench" >"$scratch/numbers"
v() { awk -v k="$1" '$1 == k { print $2 }' "$scratch/numbers"; }

# A point: small runs as processes of a sweep, and alone.
printf '[product]\napp = mm\napp.n = 16\nseed = {1..%d}\n' "$points" >"$scratch/small.ini"
read -r wall busy < <(cpu $warpfab sweep "$scratch/small.ini")
alone() { for i in $(seq 20); do $warpfab run --app mm --set app.n=16 --seed "$i"; done; }
read -r _ busy_alone < <(cpu alone)
printf '[product]\napp = mm\napp.n = 16\nseed = {1..1000000}\n' >"$scratch/million.ini"
read -r plan _ < <(cpu $warpfab sweep status "$scratch/million.ini" || true)

# Models of RTL that stand here, as `run` builds them.
unit=$($warpfab list units | sed -n "1s/ .*//p")
WARPFAB_QUICK='' $warpfab run --app mm --set app.n=16 --unit "$unit" --models-only 2>/dev/null
models() {
  for folder in "$build"/models/*/; do
    name=$(basename "$folder")
    case $name in *@* | *.work) continue ;; esac
    seconds=$(awk -v n="$name" '$2 == n { s = $3 } END { print s }' "$build/models/.built")
    [[ $name != *+* && -n $seconds ]] || continue
    printf '| %s | %.1f | %s |\n' "$name" "$(du -sk "$folder" | awk '{ print $1 / 1024 }')" "$seconds"
  done
}

section() {
  awk -v runs="$runs" -v points="$points" -v wall="$wall" -v busy="$busy" -v alone="$busy_alone" -v plan="$plan" \
    -v bytes="$(v store_bytes)" -v append="$(v append_us)" -v append_wall="$(v append_wall_us)" -v find="$(v find_us)" \
    -v where="$(v where_us)" -v record="$(v record_us)" -v json="$(v json_bytes)" -v deflated="$(v deflated_bytes)" \
    -v numbers="$(v numbers)" -v rows="$(v rows_bytes)" -v rows_us="$(v rows_us)" -v scan="$(v rows_scan_us)" \
    -v cores="$(nproc)" -v load="$(cut -d' ' -f1 /proc/loadavg)" 'BEGIN {
    printf "Measured on %d processors with a load of %s, %d runs stored and %d small points run.\n\n", cores, load,
      runs, points
    print "| what | one | a million |\n|---|---|---|"
    printf "| space of a run in the store (bfs, %d numbers, %d bytes of JSON) | %d bytes | %.1f GB |\n", numbers, json,
      bytes, bytes / 1000
    printf "| to add it, processor time | %.2f ms | %.2f h |\n", append / 1000, append / 3600
    printf "| to add it, until it is on the disk: one at a time in one store | %.1f ms | %.1f h |\n",
      append_wall / 1000, append_wall / 3600
    printf "| to see whether it is there | %.1f us | %.0f s |\n", find, find
    printf "| `--where` over it | %.1f us | %.0f s |\n", where, where
    printf "| to read it as a whole, for CSV and JSON | %.0f us | %.0f s |\n", record, record
    printf "| to plan it: arguments, files, key | %.1f us | %.0f s |\n", plan, plan
    each = busy / points * 1000; by_itself = alone / 20 * 1000
    printf "| a small run (mm, n=16) by itself, processor time | %.0f ms | %.1f h |\n", by_itself, by_itself / 3.6
    printf "| the same as a point of a sweep, all that belongs to it | %.0f ms | %.1f h |\n", each, each / 3.6
    form = "\nOther forms of the same store, by run: a row for each number %d bytes, %.2f ms to add, %.1f us to look\n"
    printf form "one up", rows, rows_us / 1000, scan
    printf " in all of them, and without kernels; the JSON packed by itself %d bytes, which no SQL reads.\n", deflated
    print "\n| model of RTL | MB | processor seconds to build |\n|---|---|---|"
  }'
  models
}
section >"$scratch/section"
awk -v file="$scratch/section" '
  /^<!-- end of figures/ { skip = 0 } !skip { print }
  /^<!-- figures: made by/ { skip = 1; while ((getline line < file) > 0) print line }' docs/sweeps.md >"$scratch/page"
cat "$scratch/page" >docs/sweeps.md
cat "$scratch/section"
