/* synth_prepare LIBERTY      checks a library and prints its name
 * synth_prepare DESIGN.json UNIT.ini UNIT CONFIG LIBERTY RAM_TABLE RAM_SOURCE NODE_NM FOLDER
 * Between elaboration and mapping: refuses memories that would become flops, prices RAM macros and
 * writes for the tools behind it, into FOLDER:
 *   rams.v      black boxes, one per shape       rams.lib   their Liberty: area, timing arcs,
 * leakage map.ys      Yosys commands: RAM instances to shapes, readable module names, what stays a
 * module prepare.json  what the report needs           Prints "key value" lines for the driver
 * script. Exit code 1: flop-built memories; 2: bad input. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_out.h"
#include "synth/design.h"
#include "synth/liberty.h"
#include "synth/ram_model.h"
#include "synth/result.h"
#include "synth/spec.h"

enum { FLOP_MEMORY_BITS = 1024 };

typedef struct shape {
  int width, depth, part;
  char name[64];
  ram_price price;
} shape;

typedef struct job {
  const char *unit, *config, *folder;
  design design;
  synth_spec spec;
  spec_names names; /* of the formulas */
  liberty lib;
  ram_table table;
  ram_source source;
  int node_nm;
  shape *shapes;
  size_t shape_count;
  cJSON *json;
  wf_error err;
} job;

static shape *shape_of(job *j, const design_ram *ram) {
  for (size_t i = 0; i < j->shape_count; i++) {
    shape *s = &j->shapes[i];
    if (s->width == ram->width && s->depth == ram->depth && s->part == ram->part) return s;
  }
  j->shapes = wf_realloc(j->shapes, j->shape_count + 1, sizeof *j->shapes);
  shape *s = &j->shapes[j->shape_count++];
  *s = (shape){.width = ram->width, .depth = ram->depth, .part = ram->part};
  snprintf(s->name, sizeof s->name, "wf_ram_w%d_d%d_p%d", s->width, s->depth, s->part);
  s->price = ram_price_of(&j->source, j->node_nm, s->depth, s->width);
  return s;
}

static FILE *create(job *j, const char *file) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", j->folder, file);
  FILE *out = fopen(path, "w");
  if (!out) wf_fail(&j->err, WF_EXIT_BAD_INPUT, "%s: cannot be written", path);
  return out;
}

static bool finish(job *j, FILE *out, const char *file) {
  bool bad = ferror(out) != 0;
  if (fclose(out) || bad)
    return wf_fail(&j->err, WF_EXIT_BAD_INPUT, "%s/%s: cannot be written", j->folder, file);
  return true;
}

static int address_bits(int depth) {
  int bits = 1;
  while (1 << bits < depth) bits++;
  return bits;
}

static bool write_stubs(job *j) {
  FILE *out = create(j, "rams.v");
  if (!out) return false;
  for (size_t i = 0; i < j->shape_count; i++) {
    const shape *s = &j->shapes[i];
    int a = address_bits(s->depth) - 1;
    fprintf(
        out,
        "(* blackbox *) module %s(input clk_i, input rst_ni, input wr_en_i, input [%d:0] "
        "wr_addr_i,\n"
        "  input [%d:0] wr_mask_i, input [%d:0] wr_data_i, input rd_en_i, input [%d:0] rd_addr_i,\n"
        "  output [%d:0] rd_data_o); endmodule\n",
        s->name, a, s->width / s->part - 1, s->width - 1, a, s->width - 1);
  }
  return finish(j, out, "rams.v");
}

/* Pins of compiled macros at 45 nm: set-up 50 ps, 5 fF an input, 25 fF the clock; an output driver
 * of about 1 kOhm (0.7 ps per fF). Times and capacitances in proportion to the node. */
