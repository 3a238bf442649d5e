/* Bench of pending_request_table: lines of loads and replies in; each cycle's answer, and after
 * every edge all outputs, compared with the reference model. */
#ifndef PRT_BENCH_H
#define PRT_BENCH_H

#include "sim/units/prt/ports.h"
#include "tb/common/wf_edge.h"

enum { PRT_MOST_ENTRIES = 1024, PRT_MOST_LANES = 32, PRT_NONE = PRT_MOST_ENTRIES };

/* A load: which lanes want which line is in its masks, in the order in which they are asked for. */
typedef struct prt_load {
  uint64_t number;
  uint32_t active, mask[PRT_MOST_LANES]; /* of n lines */
  unsigned n;
  uint16_t offset[PRT_MOST_LANES];
} prt_load;

typedef struct prt_offer {
  bool request, reply;
  prt_load load;  /* of the request */
  unsigned nth;   /* its line: 0 first, load.n - 1 last */
  unsigned entry; /* of the reply, and the lanes that it is for */
  uint32_t mask;
} prt_offer;

#define PRT_COUNTERS(X) X(loads), X(lines), X(full), X(slots_full), X(replies), X(in_use), X(whole)
#define PRT_BINS(X)                                                                                \
  X(load_of_one_line), X(load_of_all_lines), X(full), X(slots_full), X(later_line_though_full),    \
      X(answered_before_all_asked), X(ended), X(ended_out_of_order), X(entry_taken_as_freed),      \
      X(replies_in_a_row), X(reply_alone), X(withdrawn), X(refused_twice)
#define PRT_BIN_(name) PRT_BIN_##name
typedef enum prt_bin { PRT_BINS(PRT_BIN_), PRT_BIN_COUNT } prt_bin;
#define PRT_CNT_(name) PRT_CNT_##name
typedef enum prt_counter { PRT_COUNTERS(PRT_CNT_), PRT_CNT_COUNT } prt_counter;

/* An entry of the model: the load, how many of its lines were asked for, lanes that wait. */
typedef struct prt_waiting {
  prt_load load;
  unsigned asked;
  uint32_t lanes[PRT_MOST_LANES]; /* of each line asked for; 0: it is here */
  uint64_t age;
  bool used;
} prt_waiting;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a prt_offer. */
typedef struct prt_bench {
  wf_bench base;
  prt_ports p;
  struct {
    unsigned entries, lanes, off_bits, load_bits, slots;
  } shape;
  prt_waiting at[PRT_MOST_ENTRIES];
  unsigned used, places; /* entries; lanes of the loads in them */
  unsigned open; /* entry of the load begun last; PRT_NONE: it has all its lines asked for */
  uint64_t loads;
  bool taken; /* the last request */
  struct {
    bool valid, last;
    prt_load load;
    uint32_t mask;
  } told; /* what must be told now */
  bool last_replied, last_refused;
  uint64_t counter[PRT_CNT_COUNT];
} prt_bench;

extern const wf_bench_class prt_bench_class;

/* Lines of the entry that are on their way; *first: the nth of the first from `from` on. */
unsigned prt_bench_due(const prt_bench *b, unsigned entry, unsigned from, unsigned *first);

#endif
