/* What the compiler's forms tell the unit of a kernel before it starts: the table of one loop,
 * field by field. */
#ifndef WF_UNITS_SPREF_HINTS_H
#define WF_UNITS_SPREF_HINTS_H

#include "sim/ptx/loadpairs.h"
#include "sim/units/spref/spref_decode.h"

enum { SPREF_HINTS_MOST = 32 };
typedef enum spref_hint_kind {
  SPREF_H_LOW,
  SPREF_H_HIGH,
  SPREF_H_HEAD,
  SPREF_H_TAIL,
  SPREF_H_TEST,
  SPREF_H_PRE,
  SPREF_H_CRIT,
  SPREF_H_COMMIT
} spref_hint_kind;

/* Fields as the RTL's README has them. */
typedef struct spref_hint {
  uint8_t kind, slot, reg, sh, ext, cmp;
  bool reg_v, wide, swap;
  int16_t imm;
  ptx_pc pc;
} spref_hint;

/* The table of the innermost loop that has a pair, else of one that has a head; the number of
 * fields, 0 if there is none. */
unsigned spref_make_hints(const spref_code *code, const ptx_pairs *pairs,
                          spref_hint hints[SPREF_HINTS_MOST]);

#endif
