/* Directed tests of dtbl_scheduler: the paper's figures 12, 14 and 15 as worked examples, each rule
 * of the unit once by itself, and the plain dispatcher of a GPU without launches, edge by edge.
 * Every edge is also compared with the reference model and judged; what is asserted here comes from
 * the paper and the unit's contract, not from the model. */
#include "tb/common/wf_test.h"
#include "tb/dtbl/dtbl_bench.h"

enum { MAX_LOG = 8192, PC_1 = 0x11, PC_2 = 0x12, PC_3 = 0x13 };

typedef struct event {
  uint64_t cycle;
  dtbl_block block;
  bool ended;
} event;

/* A unit and all that left it. */
typedef struct table {
  dtbl_bench *b;
  event log[MAX_LOG];
  unsigned n, refused;
  dtbl_group last_refused;
  uint64_t refused_at, kdone; /* kdone: a bit per kernel that was told to be over */
  unsigned n_kdone;
  dtbl_mem write[64];
  unsigned n_writes, n_reads;
  uint64_t divert;
  bool kmu_waits; /* takes no group */
} table;

static table *open_table(const char *config, const char *parameters) {
  dtbl_bench *b = wf_test_open(&dtbl_bench_class, config, parameters);
  table *t = calloc(1, sizeof *t);
  t->b = b;
  return t;
}

static uint64_t now(const table *t) {
  return t->b->base.cycle;
}

static dtbl_out step(table *t, const dtbl_kernel *k, const dtbl_group *g, uint64_t done,
                     const uint8_t *slot) {
  dtbl_in in = {.divert = {{t->divert}},
                .kern = k,
                .agg = g,
                .dk_ready = !t->kmu_waits,
                .tb_ready = true,
                .kdone_ready = true,
                .done = {{done}}};
  if (slot) memcpy(in.done_slot, slot, sizeof in.done_slot);
  dtbl_out o = t->b->out;
  ok(t->b, dtbl_bench_cycle(t->b, &in));
  if (o.tb_valid && t->n < MAX_LOG) t->log[t->n++] = (event){.cycle = now(t), .block = o.tb};
  if (o.dk_valid && in.dk_ready) {
    t->refused++;
    t->last_refused = o.dk;
    t->refused_at = now(t);
  }
  if (o.mem_valid && o.mem.write && t->n_writes < 64) t->write[t->n_writes++] = o.mem;
  if (o.mem_valid && !o.mem.write) t->n_reads++;
  if (o.kdone_valid) {
    t->kdone |= UINT64_C(1) << o.kdone_kdei;
    t->n_kdone++;
  }
  return o;
}

static void run(table *t, unsigned cycles) {
  while (cycles-- > 0) step(t, NULL, NULL, 0, NULL);
}

static unsigned kernel(table *t, const dtbl_kernel *k) {
  for (unsigned i = 0; i < 2000; i++) {
    dtbl_out o = step(t, k, NULL, 0, NULL);
    if (o.kern_ready) return o.kern_kdei;
  }
  fail_msg("a kernel is never taken");
  return 0;
}

static void group(table *t, const dtbl_group *g) {
  for (unsigned i = 0; i < 2000; i++)
    if (step(t, NULL, g, 0, NULL).agg_ready) return;
  fail_msg("a group is never taken");
}

static void end_block(table *t, unsigned i) {
  uint8_t slot[DTBL_MAX_SMX] = {0};
  slot[t->log[i].block.smx] = (uint8_t)t->log[i].block.slot;
  while (!(step(t, NULL, NULL, UINT64_C(1) << t->log[i].block.smx, slot).done_ready.w[0] >>
               t->log[i].block.smx &
           1)) {
  }
  t->log[i].ended = true;
}

static void end_all(table *t) {
  for (unsigned i = 0; i < t->n; i++)
    if (!t->log[i].ended) end_block(t, i);
}

static void end_oldest(table *t) {
  unsigned i = 0;
  while (i < t->n && t->log[i].ended) i++;
  if (i < t->n) end_block(t, i);
}

