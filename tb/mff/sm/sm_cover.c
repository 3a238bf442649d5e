#include "tb/mff/sm/sm_cover.h"

#define HIT(name, condition) bin[SM_BIN_##name] += (condition) ? 1 : 0

void sm_cover_instruction(uint64_t *bin, const sm_instruction *i) {
  unsigned lanes = 0;
  for (unsigned l = 0; l < MFF_LANES; l++) {
    const uint32_t size = i->mask >> l & 1 ? i->lane[l].size : 0;
    lanes += size > 0;
    HIT(size_32, size == MFF_MAX_SIZE);
  }
  HIT(gather, i->op == MFF_OP_GATHER);
  HIT(scatter, i->op == MFF_OP_SCATTER_SET);
  HIT(empty, !lanes);
  HIT(lanes_one, lanes == 1);
  HIT(lanes_all, lanes == MFF_LANES);
  HIT(words_1024, sm_ref_words(i) == MFF_LANES * MFF_MAX_SIZE);
}

void sm_cover_header(uint64_t *bin, const sm_ref *r, uint32_t rows, uint32_t slice) {
  const unsigned share = sm_ref_share(r);
  bin[SM_BIN_rows_1 + rows - 1]++;
  HIT(all_entries_out, r->out + 1 == r->shape.commands);
  HIT(slice_with_its_share, r->slice_out[slice] + 1 == share);
  HIT(slice_left_out, slice != r->next_slice);
  HIT(two_gathers_of_a_warp, r->gathers[r->next.warp] && r->next.op == MFF_OP_GATHER);
}

void sm_cover_reply(uint64_t *bin, const sm_ref *r, const mff_rsp *rsp) {
  const sm_command *c = &r->command[rsp->tag];
  if (rsp->is_done) {
    HIT(refused, rsp->error);
    HIT(done_before_words, c->asked && !rsp->error);
    HIT(done_after_words, c->expected && !c->asked && !rsp->error);
    return;
  }
  uint32_t lanes = 0, addr[MFF_WORDS_PER_RSP];
  for (unsigned k = 0; k < rsp->count; k++) {
    lanes |= 1u << rsp->lane[k];
    addr[k] = c->of.target[rsp->lane[k]] + rsp->a_offset[k];
    HIT(address_wraps, addr[k] >> r->shape.addr_bits);
  }
  bin[SM_BIN_flit_of_1 + rsp->count - 1]++;
  HIT(flit_of_one_lane, rsp->count == 5 && mff_lanes_in(lanes) == 1);
  HIT(flit_of_five_lanes, mff_lanes_in(lanes) == 5);
  HIT(replies_of_one_command_in_a_row, r->n_replies && r->reply[r->n_replies - 1].tag == rsp->tag);
}
