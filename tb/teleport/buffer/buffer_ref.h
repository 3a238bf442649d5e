/* Reference model of teleport_buffer: the rules of its page, with the edge at which each takes
 * effect. Blocks are compared whole, lines are searched one by one; what the RTL does to be fast
 * (tags, forwarding, masks, bit planes) has no counterpart here. */
#ifndef BUFFER_REF_H
#define BUFFER_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/teleport/buffer/front_ref.h"

enum {
  BUFFER_MAX_SETS = 64,
  BUFFER_MAX_WAYS = 128,
  BUFFER_MAX_TB = 64,
  BUFFER_FETCHES = 8,
  BUFFER_ASKS = 2
};

typedef struct buffer_shape {
  unsigned sets, ways, slots, block_bits;
  bool keep_unread;
  front_shape front;
} buffer_shape;

typedef struct buffer_acc {
  bool store;
  uint64_t block;
} buffer_acc;
typedef struct buffer_fetch {
  uint64_t block;
  uint32_t line;
} buffer_fetch;
typedef struct buffer_answer {
  bool valid, hit, coming;
  uint32_t line;
} buffer_answer;

/* What is taken at an edge; NULL or negative: nothing. */
typedef struct buffer_inputs {
  const front_range *ask;
  const buffer_acc *acc;
  int start_ways, rsp_line, end_slot;
  bool fetch_taken, go_taken, ask_refused; /* refused: offered, not taken */
} buffer_inputs;

#define BUFFER_COUNTERS(X)                                                                         \
  X(asks), X(asks_here), X(asks_known), X(asks_coming), X(fetches), X(asks_dropped), X(evictions), \
      X(loads), X(load_hits), X(loads_coming), X(stores), X(stores_here), X(stores_coming),        \
      X(replies), X(gos), X(waiting), X(starved), X(ask_stalls), X(ranges), X(lines_outside),      \
      X(lines_clipped), X(lines_cut)
#define BUFFER_CNT_(name) BUFFER_CNT_##name
typedef enum buffer_counter { BUFFER_COUNTERS(BUFFER_CNT_), BUFFER_CNT_COUNT } buffer_counter;

typedef enum buffer_state { BUFFER_EMPTY, BUFFER_HERE, BUFFER_COMING, BUFFER_DEAD } buffer_state;
typedef struct buffer_line {
  buffer_state state;
  uint64_t block;
  bool mine, unread; /* unread: asked for since a load found it */
  unsigned age;
  uint64_t waits; /* slots */
} buffer_line;
typedef enum buffer_kind {
  BUFFER_NOTHING,
  BUFFER_LOAD,
  BUFFER_STORE,
  BUFFER_ASK,
  BUFFER_CLOSE
} buffer_kind;
typedef struct buffer_op {
  buffer_kind kind;
  uint32_t slot;
  uint64_t block;
  int choice; /* ask: the way that a missing block gets, -1: none */
} buffer_op;
/* What S2 decided. */
typedef struct buffer_result {
  buffer_kind kind;
  uint32_t slot, line;
  uint64_t block;
  bool here, coming, waits, is_new, touch;
} buffer_result;
typedef struct buffer_slot {
  bool used, closed, told, ended;
  unsigned count;
} buffer_slot;

typedef struct buffer_ref {
  buffer_shape shape;
  bool overlap;
  buffer_line line[BUFFER_MAX_SETS][BUFFER_MAX_WAYS];
  unsigned ways, quarter, tick[BUFFER_MAX_SETS];
  buffer_slot slot[BUFFER_MAX_TB];
  front_ref front;
  bool front_busy; /* it was, an edge ago, or something came */
  bool rest;       /* nothing was left behind it, an edge ago */
  front_request ask[BUFFER_ASKS];
  buffer_fetch fetch[BUFFER_FETCHES];
  unsigned n_asks, n_fetches, coming, starved;
  bool open, acc_ready;
  bool settles; /* ages, a kernel or a reset changed what the next victim is: not idle yet */
  buffer_op s1, s2;
  buffer_result s3;
  buffer_answer answer;
  int rsp[3];   /* replies on their way into the numbers: just taken, then two edges */
  bool rsp_row; /* the row that was read */
  uint64_t row;
  int go;           /* slot that is offered, -1: none */
  unsigned go_from; /* round robin: searched from here */
  uint64_t counter[BUFFER_CNT_COUNT];
} buffer_ref;

void buffer_ref_reset(buffer_ref *r, const buffer_shape *shape);
/* One edge. */
void buffer_ref_step(buffer_ref *r, const buffer_inputs *in);
/* After an edge. */
bool buffer_ref_idle(const buffer_ref *r);
bool buffer_ref_start_ready(const buffer_ref *r);
unsigned buffer_ref_set_of(const buffer_ref *r, uint64_t block);
/* The line that holds the block or will (live lines only); -1: none. */
int buffer_ref_find(const buffer_ref *r, uint64_t block);

#endif
