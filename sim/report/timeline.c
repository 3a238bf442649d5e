#include "sim/report/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/energy/collect.h"
#include "sim/gpu/observe.h"

enum { PID_KERNELS, PID_GRIDS, PID_UNITS, PID_GPU, PID_SM = 10, TID_BLOCK = 1, TID_WARP = 101 };
enum { MAX_SLOTS = 64, MAX_UNITS = 32 }; /* blocks or warps of an SM */

/* What is there now: a block, a warp, a unit at work. */
typedef struct open_event {
  uint64_t since;
  const char *name;
  uint32_t grid, block[3];
  unsigned warps;
} open_event;

/* Warps of an SM's blocks: what they are from `since` on is written when that is over. */
typedef struct held_warps {
  uint64_t since;
  unsigned n, written;
} held_warps;

struct wf_timeline {
  wf_out_file out;
  wf_timeline_settings set;
  bool first;
  unsigned n_sm;
  open_event *blocks, *at_warps; /* MAX_SLOTS of an SM */
  open_event kernel;
  uint32_t kernel_threads[3];
  uint64_t units[MAX_UNITS];
  uint64_t kernels; /* of the host, begun so far */
  held_warps *held; /* of an SM */
  wf_observer observer;
  const wf_gpu *gpu;
  const wf_energy_model *energy;
  wf_energy_counts then; /* at the last value of power, */
  uint64_t then_cycle;
};

/* ---- writing ---- */

static void put_text(FILE *f, const char *text) {
  fputc('"', f);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < ' ')
      fprintf(f, "\\u%04x", *c);
    else if (*c == '"' || *c == '\\')
      fprintf(f, "\\%c", *c);
    else
      fputc(*c, f);
  }
  fputc('"', f);
}

/* Everything up to the event's own fields; the caller writes those and the closing brace. */
static FILE *begin_event(wf_timeline *t, const char *phase, unsigned pid, unsigned tid,
                         const char *name) {
  FILE *f = t->out.file;
  fprintf(f, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":", t->first ? "\n" : ",\n", phase,
          pid, tid);
  t->first = false;
  put_text(f, name);
  return f;
}

static void name_row(wf_timeline *t, const char *what, unsigned pid, unsigned tid,
                     const char *format, unsigned number) {
  char name[64];
  snprintf(name, sizeof name, format, number);
  fprintf(begin_event(t, "M", pid, tid, what), ",\"args\":{\"name\":\"%s\"}}", name);
}

