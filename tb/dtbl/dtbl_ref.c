#include "tb/dtbl/dtbl_ref.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

#define COUNT(name, condition) r->counter[DTBL_CNT_##name] += (condition) ? 1 : 0

void dtbl_ref_free(dtbl_ref *r) {
  for (unsigned k = 0; k < DTBL_MAX_KDE; k++) free(r->kde[k].pool);
  free(r->agt);
  memset(r, 0, sizeof *r);
}

void dtbl_ref_reset(dtbl_ref *r, const dtbl_shape *shape) {
  dtbl_ref_free(r);
  r->shape = *shape;
  r->agt = wf_calloc(shape->agt, sizeof *r->agt);
  r->clear_left = shape->agt;
  for (unsigned s = 0; s < shape->smx; s++) {
    r->smx[s].warps = shape->warps;
    r->smx[s].regs = shape->regs;
    r->smx[s].shm = shape->shm;
  }
}

static bool same_key(const dtbl_group *g, const dtbl_kernel *k) {
  return g->pc == k->pc && g->tbdim == k->tbdim && g->smem == k->smem;
}

static unsigned lowest_free(const dtbl_ref *r) {
  unsigned k = 0;
  while (k < r->shape.kdes && r->kde[k].used) k++;
  return k;
}

/* The entry that would be given up now, or kdes. */
static unsigned over(const dtbl_ref *r) {
  bool live = false;
  for (unsigned s = 0; s < r->shape.slots; s++) live |= r->slot[s].valid && !r->slot[s].done;
  for (unsigned k = 0; k < r->shape.kdes; k++) {
    bool pinned = live && r->at == k;
    for (unsigned s = 0; s < r->shape.slots; s++)
      pinned |= r->slot[s].valid && r->slot[s].done && r->slot[s].hit && r->slot[s].kdei == k;
    if (r->kde[k].open && !r->kde[k].marked && !r->kde[k].exe && !pinned) return k;
  }
  return r->shape.kdes;
}

static unsigned free_slot(const dtbl_ref *r, unsigned s) {
  unsigned slot = 0;
  while (slot < r->shape.tbs && r->smx[s].slot[slot].busy) slot++;
  return slot;
}

/* Where the next block goes; smx if nowhere. */
static unsigned place(const dtbl_ref *r) {
  if (r->state != DTBL_RUN) return r->shape.smx;
  if (r->offer) return r->offer_smx;
  for (unsigned i = 0; i < r->shape.smx; i++) {
    unsigned s = (r->next_smx + i) % r->shape.smx;
    if (r->smx[s].room && !wf_mask_has(&r->divert, s)) return s;
  }
  return r->shape.smx;
}

static bool smx_quiet(const dtbl_ref *r) {
  for (unsigned s = 0; s < r->shape.smx; s++)
    if (r->smx[s].read || r->smx[s].n_ends) return false;
  return true;
}

static bool search_quiet(const dtbl_ref *r) {
  for (unsigned s = 0; s < r->shape.slots; s++)
    if (r->slot[s].valid) return false;
  return true;
}

/* The oldest group, answered, goes to the KMU: no kernel, or its pool is full, or was when the
 * group was offered there. */
static bool goes_away(const dtbl_ref *r) {
  const unsigned h = r->head;
  return r->slot[h].valid && r->slot[h].done && !r->commit &&
         (!r->slot[h].hit || r->away || r->kde[r->slot[h].kdei].count == r->shape.pool_max);
}

