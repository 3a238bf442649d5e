#!/bin/bash
# A sweep over ssh: an sshd of its own on this machine, with keys of its own, is two hosts for GNU parallel, 127.0.0.1
# and localhost. One connection is killed half way; resumed, every point is there once.
. "$(dirname "$0")/../system/expect.sh"
for tool in /usr/sbin/sshd ssh parallel; do
  command -v $tool >/dev/null || { echo "SKIPPED: no $tool: apt-get install openssh-server parallel"; exit 0; }
done
ini=$scratch/s.ini store=$scratch/s.db port=$((20000 + RANDOM % 20000))
ssh-keygen -q -t ed25519 -N '' -f $scratch/host_key && ssh-keygen -q -t ed25519 -N '' -f $scratch/key || exit 1
cp $scratch/key.pub $scratch/authorized
cat >$scratch/sshd_config <<E2
Port $port
ListenAddress 127.0.0.1
ListenAddress ::1
HostKey $scratch/host_key
PidFile $scratch/sshd.pid
AuthorizedKeysFile $scratch/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
E2
cat >$scratch/ssh_config <<E2
Host *
  Port $port
  IdentityFile $scratch/key
  IdentitiesOnly yes
  BatchMode yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
E2
# root's sshd wants this folder; sshd wants its whole path
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
/usr/sbin/sshd -D -f $scratch/sshd_config -E $scratch/sshd.log &
sshd=$!
trap 'kill $sshd 2>/dev/null; rm -rf $scratch' EXIT
for i in $(seq 50); do ssh -F $scratch/ssh_config 127.0.0.1 true 2>/dev/null && break; sleep 0.1; done
ssh -F $scratch/ssh_config localhost true
check "two hosts" $? || { cat $scratch/sshd.log; finish; exit 1; }

cat >$ini <<'E2'
[product]
app = pagerank
graph = rgg:scale=13
seed = {1..24}
E2
keys() { $warpfab results list $store --columns key --where exit=0 2>/dev/null | tail -n +2; }
tasks() { pgrep -f "sweep task $ini --store $store"; }
hosts="ssh -F $scratch/ssh_config 127.0.0.1,ssh -F $scratch/ssh_config localhost"
sweep=($warpfab sweep $ini --store $store)
spread=(--engine parallel --hosts "$hosts" --points-per-task 4 --at-once 1)
# The client's arguments begin so; those of shells and of parallel have it further on.
connection() { pgrep -f "^[a-z/]*ssh -F $scratch/ssh_config localhost"; }
half_way() {
  for i in $(seq 300); do
    [ "$($warpfab results list $store.parts/task-1.db 2>/dev/null | wc -l)" -ge 2 ] && [ -n "$(connection)" ] && return
    sleep 0.05
  done
  return 1
}
once() { same "$1: every point is there once" "$(keys | sort -u | wc -l) $(keys | wc -l)" "24 24"; }

# A connection breaks: its task goes on without it, and is waited for.
"${sweep[@]}" "${spread[@]}" >$scratch/said 2>&1 &
running=$!
half_way && kill -9 $(connection)
check "a connection is killed half way" $?
wait $running
same "the sweep tells, and waits for the task ($?)" \
  "$(grep -c 'sweep: 1 of the tasks failed.* goes on' $scratch/said) $(grep -c '^24 points: ' $scratch/said)" "1 1"
expect 0 '^24 points: 24 are there, 0 of them failed' "${sweep[@]}" "${spread[@]}"
once "resumed"
same "nothing of it runs on" "$(tasks | wc -l)" 0
same "and its tasks' stores are gone" "$(ls -d $store.parts 2>/dev/null | wc -l)" 0

# Connection and task end, as with their machine.
rm -f $store
"${sweep[@]}" "${spread[@]}" >$scratch/said 2>&1 &
running=$!
half_way && kill -9 $(tasks) $(connection)
check "connection and tasks are killed half way" $?
wait $running
same "the sweep is not whole" "$?" 1
expect 0 '^24 points: 24 are there, 0 of them failed' "${sweep[@]}" "${spread[@]}"
once "resumed"

# The sweep itself is killed; what it began is waited for.
rm -f $store
"${sweep[@]}" "${spread[@]}" >$scratch/said 2>&1 &
running=$!
half_way && kill -9 $running
check "the sweep is killed half way" $?
wait $running 2>/dev/null
expect 0 '^24 points: 24 are there, 0 of them failed' "${sweep[@]}" "${spread[@]}"
once "resumed"
same "nothing of it runs on" "$(tasks | wc -l)" 0
finish
