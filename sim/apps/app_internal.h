/* What the applications share; not for other modules. */
#ifndef WF_APP_INTERNAL_H
#define WF_APP_INTERNAL_H

#include "sim/apps/apps.h"

extern const wf_app wf_app_pagerank, wf_app_bfs, wf_app_sssp, wf_app_wcc;
extern const wf_app wf_app_halves, wf_app_atomics, wf_app_reach;
extern const wf_app wf_app_chase, wf_app_stream, wf_app_random, wf_app_noc, wf_app_mshr,
    wf_app_compute, wf_app_lat, wf_app_misses;

enum { WF_APP_MFF_AREA_BYTES = 32 * 17 * 4 }; /* of shared memory per warp, for gathers */
enum { WF_APP_BLOCK = 256 };                  /* threads per block of the graph kernels */
#define WF_APP_UNREACHED 0xffffffffu

/* Adds a metric; a table that is full drops it. */
void wf_app_report(wf_app_run *run, const char *name, double value);

/* ---- options ---- */
/* Rows of a table of options; TYPE: of the settings, whose field has the option's name. */
#define WF_APP_NUMBER(TYPE, NAME, LOW, HIGH, PRESET, MEANING)                                      \
  { #NAME, NULL, LOW, HIGH, PRESET, offsetof(TYPE, NAME), NULL, MEANING }
#define WF_APP_LAST(WORDS) (sizeof(WORDS) / sizeof *(WORDS)-1)
/* The field gets the word's index. */
#define WF_APP_CHOICE(TYPE, NAME, WORDS, PRESET, MEANING)                                          \
  { #NAME, NULL, 0, WF_APP_LAST(WORDS), PRESET, offsetof(TYPE, NAME), WORDS, MEANING }
extern const wf_parameter wf_app_no_options[];
/* Fills what the table's rows name; *err (code 2) names key, value and range. */
bool wf_app_read_options(const wf_app_run *run, const wf_parameter *table, void *settings,
                         wf_error *err);

/* Whether the user named the option; *value: as he wrote it. */
bool wf_app_named(const wf_app_run *run, const char *key, const char **value);

#define WF_APP_ANY_VERTEX 0xffffffffu /* -1 as an option */
#define WF_APP_VERTEX(TYPE, NAME, MEANING)                                                         \
  WF_APP_NUMBER(TYPE, NAME, -1, WF_APP_ANY_VERTEX - 1, -1, MEANING)
#define WF_APP_SOURCE_OPTION(TYPE)                                                                 \
  WF_APP_VERTEX(TYPE, source, "start vertex; -1: the one of most out-edges")
/* Is it one of the graph's, or any? *err (code 2) names the range. */
bool wf_app_check_vertex(const wf_app_run *run, const char *name, uint32_t vertex, wf_error *err);
/* Checks the option's value and puts a vertex for -1. */
bool wf_app_source(const wf_app_run *run, uint32_t *source, wf_error *err);

/* Kernel variants of the graph applications: their options, the first of their settings. */
typedef struct wf_app_variant {
  unsigned mff;          /* use the unit */
  unsigned unroll;       /* of the plain forms; as an option, the word's index */
  unsigned bitset;       /* 1: look before the atomic */
  unsigned supersteps;   /* bound, 0: none */
  unsigned strategy;     /* of the plain forms: whose threads walk a vertex's edges */
  unsigned queue;        /* ids of a block's part of it, of strategy queue */
  unsigned lanes;        /* a vertex's, of strategy warp; as an option, the word's index */
  uint32_t shared_bytes; /* no option: per block, for gathers */
} wf_app_variant;
enum { /* each application has a part of them side by side */
       WF_STRATEGY_HOOK,
       WF_STRATEGY_EDGES,
       WF_STRATEGY_AUTO,
       WF_STRATEGY_THREAD,
       WF_STRATEGY_WARP,
       WF_STRATEGY_BINS,
       WF_STRATEGY_QUEUE,
       WF_STRATEGY_BLOCK,     /* not WCC's */
       WF_STRATEGY_SEGMENTS,  /* as block */
       WF_STRATEGY_DIRECTION, /* BFS's alone */
       WF_STRATEGY_KEPT,      /* PageRank's alone */
       WF_STRATEGIES
};
extern const char *const wf_app_unrolls[3],
    *const wf_app_bitsets[2], *const wf_app_strategies[WF_STRATEGIES], *const wf_app_lanes[4];
#define WF_APP_GRAPH_OPTIONS(SUPERSTEPS)                                                           \
  WF_APP_NUMBER(wf_app_variant, supersteps, 0, 1000000, SUPERSTEPS,                                \
                "super-steps to run; 0: until nothing changes"),                                   \
      WF_APP_CHOICE(wf_app_variant, unroll, wf_app_unrolls, 2,                                     \
                    "edges in flight per thread in the plain kernels of strategy thread"),         \
      WF_APP_NUMBER(wf_app_variant, mff, 0, 1, 1,                                                  \
                    "0: leave the mff unit unused although it is there")
#define WF_APP_STRATEGY(FIRST, LAST, MEANING)                                                      \
  {                                                                                                \
    "strategy", NULL, FIRST, LAST, WF_STRATEGY_AUTO, offsetof(wf_app_variant, strategy),           \
        wf_app_strategies + (FIRST), MEANING                                                       \
  }
#define WF_APP_FRONTIER_OPTIONS(FIRST, LAST, MORE, RULE)                                           \
  WF_APP_STRATEGY(FIRST, LAST,                                                                     \
                  "whose threads walk a vertex's list. Over a bit vector of active vertices: its " \
                  "thread; its warp; by its length a thread, a warp from 32 edges, a block from "  \
                  "1024 (bins). Over a queue of active vertices, with these bins: queue. In one "  \
                  "launch, each level's edges in equal shares: edges" MORE ". auto: " RULE),       \
      WF_APP_NUMBER(wf_app_variant, queue, 1, 1024, 1024,                                          \
                    "vertices that a block queues in shared memory, in strategy queue")
#define WF_APP_SCATTER_OPTION                                                                      \
  WF_APP_CHOICE(wf_app_variant, bitset, wf_app_bitsets, 0,                                         \
                "how plain kernels set a bit: atomic, or test (look first)")

/* What the options come to on this GPU. */
wf_app_variant wf_app_variant_of(const wf_gpu *gpu, const wf_app_variant *given);
/* "NAME_mff", "NAME_u4", "NAME_warp8", "NAME_bins" and so on. */
void wf_app_gather_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                          size_t bytes);
/* "NAME_mff" or "NAME_u4_test". */
void wf_app_scatter_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                           size_t bytes);