static void put_span(FILE *f, const char *category, uint64_t from, uint64_t to) {
  fprintf(f, ",\"cat\":\"%s\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64, category, from, to - from + 1);
}

static void put_extents(FILE *f, const uint32_t blocks[3], const uint32_t threads[3]) {
  fprintf(f, "\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]", blocks[0], blocks[1], blocks[2],
          threads[0], threads[1], threads[2]);
}

static void put_counter(wf_timeline *t, unsigned pid, const char *name, uint64_t from,
                        double value) {
  fprintf(begin_event(t, "C", pid, 0, name), ",\"ts\":%" PRIu64 ",\"args\":{\"%s\":%.6g}}", from,
          name, value);
}

/* ---- counters ---- */

static void put_held(wf_timeline *t, unsigned sm) {
  held_warps *h = &t->held[sm];
  if (h->n != h->written) put_counter(t, PID_SM + sm, "warps", h->since, h->n);
  h->written = h->n;
}

/* Of several changes at a time only what they come to is written. */
static void hold(wf_timeline *t, unsigned sm, uint64_t from, unsigned more, unsigned less) {
  held_warps *h = &t->held[sm];
  if (from != h->since) put_held(t, sm);
  h->since = from;
  h->n += more - less;
}

static void put_clock(wf_timeline *t, const wf_seen *e) {
  put_counter(t, PID_SM + e->sm, "MHz", e->cycle, e->mhz);
  put_counter(t, PID_SM + e->sm, "voltage", e->cycle,
              e->low ? t->energy->value[WF_EN_LOW_VOLTS] : 1);
}

/* Mean power since the last time. */
static void put_power(wf_timeline *t, uint64_t cycle) {
  wf_energy_counts now, between;
  wf_energy energy;
  if (!t->set.interval || cycle == t->then_cycle) return;
  wf_energy_collect_running(t->gpu, &now);
  wf_energy_between(&t->then, &now, &between);
  wf_energy_compute(t->energy, &between, &energy);
  put_counter(t, PID_GPU, "watts", t->then_cycle, energy.watts);
  t->then = now;
  t->then_cycle = cycle;
}

/* ---- events ---- */

static void launched(wf_timeline *t, const wf_seen *e, const char *phase, const char *name,
                     uint64_t at) {
  FILE *f = begin_event(t, phase, PID_GRIDS, 0, name);
  fprintf(f, ",\"cat\":\"grid\",\"id\":\"%" PRIu64 ".%u\",\"ts\":%" PRIu64, t->kernels, e->grid,
          at);
}

static void see_grid(wf_timeline *t, const wf_seen *e) {
  FILE *f = t->out.file;
  switch (e->kind) {
  case WF_SEEN_LAUNCH:
    launched(t, e, "b", e->name, e->since);
    fputs(",\"args\":{", f);
    put_extents(f, e->blocks, e->threads);
    fprintf(f, ",\"as\":\"%s\",\"by_sm\":%u,\"by_warp\":%u,\"launched\":%" PRIu64 "}}",
            e->group ? "group" : "kernel", e->sm, e->slot, e->cycle);
    launched(t, e, "b", "waiting", e->since);
    break;
  case WF_SEEN_REFUSED:
    launched(t, e, "n", "refused", e->cycle);
    break;
  case WF_SEEN_START:
    launched(t, e, "e", "waiting", e->cycle);
    break;
  default:
    launched(t, e, "e", e->name, e->cycle + 1);
  }
  fputc('}', f);
}

static void end_kernel(wf_timeline *t, const wf_seen *e) {
  FILE *f = begin_event(t, "X", PID_KERNELS, 0, t->kernel.name);
  put_span(f, "kernel", t->kernel.since, e->cycle);
  fputs(",\"args\":{", f);
  put_extents(f, t->kernel.block, t->kernel_threads);
  fputs("}}", f);
}

static void end_block(wf_timeline *t, const wf_seen *e) {
  const open_event *b = &t->blocks[e->sm * MAX_SLOTS + e->slot];
  FILE *f = begin_event(t, "X", PID_SM + e->sm, TID_BLOCK + e->slot, b->name);
  put_span(f, "block", b->since, e->cycle);
  fprintf(f, ",\"args\":{\"kernel\":%" PRIu64 ",\"grid\":%u,\"block\":[%u,%u,%u],\"warps\":%u}}",
          t->kernels, b->grid, b->block[0], b->block[1], b->block[2], b->warps);
  hold(t, e->sm, e->cycle + 1, 0, b->warps);
}

/* A slice within the block's. */
static void end_waiting(wf_timeline *t, const wf_seen *e) {
  const open_event *b = &t->blocks[e->sm * MAX_SLOTS + e->slot];
  FILE *f = begin_event(t, "X", PID_SM + e->sm, TID_BLOCK + e->slot, "waits for its data");
  put_span(f, "preload", b->since, e->cycle - 1);
  fputc('}', f);
}

static void end_warp(wf_timeline *t, const wf_seen *e) {
  const open_event *w = &t->at_warps[e->sm * MAX_SLOTS + e->slot];
  FILE *f = begin_event(t, "X", PID_SM + e->sm, TID_WARP + e->slot, w->name);
  put_span(f, "warp", w->since, e->cycle);
  fprintf(f, ",\"args\":{\"grid\":%u}}", w->grid);
}

static void end_unit(wf_timeline *t, const wf_seen *e) {
  FILE *f = begin_event(t, "X", PID_UNITS, e->sm, e->name);
  put_span(f, "unit", t->units[e->sm], e->cycle);
  fputc('}', f);
}

static open_event opened(const wf_seen *e) {
  return (open_event){.since = e->cycle,
                      .name = e->name,
                      .grid = e->grid,
                      .warps = e->warps,
                      .block = {e->blocks[0], e->blocks[1], e->blocks[2]}};
}

static void see(void *user, const wf_seen *e) {
  wf_timeline *t = user;
  switch (e->kind) {
  case WF_SEEN_KERNEL_BEGIN:
    t->kernel = opened(e);
    memcpy(t->kernel_threads, e->threads, sizeof e->threads);
    t->kernels++;
    break;
  case WF_SEEN_KERNEL_END:
    end_kernel(t, e);
    put_power(t, e->cycle);
    break;
  case WF_SEEN_LAUNCH:
  case WF_SEEN_REFUSED:
  case WF_SEEN_START:
  case WF_SEEN_END:
    see_grid(t, e);
    break;
  case WF_SEEN_BLOCK_START:
    t->blocks[e->sm * MAX_SLOTS + e->slot] = opened(e);
    hold(t, e->sm, e->cycle, e->warps, 0);
    break;
  case WF_SEEN_BLOCK_END:
    end_block(t, e);
    break;
  case WF_SEEN_BLOCK_GO:
    end_waiting(t, e);
    break;
  case WF_SEEN_WARP_START:
    t->at_warps[e->sm * MAX_SLOTS + e->slot] = opened(e);
    break;
  case WF_SEEN_WARP_END:
    end_warp(t, e);
    break;
  case WF_SEEN_UNIT_BUSY:
    t->units[e->sm % MAX_UNITS] = e->cycle;
    break;
  case WF_SEEN_UNIT_IDLE:
    end_unit(t, e);
    break;
  case WF_SEEN_CLOCK:
    put_clock(t, e);
    break;
  case WF_SEEN_SAMPLE:
    put_power(t, e->cycle);
    break;
  }
}

/* ---- life ---- */

static void name_rows(wf_timeline *t, const wf_gpu_config *config) {
  name_row(t, "process_name", PID_KERNELS, 0, "kernels of the host", 0);
  name_row(t, "process_name", PID_GRIDS, 0, "grids launched by threads", 0);
  name_row(t, "process_name", PID_UNITS, 0, "units at work", 0);
  name_row(t, "process_name", PID_GPU, 0, "GPU", 0);
  for (unsigned s = 0; s < config->n_sm; s++) {
    name_row(t, "process_name", PID_SM + s, 0, "SM %u", s);
    for (unsigned b = 0; b < config->ctas_per_sm; b++)
      name_row(t, "thread_name", PID_SM + s, TID_BLOCK + b, "block slot %u", b);
    for (unsigned w = 0; t->set.warps && w < config->warps_per_sm; w++)
      name_row(t, "thread_name", PID_SM + s, TID_WARP + w, "warp slot %u", w);
  }
}

const wf_parameter wf_timeline_parameters[] = {
    {"timeline.warps", NULL, 0, 1, 0, offsetof(wf_timeline_settings, warps), NULL,
     "with --timeline: warps as well"},
    {"timeline.interval", NULL, 0, 1 << 30, 500, offsetof(wf_timeline_settings, interval), NULL,
     "with --timeline: cycles over which power is averaged; 0: it is left out"},
    {0},
};

wf_timeline *wf_timeline_open(const char *path, const wf_gpu_config *config,
                              const wf_timeline_settings *settings, wf_error *err) {
  wf_timeline *t = wf_calloc(1, sizeof *t);
  t->set = *settings;
  t->n_sm = config->n_sm;
  t->first = true;
  if (!wf_out_open(&t->out, path, err)) {
    free(t);
    return NULL;
  }
  t->blocks = wf_calloc((size_t)t->n_sm * MAX_SLOTS, sizeof *t->blocks);
  t->at_warps = wf_calloc((size_t)t->n_sm * MAX_SLOTS, sizeof *t->at_warps);
  t->held = wf_calloc(t->n_sm, sizeof *t->held);
  fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"config\":", t->out.file);
  put_text(t->out.file, config->name);
  fprintf(t->out.file,
          ",\"time\":\"1 us is a core cycle of %u "
          "MHz\",\"sms\":%u,\"warps_per_sm\":%u},\n\"traceEvents\":[",
          config->mem.core_mhz, config->n_sm, config->warps_per_sm);
  name_rows(t, config);
  return t;
}

void wf_timeline_attach(wf_timeline *t, wf_gpu *gpu, const wf_energy_model *energy) {
  t->gpu = gpu;
  t->energy = energy;
  wf_energy_collect_running(gpu, &t->then);
  t->then_cycle = wf_gpu_cycles(gpu);
  t->observer =
      (wf_observer){.see = see, .user = t, .warps = t->set.warps, .every = t->set.interval};
  wf_gpu_observe(gpu, &t->observer);
}

static void release(wf_timeline *t) {
  free(t->blocks);
  free(t->at_warps);
  free(t->held);
  free(t);
}

bool wf_timeline_close(wf_timeline *t, wf_error *err) {
  for (unsigned s = 0; s < t->n_sm; s++) put_held(t, s);
  fputs("\n]}\n", t->out.file);
  const bool ok = wf_out_commit(&t->out, err);
  release(t);
  return ok;
}

void wf_timeline_abandon(wf_timeline *t) {
  if (!t) return;
  wf_out_abandon(&t->out);
  release(t);
}
