/* What the book accepts of a scheduler of thread blocks, and that each kind of fault of it is
 * noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/units/dtbl/dtbl_book.h"

static const dtbl_shape shape = {.n_sm = 2,
                                 .slots = 4,
                                 .warps = 8,
                                 .registers = 4096,
                                 .shared_bytes = 1024,
                                 .entries = 3,
                                 .agt_entries = 8};
static const ptx_kernel code[2] = {{.name = "a"}, {.name = "b"}};

enum { PARAM = 0x1010, OTHER = 0x2010, RECORD_MASK = DTBL_X | DTBL_ZY | DTBL_PARAM };

/* A kernel of 3 blocks in entry 1; a group of 2x1x2 blocks that may join it; with `third`, another,
 * of the same thread. */
typedef struct bench {
  dtbl_book *book;
  wf_grid kernel, group, third;
  wf_error err;
} bench;

static wf_grid grid(uint32_t id, uint32_t x, uint32_t y, uint32_t z, uint64_t params) {
  return (wf_grid){.id = id,
                   .kernel = &code[0],
                   .blocks = {x, y, z},
                   .threads = {32, 1, 1},
                   .shared_bytes = 256,
                   .warps = 2,
                   .registers = 1024,
                   .params = params,
                   .thread = 13};
}

static const dtbl_at_ports first = {.pc = 1, .param = PARAM}, second = {.pc = 1, .param = OTHER};

static const dtbl_at_ports nowhere = {.pc = 1, .param = 0x3010},
                           fat = {.pc = 1, .param = PARAM, .warps = 2};

static bench begin(void) {
  bench b = {.book = dtbl_book_create(&shape),
             .kernel = grid(0, 3, 1, 1, 0),
             .group = grid(7, 2, 1, 2, PARAM),
             .third = grid(8, 1, 1, 1, OTHER)};
  assert_int_equal(dtbl_book_pc(b.book, &code[0]), 1);
  assert_true(dtbl_book_kernel(b.book, &b.kernel, 1, &b.err));
  assert_true(dtbl_book_group(b.book, &b.group, &first, &b.err));
  assert_true(dtbl_book_group(b.book, &b.third, &second, &b.err));
  return b;
}

static dtbl_offer kernel_block(uint32_t n, unsigned sm, unsigned slot) {
  return (dtbl_offer){.sm = sm,
                      .slot = slot,
                      .kdei = 1,
                      .first = n == 0,
                      .last = n == 2,
                      .pc = 1,
                      .dim = {3, 1, 1},
                      .at = {n, 0, 0}};
}

/* link: of the table's entry 13 & 7. */
static dtbl_offer group_block(uint32_t x, uint32_t z, unsigned sm, unsigned slot) {
  return (dtbl_offer){.sm = sm,
                      .slot = slot,
                      .kdei = 1,
                      .group = true,
                      .first = !x && !z,
                      .last = x && z,
                      .link = 5 << 1 | 1,
                      .pc = 1,
                      .param = PARAM,
                      .dim = {2, 1, 2},
                      .at = {x, 0, z}};
}

static bool place(bench *b, dtbl_offer o) {
  wf_placement p = {0};
  const bool ok = dtbl_book_place(b->book, &o, &p, &b->err);
  if (ok) {
    assert_int_equal(p.sm, o.sm);
    assert_int_equal(p.slot, o.slot);
    assert_memory_equal(p.block, o.at, sizeof p.block);
  }
  return ok;
}

static void end(bench *b, const char *fault) {
  if (fault && !strstr(b->err.text, fault)) fail_msg("expected '%s' in: %s", fault, b->err.text);
  if (fault) assert_int_equal(b->err.code, WF_EXIT_WRONG);
  dtbl_book_destroy(b->book);
}

#define FAULT(CALL, TEXT)                                                                          \
  do {                                                                                             \
    bench b = begin();                                                                             \
    assert_false(CALL);                                                                            \
    end(&b, TEXT);                                                                                 \
  } while (0)

