/* Bench of teleport_controller: offers in, every request compared with the reference model,
 * idleness and rows at every edge. */
#ifndef CONTROLLER_BENCH_H
#define CONTROLLER_BENCH_H

#include "tb/common/wf_bench.h"
#include "tb/teleport/controller/controller_ref.h"

typedef struct controller_bench controller_bench;

/* Builds (if needed), loads and resets the model. NULL with *err. TELEPORT_UNIT in the environment
 * names another unit.ini to build from (mutants). gate_percent: of the edges at which the unit is
 * idle and offered nothing, how many it is not clocked at. */
controller_bench *controller_bench_create(const char *config, const char *parameters, uint64_t seed,
                                          unsigned gate_percent, wf_error *err);
void controller_bench_destroy(controller_bench *b);
bool controller_bench_reset(controller_bench *b);
const controller_ref *controller_bench_ref(const controller_bench *b);
wf_bench *controller_bench_base(controller_bench *b);
/* Levels; the unit must be idle. */
void controller_bench_configure(controller_bench *b, const controller_levels *levels);

/* One edge with these offers (NULL: none); *set_taken, *tb_taken tell. False after the first
 * failure. */
bool controller_bench_cycle(controller_bench *b, const controller_set *set, const controller_tb *tb,
                            bool req_ready, bool *set_taken, bool *tb_taken);
/* Offered until taken, requests being taken. */
bool controller_bench_set(controller_bench *b, const controller_set *set);
bool controller_bench_dispatch(controller_bench *b, const controller_tb *tb);
/* Takes requests until the unit is idle; it must be in time. */
bool controller_bench_rest(controller_bench *b);
/* Requests that were taken since the last call, oldest first; valid until the next edge. */
const controller_request *controller_bench_taken(controller_bench *b, unsigned *count);
/* Rests, then compares all counters. */
bool controller_bench_check_counters(controller_bench *b);
bool controller_bench_clear_counters(controller_bench *b);

#endif
