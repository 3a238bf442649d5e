/* Load-pairs: in a loop, a read-only load whose address steps by a constant (head-load: a
 * neighbour's number) and a read-only load whose address is computed from that value (tail-load:
 * what belongs to the neighbour). What a compiler tells a prefetcher of these: the loads, the
 * instructions their addresses depend on, the test that ends the loop, and the test before it is
 * entered.
 *
 * Values are followed through the loop's blocks over architectural registers: constant in the loop,
 * stepping, derived from one load, or anything else. Where paths meet with different values, and
 * where a guarded instruction may or may not write, it is anything else. */
#ifndef WF_PTX_LOADPAIRS_H
#define WF_PTX_LOADPAIRS_H

#include "sim/ptx/ptx.h"

enum { PTX_NO_PC = UINT32_MAX, PTX_PAIR_CHAIN = 16 };

typedef enum ptx_load_role { PTX_LOAD_NONE, PTX_LOAD_HEAD, PTX_LOAD_TAIL } ptx_load_role;

/* A load from global memory. Tail: simple says that the address is
 *   (extend(value of the head-load) << shift) + register base (if base_v, 64 bits, constant in the
 * loop) + offset. */
typedef struct ptx_pair_load {
  ptx_pc pc;
  uint32_t loop;      /* of the kernel's loops, the innermost around it; PTX_NO_LOOP */
  uint8_t role;       /* ptx_load_role */
  const char *reason; /* of PTX_LOAD_NONE; else "" */
  int64_t stride;     /* head: bytes an iteration */
  ptx_pc head;        /* tail: the load that its address comes from; else PTX_NO_PC */
  bool simple, base_v;
  uint16_t base;
  uint8_t extend; /* 0 none, 1 sign, 2 zero: from 32 to 64 bits */
  uint8_t shift;
  int64_t offset; /* the instruction's own included */
} ptx_pair_load;

/* `x compare y` holds as long as the loop goes on; x steps by `step` an iteration, y stays. x is
 * operand 1 of the setp, or operand 2 if swapped. compare: ptx_compare (code.h), PTX_EQ .. PTX_GE.
 */
typedef struct ptx_loop_test {
  ptx_pc pc; /* of the setp; PTX_NO_PC: none */
  uint8_t compare;
  bool swapped;
  bool own; /* x is the register that steps itself, and has been stepped in this iteration when it
               is compared */
  int64_t step;
} ptx_loop_test;

typedef struct ptx_pair_loop {
  ptx_pc first, back;   /* target and place of the last branch back */
  ptx_loop_test test;   /* at the end of every iteration */
  ptx_loop_test entry;  /* before the loop is entered: as many iterations follow as x can step */
  const char *reason;   /* of a missing test; else "" */
  uint32_t early_exits; /* ways out other than by the test */
  /* Instructions, other than loads, that must run in every iteration for the targets' addresses to
   * be right. */
  ptx_pc chain[PTX_PAIR_CHAIN];
  uint32_t n_chain;
  bool chain_cut; /* there are more */
} ptx_pair_loop;

/* Bits by instruction. */
enum {
  PTX_HINT_HEAD = 1,
  PTX_HINT_TAIL = 2,
  PTX_HINT_TEST = 4,  /* the setp that ends the loop, or not */
  PTX_HINT_ENTRY = 8, /* the setp before the loop */
  PTX_HINT_CHAIN = 16
};

typedef struct ptx_pairs {
  ptx_pair_load *loads; /* in order of pc */
  uint32_t n_loads;
  ptx_pair_loop *loops; /* as kernel->loops */
  uint32_t n_loops;
  uint8_t *hints; /* [kernel->n_insts] */
} ptx_pairs;

/* O(blocks * registers) time and memory per loop; a loop of more than 2^22 of these is left out,
 * with that reason. The kernel must outlive the result. */
ptx_pairs *ptx_find_pairs(const ptx_kernel *kernel);
void ptx_pairs_destroy(ptx_pairs *pairs);

#endif
