#include "sim/units/spref/spref_count.h"

#include <string.h>

static bool is_unsigned(const ptx_code *c) {
  return ptx_type_kind((ptx_type)c->type) != 's';
}

/* 64-bit unsigned numbers lose their top bit to the sign: order and differences stay. */
int64_t spref_operand(const ptx_code *c, const ptx_source *s, const ptx_warp *w, unsigned lane) {
  uint64_t v;
  if (s->kind == PTX_SOURCE_CONSTANT) {
    uint32_t narrow;
    memcpy(&narrow, (const uint8_t *)s->plane + (s->wide ? 8 : 4) * lane, 4);
    v = narrow;
    if (s->wide) memcpy(&v, (const uint8_t *)s->plane + 8 * lane, 8);
  } else {
    v = w->reg[s->reg][lane];
    if (s->wide) v |= (uint64_t)w->reg[s->reg + 1][lane] << 32;
  }
  if (!s->wide) return is_unsigned(c) ? (int64_t)(uint32_t)v : (int32_t)v;
  return (int64_t)(is_unsigned(c) ? v ^ (uint64_t)1 << 63 : v);
}

static bool holds(unsigned cmp, int64_t x, int64_t y) {
  switch (cmp) {
  case PTX_EQ:
    return x == y;
  case PTX_NE:
    return x != y;
  case PTX_LT:
    return x < y;
  case PTX_LE:
    return x <= y;
  case PTX_GT:
    return x > y;
  default:
    return x >= y;
  }
}

/* Beyond the type's range after n steps? */
static bool leaves_type(const ptx_code *c, int64_t x, uint64_t n, const spref_question *q) {
  const bool wide = ptx_type_bytes((ptx_type)c->type) == 8;
  const int64_t low = wide ? INT64_MIN : is_unsigned(c) ? 0 : INT32_MIN;
  const int64_t high = wide ? INT64_MAX : is_unsigned(c) ? UINT32_MAX : INT32_MAX;
  const int64_t way = (int64_t)(n << q->shift); /* n is below 16 */
  return q->down ? x < low + way : x > high - way;
}

unsigned spref_count(const ptx_code *c, int64_t x, int64_t y, const spref_question *q) {
  const uint64_t size = (uint64_t)1 << q->shift;
  if (!holds(q->cmp, x, y)) return 0;
  uint64_t n, d = q->down ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
  if (q->cmp == PTX_NE) {
    if (ptx_type_bytes((ptx_type)c->type) == 4) d = (uint32_t)d;
    n = d % size ? 15 : d / size;
  } else if (q->cmp == PTX_LE || q->cmp == PTX_GE) {
    n = d / size < 15 ? d / size + 1 : 15;
  } else {
    n = d / size + (d % size != 0);
  }
  return n > 14 || (q->cmp != PTX_NE && leaves_type(c, x, n, q)) ? 15 : (unsigned)n;
}
