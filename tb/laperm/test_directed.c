/* Directed tests of laperm_scheduler: the paper's figure 26 under its four policies, the round
 * robin of its section 2.2, and each rule of the unit once by itself. Every edge is judged by the
 * reference model as well; what is asserted here comes from the paper and the unit's contract. */
#include "tb/common/wf_test.h"
#include "tb/laperm/laperm_bench.h"

enum { MAX_LOG = 512, PC_1 = 1, PC_2 = 2, LIFE = 64, BEFORE_LAUNCH = 6, NEVER = 100000 };

/* A group that a block launches when it has run for a while. */
typedef struct child {
  const char *by, *name; /* its blocks are name 0, name 1, ... from `first` */
  uint32_t first, blocks, pc;
} child;

typedef struct event {
  uint64_t start, end; /* end: cycle in which it is told */
  laperm_block block;
  char name[8];
  bool ended;
} event;

/* A unit, blocks that live for a time and launch, and all that left it. */
typedef struct machine {
  laperm_bench *b;
  event log[MAX_LOG];
  unsigned n, life, n_kdone, refused;
  const child *children;
  unsigned n_children, sent;
  laperm_group queue[32];
  unsigned n_queue;
  laperm_group last_refused;
  unsigned reads; /* of memory */
  uint64_t divert;
  bool kmu_waits; /* takes no group */
} machine;

static machine *open_machine(const char *config, const char *parameters) {
  machine *t = calloc(1, sizeof *t);
  t->b = wf_test_open(&laperm_bench_class, config, parameters);
  t->life = NEVER;
  return t;
}

static uint64_t now(const machine *t) {
  return t->b->base.cycle;
}

static void policy(machine *t, laperm_policy p) {
  laperm_bench_policy(t->b, p);
}

/* ---- one edge ---- */

static void name_block(const machine *t, event *e) {
  const laperm_block *k = &e->block;
  const child *c = k->group && k->param >= 0x1000 ? &t->children[k->param / 0x100 - 0x10] : NULL;
  snprintf(e->name, sizeof e->name, "%s%u",
           c          ? c->name
           : k->group ? "G"
                      : "P",
           k->at[0] + (c ? c->first : 0));
}

static void block_starts(machine *t, const laperm_block *k) {
  if (t->n == MAX_LOG) fail_msg("too many blocks");
  event *e = &t->log[t->n++];
  *e = (event){.start = now(t), .end = now(t) + t->life, .block = *k};
  name_block(t, e);
}

static void launch_children(machine *t) {
  for (unsigned i = 0; i < t->n; i++) {
    const event *e = &t->log[i];
    if (now(t) != e->start + BEFORE_LAUNCH) continue;
    for (unsigned c = 0; c < t->n_children; c++) {
      const child *x = &t->children[c];
      if (strcmp(x->by, e->name) != 0) continue;
      t->queue[t->n_queue++] = (laperm_group){.pc = x->pc,
                                              .x = x->blocks,
                                              .y = 1,
                                              .z = 1,
                                              .param = 0x1000 + 0x100 * c,
                                              .smx = e->block.smx,
                                              .prio = e->block.prio,
                                              .last = true};
    }
  }
}

static void find_ends(const machine *t, laperm_in *in) {
  for (unsigned i = 0; i < t->n; i++) {
    const event *e = &t->log[i];
    if (e->ended || now(t) + 1 < e->end || wf_mask_has(&in->done, e->block.smx)) continue;
    wf_mask_set(&in->done, e->block.smx);
    in->done_slot[e->block.smx] = (uint8_t)e->block.slot;
  }
}

static void take_ends(machine *t, const laperm_in *in, const wf_mask *ready) {
  for (unsigned i = 0; i < t->n; i++) {
    event *e = &t->log[i];
    if (!e->ended && wf_mask_has(&in->done, e->block.smx) && wf_mask_has(ready, e->block.smx) &&
        in->done_slot[e->block.smx] == e->block.slot && now(t) >= e->end)
      e->ended = true;
  }
}

