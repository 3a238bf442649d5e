/* Bench of teleport_buffer: an SM and a memory around it. Every output is compared with the
 * reference model at every edge, and what the unit promises to the SM is checked without the model:
 * loads find what the last store left, no block is fetched twice, a thread block starts after its
 * blocks came. */
#ifndef BUFFER_BENCH_H
#define BUFFER_BENCH_H

#include "tb/common/wf_bench.h"
#include "tb/teleport/buffer/buffer_ref.h"

typedef struct buffer_bench buffer_bench;

/* What is offered at an edge; NULL or negative: nothing. */
typedef struct buffer_offers {
  const buffer_ask *ask;
  const buffer_acc *acc;
  int start_ways, rsp_line, end_slot;
  bool fetch_ready, go_ready;
} buffer_offers;
#define BUFFER_NO_OFFERS ((buffer_offers){.start_ways = -1, .rsp_line = -1, .end_slot = -1})
typedef struct buffer_taken {
  bool ask, acc, start;
  int go; /* the slot that was let go, -1 */
  bool fetch;
  buffer_fetch fetched;
} buffer_taken;

/* Builds (if needed), loads and resets the model. NULL with *err. TELEPORT_UNIT in the environment
 * names another unit.ini to build from (mutants). gate_percent: of the edges at which the unit is
 * idle and offered nothing, how many it is not clocked at. */
buffer_bench *buffer_bench_create(const char *config, const char *parameters, uint64_t seed,
                                  unsigned gate_percent, wf_error *err);
void buffer_bench_destroy(buffer_bench *b);
bool buffer_bench_reset(buffer_bench *b);
const buffer_ref *buffer_bench_ref(const buffer_bench *b);
wf_bench *buffer_bench_base(buffer_bench *b);
/* Level; no thread block may be left. */
void buffer_bench_overlap(buffer_bench *b, bool overlap);

/* One edge. *taken (may be NULL) tells what was. False after the first failure. */
bool buffer_bench_cycle(buffer_bench *b, const buffer_offers *offers, buffer_taken *taken);
/* The answer that is on the ports now. */
const buffer_answer *buffer_bench_answer(const buffer_bench *b);
/* Fetches on their way, oldest first: lines. */
unsigned buffer_bench_flying(const buffer_bench *b, const uint32_t **lines);
/* Slots whose thread blocks run. */
uint64_t buffer_bench_running(const buffer_bench *b);
/* Slots that thread blocks asked for and that were not let go for them yet. */
uint64_t buffer_bench_waiting(const buffer_bench *b);

/* Offers until taken, with memory silent (fetches are taken, nothing comes back, nobody is let go).
 */
bool buffer_bench_ask(buffer_bench *b, uint32_t slot, bool last, uint64_t block);
bool buffer_bench_start(buffer_bench *b, unsigned ways);
/* One access and its answer. */
bool buffer_bench_access(buffer_bench *b, bool store, uint64_t block, buffer_answer *answer);
bool buffer_bench_reply(buffer_bench *b, uint32_t line);
bool buffer_bench_end(buffer_bench *b, uint32_t slot);
/* n edges without offers; go_ready as told; *gone (may be NULL): slots that were let go. */
bool buffer_bench_run(buffer_bench *b, unsigned n, bool go_ready, uint64_t *gone);
/* All replies come, all thread blocks start and end, until nothing is left. */
bool buffer_bench_drain(buffer_bench *b);
/* Drains, then compares all counters. */
bool buffer_bench_check_counters(buffer_bench *b);
bool buffer_bench_clear_counters(buffer_bench *b);

#endif
