#!/bin/bash
# `warpfab sweep` as a user meets it: planned, run, interrupted, resumed, what failed run again; on GNU parallel; what
# is refused.
. "$(dirname "$0")/../system/expect.sh"
ini=$scratch/s.ini store=$scratch/s.db
file() { cat >$ini; }
rows() { $warpfab results list $store "$@" 2>/dev/null | tail -n +2 | wc -l; }
keys() { $warpfab results list $store --columns key --where exit=0 2>/dev/null | tail -n +2; }
once() { same "$1: every point is there once" "$(keys | sort -u | wc -l) $(keys | wc -l)" "$2 $2"; }

file <<'E2'
[run]
config = gtx480
[product]
app = mm
app.n = 16 32
seed = {1..3}
[zip caches]
l1.bytes = 16384 32768
l1.ways = 4 8
E2
expect 0 '^12 points: 0 are there, 12 to be run; store ' $warpfab sweep $ini --dry-run
[ ! -e $store ]
check "which leaves nothing" $?
expect 0 '^12 points: 0 were there, 12 run, 0 failed' $warpfab sweep $ini
once "a sweep" 12
expect 0 '^12 points: 12 were there, 0 run' $warpfab sweep $ini
expect 0 '^12 points: 12 are there, 0 of them failed' $warpfab sweep status $ini
same "with the values of its axes" "$($warpfab results list $store --columns app.n,seed,l1.bytes,l1.ways |
  tail -n +2 | sort -u | wc -l)" 12
sed -i 's/{1..3}/{1..4}/' $ini
expect 0 '^16 points: 12 were there, 4 run, 0 failed' $warpfab sweep resume $ini
once "a longer axis" 16
$warpfab run --config gtx480 --app mm --set app.n=16 --seed 5 --set l1.bytes=16384 --set l1.ways=4 --store $store \
  >/dev/null
sed -i 's/{1..4}/{1..5}/' $ini
expect 0 '^20 points: 17 were there, 3 run' $warpfab sweep $ini
once "a run by hand is a point" 20

# The page's own example.
sed -n '/^```ini/,/^```/p' docs/sweeps.md | sed '/^```/d' >$scratch/page.ini
n=$(sed -n 's/.*--dry-run  *# \([0-9]*\) points.*/\1/p' docs/sweeps.md)
expect 0 "^$n points: 0 are there, $n to be run" $warpfab sweep $scratch/page.ini --dry-run --store $scratch/page.db

# A CUDA program as a point: its own words behind its name; the same run by `cuda` is that point.
programs=tests/cuda/programs
printf '[run]\ncuda = %s\n[product]\nargs = 1000 "3000 more"\nconfig = k20c rtx3070\n' \
  $programs/vector_add.cu >$scratch/cuda.ini
expect 0 "--config rtx3070 --cuda $programs/vector_add.cu -- 3000 more$" $warpfab sweep $scratch/cuda.ini --dry-run
$warpfab cuda $programs/vector_add.cu --config k20c --store $scratch/cuda.db -- 1000 >/dev/null 2>&1
expect 0 '^4 points: 1 were there, 3 run, 0 failed' $warpfab sweep $scratch/cuda.ini
expect 0 '^4 points: 4 were there, 0 run' $warpfab sweep $scratch/cuda.ini
same "with cycles of its own each" "$($warpfab results list $scratch/cuda.db --columns cycles | tail -n +2 |
  sort -u | wc -l)" 4
printf '[product]\ncuda = %s none.cu\n' $programs/vector_add.cu >$scratch/cuda.ini
expect 1 '^2 points: 0 were there, 2 run, 1 failed' $warpfab sweep $scratch/cuda.ini
printf '[product]\ncuda = %s\nkernel = f\n' $programs/vector_add.cu >$scratch/cuda.ini
expect 2 'cuda.ini: point 0, run --kernel f --cuda .*go with .warpfab run' $warpfab sweep $scratch/cuda.ini

# Quiet in a pipe, a line with the time left on a terminal.
rm $store
said=$($warpfab sweep $ini 2>&1 >/dev/null)
[ -z "$said" ]
check "nothing on standard error of a pipe" $?
printf '[product]\napp = pagerank\ngraph = rgg:scale=15\nseed = {1..24}\n' >$scratch/long.ini
script -qefc "$warpfab sweep $scratch/long.ini" /dev/null </dev/null 2>&1 | tr '\r' '\n' >$scratch/terminal
grep -qE '[0-9]+ of 24 points, 0 failed, [0-9.]+ a second, .* left' $scratch/terminal
check "a terminal shows points, rate and time left" $? || tail -n 3 $scratch/terminal
sed -i 's/{1..5}/{1..25}/' $ini

# Interrupted: the processes end, the store is whole, and it goes on.
for signal in INT TERM KILL; do
  rm -f $store
  # a job of an interactive shell: others' children ignore SIGINT
  set -m
  $warpfab sweep $ini >$scratch/said 2>&1 &
  sweep=$!
  set +m
  for i in $(seq 100); do [ "$(rows)" -ge 20 ] && break; sleep 0.1; done
  kill -$signal $sweep
  wait $sweep 2>/dev/null
  code=$?
  sleep 0.3
  [ $code -gt 128 ] && [ -z "$(pgrep -f "run .*--store $store")" ]
  check "SIG$signal ends it ($code) and its processes" $?
  n=$(rows)
  [ "$n" -ge 20 ] && [ "$n" -lt 100 ]
  check "with $n of 100 points" $?
  [ $signal = KILL ] || { grep -q "^sweep: interrupted: $n of 100 points are in" $scratch/said; check "as it says" $?; }
  expect 0 '^100 points: .* 0 failed' $warpfab sweep resume $ini
  once "after SIG$signal" 100