static laperm_out step(machine *t, const laperm_kernel *k) {
  laperm_in in = {.divert = {{t->divert}},
                  .kern = k,
                  .agg = t->n_queue ? &t->queue[0] : NULL,
                  .dk_ready = !t->kmu_waits,
                  .tb_ready = true,
                  .kdone_ready = true};
  find_ends(t, &in);
  const laperm_out o = t->b->out;
  ok(t->b, laperm_bench_cycle(t->b, &in));
  take_ends(t, &in, &o.done_ready);
  if (in.agg && o.agg_ready) memmove(t->queue, t->queue + 1, --t->n_queue * sizeof *t->queue);
  if (o.tb_valid) block_starts(t, &o.tb);
  if (o.dk_valid && in.dk_ready) {
    t->refused++;
    t->last_refused = o.dk;
  }
  t->n_kdone += o.kdone_valid;
  t->reads += o.mem_valid && !o.mem.write;
  launch_children(t);
  return o;
}

static void run(machine *t, unsigned cycles) {
  while (cycles-- > 0) step(t, NULL);
}

static unsigned kernel(machine *t, const laperm_kernel *k) {
  for (unsigned i = 0; i < 2000; i++) {
    const laperm_out o = step(t, k);
    if (o.kern_ready) return o.kern_kdei;
  }
  fail_msg("a kernel is never taken");
  return 0;
}

static void group(machine *t, const laperm_group *g) {
  t->queue[t->n_queue++] = *g;
  while (t->n_queue) run(t, 1);
}

static void end_block(machine *t, unsigned i) {
  t->log[i].end = now(t) + 1;
  while (!t->log[i].ended) run(t, 1);
}

/* Whatever runs ends; then nothing is under way. */
static void rest(machine *t) {
  t->life = 1;
  t->divert = 0;
  for (unsigned i = 0; i < 4000; i++) {
    for (unsigned e = 0; e < t->n; e++)
      if (t->log[e].end > now(t)) t->log[e].end = now(t) + 1;
    run(t, 5);
    if (laperm_ref_empty(&t->b->ref) && t->b->out.idle) return;
  }
  fail_msg("the unit does not come to rest");
}

static void finish(machine *t) {
  rest(t);
  ok(t->b, laperm_bench_counters(t->b));
  wf_test_finish(t->b);
  free(t);
}
#define TEST(name, ...) WF_DIRECTED(name, machine *t, open_machine(__VA_ARGS__), finish)

static laperm_kernel plain(uint32_t pc, uint32_t x) {
  return (laperm_kernel){
      .pc = pc, .x = x, .y = 1, .z = 1, .param = 0x100 + pc, .warps = 1, .regs = 1, .host = true};
}

static laperm_group launch(uint32_t pc, uint32_t x, uint32_t nth, uint32_t smx, uint32_t prio) {
  return (laperm_group){
      .pc = pc, .x = x, .y = 1, .z = 1, .param = 0x200 + 16 * nth, .smx = smx, .prio = prio};
}

/* A kernel whose blocks fill an SMX each, one on every SMX. They run until they are ended. */
static void fill(machine *t, laperm_policy p) {
  laperm_kernel k = plain(PC_1, t->b->shape.smx);
  k.warps = t->b->shape.warps;
  policy(t, p);
  t->n = 0;
  t->life = NEVER;
  kernel(t, &k);
  run(t, 40);
  assert_int_equal(t->n, k.x);
}

/* The block that runs on this SMX. */
static unsigned on(const machine *t, unsigned smx) {
  for (unsigned i = t->n; i-- > 0;)
    if (t->log[i].block.smx == smx && !t->log[i].ended) return i;
  fail_msg("nothing runs on SMX %u", smx);
  return 0;
}

static uint64_t counted(machine *t, laperm_counter c) {
  return laperm_bench_counter(t->b, c);
}

/* ---- the paper's schedules ---- */

/* Who ran on an SMX, in order. */
static void ran(const machine *t, unsigned smx, const char *expected) {
  char text[256] = "";
  for (unsigned i = 0; i < t->n; i++)
    if (t->log[i].block.smx == smx) {
      if (text[0]) strcat(text, " ");
      strcat(text, t->log[i].name);
    }
  if (strcmp(text, expected) != 0) fail_msg("SMX %u ran %s, not %s", smx, text, expected);
}

static void schedule(machine *t, laperm_policy p, uint32_t blocks, const child *children,
                     unsigned n, const char *const *expected) {
  const laperm_kernel k = plain(PC_1, blocks);
  policy(t, p);
  t->life = LIFE;
  t->children = children;
  t->n_children = n;
  kernel(t, &k);
  run(t, 10 * LIFE);
  assert_int_equal(t->n_kdone, 1);
  for (unsigned s = 0; expected[s]; s++) ran(t, s, expected[s]);
}

