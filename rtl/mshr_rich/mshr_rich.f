// mshr_rich: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_fifo.v
../common/wf_onehot_enc.v
../common/wf_priority_enc.v
../common/wf_ram_1r1w.v
../common/wf_skid.v
mshr_rich.v
mshr_rich_rows.v
../mff_unit/mff_freelist.v
