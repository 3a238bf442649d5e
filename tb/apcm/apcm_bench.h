/* Bench of apcm: transfers in, and after every edge all outputs compared with the reference model.
 */
#ifndef APCM_BENCH_H
#define APCM_BENCH_H

#include "tb/apcm/apcm_ref.h"
#include "tb/common/wf_bench.h"

typedef struct apcm_bench apcm_bench;

/* Builds (if needed), loads and resets the model. NULL with *err. APCM_UNIT in the environment
 * names another unit.ini to build from (mutants). gate_percent: of the edges at which the unit is
 * idle and offered nothing, how many it is not clocked at. */
apcm_bench *apcm_bench_create(const char *config, const char *parameters, uint64_t seed,
                              unsigned gate_percent, wf_error *err);
void apcm_bench_destroy(apcm_bench *b);
bool apcm_bench_reset(apcm_bench *b);

const apcm_ref *apcm_bench_ref(const apcm_bench *b);
/* pcs and line addresses are below 2^bits */
unsigned apcm_bench_pc_bits(const apcm_bench *b);
/* Levels; the unit must be idle. */
void apcm_bench_configure(apcm_bench *b, const apcm_settings *settings);

/* One edge with these offers (NULL: none); *taken tells whether the unit was ready. The answers to
 * what is taken now are in apcm_bench_answers after one more edge. False after the first failure.
 */
bool apcm_bench_cycle(apcm_bench *b, const apcm_load *load, const apcm_access *access,
                      const apcm_event *event, bool *taken);
/* What the unit answers after this edge (not valid: nothing). */
const apcm_load_answer *apcm_bench_load_answer(const apcm_bench *b);
const apcm_access_answer *apcm_bench_access_answer(const apcm_bench *b);

/* One transfer, waited for; the answer is that of the unit (and equals the model's). */
bool apcm_bench_load(apcm_bench *b, const apcm_load *load, apcm_load_answer *answer);
bool apcm_bench_access(apcm_bench *b, const apcm_access *access, apcm_access_answer *answer);
bool apcm_bench_event(apcm_bench *b, const apcm_event *event);
/* Edges without offers until the unit is idle; that it comes to be in time is checked. */
bool apcm_bench_rest(apcm_bench *b);
/* Rests, then compares all counters. */
bool apcm_bench_check_counters(apcm_bench *b);
bool apcm_bench_clear_counters(apcm_bench *b);

/* Cycle, random numbers, the first failure. */
wf_bench *apcm_bench_base(apcm_bench *b);

#endif
