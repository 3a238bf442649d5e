#!/bin/bash
# CUDA programs that use a unit: the same results without it and with it, and the unit worked.
. "$(dirname "$0")/../system/expect.sh"
run() { # NAME FILE [OPTION...]
  "$warpfab" cuda "tests/cuda/units/$1.cu" "${@:3}" --json "$scratch/r.json" >"$scratch/log" 2>&1 &&
    sed "/^$1: [0-9]* cycles/,\$d" "$scratch/log" | grep -v '^build-model' >"$scratch/$2"
}
try() { # NAME UNIT COUNTER: more than 0 with the unit
  run "$1" plain
  check "$1 runs" $? || cat "$scratch/log"
  run "$1" unit --unit "$2"
  check "$1 runs with $2" $? || cat "$scratch/log"
  same "  with the same results" "$(cat "$scratch/plain")" "$(cat "$scratch/unit")"
  check "  $3 was counted" "$(grep -q "\"$3\":[[:space:]]*[1-9]" "$scratch/r.json"; echo $?)"
}
try gather mff gathers
try launches dtbl groups
try rows teleport found
finish
