/* Where the decoder finds handlers. A table entry of NULL: the operation has no such type. */
#ifndef WF_PTX_HANDLERS_H
#define WF_PTX_HANDLERS_H

#include "sim/ptx/code.h"

typedef ptx_handler *const ptx_handler_row[PTX_TYPE_COUNT];

/* Integer, indexed by type (exec_int.c, exec_bits.c). */
typedef enum ptx_int_op {
  PTX_INT_ADD,
  PTX_INT_SUB,
  PTX_INT_MUL_LO,
  PTX_INT_MUL_HI,
  PTX_INT_MUL_WIDE,
  PTX_INT_MAD_LO,
  PTX_INT_MAD_HI,
  PTX_INT_MAD_WIDE,
  PTX_INT_MUL24_LO,
  PTX_INT_MUL24_HI,
  PTX_INT_MAD24_LO,
  PTX_INT_MAD24_HI,
  PTX_INT_DIV,
  PTX_INT_REM,
  PTX_INT_ABS,
  PTX_INT_NEG,
  PTX_INT_MIN,
  PTX_INT_MAX,
  PTX_INT_SAD,
  /* Only s32. */
  PTX_INT_ADD_SAT,
  PTX_INT_SUB_SAT,
  PTX_INT_MAD_HI_SAT,
  PTX_INT_MAD24_HI_SAT,
  /* code.op: bit 0 adds the carry of the last source, bit 1 writes it to the last destination. */
  PTX_INT_ADD_CARRY,
  PTX_INT_SUB_CARRY,
  PTX_INT_MAD_LO_CARRY,
  PTX_INT_MAD_HI_CARRY,
  PTX_INT_OP_COUNT
} ptx_int_op;
extern const ptx_handler_row ptx_int_handlers[PTX_INT_OP_COUNT];

typedef enum ptx_bits_op {
  PTX_BITS_AND,
  PTX_BITS_OR,
  PTX_BITS_XOR,
  PTX_BITS_NOT,
  PTX_BITS_CNOT,
  PTX_BITS_SHL,
  PTX_BITS_SHR,
  PTX_BITS_MOV,
  PTX_BITS_SELP,
  PTX_BITS_POPC,
  PTX_BITS_CLZ,
  PTX_BITS_BREV,
  PTX_BITS_BFIND,
  PTX_BITS_BFIND_SHIFT,
  PTX_BITS_BFE,
  PTX_BITS_BFI,
  PTX_BITS_PRMT,
  PTX_BITS_SHF_L_CLAMP,
  PTX_BITS_SHF_L_WRAP,
  PTX_BITS_SHF_R_CLAMP,
  PTX_BITS_SHF_R_WRAP,
  PTX_BITS_LOP3,
  PTX_BITS_OP_COUNT
} ptx_bits_op;
extern const ptx_handler_row ptx_bits_handlers[PTX_BITS_OP_COUNT];

/* Predicates: and, or, xor, not, mov (exec_bits.c). */
ptx_handler *ptx_pred_handler(ptx_bits_op op);

/* mov between a wide value and its parts: b32 <-> 2 x b16, b64 <-> 2 x b32 or 4 x b16. */
ptx_handler *ptx_pack_handler(ptx_type whole, unsigned parts);
ptx_handler *ptx_unpack_handler(ptx_type whole, unsigned parts);

/* Floating point (exec_float.c; other roundings than to nearest even: exec_round.c). */
typedef enum ptx_float_op {
  PTX_FLOAT_ADD,
  PTX_FLOAT_SUB,
  PTX_FLOAT_MUL,
  PTX_FLOAT_FMA,
  PTX_FLOAT_DIV,
  PTX_FLOAT_RCP,
  PTX_FLOAT_SQRT,
  PTX_FLOAT_RSQRT,
  PTX_FLOAT_SIN,
  PTX_FLOAT_COS,
  PTX_FLOAT_EX2,
  PTX_FLOAT_LG2,
  PTX_FLOAT_ABS,
  PTX_FLOAT_NEG,
  PTX_FLOAT_MIN,
  PTX_FLOAT_MAX,
  PTX_FLOAT_COPYSIGN,
  PTX_FLOAT_TANH,
  PTX_FLOAT_OP_COUNT
} ptx_float_op;
/* NULL if there is none for the type. modified: honours code.ftz and code.sat. */
ptx_handler *ptx_float_handler(ptx_float_op op, ptx_type type, bool modified);
/* The coarse .approx.ftz.f64 forms of rcp and rsqrt. */
ptx_handler *ptx_gross_handler(ptx_float_op op);
/* By code.rounding: add, sub, mul, fma, div, rcp, sqrt; code.op is the ptx_float_op. */
ptx_handler *ptx_rounded_handler(ptx_type type);
/* code.op: 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal. */
ptx_handler *ptx_testp_handler(ptx_type type);
/* min and max of f32 with code.op2 of half.h. */
ptx_handler *ptx_extreme_handler(void);

