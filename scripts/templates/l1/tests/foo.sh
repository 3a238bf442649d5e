#!/bin/bash
# The FOO unit in the fabric: results are right, loads go through the L1 or past it,
# wrong settings are refused.
. "$(dirname "$0")/../system/expect.sh"
run="$warpfab run --app mm --set app.n=128 --unit foo"
bypasses() {
  $run "$@" --json $scratch/r.json >/dev/null
  sed -n 's/.*"bypasses":[[:space:]]*\([0-9]*\).*/\1/p' $scratch/r.json | head -1
}
expect 0 'verified: ' $run
expect 0 'verified: ' $run --set foo.bypass=1
expect 0 'verified: ' $run --set foo.gate=0
[ "$(bypasses --set foo.bypass=1)" -gt "$(bypasses)" ] && passed=$((passed + 1)) ||
  { echo "FAIL  foo.bypass=1 sends loads past the L1"; failed=$((failed + 1)); }
expect 2 'foo.bypass=2' $run --set foo.bypass=2
finish
