/* Follows a trace in the fabric: reads a CTA when the dispatcher starts one, keeps it packed until
 * its warps have ended, and says what each warp does next. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/trace/blocks.h"
#include "sim/trace/pack.h"
#include "sim/trace/trace_internal.h"

enum { WARPS_OF_BLOCK = 32, LOCAL_LIMIT = 1 << 16 };

typedef struct cta {
  uint32_t id[3];
  unsigned live; /* warps that run */
  wf_pack warps[WARPS_OF_BLOCK];
} cta;

typedef struct cursor {
  cta *cta;
  unsigned warp;
  wf_unpack u;
  bool ended_by_exit, over, fresh; /* fresh: what u has read was not executed yet */
} cursor;

struct wf_trace_replay {
  wf_warp_source source; /* first */
  wf_trace *t;
  wf_trace_reader *reader;
  size_t next_launch; /* index of the next kernel command */
  wf_trace_launch *launch;
  wf_trace_program *program;
  cta *starting; /* whose warps are being started */
  cta **all;     /* of formats that mix CTAs: by number, those with instructions */
  uint64_t n_all, next_cta;
  cursor *cursors; /* [WF_SOURCE_SMS][WF_SOURCE_SLOTS] */
  uint64_t bytes, peak;
  bool failed;
  wf_error error; /* found where none can be returned: told at the next issue */
};

static cursor *cursor_of(wf_trace_replay *r, const ptx_warp *w) {
  return &r->cursors[w->sm_id * WF_SOURCE_SLOTS + w->warp_slot];
}

/* ---- reading ---- */

static void translate(wf_trace_replay *r, wf_trace_event *e, ptx_space space) {
  const uint64_t low = r->program->local_low;
  for (uint32_t m = e->mask; m; m &= m - 1) {
    uint64_t *a = &e->address[__builtin_ctz(m)];
    if (space == PTX_SPACE_GLOBAL)
      *a = wf_trace_translate(r->t, *a);
    else if (space == PTX_SPACE_LOCAL)
      *a = (*a - low) & (LOCAL_LIMIT - 1);
  }
}

static bool keep(wf_trace_replay *r, cta *c, wf_trace_event *e) {
  const wf_trace_op *op = &r->program->ops[e->op];
  wf_pack *pack = &c->warps[e->warp];
  const size_t before = pack->capacity;
  if (op->addressed) {
    const ptx_space space = wf_trace_resolve(&r->launch->kernel, r->program, e);
    translate(r, e, space);
    wf_pack_put(pack, e->op, e->mask, space, e->address);
  } else {
    wf_pack_put(pack, e->op, e->mask, PTX_SPACE_NONE, NULL);
  }
  r->bytes += pack->capacity - before;
  if (r->bytes > r->peak) r->peak = r->bytes;
  return true;
}

static void release(wf_trace_replay *r, wf_pack *pack) {
  r->bytes -= pack->capacity;
  wf_pack_free(pack);
}

static bool read_event(wf_trace_replay *r, wf_trace_event *e) {
  if (r->t->format->next(r->reader, r->program, e, &r->error)) return true;
  r->failed = true;
  return false;
}

/* Reads the next CTA of a grouped trace. */
static cta *read_cta(wf_trace_replay *r) {
  cta *c = wf_calloc(1, sizeof *c);
  wf_trace_event e = {.kind = WF_TRACE_INST};
  while (!r->failed && read_event(r, &e)) {
    if (e.kind == WF_TRACE_INST) {
      memcpy(c->id, e.cta, sizeof c->id);
      keep(r, c, &e);
      continue;
    }
    if (e.kind == WF_TRACE_END) {
      wf_fail(&r->error, WF_EXIT_BAD_INPUT, "%s: the file has changed since it was checked",
              r->launch->kernel.file);
      r->failed = true;
    }
    if (e.kind == WF_TRACE_CTA_END) memcpy(c->id, e.cta, sizeof c->id);
    break;
  }
  return c;
}

static bool read_all(wf_trace_replay *r, wf_error *err) {
  const uint32_t *grid = r->launch->kernel.grid;
  wf_blocks blocks = {.grid = {grid[0], grid[1], grid[2]}};
  r->n_all = (uint64_t)grid[0] * grid[1] * grid[2];
  r->all = wf_calloc(r->n_all, sizeof *r->all);
  for (wf_trace_event e;;) {
    if (!read_event(r, &e)) return wf_fail(err, r->error.code, "%s", r->error.text);
    if (e.kind == WF_TRACE_END) return true;
    cta **slot = &r->all[wf_blocks_number(&blocks, e.cta)], *c = *slot;
    if (!c) c = *slot = wf_calloc(1, sizeof *c);
    memcpy(c->id, e.cta, sizeof c->id);
    keep(r, c, &e);
  }
}

/* ---- the source ---- */

static wf_trace_replay *self_of(wf_warp_source *s) {
  return (wf_trace_replay *)s;
}

static bool source_begin(wf_warp_source *s, const ptx_launch *launch, uint32_t shared_bytes,
                         uint64_t memory_used, wf_error *err) {
  wf_trace_replay *r = self_of(s);
  (void)launch, (void)shared_bytes, (void)memory_used;
  r->next_cta = 0;
  return !r->t->format->mixed(r->reader) || read_all(r, err);
}

static void free_cta(wf_trace_replay *r, cta *c) {
  for (unsigned w = 0; c && w < WARPS_OF_BLOCK; w++) release(r, &c->warps[w]);
  free(c);
}

static void free_all(wf_trace_replay *r) {
  for (uint64_t i = r->next_cta; i < r->n_all; i++)
    free_cta(r, r->all[i]); /* those started are their warps' */
  free(r->all);
  r->all = NULL;
  r->n_all = 0;
}

