/* Calls: operands from the caller's registers to the function's, a frame of local memory further,
 * and back. Lanes that call by address may go to several functions. */
#include <inttypes.h>
#include <string.h>

#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

enum { FRAME = 0, RESULT = 2 }; /* the fixed registers */

/* All are read before one is written: callers' and functions' registers overlap in recursion. */
static void pass(const ptx_call *k, const ptx_linked *to, ptx_warp *w, u32 m) {
  lane32 low[PTX_MAX_ELEMENTS + 1][PTX_LANES], high[PTX_MAX_ELEMENTS + 1][PTX_LANES];
  for (u32 a = 0; a < to->n_params; a++) {
    const ptx_source *s = &k->args[a];
    if (to->param[a] == PTX_UNREAD) continue;
    if (s->kind == PTX_SOURCE_REG) {
      memcpy(low[a], w->reg[s->reg], sizeof low[a]);
      if (s->wide) memcpy(high[a], w->reg[s->reg + 1], sizeof high[a]);
    } else {
      LANES low[a][i] =
          s->wide ? (u32)((const lane64 *)s->plane)[i] : ((const lane32 *)s->plane)[i];
      if (s->wide) LANES high[a][i] = (u32)(((const lane64 *)s->plane)[i] >> 32);
    }
  }
  for (u32 a = 0; a < to->n_params; a++) {
    if (to->param[a] == PTX_UNREAD) continue;
    ptx_keep32(w->reg[to->param[a]], low[a], m);
    if (to->wide[a]) ptx_keep32(w->reg[to->param[a] + 1], high[a], m);
  }
}

static bool step_frame(const ptx_code *c, ptx_warp *w, u32 m, wf_error *err) {
  const ptx_call *k = c->call;
  lane32 *frame = w->reg[FRAME];
  const u32 room = w->launch->kernel->local_bytes;
  ACTIVE_LANES(m) {
    const u32 next = (k->from_kernel ? 0 : frame[i]) + k->caller->frame_bytes;
    if (next > room)
      return ptx_fault(c, w, i, err,
                       "the stack of %u bytes a thread is full: functions call each other too deep",
                       room);
    frame[i] = next;
    w->reg[FRAME + 1][i] = 0;
  }
  return true;
}

static bool fits(const ptx_code *c, const ptx_linked *to, const ptx_warp *w, u32 lane,
                 wf_error *err) {
  const u32 room = w->launch->kernel->local_bytes;
  if (w->reg[FRAME][lane] + to->frame_bytes > room)
    return ptx_fault(c, w, lane, err,
                     "the stack of %u bytes a thread is full: functions call each other too deep",
                     room);
  return true;
}

/* The function at an address; NULL and *err if there is none that takes these operands. */
static const ptx_linked *function_at(const ptx_code *c, const ptx_warp *w, u32 lane, u64 address,
                                     wf_error *err) {
  const ptx_call *k = c->call;
  const u64 number = (address - PTX_CODE_WINDOW) / PTX_CODE_STEP - 1;
  const bool one = number < k->n_functions && address % PTX_CODE_STEP == 0;
  const ptx_linked *to = one ? k->by_number[number] : NULL;
  if (!to) {
    ptx_fault(c, w, lane, err, "there is no function at 0x%" PRIx64, address);
    return NULL;
  }
  bool same = to->n_params == k->n_args;
  for (u32 a = 0; same && a < k->n_args; a++) same = to->wide[a] == k->args[a].wide;
  if (!same) {
    ptx_fault(c, w, lane, err, "%s does not take these operands", to->name);
    return NULL;
  }
  return to;
}

static bool call_by_address(const ptx_code *c, ptx_warp *w, u32 m, ptx_effect *e, wf_error *err) {
  GET_u64(at, 0);
  for (u32 left = m; left;) {
    const u32 lane = (u32)__builtin_ctz(left);
    const ptx_linked *to = function_at(c, w, lane, at[lane], err);
    u32 same = 0;
    if (!to) return false;
    ACTIVE_LANES(left) same |= at[i] == at[lane] ? BIT(i) : 0;
    ACTIVE_LANES(same) {
      e->addr[i] = to->entry;
      if (!fits(c, to, w, i, err)) return false;
    }
    pass(c->call, to, w, same);
    left &= ~same;
  }
  return true;
}

HANDLER(call) {
  e->taken = m;
  if (!step_frame(c, w, m, err)) return false;
  if (!c->call->callee) return call_by_address(c, w, m, e, err);
  ACTIVE_LANES(m) {
    if (!fits(c, c->call->callee, w, i, err)) return false;
  }
  pass(c->call, c->call->callee, w, m);
  return true;
}

static void keep_result(const ptx_code *c, ptx_warp *w, u32 m) {
  if (!c->n_dst) return;
  const lane32 *from = ptx_in(c, w, 0);
  lane32 low[PTX_LANES], high[PTX_LANES] = {0};
  const bool both = c->src[0].wide && c->dst[0].bytes == 8;
  LANES low[i] = c->dst[0].bytes == 2 ? from[i] & 0xffff : from[i];
  if (both) memcpy(high, from + PTX_LANES, sizeof high);
  ptx_keep32(ptx_out(c, w, 0), low, m);
  if (both) ptx_keep32((lane32 *)ptx_out(c, w, 0) + PTX_LANES, high, m);
}

HANDLER(called) {
  lane32 *frame = w->reg[FRAME];
  UNUSED_EFFECT;
  if (!c->call->from_kernel) ACTIVE_LANES(m) frame[i] -= c->call->caller->frame_bytes;
  keep_result(c, w, m);
  return true;
}

HANDLER(go_back) {
  (void)err;
  e->taken = m;
  keep_result(c, w, m);
  return true;
}

ptx_handler *ptx_call_handler(void) {
  return call;
}
ptx_handler *ptx_called_handler(void) {
  return called;
}
ptx_handler *ptx_return_handler(void) {
  return go_back;
}
