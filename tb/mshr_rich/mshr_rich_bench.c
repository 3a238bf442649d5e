#include "tb/mshr_rich/mshr_rich_bench.h"

#include <string.h>

enum { ROWS_ON_WAY = 10, PATIENCE = 5, MOST_REST = 100000 };

static bool open(void *bench, wf_error *err) {
  rich_bench *b = bench;
  wf_edge_open(bench, b->counter);
  return mshr_rich_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  rich_bench *b = bench;
  b->used = b->rows = b->told_n = b->told_first = b->waits = b->turn = b->since = 0;
  memset(b->table, 0, sizeof b->table);
  memset(b->stash, 0, sizeof b->stash);
  for (unsigned i = 0; i < RICH_MOST_SUBS; i++) b->sub[i].next = i + 1;
  b->free_sub = 0;
  b->op = RICH_OP_NONE;
  b->taken = b->filled = b->last_refused = false;
  memset(b->counter, 0, sizeof b->counter);
}

static void drive(void *bench, const void *offer) {
  static const rich_offer nothing = {0};
  const rich_offer *o = offer ? offer : &nothing;
  rich_bench *b = bench;
  const mshr_rich_ports *p = &b->p;
  wf_port_set(p->req_valid, o->request);
  wf_port_set(p->req_line, o->line);
  wf_port_set(p->req_sub, o->sub);
  wf_port_set(p->fill_valid, o->fill);
  wf_port_set(p->fill_line, o->filled);
  wf_port_set(p->done_ready, !o->held_up);
  if (!o->request) wf_bench_garbage(&b->base, &p->req_line, &p->req_sub);
  if (!o->fill) wf_bench_garbage(&b->base, &p->fill_line, &p->fill_line);
}

