/* Entry to the executor, control flow, custom operations, and fault messages. */
#include <stdarg.h>
#include <stdio.h>

#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

bool ptx_execute(const ptx_inst *inst, ptx_warp *warp, uint32_t mask, ptx_effect *effect,
                 wf_error *err) {
  const ptx_code *c = inst->code;
  if (c->guarded) mask &= warp->pred[c->guard] ^ c->guard_invert;
  effect->active = mask;
  effect->taken = 0;
  return mask == 0 || c->run(c, warp, mask, effect, err);
}

const char *ptx_inst_text(const ptx_inst *inst) {
  return inst->code->text;
}

bool ptx_fault(const ptx_code *c, const ptx_warp *w, unsigned lane, wf_error *err,
               const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s:%u: kernel %s, CTA (%u, %u, %u), warp %u, lane %u: %s [%s]", c->file, c->line,
                 w->launch->kernel->name, w->ctaid[0], w->ctaid[1], w->ctaid[2], w->warp_in_cta,
                 lane, text, c->text);
}

HANDLER(branch) {
  (void)c, (void)w, (void)err;
  e->taken = m;
  return true;
}

HANDLER(nop) {
  (void)c, (void)w, (void)m;
  UNUSED_EFFECT;
  return true;
}

HANDLER(trap) {
  (void)e;
  return ptx_fault(c, w, (unsigned)__builtin_ctz(m), err, "the kernel executed a trap");
}

/* Operand values for the unit: 32-bit ones zero-extended, addresses with their offset. */
HANDLER(custom) {
  (void)m, (void)err;
  for (int k = 0; k < c->n_src; k++) {
    const u64 offset = (u64)c->custom_offset[k];
    u64 *to = e->operand[k];
    if (c->src[k].wide) {
      GET_u64(p, k);
      LANES to[i] = p[i] + offset;
    } else {
      const lane32 *p = ptx_in(c, w, k);
      LANES to[i] = p[i] + offset;
    }
  }
  return true;
}

/* Of the first active lane: they all say the same. */
HANDLER(barrier) {
  const u32 lane = (u32)__builtin_ctz(m), last = c->n_src - 1u;
  const bool votes = c->n_dst > 0;
  const u32 numbers = votes ? last : c->n_src;
  const u32 id = ((const lane32 *)ptx_in(c, w, 0))[lane];
  const u32 threads = numbers > 1 ? ((const lane32 *)ptx_in(c, w, 1))[lane] : 0;
  if (id > 15) return ptx_fault(c, w, lane, err, "barrier %u: there are 0 to 15", id);
  if (numbers > 1 && (threads == 0 || threads % PTX_LANES))
    return ptx_fault(c, w, lane, err, "a barrier for %u threads: that is no multiple of %d",
                     threads, PTX_LANES);
  e->operand[0][lane] = id;
  e->operand[1][lane] = threads;
  e->taken = votes ? ptx_in_pred(c, w, (int)last) & m : 0;
  return true;
}

void ptx_write_votes(const ptx_inst *inst, ptx_warp *w, uint32_t mask, uint32_t votes,
                     uint32_t threads) {
  const ptx_code *c = inst->code;
  if (c->op == 0) {
    lane32 r[PTX_LANES];
    LANES r[i] = votes;
    ptx_keep32(ptx_out(c, w, 0), r, mask);
  } else {
    ptx_keep_pred(c, w, 0, (c->op == 1 ? votes == threads : votes > 0) ? UINT32_MAX : 0, mask);
  }
}

ptx_handler *ptx_barrier_handler(void) {
  return barrier;
}
ptx_handler *ptx_branch_handler(void) {
  return branch;
}
ptx_handler *ptx_nop_handler(void) {
  return nop;
}
ptx_handler *ptx_trap_handler(void) {
  return trap;
}
ptx_handler *ptx_custom_handler(void) {
  return custom;
}
