/* The GTX 480 memory system, as the tests and the benchmark use it. */
#ifndef WF_TEST_GTX480_H
#define WF_TEST_GTX480_H

#include "sim/mem/mem.h"

static inline wf_mem_config gtx480(void) {
  return (wf_mem_config){.n_sm = 15,
                         .n_part = 6,
                         .core_mhz = 700,
                         .noc_mhz = 700,
                         .l2_mhz = 700,
                         .dram_mhz = 924,
                         .line_bytes = 128,
                         .interleave_bytes = 256,
                         .flit_bytes = 32,
                         .noc_latency = 8,
                         .noc_input_flits = 32,
                         .noc_output_flits = 32,
                         .noc_lookahead = 4,
                         .packet_header_bytes = 8,
                         .l2_bytes = 128 * 1024,
                         .l2_ways = 8,
                         .l2_latency = 120,
                         .l2_mshrs = 64,
                         .l2_mshr_merge = 8,
                         .l2_queue = 8,
                         .dram_bus_bytes = 8,
                         .dram_beats_per_clock = 4,
                         .dram_burst_beats = 8,
                         .dram_banks = 16,
                         .dram_bank_groups = 4,
                         .dram_row_bytes = 2048,
                         .dram_queue = 32,
                         .dram_latency = 250,
                         .tCL = 12,
                         .tWL = 4,
                         .tRCD = 12,
                         .tRP = 12,
                         .tRAS = 28,
                         .tRC = 40,
                         .tRRD = 6,
                         .tCCDS = 2,
                         .tCCDL = 3,
                         .tWTR = 5,
                         .tWR = 12,
                         .tRTP = 2,
                         .tRTW = 10};
}

#endif
