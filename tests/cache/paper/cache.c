/* All policies of caches side by side, each over the same baseline: those of the work on cache
 * policies for graph kernels (chapter 4), their rivals, a larger L1, and software: loads with cache
 * hints, chosen by a profile. And what is left of them over caches of sectors. A row is a policy:
 * the harmonic mean of its ten speedups, the least and the greatest. */
#include "tests/cache/paper/policies.h"

static void lines(paper *p) {
  compare(p, &over_lines);
}
static void units(paper *p) {
  compare(p, &units_over_lines);
}
static void l2(paper *p) {
  compare(p, &at_the_l2);
}
static void larger(paper *p) {
  compare(p, &over_64kb);
}
static void victims(paper *p) {
  compare(p, &without_victims);
}
static void sectors(paper *p) {
  compare(p, &over_rtx3070);
}
static void a100(paper *p) {
  compare(p, &over_a100);
}
static void fast(paper *p) {
  compare(p, &at_144);
}
static void large(paper *p) {
  compare(p, &in_large);
}
static void whole(paper *p) {
  compare(p, &on_whole);
  show_counters_whole(p);
}
static void past(paper *p) {
  show_lines_past(p, &over_lines, NULL);
  show_lines_past_l2(p, &over_lines);
}
static void pressure(paper *p) {
  setting here = over_lines;
  here.six = true;
  here.file = "here";
  compare(p, &under_pressure);
  show_lines_past(p, &here, "without pressure");
  show_lines_past(p, &under_pressure, "under pressure");
}
static void area(paper *p) {
  compare(p, &over_area);
}
static void inputs(paper *p) {
  compare(p, &on_graph1m);
  compare(p, &on_r4);
}
static void fast_inputs(paper *p) {
  compare(p, &fast_graph1m);
  compare(p, &fast_r4);
}

static const paper_part parts[] = {
    {"lines", "over caches of lines: figures 23, 33", lines, false},
    {"counters", "what the caches count: figures 24 to 26, 34, 35", show_counters, false},
    {"units", "Sectors, who predicts them, OBM with them, OBM at the L1 alone: figures 40, 44",
     units, true},
    {"l2", "At the L2 alone: figure 32", l2, true},
    {"fast", "With 144 GB/s: figures 28, 38", fast, true},
    {"large", "Over large caches: figure 27", large, true},
    {"larger", "Over an L1 of 64 KB: what a unit still adds", larger, true},
    {"sectors", "Over caches of sectors, as GPUs have them: rtx3070", sectors, true},
    {"a100", "Over caches of sectors: a100", a100, true},
    {"victims", "Over caches without a victim cache", victims, true},
    {"seeds", "Three seeds", compare_seeds, true},
    {"whole", "On the whole machine", whole, true},
    {"past", "Lines past the caches: figures 36, 37", past, true},
    {"pressure", "Under pressure: why OBM takes fewer lines past L1 than MAT in figure 36",
     pressure, true},
    {"area", "Beside lines that cost as much as a unit, and three orders of arbitration", area,
     true},
    {"inputs", "On the other two inputs", inputs, true},
    {"fast-inputs", "On the other two inputs with 144 GB/s", fast_inputs, true},
    {0}};
const paper_unit paper_this = {"cache", "Policies of caches side by side", parts};
