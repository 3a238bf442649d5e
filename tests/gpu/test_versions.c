/* L1s, crossbar, L2 slices and DRAM with data: every store and atomic makes a new version of its
 * words, so that a stale line shows. The fabric says what moves, the bench moves versions: between
 * DRAM and the slices' places as wf_mem_trace_data() tells, to the L1s with the replies, and back
 * with their victims.
 *
 * What must hold, for each word:
 *   1  What a slice reads, for a load or an atomic, is the newest version: the L2 is where all SMs
 *      meet, and victims, fills and stores may not put an older one there.
 *   2  A load sees nothing older than the last store or atomic of its SM before it.
 *   3  Nothing dirty is lost: a place that gets another line owes DRAM nothing, and in the end what
 *      the L2 and DRAM hold is the newest.
 *   4  A line is in a slice once.
 *   5  Victims sent = inserted + dropped + stale.
 *   6  At rest under l2.exclusive, a line that one SM alone has read is not in its L1 and in L2.
 *
 * WF_VERSIONS=n: so many transactions in each mode (the campaign: 10000000). WF_SEED=n.
 * WF_MODE=text: of the modes those whose settings have it. */
#include "tests/mem/harness.h"

#include "sim/base/wf_ring.h"
#include "sim/gpu/l1.h"
#include "sim/mem/bypass.h"
#include "sim/mem/mem_trace.h"

enum { SMS = 4, SHARED_LINES = 160, OWN_LINES = 24, LINES = SHARED_LINES + SMS * OWN_LINES };
enum { WORDS = 32, RECORDS = 4096, VICTIMS = 4096, QUEUE = 8, LOADS = 32, PLACES = 512 };
enum { STORES = 1 << 16 };
enum { NO_FAULT, NO_FILTER, NO_EVICT, NO_PARTIAL, NO_SECTORS };

/* A line's words: their versions, 0 at first. */
typedef struct words {
  uint32_t of[WORDS];
} words;

/* A place of a slice. */
typedef struct place {
  words now, coming;
  uint32_t dirty, written; /* words: owed to DRAM; written since the place is this line's */
} place;

/* A transaction on its way: its packet's id is its number. */
typedef struct record {
  bool used;
  uint8_t kind, sectors, sm;
  uint32_t line, mask, store; /* mask: words written; store: its number among all */
  int load;                   /* that waits for it past the L1; -1: none */
  unsigned mshr;
  words data;
} record;

enum { ASKED = 4 };
/* A load's miss that waits for the judge beside its L1. */
typedef struct undecided {
  uint32_t line;
  uint8_t sectors;
  unsigned load, wait;
} undecided;

typedef struct sm {
  wf_l1 *l1;
  undecided asked[ASKED];
  wf_ring asked_ring;
  wf_l1_counters counters;
  words copy[LINES], replaced[LINES]; /* replaced: of the line's last victim */
  uint32_t last_store[LINES][WORDS];  /* the SM's own: its number, 0: none */
  uint32_t performed[LINES][WORDS];   /* of these, the last that was performed */
  wf_packet queue[QUEUE];
  wf_ring ring;
  struct {
    bool used;
    uint32_t line;
    uint8_t sectors;
    uint32_t store[WORDS]; /* as of when it was issued */
  } load[LOADS];
} sm;

enum { QUESTIONS = 8 };
/* What a judge at the slices will say, and in how many of its cycles. */
typedef struct verdicts {
  struct {
    wf_slice_answer answer;
    unsigned wait;
  } at[QUESTIONS];
  wf_ring ring;
} verdicts;

typedef struct bench {
  wf_gpu_config config;
  wf_mem *mem;
  wf_rng rng;
  sm *sms;
  words newest[LINES], dram[LINES];
  place (*places)[PLACES];
  record records[RECORDS];
  words victim[VICTIMS];           /* their packets have numbers behind the records' */
  uint16_t line_of[16][LINES * 2]; /* by slice and its line */
  uint32_t clock, stores;
  uint32_t version[STORES]; /* of the store of this number, modulo STORES; 0: not performed */
  uint64_t loads, hits, victims, atomics, past, exclusive_checked, done;
  bool l1_judged;  /* who takes a way, which, and how much is fetched: chance */
  bool judged;     /* by a judge at the slices who says anything that one may say */
  unsigned thinks; /* and takes up to so many cycles for it */
  wf_slice_judge judge;
  verdicts says[16];
  unsigned fault; /* one of those above, seeded: a rule must break */
  char failure[256];
} bench;