/* Ends whatever runs until nothing is left. */
static void finish(table *t) {
  for (unsigned i = 0; i < 20000; i++) {
    end_all(t);
    run(t, 3);
    if (dtbl_score_empty(&t->b->score) && t->b->out.idle) {
      wf_test_finish(t->b);
      free(t);
      return;
    }
  }
  fail_msg("the unit does not come to rest");
}
#define TEST(name, ...) WF_DIRECTED(name, table *t, open_table(__VA_ARGS__), finish)

static uint64_t count(const table *t, dtbl_counter c) {
  return t->b->ref.counter[c];
}

static dtbl_kernel plain(uint32_t pc, uint32_t x) {
  return (dtbl_kernel){.pc = pc,
                       .tbdim = 3,
                       .smem = 1,
                       .x = x,
                       .y = 1,
                       .z = 1,
                       .param = 0x100 + pc * 2,
                       .warps = 1,
                       .regs = 1,
                       .shm = 0,
                       .host = true};
}

static dtbl_group launch(uint32_t pc, uint32_t x, uint32_t param, uint32_t tid) {
  return (dtbl_group){.pc = pc,
                      .tbdim = 3,
                      .smem = 1,
                      .x = x,
                      .y = 1,
                      .z = 1,
                      .param = param,
                      .warps = 1,
                      .regs = 1,
                      .tid = tid,
                      .last = true};
}

/* Blocks from .. from + n - 1 of the log are those of one grid or group, in order. */
static void are_blocks(const table *t, unsigned from, unsigned n, unsigned kdei, uint32_t param,
                       bool is_group) {
  assert_true(t->n >= from + n);
  for (unsigned i = 0; i < n; i++) {
    const dtbl_block *b = &t->log[from + i].block;
    assert_int_equal(b->kdei, kdei);
    assert_int_equal(b->param, param);
    assert_int_equal(b->group, is_group);
    assert_int_equal(b->at[0], i);
    assert_int_equal(b->dim[0], n);
    assert_int_equal(b->first, i == 0);
    assert_int_equal(b->last, i == n - 1);
  }
}

/* Figure 12a: the groups that threads of kernel K1 launch join K1. */
TEST(figure_12a_same_kernel, "paper", NULL) {
  dtbl_kernel k1 = plain(PC_1, 3);
  unsigned kdei = kernel(t, &k1);
  run(t, 20);
  are_blocks(t, 0, 3, kdei, k1.param, false);
  run(t, 1100); /* the table has cleared itself */
  dtbl_group a = launch(PC_1, 2, 0x1000, 5), b = launch(PC_1, 4, 0x2000, 6);
  group(t, &a);
  group(t, &b);
  run(t, 40);
  assert_int_equal(t->n, 9);
  are_blocks(t, 3, 2, kdei, 0x1000, true);
  are_blocks(t, 5, 4, kdei, 0x2000, true);
  assert_int_equal(t->log[3].block.link, 5 << 1 | 1);
  assert_int_equal(t->log[5].block.link, 6 << 1 | 1);
  for (unsigned i = 0; i < 8; i++) end_block(t, i);
  run(t, 20);
  assert_int_equal(t->n_kdone, 0); /* its own grid is over, a block of a group is not */
  end_block(t, 8);
  run(t, 20);
  assert_int_equal(t->n_kdone, 1);
}

/* Figure 12b: threads of K2 launch groups that join K3; K3's own blocks go first. */
TEST(figure_12b_other_kernel, "small", NULL) {
  run(t, 20);
  dtbl_kernel k2 = plain(PC_2, 4), k3 = plain(PC_3, 30);
  unsigned e2 = kernel(t, &k2), e3 = kernel(t, &k3);
  dtbl_group g = launch(PC_3, 2, 0x3000, 1);
  group(t, &g);
  run(t, 60);
  are_blocks(t, 0, 4, e2, k2.param, false);
  assert_int_equal(t->n, 12); /* 3 SMXs of 4 slots are full */
  for (unsigned i = 0; t->n < 36; i++) end_block(t, i);
  are_blocks(t, 4, 30, e3, k3.param, false);
  are_blocks(t, 34, 2, e3, 0x3000, true);
  assert_int_equal(t->refused, 0);
}

/* Figures 14 and 15, left branch: the kernel is unmarked, only its blocks still run. NAGEI becomes
 * the group, the kernel is marked again, its own grid does not run again. */
