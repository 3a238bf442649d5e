/* Optional observer of DRAM commands, for checkers and waveforms. */
#ifndef WF_MEM_TRACE_H
#define WF_MEM_TRACE_H

#include "sim/mem/mem.h"

typedef enum wf_dram_command {
  WF_DRAM_ACT,
  WF_DRAM_READ,
  WF_DRAM_WRITE,
  WF_DRAM_PRE,
  WF_DRAM_REFRESH /* all banks; bank, row and column are 0 */
} wf_dram_command;

/* clock: command clocks since the start; column: in bursts. */
typedef void (*wf_dram_trace)(void *user, unsigned channel, uint64_t clock, wf_dram_command command,
                              unsigned bank, uint32_t row, unsigned column);
void wf_mem_trace_dram(wf_mem *mem, wf_dram_trace trace, void *user);

#endif