static const child figure26[] = {{"P2", "C", 0, 2, PC_1}, {"P4", "C", 2, 4, PC_1}};
#define SCHEDULE(t, p, blocks, children, ...)                                                      \
  schedule(t, p, blocks, children, sizeof(children) / sizeof *(children),                          \
           (const char *const[]){__VA_ARGS__, NULL})

TEST(figure_26_rr, "figure26", NULL) {
  SCHEDULE(t, LAPERM_RR, 8, figure26, "P0 P4 C0 C4", "P1 P5 C1 C5", "P2 P6 C2", "P3 P7 C3");
}
TEST(figure_26_tb_pri, "figure26", NULL) {
  SCHEDULE(t, LAPERM_TB_PRI, 8, figure26, "P0 C0 C2 P6", "P1 C1 C3 P7", "P2 P4 C4", "P3 P5 C5");
}
TEST(figure_26_smx_bind, "figure26", NULL) {
  SCHEDULE(t, LAPERM_SMX_BIND, 8, figure26, "P0 P4 C2 C3 C4 C5", "P1 P5 P7", "P2 C0 C1", "P3 P6");
}
TEST(figure_26_adaptive, "figure26", NULL) {
  SCHEDULE(t, LAPERM_ADAPTIVE, 8, figure26, "P0 P4 C2 C4", "P1 P5 P7 C5", "P2 C0 C1", "P3 P6 C3");
}

/* SMX 2 keeps its backup, SMX 0, while that has blocks; SMX 0 takes SMX 1's when its own are out.
 */
static const child two_parents[] = {{"P0", "A", 0, 4, PC_1}, {"P1", "B", 0, 4, PC_1}};
TEST(sticky_backup, "figure26", "NumSmx=3") {
  SCHEDULE(t, LAPERM_ADAPTIVE, 3, two_parents, "P0 A0 A2 B2", "P1 B0 B1 B3", "P2 A1 A3");
}

/* SMX 1 keeps its backup, SMX 0, though SMX 2, which comes first behind it, has blocks meanwhile.
 */
static const child later_owner[] = {{"P0", "A", 0, 6, PC_1}, {"A2", "C", 0, 3, PC_1}};
TEST(sticky_beside_a_nearer_owner, "figure26", "NumSmx=3") {
  SCHEDULE(t, LAPERM_ADAPTIVE, 3, later_owner, "P0 A0 A3 A5", "P1 A1 A4 C1", "P2 A2 C0 C2");
}

/* What a block launches that ran on a backup's behalf is bound to where it ran. */
static const child grandchild[] = {{"P0", "A", 0, 3, PC_1}, {"A1", "D", 0, 2, PC_1}};
TEST(grandchild_of_a_backup, "figure26", "NumSmx=2") {
  SCHEDULE(t, LAPERM_ADAPTIVE, 2, grandchild, "P0 A0 A2 D1", "P1 A1 D0");
  assert_string_equal(t->log[t->n - 1].name, "D1");
  assert_int_equal(t->log[t->n - 1].block.prio, 2);
}

/* Section 2.2: 100 blocks, 13 SMXs, three blocks each. */
static void round_robin(machine *t, laperm_policy p) {
  const laperm_kernel k = plain(PC_1, 100);
  policy(t, p);
  kernel(t, &k);
  run(t, 60);
  assert_int_equal(t->n, 39);
  for (unsigned i = 0; i < 39; i++) {
    assert_int_equal(t->log[i].block.at[0], i);
    assert_int_equal(t->log[i].block.smx, i % 13);
    assert_int_equal(t->log[i].start, t->log[0].start + i);
  }
  assert_true(t->b->out.idle);
  end_block(t, 17);
  run(t, 30);
  assert_int_equal(t->n, 40);
  assert_int_equal(t->log[39].block.at[0], 39);
  assert_int_equal(t->log[39].block.smx, 4);
}
TEST(section_2_2_rr, "paper", "MaxTb=3") {
  round_robin(t, LAPERM_RR);
}
TEST(section_2_2_adaptive, "paper", "MaxTb=3") {
  round_robin(t, LAPERM_ADAPTIVE);
}

/* ---- rules ---- */

