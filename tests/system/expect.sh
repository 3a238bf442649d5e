# Shared by the system tests: run warpfab, compare exit code and message. Source it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${BUILD:-build}
warpfab=$build/warpfab
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect CODE REGEX COMMAND...: exit code CODE and REGEX somewhere in standard output or error, within EXPECT_S seconds.
expect() {
  local code=$1 regex=$2 got
  shift 2
  timeout "${EXPECT_S:-900}" "$@" >"$scratch/log" 2>&1 </dev/null
  got=$?
  if [ $got -eq "$code" ] && grep -Eq -- "$regex" "$scratch/log"; then
    passed=$((passed + 1))
    echo "ok    $*"
  else
    failed=$((failed + 1))
    echo "FAIL  $* : exit $got, expected $code and /$regex/; it said:"
    tail -n 5 "$scratch/log" | sed 's/^/      /'
  fi
}

check() { # check NAME STATUS
  if [ "$2" = 0 ]; then passed=$((passed + 1)); echo "ok    $1"; else failed=$((failed + 1)); echo "FAIL  $1"; fi
  return "$2"
}
same() { # same NAME TEXT TEXT: equal, and not empty
  [ -n "$2" ] && [ "$2" = "$3" ]
  check "$1" $? || diff <(echo "$2") <(echo "$3")
}

# value KEY OPTION...: a number of the result of `$run OPTION...`; nothing, and false, if that run fails.
value() {
  local key=$1
  shift
  rm -f $scratch/r.json
  $run "$@" --json $scratch/r.json >/dev/null || return
  sed -n "s/.*\"$key\":[[:space:]]*\([0-9]*\).*/\1/p" $scratch/r.json | head -1
}

# port_of_crossbar OUTCOME: of a unit with a port there, by the test's own `outcome OPTION...` and `value KEY`; OUTCOME:
# without options.
port_of_crossbar() {
  local longer stalled narrow="--set noc.input_flits=9 --set noc.output_flits=9 --set l2.queue=1"
  longer=$(outcome --set noc.latency=40)
  [ -n "$longer" ] && [ "$1" != "$longer" ]; check "a longer way to memory changes the run" $?
  stalled=$(outcome $narrow)
  [ "$(value port_waits)" -gt 100 ] && [ "$(value records_written)" -gt 100 ]
  check "a narrow crossbar: the unit waits for room $(value port_waits) cycles, and all comes home" $?
  same "a narrow crossbar, dead time ticked through" "$stalled" "$(outcome $narrow --set sim.skip=0)"
}

# edges [FILE]: clock edges that the simulation spent on a unit's RTL, of a run with one unit
edges() { sed -n '/"rtl_edges"/,/}/s/.*:[[:space:]]*\([0-9][0-9]*\).*/\1/p' ${1:-$scratch/r.json}; }
finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
