/* Bench of obm: requests in, and after every edge all outputs compared with the reference model. */
#ifndef OBM_BENCH_H
#define OBM_BENCH_H

#include "sim/units/obm/ports.h"
#include "tb/common/wf_edge.h"

typedef struct obm_request {
  uint64_t pc, line, victim_line;
  unsigned set, victim_way;
  bool miss, victim; /* victim: a line is there */
  bool keep;
} obm_request;

#define OBM_COUNTERS(X)                                                                            \
  X(requests), X(misses), X(past), X(pairs), X(ib_asked), X(vb_asked), X(ib_gone), X(forgotten)
#define OBM_BINS(X)                                                                                \
  X(hit), X(miss_into_empty), X(miss_enters), X(miss_goes_past), X(would_go_past), X(pair_made),   \
      X(ib_asked), X(vb_asked), X(ib_gone), X(one_pc), X(forgotten), X(decided_and_made),          \
      X(count_full), X(count_empty), X(same_set_at_once), X(pair_in_use_at_once), X(cleared)
#define OBM_BIN_(name) OBM_BIN_##name
typedef enum obm_bin { OBM_BINS(OBM_BIN_), OBM_BIN_COUNT } obm_bin;
#define OBM_CNT_(name) OBM_CNT_##name
typedef enum obm_counter { OBM_COUNTERS(OBM_CNT_), OBM_CNT_COUNT } obm_counter;

enum { OBM_MOST_SETS = 1024, OBM_MOST_WAYS = 16, OBM_MOST_IDS = 256 };

typedef struct obm_pair {
  bool open;
  uint32_t ib, vb, ib_id, vb_id;
} obm_pair;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a request. */
typedef struct obm_bench {
  wf_bench base;
  obm_ports p;
  struct {
    unsigned sets, ways, line_bits, pc_bits, hash_bits, id_bits, count_bits, draw_bits;
  } shape;
  uint16_t seed, draw;
  obm_pair pair[OBM_MOST_SETS];
  uint32_t owner[OBM_MOST_SETS][OBM_MOST_WAYS];
  unsigned count[OBM_MOST_IDS];
  struct {
    bool valid, past;
  } answer, next; /* on the ports now; at the next edge */
  unsigned last_set;
  bool last_made;
  uint64_t counter[OBM_CNT_COUNT];
} obm_bench;

extern const wf_bench_class obm_bench_class;

/* The unit must be idle. */
void obm_bench_seed(obm_bench *b, uint16_t seed);
/* A request by itself; *past: its answer. */
bool obm_bench_ask(obm_bench *b, const obm_request *request, bool *past);
/* Pairs are forgotten. */
bool obm_bench_clear(obm_bench *b);

#endif
