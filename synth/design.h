/* An elaborated design as Yosys writes it (write_json behind proc and memory_collect): modules, who
 * instantiates whom, which RAM macros and which flops there are. */
#ifndef WF_SYNTH_DESIGN_H
#define WF_SYNTH_DESIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/wf_error.h"
#include "synth/spec.h"

typedef struct design_ram {
  char *instance;
  int width, depth, part; /* bits, words, bits per write enable */
} design_ram;

typedef struct design_child {
  char *instance;
  size_t module; /* index */
} design_child;

/* Flops of one name: a vector, or all elements of an array. */
typedef struct design_bank {
  char *array; /* indexes taken out: `queue_q', `g_out[].fill_q' */
  long bits;
  bool memory; /* declared as an array that Yosys kept as a memory */
} design_bank;

typedef struct design_module {
  char *yosys_name, *name, *short_name; /* $paramod..., name in the source, unique name */
  char *source;                         /* "rtl/x/y.v:1.2-3.4" or "" */
  bool used, library;                   /* below the top; to be dissolved into its parents */
  spec_parameter *parameters;
  size_t parameter_count;
  design_ram *rams;
  size_t ram_count;
  design_child *children;
  size_t child_count;
  design_bank *banks;
  size_t bank_count;
  long flop_bits, latch_bits;
} design_module;

typedef struct design {
  design_module *modules;
  size_t count, top;
} design;

#define DESIGN_RAM_MODULE "wf_ram_1r1w"

/* False and *err (code 2) for a file that is no Yosys JSON netlist with one top module. */
bool design_read(design *d, const char *path, wf_error *err);
void design_free(design *d);

#endif
