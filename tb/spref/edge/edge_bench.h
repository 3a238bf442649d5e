/* Bench of spref_edge: what an SM and the unit say at each edge, and all outputs compared with the
 * reference model before it. */
#ifndef EDGE_BENCH_H
#define EDGE_BENCH_H

#include "sim/units/spref/ports.h"
#include "tb/common/wf_edge.h"

enum { EDGE_DATA = 8, EDGE_ADDRESS = 80, EDGE_TRIES = 8, EDGE_WARPS = 64 }; /* words; at most */
enum { EDGE_SETP = 6, EDGE_BRANCH = 7 };                                    /* ops */

typedef struct edge_instruction {
  unsigned warp, op;
  uint64_t pc;
  uint32_t data[EDGE_DATA];
} edge_instruction;

typedef struct edge_addresses {
  bool far;
  uint32_t word[EDGE_ADDRESS];
} edge_addresses;

typedef struct edge_load {
  unsigned warp, type;
  bool over;
  edge_addresses base;
} edge_load;

typedef struct edge_sum {
  unsigned slot;
  edge_addresses at;
} edge_sum;

typedef struct edge_done {
  unsigned warp, reg;
  bool fault;
} edge_done;

typedef struct edge_try {
  edge_instruction is;
  bool plain, end, goes;
} edge_try;

/* Of one edge. Pointers: NULL is none. */
typedef struct edge_says {
  bool tick, take;
  edge_try tries[EDGE_TRIES];
  const edge_load *ld;
  const edge_sum *sum;
  const edge_done *done;
  uint64_t load, load_then, iss, have;
  edge_instruction buffer; /* of the load whose turn it is */
  /* The unit's. */
  bool quiet, in_ready, cnt_ready, ld_ready, sum_ready, done_ready, inj_valid, test_v, pre_v;
  uint64_t need, test_pc, pre_pc, held, go, ask, hold, wait;
} edge_says;

#define EDGE_COUNTERS(X) X(edge_told), X(edge_told_loads), X(edge_kept), X(edge_beats)
#define EDGE_BINS(X)                                                                               \
  X(told_at_tick), X(told_kept), X(told_counted), X(counted_kept), X(two_tests), X(two_go),        \
      X(must_wait), X(behind_branch), X(at_branch_kept), X(load_told), X(load_behind_tell),        \
      X(load_waits_for_ready), X(loads_wait), X(load_again_at_once), X(beat_waits), X(ld_kept),    \
      X(base_kept), X(take_kept), X(sum_kept), X(sum_waits), X(sum_waits_at_tick), X(done_kept),   \
      X(fault_kept), X(issued_kept), X(next_none), X(next_wraps), X(next_over_the_unknown),        \
      X(next_issues)
#define EDGE_BIN_(name) EDGE_BIN_##name
typedef enum edge_bin { EDGE_BINS(EDGE_BIN_), EDGE_BIN_COUNT } edge_bin;
#define EDGE_CNT_(name) EDGE_CNT_##name
typedef enum edge_counter { EDGE_COUNTERS(EDGE_CNT_), EDGE_CNT_COUNT } edge_counter;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is an edge_says. */
typedef struct edge_bench {
  wf_bench base;
  spref_edge_ports p;
  unsigned warps, lanes, cnt_lanes, address_bits, waiting, tries, ahead, pc_bits, data_bits,
      reg_bits;
  /* What is kept of each channel. */
  bool has_in, counted, has_ld, has_take, has_sum, has_done;
  edge_instruction in;
  edge_load ld;
  edge_sum sum;
  edge_done done;
  uint64_t told, issued;        /* warps whose load has been told; that have issued */
  int last_load, last_next;     /* the warps that were last; -1: none */
  unsigned acts_in[EDGE_WARPS]; /* edges of the unit until a warp's last branch has acted */
  unsigned beats;               /* of the test's operands that are to go in */
  uint64_t counter[EDGE_CNT_COUNT];
} edge_bench;

extern const wf_bench_class edge_bench_class;

/* Beats of a test. */
unsigned edge_bench_beats(const edge_bench *b);
/* Would the instruction be told, and may it issue? */
bool edge_bench_must(const edge_bench *b, const edge_says *s, unsigned k);
bool edge_bench_may(const edge_bench *b, const edge_says *s, unsigned k);
/* What is told at this edge; NULL: nothing. */
const edge_instruction *edge_bench_told(const edge_bench *b, const edge_says *s);
/* Nothing is said, and the unit is ready for all. */
edge_says edge_bench_nothing(bool tick);

#endif
