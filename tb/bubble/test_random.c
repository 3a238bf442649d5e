/* Random GPUs around bubble_power: blocks that come in waves and end, SMXs that lack room, work
 * that is bound, all modes, registers that change while it runs; and inputs that no GPU would give.
 * All is compared with the reference model, edge by edge. */
#include "tb/bubble/bubble_bench.h"
#include "tb/common/wf_test.h"

static const wf_plan plans[] = {
    {"four", NULL, 300},
    {"paper", NULL, 200},
    {"odd", NULL, 200},
    {"tiny", NULL, 100},
    {"replay", NULL, 100},
    {"four", "NumSmx=2 Settle=3 CounterBits=0", 50},
    {"odd", "NumSmx=70 WarpUnits=48 DrainBits=1", 50},
};

static unsigned below(bubble_bench *b, uint64_t bound) {
  return (unsigned)wf_rng_below(&b->base.rng, bound);
}
/* All, or fewer each round. */
static wf_mask some(bubble_bench *b, unsigned rounds) {
  wf_mask bits = wf_mask_below(b->ref.n);
  for (unsigned i = 0; i < rounds; i++) {
    const wf_mask stay = wf_bench_some(&b->base, b->ref.n);
    bits = wf_mask_both(&bits, &stay, WF_MASK_WORDS);
  }
  return bits;
}

/* Short ones mostly; now and then any that the register holds. */
static uint32_t new_sample(bubble_bench *b) {
  const uint64_t least = b->ref.settle + 3, all = UINT64_C(1)
                                                  << wf_bench_parameter(&b->base, "SampleBits");
  return (uint32_t)(least + below(b, below(b, 10) == 0 ? all - least : below(b, 2) ? 4 : 40));
}

static void new_registers(bubble_bench *b) {
  const uint32_t most = (1u << wf_bench_parameter(&b->base, "DrainBits")) - 1;
  const unsigned warps = b->ref.warps;
  b->reg =
      (bubble_registers){.mode = (bubble_mode)(below(b, 8) ? 1 + below(b, 3) : 0),
                         .gpu_level = below(b, 3) != 0,
                         .calm = below(b, 3) == 0,
                         .sample = new_sample(b),
                         .threshold = below(b, 3) ? below(b, warps / 4 + 1) : below(b, warps + 1),
                         .drain = below(b, 1 + (most < 12 || below(b, 4) == 0 ? most : 12))};
  b->stuck = 0;
  memset(b->drains, 0, sizeof b->drains);
}

/* ---- a GPU ---- */

/* SMXs that hold few warps for long, beside some that hold more: drains in vain. */
static void few_warps(bubble_bench *b) {
  for (unsigned s = 0; s < b->ref.n; s++)
    b->world.used[s] = below(b, 1 + (below(b, 4) ? b->reg.threshold : b->ref.warps));
}

static void end_blocks(bubble_bench *b, unsigned percent) {
  bubble_world *w = &b->world;
  for (unsigned s = 0; s < b->ref.n; s++)
    if (below(b, 1000) < percent) w->used[s] -= below(b, w->used[s] + 1);
}

static bool gpu(bubble_bench *b, uint64_t edges) {
  bubble_world *w = &b->world;
  unsigned ends = 10, comes = 10;
  for (uint64_t i = 0; i < edges; i++) {
    if (i % 1500 == 0) {
      /* Properties of the world hold of one mode: it changes at rest. */
      if (!b->base.cls->rest(b)) return false;
      new_registers(b);
      w->transition = 1 + below(b, 3 * b->reg.sample);
      ends = below(b, 2) ? below(b, 5) : below(b, 200);
      comes = below(b, 60);
      w->need = 1 + below(b, b->ref.warps < 8 ? b->ref.warps : 8);
      memset(w->used, 0, sizeof w->used);
      if (below(b, 2)) few_warps(b), ends = 0, comes = below(b, 2);
    }
    if (i % 300 == 0 && b->reg.mode != BUBBLE_OFF && below(b, 2)) w->no_room = some(b, 3);
    if (below(b, 1000) < comes) w->waiting = 1 + below(b, 40);
    if (below(b, 3000) < comes) {
      const wf_mask more = some(b, 3);
      wf_mask_add(&w->bound, &more, WF_MASK_WORDS);
    }
    if (i % 500 > 300) w->bound = (wf_mask){0}, w->waiting = 0;
    end_blocks(b, ends);
    if (!bubble_bench_step(b)) return false;
  }
  return true;
}

/* ---- anything ---- */

/* Some of the transitions that are under way. */
static wf_mask ends(bubble_bench *b) {
  const wf_mask busy = wf_port_mask(b->p.busy), of = some(b, below(b, 5));
  return wf_mask_both(&busy, &of, WF_MASK_WORDS);
}

static bool anything(bubble_bench *b, uint64_t edges) {
  for (uint64_t i = 0; i < edges; i++) {
    if (i % 700 == 0) new_registers(b);
    bubble_in in = {.room = some(b, 1)};
    if (!below(b, 4)) in.bound = some(b, 2);
    in.wait = below(b, 3) == 0;
    in.done = ends(b);
    in.gpu_done = wf_port_get(b->p.gpu_busy) && below(b, 9) == 0;
    const bool empty = i % 200 > 120;
    if (empty) in.wait = false, in.bound = (wf_mask){0};
    for (unsigned s = 0; s < b->ref.n && !empty; s++) {
      const unsigned kind = below(b, 4);
      in.used[s] = kind == 0 ? 0 : kind == 1 ? b->ref.warps : below(b, b->ref.warps + 1);
    }
    if (!bubble_bench_cycle(b, &in)) return false;
  }
  /* Transitions under way end as the world's do. */
  for (unsigned s = 0; s < b->ref.n; s++) b->world.left[s] = b->world.transition;
  b->world.gpu_left = b->world.transition;
  return true;
}

/* Amid samples, drains and transitions. */
static bool resets(bubble_bench *b) {
  for (unsigned i = 0; i < 20; i++)
    if (!anything(b, 20 + below(b, 200)) || !wf_bench_reset(b)) return false;
  return true;
}

static bool run(void *bench, uint64_t edges) {
  bubble_bench *b = bench;
  return anything(b, edges / 2) && wf_bench_check_counters(b) && resets(b) &&
         gpu(b, edges - edges / 2) && wf_bench_check_counters(b) && gpu(b, 500) &&
         wf_bench_check_counters(b) && wf_bench_clear_counters(b) && gpu(b, 500) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_bubbles",
                                 .cls = &bubble_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 600000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