static void a_whole_run(void **state) {
  (void)state;
  bench b = begin();
  uint32_t id = 0;
  const uint32_t record[4] = {1, 1 | 1 << 16, 0, OTHER}, link[4] = {0, 0, 5 << 1 | 1, 0},
                 read[4] = {1, 1 | 1 << 16, 5 << 1 | 1, OTHER};
  assert_int_equal(dtbl_book_free_entries(b.book), 2);
  assert_int_equal(dtbl_book_unfinished(b.book), 3);
  for (uint32_t n = 0; n < 3; n++) assert_true(place(&b, kernel_block(n, n & 1, n >> 1)));
  for (uint32_t n = 0; n < 4; n++)
    assert_true(place(&b, group_block(n & 1, n >> 1, (n + 1) & 1, n < 2 ? 1 + n : n)));
  /* The other group, whose entry is taken, waits in memory. */
  assert_true(dtbl_book_write(b.book, OTHER, RECORD_MASK, record, &b.err));
  assert_true(dtbl_book_write(b.book, OTHER, DTBL_NEXT, link, &b.err));
  assert_true(dtbl_book_end(b.book, 0, 0, &b.err));
  assert_true(dtbl_book_read(b.book, OTHER, read, &b.err));
  assert_true(place(&b, (dtbl_offer){.sm = 0,
                                     .slot = 0,
                                     .kdei = 1,
                                     .group = true,
                                     .first = true,
                                     .last = true,
                                     .link = OTHER,
                                     .pc = 1,
                                     .param = OTHER,
                                     .dim = {1, 1, 1}}));
  for (unsigned slot = 0; slot < 4; slot++)
    for (unsigned sm = 0; sm < (slot < 3 ? 2 : 1); sm++)
      assert_true(dtbl_book_end(b.book, sm, slot, &b.err));
  assert_int_equal(dtbl_book_unfinished(b.book), 0);
  assert_false(dtbl_book_over(b.book, &b.err)); /* the entry is in use */
  assert_true(dtbl_book_kernel_done(b.book, 1, true, &b.err));
  assert_true(dtbl_book_over(b.book, &b.err));
  /* Refused groups come back as kernels. */
  assert_true(dtbl_book_group(b.book, &b.group, &first, &b.err) &&
              dtbl_book_refused(b.book, &first, &id, &b.err));
  assert_int_equal(id, 7);
  dtbl_book_launch(b.book, &b.third, &second);
  assert_int_equal(dtbl_book_unfinished(b.book), 2);
  assert_true(dtbl_book_entered(b.book, &first, 0, &b.err));
  assert_true(dtbl_book_entered(b.book, &second, 2, &b.err));
  assert_int_equal(dtbl_book_unfinished(b.book), 2);
  assert_int_equal(dtbl_book_free_entries(b.book), 1);
  end(&b, NULL);
}

static bool place_two(bench *b, dtbl_offer first, dtbl_offer second) {
  assert_true(place(b, first));
  return place(b, second);
}

static dtbl_offer changed(dtbl_offer o, unsigned kdei, uint32_t link, uint32_t pc, uint32_t param) {
  o.kdei = kdei;
  o.link = link;
  o.pc = pc;
  o.param = param;
  return o;
}

