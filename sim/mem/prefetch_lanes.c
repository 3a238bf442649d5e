/* Prefetchers that see a load's lanes: imp and snake; see prefetch.h. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/mem/prefetch_internal.h"

enum { LINE_SHIFT = 7, SAMPLES = 4 };

/* The first lanes of a load. */
typedef struct sample {
  uint8_t lane[SAMPLES];
  uint8_t n;
  uint64_t address[SAMPLES];
} sample;

static sample sample_of(const wf_prefetch_load *l) {
  sample s = {0};
  for (uint32_t m = l->active; m && s.n < SAMPLES; m &= m - 1) {
    s.lane[s.n] = (uint8_t)__builtin_ctz(m);
    s.address[s.n] = l->address[s.lane[s.n]];
    s.n++;
  }
  return s;
}

/* How far the first lane that both have has gone. */
static bool step_of(const sample *before, const wf_prefetch_load *l, int64_t *step) {
  for (unsigned i = 0; i < before->n; i++)
    if (l->active >> before->lane[i] & 1) {
      *step = (int64_t)(l->address[before->lane[i]] - before->address[i]);
      return true;
    }
  return false;
}

/* Lanes side by side ask for a line once. */
static void foretell_lanes(wf_prefetcher *p, const wf_prefetch_load *l, int64_t by) {
  int64_t last = -1;
  for (uint32_t m = l->active; m; m &= m - 1) {
    const int64_t line = ((int64_t)l->address[__builtin_ctz(m)] + by) >> LINE_SHIFT;
    if (line != last) wf_prefetch_foretell(p, line);
    last = line;
  }
}

/* ---- imp ---- */
enum { IMP_LOADS = 256, IMP_PAIRS = 32, IMP_HISTORY = 4, SURE = 2 };

typedef struct imp_index {
  uint32_t pc, warp;
  sample at;
  int64_t stride;
  uint8_t confidence;
  bool valid;
} imp_index;

typedef struct imp_pair {
  uint32_t index_pc, target_pc, used;
  uint8_t shift, confidence;
  uint64_t base;
  bool valid;
} imp_pair;

typedef struct imp_past {
  uint32_t pc;
  unsigned bytes; /* 0: none */
  sample at;
} imp_past;

struct wf_imp {
  imp_index loads[IMP_LOADS];
  imp_pair pairs[IMP_PAIRS];
  imp_past past[WF_PREFETCH_WARPS][IMP_HISTORY];
  uint8_t next[WF_PREFETCH_WARPS];
  uint32_t clock;
};

wf_imp *wf_imp_create(void) {
  return wf_calloc(1, sizeof(wf_imp));
}

void wf_imp_destroy(wf_imp *imp) {
  free(imp);
}

void wf_imp_clear(wf_imp *imp) {
  memset(imp, 0, sizeof *imp);
}

/* The pair's place, or the one to give to it. */
static imp_pair *pair_of(wf_imp *imp, uint32_t index_pc, uint32_t target_pc, unsigned shift) {
  imp_pair *oldest = imp->pairs;
  for (imp_pair *e = imp->pairs; e < imp->pairs + IMP_PAIRS; e++) {
    if (e->valid && e->index_pc == index_pc && e->target_pc == target_pc && e->shift == shift)
      return e;
    if (!e->valid || (oldest->valid && (int32_t)(e->used - oldest->used) < 0)) oldest = e;
  }
  *oldest = (imp_pair){
      .index_pc = index_pc, .target_pc = target_pc, .shift = (uint8_t)shift, .used = imp->clock};
  return oldest;
}

static uint8_t surer(uint8_t confidence, bool again) {
  return (uint8_t)(!again ? 0 : confidence < SURE ? confidence + 1 : SURE);
}

static void found(wf_imp *imp, uint32_t index_pc, uint32_t target_pc, unsigned shift,
                  uint64_t base) {
  imp_pair *e = pair_of(imp, index_pc, target_pc, shift);
  e->confidence = surer(e->confidence, e->valid && e->base == base);
  e->base = base;
  e->used = imp->clock;
  e->valid = true;
}

/* Whether words of an earlier load lead to this one's addresses: two lanes tell the shift. */
static void compare(wf_imp *imp, const imp_past *past, const wf_prefetch_load *l) {
  uint64_t word[2], address[2];
  unsigned n = 0;
  for (unsigned i = 0; i < past->at.n && n < 2; i++) {
    if (!(l->active >> past->at.lane[i] & 1)) continue;
    word[n] = l->eye.word(l->eye.of, past->at.address[i], past->bytes);
    address[n] = l->address[past->at.lane[i]];
    n += !n || word[n] != word[0];
  }
  if (n < 2) return;
  for (unsigned shift = 0; shift <= 5; shift++)
    if (address[1] - address[0] == (word[1] - word[0]) << shift)
      found(imp, past->pc, l->pc, shift, address[0] - (word[0] << shift));
}

/* The load's entry, with the stride as far as it is known. */
static const imp_index *follow(wf_imp *imp, const wf_prefetch_load *l) {
  imp_index *e = &imp->loads[wf_prefetch_mix(l->warp * 4096 + l->pc) % IMP_LOADS];
  int64_t step;
  if (!e->valid || e->pc != l->pc || e->warp != l->warp)
    *e = (imp_index){.pc = l->pc, .warp = l->warp, .valid = true};
  else if (step_of(&e->at, l, &step)) {
    e->confidence = surer(e->confidence, step && step == e->stride);
    e->stride = step;
  }
  e->at = sample_of(l);
  return e;
}