/* With Skip a visit begins where a block has ended: the next one starts within four cycles. */
TEST(skip_finds_room_at_once, "paper", "MaxTb=3 Skip=1") {
  const laperm_kernel k = plain(PC_1, 100);
  policy(t, LAPERM_RR);
  kernel(t, &k);
  run(t, 60);
  end_block(t, 24); /* SMX 11 */
  const uint64_t ended = now(t);
  run(t, 6);
  assert_int_equal(t->n, 40);
  assert_int_equal(t->log[39].block.smx, 11);
  assert_in_range(t->log[39].start - ended, 1, 4);
}

/* Levels rise from parent to child, and end at Levels; there it is first come, first served. */
TEST(levels_end_at_the_last, "figure26", "NumSmx=1") {
  static const child chain[] = {{"P0", "A", 0, 1, PC_1},
                                {"A0", "B", 0, 1, PC_1},
                                {"B0", "C", 0, 1, PC_1},
                                {"B0", "D", 0, 1, PC_1},
                                {"C0", "E", 0, 1, PC_1}};
  SCHEDULE(t, LAPERM_SMX_BIND, 2, chain, "P0 A0 B0 C0 D0 E0 P1");
  static const uint32_t levels[] = {0, 1, 2, 2, 2, 2, 0};
  for (unsigned i = 0; i < 7; i++) assert_int_equal(t->log[i].block.prio, levels[i]);
}

/* Four entries: the fifth group goes to memory, and those of its level behind it; one of a higher
 * level takes the place of the last one on chip. They leave in the order of launches. */
TEST(queue_of_four_spills_and_refills, "small", NULL) {
  fill(t, LAPERM_SMX_BIND);
  for (unsigned i = 0; i < 7; i++) {
    const laperm_group g = launch(PC_1, 1, i, 0, 0);
    group(t, &g);
  }
  run(t, 40);
  assert_int_equal(counted(t, LAPERM_CNT_groups_chip), 4);
  assert_int_equal(counted(t, LAPERM_CNT_groups_memory), 3);
  const laperm_group high = launch(PC_1, 1, 7, 0, 1);
  group(t, &high);
  run(t, 40);
  assert_int_equal(counted(t, LAPERM_CNT_spills), 1);
  static const unsigned order[] = {7, 0, 1, 2, 3, 4, 5, 6};
  for (unsigned i = 0; i < 8; i++) {
    end_block(t, on(t, 0));
    run(t, 60);
    assert_int_equal(t->n, 3 + i + 1);
    assert_int_equal(t->log[3 + i].block.param, 0x200 + 16 * order[i]);
  }
  assert_int_equal(counted(t, LAPERM_CNT_refills), 4);
  assert_int_equal(counted(t, LAPERM_CNT_mem_reads), 4);
}

/* Two SMXs have eight entries together, a third one alone has as many. */
TEST(each_owner_has_its_entries, "ring", NULL) {
  for (unsigned o = 0; o < 3; o++) {
    fill(t, LAPERM_SMX_BIND);
    const uint64_t chip = counted(t, LAPERM_CNT_groups_chip),
                   far = counted(t, LAPERM_CNT_groups_memory);
    for (unsigned i = 0; i < 10; i++) {
      const laperm_group g = launch(PC_1, 1, i, 2 * o, 0);
      group(t, &g);
    }
    run(t, 60);
    assert_int_equal(counted(t, LAPERM_CNT_groups_chip) - chip, 8);
    assert_int_equal(counted(t, LAPERM_CNT_groups_memory) - far, 2);
    rest(t);
  }
}

/* Of 16 places eight were read, and take the next records while the queue still has others. */
TEST(places_are_used_again, "ring", NULL) {
  fill(t, LAPERM_SMX_BIND);
  for (unsigned i = 0; i < 32; i++) {
    const laperm_group g = launch(PC_1, 1, i, 0, 0);
    if (i >= 24) { /* eight on chip and all places taken */
      end_block(t, on(t, 0));
      run(t, 60);
    }
    if (i == 24)
      for (unsigned k = 0; k < 7; k++) {
        end_block(t, on(t, 0));
        run(t, 60);
      }
    group(t, &g);
    run(t, 20);
    if (i == 23) assert_int_equal(counted(t, LAPERM_CNT_ring_places), 16);
  }
  assert_int_equal(counted(t, LAPERM_CNT_ring_places), 24);
}

/* Eight groups of each of four SMXs lie in memory. When blocks end `at_once` of their queues ask
 * for a line before any has come; a line brings all eight of a queue, whatever the order of
 * launches. */
