// region_core: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_ram_1r1w.v
region_core.v
region_pcs.v
region_counts.v
