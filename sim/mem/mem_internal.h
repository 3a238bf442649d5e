/* The whole memory system, shared by mem.c and describe.c only. */
#ifndef WF_MEM_INTERNAL_H
#define WF_MEM_INTERNAL_H

#include "sim/mem/crossbar.h"
#include "sim/mem/dram.h"
#include "sim/mem/l2.h"
#include "sim/mem/payload.h"

/* A clock derived from the core's: f edges in every core_mhz core cycles, spread evenly. */
typedef struct wf_clock {
  uint64_t edges; /* done; the next edge has this number */
  uint32_t phase, mhz;
} wf_clock;

struct wf_mem {
  wf_mem_config config;
  wf_clock noc, l2_clock, dram_clock;
  bool l2_edge;
  wf_xbar request_net, reply_net;
  unsigned parts; /* n_part up to a multiple of 8 */
  wf_l2 *l2;      /* [n_part] */
  wf_dram *dram;  /* [n_part] */
  /* Earliest events of the components, so that a cycle touches only those that have one. All
   * up to a multiple of 8 are kept (UINT64_MAX where there is no partition), compared as vectors.
   */
  uint64_t l2_next[WF_MAX_PARTS], dram_next[WF_MAX_PARTS], return_time[WF_MAX_PARTS];
  uint8_t l2_stalled[WF_MAX_PARTS], dram_full[WF_MAX_PARTS]; /* 0 or 1, for the counters */
  /* conservation */
  uint64_t victims_in, requests_in, replies_out, unit_to_part_in, unit_to_part_out, unit_to_sm_in,
      unit_to_sm_out;
  wf_payload_pool payloads;
  unsigned interleave_shift, flit_shift;
  wf_mem_counters counters;
};

#endif
