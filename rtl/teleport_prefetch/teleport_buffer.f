// teleport_buffer: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_arb_rr.v
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_fifo.v
../common/wf_onehot_enc.v
../common/wf_ram_1r1w.v
teleport_buffer.v
teleport_tile.v
teleport_walk.v
teleport_tags.v
teleport_lines.v
teleport_slots.v
