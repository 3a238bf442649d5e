#!/bin/bash
# Every unit in every machine that is shipped, and at the edges of what it takes: it is refused before a model is built,
# or the model's parameters hold all of the RTL's own checks, which Icarus makes as it starts the module. What must be
# refused is in tests/UNIT/refused.txt.
. "$(dirname "$0")/expect.sh"
units=$($warpfab list units | sed -n 's/^\([a-z][a-z0-9_]*\) .*/\1/p')
configs=$($warpfab list configs | sed 's/ .*//')
for unit in $units; do
  $warpfab list units | sed -n "/^$unit /,/^[a-z]/p" | grep -q '^    machines: .*slices'
  check "list units tells the machines of $unit" $?
done

# Stands for the builder of models: writes down what is asked for.
cat >$scratch/build-model <<'B'
#!/bin/bash
echo "$1|$2|$3" >>"$ASKED"
cat tests/*/refused.txt | grep -qx "first $1" && exec sim/model/build-model "$1" bench
exit 2
B
chmod +x $scratch/build-model
plan=$build/bin/wfgen

# The module alone, its inputs without values.
starts() { # starts UNIT CONFIG PARAMETERS
  local top ini folder args files
  $plan plan "$1" "$2" "$3" >$scratch/plan || return 1
  top=$(sed -n 's/^top //p' $scratch/plan)
  ini=$(sed -n 's/^ini //p' $scratch/plan)
  folder=$(dirname "$ini")
  args=$(sed -n "s/^arg -G/-P$top./p" $scratch/plan)
  files=$(for library in $(scripts/units libraries "$ini"); do ls "$library"/*.v; done)
  iverilog -g2012 -DWF_NO_ASSERT -s $top $args -I$folder -Irtl/common -o $scratch/vvp $files &&
    vvp -n $scratch/vvp
}

declare -A started
pair() { # pair UNIT [ARGUMENT...]: refused, or asks for models that start
  local unit=$1 got line
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

# What refused.txt says of these arguments; "runs" if it says nothing.
wanted() { # UNIT ARGUMENTS
  local text
  text=$(cat "tests/$1/refused.txt" 2>/dev/null |
    awk -v a="$2 | " 'index($0, a) == 1 { print substr($0, length(a) + 1) }')
  echo "${text:-runs}"
}

for config in $configs; do
  for unit in $units; do
    want=$(wanted $unit "--config $config")
    pair $unit --config $config
  done
done
# The least and the most that a configuration can be.
small="--set core.sms=1 --set core.warps=1 --set core.ctas=1 --set core.schedulers=1 --set l2.partitions=1"
large="--set core.sms=64 --set core.warps=64 --set core.ctas=32 --set l2.partitions=16"
for unit in $units; do want=runs; pair $unit $small; pair $unit $large; done
for unit in $units; do
  while read -r row; do
    want=${row#* | }
    pair $unit ${row%% | *}
  done < <(grep -E '^--set ' "tests/$unit/refused.txt" 2>/dev/null)
done
finish
