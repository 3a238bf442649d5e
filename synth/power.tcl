# Power of one netlist with the activity of a recorded run (synth/activity.c). Prints "known N of
# M", pins of cells whose activity is known (not of RAMs, of whose buses a dump does not tell), the
# power table, and one more for each window, after a line "window".
foreach lib $env(STA_LIBERTY) { read_liberty $lib }
# The first library's units would count otherwise.
set_cmd_units -time ns
read_verilog $env(STA_NETLIST)
link_design $env(STA_TOP)
create_clock -name clk -period $env(STA_PERIOD_NS) [get_ports $env(STA_CLOCK)]
# Held off, or like any other port.
if { $env(STA_RESET) ne "" } { set_case_analysis 1 [get_ports $env(STA_RESET)] }
# Behind a clock gate there is a clock tree, as there is before flops: no edge of one output for a thousand latches.
foreach pin [all_registers -level_sensitive -clock_pins] { set_assigned_transition 0 $pin }
# OpenSTA 2.0.17 has no working command for pins; the ones below are what it would call.
proc set_activity { object changes high } {
  if { [llength $object] == 0 } { return }
  lassign $object kind handle
  if { $kind ne "port" } {
    sta::set_power_pin_activity $handle $changes $high
  } else {
    sta::set_power_input_port_activity $handle $changes $high
  }
}
set known 0
set all 0
foreach port [all_inputs] {
  set name [get_full_name $port]
  if { $name ne $env(STA_CLOCK) } { set object($name) [list port $port] }
}
foreach cell [get_cells -hierarchical *] {
  set kind [expr { [string match wf_ram_* [get_property $cell ref_name]] ? "ram" : "pin" }]
  foreach pin [get_pins -of_objects $cell] {
    set object([string map { \\ "" } [get_full_name $pin]]) [list $kind $pin]
    incr all [expr { $kind eq "pin" }]
  }
}
set objects {}
set highs {}
set file [open $env(STA_ACTIVITY)]
while { [gets $file line] >= 0 } {
  lassign $line what name changes high
  if { $what ne "pin" } { continue }
  set it [expr { [info exists object($name)] ? $object($name) : {} }]
  if { [lindex $it 0] eq "pin" } { incr known }
  if { $env(STA_STILL) ne "" && $changes == 0 && [regexp {/IQN?$} $name] } { set it {} }
  lappend objects $it
  lappend highs $high
  set_activity $it $changes $high
}
close $file
puts "known $known of $all"
report_power -digits 6
if { ![file exists $env(STA_WINDOWS)] } { exit }
# A window is told against the one before, the first against none. How long pins are high stays that
# of the whole recording: OpenSTA multiplies such shares where a cell's energy depends on its
# inputs, so that power is linear in changes alone.
set pin 0
foreach it $objects { set_activity $it 0 [lindex $highs $pin]; incr pin }
set file [open $env(STA_WINDOWS)]
set begun 0
while { [gets $file line] >= 0 } {
  lassign $line what pin changes
  if { $what eq "at" } {
    set_activity [lindex $objects $pin] $changes [lindex $highs $pin]
  } elseif { $what eq "window" } {
    if { $begun } { puts "window"; report_power -digits 6 }
    set begun 1
  }
}
close $file
if { $begun } { puts "window"; report_power -digits 6 }