TEST(figure_15_unmarked_kernel, "small", NULL) {
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 2);
  unsigned e = kernel(t, &k);
  run(t, 30);
  assert_false(t->b->ref.kde[e].marked);
  assert_int_equal(t->n, 2);
  dtbl_group g = launch(PC_1, 1, 0x40, 9);
  group(t, &g);
  run(t, 30);
  assert_int_equal(count(t, DTBL_CNT_remarks), 1);
  assert_int_equal(t->n, 3);
  are_blocks(t, 2, 1, e, 0x40, true);
  assert_int_equal(t->log[2].block.link, (9 & 7) << 1 | 1);
}

/* Right branch: the kernel is still marked: NAGEI only if the pool is empty, LAGEI always; Next
 * links the groups. */
TEST(figure_15_marked_kernel, "small", NULL) {
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 20);
  unsigned e = kernel(t, &k);
  run(t, 20);
  assert_int_equal(t->n, 12);
  for (unsigned i = 0; i < 3; i++) {
    dtbl_group g = launch(PC_1, 1 + i, 0x100 * (i + 1), i);
    group(t, &g);
  }
  run(t, 20);
  assert_int_equal(count(t, DTBL_CNT_remarks), 0);
  assert_int_equal(count(t, DTBL_CNT_groups_joined), 3);
  for (unsigned i = 0; t->n < 26; i++) end_block(t, i);
  are_blocks(t, 0, 20, e, k.param, false);
  are_blocks(t, 20, 1, e, 0x100, true);
  are_blocks(t, 21, 2, e, 0x200, true);
  are_blocks(t, 23, 3, e, 0x300, true);
  assert_true(t->b->ref.kde[e].open);
}

/* A kernel that was marked again stands behind those that came meanwhile. */
TEST(marked_again_goes_behind, "small", NULL) {
  run(t, 20);
  dtbl_kernel k1 = plain(PC_1, 2), k2 = plain(PC_2, 30), k3 = plain(PC_3, 1);
  unsigned e1 = kernel(t, &k1);
  run(t, 20);
  unsigned e2 = kernel(t, &k2), e3 = kernel(t, &k3);
  dtbl_group g = launch(PC_1, 1, 0x40, 2);
  group(t, &g);
  run(t, 40);
  for (unsigned i = 2; t->n < 34; i++) {
    end_block(t, i);
    run(t, 3);
  }
  are_blocks(t, 2, 30, e2, k2.param, false);
  are_blocks(t, 32, 1, e3, k3.param, false);
  are_blocks(t, 33, 1, e1, 0x40, true);
}

/* A group whose entry is taken: its record goes to memory, is linked there, and costs a read when
 * it is its turn. */
TEST(collision_goes_to_memory, "small", NULL) {
  dtbl_bench_memory(t->b, 50, 100);
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 12);
  unsigned e = kernel(t, &k);
  run(t, 40);
  assert_int_equal(t->n, 12); /* all slots are taken */
  dtbl_group g[4] = {launch(PC_1, 1, 0x40, 3), launch(PC_1, 2, 0x80, 3 + 8),
                     launch(PC_1, 1, 0xc0, 3), launch(PC_1, 1, 0x200, 4)};
  g[1].y = 2;
  g[1].z = 3;
  for (unsigned i = 0; i < 4; i++) group(t, &g[i]);
  run(t, 40);
  assert_int_equal(count(t, DTBL_CNT_agt_hits), 2);
  assert_int_equal(count(t, DTBL_CNT_agt_overflows), 2);
  /* Records of the second and third; links of the second to the third and of the third to the
   * fourth. */
  assert_int_equal(t->n_writes, 4);
  assert_int_equal(t->write[0].addr, 0x80);
  assert_int_equal(t->write[0].mask, 11);
  assert_int_equal(t->write[0].word[0], 2);
  assert_int_equal(t->write[0].word[1], 3 << 16 | 2);
  assert_int_equal(t->write[1].addr, 0xc0);
  assert_int_equal(t->write[2].addr, 0x80);
  assert_int_equal(t->write[2].mask, 4);
  assert_int_equal(t->write[2].word[2], 0xc0);
  assert_int_equal(t->write[3].addr, 0xc0);
  assert_int_equal(t->write[3].word[2], 4 << 1 | 1);
  assert_int_equal(t->n_reads, 0);
  for (unsigned i = 0; i < 12; i++) end_block(t, i);
  run(t, 200);
  assert_int_equal(t->n, 12 + 12);
  for (unsigned i = 12; i < 24; i++) end_block(t, i);
  run(t, 100);
  assert_int_equal(t->n_reads, 2);
  assert_int_equal(t->n, 12 + 1 + 12 + 1 + 1);
  are_blocks(t, 12, 1, e, 0x40, true);
  assert_int_equal(t->log[13].block.param, 0x80);
  assert_int_equal(t->log[13].block.link, 0x80);
  assert_int_equal(t->log[24].block.at[2], 2);
  are_blocks(t, 25, 1, e, 0xc0, true);
  are_blocks(t, 26, 1, e, 0x200, true);
  /* Waiting for the record: its latency, and six cycles: decide, ask, queue, answer, start. */
  assert_in_range(t->log[13].cycle - t->log[12].cycle, 50, 50 + 6);
  /* The first entry is free again once its group is over. */
  dtbl_group again = launch(PC_1, 1, 0x240, 3);
  group(t, &again);
  run(t, 20);
  assert_int_equal(count(t, DTBL_CNT_agt_hits), 3);
}