static void write_cell(FILE *out, const shape *s, double scale) {
  double t = s->price.value[RAM_ACCESS], setup = 0.05 * scale, slow = t + 0.07 * scale;
  struct {
    const char *name;
    int width;
  } const pins[] = {{"wr_en_i", 0},
                    {"rd_en_i", 0},
                    {"wr_addr_i", address_bits(s->depth)},
                    {"rd_addr_i", address_bits(s->depth)},
                    {"wr_mask_i", s->width / s->part},
                    {"wr_data_i", s->width}};
  fprintf(out, "cell(%s) {\n  area : %.3f;\n  cell_leakage_power : 0;\n", s->name,
          s->price.value[RAM_AREA]);
  fprintf(out,
          "  pin(clk_i) { direction : input; clock : true; capacitance : %g; }\n"
          "  pin(rst_ni) { direction : input; capacitance : 0; }\n",
          25 * scale);
  for (size_t p = 0; p < sizeof pins / sizeof *pins; p++) {
    if (pins[p].width)
      fprintf(out, "  bus(%s) { bus_type : w%d;", pins[p].name, pins[p].width);
    else
      fprintf(out, "  pin(%s) {", pins[p].name);
    fprintf(out,
            " direction : input; capacitance : %g; timing() { related_pin : \"clk_i\"; timing_type "
            ": setup_rising;"
            " rise_constraint(scalar) { values(\"%.4f\"); } fall_constraint(scalar) { "
            "values(\"%.4f\"); } } }\n",
            5 * scale, setup, setup);
  }
  fprintf(
      out,
      "  bus(rd_data_o) { bus_type : w%d; direction : output; timing() { related_pin : \"clk_i\";"
      " timing_type : rising_edge; cell_rise(drive) { values(\"%.4f, %.4f\"); } cell_fall(drive) { "
      "values(\"%.4f, %.4f\"); }"
      " rise_transition(drive) { values(\"%.4f, %.4f\"); } fall_transition(drive) { values(\"%.4f, "
      "%.4f\"); } } }\n}\n",
      s->width, t, slow, t, slow, 0.01 * scale, 0.06 * scale, 0.01 * scale, 0.06 * scale);
}

static void write_types(FILE *out, const job *j) {
  for (int width = 1; width <= 1 << 16; width++) {
    bool used = false;
    for (size_t i = 0; i < j->shape_count && !used; i++) {
      const shape *s = &j->shapes[i];
      used = width == s->width || width == address_bits(s->depth) || width == s->width / s->part;
    }
    if (used)
      fprintf(out,
              "type(w%d) { base_type : array; data_type : bit; bit_width : %d; bit_from : %d; "
              "bit_to : 0; downto : true; }\n",
              width, width, width - 1);
  }
}

static bool write_liberty(job *j) {
  FILE *out = create(j, "rams.lib");
  if (!out) return false;
  fprintf(out,
          "library(wf_rams) {\ndelay_model : table_lookup;\ntime_unit : \"1ns\"; voltage_unit : "
          "\"1V\"; current_unit : \"1mA\";\n"
          "pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\"; capacitive_load_unit "
          "(1,ff);\nnom_voltage : %g;\n"
          "input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise "
          ": 50; output_threshold_pct_fall : 50;\n"
          "slew_lower_threshold_pct_rise : 30; slew_lower_threshold_pct_fall : 30; "
          "slew_upper_threshold_pct_rise : 70; slew_upper_threshold_pct_fall : 70;\n"
          "lu_table_template(drive) { variable_1 : total_output_net_capacitance; index_1 (\"%g, "
          "%g\"); }\n",
          j->lib.volts, j->node_nm / 45.0, 100 * j->node_nm / 45.0);
  write_types(out, j);
  for (size_t i = 0; i < j->shape_count; i++) write_cell(out, &j->shapes[i], j->node_nm / 45.0);
  fprintf(out, "}\n");
  return finish(j, out, "rams.lib");
}

static bool to_flatten(const job *j, const design_module *m) {
  for (size_t i = 0; i < j->spec.flatten.count; i++)
    if (strcmp(j->spec.flatten.items[i], m->name) == 0) return true;
  return strstr(m->source, "/common/") != NULL;
}

