/* Directed tests of teleport_controller: the BFS example of the paper's listings 7.2 and 7.3, and
 * each rule once by itself. Every edge is also compared with the reference model; what is asserted
 * here comes from the paper or is counted by hand. */
#include "tb/common/wf_test.h"
#include "tb/teleport/controller/controller_bench.h"

static controller_bench *open_unit(const char *config, const char *parameters) {
  return wf_test_open(&controller_bench_class, config, parameters);
}

static void set(controller_bench *b, uint64_t base, uint32_t size, controller_end lo,
                controller_end hi) {
  ok(b, controller_bench_set(b, &(controller_set){.row = {base, size, lo, hi}}));
}
static void flush(controller_bench *b) {
  ok(b, controller_bench_set(b, &(controller_set){.flush = true}));
}

/* Requests of one thread block at SM 0, slot 0, without the marker, which is checked. */
static const controller_request *dispatch(controller_bench *b, uint64_t x, uint64_t y, uint64_t z,
                                          unsigned *count) {
  controller_bench_taken(b, count);
  ok(b, controller_bench_dispatch(b, &(controller_tb){0, 0, x, y, z}) && controller_bench_rest(b));
  const controller_request *r = controller_bench_taken(b, count);
  assert_true(*count > 0);
  assert_true(r[*count - 1].last);
  --*count;
  return r;
}
static void expect_blocks(controller_bench *b, uint64_t x, uint64_t y, uint64_t z,
                          const uint64_t *blocks, unsigned n) {
  unsigned count;
  const controller_request *r = dispatch(b, x, y, z, &count);
  assert_int_equal(count, n);
  for (unsigned i = 0; i < n; i++) {
    assert_false(r[i].last);
    assert_int_equal(r[i].block, blocks[i]);
  }
}
#define BLOCKS(b, x, y, z, ...)                                                                    \
  expect_blocks(b, x, y, z, (const uint64_t[]){__VA_ARGS__},                                       \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void levels(controller_bench *b, uint64_t lo, uint64_t hi, uint32_t cap, bool open_end) {
  ok(b, controller_bench_rest(b));
  controller_bench_configure(b, &(controller_levels){lo, hi, cap, open_end});
}
enum { TOP = (1 << 25) - 1 };

/* Listing 7.3: three arrays, blockIdx.x * blockDim.x .. + blockDim.x; elements of 1, 8 and 4 bytes.
 */
static void bfs_example(void **state) {
  (void)state;
  static const struct {
    uint64_t base;
    unsigned size;
  } arrays[] = {{0x100000, 1}, {0x200000, 8}, {0x300000, 4}};
  enum { THREADS = 512 };
  controller_bench *b = open_unit("paper", NULL);
  for (unsigned open_end = 0; open_end < 2; open_end++) {
    levels(b, 0, TOP, 1023, open_end);
    flush(b);
    for (unsigned i = 0; i < 3; i++)
      set(b, arrays[i].base, arrays[i].size, (controller_end){THREADS, 0, 0, 0},
          (controller_end){THREADS, 0, 0, THREADS});
    for (uint64_t x = 0; x < 7; x += 3) {
      unsigned count, at = 0;
      const controller_request *r = dispatch(b, x, 5, 9, &count);
      for (unsigned i = 0; i < 3;
           i++) { /* every byte that a thread of the block reads, once, ascending, array by array */
        uint64_t first = (arrays[i].base + arrays[i].size * x * THREADS) / 128,
                 bytes = arrays[i].size * THREADS;
        for (uint64_t k = 0; k < bytes / 128 + !open_end; k++)
          assert_int_equal(r[at++].block, first + k);
      }
      assert_int_equal(at, count);
    }
  }
  assert_int_equal(b->ref.counter[CONTROLLER_CNT_sets], 6);
  wf_test_finish(b);
}

static void straddles_blocks(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  set(b, 0x1000, 4, (controller_end){16, 0, 0, 0},
      (controller_end){16, 0, 0, 15}); /* 64 bytes: two thread blocks share a block */
  BLOCKS(b, 0, 0, 0, 0x20);
  BLOCKS(b, 1, 0, 0, 0x20);
  BLOCKS(b, 2, 0, 0, 0x21);
  flush(b);
  set(b, 0x1000 + 124, 4, (controller_end){0, 0, 0, 0},
      (controller_end){0, 0, 0, 1}); /* the last word of one, the first of the next */
  BLOCKS(b, 0, 0, 0, 0x20, 0x21);
  flush(b);
  set(b, 0x1000 + 127, 1, (controller_end){0, 0, 0, 0},
      (controller_end){0, 0, 0, 0}); /* one byte */
  BLOCKS(b, 0, 0, 0, 0x20);
  flush(b);
  set(b, 0x1000 + 100, 20, (controller_end){0, 0, 0, 0},
      (controller_end){0, 0, 0, 14}); /* 100 .. 380: elements that do not divide a block */
  BLOCKS(b, 0, 0, 0, 0x20, 0x21, 0x22);
  wf_test_finish(b);
}

static void empty_ranges(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  unsigned count;
  dispatch(b, 3, 2, 1, &count); /* no rows: the marker alone */
  assert_int_equal(count, 0);
  set(b, 0x1000, 4, (controller_end){0, 0, 0, 5},
      (controller_end){0, 0, 0, 4}); /* max below min in one block */
  set(b, 0x2000, 4, (controller_end){64, 0, 0, 0},
      (controller_end){0, 0, 0, 0}); /* empty from blockIdx.x = 1 on */
  dispatch(b, 1, 0, 0, &count);
  assert_int_equal(count, 0);
  BLOCKS(b, 0, 0, 0, 0x40);
  set(b, 0x3000, 1, (controller_end){0}, (controller_end){0}); /* behind empty rows */
  BLOCKS(b, 1, 0, 0, 0x60);
  levels(b, 0, TOP, 1023, true);
  dispatch(b, 0, 0, 0, &count); /* with an open end max = min is empty too */
  assert_int_equal(count, 0);
  wf_test_finish(b);
}

/* A stencil: a tile of 16 x 16 floats with a rim of one, rows of 1024, column blockIdx.x, row
 * blockIdx.y; one row of the table per row of the tile. */
static void stencil_with_negative_offsets(void **state) {
  (void)state;
  controller_bench *b = open_unit("wide", NULL);
  const uint64_t base = 0x40000;
  const int64_t pitch = 1024;
  controller_bench_configure(b, &(controller_levels){0, (UINT64_C(1) << 33) - 1, 4095, false});
  for (int64_t j = -1; j <= 16; j++)
    set(b, base, 4, (controller_end){16, 16 * pitch, 0, j * pitch - 1},
        (controller_end){16, 16 * pitch, 0, j * pitch + 16});
  unsigned count, at = 0;
  const controller_request *r = dispatch(b, 3, 2, 0, &count);
  for (int64_t j = -1; j <= 16; j++) {
    uint64_t first = base + (uint64_t)(4 * ((2 * 16 + j) * pitch + 3 * 16 - 1)),
             last = first + 4 * 17;
    for (uint64_t k = first / 128; k <= last / 128; k++) assert_int_equal(r[at++].block, k);
  }
  assert_int_equal(at, count);
  flush(b); /* negative products: the array is walked backwards */
  set(b, base, 4, (controller_end){-32, 0, 0, 0}, (controller_end){-32, 0, 0, 31});
  BLOCKS(b, 0, 0, 0, 0x800);
  BLOCKS(b, 1, 0, 0, 0x7ff);
  BLOCKS(b, 100, 7, 7, 0x800 - 100);
  flush(b);
  set(b, base, 4, (controller_end){32, -64, 128, 0}, (controller_end){32, -64, 128, 31});
  BLOCKS(b, 5, 3, 2, 0x800 + 5 - 6 + 8);
  wf_test_finish(b);
}

static void overlapping_rows(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  set(b, 0x1000, 1, (controller_end){0}, (controller_end){0, 0, 0, 300});
  set(b, 0x1000, 1, (controller_end){0, 0, 0, 128}, (controller_end){0, 0, 0, 500});
  set(b, 0x1000, 1, (controller_end){0}, (controller_end){0, 0, 0, 300});
  BLOCKS(b, 0, 0, 0, 0x20, 0x21, 0x22, 0x21, 0x22, 0x23, 0x20, 0x21,
         0x22); /* once per row: the buffer asks memory once */
  wf_test_finish(b);
}

static void more_rows_than_the_table(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  for (unsigned i = 0; i < 70; i++)
    set(b, 0x10000 + 128 * i, 1, (controller_end){0}, (controller_end){0});
  assert_int_equal(b->ref.n_rows, 64);
  unsigned count;
  const controller_request *r = dispatch(b, 0, 0, 0, &count);
  assert_int_equal(count, 64);
  for (unsigned i = 0; i < 64; i++) assert_int_equal(r[i].block, 0x200 + i);
  assert_int_equal(b->ref.counter[CONTROLLER_CNT_sets_dropped], 6);
  flush(b);
  set(b, 0x5000, 1, (controller_end){0}, (controller_end){0});
  BLOCKS(b, 0, 0, 0, 0xa0);
  wf_test_finish(b);
}

/* More than the buffer can hold: the cap. */
static void capped(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  levels(b, 0, TOP, 4, false);
  set(b, 0x1000, 1, (controller_end){0}, (controller_end){0, 0, 0, 256});
  set(b, 0x8000, 1, (controller_end){0}, (controller_end){0, 0, 0, 32000});
  set(b, 0x9000, 1, (controller_end){0}, (controller_end){0});
  BLOCKS(b, 0, 0, 0, 0x20, 0x21, 0x22, 0x100);
  BLOCKS(b, 0, 0, 0, 0x20, 0x21, 0x22, 0x100); /* of the next thread block too */
  levels(b, 0, TOP, 3, false);
  BLOCKS(b, 0, 0, 0, 0x20, 0x21, 0x22);
  unsigned count;
  levels(b, 0, TOP, 0, false);
  dispatch(b, 0, 0, 0, &count);
  assert_int_equal(count, 0);
  wf_test_finish(b);
}

/* What no table of a program would hold: nothing wraps, nothing leaves the bounds, everything ends.
 */
static void hostile_tables(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  levels(b, 0x100, 0x1ff, 1023, false);
  set(b, 0xffffff00, 255, (controller_end){32767, 32767, 32767, 32767},
      (controller_end){32767, 32767, 32767, 32767}); /* far above 2^32 */
  set(b, 0, 255, (controller_end){-32768, -32768, -32768, -32768},
      (controller_end){-32768, -32768, -32768, -32768});                      /* far below 0 */
  set(b, 0xffffff80, 1, (controller_end){0}, (controller_end){0, 0, 0, 256}); /* across 2^32 */
  set(b, 0x9000, 0, (controller_end){1, 2, 3, 4},
      (controller_end){-1, -2, -3, -4}); /* size 0: the byte at the base */
  unsigned count;
  const controller_request *r = dispatch(b, 65535, 65535, 65535, &count);
  assert_int_equal(count, 1);
  assert_int_equal(r[0].block, 0x120);
  flush(b);
  set(b, 0x8000, 255, (controller_end){-32768, 0, 0, 0},
      (controller_end){32767, 0, 0, 0}); /* everything: what the bounds leave */
  r = dispatch(b, 65535, 0, 0, &count);
  assert_int_equal(count, 256);
  for (unsigned i = 0; i < 256; i++) assert_int_equal(r[i].block, 0x100 + i);
  levels(b, 0x101, 0x100, 1023, false); /* no memory at all */
  dispatch(b, 65535, 0, 0, &count);
  assert_int_equal(count, 0);
  wf_test_finish(b);
}

/* One request a cycle, across rows and thread blocks; the first one after 14 edges. */
static void pace(void **state) {
  (void)state;
  controller_bench *b = open_unit("paper", NULL);
  for (unsigned i = 0; i < 8; i++)
    set(b, 0x1000 * (i + 1), 1, (controller_end){0}, (controller_end){0, 0, 0, 500});
  controller_tb tb[4] = {{1, 2, 0, 0, 0}, {3, 1, 0, 0, 0}, {1, 2, 0, 0, 0}, {14, 7, 0, 0, 0}};
  unsigned sent = 0, edges = 0, first = 0, count, requests = 0;
  while (requests < 4 * 33) {
    bool taken;
    ok(b, controller_bench_cycle(b, NULL, sent < 4 ? &tb[sent] : NULL, true, NULL, &taken));
    sent += taken;
    edges++;
    const controller_request *r = controller_bench_taken(b, &count);
    for (unsigned i = 0; i < count; i++) assert_int_equal(r[i].sm, tb[requests / 33].sm);
    if (count && !requests) first = edges;
    requests += count;
  }
  assert_int_equal(first,
                   16); /* the edge of tb, 14 more until it is offered, the edge that takes it */
  assert_int_equal(edges, first + 4 * 33 - 1);
  wf_test_finish(b);
}

static void reset_forgets(void **state) {
  (void)state;
  controller_bench *b = open_unit("small", NULL);
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
    assert_int_equal(count, 2);
  }
  wf_test_finish(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfs_example),
      cmocka_unit_test(straddles_blocks),
      cmocka_unit_test(empty_ranges),
      cmocka_unit_test(stencil_with_negative_offsets),
      cmocka_unit_test(overlapping_rows),
      cmocka_unit_test(more_rows_than_the_table),
      cmocka_unit_test(capped),
      cmocka_unit_test(hostile_tables),
      cmocka_unit_test(pace),
      cmocka_unit_test(reset_forgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
