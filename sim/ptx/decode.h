/* From a statement to code: what the decoders of all instructions share. Modifiers are taken one by
 * one; what nobody took at the end is an error, so nothing is silently ignored. */
#ifndef WF_PTX_DECODE_H
#define WF_PTX_DECODE_H

#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"

typedef struct ptx_decoder {
  ptx_build *b;
  const ptx_statement *s;
  const char *mods[PTX_MAX_MODS]; /* NULL once taken */
  size_t mod_bytes[PTX_MAX_MODS];
  unsigned n_mods;
  ptx_code code;
  ptx_inst inst;
  bool selects;      /* operands may be parts of registers */
  const char *label; /* of a branch */
  size_t label_bytes;
} ptx_decoder;

typedef struct ptx_opcode {
  const char *name;
  bool (*decode)(ptx_decoder *d, const struct ptx_opcode *op);
  int a, b, n; /* the decoder's own use: operation numbers, number of sources */
} ptx_opcode;

/* "file:line: mnemonic: message" */
bool ptx_decode_fail(const ptx_decoder *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool ptx_take(ptx_decoder *d, const char *modifier);
/* Takes the first modifier that is in the list (ending in NULL): its index, or -1. */
int ptx_take_one(ptx_decoder *d, const char *const *list);
ptx_type ptx_take_type(ptx_decoder *d); /* PTX_NO_TYPE if none is left */
ptx_rounding ptx_take_rounding(ptx_decoder *d);

bool ptx_need_args(const ptx_decoder *d, uint32_t least, uint32_t most);
/* Destination k of the statement, of exactly this type's width, or at least it if `wider`. */
bool ptx_dest_reg(ptx_decoder *d, const ptx_arg *arg, ptx_type type, bool wider);
bool ptx_source_value(ptx_decoder *d, const ptx_arg *arg, ptx_type type, bool wider);
/* Of a function's variable in local memory: two sources whose sum is its address. */
bool ptx_frame_sum(ptx_decoder *d, const ptx_arg *arg);
bool ptx_source_pred(ptx_decoder *d, const ptx_arg *arg);
/* d|p: register and optional predicate (or two predicates). */
bool ptx_dest_pair(ptx_decoder *d, const ptx_arg *arg, ptx_type type);
/* An address operand: a source and code.offset. */
bool ptx_source_address(ptx_decoder *d, const ptx_arg *arg);
/* Checks that a handler was found and that no modifier is left. */
bool ptx_decoded(ptx_decoder *d, ptx_handler *handler, ptx_class cls);
ptx_class ptx_float_class(ptx_type type); /* FP32 or FP64, INT for integer types */

/* The decoders, by file. */
#define PTX_DECODER(name) bool name(ptx_decoder *d, const ptx_opcode *op)
/* decode_arith.c */
PTX_DECODER(ptx_decode_arith);
PTX_DECODER(ptx_decode_mul);
PTX_DECODER(ptx_decode_mul24);
PTX_DECODER(ptx_decode_carry);
PTX_DECODER(ptx_decode_int);
PTX_DECODER(ptx_decode_float);
PTX_DECODER(ptx_decode_logic);
PTX_DECODER(ptx_decode_shift);
PTX_DECODER(ptx_decode_count);
PTX_DECODER(ptx_decode_bfe);
PTX_DECODER(ptx_decode_bfi);
PTX_DECODER(ptx_decode_prmt);
PTX_DECODER(ptx_decode_shf);
PTX_DECODER(ptx_decode_lop3);
PTX_DECODER(ptx_decode_testp);
/* decode_matrix.c */
PTX_DECODER(ptx_decode_mma);
PTX_DECODER(ptx_decode_ldmatrix);
PTX_DECODER(ptx_decode_stmatrix);
PTX_DECODER(ptx_decode_wmma);
/* decode_mbarrier.c */
PTX_DECODER(ptx_decode_mbarrier);
bool ptx_decode_copy_arrive(ptx_decoder *d);
/* decode_video.c */
PTX_DECODER(ptx_decode_video);
/* decode_packed.c */
PTX_DECODER(ptx_decode_dot);
PTX_DECODER(ptx_decode_bmsk);
PTX_DECODER(ptx_decode_szext);
PTX_DECODER(ptx_decode_fns);
PTX_DECODER(ptx_decode_redux);
PTX_DECODER(ptx_decode_nanosleep);
PTX_DECODER(ptx_decode_createpolicy);
PTX_DECODER(ptx_decode_hint);
bool ptx_decode_pack(ptx_decoder *d);
/* decode_half.c */
bool ptx_is_half(ptx_type type);
bool ptx_decode_half(ptx_decoder *d, ptx_type type, int op, int n);
bool ptx_decode_half_setp(ptx_decoder *d, ptx_type type);
bool ptx_decode_half_cvt(ptx_decoder *d, ptx_type to, ptx_type from);
/* decode_data.c */
PTX_DECODER(ptx_decode_mov);
PTX_DECODER(ptx_decode_selp);
PTX_DECODER(ptx_decode_slct);
PTX_DECODER(ptx_decode_setp);
PTX_DECODER(ptx_decode_set);
PTX_DECODER(ptx_decode_cvt);
/* decode_mem.c */
PTX_DECODER(ptx_decode_ld);
PTX_DECODER(ptx_decode_st);
PTX_DECODER(ptx_decode_atom);
PTX_DECODER(ptx_decode_cvta);
PTX_DECODER(ptx_decode_isspacep);
/* decode_copy.c */
PTX_DECODER(ptx_decode_cp);
/* decode_control.c */
PTX_DECODER(ptx_decode_bra);
PTX_DECODER(ptx_decode_brx);
PTX_DECODER(ptx_decode_exit);
PTX_DECODER(ptx_decode_trap);
PTX_DECODER(ptx_decode_bar);
PTX_DECODER(ptx_decode_fence);
PTX_DECODER(ptx_decode_shfl);
PTX_DECODER(ptx_decode_vote);
PTX_DECODER(ptx_decode_match);
PTX_DECODER(ptx_decode_activemask);
/* decode_launch.c */
PTX_DECODER(ptx_decode_cuda);
/* cudaGetParameterBuffer; result NULL: none is taken. */
bool ptx_decode_get_buffer(ptx_decoder *d, const ptx_arg *result, const ptx_arg *args, uint32_t n);
/* decode_call.c */
PTX_DECODER(ptx_decode_call);
PTX_DECODER(ptx_decode_ret);
/* An instruction of the statement, before the last one: filled as *code and *inst say. */
void ptx_decode_extra(ptx_decoder *d, const ptx_code *code, const ptx_inst *inst);
/* Is it in a function, not in the kernel itself? */
bool ptx_in_function(const ptx_build *b);
/* Does ld.param or st.param mean an operand of a call? Then it is a move. */
bool ptx_is_call_param(const ptx_decoder *d, ptx_space space, const ptx_arg *address);
bool ptx_decode_call_param(ptx_decoder *d, const ptx_arg *to, const ptx_arg *from, ptx_type type);
/* The space of other ld.param and st.param: arrays of calls and of functions are in local memory.
 */
ptx_space ptx_param_space(const ptx_decoder *d, const ptx_arg *address);
bool ptx_decode_custom(ptx_decoder *d, const ptx_custom_op *op);

#endif