static bool source_end(wf_warp_source *s, wf_error *err) {
  wf_trace_replay *r = self_of(s);
  free_all(r);
  return !r->failed || wf_fail(err, r->error.code, "%s", r->error.text);
}

static void source_start_cta(wf_warp_source *s, uint32_t ctaid[3]) {
  wf_trace_replay *r = self_of(s);
  if (r->all) {
    r->starting = r->all[r->next_cta++]; /* numbers count as the dispatcher does */
    if (!r->starting) r->starting = wf_calloc(1, sizeof *r->starting);
    return;
  }
  r->starting = read_cta(r);
  memcpy(ctaid, r->starting->id, 3 * sizeof *ctaid);
}

/* The pc of the record that the cursor has just read, or of the end. */
static ptx_pc step(wf_trace_replay *r, cursor *c) {
  const ptx_kernel *k = r->program->kernel;
  if (c->over) return k->n_insts;
  if (!wf_unpack_next(&c->u)) {
    c->over = true;
    c->u.mask = 0;
    c->u.addressed = false;
    return c->ended_by_exit ? k->n_insts : wf_trace_program_end(r->program);
  }
  c->fresh = true;
  const wf_trace_op *op = &r->program->ops[c->u.op];
  const bool last = !c->u.addressed && c->u.at == c->u.end;
  c->ended_by_exit = last && op->is_exit;
  return wf_trace_op_index(r->program, c->u.op, last);
}

static ptx_pc source_start_warp(wf_warp_source *s, const ptx_warp *w) {
  wf_trace_replay *r = self_of(s);
  cursor *c = cursor_of(r, w);
  *c = (cursor){.cta = r->starting, .warp = w->warp_in_cta};
  c->cta->live++;
  c->u = wf_unpack_start(&c->cta->warps[c->warp]);
  return step(r, c);
}

static void source_end_warp(wf_warp_source *s, const ptx_warp *w) {
  wf_trace_replay *r = self_of(s);
  cursor *c = cursor_of(r, w);
  release(r, &c->cta->warps[c->warp]);
  if (--c->cta->live == 0) free_cta(r, c->cta);
  c->cta = NULL;
}

static bool source_execute(wf_warp_source *s, const ptx_inst *inst, ptx_warp *w, uint32_t mask,
                           ptx_effect *effect, wf_error *err) {
  wf_trace_replay *r = self_of(s);
  cursor *c = cursor_of(r, w);
  (void)mask;
  if (r->failed) return wf_fail(err, r->error.code, "%s", r->error.text);
  effect->active = c->u.mask;
  effect->taken = 0;
  effect->space = inst->space;
  c->fresh = false;
  if (!c->u.addressed) return true;
  effect->space = c->u.space;
  wf_unpack_addresses(&c->u, effect->addr);
  return true;
}

static ptx_pc source_next(wf_warp_source *s, const ptx_warp *w) {
  wf_trace_replay *r = self_of(s);
  return step(r, cursor_of(r, w));
}

static void source_ahead(wf_warp_source *s, const ptx_warp *w, wf_source_each *each, void *user) {
  wf_trace_replay *r = self_of(s);
  const cursor *c = cursor_of(r, w);
  uint64_t address[PTX_LANES];
  wf_unpack u = c->u;
  bool more = !c->over && (c->fresh || wf_unpack_next(&u));
  while (more) {
    if (u.addressed) wf_unpack_addresses(&u, address);
    more = each(user, r->program->ops[u.op].index, u.mask, u.addressed ? address : NULL) &&
           wf_unpack_next(&u);
  }
}

/* ---- life ---- */

wf_trace_replay *wf_trace_replay_create(wf_trace *t, wf_error *err) {
  wf_trace_reader *reader = t->format->open(t->path, err);
  if (!reader) return NULL;
  wf_trace_replay *r = wf_calloc(1, sizeof *r);
  r->source = (wf_warp_source){.follows = true,
                               .begin = source_begin,
                               .end = source_end,
                               .start_cta = source_start_cta,
                               .start_warp = source_start_warp,
                               .end_warp = source_end_warp,
                               .execute = source_execute,
                               .next = source_next,
                               .ahead = source_ahead};
  r->t = t;
  r->reader = reader;
  r->cursors = wf_calloc(WF_SOURCE_SMS * WF_SOURCE_SLOTS, sizeof *r->cursors);
  return r;
}

wf_warp_source *wf_trace_replay_launch(wf_trace_replay *r, size_t launch, wf_error *err) {
  for (wf_trace_command c; r->next_launch <= launch;) {
    const int more = r->t->format->command(r->reader, &c, err);
    if (more == 0)
      wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the trace has changed since it was checked", r->t->path);
    if (more <= 0) return NULL;
    if (c.kind != WF_TRACE_KERNEL) continue;
    wf_trace_kernel_free(&c.kernel);
    r->next_launch++;
  }
  r->launch = &r->t->launches[launch];
  r->program = r->launch->kernel.program;
  return &r->source;
}

uint64_t wf_trace_replay_peak(const wf_trace_replay *r) {
  return r->peak;
}

void wf_trace_replay_destroy(wf_trace_replay *r) {
  if (!r) return;
  for (unsigned i = 0; i < WF_SOURCE_SMS * WF_SOURCE_SLOTS; i++) { /* warps of a run that failed */
    cursor *c = &r->cursors[i];
    if (c->cta && --c->cta->live == 0) free_cta(r, c->cta);
  }
  free_all(r);
  r->t->format->close(r->reader);
  free(r->cursors);
  free(r);
}
