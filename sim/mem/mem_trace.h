/* Optional observers: of DRAM commands, for checkers and waveforms; of which data move in the L2
 * slices, for benches that keep data where the fabric keeps none. */
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

/* A slice's data. Requests are performed at their hit, or as their line is complete, in order. */
typedef enum wf_data_what {
  WF_DATA_EMPTY,   /* the place is a new line's, of which nothing is there */
  WF_DATA_FETCH,   /* DRAM is asked for the sectors: what it holds behind writes before this */
  WF_DATA_FILL,    /* they come; valid sectors stay, and what was written of partial ones */
  WF_DATA_SETTLE,  /* a line moves to `place` from place number `sectors` */
  WF_DATA_VICTIM,  /* the packet's line is put into the place */
  WF_DATA_PERFORM, /* a read or an atomic */
  WF_DATA_STORE,   /* the packet's words into the place */
  WF_DATA_THROUGH, /* into DRAM; place UINT32_MAX: the line has none */
  WF_DATA_BACK     /* dirty words of the sectors, from the place into DRAM */
} wf_data_what;
typedef struct wf_data_move {
  wf_data_what what;
  unsigned slice, place;
  uint32_t line; /* within the slice */
  unsigned sectors;
  const wf_packet *packet; /* or NULL */
} wf_data_move;
typedef void (*wf_data_trace)(void *user, const wf_data_move *move);
void wf_mem_trace_data(wf_mem *mem, wf_data_trace trace, void *user);

#endif