void dtbl_ref_outputs(const dtbl_ref *r, const wf_mask *divert, dtbl_out *o) {
  memset(o, 0, sizeof *o);
  unsigned k = lowest_free(r), s = place(r);
  o->kern_ready = k < r->shape.kdes && !r->commit;
  o->kern_kdei = k < r->shape.kdes ? k : 0;
  o->agg_ready = !r->slot[r->tail].valid;
  o->dk_valid = goes_away(r);
  o->dk = r->slot[r->head].group;
  o->mem_valid = r->n_queue > 0;
  o->mem = r->queue[0];
  o->rsp_ready = r->state == DTBL_WAIT;
  o->kdone_valid = r->kdone;
  o->kdone_kdei = r->kdone_kdei;
  o->kdone_host = r->kde[r->kdone_kdei].kernel.host;
  for (unsigned i = 0; i < r->shape.smx; i++)
    if (r->smx[i].n_ends + r->smx[i].read < r->shape.done_depth) wf_mask_set(&o->done_ready, i);
  o->tb_valid = s < r->shape.smx;
  if (o->tb_valid) {
    o->tb = (dtbl_block){.smx = s,
                         .slot = r->offer ? r->offer_slot : free_slot(r, s),
                         .kdei = r->run,
                         .group = r->in_group,
                         .link = r->in_group ? r->next.link : 0,
                         .pc = r->pc,
                         .param = r->param,
                         .first = true,
                         .last = true};
    for (unsigned d = 0; d < 3; d++) {
      o->tb.dim[d] = r->dim[d];
      o->tb.at[d] = r->x[d];
      o->tb.first &= r->x[d] == 0;
      o->tb.last &= r->x[d] + 1 == r->dim[d];
    }
  }
  bool no_room = r->state == DTBL_RUN && !o->tb_valid,
       resting = r->state == DTBL_IDLE && !r->n_fcfs;
  o->idle = search_quiet(r) && !r->commit && !r->kdone && over(r) == r->shape.kdes &&
            r->op == DTBL_OP_NONE && !r->clear_left && smx_quiet(r) &&
            wf_mask_same(divert, &r->divert) && !r->n_queue &&
            ((resting && !r->waited) || (no_room && r->waited));
}

/* ---- what one edge does ---- */

typedef struct now { /* what happens in this cycle */
  dtbl_out out;
  bool kern, agg, tb, fin, decide, pop, go, end, end_agt, asked, commit, remark, give;
  unsigned end_smx, give_kdei;
  dtbl_tbcr ended;
  bool got, far, store;
  unsigned join_kdei;
} now;

/* The table's second stage: the operation that was chosen in the cycle before. */
static void apply_op(dtbl_ref *r) {
  if (r->op == DTBL_OP_NONE) return;
  bool over_now = false;
  if (r->op == DTBL_OP_ALLOC) {
    if (!r->agt[r->op_idx].valid) {
      r->agt[r->op_idx].valid = true;
      r->agt[r->op_idx].finished = false;
      r->agt[r->op_idx].blocks = 0;
    }
  } else {
    r->agt[r->op_idx].blocks += r->op == DTBL_OP_FIN ? r->op_n : -1;
    r->agt[r->op_idx].finished |= r->op == DTBL_OP_FIN;
    over_now = r->agt[r->op_idx].finished && r->agt[r->op_idx].blocks == 0;
    if (over_now) r->agt[r->op_idx].valid = r->agt[r->op_idx].finished = false;
  }
  COUNT(agt_frees, over_now);
}

static void choose_end(dtbl_ref *r, now *n) {
  for (unsigned i = 0; i < r->shape.smx; i++) {
    unsigned s = (r->next_end + i) % r->shape.smx;
    if (!r->smx[s].n_ends) continue;
    n->end_smx = s;
    n->ended = r->smx[s].ends[0];
    n->end_agt = n->ended.link & 1;
    n->end = !n->end_agt || (!n->fin && !r->clear_left);
    return;
  }
}

static void choose_join(dtbl_ref *r, now *n, bool mem_free) {
  bool hit = r->slot[r->head].valid && r->slot[r->head].done && r->slot[r->head].hit;
  unsigned k = n->join_kdei = r->slot[r->head].kdei;
  const dtbl_entry *e = &r->kde[k];
  n->asked = hit && !r->commit && !n->out.dk_valid && !n->fin && !n->end_agt && !r->clear_left;
  if (!r->commit) return;
  n->got = r->asked_now ? !r->agt[r->op_idx].valid : r->got;
  n->store = !n->got && !r->stored;
  n->far = e->count && !(e->pool[e->count - 1].link & 1);
  n->commit = n->store ? mem_free && !n->far : !n->far || mem_free;
  n->remark = n->commit && !e->marked;
}

static void queue_push(dtbl_ref *r, dtbl_mem m) {
  r->queue[r->n_queue++] = m;
}

static void push_memory(dtbl_ref *r, const now *n, bool room) {
  const dtbl_group *g = &r->slot[r->head].group;
  const dtbl_entry *e = &r->kde[n->join_kdei];
  if (!room) return;
  if (n->store) {
    queue_push(r, (dtbl_mem){.write = true,
                             .addr = g->param,
                             .mask = 11,
                             .word = {g->x, g->z << 16 | g->y, 0, g->param}});
  } else if (r->commit && n->far) {
    uint32_t link = n->got ? (g->tid % r->shape.agt) << 1 | 1 : g->param;
    queue_push(r, (dtbl_mem){.write = true,
                             .addr = e->pool[e->count - 1].link,
                             .mask = 4,
                             .word = {0, 0, link, 0}});
  } else if (r->state == DTBL_ASK) {
    queue_push(r, (dtbl_mem){.addr = r->next.link});
  }
}