static bool write_map(job *j) {
  FILE *out = create(j, "map.ys");
  design *d = &j->design;
  if (!out) return false;
  for (size_t i = 0; i < d->count; i++) {
    const design_module *m = &d->modules[i];
    for (size_t r = 0; m->used && r < m->ram_count; r++)
      fprintf(out, "chtype -set %s %s/%s\n", shape_of(j, &m->rams[r])->name, m->yosys_name,
              m->rams[r].instance);
    for (size_t c = 0; m->used && c < m->child_count; c++)
      fprintf(out, "chtype -set %s %s/%s\n", d->modules[m->children[c].module].short_name,
              m->yosys_name, m->children[c].instance);
  }
  if (j->shape_count)
    fprintf(out, "setparam -unset Width -unset Depth -unset PartBits t:wf_ram_w*\n");
  for (size_t i = 0; i < d->count; i++) {
    const design_module *m = &d->modules[i];
    if (!m->used) continue;
    if (strcmp(m->yosys_name, m->short_name) != 0)
      fprintf(out, "rename %s %s\n", m->yosys_name, m->short_name);
    if (!m->library) fprintf(out, "setattr -mod -set keep_hierarchy 1 %s\n", m->short_name);
  }
  return finish(j, out, "map.ys");
}

static const spec_allow *allowed(job *j, const design_module *m, const design_bank *b) {
  char name[512];
  snprintf(name, sizeof name, "%s.%s", m->name, b->array);
  for (size_t i = 0; i < j->spec.allow_count; i++) {
    if (strcmp(j->spec.allow[i].array, name) == 0) return &j->spec.allow[i];
  }
  return NULL;
}

/* Lists every array of flops above the limit; how many have no reason. */
static int check_flops(job *j) {
  cJSON *list = cJSON_AddArrayToObject(j->json, "flop_memories");
  int refused = 0;
  for (size_t i = 0; i < j->design.count; i++) {
    const design_module *m = &j->design.modules[i];
    for (size_t b = 0; m->used && b < m->bank_count; b++) {
      const design_bank *bank = &m->banks[b];
      if (bank->bits <= FLOP_MEMORY_BITS) continue;
      const spec_allow *a = allowed(j, m, bank);
      cJSON *item = cJSON_CreateObject();
      cJSON_AddStringToObject(item, "module", m->short_name);
      cJSON_AddStringToObject(item, "array", bank->array);
      cJSON_AddNumberToObject(item, "bits", (double)bank->bits);
      if (a) cJSON_AddStringToObject(item, "allowed_because", a->reason);
      cJSON_AddItemToArray(list, item);
      if (a) continue;
      refused++;
      fprintf(stderr,
              "synth: %s: %s.%s holds %ld bits in flops; over %d bits belong into wf_ram_1r1w (or "
              "`allow = %s.%s: reason' in [synth] of %s)\n",
              j->unit, m->short_name, bank->array, bank->bits, FLOP_MEMORY_BITS, m->name,
              bank->array, j->spec.path);
    }
    if (m->used && m->latch_bits) {
      refused++;
      fprintf(stderr, "synth: %s: %s holds %ld latches; the library's rules allow none\n", j->unit,
              m->short_name, m->latch_bits);
    }
  }
  return refused;
}

typedef struct walk_state {
  job *j;
  cJSON *memories, *instance_modules; /* the second: path to module */
  long *instances, ram_bits;
  char **first_path;
} walk_state;

static void add_memory(walk_state *w, const char *path, const char *separator,
                       const design_module *m, const design_ram *ram) {
  const shape *s = shape_of(w->j, ram);
  char instance[4096];
  long bits = (long)ram->width * ram->depth;
  snprintf(instance, sizeof instance, "%s%s%s", path, separator, ram->instance);
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "instance", instance);
  cJSON_AddStringToObject(item, "module", m->short_name);
  cJSON_AddNumberToObject(item, "width", ram->width);
  cJSON_AddNumberToObject(item, "depth", ram->depth);
  cJSON_AddNumberToObject(item, "bits", (double)bits);
  cJSON_AddNumberToObject(item, "um2", round(s->price.value[RAM_AREA] * 10) / 10);
  cJSON_AddNumberToObject(item, "access_ns", round(s->price.value[RAM_ACCESS] * 1e4) / 1e4);
  cJSON_AddNumberToObject(item, "read_pj", round(s->price.value[RAM_READ] * 1e4) / 1e4);
  cJSON_AddNumberToObject(item, "write_pj", round(s->price.value[RAM_WRITE] * 1e4) / 1e4);
  cJSON_AddNumberToObject(item, "leak_uw", round(s->price.value[RAM_LEAK] * 10) / 10);
  cJSON_AddNumberToObject(item, "banks", s->price.banks);
  cJSON_AddBoolToObject(item, "extrapolated", s->price.extrapolated);
  cJSON_AddItemToArray(w->memories, item);
  w->ram_bits += bits;
}

