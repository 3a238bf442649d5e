#include "sim/gpu/issue_unit.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/sleep.h"
#include "sim/ptx/code.h"

enum {
  SLOTS = 4,   /* injected loads of a warp that wait */
  QUEUED = 16, /* and of an SM */
  DECODE = 5,  /* of a branch's latency: the cycles between knowing the way and issuing */
  MAX_REGISTERS = 63,
  ADDRESS_WORDS = 2,
  NO_REGISTER = 255 /* tag of a load into the L1 alone; of others 1 + spare register */
};

/* An injected load that has not been sent. */
typedef struct slot {
  const ptx_inst *inst;
  bool adds; /* its multiply-add is still to be issued */
  bool base_v, reg_v, index_v;
  uint8_t reg, index;
  uint16_t base;
  uint32_t mask;
  uint64_t ready_at;
  uint64_t addr[PTX_LANES];
} slot;

typedef struct spare {
  uint32_t mask;
  uint64_t value[PTX_LANES]; /* as the load's destination would hold it */
} spare;

typedef struct issue_warp {
  bool offered, answered;
  wf_issue_answer answer;
  uint64_t wait_from, late_from;    /* 0: not waiting */
  uint64_t base[PTX_LANES];         /* of the answer's load, as the instruction found it */
  uint64_t pending, faulty, unread; /* by spare register */
  unsigned n_slots;
  slot slots[SLOTS];
  spare spares[WF_ISSUE_SPARE];
} issue_warp;

struct wf_issue {
  wf_unit *unit;
  const wf_issue_ops *ops;
  wf_issue_counters *counters;
  const bool *waits;
  const ptx_kernel *kernel;
  bool in_order;
  unsigned move_latency;
  uint64_t waiting; /* warps with slots in use */
  unsigned queued;  /* slots in use */
  issue_warp warps[];
};

static ptx_pc pc_of(const wf_issue *s, const ptx_inst *inst) {
  return (ptx_pc)(inst - s->kernel->insts);
}

/* ---- kernels and warps ---- */

static unsigned room(const wf_gpu_config *c, const ptx_launch *launch, unsigned fit) {
  uint32_t warps, registers;
  wf_sm_needs(c, launch, &warps, &registers);
  const unsigned used = launch->kernel->n_regs;
  unsigned given = c->registers_per_sm / (fit * warps) / c->register_granularity *
                   c->register_granularity / PTX_LANES;
  if (given > MAX_REGISTERS) given = MAX_REGISTERS;
  if (given <= used) return 0;
  return given - used < WF_ISSUE_SPARE ? given - used : WF_ISSUE_SPARE;
}

static void warp_start(wf_sm *sm, unsigned warp) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  x->offered = x->answered = false;
  x->wait_from = x->late_from = 0;
  x->pending = x->faulty = x->unread = 0;
  x->n_slots = 0;
}

static void warp_end(wf_sm *sm, unsigned warp) {
  wf_issue *s = sm->issue;
  s->counters->useless += (unsigned)__builtin_popcountll(s->warps[warp].unread);
  s->ops->warp_end(s->unit, sm->id, warp);
}

static const wf_listener listener = {.warp_start = warp_start, .warp_end = warp_end};

/* ---- telling ---- */

static void look(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  const wf_warp *w = &sm->warps[warp];
  if (w->state != WF_WARP_RUN || !w->simt.depth || x->offered) return;
  const ptx_inst *inst = wf_sm_next(w);
  if (!s->waits[pc_of(s, inst)]) return;
  if (w->ready_at > now + DECODE) {
    wf_sm_schedule(sm, w->ready_at - DECODE, (wf_wheel_event){.warp = (uint8_t)warp});
    return;
  }
  const ptx_code *c = inst->code;
  uint32_t mask = wf_simt_top(&w->simt)->mask;
  if (c->guarded) {
    const uint16_t guard = inst->src[0];
    if (w->pending[guard / 64] >> (guard % 64) & 1) return;
    mask &= w->arch.pred[c->guard] ^ c->guard_invert;
  }
  x->offered = true;
  s->ops->tell(
      s->unit,
      &(wf_issue_told){
          .sm = sm->id, .warp = warp, .pc = pc_of(s, inst), .mask = mask, .arch = &w->arch});
}

