// apcm: relative to this file (verilator -F, most simulators -F). packaging/flows writes it.
+incdir+../common
../common/wf_latch_words.v
../common/wf_ram_1r1w.v
apcm.v
apcm_lat.v
apcm_cait.v
apcm_psb.v
apcm_lines.v
apcm_mta.v
apcm_loops.v
apcm_events.v
apcm_counters.v
