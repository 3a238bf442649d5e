/* Micro-benchmarks: one property of the memory system (or of the cores) each. Their figures are
 * what tests hold against the configuration, and what a user checks a new configuration with. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/app_internal.h"
#include "sim/base/wf_alloc.h"
#include "sim/base/wf_rng.h"

enum { LANES = 32, BLOCK_BYTES = 128, RESIDENT_BLOCKS = 6 };

typedef struct settings {
  uint32_t bytes, stride, turns, sms; /* an application reads what its table has */
} settings;
#define BYTES_OPTION(LOW, HIGH, PRESET)                                                            \
  WF_APP_NUMBER(settings, bytes, LOW, HIGH, PRESET, "working set in bytes")
#define TURNS_OPTION(HIGH, PRESET)                                                                 \
  WF_APP_NUMBER(settings, turns, 1, HIGH, PRESET, "turns of each thread's loop")

/* ---- chase: latency of a lone load ---- */

/* A cycle through all `count` elements in random order (Sattolo's algorithm); the result holds for
 * each element the one after it. */
static uint32_t *random_cycle(uint32_t count, uint64_t seed) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  uint32_t *next = wf_calloc(count, sizeof *next);
  for (uint32_t i = 0; i < count; i++) next[i] = i;
  for (uint32_t i = count - 1; i > 0; i--) {
    uint32_t j = (uint32_t)wf_rng_below(&rng, i), swap = next[i];
    next[i] = next[j];
    next[j] = swap;
  }
  return next;
}

static bool chase_upload(wf_app_run *run, const uint32_t *next, uint32_t count, uint32_t stride,
                         uint64_t *data, wf_error *err) {
  uint64_t bytes = (uint64_t)count * stride;
  if (!(*data = wf_gpu_alloc(run->gpu, bytes, "chain", err))) return false;
  uint8_t *host = wf_calloc(bytes, 1);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t to = *data + (uint64_t)next[i] * stride;
    memcpy(host + (uint64_t)i * stride, &to, sizeof to);
  }
  bool ok = wf_gpu_write(run->gpu, *data, host, bytes, err);
  free(host);
  return ok;
}

/* Once around brings the chain to the L2; one that does not fit misses with it as without. */
static bool chase_warms(const wf_app_run *run, uint32_t count, uint32_t stride) {
  const wf_mem_config *m = &wf_gpu_get_config(run->gpu)->mem;
  const uint32_t each = stride < BLOCK_BYTES ? stride : BLOCK_BYTES;
  return count <= 16384 || (uint64_t)count * each <= (uint64_t)m->n_part * m->l2_bytes;
}

static bool chase_launch(wf_app_run *run, const uint32_t *next, uint32_t count, uint32_t stride,
                         uint32_t turns, wf_error *err) {
  const uint32_t warm = chase_warms(run, count, stride) ? count : 0;
  uint64_t data, out, result[2];
  if (!chase_upload(run, next, count, stride, &data, err) ||
      !(out = wf_app_reserve(run->gpu, 0, sizeof result, "result", err)))
    return false;
  uint64_t out_cycles = out + sizeof result[0];
  wf_launch_args args = {.kernel = "micro_chase",
                         .grid = {1, 1, 1},
                         .block = {1, 1, 1},
                         .params = {&data, &warm, &turns, &out, &out_cycles},
                         .n_params = 5};
  if (!wf_gpu_launch(run->gpu, &args, err) ||
      !wf_gpu_read(run->gpu, result, out, sizeof result, err))
    return false;
  uint32_t at = 0;
  for (uint64_t i = 0; i < (uint64_t)warm + 8ull * turns; i++) at = next[at];
  wf_app_compare_u64(run, "end of the chain", result[0], data + (uint64_t)at * stride);
  wf_app_report(run, "loads", 8.0 * turns);
  wf_app_report(run, "cycles_per_load", (double)result[1] / (8.0 * turns));
  return true;
}