done
$warpfab sweep $ini --store $scratch/other.db >/dev/null 2>&1 &
sleep 0.3
expect 2 'is being run by another' $warpfab sweep $ini
kill $! && wait $! 2>/dev/null

# What fails is in the store, and run again when asked.
rm -f $store
file <<E2
[product]
app = bfs
graph = $scratch/later.el rgg:scale=8
max-cycles = 0 100
E2
expect 1 '^4 points: 0 were there, 4 run, 3 failed' $warpfab sweep $ini
grep -q 'results list .* shows them' $scratch/log
check "which it says" $?
same "with their exit codes" "$($warpfab results list $store --columns exit | tail -n +2 | sort | xargs)" "0 2 2 3"
expect 0 '^4 points: 4 were there, 0 run' $warpfab sweep resume $ini
expect 1 '^4 points: 4 are there, 3 of them failed' $warpfab sweep status $ini
$warpfab graph generate random:n=64,degree=3 $scratch/later.el >/dev/null
expect 1 '^4 points: 2 were there, 2 run, 1 failed' $warpfab sweep resume $ini # the file makes them others
expect 1 '^4 points: 2 were there, 2 run, 2 failed' $warpfab sweep retry $ini
rm -f $store
printf '[product]\napp = pagerank\ngraph = rgg:scale=18\n' >$ini
$warpfab sweep $ini >$scratch/said 2>&1 &
sweep=$!
for i in $(seq 100); do run=$(pgrep -f "run .*--store $store") && break; sleep 0.05; done
# A queue that takes a task away may end a run before it ends the sweep: no failure of the point.
kill -TERM $run
wait $sweep
code=$?
grep -q '^ended from outside: 1; ' $scratch/said && [ "$code $(rows)" = "1 0" ]
check "a run that others ended is as if it had never begun: $(head -n 1 $scratch/said)" $?
for signal in SEGV KILL; do
  rm -f $store
  $warpfab sweep $ini >$scratch/said 2>&1 &
  sweep=$!
  for i in $(seq 100); do run=$(pgrep -f "run .*--store $store") && break; sleep 0.05; done
  kill -$signal $run
  wait $sweep
  code=$?
  same "a run that crashed is told: $(head -n 1 $scratch/said)" \
    "$code $($warpfab results list $store --columns message | tail -n 1)" \
    "1 ended by signal $(kill -l $signal) ($([ $signal = SEGV ] && echo Segmentation fault || echo Killed))"
done

# On GNU parallel.
if command -v parallel >/dev/null; then
  file <<'E2'
[product]
app = mm
app.n = 16
seed = {1..10}
E2
  rm -f $store
  expect 0 '^10 points: 10 are there, 0 of them failed' $warpfab sweep $ini --engine parallel --hosts : \
    --points-per-task 3 --at-once 2
  once "on GNU parallel" 10
  [ ! -e $store.parts ]
  check "nothing is left of its tasks" $?
else
  echo "SKIPPED: parallel is not installed: apt-get install parallel"
fi

# What is refused.
file <<'E2'
[product]
app = mm nosuch
E2
expect 2 's.ini:2: point 1, run --app nosuch: .*no.*nosuch' $warpfab sweep $ini
file <<'E2'
[product]
app = mm
l1.wings = 2
E2
expect 2 's.ini:3: .*--set l1.wings: no such parameter' $warpfab sweep $ini
printf '[run]\nseed = 1\n[product]\napp = mm\nl1.bytes = 16384 abc\n' >$ini
expect 2 's.ini:5: point 1, .*l1.bytes=abc: expected a whole number' $warpfab sweep $ini
printf '[run]\nseed = x\n[product]\napp = mm\n' >$ini
expect 2 's.ini:2: .*--seed x: expected a whole number' $warpfab sweep $ini
printf '[product]\napp = mm\nseed = 1..4 {1..\n' >$ini
expect 2 's.ini:3: seed=1..4 \{1..: a \{ without its \}' $warpfab sweep $ini
printf '[product]\napp = mm\napp.n = 16\n' >$ini
expect 2 'expected one FILE.ini' $warpfab sweep $ini $ini
expect 2 'expected FILE.ini' $warpfab sweep
expect 2 'No such file' $warpfab sweep $scratch/none.ini
expect 2 'expected local, parallel or slurm' $warpfab sweep $ini --engine cloud
expect 2 '--hosts go together' $warpfab sweep $ini --engine parallel
expect 2 'a whole number 1..4096' $warpfab sweep $ini --jobs 0
expect 2 'task and --task N go together' $warpfab sweep task $ini
expect 2 'cannot be|No such file' $warpfab sweep task $ini --task 3
expect 2 'not a store of results' $warpfab sweep $ini --store $ini
expect 2 '/proc/none/s.db' $warpfab sweep $ini --store /proc/none/s.db
expect 0 'usage' $warpfab sweep --help
finish
