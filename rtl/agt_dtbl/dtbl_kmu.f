// dtbl_kmu: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_fair.v
../common/wf_fifo.v
../common/wf_ram_1r1w.v
dtbl_kmu.v
dtbl_kmu_queue.v
dtbl_port.v
