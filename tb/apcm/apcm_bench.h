/* Bench of apcm: transfers in, and after every edge all outputs compared with the reference model.
 */
#ifndef APCM_BENCH_H
#define APCM_BENCH_H

#include "sim/units/apcm/ports.h"
#include "tb/apcm/apcm_ref.h"
#include "tb/common/wf_bench.h"

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct apcm_bench {
  wf_bench base;
  apcm_ports p;
  apcm_ref ref;
  apcm_shape shape;
  apcm_ready taken; /* at the last edge */
  unsigned keep_max;
  unsigned pc_bits; /* pcs are below 2^pc_bits */
} apcm_bench;

extern const wf_bench_class apcm_bench_class;

/* Levels; the unit must be idle. */
void apcm_bench_configure(apcm_bench *b, const apcm_settings *settings);

/* One edge with these offers; b->taken tells which were taken. The answers that are on the ports
 * after it are in ref.load_answer and ref.access_answer. False after the first failure. */
bool apcm_bench_cycle(apcm_bench *b, const apcm_offers *offers);
/* One transfer, waited for; the answer is that of the unit (and equals the model's). */
bool apcm_bench_load(apcm_bench *b, const apcm_load *load, apcm_load_answer *answer);
bool apcm_bench_access(apcm_bench *b, const apcm_access *access, apcm_access_answer *answer);
/* Of any kind; returns when it has acted. */
bool apcm_bench_event(apcm_bench *b, const apcm_event *event);
bool apcm_bench_move(apcm_bench *b, const apcm_move *move);
/* Edges without offers until the unit is idle; that it comes to be in time is checked. */
bool apcm_bench_rest(void *bench);

#endif
