/* Opening a trace: everything is read and checked once, before anything runs; what is static is
 * kept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_progress.h"
#include "sim/base/wf_text.h"
#include "sim/trace/blocks.h"
#include "sim/trace/flow.h"
#include "sim/trace/trace_internal.h"

enum { INFO_SMS = 16, LINE_SHIFT = 7, SECTOR_SHIFT = 5, PROGRESS = 1 << 18 };
#define WINDOW_BYTES (UINT64_C(1) << 24)
#define MAX_COPY (UINT64_C(1) << 40)

static const wf_trace_format *const formats[] = {&wf_trace_nvbit, &wf_trace_accelsim};

const wf_trace_format *wf_trace_format_of(const char *path, wf_error *err) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i]->takes(path)) return formats[i];
  wf_fail(err, WF_EXIT_BAD_INPUT,
          "%s: no trace: expected a folder with kernelslist.g or a kernel-N.traceg of Accel-Sim, "
          "or the output of NVBit's "
          "mem_trace tool",
          path);
  return NULL;
}

void wf_trace_kernel_free(wf_trace_kernel *k) {
  free(k->name);
  free(k->file);
  k->name = k->file = NULL;
}

wf_trace_program *wf_trace_program_of(wf_trace *t, const wf_trace_kernel *k, bool create) {
  wf_sass_generation g = WF_SASS_AMPERE;
  wf_sass_generation_of(k->binary_version, &g);
  for (uint32_t i = 0; i < t->n_programs; i++)
    if (t->programs[i]->generation == g && !strcmp(t->programs[i]->name, k->name))
      return t->programs[i];
  if (!create) return NULL;
  t->programs = wf_realloc(t->programs, t->n_programs + 1, sizeof *t->programs);
  return t->programs[t->n_programs++] = wf_trace_program_create(k->name, g);
}

/* ---- spaces ---- */

static ptx_space window_of(const wf_trace_kernel *k, uint64_t a) {
  if (k->shared_base && a - k->shared_base < WINDOW_BYTES) return PTX_SPACE_SHARED;
  if (k->local_base && a - k->local_base < WINDOW_BYTES) return PTX_SPACE_LOCAL;
  return PTX_SPACE_GLOBAL;
}

ptx_space wf_trace_resolve(const wf_trace_kernel *k, const wf_trace_program *p, wf_trace_event *e) {
  ptx_space space = (ptx_space)p->ops[e->op].inst.space;
  if (!e->mask)
    return space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL ? space : PTX_SPACE_GLOBAL;
  const unsigned first = (unsigned)__builtin_ctz(e->mask);
  const bool generic = space == PTX_SPACE_GENERIC;
  if (generic) space = window_of(k, e->address[first]);
  if (space != PTX_SPACE_SHARED && space != PTX_SPACE_LOCAL) space = PTX_SPACE_GLOBAL;
  const uint64_t base = space == PTX_SPACE_SHARED ? k->shared_base : k->local_base;
  for (uint32_t m = e->mask; m; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    uint64_t *a = &e->address[lane];
    if (generic && window_of(k, *a) != space) {
      e->mask &= ~(1u << lane);
    } else if (space != PTX_SPACE_GLOBAL) {
      if (base && *a - base < WINDOW_BYTES) *a -= base; /* some tracers give offsets at once */
      *a &= WINDOW_BYTES - 1;
    }
  }
  return space;
}

/* ---- reading all of it ---- */

typedef struct scanner {
  wf_trace *t;
  wf_trace_reader *reader;
  const wf_trace_options *options;
  wf_reuse *reuse;
  wf_trace_launch *launch;
  wf_trace_program *program;
  uint32_t last_cta[3], last_warp, last_op,
      last_mask; /* of the instruction before, for jumps back */
  bool has_last;
  uint64_t instructions, next_progress;
} scanner;

