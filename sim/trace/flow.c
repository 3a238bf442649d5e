#include "sim/trace/flow.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { REGISTERS = WF_TRACE_REGISTERS, RUN = 256 };
#define NONE WF_FLOW_NONE

/* Addresses of a load's last execution by the present warp. */
typedef struct seen {
  uint64_t warp, address[PTX_LANES];
  uint32_t mask;
} seen;

struct wf_flow {
  wf_flow_op *ops;
  seen *seen;
  uint32_t n_ops, capacity;
  uint32_t *web; /* [roots]: registers that a kernel finds, then wf_flow_writes() */
  /* the present warp */
  uint64_t warp; /* counts them, from 1 */
  bool in_warp;
  uint32_t cta[3], number, full; /* full: lanes of its first instruction */
  uint32_t all[REGISTERS];       /* the value of every lane, if not split */
  bool split[REGISTERS];
  uint32_t lane[REGISTERS][PTX_LANES];
  /* instructions one after the other in memory, without a branch between */
  uint32_t run_op[RUN], run_mask[RUN], n_run;
  uint64_t last_pc;
  uint32_t last_op, last_mask;
  bool last_ends; /* a branch or an exit */
};

wf_flow *wf_flow_create(void) {
  return wf_calloc(1, sizeof(wf_flow));
}

void wf_flow_destroy(wf_flow *f) {
  if (!f) return;
  free(f->ops);
  free(f->seen);
  free(f->web);
  free(f);
}

uint32_t wf_flow_writes(uint32_t op, unsigned dst, unsigned word) {
  return REGISTERS + (op * WF_TRACE_MAX_DST + dst) * WF_FLOW_WORDS + word;
}
uint32_t wf_flow_roots(const wf_flow *f) {
  return wf_flow_writes(f->n_ops, 0, 0);
}
const wf_flow_op *wf_flow_op_at(const wf_flow *f, uint32_t op) {
  return op < f->n_ops ? &f->ops[op] : NULL;
}

uint32_t wf_flow_root(wf_flow *f, uint32_t v) {
  while (f->web[v] != v) v = f->web[v] = f->web[f->web[v]];
  return v;
}

/* ---- instructions ---- */

static const char *take_list(const char *p, uint8_t *n, uint16_t *list, unsigned most) {
  char *end;
  const unsigned long count = strtoul(p, &end, 10);
  *n = (uint8_t)(count < most ? count : most);
  for (unsigned i = 0; i < *n; i++) {
    p = end + strcspn(end, "R");
    const bool uniform = p > end && p[-1] == 'U';
    list[i] = (uint16_t)(strtoul(*p ? p + 1 : p, &end, 10) + (uniform ? WF_TRACE_UR0 : 0));
  }
  return end + strspn(end, " \t");
}

static bool has(const wf_flow_op *o, const char *suffix) {
  const size_t n = strlen(suffix);
  for (size_t i = 0; i + n < o->opcode_bytes; i++)
    if (o->opcode[i] == '.' && !memcmp(o->opcode + i + 1, suffix, n) &&
        (i + 1 + n == o->opcode_bytes || o->opcode[i + 1 + n] == '.'))
      return true;
  return false;
}

/* The op's key is what the reader found well formed: "1 R8 LDG.E 1 R2 4"; of our own header,
 * anything. */
static wf_flow_op parse(const wf_trace_op *op) {
  wf_flow_op o = {.target = NONE, .dst_words = 1};
  for (unsigned s = 0; s < WF_TRACE_MAX_SRC; s++) o.reads[s] = NONE;
  if (!op->key_bytes) return o;
  o.opcode = take_list(op->key, &o.n_dst, o.dst, WF_TRACE_MAX_DST);
  const size_t length = strcspn(o.opcode, " \t");
  o.opcode_bytes = (uint8_t)(length < 64 ? length : 64);
  take_list(o.opcode + length, &o.n_src, o.src, WF_TRACE_MAX_SRC);
  const unsigned bytes = (unsigned)op->inst.bytes * op->inst.vec;
  if (op->inst.cls == PTX_CLASS_LOAD || op->inst.cls == PTX_CLASS_ATOMIC)
    o.dst_words = bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
  else if (op->inst.cls == PTX_CLASS_FP64 || has(&o, "WIDE") || has(&o, "64"))
    o.dst_words = 2;
  return o;
}

static void grow(wf_flow *f, const wf_trace_program *p) {
  if (p->n_ops > f->capacity) {
    f->capacity = 2 * p->n_ops;
    f->ops = wf_realloc(f->ops, f->capacity, sizeof *f->ops);
    f->seen = wf_realloc(f->seen, f->capacity, sizeof *f->seen);
    f->web = wf_realloc(f->web, wf_flow_writes(f->capacity, 0, 0), sizeof *f->web);
  }
  if (!f->n_ops)
    for (uint32_t r = 0; r < REGISTERS; r++) f->web[r] = r;
  for (; f->n_ops < p->n_ops; f->n_ops++) {
    f->ops[f->n_ops] = parse(&p->ops[f->n_ops]);
    f->seen[f->n_ops] = (seen){0};
    for (uint32_t v = wf_flow_writes(f->n_ops, 0, 0); v < wf_flow_writes(f->n_ops + 1, 0, 0); v++)
      f->web[v] = v;
  }
}

