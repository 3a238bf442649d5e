#include "sim/gpu/issue_unit.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/sleep.h"
#include "sim/gpu/sm_clock.h"
#include "sim/ptx/code.h"

enum {
  PLACES = 32,         /* of an SM's injected loads, at most */
  DECODE = 5,          /* of a branch's latency: the cycles between knowing the way and issuing */
  FAR_AHEAD = 1 << 12, /* instructions of a trace's warp that are looked at */
  MAX_REGISTERS = 63,
  ADDRESS_WORDS = 2,
  NO_REGISTER = 255 /* tag of a load into the L1 alone; of others 1 + spare register */
};

/* Of a place in the unit: what is on its way there, of a tail from the multiply-add, or of a base
 * that the instruction overwrites; then to check what comes back. */
typedef struct place {
  const ptx_inst *inst; /* that it came with */
  bool kept;            /* an address was sent */
  bool whole;           /* of a trace: that is all of the load's address */
  wf_issue_addresses sent;
} place;

typedef struct spare {
  uint32_t mask;
  uint64_t
      value[PTX_LANES]; /* as the load's destination would hold it; of a trace: where it lies */
  const ptx_inst *inst; /* that it was loaded for */
} spare;

typedef struct issue_warp {
  bool offered, answered;
  wf_issue_answer answer;
  uint64_t wait_from, late_from; /* 0: not waiting */
  uint64_t coming, unread;       /* by spare register, to check and to count */
  spare spares[WF_ISSUE_SPARE];
} issue_warp;

struct wf_issue {
  wf_unit *unit;
  const wf_issue_ops *ops;
  wf_issue_counters *counters;
  const wf_issue_wires *wires;
  const bool *asks;
  const ptx_kernel *kernel;
  wf_warp_source *trace; /* instructions come from it; NULL: they do not */
  bool in_order, one_try;
  unsigned move_latency, cycles;
  uint64_t refused[WF_MAX_SCHEDULERS]; /* the cycle in which the scheduler last asked in vain */
  place places[PLACES];
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
  x->coming = x->unread = 0;
}

static void warp_end(wf_sm *sm, unsigned warp) {
  wf_issue *s = sm->issue;
  s->counters->useless += (unsigned)__builtin_popcountll(s->warps[warp].unread);
  s->ops->warp_end(s->unit, sm->id, warp);
}

static const wf_listener listener = {.warp_start = warp_start, .warp_end = warp_end};

/* ---- telling ---- */

static bool take_mask(void *user, ptx_pc pc, uint32_t mask, const uint64_t *addresses) {
  (void)pc, (void)addresses;
  *(uint32_t *)user = mask;
  return false;
}

/* Lanes that will run the warp's next instruction. False: its guard is not known yet. */
static bool next_mask(const wf_issue *s, const wf_warp *w, const ptx_inst *inst, uint32_t *mask) {
  const ptx_code *c = inst->code;
  *mask = 0;
  if (s->trace) return s->trace->ahead(s->trace, &w->arch, take_mask, mask), true;
  *mask = wf_simt_top(&w->simt)->mask;
  if (!c->guarded) return true;
  const uint16_t guard = inst->src[0];
  *mask &= w->arch.pred[c->guard] ^ c->guard_invert;
  return !(w->pending[guard / 64] >> (guard % 64) & 1);
}

static void look(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  const wf_warp *w = &sm->warps[warp];
  if (w->state != WF_WARP_RUN || !w->simt.depth || x->offered) return;
  if (w->ready_at > now + DECODE) { /* wf_issue_next() too says nothing before */
    wf_sm_schedule(sm, w->ready_at - DECODE, (wf_wheel_event){.warp = (uint8_t)warp});
    return;
  }
  const ptx_inst *inst = wf_sm_next(w);
  uint32_t mask;
  if (!s->asks[pc_of(s, inst)] || !next_mask(s, w, inst, &mask)) return;
  x->offered = true;
  s->ops->tell(
      s->unit,
      &(wf_issue_told){
          .sm = sm->id, .warp = warp, .pc = pc_of(s, inst), .mask = mask, .arch = &w->arch});
}

