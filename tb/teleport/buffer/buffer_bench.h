/* Bench of teleport_buffer: an SM and a memory around it. Every output is compared with the
 * reference model at every edge, and what the unit promises to the SM is checked without the model:
 * loads find what the last store left, no block is fetched twice, a thread block starts after its
 * blocks came.
 *
 * With WF_UNIT=rtl/teleport_prefetch/teleport_axi4.ini, or teleport_tlul.ini, the same goes through
 * a bus: a reply that is offered lets memory answer, and comes when the line is filled. */
#ifndef BUFFER_BENCH_H
#define BUFFER_BENCH_H

#include "sim/units/teleport/ports.h"
#include "tb/common/wf_bus.h"
#include "tb/teleport/buffer/buffer_ref.h"

/* What is offered at an edge; NULL or negative: nothing. */
typedef struct buffer_offers {
  const front_range *ask;
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

enum { BUFFER_MAX_LINES = BUFFER_MAX_SETS * BUFFER_MAX_WAYS, BUFFER_LOADS = 4, BUFFER_LIST = 256 };

/* What the SM and the memory know, by the ports alone. */
typedef struct buffer_world {
  uint64_t stores;
  struct {
    bool filled, flying;
    uint64_t block, stored; /* stored: the first store to it since its fetch left, by number; 0 */
  } line[BUFFER_MAX_LINES];
  uint32_t flying[BUFFER_MAX_LINES]; /* lines, in the order of their fetches */
  unsigned n_flying;
  struct {
    bool valid, store, hidden; /* hidden: the SM gets no answer */
    uint64_t block, stores;    /* stores so far */
  } access[BUFFER_LOADS];      /* taken, by age in edges */
  struct {
    bool waits, running;
    uint32_t left;               /* blocks that it may still ask for */
    uint64_t block[BUFFER_LIST]; /* asked for */
    bool stored[BUFFER_LIST];    /* since then */
    unsigned n;
  } slot[BUFFER_MAX_TB];
} buffer_world;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct buffer_bench {
  wf_bench base;
  buffer_host_ports p;
  buffer_reply_ports reply; /* bus: unset */
  struct buffer_bus *bus;   /* buffer_bus.h; NULL: memory is at the unit's own ports */
  buffer_ref ref;           /* its answer is on the ports now */
  buffer_shape shape;
  buffer_world w;
} buffer_bench;

extern const wf_bench_class buffer_bench_class;

/* Levels; no thread block may be left, no range wait. */
void buffer_bench_overlap(buffer_bench *b, bool overlap);
void buffer_bench_front(buffer_bench *b, const front_levels *levels);

/* One edge. *taken (may be NULL) tells what was. False after the first failure. */
bool buffer_bench_cycle(buffer_bench *b, const buffer_offers *offers, buffer_taken *taken);
/* Slots whose thread blocks run. */
uint64_t buffer_bench_running(const buffer_bench *b);
/* Slots that thread blocks asked for and that were not let go for them yet. */
uint64_t buffer_bench_waiting(const buffer_bench *b);

/* Offers until taken, with memory silent (fetches are taken, nothing comes back, nobody is let go).
 */
bool buffer_bench_range(buffer_bench *b, const front_range *range);
/* A range of one block; last: the end of the thread block in its place. */
bool buffer_bench_ask(buffer_bench *b, uint32_t slot, bool last, uint64_t block);
bool buffer_bench_start(buffer_bench *b, unsigned ways);
/* One access and its answer. */
bool buffer_bench_access(buffer_bench *b, bool store, uint64_t block, buffer_answer *answer);
bool buffer_bench_reply(buffer_bench *b, uint32_t line);
bool buffer_bench_end(buffer_bench *b, uint32_t slot);
/* n edges without offers; go_ready as told; *gone (may be NULL): slots that were let go. */
bool buffer_bench_run(buffer_bench *b, unsigned n, bool go_ready, uint64_t *gone);
/* All replies come, all thread blocks start and end, until nothing is left. */
bool buffer_bench_drain(void *bench);

#endif
