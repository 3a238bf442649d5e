/* The buffer's bench behind AXI4 or TileLink-UL: memory that answers when the test says so, and the
 * lines that are filled. */
#ifndef BUFFER_BUS_H
#define BUFFER_BUS_H

#include "tb/teleport/buffer/buffer_bench.h"

typedef struct buffer_bus {
  buffer_bench *bench;
  wf_bus *bus;
  const wf_port *valid, *ready, *line, *beat, *last, *data, *bad_valid, *bad_block;
  wf_bus_options options;
  unsigned fill_percent; /* of edges at which shared memory takes a beat */
  unsigned beats, bytes; /* of a line; of a beat */
  unsigned at;           /* the next beat */
  unsigned bad_edges;    /* until the failed line has come; 0: none */
  int bad_line;
  bool released[BUFFER_MAX_LINES]; /* memory may answer */
} buffer_bus;

/* NULL: the unit is not wrapped. Its memory answers at once and never fails, until `options` of it
 * are changed. */
buffer_bus *buffer_bus_create(buffer_bench *b, wf_error *err);
void buffer_bus_destroy(buffer_bus *bus);
void buffer_bus_reset(buffer_bus *bus);
/* The edge that comes: memory may answer for line `released` (-1: no other). Returns the line that
 * will have come at it; -1: none. */
int buffer_bus_edge(buffer_bus *bus, int released);
/* As many lines are on their way as the unit has slots for. */
bool buffer_bus_full(const buffer_bus *bus);
/* A failed read's store is taken at the edge that comes, and what it is. */
bool buffer_bus_empties(const buffer_bus *bus);
buffer_acc buffer_bus_store(const buffer_bus *bus);

#endif
