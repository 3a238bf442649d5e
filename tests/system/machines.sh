#!/bin/bash
# Every unit in every machine that is shipped, and at the edges of what it takes: it is refused before a model is built,
# or the model's parameters hold all of the RTL's own checks, which Icarus makes as it starts the module.
. "$(dirname "$0")/expect.sh"
units=$($warpfab list units | sed -n 's/^\([a-z][a-z0-9]*\) .*/\1/p')
configs=$($warpfab list configs | sed 's/ .*//')
for unit in $units; do
  $warpfab list units | sed -n "/^$unit /,/^[a-z]/p" | grep -q '^    machines: .*slices'
  check "list units tells the machines of $unit" $?
done

# Stands for the builder of models: writes down what is asked for. Where a unit asks for two, the first is built.
cat >$scratch/build-model <<'B'
#!/bin/bash
echo "$1|$2|$3" >>"$ASKED"
[ "$1" = teleport_controller ] && exec sim/model/build-model "$1" bench
exit 2
B
chmod +x $scratch/build-model
plan=$build/bin/wfgen

# The module alone, its inputs without values.
starts() { # starts UNIT CONFIG PARAMETERS
  local top folder args
  $plan plan "$1" "$2" "$3" >$scratch/plan || return 1
  top=$(sed -n 's/^top //p' $scratch/plan)
  folder=$(dirname "$(sed -n 's/^ini //p' $scratch/plan)")
  args=$(sed -n "s/^arg -G/-P$top./p" $scratch/plan)
  iverilog -g2012 -DWF_NO_ASSERT -s $top $args -I$folder -Irtl/common -o $scratch/vvp $folder/*.v rtl/common/*.v &&
    vvp -n $scratch/vvp
}

declare -A started
pair() { # pair UNIT [ARGUMENT...]: refused, or asks for models that start
  local unit=$1 got line
  grep -qx "${unit%%:*}" <<<"$units" || { echo "SKIPPED $*: no such unit in this tree"; return; }
  rm -f $scratch/asked
  ASKED=$scratch/asked WARPFAB_BUILD_MODEL=$scratch/build-model \
    timeout 60 $warpfab run --app compute --unit "$@" >$scratch/log 2>&1 </dev/null
  got=$?
  if [ ! -e $scratch/asked ]; then
    [ $got = 2 ] && [ "$want" != runs ] && grep -Eq "$want" $scratch/log
    got=$?
    check "$* is refused ($(tail -n 1 $scratch/log))" $got
    return
  fi
  [ "$want" = runs ]; check "$* asks for a model" $?
  while read -r line; do
    [ -n "${started[$line]-}" ] && continue
    started[$line]=1
    starts "${line%%|*}" "$(cut -d'|' -f2 <<<"$line")" "${line##*|}" >$scratch/log 2>&1
    check "  $line starts" $? || tail -n 3 $scratch/log
  done <$scratch/asked
}

for config in $configs; do
  for unit in $units; do
    want=runs
    case "$unit $config" in
      "apcm rtx3070") want='unit apcm: an L1 of .* at most 1024 and 16' ;;
      "dtbl rtx3070") want='unit dtbl: .* memory.mib must be 4095 or less' ;;
    esac
    pair $unit --config $config
  done
done
# The least and the most that a configuration can be.
small="--set core.sms=1 --set core.warps=1 --set core.ctas=1 --set core.schedulers=1 --set l2.partitions=1"
large="--set core.sms=64 --set core.warps=64 --set core.ctas=32 --set l2.partitions=16"
for unit in $units; do want=runs; pair $unit $small; pair $unit $large; done
want='l1.bytes, l1.ways.: at most 1024 and 16'
pair apcm --set l1.ways=32
pair apcm --set l1.bytes=1048576
want='memory.mib must be 4095 or less'; pair dtbl --set memory.mib=4096
want='core.shared_bytes=64.*expected 128'; pair dtbl --set core.shared_bytes=64
want='core.shared_bytes=4095: expected 4096'; pair teleport --set core.shared_bytes=4095
want='core.lsu_queue=61: its RTL counts 60'; pair apcm --set core.lsu_queue=61
want='c_registers=6: expected 16'; pair mff:c_registers=6 --set l2.partitions=16
want='work_registers=64: expected 1 to 65536'; pair mff:work_registers=64
want='tag_entries=48: expected more than'; pair mff:tag_entries=48
want='job_entries=4096: expected at most 1024'; pair mff:job_entries=4096 --set l2.partitions=1
finish
