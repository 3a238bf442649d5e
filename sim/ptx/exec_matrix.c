/* Matrix fragments: mma.sync, ldmatrix and stmatrix. Lane l holds rows l / 4 (and 8 more) of A and
 * C and column l / 4 of B; l % 4 says which of the others (PTX ISA, "Matrix fragments for mma").
 * Where wmma's elements are is nobody's but ours: a matrix's rows one after the other, its first
 * lane's first; of more than 16 bytes a lane in two such parts. */
#include <math.h>

#include "sim/ptx/access.h"
#include "sim/ptx/float_lanes.h"
#include "sim/ptx/half.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = 32, WORDS_A = 4, WORDS_B = 2 };

/* Elements of a word, by the operands' type. */
static u32 per_word(unsigned type) {
  return type == PTX_S8 || type == PTX_U8 ? 4 : type == PTX_TF32 ? 1 : 2;
}

static f64 element(unsigned type, u32 word, u32 k) {
  switch (type) {
  case PTX_S8:
    return (s8)(word >> 8 * k);
  case PTX_U8:
    return (u8)(word >> 8 * k);
  case PTX_TF32: /* the lower bits do not count */
    return ptx_half_value(PTX_HALF_TF32, word & ~0x1fffu);
  case PTX_BF16:
    return ptx_half_value(PTX_HALF_BF16, word >> 16 * k & 0xffff);
  default:
    return ptx_half_value(PTX_HALF_F16, word >> 16 * k & 0xffff);
  }
}

typedef struct matrices {
  f64 a[ROWS][DEPTH], b[DEPTH][COLUMNS], c[ROWS][COLUMNS];
  u32 depth;
} matrices;

/* code.op, op2: words of A and of B a lane; the sources follow each other: A, B, C. */
static void read_factors(const ptx_code *c, const ptx_warp *w, matrices *x) {
  const u32 n = per_word(c->type), m = per_word(c->type2);
  x->depth = c->op2 * 4 * n;
  for (u32 j = 0; j < c->op; j++) {
    const lane32 *p = ptx_in(c, w, (int)j);
    LANES for (u32 k = 0; k < n; k++) x->a[i / 4 + 8 * (j & 1)][(i % 4) * n + k + j / 2 * 4 * n] =
        element(c->type, p[i], k);
  }
  for (u32 j = 0; j < c->op2; j++) {
    const lane32 *p = ptx_in(c, w, c->op + (int)j);
    LANES for (u32 k = 0; k < m; k++) x->b[(i % 4) * m + k + j * 4 * m][i / 4] =
        element(c->type2, p[i], k);
  }
}

/* Word j of lane i of C and D: where its element is. */
static u32 row_of(u32 i, u32 j, bool pairs) {
  return i / 4 + 8 * (pairs ? j : j / 2);
}
static u32 column_of(u32 i, u32 j, u32 k, bool pairs) {
  return (i % 4) * 2 + (pairs ? k : j & 1);
}

static void read_sum(const ptx_code *c, const ptx_warp *w, matrices *x) {
  const bool pairs = c->rounding == PTX_MATRIX_F16;
  for (int j = 0; j < c->n_dst; j++) {
    const lane32 *p = ptx_in(c, w, c->op + c->op2 + j);
    LANES for (u32 k = 0; k < (pairs ? 2 : 1); k++)
        x->c[row_of((u32)i, (u32)j, pairs)][column_of((u32)i, (u32)j, k, pairs)] =
        pairs                           ? ptx_half_value(PTX_HALF_F16, p[i] >> 16 * k & 0xffff)
        : c->rounding == PTX_MATRIX_S32 ? (f64)(s32)p[i]
                                        : (f64)ptx_bits_float(p[i]);
  }
}

