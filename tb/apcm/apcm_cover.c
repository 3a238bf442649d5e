#include "tb/apcm/apcm_cover.h"

#include <stddef.h>

#define HIT(name, condition) bin[APCM_BIN_##name] += (condition) ? 1 : 0

static void cover_load(uint64_t *bin, const apcm_ref *r, const apcm_load *l) {
  unsigned id = 0;
  while (id < r->loads && r->pc[id] != l->pc) id++;
  bool known = id < r->loads, valid = known && r->cait[id].valid;
  unsigned method = valid ? r->cait[id].method : APCM_NORMAL;
  HIT(load_tracked_again, known);
  HIT(load_when_full, !known && r->loads == r->shape.ids);
  HIT(load_tracked_first, !known && r->loads < r->shape.ids);
  HIT(load_open, known && !valid);
  HIT(load_bypass, method == APCM_BYPASS && r->settings.bypass);
  HIT(load_protect, method == APCM_PROTECT && r->settings.protect);
  HIT(load_normal, valid && method == APCM_NORMAL);
  HIT(method_masked, (method == APCM_BYPASS && !r->settings.bypass) ||
                         (method == APCM_PROTECT && !r->settings.protect));
  HIT(load_during_scan, r->state == APCM_SCAN);
  HIT(load_watched_again, r->state == APCM_NONE && r->again && r->settings.remonitor == 2 &&
                              !valid && (known || r->loads < r->shape.ids));
}

static void cover_miss(uint64_t *bin, const apcm_ref *r, const apcm_access *a) {
  uint32_t all = (1u << r->shape.ways) - 1, held = 0, stale = 0;
  unsigned oldest = 0;
  for (unsigned w = 0; w < r->shape.ways; w++) {
    if (a->rank[w] > a->rank[oldest]) oldest = w;
    if (!r->line[a->set][w].protect) continue;
    if (r->psb[r->line[a->set][w].warp].protect)
      held |= 1u << w;
    else
      stale |= 1u << w;
  }
  bool none = a->invalid == 0 && ((held | a->reserved) & all) == all,
       wants = a->method == APCM_PROTECT;
  bool on = r->psb[a->warp].protect,
       same = on && r->psb[a->warp].last == a->last && r->psb[a->warp].loop == (a->id == a->last);
  HIT(miss_into_invalid, a->invalid != 0);
  HIT(miss_with_all_reserved, !a->invalid && a->reserved == all);
  HIT(miss_with_all_protected, !a->invalid && !a->reserved && held == all);
  HIT(miss_with_protected_and_reserved, none && a->reserved != all && a->reserved);
  HIT(miss_protected_line_is_oldest, !a->invalid && !none && held >> oldest & 1);
  HIT(stale_protection_dropped, stale != 0);
  HIT(protect_first_of_warp, wants && !none && !on);
  HIT(protect_again, wants && !none && same);
  HIT(protect_of_other_load_ignored, wants && !none && on && !same);
  HIT(protect_refused, wants && none);
  bool mine = false;
  for (unsigned w = 0; w < r->shape.ways; w++)
    mine |= held >> w & 1 && !(a->reserved >> w & 1) && r->line[a->set][w].warp == a->warp;
  mine &= same && wants && none && r->settings.renew;
  HIT(protect_renews, mine && !r->renew_turn);
  HIT(protect_waits_to_renew, mine && r->renew_turn);
}

static void cover_monitor(uint64_t *bin, const apcm_ref *r, const apcm_access *a) {
  unsigned ways = r->shape.mta_ways, rows = r->shape.mta_entries / ways, used = 0;
  const apcm_mta_entry *row = &r->mta[a->line % rows * ways], *e = NULL;
  bool own = a->warp == r->watched;
  for (unsigned w = 0; w < ways; w++) {
    used += row[w].valid;
    if (row[w].valid && row[w].line == a->line) e = &row[w];
  }
  HIT(mta_hit_by_own, e && own);
  HIT(mta_hit_by_other, e && !own);
  HIT(mta_count_full, e && e->count == r->shape.count_max);
  HIT(third_request_dropped, !e && own && a->tracked && a->nth >= 2);
  HIT(mta_evicts, !e && own && a->tracked && a->nth < 2 && used == ways);
  HIT(watched_hit_first,
      !e && own && a->tracked && a->nth < 2 && a->hit && a->method != APCM_BYPASS);
}

static void cover_event(uint64_t *bin, const apcm_ref *r, const apcm_event *e) {
  if (e->kind == APCM_KERNEL_START) {
    HIT(kernel_start, true);
    HIT(kernel_start_during_scan, r->state == APCM_SCAN);
    HIT(kernel_start_while_watched, r->state == APCM_WATCH);
    return;
  }
  bool on = r->psb[e->warp].protect, loop = r->psb[e->warp].loop,
       watched = r->state == APCM_WATCH && r->watched == e->warp;
  unsigned last = r->psb[e->warp].last;
  HIT(done_ends, e->kind == APCM_LOAD_DONE && on && !loop && last == e->id);
  HIT(done_of_other_load, e->kind == APCM_LOAD_DONE && on && !loop && last != e->id);
  HIT(done_of_loop, e->kind == APCM_LOAD_DONE && on && loop && last == e->id);
  bool inside = on && r->pc[last] >= e->lo && r->pc[last] <= e->hi;
  HIT(loop_ends, e->kind == APCM_LOOP_EXIT && on && loop && inside);
  HIT(loop_other, e->kind == APCM_LOOP_EXIT && on && loop && !inside);
  HIT(loop_of_straight_load, e->kind == APCM_LOOP_EXIT && on && !loop && inside);
  HIT(exit_ends, e->kind == APCM_WARP_EXIT && on);
  HIT(exit_plain, e->kind == APCM_WARP_EXIT && !on);
  HIT(exit_of_watched, e->kind == APCM_WARP_EXIT && watched);
  HIT(start_watched, e->kind == APCM_WARP_START && r->state == APCM_NONE && !r->again);
  HIT(start_not_watched, e->kind == APCM_WARP_START && r->state == APCM_WATCH);
  HIT(start_during_scan, e->kind == APCM_WARP_START && r->state == APCM_SCAN);
  bool open = false;
  for (unsigned i = 0; i < r->loads; i++) open |= !r->cait[i].valid;
  HIT(start_watched_again, e->kind == APCM_WARP_START && r->state == APCM_NONE && r->again &&
                               r->settings.remonitor && open);
}

void apcm_cover_cycle(uint64_t *bin, const apcm_ref *r, const apcm_load *load,
                      const apcm_access *access, const apcm_event *event, bool ready) {
  HIT(offered_while_busy, !ready && (load || access || event));
  if (!ready) return;
  HIT(all_three_at_once, load && access && event);
  HIT(event_of_accessing_warp, access && event && access->warp == event->warp);
  if (load) cover_load(bin, r, load);
  if (event) cover_event(bin, r, event);
  if (!access) return;
  bool looks = access->method != APCM_BYPASS;
  HIT(access_bypass, !looks);
  HIT(access_hit, looks && access->hit);
  HIT(access_miss, looks && !access->hit);
  HIT(access_untracked, !access->tracked);
  HIT(access_during_scan, r->state == APCM_SCAN);
  if (looks && !access->hit) cover_miss(bin, r, access);
  if (r->state == APCM_WATCH) cover_monitor(bin, r, access);
}
