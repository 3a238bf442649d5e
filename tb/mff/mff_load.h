/* Random workloads for mff_unit: arrays C and V and a bit vector in the bench's memory, and streams
 * of commands over them. */
#ifndef MFF_LOAD_H
#define MFF_LOAD_H

#include "tb/mff/mff_bench.h"

/* Where the indexes in C point. */
typedef enum {
  MFF_LOAD_UNIFORM, /* anywhere in V */
  MFF_LOAD_HOT,     /* nine in ten to one of eight vertices */
  MFF_LOAD_LOCAL,   /* near the place of the index, as in a graph with communities */
  MFF_LOAD_ONE,     /* all to one vertex */
  MFF_LOAD_KINDS
} mff_load_kind;

typedef struct mff_load {
  mff_load_kind kind;
  uint32_t indexes, vertices; /* elements of C and V; bits of the bit vector */
  unsigned scatter_percent;   /* commands that are scatter_set */
  unsigned error_percent;     /* commands that must be refused */
  unsigned lane_percent;      /* lanes that take part */
  unsigned max_size;          /* of a lane, 1..32 */
  bool csr;                   /* lanes read consecutive parts of C, as consecutive vertices do */
  unsigned queue;             /* commands kept waiting at each slice */
  bool spread;                /* C, V and the bit vector lie anywhere in the address space */
  uint32_t first_index,
      first_vertex; /* numbers of C's first element and, a multiple of 32, of V's */
} mff_load;

/* Fills the arrays, at random bases, and configures the unit. Marks memory. */
bool mff_load_fill(mff_bench *b, const mff_load *load);
/* Sends commands for so many cycles, then drains. */
bool mff_load_run(mff_bench *b, const mff_load *load, uint64_t cycles);

#endif
