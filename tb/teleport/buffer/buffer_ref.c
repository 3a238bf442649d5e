#include "tb/teleport/buffer/buffer_ref.h"

#include <string.h>

void buffer_ref_reset(buffer_ref *r, const buffer_shape *shape) {
  bool overlap = r->overlap;
  front_ref front = r->front;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->overlap = overlap;
  r->front = front;
  front_ref_reset(&r->front, &shape->front);
  r->quarter = 1;
  r->acc_ready = r->settles = r->rest = true;
  r->go = r->rsp[0] = r->rsp[1] = r->rsp[2] = -1;
}

unsigned buffer_ref_set_of(const buffer_ref *r, uint64_t block) {
  const unsigned sets = r->shape.sets, most = sets - 1;
  unsigned set = 0, bits = 0;
  while (1u << bits < sets) bits++;
  for (unsigned fold = 0; sets > 1 && block; fold++, block /= sets) {
    const unsigned part = (unsigned)(block % sets), by = fold % bits;
    set ^= (part << by & most) | part >> (bits - by);
  }
  return set;
}

static int way_of(const buffer_ref *r, uint64_t block) {
  const buffer_line *line = r->line[buffer_ref_set_of(r, block)];
  for (unsigned w = 0; w < r->shape.ways; w++)
    if ((line[w].state == BUFFER_HERE || line[w].state == BUFFER_COMING) && line[w].block == block)
      return (int)w;
  return -1;
}

int buffer_ref_find(const buffer_ref *r, uint64_t block) {
  int way = way_of(r, block);
  return way < 0 ? -1 : way * (int)r->shape.sets + (int)buffer_ref_set_of(r, block);
}

/* Does line a go before line b, of a higher way? */
static bool goes_before(const buffer_ref *r, const buffer_line *a, const buffer_line *b) {
  if (r->shape.keep_unread && a->unread != b->unread) return b->unread;
  return a->age >= b->age;
}

/* An empty way in use, else the first of the oldest that is here and not the current thread
 * block's. */
static int choose(const buffer_ref *r, uint64_t block, bool none_mine) {
  const buffer_line *line = r->line[buffer_ref_set_of(r, block)];
  int best = -1;
  for (unsigned w = 0; w < r->ways; w++)
    if (line[w].state == BUFFER_EMPTY) return (int)w;
  for (unsigned w = 0; w < r->shape.ways; w++)
    if (line[w].state == BUFFER_HERE && (none_mine || !line[w].mine) &&
        (best < 0 || !goes_before(r, &line[best], &line[w])))
      best = (int)w;
  return best;
}

static void use(buffer_ref *r, const buffer_result *s) {
  unsigned set = s->line % r->shape.sets;
  buffer_line *line = r->line[set], *used = &line[s->line / r->shape.sets];
  if (s->is_new || used->age) {
    if (++r->tick[set] >= r->quarter) {
      r->tick[set] = 0;
      for (unsigned w = 0; w < r->shape.ways; w++) line[w].age += line[w].age < 3;
    }
  }
  used->age = 0;
}

/* S3: fetch, wait, answer, age. */
static void finish(buffer_ref *r) {
  const buffer_result *s = &r->s3;
  buffer_line *line = &r->line[s->line % r->shape.sets][s->line / r->shape.sets];
  if (s->is_new) {
    r->fetch[r->n_fetches++] = (buffer_fetch){s->block, s->line};
    line->waits = 0;
  }
  if (s->waits) {
    line->waits |= UINT64_C(1) << s->slot;
    r->slot[s->slot].count++;
  }
  if (s->kind == BUFFER_CLOSE) r->slot[s->slot].closed = true;
  if (s->touch) use(r, s);
  r->settles = s->touch;
  r->answer = (buffer_answer){s->kind == BUFFER_LOAD || s->kind == BUFFER_STORE, s->here, s->coming,
                              s->line};
}