static void fail_once(bench *b, const char *text, uint32_t line, unsigned word, uint32_t seen,
                      uint32_t newest) {
  if (!b->failure[0])
    snprintf(b->failure, sizeof b->failure, "%s: line %u, word %u: version %u, want %u", text, line,
             word, seen, newest);
}

static uint32_t words_of(unsigned sectors) {
  uint32_t words = 0;
  for (unsigned s = 0; s < 4; s++)
    if (sectors >> s & 1) words |= UINT32_C(0xff) << 8 * s;
  return words;
}

static void copy_words(words *to, const words *from, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    const unsigned w = (unsigned)__builtin_ctz(mask);
    to->of[w] = from->of[w];
  }
}

/* ---- the slices' data ---- */

/* The store's version, made when it is performed. */
static uint32_t version_of(bench *b, record *r) {
  uint32_t *v = &b->version[r->store % STORES];
  if (!*v) {
    *v = ++b->clock;
    for (uint32_t m = r->mask; m; m &= m - 1) {
      const unsigned w = (unsigned)__builtin_ctz(m);
      uint32_t *last = &b->sms[r->sm].performed[r->line][w];
      if (*last > r->store)
        fail_once(b, "rule 2: stores of an SM change places", r->line, w, r->store, *last);
      *last = r->store;
      b->newest[r->line].of[w] = *v;
    }
  }
  return *v;
}

static void put(words *to, uint32_t mask, uint32_t version) {
  for (; mask; mask &= mask - 1) to->of[__builtin_ctz(mask)] = version;
}

static void fill(const bench *b, place *at, const wf_l2_line *l, unsigned sectors) {
  for (unsigned s = 0; s < 4; s++) {
    if (!(sectors >> s & 1) || l->valid >> s & 1) continue;
    const uint32_t all = words_of(1u << s),
                   kept = b->fault != NO_PARTIAL && l->partial >> s & 1 ? at->written & all : 0;
    copy_words(&at->now, &at->coming, all & ~kept);
  }
}

static void perform(bench *b, place *at, record *r) {
  const uint32_t all = words_of(r->sectors);
  for (uint32_t m = all; m; m &= m - 1) {
    const unsigned w = (unsigned)__builtin_ctz(m);
    if (at->now.of[w] != b->newest[r->line].of[w])
      fail_once(b, r->kind == WF_PKT_READ ? "rule 1: a load at the L2" : "rule 1: an atomic",
                r->line, w, at->now.of[w], b->newest[r->line].of[w]);
  }
  r->data = at->now;
  if (r->kind == WF_PKT_READ) return;
  put(&at->now, r->mask, version_of(b, r));
  at->dirty |= r->mask;
  at->written |= r->mask;
}

static void back(bench *b, place *at, uint32_t line, unsigned sectors) {
  const uint32_t mask = at->dirty & words_of(sectors);
  copy_words(&b->dram[line], &at->now, mask);
  at->dirty &= ~mask;
}

static void empty(bench *b, place *at, uint32_t line) {
  if (at->dirty) fail_once(b, "rule 3: dirty words are lost", line, 0, at->dirty, 0);
  *at = (place){0};
}

static void on_data(void *user, const wf_data_move *m) {
  bench *b = user;
  const bool has_place = m->place != UINT32_MAX;
  place *at = has_place ? &b->places[m->slice][m->place] : NULL;
  const wf_l2_line *state = has_place ? &b->mem->l2[m->slice].line[m->place] : NULL;
  const uint32_t line = b->line_of[m->slice][m->line];
  record *r = m->packet ? &b->records[m->packet->id % RECORDS] : NULL;
  assert_true(!has_place || m->place < PLACES);
  switch (m->what) {
  case WF_DATA_EMPTY:
    empty(b, at, line);
    break;
  case WF_DATA_FETCH:
    copy_words(&at->coming, &b->dram[line], words_of(m->sectors));
    break;
  case WF_DATA_FILL:
    fill(b, at, state, m->sectors);
    break;
  case WF_DATA_SETTLE:
    *at = b->places[m->slice][m->sectors];
    b->places[m->slice][m->sectors] = (place){0};
    break;
  case WF_DATA_VICTIM:
    at->now = b->victim[(m->packet->id - RECORDS) % VICTIMS];
    break;
  case WF_DATA_PERFORM:
    perform(b, at, r);
    break;
  case WF_DATA_STORE:
    put(&at->now, r->mask, version_of(b, r));
    at->written |= r->mask;
    at->dirty |= r->mask;
    break;
  case WF_DATA_THROUGH:
    put(&b->dram[line], r->mask, version_of(b, r));
    if (has_place) at->dirty &= ~r->mask;
    break;
  case WF_DATA_BACK:
    back(b, at, line, m->sectors);
    break;
  }
}

