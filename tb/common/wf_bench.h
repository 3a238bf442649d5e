/* What every unit's bench needs: an instance built and bound by port names, one failure with its
 * cycle and seed, ports and counters compared with a model, choices taken from the environment. A
 * bench holds one as its first part. */
#ifndef WF_BENCH_H
#define WF_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_rng.h"
#include "sim/model/wf_model.h"

typedef struct wf_bench {
  wf_model_lib *lib;
  wf_model *model;
  uint64_t seed, cycle;
  wf_rng rng;         /* seeded with `seed` */
  char failure[2048]; /* the first one; "" while all is well */
} wf_bench;

typedef struct wf_bench_port {
  const wf_port **to;
  const char *name;
} wf_bench_port;

/* Builds (if needed), loads, binds all ports and leaves the instance unreset. False with *err;
 * close it all the same. */
bool wf_bench_open(wf_bench *b, const wf_model_request *request, uint64_t seed,
                   const wf_bench_port *ports, size_t count, wf_error *err);
void wf_bench_close(wf_bench *b);

/* Notes the first failure, in front of it the instance's name, cycle and seed. Always false. */
bool wf_bench_fail(wf_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True for WF_MODEL_OK; else the model's own words become the failure. */
bool wf_bench_ok(wf_bench *b, wf_model_status status);
/* The RTL parameter, or -1 if the unit has none of that name. */
int64_t wf_bench_parameter(const wf_bench *b, const char *name);
/* The port's value is as expected, or a failure that names it. */
bool wf_bench_same(wf_bench *b, const wf_port *port, uint64_t expected);
/* Reads all counters of unit.ini once and compares them, modulo their width, with what a model
 * counted; then that three more edges
 * (`edge` of the bench, which must offer nothing) leave the snapshot as it was, and that indices
 * without a counter, up to 31, read 0. Nothing to compare without CounterBits. */
bool wf_bench_counters(wf_bench *b, const char *const *names, const uint64_t *expected,
                       unsigned count, bool (*edge)(void *), void *user);

/* A number from the environment, also 0x...; `otherwise` if it is not set. */
uint64_t wf_bench_number(const char *variable, uint64_t otherwise);
/* Whether `item` is one of the variable's words a,b,...; true if it is not set. */
bool wf_bench_wants(const char *variable, const char *item);

#endif