static const wf_parameter chase_options[] = {
    BYTES_OPTION(16, 1l << 31, 16 << 20),
    WF_APP_NUMBER(settings, stride, 8, 1 << 20, BLOCK_BYTES,
                  "bytes between elements, a multiple of 8"),
    TURNS_OPTION(1 << 24, 128),
    {0}};

static bool run_chase(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, chase_options, &s, err)) return false;
  if (s.stride % 8)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.stride=%u: must be a multiple of 8", s.stride);
  uint32_t count = s.bytes / s.stride;
  if (count < 2)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.bytes=%u: must be two elements of app.stride=%u",
                   s.bytes, s.stride);
  if (!wf_app_load_kernels(run->gpu, "micro", err)) return false;
  uint32_t *next = random_cycle(count, run->seed);
  bool ok = chase_launch(run, next, count, s.stride, s.turns, err);
  free(next);
  return ok;
}

/* ---- halves: loads of the near and of the far half of the L2 ---- */

static int by_size(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Means of the quickest and the slowest fourth of the loads. */
static void report_fourths(wf_app_run *run, uint32_t *cycles, uint32_t n) {
  qsort(cycles, n, sizeof *cycles, by_size);
  const uint32_t quarter = n / 4;
  double low = 0, high = 0;
  for (uint32_t i = 0; i < quarter; i++) low += cycles[i], high += cycles[n - 1 - i];
  wf_app_report(run, "near_cycles", low / quarter);
  wf_app_report(run, "far_cycles", high / quarter);
}

static bool time_loads(wf_app_run *run, const uint32_t *next, uint32_t count, wf_error *err) {
  uint64_t data, out, times, end;
  if (!chase_upload(run, next, count, BLOCK_BYTES, &data, err) ||
      !(out = wf_app_reserve(run->gpu, 0, sizeof end, "result", err)) ||
      !(times = wf_app_reserve(run->gpu, 0, 4ull * count, "times", err)))
    return false;
  wf_launch_args args = {.kernel = "micro_times",
                         .grid = {1, 1, 1},
                         .block = {1, 1, 1},
                         .params = {&data, &count, &out, &times},
                         .n_params = 4};
  uint32_t *cycles = wf_calloc(count, sizeof *cycles);
  const bool ok = wf_gpu_launch(run->gpu, &args, err) &&
                  wf_gpu_read(run->gpu, &end, out, sizeof end, err) &&
                  wf_gpu_read(run->gpu, cycles, times, 4ull * count, err);
  if (ok) {
    wf_app_compare_u64(run, "end of the chain", end, data); /* all the way round, twice */
    report_fourths(run, cycles, count);
  }
  free(cycles);
  return ok;
}

static const wf_parameter halves_options[] = {BYTES_OPTION(1024, 1 << 24, 1 << 20), {0}};

static bool run_halves(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, halves_options, &s, err) ||
      !wf_app_load_kernels(run->gpu, "micro", err))
    return false;
  const uint32_t count = s.bytes / BLOCK_BYTES;
  uint32_t *next = random_cycle(count, run->seed);
  const bool ok = time_loads(run, next, count, err);
  free(next);
  return ok;
}

/* ---- atomics ---- */

static const wf_parameter atomics_options[] = {
    WF_APP_NUMBER(settings, bytes, BLOCK_BYTES, 1 << 26, 1 << 20, "of the words, 128 of a warp's"),
    TURNS_OPTION(1 << 16, 16),
    {0}};

static bool run_atomics(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, atomics_options, &s, err) ||
      !wf_app_load_kernels(run->gpu, "micro", err))
    return false;
  const uint32_t words = s.bytes / BLOCK_BYTES, n = words * LANES,
                 threads = wf_gpu_get_config(run->gpu)->n_sm * 4 * WF_APP_BLOCK;
  const uint64_t counts = wf_app_reserve(run->gpu, 0, 4ull * n, "counts", err);
  const void *params[] = {&counts, &words, &s.turns};
  const uint64_t before = wf_gpu_cycles(run->gpu);
  if (!counts || !wf_gpu_fill(run->gpu, counts, 0, 4ull * n, err) ||
      !wf_app_launch(run->gpu, "micro_atomics", threads, 0, params, 3, err))
    return false;
  const double cycles = (double)(wf_gpu_cycles(run->gpu) - before);
  uint32_t *got = wf_calloc(n, sizeof *got), *expected = wf_calloc(n, sizeof *expected);
  const bool ok = wf_gpu_read(run->gpu, got, counts, 4ull * n, err);
  for (uint32_t t = 0; t < threads; t++) expected[t / LANES % words * LANES + t % LANES] += s.turns;
  if (ok) wf_app_compare_u32(run, "count of word", got, expected, n);
  if (ok) wf_app_report(run, "cycles", cycles);
  if (ok) wf_app_report(run, "atomics_per_cycle", (double)threads * s.turns / cycles);
  free(got);
  free(expected);
  return ok;
}

