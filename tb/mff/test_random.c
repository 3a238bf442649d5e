/* Constrained random traffic over several configurations, with every port stalled at random. */
#include "tb/common/wf_test.h"
#include "tb/mff/mff_load.h"

static const wf_plan plans[] = {
    {"tuned", NULL, 198},
    {"three", NULL, 108},
    {"small", NULL, 210},
    {"small", "Keep=0", 135},
    {"tiny", NULL, 199},
    {"tiny", "NSlice=3 WorkRegs=24 CRegs=9 TagEntries=4 CLines=2 JobEntries=6 PackWords=2", 70},
    /* owners by a remainder that is not by 3 */
    {"tiny", "NSlice=5 WorkRegs=40 CRegs=15 TagEntries=4 CLines=2 JobEntries=10 PackWords=2", 80},
    {"paper", NULL, 0},
    {"wide", NULL, 100}, /* addresses of 40 bits */
    {"small", "BlockBytes=64", 100},
    {"elements", NULL, 100}, /* of 8 bytes, in blocks of 64 */
    {"elements", "BlockBytes=256 AddrBits=40", 100},
    /* slices found by a hash: 10 and 70 SMs, a multiple of three, a power of two */
    {"hashed", NULL, 100},
    {"three", "Hash=1", 60},
    {"small", "Hash=1", 60},
};
static const wf_plan crowds[] = {
    {"small", NULL, 90}, {"small", "Keep=0 WorkRegs=24 CRegs=6", 90}, {"tiny", NULL, 100}};

/* Four kinds of indexes, each with its own mix of stalls and operations. Smaller units get shorter
 * latencies and, with a handful of registers, shorter lanes. */
static bool traffic(void *bench, uint64_t cycles) {
  mff_bench *b = bench;
  const unsigned latency = 20 + 3 * wf_bench_parameter(&b->base, "TagEntries") / 2,
                 size = wf_bench_parameter(&b->base, "WorkRegs") < MFF_MAX_SIZE / 2 ? 12
                                                                                    : MFF_MAX_SIZE;
  mff_bench_options *o = &b->options;
  bool ok = true;
  for (unsigned phase = 0; phase < 8 && ok; phase++) {
    wf_rng *rng = &b->base.rng;
    unsigned *stalls[] = {&o->stall_cmd, &o->stall_rsp, &o->stall_read, &o->stall_beat,
                          &o->stall_write};
    for (size_t i = 0; i < 5; i++)
      *stalls[i] = wf_rng_below(rng, 3) ? (unsigned)wf_rng_below(rng, 60) : 0;
    o->burst = 1 + (unsigned)wf_rng_below(rng, 30);
    o->latency_max = 1 + (unsigned)wf_rng_below(rng, latency);
    o->latency_min = (unsigned)wf_rng_below(rng, o->latency_max);
    o->in_order = wf_rng_below(rng, 4) == 0;
    mff_load load = {.kind = phase % MFF_LOAD_KINDS,
                     .indexes = 100 + (uint32_t)wf_rng_below(rng, 60000),
                     .vertices = 40 + (uint32_t)wf_rng_below(rng, 200000),
                     .scatter_percent = phase < 4 ? (unsigned)wf_rng_below(rng, 101) : 30,
                     .error_percent = (unsigned)wf_rng_below(rng, 12),
                     .lane_percent = 5 + (unsigned)wf_rng_below(rng, 96),
                     .max_size = 1 + (unsigned)wf_rng_below(rng, size),
                     .csr = wf_rng_below(rng, 2),
                     .queue = 1 + (unsigned)wf_rng_below(rng, 40)};
    if (phase & 2) { /* any address, any number */
      load.spread = true;
      load.first_index = (uint32_t)wf_rng_next(rng);
      load.first_vertex = (uint32_t)wf_rng_below(rng, UINT32_MAX / 32 - load.vertices) * 32;
    }
    ok =
        mff_load_fill(b, &load) && mff_load_run(b, &load, cycles / 8 + 1) && mff_bench_check_end(b);
  }
  return ok && (b->stats.words + b->stats.bits == b->stats.elements ||
                wf_bench_fail(&b->base, "elements were lost"));
}

/* Few blocks: joins meet detaches and frees of the same block in every order. Many small requests
 * first, then long runs, whose neighbours share requests, against responses that wait now and then.
 */
static bool crowd(void *bench, uint64_t cycles) {
  enum { SMALL = 6, PHASES = 9 };
  mff_bench *b = bench;
  mff_bench_options *o = &b->options;
  for (unsigned phase = 0; phase < PHASES; phase++) {
    bool small = phase < SMALL;
    o->burst = small ? 6 : 1 + 2 * (phase - SMALL);
    o->stall_rsp = small ? phase % 2 * 40 : 50;
    o->stall_read = phase % 3 * 20;
    o->latency_max = 1 + phase * 9;
    mff_load load = {.kind = MFF_LOAD_UNIFORM,
                     .indexes = 64 + 32 * phase,
                     .vertices = small ? 50 + 60 * phase : 40,
                     .scatter_percent = small ? phase * 10 : 20,
                     .lane_percent = 20,
                     .max_size = small ? 3 : 24,
                     .csr = !small,
                     .queue = 20};
    if (!mff_load_fill(b, &load) || !mff_load_run(b, &load, cycles / PHASES + 1) ||
        !mff_bench_check_end(b))
      return false;
  }
  return true;
}

int main(void) {
  static const wf_random tests[] = {{.name = "random_traffic",
                                     .cls = &mff_bench_class,
                                     .plans = plans,
                                     .n_plans = sizeof plans / sizeof *plans,
                                     .cycles = 2600000,
                                     .run = traffic},
                                    {.name = "crowded_blocks",
                                     .cls = &mff_bench_class,
                                     .plans = crowds,
                                     .n_plans = sizeof crowds / sizeof *crowds,
                                     .cycles = 2600000,
                                     .run = crowd}};
  return wf_random_main(tests, sizeof tests / sizeof *tests, __FILE__);
}