/* Eight groups of one entry: seven records side by side in two lines. The first read waits for
 * memory, the others find their line here, because it was fetched whole, or ahead; all start in
 * order. Memory sees two lines and one more ahead, not seven reads. */
TEST(records_side_by_side_come_in_lines, "lines", NULL) {
  dtbl_bench_memory(t->b, 0, 100);
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 12);
  unsigned e = kernel(t, &k);
  run(t, 40);
  assert_int_equal(t->n, 12);
  for (unsigned i = 0; i < 8; i++) {
    dtbl_group g = launch(PC_1, 1 + i % 2, 0x410 + 0x20 * i, 0);
    group(t, &g);
  }
  run(t, 60);
  assert_int_equal(t->n_reads, 0);
  assert_int_equal(t->n_writes, 7 + 6); /* records, links between them */
  end_all(t);
  run(t, 200);
  assert_int_equal(t->n, 12 + 12);
  unsigned at = 12;
  for (unsigned i = 0; i < 8; i++) {
    are_blocks(t, at, 1 + i % 2, e, 0x410 + 0x20 * i, true);
    at += 1 + i % 2;
  }
  /* Two lines with records; from each miss Lines / 2 = 2 ahead, then one more when a fetched line
   * is read first. */
  assert_in_range(t->n_reads, 3, 5);
  /* From one group to the next, its line here: six cycles. */
  for (unsigned i = 16; i + 1 < 24; i++)
    assert_in_range(t->log[i + 1].cycle - t->log[i].cycle, 1, 8);
}

/* Groups whose links are places of the ring, of n blocks of one block each from the log's `from`;
 * these places follow one another. */
static unsigned in_ring(const table *t, unsigned from, unsigned n) {
  unsigned found = 0;
  uint32_t last = 0;
  for (unsigned i = from; i < from + n; i++) {
    const uint32_t link = t->log[i].block.link, base = t->b->score.ring_base;
    if (!dtbl_score_in_ring(&t->b->score, link)) continue;
    if (found) assert_int_equal(link - base - 16, (last - base) % (16 * t->b->ring));
    last = link;
    found++;
  }
  return found;
}

/* Of thirty groups of one entry one gets it, sixteen fill the ring, and the rest lie below their
 * parameters; all start in order. Then the ring has room again. */
TEST(a_ring_fills_and_empties, "ring", NULL) {
  dtbl_bench_memory(t->b, 3, 100);
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 12);
  const unsigned e = kernel(t, &k);
  run(t, 40);
  assert_int_equal(t->n, 12);
  for (unsigned round = 0, at = 12; round < 3; round++, at += 30) {
    for (unsigned i = 0; i < 30; i++) {
      dtbl_group g = launch(PC_1, 1, 0x210 + 0x20 * i, 0);
      group(t, &g);
    }
    run(t, 60);
    for (unsigned i = 0; i < 400 && t->n < at + 30; i++) {
      end_oldest(t);
      run(t, 40);
    }
    assert_int_equal(t->n, at + 30);
    for (unsigned i = 0; i < 30; i++) are_blocks(t, at + i, 1, e, 0x210 + 0x20 * i, true);
    assert_int_equal(in_ring(t, at, 30), 16);
  }
}

