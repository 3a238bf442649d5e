/* Which addresses of loads a thread block's number decides. A dataflow over a kernel writes every
 * value that loads' addresses are made of as a sum of products of constants, parameters, ntid,
 * nctaid, ctaid, tid, and the iteration numbers of loops; everything else is opaque, with a cause.
 * At launch these forms become rows of the preload table (TELEPORT): the range of bytes that a
 * thread block reads, linear in ctaid.
 *
 * Values are followed over register names (affine_ssa.h), so that neither copies nor the allocator
 * hide anything. Indexes are taken not to wrap, nor unsigned ones to be negative where they are
 * widened: C's rules for signed ones, and for others what the hardware does with a row that is
 * wrong, which is to fetch what nobody reads. */
#ifndef WF_PTX_AFFINE_H
#define WF_PTX_AFFINE_H

#include "sim/ptx/block_rows.h" /* a struct, no code */
#include "sim/ptx/ptx.h"

/* As figure 7.4 counts them. */
typedef enum ptx_affine_class {
  PTX_AFFINE_STATIC, /* of constants, parameters, ntid and nctaid only */
  PTX_AFFINE_QUASI,  /* of tid and ctaid, too */
  PTX_AFFINE_NONE,   /* not precalculable */
  PTX_AFFINE_CLASSES
} ptx_affine_class;

/* Of PTX_AFFINE_NONE. An address with several is counted by the first of operator, indirect,
 * control, induction. */
typedef enum ptx_affine_cause {
  PTX_CAUSE_NONE,
  PTX_CAUSE_INDUCTION, /* a variable that a loop steps */
  PTX_CAUSE_INDIRECT,  /* what a load, an atomic, another lane or a unit brought */
  PTX_CAUSE_CONTROL,   /* one of several values: control flow, selections, guarded instructions */
  PTX_CAUSE_OPERATOR, /* an operation other than addition, subtraction and multiplication (shifts by
                         constants are such) */
  PTX_CAUSES
} ptx_affine_cause;

/* What may be relaxed when rows are made, beyond static and quasi-static addresses. */
enum {
  PTX_RELAX_LOOPS = 1,   /* induction over loops whose bounds are known at launch, as the paper's
                            footnote 4 has it */
  PTX_RELAX_CHOICES = 2, /* one of a few forms, each with its range: selections, minimum, maximum */
  PTX_RELAX_OPERATORS = 4 /* operators of values that are known at launch */
};

/* A load from global memory (or a generic one not known to be anything else). */
typedef struct ptx_affine_load {
  ptx_pc pc;
  uint32_t line;
  uint8_t cls, cause;
  bool possible; /* a range exists for every launch, if the PTX_RELAX_ bits in `needs` are granted
                    (0 for static and quasi-static ones) */
  uint8_t needs;
  int32_t array; /* offset, in the parameter block, of the pointer to it, or -1 */
  bool written; /* the kernel stores to that array, or by pointers of unknown origin while the array
                   is unknown */
  bool uncached; /* volatile and the like: never preloaded */
} ptx_affine_load;

typedef struct ptx_affine ptx_affine;

/* The kernel must outlive the result; its module must have been placed if it has variables. Never
 * fails: what is too large to look at (2^22 blocks * registers), or calls functions, has loads of
 * PTX_CAUSE_OPERATOR. Time and memory are that product's. */
ptx_affine *ptx_affine_analyse(const ptx_kernel *kernel);
void ptx_affine_destroy(ptx_affine *a); /* NULL is fine */
const ptx_kernel *ptx_affine_kernel(const ptx_affine *a);
const ptx_affine_load *ptx_affine_loads(const ptx_affine *a, uint32_t *count); /* by pc */
/* The load at pc, or NULL. */
const ptx_affine_load *ptx_affine_at(const ptx_affine *a, ptx_pc pc);
/* The address of load i as text, cut at bytes - 1. */
void ptx_affine_text(const ptx_affine *a, uint32_t i, char *text, size_t bytes);
/* The name of its pointer: "param_2", "param_0[16]" in a structure, "-" if there is none. */
void ptx_affine_array_text(const ptx_affine *a, const ptx_affine_load *load, char *text,
                           size_t bytes);
const char *ptx_affine_class_name(unsigned cls);
const char *ptx_affine_cause_name(unsigned cause);

/* Figures 7.3 and 7.4 of a kernel; add them up over kernels. */
typedef struct ptx_affine_totals {
  uint32_t arrays; /* parameters that loads, stores or atomics go by */
  uint32_t loads;
  uint32_t by_class[PTX_AFFINE_CLASSES];
  uint32_t by_cause[PTX_CAUSES]; /* of those not precalculable; [PTX_CAUSE_NONE] stays 0 */
  uint32_t bounded; /* of those by induction: with PTX_RELAX_LOOPS, loops with bounds known at
                       launch make them precalculable */
  uint32_t relaxed; /* of those not precalculable: with all PTX_RELAX_ bits */
} ptx_affine_totals;
ptx_affine_totals ptx_affine_count(const ptx_affine *a);
void ptx_affine_add(ptx_affine_totals *sum, const ptx_affine_totals *more);

/* The table that rows are for. Zeros stand for the defaults. */
typedef struct ptx_affine_table {
  uint32_t rows;       /* 64, at most 1024 */
  uint32_t line_bytes; /* 128: of a block; a gap smaller than that between two ranges is fetched
                          with them */
  uint32_t size_bits;  /* 8: of an element's size */
  uint32_t prod_bits;  /* 16: of products and offsets, signed */
  uint32_t addr_bits;  /* 32: of a base */
  uint32_t lines;      /* 1: ranges that a row can have at one distance from each other */
  uint32_t pitch_bits; /* 20: of that distance in bytes */
  uint32_t waste; /* 4: a range is left out if it has more than that many times the blocks that are
                     read */
  unsigned relax; /* PTX_RELAX_ bits */
  bool read_only; /* leave out arrays that the kernel writes */
  const ptx_affine_load *only; /* rows for this load alone; NULL: for all */
} ptx_affine_table;

/* What became of a load: rows, or a reason. */
typedef struct ptx_affine_fate {
  uint32_t rows;
  const char *reason; /* "" if it has all its rows */
} ptx_affine_fate;

typedef struct ptx_affine_made {
  uint32_t rows;
  uint32_t left_out; /* loads without, or not with all, of their rows */
  uint32_t over;     /* rows that found no place in the table */
  uint64_t bytes;    /* that thread block (0, 0, 0) asks for, whole blocks */
} ptx_affine_made;

/* Rows for one launch, by address. rows: room for table->rows (64); fates: by load, or NULL.
 * params: kernel->param_bytes. The relaxations apart, every address that a load with all its rows
 * reads is in one of its rows, for every thread block. */
ptx_affine_made ptx_affine_rows(const ptx_affine *a, const uint32_t grid[3],
                                const uint32_t block[3], const uint8_t *params,
                                const ptx_affine_table *table, wf_preload_row *rows,
                                ptx_affine_fate *fates);

#endif
