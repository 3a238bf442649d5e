/* Directed tests of teleport_controller: the BFS example of the paper's listings 7.2 and 7.3, and
 * each rule once by itself. Every edge is also compared with the reference model; what is asserted
 * here comes from the paper or is counted by hand. */
#include "tb/common/wf_test.h"
#include "tb/teleport/controller/controller_bench.h"

static controller_bench *open_unit(const char *config, const char *parameters) {
  return wf_test_open(&controller_bench_class, config, parameters);
}
#define TEST(name, ...)                                                                            \
  WF_DIRECTED(name, controller_bench *b, open_unit(__VA_ARGS__), wf_test_finish)

static void set(controller_bench *b, uint64_t base, uint32_t size, controller_end lo,
                controller_end hi) {
  ok(b, controller_bench_set(
            b, &(controller_set){.row = {.base = base, .size = size, .lo = lo, .hi = hi}}));
}
static void flush(controller_bench *b) {
  ok(b, controller_bench_set(b, &(controller_set){.flush = true}));
}

/* Ranges of one thread block at SM 0, slot 0; one that is nothing is not counted. */
static const controller_request *dispatch(controller_bench *b, uint64_t x, uint64_t y, uint64_t z,
                                          unsigned *count) {
  controller_bench_taken(b, count);
  ok(b, controller_bench_dispatch(b, &(controller_tb){0, 0, x, y, z}) && controller_bench_rest(b));
  const controller_request *r = controller_bench_taken(b, count);
  assert_true(*count > 0);
  for (unsigned i = 0; i < *count; i++) assert_int_equal(r[i].last, i + 1 == *count);
  *count -= r[*count - 1].none;
  return r;
}
/* Pairs of first and last byte. */
static void expect_ranges(controller_bench *b, uint64_t x, uint64_t y, uint64_t z,
                          const int64_t *bytes, unsigned n) {
  unsigned count;
  const controller_request *r = dispatch(b, x, y, z, &count);
  assert_int_equal(2 * count, n);
  for (unsigned i = 0; i < count; i++) {
    assert_int_equal(r[i].low, bytes[2 * i]);
    assert_int_equal(r[i].high, bytes[2 * i + 1]);
    assert_int_equal(r[i].lines, 0);
  }
}
#define RANGES(b, x, y, z, ...)                                                                    \
  expect_ranges(b, x, y, z, (const int64_t[]){__VA_ARGS__},                                        \
                sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void open_end(controller_bench *b, bool open) {
  ok(b, controller_bench_rest(b));
  controller_bench_open_end(b, open);
}

/* Listing 7.3: three arrays, blockIdx.x * blockDim.x .. + blockDim.x; elements of 1, 8 and 4 bytes.
 */
TEST(bfs_example, "paper", NULL) {
  enum { THREADS = 512 };
  for (unsigned open = 0; open < 2; open++) {
    open_end(b, open);
    flush(b);
    static const unsigned sizes[] = {1, 8, 4};
    for (unsigned i = 0; i < 3; i++)
      set(b, 0x100000 * (i + 1), sizes[i], (controller_end){THREADS, 0, 0, 0},
          (controller_end){THREADS, 0, 0, THREADS});
    for (int64_t x = 0; x < 7; x += 3)
      RANGES(b, (uint64_t)x, 5, 9, 0x100000 + x * 512, 0x100000 + x * 512 + 512 - open,
             0x200000 + x * 4096, 0x200000 + x * 4096 + 4096 - open, 0x300000 + x * 2048,
             0x300000 + x * 2048 + 2048 - open);
  }
  assert_int_equal(b->ref.counter[CONTROLLER_CNT_sets], 6);
}

TEST(empty_ranges, "paper", NULL) {
  unsigned count;
  dispatch(b, 3, 2, 1, &count); /* no rows: nothing, once */
  assert_int_equal(count, 0);
  set(b, 0x1000, 4, (controller_end){0, 0, 0, 5}, (controller_end){0, 0, 0, 4}); /* max below min */
  set(b, 0x2000, 4, (controller_end){64, 0, 0, 0},
      (controller_end){0, 0, 0, 0}); /* empty from blockIdx.x = 1 on */
  dispatch(b, 1, 0, 0, &count);
  assert_int_equal(count, 0);
  RANGES(b, 0, 0, 0, 0x2000, 0x2000);
  set(b, 0x3000, 1, (controller_end){0}, (controller_end){0}); /* behind empty rows */
  RANGES(b, 1, 0, 0, 0x3000, 0x3000);
  open_end(b, true);
  dispatch(b, 0, 0, 0, &count); /* with an open end max = min is empty too */
  assert_int_equal(count, 0);
}

/* A stencil: a tile of 16 x 16 floats with a rim of one, lines of 1024, column blockIdx.x, line
 * blockIdx.y; one row of the table. */
TEST(stencil_with_negative_offsets, "wide", NULL) {
  const uint64_t base = 0x40000;
  const int64_t pitch = 1024;
  ok(b, controller_bench_set(b, &(controller_set){.row = {.base = base,
                                                          .size = 4,
                                                          .lo = {16, 16 * pitch, 0, -pitch - 1},
                                                          .hi = {16, 16 * pitch, 0, -pitch + 16},
                                                          .pitch = (uint64_t)(4 * pitch),
                                                          .lines = 17}}));
  unsigned count;
  const controller_request *r = dispatch(b, 3, 2, 0, &count);
  assert_int_equal(count, 1);
  assert_int_equal(r[0].low, base + (uint64_t)(4 * ((2 * 16 - 1) * pitch + 3 * 16 - 1)));
  assert_int_equal(r[0].high, r[0].low + 4 * 17);
  assert_int_equal(r[0].pitch, 4096);
  assert_int_equal(r[0].lines, 17);
  flush(b); /* negative products: the array is walked backwards */
  set(b, base, 4, (controller_end){-32, 0, 0, 0}, (controller_end){-32, 0, 0, 31});
  RANGES(b, 0, 0, 0, 0x40000, 0x4007c);
  RANGES(b, 1, 0, 0, 0x3ff80, 0x3fffc);
  RANGES(b, 100, 7, 7, 0x40000 - 12800, 0x4007c - 12800);
  flush(b);
  set(b, base, 4, (controller_end){32, -64, 128, 0}, (controller_end){32, -64, 128, 31});
  RANGES(b, 5, 3, 2, 0x40000 + 4 * (5 * 32 - 3 * 64 + 2 * 128),
         0x4007c + 4 * (5 * 32 - 3 * 64 + 2 * 128));
}

TEST(more_rows_than_the_table, "paper", NULL) {
  for (unsigned i = 0; i < 70; i++)
    set(b, 0x10000 + 128 * i, 1, (controller_end){0}, (controller_end){0});
  assert_int_equal(b->ref.n_rows, 64);
  unsigned count;
  const controller_request *r = dispatch(b, 0, 0, 0, &count);
  assert_int_equal(count, 64);
  for (unsigned i = 0; i < 64; i++) assert_int_equal(r[i].low, 0x10000 + 128 * i);
  assert_int_equal(b->ref.counter[CONTROLLER_CNT_sets_dropped], 6);
  flush(b);
  set(b, 0x5000, 1, (controller_end){0}, (controller_end){0});
  RANGES(b, 0, 0, 0, 0x5000, 0x5000);
}

/* What no table of a program would hold: nothing wraps, everything ends. What is beyond 33 signed
 * bits is sent as the nearest that they tell, or not at all. */
TEST(hostile_tables, "paper", NULL) {
  const int64_t least = -((int64_t)1 << 32), most = ((int64_t)1 << 32) - 1;
  set(b, 0xffffff00, 255, (controller_end){32767, 32767, 32767, 32767},
      (controller_end){32767, 32767, 32767, 32767}); /* far above 2^32 */
  set(b, 0, 255, (controller_end){-32768, -32768, -32768, -32768},
      (controller_end){-32768, -32768, -32768, -32768});                      /* far below 0 */
  set(b, 0xffffff80, 1, (controller_end){0}, (controller_end){0, 0, 0, 256}); /* across 2^32 */
  set(b, 0x9000, 0, (controller_end){1, 2, 3, 4},
      (controller_end){-1, -2, -3, -4}); /* size 0: the byte at the base */
  set(b, 0x100, 1, (controller_end){0, 0, 0, -0x200}, (controller_end){0}); /* across 0 */
  RANGES(b, 65535, 65535, 65535, 0xffffff80, most, 0x9000, 0x9000, -0x100, 0x100);
  flush(b);
  set(b, 0x8000, 255, (controller_end){-32768, 0, 0, 0},
      (controller_end){32767, 0, 0, 0}); /* everything */
  RANGES(b, 65535, 0, 0, least, most);
}

/* One range a cycle, across thread blocks; the first one after 13 edges. */
TEST(pace, "paper", NULL) {
  enum { ROWS = 8, TBS = 4 };
  for (unsigned i = 0; i < ROWS; i++)
    set(b, 0x1000 * (i + 1), 1, (controller_end){0}, (controller_end){0, 0, 0, 500});
  controller_tb tb[TBS] = {{1, 2, 0, 0, 0}, {3, 1, 0, 0, 0}, {1, 2, 0, 0, 0}, {14, 7, 0, 0, 0}};
  unsigned sent = 0, edges = 0, first = 0, count, ranges = 0;
  while (ranges < TBS * ROWS) {
    bool taken;
    ok(b, controller_bench_cycle(b, NULL, sent < TBS ? &tb[sent] : NULL, true, NULL, &taken));
    sent += taken;
    edges++;
    const controller_request *r = controller_bench_taken(b, &count);
    for (unsigned i = 0; i < count; i++) assert_int_equal(r[i].sm, tb[ranges / ROWS].sm);
    if (count && !ranges) first = edges;
    ranges += count;
  }
  assert_int_equal(first, 15); /* the edge of tb, 13 until it is offered, the one that takes it */
  /* A thread block is taken when the rows of the one before are read: one edge each. */
  assert_int_equal(edges, first + TBS * (ROWS + 1) - 2);
}

TEST(reset_forgets, "small", NULL) {
  set(b, 0x100, 1, (controller_end){0}, (controller_end){0, 0, 0, 31});
  for (unsigned edges = 0; edges < 24; edges++) {
    ok(b, controller_bench_dispatch(b, &(controller_tb){1, 1, 0, 0, 0}));
    for (unsigned i = 0; i < edges; i++)
      ok(b, controller_bench_cycle(b, NULL, NULL, i % 3 != 0, NULL, NULL));
    ok(b, wf_bench_reset(b));
    unsigned count;
    controller_bench_taken(b, &count);
    dispatch(b, 0, 0, 0, &count);
    assert_int_equal(count, 0);
    set(b, 0x100, 1, (controller_end){0}, (controller_end){0, 0, 0, 31});
    dispatch(b, 0, 0, 0, &count);
    assert_int_equal(count, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfs_example),
      cmocka_unit_test(empty_ranges),
      cmocka_unit_test(stencil_with_negative_offsets),
      cmocka_unit_test(more_rows_than_the_table),
      cmocka_unit_test(hostile_tables),
      cmocka_unit_test(pace),
      cmocka_unit_test(reset_forgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