/* ---- the reading kernels ---- */

typedef struct reading {
  const char *kernel;
  uint32_t grid, block;        /* threads = grid * block */
  uint64_t words;              /* of data */
  uint32_t count_param, turns; /* third parameter (turns) only if not 0 */
  unsigned launches;           /* only the last is measured: the others warm the L2 */
  uint64_t bytes_read;         /* by one launch */
} reading;

/* Sum of what the thread reads, by the CPU. */
typedef uint32_t (*expected_fn)(const reading *r, const uint32_t *data, uint32_t thread);

static uint32_t scramble(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

static bool read_launches(wf_app_run *run, const reading *r, const uint32_t *data,
                          uint64_t *device_sums, double *cycles, wf_error *err) {
  uint32_t threads = r->grid * r->block;
  uint64_t device_data = wf_app_upload(run->gpu, data, r->words * 4, "data", err);
  if (!device_data ||
      !(*device_sums = wf_app_reserve(run->gpu, 0, (uint64_t)threads * 4, "sums", err)))
    return false;
  wf_launch_args args = {.kernel = r->kernel, .grid = {r->grid, 1, 1}, .block = {r->block, 1, 1}};
  args.params[args.n_params++] = &device_data;
  args.params[args.n_params++] = &r->count_param;
  if (r->turns) args.params[args.n_params++] = &r->turns;
  args.params[args.n_params++] = device_sums;
  for (unsigned i = 0; i < r->launches; i++) {
    uint64_t before = wf_gpu_cycles(run->gpu);
    if (!wf_gpu_launch(run->gpu, &args, err)) return false;
    *cycles = (double)(wf_gpu_cycles(run->gpu) - before);
  }
  return true;
}

static bool measure(wf_app_run *run, const reading *r, expected_fn expect, wf_error *err) {
  if (!wf_app_load_kernels(run->gpu, "micro", err)) return false;
  uint32_t threads = r->grid * r->block;
  uint32_t *data = wf_calloc(r->words, sizeof *data), *got = wf_calloc(threads, sizeof *got),
           *expected = wf_calloc(threads, sizeof *expected);
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  for (uint64_t i = 0; i < r->words; i++) data[i] = (uint32_t)wf_rng_next(&rng);
  uint64_t sums;
  double cycles = 0;
  bool ok = read_launches(run, r, data, &sums, &cycles, err) &&
            wf_gpu_read(run->gpu, got, sums, (uint64_t)threads * 4, err);
  if (ok) {
    for (uint32_t t = 0; t < threads; t++) expected[t] = expect(r, data, t);
    wf_app_compare_u32(run, "sum of thread", got, expected, threads);
    wf_app_report(run, "bytes", (double)r->bytes_read);
    wf_app_report(run, "cycles", cycles);
    wf_app_report(run, "bytes_per_cycle", (double)r->bytes_read / cycles);
  }
  free(data);
  free(got);
  free(expected);
  return ok;
}

static uint32_t all_blocks(const wf_app_run *run) {
  return wf_gpu_get_config(run->gpu)->n_sm * RESIDENT_BLOCKS;
}

/* The largest power of two of 128-byte blocks in `bytes`. */
static uint32_t power_blocks(uint32_t bytes) {
  uint32_t blocks = 1;
  while ((uint64_t)blocks * 2 * BLOCK_BYTES <= bytes) blocks *= 2;
  return blocks;
}

static uint32_t expect_stream(const reading *r, const uint32_t *data, uint32_t thread) {
  uint32_t sum = 0;
  for (uint64_t i = thread; i < r->words / 4; i += (uint64_t)r->grid * r->block)
    for (unsigned k = 0; k < 4; k++) sum += data[4 * i + k];
  return sum;
}

static const wf_parameter stream_options[] = {BYTES_OPTION(1 << 16, 1l << 31, 8 << 20), {0}};

static bool run_stream(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, stream_options, &s, err)) return false;
  reading r = {
      .kernel = "micro_stream", .grid = all_blocks(run), .block = WF_APP_BLOCK, .launches = 1};
  uint64_t turn = 16ull * r.grid * r.block; /* words that one turn of all threads reads */
  r.words = (((uint64_t)s.bytes / 4 + turn - 1) / turn) * turn;
  r.count_param = (uint32_t)r.words;
  r.bytes_read = r.words * 4;
  return measure(run, &r, expect_stream, err);
}

