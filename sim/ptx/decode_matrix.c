/* Decoders of mma.sync, ldmatrix and stmatrix. A matrix product takes the special functions' unit
 * and time: a unit beside the lanes with an interval of its own. */
#include "sim/ptx/decode.h"

/* shape, type of A and B, words of A, of B a lane */
static const struct shape {
  const char *name;
  ptx_type type;
  uint8_t a, b;
} shapes[] = {{"m16n8k8", PTX_F16, 2, 1},  {"m16n8k16", PTX_F16, 4, 2},
              {"m16n8k8", PTX_BF16, 2, 1}, {"m16n8k16", PTX_BF16, 4, 2},
              {"m16n8k4", PTX_TF32, 2, 1}, {"m16n8k8", PTX_TF32, 4, 2},
              {"m16n8k16", PTX_S8, 2, 1},  {"m16n8k32", PTX_S8, 4, 2},
              {"m16n8k16", PTX_U8, 2, 1},  {"m16n8k32", PTX_U8, 4, 2}};

static const struct shape *find_shape(ptx_decoder *d, ptx_type type) {
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (shapes[k].type == type && ptx_take(d, shapes[k].name)) return &shapes[k];
  return NULL;
}

static bool vector_sources(ptx_decoder *d, const ptx_arg *arg, uint32_t n, ptx_type type,
                           const char *what) {
  const bool one = n == 1 && arg->kind != PTX_ARG_VECTOR;
  if (!one && (arg->kind != PTX_ARG_VECTOR || arg->count != n))
    return ptx_decode_fail(d, "%s is %u registers in braces", what, n);
  for (uint32_t k = 0; k < n; k++)
    if (!ptx_source_value(d, one ? arg : &d->s->elements[arg->first + k], type, false))
      return false;
  return true;
}

static bool vector_dest(ptx_decoder *d, const ptx_arg *arg, uint32_t n, ptx_type type) {
  const bool one = n == 1 && arg->kind != PTX_ARG_VECTOR;
  if (!one && (arg->kind != PTX_ARG_VECTOR || arg->count != n))
    return ptx_decode_fail(d, "the result is %u registers in braces", n);
  for (uint32_t k = 0; k < n; k++)
    if (!ptx_dest_reg(d, one ? arg : &d->s->elements[arg->first + k], type, false)) return false;
  return true;
}

PTX_DECODER(ptx_decode_mma) {
  const bool sync = ptx_take(d, "sync");
  ptx_take(d, "aligned");
  const bool row = ptx_take(d, "row"), col = ptx_take(d, "col");
  d->code.sat = ptx_take(d, "satfinite");
  const ptx_type to = ptx_take_type(d), a = ptx_take_type(d), b = ptx_take_type(d),
                 from = ptx_take_type(d);
  const struct shape *s = find_shape(d, a);
  const bool bytes = a == PTX_S8 || a == PTX_U8;
  (void)op;
  if (!sync || !row || !col || !s || (bytes ? b != PTX_S8 && b != PTX_U8 : b != a) || to != from ||
      (bytes ? to != PTX_S32 : to != PTX_F32 && (to != PTX_F16 || a != PTX_F16)) ||
      (d->code.sat && !bytes))
    return ptx_decode_fail(d,
                           "is .sync.aligned.m16n8kK.row.col of f16 or bf16 (k8, k16), tf32 (k4, "
                           "k8), or s8 and u8 (k16, k32), into .f32, .f16 or .s32");
  d->code.type = (uint8_t)a;
  d->code.type2 = (uint8_t)b;
  d->code.op = s->a;
  d->code.op2 = s->b;
  d->code.rounding = to == PTX_F16   ? PTX_MATRIX_F16
                     : to == PTX_S32 ? PTX_MATRIX_S32
                                     : PTX_MATRIX_F32;
  const uint32_t n = to == PTX_F16 ? 2 : 4;
  const ptx_type word = to == PTX_F16 ? PTX_B32 : to;
  const ptx_arg *args = d->s->args;
  return ptx_need_args(d, 4, 4) && vector_dest(d, &args[0], n, word) &&
         vector_sources(d, &args[1], s->a, PTX_B32, "A") &&
         vector_sources(d, &args[2], s->b, PTX_B32, "B") &&
         vector_sources(d, &args[3], n, word, "C") &&
         ptx_decoded(d, ptx_mma_handler(), PTX_CLASS_SFU);
}

/* .x1, .x2 or .x4 of 8 by 8 halves, in 16 bytes of each lane that gives a row: how many; 0: none.
 */
static uint32_t take_matrices(ptx_decoder *d) {
  static const char *const counts[] = {"x1", "x2", "x4", NULL};
  static const char *const shared[] = {"shared", "shared::cta", NULL};
  const bool sync = ptx_take(d, "sync"), shape = ptx_take(d, "m8n8");
  ptx_take(d, "aligned");
  const int count = ptx_take_one(d, counts);
  d->code.op = ptx_take(d, "trans");
  if (!sync || !shape || count < 0 || ptx_take_one(d, shared) < 0 || ptx_take_type(d) != PTX_B16)
    return ptx_decode_fail(d, "is .sync.aligned.m8n8.x1, .x2 or .x4, {.trans,} .shared.b16"), 0;
  d->code.space = d->inst.space = PTX_SPACE_SHARED;
  d->inst.bytes = d->inst.vec = 4;
  return 1u << count;
}

PTX_DECODER(ptx_decode_ldmatrix) {
  const uint32_t n = take_matrices(d);
  (void)op;
  return n && ptx_need_args(d, 2, 2) && vector_dest(d, &d->s->args[0], n, PTX_B32) &&
         ptx_source_address(d, &d->s->args[1]) &&
         ptx_decoded(d, ptx_ldmatrix_handler(), PTX_CLASS_LOAD);
}

PTX_DECODER(ptx_decode_stmatrix) {
  const uint32_t n = take_matrices(d);
  (void)op;
  return n && ptx_need_args(d, 2, 2) &&
         vector_sources(d, &d->s->args[1], n, PTX_B32, "the matrix") &&
         ptx_source_address(d, &d->s->args[0]) &&
         ptx_decoded(d, ptx_stmatrix_handler(), PTX_CLASS_STORE);
}