/* f16 and its like (exec_half.c): code.type, op a ptx_float_op, op2 of half.h. */
ptx_handler *ptx_half_handler(void);
ptx_handler *ptx_half_setp_handler(void);
ptx_handler *ptx_half_cvt_handler(bool pack);

/* Comparison (exec_compare.c): code.op ptx_compare, code.op2 ptx_bool_op. */
ptx_handler *ptx_setp_handler(ptx_type type, ptx_compare compare, bool ftz);
ptx_handler *ptx_set_handler(ptx_type type, ptx_compare compare); /* code.type2: of the result */
ptx_handler *ptx_slct_handler(ptx_type type, ptx_type selector);  /* by the sign of source 2 */

/* Conversion (exec_cvt.c): code.type to, code.type2 from, code.rounding, ftz, sat. */
ptx_handler *ptx_cvt_handler(const ptx_code *code);

/* Memory (exec_mem.c, exec_atomic.c): code.space, type, offset; address is the last source. */
ptx_handler *ptx_load_handler(const ptx_code *code);
ptx_handler *ptx_store_handler(const ptx_code *code);
typedef enum ptx_atomic_op {
  PTX_ATOM_ADD,
  PTX_ATOM_AND,
  PTX_ATOM_OR,
  PTX_ATOM_XOR,
  PTX_ATOM_INC,
  PTX_ATOM_DEC,
  PTX_ATOM_MIN,
  PTX_ATOM_MAX,
  PTX_ATOM_EXCH,
  PTX_ATOM_CAS,
  PTX_ATOM_OP_COUNT
} ptx_atomic_op;
ptx_handler *ptx_atomic_handler(ptx_atomic_op op, ptx_type type);
/* code.op: 0 to generic, 1 from generic; code.space the window. */
ptx_handler *ptx_cvta_handler(bool wide);
ptx_handler *ptx_isspacep_handler(void);
/* cp.async (exec_copy.c); code.op: bytes a lane. Sources: where to, with offset custom_offset[0];
 * what code.op2 says; where from. */
enum {
  PTX_COPY_WHOLE,
  PTX_COPY_SOME,  /* so many bytes are read, the rest are zeros */
  PTX_COPY_UNLESS /* lanes of this predicate read nothing, and write zeros */
};
ptx_handler *ptx_copy_handler(void);

/* mma (exec_matrix.c): code.op, op2: words of A and of B a lane; rounding: what C and D are of. */
typedef enum ptx_matrix_sum { PTX_MATRIX_F32, PTX_MATRIX_F16, PTX_MATRIX_S32 } ptx_matrix_sum;
ptx_handler *ptx_mma_handler(void);
ptx_handler *ptx_ldmatrix_handler(void), *ptx_stmatrix_handler(void); /* code.op: transposed */
/* wmma: code.op: its shape; op2, rounding: what C and D are of. Loads and stores take each lane's
 * address from an instruction of their own: sources the stride and the matrix's address. */
typedef struct ptx_wmma_shape {
  const char *name;
  uint8_t rows, columns, depth;
} ptx_wmma_shape;
enum { PTX_WMMA_TF32 = 3, PTX_WMMA_SHAPES };
extern const ptx_wmma_shape ptx_wmma_shapes[PTX_WMMA_SHAPES];
ptx_handler *ptx_wmma_handler(void), *ptx_wmma_address_handler(void);
ptx_handler *ptx_wmma_load_handler(void), *ptx_wmma_store_handler(void);
/* code.op (exec_mbarrier.c) */
typedef enum ptx_mbarrier_op {
  PTX_MBARRIER_INIT,
  PTX_MBARRIER_INVALID,
  PTX_MBARRIER_ARRIVE,
  PTX_MBARRIER_DROP,
  PTX_MBARRIER_TEST,
  PTX_MBARRIER_PARITY
} ptx_mbarrier_op;
ptx_handler *ptx_mbarrier_handler(void);

