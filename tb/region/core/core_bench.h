/* Bench of region_core: requests and replies in, and after every edge all outputs compared with the
 * reference model. */
#ifndef CORE_BENCH_H
#define CORE_BENCH_H

#include "sim/units/region/ports.h"
#include "tb/common/wf_edge.h"

typedef struct core_request {
  uint64_t pc, line;
  unsigned set, way;
  bool hit, miss;
} core_request;

typedef struct core_reply {
  unsigned region; /* core_bench.regions: none */
  bool shared, own;
} core_reply;

/* Of one edge: NULL is none. */
typedef struct core_offer {
  const core_request *request;
  const core_reply *reply;
} core_offer;

#define CORE_COUNTERS(X)                                                                           \
  X(requests), X(misses), X(past_l1), X(past_l2), X(copies), X(regions_unknown), X(pcs_unknown),   \
      X(probes), X(replies), X(replies_shared), X(replies_private), X(regions_lost), X(pcs_lost),  \
      X(pcs_swapped), X(regions_freed), X(periods)
#define CORE_BINS(X)                                                                               \
  X(hit), X(merge), X(in_no_region), X(region_untrained), X(neither), X(private_only),             \
      X(shared_only), X(shared_and_private), X(row_taken), X(region_lost), X(region_freed),        \
      X(count_full), X(period), X(period_in_sweep), X(sweep_waits), X(shared_rises),               \
      X(private_rises), X(take_while_judged)
/* Of loads: with Mode 2. */
#define CORE_PC_BINS(X)                                                                            \
  X(pc_untrained), X(no_reuse), X(has_reuse), X(past_both), X(kept_for_copy), X(probe),            \
      X(pc_taken), X(pc_lost), X(pc_swapped), X(owner_swapped), X(hit_of_nobody), X(hit_at_once),  \
      X(reuse_rises), X(offer_made), X(offer_lapses)
#define CORE_BIN_(name) CORE_BIN_##name
typedef enum core_bin { CORE_BINS(CORE_BIN_), CORE_PC_BINS(CORE_BIN_), CORE_BIN_COUNT } core_bin;
#define CORE_CNT_(name) CORE_CNT_##name
typedef enum core_counter { CORE_COUNTERS(CORE_CNT_), CORE_CNT_COUNT } core_counter;

enum { CORE_MOST_SETS = 1024, CORE_MOST_WAYS = 16, CORE_MOST_ROWS = 64, CORE_JUDGED_AFTER = 3 };

/* A row of a table: of a region (use: shared, private), or of a PC (use: hits in L1). */
typedef struct core_row {
  bool there, trained, flag[2];
  uint64_t key;
  unsigned accesses, use[2];
} core_row;

/* What was halved in a cycle. */
typedef struct core_halved {
  bool any, there, shows, last;
  unsigned at, accesses, use[2], hashed;
} core_halved;

/* Rows, and how far a period's halving has come. */
typedef struct core_table {
  core_row row[CORE_MOST_ROWS];
  unsigned rows, steps, next;
  bool sweeps;
  core_halved halved[CORE_JUDGED_AFTER]; /* the last one first */
  bool compares;                         /* all has been judged */
  bool has_least;
  unsigned least, least_at; /* of the rows that were halved */
} core_table;

typedef struct core_answer {
  bool valid, past_l1, past_l2, copy;
  unsigned region;
} core_answer;

/* Which row a request or a reply counts in; -1: none. */
typedef struct core_place {
  int row;
  bool takes, swaps;
} core_place;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct core_bench {
  wf_bench base;
  core_ports p;
  unsigned mode, sets, ways, line_bits, pc_bits, regions, region_rows, pc_rows, hashes, bits, share,
      period, probe;
  struct {
    bool there;
    uint64_t first, last;
  } map[CORE_MOST_ROWS];
  core_table region, pc;
  unsigned lost, hash[CORE_MOST_ROWS]; /* counts of what has no row */
  unsigned most, most_at;              /* of these, that were halved */
  struct {
    bool there;
    unsigned hash, row;
  } offer;
  unsigned owner[CORE_MOST_SETS][CORE_MOST_WAYS];
  unsigned replies, probes;
  /* At the first stage. */
  bool has_request, has_reply;
  core_request request;
  core_reply reply;
  /* At the second: the request that is answered now, and where it will count. */
  core_request second;
  core_place load;
  core_answer answer;
  unsigned busy; /* cycles until what is being counted and judged is through */
  unsigned last_set;
  bool last_enters;
  uint64_t counter[CORE_CNT_COUNT];
} core_bench;

extern const wf_bench_class core_bench_class;

/* One edge. False after the first failure. */
bool core_bench_cycle(core_bench *b, const core_request *request, const core_reply *reply);
/* A request by itself; its answer. */
bool core_bench_ask(core_bench *b, const core_request *request, core_answer *answer);
/* A kernel begins: all is forgotten. */
bool core_bench_clear(core_bench *b);
/* A region's lines, both included. */
bool core_bench_map(core_bench *b, unsigned region, uint64_t first, uint64_t last);

#endif
