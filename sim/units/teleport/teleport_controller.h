/* The controller: the table of the kernel's rows, the thread blocks that it takes, and the ranges
 * that it sends for them, each compared with the rows. */
#ifndef WF_UNITS_TELEPORT_CONTROLLER_H
#define WF_UNITS_TELEPORT_CONTROLLER_H

#include "sim/base/wf_ring.h"
#include "sim/units/teleport/teleport.h"

enum { TELEPORT_WALKS = 16 };

/* A thread block whose ranges the controller sends. */
typedef struct teleport_asking {
  unsigned sm, slot;
  uint32_t block[3];
  unsigned row; /* the next */
} teleport_asking;

/* Read by others: offered, walk_ring. */
typedef struct teleport_controller {
  wf_rtl *rtl;
  const wf_preload_row *rows; /* of the running kernel */
  unsigned n_rows;
  controller_ports port;
  bool offered; /* the thread block that the dispatcher has placed is not taken yet */
  teleport_asking block;
  teleport_asking walks[TELEPORT_WALKS]; /* that it has */
  wf_ring walk_ring;
} teleport_controller;

/* The RTL is the caller's to open, and then to bind, each time it is another's. */
bool teleport_controller_bind(teleport_controller *c, wf_rtl *rtl, wf_error *err);

/* Before a kernel, in time that the fabric does not count: its rows go in; they are the caller's.
 */
bool teleport_controller_fill(teleport_controller *c, const teleport_shared *m,
                              const wf_preload_row *rows, unsigned n, wf_error *err);

/* The one before is taken. */
bool teleport_controller_room(const teleport_controller *c);
/* A thread block, where there is room: on the port until it is taken. */
void teleport_controller_block(teleport_controller *c, const teleport_asking *block);
/* Something is inside, or will be. */
bool teleport_controller_works(const teleport_controller *c);

/* A cycle: the next thread block is offered; true if there is a range, of which
 * teleport_controller_answer must say whether its buffer takes it; then the edge. */
bool teleport_controller_drive(teleport_controller *c, teleport_request *r);
bool teleport_controller_answer(teleport_controller *c, const teleport_shared *m, bool taken,
                                wf_error *err);
/* Is there something to do? */
bool teleport_controller_busy(const teleport_controller *c);
bool teleport_controller_clock(teleport_controller *c, const teleport_shared *m, wf_error *err);

#endif
