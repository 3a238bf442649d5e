/* Matrix fragments: mma.sync, ldmatrix and stmatrix. Lane l holds rows l / 4 (and 8 more) of A and
 * C and column l / 4 of B; l % 4 says which of the others (PTX ISA, "Matrix fragments for mma"). */
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
