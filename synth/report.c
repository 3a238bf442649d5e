/* synth_report WORK LIBERTY NODE_NM RAM_SOURCE PERIOD_PS IO_SHARE ACTIVITY OUT.json
 * Puts together what the tools left in WORK: prepare.json, stat.json, timing, timing_ideal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "synth/liberty.h"
#include "synth/ram_model.h"
#include "synth/result.h"

/* Of the cycles, how many read and how many write each RAM, for the estimate of energy. */
#define RAM_DUTY 0.5
enum { SHOWN_PATHS = 8, NAME = 512 };

typedef struct point {
  char pin[NAME];
  double arrival; /* ns */
} point;

typedef struct path {
  double slack;
  char from[NAME], to[NAME];
  point *points;
  size_t count;
} path;

typedef struct timing {
  path *paths;
  size_t count;
  double internal_w, switching_w, leakage_w; /* NaN: not told */
} timing;

typedef struct job {
  const char *work, *ram_source;
  int node_nm;
  double period_ns, io_share, activity;
  liberty lib;
  cJSON *prepare, *stat, *out;
  wf_error err;
} job;

static cJSON *read_work(job *j, const char *file) {
  char name[4096];
  snprintf(name, sizeof name, "%s/%s", j->work, file);
  return wf_json_read(name, &j->err);
}

/* ---- area ---- */

typedef struct area {
  double um2, buffers_um2;
  long cells, flops, latches;
} area;

static area area_of(const job *j, const cJSON *module) {
  area a = {0};
  const cJSON *type;
  cJSON_ArrayForEach(type, cJSON_GetObjectItemCaseSensitive(module, "num_cells_by_type")) {
    const lib_cell *cell = liberty_cell(&j->lib, type->string);
    if (!cell) continue;
    long n = (long)type->valuedouble;
    a.um2 += cell->area * (double)n;
    a.cells += n;
    if (cell->flop) a.flops += n;
    if (cell->latch) a.latches += n;
  }
  return a;
}

/* A module's entry of stat.json; NULL if it was dissolved. */
static const cJSON *stat_of(const job *j, const char *module) {
  const cJSON *item;
  cJSON_ArrayForEach(item,
                     cJSON_GetObjectItemCaseSensitive(
                         j->stat, "modules")) if (strcmp(item->string + (item->string[0] == '\\'),
                                                         module) == 0) return item;
  return NULL;
}

static void memory_of(const job *j, const char *module, double *bits, double *um2) {
  const cJSON *item;
  *bits = *um2 = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(j->prepare, "memories")) {
    if (strcmp(result_text(item, "module"), module) != 0) continue;
    *bits += result_number(item, "bits");
    *um2 += result_number(item, "um2");
  }
}

static int by_logic(const void *a, const void *b) {
  double x = result_number(*(cJSON *const *)a, "logic_um2"),
         y = result_number(*(cJSON *const *)b, "logic_um2");
  return x < y   ? 1
         : x > y ? -1
                 : strcmp(result_text(*(cJSON *const *)a, "module"),
                          result_text(*(cJSON *const *)b, "module"));
}

