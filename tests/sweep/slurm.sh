#!/bin/bash
# A sweep on a real Slurm: munged, slurmctld and slurmd in the foreground on this machine, with nothing of the site's.
# 40 points, some with a unit's RTL, two tasks at a time; half way a task and slurmd are killed; resumed, every point is
# in the store once. Needs root, slurm-wlm and munge (apt-packages.txt).
. "$(dirname "$0")/../system/expect.sh"
for tool in slurmctld slurmd munged sbatch squeue; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null ||
    { echo "SKIPPED: $tool is not installed: apt-get install slurm-wlm munge"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "SKIPPED: Slurm's daemons are run as root here"; exit 0; }
export PATH=$PATH:/usr/sbin WARPFAB_QUICK=${WARPFAB_QUICK-1}

# ---- the cluster ----
chmod 755 $scratch
daemons=()
end_daemons() { for pid in "${daemons[@]}"; do kill -9 "$pid" 2>/dev/null; done; }
trap 'scancel -u root 2>/dev/null; end_daemons; wait 2>/dev/null; rm -rf "$scratch"' EXIT
mkdir -p $scratch/{munge,state,spool}
(umask 077; head -c 1024 /dev/urandom >$scratch/munge.key)
munged --foreground --force --key-file=$scratch/munge.key --socket=$scratch/munge/socket \
  --pid-file=$scratch/munge/pid --log-file=$scratch/munge/log --seed-file=$scratch/munge/seed 2>$scratch/munged.err &
daemons+=($!)
host=$(hostname -s) port=$((20000 + RANDOM % 20000))
cat >$scratch/slurm.conf <<E2
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,sched_min_interval=0,batch_sched_delay=0
ReturnToService=2
KillWait=2
SlurmdTimeout=20
MaxArraySize=8
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
E2
export SLURM_CONF=$scratch/slurm.conf
start_slurmd() { slurmd -D 2>/dev/null & slurmd=$!; daemons+=($slurmd); }
slurmctld -D 2>/dev/null &
daemons+=($!)
start_slurmd
for i in $(seq 100); do sinfo -h -o %t 2>/dev/null | grep -qE 'idle|mix|alloc' && break; sleep 0.2; done
sinfo -h -o %t | grep -q idle
check "Slurm runs on this machine" $? || { tail -n 5 $scratch/*.log $scratch/munged.err; finish; exit 1; }

# ---- the sweep ----
unit=$($warpfab list units | sed -n "1s/ .*//p") # any will do
ini=$scratch/forty.ini
store=$scratch/forty.db
cat >$ini <<E2
[run]
core.sms = 2
[product]
unit = none $unit
app = bfs pagerank
graph = rgg:scale=9
seed = {1..10}
[sweep]
store = $store
[slurm]
mem = 0
E2
points() { $warpfab results list ${1-$store} --columns key --where exit=0 2>/dev/null | tail -n +2; }
state() { squeue -h -o '%i %T'; }
# until SECONDS COMMAND...: it is so within that time
until_so() {
  local end=$(($(date +%s) + $1))
  shift
  until "$@"; do [ $(date +%s) -lt $end ] || return 1; sleep 0.05; done
}
on_slurm="--engine slurm --points-per-task 4 --at-once 2"
# How many tasks run is looked at meanwhile.
half_done() { squeue -h -t R -r -n warpfab-task -o %i | wc -l >>$scratch/at_once
  [ "$(ls $store.parts/task-*.db 2>/dev/null | wc -l)" -ge 5 ]; }
nothing_queued() { local jobs; jobs=$(state 2>/dev/null) && [ -z "$jobs" ]; }
newest() { pgrep -n -f "warpfab sweep task $ini"; }
# Tasks that slurmd takes with it do nothing: how many is chance.
done_in_tasks() { for part in $store.parts/task-*.db; do points $part; done | wc -l; }
# One that has just begun, so that points of it are left.
stop_a_task() { victim=$(newest) && [ "$victim" != "$seen" ] && kill -STOP $victim 2>/dev/null; }

expect 0 '40 points: 0 are there, 40 to be run' $warpfab sweep $ini --dry-run
expect 0 'job [0-9]+: brings the tasks' $warpfab sweep $ini $on_slurm
grep -q 'models of RTL' $scratch/log && [ "$(grep -c 'tasks of 4 points' $scratch/log)" = 2 ]
check "one job for the models, two arrays (MaxArraySize), one that collects" $?
until_so 300 half_done
check "half of the tasks have begun" $?
most=$(sort -n $scratch/at_once | tail -n 1)
[ "$most" = 1 ] || [ "$most" = 2 ]
check "$most tasks at a time" $?
seen=$(newest)
until_so 60 stop_a_task && kill -9 $victim && kill -9 $slurmd
check "a task and slurmd are killed" $?
ended=$(done_in_tasks)
expect 2 "still in Slurm's queue" $warpfab sweep resume $ini $on_slurm
sleep 2
start_slurmd
until_so 120 nothing_queued
check "the others go on when slurmd is back" $? || state
before=$(points | wc -l)
[ "$ended" -ge 1 ] && [ "$before" -ge "$ended" ] && [ "$before" -lt 40 ]
check "what they did is in the store: $before of 40, of $ended when they were killed" $?
expect 0 '40 points: 40 (are|were) there' timeout 300 $warpfab sweep resume $ini $on_slurm --wait
# A run that slurmd took with it, and not its task, is told as one that was killed; on demand it is made again.
if $warpfab results list $store --columns exit,message | grep -q 'signal 9'; then
  expect 0 '0 (of them )?failed' timeout 300 $warpfab sweep retry $ini $on_slurm --wait
fi
same "every point is there once" "$(points | sort -u | wc -l) $(points | wc -l)" "40 40"
# What was killed stays in the list beside what was made again of it. Anything else is printed.
others=$($warpfab results list $store --columns key,exit,message | tail -n +2 |
  awk '$2 == "0" { made[$1] = 1; next } { row[++n] = $0; key[n] = $1 }
    END { for (i = 1; i <= n; i++) if (!(key[i] in made) || row[i] !~ /signal 9/) print row[i] }')
[ -z "$others" ]
check "and every other run is one that was killed, of a point that was made again" $? || echo "$others"
[ ! -e $store.parts ]
check "nothing else is left" $?
expect 0 '40 points: 40 were there, 0 run' $warpfab sweep $ini $on_slurm
finish
