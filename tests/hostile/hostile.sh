#!/bin/bash
# Every command with the n-th call of a function failing (tests/hostile/faults.c). It ends with 0 and its right output,
# or with 2 or 3 and a message; it leaves no unfinished file behind. Never a signal, never half an output.
#   tests/hostile/hostile.sh [CALLS]   how many calls of each function are tried, spread over all there are (6); 0: all
. "$(dirname "$0")/../system/expect.sh"
calls=${1:-6}
# Under ASan a refused call returns NULL, and what an exit leaves is no leak.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
library=$(realpath -qe "$build/tests/hostile/faults.so") # none: the program has the faults in itself
replay=$build/warpfab-replay
work=$scratch/work
store=$(realpath "$warpfab")
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n4 4 4\n2 1 3\n3 2 1\n4 1 2\n4 4 7\n' >$scratch/g.mtx
gzip -kc $scratch/g.mtx >$scratch/g.mtx.gz
zstd -qc $scratch/g.mtx >$scratch/g.mtx.zst
xz -kc $scratch/g.mtx >$scratch/g.mtx.xz
sed -n '/^\.version/,/^P$/p' tests/system/lossless.sh | sed '$d' >$scratch/k.ptx
$warpfab trace write $scratch/trace:gz --app mm --set app.n=16 >/dev/null || exit 1
$warpfab run --app pagerank --graph $scratch/g.mtx --json $scratch/a.json >/dev/null || exit 1

# Without what the host decides; of a wave without its header, which has the date.
modelled() {
  sed -E -e '/^\t"host":/,/^\t}/d' -e '/^  (host|RTL) /d' -e '/host seconds/d' -e '/resident_bytes|"path":/d' "$@"
}
plain() { # of the file NAME
  case $1 in *.db) "$store" results export csv --columns app,exit,cycles,l1.hits,graph_checksum,l1.bytes "$1" ;;
    *.gz | *.zst) zstdcat -f <"$1" ;; *.fst) tail -c +331 <"$1" ;; *) cat "$1" ;; esac
}
outputs() { (cd $work && for f in $(find . -type f | sort); do echo "== $f"; plain "$f"; done) 2>&1 | modelled; }

tried=0
# one FAULT COMMAND...: against $scratch/right, what it prints and writes when nothing fails
one() {
  local fault=$1 got why=
  shift
  rm -rf "$work" && mkdir "$work"
  timeout 60 env FAULT=$fault LD_PRELOAD=$library "$@" >$scratch/stdout 2>$scratch/stderr </dev/null
  got=$?
  tried=$((tried + 1))
  case $got in
    0) { modelled $scratch/stdout; outputs; } | cmp -s - $scratch/right || why="ended with 0 and another output" ;;
    2 | 3) [ -s $scratch/stderr ] || why="ended with $got and no message" ;;
    *) why="ended with $got" ;;
  esac
  [ -z "$(find $work -name '*.tmp*')" ] || why="$why; left $(find $work -name '*.tmp*' | head -n 1)"
  # Whatever fails, a store can be read; one that was just being made may be empty.
  [ ! -e $work/s.db ] || $warpfab results list $work/s.db >$scratch/list 2>&1 || grep -q ': empty: ' $scratch/list ||
    why="$why; left a store of which is said: $(head -n 1 $scratch/list)"
  [ -z "$why" ] && return
  failed=$((failed + 1))
  echo "FAIL  FAULT=$fault $*: $why; it said: $(head -c 300 $scratch/stderr | tail -n 1)"
}

# places COUNT: which of COUNT calls fail, the first and the last among them
places() {
  awk -v n="$1" -v k="$calls" 'BEGIN {
    if (k == 0 || k >= n) for (i = 1; i <= n; i++) print i
    else for (i = 0; i < k; i++) print 1 + int(i * (n - 1) / (k - 1) + .5)
  }'
}

