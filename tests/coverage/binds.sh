#!/bin/bash
# The cover points that are bound inside each unit follow its names: elaboration alone, no model.
set -u
cd "$(dirname "$0")/../.."
failed=0
for cover in tb/*/cover.v; do
  unit=$(basename "$(dirname "$cover")")
  ini=$(scripts/units ini "$unit") || { failed=1; continue; }
  rtl=$(dirname "$ini")
  top=$(sed -n 's/^top *= *\([^ ;]*\).*/\1/p' "$ini" | head -n 1)
  libraries=$(scripts/units libraries "$ini" | sed 's/^/-y /')
  if said=$(verilator --lint-only -Wall -Wno-UNUSED -Wno-SYNCASYNCNET --top-module "$top" \
      -DWF_COVERAGE --unroll-count 512 $libraries -I"$rtl" -Irtl/common \
      "$rtl/$top.v" "$cover" 2>&1); then
    echo "right: $cover in $top"
  else
    echo "WRONG: $cover in $top"
    grep '^%' <<<"$said"
    failed=1
  fi
done
exit $failed