/* Distinct units of 1 << shift bytes that the lanes' first bytes lie in. units: room for 32. */
static unsigned distinct(const wf_trace_event *e, unsigned shift, uint64_t units[PTX_LANES]) {
  unsigned n = 0;
  for (uint32_t m = e->mask; m; m &= m - 1) {
    const uint64_t unit = e->address[__builtin_ctz(m)] >> shift;
    unsigned i = n;
    while (i > 0 && units[i - 1] != unit) i--;
    if (i == 0) units[n++] = unit;
  }
  return n;
}

static unsigned sm_of(const scanner *c, const wf_trace_event *e) {
  const uint32_t *grid = c->launch->kernel.grid;
  return (unsigned)((((uint64_t)e->cta[2] * grid[1] + e->cta[1]) * grid[0] + e->cta[0]) % INFO_SMS);
}

static void count_global(scanner *c, const wf_trace_event *e, wf_trace_op *op) {
  uint64_t lines[PTX_LANES], sectors[PTX_LANES];
  const unsigned n = distinct(e, LINE_SHIFT, lines), s = distinct(e, SECTOR_SHIFT, sectors);
  for (uint32_t m = e->mask; m; m &= m - 1)
    wf_pages_touch(&c->t->pages, e->address[__builtin_ctz(m)]);
  op->lines += n;
  op->sectors += s;
  if (op->inst.cls != PTX_CLASS_LOAD) return;
  c->launch->load_lines += n;
  c->launch->load_sectors += s;
  if (!c->reuse) return;
  const uint32_t *grid = c->launch->kernel.grid;
  const uint64_t warp =
      ((((uint64_t)e->cta[2] * grid[1] + e->cta[1]) * grid[0] + e->cta[0]) << 5) + e->warp;
  for (unsigned i = 0; i < n; i++) wf_reuse_access(c->reuse, sm_of(c, e), warp, e->op, lines[i]);
}

static void count_local(wf_trace_program *p, const wf_trace_event *e) {
  if (p->given) return;
  for (uint32_t m = e->mask; m; m &= m - 1) {
    const uint64_t a = e->address[__builtin_ctz(m)];
    if (a < p->local_low) p->local_low = a & ~UINT64_C(15);
    if (a + 16 > p->local_high) p->local_high = a + 16;
  }
}

static void find_jump(scanner *c, const wf_trace_event *e) {
  wf_trace_program *p = c->program;
  const bool follows =
      c->has_last && c->last_warp == e->warp && !memcmp(c->last_cta, e->cta, sizeof e->cta);
  if (follows && p->ops[c->last_op].jumps && p->ops[e->op].pc <= p->ops[c->last_op].pc && e->mask &&
      !(e->mask & ~c->last_mask)) /* else other lanes' turn has come */
    wf_trace_add_jump(p, p->ops[c->last_op].pc, p->ops[e->op].pc);
  memcpy(c->last_cta, e->cta, sizeof e->cta);
  c->last_warp = e->warp;
  c->last_op = e->op;
  c->last_mask = e->mask;
  c->has_last = true;
}

static void count(scanner *c, wf_trace_event *e) {
  wf_trace_launch *l = c->launch;
  wf_trace_op *op = &c->program->ops[e->op];
  const unsigned lanes = (unsigned)__builtin_popcount(e->mask);
  find_jump(c, e);
  if (c->program->flow) wf_flow_see(c->program->flow, c->program, e);
  l->instructions++;
  l->threads += lanes;
  op->count++;
  op->threads += lanes;
  if (!op->addressed) return;
  l->loads += op->inst.cls == PTX_CLASS_LOAD;
  l->stores += op->inst.cls == PTX_CLASS_STORE;
  l->atomics += op->inst.cls == PTX_CLASS_ATOMIC;
  switch (wf_trace_resolve(&l->kernel, c->program, e)) {
  case PTX_SPACE_GLOBAL:
    count_global(c, e, op);
    break;
  case PTX_SPACE_LOCAL:
    count_local(c->program, e);
    break;
  default:
    break;
  }
}

