/* Reference model of teleport_buffer: the rules of its page, with the edge at which each takes effect. Blocks are compared whole, lines are
 * searched one by one; what the RTL does to be fast (tags, forwarding, masks, bit planes) has no counterpart here. */
#ifndef TPB_REF_H
#define TPB_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { TPB_MAX_SETS = 64, TPB_MAX_WAYS = 128, TPB_MAX_TB = 64, TPB_FETCHES = 8, TPB_ASKS = 2 };

typedef struct tpb_shape {
  unsigned sets, ways, slots, block_bits;
  bool keep_unread;
} tpb_shape;

typedef struct tpb_ask {
  uint32_t slot;
  bool last;
  uint64_t block;
} tpb_ask;
typedef struct tpb_acc {
  bool store;
  uint64_t block;
} tpb_acc;
typedef struct tpb_fetch {
  uint64_t block;
  uint32_t line;
} tpb_fetch;
typedef struct tpb_answer {
  bool valid, hit, coming;
  uint32_t line;
} tpb_answer;

/* What is taken at an edge; NULL or negative: nothing. */
typedef struct tpb_inputs {
  const tpb_ask *ask;
  const tpb_acc *acc;
  int start_ways, rsp_line, end_slot;
  bool fetch_taken, go_taken, ask_refused; /* refused: offered, not taken */
} tpb_inputs;

#define TPB_COUNTERS(X) \
  X(asks) X(asks_here) X(asks_known) X(asks_coming) X(fetches) X(asks_dropped) X(evictions) X(loads) X(load_hits) \
  X(loads_coming) X(stores) X(stores_here) X(stores_coming) X(replies) X(gos) X(waiting) X(starved) X(ask_stalls)
typedef enum tpb_counter {
#define X(name) TPB_CNT_##name,
  TPB_COUNTERS(X)
#undef X
  TPB_CNT_COUNT
} tpb_counter;

typedef enum tpb_state { TPB_EMPTY, TPB_HERE, TPB_COMING, TPB_DEAD } tpb_state;
typedef struct tpb_line {
  tpb_state state;
  uint64_t block;
  bool mine, unread; /* unread: asked for since a load found it */
  unsigned age;
  uint64_t waits; /* slots */
} tpb_line;
typedef enum tpb_kind { TPB_NOTHING, TPB_LOAD, TPB_STORE, TPB_ASK, TPB_CLOSE } tpb_kind;
typedef struct tpb_op {
  tpb_kind kind;
  uint32_t slot;
  uint64_t block;
  int choice; /* ask: the way that a missing block gets, -1: none */
} tpb_op;
/* What S2 decided. */
typedef struct tpb_result {
  tpb_kind kind;
  uint32_t slot, line;
  uint64_t block;
  bool here, coming, waits, is_new, touch;
} tpb_result;
typedef struct tpb_slot {
  bool used, closed, told, ended;
  unsigned count;
} tpb_slot;

typedef struct tpb_ref {
  tpb_shape shape;
  bool overlap;
  tpb_line line[TPB_MAX_SETS][TPB_MAX_WAYS];
  unsigned ways, quarter, tick[TPB_MAX_SETS];
  tpb_slot slot[TPB_MAX_TB];
  tpb_ask ask[TPB_ASKS];
  tpb_fetch fetch[TPB_FETCHES];
  unsigned n_asks, n_fetches, coming, starved;
  bool open, acc_ready;
  bool settles; /* ages, a kernel or a reset changed what the next victim is: not idle yet */
  tpb_op s1, s2;
  tpb_result s3;
  tpb_answer answer;
  int rsp[3];      /* replies on their way into the numbers: just taken, then two edges */
  bool rsp_row;    /* the row that was read */
  uint64_t row;
  int go;          /* slot that is offered, -1: none */
  unsigned go_from; /* round robin: searched from here */
  uint64_t counter[TPB_CNT_COUNT];
} tpb_ref;

void tpb_ref_reset(tpb_ref *r, const tpb_shape *shape);
/* One edge. */
void tpb_ref_step(tpb_ref *r, const tpb_inputs *in);
/* After an edge. */
bool tpb_ref_idle(const tpb_ref *r);
bool tpb_ref_start_ready(const tpb_ref *r);
unsigned tpb_ref_set_of(const tpb_ref *r, uint64_t block);
/* The line that holds the block or will (live lines only); -1: none. */
int tpb_ref_find(const tpb_ref *r, uint64_t block);

#endif