/* S2: what the operation finds and does. */
static buffer_result decide(buffer_ref *r, const buffer_op *op) {
  buffer_result result = {.kind = op->kind, .slot = op->slot, .block = op->block};
  uint64_t *n = r->counter;
  unsigned set = buffer_ref_set_of(r, op->block);
  if (op->kind == BUFFER_CLOSE)
    for (unsigned s = 0; s < r->shape.sets; s++)
      for (unsigned w = 0; w < r->shape.ways; w++) r->line[s][w].mine = false;
  if (op->kind == BUFFER_NOTHING || op->kind == BUFFER_CLOSE) return result;
  int way = way_of(r, op->block);
  buffer_line *line = way < 0 ? NULL : &r->line[set][way];
  result.here = line && line->state == BUFFER_HERE;
  result.coming = line && line->state == BUFFER_COMING;
  result.touch = result.here && op->kind != BUFFER_STORE;
  if (op->kind == BUFFER_LOAD) {
    n[BUFFER_CNT_loads]++;
    n[BUFFER_CNT_load_hits] += result.here;
    n[BUFFER_CNT_loads_coming] += result.coming;
    if (line) line->unread = false;
  } else if (op->kind == BUFFER_STORE) {
    n[BUFFER_CNT_stores]++;
    n[BUFFER_CNT_stores_here] += result.here;
    n[BUFFER_CNT_stores_coming] += result.coming;
    if (line) line->state = line->state == BUFFER_HERE ? BUFFER_EMPTY : BUFFER_DEAD;
  } else {
    n[BUFFER_CNT_asks]++;
    bool known = line && line->mine;
    n[BUFFER_CNT_asks_known] += known;
    n[BUFFER_CNT_asks_here] += result.here && !known;
    n[BUFFER_CNT_asks_coming] += result.coming && !known;
    result.waits = result.coming && !known;
    if (!line && op->choice < 0) n[BUFFER_CNT_asks_dropped]++;
    if (!line && op->choice >= 0) {
      way = op->choice;
      line = &r->line[set][way];
      n[BUFFER_CNT_fetches]++;
      n[BUFFER_CNT_evictions] += line->state == BUFFER_HERE;
      line->state = BUFFER_COMING;
      line->block = op->block;
      result.is_new = result.waits = result.touch = true;
      r->coming++;
    }
    if (line) line->mine = line->unread = true;
  }
  if (way >= 0) result.line = (unsigned)way * r->shape.sets + set;
  return result;
}

/* S0: an access, else the oldest request if it may go. */
static buffer_op issue(buffer_ref *r, const buffer_acc *acc) {
  const front_request *head = &r->ask[0];
  bool may =
      r->n_asks && (r->open || !r->slot[head->slot].used) && r->n_fetches <= BUFFER_FETCHES - 4;
  if (may && !head->last && r->s1.kind == BUFFER_ASK &&
      buffer_ref_set_of(r, r->s1.block) == buffer_ref_set_of(r, head->block))
    may = false;
  bool starved = may && acc;
  r->acc_ready = !(starved && r->starved == 7);
  r->starved = starved ? (r->starved + 1) % 8 : 0;
  r->counter[BUFFER_CNT_starved] += starved;
  if (acc) return (buffer_op){.kind = acc->store ? BUFFER_STORE : BUFFER_LOAD, .block = acc->block};
  if (!may) return (buffer_op){.kind = BUFFER_NOTHING};
  buffer_op op = {
      .kind = head->last ? BUFFER_CLOSE : BUFFER_ASK, .slot = head->slot, .block = head->block};
  r->slot[head->slot].used = true;
  r->open = !head->last;
  r->ask[0] = r->ask[1];
  r->n_asks--;
  return op;
}

static bool over(const buffer_slot *s) {
  return s->told && s->ended && !s->count;
}

static bool waiting(const buffer_ref *r) {
  for (unsigned t = 0; t < r->shape.slots; t++)
    if (r->slot[t].closed && !r->slot[t].told) return true;
  return false;
}

/* The next thread block that may start. */
static int next_go(const buffer_ref *r) {
  for (unsigned i = 0; i < r->shape.slots; i++) {
    unsigned t = (r->go_from + i) % r->shape.slots;
    const buffer_slot *s = &r->slot[t];
    if (s->closed && !s->told && (int)t != r->go && (r->overlap || !s->count)) return (int)t;
  }
  return -1;
}

static void count_front(buffer_ref *r) {
  const front_counts *n = &r->front.counts;
  r->counter[BUFFER_CNT_ranges] += n->ranges;
  r->counter[BUFFER_CNT_lines_outside] += n->outside;
  r->counter[BUFFER_CNT_lines_clipped] += n->clipped;
  r->counter[BUFFER_CNT_lines_cut] += n->cut;
}

static bool at_rest(const buffer_ref *r) {
  for (unsigned t = 0; t < r->shape.slots; t++)
    if (r->slot[t].used) return false;
  return !r->coming && !r->n_asks;
}

