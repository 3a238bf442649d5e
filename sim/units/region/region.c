/* Socket of the REGION unit: an RTL instance beside each SM's L1, another at each slice of L2. What
 * is learned and decided is the RTL's. */
#include "sim/units/region/region.h"

#include <stdlib.h>

#define FIELD(f) offsetof(region_settings, f)

static const char *const modes[] = {"rex", "l2", "bc", NULL};
static const char *const views[] = {"core", "slice", NULL};
static const wf_parameter parameters[] = {
    {"mode", NULL, 0, REGION_MODES - 1, 2, FIELD(mode), modes,
     "rex: R-Exclusion; bc: and what goes past either cache, by regions and PCs; l2: bc at the L2 "
     "alone, by regions"},
    {"regions", "region_core.Regions", 2, 63, 31, FIELD(regions), NULL,
     "allocations whose ranges are known"},
    {"region_rows", "region_core.RegionRows", 2, 63, 31, FIELD(region_rows), NULL,
     "of these, that are counted at a time"},
    {"pc_rows", "region_core.PcRows", 2, 63, 15, FIELD(pc_rows), NULL,
     "load instructions that are counted at a time"},
    {"share", "region_core.Share", 1, 14, 6, FIELD(share), NULL,
     "what is seen in more than one of 2^share accesses is a habit"},
    {"period", "region_core.Period", 2, 65536, 1024, FIELD(period), NULL,
     "replies to an SM after which its counts are halved and judged"},
    {"probe", "region_core.Probe", 0, 4096, 64, FIELD(probe), NULL,
     "one of so many misses goes into the L1 though it should go past; 0: none"},
    {"view", NULL, 0, 1, 0, FIELD(view), views,
     "which of its instances waves and recordings show: beside the first L1, or at the first "
     "slice"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

static void region_destroy(wf_unit *unit) {
  region *m = (region *)unit;
  wf_cache_level_free(&m->cores);
  wf_cache_level_free(&m->slices);
  free(m);
}

static bool region_bind(wf_unit *unit, wf_error *err) {
  region *m = (region *)unit;
  return region_cores_bind(m, err) && region_slices_bind(m, err);
}

static bool region_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  region *m = (region *)unit;
  m->unit.shown = m->set.view;
  m->env = *env;
  return region_cores_fit(m, err) && region_slices_fit(m, err) && region_cores_open(m, err) &&
         region_slices_open(m, err);
}

static bool region_tick(wf_unit *unit, wf_error *err) {
  region *m = (region *)unit;
  return wf_cache_level_clock(&m->cores, err) && wf_cache_level_clock(&m->slices, err);
}

static bool region_idle(const wf_unit *unit) {
  const region *m = (const region *)unit;
  return wf_cache_level_idle(&m->cores) && wf_cache_level_idle(&m->slices);
}

static bool region_kernel_end(wf_unit *unit, wf_error *err) {
  const region *m = (const region *)unit;
  return wf_cache_level_end(&m->cores, err) && wf_cache_level_end(&m->slices, err);
}

static void region_describe(const wf_unit *unit, FILE *out) {
  const region *m = (const region *)unit;
  wf_cache_level_describe(&m->cores, out);
  wf_cache_level_describe(&m->slices, out);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(region, request_waits)},
    {"busy_rex", offsetof(region, cores.busy[0])},
    {"busy_l2", offsetof(region, cores.busy[1])},
    {"busy_bc", offsetof(region, cores.busy[2])},
    {"busy_slices", offsetof(region, slices.rtl.busy)},
    {0},
};

#define BUSY                                                                                       \
  "; a cycle with something offered or inside, outside which a clock gate on idle_o stops it"
static const wf_energy_event energy[] = {
    {"busy_rex", WF_EN_PART_UNIT, 35.2, NULL,
     "make power UNIT=region_core CONFIG=rex, NanGate 45 nm" BUSY},
    {"busy_l2", WF_EN_PART_UNIT, 35.2, NULL,
     "make power UNIT=region_core CONFIG=rex, NanGate 45 nm: of it but for a gate" BUSY},
    {"busy_bc", WF_EN_PART_UNIT, 46.0, NULL,
     "make power UNIT=region_core CONFIG=paper, NanGate 45 nm" BUSY},
    {"busy_slices", WF_EN_PART_UNIT, 7.5, NULL,
     "make power UNIT=region_slice CONFIG=paper, NanGate 45 nm" BUSY},
    {0},
};

static const wf_energy_power power[] = {
    {"static_rex", "region_core", "rex", 0.00103,
     "make synth UNIT=region_core CONFIG=rex, NanGate 45 nm: leakage"},
    {"static", "region_core", NULL, 0.00167,
     "make synth UNIT=region_core CONFIG=paper, NanGate 45 nm: leakage"},
    {"slice_static", "region_slice", NULL, 0.00125,
     "make synth UNIT=region_slice CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

static const wf_unit_form forms[] = {{"rex", "mode=rex"}, {"bc", "mode=bc"}, {0}};

const wf_unit_class wf_unit_region = {
    .name = "region",
    .forms = forms,
    .summary = "R-Exclusion and B+C: by memory region and load, which caches keep a line",
    .limits =
        "any SMs, warps and L2 slices; 2 to 1024 sets in an L1, to 4096 in a slice, at most 16 "
        "ways in either; whole lines in the L1",
    .claims = WF_CLAIM_L1 | WF_CLAIM_SLICE,
    .bytes = sizeof(region),
    .settings = offsetof(region, set),
    .open = region_open,
    .destroy = region_destroy,
    .tick = region_tick,
    .idle = region_idle,
    .kernel_end = region_kernel_end,
    .counters = counters,
    .describe = region_describe,
    .bind = region_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app hbfs --graph rmat:scale=12 --config fermi16",
    .l1 = &region_l1_ops,
    .caches = &region_cache_ops,
};
