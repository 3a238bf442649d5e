// pending_request_table: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_onehot_enc.v
../common/wf_priority_enc.v
../common/wf_ram_1r1w.v
pending_request_table.v