static void refills_of_four(machine *t, unsigned at_once) {
  const laperm_kernel k = plain(PC_1, 4);
  policy(t, LAPERM_SMX_BIND);
  kernel(t, &k);
  run(t, 30);
  assert_int_equal(t->n, 4);
  for (unsigned i = 0; i < 48; i++) {
    const laperm_group g = launch(PC_1, 1, i, i % 4, 0);
    group(t, &g);
  }
  run(t, 40);
  assert_int_equal(t->reads, 0);
  laperm_bench_silence(t->b, true);
  for (unsigned i = 0; i < 4; i++) t->log[i].end = now(t) + 1;
  run(t, 100);
  assert_int_equal(t->reads, at_once);
  laperm_bench_silence(t->b, false);
  rest(t);
  assert_int_equal(t->reads, 4);
  assert_int_equal(laperm_bench_counter(t->b, LAPERM_CNT_refills), 32);
  assert_int_equal(laperm_bench_counter(t->b, LAPERM_CNT_ring_places), 32);
  assert_int_equal(t->n, 4 + 48);
}
TEST(four_queues_read_at_once, "ring",
     "NumSmx=4 Cluster=1 MaxTb=1 Lines=8 Reads=4 Ring=256 CounterBits=16") {
  refills_of_four(t, 4);
}
TEST(two_queues_read_at_once, "ring",
     "NumSmx=4 Cluster=1 MaxTb=1 Lines=8 Reads=2 Ring=256 CounterBits=16") {
  refills_of_four(t, 2);
}

/* A line is on its way, and one behind it; another waits for room. If a second queue goes to memory
 * meanwhile it is not fetched: what lies behind the first one's chunk may be the second one's. */
static void lines_ahead(machine *t, bool second, unsigned lines) {
  fill(t, LAPERM_SMX_BIND);
  for (unsigned i = 0; i < 26; i++) { /* of SMX 0: eight on chip and ten more; of SMX 2 eight */
    const laperm_group g = launch(PC_1, 1, i, i < 18 ? 0 : 2, 0);
    group(t, &g);
  }
  run(t, 60);
  assert_int_equal(counted(t, LAPERM_CNT_groups_memory), 10);
  laperm_bench_silence(t->b, true);
  laperm_bench_memory(t->b, 0, 0);
  t->log[on(t, 0)].end = now(t) + 1;
  run(t, 60);
  if (second) {
    const laperm_group g = launch(PC_1, 1, 26, 2, 0);
    group(t, &g);
    run(t, 60);
  }
  t->reads = 0; /* none was taken so far */
  laperm_bench_memory(t->b, 0, 100);
  run(t, 60);
  assert_int_equal(t->reads, lines);
  laperm_bench_silence(t->b, false);
}
TEST(lines_ahead_of_one_queue, "ring", NULL) {
  lines_ahead(t, false, 3);
}
TEST(lines_ahead_end_with_a_second_queue, "ring", NULL) {
  lines_ahead(t, true, 2);
}

/* A launch is taken while every SMX is full and every entry too. */
TEST(no_launch_waits_for_an_end, "small", NULL) {
  for (laperm_policy p = LAPERM_RR; p <= LAPERM_ADAPTIVE; p++) {
    fill(t, p);
    for (unsigned i = 0; i < 40; i++) {
      const laperm_group g = launch(PC_1, 1, i, 0, i % 3);
      const uint64_t before = now(t);
      group(t, &g);
      assert_true(now(t) - before < 40);
    }
    rest(t);
  }
}

/* A pool of three is full: the next group leaves as a kernel at once, though no block starts or
 * ends. One that was offered to the KMU goes there, even if the pool gets room before it is taken;
 * the next one joins. */
TEST(full_pool_sends_groups_away, "small", "PoolBits=2 NumSmx=1 MaxTb=4") {
  const laperm_kernel k = plain(PC_1, 5);
  for (laperm_policy p = LAPERM_RR; p <= LAPERM_ADAPTIVE; p++) {
    policy(t, p);
    t->life = NEVER;
    const unsigned before = t->refused;
    kernel(t, &k);
    run(t, 40);
    assert_int_equal(t->n, 4); /* all slots are taken, and one block waits */
    laperm_group g[6];
    for (unsigned i = 0; i < 6; i++) g[i] = launch(PC_1, 1, i, 0, 0);
    for (unsigned i = 0; i < 4; i++) group(t, &g[i]);
    run(t, 30);
    assert_int_equal(t->n, 4);
    assert_int_equal(t->refused - before, 1);
    assert_int_equal(t->last_refused.param, g[3].param);
    t->kmu_waits = true;
    group(t, &g[4]);
    run(t, 20);
    for (unsigned i = 0; i < 4; i++) end_block(t, i);
    run(t, 30);
    assert_int_equal(t->n, 8); /* the pool has room */
    group(t, &g[5]);
    run(t, 20);
    assert_int_equal(t->refused - before, 1);
    t->kmu_waits = false;
    run(t, 20);
    assert_int_equal(t->refused - before, 2);
    assert_int_equal(t->last_refused.param, g[4].param);
    rest(t);
    assert_int_equal(t->n, 9); /* the kernel's five, and the four groups that joined */
    assert_int_equal(t->refused - before, 2);
    t->n = 0;
  }
}

