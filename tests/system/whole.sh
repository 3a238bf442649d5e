#!/bin/bash
# Machines of more than 64 SMs and 16 slices: units that keep something of every SM, or stand at every slice, run there
# with the right result, and every SM has its part in them. `make check` takes a machine of 70 small SMs for those whose
# models take long to build; MACHINES="a100 h100 rtx4090": these, whole, instead.
. "$(dirname "$0")/expect.sh"
small="h100 --set core.sms=70 --set core.ctas=4"
grids="--app amr --set app.side=64 --set app.form=dtbl"

# shares: SMs; of these, that have executed anything; that were low. Of the last run's result.
shares() {
  awk '/"sms":/ { inside = 1 }
    inside && $1 == "\"sm\":" { n++ }
    inside && /"(high|between|low)":/ { gsub(/[":{]/, "", $1); state = $1 }
    inside && $1 == "\"warp_instructions\":" { work[n] += $2 }
    inside && $1 == "\"entered\":" && state == "low" { low += $2 > 0 }
    inside && /}\]/ { inside = 0 }
    END { for (i in work) busy += work[i] > 0; print n + 0, busy + 0, low + 0 }' $scratch/r.json
}

# places NAME SMS OPTIONS...: of every SM the dispatcher knows its blocks, and bubbles what it holds.
places() {
  local name=$1 sms=$2 place n busy low
  shift 2
  for place in "" dtbl, laperm,; do
    expect 0 ' verified: ' $warpfab run "$@" $grids --unit ${place}bubble:threshold=0 --json $scratch/r.json
    read -r n busy low < <(shares)
    [ "$n/$busy" = "$sms/$sms" ]
    check "$name, ${place:-own dispatcher,} blocks on each of $sms SMs: $n, $busy" $?
    expect 0 ' verified: ' $warpfab run "$@" $grids --unit ${place}bubble:gpu_level=0 --json $scratch/r.json
    read -r n busy low < <(shares)
    [ "$n/$low" = "$sms/$sms" ]
    check "$name, ${place:-own dispatcher,} each of $sms SMs was low: $n, $low" $?
  done
}

# caches OPTIONS...: units at slices want whole lines in the L1; region at most 16 ways.
caches() {
  local lines="--set l1.sectored=0 --set l1.write_keep=0" unit
  for unit in flexcl "region --set l1.unified_bytes=0 --set l1.bytes=131072 --set l1.ways=16"; do
    expect 0 ' verified: ' $warpfab run "$@" $lines --app hbfs --graph rmat:scale=12 --unit $unit
  done
}

# Slices of MFF know 8 bits of an SM's number, and find each other by the hash of addresses: a lane's words come back to
# the SM that asked. At most 24 slices.
pointers() { # pointers COMMANDS OPTIONS...
  local least=$1 sent
  shift
  expect 0 ' verified: ' $warpfab run "$@" --app pagerank --graph rmat:scale=12,edges=30000 --set app.supersteps=1 \
    --set app.strategy=edges --unit mff
  sent=$(sed -n 's/.* sm_commands \([0-9]*\).*/\1/p' $scratch/log)
  [ "${sent:-0}" -gt "$least" ]
  check "$*: MFF has commands of over $least: ${sent:-none}" $?
}

for machine in ${MACHINES:-h100}; do caches --config $machine; done
if [ -z "${MACHINES-}" ]; then
  places "70 SMs" 70 --config $small
  pointers 64 --config rtx4090 --set core.sms=70 --set l2.partitions=3
else
  for machine in $MACHINES; do
    [ $machine != rtx4090 ] || pointers 128 --config $machine
    sms=$($warpfab list configs | sed -n "s/^$machine .* \([0-9]*\) SMs.*/\1/p")
    places $machine $sms --config $machine
  done
fi
finish
