/* Bench of teleport_controller: offers in, every request compared with the reference model, idleness and rows at every edge. */
#ifndef TPC_BENCH_H
#define TPC_BENCH_H

#include "tb/model/wf_bench.h"
#include "tb/teleport_controller/tpc_ref.h"

typedef struct tpc_bench tpc_bench;

/* Builds (if needed), loads and resets the model. NULL with *err. TELEPORT_UNIT in the environment names another unit.ini to build from
 * (mutants). gate_percent: of the edges at which the unit is idle and offered nothing, how many it is not clocked at. */
tpc_bench *tpc_bench_create(const char *config, const char *parameters, uint64_t seed, unsigned gate_percent, wf_error *err);
void tpc_bench_destroy(tpc_bench *b);
bool tpc_bench_reset(tpc_bench *b);
const tpc_ref *tpc_bench_ref(const tpc_bench *b);
wf_bench *tpc_bench_base(tpc_bench *b);
/* Levels; the unit must be idle. */
void tpc_bench_configure(tpc_bench *b, const tpc_levels *levels);

/* One edge with these offers (NULL: none); *set_taken, *tb_taken tell. False after the first failure. */
bool tpc_bench_cycle(tpc_bench *b, const tpc_set *set, const tpc_tb *tb, bool req_ready, bool *set_taken, bool *tb_taken);
/* Offered until taken, requests being taken. */
bool tpc_bench_set(tpc_bench *b, const tpc_set *set);
bool tpc_bench_dispatch(tpc_bench *b, const tpc_tb *tb);
/* Takes requests until the unit is idle; it must be in time. */
bool tpc_bench_rest(tpc_bench *b);
/* Requests that were taken since the last call, oldest first; valid until the next edge. */
const tpc_request *tpc_bench_taken(tpc_bench *b, unsigned *count);
/* Rests, then compares all counters. */
bool tpc_bench_check_counters(tpc_bench *b);
bool tpc_bench_clear_counters(tpc_bench *b);

#endif