/* ---- the SMs ---- */

static unsigned below(bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->rng, n);
}

static uint64_t address_of(uint32_t line) {
  return WF_IMAGE_BASE + (uint64_t)line * 128;
}

static record *new_record(bench *b, uint32_t *number) {
  for (unsigned tries = 0; tries < 64; tries++) {
    const unsigned i = below(b, RECORDS);
    if (b->records[i].used) continue;
    b->records[i] = (record){.used = true, .load = -1};
    *number = i;
    return &b->records[i];
  }
  fail_msg("no record is free");
  return NULL;
}

static bool can_send(const sm *s) {
  return s->ring.count + s->asked_ring.count < QUEUE;
}

static void send(sm *s, const wf_packet *p) {
  s->queue[wf_ring_push(&s->ring, QUEUE)] = *p;
}

static void send_read(bench *b, unsigned k, uint32_t line, uint8_t sectors, int load,
                      const wf_l1_fetch *fetch) {
  uint32_t id = 0;
  record *r = new_record(b, &id);
  r->kind = WF_PKT_READ;
  r->line = line;
  r->sectors = sectors;
  r->load = load;
  r->mshr = fetch ? fetch->mshr : 0;
  const wf_packet p = {.address = address_of(line),
                       .id = id,
                       .payload = WF_NO_PAYLOAD,
                       .reply_bytes = (uint16_t)(32 * __builtin_popcount(sectors)),
                       .kind = WF_PKT_READ,
                       .sm = (uint8_t)k,
                       .sectors = sectors,
                       .pc = (uint16_t)(1 + line % 7),
                       .moves = fetch && b->config.mem.l2_exclusive && !fetch->past,
                       .to_l1 = fetch && !fetch->past};
  send(&b->sms[k], &p);
}

/* The load has its words. */
static void end_load(bench *b, unsigned k, unsigned number, const words *seen) {
  sm *s = &b->sms[k];
  const uint32_t line = s->load[number].line;
  for (uint32_t m = words_of(s->load[number].sectors); m; m &= m - 1) {
    const unsigned w = (unsigned)__builtin_ctz(m);
    const uint32_t store = s->load[number].store[w];
    if (!store || b->stores - store >= STORES) continue;
    const uint32_t own = b->version[store % STORES];
    if (!own || seen->of[w] < own)
      fail_once(b, "rule 2: a load is older than its SM's store", line, w, seen->of[w], own);
  }
  s->load[number].used = false;
  b->loads++;
  b->done++;
}

/* Of an SM's own lines every second one is only read. */
static bool only_read(uint32_t line) {
  return line >= SHARED_LINES && line & 1;
}

/* Beside the L1: as wf_l1_load, in steps; a miss is the judge's matter. */
static wf_l1_result look_and_ask(bench *b, unsigned k, const wf_l1_request *r, wf_l1_fetch *fetch) {
  sm *s = &b->sms[k];
  wf_l1_access look = {.line = r->line, .sectors = r->sectors};
  const wf_l1_part part = {.load = r->load, .sectors = r->sectors};
  for (unsigned i = 0; i < s->asked_ring.count; i++)
    if (wf_l1_set(s->l1, s->asked[wf_ring_at(&s->asked_ring, i, ASKED)].line) ==
        wf_l1_set(s->l1, r->line))
      return WF_L1_STALL;
  wf_l1_look(s->l1, r->line, &look);
  const bool room = r->can_send && wf_l1_free_mshrs(s->l1) > s->asked_ring.count;
  if (look.hit)
    return wf_l1_may_use(s->l1, &look, r->sectors, room) ? wf_l1_use(s->l1, &look, &part, fetch)
                                                         : WF_L1_STALL;
  if (!room || s->asked_ring.count == ASKED || look.reserved + 1 == 1u << b->config.l1_ways)
    return WF_L1_STALL;
  s->asked[wf_ring_push(&s->asked_ring, ASKED)] =
      (undecided){r->line, r->sectors, r->load, 1 + below(b, 6)};
  return WF_L1_MERGED;
}

