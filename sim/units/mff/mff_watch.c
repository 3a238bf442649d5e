#include "sim/units/mff/mff_watch.h"

/* ---- commands ---- */

static bool begin_command(mff_watch *w, const uint32_t *flit, const mff_instruction *next,
                          uint64_t now, wf_error *err) {
  const uint32_t tag = flit[0] >> 24;
  mff_watched *c = &w->commands[tag];
  mff_cmd_header header = {.op = next->op, .sm = w->sm, .warp = next->warp, .tag = tag};
  if (c->used) return wf_fail(err, WF_EXIT_WRONG, "mff: SM %u: tag %u is given twice", w->sm, tag);
  *c = (mff_watched){.used = true, .of = *next, .issued_at = now};
  for (unsigned l = 0; l < MFF_LANES; l++) {
    header.lane_mask |= (uint32_t)(next->lane[l].size > 0) << l;
    c->expected += next->lane[l].size;
  }
  w->n_flits = mff_pack_command(w->flits, &header, next->lane);
  w->outstanding++;
  return true;
}

bool mff_watch_flit(mff_watch *w, const uint32_t *flit, const mff_instruction *next, uint64_t now,
                    wf_error *err) {
  if (w->at_flit == 0 && !begin_command(w, flit, next, now, err)) return false;
  if (memcmp(flit, w->flits[w->at_flit], sizeof w->flits[0]) != 0)
    return wf_fail(err, WF_EXIT_WRONG,
                   "mff: SM %u: flit %u of warp %u's command is not what its lanes ask for", w->sm,
                   w->at_flit, next->warp);
  if (++w->at_flit == w->n_flits) w->at_flit = 0;
  return true;
}

static void end_if_complete(mff_watch *w, mff_watched *c, uint64_t now) {
  const bool gather = c->of.op == MFF_OP_GATHER;
  if (!c->done || (gather && c->written < c->expected)) return;
  c->used = false;
  w->outstanding--;
  if (gather) w->gather_cycles += now - c->issued_at;
}

/* ---- replies ---- */

static bool read_word(const mff_memory *m, uint32_t address, uint32_t *word, wf_error *err) {
  const void *at = wf_image_at(m->image, address, 4, err);
  if (at) memcpy(word, at, 4);
  return at != NULL;
}

/* The word of lane's i-th element must be the one memory holds. */
static bool check_word(const mff_memory *m, const mff_watched *c, unsigned lane, unsigned i,
                       uint32_t got, wf_error *err) {
  const uint32_t element = c->of.lane[lane].c_index + i;
  uint32_t index, want;
  if (!read_word(m, m->base[0] + 4 * element, &index, err) ||
      !read_word(m, m->base[1] + 4 * index, &want, err))
    return false;
  return got == want ||
         wf_fail(err, WF_EXIT_WRONG,
                 "mff: lane %u word %u (element %u of C, vertex %u): got 0x%08x, memory holds "
                 "0x%08x",
                 lane, i, element, index, got, want);
}

static bool take_word(mff_watch *w, mff_watched *c, const mff_rsp *r, unsigned k, mff_memory *m,
                      wf_error *err) {
  const unsigned lane = r->lane[k], i = r->a_offset[k];
  const bool asked = i < c->of.lane[lane].size;
  if (!asked || c->seen[lane] >> i & 1)
    return wf_fail(err, WF_EXIT_WRONG, "mff: SM %u warp %u: word %u of lane %u was %s", r->sm,
                   r->warp, i, lane, asked ? "delivered twice" : "not asked for");
  if (m->check && !check_word(m, c, lane, i, r->word[k], err)) return false;
  m->words += m->check;
  c->seen[lane] |= 1u << i;
  c->received++;
  if (w->n_pending == MFF_PENDING)
    return wf_fail(err, WF_EXIT_WRONG, "mff: SM %u holds more words than it can", r->sm);
  w->pending[w->n_pending++] = (mff_write){r->warp, c->of.target[lane] + 4 * i, r->word[k], r->tag};
  return true;
}

bool mff_watch_reply(mff_watch *w, const uint32_t *flit, mff_memory *memory, uint64_t now,
                     wf_error *err) {
  mff_rsp r;
  mff_unpack_rsp(&r, flit);
  mff_watched *c = &w->commands[r.tag];
  if (r.sm != w->sm || !c->used || c->of.warp != r.warp)
    return wf_fail(err, WF_EXIT_WRONG,
                   "mff: SM %u: a reply for command %u of SM %u, warp %u, which is not outstanding",
                   w->sm, r.tag, r.sm, r.warp);
  if (r.is_done) {
    if (r.error || r.words_delivered != c->expected || c->done)
      return wf_fail(err, WF_EXIT_WRONG,
                     "mff: SM %u warp %u: command %u ended %s with %u of %u words", r.sm, r.warp,
                     r.tag, r.error ? "refused" : "normally", r.words_delivered, c->expected);
    c->done = true;
    end_if_complete(w, c, now);
    return true;
  }
  for (unsigned k = 0; k < r.count; k++)
    if (!take_word(w, c, &r, k, memory, err)) return false;
  return true;
}

/* ---- writes ---- */

bool mff_watch_write(mff_watch *w, const mff_write *write, uint64_t now, wf_error *err) {
  for (unsigned i = 0; i < w->n_pending; i++) {
    const mff_write p = w->pending[i];
    if (p.warp != write->warp || p.offset != write->offset || p.word != write->word) continue;
    w->pending[i] = w->pending[--w->n_pending];
    mff_watched *c = &w->commands[p.tag];
    c->written++;
    end_if_complete(w, c, now);
    return true;
  }
  return wf_fail(err, WF_EXIT_WRONG,
                 "mff: SM %u warp %u: a write of 0x%08x at 0x%x of shared memory, which no reply "
                 "asked for",
                 w->sm, write->warp, write->word, write->offset);
}
