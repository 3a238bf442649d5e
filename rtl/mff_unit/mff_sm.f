// mff_sm: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_fifo.v
../common/wf_ram_1r1w.v
../common/wf_skid.v
mff_sm.v
mff_sm_issue.v
mff_sm_join.v
mff_sm_reply.v
mff_freelist.v
