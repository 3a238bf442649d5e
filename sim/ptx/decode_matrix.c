/* Decoders of mma.sync, wmma, ldmatrix and stmatrix. A matrix product takes the special functions'
 * unit and time: a unit beside the lanes with an interval of its own. wmma's, of 16 by 16 by 16,
 * are two of mma's. */
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

/* ---- wmma ---- */

/* Of A, B, C or D. */
typedef struct fragment {
  uint32_t rows, columns;
  ptx_type type;
  uint32_t words, registers; /* of a lane; A and B of f16 have each element more than once */
} fragment;

static fragment fragment_of(int shape, char which, ptx_type type) {
  const ptx_wmma_shape *s = &ptx_wmma_shapes[shape];
  fragment f = {.rows = which == 'b' ? s->depth : s->rows,
                .columns = which == 'a' ? s->depth : s->columns,
                .type = type};
  f.words = f.rows * f.columns * ptx_type_bytes(type) / 4 / PTX_LANES;
  f.registers = which < 'c' && type == PTX_F16 ? 8 : f.words;
  return f;
}

static bool is_factor(int shape, ptx_type type) {
  if (shape == PTX_WMMA_TF32) return type == PTX_TF32;
  return type == PTX_F16 || type == PTX_BF16 || type == PTX_S8 || type == PTX_U8;
}

static bool is_sum(int shape, ptx_type type) {
  return type == PTX_F32 || (shape != PTX_WMMA_TF32 && (type == PTX_F16 || type == PTX_S32));
}

static int take_wmma_shape(ptx_decoder *d) {
  for (int k = 0; k < PTX_WMMA_SHAPES; k++)
    if (ptx_take(d, ptx_wmma_shapes[k].name)) return k;
  return -1;
}

static ptx_type word_type(ptx_type type) {
  return type == PTX_F32 || type == PTX_S32 ? type : PTX_B32;
}

static bool registers_of(ptx_decoder *d, const ptx_arg *arg, const fragment *f, const char *what) {
  const bool one = f->registers == 1 && arg->kind != PTX_ARG_VECTOR;
  return one || (arg->kind == PTX_ARG_VECTOR && arg->count == f->registers) ||
         ptx_decode_fail(d, "%s is %u registers in braces", what, f->registers);
}

static const ptx_arg *register_at(ptx_decoder *d, const ptx_arg *arg, uint32_t k) {
  return arg->kind == PTX_ARG_VECTOR ? &d->s->elements[arg->first + k] : arg;
}

/* The first instructions of an access: what each lane's address is, in a register for each tile. */
static bool tile_address(ptx_decoder *d, const ptx_arg *at, const ptx_arg *stride,
                         const ptx_tile *tile, uint32_t *address) {
  const ptx_code rest = d->code;
  const ptx_inst inst = {.cls = PTX_CLASS_IMUL};
  *address = ptx_new_vreg(d->b, PTX_U64);
  d->code.guarded = false;
  d->code.run = ptx_wmma_address_handler();
  d->code.tile = tile;
  d->code.n_dst = 1;
  d->code.dst[0] = (ptx_dest){*address, 8};
  if (!ptx_source_value(d, stride, PTX_U32, false) || !ptx_source_address(d, at)) return false;
  ptx_decode_extra(d, &d->code, &inst);
  d->code = rest;
  return true;
}

/* One access: words of the fragment's registers, load or store. */
static bool tile_access(ptx_decoder *d, const ptx_arg *data, const fragment *f, uint32_t first,
                        uint32_t words, const ptx_tile *tile, uint32_t address, bool load) {
  const ptx_arg at = {.kind = PTX_ARG_REG, .type = PTX_U64, .reg = address};
  const uint32_t registers = load && words == f->words ? f->registers : words;
  d->code.tile = tile;
  for (uint32_t k = first; k < first + registers; k++)
    if (!(load ? ptx_dest_reg(d, register_at(d, data, k), word_type(f->type), false)
               : ptx_source_value(d, register_at(d, data, k), word_type(f->type), false)))
      return false;
  d->inst.bytes = 4;
  d->inst.vec = (uint8_t)words;
  return ptx_source_value(d, &at, PTX_U64, false) &&
         ptx_decoded(d, load ? ptx_wmma_load_handler() : ptx_wmma_store_handler(),
                     load ? PTX_CLASS_LOAD : PTX_CLASS_STORE);
}

/* Of 32 bytes a lane, two accesses: all addresses first, they may be in registers that a load
 * overwrites. */
static bool decode_tiles(ptx_decoder *d, const ptx_arg *data, const ptx_arg *at,
                         const ptx_arg *stride, const fragment *f, bool by_column, bool load) {
  const uint32_t parts = f->words > 4 ? 2 : 1, words = f->words / parts;
  const ptx_code rest = d->code;
  uint32_t address[2];
  ptx_tile *tiles = ptx_arena_alloc(&d->b->module->arena, parts * sizeof *tiles);
  for (uint32_t k = 0; k < parts; k++) {
    const uint32_t rows = f->rows / parts;
    tiles[k] = (ptx_tile){.rows = (uint8_t)rows,
                          .columns = (uint8_t)f->columns,
                          .first_row = (uint8_t)(k * rows),
                          .bytes = (uint8_t)ptx_type_bytes(f->type),
                          .by_column = by_column};
    if (!tile_address(d, at, stride, &tiles[k], &address[k])) return false;
  }
  for (uint32_t k = 0; k < parts; k++) {
    if (!tile_access(d, data, f, k * words, words, &tiles[k], address[k], load)) return false;
    if (k + 1 == parts) break;
    ptx_decode_extra(d, &d->code, &d->inst);
    d->code = rest;
  }
  return true;
}

