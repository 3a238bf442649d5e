#include "tb/dtbl/dtbl_cover.h"

#include <string.h>

#define HIT(name, condition) c->bin[DTBL_BIN_##name] += (condition) ? 1 : 0

static void cover_in(dtbl_cover *c, const dtbl_ref *r, const dtbl_in *in, const dtbl_out *o) {
  if (in->kern) {
    const dtbl_kernel *k = in->kern;
    HIT(kernel_when_full, !o->kern_ready && !r->commit);
    HIT(kernel_between_ask_and_commit, r->commit);
    HIT(kernel_host, o->kern_ready && k->host);
    HIT(kernel_device, o->kern_ready && !k->host);
    HIT(kernel_of_one_block, o->kern_ready && k->x * k->y * k->z == 1);
    HIT(kernel_of_three_dimensions, o->kern_ready && k->x > 1 && k->y > 1 && k->z > 1);
  }
  if (in->agg) {
    const dtbl_group *g = in->agg;
    HIT(group_while_search_is_full, !o->agg_ready);
    HIT(group_last_of_command, o->agg_ready && g->last);
    HIT(group_not_last_of_command, o->agg_ready && !g->last);
    HIT(group_of_three_dimensions, o->agg_ready && g->x > 1 && g->y > 1 && g->z > 1);
    HIT(group_of_one_block, o->agg_ready && g->x * g->y * g->z == 1);
    HIT(group_during_clearing, o->agg_ready && r->clear_left);
  }
  HIT(refused, o->dk_valid && in->dk_ready);
  HIT(refused_waits, o->dk_valid && !in->dk_ready);
  HIT(record_written, o->mem_valid && in->mem_ready && o->mem.write && o->mem.mask == 11);
  HIT(link_written, o->mem_valid && in->mem_ready && o->mem.write && o->mem.mask == 4);
  HIT(record_read, o->mem_valid && in->mem_ready && !o->mem.write);
  HIT(memory_request_waits, o->mem_valid && !in->mem_ready);
}

static void cover_blocks(dtbl_cover *c, const dtbl_ref *r, const dtbl_in *in, const dtbl_out *o) {
  const dtbl_block *t = &o->tb;
  bool offered = o->tb_valid, taken = offered && in->tb_ready, fresh = offered && !r->offer;
  const wf_mask all = wf_mask_below(r->shape.smx);
  bool skipped_full = false, skipped_diverted = false;
  for (unsigned s = r->next_smx; fresh && s != t->smx; s = (s + 1) % r->shape.smx) {
    skipped_full |= !r->smx[s].room;
    skipped_diverted |= r->smx[s].room && wf_mask_has(&r->divert, s);
  }
  HIT(native_block, taken && !t->group);
  HIT(table_block, taken && t->group && t->link & 1);
  HIT(memory_block, taken && t->group && !(t->link & 1));
  HIT(block_waits_for_port, offered && !in->tb_ready);
  HIT(block_waits_for_room, r->state == DTBL_RUN && !offered);
  HIT(block_offered_after_waiting, offered && r->waited);
  HIT(block_skips_full_smx, skipped_full);
  HIT(block_skips_diverted_smx, skipped_diverted);
  HIT(all_diverted, wf_mask_same(&r->divert, &all) && r->state == DTBL_RUN);
  HIT(offer_stays_while_diverted, r->offer && wf_mask_has(&r->divert, r->offer_smx));
  HIT(slot_given_again_at_once,
      taken && wf_mask_has(&c->done_before, t->smx) && c->slot_before[t->smx] == t->slot);
  HIT(last_slot, taken && t->slot == r->shape.tbs - 1);
  const wf_mask ends = wf_mask_both(&in->done, &o->done_ready, WF_MASK_WORDS);
  HIT(two_ends_at_once, wf_mask_count(&ends, WF_MASK_WORDS) > 1);
  HIT(all_smx_end_at_once, wf_mask_same(&ends, &all));
  HIT(end_waits, !wf_mask_same(&ends, &in->done));
  HIT(end_and_start_on_one_smx, taken && wf_mask_has(&ends, t->smx));
  c->done_before = ends;
  memcpy(c->slot_before, in->done_slot, sizeof c->slot_before);
}

void dtbl_cover_cycle(dtbl_cover *c, const dtbl_ref *r, const dtbl_in *in, const dtbl_out *o) {
  cover_in(c, r, in, o);
  cover_blocks(c, r, in, o);
  HIT(kernel_done_host, o->kdone_valid && in->kdone_ready && o->kdone_host);
  HIT(kernel_done_device, o->kdone_valid && in->kdone_ready && !o->kdone_host);
  HIT(kernel_done_waits, o->kdone_valid && !in->kdone_ready);
  HIT(kernel_done_while_other_runs, o->kdone_valid && in->kdone_ready && r->state == DTBL_RUN);
  HIT(idle_waiting_for_room, o->idle && r->state == DTBL_RUN);
  HIT(idle_empty, o->idle && r->state == DTBL_IDLE);
}
