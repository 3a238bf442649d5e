/* The executor's decoded form of an instruction: one handler per operation and type, operands as
 * register planes or constant planes. Before register allocation `reg` holds virtual numbers. */
#ifndef WF_PTX_CODE_H
#define WF_PTX_CODE_H

#include "sim/ptx/ptx.h"
#include "sim/ptx/types.h"

enum {
  PTX_CODE_DST = 8, /* v8 */
  PTX_CODE_SRC = 18 /* of a matrix product: up to 8, 2 and 8 words */
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
  const struct ptx_call *call;     /* of a call, and of the instruction behind it */
  const struct ptx_tile *tile;     /* of wmma.load and wmma.store */
  const char *text;                /* as it stood in the file */
  const char *file;
  uint32_t line;
};

/* Registers that are the same in all functions of a kernel: not allocated, but put before all
 * others. They stand for virtual registers until then. */
enum {
  PTX_VREG_FIXED = 0xfffffff0, /* the least of them */
  PTX_VREG_FRAME = PTX_VREG_FIXED,
  PTX_VREG_RESULT,
  PTX_FIXED_REGS = 4 /* architectural: frame 0, 1; result 2, 3 */
};
enum { PTX_UNREAD = UINT32_MAX }; /* a parameter that its function does not read has no register */

/* A function as a kernel has it. */
typedef struct ptx_linked {
  const char *name;
  ptx_pc entry;
  uint32_t frame_bytes; /* of local memory */
  uint32_t n_params;
  uint32_t *param; /* registers of its parameters, the address for a result in memory last */
  bool *wide;
} ptx_linked;

/* Rows of a fragment's matrix, 4 to 16 bytes a lane: what one access of wmma.load or store moves.
 */
typedef struct ptx_tile {
  uint8_t rows, columns, first_row, bytes; /* bytes: of an element */
  bool by_column;                          /* how the matrix lies in memory */
} ptx_tile;

/* code.op of the two instructions of a call. */
enum { PTX_CALL_ENTER, PTX_CALL_BACK };

/* A call: operands that are registers of caller and callee, so that no instruction moves them. */
typedef struct ptx_call {
  uint32_t n_args;
  ptx_source *args;
  const ptx_linked *callee;           /* NULL: by address */
  const ptx_linked *const *by_number; /* by address: the module's functions, NULL if not linked */
  uint32_t n_functions;
  const ptx_linked *caller; /* its frame is stepped over */
  bool from_kernel;         /* the frame register is not set yet */
} ptx_call;

typedef enum ptx_rounding {
  PTX_ROUND_NONE,
  PTX_ROUND_RN,
  PTX_ROUND_RZ,
  PTX_ROUND_RM,
  PTX_ROUND_RP,
  PTX_ROUND_RNI, /* to an integer */
  PTX_ROUND_RZI,
  PTX_ROUND_RMI,
  PTX_ROUND_RPI,
  PTX_ROUND_RNA /* to nearest, halves away from zero */
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