static void faults_of_blocks(void **state) {
  (void)state;
  FAULT(place(&b, kernel_block(1, 0, 0)), "expected 0,0,0 of 3,1,1"); /* one left out */
  FAULT(place_two(&b, kernel_block(0, 0, 0), kernel_block(0, 1, 0)),
        "expected 1,0,0"); /* one twice */
  FAULT(place_two(&b, group_block(0, 0, 0, 0), group_block(0, 1, 1, 0)),
        "expected 1,0,0 of 2,1,2"); /* order */
  FAULT(place_two(&b, kernel_block(0, 0, 0), kernel_block(1, 0, 0)),
        "slot 0 of SM 0, which is not free");
  FAULT(place(&b, kernel_block(0, 2, 0)), "slot 0 of SM 2: there is none");
  FAULT(place(&b, kernel_block(0, 0, 4)), "slot 4 of SM 0: there is none");
  FAULT(place(&b, changed(kernel_block(0, 0, 0), 2, 0, 1, 0)),
        "entry 2 of the distributor, which is not in use");
  FAULT(place(&b, changed(kernel_block(0, 0, 0), 1, 0, 2, 0)), "code 2");
  FAULT(place(&b, changed(kernel_block(0, 0, 0), 1, 0, 1, 64)), "parameters 0x40");
  FAULT(place(&b, changed(group_block(0, 0, 0, 0), 1, 11, 1, 0x3010)), "0x3010: there is none");
  FAULT(place(&b, changed(group_block(0, 0, 0, 0), 1, 3, 1, PARAM)),
        "has link 0x3"); /* not the entry of its thread */
  FAULT(place(&b, changed(group_block(0, 0, 0, 0), 1, PARAM, 1, PARAM)),
        "was not written"); /* from memory, where nothing is */
  dtbl_offer o = kernel_block(0, 0, 0);
  o.last = true;
  FAULT(place(&b, o), "first, last");
  bench b = begin(); /* a kernel's grid again, after its last block */
  for (uint32_t n = 0; n < 3; n++) assert_true(place(&b, kernel_block(n, 0, n)));
  assert_false(place(&b, kernel_block(0, 1, 0)));
  end(&b, "more than its grid 0 has");
}

static void faults_of_room(void **state) {
  (void)state;
  for (int what = 0; what < 3; what++) {
    bench b = {.book = dtbl_book_create(&shape), .kernel = grid(0, 3, 1, 1, 0)};
    if (what == 0) b.kernel.warps = 5;
    if (what == 1) b.kernel.registers = 2049;
    if (what == 2) b.kernel.shared_bytes = 513;
    assert_true(dtbl_book_kernel(b.book, &b.kernel, 1, &b.err));
    dtbl_book_pc(b.book, &code[0]);
    assert_true(place(&b, kernel_block(0, 0, 0)) && place(&b, kernel_block(1, 1, 0)));
    assert_false(place(&b, kernel_block(2, 0, 1)));
    end(&b, "SM 0 has");
  }
}

static void faults_of_kernels(void **state) {
  (void)state;
  uint32_t id;
  FAULT(dtbl_book_kernel(b.book, &b.group, 1, &b.err),
        "entry 1 of the distributor, which is taken");
  FAULT(dtbl_book_kernel(b.book, &b.group, 3, &b.err),
        "entry 3 of the distributor, which is not there");
  FAULT(dtbl_book_group(b.book, &b.group, &first, &b.err), "two groups with parameters at 0x1010");
  FAULT(dtbl_book_refused(b.book, &nowhere, &id, &b.err), "there is none");
  FAULT(dtbl_book_refused(b.book, &fat, &id, &b.err), "of 2 warps, 0 units of registers");
  FAULT(dtbl_book_entered(b.book, &first, 0, &b.err), "the oldest that waits has 0");
  FAULT((dtbl_book_launch(b.book, &b.third, &second), dtbl_book_entered(b.book, &first, 0, &b.err)),
        "parameters 0x1010 enters the distributor; the oldest that waits has 1, 0,0,0, 0x2010");
  FAULT(dtbl_book_kernel_done(b.book, 0, true, &b.err), "not in use");
  FAULT(dtbl_book_kernel_done(b.book, 1, true, &b.err), "0 of 3 blocks have ended");
  FAULT(dtbl_book_end(b.book, 0, 0, &b.err), "none runs there");
  FAULT(dtbl_book_over(b.book, &b.err), "3 grids wait");
  bench b = begin(); /* a group runs, its kernel's own blocks have ended */
  for (uint32_t n = 0; n < 3; n++) assert_true(place(&b, kernel_block(n, 0, n)));
  assert_true(place(&b, group_block(0, 0, 1, 0)));
  assert_false(dtbl_book_refused(b.book, &first, &id, &b.err));
  for (unsigned n = 0; n < 3; n++) assert_true(dtbl_book_end(b.book, 0, n, &b.err));
  assert_false(dtbl_book_kernel_done(b.book, 1, true, &b.err));
  end(&b, "1 groups run");
  bench c = {.book = dtbl_book_create(&shape),
             .kernel = grid(0, 1, 1, 1, 0),
             .group = grid(1, 1, 1, 1, PARAM)}; /* joins another code */
  c.group.kernel = &code[1];
  dtbl_book_pc(c.book, &code[0]);
  assert_true(dtbl_book_kernel(c.book, &c.kernel, 1, &c.err) &&
              dtbl_book_group(c.book, &c.group, &first, &c.err));
  assert_false(place(&c, (dtbl_offer){.kdei = 1,
                                      .group = true,
                                      .first = true,
                                      .last = true,
                                      .link = 11,
                                      .pc = 2,
                                      .param = PARAM,
                                      .dim = {1, 1, 1}}));
  end(&c, "has joined kernel a");
}