static void add_areas(job *j) {
  double nand = liberty_smallest(&j->lib, "nand2")->area;
  cJSON *modules = cJSON_GetObjectItemCaseSensitive(j->prepare, "modules"), *module;
  size_t n = (size_t)cJSON_GetArraySize(modules), used = 0;
  cJSON **rows = wf_calloc(n + 1, sizeof *rows);
  area total = {0};
  cJSON_ArrayForEach(module, modules) {
    const char *name = result_text(module, "module");
    const cJSON *stat = stat_of(j, name);
    double instances = result_number(module, "instances"), bits, um2;
    area a = stat ? area_of(j, stat) : (area){0};
    memory_of(j, name, &bits, &um2);
    if (!stat && bits == 0) continue;
    cJSON *row = rows[used++] = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "module", name);
    cJSON_AddStringToObject(row, "first_instance", result_text(module, "first_instance"));
    result_put(row, "instances", instances, 0);
    result_put(row, "logic_um2", a.um2 * instances, 1);
    result_put(row, "kge", a.um2 * instances / nand / 1000, 2);
    result_put(row, "cells", (double)a.cells * instances, 0);
    result_put(row, "flops", (double)a.flops * instances, 0);
    result_put(row, "memory_bits", bits, 0);
    result_put(row, "memory_um2", um2, 1);
    total.um2 += a.um2 * instances;
    total.cells += (long)((double)a.cells * instances);
    total.flops += (long)((double)a.flops * instances);
    total.latches += (long)((double)a.latches * instances);
  }
  qsort(rows, used, sizeof *rows, by_logic);
  result_put(j->out, "logic_um2", total.um2, 1);
  result_put(j->out, "kge", total.um2 / nand / 1000, 2);
  result_put(j->out, "nand2_um2", nand, 4);
  result_put(j->out, "cells", (double)total.cells, 0);
  result_put(j->out, "flops", (double)total.flops, 0);
  if (total.latches) result_put(j->out, "latches", (double)total.latches, 0);
  cJSON *list = cJSON_AddArrayToObject(j->out, "submodules");
  for (size_t i = 0; i < used; i++) cJSON_AddItemToArray(list, rows[i]);
  free(rows);
}

/* ---- memories ---- */

static void move(cJSON *to, cJSON *from, const char *key) {
  cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(from, key);
  if (item) cJSON_AddItemToObject(to, key, item);
}

/* The same memories priced from every source at its own node, so that the choice of source can be
 * judged. */
static bool add_other_prices(job *j, const cJSON *memories) {
  ram_table table;
  if (!ram_table_read(&table, "synth/ram_table.csv", &j->err)) return false;
  cJSON *areas = cJSON_AddObjectToObject(j->out, "memory_um2_by_source"),
        *leaks = cJSON_AddObjectToObject(j->out, "memory_leak_mw_by_source");
  for (unsigned s = 0; s < table.count; s++) {
    double um2 = 0, uw = 0;
    const cJSON *m;
    cJSON_ArrayForEach(m, memories) {
      const ram_price price = ram_price_of(&table.sources[s], 0, (int)result_number(m, "depth"),
                                           (int)result_number(m, "width"));
      um2 += price.value[RAM_AREA];
      uw += price.value[RAM_LEAK];
    }
    result_put(areas, table.sources[s].name, um2, 0);
    result_put(leaks, table.sources[s].name, uw / 1000, 4);
  }
  return true;
}

static bool add_memories(job *j) {
  double um2 = 0, leak = 0;
  const cJSON *m, *memories = cJSON_GetObjectItemCaseSensitive(j->prepare, "memories");
  cJSON_ArrayForEach(m, memories) {
    um2 += result_number(m, "um2");
    leak += result_number(m, "leak_uw");
  }
  move(j->out, j->prepare, "memory_bits");
  move(j->out, j->prepare, "memory_bits_by_formula");
  result_put(j->out, "memory_um2", um2, 1);
  cJSON_AddStringToObject(j->out, "memory_prices", j->ram_source);
  result_put(j->out, "memory_leak_mw", leak / 1000, 4);
  if (!add_other_prices(j, memories)) return false;
  move(j->out, j->prepare, "flop_memories");
  return true;
}

/* ---- timing ---- */

static path *path_at(timing *t, size_t n) {
  while (t->count <= n) {
    t->paths = wf_realloc(t->paths, t->count + 1, sizeof *t->paths);
    t->paths[t->count++] = (path){0};
  }
  return &t->paths[n];
}

static void read_line(timing *t, const char *line) {
  size_t n;
  point at;
  path p = {0};
  if (sscanf(line, "path %zu %lf %511s %511s", &n, &p.slack, p.from, p.to) == 4) {
    *path_at(t, n) = p;
  } else if (sscanf(line, "at %zu %511s %lf", &n, at.pin, &at.arrival) == 3 && n < t->count) {
    path *to = &t->paths[n];
    to->points = wf_realloc(to->points, to->count + 1, sizeof *to->points);
    to->points[to->count++] = at;
  } else if (sscanf(line, "Total %lf %lf %lf", &t->internal_w, &t->switching_w, &t->leakage_w) ==
             3) {
    return;
  }
}

