/* Edges of a unit that takes what it is offered at every edge: benches of units beside a cache.
 * What is offered is the bench's own struct, or NULL: nothing. */
#ifndef WF_EDGE_H
#define WF_EDGE_H

#include "tb/common/wf_bench.h"

/* An RTL parameter, and the bench's field (an unsigned) that takes it. */
typedef struct wf_edge_parameter {
  const char *name; /* NULL ends a list */
  size_t field;
} wf_edge_parameter;

struct wf_edge_class {
  const wf_edge_parameter *parameters;
  void (*drive)(void *bench, const void *offer);
  void (*model)(void *bench, const void *offer); /* of the edge to come */
  bool (*compare)(void *bench);                  /* with what the model says, after it */
  const wf_port *(*idle)(const void *bench);
  unsigned most; /* edges until it is idle, if nothing more is offered */
};

/* Fills the fields of the parameters; the unit's counters are compared with `counted`. For the
 * class's open(). */
void wf_edge_open(void *bench, uint64_t *counted);
/* One edge; an idle unit that is offered nothing may be left without it. False after the first
 * failure. */
bool wf_edge(void *bench, const void *offer);
/* For the class's rest and after. */
bool wf_edge_rest(void *bench);
bool wf_edge_quiet(void *bench);

#endif
