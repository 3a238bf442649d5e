/* What every unit's bench needs. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "tb/common/wf_bench.h"

enum { RESET_EDGES = 2, INDEXES = 32, LATER_EDGES = 3 };

/* ---- life ---- */

static bool load(wf_bench *b, const wf_bench_options *o, wf_error *err) {
  const char *unit = getenv("WF_UNIT");
  const wf_model_request request = {.unit = unit ? unit : b->cls->unit,
                                    .config = o->config,
                                    .parameters = o->parameters,
                                    .variant = o->variant};
  char *path = wf_model_build(&request, err);
  if (!path) return false;
  b->lib = wf_model_load(path, err);
  free(path);
  return b->lib && (b->model = wf_model_create(b->lib, NULL, o->seed, err)) != NULL;
}

void *wf_bench_create(const wf_bench_class *cls, const wf_bench_options *o, wf_error *err) {
  wf_bench *b = wf_calloc(1, cls->bytes);
  b->cls = cls;
  b->seed = o->seed;
  b->gate_percent = o->gate_percent;
  b->bin = wf_calloc(cls->n_bins, sizeof *b->bin);
  wf_rng_seed(&b->rng, o->seed);
  if (load(b, o, err) && cls->open(b, err)) {
    if (wf_bench_reset(b)) return b;
    wf_fail(err, WF_EXIT_WRONG, "%s", b->failure);
  }
  wf_bench_destroy(b);
  return NULL;
}

/* FOLDER/UNIT.PROCESS.NUMBER.bins, one "NAME COUNT" per line. */
static bool write_bins(const wf_bench *b, const char *folder) {
  char path[4096];
  for (unsigned number = 0; number == 0 || access(path, F_OK) == 0; number++)
    snprintf(path, sizeof path, "%s/%s.%ld.%u.bins", folder, b->cls->unit, (long)getpid(), number);
  FILE *file = fopen(path, "w");
  if (!file) return false;
  for (unsigned i = 0; i < b->cls->n_bins; i++)
    fprintf(file, "%s %" PRIu64 "\n", b->cls->bins[i], b->bin[i]);
  return fclose(file) == 0;
}

void wf_bench_destroy(void *bench) {
  wf_bench *b = bench;
  const char *folder = getenv("WARPFAB_COVERAGE");
  if (!b) return;
  if (b->model && folder && !write_bins(b, folder))
    fprintf(stderr, "%s: functional bins cannot be written\n", folder);
  if (b->cls->close) b->cls->close(b);
  wf_model_destroy(b->model);
  wf_model_unload(b->lib);
  free(b->snapshot);
  free(b->bin);
  free(b);
}

bool wf_bench_reset(void *bench) {
  wf_bench *b = bench;
  if (!wf_bench_ok(b, wf_model_reset(b->model, RESET_EDGES))) return false;
  free(b->snapshot);
  b->snapshot = NULL;
  b->cls->reset(b);
  return !b->failure[0];
}

/* ---- checks ---- */

bool wf_bench_fail(wf_bench *b, const char *format, ...) {
  if (b->failure[0]) return false;
  int n = snprintf(b->failure, sizeof b->failure, "%s, cycle %" PRIu64 ", seed %" PRIu64 ": ",
                   wf_model_name(b->model), b->cycle, b->seed);
  va_list args;
  va_start(args, format);
  vsnprintf(b->failure + n, sizeof b->failure - (size_t)n, format, args);
  va_end(args);
  return false;
}

bool wf_bench_ok(wf_bench *b, wf_model_status status) {
  return status == WF_MODEL_OK || wf_bench_fail(b, "%s", wf_model_last_error(b->model));
}

void wf_bench_garbage(wf_bench *b, const wf_port *const *first, const wf_port *const *last) {
  uint64_t x = wf_rng_next(&b->rng);
  for (const wf_port *const *p = first; p <= last; p++) {
    x = wf_rng_rotl(x * UINT64_C(0x9e3779b97f4a7c15), 29);
    if (!(*p)->is_output) wf_port_set(*p, x);
  }
}

bool wf_bench_gated(wf_bench *b) {
  return wf_rng_below(&b->rng, 100) < b->gate_percent;
}

unsigned wf_bench_parameter(const wf_bench *b, const char *name) {
  int64_t value = 0;
  if (!wf_model_parameter(b->model, name, &value)) {
    fprintf(stderr, "%s has no parameter %s\n", wf_model_name(b->model), name);
    abort();
  }
  return (unsigned)value;
}

bool wf_bench_same(wf_bench *b, const wf_port *port, uint64_t expected) {
  uint64_t got = wf_port_get(port);
  return got == expected || wf_bench_fail(b, "%s is %#" PRIx64 ", the model says %#" PRIx64,
                                          port->name, got, expected);
}

bool wf_bench_same_mask(wf_bench *b, const wf_port *port, const wf_mask *expected) {
  const wf_mask got = wf_port_mask(port);
  for (unsigned k = 0; k < WF_MASK_WORDS; k++)
    if (got.w[k] != expected->w[k])
      return wf_bench_fail(b, "%s is %#" PRIx64 " from bit %u on, the model says %#" PRIx64,
                           port->name, got.w[k], 64 * k, expected->w[k]);
  return true;
}