static bool timing_read(job *j, timing *t, const char *file) {
  char name[4096];
  size_t bytes;
  *t = (timing){.internal_w = NAN, .switching_w = NAN, .leakage_w = NAN};
  snprintf(name, sizeof name, "%s/%s", j->work, file);
  char *text = wf_file_read(name, 1 << 28, &bytes, &j->err), *rest = text, *line;
  if (!text) return false;
  while ((line = strtok_r(rest, "\n", &rest))) read_line(t, line);
  free(text);
  if (!t->count) return wf_fail(&j->err, WF_EXIT_WRONG, "%s: OpenSTA found no timing path", name);
  return true;
}

static void timing_free(timing *t) {
  for (size_t i = 0; i < t->count; i++) free(t->paths[i].points);
  free(t->paths);
}

static bool is_port(const char *pin) {
  return strchr(pin, '/') == NULL;
}

/* The period at which this path just holds: port delays are a share of the period and move with it.
 */
static double period_of(const job *j, const path *p) {
  double share = j->io_share * (is_port(p->from) + is_port(p->to));
  return j->period_ns - p->slack / (1 - share);
}

/* "a/b/cell/pin": the instance that holds the cell ("" for the top), and the cell. */
static void split_pin(const char *pin, char owner[NAME], char cell[NAME]) {
  const char *last = strrchr(pin, '/'), *before = last;
  while (before && before > pin && *--before != '/')
    ;
  bool top = !last || *before != '/';
  snprintf(owner, NAME, "%.*s", top ? 0 : (int)(before - pin), pin);
  const char *from = top ? pin : before + 1;
  snprintf(cell, NAME, "%.*s", last ? (int)(last - from) : NAME - 1, from);
}

static const char *module_of(const job *j, const char *owner) {
  const char *name = result_text(cJSON_GetObjectItemCaseSensitive(j->prepare, "instances"), owner);
  return *name ? name : result_text(j->prepare, "top");
}

/* A pin as people know it: "module.register", without bit index; ports by name. */
static void known_as(const job *j, const char *pin, char text[2 * NAME]) {
  char owner[NAME], cell[NAME];
  split_pin(pin, owner, cell);
  char *suffix = NULL; /* map.ys.in names flops NET_reg */
  for (char *at = cell; (at = strstr(at, "_reg")); at++)
    if (!at[4] || at[4] == '_') suffix = at;
  if (suffix) *suffix = 0;
  char *bracket = strrchr(cell, '[');
  if (bracket && cell[strlen(cell) - 1] == ']') *bracket = 0;
  if (is_port(pin))
    snprintf(text, 2 * NAME, "port %s", cell);
  else
    snprintf(text, 2 * NAME, "%s.%s", module_of(j, owner), cell);
}

/* Stretches of the path by the module they are in. */
static void add_stretches(const job *j, cJSON *to, const path *p) {
  cJSON *list = cJSON_AddArrayToObject(to, "through");
  char owner[NAME] = "", cell[NAME], before[NAME] = "";
  double start = p->count ? p->points[0].arrival : 0, at = start;
  long cells = 0;
  if (p->count && !is_port(p->points[0].pin)) start = 0; /* the flop's own delay counts */
  for (size_t i = 0; i <= p->count; i++) {
    if (i < p->count) split_pin(p->points[i].pin, owner, cell);
    if (i == p->count || (i && strcmp(owner, before) != 0)) {
      cJSON *stretch = cJSON_CreateObject();
      cJSON_AddStringToObject(stretch, "module", module_of(j, before));
      cJSON_AddStringToObject(stretch, "instance", before);
      cJSON_AddNumberToObject(stretch, "cells", (double)(cells + 1) / 2);
      result_put(stretch, "ns", at - start, 4);
      cJSON_AddItemToArray(list, stretch);
      start = at;
      cells = 0;
    }
    if (i == p->count) break;
    snprintf(before, sizeof before, "%s", owner);
    at = p->points[i].arrival;
    cells++;
  }
}

