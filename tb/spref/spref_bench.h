/* Bench of spare_reg_pref: transfers in, answers compared with the reference model, with random
 * stalls. */
#ifndef SPREF_BENCH_H
#define SPREF_BENCH_H

#include "sim/base/wf_error.h"
#include "tb/common/wf_bench.h"
#include "tb/spref/spref_ref.h"

typedef struct spref_bench spref_bench;

/* What is offered at an edge (NULL: nothing), and whether it was taken. */
typedef struct spref_offer {
  const spref_instr *in;
  const spref_count *count;
  const spref_done *done;
  const spref_event *event;
  const spref_hint *hint;
  bool take_answers; /* out_ready_i */
  bool in_taken, count_taken, done_taken, event_taken, hint_taken, answered;
  spref_answer answer; /* if answered: taken at this edge */
} spref_offer;

/* Builds (if needed), loads and resets the model. NULL with *err. SPREF_UNIT in the environment
 * names another unit.ini to build from (mutants). gate_percent: of the edges at which the unit is
 * idle and offered nothing, how many it is not clocked at. */
spref_bench *spref_bench_create(const char *config, const char *parameters, uint64_t seed,
                                unsigned gate_percent, wf_error *err);
void spref_bench_destroy(spref_bench *b);
bool spref_bench_reset(spref_bench *b);
/* The unit must be idle. */
void spref_bench_configure(spref_bench *b, const spref_levels *levels);

const spref_ref *spref_bench_ref(const spref_bench *b);
wf_rng *spref_bench_rng(spref_bench *b);
uint64_t spref_bench_cycles(const spref_bench *b);
unsigned spref_bench_inside(const spref_bench *b); /* instructions not yet answered */

/* One edge. False after the first failure. */
bool spref_bench_edge(spref_bench *b, spref_offer *offer);
/* Edges without offers until the unit is idle. */
bool spref_bench_rest(spref_bench *b);
/* Rests, then compares all counters. */
bool spref_bench_check_counters(spref_bench *b);
bool spref_bench_clear_counters(spref_bench *b);

const char *spref_bench_failure(const spref_bench *b); /* "" while all is well */
wf_bench *spref_bench_base(spref_bench *b);            /* for wf_bench_fail() */

#endif
