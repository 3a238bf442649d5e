/* Bench of mshr_file: requests and fills in; each cycle's answer, and after every edge all outputs,
 * compared with the reference model. */
#ifndef MSHR_BENCH_H
#define MSHR_BENCH_H

#include "sim/units/mshr/ports.h"
#include "tb/common/wf_edge.h"

typedef struct mshr_offer {
  bool request, fill;
  uint64_t line, sub; /* of the request */
  unsigned entry;     /* of the fill */
} mshr_offer;

#define MSHR_COUNTERS(X) X(new), X(merged), X(full), X(merge_full), X(fills), X(answered), X(in_use)
#define MSHR_BINS(X)                                                                               \
  X(new), X(merged), X(merged_last), X(full), X(merge_full), X(merge_full_and_full),               \
      X(merged_though_full), X(fill_of_one), X(fill_of_all), X(fill_alone),                        \
      X(line_asked_as_filled), X(entry_taken_as_filled), X(merged_as_another_filled),              \
      X(fills_in_a_row), X(withdrawn)
#define MSHR_BIN_(name) MSHR_BIN_##name
typedef enum mshr_bin { MSHR_BINS(MSHR_BIN_), MSHR_BIN_COUNT } mshr_bin;
#define MSHR_CNT_(name) MSHR_CNT_##name
typedef enum mshr_counter { MSHR_COUNTERS(MSHR_CNT_), MSHR_CNT_COUNT } mshr_counter;

enum { MSHR_MOST_ENTRIES = 1024, MSHR_MOST_MERGE = 64, MSHR_NONE = MSHR_MOST_ENTRIES };

/* What waits for a line. */
typedef struct mshr_waiting {
  uint64_t line, sub[MSHR_MOST_MERGE];
  unsigned n; /* 0: no line is on its way under this number */
} mshr_waiting;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is an mshr_offer. */
typedef struct mshr_bench {
  wf_bench base;
  mshr_ports p;
  struct {
    unsigned entries, merge, line_bits, sub_bits;
  } shape;
  mshr_waiting waiting[MSHR_MOST_ENTRIES];
  unsigned used;
  bool taken;        /* the last request */
  unsigned entry;    /* that it got */
  mshr_waiting done; /* what must be told now; n 0: nothing */
  bool last_filled, last_refused;
  uint64_t counter[MSHR_CNT_COUNT];
} mshr_bench;

extern const wf_bench_class mshr_bench_class;

/* The number under which the line is on its way; MSHR_NONE: it is not. */
unsigned mshr_bench_find(const mshr_bench *b, uint64_t line);

#endif