static const wf_parameter reach_options[] = {
    BYTES_OPTION(1 << 16, 1l << 31, 16 << 20),
    WF_APP_NUMBER(settings, sms, 0, WF_MAX_SMS, 0, "SMs that read; 0: all"),
    {0}};

/* A block of the largest size on each of so many SMs; the first launch brings the data to the L2.
 */
static bool run_reach(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, reach_options, &s, err)) return false;
  const unsigned all = wf_gpu_get_config(run->gpu)->n_sm;
  reading r = {.kernel = "micro_stream",
               .grid = s.sms && s.sms < all ? s.sms : all,
               .block = 1024,
               .launches = 2};
  const uint64_t turn = 16ull * r.grid * r.block;
  r.words = (((uint64_t)s.bytes / 4 + turn - 1) / turn) * turn;
  r.count_param = (uint32_t)r.words;
  r.bytes_read = r.words * 4;
  return measure(run, &r, expect_stream, err);
}

static uint32_t expect_random(const reading *r, const uint32_t *data, uint32_t thread) {
  uint32_t state = ((thread / LANES + 1) * 2654435761u) | 1, sum = 0;
  uint32_t mask = (r->count_param - 1) * BLOCK_BYTES;
  for (uint32_t i = 0; i < r->turns; i++) {
    state = scramble(state);
    for (uint32_t k = 0; k < 4; k++) sum += data[((state >> 2 * k) & mask) / 4 + thread % LANES];
  }
  return sum;
}

static bool run_random_on(wf_app_run *run, const wf_parameter *options, uint32_t grid,
                          uint32_t block, unsigned launches, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  reading r = {.kernel = "micro_random",
               .grid = grid,
               .block = block,
               .launches = launches,
               .count_param = power_blocks(s.bytes),
               .turns = s.turns};
  r.words = (uint64_t)r.count_param * LANES;
  r.bytes_read = (uint64_t)grid * block / LANES * s.turns * 4 * BLOCK_BYTES;
  return measure(run, &r, expect_random, err);
}

static const wf_parameter random_options[] = {
    BYTES_OPTION(BLOCK_BYTES, 1l << 30, 64 << 20), TURNS_OPTION(1 << 20, 16), {0}};

static bool run_random(wf_app_run *run, wf_error *err) {
  return run_random_on(run, random_options, all_blocks(run), WF_APP_BLOCK, 1, err);
}

static const wf_parameter noc_options[] = {
    BYTES_OPTION(BLOCK_BYTES, 1l << 30, 256 << 10), TURNS_OPTION(1 << 20, 64), {0}};

/* One block of the largest size, so one SM; its data fit the L2 but not the L1, and the first
 * launch brings them there. What is left to limit it is the SM's port. */
static bool run_noc(wf_app_run *run, wf_error *err) {
  return run_random_on(run, noc_options, 1, 1024, 2, err);
}

