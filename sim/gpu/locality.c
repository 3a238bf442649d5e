#include "sim/gpu/locality.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

/* A line of an SM's unbounded L1. */
typedef struct line_record {
  uint32_t line;
  uint32_t total; /* accesses; 0: the entry is free */
  uint32_t own;   /* of these by the warp that brought it */
  uint32_t last;  /* the SM's number of its last access */
  uint64_t uid;   /* of that warp */
  ptx_pc pc;      /* of the load that brought it */
  uint16_t distances[WF_LOCALITY_DISTANCES];
} line_record;

typedef struct sm_lines {
  line_record *table; /* open addressing, at most half full */
  uint32_t capacity, used, accesses;
} sm_lines;

typedef struct kernel_loads {
  const ptx_kernel *kernel;
  wf_locality_load *loads; /* by pc */
} kernel_loads;

struct wf_locality {
  sm_lines *sms;
  unsigned n_sm, n_kernels, now; /* now: the running kernel's index */
  kernel_loads *kernels;
  wf_locality_totals totals;
};

wf_locality *wf_locality_create(unsigned n_sm) {
  wf_locality *l = wf_calloc(1, sizeof *l);
  l->sms = wf_calloc(n_sm, sizeof *l->sms);
  l->n_sm = n_sm;
  return l;
}

void wf_locality_destroy(wf_locality *l) {
  if (!l) return;
  for (unsigned s = 0; s < l->n_sm; s++) free(l->sms[s].table);
  for (unsigned k = 0; k < l->n_kernels; k++) free(l->kernels[k].loads);
  free(l->sms);
  free(l->kernels);
  free(l);
}

unsigned wf_locality_count_bin(uint64_t count) {
  if (count <= 16) return count ? (unsigned)count - 1 : 0;
  unsigned bin = 16;
  for (uint64_t top = 32; count > top && bin < WF_LOCALITY_COUNTS - 1; top *= 2) bin++;
  return bin;
}

unsigned wf_locality_count_low(unsigned bin) {
  return bin < 16 ? bin + 1 : (16u << (bin - 16)) + 1;
}

static unsigned distance_bin(uint32_t distance) {
  unsigned bin = 31 - (unsigned)__builtin_clz(distance | 1);
  return bin < WF_LOCALITY_DISTANCES ? bin : WF_LOCALITY_DISTANCES - 1;
}

static wf_locality_type type_of(const line_record *r) {
  if (r->total == 1) return WF_LOCALITY_STREAMING;
  if (r->own == r->total) return WF_LOCALITY_INTRA;
  return r->own == 1 ? WF_LOCALITY_INTER : WF_LOCALITY_BOTH;
}

/* Adds what the SM's lines came to, and forgets them. */
static void evaluate(wf_locality *l, sm_lines *sm) {
  for (uint32_t i = 0; i < sm->capacity; i++) {
    const line_record *r = &sm->table[i];
    if (!r->total) continue;
    wf_locality_type type = type_of(r);
    l->kernels[l->now].loads[r->pc].lines[type]++;
    l->totals.lines[type]++;
    l->totals.counts_infinite[wf_locality_count_bin(r->total)]++;
    for (unsigned d = 0; d < WF_LOCALITY_DISTANCES; d++)
      l->totals.distances[type][d] += r->distances[d];
  }
  if (sm->table) memset(sm->table, 0, sm->capacity * sizeof *sm->table);
  sm->used = sm->accesses = 0;
}

static void find_kernel(wf_locality *l, const ptx_kernel *kernel) {
  for (l->now = 0; l->now < l->n_kernels; l->now++)
    if (l->kernels[l->now].kernel == kernel) return;
  l->kernels = wf_realloc(l->kernels, ++l->n_kernels, sizeof *l->kernels);
  kernel_loads *k = &l->kernels[l->now];
  *k = (kernel_loads){kernel, wf_calloc(kernel->n_insts, sizeof *k->loads)};
  for (ptx_pc pc = 0; pc < kernel->n_insts; pc++)
    k->loads[pc] = (wf_locality_load){.kernel = kernel, .pc = pc};
}

void wf_locality_begin(wf_locality *l, const ptx_kernel *kernel) {
  for (unsigned s = 0; s < l->n_sm; s++) evaluate(l, &l->sms[s]);
  if (kernel) find_kernel(l, kernel);
}

static line_record *place_of(const sm_lines *sm, uint32_t line) {
  uint32_t at = line * 2654435761u & (sm->capacity - 1);
  while (sm->table[at].total && sm->table[at].line != line) at = (at + 1) & (sm->capacity - 1);
  return &sm->table[at];
}

static void grow(sm_lines *sm) {
  line_record *old = sm->table;
  uint32_t n = sm->capacity;
  sm->capacity = n ? 2 * n : 1024;
  sm->table = wf_calloc(sm->capacity, sizeof *sm->table);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].total) *place_of(sm, old[i].line) = old[i];
  free(old);
}

static void access_line(sm_lines *sm, uint64_t uid, ptx_pc pc, uint32_t line) {
  if (2 * (sm->used + 1) > sm->capacity) grow(sm);
  line_record *r = place_of(sm, line);
  uint32_t now = sm->accesses++;
  if (!r->total) {
    *r = (line_record){.line = line, .uid = uid, .pc = pc};
    sm->used++;
  } else {
    uint16_t *bin = &r->distances[distance_bin(now - r->last)];
    if (*bin < UINT16_MAX) ++*bin;
  }
  r->total++;
  r->own += r->uid == uid;
  r->last = now;
}

void wf_locality_access(wf_locality *l, unsigned sm, uint64_t uid, ptx_pc pc, const uint32_t *lines,
                        unsigned n_lines, unsigned stride_bytes) {
  const uint8_t *at = (const uint8_t *)lines;
  l->kernels[l->now].loads[pc].accesses += n_lines;
  for (unsigned i = 0; i < n_lines; i++, at += stride_bytes) {
    uint32_t line;
    memcpy(&line, at, sizeof line);
    access_line(&l->sms[sm], uid, pc, line);
  }
}

uint64_t *wf_locality_l1_counts(wf_locality *l) {
  return l->totals.counts_l1;
}

wf_locality_totals wf_locality_get(const wf_locality *l) {
  wf_locality_totals t = l->totals;
  const wf_locality_load *load;
  uint64_t dominant = 0, all = 0;
  for (unsigned i = 0; (load = wf_locality_load_at(l, i)); i++) {
    uint64_t most = 0;
    for (unsigned type = 0; type < WF_LOCALITY_TYPES; type++) {
      all += load->lines[type];
      if (load->lines[type] > most) most = load->lines[type];
    }
    dominant += most;
  }
  t.aps = all ? (double)dominant / (double)all : 0;
  return t;
}

const wf_locality_load *wf_locality_load_at(const wf_locality *l, unsigned index) {
  for (unsigned k = 0; k < l->n_kernels; k++)
    for (ptx_pc pc = 0; pc < l->kernels[k].kernel->n_insts; pc++)
      if (l->kernels[k].loads[pc].accesses && index-- == 0) return &l->kernels[k].loads[pc];
  return NULL;
}