/* The oldest that is asked for: past the L1, or a way that is not reserved, any; further sectors.
 */
static void decide(bench *b, unsigned k) {
  sm *s = &b->sms[k];
  if (!s->asked_ring.count || --s->asked[s->asked_ring.head].wait) return;
  const undecided u = s->asked[wf_ring_pop(&s->asked_ring, ASKED)];
  const wf_l1_part part = {(uint16_t)u.load, u.sectors, (uint8_t)(below(b, 2) ? below(b, 16) : 0)};
  const bool past = below(b, 4) == 0, line = b->config.l1_past == WF_L1_PAST_LINE;
  unsigned way = below(b, b->config.l1_ways);
  wf_l1_access look;
  wf_l1_look(s->l1, u.line, &look);
  while (look.reserved >> way & 1) way = (way + 1) % b->config.l1_ways;
  b->past += past;
  if (past && !line) {
    send_read(b, k, u.line, u.sectors, (int)u.load, NULL);
    return;
  }
  const wf_l1_fetch fetch =
      past ? wf_l1_take_past(s->l1, u.line, &part) : wf_l1_take(s->l1, u.line, way, &part);
  if (b->judged && !past && below(b, 2)) wf_l1_copy_back(s->l1, fetch.mshr);
  send_read(b, k, u.line, fetch.sectors, -1, &fetch);
}

static void do_load(bench *b, unsigned k, uint32_t line) {
  sm *s = &b->sms[k];
  const unsigned number = below(b, LOADS);
  if (s->load[number].used) return;
  const uint8_t wanted = (uint8_t)(1 + below(b, 15));
  const wf_l1_request r = {.line = line,
                           .load = (uint16_t)number,
                           .sectors = wanted,
                           .may_allocate = only_read(line) || below(b, 8) != 0,
                           .can_send = can_send(s)};
  wf_l1_fetch fetch;
  const wf_l1_result result =
      b->l1_judged ? look_and_ask(b, k, &r, &fetch) : wf_l1_load(s->l1, &r, &fetch);
  if (result == WF_L1_STALL) return;
  s->load[number].used = true;
  s->load[number].line = line;
  s->load[number].sectors = wanted;
  memcpy(s->load[number].store, s->last_store[line], sizeof s->last_store[line]);
  switch (result) {
  case WF_L1_HIT:
  case WF_L1_HIT_VICTIM:
    b->hits++;
    end_load(b, k, number, &s->copy[line]);
    break;
  case WF_L1_MISS:
    send_read(b, k, line, fetch.sectors, -1, &fetch);
    break;
  case WF_L1_PAST:
    b->past++;
    send_read(b, k, line, wanted, (int)number, NULL);
    break;
  default:
    break;
  }
}

static void do_store(bench *b, unsigned k, uint32_t line, bool atomic) {
  sm *s = &b->sms[k];
  uint32_t id = 0;
  if (!can_send(s)) return;
  record *r = new_record(b, &id);
  const uint8_t sectors = (uint8_t)(1u << below(b, 4) | (below(b, 4) ? 0 : 1 + below(b, 15)));
  uint8_t full = 0;
  for (unsigned i = 0; i < 4; i++) {
    if (!(sectors >> i & 1)) continue;
    const bool whole = !atomic && below(b, 2);
    full |= (uint8_t)(whole << i);
    r->mask |= whole ? words_of(1u << i) : 1u << (8 * i + below(b, 8));
  }
  r->kind = atomic ? WF_PKT_ATOMIC : WF_PKT_WRITE;
  r->sm = (uint8_t)k;
  r->line = line;
  r->sectors = sectors;
  r->store = ++b->stores;
  b->version[r->store % STORES] = 0;
  for (uint32_t m = r->mask; m; m &= m - 1) s->last_store[line][__builtin_ctz(m)] = r->store;
  if (b->fault == NO_EVICT)
    ;
  else if (atomic)
    wf_l1_evict(s->l1, line);
  else
    wf_l1_store(s->l1, line, full);
  const wf_packet p = {.address = address_of(line),
                       .id = id,
                       .payload = WF_NO_PAYLOAD,
                       .bytes = (uint16_t)(32 * __builtin_popcount(sectors)),
                       .kind = r->kind,
                       .sm = (uint8_t)k,
                       .sectors = sectors,
                       .full_sectors = full,
                       .pc = (uint16_t)(atomic ? 9 : 0),
                       .atomic_conflicts = (uint8_t)(atomic ? below(b, 4) : 0)};
  b->atomics += atomic;
  send(s, &p);
}

