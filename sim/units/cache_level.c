#include "sim/units/cache_level.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"

const char *const wf_cache_level_words[] = {"l1", "l2", "both", NULL};

unsigned wf_cache_line_bits(const wf_unit_env *env, unsigned least) {
  unsigned bits = least;
  while ((WF_IMAGE_BASE + wf_image_bytes(env->image)) / env->line_bytes >> bits) bits++;
  return bits;
}

bool wf_cache_level_fits(const char *unit, const wf_unit_env *env, unsigned at, unsigned sets,
                         unsigned ways, wf_error *err) {
  const bool l1 = at == WF_CACHE_L1;
  const unsigned has_sets = l1 ? env->l1_sets : env->l2_sets,
                 has_ways = l1 ? env->l1_ways : env->l2_ways;
  return (has_sets >= 2 && has_sets <= sets && has_ways <= ways) ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--unit %s: an %s of %u sets and %u ways (%s): 2 to %u sets, at most %u ways",
                 unit, l1 ? "L1" : "L2 slice", has_sets, has_ways,
                 l1 ? "l1.bytes, l1.ways" : "l2.bytes, l2.ways", sets, ways);
}

bool wf_cache_level_open(wf_cache_level *level, const wf_cache_level_class *cls,
                         const wf_rtl_request *request, wf_error *err) {
  const wf_unit_env *env = request->env;
  const unsigned n = cls->at == WF_CACHE_L1 ? env->n_sm : env->n_part;
  level->cls = cls;
  level->unit = request->of;
  level->env = env;
  level->unit->rtl[level->unit->rtl[0] ? 1 : 0] = &level->rtl;
  level->sides = wf_calloc(n, cls->bytes);
  if (!wf_rtl_set_open(&level->rtl, n, request, err)) return false;
  level->rtl.prefix = cls->prefix;
  for (unsigned k = 0; k < n; k++) wf_cache_level_side(level, k)->rtl = &level->rtl.at[k];
  return true;
}

void wf_cache_level_free(wf_cache_level *level) {
  free(level->sides);
}

wf_cache_side *wf_cache_level_side(const wf_cache_level *level, unsigned k) {
  return (void *)((char *)level->sides + k * level->cls->bytes);
}

bool wf_cache_level_clock(wf_cache_level *level, wf_error *err) {
  const wf_cache_level_class *cls = level->cls;
  if (!level->rtl.n || (cls->at == WF_CACHE_L2 && !wf_mem_l2_edge(level->env->mem))) return true;
  for (unsigned k = 0; k < level->rtl.n; k++) {
    wf_cache_side *s = wf_cache_level_side(level, k);
    if (!wf_rtl_due(&level->rtl, cls->works(s))) continue;
    cls->drive(level, s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(level->env), err) || !cls->take(s, err)) return false;
  }
  level->busy[level->kind] = level->rtl.busy;
  return true;
}

bool wf_cache_level_idle(const wf_cache_level *level) {
  for (unsigned k = 0; k < level->rtl.n; k++)
    if (level->cls->works(wf_cache_level_side(level, k))) return false;
  return true;
}

static const char *place(const wf_cache_level *level) {
  return level->cls->at == WF_CACHE_L1 ? "SM" : "slice";
}

bool wf_cache_level_end(const wf_cache_level *level, wf_error *err) {
  for (unsigned k = 0; k < level->rtl.n; k++) {
    const wf_cache_side *s = wf_cache_level_side(level, k);
    if (s->loads || s->told.count)
      return wf_fail(err, WF_EXIT_WRONG, "%s: %s %u: %u loads and %u answers were never asked for",
                     level->unit->cls->name, place(level), k, s->loads, s->told.count);
  }
  return true;
}

void wf_cache_level_describe(const wf_cache_level *level, FILE *out) {
  for (unsigned k = 0; k < level->rtl.n; k++) {
    const wf_cache_side *s = wf_cache_level_side(level, k);
    if (level->cls->works(s))
      fprintf(out, "%s of %s %u: %u requests wait\n", level->unit->cls->name, place(level), k,
              s->sent.count + s->offered);
  }
}
