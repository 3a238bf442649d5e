/* What every unit's bench needs: an instance built and bound by port names, one failure with its
 * cycle and seed, ports and counters compared with a model, functional bins, choices taken from the
 * environment. A bench's own state begins with a wf_bench, and a wf_bench_class says what is its
 * own; `bench` is a pointer to that state.
 *
 * Environment of every bench:
 *   WF_UNIT=FILE.ini   another description to build from (mutants)
 *   WF_CONFIG=a,b      only these configurations
 *   WF_PLAIN=1         of these, none with overrides
 *   WF_SEED=n          of random tests; a failure prints the command line that replays it
 *   WF_SEEDS=n         so many seeds, one after the other
 *   WF_CYCLES=n        edges of a random test in all, of each seed */
#ifndef WF_BENCH_H
#define WF_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_rng.h"
#include "sim/model/wf_ports.h"

typedef struct wf_edge_class wf_edge_class;

typedef struct wf_bench_class {
  const char *unit;                         /* what is built, unless WF_UNIT names another */
  size_t bytes;                             /* of the bench's state */
  bool (*open)(void *bench, wf_error *err); /* binds ports, reads parameters; before reset */
  void (*reset)(void *bench);               /* all but the RTL, whose inputs are 0: levels too */
  void (*close)(void *bench);               /* frees what open() made; NULL: nothing */
  bool (*rest)(void *bench);                /* edges until the unit is idle */
  bool (*after)(void *bench); /* edges after a snapshot of the counters, which must not see them */
  const char *const *bins, *const *counters; /* names; counters as in unit.ini */
  unsigned n_bins, n_counters;
  const wf_edge_class *edge; /* wf_edge.h; NULL: its edges are its own */
  bool live_counters;        /* what is read are the totals: there is no snapshot that stays */
} wf_bench_class;

typedef struct wf_bench_options {
  const char *config, *parameters, *variant; /* as of wf_model_request */
  uint64_t seed;
  unsigned gate_percent; /* of the edges at which the unit is idle and offered nothing: not given */
} wf_bench_options;

typedef struct wf_bench {
  const wf_bench_class *cls;
  wf_model_lib *lib;
  wf_model *model;
  uint64_t seed, cycle;
  uint64_t offers; /* edges at which something is offered (wf_edge.h) */
  unsigned gate_percent;
  wf_rng rng;         /* seeded with `seed` */
  uint64_t *bin;      /* [n_bins] situations met so far */
  uint64_t *counted;  /* [n_counters] by a model, which open() names; NULL: not compared */
  uint64_t *snapshot; /* [n_counters] the last one, since the reset; NULL: none */
  char failure[2048]; /* the first one; "" while all is well */
} wf_bench;

/* Builds (if needed), loads, opens and resets. NULL with *err. */
void *wf_bench_create(const wf_bench_class *cls, const wf_bench_options *options, wf_error *err);
/* Leaves the bins for the coverage report (make coverage), if one is being made. */
void wf_bench_destroy(void *bench);
bool wf_bench_reset(void *bench);

/* Notes the first failure, in front of it the instance's name, cycle and seed. Always false. */
bool wf_bench_fail(wf_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True for WF_MODEL_OK; else the model's own words become the failure. */
bool wf_bench_ok(wf_bench *b, wf_model_status status);
/* Garbage, another one every time, on the inputs first .. last of a ports struct, which are not
 * offered now. */
void wf_bench_garbage(wf_bench *b, const wf_port *const *first, const wf_port *const *last);
/* Whether the unit, idle and offered nothing, is not clocked at this edge. */
bool wf_bench_gated(wf_bench *b);
/* The RTL parameter, which must be there. */
unsigned wf_bench_parameter(const wf_bench *b, const char *name);
/* The port's value is as expected, or a failure that names it. */
bool wf_bench_same(wf_bench *b, const wf_port *port, uint64_t expected);
bool wf_bench_same_mask(wf_bench *b, const wf_port *port, const wf_mask *expected);
/* Any of the first `count` bits. */
wf_mask wf_bench_some(wf_bench *b, unsigned count);
/* Rests; the last snapshot must still be there, whatever was counted since. Takes one and compares
 * it, modulo the counters' width, with what a model counted; then that the class's edges after it
 * left it as it was, and that indices without a counter, up to 31, read 0. Nothing to compare
 * without CounterBits. */
bool wf_bench_check_counters(void *bench);
/* Rests, then clears the unit's counters and the model's. */
bool wf_bench_clear_counters(void *bench);

/* A number from the environment, also 0x...; `otherwise` if it is not set. */
uint64_t wf_bench_number(const char *variable, uint64_t otherwise);
/* Whether `config` is one of WF_CONFIG's; true if that is not set. */
bool wf_bench_wants(const char *config);

/* Names of bins and counters are lists X(name), separated by commas. */
#define WF_BENCH_NAME(name) #name
#define WF_BENCH_PORT_NAME(name) "port." #name

#endif