/* Of the ring's second line all records but one are read when the last of its first line is: the
 * first line's places are given out again, the second's are not, until the last record, of a kernel
 * that waits for room, is read as well. */
TEST(a_place_waits_for_its_record, "ring", NULL) {
  dtbl_bench_memory(t->b, 3, 100);
  run(t, 20);
  dtbl_kernel one = plain(PC_1, 12), two = plain(PC_2, 1), three = plain(PC_3, 1);
  const unsigned first = kernel(t, &one);
  unsigned last = 0;
  run(t, 40);
  for (unsigned i = 0; i < 17; i++) {
    if (i == 8) kernel(t, &two);
    if (i == 9) last = kernel(t, &three);
    dtbl_group g = launch(i == 8 ? PC_2 : i == 9 ? PC_3 : PC_1, 1, 0x210 + 0x20 * i, 0);
    group(t, &g);
  }
  run(t, 60);
  /* All of the first kernel, then the second and its group. */
  for (unsigned i = 0; i < 15 + 2; i++, run(t, 40)) end_oldest(t);
  assert_int_equal(t->n, 12 + 15 + 2);
  for (unsigned i = 0; i < 10; i++) {
    dtbl_group g = launch(PC_1, 1, 0x430 + 0x20 * i, 0);
    group(t, &g);
  }
  run(t, 60);
  for (unsigned i = 0; i < 400 && t->n < 12 + 29; i++, run(t, 40)) end_oldest(t);
  assert_int_equal(t->n, 12 + 29);
  are_blocks(t, 12 + 18, 1, last, 0x210 + 0x20 * 9, true);
  assert_int_equal(in_ring(t, 12 + 19, 10), 8);
  are_blocks(t, 12 + 28, 1, first, 0x430 + 0x20 * 9, true);
}

/* A pool of three is full: the next group leaves as a kernel at once, though no block starts or
 * ends. One that was offered to the KMU goes there, even if the pool gets room before it is taken;
 * the next one joins. */
TEST(a_full_pool_sends_groups_away, "small", "PoolBits=2") {
  run(t, 20);
  dtbl_kernel k = plain(PC_1, 13);
  const unsigned e = kernel(t, &k);
  run(t, 40);
  assert_int_equal(t->n, 12); /* all slots are taken, and one block waits */
  dtbl_group g[6];
  for (unsigned i = 0; i < 6; i++) g[i] = launch(PC_1, 1, 0x40 * (i + 1), i);
  for (unsigned i = 0; i < 3; i++) group(t, &g[i]);
  run(t, 20);
  assert_int_equal(count(t, DTBL_CNT_groups_joined), 3);
  group(t, &g[3]);
  const uint64_t sent = now(t);
  run(t, 20);
  assert_int_equal(t->n, 12);
  assert_int_equal(t->refused, 1);
  assert_memory_equal(&t->last_refused, &g[3], offsetof(dtbl_group, tid));
  assert_in_range(t->refused_at - sent, 1, 4 + 3); /* a comparison with each of four entries */
  t->kmu_waits = true;
  group(t, &g[4]);
  run(t, 20);
  for (unsigned i = 0; i < 4; i++) end_block(t, i);
  run(t, 20);
  assert_int_equal(t->n, 16); /* the pool is empty */
  group(t, &g[5]);
  run(t, 20);
  assert_int_equal(t->refused, 1);
  assert_int_equal(count(t, DTBL_CNT_groups_joined), 3); /* none overtakes */
  t->kmu_waits = false;
  run(t, 20);
  assert_int_equal(t->refused, 2);
  assert_int_equal(t->last_refused.param, g[4].param);
  assert_int_equal(count(t, DTBL_CNT_groups_joined), 4);
  end_oldest(t);
  run(t, 20);
  assert_int_equal(t->n, 17);
  for (unsigned i = 0; i < 3; i++) are_blocks(t, 13 + i, 1, e, g[i].param, true);
  are_blocks(t, 16, 1, e, g[5].param, true);
}

