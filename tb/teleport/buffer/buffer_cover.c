#include "tb/teleport/buffer/buffer_cover.h"

#include <stddef.h>

#define HIT(name, condition) bin[BUFFER_BIN_##name] += (condition) ? 1 : 0

static const buffer_line *line_of(const buffer_ref *r, int line) {
  return line < 0 ? NULL : &r->line[(unsigned)line % r->shape.sets][(unsigned)line / r->shape.sets];
}
static bool dead(const buffer_ref *r, uint64_t block) {
  const buffer_line *line = r->line[buffer_ref_set_of(r, block)];
  for (unsigned w = 0; w < r->shape.ways; w++)
    if (line[w].state == BUFFER_DEAD && line[w].block == block) return true;
  return false;
}

static void cover_ask(uint64_t *bin, const buffer_ref *r, const buffer_op *op) {
  const buffer_line *found = line_of(r, buffer_ref_find(r, op->block)),
                    *set = r->line[buffer_ref_set_of(r, op->block)];
  HIT(ask_here, found && found->state == BUFFER_HERE && !found->mine);
  HIT(ask_coming, found && found->state == BUFFER_COMING && !found->mine);
  HIT(ask_known_here, found && found->state == BUFFER_HERE && found->mine);
  HIT(ask_known_coming, found && found->state == BUFFER_COMING && found->mine);
  HIT(merge_and_reply_at_once, found && found->state == BUFFER_COMING && !found->mine &&
                                   r->rsp[0] >= 0 && line_of(r, r->rsp[0]) == found);
  HIT(several_wait_for_a_line,
      found && found->state == BUFFER_COMING && !found->mine && found->waits & (found->waits - 1));
  HIT(ask_of_dead_block, !found && dead(r, op->block));
  if (found) return;
  unsigned coming = 0, mine = 0;
  for (unsigned w = 0; w < r->ways; w++) {
    coming += set[w].state == BUFFER_COMING || set[w].state == BUFFER_DEAD;
    mine += set[w].state == BUFFER_HERE && set[w].mine;
  }
  HIT(ask_fetched, op->choice >= 0);
  HIT(ask_dropped_all_coming, op->choice < 0 && r->ways && coming == r->ways);
  HIT(ask_dropped_all_mine, op->choice < 0 && r->ways && mine);
  HIT(ask_dropped_no_ways, op->choice < 0 && !r->ways);
  if (op->choice < 0) return;
  const buffer_line *victim = &set[op->choice];
  HIT(ask_evicts, victim->state == BUFFER_HERE);
  HIT(ask_evicts_other_than_first, victim->state == BUFFER_HERE && op->choice > 0);
  HIT(ask_takes_empty_beside_others, victim->state == BUFFER_EMPTY && op->choice > 0);
  HIT(ask_age3_goes, victim->state == BUFFER_HERE && victim->age == 3);
  HIT(ask_age1_goes, victim->state == BUFFER_HERE && victim->age == 1);
}

static void cover_op(uint64_t *bin, const buffer_ref *r) {
  const buffer_op *op = &r->s2;
  const buffer_line *found = op->kind == BUFFER_NOTHING ? NULL
                                                        : line_of(r, buffer_ref_find(r, op->block)),
                    *came = line_of(r, r->rsp[0]);
  bool here = found && found->state == BUFFER_HERE, coming = found && found->state == BUFFER_COMING;
  if (op->kind == BUFFER_ASK) cover_ask(bin, r, op);
  HIT(load_hit, op->kind == BUFFER_LOAD && here);
  HIT(load_coming, op->kind == BUFFER_LOAD && coming);
  HIT(load_miss, op->kind == BUFFER_LOAD && !found);
  HIT(load_of_dead_block, op->kind == BUFFER_LOAD && !found && dead(r, op->block));
  HIT(load_after_fetch_request,
      op->kind == BUFFER_LOAD && coming && r->s3.is_new && r->s3.block == op->block);
  HIT(load_and_reply_at_once, op->kind == BUFFER_LOAD && coming && came == found);
  HIT(store_here, op->kind == BUFFER_STORE && here);
  HIT(store_coming, op->kind == BUFFER_STORE && coming);
  HIT(store_miss, op->kind == BUFFER_STORE && !found);
  HIT(store_and_reply_at_once, op->kind == BUFFER_STORE && coming && came == found);
  HIT(close_nothing_to_wait, op->kind == BUFFER_CLOSE && !r->slot[op->slot].count &&
                                 r->s3.kind == BUFFER_ASK && !r->s3.waits);
  HIT(ages_turn,
      r->s3.touch && r->s3.is_new && r->tick[r->s3.line % r->shape.sets] + 1 >= r->quarter);
}

