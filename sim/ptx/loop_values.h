/* Values of registers within one loop, for loadpairs.c. */
#ifndef WF_PTX_LOOP_VALUES_H
#define WF_PTX_LOOP_VALUES_H

#include "sim/ptx/cfg.h"
#include "sim/ptx/code.h"

typedef enum ptx_value_kind {
  PTX_VALUE_OTHER,
  PTX_VALUE_START,  /* what `reg` held when the iteration began, plus number */
  PTX_VALUE_CONST,  /* does not change in the loop: number, or register + number, or something */
  PTX_VALUE_STRIDE, /* steps by number an iteration, if known */
  PTX_VALUE_LOADED, /* (extend(what the load brought) << shift) + base + number, if simple */
  PTX_VALUE_UPPER   /* upper half of the 64-bit value in the register below */
} ptx_value_kind;

typedef struct ptx_value {
  uint8_t kind;
  bool wide, known; /* known: CONST: the number is all, STRIDE: the step is known */
  bool reg_v;       /* CONST: register + number; LOADED: it has a base */
  bool simple;
  uint8_t extend, shift;
  uint16_t reg;
  uint32_t load; /* pc */
  int64_t number;
} ptx_value;

/* What registers hold, and which instruction of the loop wrote them last: a pc, or one of these. */
enum { PTX_DEF_START = UINT32_MAX, PTX_DEF_SEVERAL = UINT32_MAX - 1 };
typedef struct ptx_reg_state {
  ptx_value value;
  uint32_t def;
} ptx_reg_state;

/* Of source k of an instruction, or constant; reads registers from the state. */
ptx_value ptx_value_of_source(const ptx_reg_state *state, const ptx_source *s);
/* The definition that source k reads; PTX_DEF_SEVERAL for constants, too. */
uint32_t ptx_def_of_source(const ptx_reg_state *state, const ptx_source *s);
/* The address that a memory instruction uses. */
ptx_value ptx_value_of_address(const ptx_reg_state *state, const ptx_code *c);
/* Changes the state as instruction pc does. */
void ptx_value_step(ptx_reg_state *state, const ptx_inst *inst, ptx_pc pc);
/* into = what is sure of both; true if that changed it. */
bool ptx_value_meet(ptx_reg_state *into, const ptx_reg_state *from, uint32_t n_regs);

/* First word of the instruction's text, without its guard, up to its first dot: "add". */
bool ptx_is_mnemonic(const ptx_code *c, const char *name);
bool ptx_has_modifier(const ptx_code *c, const char *modifier); /* ".wide" */

#endif
