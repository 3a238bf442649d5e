/* The lines that rows ask for: the paper's breadth-first search, stencils, bounds, caps; against a
 * plain count over all elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/units/teleport/teleport_walk.h"

static const wf_teleport_bounds all = {.first = 0, .last = UINT32_MAX, .cap = 1000000};

/* Compares the walk with `n` lines. */
static void asks(const wf_preload_row *rows, unsigned n_rows, const uint32_t block[3],
                 const wf_teleport_bounds *bounds, const uint32_t *lines, unsigned n) {
  wf_teleport_walk walk = wf_teleport_walk_begin(rows, n_rows, block);
  uint32_t line;
  for (unsigned i = 0; i < n; i++) {
    assert_true(wf_teleport_walk_next(&walk, bounds, &line));
    assert_int_equal(line, lines[i]);
  }
  assert_false(wf_teleport_walk_next(&walk, bounds, &line));
  assert_false(wf_teleport_walk_next(&walk, bounds, &line));
}

static void breadth_first_search(void **state) {
  (void)state;
  /* Blocks of 256 threads: mask of a byte, nodes of 8, cost of 4 bytes; block 3. */
  const wf_preload_row rows[] = {{0x10000, 1, {256, 0, 0}, 0, {256, 0, 0}, 255, 0, 0},
                                 {0x20000, 8, {256, 0, 0}, 0, {256, 0, 0}, 255, 0, 0}};
  const uint32_t block[3] = {3, 0, 0};
  uint32_t lines[18] = {(0x10000 + 768) / 128, (0x10000 + 768) / 128 + 1};
  for (unsigned i = 0; i < 16; i++) lines[2 + i] = (0x20000 + 3 * 256 * 8) / 128 + i;
  asks(rows, 2, block, &all, lines, 18);
  const uint32_t empty[3] = {0, 0, 0};
  asks(rows, 0, empty, &all, NULL, 0);
}

static void ends_of_ranges(void **state) {
  (void)state;
  const uint32_t block[3] = {1, 2, 3};
  /* 1 * 10 + 2 * 100 + 3 * 1000 - 5 = 3205 elements of 4 bytes: in line 100 of base 0; the same
   * element twice. */
  const wf_preload_row one = {0, 4, {10, 100, 1000}, -5, {10, 100, 1000}, -5, 0, 0};
  asks(&one, 1, block, &all, (const uint32_t[]){100}, 1);
  /* Straddles: last element of line 0 to the first of line 2. */
  const wf_preload_row across = {0, 4, {0, 0, 0}, 31, {0, 0, 0}, 64, 0, 0};
  asks(&across, 1, block, &all, (const uint32_t[]){0, 1, 2}, 3);
  /* Upside down, also within a line: nothing. */
  const wf_preload_row down = {0, 4, {0, 0, 0}, 64, {0, 0, 0}, 63, 0, 0},
                       within = {0, 4, {0, 0, 0}, 3, {0, 0, 0}, 2, 0, 0};
  asks(&down, 1, block, &all, NULL, 0);
  asks(&within, 1, block, &all, NULL, 0);
}

static void bounds_and_caps(void **state) {
  (void)state;
  const uint32_t block[3] = {0, 0, 0};
  const wf_preload_row rows[] = {{1280, 4, {0, 0, 0}, -1000, {0, 0, 0}, 95, 0, 0},
                                 {1280, 4, {0, 0, 0}, 0, {0, 0, 0}, 1 << 20, 0, 0}};
  const wf_teleport_bounds bounds = {.first = 9, .last = 13, .cap = 100};
  asks(rows, 2, block, &bounds, (const uint32_t[]){9, 10, 11, 12, 10, 11, 12, 13}, 8);
  const wf_teleport_bounds capped = {.first = 9, .last = 13, .cap = 6},
                           none = {.first = 20, .last = 19, .cap = 6};
  asks(rows, 2, block, &capped, (const uint32_t[]){9, 10, 11, 12, 10, 11}, 6);
  asks(rows, 2, block, &none, NULL, 0);
}

/* Three ranges of 32 elements at a distance of 3 lines and a half, then one that is upside down. */
static void tiles(void **state) {
  (void)state;
  const uint32_t block[3] = {1, 0, 0};
  const wf_preload_row rows[] = {{0, 4, {32, 0, 0}, 0, {32, 0, 0}, 31, .pitch = 448, .more = 2},
                                 {0, 4, {0, 0, 0}, 1, {0, 0, 0}, 0, .pitch = 128, .more = 7},
                                 {1280, 4, {0, 0, 0}, 0, {0, 0, 0}, 0, 0, 0}};
  asks(rows, 3, block, &all, (const uint32_t[]){1, 4, 5, 8, 10}, 5);
  const wf_teleport_bounds bounds = {.first = 5, .last = 9, .cap = 100},
                           capped = {.first = 0, .last = 100, .cap = 2};
  asks(rows, 3, block, &bounds, (const uint32_t[]){5, 8}, 2);
  asks(rows, 3, block, &capped, (const uint32_t[]){1, 4}, 2);
}

/* Every element of a row, one by one, says which lines there are. */
static void random_rows(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 7);
  for (unsigned turn = 0; turn < 2000; turn++) {
    wf_preload_row row = {.base = 4096 + 128 * (wf_rng_next(&rng) % 64),
                          .element_bytes = 1u << (wf_rng_next(&rng) % 4)};
    uint32_t block[3], lines[64];
    int64_t low = 0, high = 0;
    for (unsigned i = 0; i < 3; i++) {
      block[i] = (uint32_t)(wf_rng_next(&rng) % 4);
      row.min[i] = (int32_t)(wf_rng_next(&rng) % 41) - 20;
      row.max[i] = row.min[i] + (int32_t)(wf_rng_next(&rng) % 9);
      low += (int64_t)block[i] * row.min[i];
      high += (int64_t)block[i] * row.max[i];
    }
    row.min_offset = (int32_t)(wf_rng_next(&rng) % 100) - 50;
    row.max_offset = (int32_t)(wf_rng_next(&rng) % 100) - 50;
    unsigned n = 0;
    for (int64_t e = low + row.min_offset; e <= high + row.max_offset; e++) {
      const uint32_t line = (uint32_t)(((int64_t)row.base + e * row.element_bytes) / 128);
      if (!n || lines[n - 1] != line) lines[n++] = line;
    }
    asks(&row, 1, block, &all, lines, n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(breadth_first_search), cmocka_unit_test(ends_of_ranges),
      cmocka_unit_test(bounds_and_caps), cmocka_unit_test(tiles), cmocka_unit_test(random_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
