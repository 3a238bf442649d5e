# Power of one netlist with the activity of a recorded run (synth/activity.c). Prints the power table and
# "known N of M": pins of cells whose activity is known.
foreach lib $env(STA_LIBERTY) { read_liberty $lib }
# The first library's units would count otherwise.
set_cmd_units -time ns
read_verilog $env(STA_NETLIST)
link_design $env(STA_TOP)
create_clock -name clk -period $env(STA_PERIOD_NS) [get_ports $env(STA_CLOCK)]
# Held off, or like any other port.
if { $env(STA_RESET) ne "" } { set_case_analysis 1 [get_ports $env(STA_RESET)] }
set file [open $env(STA_ACTIVITY)]
while { [gets $file line] >= 0 } {
  if { [lindex $line 0] eq "pin" } { set activity([lindex $line 1]) [lrange $line 2 3] }
}
close $file
foreach port [all_inputs] {
  set name [get_full_name $port]
  if { $name ne $env(STA_CLOCK) && [info exists activity($name)] } {
    lassign $activity($name) changes high
    sta::set_power_input_port_activity $port $changes $high
  }
}
# OpenSTA 2.0.17 has no working command for pins; the one below is what it would call.
set known 0
set all 0
foreach cell [get_cells -hierarchical *] {
  foreach pin [get_pins -of_objects $cell] {
    set name [string map { \\ "" } [get_full_name $pin]]
    incr all
    if { ![info exists activity($name)] } { continue }
    incr known
    lassign $activity($name) changes high
    sta::set_power_pin_activity $pin $changes $high
  }
}
puts "known $known of $all"
report_power