static void pool_add(dtbl_entry *e, const dtbl_group *g, uint32_t link) {
  if (e->count == e->room) {
    e->room = e->room ? 2 * e->room : 8;
    dtbl_waiting *bigger = wf_calloc(e->room, sizeof *bigger);
    if (e->count) memcpy(bigger, e->pool, e->count * sizeof *bigger);
    free(e->pool);
    e->pool = bigger;
  }
  e->pool[e->count++] = (dtbl_waiting){.group = *g, .link = link};
}

static void step_search(dtbl_ref *r, const dtbl_in *in, const now *n, bool pop) {
  bool live = false, waits = false;
  for (unsigned s = 0; s < r->shape.slots; s++) live |= r->slot[s].valid && !r->slot[s].done;
  bool compare = r->at_valid;
  for (unsigned s = 0; s < r->shape.slots && compare; s++) {
    if (!r->slot[s].valid || r->slot[s].done) continue;
    bool match = r->kde[r->at].open && same_key(&r->slot[s].group, &r->at_kernel),
         end = r->slot[s].seen == r->shape.kdes - 1;
    r->slot[s].seen++;
    if (match || end) {
      r->slot[s].done = true;
      r->slot[s].hit = match;
      r->slot[s].kdei = r->at;
    } else {
      waits = true;
    }
  }
  COUNT(search_steps, compare && live);
  bool next = compare && waits, read = next || (!compare && live);
  if (next) r->at = (r->at + 1) % r->shape.kdes;
  if (read) r->at_kernel = r->kde[r->at].kernel;
  r->at_valid = (r->at_valid || read) && !(n->kern && n->out.kern_kdei == r->at);
  if (pop) {
    r->slot[r->head].valid = false;
    r->head = (r->head + 1) % r->shape.slots;
  }
  if (n->agg) {
    r->slot[r->tail].valid = true;
    r->slot[r->tail].done = false;
    r->slot[r->tail].seen = 0;
    r->slot[r->tail].group = *in->agg;
    r->tail = (r->tail + 1) % r->shape.slots;
  }
}

static void step_smx(dtbl_ref *r, const dtbl_in *in, const now *n) {
  for (unsigned i = 0; i < r->shape.smx; i++) {
    dtbl_smx *s = &r->smx[i];
    if (n->end && n->end_smx == i) {
      s->n_ends--;
      memmove(s->ends, s->ends + 1, s->n_ends * sizeof *s->ends);
    }
    if (s->read) s->ends[s->n_ends++] = s->read_tbcr;
    bool done = wf_mask_has(&in->done, i) && wf_mask_has(&n->out.done_ready, i),
         take = n->tb && n->out.tb.smx == i;
    unsigned placed = n->out.tb.slot;
    s->read = done;
    if (take) {
      s->slot[placed].busy = true;
      s->slot[placed].warps = r->need_warps;
      s->slot[placed].regs = r->need_regs;
      s->slot[placed].shm = r->need_shm;
      s->slot[placed].tbcr = (dtbl_tbcr){.kdei = r->run, .link = n->out.tb.link};
      s->warps -= r->need_warps;
      s->regs -= r->need_regs;
      s->shm -= r->need_shm;
    }
    if (done) {
      unsigned slot = in->done_slot[i];
      s->read_tbcr = s->slot[slot].tbcr;
      s->slot[slot].busy = false;
      s->warps += s->slot[slot].warps;
      s->regs += s->slot[slot].regs;
      s->shm += s->slot[slot].shm;
    }
    s->room = free_slot(r, i) < r->shape.tbs && s->warps >= r->need_warps &&
              s->regs >= r->need_regs && s->shm >= r->need_shm;
  }
  if (n->end) r->next_end = (n->end_smx + 1) % r->shape.smx;
  if (n->tb) r->next_smx = (n->out.tb.smx + 1) % r->shape.smx;
  r->offer = n->out.tb_valid && !n->tb;
  r->offer_smx = n->out.tb.smx;
  r->offer_slot = n->out.tb.slot;
  r->divert = in->divert;
}