/* The head of an SMX's own queue that does not fit keeps queue 0 from that SMX, not from others. */
TEST(misfit_waits_at_its_smx, "small", "MaxTb=2") {
  laperm_kernel small = plain(PC_1, 1), large = plain(PC_2, 1), more = plain(PC_1, 6);
  policy(t, LAPERM_SMX_BIND);
  large.warps = 8;
  kernel(t, &small);
  kernel(t, &large);
  run(t, 30);
  assert_int_equal(t->n, 2);
  const unsigned at = t->log[0].block.smx, wide = t->log[1].block.smx;
  const laperm_group g = launch(PC_2, 1, 0, at, 0);
  group(t, &g);
  run(t, 20);
  kernel(t, &more);
  run(t, 60);
  assert_int_equal(t->n, 4); /* two more on the SMX that is neither full nor waited for */
  for (unsigned i = 2; i < 4; i++) {
    assert_int_not_equal(t->log[i].block.smx, at);
    assert_int_not_equal(t->log[i].block.smx, wide);
  }
  end_block(t, 0);
  run(t, 30);
  assert_int_equal(t->log[4].block.param, g.param);
  assert_int_equal(t->log[4].block.smx, at);
}

/* A group without a kernel leaves at dk with its SMX and level, and comes back as a kernel that is
 * bound as the group would have been. */
TEST(refused_group_returns_as_kernel, "figure26", NULL) {
  const laperm_kernel k = plain(PC_1, 1);
  policy(t, LAPERM_SMX_BIND);
  kernel(t, &k);
  run(t, 20);
  const laperm_group g = launch(PC_2, 3, 0, 2, 1);
  group(t, &g);
  run(t, 40);
  assert_int_equal(t->refused, 1);
  assert_int_equal(t->last_refused.smx, 2);
  assert_int_equal(t->last_refused.prio, 1);
  laperm_kernel d = plain(PC_2, 3);
  d.host = false;
  d.param = g.param;
  d.smx = t->last_refused.smx;
  d.prio = t->last_refused.prio;
  t->life = LIFE;
  kernel(t, &d);
  run(t, 4 * LIFE);
  assert_int_equal(t->n, 4);
  for (unsigned i = 1; i < 4; i++) {
    assert_int_equal(t->log[i].block.smx, 2);
    assert_int_equal(t->log[i].block.prio, 2);
  }
}

/* SMXs that share a cache share queues, and take turns. */
TEST(cluster_of_two, "figure26", "NumSmx=4 Cluster=2 MaxTb=4") {
  const laperm_kernel k = plain(PC_1, 1);
  policy(t, LAPERM_SMX_BIND);
  kernel(t, &k);
  run(t, 20);
  const laperm_group g = launch(PC_1, 2, 0, 3, 0);
  group(t, &g);
  run(t, 30);
  assert_int_equal(t->n, 3);
  assert_int_equal(t->log[1].block.smx + t->log[2].block.smx, 2 + 3);
}

/* A grid that a higher one overtakes goes on where it was. */
TEST(preempted_grid_goes_on, "figure26", "NumSmx=1") {
  const laperm_kernel k = plain(PC_1, 4);
  policy(t, LAPERM_TB_PRI);
  kernel(t, &k);
  run(t, 20);
  end_block(t, 0);
  run(t, 20);
  const laperm_group g = launch(PC_1, 1, 0, 0, 0);
  group(t, &g);
  run(t, 20);
  for (unsigned i = 1; i < 4; i++) {
    end_block(t, i);
    run(t, 20);
  }
  assert_int_equal(t->n, 5);
  static const unsigned at[] = {0, 1, 0, 2, 3};
  for (unsigned i = 0; i < 5; i++) {
    assert_int_equal(t->log[i].block.at[0], at[i]);
    assert_int_equal(t->log[i].block.group, i == 2);
  }
  assert_int_equal(laperm_bench_counter(t->b, LAPERM_CNT_preemptions), 1);
}

