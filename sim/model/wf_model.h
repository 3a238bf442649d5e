/* The model layer: RTL units, Verilated into shared libraries, driven from plain C.
 *
 * A library is one unit in one configuration (build/models/UNIT-CONFIG/UNIT.so, made by
 * sim/model/build-model). An instance of it is a wf_model: an opaque handle with ports found by
 * name. Any number of instances, of the same or of several libraries, live side by side.
 *
 * One clock cycle:
 *     set the inputs; wf_model_settle(m);   outputs now answer this cycle's inputs: sample them
 *     wf_model_edge(m);                     the rising edge; registered outputs have moved
 * A unit whose outputs are all registered needs no settle: read its outputs after edge(), set the
 * inputs, call edge() again. wf_model_step() is settle and edge together.
 *
 * Status is sticky: once an instance has stopped (finish, assertion, fatal, hang), settle and edge
 * do nothing and return that status again. */
#ifndef WF_MODEL_H
#define WF_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/base/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wf_model_status {
  WF_MODEL_OK = 0,
  WF_MODEL_FINISH = 1, /* the RTL called $finish */
  WF_MODEL_ASSERTION =
      2,              /* an assertion, $error, $fatal or $stop of the RTL: wf_model_last_error */
  WF_MODEL_FATAL = 3, /* the simulator failed (no convergence, a C++ exception) */
  WF_MODEL_HANG = 4,  /* a watchdog gave up: wf_model_stop, or the agents' watchdog */
  WF_MODEL_WAVE = 5   /* its waves could not be written */
} wf_model_status;

const char *wf_model_status_name(wf_model_status status);

typedef struct wf_model_lib wf_model_lib;
typedef struct wf_model wf_model;

/* --- Libraries ----------------------------------------------------------------------------- */

/* Opens a model library, given its path. NULL with *err filled in if it is not there, is not a
 * model library, or was made for another version of this layer. */
wf_model_lib *wf_model_load(const char *path, wf_error *err);
/* Closes the library; every instance must have been destroyed before. NULL is allowed. */
void wf_model_unload(wf_model_lib *lib);

/* What to build, for wf_model_build(). Unset strings are NULL. */
typedef struct wf_model_request {
  const char *unit;       /* name of a unit or of a top module, e.g. "mff" */
  const char *config;     /* section [config NAME] of its unit.ini, e.g. "paper" */
  const char *parameters; /* overrides: "TagEntries=128 CLines=8", or NULL */
  const char *variant;    /* NULL ($WARPFAB_VARIANT, or "fast") or "fast", "bench" (without what is
                             proven), "lean" (no assertions), "trace" (waves), "cov" (coverage),
                             "xrand" (unset state random) */
  const char *build_dir;  /* NULL: wf_home_build() */
  const char *script;     /* NULL: $WARPFAB_BUILD_MODEL, or sim/model/build-model in wf_home() */
} wf_model_request;

/* Brings a model up to date (runs the script above; some ms when nothing changed) and returns the
 * path of its library, to be freed. NULL with the tool's message in *err. Safe to call from several
 * processes at once. */
char *wf_model_build(const wf_model_request *request, wf_error *err);

const char *wf_model_lib_unit(const wf_model_lib *lib);
const char *wf_model_lib_config(const wf_model_lib *lib);  /* "paper" or "paper+TagEntries.128" */
const char *wf_model_lib_variant(const wf_model_lib *lib); /* "fast", "bench", ... */

/* Parameters of the top module as elaborated (localparams included). False if there is none. */
bool wf_model_lib_parameter(const wf_model_lib *lib, const char *name, int64_t *value);
size_t wf_model_lib_parameter_count(const wf_model_lib *lib);
const char *wf_model_lib_parameter_at(const wf_model_lib *lib, size_t index, int64_t *value);

/* --- Instances ----------------------------------------------------------------------------- */

/* A new instance in the state after time 0, before reset; all inputs 0, reset asserted. `name`
 * appears in messages (NULL: "UNIT-CONFIG"). `seed` fills unset state in the variant
 * "xrand". NULL with *err when the RTL refuses its parameters. */
wf_model *wf_model_create(wf_model_lib *lib, const char *name, uint64_t seed, wf_error *err);
void wf_model_destroy(wf_model *m); /* NULL is allowed */
/* From here on a model of the variant "bench" looks at its rules at each edge, as others do anyway.
 */
void wf_model_look_always(wf_model *m);

const wf_model_lib *wf_model_library(const wf_model *m);
const char *wf_model_name(const wf_model *m);

/* All inputs 0 and reset asserted for `cycles` (1 or more) edges, then reset released and outputs
 * settled; the cycle count restarts at 0. */
wf_model_status wf_model_reset(wf_model *m, unsigned cycles);
/* Combinational outputs follow the inputs; no state changes. May be called repeatedly. */
wf_model_status wf_model_settle(wf_model *m);
/* One rising edge with the inputs as they are; the cycle count goes up by one. */
wf_model_status wf_model_edge(wf_model *m);
/* settle, then edge. */
wf_model_status wf_model_step(wf_model *m);

wf_model_status wf_model_get_status(const wf_model *m);
/* Ends the instance on behalf of a watchdog or checker; the text becomes last_error. */
void wf_model_stop(wf_model *m, wf_model_status status, const char *text);
/* "mff_unit-paper, cycle 812: wf_fifo.v:97: mff_unit.slice[2].u_cmd: Rule 1: ..."; "" while OK. */
const char *wf_model_last_error(const wf_model *m);

/* Edges since reset. A bench that does not clock an idle unit may move the count forward, so that
 * messages and wave windows use the bench's own time; it must not go backwards. */
