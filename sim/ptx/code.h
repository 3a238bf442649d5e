/* The executor's decoded form of an instruction: one handler per operation and type, operands as
 * register planes or constant planes. Before register allocation `reg` holds virtual numbers. */
#ifndef WF_PTX_CODE_H
#define WF_PTX_CODE_H

#include "sim/ptx/ptx.h"
#include "sim/ptx/types.h"

enum {
  PTX_CODE_DST = 4, /* v4 */
  PTX_CODE_SRC = 8  /* launches */
};

typedef struct ptx_code ptx_code;

/* Executes c for the lanes of m (not zero). False on a fault, with *err. */
typedef bool ptx_handler(const ptx_code *c, ptx_warp *w, uint32_t m, ptx_effect *e, wf_error *err);

typedef enum ptx_source_kind {
  PTX_SOURCE_CONSTANT, /* plane */
  PTX_SOURCE_REG,
  PTX_SOURCE_PRED,
  PTX_SOURCE_TRUTH /* constant predicate: `invert` is its lane mask */
} ptx_source_kind;

typedef struct ptx_source {
  const void *plane; /* constant: 32 lanes of 32 or, if wide, 64 bits */
  uint32_t reg;      /* first register, or predicate */
  uint32_t invert;   /* predicate: all ones where it is read negated */
  uint8_t kind;
  bool wide; /* 64 bits: two registers */
} ptx_source;

typedef struct ptx_dest {
  uint32_t reg;
  uint8_t bytes; /* of the declared register: 2 (or 1), 4, 8; 0: predicate */
} ptx_dest;

struct ptx_code {
  ptx_handler *run;
  uint32_t guard, guard_invert;
  bool guarded;
  uint8_t n_dst, n_src;
  uint8_t op, op2; /* meaning is the handler's: comparison, boolean combination, mode */
  uint8_t type, type2;
  bool ftz, sat;
  uint8_t rounding; /* ptx_rounding */
  uint8_t space;    /* of a memory access */
  int64_t offset;   /* added to an address */
  ptx_dest dst[PTX_CODE_DST];
  ptx_source src[PTX_CODE_SRC];
  const int64_t *custom_offset;    /* custom operation: added to each operand */
  const struct ptx_callee *callee; /* of a launch */
  const char *text;                /* as it stood in the file */
  const char *file;
  uint32_t line;
};

typedef enum ptx_rounding {
  PTX_ROUND_NONE,
  PTX_ROUND_RN,
  PTX_ROUND_RZ,
  PTX_ROUND_RM,
  PTX_ROUND_RP,
  PTX_ROUND_RNI, /* to an integer */
  PTX_ROUND_RZI,
  PTX_ROUND_RMI,
  PTX_ROUND_RPI
} ptx_rounding;

/* setp and set; the second half is also true when an operand is NaN. */
typedef enum ptx_compare {
  PTX_EQ,
  PTX_NE,
  PTX_LT,
  PTX_LE,
  PTX_GT,
  PTX_GE,
  PTX_EQU,
  PTX_NEU,
  PTX_LTU,
  PTX_LEU,
  PTX_GTU,
  PTX_GEU,
  PTX_NUM,
  PTX_NAN
} ptx_compare;

typedef enum ptx_bool_op { PTX_BOOL_NONE, PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR } ptx_bool_op;

#endif
