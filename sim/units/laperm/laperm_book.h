/* What the fabric knows of LaPerm's scheduler in RTL: which grids it was given, what every SM has
 * free. All that the RTL tells is checked against it: every block once and in order, at a place
 * with room; levels, and where what is bound may run; groups of a queue in the order of launches;
 * kernels over when all of theirs are; records in memory as they must be. Each function returns
 * false with *err (WF_EXIT_WRONG) at the first contradiction. */
#ifndef WF_UNITS_LAPERM_BOOK_H
#define WF_UNITS_LAPERM_BOOK_H

#include "sim/base/wf_error.h"
#include "sim/units/laperm/laperm.h"

typedef struct laperm_book laperm_book;

typedef struct laperm_shape {
  unsigned n_sm, slots, warps, registers, shared_bytes; /* slots: up to 64 */
  unsigned entries, levels, cluster;                    /* kernels, up to 32 */
  laperm_policy policy;
} laperm_shape;

/* A block as the RTL offers it. */
typedef struct laperm_offer {
  unsigned sm, slot, kdei, level;
  bool group, first, last;
  uint32_t pc, param, dim[3], at[3];
} laperm_offer;

laperm_book *laperm_book_create(const laperm_shape *shape);
void laperm_book_destroy(laperm_book *book);

/* A number for the kernel's entry point, from 1. */
uint32_t laperm_book_pc(laperm_book *book, const ptx_kernel *kernel);
/* What is launched has the level behind that of the block that launches it; 0: by the host, and all
 * under policy rr. */
unsigned laperm_book_level(const laperm_book *book, const wf_grid *grid);
/* The kernel has got entry kdei. */
bool laperm_book_kernel(laperm_book *book, const wf_grid *kernel, unsigned kdei, wf_error *err);
bool laperm_book_group(laperm_book *book, const wf_grid *group, wf_error *err);
/* The group with these parameters found no kernel: *id is the fabric's name of it. */
bool laperm_book_refused(laperm_book *book, uint32_t param, uint32_t *id, wf_error *err);
bool laperm_book_place(laperm_book *book, const laperm_offer *offer, wf_placement *placed,
                       wf_error *err);
bool laperm_book_end(laperm_book *book, unsigned sm, unsigned slot, wf_error *err);
bool laperm_book_kernel_done(laperm_book *book, unsigned kdei, bool host, wf_error *err);
/* Where records may lie beside the 16 bytes below their group's parameters. */
void laperm_book_ring(laperm_book *book, uint32_t base, uint32_t bytes);
/* Words of the record below `pointer` that are written. */
bool laperm_book_write(laperm_book *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                       wf_error *err);

unsigned laperm_book_free_entries(const laperm_book *book);
uint64_t
laperm_book_unfinished(const laperm_book *book); /* grids with a block that has not ended */
/* Nothing is left of any grid. */
bool laperm_book_over(const laperm_book *book, wf_error *err);

#endif
