/* The [synth] section of a unit's description, and the formulas in it.
 *   period_ps = N          target clock period at 45 nm; other nodes in proportion (default 1000)
 *   ram_bits = FORMULA     RAM bits the unit's documents promise, of the top module's parameters
 *   let.NAME = FORMULA     a name for the formulas behind it                         (repeatable)
 *   op = TEXT              what energy_per_op counts
 *   ops_per_cycle = FORMULA
 *   allow = MODULE.ARRAY: why it is made of flops although it holds over 1 kbit      (repeatable)
 *   static = NET ...       registers of the top module that change only while the unit is idle: no
 *                          timing path starts there
 *   flatten = MODULE ...   modules dissolved into their parents, besides those of rtl/common
 *   tight = MODULE:PERCENT ...
 *                          modules mapped to so much of the period, 30 to 80: their paths go on in
 *                          others
 *   gpu.NAME = [FORMULA of ]FORMULA x FORMULA flops|RAM|compare
 *                          what the GPU around keeps for the unit, copies of places x bits, or
 *                          compares; no part of the design, priced beside it   (repeatable)
 *
 * Formulas: numbers, parameter names, + - * / % ( ), clog2(x), bits(x), pow2(x), min(a, b),
 * max(a, b); `/` rounds down. bits(x) is clog2(x), at least 1: the width of a number below x. */
#ifndef WF_SYNTH_SPEC_H
#define WF_SYNTH_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct spec_allow {
  char *array, *reason; /* "module.array" */
} spec_allow;

typedef struct spec_list {
  char **items;
  size_t count;
} spec_list;

typedef struct synth_spec {
  char *path;
  long period_ps;
  char *ram_bits, *op, *ops_per_cycle; /* NULL if absent */
  spec_allow *allow;
  size_t allow_count;
  spec_list statics, flatten, tight;
  spec_list let_names, let_formulas;
  spec_list gpu_names, gpu_places;
} synth_spec;

/* False and *err (code 2) naming file, key and value. */
bool synth_spec_read(synth_spec *spec, const char *ini_path, wf_error *err);
void synth_spec_free(synth_spec *spec);

typedef struct spec_parameter {
  char name[64];
  int64_t value;
} spec_parameter;

typedef struct spec_names {
  spec_parameter *items;
  size_t count;
} spec_names;

/* The parameters, and behind them what let defines. The caller frees names->items. */
bool synth_spec_names(const synth_spec *spec, const spec_parameter *parameters, size_t count,
                      spec_names *names, wf_error *err);

/* False and *err (code 2), naming `where`, for anything that is no formula of these parameters. */
bool formula_value(const char *formula, const spec_parameter *parameters, size_t count,
                   const char *where, int64_t *value, wf_error *err);

#endif
