/* shfl, vote, match, activemask and special registers. */
#include "tests/ptx/lane_harness.h"

#define HEAD                                                                                       \
  ".version 6.0\n.target sm_35\n.address_size 64\n.entry k(.param .u64 p0) {\n"                    \
  ".reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %p<8>;\n"                       \
  "ld.param.u64 %d0, [p0]; mov.u32 %r0, %laneid; mul.wide.u32 %d1, %r0, 4; "                       \
  "add.u64 %d2, %d0, %d1; ld.global.u32 %r1, [%d2]; ld.global.u32 %r2, [%d2+128]; "                \
  "ld.global.u32 %r3, [%d2+256]; setp.ne.u32 %p1, %r1, 0; mov.u32 %r4, 0xabcd; "                   \
  "and.b32 %r6, %r0, 24; shl.b32 %r6, 255, %r6; setp.eq.u32 %p2, %r1, %r1;\ntest.here;\n"
#define TAIL                                                                                       \
  "\nst.global.u32 [%d2+512], %r4; selp.u32 %r5, 1, 0, %p2; st.global.u32 [%d2+640], %r5;\nret; "  \
  "}\n"

static uint32_t word(const lane_machine *m, int at, int lane) {
  uint32_t v;
  memcpy(&v, m->memory + at + 4 * lane, 4);
  return v;
}

/* Fills the three input rows: small values, so that matches and zero predicates occur. */
static void fill(lane_machine *m, wf_rng *rng, uint32_t bound) {
  for (int k = 0; k < 96; k++) {
    const uint32_t v = (uint32_t)wf_rng_below(rng, bound);
    memcpy(m->memory + 4 * k, &v, 4);
  }
}

/* The pseudo-code of the PTX ISA, with five-bit quantities. */
static int source_lane(const char *mode, int lane, uint32_t b, uint32_t c, bool *inside) {
  const int bval = b & 31, cval = c & 31, mask = c >> 8 & 31;
  const int max = (lane & mask) | (cval & ~mask), min = lane & mask;
  int j;
  if (strcmp(mode, "up") == 0) {
    j = lane - bval;
    *inside = j >= max;
  } else {
    j = strcmp(mode, "down") == 0   ? lane + bval
        : strcmp(mode, "bfly") == 0 ? lane ^ bval
                                    : min | (bval & ~mask);
    *inside = j <= max;
  }
  return *inside ? j : lane;
}

static void check_shfl(const char *mode, bool sync, uint32_t control) {
  char text[2048], body[128];
  snprintf(body, sizeof body, "shfl%s.%s.b32 %%r4|%%p2, %%r1, %%r2, %u%s;", sync ? ".sync" : "",
           mode, control, sync ? ", 0xffffffff" : "");
  join_text(text, sizeof text, HEAD, body, TAIL, NULL);
  lane_machine m;
  wf_rng rng;
  machine_create(&m, text, 4096);
  wf_rng_seed(&rng, control);
  for (int round = 0; round < 100; round++) {
    fill(&m, &rng, 64);
    machine_run(&m, UINT32_MAX);
    for (int lane = 0; lane < 32; lane++) {
      bool inside;
      const int from = source_lane(mode, lane, word(&m, 128, lane), control, &inside);
      assert_int_equal(word(&m, 512, lane), word(&m, 0, from));
      assert_int_equal(word(&m, 640, lane), inside);
    }
  }
  machine_destroy(&m);
}

static void test_shfl(void **state) {
  (void)state;
  const char *modes[] = {"up", "down", "bfly", "idx"};
  for (int k = 0; k < 4; k++)
    for (int segment = 0; segment < 6; segment++) {
      /* What CUDA passes for widths 32, 16, 8 ... */
      const uint32_t mask = (32 - (32u >> segment)) << 8;
      check_shfl(modes[k], segment & 1, mask | (k == 0 ? 0 : 31));
    }
  check_shfl("down", true, 0x0703);
}