static cJSON *path_json(const job *j, const path *p) {
  char from[2 * NAME], to[2 * NAME];
  cJSON *json = cJSON_CreateObject();
  known_as(j, p->from, from);
  known_as(j, p->to, to);
  cJSON_AddStringToObject(json, "from", from);
  cJSON_AddStringToObject(json, "to", to);
  result_put(json, "period_ns", period_of(j, p), 4);
  cJSON_AddStringToObject(json, "from_pin", p->from);
  cJSON_AddStringToObject(json, "to_pin", p->to);
  add_stretches(j, json, p);
  return json;
}

/* Keeps the worst paths, one for each pair of registers. */
static cJSON *worst_paths(const job *j, const timing *t) {
  cJSON *list = cJSON_CreateArray();
  char *done = wf_calloc(t->count + 1, 1);
  while (cJSON_GetArraySize(list) < SHOWN_PATHS) {
    size_t best = t->count;
    for (size_t i = 0; i < t->count; i++)
      if (!done[i] &&
          (best == t->count || period_of(j, &t->paths[i]) > period_of(j, &t->paths[best])))
        best = i;
    if (best == t->count) break;
    done[best] = 1;
    cJSON *json = path_json(j, &t->paths[best]), *other;
    bool again = false;
    cJSON_ArrayForEach(other, list) again =
        again || (strcmp(result_text(other, "from"), result_text(json, "from")) == 0 &&
                  strcmp(result_text(other, "to"), result_text(json, "to")) == 0);
    if (again)
      cJSON_Delete(json);
    else
      cJSON_AddItemToArray(list, json);
  }
  free(done);
  return list;
}

static double worst_period(const job *j, const timing *t, int from_port, int to_port) {
  double worst = NAN;
  for (size_t i = 0; i < t->count; i++) {
    const path *p = &t->paths[i];
    if ((from_port >= 0 && is_port(p->from) != from_port) ||
        (to_port >= 0 && is_port(p->to) != to_port))
      continue;
    if (isnan(worst) || period_of(j, p) > worst) worst = period_of(j, p);
  }
  return worst;
}

static void add_clock(job *j, const timing *t) {
  cJSON *clock = cJSON_AddObjectToObject(j->out, "clock"), *groups;
  double period = worst_period(j, t, -1, -1);
  result_put(clock, "period_ns", period, 4);
  result_put(clock, "mhz", 1000 / period, 1);
  result_put(clock, "target_ns", j->period_ns, 4);
  result_put(clock, "io_delay_share", j->io_share, 2);
  cJSON_AddStringToObject(clock, "wire_load", *j->lib.wire_load ? j->lib.wire_load : "none");
  groups = cJSON_AddObjectToObject(clock, "period_ns_by_group");
  result_put(groups, "register_to_register", worst_period(j, t, 0, 0), 4);
  result_put(groups, "input_to_register", worst_period(j, t, 1, 0), 4);
  result_put(groups, "register_to_output", worst_period(j, t, 0, 1), 4);
  result_put(groups, "input_to_output", worst_period(j, t, 1, 1), 4);
  move(clock, j->prepare, "static");
  cJSON *paths = worst_paths(j, t);
  cJSON *first = cJSON_GetArrayItem(paths, 0);
  if (first)
    cJSON_AddItemToObject(
        clock, "critical_path",
        cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(first, "through"), true));
  cJSON_AddItemToObject(clock, "paths", paths);
}

static bool add_ideal(job *j) {
  timing t;
  if (!*j->lib.wire_load) return true;
  if (!timing_read(j, &t, "timing_ideal")) return false;
  cJSON *ideal =
      cJSON_AddObjectToObject(cJSON_GetObjectItemCaseSensitive(j->out, "clock"), "without_wires");
  double period = worst_period(j, &t, -1, -1);
  result_put(ideal, "period_ns", period, 4);
  result_put(ideal, "mhz", 1000 / period, 1);
  timing_free(&t);
  return true;
}

