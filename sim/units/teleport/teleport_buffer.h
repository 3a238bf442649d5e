/* The buffer of one SM: what waits to go in, one cycle at the ports of its RTL, what it answers. */
#ifndef WF_UNITS_TELEPORT_BUFFER_H
#define WF_UNITS_TELEPORT_BUFFER_H

#include "sim/base/wf_ring.h"
#include "sim/units/teleport/teleport.h"

/* An SM has a place in front of each port, and no more: an access, a reply, a bit for each slot
 * that has ended (gpu.NAME of teleport_buffer.ini). What finds it taken waits in the load/store
 * unit, or is a fault. Answers come four edges after their accesses, and an SM whose clock is
 * slower than the buffer's (core.sm_mhz) takes one an edge of its own: so many are inside or wait
 * at most. */
enum { TELEPORT_FLIGHT = 4, TELEPORT_ANSWERS = 4, TELEPORT_BLOCKS = 64 };

/* Read by others: flight_ring, answer_ring, replied, ended, walk_ring. */
typedef struct teleport_buffer {
  unsigned sm;
  wf_rtl *rtl;
  buffer_ports port;
  bool offered, offer_store; /* an access for the next edge */
  uint32_t offer_line;
  bool flight[TELEPORT_FLIGHT]; /* accesses inside: is it a load? */
  wf_ring flight_ring;
  struct {
    wf_preload_answer answer;
    unsigned place;
  } answers[TELEPORT_ANSWERS];
  wf_ring answer_ring;
  wf_teleport_walk walks[TELEPORT_BLOCKS]; /* what thread blocks ask for, in their order */
  wf_ring walk_ring;
  uint32_t *holds;   /* [places] the line that each was fetched for last */
  uint64_t left_out; /* lines of thread blocks that lay nowhere and were not fetched */
  bool replied;      /* a reply for the next edge */
  uint16_t reply;
  uint64_t ended; /* slots whose thread blocks have ended, for the edges to come */
} teleport_buffer;

/* The RTL is the caller's to open, and then to bind, each time it is another's. */
void teleport_buffer_init(teleport_buffer *s, const teleport_shared *m, unsigned sm);
void teleport_buffer_free(teleport_buffer *s);
bool teleport_buffer_bind(teleport_buffer *s, const teleport_shared *m, wf_rtl *rtl, wf_error *err);

/* Before a kernel, in time that the fabric does not count: ways and m->bounds. */
bool teleport_buffer_start(teleport_buffer *s, const teleport_shared *m, unsigned ways,
                           wf_error *err);

/* What the fabric tells and asks (sim/seam/preload.h). */
void teleport_buffer_block_end(teleport_buffer *s, teleport_shared *m, unsigned slot);
bool teleport_buffer_access(teleport_buffer *s, bool store, uint32_t line);
wf_preload_answer teleport_buffer_answer(teleport_buffer *s, unsigned *place);
void teleport_buffer_filled(teleport_buffer *s, teleport_shared *m, unsigned place);

/* A thread block will be asked for: each line that is fetched must be one of its rows. */
void teleport_buffer_expect(teleport_buffer *s, teleport_shared *m, const wf_teleport_walk *walk);
/* A line goes to memory, for a place: is it the next that rows ask for and that was not here?
 * False: m->fault. */
bool teleport_buffer_fetches(teleport_buffer *s, const teleport_shared *m, uint32_t line,
                             unsigned place);
/* After a kernel: of the lines that thread blocks asked for in all kernels, those that were neither
 * fetched nor here. The RTL must have found no room for so many. */
uint64_t teleport_buffer_left_out(teleport_buffer *s, const teleport_shared *m);
/* The controller's range for this edge. False: it must wait. */
bool teleport_buffer_ask(teleport_buffer *s, const teleport_request *r);
/* Something is inside, or will be. */
bool teleport_buffer_works(const teleport_buffer *s);
bool teleport_buffer_clock(teleport_buffer *s, const teleport_shared *m, wf_error *err);

#endif
