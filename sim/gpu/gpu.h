/* The modelled GPU as a host program sees it: memory, modules, launches; and as the bench sees it:
 * configuration, units, counters. One wf_gpu is one device with one kernel running at a time. */
#ifndef WF_GPU_H
#define WF_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/gpu/config.h"
#include "sim/gpu/counters.h"
#include "sim/gpu/footprint.h"
#include "sim/gpu/load_times.h"
#include "sim/gpu/locality.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/probe.h"
#include "sim/gpu/sample.h"
#include "sim/mem/mem.h"
#include "sim/ptx/warp_source.h"
#include "sim/seam/unit.h"

typedef struct wf_gpu wf_gpu;

/* Takes over nothing: config and options are copied. unit_names: n_units names known to
 * wf_unit_find(). NULL and *err for a bad configuration or a unit that cannot be built. */
wf_gpu *wf_gpu_create(const wf_gpu_config *config, const wf_options *options,
                      const char *const *unit_names, unsigned n_units, uint64_t seed,
                      wf_error *err);
void wf_gpu_destroy(wf_gpu *gpu);

/* ---- host API ---- */
/* Adds a module; its variables are placed in device memory. */
bool wf_gpu_load_ptx(wf_gpu *gpu, const char *name, const char *text, size_t bytes, wf_error *err);
/* The same of a module parsed with wf_unit_ops(); it is the GPU's, also if this fails. */
bool wf_gpu_add_module(wf_gpu *gpu, ptx_module *module, wf_error *err);

typedef struct wf_launch_args {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes;    /* dynamic shared memory, beyond the kernel's static */
  const void *params[32];   /* pointers to the values */
  uint32_t param_bytes[32]; /* their sizes, which must be the kernel's; 0: they are */
  unsigned n_params;
} wf_launch_args;

/* A kernel of the loaded modules; NULL and *err (code 2) with the names there are. */
const ptx_kernel *wf_gpu_find_kernel(const wf_gpu *gpu, const char *name, wf_error *err);

/* What of a launch can be wrong on any GPU: extents, parameters, registers. False: *err (code 2).
 */
bool wf_gpu_check_launch(const ptx_kernel *kernel, const wf_launch_args *args, wf_error *err);
/* Blocks of `block` threads that all SMs together hold at once, and let issue although a warp of
 * each waits for other blocks by looking. */
bool wf_gpu_resident_blocks(const wf_gpu *gpu, const char *kernel, uint32_t block,
                            uint32_t shared_bytes, uint32_t *blocks, wf_error *err);
/* Runs the kernel to completion. False with err->code WF_EXIT_BAD_INPUT for a launch that cannot
 * be (unknown kernel, block too large, parameters missing), WF_EXIT_WRONG for a fault of the kernel
 * or a broken invariant, WF_EXIT_HANG for no progress or the cycle limit. */
bool wf_gpu_launch(wf_gpu *gpu, const wf_launch_args *args, wf_error *err);
/* The same for a kernel of no module, e.g. a trace's; it must outlive the GPU. */
bool wf_gpu_launch_kernel(wf_gpu *gpu, const ptx_kernel *kernel, const wf_launch_args *args,
                          wf_error *err);
/* From now on launches take their instructions from the source; NULL: PTX is executed. */
void wf_gpu_set_source(wf_gpu *gpu, wf_warp_source *source);

bool wf_gpu_has_unit(const wf_gpu *gpu, const char *unit);
/* Sets a base register of a unit, e.g. "mff", "c_base". */
bool wf_gpu_unit_base(wf_gpu *gpu, const char *unit, const char *base, uint64_t device,
                      wf_error *err);
/* The paper's cudaFlushCTATracker and cudaSetCTATracker: clears the list of what thread blocks
 * read, adds to it. It counts for all launches that follow, if a unit listens. */
void wf_gpu_cta_flush(wf_gpu *gpu);
void wf_gpu_cta_tracker(wf_gpu *gpu, const wf_preload_row *row);
/* As they were given, those of the application among them. */
const wf_options *wf_gpu_options(const wf_gpu *gpu);

/* ---- results ---- */
/* The coalescing probe (--set probe.coalescing=1), or NULL. */
const wf_probe *wf_gpu_probe(const wf_gpu *gpu);
/* The locality probe (--set probe.locality=1), evaluated up to the last launch; or NULL. */
const wf_locality *wf_gpu_locality(const wf_gpu *gpu);
/* The footprint probe (--set probe.footprint=1), of host kernels that ended; or NULL. */
const wf_footprint *wf_gpu_footprint(const wf_gpu *gpu);
/* What sample.* left out of the timing; NULL: nothing was asked for. */
const wf_sample_counters *wf_gpu_sampled(const wf_gpu *gpu);
/* Times of loads (--set probe.loads=1), or NULL. */
const wf_load_times *wf_gpu_load_times(const wf_gpu *gpu);
uint64_t wf_gpu_cycles(const wf_gpu *gpu);
uint64_t wf_gpu_memory_used(const wf_gpu *gpu); /* bytes given out */
const wf_sm_counters *wf_gpu_sm_counters(const wf_gpu *gpu);
const wf_l1_counters *wf_gpu_l1_counters(const wf_gpu *gpu);
const wf_mem_counters *wf_gpu_mem_counters(const wf_gpu *gpu);
/* Of all SMs while they were at the lower voltage. False: none ever was. clock: its share of the
 * core's clock there. */
bool wf_gpu_low_counters(const wf_gpu *gpu, wf_pstate_counters *counters, double *clock);
/* Of one SM; over its states they are all that it did. */
void wf_gpu_pstate_counters(const wf_gpu *gpu, unsigned sm, wf_pstate state,
                            wf_pstate_counters *counters);
const wf_launch_counters *wf_gpu_launch_counters(const wf_gpu *gpu);
const wf_kernel_record *wf_gpu_kernels(const wf_gpu *gpu, size_t *count);
const wf_gpu_config *wf_gpu_get_config(const wf_gpu *gpu);
wf_unit *wf_gpu_unit(const wf_gpu *gpu, unsigned index); /* NULL past the last */

void wf_gpu_on_progress(wf_gpu *gpu, wf_progress_fn fn, void *user);
void wf_gpu_limit_cycles(wf_gpu *gpu, uint64_t max_cycles); /* 0: none */

#endif