/* ---- energy ---- */

static void add_energy(job *j, const timing *t) {
  double ram_pj = 0, ops = result_number(j->prepare, "ops_per_cycle");
  const cJSON *m;
  char basis[400];
  cJSON_ArrayForEach(m, cJSON_GetObjectItemCaseSensitive(j->prepare, "memories")) {
    double write = result_number(m, "write_pj"), read = result_number(m, "read_pj");
    ram_pj += RAM_DUTY * (read + (isnan(write) ? read : write));
  }
  double logic_pj = (t->internal_w + t->switching_w) * j->period_ns * 1000;
  cJSON *energy = cJSON_AddObjectToObject(j->out, "energy");
  result_put(energy, "logic_pj_per_cycle", logic_pj, 3);
  result_put(energy, "memory_pj_per_cycle", ram_pj, 3);
  result_put(energy, "leakage_mw", t->leakage_w * 1000 + result_number(j->out, "memory_leak_mw"),
             4);
  result_put(energy, "logic_leakage_mw", t->leakage_w * 1000, 6);
  if (!isnan(ops)) {
    cJSON_AddStringToObject(energy, "op", result_text(j->prepare, "op"));
    result_put(energy, "ops_per_cycle", ops, 0);
    result_put(j->out, "energy_per_op_pj", (logic_pj + ram_pj) / ops, 3);
  }
  snprintf(basis, sizeof basis,
           "estimate, not a measurement: every net toggles in %.0f %% of the cycles (OpenSTA on "
           "the mapped netlist, clock pins of all flops every "
           "cycle, no clock gating, no clock tree); every RAM reads in %.0f %% and writes in %.0f "
           "%% of the cycles",
           j->activity * 100, RAM_DUTY * 100, RAM_DUTY * 100);
  cJSON_AddStringToObject(energy, "basis", basis);
}

static bool run(job *j, char **argv) {
  timing t;
  j->work = argv[1], j->node_nm = atoi(argv[3]), j->ram_source = argv[4];
  j->period_ns = atof(argv[5]) / 1000, j->io_share = atof(argv[6]), j->activity = atof(argv[7]);
  j->out = cJSON_CreateObject();
  if (!liberty_read(&j->lib, argv[2], &j->err)) return false;
  if (!(j->prepare = read_work(j, "prepare.json")) || !(j->stat = read_work(j, "stat.json")))
    return false;
  if (!timing_read(j, &t, "timing")) return false;
  move(j->out, j->prepare, "unit");
  move(j->out, j->prepare, "config");
  move(j->out, j->prepare, "parameters");
  result_put(j->out, "node_nm", j->node_nm, 0);
  cJSON_AddStringToObject(j->out, "library", j->lib.name);
  cJSON_AddStringToObject(j->out, "sources", argv[8]);
  add_areas(j);
  move(j->out, j->prepare, "gpu");
  bool ok = add_memories(j);
  if (ok) {
    add_clock(j, &t);
    ok = add_ideal(j);
    add_energy(j, &t);
    move(j->out, j->prepare, "memories");
  }
  timing_free(&t);
  return ok && wf_json_save(argv[9], j->out, &j->err);
}

int main(int argc, char **argv) {
  job j = {0};
  bool ok = argc == 10 ? run(&j, argv)
                       : wf_fail(&j.err, WF_EXIT_BAD_INPUT,
                                 "usage: synth_report WORK LIBERTY NODE_NM RAM_SOURCE PERIOD_PS "
                                 "IO_SHARE ACTIVITY SOURCES OUT.json");
  if (!ok) fprintf(stderr, "synth: %s\n", j.err.text);
  cJSON_Delete(j.prepare);
  cJSON_Delete(j.stat);
  cJSON_Delete(j.out);
  liberty_free(&j.lib);
  return ok ? 0 : j.err.code;
}
