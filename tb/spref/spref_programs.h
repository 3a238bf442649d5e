/* Programs for the machine: loops over edges as a compiler emits them, in the shapes that the tests
 * want. */
#ifndef SPREF_PROGRAMS_H
#define SPREF_PROGRAMS_H

#include "tb/spref/spref_machine.h"

typedef enum spref_layout { SPREF_BOTTOM, SPREF_TOP, SPREF_ROTATED } spref_layout;

/* What lies between the loads. */
typedef enum spref_twist {
  SPREF_PLAIN,
  SPREF_BREAK,           /* lanes leave early, by their data */
  SPREF_DIVERGE,         /* some lanes jump over arithmetic that no load needs */
  SPREF_SKIP_TAIL,       /* some lanes, or all, jump over the tail-load */
  SPREF_SKIP_STEP,       /* some lanes do not advance the pointer */
  SPREF_PREDICATED_TAIL, /* the tail-load is guarded */
  SPREF_PREDICATED_HEAD,
  SPREF_CONDITIONAL_COUNT, /* a counter that only some lanes advance */
  SPREF_BARRIER,
  SPREF_MOVE_BASE,  /* rarely, the base of the tail changes */
  SPREF_MOVE_BOUND, /* rarely, the bound changes */
  SPREF_CLOBBERS,   /* rarely, the pointer changes unseen */
  SPREF_TWISTS
} spref_twist;

typedef struct spref_loop_shape {
  spref_layout layout;
  bool indexed; /* address from the index; else a pointer that is incremented */
  bool mad, ext, down, negate, swap, uniform_step, no_tail, two, tail_2, wide_head, wide_tail,
      guard_zero, nested;
  spref_cmp cmp; /* LT, LE, NE (down: GT, GE, NE) */
  spref_twist twist;
  int head_imm, tail_imm, pointer_step; /* added to addresses; step of the pointer, 0: of a word */
  bool local_base;                      /* the base of the tail is computed in the loop */
  bool lead; /* an instruction that nobody needs comes before all others of the body */
  unsigned step_shift, trips,
      base; /* iterations below trips; program counter of the first instruction */
} spref_loop_shape;

/* Registers of the programs. */
enum {
  R_I = 1,
  R_B,
  R_EDGES,
  R_ATTR,
  R_P,
  R_ID,
  R_X,
  R_ADDR,
  R_VAL,
  R_ACC,
  R_P2,
  R_ID2,
  R_ADDR2,
  R_VAL2,
  R_OUTER,
  R_START,
  R_Y,
  R_TURN,
  R_USED,
  R_AT,
  R_BASE
};

/* Where the instructions of interest are, as indexes of the program. */
typedef struct spref_marks {
  unsigned low, high, head[2], tail[2], test, before, chain[12], n_chain, chain_reg[12], base_reg;
} spref_marks;

void spref_program_loop(spref_program *p, const spref_loop_shape *shape, spref_marks *marks);
/* The hints that a compiler would give for it. Returns how many. */
unsigned spref_program_hints(const spref_program *p, const spref_loop_shape *shape,
                             const spref_marks *marks, spref_hint hints[16]);

#endif