void wf_issue_answered(wf_sm *sm, unsigned warp, const wf_issue_answer *answer, uint64_t now) {
  issue_warp *x = &sm->issue->warps[warp];
  if (answer) {
    x->answer = *answer;
    x->answered = true;
    if (x->wait_from) sm->issue->counters->answer_waits += now - x->wait_from;
    x->wait_from = 0;
  }
  wf_sm_settle(sm, now);
  if (!(sm->ready >> warp & 1)) wf_sm_recheck(sm, warp, now);
}

static unsigned move_latency(const wf_sm *sm) {
  return sm->issue->move_latency;
}

static bool takes(wf_sm *sm, unsigned warp) {
  const wf_issue *s = sm->issue;
  const ptx_pc pc = pc_of(s, wf_sm_next(&sm->warps[warp]));
  if (s->waits[pc]) return !s->warps[warp].answer.inject || s->queued < QUEUED;
  if (s->ops->takes(s->unit, sm->id, pc)) return true;
  s->counters->port_waits++;
  return false;
}

/* ---- scoreboard ---- */

static bool pending(const wf_warp *w, unsigned reg) {
  return w->pending[reg / 64] >> (reg % 64) & 1;
}

/* A slot's base is read when it is sent. */
static bool writes_a_base(const issue_warp *x, const ptx_inst *inst) {
  for (unsigned i = 0; i < x->n_slots; i++)
    for (unsigned d = 0; x->slots[i].base_v && d < inst->n_dst; d++)
      if (inst->dst[d] == x->slots[i].base || inst->dst[d] == x->slots[i].base + 1) return true;
  return false;
}

static bool moves(const issue_warp *x) {
  return x->answered && x->answer.move && !(x->faulty >> x->answer.move_reg & 1);
}

static bool next_moves(const wf_sm *sm, unsigned warp) {
  const issue_warp *x = &sm->issue->warps[warp];
  return sm->issue->waits[pc_of(sm->issue, wf_sm_next(&sm->warps[warp]))] && moves(x);
}

/* A move reads no address. */
static bool move_ready(const wf_warp *w, const ptx_inst *inst) {
  for (unsigned d = 0; d < inst->n_dst; d++)
    if (pending(w, inst->dst[d])) return false;
  return !inst->code->guarded || !pending(w, inst->src[0]);
}

/* The load writes the register that the injected one has its address from: that is read with the
 * load then, not after it. */
static bool overwrites_base(const issue_warp *x, const ptx_inst *inst) {
  const wf_issue_answer *a = &x->answer;
  for (unsigned d = 0; a->inject && a->base_v && d < inst->n_dst; d++)
    if (inst->dst[d] == a->base || inst->dst[d] == a->base + 1) return true;
  return false;
}

/* Is the register free for the injected load to write it? */
static bool target_ready(const wf_issue *s, const issue_warp *x) {
  const wf_issue_answer *a = &x->answer;
  if (!a->inject) return true;
  if (x->n_slots == SLOTS || s->queued == QUEUED) return false;
  if (!a->reg_v) return true;
  for (unsigned i = 0; i < x->n_slots; i++)
    if (x->slots[i].index_v && x->slots[i].index == a->reg) return false;
  return !(x->pending >> a->reg & 1);
}

static bool may(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  const wf_issue *s = sm->issue;
  issue_warp *x = &sm->issue->warps[warp];
  const wf_warp *w = &sm->warps[warp];
  if ((inst->cls == PTX_CLASS_BRANCH || inst->cls == PTX_CLASS_EXIT) &&
      s->ops->holds(s->unit, sm->id, warp))
    return false;
  if (x->n_slots && (inst->cls == PTX_CLASS_EXIT || s->in_order || writes_a_base(x, inst)))
    return false;
  if (!s->waits[pc_of(s, inst)]) return wf_sm_operands_ready(w, inst);
  if (!x->answered) {
    if (!x->wait_from && w->ready_at <= now && wf_sm_operands_ready(w, inst)) x->wait_from = now;
    return false;
  }
  if (!moves(x)) return wf_sm_operands_ready(w, inst) && target_ready(s, x);
  if (!move_ready(w, inst) || (overwrites_base(x, inst) && !wf_sm_operands_ready(w, inst)))
    return false;
  if (x->pending >> x->answer.move_reg & 1) {
    if (!x->late_from) x->late_from = now;
    return false;
  }
  return target_ready(s, x);
}

