/* A kernel as the spare-register unit sees it: an opcode class and the registers of each
 * instruction, all of which its encoding says. */
#ifndef WF_UNITS_SPREF_DECODE_H
#define WF_UNITS_SPREF_DECODE_H

#include "sim/ptx/ptx.h"

enum { SPREF_NAMES = 256, SPREF_PREDICATES = 16 };
typedef enum spref_class {
  SPREF_OP_OTHER,
  SPREF_OP_ADD,
  SPREF_OP_SUB,
  SPREF_OP_SCALE,
  SPREF_OP_MAD,
  SPREF_OP_LOAD,
  SPREF_OP_SETP,
  SPREF_OP_BRANCH,
  SPREF_OP_CLOBBER
} spref_class;

/* Fields as the RTL's header has them. */
typedef struct spref_row {
  ptx_pc target;
  int16_t imm;
  uint8_t op, gpred, dst, a, b, bkind, ext, sh, cmp, pd;
  bool guard, gneg, dst_v, wide, pd_v;
  bool pair_dst, pair_a, pair_b;
  bool swapped; /* setp: a is the second source, cmp is mirrored */
} spref_row;

typedef struct spref_code {
  spref_row *rows; /* [kernel->n_insts] */
  bool *asks;      /* [kernel->n_insts]: loads that may be replaced */
  bool *idle; /* [kernel->n_insts]: no branch or exit, and writes no register or predicate: nothing
            to the unit */
  unsigned n_names;
  uint16_t reg_of_name[SPREF_NAMES];
  bool fits;  /* names and predicates suffice */
  bool loads; /* has a load that may be replaced */
} spref_code;

/* A name is an architectural register. The caller frees with spref_code_free(). */
spref_code *spref_decode(const ptx_kernel *kernel);
void spref_code_free(spref_code *code);
/* For decoders: one of no rows yet; a number for the register, which *name keeps (-1: none yet);
 * k of 2^k, 0 to 15, else -1; the comparison with its operands swapped. */
spref_code *spref_code_new(uint32_t n_insts);
/* Rows are there: what the classes say of an instruction by itself. */
void spref_code_sort(spref_code *code, const ptx_kernel *kernel);
uint8_t spref_code_name(spref_code *code, int16_t *name, unsigned reg);
int spref_log2(int64_t n);
uint8_t spref_mirrored(unsigned cmp);

#endif
