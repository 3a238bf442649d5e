/* Random reads, writes and fences of wf_axi4 and wf_tlul over few blocks, so that they meet; the
 * bus stalls, mixes and fails at random. WF_UNIT leaves one of the two. */
#include "tb/common/bus/bus_bench.h"
#include "tb/common/wf_test.h"

static const wf_plan plans[] = {{"narrow", NULL, 300}, {"wide", NULL, 250},  {"tiny", NULL, 150},
                                {"reads", NULL, 100},  {"slice", NULL, 200}, {"fetch", NULL, 0}};

typedef struct traffic {
  bus_bench *b;
  unsigned read, write, fence, ready, hot; /* percent of edges; hot: blocks in use */
  uint64_t address;
  bus_write w;
  bool has_read, has_write;
} traffic;

static unsigned below(traffic *t, uint64_t bound) {
  return (unsigned)wf_rng_below(&t->b->base.rng, bound);
}

static uint64_t place(traffic *t) {
  const unsigned blocks = (unsigned)(t->b->size / t->b->block);
  return (uint64_t)below(t, t->hot < blocks ? t->hot : blocks) * t->b->block +
         below(t, t->b->block);
}

static void make_write(traffic *t) {
  bus_bench *b = t->b;
  const unsigned forced = below(t, b->sector / b->part), dense = below(t, 3);
  memset(&t->w, 0, sizeof t->w);
  t->w.address = place(t);
  for (unsigned i = 0; i < b->sector; i++) {
    t->w.data[i] = (uint8_t)below(t, 256);
    if (i % b->part == 0)
      t->w.strobe[i] = i / b->part == forced || dense == 2 || (dense == 1 && below(t, 2));
    else
      t->w.strobe[i] = t->w.strobe[i - 1];
  }
}

static void new_phase(traffic *t) {
  static const unsigned often[] = {100, 80, 30, 5};
  wf_bus_options *o = &t->b->options;
  t->read = often[below(t, 4)];
  t->write = wf_bench_parameter(&t->b->base, "WrSlots") ? often[below(t, 4)] : 0;
  t->ready = often[below(t, 4)];
  t->fence = below(t, 2) ? 5 : 0;
  t->hot = 1 + below(t, 12);
  *o = (wf_bus_options){.stall_ask = below(t, 2) ? below(t, 80) : 0,
                        .stall_data = below(t, 2) ? below(t, 80) : 0,
                        .stall_answer = below(t, 2) ? below(t, 60) : 0,
                        .burst = 1 + below(t, 10),
                        .latency_max = below(t, 60),
                        .errors = below(t, 3) ? 0 : 10,
                        .in_order = below(t, 4) == 0};
  o->latency_min = below(t, o->latency_max + 1);
}

static bool edge(traffic *t) {
  bus_taken taken;
  if (!t->has_read && below(t, 100) < t->read) t->address = place(t), t->has_read = true;
  if (!t->has_write && below(t, 100) < t->write) make_write(t), t->has_write = true;
  const bus_offers o = {.read = t->has_read ? &t->address : NULL,
                        .write = t->has_write ? &t->w : NULL,
                        .rsp_ready = below(t, 100) < t->ready,
                        .fence = below(t, 100) < t->fence};
  if (!bus_bench_cycle(t->b, &o, &taken)) return false;
  t->has_read &= !taken.read;
  t->has_write &= !taken.write;
  return true;
}

static bool run(void *bench, uint64_t edges) {
  traffic t = {.b = bench};
  bool ok = true;
  for (uint64_t phase = 0; phase <= edges / 400 && ok; phase++) {
    new_phase(&t);
    for (unsigned i = 0; i < 400 && ok; i++) ok = edge(&t);
    if (ok && phase % 8 == 7) { /* what was offered is taken first */
      for (unsigned i = 0; ok && (t.has_read || t.has_write); i++) {
        t.read = t.write = 0;
        ok = edge(&t) && (i < 20000 || wf_bench_fail(&t.b->base, "an offer is not taken"));
      }
      ok = ok && bus_bench_check(t.b);
    }
    if (ok && phase % 32 == 20) { /* at any moment */
      ok = wf_bench_reset(t.b);
      t.has_read = t.has_write = false;
    }
  }
  return ok;
}

int main(void) {
#define TRAFFIC(bench)                                                                             \
  {                                                                                                \
    .name = "random_traffic", .cls = &(bench), .plans = plans,                                     \
    .n_plans = sizeof plans / sizeof *plans, .cycles = 200000, .run = run                          \
  }
  static const wf_random tests[] = {TRAFFIC(bus_bench_axi4), TRAFFIC(bus_bench_tlul)};
  return wf_random_main(tests, getenv("WF_UNIT") ? 1 : 2, __FILE__);
}
