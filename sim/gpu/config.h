/* Configuration of the modelled GPU: read from .ini files, overridden key by key. */
#ifndef WF_GPU_CONFIG_H
#define WF_GPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"
#include "sim/mem/bypass.h"
#include "sim/mem/mem.h"
#include "sim/ptx/ptx.h"

enum { WF_LAUNCH_WAYS = 64 }; /* of the KMU, at most */
typedef enum wf_scheduler { WF_SCHED_LRR, WF_SCHED_GTO, WF_SCHED_COUNT } wf_scheduler;

/* The SM that gets the next block, of those that have room. */
typedef enum wf_cta_place {
  WF_PLACE_TURNS,
  WF_PLACE_FULLEST,
  WF_PLACE_RANDOM,
  WF_PLACE_COUNT
} wf_cta_place;
/* Device kernels that wait in the KMU: of a level as they were launched, or of one SM after the
 * other, the highest level of each first. */
typedef enum wf_launch_kmu { WF_KMU_LAUNCHES, WF_KMU_SMS, WF_KMU_ORDERS } wf_launch_kmu;
typedef enum wf_launch_order {
  WF_LAUNCH_OLDEST,
  WF_LAUNCH_NEWEST,
  WF_LAUNCH_ORDERS
} wf_launch_order;

/* Whose constants energy is computed with: sim/energy/energy_class.c. */
typedef enum wf_energy_class {
  WF_ENERGY_GTX480,
  WF_ENERGY_RTX3070,
  WF_ENERGY_A100,
  WF_ENERGY_H100,
  WF_ENERGY_RTX4090,
  WF_ENERGY_CLASSES
} wf_energy_class;

/* When a line of the L1 gets its way. */
typedef enum wf_l1_allocate { WF_L1_ALLOCATE_MISS, WF_L1_ALLOCATE_FILL } wf_l1_allocate;
/* What a miss that goes past the L1 asks for. */
typedef enum wf_l1_past { WF_L1_PAST_SECTOR, WF_L1_PAST_LINE } wf_l1_past;

typedef struct wf_gpu_config {
  char name[64];
  /* SM; times in core cycles */
  unsigned n_sm, warps_per_sm, ctas_per_sm, schedulers, scheduler;
  unsigned registers_per_sm, register_granularity, shared_bytes_per_sm;
  unsigned branch_latency; /* from a branch's issue to the warp's next */
  unsigned latency[PTX_CLASS_COUNT], interval[PTX_CLASS_COUNT];
  unsigned shared_latency, param_latency, lsu_queue;
  unsigned lsu_past, lsu_loads, lsu_lane_slots; /* of loads past the L1 */
  /* L1 data cache */
  unsigned l1_bytes, l1_ways, l1_line_bytes, l1_mshrs, l1_mshr_merge, l1_latency, l1_miss_queue;
  unsigned l1_unified_bytes; /* of L1 and shared memory; 0: they are two */
  unsigned l1_allocate;      /* wf_l1_allocate */
  unsigned l1_past;          /* wf_l1_past */
  unsigned l1_victim_lines;  /* of its victim cache; 0: none */
  unsigned memory_mib;
  /* Rivals to a unit beside the L1; 0: off. They do without hardware in RTL and decide in no time.
   */
  unsigned swl, l1_tokens, l1_abyp, l1_pd, l1_bypass_stalls, l1_sectored, l1_write_keep;
  unsigned l1_bypass; /* wf_bypass_kind */
  unsigned l1_bypass_seed;
  unsigned l1_prefetch;      /* wf_prefetch_kind */
  unsigned l1_prefetch_turn; /* wf_prefetch_turn */
  unsigned l1_prefetch_degree, l1_prefetch_distance, l1_prefetch_queue;
  unsigned shared_bank_bytes;
  unsigned preload_priority; /* DRAM serves what a unit preloads first */
  unsigned cta_run;          /* consecutive thread blocks that go to the same SM; 0: 1 */
  /* Launches from device code; cycles of a warp in a call, per launching lane on top; 0: none, or
   * the default. */
  unsigned launch_ideal, launch_buffer, launch_buffer_lane, launch_stream, launch_device,
      launch_device_lane;
  unsigned launch_dispatch, launch_kernels, launch_pool_kib, launch_pending, launch_ways;
  unsigned launch_host;  /* cycles before each kernel of the host's */
  unsigned sm_mhz;       /* of all SMs, at a lower voltage; 0: core.mhz */
  unsigned cta_place;    /* wf_cta_place */
  unsigned launch_order; /* wf_launch_order */
  unsigned launch_kmu;   /* wf_launch_kmu */
  unsigned energy_class; /* wf_energy_class */
  wf_mem_config mem;     /* n_sm and line_bytes are filled in from the above */
} wf_gpu_config;

/* name: a built-in configuration (gtx480 ...) or a path to an .ini file. */
bool wf_gpu_config_load(wf_gpu_config *config, const char *name, wf_error *err);
/* Key of the file as section.key, e.g. "l1.bytes". False if unknown, malformed or out of range. */
bool wf_gpu_config_set(wf_gpu_config *config, const char *key, const char *value, wf_error *err);
/* True if the key belongs to the GPU (not to app.* or a unit). */
bool wf_gpu_config_has(const char *key);
/* Do the SMs run at a lower clock and voltage than the core? */
static inline bool wf_gpu_slow_sms(const wf_gpu_config *config) {
  return config->sm_mhz && config->sm_mhz < config->mem.core_mhz;
}
/* Rules across fields, the memory system's included. */
bool wf_gpu_config_check(wf_gpu_config *config, wf_error *err);
void wf_gpu_config_print(FILE *out, const wf_gpu_config *config); /* key, value, range, meaning */
/* Each key with its value as --set takes it; number: it is one, not a name. */
typedef void wf_gpu_config_value(void *user, const char *key, const char *text, bool number);
void wf_gpu_config_each(const wf_gpu_config *config, wf_gpu_config_value *each, void *user);
void wf_gpu_config_list(FILE *out); /* names of the built-in configurations */

#endif