void wf_issue_answered(wf_sm *sm, unsigned warp, const wf_issue_answer *answer, uint64_t now) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  if (answer) {
    x->answer = *answer;
    x->answered = true;
    if (x->wait_from) s->counters->answer_waits += now - x->wait_from;
    x->wait_from = 0;
  }
  wf_sm_settle(sm, now);
  sm->ready &= ~((uint64_t)1 << warp);
  wf_sm_recheck(sm, warp, now);
  if (s->wires->offered && sm->wake > now) sm->wake = now;
}

bool wf_issue_next(const wf_sm *sm, unsigned warp, uint64_t now, ptx_pc *pc) {
  const wf_warp *w = &sm->warps[warp];
  if (w->state == WF_WARP_FREE || !w->simt.depth || w->ready_at > now + DECODE) return false;
  *pc = pc_of(sm->issue, wf_sm_next(w));
  return true;
}

/* What is said in this cycle is heard at the edge of the unit with which the next begins; of an SM
 * with a clock of its own at the first one after it. */
static bool turn(const wf_sm *sm) {
  return (wf_sm_now(sm) + 1) % sm->issue->cycles == 0;
}

static unsigned move_latency(const wf_sm *sm) {
  return sm->issue->move_latency;
}

/* ---- scoreboard ---- */

static bool pending(const wf_warp *w, unsigned reg) {
  return w->pending[reg / 64] >> (reg % 64) & 1;
}

static bool moves(const wf_issue *s, unsigned warp) {
  return s->wires->now.go & s->wires->now.moves & (uint64_t)1 << warp;
}

static bool chosen_moves(const wf_issue *s, unsigned warp) {
  return s->wires->chosen.go & s->wires->chosen.moves & (uint64_t)1 << warp;
}

static bool next_moves(const wf_sm *sm, unsigned warp) {
  return sm->issue->asks[pc_of(sm->issue, wf_sm_next(&sm->warps[warp]))] &&
         chosen_moves(sm->issue, warp);
}

/* A move reads no address. */
static bool move_ready(const wf_warp *w, const ptx_inst *inst) {
  for (unsigned d = 0; d < inst->n_dst; d++)
    if (pending(w, inst->dst[d])) return false;
  return !inst->code->guarded || !pending(w, inst->src[0]);
}

/* The unit keeps a load back: it has no answer yet, or its move's register is still to come. */
static void note_wait(issue_warp *x, const wf_warp *w, const ptx_inst *inst, uint64_t now) {
  if (w->ready_at > now) return;
  if (!x->answered) {
    if (!x->wait_from && wf_sm_operands_ready(w, inst)) x->wait_from = now;
  } else if (x->answer.move && x->coming >> x->answer.move_reg & 1 && move_ready(w, inst)) {
    if (!x->late_from) x->late_from = now;
  }
}

/* The unit has said of a load that it asks about what becomes of it, and that it goes. */
static bool answer_goes(const wf_issue *s, const wf_issue_flags *f, unsigned warp,
                        const ptx_inst *inst) {
  return !s->asks[pc_of(s, inst)] || (s->warps[warp].answered && f->go >> warp & 1);
}

/* The unit has nothing against the instruction, whatever it is told of it. */
static bool let(const wf_issue *s, const wf_issue_flags *f, unsigned warp, const ptx_inst *inst) {
  const uint64_t bit = (uint64_t)1 << warp;
  const bool exits = inst->cls == PTX_CLASS_EXIT;
  if ((inst->cls == PTX_CLASS_BRANCH || exits) && f->held & bit) return false;
  if (f->hold & bit || (f->waits & bit && (exits || s->in_order))) return false;
  return answer_goes(s, f, warp, inst);
}

static bool base_pending(const wf_warp *w, unsigned base) {
  return pending(w, base) || pending(w, base + 1u);
}

/* The base of what is injected stands where a load has no second source: the unit then sees to it
 * that nobody overwrites it before it is read. */
static bool base_there(const wf_warp *w, const wf_issue_answer *a) {
  return !a->inject || !a->base_v || a->over || !base_pending(w, a->base);
}