uint64_t wf_model_cycle(const wf_model *m);
void wf_model_set_cycle(wf_model *m, uint64_t cycle);

/* The unit's idle output (named in unit.ini) as of the last settle or edge; false if it has none.
 */
bool wf_model_idle(const wf_model *m);
bool wf_model_has_idle(const wf_model *m);

bool wf_model_parameter(const wf_model *m, const char *name, int64_t *value);

/* --- Ports --------------------------------------------------------------------------------- */

/* A port of an instance. Its value lies in Verilator's own variable: reads and writes through the
 * functions below are plain loads and stores. Valid until the instance is destroyed. */
typedef struct wf_port {
  const char *name;
  uint32_t width; /* bits */
  uint32_t bytes; /* storage: 1, 2, 4, 8, or 4 * words for more than 64 bits */
  bool is_output;
  uint32_t *words; /* width > 16: 32-bit words, least significant first (bits above width are 0 and
                      must stay 0); NULL for narrower ports */
  void *data;
} wf_port;

/* NULL if the unit has no such port. Look up once, outside the loop. */
const wf_port *wf_model_port(const wf_model *m, const char *name);
size_t wf_model_port_count(const wf_model *m);
const wf_port *wf_model_port_at(const wf_model *m, size_t index);

/* The low 64 bits of a port. */
static inline uint64_t wf_port_get(const wf_port *p) {
  uint16_t h;
  uint32_t w;
  uint64_t d;
  switch (p->bytes) {
  case 1:
    return *(const uint8_t *)p->data;
  case 2:
    return memcpy(&h, p->data, 2), h;
  case 4:
    return memcpy(&w, p->data, 4), w;
  default:
    return memcpy(&d, p->data, 8), d;
  }
}

/* Sets a port of up to 64 bits (bits above its width are dropped); of a wider port the low 64 bits,
 * the others becoming 0. */
void wf_port_set_wide(const wf_port *p, uint64_t value);
static inline void wf_port_set(const wf_port *p, uint64_t value) {
  if (p->width < 64) value &= (UINT64_C(1) << p->width) - 1;
  uint16_t h = (uint16_t)value;
  uint32_t w = (uint32_t)value;
  switch (p->bytes) {
  case 1:
    *(uint8_t *)p->data = (uint8_t)value;
    break;
  case 2:
    memcpy(p->data, &h, 2);
    break;
  case 4:
    memcpy(p->data, &w, 4);
    break;
  case 8:
    memcpy(p->data, &value, 8);
    break;
  default:
    wf_port_set_wide(p, value);
  }
}

/* Bits lsb .. lsb + width - 1 of a port, width 1..64, lsb + width <= port width: for the flattened
 * vectors of units with several slices. */
uint64_t wf_port_get_bits(const wf_port *p, uint32_t lsb, uint32_t width);
void wf_port_set_bits(const wf_port *p, uint32_t lsb, uint32_t width, uint64_t value);

static inline bool wf_port_bit(const wf_port *p, uint32_t bit) {
  return ((const uint8_t *)p->data)[bit >> 3] >> (bit & 7) & 1; /* little-endian hosts */
}
static inline void wf_port_set_bit(const wf_port *p, uint32_t bit, bool value) {
  uint8_t *byte = (uint8_t *)p->data + (bit >> 3), mask = (uint8_t)(1u << (bit & 7));
  *byte = (uint8_t)(value ? *byte | mask : *byte & ~mask);
}

/* Any number of bits of any port, as 32-bit words, least significant first: (width + 31) / 32
 * words; reads leave unused bits of the last word 0, writes ignore them. Word-aligned ranges are
 * copied, others shifted. */
void wf_port_read(const wf_port *p, uint32_t lsb, uint32_t width, uint32_t *words);
void wf_port_write(const wf_port *p, uint32_t lsb, uint32_t width, const uint32_t *words);

/* --- Performance counters ------------------------------------------------------------------ */

/* Counters of the unit by index, as listed in its unit.ini. */
size_t wf_model_counter_count(const wf_model *m);
const char *wf_model_counter_name(const wf_model *m, size_t index);
/* Reads all counters as of the last snapshot, through the index port; clocks only if the unit's
 * description says that a value follows its index (read_cycles), as many edges per counter, other
 * inputs as they are. `values` has wf_model_counter_count() entries. */
wf_model_status wf_model_counters_fetch(wf_model *m, uint64_t *values);
/* Takes a snapshot (one edge, and the snapshot_cycles of the unit's description, other inputs as
 * they are), then fetches. */
wf_model_status wf_model_counters_read(wf_model *m, uint64_t *values);
/* Clears the live counters (as many edges as a snapshot, other inputs as they are). */
wf_model_status wf_model_counters_clear(wf_model *m);

/* --- Waves and coverage -------------------------------------------------------------------- */

/* Variant "trace" only: starts an FST file. Without a window everything is recorded. False with
 * *err for another variant or a file that cannot be written. */
bool wf_model_wave_open(wf_model *m, const char *path, wf_error *err);
/* Records only cycles first .. end - 1 from now on. */
void wf_model_wave_window(wf_model *m, uint64_t first, uint64_t end);
/* Completes the file. False and *err if it could not be written, now or at an earlier edge. */
bool wf_model_wave_close(wf_model *m, wf_error *err);
/* Variant "cov" only: writes line and toggle coverage so far, in the format verilator_coverage
 * reads. */
/* With WARPFAB_COVERAGE=FOLDER in the environment, wf_model_destroy() does so by itself. */
bool wf_model_coverage_write(wf_model *m, const char *path, wf_error *err);

#ifdef __cplusplus
}
#endif

#endif