/* ---- values ---- */

/* What the load's destination would hold. */
static uint64_t loaded(const ptx_inst *inst, const uint8_t *at) {
  uint64_t v = 0;
  memcpy(&v, at, inst->bytes);
  const unsigned bits = 8u * inst->bytes, width = 8u * inst->code->dst[0].bytes;
  if (ptx_type_kind((ptx_type)inst->code->type) == 's' && bits < 64 && v >> (bits - 1) & 1)
    v |= ~(uint64_t)0 << bits;
  return width < 64 ? v & (((uint64_t)1 << width) - 1) : v;
}

static uint64_t register_of(const ptx_warp *w, unsigned reg, unsigned bytes, unsigned lane) {
  uint64_t v = w->reg[reg][lane];
  return bytes == 8 ? v | (uint64_t)w->reg[reg + 1][lane] << 32 : v;
}

static bool check(const wf_sm *sm, unsigned warp, const ptx_inst *inst, const issue_warp *x,
                  wf_error *err) {
  const spare *from = &x->spares[x->answer.move_reg];
  if (x->pending >> x->answer.move_reg & 1)
    return wf_fail(
        err, WF_EXIT_WRONG,
        "PTX line %u, SM %u, warp %u: `%s`: a move from a register whose prefetch is under way",
        inst->line, sm->id, warp, ptx_inst_text(inst));
  const ptx_warp *w = &sm->warps[warp].arch;
  const ptx_dest *d = &inst->code->dst[0];
  for (uint32_t m = sm->effect.active; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    const uint64_t right = register_of(w, d->reg, d->bytes, l);
    if (!(from->mask >> l & 1))
      return wf_fail(err, WF_EXIT_WRONG,
                     "PTX line %u, SM %u, warp %u: `%s`: a move takes its place in lane %u, for "
                     "which nothing was prefetched",
                     inst->line, sm->id, warp, ptx_inst_text(inst), l);
    if (from->value[l] != right)
      return wf_fail(
          err, WF_EXIT_WRONG,
          "PTX line %u, SM %u, warp %u: `%s`: a move brings 0x%llx into lane %u, the load 0x%llx",
          inst->line, sm->id, warp, ptx_inst_text(inst), (unsigned long long)from->value[l], l,
          (unsigned long long)right);
  }
  return true;
}

static uint64_t extended(uint64_t v, unsigned ext) {
  return ext == 1 ? (uint64_t)(int64_t)(int32_t)v : ext == 2 ? (uint32_t)v : v;
}

/* Addresses and values of the injected load; false: a lane's address is none. */
static bool fetch(const wf_sm *sm, unsigned warp, const ptx_inst *inst, const issue_warp *x,
                  slot *q, spare *to) {
  const wf_issue_answer *a = &x->answer;
  const ptx_launch *g = sm->warps[warp].arch.launch;
  to->mask = a->mask;
  for (uint32_t m = a->mask; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t address = (uint64_t)(int64_t)a->offset;
    if (a->base_v) address += x->base[l];
    if (a->inject == WF_INJECT_TAIL)
      address += extended(x->spares[a->index].value[l], a->ext) << a->scale;
    q->addr[l] = address;
    if (address - g->global_base > g->global_bytes - inst->bytes || address & (inst->bytes - 1u))
      return false;
    to->value[l] = loaded(inst, g->global + (address - g->global_base));
  }
  return true;
}

/* ---- issue ---- */

static void executes(wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  issue_warp *x = &sm->issue->warps[warp];
  if (!sm->issue->waits[pc_of(sm->issue, inst)] || !x->answer.inject || !x->answer.base_v) return;
  for (unsigned l = 0; l < PTX_LANES; l++)
    x->base[l] = register_of(&sm->warps[warp].arch, x->answer.base, 8, l);
}

