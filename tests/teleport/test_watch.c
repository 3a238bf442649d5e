/* What the socket compares of the unit: the ranges that the controller sends, the lines that a
 * buffer fetches, how many at the end. Two thread blocks of the paper's breadth-first search go
 * right; then each thing that may be wrong of them is, and is noticed. What a load takes from a
 * place is the fabric's to compare (tests/gpu/test_preload.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/units/teleport/teleport_buffer.h"
#include "sim/units/teleport/teleport_controller.h"

enum { MASK = 0x10000, NODES = 0x20000, ROWS = 2, BLOCKS = 2, LINES = 18, PLACES = 40, PORTS = 32 };

typedef enum fault {
  NONE,
  LOW, /* of the controller: where a range begins, ... */
  HIGH,
  PITCH,
  MORE,
  OTHER_SM,
  OTHER_SLOT,
  NOTHING, /* in place of a range */
  LAST_EARLY,
  NEVER_LAST,
  AFTER_ALL,
  RANGES,
  LINE = RANGES, /* of the buffer: one of no row, ... */
  OTHER_BLOCK,
  TWICE,
  LINE_AFTER_ALL,
  FETCHES,
  LEFT_OUT = FETCHES, /* in the end: three lines, of which two found no room, ... */
  ASKED_LESS,
  ASKED_MORE,
  FAULTS
} fault;

/* Blocks of 256 threads: mask of a byte, nodes of 8 bytes. */
static const wf_preload_row rows[ROWS] = {{MASK, 1, {256, 0, 0}, 0, {256, 0, 0}, 255, 0, 0},
                                          {NODES, 8, {256, 0, 0}, 0, {256, 0, 0}, 255, 0, 0}};

/* ---- the controller, of which the test is the RTL ---- */

typedef struct bench {
  uint64_t data[PORTS];
  wf_port port[PORTS];
  unsigned n_ports;
  teleport_controller c;
  teleport_shared m;
  wf_error err;
} bench;

static const wf_port *a_port(bench *b) {
  assert_true(b->n_ports < PORTS);
  wf_port *p = &b->port[b->n_ports];
  *p = (wf_port){.width = 64, .bytes = 8, .data = &b->data[b->n_ports++]};
  return p;
}

static void open_controller(bench *b) {
  *b = (bench){.c = {.rows = rows, .n_rows = ROWS}, .m = {.addr_bits = 32}};
  controller_ports *p = &b->c.port;
  const wf_port **const used[] = {
      &p->tb_valid, &p->tb_ready,  &p->tb_sm,    &p->tb_slot,   &p->tb_x,     &p->tb_y,
      &p->tb_z,     &p->req_valid, &p->req_sm,   &p->req_ready, &p->req_slot, &p->req_last,
      &p->req_none, &p->req_low,   &p->req_high, &p->req_pitch, &p->req_lines};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) *used[i] = a_port(b);
  wf_port_set(p->tb_ready, 1);
  wf_port_set(p->req_valid, 1);
}

/* Row r of block x is on the port. */
static void put_range(bench *b, unsigned x, unsigned r, fault is) {
  const controller_ports *p = &b->c.port;
  const bool here = x == 1 && r == 0; /* the fault is */
  const uint64_t first = rows[r].base + 256 * x * rows[r].element_bytes;
  wf_port_set(p->req_sm, x + (here && is == OTHER_SM));
  wf_port_set(p->req_slot, 3 + x + (here && is == OTHER_SLOT));
  wf_port_set(p->req_none, here && is == NOTHING);
  wf_port_set(p->req_last, (r == ROWS - 1 && is != NEVER_LAST) || (here && is == LAST_EARLY));
  wf_port_set(p->req_low, first + (here && is == LOW));
  wf_port_set(p->req_high, first + 255 * rows[r].element_bytes - (here && is == HIGH));
  wf_port_set(p->req_pitch, here && is == PITCH);
  wf_port_set(p->req_lines, here && is == MORE);
}

static bool takes_range(bench *b) {
  teleport_request r;
  assert_true(teleport_controller_drive(&b->c, &r));
  return teleport_controller_answer(&b->c, &b->m, false, &b->err) && /* its buffer is full */
         teleport_controller_answer(&b->c, &b->m, true, &b->err);
}

static bool ranges(fault is, wf_error *err) {
  bench b;
  open_controller(&b);
  bool ok = true;
  for (unsigned x = 0; ok && x < BLOCKS; x++) {
    const teleport_asking block = {.sm = x, .slot = 3 + x, .block = {x, 0, 0}};
    assert_true(teleport_controller_room(&b.c));
    teleport_controller_block(&b.c, &block);
    for (unsigned r = 0; ok && r < ROWS; r++) {
      put_range(&b, x, r, is);
      ok = takes_range(&b);
    }
  }
  if (ok && is == AFTER_ALL) ok = takes_range(&b);
  if (ok) assert_int_equal(b.c.walk_ring.count, 0);
  *err = b.err;
  return ok;
}

