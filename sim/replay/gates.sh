#!/bin/bash
# Synthesises a unit to the cells of a Liberty file, RAM wrappers kept as they are.
#   sim/replay/gates.sh TOP "A=1 B=2" "-I..." "sources" LIBERTY NETLIST
set -u
top=$1 parameters=$2 includes=$3 sources=$4 liberty=$5 netlist=$6
chparam=""
for p in $parameters; do chparam="$chparam -set ${p%%=*} ${p#*=}"; done
[ -z "$chparam" ] || chparam="chparam $chparam $top;"
exec yosys -p "
  read_verilog -sv -DWF_RAM_BLACKBOX $includes $sources; $chparam
  synth -flatten -top $top -run begin:fine
  opt -fast -full; memory_map; opt -undriven -fine; techmap; opt -fast
  dfflibmap -liberty $liberty; opt -fast
  abc -liberty $liberty -script +strash;map
  clean; check -mapped; write_verilog -noattr -noexpr $netlist"