static bool write_two(bench *b, unsigned mask, const uint32_t first[4], unsigned then,
                      const uint32_t second[4]) {
  assert_true(dtbl_book_write(b->book, PARAM, mask, first, &b->err));
  return dtbl_book_write(b->book, PARAM, then, second, &b->err);
}

static void faults_of_records(void **state) {
  (void)state;
  static const uint32_t right[4] = {2, 1 | 2 << 16, 0, PARAM},
                        wrong[4] = {2, 1 | 3 << 16, 0, PARAM}, out[4] = {0, 0, 9 << 1 | 1, 0},
                        none[4] = {0, 0, 64, 0}, other[4] = {1, 1 | 1 << 16, 0, OTHER};
  FAULT(dtbl_book_write(b.book, 0x3010, RECORD_MASK, right, &b.err),
        "another lies there"); /* neither below the parameters nor in a ring */
  FAULT(dtbl_book_write(b.book, PARAM, RECORD_MASK, wrong, &b.err), "00030001");
  FAULT(dtbl_book_write(b.book, PARAM, 15, right, &b.err), "words f");
  FAULT(dtbl_book_write(b.book, PARAM, DTBL_NEXT, right, &b.err),
        "words 4"); /* a link of a group that has no record */
  FAULT(write_two(&b, RECORD_MASK, right, RECORD_MASK, right), "words b");
  FAULT(write_two(&b, RECORD_MASK, right, DTBL_NEXT, out),
        "00000013"); /* an entry the table has not */
  FAULT(write_two(&b, RECORD_MASK, right, DTBL_NEXT, none), "00000040"); /* a group there is not */
  FAULT(dtbl_book_read(b.book, PARAM, right, &b.err), "no group waits whose record was written");
  bench r = begin(); /* two places of a ring; one is taken twice */
  dtbl_book_ring(r.book, 0x8000, 32);
  assert_true(dtbl_book_write(r.book, 0x8020, RECORD_MASK, right, &r.err));
  assert_false(dtbl_book_write(r.book, 0x8020, RECORD_MASK, other, &r.err));
  end(&r, "another lies there");
  r = begin();
  dtbl_book_ring(r.book, 0x8000, 32);
  assert_false(dtbl_book_write(r.book, 0x8030, RECORD_MASK, right, &r.err));
  end(&r, "below 0x8030");
  bench b = begin();
  assert_true(dtbl_book_write(b.book, PARAM, RECORD_MASK, right, &b.err));
  assert_false(dtbl_book_read(b.book, PARAM, wrong, &b.err));
  end(&b, "word 1 was written as 00020001 and read as 00030001");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_run), cmocka_unit_test(faults_of_blocks),
      cmocka_unit_test(faults_of_room), cmocka_unit_test(faults_of_kernels),
      cmocka_unit_test(faults_of_records)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