static void send_victim(bench *b, unsigned k) {
  sm *s = &b->sms[k];
  uint32_t line;
  if (!can_send(s) || !wf_l1_next_replaced(s->l1, &line)) return;
  const uint32_t id = (uint32_t)(b->victims++ % VICTIMS);
  b->victim[id] = s->replaced[line];
  const wf_packet p = {.address = address_of(line),
                       .id = RECORDS + id,
                       .payload = WF_NO_PAYLOAD,
                       .bytes = 128,
                       .kind = WF_PKT_VICTIM,
                       .sm = (uint8_t)k,
                       .sectors = 15};
  send(s, &p);
}

/* What leaves the L1 leaves with the words that it has then. */
static void on_l1(void *self, const wf_cache_event *e) {
  bench *b = self;
  if (e->what == WF_CACHE_EVICT) b->sms[e->at].replaced[e->line] = b->sms[e->at].copy[e->line];
}

static void take_reply(bench *b, unsigned k, const wf_packet *p) {
  sm *s = &b->sms[k];
  record *r = &b->records[p->id];
  assert_true(r->used && r->kind == p->kind);
  if (r->kind != WF_PKT_READ) {
    b->done++;
  } else if (r->load >= 0) {
    end_load(b, k, (unsigned)r->load, &r->data);
  } else {
    unsigned n;
    copy_words(&s->copy[r->line], &r->data, words_of(p->sectors));
    if (p->mode & WF_MODE_COPY_BACK) wf_l1_copy_back(s->l1, r->mshr);
    const uint8_t come = b->fault == NO_SECTORS ? WF_L1_LINE : p->sectors;
    const uint16_t *loads = wf_l1_fill(s->l1, r->mshr, come, &n);
    for (unsigned i = 0; i < n; i++) end_load(b, k, loads[i], &s->copy[r->line]);
  }
  r->used = false;
}

/* ---- a judge: which line stays where is chance ---- */

static bool ask(void *self, const wf_cache_event *e) {
  bench *b = self;
  verdicts *v = &b->says[e->at];
  if (e->keep) return false;
  const unsigned at = wf_ring_push(&v->ring, QUESTIONS);
  v->at[at].wait = 1 + below(b, b->thinks);
  v->at[at].answer = (wf_slice_answer){.past = below(b, 2),
                                       .leaves = e->to_l1 && below(b, 2),
                                       .more = (uint8_t)(below(b, 2) ? below(b, 16) : 0),
                                       .mode = e->to_l1 && below(b, 4) ? WF_MODE_COPY_BACK : 0};
  return true;
}

static bool answer(void *self, unsigned slice, wf_slice_answer *to) {
  verdicts *v = &((bench *)self)->says[slice];
  if (!v->ring.count || --v->at[v->ring.head].wait) return false;
  *to = v->at[wf_ring_pop(&v->ring, QUESTIONS)].answer;
  return true;
}

/* ---- a mode ---- */

static void open_l1s(bench *b) {
  static wf_cache_row row;
  row = (wf_cache_row){.at = {{b, on_l1}}, .n = 1};
  for (unsigned k = 0; k < SMS; k++) {
    b->sms[k].l1 = wf_l1_create(&b->config, &b->sms[k].counters);
    wf_l1_listen(b->sms[k].l1, &row, k);
  }
}