static void start_part(dtbl_ref *r, const uint32_t dim[3], uint32_t param) {
  memcpy(r->dim, dim, sizeof r->dim);
  memset(r->x, 0, sizeof r->x);
  r->param = param;
  r->n = 0;
}

static void advance_block(dtbl_ref *r) {
  r->n++;
  for (unsigned d = 0; d < 3; d++) {
    if (++r->x[d] < r->dim[d]) return;
    r->x[d] = 0;
  }
}

/* The scheduler. The needs change here, after step_smx() used them. */
/* The pool's oldest entry, or the kernel is done for now. */
static void next_entry(dtbl_ref *r, dtbl_entry *e, bool pop) {
  if (!pop) {
    e->marked = false;
    r->state = DTBL_IDLE;
    return;
  }
  r->next = e->pool[0];
  e->count--;
  memmove(e->pool, e->pool + 1, e->count * sizeof *e->pool);
  r->state = !r->chain ? DTBL_HEAD : r->next.link & 1 ? DTBL_GET : DTBL_ASK;
  if (r->chain) r->in_group = true;
  if (r->chain) r->in_agt = r->next.link & 1;
  r->chain = e->count > 0;
}

static void step_scheduler(dtbl_ref *r, const dtbl_in *in, const now *n, bool asked) {
  dtbl_entry *e = &r->kde[r->run];
  switch (r->state) {
  case DTBL_IDLE:
    if (!r->n_fcfs) return;
    r->run = r->fcfs[0];
    r->n_fcfs--;
    memmove(r->fcfs, r->fcfs + 1, r->n_fcfs * sizeof *r->fcfs);
    r->state = DTBL_LOAD;
    return;
  case DTBL_LOAD:
    r->need_warps = e->kernel.warps;
    r->need_regs = e->kernel.regs;
    r->need_shm = e->kernel.shm;
    r->pc = e->kernel.pc;
    r->in_group = false;
    start_part(r, (uint32_t[3]){e->kernel.x, e->kernel.y, e->kernel.z}, e->kernel.param);
    r->state = e->first ? DTBL_ROOM : DTBL_NEXT;
    e->first = false;
    return;
  case DTBL_ROOM:
    r->state = DTBL_RUN;
    return;
  case DTBL_RUN:
    if (!n->tb) return;
    if (n->out.tb.last) r->state = DTBL_NEXT;
    advance_block(r);
    return;
  case DTBL_NEXT:
    r->in_agt = false;
    if (n->decide) next_entry(r, e, n->pop);
    return;
  case DTBL_HEAD:
    r->in_group = true;
    r->in_agt = r->next.link & 1;
    r->state = r->next.link & 1 ? DTBL_GET : DTBL_ASK;
    return;
  case DTBL_ASK:
    if (asked) r->state = DTBL_WAIT;
    return;
  case DTBL_WAIT:
    if (!in->rsp_valid) return;
    /* fall through */
  case DTBL_GET:
    start_part(r, (uint32_t[3]){r->next.group.x, r->next.group.y, r->next.group.z},
               r->next.group.param);
    r->state = DTBL_RUN;
    return;
  }
}

static void count_ports(dtbl_ref *r, const dtbl_in *in, const now *n) {
  const dtbl_out *o = &n->out;
  COUNT(kernels, n->kern);
  COUNT(kernels_device, n->kern && !in->kern->host);
  COUNT(kernels_done, o->kdone_valid && in->kdone_ready);
  COUNT(groups, n->agg);
  COUNT(commands, n->agg && in->agg->last);
  COUNT(groups_joined, n->commit);
  COUNT(groups_refused, o->dk_valid && in->dk_ready);
  COUNT(agt_hits, n->commit && n->got);
  COUNT(agt_overflows, n->commit && !n->got);
  COUNT(remarks, n->remark);
  COUNT(blocks_native, n->tb && !o->tb.group);
  COUNT(blocks_group, n->tb && o->tb.group);
  COUNT(blocks_memory_group, n->tb && o->tb.group && !(o->tb.link & 1));
  COUNT(block_ends, n->end);
  COUNT(mem_reads, o->mem_valid && in->mem_ready && !o->mem.write);
  COUNT(mem_writes, o->mem_valid && in->mem_ready && o->mem.write);
  COUNT(blocks_waited, r->state == DTBL_RUN && !o->tb_valid && !r->waited);
  COUNT(tb_stalls, o->tb_valid && !in->tb_ready);
  COUNT(mem_wait, r->state == DTBL_ASK || r->state == DTBL_WAIT);
  COUNT(kern_stalls, in->kern && !o->kern_ready);
  COUNT(dk_stalls, o->dk_valid && !in->dk_ready);
  COUNT(clearing, r->clear_left > 0);
}