static uint32_t expect_mshr(const reading *r, const uint32_t *data, uint32_t thread) {
  uint32_t state = ((thread + 1) * 2654435761u) | 1, sum = 0;
  for (uint32_t i = 0; i < r->turns; i++) {
    state = scramble(state);
    sum += data[(uint64_t)(state & (r->count_param - 1)) * LANES];
  }
  return sum;
}

static const wf_parameter mshr_options[] = {
    BYTES_OPTION(BLOCK_BYTES, 1l << 31, 64 << 20), TURNS_OPTION(1 << 20, 4), {0}};

static bool run_mshr(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, mshr_options, &s, err)) return false;
  reading r = {.kernel = "micro_mshr",
               .grid = all_blocks(run),
               .block = WF_APP_BLOCK,
               .launches = 1,
               .count_param = power_blocks(s.bytes),
               .turns = s.turns};
  r.words = (uint64_t)r.count_param * LANES;
  r.bytes_read = (uint64_t)r.grid * r.block * s.turns * BLOCK_BYTES;
  return measure(run, &r, expect_mshr, err);
}

/* ---- compute: fused multiply-adds only ---- */

static float expect_compute(float factor, uint32_t turns, uint32_t thread) {
  float sum = 0.0f;
  for (uint32_t k = 0; k < 8; k++) {
    float x = (float)(int)(thread % LANES + k);
    for (uint32_t t = 0; t < turns; t++) x = fmaf(x, factor, 1.0f);
    sum += x;
  }
  return sum;
}

static const wf_parameter compute_options[] = {TURNS_OPTION(1 << 24, 256), {0}};

static bool run_compute(wf_app_run *run, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, compute_options, &s, err) ||
      !wf_app_load_kernels(run->gpu, "micro", err))
    return false;
  const uint32_t turns = s.turns, threads = all_blocks(run) * WF_APP_BLOCK;
  float factor = 0.5f;
  uint64_t sums = wf_app_reserve(run->gpu, 0, (uint64_t)threads * 4, "sums", err);
  const void *params[] = {&factor, &turns, &sums};
  uint64_t before = wf_gpu_cycles(run->gpu);
  if (!sums || !wf_app_launch(run->gpu, "micro_compute", threads, 0, params, 3, err)) return false;
  double cycles = (double)(wf_gpu_cycles(run->gpu) - before);
  float *got = wf_calloc(threads, sizeof *got), *expected = wf_calloc(threads, sizeof *expected);
  bool ok = wf_gpu_read(run->gpu, got, sums, (uint64_t)threads * 4, err);
  if (ok) {
    for (uint32_t t = 0; t < threads; t++)
      expected[t] = t < LANES ? expect_compute(factor, turns, t) : expected[t % LANES];
    wf_app_compare_f32(run, "sum of thread", got, expected, threads);
    wf_app_report(run, "cycles", cycles);
    wf_app_report(run, "fma_per_cycle", 8.0 * turns * threads / cycles);
  }
  free(got);
  free(expected);
  return ok;
}

const wf_app wf_app_chase = {"chase", "latency: one thread follows a chain through app.bytes",
                             false, chase_options, run_chase};
const wf_app wf_app_halves = {"halves", "latency of the L2's near and far half, line by line",
                              false, halves_options, run_halves};
const wf_app wf_app_atomics = {"atomics", "atomics: all SMs add to words of app.bytes", false,
                               atomics_options, run_atomics};
const wf_app wf_app_reach = {"reach", "bandwidth of the L2: app.sms SMs read app.bytes twice",
                             false, reach_options, run_reach};
const wf_app wf_app_stream = {"stream", "bandwidth: all SMs read app.bytes in order", false,
                              stream_options, run_stream};
const wf_app wf_app_random = {"random", "bandwidth: all SMs read random 128-byte blocks", false,
                              random_options, run_random};
const wf_app wf_app_noc = {"noc", "bandwidth of one SM's port: one block reads the L2", false,
                           noc_options, run_noc};
const wf_app wf_app_mshr = {"mshr", "misses in flight: every lane reads a block of its own", false,
                            mshr_options, run_mshr};
const wf_app wf_app_compute = {"compute", "cores only: independent fused multiply-adds", false,
                               compute_options, run_compute};
