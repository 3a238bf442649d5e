#include "tb/mff/sm/sm_ref.h"

#include <string.h>

static bool wrong(sm_ref *r, const char *what) {
  r->wrong = what;
  return false;
}

void sm_ref_reset(sm_ref *r, const sm_shape *shape) {
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->next_slice = shape->first;
  r->must_be = true;
}

unsigned sm_ref_share(const sm_ref *r) {
  return (r->shape.commands + r->shape.slices - 1) / r->shape.slices;
}

/* ---- commands ---- */

static uint32_t size_of(const sm_instruction *i, unsigned lane) {
  return i->mask >> lane & 1 ? i->lane[lane].size : 0;
}

uint32_t sm_ref_words(const sm_instruction *i) {
  uint32_t words = 0;
  for (unsigned l = 0; l < MFF_LANES; l++) words += size_of(i, l);
  return words;
}

void sm_ref_instruction(sm_ref *r, const sm_instruction *i) {
  if (!sm_ref_words(i)) {
    r->counter[SM_CNT_sm_empty]++;
    return;
  }
  r->expected = true;
  r->taken_at = r->now;
  r->next = *i;
}

static bool begin(sm_ref *r, uint32_t tag, uint32_t slice) {
  if (!r->expected) return wrong(r, "a command that no instruction asked for");
  if (tag >= r->shape.commands) return wrong(r, "the tag is not an entry's number");
  if (r->command[tag].used) return wrong(r, "the tag is outstanding");
  if (slice >= r->shape.slices || r->slice_out[slice] >= sm_ref_share(r))
    return wrong(r, "a command for a slice that has its share");
  if (r->must_be && slice != r->next_slice) return wrong(r, "another slice is next in rotation");
  r->expected = false;
  sm_command *c = &r->command[tag];
  *c = (sm_command){.used = true, .of = r->next, .slice = slice};
  c->expected = c->asked = c->of.op == MFF_OP_GATHER ? sm_ref_words(&c->of) : 0;
  mff_cmd_header h = {.op = c->of.op, .sm = r->shape.sm, .warp = c->of.warp, .tag = tag};
  for (unsigned l = 0; l < MFF_LANES; l++) h.lane_mask |= (uint32_t)(size_of(&c->of, l) > 0) << l;
  r->n_flits = mff_pack_command(r->flits, &h, c->of.lane);
  r->leaving_slice = slice;
  r->out++;
  r->slice_out[slice]++;
  r->gathers[c->of.warp] += c->of.op == MFF_OP_GATHER;
  r->next_slice = (slice + 1) % r->shape.slices;
  const uint64_t freed_at = r->freed_at[r->next_slice]; /* the unit hears of it some edges later */
  r->must_be = r->slice_out[r->next_slice] < sm_ref_share(r) &&
               (!freed_at || freed_at + SM_LATE < r->taken_at);
  r->counter[SM_CNT_sm_commands]++;
  return true;
}

bool sm_ref_flit(sm_ref *r, const uint32_t *flit, uint32_t slice, bool last) {
  if (r->at_flit == 0 && !begin(r, flit[0] >> 24, slice)) return false;
  if (memcmp(flit, r->flits[r->at_flit], sizeof r->flits[0]) != 0)
    return wrong(r, "a flit is not what the lanes ask for");
  if (slice != r->leaving_slice) return wrong(r, "flits of one command for two slices");
  if (last != (r->at_flit + 1 == r->n_flits)) return wrong(r, "the last flit is another");
  if (++r->at_flit == r->n_flits) r->at_flit = 0;
  r->counter[SM_CNT_sm_flits]++;
  return true;
}

static void end_if_complete(sm_ref *r, sm_command *c) {
  if (!c->done || c->written < c->expected) return;
  c->used = false;
  r->out--;
  r->slice_out[c->slice]--;
  r->freed_at[c->slice] = r->now;
  r->gathers[c->of.warp] -= c->of.op == MFF_OP_GATHER;
  r->counter[SM_CNT_sm_over]++;
}

/* ---- replies ---- */