/* number: as the read port has it. */
static buffer_line *line_of(buffer_ref *r, int number) {
  return &r->line[(unsigned)number % r->shape.sets][(unsigned)number / r->shape.sets];
}

/* Nothing is in the lines; their numbers stay. */
static void start_over(buffer_ref *r, unsigned ways) {
  for (unsigned s = 0; s < r->shape.sets; s++) {
    r->tick[s] = 0;
    for (unsigned w = 0; w < r->shape.ways; w++) {
      buffer_line *line = &r->line[s][w];
      *line = (buffer_line){.state = BUFFER_EMPTY, .waits = line->waits};
    }
  }
  r->ways = ways;
  r->quarter = r->ways / 4 ? r->ways / 4 : 1;
  r->s3.touch = false;
  r->settles = true;
}

void buffer_ref_step(buffer_ref *r, const buffer_inputs *in) {
  /* What depends on the state before the edge comes first. */
  if (r->s1.kind == BUFFER_ASK) r->s1.choice = choose(r, r->s1.block, r->s2.kind == BUFFER_CLOSE);
  r->rest = at_rest(r);
  r->counter[BUFFER_CNT_waiting] += waiting(r);
  r->counter[BUFFER_CNT_gos] += in->go_taken;
  r->counter[BUFFER_CNT_ask_stalls] += in->ask_refused;
  bool ends[BUFFER_MAX_TB];
  for (unsigned t = 0; t < r->shape.slots; t++) ends[t] = over(&r->slot[t]);
  int go = r->go;
  if (r->go < 0 || in->go_taken) {
    go = next_go(r);
    if (go >= 0) r->go_from = ((unsigned)go + 1) % r->shape.slots;
  }
  const bool goes = r->front.has_request && r->n_asks < BUFFER_ASKS;
  const front_request request = r->front.request;
  buffer_op s0 = issue(r, in->acc);
  if (goes) r->ask[r->n_asks++] = request;
  r->front_busy = in->ask || front_ref_busy(&r->front);
  front_ref_step(&r->front, in->ask, goes);
  count_front(r);

  /* Replies: the row that was read leaves the numbers; the next is read as it was before this edge.
   */
  uint64_t less = r->rsp_row ? r->row : 0;
  r->rsp_row = r->rsp[2] >= 0;
  if (r->rsp_row) r->row = line_of(r, r->rsp[2])->waits;

  if (in->fetch_taken) {
    for (unsigned i = 1; i < r->n_fetches; i++) r->fetch[i - 1] = r->fetch[i];
    r->n_fetches--;
  }
  for (unsigned t = 0; t < r->shape.slots; t++)
    if (ends[t]) r->slot[t] = (buffer_slot){.count = r->slot[t].count};
  finish(r);
  for (unsigned t = 0; t < r->shape.slots; t++) r->slot[t].count -= less >> t & 1;
  r->s3 = decide(r, &r->s2);
  if (r->rsp[0] >= 0) {
    buffer_line *line = line_of(r, r->rsp[0]);
    line->state = line->state == BUFFER_COMING ? BUFFER_HERE : BUFFER_EMPTY;
    r->coming--;
    r->counter[BUFFER_CNT_replies]++;
  }
  if (in->start_ways >= 0) start_over(r, (unsigned)in->start_ways);
  r->s2 = r->s1;
  r->s1 = s0;
  r->rsp[2] = r->rsp[1];
  r->rsp[1] = r->rsp[0];
  r->rsp[0] = in->rsp_line;
  if (in->go_taken) r->slot[r->go].told = true;
  if (in->end_slot >= 0) r->slot[in->end_slot].ended = true;
  r->go = go;
}

bool buffer_ref_start_ready(const buffer_ref *r) {
  return r->rest && !r->front_busy;
}

bool buffer_ref_idle(const buffer_ref *r) {
  for (unsigned t = 0; t < r->shape.slots; t++)
    if (over(&r->slot[t])) return false;
  return !r->front_busy && r->rest == at_rest(r) && !r->n_asks && r->s1.kind == BUFFER_NOTHING &&
         r->s2.kind == BUFFER_NOTHING &&
         (r->s3.kind == BUFFER_NOTHING ||
          (r->s3.kind == BUFFER_ASK && !r->s3.waits && !r->s3.touch)) &&
         !r->answer.valid && !r->n_fetches && !r->coming && r->rsp[1] < 0 && r->rsp[2] < 0 &&
         !r->rsp_row && r->go < 0 && !waiting(r) && !r->starved && r->acc_ready && !r->settles;
}