/* The answer's load: with its values at once, with its time later. */
static void accept(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  const wf_issue_answer *a = &x->answer;
  const uint64_t bit = (uint64_t)1 << a->reg;
  slot *q = &x->slots[x->n_slots];
  *q = (slot){.inst = inst,
              .adds = a->inject == WF_INJECT_TAIL,
              .base_v = a->base_v && !overwrites_base(x, inst),
              .reg_v = a->reg_v,
              .reg = a->reg,
              .base = a->base,
              .index_v = a->inject == WF_INJECT_TAIL,
              .index = a->index,
              .mask = a->mask,
              .ready_at = now + 1};
  spare cache, *to = a->reg_v ? &x->spares[a->reg] : &cache;
  const bool fault = (q->index_v && x->faulty >> a->index & 1) || !fetch(sm, warp, inst, x, q, to);
  if (a->reg_v) {
    s->counters->useless += (x->unread & bit) != 0;
    x->unread |= bit;
    x->faulty &= ~bit;
  }
  if (fault) {
    s->counters->faults++;
    x->unread &= a->reg_v ? ~bit : UINT64_MAX;
    x->faulty |= a->reg_v ? bit : 0;
  }
  if (fault || !a->mask) {
    if (a->reg_v && fault) s->ops->fault(s->unit, sm->id, warp);
    return;
  }
  if (a->reg_v) x->pending |= bit;
  x->n_slots++;
  s->queued++;
  s->waiting |= (uint64_t)1 << warp;
}

static bool issued(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now, bool *moved,
                   wf_error *err) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  *moved = false;
  if (!s->waits[pc_of(s, inst)]) {
    s->ops->tell(s->unit,
                 &(wf_issue_told){.sm = sm->id,
                                  .warp = warp,
                                  .pc = pc_of(s, inst),
                                  .mask = sm->effect.active,
                                  .taken = inst->cls == PTX_CLASS_BRANCH && sm->effect.taken,
                                  .arch = &sm->warps[warp].arch});
    return true;
  }
  if (moves(x)) {
    *moved = true;
    s->counters->replaced++;
    s->counters->replaced_lanes += (unsigned)__builtin_popcount(sm->effect.active);
    const uint64_t late = x->late_from ? now - x->late_from : 0;
    s->counters->late += x->late_from != 0;
    s->counters->late_cycles += late;
    if (sm->gpu->load_times)
      wf_load_times_moved(sm->gpu->load_times, pc_of(s, inst), late, s->move_latency);
    x->unread &= ~((uint64_t)1 << x->answer.move_reg);
    if (!check(sm, warp, inst, x, err)) return false;
  }
  if (x->answer.inject) accept(sm, warp, inst, now);
  x->offered = x->answered = false;
  x->late_from = 0;
  return true;
}

static bool base_ready(const wf_warp *w, const slot *q) {
  return !q->base_v || (!pending(w, q->base) && !pending(w, q->base + 1u));
}

/* Nothing but a slot of the scheduler and a pipeline is missing. */
static bool slot_ready(const issue_warp *x, const wf_warp *w, const slot *q, uint64_t now) {
  if (q->ready_at > now || !base_ready(w, q)) return false;
  return !q->adds || !(x->pending >> q->index & 1);
}

static void send(wf_sm *sm, unsigned warp, slot *q, uint64_t now) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  sm->warps[warp].arch.clock = now;
  sm->effect.active = q->mask;
  sm->effect.space = PTX_SPACE_GLOBAL;
  memcpy(sm->effect.addr, q->addr, sizeof q->addr);
  s->counters->injected++;
  s->counters->injected_lanes += (unsigned)__builtin_popcount(q->mask);
  s->counters->injected_cache += !q->reg_v;
  s->counters->register_reads += ADDRESS_WORDS;
  s->counters->register_writes += q->reg_v ? (q->inst->code->dst[0].bytes + 3u) / 4 : 0;
  wf_lsu_push_injected(sm, warp, q->inst, q->reg_v ? (uint8_t)(q->reg + 1) : NO_REGISTER);
  memmove(q, q + 1, (size_t)(&x->slots[--x->n_slots] - q) * sizeof *q);
  if (!x->n_slots) s->waiting &= ~((uint64_t)1 << warp);
  const bool was_full = s->queued-- == QUEUED;
  for (uint64_t m = sm->running & ~sm->ready; m; m &= m - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(m);
    if (w == warp || (was_full && s->warps[w].answered)) wf_sm_recheck(sm, w, now);
  }
}