/* `owner`: the module that remains a module after dissolving. */
static void walk(walk_state *w, size_t at, const char *path, size_t owner) {
  design *d = &w->j->design;
  const design_module *m = &d->modules[at];
  if (!m->library || at == d->top) owner = at;
  if (owner == at) {
    if (!w->instances[at]++) w->first_path[at] = wf_strdup(path);
    cJSON_AddStringToObject(w->instance_modules, path, m->short_name);
  }
  /* A module that stays is left by a slash, as timing tools write it; a dissolved one by a dot. */
  const char *separator = !*path ? "" : owner == at ? "/" : ".";
  for (size_t i = 0; i < m->ram_count; i++)
    add_memory(w, path, separator, &d->modules[owner], &m->rams[i]);
  for (size_t i = 0; i < m->child_count; i++) {
    char below[4096];
    snprintf(below, sizeof below, "%s%s%s", path, separator, m->children[i].instance);
    walk(w, m->children[i].module, below, owner);
  }
}

static void list_modules(walk_state *w) {
  cJSON *list = cJSON_AddArrayToObject(w->j->json, "modules");
  for (size_t i = 0; i < w->j->design.count; i++) {
    if (!w->instances[i]) continue;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "module", w->j->design.modules[i].short_name);
    cJSON_AddStringToObject(item, "first_instance", w->first_path[i]);
    cJSON_AddNumberToObject(item, "instances", (double)w->instances[i]);
    cJSON_AddItemToArray(list, item);
  }
}

static bool list_hierarchy(job *j) {
  design *d = &j->design;
  walk_state w = {.j = j,
                  .memories = cJSON_AddArrayToObject(j->json, "memories"),
                  .instance_modules = cJSON_AddObjectToObject(j->json, "instances"),
                  .instances = wf_calloc(d->count, sizeof(long)),
                  .first_path = wf_calloc(d->count, sizeof(char *))};
  walk(&w, d->top, "", d->top);
  list_modules(&w);
  for (size_t i = 0; i < d->count; i++) free(w.first_path[i]);
  free(w.first_path);
  free(w.instances);
  cJSON_AddNumberToObject(j->json, "memory_bits", (double)w.ram_bits);
  int64_t expected = w.ram_bits;
  if (j->spec.ram_bits && !formula_value(j->spec.ram_bits, j->names.items, j->names.count,
                                         j->spec.path, &expected, &j->err))
    return false;
  if (j->spec.ram_bits)
    cJSON_AddNumberToObject(j->json, "memory_bits_by_formula", (double)expected);
  if (expected != w.ram_bits)
    return wf_fail(&j->err, WF_EXIT_WRONG,
                   "%s: [synth] ram_bits gives %lld bits of RAM for %s, the design has %ld",
                   j->spec.path, (long long)expected, j->config, w.ram_bits);
  return true;
}

static bool list_constants(job *j) {
  const design_module *top = &j->design.modules[j->design.top];
  int64_t ops = 0;
  cJSON *parameters = cJSON_AddObjectToObject(j->json, "parameters"), *list;
  for (size_t i = 0; i < top->parameter_count; i++)
    cJSON_AddNumberToObject(parameters, top->parameters[i].name, (double)top->parameters[i].value);
  if (!synth_spec_names(&j->spec, top->parameters, top->parameter_count, &j->names, &j->err))
    return false;
  if (j->spec.ops_per_cycle && !formula_value(j->spec.ops_per_cycle, j->names.items, j->names.count,
                                              j->spec.path, &ops, &j->err))
    return false;
  if (j->spec.op) cJSON_AddStringToObject(j->json, "op", j->spec.op);
  if (ops) cJSON_AddNumberToObject(j->json, "ops_per_cycle", (double)ops);
  list = cJSON_AddArrayToObject(j->json, "static");
  for (size_t i = 0; i < j->spec.statics.count; i++)
    cJSON_AddItemToArray(list, cJSON_CreateString(j->spec.statics.items[i]));
  return true;
}

