/* What the socket compares of the unit's part in an SM: flits of commands, words of replies, writes
 * into shared memory. A gather of five words by two lanes goes right; then each thing that may be
 * wrong of it is, and is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/units/mff/mff_watch.h"

enum { C = 0, V = 1024, SM = 3, WARP = 9, TAG = 77, WORDS = 5, NOW = 100, LATENCY = 40 };

typedef enum fault {
  NONE,
  LANE_OF_FLIT, /* another size */
  TAG_TWICE,
  WORD,
  TWICE,
  UNASKED,
  STRANGER, /* a reply for another warp */
  SHORT,    /* ends with a word too few */
  REFUSED,
  PLACE, /* of shared memory */
  FAULTS
} fault;

typedef struct bench {
  mff_watch *watch;
  mff_memory memory;
  uint32_t base[3];
  mff_instruction of;
} bench;

/* Lane 2 reads C[4..6], lane 30 C[9..10]; C holds 2, 3, 4, ..., V the squares. */
static void open_bench(bench *b) {
  wf_error err = {0};
  *b = (bench){.watch = calloc(1, sizeof *b->watch)};
  b->watch->sm = SM;
  wf_image *image = wf_image_create(1 << 20, &err);
  uint64_t at = wf_image_alloc(image, 8192, "C and V", &err);
  b->base[0] = (uint32_t)at + C;
  b->base[1] = (uint32_t)at + V;
  b->memory = (mff_memory){.image = image, .base = b->base, .check = true};
  for (uint32_t i = 0; i < 64; i++) {
    const uint32_t index = i + 2, square = i * i;
    memcpy(wf_image_at(image, b->base[0] + 4 * i, 4, &err), &index, 4);
    memcpy(wf_image_at(image, b->base[1] + 4 * i, 4, &err), &square, 4);
  }
  b->of = (mff_instruction){.op = MFF_OP_GATHER,
                            .warp = WARP,
                            .lane = {[2] = {4, 3}, [30] = {9, 2}},
                            .target = {[2] = 256, [30] = 512}};
}

static void close_bench(bench *b) {
  wf_image_destroy(b->memory.image);
  free(b->watch);
}

static bool send(bench *b, fault is, wf_error *err) {
  const mff_cmd_header h = {
      .op = MFF_OP_GATHER, .sm = SM, .warp = WARP, .tag = TAG, .lane_mask = 1u << 2 | 1u << 30};
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS];
  mff_lane lanes[MFF_LANES];
  memcpy(lanes, b->of.lane, sizeof lanes);
  if (is == LANE_OF_FLIT) lanes[30].size = 1;
  const uint32_t n = mff_pack_command(flits, &h, lanes);
  for (uint32_t f = 0; f < n; f++)
    if (!mff_watch_flit(b->watch, flits[f], &b->of, NOW, err)) return false;
  return is != TAG_TWICE || mff_watch_flit(b->watch, flits[0], &b->of, NOW, err);
}

static const struct {
  uint32_t lane, at, index, offset;
} words[WORDS] = {
    {2, 0, 6, 256}, {2, 1, 7, 260}, {30, 1, 12, 516}, {2, 2, 8, 264}, {30, 0, 11, 512}};

/* The words in one flit. */
static bool deliver(bench *b, fault is, wf_error *err) {
  uint32_t flit[MFF_FLIT_WORDS] = {0};
  uint64_t places = 0;
  for (unsigned k = 0; k < WORDS; k++) {
    const unsigned from = is == TWICE && k == 3 ? 1 : k;
    const uint32_t at = words[from].at + (is == UNASKED && k == 4 ? 2 : 0);
    flit[k] = words[from].index * words[from].index + (is == WORD && k == 2);
    places |= (uint64_t)(words[from].lane | at << 5) << (10 * k);
  }
  flit[5] = (uint32_t)places;
  flit[6] = (uint32_t)(places >> 32);
  flit[7] = WORDS << 4 | SM << 8 | (uint32_t)(WARP + (is == STRANGER)) << 16 | (uint32_t)TAG << 24;
  return mff_watch_reply(b->watch, flit, &b->memory, NOW + 1, err);
}

static bool end(bench *b, fault is, wf_error *err) {
  const uint32_t flit[MFF_FLIT_WORDS] = {[0] = (uint32_t)(WORDS - (is == SHORT)) |
                                               (uint32_t)(is == REFUSED) << 17,
                                         [7] = 1u | SM << 8 | WARP << 16 | (uint32_t)TAG << 24};
  return mff_watch_reply(b->watch, flit, &b->memory, NOW + 2, err);
}

static bool write_all(bench *b, fault is, wf_error *err) {
  for (unsigned k = 0; k < WORDS; k++) {
    const mff_write w = {.warp = WARP,
                         .offset = words[k].offset + (is == PLACE && k == 3 ? 4 : 0),
                         .word = words[k].index * words[k].index};
    if (!mff_watch_write(b->watch, &w, NOW + LATENCY, err)) return false;
  }
  return true;
}

static bool gather(bench *b, fault is, wf_error *err) {
  return send(b, is, err) && deliver(b, is, err) && end(b, is, err) && write_all(b, is, err);
}

static void a_gather_goes_right(void **state) {
  (void)state;
  bench b;
  wf_error err = {0};
  open_bench(&b);
  if (!gather(&b, NONE, &err)) fail_msg("%s", err.text);
  assert_int_equal(b.watch->outstanding, 0);
  assert_int_equal(b.watch->gather_cycles, LATENCY);
  assert_int_equal(b.memory.words, WORDS);
  if (!send(&b, NONE, &err)) fail_msg("%s", err.text); /* the tag is free again */
  assert_int_equal(b.watch->outstanding, 1);
  close_bench(&b);
}

static void faults(void **state) {
  (void)state;
  static const char *const texts[FAULTS] = {
      [LANE_OF_FLIT] = "flit 1 of warp 9's command is not what its lanes ask for",
      [TAG_TWICE] = "tag 77 is given twice",
      [WORD] =
          "lane 30 word 1 (element 10 of C, vertex 12): got 0x00000091, memory holds 0x00000090",
      [TWICE] = "word 1 of lane 2 was delivered twice",
      [UNASKED] = "word 2 of lane 30 was not asked for",
      [STRANGER] = "which is not outstanding",
      [SHORT] = "ended normally with 4 of 5 words",
      [REFUSED] = "ended refused",
      [PLACE] = "a write of 0x00000040 at 0x10c of shared memory, which no reply asked for"};
  for (fault i = LANE_OF_FLIT; i < FAULTS; i++) {
    bench b;
    wf_error err = {0};
    open_bench(&b);
    if (gather(&b, i, &err)) fail_msg("fault %d is not noticed", i);
    if (!strstr(err.text, texts[i])) fail_msg("expected '%s' in: %s", texts[i], err.text);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    close_bench(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gather_goes_right),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
