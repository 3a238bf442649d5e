/* What the applications share; not for other modules. */
#ifndef WF_APP_INTERNAL_H
#define WF_APP_INTERNAL_H

#include "sim/apps/apps.h"

extern const wf_app wf_app_pagerank, wf_app_bfs, wf_app_sssp, wf_app_wcc;
extern const wf_app wf_app_chase, wf_app_stream, wf_app_random, wf_app_noc, wf_app_mshr,
    wf_app_compute;

enum { WF_APP_MFF_AREA_BYTES = 32 * 17 * 4 }; /* of shared memory per warp, for gathers */
enum { WF_APP_BLOCK = 256 };                  /* threads per block of the graph kernels */
#define WF_APP_UNREACHED 0xffffffffu

/* Adds a metric; a table that is full drops it. */
void wf_app_report(wf_app_run *run, const char *name, double value);

/* ---- options ---- */
/* A whole number within low..high; *err (code 2) names key, value and range. */
bool wf_app_number(const wf_gpu *gpu, const char *key, long low, long high, long otherwise,
                   long *value, wf_error *err);
/* One of n words; *index of the one given. */
bool wf_app_choice(const wf_gpu *gpu, const char *key, const char *const *words, unsigned n,
                   unsigned otherwise, unsigned *index, wf_error *err);
bool wf_app_source(const wf_app_run *run, uint32_t *source, wf_error *err);

/* Kernel variants of the graph applications. */
typedef struct wf_app_variant {
  bool mff;              /* use the unit */
  unsigned unroll;       /* of the plain forms */
  bool bitset_test;      /* look before the atomic */
  uint32_t shared_bytes; /* per block, for gathers */
  long supersteps;       /* bound, 0: none */
} wf_app_variant;

/* default_supersteps: the bound when app.supersteps is not given. */
bool wf_app_choose_variant(const wf_gpu *gpu, long default_supersteps, wf_app_variant *variant,
                           wf_error *err);
/* "NAME_mff" or "NAME_u4". */
void wf_app_gather_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                          size_t bytes);
/* "NAME_mff" or "NAME_u4_test". */
void wf_app_scatter_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                           size_t bytes);
#define WF_APP_GRAPH_OPTIONS(SUPERSTEPS)                                                           \
  {"app.supersteps", SUPERSTEPS, "super-steps to run; 0: until nothing changes"},                  \
      {"app.unroll", "8", "edges in flight per thread in the plain kernels: 1, 4 or 8"}, {         \
    "app.mff", "1", "0: leave the mff unit unused although it is there"                            \
  }
#define WF_APP_SCATTER_OPTIONS                                                                     \
  { "app.bitset", "atomic", "how plain kernels set a bit: atomic, or test (look first)" }
#define WF_APP_SOURCE_OPTION                                                                       \
  { "app.source", "-1", "start vertex; -1: the one of most out-edges" }

/* ---- device data ---- */
/* The device address of a fresh copy of the host's data; 0 and *err on failure. At least 4 bytes
 * are allocated behind the data, so that index n of n elements may be read and thrown away. */
uint64_t wf_app_upload(wf_gpu *gpu, const void *host, uint64_t bytes, const char *what,
                       wf_error *err);
/* The same, filled with one byte. */
uint64_t wf_app_reserve(wf_gpu *gpu, uint8_t byte, uint64_t bytes, const char *what, wf_error *err);
bool wf_app_load_kernels(wf_gpu *gpu, const char *module, wf_error *err);
/* The plain forms of a graph application, or those with the unit. */
bool wf_app_load_forms(wf_gpu *gpu, const char *module, const wf_app_variant *variant,
                       wf_error *err);
bool wf_app_write_u32(wf_gpu *gpu, uint64_t device, uint32_t value, wf_error *err);
bool wf_app_read_u32(wf_gpu *gpu, uint64_t device, uint32_t *value, wf_error *err);
/* One thread per vertex in blocks of WF_APP_BLOCK. */
bool wf_app_launch(wf_gpu *gpu, const char *kernel, uint32_t n_threads, uint32_t shared_bytes,
                   const void *const *params, unsigned n_params, wf_error *err);
/* Tells the unit where C, V and the bit vector are; does nothing without the unit. 0 leaves a base.
 */
bool wf_app_mff_bases(wf_gpu *gpu, const wf_app_variant *variant, uint64_t c_base, uint64_t v_base,
                      uint64_t b_base, wf_error *err);

/* ---- verification: sets run->verified and run->verdict ---- */
/* what: "level of vertex". Appends nothing if an earlier comparison of this run failed. */
void wf_app_compare_u32(wf_app_run *run, const char *what, const uint32_t *got,
                        const uint32_t *expected, uint64_t n);
/* Bit for bit, except that either zero equals the other. */
void wf_app_compare_f32(wf_app_run *run, const char *what, const float *got, const float *expected,
                        uint64_t n);
void wf_app_compare_u64(wf_app_run *run, const char *what, uint64_t got, uint64_t expected);

#endif
