/* Bench of mshr_rich: requests and fills in, subentries out. Each cycle's ready, and after every
 * edge all outputs, are compared with the reference model, which has the lines with what waits for
 * them, and beside that the places of cuckoo hashing, which say what is refused. */
#ifndef MSHR_RICH_BENCH_H
#define MSHR_RICH_BENCH_H

#include "sim/units/mshr_rich/ports.h"
#include "tb/common/wf_edge.h"

typedef struct rich_offer {
  bool request, fill, held_up; /* held_up: no subentry is taken */
  uint64_t line, sub;          /* of the request */
  uint64_t filled;             /* line of the fill */
} rich_offer;

#define RICH_COUNTERS(X)                                                                           \
  X(new), X(merged), X(full), X(stash_full), X(no_row), X(behind_fill), X(fills), X(answered),     \
      X(moved), X(in_use)
#define RICH_BINS(X)                                                                               \
  X(new), X(merged), X(merged_in_stash), X(row_linked), X(row_linked_in_stash), X(full),           \
      X(stash_full), X(no_row), X(behind_fill), X(to_stash), X(moved_to_free), X(moved_by_turn),   \
      X(move_overtaken), X(fill_of_stash), X(fill_of_rows), X(fills_in_a_row),                     \
      X(fill_as_lines_wait), X(line_asked_after_fill), X(requests_in_a_row), X(held_up),           \
      X(withdrawn), X(clearing)
#define RICH_BIN_(name) RICH_BIN_##name
typedef enum rich_bin { RICH_BINS(RICH_BIN_), RICH_BIN_COUNT } rich_bin;
#define RICH_CNT_(name) RICH_CNT_##name
typedef enum rich_counter { RICH_COUNTERS(RICH_CNT_), RICH_CNT_COUNT } rich_counter;

enum {
  RICH_MOST_LINES = 4096,
  RICH_MOST_SUBS = 1 << 16, /* a power of two */
  RICH_MOST_WAYS = 8,
  RICH_MOST_STASH = 16,
  RICH_NONE = RICH_MOST_LINES
};

/* A line on its way, with what waits for it: a list of subentries. */
typedef struct rich_line {
  uint64_t line;
  unsigned first, last, n;
} rich_line;
typedef struct rich_sub {
  uint64_t sub;
  unsigned next;
} rich_sub;
/* What is to be told next. */
typedef struct rich_told {
  uint64_t sub;
  bool last, ends_row;
} rich_told;
typedef struct rich_place {
  bool held;
  uint64_t line;
} rich_place;
typedef enum rich_op { RICH_OP_NONE, RICH_OP_REQUEST, RICH_OP_FILL, RICH_OP_MOVE } rich_op;

/* Tests may read it; what changes it are the functions below and those of wf_edge.h and wf_bench.h.
 * What is offered at an edge is a rich_offer. */
typedef struct rich_bench {
  wf_bench base;
  mshr_rich_ports p;
  struct {
    unsigned lines, ways, stash, rows, slots, line_bits, sub_bits;
  } shape;
  /* Lines and requests. */
  rich_line at[RICH_MOST_LINES];
  unsigned used, rows;
  rich_sub sub[RICH_MOST_SUBS];
  unsigned free_sub;
  rich_told told[RICH_MOST_SUBS]; /* a ring */
  unsigned told_first, told_n, waits;
  uint64_t last_filled;
  /* Places. */
  rich_place table[RICH_MOST_WAYS][RICH_MOST_LINES], stash[RICH_MOST_STASH];
  unsigned turn;
  rich_op op; /* in S1, of this line: */
  uint64_t op_line;
  unsigned op_stash;
  bool op_new, op_linked;
  unsigned since; /* edges since the reset */
  bool taken, is_new, linked, filled, last_refused;
  uint64_t counter[RICH_CNT_COUNT];
} rich_bench;

extern const wf_bench_class rich_bench_class;

/* The line's index in at[]; RICH_NONE: it is not on its way. */
unsigned rich_bench_find(const rich_bench *b, uint64_t line);
/* The line's place in a table. */
unsigned rich_bench_set(const rich_bench *b, unsigned way, uint64_t line);
/* Edges until the unit is idle. */
bool rich_bench_rest(void *bench);

#endif