/* ---- device data ---- */
/* The device address of a fresh copy of the host's data; 0 and *err on failure. At least 4 bytes
 * are allocated behind the data, so that index n of n elements may be read and thrown away. */
uint64_t wf_app_upload(wf_gpu *gpu, const void *host, uint64_t bytes, const char *what,
                       wf_error *err);
/* The same, filled with one byte. */
uint64_t wf_app_reserve(wf_gpu *gpu, uint8_t byte, uint64_t bytes, const char *what, wf_error *err);
bool wf_app_load_kernels(wf_gpu *gpu, const char *module, wf_error *err);
/* The plain forms of a graph application, those of other strategies than thread, or those with the
 * unit. */
bool wf_app_load_forms(wf_gpu *gpu, const char *module, const wf_app_variant *variant,
                       wf_error *err);
bool wf_app_write_u32(wf_gpu *gpu, uint64_t device, uint32_t value, wf_error *err);
bool wf_app_read_u32(wf_gpu *gpu, uint64_t device, uint32_t *value, wf_error *err);
/* One thread per vertex in blocks of WF_APP_BLOCK. */
bool wf_app_launch(wf_gpu *gpu, const char *kernel, uint32_t n_threads, uint32_t shared_bytes,
                   const void *const *params, unsigned n_params, wf_error *err);
/* In blocks of any size. */
bool wf_app_launch_blocks(wf_gpu *gpu, const char *kernel, uint32_t blocks, uint32_t block,
                          uint32_t shared_bytes, const void *const *params, unsigned n_params,
                          wf_error *err);
/* Tells the unit where C, V and the bit vector are; does nothing without the unit. 0 leaves a base.
 */
bool wf_app_mff_bases(wf_gpu *gpu, const wf_app_variant *variant, uint64_t c_base, uint64_t v_base,
                      uint64_t b_base, wf_error *err);

/* ---- verification: sets run->verified and run->verdict ---- */
/* what: "level of vertex". Appends nothing if an earlier comparison of this run failed. */
void wf_app_compare_u32(wf_app_run *run, const char *what, const uint32_t *got,
                        const uint32_t *expected, uint64_t n);
/* bound[i]: how far element i may be off. */
void wf_app_compare_within(wf_app_run *run, const char *what, const float *got,
                           const double *expected, const double *bound, uint64_t n);
/* Bit for bit, except that either zero equals the other. */
void wf_app_compare_f32(wf_app_run *run, const char *what, const float *got, const float *expected,
                        uint64_t n);
void wf_app_compare_u64(wf_app_run *run, const char *what, uint64_t got, uint64_t expected);

#endif