/* ---- a buffer ---- */

/* Lines of block x, in order: two of the mask, sixteen of the nodes. */
static uint32_t line_of(unsigned x, unsigned i) {
  return i < 2 ? MASK / 128 + 2 * x + i : NODES / 128 + 16 * x + i - 2;
}

/* Lines 5 to 7 of block 1 are not fetched. */
static bool fetches(fault is, wf_error *err, uint64_t *left_out) {
  teleport_shared m = {.places = PLACES, .bounds = {0, UINT32_MAX, 1000}, .fault = err};
  teleport_buffer s;
  memset(&s, 0, sizeof s);
  teleport_buffer_init(&s, &m, 2);
  memset(s.holds, 0xff, PLACES * sizeof *s.holds);
  for (uint32_t x = 0; x < BLOCKS; x++) {
    const wf_teleport_walk walk = wf_teleport_walk_begin(rows, ROWS, (const uint32_t[]){x, 0, 0});
    teleport_buffer_expect(&s, &m, &walk);
  }
  bool ok = true;
  for (unsigned x = 0; ok && x < BLOCKS; x++)
    for (unsigned i = 0; ok && i < LINES; i++) {
      if (x == 1 && i >= 5 && i < 8) continue;
      uint32_t line = line_of(x, i);
      if (x == 1 && i == 8 && is == LINE) line = NODES / 128 + 1000;
      if (x == 1 && i == 8 && is == OTHER_BLOCK) line = line_of(0, i);
      if (x == 1 && i == 8 && is == TWICE) line = line_of(1, 4);
      ok = teleport_buffer_fetches(&s, &m, line, LINES * x + i);
    }
  if (ok && is == LINE_AFTER_ALL)
    ok = teleport_buffer_fetches(&s, &m, NODES / 128 + 32, PLACES - 1);
  *left_out = teleport_buffer_left_out(&s, &m);
  teleport_buffer_free(&s);
  return ok;
}

static bool all(fault is, wf_error *err) {
  uint64_t left_out;
  if (!ranges(is, err) || !fetches(is, err, &left_out)) return false;
  assert_int_equal(left_out, 3);
  const wf_teleport_sums sums = {.of_rows = BLOCKS * LINES,
                                 .asked = BLOCKS * LINES + (uint64_t)(is == ASKED_MORE) -
                                          (uint64_t)(is == ASKED_LESS),
                                 .left_out = left_out,
                                 .no_room = is == LEFT_OUT ? 2 : 3};
  return wf_teleport_all_asked(&sums, err);
}

static void two_blocks_go_right(void **state) {
  (void)state;
  wf_error err = {0};
  if (!all(NONE, &err)) fail_msg("%s", err.text);
  /* What a store made go is not known. */
  assert_true(wf_teleport_all_asked(
      &(wf_teleport_sums){.of_rows = 9, .asked = 9, .left_out = 3, .stored = true}, &err));
}

static void faults(void **state) {
  (void)state;
  for (fault i = LOW; i < FAULTS; i++) {
    wf_error err = {0};
    if (all(i, &err)) fail_msg("fault %d is not noticed", i);
    const char *text = i == AFTER_ALL ? "a range for no thread block"
                       : i < RANGES   ? "the rows of thread block ("
                       : i < FETCHES  ? "which the rows of no thread block ask for next"
                                      : "rows of thread blocks ask for 36 lines";
    if (!strstr(err.text, text)) fail_msg("expected '%s' in: %s", text, err.text);
    assert_int_equal(err.code, WF_EXIT_WRONG);
  }
}

/* Before a buffer there is a place for a reply, and a bit for each slot. */
static void places_before_the_ports(void **state) {
  (void)state;
  wf_error err = {0};
  teleport_shared m = {.places = PLACES, .slots = 8, .fault = &err};
  teleport_buffer s = {.sm = 2};
  for (unsigned slot = 0; slot < 8; slot++) teleport_buffer_block_end(&s, &m, slot);
  teleport_buffer_filled(&s, &m, 5);
  assert_int_equal(err.code, 0);
  teleport_buffer_filled(&s, &m, 6);
  assert_non_null(strstr(err.text, "SM 2: a reply for place 6, though the one for place 5"));
  for (unsigned slot = 7; slot <= 8; slot++) {
    err = (wf_error){0};
    teleport_buffer_block_end(&s, &m, slot);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    assert_non_null(strstr(err.text, slot < 8 ? "has not seen its last" : "no such slot"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_blocks_go_right),
                                     cmocka_unit_test(faults),
                                     cmocka_unit_test(places_before_the_ports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
