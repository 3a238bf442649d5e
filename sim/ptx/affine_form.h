/* Sums of products of atoms, with whole factors, for affine.c. A form of NULL is unknown: what
 * would overflow, or have too many terms. */
#ifndef WF_PTX_AFFINE_FORM_H
#define WF_PTX_AFFINE_FORM_H

#include "sim/ptx/arena.h"
#include "sim/ptx/ptx.h"

enum {
  PTX_FORM_DEGREE = 4, /* atoms in a product */
  PTX_FORM_TERMS = 24,
  PTX_ATOM_DEPTH = 32 /* of values computed from each other by other operators */
};

typedef enum ptx_atom_kind {
  PTX_ATOM_NONE,
  /* known at launch */
  PTX_ATOM_PARAM, /* id: offset << 8 | type */
  PTX_ATOM_NTID,  /* id: 0..2 */
  PTX_ATOM_NCTAID,
  /* known within a thread block, or of it */
  PTX_ATOM_TID,
  PTX_ATOM_CTAID,
  PTX_ATOM_ITERATION, /* id: the loop's first block; 0 in the first iteration */
  /* opaque; id: a name (affine_ssa.h) */
  PTX_ATOM_MEETING, /* steps around a loop in no simple way */
  PTX_ATOM_CHOICE,  /* one of args */
  PTX_ATOM_LOADED,
  PTX_ATOM_OPERATOR /* of args; known at launch if uniform */
} ptx_atom_kind;

typedef struct ptx_form ptx_form;

typedef struct ptx_atom {
  uint8_t kind;
  uint8_t depth;        /* operators: of those it is computed from, plus 1 */
  uint8_t zeros;        /* lowest bits that are known to be 0 */
  uint8_t cause;        /* ptx_affine_cause that it brings into an address */
  bool bounded;         /* low..high */
  bool uniform;         /* known at launch */
  bool choice_of_order; /* a choice made by minimum or maximum */
  bool pointer;         /* was converted from a generic address */
  uint32_t id, n_args;
  ptx_pc
      pc; /* of CHOICE, LOADED, OPERATOR; or where the loop, or the block of the meeting, begins */
  int64_t low, high;
  const ptx_form **args;
} ptx_atom;

typedef struct ptx_term {
  int64_t factor;
  uint32_t atom[PTX_FORM_DEGREE]; /* descending, 0 where there is none */
} ptx_term;

struct ptx_form {
  uint32_t n;
  ptx_term term[]; /* by atoms, no factor is 0 */
};

typedef struct ptx_forms {
  ptx_arena arena;
  ptx_atom *atoms; /* from 1 */
  uint32_t n_atoms, *slots, n_slots;
  size_t capacity;
} ptx_forms;

void ptx_forms_init(ptx_forms *f);
void ptx_forms_free(ptx_forms *f);
/* The atom of that kind and id; made, with nothing known of it, if it is new. The pointer holds
 * until the next. */
uint32_t ptx_atom_find(ptx_forms *f, ptx_atom_kind kind, uint32_t id);
/* The same; 0 if there is none. */
uint32_t ptx_atom_get(const ptx_forms *f, ptx_atom_kind kind, uint32_t id);

/* All take and may give NULL. */
const ptx_form *ptx_form_number(ptx_forms *f, int64_t number);
const ptx_form *ptx_form_atom(ptx_forms *f, uint32_t atom);
const ptx_form *ptx_form_sum(ptx_forms *f, const ptx_form *a, const ptx_form *b,
                             int64_t scale_of_b);
const ptx_form *ptx_form_product(ptx_forms *f, const ptx_form *a, const ptx_form *b);
/* a / 2^bits if that is whole for all values of the atoms. */
const ptx_form *ptx_form_shifted_down(ptx_forms *f, const ptx_form *a, unsigned bits);
/* a with form b in the place of an atom. */
const ptx_form *ptx_form_replace(ptx_forms *f, const ptx_form *a, uint32_t atom, const ptx_form *b);
bool ptx_form_same(const ptx_form *a, const ptx_form *b); /* false for NULL */
bool ptx_form_is_number(const ptx_form *a, int64_t *number);
bool ptx_form_bounds(const ptx_forms *f, const ptx_form *a, int64_t *low, int64_t *high);
unsigned ptx_form_zeros(const ptx_forms *f,
                        const ptx_form *a); /* lowest bits known to be 0: 64 for 0 */
/* All atoms are of kinds in the set (1 << kind), operators only if uniform. */
bool ptx_form_only(const ptx_forms *f, const ptx_form *a, unsigned kinds);

#endif
