/* Bench of foo: transfers in, and after every edge all outputs compared with the reference model.
 */
#ifndef FOO_BENCH_H
#define FOO_BENCH_H

#include "sim/units/foo/ports.h"
#include "tb/common/wf_bench.h"

typedef struct foo_request {
  bool miss;
  uint32_t invalid, reserved; /* by way */
  uint8_t rank[16];           /* of each way: 0 the newest; distinct */
} foo_request;

#define FOO_COUNTERS(X) X(loads), X(requests), X(misses), X(allocs)
#define FOO_BINS(X)                                                                                \
  X(load_bypassed), X(load_cached), X(miss_takes_invalid), X(miss_takes_oldest), X(miss_refused),  \
      X(hit), X(both_at_once)
#define FOO_BIN_(name) FOO_BIN_##name
typedef enum foo_bin { FOO_BINS(FOO_BIN_), FOO_BIN_COUNT } foo_bin;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct foo_bench {
  wf_bench base;
  foo_ports p;
  unsigned ways;
  bool bypass;
  struct {
    bool load, bypass, request, alloc;
    unsigned way;
  } answer; /* what must be on the ports now */
  uint64_t counter[4];
} foo_bench;

extern const wf_bench_class foo_bench_class;

/* The level; the unit must be idle. */
void foo_bench_configure(foo_bench *b, bool bypass);
/* One edge with these offers (NULL: none). False after the first failure. */
bool foo_bench_cycle(foo_bench *b, bool load, const foo_request *request);
bool foo_bench_rest(void *bench);

#endif