static void keep_reuse(void *user, uint32_t op, wf_reuse_type type) {
  wf_trace_program *p = user;
  p->ops[op].reuse[type]++;
}

static void show_progress(scanner *c) {
  c->next_progress += PROGRESS;
  if (wf_progress_due())
    wf_progress_line("reading %.24s: %" PRIu64 " warp instructions", c->launch->kernel.name,
                     c->instructions);
}

static bool read_kernel(scanner *c, wf_error *err) {
  wf_trace_event e;
  c->has_last = false;
  for (;;) {
    if (!c->t->format->next(c->reader, c->program, &e, err)) return false;
    if (e.kind == WF_TRACE_END) break;
    if (e.kind != WF_TRACE_INST) continue;
    count(c, &e);
    if (++c->instructions >= c->next_progress) show_progress(c);
  }
  if (c->reuse) wf_reuse_end(c->reuse, keep_reuse, c->program);
  if (c->program->flow) wf_flow_end(c->program->flow);
  return true;
}

/* Of instructions that warps have in turn nothing is followed. */
static void set_flow(scanner *c) {
  wf_trace_program *p = c->program;
  if (!c->options || !c->options->flow) return;
  const bool mixed = c->t->format->mixed(c->reader);
  if (!p->flow && !p->n_ops && !mixed) p->flow = wf_flow_create();
  if (!mixed) return;
  wf_flow_destroy(p->flow);
  p->flow = NULL;
}

static bool add_launch(scanner *c, wf_trace_command *command, wf_error *err) {
  wf_trace *t = c->t;
  t->launches = wf_realloc(t->launches, t->n_launches + 1, sizeof *t->launches);
  c->launch = &t->launches[t->n_launches++];
  *c->launch = (wf_trace_launch){.kernel = command->kernel};
  wf_trace_kernel *k = &c->launch->kernel;
  c->program = k->program = wf_trace_program_of(t, k, true);
  if (!k->device_addresses) t->identity = false;
  set_flow(c);
  return read_kernel(c, err);
}

static bool add_copy(scanner *c, const wf_trace_command *command, wf_error *err) {
  if (command->bytes > MAX_COPY || command->address > UINT64_MAX - MAX_COPY)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: a copy of %" PRIu64 " bytes to 0x%" PRIx64 ": at most 2^40 bytes",
                   c->t->path, command->bytes, command->address);
  return true; /* pages are placed when an access touches them */
}

static bool scan(scanner *c, wf_error *err) {
  wf_trace *t = c->t;
  for (wf_trace_command command;;) {
    const int more = t->format->command(c->reader, &command, err);
    if (more <= 0) return more == 0;
    t->steps = wf_realloc(t->steps, t->n_steps + 1, sizeof *t->steps);
    t->steps[t->n_steps++] = (wf_trace_step){.is_copy = command.kind == WF_TRACE_COPY,
                                             .address = command.address,
                                             .bytes = command.bytes,
                                             .launch = (uint32_t)t->n_launches};
    if (command.kind == WF_TRACE_COPY ? !add_copy(c, &command, err) : !add_launch(c, &command, err))
      return false;
  }
}

static bool finish(wf_trace *t, wf_error *err) {
  if (!t->n_launches)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: there is no kernel in this trace", t->path);
  for (size_t i = 0; i < t->n_launches;
       i++) { /* registers of all launches, before kernels are made */
    wf_trace_kernel *k = &t->launches[i].kernel;
    if (k->program->given || k->registers > k->program->registers)
      k->program->registers = k->registers;
  }
  for (uint32_t i = 0; i < t->n_programs; i++) wf_trace_program_finish(t->programs[i]);
  return true;
}