static u32 whole(const ptx_code *c, f64 sum) { /* exact: below 2^53 */
  const s64 x = (s64)sum;
  if (!c->sat) return (u32)x;
  return (u32)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

/* The products are exact; they are added to C in double, in the order of their index, and the sum
 * is rounded once. */
HANDLER(mma) {
  const bool pairs = c->rounding == PTX_MATRIX_F16;
  matrices x = {0};
  f64 d[ROWS][COLUMNS];
  lane32 r[PTX_CODE_DST][PTX_LANES] = {{0}};
  UNUSED_EFFECT;
  read_factors(c, w, &x);
  read_sum(c, w, &x);
  for (u32 row = 0; row < ROWS; row++)
    for (u32 column = 0; column < COLUMNS; column++) {
      d[row][column] = x.c[row][column];
      for (u32 k = 0; k < x.depth; k++) d[row][column] += x.a[row][k] * x.b[k][column];
    }
  for (int j = 0; j < c->n_dst; j++) LANES for (u32 k = 0; k < (pairs ? 2 : 1); k++) {
      const f64 sum = d[row_of((u32)i, (u32)j, pairs)][column_of((u32)i, (u32)j, k, pairs)];
      r[j][i] |= pairs ? ptx_half_bits(PTX_HALF_F16, sum, PTX_ROUND_RN) << 16 * k
                 : c->rounding == PTX_MATRIX_S32 ? whole(c, sum)
                                                 : ptx_result32((f32)sum);
    }
  for (int j = 0; j < c->n_dst; j++) ptx_keep32(ptx_out(c, w, j), r[j], m);
  return true;
}

ptx_handler *ptx_mma_handler(void) {
  return mma;
}

/* Lane 8 j + k tells where row k of matrix j is: 16 bytes. Half k of lane i's word is of this row
 * and column; code.op: transposed. */
static u32 matrix_row(const ptx_code *c, u32 i, u32 k) {
  return c->op ? i % 4 * 2 + k : i / 4;
}
static u32 matrix_column(const ptx_code *c, u32 i, u32 k) {
  return c->op ? i / 4 : i % 4 * 2 + k;
}

/* The lanes that give the rows of n matrices. */
static u32 givers_of(u32 n) {
  return n == 4 ? UINT32_MAX : (1u << 8 * n) - 1;
}

HANDLER(ldmatrix) {
  u8 rows[PTX_LANES][16];
  lane32 r[PTX_CODE_DST][PTX_LANES];
  ptx_access a;
  memset(rows, 0, sizeof rows);
  e->active = m & givers_of(c->n_dst);
  if (!e->active) return true;
  if (!ptx_access_prepare(c, w, e->active, e, 16, &a, err)) return false;
  ACTIVE_LANES(e->active) memcpy(rows[i], ptx_access_lane(&a, e, i), 16);
  for (u32 j = 0; j < c->n_dst; j++) LANES {
      u16 part[2];
      for (u32 k = 0; k < 2; k++)
        memcpy(&part[k], &rows[8 * j + matrix_row(c, (u32)i, k)][2 * matrix_column(c, (u32)i, k)],
               2);
      r[j][i] = (u32)part[1] << 16 | part[0];
    }
  for (int j = 0; j < c->n_dst; j++) ptx_keep32(ptx_out(c, w, j), r[j], m);
  return true;
}

ptx_handler *ptx_ldmatrix_handler(void) {
  return ldmatrix;
}

/* What the lanes of m hold is stored, and that only. */
HANDLER(stmatrix) {
  const u32 n = c->n_src - 1u;
  ptx_access a;
  e->active = m & givers_of(n);
  if (!e->active) return true;
  if (!ptx_access_prepare(c, w, e->active, e, 16, &a, err)) return false;
  for (u32 j = 0; j < n; j++) {
    const lane32 *p = ptx_in(c, w, (int)j);
    ACTIVE_LANES(m) for (u32 k = 0; k < 2; k++) {
      const u32 row = 8 * j + matrix_row(c, i, k);
      const u16 part = (u16)(p[i] >> 16 * k);
      if (e->active >> row & 1)
        memcpy(ptx_access_lane(&a, e, row) + 2 * matrix_column(c, i, k), &part, 2);
    }
  }
  return true;
}

ptx_handler *ptx_stmatrix_handler(void) {
  return stmatrix;
}

/* ---- wmma ---- */

const ptx_wmma_shape ptx_wmma_shapes[PTX_WMMA_SHAPES] = {{"m16n16k16", 16, 16, 16},
                                                         {"m8n32k16", 8, 32, 16},
                                                         {"m32n8k16", 32, 8, 16},
                                                         [PTX_WMMA_TF32] = {"m16n16k8", 16, 16, 8}};

/* A lane's address: neighbours in memory are neighbours here, whichever way the matrix lies. */
HANDLER(wmma_address) {
  const ptx_tile *t = c->tile;
  const u32 line = t->by_column ? t->rows : t->columns, per = (u32)t->rows * t->columns / PTX_LANES;
  const lane32 *stride = ptx_in(c, w, 0);
  lane64 both[PTX_LANES], r[PTX_LANES];
  const void *base = ptx_in_any(c, w, 1, both);
  UNUSED_EFFECT;
  LANES {
    const u32 first = (u32)i * per, major = first / line + (t->by_column ? 0 : t->first_row),
              minor = first % line + (t->by_column ? t->first_row : 0);
    const u64 from = c->src[1].wide ? ((const lane64 *)base)[i] : ((const lane32 *)base)[i];
    r[i] = from + (u64)c->offset + ((u64)major * stride[i] + minor) * t->bytes;
  }
  ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

/* Element k of a tile in memory's order: its place in bytes, row after row. */
static u32 place_in_rows(const ptx_tile *t, u32 k) {
  return (t->by_column ? k % t->rows * t->columns + k / t->rows : k) * t->bytes;
}

/* More destinations than words: the words again, as fragments of f16 have them. */
HANDLER(wmma_load) {
  const ptx_tile *t = c->tile;
  const u32 per = (u32)t->rows * t->columns / PTX_LANES, words = per * t->bytes / 4;
  u8 matrix[PTX_LANES][16];
  lane32 r[PTX_LANES];
  ptx_access a;
  memset(matrix, 0, sizeof matrix);
  if (!ptx_access_prepare(c, w, m, e, 4 * words, &a, err)) return false;
  ACTIVE_LANES(m) for (u32 k = 0; k < per; k++) {
    const u32 at = place_in_rows(t, i * per + k), step = 4 * words;
    memcpy(&matrix[at / step][at % step], ptx_access_lane(&a, e, i) + k * t->bytes, t->bytes);
  }
  for (u32 j = 0; j < c->n_dst; j++) {
    LANES memcpy(&r[i], &matrix[i][j % words * 4], 4);
    ptx_keep32(ptx_out(c, w, (int)j), r, m);
  }
  return true;
}

HANDLER(wmma_store) {
  const ptx_tile *t = c->tile;
  const u32 per = (u32)t->rows * t->columns / PTX_LANES, words = c->n_src - 1u, step = 4 * words;
  u8 matrix[PTX_LANES][16];
  ptx_access a;
  if (!ptx_access_prepare(c, w, m, e, step, &a, err)) return false;
  for (u32 j = 0; j < words; j++) {
    const lane32 *p = ptx_in(c, w, (int)j);
    LANES memcpy(&matrix[i][j * 4], &p[i], 4);
  }
  ACTIVE_LANES(m) for (u32 k = 0; k < per; k++) {
    const u32 at = place_in_rows(t, i * per + k);
    memcpy(ptx_access_lane(&a, e, i) + k * t->bytes, &matrix[at / step][at % step], t->bytes);
  }
  return true;
}

enum { WMMA_ELEMENTS = 512 };

/* The first element of word j of a lane, of a matrix in so many words a lane. */
static u32 first_element(u32 lane, u32 j, u32 words, u32 in_word) {
  const u32 part = words > 4 ? words / 2 : words;
  return (j / part * part * PTX_LANES + lane * part + j % part) * in_word;
}

static void read_factor(const ptx_code *c, const ptx_warp *w, int first, u32 words, unsigned type,
                        f64 *to) {
  const u32 n = per_word(type);
  for (u32 j = 0; j < words; j++) {
    const lane32 *p = ptx_in(c, w, first + (int)j);
    LANES for (u32 k = 0; k < n; k++) to[first_element((u32)i, j, words, n) + k] =
        element(type, p[i], k);
  }
}

static f64 sum_element(unsigned kind, u32 word, u32 k) {
  if (kind == PTX_MATRIX_F16) return ptx_half_value(PTX_HALF_F16, word >> 16 * k & 0xffff);
  return kind == PTX_MATRIX_S32 ? (f64)(s32)word : (f64)ptx_bits_float(word);
}

/* .satfinite: no infinity, no NaN. */
static f64 kept_finite(const ptx_code *c, f64 x) {
  const f64 most = c->rounding == PTX_MATRIX_F16 ? 65504 : (f64)3.40282347e38f;
  if (!c->sat || c->rounding == PTX_MATRIX_S32) return x;
  return isnan(x) ? 0 : x > most ? most : x < -most ? -most : x;
}

static u32 sum_bits(const ptx_code *c, f64 sum, u32 k) {
  if (c->rounding == PTX_MATRIX_S32) return whole(c, sum);
  if (c->rounding == PTX_MATRIX_F32) return ptx_result32((f32)kept_finite(c, sum));
  return ptx_half_bits(PTX_HALF_F16, kept_finite(c, sum), PTX_ROUND_RN) << 16 * k;
}

static void read_addend(const ptx_code *c, const ptx_warp *w, int first, u32 words, f64 *to) {
  const u32 n = c->op2 == PTX_MATRIX_F16 ? 2 : 1;
  for (u32 j = 0; j < words; j++) {
    const lane32 *p = ptx_in(c, w, first + (int)j);
    LANES for (u32 k = 0; k < n; k++) to[first_element((u32)i, j, words, n) + k] =
        sum_element(c->op2, p[i], k);
  }
}

/* Rounded once, as mma. */
HANDLER(wmma) {
  const ptx_wmma_shape *s = &ptx_wmma_shapes[c->op];
  const u32 words_a = s->rows * s->depth / per_word(c->type) / PTX_LANES,
            words_b = s->depth * s->columns / per_word(c->type2) / PTX_LANES,
            n = c->rounding == PTX_MATRIX_F16 ? 2 : 1;
  f64 a[WMMA_ELEMENTS], b[WMMA_ELEMENTS], d[WMMA_ELEMENTS];
  lane32 r[PTX_CODE_DST][PTX_LANES] = {{0}};
  UNUSED_EFFECT;
  read_factor(c, w, 0, words_a, c->type, a);
  read_factor(c, w, (int)words_a, words_b, c->type2, b);
  read_addend(c, w, (int)(words_a + words_b), c->n_src - words_a - words_b, d);
  for (u32 row = 0; row < s->rows; row++)
    for (u32 column = 0; column < s->columns; column++)
      for (u32 k = 0; k < s->depth; k++)
        d[row * s->columns + column] += a[row * s->depth + k] * b[k * s->columns + column];
  for (u32 j = 0; j < c->n_dst; j++) {
    LANES for (u32 k = 0; k < n; k++) r[j][i] |=
        sum_bits(c, d[first_element((u32)i, j, c->n_dst, n) + k], k);
    ptx_keep32(ptx_out(c, w, (int)j), r[j], m);
  }
  return true;
}

ptx_handler *ptx_wmma_handler(void) {
  return wmma;
}
ptx_handler *ptx_wmma_address_handler(void) {
  return wmma_address;
}
ptx_handler *ptx_wmma_load_handler(void) {
  return wmma_load;
}
ptx_handler *ptx_wmma_store_handler(void) {
  return wmma_store;
}
