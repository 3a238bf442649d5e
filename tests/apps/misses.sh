#!/bin/bash
# The application `misses` tells what keeps an SM's misses without being told: machines are drawn, by SEED, DRAWS of
# them, and what it says is held against what was drawn. At least 95 in 100 must be right in all: kind, entries (one of
# the four at most that threads of four loads leave), requests of a line, lines of the L1. Then machines of which it
# cannot say more than it does.
. "$(dirname "$0")/../system/expect.sh"
seed=${SEED:-1} draws=${DRAWS:-12}
RANDOM=$seed
pick() { # pick LOW HIGH
  drawn=$(($1 + RANDOM % ($2 - $1 + 1)))
}
number() { # KEY: of the last run; nothing: it did not say
  sed -n "s/^\t*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" $scratch/r.json | head -1
}
# says KIND ENTRIES MERGES LINES: is it what was told?
says() {
  local low high
  low=$(number entries_low) high=$(number entries_high)
  [ "$(number $1)" = 1 ] && [ "${low:-1}" -le "$2" ] && [ "$2" -le "${high:-0}" ] && [ $((high - low)) -le 3 ] &&
    [ "$(number requests_per_line)" = "$3" ] && [ "$(number l1_lines)" = "$4" ]
}
look() { # OPTION...
  $warpfab run --app misses "$@" --json $scratch/r.json >$scratch/log 2>&1 && grep -q 'verified: ' $scratch/log
}
l1s=("l1.bytes=16384 l1.ways=4" "l1.bytes=32768 l1.ways=4" "l1.bytes=49152 l1.ways=6" "l1.bytes=65536 l1.ways=8")
far='--set l2.latency=400'
right=0
for ((i = 0; i < draws; i++)); do
  pick 0 2
  kind=$drawn merges= lines=0
  case $kind in
    0)
      pick 20 120; entries=$drawn
      pick 2 16; merges=$drawn
      pick 0 3; l1=${l1s[drawn]}
      lines=$((${l1:9:5} / 128))
      name=mshrs machine="$far --set l1.mshrs=$entries --set l1.mshr_merge=$merges --set ${l1/ / --set }"
      ;;
    *)
      [ $kind = 1 ] && { pick 16 110; name=prt_loads key=lsu.loads; } ||
        { pick 300 3600; name=prt_lane_slots key=lsu.lane_slots; }
      entries=$drawn
      machine="--config k20c --set lsu.past=1 --set l2.latency=1000 --set l2.mhz=353 --set $key=$entries"
      ;;
  esac
  if look $machine && says $name $entries "$merges" $lines; then
    right=$((right + 1))
  else
    echo "not told: $machine: $(tr -d '\n\t' <$scratch/r.json | grep -o '"metrics":{[^}]*}')"
  fi
done
check "$right of $draws drawn machines are told right (SEED=$seed)" \
  "$([ $((right * 100)) -ge $((draws * 95)) ]; echo $?)"

# 1,024 MSHRs over the 128 lines of a 16 KB L1: by where lines lie it is the L1.
look $far --set l1.mshrs=1024
check "the lines of an L1 are no MSHRs" "$(says l1_lines_bound 128 8 128; echo $?)"
look $far --set l1.mshrs=128 --set l1.bytes=49152 --set l1.ways=6
check "128 MSHRs beside a larger L1 are" "$(says mshrs 128 8 384; echo $?)"
# Replies of 128 lines take longer than a round trip: nothing is seen, and nothing said.
look --set l1.mshrs=128 --set l1.bytes=49152 --set l1.ways=6
check "a round trip too short to see 128" "$([ "$(number nothing_seen)" = 1 ]; echo $?)"
finish