hostile() {
  local kind count place
  rm -rf "$work" && mkdir "$work"
  FAULT_COUNT=$scratch/counts LD_PRELOAD=$library "$@" >$scratch/stdout 2>$scratch/stderr </dev/null ||
    { failed=$((failed + 1)); echo "FAIL  $*: cannot be run at all"; cat $scratch/stderr; return; }
  { modelled $scratch/stdout; outputs; } >$scratch/right
  [ -s $scratch/counts ] || { failed=$((failed + 1)); echo "FAIL  $*: nothing was counted"; return; }
  while read -r kind count; do
    for place in $(places "$count"); do one "$kind:$place" "$@"; done
    [ "$count" -gt 1 ] && one "$kind:$((1 + count / 2)):on" "$@"
  done <$scratch/counts
  passed=$((passed + 1))
  echo "ok    $*"
}

run="$warpfab run --graph $scratch/g.mtx"
hostile $run --app pagerank --json $work/r.json
hostile $run --app pagerank --store $work/s.db
hostile $run --app sssp --timeline $work/t.json
hostile $warpfab run --app bfs --graph $scratch/g.mtx.gz --set probe.loads=1
hostile $warpfab run --app wcc --graph $scratch/g.mtx.zst --json -
hostile $warpfab run --config k20c --app bfs_dp --graph $scratch/g.mtx.xz --set app.form=cdp
hostile $warpfab run --ptx $scratch/k.ptx --kernel k --grid 1 --block 32 --param buf:64 \
  --param hex:010000000200000003000000 --json $work/r.json
hostile $warpfab run --trace $scratch/trace --json $work/r.json
hostile $warpfab trace write $work/t --app mm --set app.n=16
hostile $warpfab trace write $work/t:zst --app mm --set app.n=16
hostile $warpfab trace info $scratch/trace --json $work/i.json
hostile $warpfab compare $scratch/a.json $scratch/a.json
$run --app pagerank --store $scratch/s.db >/dev/null && $run --app bfs --store $scratch/s.db >/dev/null || exit 1
hostile $warpfab results list $scratch/s.db
hostile $warpfab results show 2 $scratch/s.db
hostile $warpfab results export csv --columns app,l1.hits $scratch/s.db -o $work/r.csv
hostile $warpfab results export json --where app=bfs $scratch/s.db --where l1.ways=4
printf '[product]\napp = mm\napp.n = 16\nseed = 1 2\n' >$scratch/h.ini
hostile $warpfab sweep $scratch/h.ini --dry-run --store $work/none.db
hostile $warpfab sweep $scratch/h.ini --store $work/s.db --jobs 1
hostile $warpfab graph info $scratch/g.mtx --json $work/i.json
hostile $warpfab graph convert $scratch/g.mtx $work/g.el.gz
hostile $warpfab graph convert $scratch/g.mtx.gz $work/g.wfg.zst
hostile $warpfab graph generate rmat:scale=5,edges=60 $work/g.gr
hostile $warpfab ptx analyse --app jac --json
hostile $warpfab ptx analyse $scratch/k.ptx
for list in apps configs units parameters counters; do hostile $warpfab list $list; done

# A unit's RTL, its waves and recordings; the models stand already.
unit=$($warpfab list units | sed -n "1s/ .*//p") # any will do
export WARPFAB_BUILD=${WARPFAB_BUILD-$build}
on="--unit $unit --set core.sms=2"
$run --app pagerank $on --record $scratch/r.wfr >/dev/null || exit 1
hostile $run --app pagerank $on --json $work/r.json
hostile $run --app pagerank $on --wave $work/w.fst --wave-unit $unit
hostile $run --app pagerank $on --record $work/r.wfr --record-limit 200
hostile $run --app pagerank $on --record $work/r.wfr.zst
hostile $replay $scratch/r.wfr
hostile $replay $scratch/r.wfr --about
echo "$tried faults"
finish