/* A diverted SMX gets nothing: what is bound to it waits, or goes to others. */
static void diverted(machine *t, laperm_policy p, unsigned started) {
  const laperm_kernel k = plain(PC_1, 1);
  policy(t, p);
  kernel(t, &k);
  run(t, 20);
  t->divert = 1;
  run(t, 2);
  const laperm_group g = launch(PC_1, 3, 0, 0, 0);
  group(t, &g);
  run(t, 40);
  assert_int_equal(t->n, 1 + started);
  for (unsigned i = 1; i < t->n; i++) assert_int_not_equal(t->log[i].block.smx, 0);
}
TEST(diverted_smx_bound, "figure26", NULL) {
  diverted(t, LAPERM_SMX_BIND, 0);
}
TEST(diverted_smx_adaptive, "figure26", NULL) {
  diverted(t, LAPERM_ADAPTIVE, 3);
}

/* SMX 1 keeps SMX 4 as its backup though SMX 2, which comes first behind it, has a block later; SMX
 * 3 has none. */
TEST(backup_of_one_smx_alone, "ring", NULL) {
  fill(t, LAPERM_ADAPTIVE);
  for (unsigned i = 0; i < 5; i++) {
    const laperm_group g = launch(PC_1, 1, i, i < 4 ? 4 : 2, 0);
    if (i == 4) end_block(t, on(t, 1));
    run(t, 40);
    group(t, &g);
    run(t, 40);
  }
  for (unsigned i = 0; i < 5; i++) {
    assert_int_equal(t->log[on(t, 1)].block.param, 0x200 + 16 * i);
    end_block(t, on(t, 1));
    run(t, 40);
  }
}

/* Of SMXs that end all their blocks at once none is two ends ahead of another. */
TEST(ends_in_turn, "small", NULL) {
  laperm_kernel k = plain(PC_1, 12);
  k.warps = 2;
  kernel(t, &k);
  run(t, 60);
  assert_int_equal(t->n, 12);
  for (unsigned i = 0; i < 12; i++) t->log[i].end = now(t) + 1;
  for (unsigned all = 0; all < 12;) {
    unsigned of[3] = {0};
    run(t, 1);
    for (unsigned i = 0; i < 12; i++) of[t->log[i].block.smx] += t->log[i].ended;
    all = of[0] + of[1] + of[2];
    for (unsigned s = 0; s < 3; s++) assert_true(3 * of[s] <= all + 2);
  }
}

/* Room of an SMX ends with the block that leaves too few warps, registers or shared memory. */
TEST(room_ends_with_the_last_that_fits, "ring", NULL) {
  static const unsigned need[][3] = {{5, 1, 1}, {1, 7, 1}, {1, 1, 6}};
  for (unsigned n = 0; n < 3; n++) {
    laperm_kernel k = plain(PC_1, 9);
    k.warps = need[n][0];
    k.regs = need[n][1];
    k.shm = need[n][2];
    t->life = NEVER;
    t->n = 0;
    kernel(t, &k);
    for (unsigned i = 0, seen = 0; i < 60; i++, seen = t->n) {
      run(t, 1);
      if (t->n > seen) assert_int_equal(wf_port_get(t->b->p.room) >> t->log[seen].block.smx & 1, 0);
    }
    assert_int_equal(t->n, 5);
    rest(t);
  }
}

/* The host's kernel waits while what is bound to each SMX goes on, and no longer. */
static void queue_0_waits(machine *t, laperm_policy p) {
  const laperm_kernel host = plain(PC_2, 1);
  unsigned nth = 0;
  fill(t, p);
  kernel(t, &host);
  run(t, 40);
  for (unsigned round = 0; round < 20; round++)
    for (unsigned s = 0; s < 3; s++) {
      const laperm_group g = launch(PC_1, 1, nth++ % 100, s, 0);
      group(t, &g);
      run(t, 30);
      end_block(t, on(t, s));
      run(t, 30);
      assert_int_equal(t->log[on(t, s)].block.param, g.param);
    }
  assert_int_equal(t->n, 3 + 60);
  end_block(t, on(t, 1));
  run(t, 3 + 10);
  assert_int_equal(t->n, 3 + 60 + 1);
  assert_int_equal(t->log[63].block.pc, PC_2);
}
TEST(queue_0_waits_for_what_is_bound, "small", NULL) {
  queue_0_waits(t, LAPERM_SMX_BIND);
}
TEST(queue_0_waits_under_adaptive, "small", NULL) {
  queue_0_waits(t, LAPERM_ADAPTIVE);
}