/* A bit that is held or written anew: the smallest flop, and a multiplexer. */
static double kept_bit_um2(const job *j) {
  const lib_cell *mux = liberty_smallest(&j->lib, "mux2");
  double flop = NAN;
  for (size_t i = 0; i < j->lib.count; i++) {
    const lib_cell *c = &j->lib.cells[i];
    if (c->flop && c->area > 0 && !(c->area >= flop)) flop = c->area;
  }
  return flop + (mux ? mux->area : 3 * liberty_smallest(&j->lib, "nand2")->area);
}

/* Of a bit that is compared: is it the other's, and all of them. */
static double compared_bit_um2(const job *j) {
  const double nand = liberty_smallest(&j->lib, "nand2")->area;
  const lib_cell *same = liberty_smallest(&j->lib, "xnor2"),
                 *both = liberty_smallest(&j->lib, "and2");
  return (same ? same->area : 4 * nand) + (both ? both->area : 1.5 * nand);
}

/* The value of a formula of [synth], or of 1 where there is none. */
static bool gpu_number(job *j, const char *formula, int64_t *value) {
  *value = 1;
  return !formula ||
         formula_value(formula, j->names.items, j->names.count, j->spec.path, value, &j->err);
}

/* [COPIES of ]PLACES x BITS KIND */
static bool add_gpu_row(job *j, cJSON *list, const char *name, char *text) {
  int64_t copies, places, width;
  char *kind = strrchr(text, ' '), *times = strstr(text, " x "), *of = strstr(text, " of ");
  const bool ram = kind && strcmp(kind, " RAM") == 0, flops = kind && strcmp(kind, " flops") == 0;
  if (!times || times >= kind || (of && of > times) ||
      (!ram && !flops && strcmp(kind, " compare") != 0))
    return wf_fail(
        &j->err, WF_EXIT_BAD_INPUT,
        "%s: [synth] gpu.%s = %s: expected PLACES x BITS, or COPIES of such, and flops, RAM "
        "or compare",
        j->spec.path, name, text);
  *kind = *times = 0;
  if (of) *of = 0;
  if (!gpu_number(j, of ? text : NULL, &copies) || !gpu_number(j, of ? of + 4 : text, &places) ||
      !gpu_number(j, times + 3, &width))
    return false;
  if (copies < 1 || places < 1 || width < 1 || copies * places * width > 1 << 24)
    return wf_fail(
        &j->err, WF_EXIT_BAD_INPUT,
        "%s: [synth] gpu.%s: %lld of %lld places of %lld bits: expected 1 or more of each",
        j->spec.path, name, (long long)copies, (long long)places, (long long)width);
  const double bits = (double)(copies * places * width), n = (double)copies,
               bit_um2 = ram     ? 0
                         : flops ? kept_bit_um2(j)
                                 : compared_bit_um2(j);
  const ram_price price = ram_price_of(&j->source, j->node_nm, (int)places, (int)width);
  cJSON *row = cJSON_CreateObject();
  cJSON_AddStringToObject(row, "name", name);
  cJSON_AddNumberToObject(row, "places", (double)(copies * places));
  result_put(row, "flops", flops ? bits : 0, 0);
  result_put(row, "logic_um2", bits * bit_um2, 1);
  result_put(row, "memory_bits", ram ? bits : 0, 0);
  result_put(row, "memory_um2", ram ? n * price.value[RAM_AREA] : 0, 1);
  result_put(row, "memory_leak_mw", ram ? n * price.value[RAM_LEAK] / 1000 : 0, 4);
  cJSON_AddItemToArray(list, row);
  return true;
}

static bool list_gpu(job *j) {
  bool ok = true;
  cJSON *list = cJSON_AddArrayToObject(j->json, "gpu");
  for (size_t i = 0; i < j->spec.gpu_names.count && ok; i++) {
    char *text = wf_strdup(j->spec.gpu_places.items[i]);
    ok = add_gpu_row(j, list, j->spec.gpu_names.items[i], text);
    free(text);
  }
  return ok;
}