/* A group that finds no kernel is handed to the KMU as it is, after one comparison with each entry.
 */
TEST(no_eligible_kernel, "paper", NULL) {
  static const struct {
    uint32_t pc, tbdim, smem;
  } other[] = {{PC_2, 3, 1}, {PC_1, 2, 1}, {PC_1, 3, 5}};
  run(t, 1100);
  dtbl_kernel k = plain(PC_1, 1);
  kernel(t, &k);
  for (unsigned i = 0; i < 3; i++) {
    dtbl_group g = launch(PC_1, 7, 0x80 + 16 * i, 1);
    g.pc = other[i].pc;
    g.tbdim = other[i].tbdim;
    g.smem = other[i].smem;
    g.smx = 11;
    g.warps = 64 - i;
    g.regs = 256 - 85 * i;
    g.shm = 128 * i + 1;
    group(t, &g);
    uint64_t sent = now(t);
    run(t, 50);
    assert_int_equal(t->refused, i + 1);
    assert_memory_equal(&t->last_refused, &g, offsetof(dtbl_group, tid));
    assert_int_equal(t->last_refused.smx, 11);
    assert_in_range(t->refused_at - sent, 32, 32 + 3); /* one cycle per entry */
  }
  assert_int_equal(count(t, DTBL_CNT_groups_joined), 0);
}

/* The aggregation command of a whole warp: 32 groups, one a beat. The first finds the kernel,
 * wherever it is; the others follow. */
TEST(thirty_two_launches_of_a_warp, "paper", NULL) {
  run(t, 1100);
  unsigned e = 0;
  for (unsigned i = 0; i < 20; i++) {
    dtbl_kernel k = plain(0x20 + i, 1);
    e = kernel(t, &k);
  }
  run(t, 100);
  uint64_t from = now(t);
  for (unsigned i = 0; i < 32; i++) {
    dtbl_group g = launch(0x20 + 19, 1, 0x1000 + 16 * i, 64 + i);
    g.last = i == 31;
    group(t, &g);
  }
  uint64_t taken = now(t) - from;
  while (count(t, DTBL_CNT_groups_joined) < 32) run(t, 1);
  uint64_t joined = now(t) - from;
  printf("   32 groups of one warp: taken in %u cycles, joined in %u\n", (unsigned)taken,
         (unsigned)joined);
  assert_in_range(joined, 64, 32 + 3 * 32 + 6); /* at most 32 to find the kernel, then two a group;
                                                   a group that is over takes the table for one */
  run(t, 200);
  assert_int_equal(t->n, 20 + 32);
  for (unsigned i = 0; i < 32; i++) are_blocks(t, 20 + i, 1, e, 0x1000 + 16 * i, true);
  assert_int_equal(count(t, DTBL_CNT_commands), 1);
  assert_int_equal(count(t, DTBL_CNT_remarks) >= 1, 1);
}

/* All entries of the kernel distributor taken: the next kernel waits for the first kernel done, and
 * gets its entry. */
TEST(kernel_distributor_full, "paper", NULL) {
  for (unsigned i = 0; i < 32; i++) {
    dtbl_kernel k = plain(i, 1);
    assert_int_equal(kernel(t, &k), i);
  }
  dtbl_kernel k = plain(77, 1);
  for (unsigned i = 0; i < 300; i++) assert_false(step(t, &k, NULL, 0, NULL).kern_ready);
  assert_int_equal(t->n, 32);
  uint8_t slot[DTBL_MAX_SMX] = {0};
  slot[t->log[9].block.smx] = (uint8_t)t->log[9].block.slot;
  step(t, &k, NULL, UINT64_C(1) << t->log[9].block.smx, slot);
  t->log[9].ended = true;
  assert_int_equal(kernel(t, &k), 9);
  assert_int_equal(t->kdone, 1u << 9);
}

