// spref_edge: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_counter_ram.v
../common/wf_counters.v
../common/wf_ram_1r1w.v
spref_edge.v
spref_pick.v
