#include "sim/gpu/load_times.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* A record per instruction of every kernel that ran; those of other instructions stay empty. */
struct wf_load_times {
  wf_load_time *items;
  size_t n, now; /* now: first of the running kernel */
};

wf_load_times *wf_load_times_create(void) {
  return wf_calloc(1, sizeof(wf_load_times));
}

void wf_load_times_destroy(wf_load_times *t) {
  if (!t) return;
  free(t->items);
  free(t);
}

void wf_load_times_begin(wf_load_times *t, const ptx_kernel *kernel) {
  for (t->now = 0; t->now < t->n; t->now += t->items[t->now].kernel->n_insts)
    if (t->items[t->now].kernel == kernel) return;
  t->items = wf_realloc(t->items, t->n + kernel->n_insts, sizeof *t->items);
  for (ptx_pc pc = 0; pc < kernel->n_insts; pc++)
    t->items[t->n++] = (wf_load_time){.kernel = kernel, .pc = pc};
}

void wf_load_times_done(wf_load_times *t, ptx_pc pc, uint64_t cycles) {
  t->items[t->now + pc].loads++;
  t->items[t->now + pc].cycles += cycles;
}

void wf_load_times_moved(wf_load_times *t, ptx_pc pc, uint64_t late, uint64_t latency) {
  wf_load_times_done(t, pc, late + latency);
  t->items[t->now + pc].moved++;
  t->items[t->now + pc].waits += late;
}

void wf_load_times_wait(wf_load_times *t, ptx_pc pc, uint64_t cycles) {
  t->items[t->now + pc].waits += cycles;
}

void wf_load_times_line(wf_load_times *t, ptx_pc pc, bool hit) {
  t->items[t->now + pc].lines++;
  t->items[t->now + pc].hits += hit;
}

const wf_load_time *wf_load_times_at(const wf_load_times *t, size_t index) {
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].loads && index-- == 0) return &t->items[i];
  return NULL;
}