/* Each of the four limits by itself stops the same number of blocks. */
static void every_resource_limits(void **state) {
  (void)state;
  static const struct {
    unsigned warps, regs, shm, fit; /* of WarpUnits 8, RegUnits 12, ShmUnits 10, MaxTb 4 */
  } rows[] = {{1, 0, 0, 4}, {4, 1, 1, 2},  {8, 1, 1, 1},  {3, 1, 1, 2}, {1, 4, 1, 3},
              {1, 5, 1, 2}, {1, 12, 0, 1}, {1, 0, 10, 1}, {1, 0, 5, 2}, {1, 1, 3, 3}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    table *t = open_table("small", NULL);
    dtbl_kernel k = plain(PC_1, 40);
    k.warps = rows[i].warps;
    k.regs = rows[i].regs;
    k.shm = rows[i].shm;
    kernel(t, &k);
    run(t, 60);
    assert_int_equal(t->n, 3 * rows[i].fit);
    for (unsigned n = 0; n < t->n; n++)
      assert_int_equal(t->log[n].block.smx, n % 3); /* round robin */
    end_block(t, 1);
    uint64_t at = now(t);
    run(t, 5);
    assert_int_equal(t->n, 3 * rows[i].fit + 1);
    assert_int_equal(t->log[t->n - 1].cycle,
                     at + 1); /* in the very next cycle, where the room is */
    assert_int_equal(t->log[t->n - 1].block.smx, 1);
    for (unsigned n = 0; n < 40; n++) end_all(t);
    finish(t);
  }
}

/* A diverted SMX gets no block; when all are, nothing starts. */
TEST(diverted_smx_gets_nothing, "small", NULL) {
  t->divert = 5;
  run(t, 2);
  dtbl_kernel k = plain(PC_1, 20);
  kernel(t, &k);
  run(t, 30);
  assert_int_equal(t->n, 4);
  for (unsigned n = 0; n < 4; n++) assert_int_equal(t->log[n].block.smx, 1);
  t->divert = 7;
  run(t, 2);
  end_block(t, 0);
  run(t, 20);
  assert_int_equal(t->n, 4);
  t->divert = 0;
  run(t, 20);
  assert_int_equal(t->n, 13);
  for (unsigned i = 0; t->n < 20; i++)
    if (!t->log[i].ended) end_block(t, i);
}

/* ---- without launches: the plain dispatcher ---- */

enum { LONGEST = 60 };

/* What a GPU does without dynamic launches: at most one block a cycle, in order, to the next SM
 * round robin that has a free place. */
typedef struct plain_gpu {
  unsigned n_sm, fit, used[DTBL_MAX_SMX], next_sm;
  uint32_t left, next[3], dim[3];
} plain_gpu;

static bool plain_dispatch(plain_gpu *g, unsigned *sm, uint32_t at[3]) {
  if (!g->left) return false;
  for (unsigned i = 0; i < g->n_sm; i++) {
    unsigned s = (g->next_sm + i) % g->n_sm;
    if (g->used[s] == g->fit) continue;
    g->used[s]++;
    g->next_sm = (s + 1) % g->n_sm;
    g->left--;
    *sm = s;
    memcpy(at, g->next, sizeof g->next);
    for (unsigned d = 0; d < 3; d++) {
      if (++g->next[d] < g->dim[d]) break;
      g->next[d] = 0;
    }
    return true;
  }
  return false;
}