/* What waits, and the line that is cut next. */
static void cover_front(uint64_t *bin, const buffer_ref *r, const buffer_inputs *in) {
  const front_ref *f = &r->front;
  HIT(ranges_full, !front_ref_ready(f));
  HIT(range_waits, in->ask_refused);
  HIT(range_none, in->ask && in->ask->none);
  HIT(range_below_zero, in->ask && !in->ask->none && in->ask->low < 0);
  HIT(two_blocks_in_front, f->has_tile && f->n_lines && f->tile.slot != f->lines[0].slot);
  if (!f->has_tile || f->tile.none) return;
  const front_line l = front_ref_line(f, &f->tile, f->at_line);
  HIT(line_of_tile, f->at_line);
  HIT(last_of_tallest, f->at_line && (f->at_line + 1) >> f->shape.height_bits);
  HIT(line_outside, l.outside);
  HIT(line_outside_behind_inside,
      l.outside && f->at_line && f->n_lines && !f->lines[f->n_lines - 1].outside);
  HIT(line_clipped_low, l.clipped && l.first == f->levels.bound_lo);
  HIT(line_clipped_high, l.clipped && l.last == f->levels.bound_hi);
  HIT(line_one_block, !l.empty && l.first == l.last);
  HIT(line_straddles, !l.empty && l.first + 1 == l.last);
  HIT(line_cut, f->walks && !f->walk.empty && !f->left && f->levels.cap);
  HIT(cap_zero, f->walks && !f->walk.empty && !f->levels.cap);
}

void buffer_cover_cycle(uint64_t *bin, const buffer_ref *r, const buffer_inputs *in) {
  cover_op(bin, r);
  cover_front(bin, r, in);
  if (r->n_asks) {
    const front_request *head = &r->ask[0];
    bool slot = !r->open && r->slot[head->slot].used, room = r->n_fetches <= BUFFER_FETCHES - 4;
    bool set = !head->last && r->s1.kind == BUFFER_ASK &&
               buffer_ref_set_of(r, r->s1.block) == buffer_ref_set_of(r, head->block);
    HIT(ask_waits_for_slot, slot);
    HIT(ask_waits_for_fetches, !slot && !room);
    HIT(ask_waits_for_set, !slot && room && set);
    HIT(ask_waits_for_access, !slot && room && !set && in->acc);
    HIT(close_without_requests, head->last && !r->open && !slot);
  }
  HIT(access_waits, !r->acc_ready);
  const buffer_line *came = line_of(r, r->rsp[0]);
  HIT(reply_of_dead, came && came->state == BUFFER_DEAD);
  HIT(reply_ends_several_waits, r->rsp_row && (r->row & (r->row - 1)));
  bool open = false;
  unsigned waiting = 0;
  for (unsigned t = 0; t < r->shape.slots; t++) {
    open |= r->rsp_row && r->row >> t & 1 && !r->slot[t].closed;
    waiting += r->slot[t].closed && !r->slot[t].told && !r->slot[t].count;
  }
  HIT(reply_between_wait_and_close, open);
  HIT(go_stalled, r->go >= 0 && !in->go_taken);
  HIT(go_several, waiting > 1);
  HIT(go_overlapped, in->go_taken && r->slot[r->go].count);
  if (in->end_slot >= 0) {
    HIT(end_before_blocks_came, r->slot[in->end_slot].count);
    HIT(end_and_ask_of_slot, r->n_asks && (int)r->ask[0].slot == in->end_slot);
  }
  HIT(start, in->start_ways > 0);
  HIT(start_no_ways, in->start_ways == 0);
  HIT(start_fewer_ways, in->start_ways > 0 && (unsigned)in->start_ways < r->shape.ways);
  HIT(start_waits, r->coming && !r->n_asks);
  HIT(fetch_stalled, r->n_fetches && !in->fetch_taken);
  HIT(fetch_queue_limit, r->n_fetches > BUFFER_FETCHES - 2);
}