static bench *begin(const char *const settings[], uint64_t seed) {
  static const char *const small[] = {
      "core.sms", "4", "l2.partitions", "2",  "l2.bytes",     "4096",
      "l2.ways",  "4", "l2.mshrs",      "12", "l1.bytes",     "2048",
      "l1.mshrs", "6", "l1.mshr_merge", "4",  "core.ordered", "1",
      NULL};
  bench *b = wf_calloc(1, sizeof *b);
  wf_error err = {0};
  if (!wf_gpu_config_load(&b->config, "gtx480", &err)) fail_msg("%s", err.text);
  for (unsigned part = 0; part < 2; part++)
    for (const char *const *s = part ? settings : small; *s; s += 2)
      if (!strcmp(*s, "judge"))
        b->judged = true, b->thinks = strcmp(s[1], "late") ? 4 : 100;
      else if (!strcmp(*s, "l1.judge"))
        b->l1_judged = true;
      else if (!wf_gpu_config_set(&b->config, s[0], s[1], &err))
        fail_msg("%s", err.text);
  if (!wf_gpu_config_check(&b->config, &err)) fail_msg("%s", err.text);
  b->sms = wf_calloc(SMS, sizeof *b->sms);
  b->places = wf_calloc(b->config.mem.n_part, sizeof *b->places);
  b->mem = make(&b->config.mem, NULL);
  wf_mem_trace_data(b->mem, on_data, b);
  b->judge = (wf_slice_judge){.self = b, .moves = true, .ask = ask, .answer = answer};
  if (b->judged) wf_mem_judge(b->mem, &b->judge);
  wf_rng_seed(&b->rng, seed);
  for (uint32_t line = 0; line < LINES; line++) {
    const unsigned slice = wf_mem_partition(b->mem, address_of(line));
    const uint32_t local = wf_l2_local_line(&b->mem->l2[slice], address_of(line));
    assert_true(local < LINES * 2);
    b->line_of[slice][local] = (uint16_t)line;
  }
  open_l1s(b);
  return b;
}

static void end(bench *b) {
  for (unsigned k = 0; k < SMS; k++) wf_l1_destroy(b->sms[k].l1);
  wf_mem_destroy(b->mem);
  free(b->sms);
  free(b->places);
  free(b);
}

static void issue(bench *b, unsigned k) {
  const uint32_t line = below(b, 4) ? below(b, below(b, 2) ? 12 : SHARED_LINES)
                                    : SHARED_LINES + k * OWN_LINES + below(b, OWN_LINES);
  const unsigned what = below(b, 16);
  if (what < 11 || only_read(line))
    do_load(b, k, line);
  else
    do_store(b, k, line, what > 13);
}

static void cycle(bench *b, unsigned rate) {
  for (unsigned k = 0; k < SMS; k++) {
    sm *s = &b->sms[k];
    if (s->ring.count && wf_mem_send(b->mem, k, &s->queue[s->ring.head]))
      wf_ring_pop(&s->ring, QUEUE);
    if (rate && below(b, 8) < rate) issue(b, k);
    decide(b, k);
    if (wf_l1_has_replaced(s->l1)) send_victim(b, k);
    const wf_packet *p = wf_mem_peek(b->mem, k);
    if (!p) continue;
    take_reply(b, k, p);
    wf_mem_pop(b->mem, k);
  }
  for (unsigned p = 0; b->fault == NO_FILTER && p < b->config.mem.n_part; p++)
    memset(b->mem->l2[p].written, 0, sizeof b->mem->l2[p].written);
  wf_mem_tick(b->mem);
}

static bool at_rest(const bench *b) {
  for (unsigned k = 0; k < SMS; k++)
    if (b->sms[k].ring.count || b->sms[k].asked_ring.count || !wf_l1_idle(b->sms[k].l1))
      return false;
  return wf_mem_idle(b->mem);
}

/* The line's place in its slice, or -1; it is there once. */
static int place_of(bench *b, uint32_t line) {
  const unsigned slice = wf_mem_partition(b->mem, address_of(line));
  const wf_l2 *l2 = &b->mem->l2[slice];
  const uint32_t local = wf_l2_local_line(l2, address_of(line));
  int at = -1;
  for (unsigned i = 0; i < l2->first_wayless + l2->n_mshrs; i++)
    if (l2->tag[i] == local) {
      if (at >= 0) fail_once(b, "rule 4: a line is in a slice twice", line, 0, 2, 1);
      at = (int)i;
    }
  return at;
}

