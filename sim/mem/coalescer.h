/* The request coalescer in front of an L2 slice (Hopper's LRC): reads of a line that is asked for
 * already wait here, and share the answer of the access that was sent on. The slice sees one read
 * in their place.
 *
 * A table of `entries`, each one access on its way and up to `merges` requests, its own among them.
 * A read joins the open entry of its line if that asks for all of its sectors and has room; else it
 * opens one, and the line's old entry takes no more. A write or an atomic closes its line's entry:
 * reads behind it do not share data from before it. With the table full reads go on alone. */
#ifndef WF_MEM_COALESCER_H
#define WF_MEM_COALESCER_H

#include <stdbool.h>

#include "sim/base/wf_ring.h"
#include "sim/mem/mem.h"

#define WF_COALESCER_NONE 0xffffu /* wf_packet.entry of a read that went alone */

typedef struct wf_coalescer_entry {
  uint64_t line;
  uint16_t next;              /* in its bucket, while open */
  uint16_t waiting, answered; /* requests beside the one sent on; how many are answered */
  uint8_t sectors, urgent;    /* of the one sent on */
  bool open;
} wf_coalescer_entry;

typedef struct wf_coalescer {
  unsigned entries, merges; /* entries 0: there is none */
  wf_coalescer_entry *entry;
  wf_packet *waiting; /* [entry][merges - 1] */
  uint16_t *bucket, *free, *fan;
  unsigned buckets, free_count;
  wf_ring fan_ring; /* answered entries whose requests wait for their replies */
} wf_coalescer;

void wf_coalescer_init(wf_coalescer *c, unsigned entries, unsigned merges);
void wf_coalescer_free(wf_coalescer *c);
/* Would take() keep this packet? */
bool wf_coalescer_joins(const wf_coalescer *c, const wf_packet *p);
/* A packet on its way to the slice. True: it is kept, and answered with another's access. False: it
 * goes on, and p->entry tells wf_coalescer_answer() who waits for it. */
bool wf_coalescer_take(wf_coalescer *c, wf_packet *p);
/* A write from elsewhere. */
void wf_coalescer_close(wf_coalescer *c, uint64_t line);
/* The slice answers the read that went on as this entry. */
void wf_coalescer_answer(wf_coalescer *c, unsigned entry);
/* The next request to answer, or NULL; pop when its reply is on its way. */
const wf_packet *wf_coalescer_next(const wf_coalescer *c);
void wf_coalescer_pop(wf_coalescer *c);
static inline unsigned wf_coalescer_used(const wf_coalescer *c) {
  return c->entries - c->free_count;
}

#endif