/* eights: the lanes of a member mask are eight neighbours. */
static void check_vote(const char *text, int kind, bool eights) {
  char whole[2048];
  join_text(whole, sizeof whole, HEAD, "@%p2 ", text, TAIL, NULL);
  lane_machine m;
  wf_rng rng;
  machine_create(&m, whole, 4096);
  wf_rng_seed(&rng, (uint64_t)kind);
  for (int round = 0; round < 60; round++) {
    fill(&m, &rng,
         round % 3 == 0   ? 1
         : round % 3 == 1 ? 2
                          : 1000); /* all zero, mixed, mostly set */
    const uint32_t active = round % 2 ? UINT32_MAX : (uint32_t)wf_rng_next(&rng) | 1;
    machine_run(&m, active);
    uint32_t yes = 0;
    for (int lane = 0; lane < 32; lane++) yes |= (uint32_t)(word(&m, 0, lane) != 0) << lane;
    for (int lane = 0; lane < 32; lane++) {
      if (!((active >> lane) & 1)) continue;
      const uint32_t mask = active & (eights ? UINT32_C(0xff) << (lane & 24) : UINT32_MAX);
      const uint32_t votes = yes & mask;
      const bool expected[] = {votes == mask, votes != 0, votes == mask || votes == 0};
      if (kind < 3) assert_int_equal(word(&m, 640, lane), expected[kind]);
      if (kind == 3) assert_int_equal(word(&m, 512, lane), votes);
      if (kind == 4) assert_int_equal(word(&m, 512, lane), mask);
      if (kind < 5) continue;
      uint32_t same = 0;
      for (int j = 0; j < 32; j++)
        same |= (uint32_t)((mask >> j) & 1 && word(&m, 0, j) == word(&m, 0, lane)) << j;
      if (kind == 5) assert_int_equal(word(&m, 512, lane), same);
      if (kind == 6) assert_int_equal(word(&m, 512, lane), same == mask ? mask : 0);
      if (kind == 6) assert_int_equal(word(&m, 640, lane), same == mask);
    }
  }
  machine_destroy(&m);
}

static void test_vote_and_match(void **state) {
  (void)state;
  check_vote("vote.all.pred %p2, %p1;", 0, false);
  check_vote("vote.sync.any.pred %p2, %p1, 0xffffffff;", 1, false);
  check_vote("vote.uni.pred %p2, %p1;", 2, false);
  check_vote("vote.sync.ballot.b32 %r4, %p1, -1;", 3, false);
  check_vote("activemask.b32 %r4;", 4, false);
  check_vote("match.any.sync.b32 %r4, %r1, -1;", 5, false);
  check_vote("match.all.sync.b32 %r4|%p2, %r1, -1;", 6, false);
  check_vote("vote.sync.all.pred %p2, %p1, %r6;", 0, true);
  check_vote("vote.sync.any.pred %p2, %p1, %r6;", 1, true);
  check_vote("vote.sync.uni.pred %p2, %p1, %r6;", 2, true);
  check_vote("vote.sync.ballot.b32 %r4, %p1, %r6;", 3, true);
  check_vote("match.any.sync.b32 %r4, %r1, %r6;", 5, true);
  check_vote("match.all.sync.b32 %r4|%p2, %r1, %r6;", 6, true);
}

static void check_sreg(const char *name, uint32_t (*expected)(const ptx_warp *, int lane)) {
  char text[2048];
  join_text(text, sizeof text, HEAD, "mov.u32 %r4, ", name, ";", TAIL, NULL);
  lane_machine m;
  machine_create(&m, text, 4096);
  m.launch.ntid[0] = 5, m.launch.ntid[1] = 7, m.launch.ntid[2] = 3;
  m.launch.nctaid[0] = 10, m.launch.nctaid[1] = 20, m.launch.nctaid[2] = 30;
  m.warp.ctaid[0] = 4, m.warp.ctaid[1] = 5, m.warp.ctaid[2] = 6;
  m.warp.warp_in_cta = 2, m.warp.warp_slot = 9, m.warp.sm_id = 13;
  m.warp.clock = 0x1234567890abcdef;
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++)
    if (word(&m, 512, lane) != expected(&m.warp, lane))
      fail_msg("%s of lane %d is %u, should be %u", name, lane, word(&m, 512, lane),
               expected(&m.warp, lane));
  machine_destroy(&m);
}

