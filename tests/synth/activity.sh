#!/bin/bash
# synth/activity on a dump made by hand: changes, levels that edges find, RAM accesses; and on none.
. "$(dirname "$0")/../system/expect.sh"
bin=${BUILD:-build}/synth/bin/activity
dump() {
  cat <<'VCD'
$scope module bench $end
$var wire 1 # clk_i $end
$scope module dut $end
$var wire 1 ! clk_i $end
$var wire 1 " valid_i $end
$var wire 1 $ ready_o $end
$var wire 4 % bus $end
$scope module \u_ram[0] $end
$var wire 1 & rd_en_i $end
$var wire 1 " wr_en_i $end
$upscope $end
$scope module _1_ $end
$var wire 1 ' ZN $end
$upscope $end
$upscope $end
$var wire 1 ( after $end
$upscope $end
$enddefinitions $end
#0
0!
1"
0$
x'
1&
b1010 %
#5
1!
0'
#10
0!
1$
#15
1!
1'
0&
#20
0!
#25
1!
0"
0'
#30
0!
#35
1!
VCD
}
expected='edges 4
pin valid_i 0.250000 0.750000
pin ready_o 0.250000 0.750000
pin u_ram[0]/rd_en_i 0.250000 0.500000
pin u_ram[0]/wr_en_i 0.250000 0.750000
pin _1_/ZN 0.500000 0.250000
ram u_ram[0] 2 3'
told=$(dump | "$bin" dut)
check "activity of a dump made by hand" "$([ "$told" = "$expected" ]; echo $?)"
[ "$told" = "$expected" ] || diff <(echo "$expected") <(echo "$told")
# Windows of two edges: what is told differs from the window before; a bus of 4 lanes, 1010 at all four edges.
windows='window 2
event in 1
event lanes 4
ram u_ram[0] 2 2
at 1 0.500000
window 2
event in 1
event lanes 4
ram u_ram[0] 0 1
at 0 0.500000
at 1 0.000000
at 2 0.500000
at 3 0.500000
at 4 1.000000'
dump | "$bin" dut "$scratch/windows" 2 in:valid_i:ready_o lanes:bus:- >"$scratch/table"
check "activity by windows, and transfers" "$([ "$(cat "$scratch/windows")" = "$windows" ]; echo $?)"
diff <(echo "$windows") "$scratch/windows"
check "the table stays as it is without windows" "$([ "$(cat "$scratch/table")" = "$expected" ]; echo $?)"
dump >"$scratch/vcd"
expect 2 "event in: dut has no port taken_o" \
  bash -c "'$bin' dut '$scratch/windows' 2 in:valid_i:taken_o <'$scratch/vcd'"
expect 2 "usage" "$bin" dut "$scratch/windows" 0 in:valid_i:ready_o
expect 2 "usage" "$bin" dut "$scratch/windows" 2 in:valid_i
expect 2 "no edge of clk_i in a scope dut" "$bin" dut
expect 2 "in a scope other" bash -c "'$bin' other <'$scratch/vcd'"
expect 2 "usage" "$bin" dut valid_i
finish