static bool may(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  const wf_issue *s = sm->issue;
  issue_warp *x = &sm->issue->warps[warp];
  const wf_warp *w = &sm->warps[warp];
  const wf_issue_flags *f = &s->wires->chosen;
  if (!let(s, f, warp, inst)) {
    if (!answer_goes(s, f, warp, inst)) note_wait(x, w, inst, now);
    return false;
  }
  if (!s->asks[pc_of(s, inst)]) return wf_sm_operands_ready(w, inst);
  if (!base_there(w, &x->answer)) return false;
  if (!chosen_moves(s, warp)) return wf_sm_operands_ready(w, inst);
  return move_ready(w, inst) && (!x->answer.over || wf_sm_operands_ready(w, inst));
}

/* ---- a scheduler's turn ---- */

static bool load_goes(wf_issue *s, unsigned warp) {
  return s->wires->load_ready && moves(s, warp) == chosen_moves(s, warp);
}

static bool takes(wf_sm *sm, unsigned warp) {
  wf_issue *s = sm->issue;
  const ptx_inst *inst = wf_sm_next(&sm->warps[warp]);
  const ptx_pc pc = pc_of(s, inst);
  uint64_t *refused = &s->refused[warp % sm->config->schedulers];
  if (s->one_try && *refused == sm->last_tick) return false;
  if (let(s, &s->wires->now, warp, inst) &&
      (s->asks[pc] ? load_goes(s, warp) : s->ops->takes(s->unit, sm->id, warp, pc)))
    return true;
  *refused = sm->last_tick;
  s->counters->port_waits++;
  return false;
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

/* A trace has no values: what was loaded from the same address is taken for right. */
static void check_places(const wf_sm *sm, const spare *from) {
  for (uint32_t m = sm->effect.active; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    sm->issue->counters->moved_elsewhere +=
        !(from->mask >> l & 1) || from->value[l] != sm->effect.addr[l];
  }
}

static bool check(const wf_sm *sm, unsigned warp, const ptx_inst *inst, const issue_warp *x,
                  wf_error *err) {
  const spare *from = &x->spares[x->answer.move_reg];
  if (x->coming >> x->answer.move_reg & 1)
    return wf_fail(
        err, WF_EXIT_WRONG,
        "PTX line %u, SM %u, warp %u: `%s`: a move from a register whose prefetch is under way",
        inst->line, sm->id, warp, ptx_inst_text(inst));
  if (sm->issue->trace) return check_places(sm, from), true;
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

/* The unit gives back what it was sent, or says that it is no address, which it is not. */
static bool came_back(const wf_sm *sm, const wf_issue_offer *o, wf_error *err) {
  const wf_issue_addresses *is = &o->address, *was = &sm->issue->places[o->place].sent;
  bool same = !was->none;
  if (!sm->issue->places[o->place].kept)
    return wf_fail(err, WF_EXIT_WRONG,
                   "SM %u, warp %u: place %u brings back an address, none went in", sm->id, o->warp,
                   o->place);
  for (uint32_t m = o->mask; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    same &= is->lane[l] == was->lane[l];
    if (!is->none && is->lane[l] != was->lane[l])
      return wf_fail(
          err, WF_EXIT_WRONG,
          "SM %u, warp %u: place %u brings back address 0x%llx of lane %u, 0x%llx went in", sm->id,
          o->warp, o->place, (unsigned long long)is->lane[l], l, (unsigned long long)was->lane[l]);
  }
  return same == !is->none ||
         wf_fail(err, WF_EXIT_WRONG, "SM %u, warp %u: place %u has %s address, and should not",
                 sm->id, o->warp, o->place, is->none ? "no" : "an");
}

/* Where a trace's load of the place will go, in the iteration in which the index was loaded. */
typedef struct search {
  const wf_issue *s;
  const spare *index;
  const ptx_inst *inst;
  uint32_t wanted, reached; /* lanes; that have come by the index */
  wf_issue_addresses *to;
  unsigned steps;
} search;

static bool search_step(void *user, ptx_pc pc, uint32_t mask, const uint64_t *addresses) {
  search *x = user;
  const ptx_inst *inst = &x->s->kernel->insts[pc];
  if (addresses && inst == x->index->inst)
    for (uint32_t m = mask & x->wanted; m; m &= m - 1)
      if (addresses[__builtin_ctz(m)] == x->index->value[__builtin_ctz(m)]) x->reached |= m & -m;
  if (addresses && inst == x->inst)
    for (uint32_t m = mask & x->wanted & x->reached; m; m &= m - 1) {
      x->to->lane[__builtin_ctz(m)] = addresses[__builtin_ctz(m)];
      x->wanted ^= m & -m;
    }
  return x->wanted && ++x->steps < FAR_AHEAD;
}

static void add_of_trace(const wf_sm *sm, const wf_issue_offer *o) {
  wf_issue *s = sm->issue;
  place *p = &s->places[o->place];
  search x = {.s = s,
              .index = &s->warps[o->warp].spares[o->index],
              .inst = p->inst,
              .wanted = o->mask,
              .to = &p->sent};
  p->kept = p->whole = true;
  p->sent.mask = o->mask;
  s->trace->ahead(s->trace, &sm->warps[o->warp].arch, search_step, &x);
  p->sent.none = x.wanted != 0;
}

/* An injected multiply-add: addresses for the place, from its base if that was kept. */
static void add(wf_sm *sm, const wf_issue_offer *o) {
  if (sm->issue->trace) {
    add_of_trace(sm, o);
    return;
  }
  const uint64_t(*index) = sm->issue->warps[o->warp].spares[o->index].value;
  const ptx_warp *w = &sm->warps[o->warp].arch;
  wf_issue_addresses *made = &sm->issue->places[o->place].sent;
  sm->issue->places[o->place].kept = true;
  made->mask = o->mask;
  made->none = o->sum && o->address.none;
  for (unsigned l = 0; l < PTX_LANES; l++)
    made->lane[l] =
        (extended(index[l], o->ext) << o->scale) + (o->sum      ? o->address.lane[l]
                                                    : o->base_v ? register_of(w, o->base, 8, l)
                                                                : 0);
}

/* Addresses and values of an injected load; false: a lane's address is none. */
static bool fetch(const wf_sm *sm, const wf_issue_offer *o, uint64_t addr[PTX_LANES], spare *to) {
  const place *from = &sm->issue->places[o->place];
  const ptx_warp *w = &sm->warps[o->warp].arch;
  const ptx_launch *g = w->launch;
  const bool trace = sm->issue->trace != NULL;
  const uint64_t offset = trace && from->whole ? 0 : (uint64_t)(int64_t)o->offset;
  to->mask = o->mask;
  to->inst = from->inst;
  if (o->sum && o->address.none) return false;
  for (uint32_t m = o->mask; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    addr[l] = (o->sum  ? o->address.lane[l]
               : trace ? from->sent.lane[l]
                       : register_of(w, o->base, 8, l)) +
              offset;
    if (addr[l] - g->global_base > g->global_bytes - from->inst->bytes ||
        addr[l] & (from->inst->bytes - 1u))
      return false;
    to->value[l] = trace ? addr[l] : loaded(from->inst, g->global + (addr[l] - g->global_base));
  }
  return true;
}

/* ---- issue ---- */

/* The old value of a base that the instruction overwrites is read before. */
static void executes(wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  wf_issue *s = sm->issue;
  const issue_warp *x = &s->warps[warp];
  if (!s->asks[pc_of(s, inst)] || !x->answer.inject) return;
  place *to = &s->places[s->wires->place];
  to->inst = inst;
  to->kept = x->answer.over;
  to->whole = false;
  if (!x->answer.over) return;
  s->counters->register_reads += ADDRESS_WORDS;
  to->sent = (wf_issue_addresses){.mask = x->answer.mask};
  if (s->trace) return; /* known when it has been executed */
  for (unsigned l = 0; l < PTX_LANES; l++)
    to->sent.lane[l] = register_of(&sm->warps[warp].arch, x->answer.base, 8, l);
}

/* Of a trace: the base that the executed load's address tells, in the lanes that ran it. */
static void keep_base(const wf_sm *sm, const issue_warp *x) {
  wf_issue_addresses *to = &sm->issue->places[sm->issue->wires->place].sent;
  *to = (wf_issue_addresses){.mask = x->answer.mask};
  for (uint32_t m = sm->effect.active & x->answer.mask; m; m &= m - 1) {
    const unsigned l = (unsigned)__builtin_ctz(m);
    to->lane[l] = sm->effect.addr[l] - (uint64_t)(int64_t)x->answer.own;
  }
}

/* What an injected load is, beside its address: bytes, sign, width of the destination. */
static unsigned type_of(const ptx_inst *inst) {
  const bool sign = ptx_type_kind((ptx_type)inst->code->type) == 's';
  return (unsigned)__builtin_ctz(inst->bytes) | (sign ? 4u : 0) |
         (inst->code->dst[0].bytes == 8 ? 8u : 0);
}

/* To check and to count: what moves find. */
static void note_injected(wf_issue *s, issue_warp *x) {
  const uint64_t bit = (uint64_t)1 << x->answer.reg;
  if (!x->answer.inject || !x->answer.reg_v) return;
  s->counters->useless += (x->unread & bit) != 0;
  x->unread |= bit;
  x->coming |= bit;
}

/* A trace's branch has the lanes that take it. */
static uint32_t taken_lanes(const wf_sm *sm) {
  return sm->issue->trace ? sm->effect.active : sm->effect.taken;
}

static bool issued(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now, bool *moved,
                   wf_error *err) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[warp];
  *moved = false;
  if (!s->asks[pc_of(s, inst)]) {
    s->ops->tell(s->unit,
                 &(wf_issue_told){.sm = sm->id,
                                  .warp = warp,
                                  .pc = pc_of(s, inst),
                                  .mask = sm->effect.active,
                                  .taken = inst->cls == PTX_CLASS_BRANCH && taken_lanes(sm),
                                  .arch = &sm->warps[warp].arch});
    return true;
  }
  *moved = moves(s, warp);
  if (s->trace && x->answer.inject) keep_base(sm, x);
  s->ops->issues(s->unit, sm->id, warp, type_of(inst),
                 x->answer.inject && x->answer.over ? &s->places[s->wires->place].sent : NULL);
  if (*moved) {
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
  note_injected(s, x);
  x->offered = x->answered = false;
  x->late_from = 0;
  return true;
}

static void send_add(wf_sm *sm, const wf_issue_offer *o, unsigned sched, uint64_t now) {
  wf_issue *s = sm->issue;
  sm->sp_free[sched] = now + sm->config->interval[PTX_CLASS_IMUL];
  s->counters->adds++;
  s->counters->add_lanes += (unsigned)__builtin_popcount(o->mask);
  s->counters->register_reads += 1 + (o->base_v ? ADDRESS_WORDS : 0); /* index and base */
  add(sm, o);
  wf_sm_schedule(sm, now + sm->config->latency[PTX_CLASS_IMUL],
                 (wf_wheel_event){.warp = o->warp, .kind = WF_WHEEL_SUM, .tag = o->place});
}

/* Into the load/store unit, or back at once if an address is none. */
static bool send_load(wf_sm *sm, const wf_issue_offer *o, uint64_t now, wf_error *err) {
  wf_issue *s = sm->issue;
  issue_warp *x = &s->warps[o->warp];
  const ptx_inst *inst = s->places[o->place].inst;
  const uint8_t tag = o->reg_v ? (uint8_t)(o->reg + 1) : NO_REGISTER;
  if (o->type != type_of(inst))
    return wf_fail(err, WF_EXIT_WRONG, "SM %u, warp %u: an injected load as `%s` of type %u",
                   sm->id, o->warp, ptx_inst_text(inst), o->type);
  spare cache;
  s->counters->register_reads += o->sum ? 0 : ADDRESS_WORDS;
  if (!fetch(sm, o, sm->effect.addr, o->reg_v ? &x->spares[o->reg] : &cache)) {
    s->counters->faults++;
    if (o->reg_v) x->unread &= ~((uint64_t)1 << o->reg);
    wf_lsu_fail_injected(sm, o->warp, inst, tag, now);
    return true;
  }
  sm->warps[o->warp].arch.clock = now;
  sm->effect.active = o->mask;
  sm->effect.space = PTX_SPACE_GLOBAL;
  s->counters->injected++;
  s->counters->injected_lanes += (unsigned)__builtin_popcount(o->mask);
  s->counters->injected_cache += !o->reg_v;
  s->counters->register_writes += o->reg_v ? inst->n_dst : 0;
  wf_lsu_push_injected(sm, o->warp, inst, tag);
  return true;
}

/* The unit's offer issues as any instruction: its operands there, its pipe free. */
static bool inject(wf_sm *sm, unsigned sched, uint64_t now, bool *took, wf_error *err) {
  wf_issue *s = sm->issue;
  const wf_issue_offer *o = &s->wires->offer;
  *took = false;
  if (!s->wires->offered || !(sm->sched_mask[sched] >> o->warp & 1)) return true;
  if (o->add ? sm->sp_free[sched] > now
             : sm->queue_ring.count == sm->config->lsu_queue || sm->free_load == 0xffff)
    return true;
  const wf_issue_offer taken = *o;
  *took = true;
  s->ops->takes_offer(s->unit, sm->id);
  if (taken.base_v && base_pending(&sm->warps[taken.warp], taken.base))
    return wf_fail(err, WF_EXIT_WRONG, "SM %u, warp %u: an injected load reads a base to come",
                   sm->id, taken.warp);
  if (taken.sum && !came_back(sm, &taken, err)) return false;
  if (!taken.add) return send_load(sm, &taken, now, err);
  send_add(sm, &taken, sched, now);
  return true;
}

static bool wants(const wf_sm *sm, uint64_t now) {
  (void)now;
  return sm->issue->wires->offered;
}

static bool load_done(wf_sm *sm, unsigned warp, uint8_t tag, bool failed) {
  wf_issue *s = sm->issue;
  if (tag == NO_REGISTER) return true;
  if (!turn(sm) || !s->wires->done_ready) return false;
  s->ops->done(s->unit, sm->id, warp, tag - 1u, failed);
  s->warps[warp].coming &= ~((uint64_t)1 << (tag - 1));
  return true;
}

static bool sum(wf_sm *sm, uint8_t at) {
  return turn(sm) && sm->issue->ops->sum(sm->issue->unit, sm->id, at, &sm->issue->places[at].sent);
}

static const wf_issue_stage issue_stage = {.turn = turn,
                                           .look = look,
                                           .may = may,
                                           .moves = next_moves,
                                           .move_latency = move_latency,
                                           .takes = takes,
                                           .executes = executes,
                                           .issued = issued,
                                           .inject = inject,
                                           .wants = wants,
                                           .load_done = load_done,
                                           .sum = sum};

static bool begin(wf_seat *seat, const wf_kernel_room *left, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  wf_unit *unit = seat->unit;
  const wf_issue_ops *ops = unit->cls->issue_stage;
  const bool follows = gpu->source && gpu->source->follows;
  if (follows && !ops->settings(unit).trace) return true; /* the unit listens to it, or does not */
  if (gpu->source && !follows)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit %s: its loads and moves cannot be recorded",
                   unit->cls->name);
  const wf_issue_settings settings = ops->settings(unit);
  const bool *asks =
      ops->kernel_start(unit, gpu->launch.kernel, room(&gpu->config, &gpu->launch, left->fit));
  for (unsigned s = 0; asks && s < gpu->config.n_sm; s++) {
    wf_issue *x = wf_calloc(1, sizeof *x + gpu->config.warps_per_sm * sizeof x->warps[0]);
    x->unit = unit;
    x->ops = ops;
    x->wires = ops->wires(unit, s);
    x->counters = ops->counters(unit);
    x->asks = asks;
    x->kernel = gpu->launch.kernel;
    x->trace = follows ? gpu->source : NULL;
    x->in_order = settings.in_order;
    x->one_try = settings.one_try;
    x->cycles = settings.cycles;
    memset(x->refused, -1, sizeof x->refused);
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