#define SREG(f, expr)                                                                              \
  static uint32_t f(const ptx_warp *w, int lane) {                                                 \
    const uint32_t thread = w->warp_in_cta * 32 + (uint32_t)lane;                                  \
    (void)thread;                                                                                  \
    return (uint32_t)(expr);                                                                       \
  }
SREG(tid_x, thread % 5)
SREG(tid_y, thread / 5 % 7)
SREG(tid_z, thread / 35)
SREG(ntid_y, 7)
SREG(ctaid_z, 6)
SREG(nctaid_x, 10)
SREG(laneid, lane)
SREG(warpid, 9)
SREG(smid, 13)
SREG(clock_low, 0x90abcdef)
SREG(clock_high, 0x12345678)
SREG(lanemask_eq, 1u << lane)
SREG(lanemask_lt, (1u << lane) - 1)
SREG(lanemask_le, (2ull << lane) - 1)
SREG(lanemask_gt, ~((2ull << lane) - 1))
SREG(lanemask_ge, ~((1ull << lane) - 1))

static void test_special_registers(void **state) {
  (void)state;
  check_sreg("%tid.x", tid_x);
  check_sreg("%tid.y", tid_y);
  check_sreg("%tid.z", tid_z);
  check_sreg("%ntid.y", ntid_y);
  check_sreg("%ctaid.z", ctaid_z);
  check_sreg("%nctaid.x", nctaid_x);
  check_sreg("%laneid", laneid);
  check_sreg("%warpid", warpid);
  check_sreg("%smid", smid);
  check_sreg("%clock", clock_low);
  check_sreg("%clock_hi", clock_high);
  check_sreg("%lanemask_eq", lanemask_eq);
  check_sreg("%lanemask_lt", lanemask_lt);
  check_sreg("%lanemask_le", lanemask_le);
  check_sreg("%lanemask_gt", lanemask_gt);
  check_sreg("%lanemask_ge", lanemask_ge);
}

/* Outside mov a special register is moved first; 64-bit destinations extend. */
static void test_special_register_operands(void **state) {
  (void)state;
  lane_machine m;
  machine_create(&m,
                 HEAD "mov.u64 %d3, %clock64; cvt.u32.u64 %r4, %d3; st.global.u64 [%d0+1024], %d3; "
                      "cvt.u64.u32 %d4, %tid.x; st.global.u64 [%d0+1032], %d4; "
                      "add.u32 %r6, %ntid.x, 1; st.global.u32 [%d0+1040], %r6; "
                      "mov.u16 %h1, %ctaid.x; st.global.u16 [%d0+1044], %h1;" TAIL,
                 4096);
  m.warp.clock = 0x1234567890abcdef;
  m.warp.ctaid[0] = 0x98765;
  machine_run(&m, UINT32_MAX);
  uint64_t v;
  memcpy(&v, m.memory + 1024, 8);
  assert_int_equal(v, 0x1234567890abcdef);
  memcpy(&v, m.memory + 1032, 8);
  assert_int_equal(v, 31); /* the highest lane's store wins */
  assert_int_equal(word(&m, 1040, 0), 33);
  assert_int_equal(word(&m, 1044, 0) & 0xffff, 0x8765);
  machine_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shfl),
      cmocka_unit_test(test_vote_and_match),
      cmocka_unit_test(test_special_registers),
      cmocka_unit_test(test_special_register_operands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
