/* Bench of dtbl_scheduler: drives its ports, compares every output at every edge with the reference
 * model, lets the judge look, and plays the memory that holds groups' records. With Lines, of which
 * the model knows nothing, the judge alone looks; memory then answers lines' beats in any mixture,
 * at random with what was there when a line was asked for or with what is there now. */
#ifndef DTBL_BENCH_H
#define DTBL_BENCH_H

#include "tb/common/wf_bench.h"
#include "tb/dtbl/dtbl_ref.h"
#include "tb/dtbl/dtbl_score.h"

typedef struct dtbl_bench dtbl_bench;

/* Builds (if needed), loads and resets the model. NULL with *err. DTBL_UNIT in the environment
 * names another unit.ini to build from (mutants). gate_percent: of the edges at which the unit is
 * idle and offered nothing, how many it is not clocked at. */
dtbl_bench *dtbl_bench_create(const char *config, const char *parameters, uint64_t seed,
                              unsigned gate_percent, wf_error *err);
void dtbl_bench_destroy(dtbl_bench *b);
bool dtbl_bench_reset(dtbl_bench *b);

const dtbl_ref *dtbl_bench_ref(const dtbl_bench *b);
const dtbl_score *dtbl_bench_score(const dtbl_bench *b);
/* Largest value of a field: bits of "PcBits" and its like */
uint32_t dtbl_bench_mask(const dtbl_bench *b, const char *parameter);
/* Memory answers a read after this many edges, and takes a request in `percent` of them. */
void dtbl_bench_memory(dtbl_bench *b, unsigned latency, unsigned percent);
/* What the unit shows in this cycle. */
const dtbl_out *dtbl_bench_out(const dtbl_bench *b);
/* One edge. mem_ready and rsp_* of *in are the bench's. *done tells what happened (may be NULL).
 * False after the first failure. */
bool dtbl_bench_cycle(dtbl_bench *b, const dtbl_in *in);
/* Compares all counters; the unit must be idle. */
bool dtbl_bench_check_counters(dtbl_bench *b);
bool dtbl_bench_clear_counters(dtbl_bench *b);

/* Cycle, random numbers, the first failure. */
wf_bench *dtbl_bench_base(dtbl_bench *b);

#endif