wf_mask wf_bench_some(wf_bench *b, unsigned count) {
  wf_mask some = wf_mask_below(count);
  for (unsigned k = 0; 64 * k < count; k++) some.w[k] &= wf_rng_next(&b->rng);
  return some;
}

/* ---- counters ---- */

/* Each after a counter that is not 0, if there is one: what is shown must not stay. */
static bool unused_read_zero(wf_bench *b) {
  const wf_port *index = wf_model_port(b->model, "cnt_index_i"),
                *value = wf_model_port(b->model, "cnt_value_o");
  unsigned some = 0;
  while (some + 1 < b->cls->n_counters && b->snapshot[some] == 0) some++;
  for (unsigned i = b->cls->n_counters; i < INDEXES && i >> index->width == 0; i++) {
    wf_port_set(index, some);
    if (!wf_bench_ok(b, wf_model_step(b->model))) return false;
    wf_port_set(index, i);
    if (!wf_bench_ok(b, wf_model_step(b->model))) return false; /* it may follow by an edge */
    if (wf_port_get(value) != 0) return wf_bench_fail(b, "counter %u, which is none, is not 0", i);
  }
  return true;
}

static bool counters_agree(wf_bench *b, const uint64_t *values, unsigned bits) {
  const uint64_t mask = UINT64_MAX >> (64 - bits);
  for (unsigned i = 0; i < b->cls->n_counters; i++)
    if (values[i] != (b->counted[i] & mask))
      return wf_bench_fail(b, "counter %s is %" PRIu64 ", the model counted %" PRIu64,
                           b->cls->counters[i], values[i], b->counted[i] & mask);
  return true;
}

/* What the unit shows is the last snapshot. */
static bool snapshot_stays(wf_bench *b) {
  const size_t bytes = b->cls->n_counters * sizeof *b->snapshot;
  uint64_t *now = wf_calloc(b->cls->n_counters, sizeof *now);
  bool ok = wf_bench_ok(b, wf_model_counters_fetch(b->model, now));
  if (ok && memcmp(now, b->snapshot, bytes) != 0)
    ok = wf_bench_fail(b, "counters change after their snapshot");
  free(now);
  return ok;
}

bool wf_bench_check_counters(void *bench) {
  wf_bench *b = bench;
  const unsigned bits = wf_bench_parameter(b, "CounterBits"), count = b->cls->n_counters;
  if (!b->cls->rest(b)) return false;
  if (bits == 0 || !count) return true;
  if (wf_model_counter_count(b->model) != count)
    return wf_bench_fail(b, "the unit's description names another number of counters");
  if (b->snapshot && !b->cls->live_counters && !snapshot_stays(b)) return false;
  free(b->snapshot);
  b->snapshot = wf_calloc(count, sizeof *b->snapshot);
  bool ok = wf_bench_ok(b, wf_model_counters_read(b->model, b->snapshot)) &&
            (!b->counted || counters_agree(b, b->snapshot, bits));
  for (unsigned i = 0; ok && i < LATER_EDGES; i++) ok = b->cls->after(b);
  return ok && snapshot_stays(b) && unused_read_zero(b);
}

/* Clears counters while a snapshot is taken: the clear waits for it. What is read first may be of
 * before. */
static bool clear_behind_snapshot(wf_bench *b) {
  const wf_port *snapshot = wf_model_port(b->model, "cnt_snapshot_i");
  wf_port_set(snapshot, 1);
  bool ok = wf_bench_ok(b, wf_model_edge(b->model));
  wf_port_set(snapshot, 0);
  if (!b->snapshot) b->snapshot = wf_calloc(b->cls->n_counters, sizeof *b->snapshot);
  return ok && wf_bench_ok(b, wf_model_counters_clear(b->model)) &&
         wf_bench_ok(b, wf_model_counters_read(b->model, b->snapshot)) &&
         wf_bench_ok(b, wf_model_counters_read(b->model, b->snapshot));
}

bool wf_bench_clear_counters(void *bench) {
  wf_bench *b = bench;
  if (!b->cls->rest(b)) return false;
  if (wf_bench_parameter(b, "CounterBits") == 0) return true;
  if (!clear_behind_snapshot(b)) return false;
  if (!b->counted) return true;
  memset(b->counted, 0, b->cls->n_counters * sizeof *b->counted);
  return counters_agree(b, b->snapshot, wf_bench_parameter(b, "CounterBits"));
}

/* ---- the environment ---- */

uint64_t wf_bench_number(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

bool wf_bench_wants(const char *config) {
  const char *list = getenv("WF_CONFIG");
  if (!list) return true;
  for (const size_t length = strlen(config);; list++) {
    const size_t word = strcspn(list, ",");
    if (word == length && strncmp(list, config, length) == 0) return true;
    list += word;
    if (!*list) return false;
  }
}
