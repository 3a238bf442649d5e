/* Bench of region_slice: what the tags did in, and after every edge all outputs compared with the
 * reference model. */
#ifndef SLICE_BENCH_H
#define SLICE_BENCH_H

#include "sim/units/region/ports.h"
#include "tb/common/wf_edge.h"

typedef enum slice_kind {
  SLICE_HIT,
  SLICE_MISS,
  SLICE_JOIN,
  SLICE_FILL,
  SLICE_VICTIM,
  SLICE_STORE
} slice_kind;

typedef struct slice_op {
  slice_kind kind;
  unsigned set, way, mshr, core;
  bool asks, past, keeps;
} slice_op;

#define SLICE_COUNTERS(X)                                                                          \
  X(questions), X(hits_other), X(hits_own), X(leaves), X(joins_other), X(past), X(fills),          \
      X(victims), X(stores)
#define SLICE_BINS(X)                                                                              \
  X(hit_own), X(hit_other), X(hit_copied_own), X(hit_copied_other), X(hit_copied_not_kept),        \
      X(hit_both), X(miss), X(miss_past), X(atomic_miss), X(join_own), X(join_other),              \
      X(fill_shared), X(fill_plain), X(victim), X(store), X(way_at_once), X(mshr_at_once),         \
      X(set_at_once)
#define SLICE_BIN_(name) SLICE_BIN_##name
typedef enum slice_bin { SLICE_BINS(SLICE_BIN_), SLICE_BIN_COUNT } slice_bin;
#define SLICE_CNT_(name) SLICE_CNT_##name
typedef enum slice_counter { SLICE_COUNTERS(SLICE_CNT_), SLICE_CNT_COUNT } slice_counter;

enum { SLICE_MOST_SETS = 4096, SLICE_MOST_WAYS = 16, SLICE_MOST_MSHRS = 1024 };

typedef struct slice_line {
  bool there, copied, shared, own;
  unsigned core;
} slice_line;

typedef struct slice_answer {
  bool valid, past, leaves, shared, own;
} slice_answer;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a slice_op. */
typedef struct slice_bench {
  wf_bench base;
  slice_ports p;
  unsigned sets, ways, mshrs, core_bits;
  slice_line line[SLICE_MOST_SETS][SLICE_MOST_WAYS];
  struct {
    bool open, shared;
    unsigned core;
  } flight[SLICE_MOST_MSHRS];
  slice_answer answer, next; /* on the ports now; at the next edge */
  bool inside;               /* something is at its first stage */
  slice_op last;
  bool had_last;
  uint64_t counter[SLICE_CNT_COUNT];
} slice_bench;

extern const wf_bench_class slice_bench_class;

/* One by itself; its answer. */
bool slice_bench_ask(slice_bench *b, const slice_op *op, slice_answer *answer);

#endif