static void step_entries(dtbl_ref *r, const dtbl_in *in, const now *n) {
  if (n->give) {
    r->kde[n->give_kdei].open = false;
    r->kdone_kdei = n->give_kdei;
  }
  if (n->out.kdone_valid && in->kdone_ready) r->kde[n->out.kdone_kdei].used = false;
  r->kdone = n->give || (r->kdone && !in->kdone_ready);
  if (n->tb) r->kde[r->run].exe++;
  if (n->end) r->kde[n->ended.kdei].exe--;
  if (n->commit) {
    const dtbl_group *g = &r->slot[r->head].group;
    pool_add(&r->kde[n->join_kdei], g, n->got ? (g->tid % r->shape.agt) << 1 | 1 : g->param);
    r->kde[n->join_kdei].marked = true;
  }
  if (n->kern) {
    dtbl_entry *e = &r->kde[n->out.kern_kdei];
    e->used = e->open = e->marked = e->first = true;
    e->exe = 0;
    e->count = 0;
    e->kernel = *in->kern;
  }
  if (n->kern || n->remark) r->fcfs[r->n_fcfs++] = n->remark ? n->join_kdei : n->out.kern_kdei;
}

void dtbl_ref_step(dtbl_ref *r, const dtbl_in *in) {
  now n = {0};
  dtbl_ref_outputs(r, &in->divert, &n.out);
  n.kern = in->kern && n.out.kern_ready;
  n.agg = in->agg && n.out.agg_ready;
  n.tb = n.out.tb_valid && in->tb_ready;
  n.give_kdei = over(r);
  n.give = !r->kdone && n.give_kdei < r->shape.kdes;
  n.fin = r->state == DTBL_NEXT && r->in_agt;
  bool mem_free = r->n_queue < 2;
  choose_end(r, &n);
  choose_join(r, &n, mem_free);
  n.decide = r->state == DTBL_NEXT && !(r->commit && n.join_kdei == r->run);
  n.pop = n.decide && r->kde[r->run].count > 0;
  bool asked = mem_free && !(n.store || (r->commit && n.far)) && r->state == DTBL_ASK;
  count_ports(r, in, &n);

  /* Queue of memory requests: what leaves, what comes. */
  bool leaves = n.out.mem_valid && in->mem_ready;
  push_memory(r, &n, mem_free);
  if (leaves) {
    r->n_queue--;
    r->queue[0] = r->queue[1];
  }
  r->waited = r->state == DTBL_RUN && !n.out.tb_valid;

  /* The table: this cycle's operation acts in the next one. */
  bool got_now = r->asked_now && r->commit ? n.got : r->got;
  apply_op(r);
  r->op = n.fin                ? DTBL_OP_FIN
          : n.end && n.end_agt ? DTBL_OP_DONE
          : n.asked            ? DTBL_OP_ALLOC
                               : DTBL_OP_NONE;
  r->op_idx = n.fin                ? r->next.link >> 1
              : n.end && n.end_agt ? n.ended.link >> 1
                                   : r->slot[r->head].group.tid % r->shape.agt;
  r->op_n = r->n;
  if (r->clear_left) r->clear_left--;

  bool was_stored = r->stored || (n.store && mem_free), was_commit = r->commit;
  step_smx(r, in, &n);
  step_scheduler(r, in, &n, asked);
  step_search(r, in, &n, n.commit || (n.out.dk_valid && in->dk_ready));
  /* After step_search() the head moved; entries want the group that was committed. */
  if (n.commit) r->head = (r->head + r->shape.slots - 1) % r->shape.slots;
  step_entries(r, in, &n);
  if (n.commit) r->head = (r->head + 1) % r->shape.slots;
  r->got = got_now;
  r->stored = !n.commit && was_stored;
  r->commit = n.asked || (was_commit && !n.commit);
  r->asked_now = n.asked;
  r->away = n.out.dk_valid && !in->dk_ready;
  if (in->clear_counters) memset(r->counter, 0, sizeof r->counter);
}