static const char *const orders[] = {"row", "col", NULL};

static bool decode_wmma_access(ptx_decoder *d, bool load) {
  static const char *const letters[] = {"a", "b", "c", "d", NULL};
  static const char *const spaces[] = {"global", "shared", "shared::cta", NULL};
  const bool sync = ptx_take(d, "sync");
  ptx_take(d, "aligned");
  const int which = ptx_take_one(d, letters), order = ptx_take_one(d, orders),
            shape = take_wmma_shape(d), space = ptx_take_one(d, spaces);
  const ptx_type type = ptx_take_type(d);
  if (!sync || order < 0 || shape < 0 || (load ? which < 0 || which > 2 : which != 3) ||
      !(which < 2 ? is_factor(shape, type) : is_sum(shape, type)))
    return ptx_decode_fail(
        d, "is .load.a, .load.b, .load.c or .store.d, .sync.aligned, .row or .col, .m16n16k16, "
           ".m8n32k16 or .m32n8k16 of .f16, .bf16, .s8 or .u8 or .m16n16k8 of .tf32; C and D of "
           ".f32, .f16 or .s32");
  const fragment f = fragment_of(shape, (char)('a' + which), type);
  const ptx_arg *args = d->s->args, *data = &args[load ? 0 : 1], *at = &args[load ? 1 : 0];
  const ptx_arg dense = {.kind = PTX_ARG_INTEGER, .bits = order == 1 ? f.rows : f.columns};
  d->code.space = d->inst.space = space < 0    ? PTX_SPACE_GENERIC
                                  : space == 0 ? PTX_SPACE_GLOBAL
                                               : PTX_SPACE_SHARED;
  return ptx_need_args(d, 2, 3) && registers_of(d, data, &f, "the fragment") &&
         decode_tiles(d, data, at, d->s->n_args == 3 ? &args[2] : &dense, &f, order == 1, load);
}

static bool fragment_sources(ptx_decoder *d, const ptx_arg *arg, fragment f, const char *what) {
  if (!registers_of(d, arg, &f, what)) return false;
  for (uint32_t k = 0; k < f.words; k++)
    if (!ptx_source_value(d, register_at(d, arg, k), word_type(f.type), false)) return false;
  return true;
}

static uint8_t sum_kind(ptx_type type) {
  return type == PTX_F16 ? PTX_MATRIX_F16 : type == PTX_S32 ? PTX_MATRIX_S32 : PTX_MATRIX_F32;
}

/* Types of D, A, B and C; of f16 only those of D and C are written. */
static bool take_wmma_types(ptx_decoder *d, int shape, ptx_type t[4]) {
  for (int k = 0; k < 4; k++) t[k] = ptx_take_type(d);
  if (t[2] == PTX_NO_TYPE && t[3] == PTX_NO_TYPE) t[3] = t[1], t[1] = t[2] = PTX_F16;
  if (shape < 0 || !is_factor(shape, t[1]) || !is_factor(shape, t[2])) return false;
  if (t[1] == PTX_S8 || t[1] == PTX_U8)
    return (t[2] == PTX_S8 || t[2] == PTX_U8) && t[0] == PTX_S32 && t[3] == PTX_S32;
  const bool halves = t[1] == PTX_F16;
  return t[1] == t[2] && (t[0] == PTX_F32 || (halves && t[0] == PTX_F16)) &&
         (t[3] == PTX_F32 || (halves && t[3] == PTX_F16));
}

static bool decode_wmma_product(ptx_decoder *d) {
  const bool sync = ptx_take(d, "sync");
  ptx_take(d, "aligned");
  const int order_a = ptx_take_one(d, orders), order_b = ptx_take_one(d, orders),
            shape = take_wmma_shape(d);
  ptx_type t[4];
  d->code.sat = ptx_take(d, "satfinite");
  if (!take_wmma_types(d, shape, t) || !sync || order_a < 0 || order_b < 0)
    return ptx_decode_fail(
        d, "is .mma.sync.aligned, two of .row and .col, .m16n16k16, .m8n32k16 or .m32n8k16 of "
           ".f16, .bf16, .s8 or .u8 or .m16n16k8 of .tf32, into .f32, .f16 (of f16) or .s32");
  d->code.op = (uint8_t)shape;
  d->code.type = (uint8_t)t[1];
  d->code.type2 = (uint8_t)t[2];
  d->code.rounding = sum_kind(t[0]);
  d->code.op2 = sum_kind(t[3]);
  const ptx_arg *args = d->s->args;
  const fragment sum = fragment_of(shape, 'd', t[0]);
  if (!ptx_need_args(d, 4, 4) || !registers_of(d, &args[0], &sum, "D") ||
      !fragment_sources(d, &args[1], fragment_of(shape, 'a', t[1]), "A") ||
      !fragment_sources(d, &args[2], fragment_of(shape, 'b', t[2]), "B") ||
      !fragment_sources(d, &args[3], fragment_of(shape, 'c', t[3]), "C") ||
      !ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_SFU))
    return false;
  ptx_decode_extra(d, &d->code, &d->inst); /* the first of two products' time */
  return vector_dest(d, &args[0], sum.registers, word_type(t[0])) &&
         ptx_decoded(d, ptx_wmma_handler(), PTX_CLASS_SFU);
}

PTX_DECODER(ptx_decode_wmma) {
  (void)op;
  if (ptx_take(d, "mma")) return decode_wmma_product(d);
  if (ptx_take(d, "load")) return decode_wmma_access(d, true);
  if (ptx_take(d, "store")) return decode_wmma_access(d, false);
  return ptx_decode_fail(d, "needs .load, .mma or .store");
}