static void check_line(bench *b, uint32_t line) {
  const unsigned slice = wf_mem_partition(b->mem, address_of(line));
  const int i = place_of(b, line);
  const uint32_t here =
      i < 0 ? 0 : words_of(b->mem->l2[slice].line[i].valid) | b->places[slice][i].dirty;
  for (unsigned w = 0; w < WORDS; w++) {
    const uint32_t has = here >> w & 1 ? b->places[slice][i].now.of[w] : b->dram[line].of[w];
    if (has != b->newest[line].of[w])
      fail_once(b, "rule 3: at rest", line, w, has, b->newest[line].of[w]);
  }
  if (!b->config.mem.l2_exclusive || !only_read(line)) return;
  const unsigned k = (line - SHARED_LINES) / OWN_LINES;
  b->exclusive_checked += wf_l1_holds(b->sms[k].l1, line);
  if (i >= 0 && b->config.l1_past == 0 && wf_l1_holds(b->sms[k].l1, line))
    fail_once(b, "rule 6: one SM's line is in both caches", line, 0, 1, 0);
}

/* All comes home; then the kernel ends, and the L1s are empty. */
static void rest(bench *b) {
  for (unsigned i = 0; i < 100000 && !at_rest(b); i++) cycle(b, 0);
  if (!at_rest(b)) fail_once(b, "it does not come to rest", 0, 0, 0, 0);
  for (unsigned k = 0; k < SMS; k++)
    for (unsigned l = 0; l < LOADS; l++)
      if (b->sms[k].load[l].used) fail_once(b, "a load has no words", k, l, 0, 0);
  for (uint32_t line = 0; line < LINES; line++) check_line(b, line);
  const wf_mem_counters *n = wf_mem_get_counters(b->mem);
  if (n->l2.victims != b->victims || n->l2.victims_dropped + n->l2.victims_stale > n->l2.victims)
    fail_once(b, "rule 5: victims", 0, 0, (uint32_t)n->l2.victims, (uint32_t)b->victims);
  for (unsigned k = 0; k < SMS; k++) wf_l1_clear(b->sms[k].l1);
  wf_mem_forget_stores(b->mem);
}

static void run(bench *b, uint64_t transactions) {
  while (b->done < transactions && !b->failure[0]) {
    const unsigned rate = 1 + below(b, 8), cycles = 500 + below(b, 8000);
    for (unsigned c = 0; c < cycles && !b->failure[0]; c++) {
      cycle(b, rate);
      if (c % 64 == 0) (void)place_of(b, below(b, LINES));
    }
    if (!b->failure[0]) rest(b);
  }
}

static const char *const modes[][16] = {
    {NULL},
    {"l1.sectored", "1"},
    {"l1.allocate", "fill", "l1.victim_lines", "4"},
    {"l1.past", "line", "l1.sectored", "1"},
    {"l1.victim_lines", "4", "l1.sectored", "1", "l1.allocate", "fill", "l1.past", "line"},
    {"l2.write", "evict"},
    {"l2.write", "evict", "l1.sectored", "1", "l2.fill", "line"},
    {"l2.fill", "line", "l1.bypass_stalls", "1"},
    {"l2.exclusive", "1"},
    {"l2.exclusive", "1", "l2.write", "evict", "l1.victim_lines", "4"},
    {"l2.exclusive", "1", "l2.fill", "line", "l1.allocate", "fill"},
    {"l2.exclusive", "1", "l1.past", "line", "l1.allocate", "fill", "l2.write", "evict"},
    {"l1.bypass", "mat", "l2.bypass", "mat", "l1.sectored", "1"},
    {"l1.bypass", "ab", "l2.bypass", "ab", "l1.past", "line"},
    {"judge", "any"},
    {"judge", "any", "l2.write", "evict", "l2.fill", "line", "l1.past", "line"},
    {"judge", "any", "l1.victim_lines", "4", "l1.allocate", "fill"},
    {"judge", "late"},
    {"judge", "late", "l2.write", "evict", "l2.fill", "line", "l1.past", "line"},
    {"l1.judge", "any", "l1.sectored", "1"},
    {"l1.judge", "any", "judge", "any", "l2.write", "evict"},
    {"l1.judge", "any", "l1.sectored", "1", "l1.past", "line", "l2.fill", "line"},
    {"l1.judge", "any", "judge", "late", "l1.past", "line"},
};
enum { MODES = sizeof modes / sizeof *modes };

static void name_of(unsigned mode, char *text, size_t bytes) {
  size_t at = 0;
  text[0] = 0;
  for (const char *const *s = modes[mode]; *s; s += 2)
    at += (size_t)snprintf(text + at, bytes - at, " %s=%s", s[0], s[1]);
}