/* Words that are looked up together: the first of each bank of targets decides for which lane. */
static uint32_t looked_up(const mff_rsp *rsp, uint32_t left) {
  uint32_t chosen = left;
  for (unsigned k = 0; k < rsp->count; k++)
    for (unsigned j = 0; j < k; j++)
      if (left >> j & 1 && rsp->lane[j] != rsp->lane[k] &&
          rsp->lane[j] % SM_TARGET_BANKS == rsp->lane[k] % SM_TARGET_BANKS)
        chosen &= ~(1u << k);
  return chosen;
}

static uint32_t written_at_once(const uint32_t *addr, uint32_t left) {
  uint32_t chosen = left;
  for (unsigned k = 0; k < MFF_WORDS_PER_RSP; k++)
    for (unsigned j = 0; j < k; j++)
      if (left >> j & 1 && left >> k & 1 && addr[j] % 32 == addr[k] % 32) chosen &= ~(1u << k);
  return chosen;
}

/* The flit's words as they must be written, and how often something must be repeated for them. */
static void list_words(sm_ref *r, const mff_rsp *rsp, const sm_command *c, sm_reply *to) {
  uint32_t addr[MFF_WORDS_PER_RSP] = {0}, left = (1u << rsp->count) - 1;
  for (unsigned k = 0; k < rsp->count; k++)
    addr[k] = (c->of.target[rsp->lane[k]] + rsp->a_offset[k]) & ((1u << r->shape.addr_bits) - 1);
  for (bool again = false; left; again = true) {
    uint32_t group = looked_up(rsp, left);
    r->counter[SM_CNT_sm_look_again] += again;
    left &= ~group;
    for (bool more = false; group; more = true) {
      const uint32_t now = written_at_once(addr, group);
      r->counter[SM_CNT_sm_bank_again] += more;
      group &= ~now;
      for (unsigned k = 0; k < rsp->count; k++)
        if (now >> k & 1) to->word[to->n++] = (sm_word){addr[k], rsp->word[k]};
    }
  }
}

/* Replies whose words are written are over, in order. */
static void settle(sm_ref *r) {
  while (r->n_replies && r->reply[0].first == r->reply[0].n) {
    sm_command *c = &r->command[r->reply[0].tag];
    if (r->reply[0].refused) c->expected = 0;
    c->done |= r->reply[0].done;
    end_if_complete(r, c);
    memmove(&r->reply[0], &r->reply[1], --r->n_replies * sizeof r->reply[0]);
  }
}

void sm_ref_reply(sm_ref *r, const mff_rsp *rsp) {
  sm_command *c = &r->command[rsp->tag];
  sm_reply *to = &r->reply[r->n_replies++];
  *to = (sm_reply){.tag = rsp->tag, .done = rsp->is_done, .refused = rsp->error};
  if (rsp->is_done) {
    r->counter[SM_CNT_sm_rsp_done]++;
    r->counter[SM_CNT_sm_refused] += rsp->error;
  } else {
    list_words(r, rsp, c, to);
    r->counter[SM_CNT_sm_rsp_words]++;
    r->counter[SM_CNT_sm_words] += rsp->count;
  }
  settle(r);
}

static bool write_word(sm_ref *r, uint32_t warp, sm_word word) {
  sm_reply *p = &r->reply[0];
  if (!r->n_replies) return wrong(r, "a write without a reply");
  sm_command *c = &r->command[p->tag];
  for (unsigned i = p->first; i < p->n; i++) {
    if (p->word[i].addr != word.addr || p->word[i].data != word.data) continue;
    if (c->of.warp != warp) return wrong(r, "a write for another warp");
    p->word[i] = p->word[p->first++];
    c->written++;
    return true;
  }
  return wrong(r, "a write that the oldest reply does not ask for");
}

bool sm_ref_write(sm_ref *r, uint32_t warp, uint32_t mask, const uint32_t *addr,
                  const uint32_t *data) {
  uint32_t banks = 0;
  for (unsigned k = 0; k < MFF_WORDS_PER_RSP; k++) {
    if (!(mask >> k & 1)) continue;
    if (banks >> addr[k] % 32 & 1) return wrong(r, "two writes in one bank");
    banks |= 1u << addr[k] % 32;
    if (!write_word(r, warp, (sm_word){addr[k], data[k]})) return false;
  }
  settle(r);
  return true;
}

bool sm_ref_rests(const sm_ref *r) {
  return !r->n_replies && !r->expected && !r->at_flit;
}
