/* Bench of spref_edge: what an issue stage and the unit say at each edge, and all outputs compared
 * with the reference model before it. */
#ifndef EDGE_BENCH_H
#define EDGE_BENCH_H

#include "sim/units/spref/ports.h"
#include "tb/common/wf_edge.h"

enum { EDGE_DATA = 8, EDGE_TRIES = 8, EDGE_WARPS = 64 }; /* words; at most */
enum { EDGE_LOAD = 5, EDGE_SETP = 6, EDGE_BRANCH = 7 };  /* ops */

typedef struct edge_instruction {
  unsigned warp, op;
  uint64_t pc;
  uint32_t data[EDGE_DATA];
} edge_instruction;

typedef struct edge_try {
  edge_instruction is;
  bool plain, end, goes;
} edge_try;

/* Where the loop's test is, and the one before it. */
typedef struct edge_tests {
  bool test_v, pre_v;
  uint64_t test_pc, pre_pc;
} edge_tests;

/* Of one edge. Masks have a bit for each warp. What issues are tries that go and may, and ld. */
typedef struct edge_says {
  edge_try tries[EDGE_TRIES];
  uint64_t load, ld, have;
  edge_instruction buffer; /* of the load whose turn it is */
  bool stirs;
  /* The unit's. */
  bool quiet, in_ready, cnt_ready;
  edge_tests tests;
  uint64_t need, held, ask, hold, wait;
} edge_says;

#define EDGE_COUNTERS(X) X(edge_told), X(edge_told_loads), X(edge_waits), X(edge_beats)
#define EDGE_BINS(X)                                                                               \
  X(told), X(told_behind_one), X(told_counted), X(told_pre), X(in_waits), X(test_waits),           \
      X(branch_waits), X(two_go), X(must_wait), X(may_beside), X(two_tests), X(plain_goes),        \
      X(behind_branch), X(behind_waiting_branch), X(behind_branch_last), X(load_told),             \
      X(load_behind_one), X(load_waits_for_room), X(loads_wait), X(load_wraps),                    \
      X(load_before_tell), X(load_again), X(beat), X(beat_waits), X(beat_before_test),             \
      X(test_not_seen), X(test_still_seen), X(issues), X(load_issues), X(issues_unheard),          \
      X(held_beside), X(held_waits), X(held_untold), X(next_none), X(next_wraps),                  \
      X(next_over_the_unknown), X(next_of_issued), X(next_not_again), X(wakes), X(rests),          \
      X(rests_as_one_goes)
#define EDGE_BIN_(name) EDGE_BIN_##name
typedef enum edge_bin { EDGE_BINS(EDGE_BIN_), EDGE_BIN_COUNT } edge_bin;
#define EDGE_CNT_(name) EDGE_CNT_##name
typedef enum edge_counter { EDGE_COUNTERS(EDGE_CNT_), EDGE_CNT_COUNT } edge_counter;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is an edge_says. */
typedef struct edge_bench {
  wf_bench base;
  spref_edge_ports p;
  unsigned warps, lanes, cnt_lanes, tries, pc_bits, data_bits;
  bool has_in, counted; /* an instruction is in the register; it is a test */
  edge_instruction in;
  edge_tests seen;              /* a cycle late */
  uint64_t told;                /* warps whose load has been told */
  uint64_t issued, heard;       /* that issued at the edge before, of which the unit hears; then */
  uint64_t beside;              /* that issued with a setp */
  uint64_t was_ld;              /* whose load issued at the edge before */
  int last_load, last_next;     /* the warps that were last; -1: none */
  int next;                     /* whose buffer is read; -1: none */
  unsigned acts_in[EDGE_WARPS]; /* edges until a warp's last branch has acted */
  unsigned beats;               /* of the test's operands that are to go in */
  uint64_t counter[EDGE_CNT_COUNT];
} edge_bench;

extern const wf_bench_class edge_bench_class;

/* One edge. Where busy_o allows it the clock may rest, whatever is said. False after the first
 * failure. */
bool edge_bench_edge(edge_bench *b, const edge_says *s);
/* Beats of a test. */
unsigned edge_bench_beats(const edge_bench *b);
/* Would the instruction be told, and may it issue? */
bool edge_bench_must(const edge_bench *b, const edge_says *s, unsigned k);
bool edge_bench_may(const edge_bench *b, const edge_says *s, unsigned k);
/* What is told at this edge; NULL: nothing. */
const edge_instruction *edge_bench_told(const edge_bench *b, const edge_says *s);
/* Warps that issue nothing at this edge. */
uint64_t edge_bench_stopped(const edge_bench *b, const edge_says *s);
/* Nothing is said, and the unit is ready for all. */
edge_says edge_bench_nothing(void);

#endif