static uint64_t number(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Both rules of bypass, at each cache: how often one is asked, and says past. Linked in the place
 * of the caches' own call (rules.mk). */
enum { RULES = 64 };
static struct {
  const wf_bypass *of;
  uint64_t asked, past;
} rules[RULES];
bool __real_wf_bypass_decides(wf_bypass *bypass, const wf_bypass_miss *miss);
bool __wrap_wf_bypass_decides(wf_bypass *bypass, const wf_bypass_miss *miss);
bool __wrap_wf_bypass_decides(wf_bypass *bypass, const wf_bypass_miss *miss) {
  const bool past = __real_wf_bypass_decides(bypass, miss);
  unsigned i = 0;
  while (rules[i].of && rules[i].of != bypass) assert_true(++i < RULES);
  rules[i].of = bypass;
  rules[i].asked++;
  rules[i].past += past;
  return past;
}

/* Each rule that the settings ask for, of every SM and slice, has sent lines past and kept others.
 */
static void assert_bypass(const bench *b) {
  const unsigned slices = b->config.mem.n_part;
  unsigned n = 0;
  for (; n < RULES && rules[n].of; n++)
    assert_true(rules[n].past >= 10 && rules[n].past < rules[n].asked);
  assert_int_equal(n, (b->config.l1_bypass ? SMS : 0) + (b->config.mem.l2_bypass ? slices : 0));
}

static void all_modes(void **state) {
  const char *only = getenv("WF_MODE");
  (void)state;
  for (unsigned mode = 0; mode < MODES; mode++) {
    char name[256];
    name_of(mode, name, sizeof name);
    if (only && !strstr(name, only)) continue;
    memset(rules, 0, sizeof rules);
    bench *b = begin(modes[mode], number("WF_SEED", 1) + mode);
    run(b, number("WF_VERSIONS", 60000));
    print_message("%s: %.2f M loads, %.0f %% hits, %.2f M atomics, %.2f M past, %.2f M victims\n",
                  mode ? name : " default", 1e-6 * (double)b->loads,
                  100 * (double)b->hits / (double)b->loads, 1e-6 * (double)b->atomics,
                  1e-6 * (double)b->past, 1e-6 * (double)b->victims);
    if (b->failure[0]) fail_msg("%s (mode%s)", b->failure, name);
    assert_true(b->hits > 1000 && b->atomics > 1000);
    assert_true(!b->config.mem.l2_exclusive || (b->victims > 100 && b->exclusive_checked));
    assert_bypass(b);
    assert_true(!b->judged || (b->victims > 100 && wf_mem_get_counters(b->mem)->l2.moved > 10));
    end(b);
  }
}

/* The bench sees it if the filter of written lines is off, if stores leave their SM's line where it
 * is, if a fill takes what was written of a sector, if an L1 takes sectors for there that are not,
 * and what core.ordered is for. */
static void seeded_faults_show(void **state) {
  static const struct {
    const char *settings[6];
    unsigned fault;
    const char *rule;
  } faults[] = {{{"l2.exclusive", "1", NULL}, NO_FILTER, "rule 1"},
                {{"l2.exclusive", "1", "l2.write", "evict", NULL}, NO_FILTER, "rule 1"},
                {{"judge", "any", NULL}, NO_FILTER, "rule 1"},
                {{NULL}, NO_EVICT, "rule 2"},
                {{NULL}, NO_PARTIAL, "rule 1"},
                {{"l2.write", "evict", NULL}, NO_PARTIAL, "rule 1"},
                {{"l1.sectored", "1", NULL}, NO_SECTORS, "rule 2"},
                {{"l1.sectored", "1", "l1.judge", "any", NULL}, NO_SECTORS, "rule 2"},
                {{"l1.judge", "any", NULL}, NO_EVICT, "rule 2"},
                {{"l1.judge", "any", "judge", "any", NULL}, NO_FILTER, "rule 1"},
                {{"core.ordered", "0", NULL}, NO_FAULT, "rule 2"}};
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    bench *b = begin(faults[i].settings, 1);
    b->fault = faults[i].fault;
    run(b, 200000);
    print_message("fault %zu after %.0f transactions: %s\n", i, (double)b->done, b->failure);
    if (!strstr(b->failure, faults[i].rule)) fail_msg("fault %zu is not seen", i);
    end(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_modes),
                                     cmocka_unit_test(seeded_faults_show)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
