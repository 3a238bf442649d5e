/* Bench of teleport_buffer: an SM and a memory around it. Every output is compared with the reference model at every edge, and what the unit
 * promises to the SM is checked without the model: loads find what the last store left, no block is fetched twice, a thread block starts after
 * its blocks came. */
#ifndef TPB_BENCH_H
#define TPB_BENCH_H

#include "tb/model/wf_bench.h"
#include "tb/teleport_buffer/tpb_ref.h"

typedef struct tpb_bench tpb_bench;

/* What is offered at an edge; NULL or negative: nothing. */
typedef struct tpb_offers {
  const tpb_ask *ask;
  const tpb_acc *acc;
  int start_ways, rsp_line, end_slot;
  bool fetch_ready, go_ready;
} tpb_offers;
#define TPB_NO_OFFERS ((tpb_offers){.start_ways = -1, .rsp_line = -1, .end_slot = -1})
typedef struct tpb_taken {
  bool ask, acc, start;
  int go;          /* the slot that was let go, -1 */
  bool fetch;
  tpb_fetch fetched;
} tpb_taken;

/* Builds (if needed), loads and resets the model. NULL with *err. TELEPORT_UNIT in the environment names another unit.ini to build from
 * (mutants). gate_percent: of the edges at which the unit is idle and offered nothing, how many it is not clocked at. */
tpb_bench *tpb_bench_create(const char *config, const char *parameters, uint64_t seed, unsigned gate_percent, wf_error *err);
void tpb_bench_destroy(tpb_bench *b);
bool tpb_bench_reset(tpb_bench *b);
const tpb_ref *tpb_bench_ref(const tpb_bench *b);
wf_bench *tpb_bench_base(tpb_bench *b);
/* Level; no thread block may be left. */
void tpb_bench_overlap(tpb_bench *b, bool overlap);

/* One edge. *taken (may be NULL) tells what was. False after the first failure. */
bool tpb_bench_cycle(tpb_bench *b, const tpb_offers *offers, tpb_taken *taken);
/* The answer that is on the ports now. */
const tpb_answer *tpb_bench_answer(const tpb_bench *b);
/* Fetches on their way, oldest first: lines. */
unsigned tpb_bench_flying(const tpb_bench *b, const uint32_t **lines);
/* Slots whose thread blocks run. */
uint64_t tpb_bench_running(const tpb_bench *b);
/* Slots that thread blocks asked for and that were not let go for them yet. */
uint64_t tpb_bench_waiting(const tpb_bench *b);

/* Offers until taken, with memory silent (fetches are taken, nothing comes back, nobody is let go). */
bool tpb_bench_ask(tpb_bench *b, uint32_t slot, bool last, uint64_t block);
bool tpb_bench_start(tpb_bench *b, unsigned ways);
/* One access and its answer. */
bool tpb_bench_access(tpb_bench *b, bool store, uint64_t block, tpb_answer *answer);
bool tpb_bench_reply(tpb_bench *b, uint32_t line);
bool tpb_bench_end(tpb_bench *b, uint32_t slot);
/* n edges without offers; go_ready as told; *gone (may be NULL): slots that were let go. */
bool tpb_bench_run(tpb_bench *b, unsigned n, bool go_ready, uint64_t *gone);
/* All replies come, all thread blocks start and end, until nothing is left. */
bool tpb_bench_drain(tpb_bench *b);
/* Drains, then compares all counters. */
bool tpb_bench_check_counters(tpb_bench *b);
bool tpb_bench_clear_counters(tpb_bench *b);

#endif
