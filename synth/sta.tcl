# Static timing of one netlist. Variables come from the environment (synth/synth sets them).
# Prints "path N SLACK STARTPIN ENDPIN", "at N PIN ARRIVAL" and the power table.
# The first library's units would count otherwise.
foreach lib $env(STA_LIBERTY) { read_liberty $lib }
set_cmd_units -time ns -capacitance fF
read_verilog $env(STA_NETLIST)
link_design $env(STA_TOP)
set period $env(STA_PERIOD_NS)
set share $env(STA_IO_SHARE)
set clock_port [get_ports $env(STA_CLOCK)]
create_clock -name clk -period $period $clock_port
set inputs {}
foreach port [all_inputs] {
  set name [get_property $port full_name]
  if { $name ne $env(STA_CLOCK) } { lappend inputs $port }
}
set_input_delay [expr $period * $share] -clock clk $inputs
set_output_delay [expr $period * $share] -clock clk [all_outputs]
set_load -pin_load $env(STA_LOAD) [all_outputs]
catch { set_driving_cell -lib_cell $env(STA_DRIVER) $inputs }
# Reset is released long before work comes; static registers change only while the unit is idle.
set_false_path -from [get_ports $env(STA_RESET)]
foreach name $env(STA_STATIC) {
  set cells [get_cells -quiet "${name}*"]
  if { [llength $cells] == 0 } { puts "missing $name" } else { set_false_path -from $cells }
}
# Endpoints decide the group: what leaves through an output, what came through an input, the rest.
group_path -name output -to [all_outputs]
group_path -name input -from $inputs
# A latch that is open lends its time to the paths behind it, where it is counted: a path that ends there decides
# nothing, unless the latch has closed.
proc ends_in_latch { pin slack } {
  global env
  if { $slack < 0 || $env(STA_LATCHES) eq "" || ![string match "*/*" $pin] } { return 0 }
  set cell [get_cells [file dirname $pin]]
  return [expr { [lsearch $env(STA_LATCHES) [get_property $cell ref_name]] >= 0 }]
}
set n 0
foreach end [find_timing_paths -path_delay max -group_count $env(STA_PATHS)] {
  set slack [get_property $end slack]
  if { [ends_in_latch [get_full_name [get_property $end endpoint]] $slack] } { continue }
  puts "path $n $slack [get_full_name [get_property $end startpoint]] [get_full_name [get_property $end endpoint]]"
  foreach point [get_property $end points] {
    puts "at $n [get_full_name [get_property $point pin]] [get_property $point arrival]"
  }
  incr n
}
if { $env(STA_POWER) ne "" } {
  # Behind a clock gate there is a clock tree: power.tcl.
  foreach pin [all_registers -level_sensitive -clock_pins] { set_assigned_transition 0 $pin }
  set_power_activity -global -activity $env(STA_POWER) -duty 0.5
  # RAMs leak nothing here (prepare.c), so that what logic leaks is not lost in their sum.
  report_power -digits 6
}
