/* Bench of gran: requests in, and after every edge all outputs compared with a reference model of
 * each predictor, which is written from the text and not from the RTL. */
#ifndef GRAN_BENCH_H
#define GRAN_BENCH_H

#include "sim/units/gran/ports.h"
#include "tb/common/wf_edge.h"

typedef enum gran_kind { GRAN_NAP, GRAN_SPP, GRAN_BIM } gran_kind;

typedef struct gran_request {
  uint64_t pc, line, victim_line;
  unsigned set, way; /* way: of a miss the one that it takes */
  unsigned sectors;
  bool miss, victim; /* victim: a line is there */
} gran_request;

#define GRAN_COUNTERS(X)                                                                           \
  X(requests), X(misses), X(evictions), X(one_sector), X(two_sectors), X(three_sectors),           \
      X(widened), X(guesses), X(known), X(taken), X(taught), X(turned)
#define GRAN_BINS(X)                                                                               \
  X(hit), X(hit_of_a_new_sector), X(miss_into_empty), X(miss_replaces), X(same_way_at_once),       \
      X(same_set_at_once), X(guessed), X(would_guess), X(wide_miss), X(nap_known), X(nap_taken),   \
      X(nap_taught), X(nap_stale), X(nap_full), X(nap_empty), X(nap_taught_at_once),               \
      X(nap_taken_as_taught), X(nap_guess), X(spp_known), X(spp_taken), X(spp_guess),              \
      X(spp_pattern_of_another), X(bim_known), X(bim_inserted), X(bim_refreshed), X(bim_turned),   \
      X(bim_fine), X(bim_coarse)
#define GRAN_BIN_(name) GRAN_BIN_##name
typedef enum gran_bin { GRAN_BINS(GRAN_BIN_), GRAN_BIN_COUNT } gran_bin;
#define GRAN_CNT_(name) GRAN_CNT_##name
typedef enum gran_counter { GRAN_COUNTERS(GRAN_CNT_), GRAN_CNT_COUNT } gran_counter;

enum {
  GRAN_SETS = 1024,
  GRAN_WAYS = 16,
  GRAN_NAP_MOST = 256,
  GRAN_SPP_MOST = 4096,
  GRAN_BITS = 4096
};

/* What is kept of a line in the L1. */
typedef struct gran_line {
  unsigned touched, first, entry, number; /* the last three: of the miss that brought it */
} gran_line;

typedef struct gran_nap {
  bool valid, taught;
  uint64_t pc;
  unsigned number, count[7]; /* by distance + 3 */
} gran_nap;

typedef struct gran_spp {
  bool valid;
  uint64_t pc;
  unsigned first, number, pattern, pattern_number;
  int64_t used;
} gran_spp;

typedef struct gran_filter {
  bool bank[2][GRAN_BITS];
} gran_filter;

/* A request with what its look-up saw. */
typedef struct gran_look {
  bool valid;
  gran_request r;
  gran_nap nap;
  gran_spp spp[GRAN_WAYS];
  bool in_filter, fine;
} gran_look;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a request. */
typedef struct gran_bench {
  wf_bench base;
  gran_ports p;
  struct {
    unsigned kind; /* gran_kind */
    unsigned sets, ways, line_bits, pc_bits, nap_entries, nap_above, spp_sets, spp_ways;
    unsigned filter_bits, refresh, fine;
  } shape;
  bool predict_en;
  gran_line line[GRAN_SETS][GRAN_WAYS];
  gran_nap nap[GRAN_NAP_MOST];
  gran_line lesson; /* of NAP, a stage on */
  bool has_lesson, taught_last;
  unsigned taught_entry;
  gran_spp spp[GRAN_SPP_MOST];
  int64_t clock;
  gran_filter filter[2];
  unsigned active, inserted, gone;
  bool fine;
  gran_look look;
  struct {
    bool valid;
    unsigned more;
  } answer;
  uint64_t counter[GRAN_CNT_COUNT];
} gran_bench;

extern const wf_bench_class gran_bench_class;

/* The level; the unit must be idle. */
void gran_bench_configure(gran_bench *b, bool predict_en);
/* A request by itself; *more: its answer, of a hit 0. */
bool gran_bench_ask(gran_bench *b, const gran_request *request, unsigned *more);

#endif
