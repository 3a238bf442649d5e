/* Memory behind the AXI4 or TileLink-UL ports of a model: it answers in any order, mixes words of
 * several reads, stalls, and fails now and then; it takes what is asked to pieces and checks it by
 * the protocol. A port is `lanes` wide: vectors hold a field for each, the first lowest.
 *
 * It is the least that a protocol promises. A read may be of the moment when it was taken; a write
 * is there when it is answered, and no earlier. */
#ifndef WF_BUS_H
#define WF_BUS_H

#include "tb/common/wf_bench.h"

enum { WF_BUS_BYTES = 128 }; /* of a word, at most */

/* What it is the memory of. Each returns false after a failure. */
typedef struct wf_bus_side {
  bool (*read)(void *user, unsigned lane, uint64_t address, unsigned bytes, uint8_t *data);
  /* strobe: a byte for each, 0 or 1; failed: the answer is an error, and nothing is written */
  bool (*write)(void *user, unsigned lane, uint64_t address, unsigned bytes, const uint8_t *data,
                const uint8_t *strobe, bool failed);
  bool (*may_answer)(void *user, uint64_t address); /* a read; NULL: any time */
  void *user;
} wf_bus_side;

/* Percents; stalls last up to `burst` cycles. */
typedef struct wf_bus_options {
  unsigned stall_ask, stall_data, stall_answer; /* AR, AW or a; W; R, B or d */
  unsigned burst;                               /* 1 or more */
  unsigned latency_min, latency_max;            /* cycles until an answer may come */
  unsigned errors;                              /* of answers */
  bool in_order; /* answers of a kind in the order of what was asked */
} wf_bus_options;

typedef struct wf_bus_stats {
  uint64_t reads, writes; /* bursts, or messages, that were taken */
  uint64_t read_errors, write_errors;
  uint64_t ask_stalls; /* cycles in which AR, or a, was offered and not taken */
  uint64_t passed;     /* answers that came before an older one of their kind */
  uint64_t mixed;      /* words between two of another burst, or block */
  uint64_t narrow;     /* writes smaller than a word of the bus */
  uint64_t at_once;    /* answers at the edge of what they answer */
} wf_bus_stats;

typedef struct wf_bus wf_bus;

/* NULL if the bench's model has no such port. */
wf_bus *wf_bus_create(wf_bench *bench, unsigned lanes, const wf_bus_side *side);
void wf_bus_destroy(wf_bus *bus);
void wf_bus_reset(wf_bus *bus);
bool wf_bus_is_axi(const wf_bus *bus);
/* Samples what is offered now and drives all inputs for the next edge; `now` is that edge's number.
 * False after a failure. */
bool wf_bus_cycle(wf_bus *bus, const wf_bus_options *options, uint64_t now);
/* What is still to be answered, or to be sent. */
unsigned wf_bus_owed(const wf_bus *bus);
/* Since the reset. */
const wf_bus_stats *wf_bus_statistics(const wf_bus *bus);

#endif