static bool inject(wf_sm *sm, unsigned sched, uint64_t now) {
  wf_issue *s = sm->issue;
  for (uint64_t m = s->waiting & sm->sched_mask[sched]; m; m &= m - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(m);
    issue_warp *x = &s->warps[warp];
    for (unsigned i = 0; i < x->n_slots; i++) {
      slot *q = &x->slots[i];
      if (!slot_ready(x, &sm->warps[warp], q, now)) continue;
      if (!q->adds) {
        if (sm->queue_ring.count == sm->config->lsu_queue || sm->free_load == 0xffff) continue;
        send(sm, warp, q, now);
        return true;
      }
      if (sm->sp_free[sched] > now) continue;
      sm->sp_free[sched] = now + sm->config->interval[PTX_CLASS_IMUL];
      s->counters->adds++;
      s->counters->add_lanes += (unsigned)__builtin_popcount(q->mask);
      s->counters->register_reads += 1 + ADDRESS_WORDS; /* index and base */
      s->counters->register_writes += ADDRESS_WORDS;
      q->adds = q->index_v = false; /* the index has been read */
      q->ready_at = now + sm->config->latency[PTX_CLASS_IMUL];
      wf_sm_schedule(sm, q->ready_at, (wf_wheel_event){.warp = (uint8_t)warp});
      if (!(sm->ready >> warp & 1)) wf_sm_recheck(sm, warp, now);
      return true;
    }
  }
  return false;
}

static bool wants(const wf_sm *sm, uint64_t now) {
  for (uint64_t m = sm->issue->waiting; m; m &= m - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(m);
    const issue_warp *x = &sm->issue->warps[warp];
    for (unsigned i = 0; i < x->n_slots; i++)
      if (slot_ready(x, &sm->warps[warp], &x->slots[i], now + 1)) return true;
  }
  return false;
}

static void load_done(wf_sm *sm, unsigned warp, uint8_t tag) {
  wf_issue *s = sm->issue;
  if (tag == NO_REGISTER) return;
  s->warps[warp].pending &= ~((uint64_t)1 << (tag - 1));
}

static const wf_issue_stage issue_stage = {.look = look,
                                           .may = may,
                                           .moves = next_moves,
                                           .move_latency = move_latency,
                                           .takes = takes,
                                           .executes = executes,
                                           .issued = issued,
                                           .inject = inject,
                                           .wants = wants,
                                           .load_done = load_done};

static bool begin(wf_seat *seat, const wf_kernel_room *left, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  wf_unit *unit = seat->unit;
  const wf_issue_ops *ops = unit->cls->issue_stage;
  if (gpu->source && gpu->source->follows)
    return true; /* a unit that can listen to a trace does so beside its source */
  if (gpu->source)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit %s: its loads and moves cannot be recorded",
                   unit->cls->name);
  const wf_issue_settings settings = ops->settings(unit);
  const bool *waits =
      ops->kernel_start(unit, gpu->launch.kernel, room(&gpu->config, &gpu->launch, left->fit));
  for (unsigned s = 0; waits && s < gpu->config.n_sm; s++) {
    wf_issue *x = wf_calloc(1, sizeof *x + gpu->config.warps_per_sm * sizeof x->warps[0]);
    x->unit = unit;
    x->ops = ops;
    x->counters = ops->counters(unit);
    x->waits = waits;
    x->kernel = gpu->launch.kernel;
    x->in_order = settings.in_order;
    x->move_latency =
        settings.move_latency ? settings.move_latency : gpu->config.latency[PTX_CLASS_INT];
    gpu->sms[s].issue = x;
    gpu->sms[s].row.issue = &issue_stage;
    wf_row_add_listener(&gpu->sms[s].row, &listener);
  }
  return true;
}

static void end(wf_seat *seat) {
  wf_gpu *gpu = seat->gpu;
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    free(gpu->sms[s].issue);
    gpu->sms[s].issue = NULL;
    gpu->sms[s].row.issue = NULL;
  }
}

bool wf_issue_sit(wf_seat *seat, wf_error *err) {
  (void)err;
  seat->begin = begin;
  seat->end = end;
  return true;
}
