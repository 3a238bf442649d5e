/* A small SIMT machine that runs programs through the unit, as a fabric's issue stage would: warps
 * issue in order, lanes at the lowest program counter run together, moves take spare registers,
 * injected loads write them. Beside it every instruction is run as the program says, and each
 * destination of each lane is compared: a replaced load must deliver what the load would have. It
 * keeps the protocol of the unit's README. */
#ifndef SPREF_MACHINE_H
#define SPREF_MACHINE_H

#include "tb/spref/spref_bench.h"

/* What an instruction does whose class is SPREF_OTHER. */
typedef enum spref_act {
  SPREF_ACT_NONE,
  SPREF_ACT_MIX,
  SPREF_ACT_SET,
  SPREF_ACT_LOAD,
  SPREF_ACT_EXIT,
  SPREF_ACT_CLOBBER
} spref_act;

typedef struct spref_code {
  spref_instr i; /* without warp, pc and mask; target: index in the program */
  spref_act act; /* MIX: dst = f(a, b); SET: dst = imm; LOAD: dst = memory[a + imm]; CLOBBER: writes
                    dst without naming it */
} spref_code;

enum { SPREF_MAX_CODE = 120 };

typedef struct spref_program {
  spref_code code[SPREF_MAX_CODE];
  unsigned length;
  uint64_t base; /* program counter of the first instruction */
  /* First values of registers: reg[r] + lane * lane_step[r] + warp * warp_step[r] + random below
   * spread[r] */
  int64_t reg[SPREF_MAX_REGS], lane_step[SPREF_MAX_REGS], warp_step[SPREF_MAX_REGS],
      spread[SPREF_MAX_REGS];
} spref_program;

typedef struct spref_run {
  unsigned warps, repeats;    /* each slot runs the program so many times */
  unsigned stall, rate, late; /* percent of edges without out_ready; with an instruction offered;
                                 without a waiting count or done */
  unsigned slow;              /* percent of edges at which memory brings nothing back */
  unsigned ahead;             /* instructions of a warp inside at most */
  unsigned fault_per_mille;
  unsigned uncounted; /* percent of tests that go without their operands */
  unsigned lanes_off; /* percent of lanes that do not start */
  bool waits;         /* loads issue when the unit lets them, and it offers what is injected; else
                         injected loads are done with the answer */
} spref_run;

typedef struct spref_tally {
  uint64_t instructions, loads, moves, injected_lanes,
      wasted_lanes; /* wasted: prefetched for a lane and never read */
} spref_tally;

/* Runs the program on all warps to its end. False with the bench's failure. */
bool spref_machine_run(spref_bench *b, const spref_program *p, const spref_run *run,
                       spref_tally *tally);
/* The word of the machine's memory at a byte address; any address may be read. */
uint64_t spref_machine_word(uint64_t address, bool wide);

#endif
