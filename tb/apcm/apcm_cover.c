#include "tb/apcm/apcm_cover.h"

#include <stddef.h>

#define HIT(name, condition) bin[APCM_BIN_##name] += (condition) ? 1 : 0

static void cover_load(uint64_t *bin, const apcm_ref *r, const apcm_load *l) {
  unsigned id = 0;
  while (id < r->loads && r->pc[id] != l->pc) id++;
  bool known = id < r->loads, valid = known && r->cait[id].count;
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
  HIT(load_as_it_is_learned, known && r->written.valid && r->written.id == id);
}

static void cover_miss(uint64_t *bin, const apcm_ref *r, const apcm_access *a) {
  const uint64_t all = UINT64_MAX >> (64 - r->shape.ways);
  uint64_t held = 0, stale = 0, kept = 0;
  const bool ages = apcm_ref_ages(r);
  unsigned oldest = 0;
  for (unsigned w = 0; w < r->shape.ways; w++) {
    if (a->rank[w] > a->rank[oldest]) oldest = w;
    if (r->line[a->set][w].credit > ages) kept |= UINT64_C(1) << w;
    if (!r->line[a->set][w].protect) continue;
    if (r->psb[r->line[a->set][w].warp].protect)
      held |= UINT64_C(1) << w;
    else
      stale |= UINT64_C(1) << w;
  }
  bool wants = a->method == APCM_PROTECT,
       none = a->invalid == 0 && ((held | a->reserved | (wants ? 0 : kept)) & all) == all;
  HIT(miss_with_all_kept, !wants && !a->invalid && !a->reserved && !held && kept == all);
  HIT(miss_takes_kept, wants && !a->invalid && ((held | a->reserved) & all) != all &&
                           ((held | a->reserved | kept) & all) == all);
  HIT(credit_ages, ages && kept);
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
  HIT(third_request_dropped, !e && own && a->tracked && !a->few);
  HIT(mta_evicts, !e && own && a->tracked && a->few && used == ways && !r->told.valid);
  HIT(mta_would_evict, !e && own && a->tracked && a->few && used == ways && r->told.valid);
  HIT(watched_hit_first, !e && own && a->tracked && a->few && a->hit && a->method != APCM_BYPASS);
}

static void cover_done(uint64_t *bin, const apcm_ref *r, const apcm_event *e) {
  const bool on = r->psb[e->warp].protect, loop = r->psb[e->warp].loop;
  const unsigned last = r->psb[e->warp].last;
  HIT(done_ends, on && !loop && last == e->id);
  HIT(done_of_other_load, on && !loop && last != e->id);
  HIT(done_of_loop, on && loop && last == e->id);
}

static void cover_warp_exit(uint64_t *bin, const apcm_ref *r, const apcm_event *e) {
  const bool on = r->psb[e->warp].protect;
  HIT(exit_ends, on);
  HIT(exit_plain, !on);
  HIT(exit_of_watched, r->state == APCM_WATCH && r->watched == e->warp);
}

static void cover_events(uint64_t *bin, const apcm_ref *r, const apcm_offers *o) {
  if (r->acts == APCM_DONE) cover_done(bin, r, &r->done);
  if (r->acts == APCM_EXIT && o->exit) cover_warp_exit(bin, r, o->exit);
  HIT(kernel_start, o->kernel);
  HIT(kernel_start_during_scan, o->kernel && r->state == APCM_SCAN);
  HIT(kernel_start_while_watched, o->kernel && r->state == APCM_WATCH);
  HIT(start_watched, o->start && apcm_ref_ask_start(r));
  HIT(start_as_another_starts, o->start && r->starts);
  HIT(start_not_watched, o->start && r->state == APCM_WATCH);
  HIT(start_during_scan, o->start && r->state == APCM_SCAN);
  HIT(start_when_over, o->start && r->state == APCM_OVER);
  if (r->busy) return;
  const bool idle = !r->acts, due = r->n_exits && r->exit[0].behind <= r->left;
  HIT(done_and_exit_together, o->done && o->exit && !r->has_done && !r->exit_first && idle);
  HIT(exit_was_first, idle && r->exit_first && o->exit && (o->done || r->has_done) && !due);
  HIT(done_waits_for_left, due && (o->done || r->has_done));
  HIT(done_not_asked, o->done && !r->has_done && !(apcm_ref_ask_done(r) >> o->done->warp & 1));
  HIT(done_asked_for_a_request, o->done && !r->has_done && !r->psb[o->done->warp].protect &&
                                    apcm_ref_ask_done(r) >> o->done->warp & 1);
  HIT(exit_not_asked, o->exit && !(apcm_ref_ask_exit(r) >> o->exit->warp & 1));
  HIT(move_waits_for_count, o->move && r->late + o->lsu_in > 1);
  HIT(several_enter, o->lsu_in > 1);
  HIT(all_enter, o->lsu_in == r->shape.most_enter);
}