static bool same(rich_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

/* ---- lines, and what waits for them ---- */

unsigned rich_bench_find(const rich_bench *b, uint64_t line) {
  for (unsigned i = 0; i < b->used; i++)
    if (b->at[i].line == line) return i;
  return RICH_NONE;
}

static void add_request(rich_bench *b, uint64_t line, uint64_t sub) {
  uint64_t *bin = b->base.bin;
  unsigned at = rich_bench_find(b, line);
  const unsigned node = b->free_sub;
  b->is_new = at == RICH_NONE;
  b->linked = false;
  b->free_sub = b->sub[node].next;
  b->sub[node].sub = sub;
  if (b->is_new) {
    b->counter[RICH_CNT_in_use] += b->used;
    at = b->used++;
    b->at[at] = (rich_line){.line = line, .first = node};
    if (b->filled && line == b->last_filled) bin[RICH_BIN_line_asked_after_fill]++;
  } else {
    b->sub[b->at[at].last].next = node;
  }
  if (b->at[at].n++ % b->shape.slots == 0) {
    b->rows++;
    if (!b->is_new) bin[RICH_BIN_row_linked]++;
    b->linked = !b->is_new;
  }
  b->at[at].last = node;
  b->counter[b->is_new ? RICH_CNT_new : RICH_CNT_merged]++;
  bin[b->is_new ? RICH_BIN_new : RICH_BIN_merged]++;
}

static void add_fill(rich_bench *b, uint64_t line) {
  uint64_t *bin = b->base.bin;
  const unsigned at = rich_bench_find(b, line);
  rich_line *l = &b->at[at];
  if (l->n > b->shape.slots) bin[RICH_BIN_fill_of_rows]++;
  if (b->told_n) bin[RICH_BIN_fill_as_lines_wait]++;
  if (b->op == RICH_OP_FILL) bin[RICH_BIN_fills_in_a_row]++;
  unsigned node = l->first;
  for (unsigned i = 0; i < l->n; i++) {
    const bool last = i + 1 == l->n;
    const unsigned next = b->sub[node].next;
    b->told[(b->told_first + b->told_n++) % RICH_MOST_SUBS] =
        (rich_told){.sub = b->sub[node].sub,
                    .last = last,
                    .ends_row = last || i % b->shape.slots == b->shape.slots - 1};
    b->sub[node].next = b->free_sub;
    b->free_sub = node;
    node = next;
  }
  *l = b->at[--b->used];
  b->last_filled = line;
  b->counter[RICH_CNT_fills]++;
}

/* ---- places: cuckoo hashing ---- */

/* The remainder of the line, highest bit first, by the way's polynomial. */
unsigned rich_bench_set(const rich_bench *b, unsigned way, uint64_t line) {
  static const unsigned polynomial[] = {0x01, 0x1d, 0x2b, 0x5f, 0x63, 0x65, 0x69, 0x4d};
  const unsigned sets = b->shape.lines / b->shape.ways;
  unsigned set = 0;
  for (unsigned i = b->shape.line_bits; i-- > 0;) {
    set = set << 1 | (unsigned)(line >> i & 1);
    if (set >= sets) set = (set ^ polynomial[way]) & (sets - 1);
  }
  return set;
}

static rich_place *place(rich_bench *b, unsigned way, uint64_t line) {
  return &b->table[way][rich_bench_set(b, way, line)];
}

static rich_place *first_free(rich_bench *b, uint64_t line) {
  for (unsigned w = 0; w < b->shape.ways; w++)
    if (!place(b, w, line)->held) return place(b, w, line);
  return NULL;
}

static rich_place *in_stash(rich_bench *b, uint64_t line) {
  for (unsigned s = 0; s < b->shape.stash; s++)
    if (b->stash[s].held && b->stash[s].line == line) return &b->stash[s];
  return NULL;
}

static void enter(rich_bench *b, uint64_t line) {
  rich_place *to = first_free(b, line);
  if (!to) {
    to = b->stash;
    while (to->held) to++;
    b->base.bin[RICH_BIN_to_stash]++;
  }
  *to = (rich_place){true, line};
}

static void leave(rich_bench *b, uint64_t line) {
  rich_place *from = in_stash(b, line);
  if (from) b->base.bin[RICH_BIN_fill_of_stash]++;
  for (unsigned w = 0; w < b->shape.ways && !from; w++)
    if (place(b, w, line)->held && place(b, w, line)->line == line) from = place(b, w, line);
  if (from)
    from->held = false;
  else
    wf_bench_fail(&b->base, "the model has lost line %llx", (unsigned long long)line);
}

static void move(rich_bench *b) {
  uint64_t *bin = b->base.bin;
  rich_place *from = &b->stash[b->op_stash];
  if (!from->held) {
    bin[RICH_BIN_move_overtaken]++;
    return;
  }
  b->counter[RICH_CNT_moved]++;
  rich_place *to = first_free(b, from->line);
  if (to) {
    *to = *from;
    from->held = false;
    bin[RICH_BIN_moved_to_free]++;
    return;
  }
  to = place(b, b->turn, from->line);
  const rich_place gives_way = *to;
  *to = *from;
  *from = gives_way;
  b->turn = (b->turn + 1) % b->shape.ways;
  bin[RICH_BIN_moved_by_turn]++;
}

/* What stands in S1 is done at this edge. */
static void do_op(rich_bench *b) {
  if (b->op == RICH_OP_FILL) leave(b, b->op_line);
  if (b->op == RICH_OP_MOVE) move(b);
  if (b->op != RICH_OP_REQUEST) return;
  if (b->op_new)
    enter(b, b->op_line);
  else if (in_stash(b, b->op_line))
    b->base.bin[b->op_linked ? RICH_BIN_row_linked_in_stash : RICH_BIN_merged_in_stash]++;
}

/* ---- a cycle ---- */

static bool is_cleared(const rich_bench *b) {
  return b->since >= b->shape.lines / b->shape.ways;
}

/* What the request is refused for by the places; RICH_CNT_COUNT: nothing. */
static rich_counter refusal(const rich_bench *b, const rich_offer *o) {
  const bool request = b->op == RICH_OP_REQUEST;
  const unsigned used = b->used - (request && b->op_new) + (b->op == RICH_OP_FILL);
  unsigned free = 0;
  for (unsigned s = 0; s < b->shape.stash; s++) free += !b->stash[s].held;
  if (o->fill) return RICH_CNT_behind_fill;
  if (used + request >= b->shape.lines) return RICH_CNT_full;
  return free < 1u + request ? RICH_CNT_stash_full : RICH_CNT_COUNT;
}

static void take_request(rich_bench *b, const rich_offer *o) {
  static const rich_bin of[] = {[RICH_CNT_full] = RICH_BIN_full,
                                [RICH_CNT_stash_full] = RICH_BIN_stash_full,
                                [RICH_CNT_no_row] = RICH_BIN_no_row,
                                [RICH_CNT_behind_fill] = RICH_BIN_behind_fill};
  rich_counter why = refusal(b, o);
  const bool ready = wf_port_get(b->p.req_ready);
  if (!is_cleared(b)) {
    b->base.bin[RICH_BIN_clearing]++;
    same(b, b->p.req_ready, 0);
    return;
  }
  /* When rows come back is the unit's own affair, but not long after they are told. */
  if (why == RICH_CNT_COUNT && !ready) {
    why = RICH_CNT_no_row;
    if (b->rows + ROWS_ON_WAY < b->shape.rows)
      wf_bench_fail(&b->base, "refused, with %u of %u rows in use", b->rows, b->shape.rows);
  }
  b->taken = why == RICH_CNT_COUNT;
  if (!same(b, b->p.req_ready, b->taken)) return;
  if (!b->taken) {
    b->counter[why]++;
    b->base.bin[of[why]]++;
    return;
  }
  if (b->op == RICH_OP_REQUEST) b->base.bin[RICH_BIN_requests_in_a_row]++;
  add_request(b, o->line, o->sub & ((UINT64_C(1) << b->shape.sub_bits) - 1));
}

static void tell(rich_bench *b, const rich_offer *o) {
  const mshr_rich_ports *p = &b->p;
  const rich_told *t = &b->told[b->told_first];
  if (!wf_port_get(p->done_valid)) {
    if (b->told_n && ++b->waits > PATIENCE)
      wf_bench_fail(&b->base, "a line is here, and nothing is told for %u edges", b->waits);
    return;
  }
  b->waits = 0;
  if (!b->told_n) {
    wf_bench_fail(&b->base, "told, though no line is here");
    return;
  }
  if (!same(b, p->done_sub, t->sub) || !same(b, p->done_last, t->last)) return;
  if (o->held_up) {
    b->base.bin[RICH_BIN_held_up]++;
    return;
  }
  b->rows -= t->ends_row;
  b->told_first = (b->told_first + 1) % RICH_MOST_SUBS;
  b->told_n--;
  b->counter[RICH_CNT_answered]++;
}

/* S0 at this edge. */
static void next_op(rich_bench *b, const rich_offer *o, bool fills) {
  const unsigned in_s1 = b->op == RICH_OP_MOVE ? b->op_stash : RICH_MOST_STASH;
  unsigned s = 0;
  while (s < b->shape.stash && (!b->stash[s].held || s == in_s1)) s++;
  do_op(b);
  b->op = fills                ? RICH_OP_FILL
          : b->taken           ? RICH_OP_REQUEST
          : s < b->shape.stash ? RICH_OP_MOVE
                               : RICH_OP_NONE;
  b->op_line = fills ? o->filled : o->line;
  b->op_stash = s;
  b->op_new = b->is_new;
  b->op_linked = b->linked;
}

/* The answers of this cycle are there before its edge. */
static void model(void *bench, const void *offer) {
  static const rich_offer nothing = {0};
  const rich_offer *o = offer ? offer : &nothing;
  rich_bench *b = bench;
  b->taken = false;
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return;
  if (b->last_refused && !o->request) b->base.bin[RICH_BIN_withdrawn]++;
  if (!same(b, b->p.fill_ready, is_cleared(b))) return;
  tell(b, o);
  const bool fills = o->fill && is_cleared(b);
  if (o->request) take_request(b, o);
  if (fills) add_fill(b, o->filled);
  next_op(b, o, fills);
  b->filled = fills;
  b->last_refused = o->request && !b->taken;
  b->since++;
}

/* Nothing would change at an edge without an offer. */
static bool at_rest(const rich_bench *b) {
  for (unsigned s = 0; s < b->shape.stash; s++)
    if (b->stash[s].held) return false;
  return is_cleared(b) && !b->told_n && b->op == RICH_OP_NONE;
}

static bool compare(void *bench) {
  rich_bench *b = bench;
  const mshr_rich_ports *p = &b->p;
  if (b->base.failure[0]) return false;
  return same(b, p->ans_valid, b->taken) && (!b->taken || same(b, p->ans_new, b->is_new)) &&
         same(b, p->empty, !b->used && !b->told_n) &&
         (!wf_port_get(p->idle) || at_rest(b) ||
          wf_bench_fail(&b->base, "idle, with something inside"));
}

static const wf_port *idle(const void *bench) {
  return ((const rich_bench *)bench)->p.idle;
}

bool rich_bench_rest(void *bench) {
  rich_bench *b = bench;
  for (unsigned i = 0; i < MOST_REST; i++) {
    if (!wf_edge(b, NULL)) return false;
    if (wf_port_get(b->p.idle)) return true;
  }
  return wf_bench_fail(&b->base, "not idle after %u edges", MOST_REST);
}

#define FIELD(f) offsetof(rich_bench, f)
static const wf_edge_parameter parameters[] = {
    {"Lines", FIELD(shape.lines)},      {"Ways", FIELD(shape.ways)},
    {"Stash", FIELD(shape.stash)},      {"Rows", FIELD(shape.rows)},
    {"Slots", FIELD(shape.slots)},      {"LineBits", FIELD(shape.line_bits)},
    {"SubBits", FIELD(shape.sub_bits)}, {0}};
static const wf_edge_class edge = {
    .parameters = parameters, .drive = drive, .model = model, .compare = compare, .idle = idle};
static const char *const bins[] = {RICH_BINS(WF_BENCH_PORT_NAME)};
static const char *const counters[] = {RICH_COUNTERS(WF_BENCH_NAME)};

const wf_bench_class rich_bench_class = {.unit = "mshr_rich",
                                         .bytes = sizeof(rich_bench),
                                         .open = open,
                                         .reset = reset,
                                         .rest = rich_bench_rest,
                                         .after = wf_edge_quiet,
                                         .edge = &edge,
                                         .bins = bins,
                                         .counters = counters,
                                         .n_bins = RICH_BIN_COUNT,
                                         .n_counters = RICH_CNT_COUNT};
