# spref_sm, any configuration: what `make synth' asks for at 45 nm. packaging/flows writes it.
create_clock -name clk -period 1.000 [get_ports clk_i]
set_input_delay [expr 0.2 * 1.000] -clock clk [all_inputs]
set_output_delay [expr 0.2 * 1.000] -clock clk [all_outputs]
# Reset is released long before work comes.
set_false_path -from [get_ports rst_ni]