/* exec_video.c */
typedef enum ptx_video_op {
  PTX_VIDEO_ADD,
  PTX_VIDEO_SUB,
  PTX_VIDEO_ABSDIFF,
  PTX_VIDEO_MIN,
  PTX_VIDEO_MAX,
  PTX_VIDEO_SHL,
  PTX_VIDEO_SHR,
  PTX_VIDEO_SET,
  PTX_VIDEO_AVERAGE
} ptx_video_op;
enum { PTX_VIDEO_THEN_ADD = 1, PTX_VIDEO_THEN_MIN, PTX_VIDEO_THEN_MAX, PTX_VIDEO_THEN_MERGE };
/* Of a, b and d: 0 the word, 1 .. 4 a byte, 5 and 6 a half; lanes: 1, or all 2 or 4 parts. */
typedef struct ptx_video_parts {
  uint8_t a, b, d, mode, lanes;
} ptx_video_parts;
static inline int64_t ptx_video_pack(ptx_video_parts p) {
  return p.a | p.b << 4 | p.d << 8 | p.mode << 12 | p.lanes << 16;
}
static inline ptx_video_parts ptx_video_unpack(int64_t x) {
  return (ptx_video_parts){x & 15, x >> 4 & 15, x >> 8 & 15, x >> 12 & 15, x >> 16 & 15};
}
ptx_handler *ptx_video_handler(void);

/* exec_packed.c */
typedef enum ptx_word_op {
  PTX_WORD_DP4A,
  PTX_WORD_DP2A,
  PTX_WORD_MASK,
  PTX_WORD_PACK,
  PTX_WORD_EXTEND,
  PTX_WORD_NTH
} ptx_word_op;
ptx_handler *ptx_word_handler(void);
typedef enum ptx_redux_op {
  PTX_REDUX_ADD,
  PTX_REDUX_MIN,
  PTX_REDUX_MAX,
  PTX_REDUX_AND,
  PTX_REDUX_OR,
  PTX_REDUX_XOR
} ptx_redux_op;
ptx_handler *ptx_redux_handler(void); /* code.type, op */

/* Warp-wide and special registers (exec_warp.c). */
ptx_handler *ptx_shfl_handler(void);  /* code.op: 0 up, 1 down, 2 bfly, 3 idx */
ptx_handler *ptx_vote_handler(void);  /* code.op: 0 all, 1 any, 2 uni, 3 ballot */
ptx_handler *ptx_match_handler(void); /* code.op: 0 any, 1 all */
ptx_handler *ptx_activemask_handler(void);
/* false if there is no special register of that name; op for code.op, and its type. */
bool ptx_sreg_find(const char *name, size_t bytes, uint8_t *op, ptx_type *type);
ptx_handler *ptx_sreg_handler(void);

/* Control (exec_control.c). */
ptx_handler *ptx_branch_handler(void);
ptx_handler *ptx_nop_handler(void); /* barriers, fences, exit: timing only */
ptx_handler *ptx_trap_handler(void);
ptx_handler *ptx_barrier_handler(void); /* code.op of votes: 0 popc, 1 and, 2 or */
/* Calls (exec_call.c): code.call; the frame and result registers are the first ones. */
ptx_handler *ptx_call_handler(void);
ptx_handler *ptx_called_handler(void); /* of the instruction behind a call */
ptx_handler *ptx_return_handler(void);
/* Of a predicate, as a word in local memory: source 0, or destination 0. */
ptx_handler *ptx_save_handler(bool load);
ptx_handler *ptx_custom_handler(void);

/* What a module may call without having it (exec_runtime.c). */
typedef struct ptx_runtime_function {
  const char *name;
  ptx_handler *run;
  unsigned result_bytes; /* 0: none */
  unsigned n;
  ptx_type types[5];
  bool heap;
} ptx_runtime_function;
const ptx_runtime_function *ptx_runtime_find(const char *name); /* NULL: there is none */

/* Fills *err with "file:line: kernel, CTA, warp, lane: what"; returns false. */
bool ptx_fault(const ptx_code *c, const ptx_warp *w, unsigned lane, wf_error *err,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