static void cover_move(uint64_t *bin, const apcm_ref *r, const apcm_move *m) {
  const bool back = m->to <= m->from;
  const uint64_t low = back ? m->to : m->from, high = back ? m->from : m->to;
  bool inside = false, around = false, room = false, left = false;
  for (unsigned l = 0; l < r->shape.loops; l++) {
    room |= !r->loop[l].valid;
    if (!r->loop[l].valid) continue;
    inside |= r->loop[l].low <= low && high <= r->loop[l].high;
    around |= low <= r->loop[l].low && r->loop[l].high < high;
    left |= r->loop[l].low <= low && low <= r->loop[l].high && r->loop[l].high < high;
  }
  const bool seen = back && m->jump;
  HIT(loop_seen, seen && !inside && room);
  HIT(loop_known, seen && inside);
  HIT(loop_around, seen && !inside && around);
  HIT(loop_no_room, seen && !inside && !around && !room);
  HIT(loop_left, !back && !m->push && left && !inside);
  HIT(loop_left_inner, !back && !m->push && left && inside);
  HIT(loop_left_by_some, !back && m->push && left && !inside);
}

static void cover_exit(uint64_t *bin, const apcm_ref *r, const apcm_offers *o) {
  const unsigned warp = r->exit[0].warp;
  HIT(exit_waits, r->n_exits && r->exit[0].behind > r->left);
  HIT(exits_full, r->n_exits == r->shape.exits && o->move);
  const bool left = r->acts == APCM_LEFT;
  HIT(left_ends, left && r->psb[warp].protect && r->psb[warp].loop);
  HIT(left_of_straight_load, left && r->psb[warp].protect && !r->psb[warp].loop);
  HIT(left_before_event, left && (o->exit || o->done));
}

void apcm_cover_cycle(uint64_t *bin, const apcm_ref *r, const apcm_offers *o) {
  const apcm_ready ready = apcm_ref_ready(r, o->lsu_in);
  HIT(offered_while_busy, r->busy && (o->load || o->access || o->done || o->exit || o->move));
  HIT(load_waits_for_report, !r->busy && o->load && !ready.load);
  HIT(all_at_once, ready.exit && o->load && o->access && o->move);
  cover_exit(bin, r, o);
  if (o->load && ready.load) cover_load(bin, r, o->load);
  cover_events(bin, r, o);
  if (o->move && ready.move) cover_move(bin, r, o->move);
  HIT(access_waits, r->access_waits);
  if (!r->has_access || r->access_waits) return;
  const apcm_access *a = &r->access;
  HIT(event_of_accessing_warp, (r->acts == APCM_DONE && a->warp == r->done.warp) ||
                                   (r->acts == APCM_EXIT && o->exit && a->warp == o->exit->warp));
  const bool looks = a->method != APCM_BYPASS;
  HIT(access_bypass, !looks);
  HIT(access_hit, looks && a->hit);
  HIT(access_miss, looks && !a->hit);
  HIT(access_untracked, !a->tracked);
  HIT(access_during_scan, r->state == APCM_SCAN);
  if (looks && !a->hit) cover_miss(bin, r, a);
  if (r->state == APCM_WATCH) cover_monitor(bin, r, a);
}
