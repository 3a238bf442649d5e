/* Thread blocks on an SM: what they need, their start, barriers, and their end. */
#ifndef WF_GPU_CTA_H
#define WF_GPU_CTA_H

#include "sim/gpu/sm_state.h"

/* The most that a thread of the kernels needs which may run together. */
typedef struct wf_sm_needs_max {
  uint32_t registers, predicates, local_bytes;
} wf_sm_needs_max;
/* Sizes register files, and CTA slots for a kernel; ctas: CTAs that fit (wf_sm_fit). */
bool wf_sm_begin_kernel(wf_sm *sm, const wf_sm_needs_max *most, uint32_t shared_bytes,
                        unsigned ctas);
/* Warps of a block, and registers that an SM gives it. */
void wf_sm_needs(const wf_gpu_config *config, const ptx_launch *launch, uint32_t *warps,
                 uint32_t *registers);
/* CTAs of the kernel that fit in an empty SM; 0 and *err naming the resource that is short. */
unsigned wf_sm_fit(const wf_gpu_config *config, const ptx_launch *launch, uint32_t shared_bytes,
                   wf_error *err);
/* A thread block to start: launch lives as long as it runs; the slot is free. */
typedef struct wf_sm_block {
  const ptx_launch *launch;
  const uint32_t *ctaid;
  unsigned slot;
  uint32_t shared_bytes, grid;
} wf_sm_block;
void wf_sm_start_cta(wf_sm *sm, const wf_sm_block *block, uint64_t now);
/* Lets the block's warps go on if all that live have come to its barrier. */
void wf_cta_release_barrier(wf_sm *sm, wf_cta *cta, unsigned id, uint64_t now);
/* The warp's last lanes have ended. True: and with them its block. */
bool wf_cta_finish_warp(wf_sm *sm, unsigned warp, uint64_t now);
/* The n oldest of the warps. */
uint64_t wf_sm_oldest_of(const wf_sm *sm, uint64_t warps, unsigned n);

#endif