static void foretell_targets(const imp_pair *e, wf_prefetcher *p, const wf_prefetch_load *l,
                             int64_t by) {
  for (uint32_t m = l->active; m; m &= m - 1) {
    const uint64_t at = l->address[__builtin_ctz(m)] + (uint64_t)by;
    if (l->eye.holds(l->eye.of, (uint32_t)(at >> LINE_SHIFT)))
      wf_prefetch_foretell(
          p,
          (int64_t)((e->base + (l->eye.word(l->eye.of, at, l->bytes) << e->shift)) >> LINE_SHIFT));
    else
      wf_prefetch_foretell(p, (int64_t)(at >> LINE_SHIFT));
  }
}

void wf_imp_load(wf_imp *imp, wf_prefetcher *p, const wf_prefetch_load *l) {
  const wf_prefetch_settings *s = wf_prefetcher_settings(p);
  imp->clock++;
  for (unsigned i = 0; i < IMP_HISTORY; i++)
    if (imp->past[l->warp][i].bytes) compare(imp, &imp->past[l->warp][i], l);
  if (l->bytes != 4 && l->bytes != 8) return; /* no index */
  const imp_index *e = follow(imp, l);
  for (const imp_pair *pair = imp->pairs; pair < imp->pairs + IMP_PAIRS; pair++)
    if (e->confidence && pair->valid && pair->index_pc == l->pc && pair->confidence >= SURE)
      for (unsigned d = s->distance; d < s->distance + s->degree; d++)
        foretell_targets(pair, p, l, e->stride * d);
  imp->past[l->warp][imp->next[l->warp]++ % IMP_HISTORY] =
      (imp_past){.pc = l->pc, .bytes = l->bytes, .at = e->at};
}

/* ---- snake ---- */
enum { SNAKE_PAIRS = 64, SNAKE_WARPS_AGREE = 3 };

/* Of two loads one after the other in a warp, or of one load in two warps. */
typedef struct snake_stride {
  uint32_t pc, next_pc, last_warp;
  int64_t stride;
  uint8_t warps;
  bool valid;
} snake_stride;

typedef struct snake_head {
  uint32_t pc;
  sample at;
} snake_head;

struct wf_snake {
  snake_stride chain[SNAKE_PAIRS], across[SNAKE_PAIRS];
  snake_head last[WF_PREFETCH_WARPS]; /* by warp */
  snake_head warp[SNAKE_PAIRS];       /* by load: as in `across` */
};

wf_snake *wf_snake_create(void) {
  return wf_calloc(1, sizeof(wf_snake));
}

void wf_snake_destroy(wf_snake *snake) {
  free(snake);
}

void wf_snake_clear(wf_snake *snake) {
  memset(snake, 0, sizeof *snake);
}

static void learn(snake_stride *e, const wf_prefetch_load *l, uint32_t pc, int64_t stride) {
  if (!e->valid || e->pc != pc || e->next_pc != l->pc) {
    if (e->valid && e->warps) {
      e->warps--;
      return;
    }
    *e = (snake_stride){.pc = pc, .next_pc = l->pc, .stride = stride, .valid = true};
  } else if (e->stride != stride) {
    if (e->warps)
      e->warps--;
    else
      e->stride = stride;
    return;
  } else if (e->last_warp != l->warp && e->warps < SNAKE_WARPS_AGREE)
    e->warps++;
  e->last_warp = l->warp;
}

static void across_warps(wf_snake *snake, wf_prefetcher *p, const wf_prefetch_load *l) {
  const unsigned slot = wf_prefetch_mix(l->pc) % SNAKE_PAIRS;
  snake_stride *e = &snake->across[slot];
  snake_head *before = &snake->warp[slot];
  const int64_t warps = (int64_t)l->warp - (int64_t)e->last_warp;
  int64_t step;
  if (before->pc == l->pc && warps && step_of(&before->at, l, &step) && step % warps == 0)
    learn(e, l, l->pc, step / warps);
  else if (!e->valid)
    learn(e, l, l->pc, 0);
  e->last_warp = l->warp;
  *before = (snake_head){.pc = l->pc, .at = sample_of(l)};
  if (e->pc == l->pc && e->warps >= SNAKE_WARPS_AGREE && e->stride)
    foretell_lanes(p, l, e->stride * wf_prefetcher_settings(p)->distance);
}

/* The loads that may follow share a place with their forerunner's other successors; the one that
 * more warps take stays. */
static snake_stride *after(wf_snake *snake, uint32_t pc) {
  return &snake->chain[wf_prefetch_mix(pc) % SNAKE_PAIRS];
}

void wf_snake_load(wf_snake *snake, wf_prefetcher *p, const wf_prefetch_load *l) {
  snake_head *last = &snake->last[l->warp];
  int64_t step, by = 0;
  if (last->at.n && step_of(&last->at, l, &step)) learn(after(snake, last->pc), l, last->pc, step);
  *last = (snake_head){.pc = l->pc, .at = sample_of(l)};
  across_warps(snake, p, l);
  uint32_t pc = l->pc;
  for (unsigned i = 0; i < wf_prefetcher_settings(p)->degree; i++) {
    const snake_stride *e = after(snake, pc);
    if (!e->valid || e->pc != pc || e->warps < SNAKE_WARPS_AGREE) break;
    foretell_lanes(p, l, by += e->stride);
    pc = e->next_pc;
  }
}
