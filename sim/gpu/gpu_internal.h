/* State of the GPU, shared by the files of sim/gpu. It knows the SMs and the launcher by name only,
 * so that they may look into it. */
#ifndef WF_GPU_INTERNAL_H
#define WF_GPU_INTERNAL_H

#include "sim/gpu/abyp.h"
#include "sim/gpu/config.h"
#include "sim/gpu/counters.h"
#include "sim/gpu/dispatch.h"
#include "sim/gpu/footprint.h"
#include "sim/gpu/load_times.h"
#include "sim/gpu/locality.h"
#include "sim/gpu/observe.h"
#include "sim/gpu/probe.h"
#include "sim/gpu/sample.h"
#include "sim/gpu/seat.h"
#include "sim/gpu/settings.h"
#include "sim/mem/mem.h"
#include "sim/ptx/heap.h"
#include "sim/ptx/warp_source.h"

typedef struct wf_gpu wf_gpu;
typedef struct wf_sm wf_sm;
typedef struct wf_launcher wf_launcher;

enum { WF_MAX_UNITS = WF_MEM_CLIENTS, WF_MAX_SEATS = 4 * WF_MAX_UNITS };

typedef struct wf_module {
  ptx_module *ptx;
  struct wf_module *next;
} wf_module;

/* A dispatcher, the GPU's own or a unit. */
typedef struct wf_block_source {
  const wf_dispatch_ops *ops;
  void *self;
} wf_block_source;

struct wf_gpu {
  wf_gpu_config config;
  wf_options options;
  wf_gpu_settings settings;
  wf_image *image;
  wf_mem *mem;
  wf_sm *sms;
  wf_unit *units[WF_MAX_UNITS];
  unsigned n_units;
  wf_unit **unit_of_class; /* by number in wf_unit_classes(); NULL: this GPU has none */
  wf_seat seats[WF_MAX_SEATS];
  unsigned n_seats;
  wf_cache_row listeners[WF_CACHE_LEVELS]; /* units that hear the caches */
  wf_slice_judge judge;                    /* the unit that decides at the slices, if any */
  wf_block_source blocks;                  /* who decides where blocks run */
  ptx_custom_op *ops;
  size_t n_ops;
  wf_module *modules;
  bool hinted;               /* ptx.cg, ptx.no_allocate and ptx.red are done */
  wf_probe *probe;           /* NULL unless asked for */
  wf_locality *locality;     /* the same */
  wf_footprint *footprint;   /* the same */
  wf_load_times *load_times; /* the same */
  wf_abyp_l2 *abyp;          /* NULL without l1.abyp */
  wf_warp_source *source;    /* NULL: instructions are PTX that is executed */
  wf_sample *sample;         /* NULL without sample.*: all launches are timed */
  bool skip; /* jump over dead time (--set sim.skip=0: tick through it, same results) */
  uint64_t cycle, max_cycles;
  uint64_t local_base, local_bytes; /* device region behind local memory */
  ptx_heap *heap;                   /* NULL until a kernel with malloc runs */
  wf_kernel_record *kernels;
  size_t n_kernels;
  wf_sm_counters sm_total;
  wf_l1_counters l1_total;
  double low_clock; /* of an SM at a lower voltage, as a share of the core's; 0: none ever was */
  wf_progress_fn progress;
  void *progress_user;
  wf_dispatcher *dispatcher;
  wf_launcher *launcher;
  ptx_launch launch; /* the host's running kernel */
  const wf_observer *observers[WF_OBSERVERS];
  unsigned n_observers;
  uint64_t sample_at[WF_OBSERVERS]; /* of each; WF_NEVER: none */
  uint64_t next_sample;             /* the first of them */
  unsigned seen_busy;               /* units, by bit, as they were told */
};

/* units.c: has one of them a port of the crossbar? */
bool wf_gpu_unit_port(const char *const *names, unsigned n);
/* Makes the units named, in their order, each with its place in the GPU. */
bool wf_gpu_add_units(struct wf_gpu *gpu, const char *const *names, unsigned n, uint64_t seed,
                      wf_error *err);
/* Gives a unit that is there its place. False: another one has it. */
bool wf_gpu_seat_unit(struct wf_gpu *gpu, wf_unit *unit, wf_error *err);
void wf_gpu_destroy_units(struct wf_gpu *gpu);
/* Kernels, for what the units' seats have to do. */
bool wf_gpu_begin_seats(struct wf_gpu *gpu, const wf_kernel_room *room, wf_error *err);
void wf_gpu_end_seats(struct wf_gpu *gpu);
static inline void wf_gpu_see(const struct wf_gpu *gpu, const wf_seen *what) {
  for (unsigned i = 0; i < gpu->n_observers; i++)
    gpu->observers[i]->see(gpu->observers[i]->user, what);
}
static inline bool wf_gpu_sees_warps(const struct wf_gpu *gpu) {
  for (unsigned i = 0; i < gpu->n_observers; i++)
    if (gpu->observers[i]->warps) return true;
  return false;
}
/* gpu.c: brings the totals up to date. */
void wf_gpu_sum_counters(struct wf_gpu *gpu);
/* run.c: lets time pass without a kernel. */
bool wf_gpu_wait(struct wf_gpu *gpu, uint64_t cycles, wf_error *err);
/* Runs the launch that is set up. */
bool wf_gpu_run_kernel(struct wf_gpu *gpu, wf_error *err);

#endif
