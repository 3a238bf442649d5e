#include "tb/spref/spref_cover.h"

#define HIT(name, condition) bin[SPREF_BIN_##name] += (condition) ? 1 : 0

void spref_cover_edge(uint64_t *bin, const spref_ref *r, const spref_offer *o) {
  HIT(stall_out, !o->take_answers);
  HIT(wait_in, o->in && !o->in_taken);
  HIT(all_channels_at_once, o->in && o->count && o->done);
  HIT(count_late, o->counted && !r->warp[o->counted_warp].pending);
  HIT(fault, o->done_taken && o->done->fault);
  HIT(warp_end_alive, o->in_taken && o->in->last && r->warp[o->in->warp].alive);
  HIT(kernel_live, o->new_kernel && r->state == SPREF_LIVE);
}

/* Addresses rest on two values of one register. */
static bool shares(const spref_ref *r) {
  for (unsigned i = 0; i < r->shape.forms; i++)
    for (unsigned k = 0; k < i; k++)
      if (r->need >> i & r->need >> k & 1 && r->form[i].reg == r->form[k].reg) return true;
  return false;
}

static void cover_table(uint64_t *bin, const spref_ref *r) {
  const spref_target *h = r->head, *t = r->tail;
  HIT(two_heads, h[1].ok);
  HIT(two_tails, t[0].ok && t[1].ok);
  HIT(head_only, !t[0].ok && !h[1].ok);
  HIT(tail_without_base, t[0].ok && !t[0].base_v);
  HIT(tail_with_ext, t[0].ok && t[0].ext);
  HIT(wide_head, h[0].wide);
  HIT(wide_tail, t[0].ok && t[0].wide);
  HIT(test_swapped, r->test.swap);
  HIT(test_down, r->test.down);
  HIT(test_ne, r->test.cmp == SPREF_NE);
  HIT(test_inclusive, r->test.cmp == SPREF_LE || r->test.cmp == SPREF_GE);
  HIT(space_limits, r->dmax < 3);
  HIT(space_drops_targets, (t[0].v && !t[0].ok) || (h[1].v && !h[1].ok));
  HIT(exit_known, r->exit_v);
  HIT(hinted, r->levels.hints);
  HIT(register_shared, shares(r));
}

void spref_cover_answer(uint64_t *bin, const spref_ref *r, const spref_instr *i,
                        const spref_answer *a) {
  const spref_warp_state *w = &r->warp[i->warp];
  uint64_t off = i->pc - r->lo;
  bool live = r->state == SPREF_LIVE && r->levels.enable,
       in = live && i->pc >= r->lo && i->pc <= r->hi;
  HIT(disabled, !r->levels.enable);
  HIT(training, r->state == SPREF_PASS_A);
  HIT(pass_b, r->state == SPREF_PASS_B);
  HIT(table_made, r->counter[SPREF_CNT_tables] != 0);
  HIT(dropped, r->counter[SPREF_CNT_drops] != 0);
  HIT(refused, r->counter[SPREF_CNT_loops_refused] != 0);
  HIT(asked_before_loop, a->ask && !in);
  if (!in) return;
  bool leader = off == r->head[0].off,
       tail = (r->tail[0].ok && off == r->tail[0].off) || (r->tail[1].ok && off == r->tail[1].off);
  if (leader) cover_table(bin, r);
  HIT(move_head, a->move && leader);
  HIT(move_tail, a->move && tail);
  HIT(move_second, a->move && !leader && !tail);
  HIT(inject_head, a->inject == 1);
  HIT(inject_tail, a->inject == 2);
  HIT(inject_cache, a->inject && !a->reg_v);
  HIT(inject_part, a->inject && a->mask != i->mask);
  HIT(no_lane_left, leader && !w->bad && !a->inject);
  HIT(tail_in_part, a->move && tail && a->inject && (a->mask & ~i->mask));
  HIT(tail_skipped, leader && !w->bad && w->moving && r->tail[0].ok && !w->ready[0][w->phase]);
  HIT(distance_1, a->move && w->distance == 1);
  HIT(distance_2, a->move && w->distance == 2);
  HIT(distance_3, a->move && w->distance == 3);
  HIT(irregular, leader && w->bad);
  HIT(clobbered, w->spoilt);
}
