/* Bench of flexcl: reads in, and after every edge all outputs compared with the reference model. */
#ifndef FLEXCL_BENCH_H
#define FLEXCL_BENCH_H

#include "sim/units/flexcl/ports.h"
#include "tb/common/wf_edge.h"

typedef struct flexcl_request {
  unsigned set;
  bool miss, keeps;
} flexcl_request;

#define FLEXCL_COUNTERS(X)                                                                         \
  X(requests), X(misses), X(kept), X(up), X(down), X(exclusive), X(flips), X(stuck)
#define FLEXCL_BINS(X)                                                                             \
  X(non_leader), X(excl_leader), X(follower), X(follows_non), X(follows_excl), X(not_kept),        \
      X(leader_hit), X(full), X(empty), X(becomes_excl), X(becomes_non), X(used_at_once)
#define FLEXCL_BIN_(name) FLEXCL_BIN_##name
typedef enum flexcl_bin { FLEXCL_BINS(FLEXCL_BIN_), FLEXCL_BIN_COUNT } flexcl_bin;
#define FLEXCL_CNT_(name) FLEXCL_CNT_##name
typedef enum flexcl_counter { FLEXCL_COUNTERS(FLEXCL_CNT_), FLEXCL_CNT_COUNT } flexcl_counter;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a request. */
typedef struct flexcl_bench {
  wf_bench base;
  flexcl_ports p;
  unsigned sets, leaders, psel_bits;
  unsigned psel;
  struct {
    bool valid, excl;
  } answer, next; /* on the ports now; at the next edge */
  bool flipped;   /* by the request before */
  uint64_t counter[FLEXCL_CNT_COUNT];
} flexcl_bench;

extern const wf_bench_class flexcl_bench_class;

/* A request by itself; *excl: its answer. */
bool flexcl_bench_ask(flexcl_bench *b, const flexcl_request *request, bool *excl);

#endif
