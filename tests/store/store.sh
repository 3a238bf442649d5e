#!/bin/bash
# `run --store` and `results` as a user meets them: what is kept, what is refused, and what stays when a run or the
# machine fails.
. "$(dirname "$0")/../system/expect.sh"
s=$scratch/s.db
run="$warpfab run --app mm --set app.n=16"
list() { $warpfab results list "$@" 2>&1 | tail -n +2; }
rows() { list "$@" | wc -l; }
rows_are() { [ "$(rows $s)" = "$1" ]; check "$2: $1 runs in the store" $?; }

expect 0 'verified: ' $run --store $s --json $scratch/a.json
expect 0 'verified: ' $run --set l1.ways=2 --set l1.bytes=8192 --store $s
expect 2 'no such parameter' $run --set l1.wings=2 --store $s
rows_are 3 "one that failed among them"
expect 0 'no such parameter' $warpfab results show 3 $s
expect 0 '^ *2  mm ' $warpfab results list $s --where l1.ways=2
expect 0 '^l1.ways,l1.bytes,exit.$' $warpfab results export csv --columns l1.ways,l1.bytes,exit $s
same "the store's result is that of --json" "$($warpfab results export json $s --where id=1 | tr -d ' \t\n' |
  sed 's/.*"result"://; s/}\]$//')" "$(tr -d ' \t\n' <$scratch/a.json)"
same "the configuration is resolved" "$(list $s --columns l1.bytes,app.n,core.scheduler --where id=1)" \
  "   16384     16  lrr"
expect 2 'given twice' $run --store $s --store $s
expect 2 'file of two outputs' $run --store $s --json $s
expect 2 'no run has a value' $warpfab results list $s --where l1.wayz=3
expect 2 "no run has a value of 'l1.wayz'" $warpfab results export csv --columns id,l1.wayz $s
expect 2 "no run has a value of 'l1.wayz'" $warpfab results list --columns id,l1.wayz $s
expect 2 "l1 ways.*no key" $warpfab results list --columns 'l1 ways' $s
expect 2 'expected KEY=VALUE' $warpfab results list $s --where l1.ways
expect 2 'no such run' $warpfab results show 77 $s
expect 2 'a run.s number' $warpfab results show first $s
expect 2 'the store itself' $warpfab results export csv $s -o $s
expect 2 'usage' $warpfab results export xml $s
expect 2 'No such file' $warpfab results list $scratch/none.db
expect 0 'usage' $warpfab results --help

# What is none, is not whole, or cannot be written.
expect 2 'the name of a file' $run --store -
expect 2 'not a regular file' $run --store $scratch
expect 2 '/proc/none/s.db: cannot be' $run --store /proc/none/s.db
seq 2000 >$scratch/text.db
expect 2 'not a store of results' $run --store $scratch/text.db
expect 2 'not a store of results' $warpfab results list $scratch/text.db
cp $s $scratch/cut.db && truncate -s 20000 $scratch/cut.db
expect 2 'damaged' $warpfab results list $scratch/cut.db
expect 2 'damaged' $run --store $scratch/cut.db
cp $s $scratch/new.db && printf '\0\0\0\11' | dd of=$scratch/new.db bs=1 seek=60 conv=notrunc 2>/dev/null
expect 2 'schema 9, and this program knows 1' $run --store $scratch/new.db
: >$scratch/empty.db
expect 2 'empty' $warpfab results list $scratch/empty.db
expect 0 'verified' $run --store $scratch/empty.db
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then # root may write anything
  cp $s $scratch/mine.db && chmod 444 $scratch/mine.db && chmod 755 $scratch
  expect 2 'mine.db: cannot be written' setpriv --reuid=65534 --clear-groups $run --store $scratch/mine.db
  expect 0 'gtx480' setpriv --reuid=65534 --clear-groups $warpfab results list $scratch/mine.db
fi

# A full disk: the run says so, and the store is as it was.
library=$(realpath -qe "$build/tests/hostile/faults.so")
before=$(list $s)
for fault in write:1:on write:3:on write:5 fsync:1 fsync:3; do
  FAULT=$fault LD_PRELOAD=$library $run --store $s >$scratch/log 2>&1
  code=$?
  [ $code = 2 ] && grep -q 's.db: cannot be written' $scratch/log && [ "$(list $s)" = "$before" ]
  check "a full disk ($fault): exit $code, and nothing is lost" $?
done

# Killed at any moment: every run in it is whole.
for i in $(seq 20); do
  $run --store $s >/dev/null 2>&1 &
  sleep 0.0$((i * 4))
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
done
[ "$(rows $s)" -ge 3 ]
check "after 20 kills the store can be read: $(rows $s) runs" $?
same "and each run in it has its result" "$(list $s --columns id,cycles --where exit=0 | awk 'NF != 2' | wc -l)" 0

# Eight at once.
before=$(rows $s)
for i in $(seq 8); do $run --store $s >/dev/null & done
wait
rows_are $((before + 8)) "eight at once"

# The papers' runs: a kept run is not made again, another file or argument is.
keep=$build/tests/papers/keep_program
mkdir -p $scratch/docs/results $scratch/out
$warpfab graph generate random:n=64,degree=3 $scratch/out.el >/dev/null
paper() { (cd $scratch && "$top/$keep" "$top/$warpfab" out . 2>&1); }
case $build in /*) top= ;; *) top=$PWD ;; esac
first=$(paper) && again=$(paper)
check "an experiment runs" $?
grep -q '2 runs, 2 verified, 0 without a reference; 0 of them from out/runs.db' <<<"$first"
check "its runs are made" $?
grep -q '2 of them from out/runs.db' <<<"$again"
check "and are kept" $? || echo "$again"
$warpfab graph generate random:n=65,degree=3 $scratch/out.el >/dev/null
grep -q '1 of them from out/runs.db' <<<"$(paper)"
check "another graph is another run" $?
same "one store has them" "$(rows $scratch/out/runs.db)" 3
finish
