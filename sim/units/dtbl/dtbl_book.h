/* What the fabric knows of a scheduler of thread blocks in RTL: which grids it was given, what
 * every SM has free. All that the RTL tells is checked against it: every block once and in order,
 * at a place with room; kernels over when all of theirs are; records in memory as they were
 * written. Each function returns false with *err (WF_EXIT_WRONG) at the first contradiction. */
#ifndef WF_UNITS_DTBL_BOOK_H
#define WF_UNITS_DTBL_BOOK_H

#include "sim/base/wf_error.h"
#include "sim/seam/dispatch.h"

typedef struct dtbl_book dtbl_book;

/* Of one SM, and what bounds the tables. */
typedef struct dtbl_shape {
  unsigned n_sm, slots, warps, registers, shared_bytes; /* slots: up to 64 */
  unsigned entries, agt_entries; /* kernels, up to 64; groups in the table, 2^k */
} dtbl_shape;

/* A block as the RTL offers it. */
typedef struct dtbl_offer {
  unsigned sm, slot, kdei;
  bool group, first, last;
  uint32_t link, pc, param, dim[3], at[3];
} dtbl_offer;

/* A kernel, or a group, as the RTL's ports have it. Needs are those of one block. */
typedef struct dtbl_at_ports {
  uint32_t pc, tbdim, smem, x, y, z, param, warps, regs, shm;
} dtbl_at_ports;

enum { DTBL_X = 1, DTBL_ZY = 2, DTBL_NEXT = 4, DTBL_PARAM = 8 }; /* words of a record */

dtbl_book *dtbl_book_create(const dtbl_shape *shape);
void dtbl_book_destroy(dtbl_book *book);

/* A number for the kernel's entry point, from 1. */
uint32_t dtbl_book_pc(dtbl_book *book, const ptx_kernel *kernel);
/* The kernel has got entry kdei. */
bool dtbl_book_kernel(dtbl_book *book, const wf_grid *kernel, unsigned kdei, wf_error *err);
/* `kernel`: as it is at the ports. */
bool dtbl_book_group(dtbl_book *book, const wf_grid *group, const dtbl_at_ports *kernel,
                     wf_error *err);
/* The kernel management unit has it: a kernel that a thread launched. */
void dtbl_book_launch(dtbl_book *book, const wf_grid *kernel, const dtbl_at_ports *at_ports);
/* The group leaves for the kernel management unit, as it came: *id is the fabric's name of it. */
bool dtbl_book_refused(dtbl_book *book, const dtbl_at_ports *group, uint32_t *id, wf_error *err);
/* The kernel management unit's kernel has got entry kdei: it must be the oldest that it has. */
bool dtbl_book_entered(dtbl_book *book, const dtbl_at_ports *kernel, unsigned kdei, wf_error *err);
bool dtbl_book_place(dtbl_book *book, const dtbl_offer *offer, wf_placement *placed, wf_error *err);
bool dtbl_book_end(dtbl_book *book, unsigned sm, unsigned slot, wf_error *err);
bool dtbl_book_kernel_done(dtbl_book *book, unsigned kdei, bool host, wf_error *err);
/* Where records may lie beside the 16 bytes below their group's parameters. */
void dtbl_book_ring(dtbl_book *book, uint32_t base, uint32_t bytes);
/* Words of the record below `pointer` that are written; then read. */
bool dtbl_book_write(dtbl_book *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                     wf_error *err);
bool dtbl_book_read(dtbl_book *book, uint32_t pointer, const uint32_t words[4], wf_error *err);

unsigned dtbl_book_free_entries(const dtbl_book *book);
uint64_t dtbl_book_unfinished(const dtbl_book *book); /* grids with a block that has not ended */
/* Nothing is left of any grid. */
bool dtbl_book_over(const dtbl_book *book, wf_error *err);

#endif
