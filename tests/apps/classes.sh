#!/bin/bash
# The class of each application modelled on a published benchmark, by the rule of the cache-management
# paper: instructions per cycle with a 128 KB L1 over those with 32 KB, without any unit. Above 1.5 it is
# sensitive to the cache, below 1.1 insensitive, moderate between. Exits 1 if one is not in the paper's
# class. 64 MSHRs, as the paper has. Arguments: further settings for every run.
cd "$(dirname "$0")/../.." || exit 2
warpfab=${BUILD:-build}/warpfab
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# app, its paper's class, graph (- without)
inputs="bfs_rodinia sensitive random:n=65536,degree=6
kmn sensitive -
iix sensitive -
wc sensitive -
gc sensitive random:n=32768,degree=4
ssp sensitive random:n=32768,degree=4
spmv moderate random:n=131072,degree=8
mm moderate -
ss moderate -
ccl moderate random:n=65536,degree=4
ge insensitive -
srd insensitive -
mri insensitive -
sgm insensitive -
stn insensitive -
aps insensitive -"

# measure APP GRAPH BYTES [SETTING...]: "ipc miss_rate"
measure() {
  local app=$1 graph=$2 bytes=$3
  shift 3
  [ "$graph" = - ] && graph= || graph="--graph $graph"
  $warpfab run --app "$app" $graph --set l1.bytes="$bytes" --set l1.mshrs=64 "$@" --json "$scratch/r.json" \
    >"$scratch/out" 2>&1 ||
    { cat "$scratch/out" >&2; return 1; }
  awk -F'[:,]' '/^\t"ipc"/ && !ipc {ipc = $2} /"hit_rate"/ && rate == "" {rate = $2} END {print ipc, 1 - rate}' \
    "$scratch/r.json"
}

failed=0
printf '%-12s %9s %9s %9s   %6s %6s %6s   %8s\n' "" "IPC 16 KB" "32 KB" "128 KB" "miss" "rate" "" "128/32"
while read -r app class graph; do
  small=$(measure "$app" "$graph" 16384 "$@") && middle=$(measure "$app" "$graph" 32768 "$@") &&
    large=$(measure "$app" "$graph" 131072 "$@") || { failed=$((failed + 1)); continue; }
  echo "$app $class $small $middle $large" | awk '{
    ratio = $7 / $5; is = ratio > 1.5 ? "sensitive" : ratio < 1.1 ? "insensitive" : "moderate"
    printf "%-12s %9.1f %9.1f %9.1f   %6.3f %6.3f %6.3f   %8.2f  %s%s\n", $1, $3, $5, $7, $4, $6, $8, ratio, is,
           is == $2 ? "" : ", the paper has it " $2
    exit is != $2}' || failed=$((failed + 1))
done <<<"$inputs"
[ $failed = 0 ] || { echo "$failed not as the paper has it"; exit 1; }