/* ---- guards and branches ---- */

/* Without a branch between them instructions have the same lanes, but for their guards. */
static void end_run(wf_flow *f) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < f->n_run; i++) lanes |= f->run_mask[i];
  for (uint32_t i = 0; i < f->n_run; i++)
    if (f->run_mask[i] != lanes || !f->run_mask[i]) f->ops[f->run_op[i]].guarded = true;
  f->n_run = 0;
}

static void see_path(wf_flow *f, const wf_trace_program *p, const wf_trace_event *e) {
  const wf_trace_op *op = &p->ops[e->op];
  enum { FAR = 32 }; /* bytes; the oldest formats have control words between instructions */
  if (f->n_run == RUN || f->last_ends || op->pc <= f->last_pc || op->pc - f->last_pc > FAR) {
    end_run(f);
    /* Lanes that took the branch go on; if the others come first, it is seen another time. */
    if (f->last_ends && f->last_mask && e->mask && !(e->mask & ~f->last_mask))
      f->ops[f->last_op].target = e->op;
  }
  f->run_op[f->n_run] = e->op;
  f->run_mask[f->n_run++] = e->mask;
  f->last_op = e->op;
  f->last_mask = e->mask;
  f->last_pc = op->pc;
  f->last_ends = op->inst.cls == PTX_CLASS_BRANCH || op->is_exit;
}

/* ---- values ---- */

static void join(wf_flow *f, uint32_t *reads, uint32_t value) {
  if (*reads == NONE) *reads = value;
  if (*reads != value) f->web[wf_flow_root(f, value)] = wf_flow_root(f, *reads);
}

static void read_register(wf_flow *f, uint32_t *reads, unsigned reg, uint32_t mask) {
  if (!f->split[reg]) {
    join(f, reads, f->all[reg]);
    return;
  }
  for (uint32_t before = NONE; mask; mask &= mask - 1) {
    const uint32_t value = f->lane[reg][__builtin_ctz(mask)];
    if (value != before) join(f, reads, before = value);
  }
}

static void write_register(wf_flow *f, unsigned reg, uint32_t mask, uint32_t value) {
  if (!(f->full & ~mask)) {
    f->all[reg] = value;
    f->split[reg] = false;
    return;
  }
  for (unsigned l = 0; !f->split[reg] && l < PTX_LANES; l++) f->lane[reg][l] = f->all[reg];
  f->split[reg] = true;
  for (; mask; mask &= mask - 1) f->lane[reg][__builtin_ctz(mask)] = value;
}

static void see_values(wf_flow *f, const wf_trace_event *e) {
  wf_flow_op *o = &f->ops[e->op];
  for (unsigned s = 0; s < o->n_src; s++)
    if (!wf_trace_no_register(o->src[s])) read_register(f, &o->reads[s], o->src[s], e->mask);
  for (unsigned d = 0; d < o->n_dst; d++)
    for (unsigned w = 0; w < o->dst_words && !wf_trace_no_register(o->dst[d] + w); w++)
      write_register(f, o->dst[d] + w, e->mask, wf_flow_writes(e->op, d, w));
}

/* ---- addresses ---- */

static void see_addresses(wf_flow *f, const wf_trace_event *e) {
  wf_flow_op *o = &f->ops[e->op];
  seen *before = &f->seen[e->op];
  for (uint32_t m = before->warp == f->warp ? e->mask & before->mask : 0; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    const int64_t step = (int64_t)(e->address[lane] - before->address[lane]);
    if (o->votes == 0) o->stride = step; /* the majority's, if there is one */
    o->votes += o->stride == step ? 1 : -1;
    o->moves++;
    o->same += o->stride == step;
  }
  if (before->warp != f->warp) before->mask = 0;
  before->warp = f->warp;
  before->mask |= e->mask;
  for (uint32_t m = e->mask; m; m &= m - 1)
    before->address[__builtin_ctz(m)] = e->address[__builtin_ctz(m)];
}

/* ---- warps ---- */

static void start_warp(wf_flow *f, const wf_trace_event *e) {
  end_run(f);
  f->in_warp = true;
  f->warp++;
  memcpy(f->cta, e->cta, sizeof f->cta);
  f->number = e->warp;
  f->full = e->mask;
  f->last_ends = false;
  f->last_pc = UINT64_MAX;
  for (uint32_t r = 0; r < REGISTERS; r++) f->all[r] = r;
  memset(f->split, 0, sizeof f->split);
}

void wf_flow_see(wf_flow *f, const wf_trace_program *p, const wf_trace_event *e) {
  grow(f, p);
  if (!f->in_warp || f->number != e->warp || memcmp(f->cta, e->cta, sizeof f->cta))
    start_warp(f, e);
  see_path(f, p, e);
  if (!e->mask) return;
  see_values(f, e);
  if (p->ops[e->op].addressed && p->ops[e->op].inst.cls == PTX_CLASS_LOAD) see_addresses(f, e);
}

void wf_flow_end(wf_flow *f) {
  end_run(f);
  f->in_warp = false;
}