/* A visit to a full SMX is counted; a change brings one to each that is not diverted. */
TEST(visits_in_vain, "ring", NULL) {
  const laperm_kernel more = plain(PC_2, 1);
  fill(t, LAPERM_RR);
  kernel(t, &more);
  run(t, 40);
  const uint64_t before = counted(t, LAPERM_CNT_visits_void);
  for (unsigned i = 0; i < 60; i++) {
    t->divert = !t->divert;
    run(t, 7);
  }
  assert_int_equal(counted(t, LAPERM_CNT_visits_void) - before, 30 * 4 + 30 * 5);
}

/* What waits may go anywhere, or to one SMX alone. */
TEST(who_may_have_what_waits, "small", NULL) {
  for (laperm_policy p = LAPERM_RR; p <= LAPERM_ADAPTIVE; p++) {
    const laperm_group g = launch(PC_1, 1, 0, 2, 0);
    fill(t, p);
    assert_int_equal(wf_port_get(t->b->p.wait), 0);
    assert_int_equal(wf_port_get(t->b->p.bound), 0);
    group(t, &g);
    run(t, 40);
    assert_int_equal(wf_port_get(t->b->p.wait), p != LAPERM_SMX_BIND);
    assert_int_equal(wf_port_get(t->b->p.bound), p == LAPERM_SMX_BIND ? 1 << 2 : 0);
    rest(t);
  }
}

static void wrong_parameters(void **state) {
  (void)state;
  static const char *const wrong[] = {"NumSmx=0",        "NumSmx=257",     "NumSmx=128 Levels=4",
                                      "Cluster=5",       "MaxTb=0",        "NumKde=33",
                                      "Entries=3",       "Levels=0",       "Levels=8",
                                      "AddrBits=33",     "XBits=32",       "Lines=1",
                                      "Ring=24",         "DoneDepth=1",    "SearchSlots=0",
                                      "PoolBits=1",      "CounterBits=65", "Reads=0",
                                      "Lines=4 Reads=4", "Skip=2"};
  WF_TEST_REFUSED(&laperm_bench_class, "small", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_26_rr),
      cmocka_unit_test(figure_26_tb_pri),
      cmocka_unit_test(figure_26_smx_bind),
      cmocka_unit_test(figure_26_adaptive),
      cmocka_unit_test(sticky_backup),
      cmocka_unit_test(sticky_beside_a_nearer_owner),
      cmocka_unit_test(grandchild_of_a_backup),
      cmocka_unit_test(section_2_2_rr),
      cmocka_unit_test(section_2_2_adaptive),
      cmocka_unit_test(skip_finds_room_at_once),
      cmocka_unit_test(levels_end_at_the_last),
      cmocka_unit_test(queue_of_four_spills_and_refills),
      cmocka_unit_test(each_owner_has_its_entries),
      cmocka_unit_test(places_are_used_again),
      cmocka_unit_test(four_queues_read_at_once),
      cmocka_unit_test(two_queues_read_at_once),
      cmocka_unit_test(lines_ahead_of_one_queue),
      cmocka_unit_test(lines_ahead_end_with_a_second_queue),
      cmocka_unit_test(no_launch_waits_for_an_end),
      cmocka_unit_test(full_pool_sends_groups_away),
      cmocka_unit_test(misfit_waits_at_its_smx),
      cmocka_unit_test(refused_group_returns_as_kernel),
      cmocka_unit_test(cluster_of_two),
      cmocka_unit_test(preempted_grid_goes_on),
      cmocka_unit_test(diverted_smx_bound),
      cmocka_unit_test(diverted_smx_adaptive),
      cmocka_unit_test(backup_of_one_smx_alone),
      cmocka_unit_test(ends_in_turn),
      cmocka_unit_test(room_ends_with_the_last_that_fits),
      cmocka_unit_test(queue_0_waits_for_what_is_bound),
      cmocka_unit_test(queue_0_waits_under_adaptive),
      cmocka_unit_test(visits_in_vain),
      cmocka_unit_test(who_may_have_what_waits),
      cmocka_unit_test(wrong_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