static void baseline(const char *config, const char *parameters, const dtbl_kernel *k,
                     uint64_t seed) {
  table *t = open_table(config, parameters);
  const dtbl_shape *s = &t->b->ref.shape;
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  unsigned fit = s->tbs;
  if (fit > s->warps / k->warps) fit = s->warps / k->warps;
  if (k->regs && fit > s->regs / k->regs) fit = s->regs / k->regs;
  if (k->shm && fit > s->shm / k->shm) fit = s->shm / k->shm;
  plain_gpu g = {.n_sm = s->smx, .fit = fit, .left = k->x * k->y * k->z, .dim = {k->x, k->y, k->z}};
  struct {
    uint64_t end;
    unsigned slot;
  } runs[DTBL_MAX_SMX][DTBL_MAX_TB] = {0};
  uint32_t blocks = g.left, ended = 0;
  kernel(t, k);
  run(t, 3); /* the first block comes in the fourth cycle */
  for (uint64_t cycle = 1; ended < blocks; cycle++) {
    assert_true(cycle < 100000);
    /* The SMs tick after the dispatcher: what ends now makes room in the next cycle. */
    uint64_t done = 0;
    uint8_t slot[DTBL_MAX_SMX] = {0};
    unsigned sm, ending[DTBL_MAX_SMX];
    uint32_t at[3];
    bool dispatched = plain_dispatch(&g, &sm, at);
    for (unsigned i = 0; i < s->smx; i++)
      for (unsigned p = 0; p < s->tbs; p++)
        if (!(done >> i & 1) && runs[i][p].end && runs[i][p].end <= cycle) {
          done |= UINT64_C(1) << i;
          slot[i] = (uint8_t)runs[i][p].slot;
          ending[i] = p;
        }
    dtbl_out o = step(t, NULL, NULL, done, slot);
    assert_int_equal(o.tb_valid, dispatched);
    assert_int_equal(o.done_ready.w[0] & done, done);
    if (dispatched) {
      assert_int_equal(o.tb.smx, sm);
      assert_memory_equal(o.tb.at, at, sizeof at);
      unsigned p = 0;
      while (runs[sm][p].end) p++;
      runs[sm][p].end = cycle + 1 + wf_rng_below(&rng, LONGEST);
      runs[sm][p].slot = o.tb.slot;
    }
    for (unsigned i = 0; i < s->smx; i++)
      if (done >> i & 1) {
        runs[i][ending[i]].end = 0;
        g.used[i]--;
        ended++;
      }
  }
  for (unsigned i = 0; i < t->n; i++) t->log[i].ended = true;
  finish(t);
}

static void baseline_equals_plain_dispatcher(void **state) {
  (void)state;
  dtbl_kernel k = plain(PC_1, 3000);
  baseline("paper", NULL, &k, 1);
  k.warps = 8; /* 8 blocks fit */
  k.regs = 16;
  k.x = 31;
  k.y = 11;
  k.z = 5;
  baseline("paper", NULL, &k, 2);
  k.shm = 100; /* 3 fit */
  baseline("paper", NULL, &k, 3);
  k = plain(PC_1, 60);
  k.y = 6;
  baseline("small", "DoneDepth=8", &k, 4);
  k.warps = 5; /* one fits */
  baseline("small", "DoneDepth=8", &k, 5);
}

/* Blocks of one kernel after the other, without launches: no kernel overtakes, and the next starts
 * four cycles after the last block. */
TEST(kernels_first_come_first_served, "paper", NULL) {
  unsigned e[5];
  for (unsigned i = 0; i < 5; i++) {
    dtbl_kernel k = plain(0x30 + i, 10 + i);
    e[i] = kernel(t, &k);
  }
  run(t, 120);
  unsigned from = 0;
  for (unsigned i = 0; i < 5; i++) {
    are_blocks(t, from, 10 + i, e[i], 0x100 + 2 * (0x30 + i), false);
    if (i) assert_int_equal(t->log[from].cycle - t->log[from - 1].cycle, 5);
    from += 10 + i;
  }
  for (unsigned n = 0; n < from; n++) assert_int_equal(t->log[n].block.smx, n % 13);
}

static void wrong_parameters_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"AgtEntries=12", "AgtEntries=32", "NumKde=65",
                                      "AddrBits=4",    "DoneDepth=1",   "XBits=33"};
  WF_TEST_REFUSED(&dtbl_bench_class, "small", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_12a_same_kernel),
      cmocka_unit_test(figure_12b_other_kernel),
      cmocka_unit_test(figure_15_unmarked_kernel),
      cmocka_unit_test(figure_15_marked_kernel),
      cmocka_unit_test(marked_again_goes_behind),
      cmocka_unit_test(collision_goes_to_memory),
      cmocka_unit_test(records_side_by_side_come_in_lines),
      cmocka_unit_test(a_ring_fills_and_empties),
      cmocka_unit_test(a_place_waits_for_its_record),
      cmocka_unit_test(a_full_pool_sends_groups_away),
      cmocka_unit_test(no_eligible_kernel),
      cmocka_unit_test(thirty_two_launches_of_a_warp),
      cmocka_unit_test(kernel_distributor_full),
      cmocka_unit_test(every_resource_limits),
      cmocka_unit_test(diverted_smx_gets_nothing),
      cmocka_unit_test(baseline_equals_plain_dispatcher),
      cmocka_unit_test(kernels_first_come_first_served),
      cmocka_unit_test(wrong_parameters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
