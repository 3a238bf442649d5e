/* mbarrier: a barrier object in shared memory, 64 bits: arrivals that the phase still waits for,
 * those that a phase has, and the phase. Lanes act in their order, as those of atomics. */
#include "sim/ptx/access.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

enum { COUNT_BITS = 20, COUNT_MOST = (1 << COUNT_BITS) - 1 };

typedef struct state {
  u32 pending, expected, phase;
} state;

static state unpack(u64 word) {
  return (state){word & COUNT_MOST, word >> COUNT_BITS & COUNT_MOST, (u32)(word >> 63)};
}

static u64 pack(state s) {
  return (u64)s.phase << 63 | (u64)s.expected << COUNT_BITS | s.pending;
}

static bool arrive(const ptx_code *c, const ptx_warp *w, u32 lane, state *s, u32 count,
                   wf_error *err) {
  if (count == 0 || count > s->pending)
    return ptx_fault(c, w, lane, err, "%u arrivals at a barrier that waits for %u", count,
                     s->pending);
  s->pending -= count;
  if (c->op == PTX_MBARRIER_DROP) s->expected -= count < s->expected ? count : s->expected;
  if (s->pending == 0) s->phase ^= 1, s->pending = s->expected;
  return true;
}

/* Sources: the count, or state or parity, then the address. */
HANDLER(mbarrier) {
  ptx_access a;
  const bool counts = c->n_src > 1;
  lane64 both[PTX_LANES], r[PTX_LANES] = {0};
  const void *p = counts ? ptx_in_any(c, w, 0, both) : NULL;
  u32 done = 0;
  if (!ptx_access_prepare(c, w, m, e, 8, &a, err)) return false;
  ACTIVE_LANES(m) {
    u8 *at = ptx_access_lane(&a, e, i);
    u64 word;
    memcpy(&word, at, sizeof word);
    state s = unpack(word);
    const u64 x = !counts ? 1 : c->src[0].wide ? ((const lane64 *)p)[i] : ((const lane32 *)p)[i];
    r[i] = word;
    switch (c->op) {
    case PTX_MBARRIER_INIT:
      if (x == 0 || x > COUNT_MOST)
        return ptx_fault(c, w, i, err, "a barrier for %u arrivals: there are 1 to %d", (u32)x,
                         COUNT_MOST);
      s = (state){(u32)x, (u32)x, 0};
      break;
    case PTX_MBARRIER_INVALID:
      s = (state){0};
      break;
    case PTX_MBARRIER_TEST: /* the phase of the state that an arrival returned */
      done |= (x >> 63) != s.phase ? BIT(i) : 0;
      break;
    case PTX_MBARRIER_PARITY:
      done |= (x & 1) != s.phase ? BIT(i) : 0;
      break;
    default:
      if (!arrive(c, w, i, &s, (u32)x, err)) return false;
    }
    word = pack(s);
    memcpy(at, &word, sizeof word);
  }
  if (c->op == PTX_MBARRIER_TEST || c->op == PTX_MBARRIER_PARITY)
    ptx_keep_pred(c, w, 0, done, m);
  else if (c->n_dst)
    ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_mbarrier_handler(void) {
  return mbarrier;
}
