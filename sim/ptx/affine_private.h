/* What the parts of the analysis share: affine_eval.c finds forms, affine_loops.c what ends loops,
 * affine.c classes of loads, affine_launch.c values and ranges at launch, affine_rows.c rows of the
 * table. */
#ifndef WF_PTX_AFFINE_PRIVATE_H
#define WF_PTX_AFFINE_PRIVATE_H

#include "sim/ptx/affine.h"
#include "sim/ptx/affine_form.h"
#include "sim/ptx/affine_ssa.h"

/* The loop goes on while (difference compare 0). */
typedef struct ptx_affine_exit {
  uint32_t header; /* block */
  const ptx_form *difference;
  uint8_t compare; /* ptx_compare, PTX_EQ .. PTX_GE */
  uint32_t block;  /* that ends with the test */
  uint32_t stay;   /* block that is reached only when the loop goes on, or UINT32_MAX */
} ptx_affine_exit;

struct ptx_affine {
  const ptx_kernel *k;
  ptx_ssa *ssa; /* NULL: too large */
  ptx_forms forms;
  const ptx_form **value;    /* by name */
  const ptx_form **compared; /* [2 * pc]: operands of setp */
  const ptx_form **address;  /* by pc: of memory accesses */
  const ptx_form *
      *step;      /* by meeting, less PTX_NAME_FIRST: an iteration adds that; NULL: not known */
  bool *given_up; /* the same: it is no such meeting */
  ptx_affine_exit *exits; /* by header */
  uint32_t n_exits;
  ptx_affine_load *loads;
  uint32_t n_loads;
  const ptx_form **forms_of; /* of load i: forms_of[first_form[i] .. first_form[i + 1]), choices
                                made; none if there are too many */
  uint32_t *first_form;
  uint32_t arrays;
};

/* affine_eval.c: values, addresses, compared. */
void ptx_affine_eval(ptx_affine *a);
/* affine_loops.c: exits. */
void ptx_affine_find_exits(ptx_affine *a);
/* The pointer among the parameters that a form goes by, as its offset in the parameter block, or
 * -1. */
int32_t ptx_affine_array(const ptx_affine *a, const ptx_form *address);

/* Kinds as bits, for ptx_form_only(). */
enum {
  PTX_KINDS_LAUNCH =
      1 << PTX_ATOM_PARAM | 1 << PTX_ATOM_NTID | 1 << PTX_ATOM_NCTAID | 1 << PTX_ATOM_OPERATOR,
  PTX_KINDS_BLOCK = PTX_KINDS_LAUNCH | 1 << PTX_ATOM_TID | 1 << PTX_ATOM_CTAID,
  PTX_KINDS_RANGE = PTX_KINDS_BLOCK | 1 << PTX_ATOM_ITERATION
};

/* ---- affine_launch.c ---- */
/* A launch's values. */
typedef struct ptx_affine_values {
  const ptx_affine *a;
  const uint32_t *grid, *block;
  const uint8_t *params;
  struct ptx_affine_known *known; /* by atom */
  struct ptx_affine_known *exits; /* by exit */
  unsigned depth;
} ptx_affine_values;

/* A product that the launch leaves open: of tid, ctaid and iterations. */
typedef struct ptx_affine_open {
  int64_t factor;
  uint32_t atom[PTX_FORM_DEGREE];
} ptx_affine_open;

typedef struct ptx_affine_residue {
  int64_t number;
  uint32_t n;
  ptx_affine_open term[PTX_FORM_TERMS];
} ptx_affine_residue;

void ptx_affine_values_init(ptx_affine_values *v, const ptx_affine *a, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *params);
void ptx_affine_values_free(ptx_affine_values *v);
/* False: a form that is not of PTX_KINDS_RANGE, or overflow. */
bool ptx_affine_reduce(ptx_affine_values *v, const ptx_form *form, ptx_affine_residue *r);
/* The highest number of an iteration (from 0) in which code of `block` runs, -1 if it never does;
 * false: not known. */
bool ptx_affine_last_iteration(ptx_affine_values *v, uint32_t header, uint32_t block,
                               int64_t *last);
/* Highest value of a tid, ctaid or iteration atom (the lowest is 0). */
bool ptx_affine_highest(ptx_affine_values *v, uint32_t atom, uint32_t block, int64_t *high);

#endif
