/* What every unit's bench needs. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/common/wf_bench.h"

bool wf_bench_open(wf_bench *b, const wf_model_request *request, uint64_t seed,
                   const wf_bench_port *ports, size_t count, wf_error *err) {
  *b = (wf_bench){.seed = seed};
  wf_rng_seed(&b->rng, seed);
  char *path = wf_model_build(request, err);
  if (!path) return false;
  bool ok = (b->lib = wf_model_load(path, err)) != NULL &&
            (b->model = wf_model_create(b->lib, NULL, seed, err)) != NULL;
  free(path);
  for (size_t i = 0; ok && i < count; i++)
    if (!(*ports[i].to = wf_model_port(b->model, ports[i].name)))
      ok = wf_fail(err, WF_EXIT_WRONG, "%s has no port %s", wf_model_name(b->model), ports[i].name);
  return ok;
}

void wf_bench_close(wf_bench *b) {
  wf_model_destroy(b->model);
  wf_model_unload(b->lib);
  b->model = NULL;
  b->lib = NULL;
}

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

int64_t wf_bench_parameter(const wf_bench *b, const char *name) {
  int64_t value;
  return wf_model_parameter(b->model, name, &value) ? value : -1;
}

bool wf_bench_same(wf_bench *b, const wf_port *port, uint64_t expected) {
  uint64_t got = wf_port_get(port);
  return got == expected || wf_bench_fail(b, "%s is %#" PRIx64 ", the model says %#" PRIx64,
                                          port->name, got, expected);
}

static bool unused_read_zero(wf_bench *b, unsigned count) {
  const wf_port *index = wf_model_port(b->model, "cnt_index_i"),
                *value = wf_model_port(b->model, "cnt_value_o");
  for (unsigned i = count; i < 32; i++) {
    wf_port_set(index, i);
    if (!wf_bench_ok(b, wf_model_settle(b->model))) return false;
    if (wf_port_get(value) != 0) return wf_bench_fail(b, "counter %u, which is none, is not 0", i);
  }
  return true;
}

bool wf_bench_counters(wf_bench *b, const char *const *names, const uint64_t *expected,
                       unsigned count, bool (*edge)(void *), void *user) {
  int64_t bits = wf_bench_parameter(b, "CounterBits");
  if (bits == 0) return true;
  if (wf_model_counter_count(b->model) != count)
    return wf_bench_fail(b, "unit.ini names another number of counters");
  uint64_t *values = wf_calloc(2 * (size_t)count, sizeof *values), *later = values + count,
           mask = UINT64_MAX >> (64 - bits);
  bool ok = wf_bench_ok(b, wf_model_counters_read(b->model, values));
  for (unsigned i = 0; ok && i < count; i++)
    if (values[i] != (expected[i] & mask))
      ok = wf_bench_fail(b, "counter %s is %" PRIu64 ", the model counted %" PRIu64, names[i],
                         values[i], expected[i] & mask);
  for (unsigned i = 0; ok && i < 3; i++) ok = edge(user);
  ok = ok && wf_bench_ok(b, wf_model_counters_fetch(b->model, later));
  if (ok && memcmp(later, values, count * sizeof *values) != 0)
    ok = wf_bench_fail(b, "counters change after their snapshot");
  free(values);
  return ok && unused_read_zero(b, count);
}

uint64_t wf_bench_number(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

bool wf_bench_wants(const char *variable, const char *item) {
  const char *list = getenv(variable);
  if (!list) return true;
  size_t length = strlen(item);
  for (;; list++) {
    size_t word = strcspn(list, ",");
    if (word == length && strncmp(list, item, length) == 0) return true;
    list += word;
    if (!*list) return false;
  }
}