wf_trace *wf_trace_open(const char *path, const wf_trace_options *options, wf_error *err) {
  const wf_trace_format *format = wf_trace_format_of(path, err);
  if (!format) return NULL;
  wf_trace *t = wf_calloc(1, sizeof *t);
  t->path = wf_strdup(path);
  t->format = format;
  t->identity = true;
  scanner c = {.t = t, .options = options, .next_progress = PROGRESS};
  if (options && options->reuse) c.reuse = wf_reuse_create();
  c.reader = format->open(path, err);
  const bool ok = c.reader && scan(&c, err) && finish(t, err);
  if (c.reader) format->close(c.reader);
  wf_progress_clear();
  wf_reuse_destroy(c.reuse);
  if (ok) return t;
  wf_trace_close(t);
  return NULL;
}

void wf_trace_close(wf_trace *t) {
  if (!t) return;
  for (uint32_t i = 0; i < t->n_programs; i++) wf_trace_program_destroy(t->programs[i]);
  for (size_t i = 0; i < t->n_launches; i++) wf_trace_kernel_free(&t->launches[i].kernel);
  wf_pages_free(&t->pages);
  free(t->programs);
  free(t->launches);
  free(t->steps);
  free(t->path);
  free(t);
}

/* ---- what is known ---- */

const wf_trace_step *wf_trace_steps(const wf_trace *t, size_t *count) {
  return *count = t->n_steps, t->steps;
}
size_t wf_trace_launch_count(const wf_trace *t) {
  return t->n_launches;
}
const char *wf_trace_format_name(const wf_trace *t) {
  return t->format->name;
}
const ptx_kernel *wf_trace_kernel_of(wf_trace *t, size_t launch) {
  return t->launches[launch].kernel.program->kernel;
}

const wf_trace_launch *wf_trace_launch_at(const wf_trace *t, size_t i) {
  return i < t->n_launches ? &t->launches[i] : NULL;
}

const wf_trace_program *wf_trace_program_at(const wf_trace *t, size_t i) {
  return i < t->n_programs ? t->programs[i] : NULL;
}

bool wf_trace_own_addresses(const wf_trace *t) {
  return t->identity;
}

uint64_t wf_trace_memory(const wf_trace *t) {
  return t->identity ? wf_pages_highest(&t->pages) : (uint64_t)t->pages.count << WF_PAGE_SHIFT;
}

void wf_trace_place(wf_trace *t, uint64_t base) {
  wf_pages_place(&t->pages, base, t->identity);
}
uint64_t wf_trace_translate(wf_trace *t, uint64_t address) {
  return wf_pages_find(&t->pages, address);
}

/* ---- unknown opcodes ---- */

typedef struct unknown {
  const char *name;
  size_t n;
  uint64_t count;
  wf_sass_generation generation;
} unknown;

static void add_unknown(unknown **list, size_t *n, const wf_trace_program *p,
                        const wf_trace_op *op) {
  const size_t length = strcspn(op->text, " ");
  for (size_t i = 0; i < *n; i++) {
    unknown *u = &(*list)[i];
    if (u->generation == p->generation && u->n == length && !memcmp(u->name, op->text, length)) {
      u->count += op->count;
      return;
    }
  }
  *list = wf_realloc(*list, *n + 1, sizeof **list);
  (*list)[(*n)++] = (unknown){op->text, length, op->count, p->generation};
}

char *wf_trace_unknown_text(const wf_trace *t) {
  unknown *list = NULL;
  size_t n = 0;
  for (uint32_t p = 0; p < t->n_programs; p++)
    for (uint32_t i = 0; i < t->programs[p]->n_ops; i++)
      if (!t->programs[p]->ops[i].known)
        add_unknown(&list, &n, t->programs[p], &t->programs[p]->ops[i]);
  char *text = wf_strdup("");
  for (size_t i = 0; i < n; i++) {
    char *longer = wf_text("%s  opcode %.*s is not known for %s: %" PRIu64
                           " warp instructions taken for ALU operations\n",
                           text, (int)list[i].n, list[i].name,
                           wf_sass_generation_name(list[i].generation), list[i].count);
    free(text);
    text = longer;
  }
  free(list);
  return text;
}

uint64_t wf_trace_lowest(const wf_trace *t) {
  return wf_pages_lowest(&t->pages);
}