/* What the script that maps them reads. */
static bool print_tight(job *j) {
  for (size_t i = 0; i < j->spec.tight.count; i++) {
    const char *text = j->spec.tight.items[i], *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    long percent = 0;
    bool known = false;
    for (size_t m = 0; m < j->design.count && length; m++) {
      const design_module *module = &j->design.modules[m];
      known |= module->used && !module->library && strlen(module->short_name) == length &&
               strncmp(module->short_name, text, length) == 0;
    }
    if (!known || !wf_parse_long(colon + 1, &percent) || percent < 30 || percent > 80)
      return wf_fail(
          &j->err, WF_EXIT_BAD_INPUT,
          "%s: [synth] tight = %s: expected MODULE:PERCENT, a module of the design that is "
          "mapped by itself, and 30 to 80",
          j->spec.path, text);
    printf("tight %.*s %ld\n", (int)length, text, percent);
  }
  return true;
}

static bool write_json(job *j) {
  char path[4096];
  snprintf(path, sizeof path, "%s/prepare.json", j->folder);
  return wf_json_save(path, j->json, &j->err);
}

/* What the driver script needs. */
static void print_plan(const job *j) {
  const lib_cell *inv = liberty_smallest(&j->lib, "inv"), *buf = liberty_smallest(&j->lib, "buf");
  printf("period_ps %ld\n", lround((double)j->spec.period_ps * j->node_nm / 45));
  printf("driver %s\n", buf->name);
  printf("load_ff %.2f\n", 4 * inv->input_cap);
  printf("wire_load %s\n", j->lib.wire_load);
  printf("rams %zu\n", j->shape_count);
  for (size_t i = 0; i < j->spec.statics.count; i++)
    printf("static %s\n", j->spec.statics.items[i]);
}

static bool run(job *j, char **argv) {
  design *d = &j->design;
  j->unit = argv[3], j->config = argv[4], j->node_nm = atoi(argv[8]), j->folder = argv[9];
  j->json = cJSON_CreateObject();
  if (!synth_spec_read(&j->spec, argv[2], &j->err) || !liberty_read(&j->lib, argv[5], &j->err) ||
      !ram_table_read(&j->table, argv[6], &j->err))
    return false;
  if (!ram_table_find(&j->table, argv[7], &j->source, &j->err) || !design_read(d, argv[1], &j->err))
    return false;
  if (!liberty_smallest(&j->lib, "inv") || !liberty_smallest(&j->lib, "buf"))
    return wf_fail(&j->err, WF_EXIT_BAD_INPUT, "%s: no inverter or no buffer in the library",
                   argv[5]);
  cJSON_AddStringToObject(j->json, "unit", j->unit);
  cJSON_AddStringToObject(j->json, "config", j->config);
  cJSON_AddStringToObject(j->json, "top", d->modules[d->top].short_name);
  for (size_t i = 0; i < d->count; i++)
    d->modules[i].library = i != d->top && to_flatten(j, &d->modules[i]);
  int refused = check_flops(j);
  if (refused)
    return wf_fail(&j->err, WF_EXIT_WRONG, "%s %s: %d memories made of flops", j->unit, j->config,
                   refused);
  if (!list_constants(j) || !list_gpu(j) || !list_hierarchy(j) || !write_map(j) ||
      !write_stubs(j) || !write_liberty(j) || !write_json(j) || !print_tight(j))
    return false;
  print_plan(j);
  return true;
}

/* Prints the library's name, or says why it is none. */
static bool check_library(job *j, const char *path) {
  if (!liberty_read(&j->lib, path, &j->err)) return false;
  printf("%s\n", j->lib.name);
  return true;
}

int main(int argc, char **argv) {
  job j = {0};
  bool ok = argc == 2    ? check_library(&j, argv[1])
            : argc == 10 ? run(&j, argv)
                         : wf_fail(&j.err, WF_EXIT_BAD_INPUT,
                                   "usage: synth_prepare LIBERTY | synth_prepare DESIGN.json "
                                   "UNIT.ini UNIT CONFIG LIBERTY "
                                   "RAM_TABLE RAM_SOURCE NODE_NM FOLDER");
  if (!ok) fprintf(stderr, "synth: %s\n", j.err.text);
  cJSON_Delete(j.json);
  free(j.shapes);
  free(j.names.items);
  liberty_free(&j.lib);
  synth_spec_free(&j.spec);
  design_free(&j.design);
  return ok ? 0 : j.err.code;
}
