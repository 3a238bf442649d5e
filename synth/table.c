/* synth_table RESULT.json...                 one result for people, or a comparison of several
 * synth_table --get RESULT.json KEY...       numbers of a result, one a line; - if it has not that
 * synth_table --page FILE RESULT.json...     the comparison, as a section of a page (wf_page.h)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_page.h"
#include "sim/base/wf_text.h"
#include "synth/result.h"

enum { LISTED_MODULES = 24, LISTED_PATHS = 5 };

static void print_one(FILE *out, const cJSON *r) {
  const cJSON *item;
  double with = result_number(r, "clock.mhz"), ideal = result_number(r, "clock.without_wires.mhz");
  fprintf(out, "%s %s, %s (%.0f nm)\n", result_text(r, "unit"), result_text(r, "config"),
          result_text(r, "library"), result_number(r, "node_nm"));
  fprintf(out, "  logic   %10.0f um2  %8.2f kGE  %8.0f cells  %7.0f flops",
          result_number(r, "logic_um2"), result_number(r, "kge"), result_number(r, "cells"),
          result_number(r, "flops"));
  if (!isnan(result_number(r, "latches")))
    fprintf(out, "  %7.0f latches", result_number(r, "latches"));
  fprintf(out, "\n");
  fprintf(out, "  memory  %10.0f um2  %8.0f bits in %d macros (%s)\n",
          result_number(r, "memory_um2"), result_number(r, "memory_bits"),
          cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(r, "memories")),
          result_text(r, "memory_prices"));
  fprintf(out, "  clock   %10.3f ns   %8.1f MHz (wire load: %s)",
          result_number(r, "clock.period_ns"), with,
          result_text(cJSON_GetObjectItemCaseSensitive(r, "clock"), "wire_load"));
  if (!isnan(ideal)) fprintf(out, "; %.1f MHz without wires", ideal);
  fprintf(out, "\n  energy  %10.2f pJ per cycle of logic, %.2f of memory, at assumed activity\n",
          result_number(r, "energy.logic_pj_per_cycle"),
          result_number(r, "energy.memory_pj_per_cycle"));
  int n = 0;
  fprintf(out, "  %-28s %5s %12s %8s %9s %12s\n", "module", "times", "logic um2", "flops",
          "RAM bits", "RAM um2");
  cJSON_ArrayForEach(item,
                     cJSON_GetObjectItemCaseSensitive(r, "submodules")) if (n++ < LISTED_MODULES)
      fprintf(out, "  %-28s %5.0f %12.0f %8.0f %9.0f %12.0f\n", result_text(item, "module"),
              result_number(item, "instances"), result_number(item, "logic_um2"),
              result_number(item, "flops"), result_number(item, "memory_bits"),
              result_number(item, "memory_um2"));
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r, "gpu")) fprintf(
      out, "  in the GPU: %-16s %5.0f %12.0f %8.0f %9.0f %12.0f\n", result_text(item, "name"),
      result_number(item, "places"), result_number(item, "logic_um2"), result_number(item, "flops"),
      result_number(item, "memory_bits"), result_number(item, "memory_um2"));
  n = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(
                               cJSON_GetObjectItemCaseSensitive(r, "clock"), "paths")) {
    const cJSON *s;
    if (n++ >= LISTED_PATHS) break;
    fprintf(out, "  %6.3f ns  %s -> %s  [", result_number(item, "period_ns"),
            result_text(item, "from"), result_text(item, "to"));
    cJSON_ArrayForEach(s, cJSON_GetObjectItemCaseSensitive(item, "through"))
        fprintf(out, "%s%s %.3f", s->prev->next ? ", " : "", result_text(s, "module"),
                result_number(s, "ns"));
    fprintf(out, "]\n");
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r, "flop_memories"))
      fprintf(out, "  in flops: %s.%s, %.0f bits: %s\n", result_text(item, "module"),
              result_text(item, "array"), result_number(item, "bits"),
              result_text(item, "allowed_because"));
}

static void markdown_rows(FILE *out, cJSON *const *results, int n) {
  fprintf(out, "| configuration | library | logic um2 | kGE | flops | RAM bits | RAM um2 | MHz | "
               "MHz without wires | pJ per op | leakage mW |\n"
               "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < n; i++) {
    const cJSON *r = results[i];
    double ideal = result_number(r, "clock.without_wires.mhz"),
           op = result_number(r, "energy_per_op_pj");
    fprintf(out, "| `%s` | %s, %.0f nm | %.0f | %.1f | %.0f | %.0f | %.0f | %.0f | ",
            result_text(r, "config"), result_text(r, "library"), result_number(r, "node_nm"),
            result_number(r, "logic_um2"), result_number(r, "kge"), result_number(r, "flops"),
            result_number(r, "memory_bits"), result_number(r, "memory_um2"),
            result_number(r, "clock.mhz"));
    if (isnan(ideal))
      fprintf(out, "%.0f | ", result_number(r, "clock.mhz"));
    else
      fprintf(out, "%.0f | ", ideal);
    if (isnan(op))
      fprintf(out, "- | ");
    else
      fprintf(out, "%.2f | ", op);
    fprintf(out, "%.3g |\n", result_number(r, "energy.leakage_mw"));
  }
  fprintf(out, "\n");
  for (int i = 0; i < n; i++)
    fprintf(out, "<!-- sources %s %s %s -->\n", result_text(results[i], "unit"),
            result_text(results[i], "config"), result_text(results[i], "sources"));
}

/* What the GPU keeps for the unit. */
static void markdown_gpu(FILE *out, const cJSON *r) {
  const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(r, "gpu");
  if (!cJSON_GetArraySize(list)) return;
  fprintf(
      out,
      "\nBy module of the GPU beside it, `%s` at 45 nm:\nwhat that keeps for the unit "
      "(`gpu.NAME`, [synth](../../synth/README.md)).\n\n"
      "| module | times | logic um2 | flops | RAM bits | RAM um2 |\n|---|---|---|---|---|---|\n",
      result_text(r, "config"));
  double leak = 0;
  cJSON_ArrayForEach(item, list) {
    fprintf(out, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", result_text(item, "name"),
            result_number(item, "places"), result_number(item, "logic_um2"),
            result_number(item, "flops"), result_number(item, "memory_bits"),
            result_number(item, "memory_um2"));
    leak += result_number(item, "memory_leak_mw");
  }
  if (leak > 0)
    fprintf(out, "\nThe RAM among it leaks %.3g mW (`%s`).\n", leak, result_text(r, "config"));
}

static void markdown_modules(FILE *out, const cJSON *r) {
  const cJSON *item;
  int n = 0;
  fprintf(out,
          "\nBy module, `%s` in %s:\n\n| module | times | logic um2 | flops | RAM bits | RAM um2 "
          "|\n|---|---|---|---|---|---|\n",
          result_text(r, "config"), result_text(r, "library"));
  cJSON_ArrayForEach(item,
                     cJSON_GetObjectItemCaseSensitive(r, "submodules")) if (n++ < LISTED_MODULES)
      fprintf(out, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", result_text(item, "module"),
              result_number(item, "instances"), result_number(item, "logic_um2"),
              result_number(item, "flops"), result_number(item, "memory_bits"),
              result_number(item, "memory_um2"));
  if (!isnan(result_number(r, "latches")))
    fprintf(out,
            "\nBeside flops there are %.0f latches (`wf_latch_words`, with one for each gate).\n",
            result_number(r, "latches"));
  item = cJSON_GetArrayItem(
      cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(r, "clock"), "paths"), 0);
  if (item)
    fprintf(out, "\nLongest path: `%s` to%s`%s`, %.3f ns.\n", result_text(item, "from"),
            strlen(result_text(item, "from")) + strlen(result_text(item, "to")) > 80 ? "\n" : " ",
            result_text(item, "to"), result_number(item, "period_ns"));
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r, "flop_memories"))
      fprintf(out, "\nIn flops although over 1 kbit: `%s.%s`, %.0f bits:\n%s.\n",
              result_text(item, "module"), result_text(item, "array"), result_number(item, "bits"),
              result_text(item, "allowed_because"));
}

/* What a recorded run says of the energy in the first library (make power). */
static void markdown_recorded(FILE *out, cJSON *const *results, int n) {
  bool begun = false;
  for (int i = 0; i < n; i++) {
    const cJSON *r = results[i], *at = cJSON_GetObjectItemCaseSensitive(r, "recorded");
    if (!at || strcmp(result_text(r, "library"), result_text(results[0], "library")) != 0) continue;
    if (!begun)
      fprintf(out,
              "\nEnergy at the activity of a recorded run (`make power`), of a clocked cycle:\n\n"
              "| configuration | run | edges | logic pJ | RAM pJ | pJ |\n"
              "|---|---|---|---|---|---|\n");
    begun = true;
    fprintf(out, "| `%s` | `%s` | %.0f | %.2f | %.2f | %.1f |\n", result_text(r, "config"),
            result_text(at, "run"), result_number(at, "edges"),
            result_number(at, "logic_pj_per_cycle"), result_number(at, "memory_pj_per_cycle"),
            result_number(at, "pj_per_cycle"));
  }
}

/* Results of the first library that tell of energy by event, one after `from`; n: none. */
static int next_by_event(cJSON *const *results, int n, int from) {
  for (; from < n; from++)
    if (!isnan(result_number(results[from], "recorded.by_event.windows")) &&
        strcmp(result_text(results[from], "library"), result_text(results[0], "library")) == 0)
      break;
  return from;
}

static const cJSON *by_event(const cJSON *result) {
  return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(result, "recorded"),
                                          "by_event");
}

static void markdown_events(FILE *out, cJSON *const *results, int n) {
  int i = next_by_event(results, n, 0);
  if (i == n) return;
  fprintf(out, "\nOf a clocked cycle, and of each transfer at the ports:\n\n"
               "| configuration | event | pJ |\n|---|---|---|\n");
  for (; i < n; i = next_by_event(results, n, i + 1)) {
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(by_event(results[i]), "pj"))
        fprintf(out, "| `%s` | %s | %.2f |\n", result_text(results[i], "config"), event->string,
                event->valuedouble);
  }
}

/* From what the figures by event are, and what they say of a run that they were not made from. */
static void markdown_fit(FILE *out, cJSON *const *results, int n) {
  int i = next_by_event(results, n, 0);
  if (i == n) return;
  fprintf(out,
          "\nThey are fitted over windows of runs, and checked on another:\n\n"
          "| configuration | fitted | windows | residual | checked | pJ a cycle | by events | by "
          "events over measured |\n|---|---|---|---|---|---|---|---|\n");
  for (; i < n; i = next_by_event(results, n, i + 1)) {
    const cJSON *at = by_event(results[i]), *run;
    fprintf(out, "| `%s` | ", result_text(results[i], "config"));
    cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(at, "runs"))
        fprintf(out, "%s`%s`", run->prev->next ? ", " : "", run->valuestring);
    fprintf(out, " | %.0f | %.1f %% | `%s` | %.1f | %.1f | %.3f |\n", result_number(at, "windows"),
            100 * result_number(at, "residual"), result_text(at, "run"),
            result_number(at, "measured"), result_number(at, "predicted"),
            result_number(at, "ratio"));
  }
}

/* By modules is told what was recorded in a run, or else the first. */
static const cJSON *told_by_module(cJSON *const *results, int n) {
  for (int i = 0; i < n; i++)
    if (cJSON_GetObjectItemCaseSensitive(results[i], "recorded")) return results[i];
  return results[0];
}

static void markdown_synthesis(FILE *out, cJSON *const *results, int n) {
  const char *unit = result_text(results[0], "unit");
  fprintf(
      out,
      "## Area, clock and energy of `%s`\n`make synth UNIT=%s CONFIG=...`, `make power` with the "
      "same, then\n`make synth-page UNIT=%s`.\n\n",
      unit, unit, unit);
  markdown_rows(out, results, n);
  markdown_recorded(out, results, n);
  markdown_events(out, results, n);
  markdown_fit(out, results, n);
  markdown_modules(out, told_by_module(results, n));
  markdown_gpu(out, told_by_module(results, n));
}

/* Mappings of one configuration that differ in what they aim at. */
static void markdown_spread(FILE *out, cJSON *const *results, int n) {
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    const double mhz = result_number(results[i], "clock.mhz");
    least = fmin(least, mhz), most = fmax(most, mhz);
  }
  fprintf(
      out,
      "Mappings of the same logic, `%s` in %s, that aim at other periods (`synth/spread`): they "
      "close\nat %.0f to %.0f MHz.\n\n| aim, ns | MHz | MHz without wires | logic um2 |\n"
      "|---|---|---|---|\n",
      result_text(results[0], "config"), result_text(results[0], "library"), least, most);
  for (int i = 0; i < n; i++)
    fprintf(out, "| %.3f | %.0f | %.0f | %.0f |\n", result_number(results[i], "clock.target_ns"),
            result_number(results[i], "clock.mhz"),
            result_number(results[i], "clock.without_wires.mhz"),
            result_number(results[i], "logic_um2"));
}

/* A section of the page for results of one unit. */
static const struct section {
  const char *option, *name, *command;
  void (*write)(FILE *out, cJSON *const *results, int n);
} sections[] = {{"--page", "synthesis", "make synth-page", markdown_synthesis},
                {"--spread", "spread", "synth/spread", markdown_spread}};

static bool into_page(const struct section *s, const char *path, cJSON *const *results, int n,
                      wf_error *err) {
  size_t bytes;
  char *text = NULL, *name = wf_text("%s %s", s->name, result_text(results[0], "unit"));
  FILE *out = open_memstream(&text, &bytes);
  s->write(out, results, n);
  fclose(out);
  const bool ok = wf_page_write(path, name, s->command, text, err);
  free(name);
  free(text);
  return ok;
}

static int get(char **argv, wf_error *err) {
  cJSON *result = wf_json_read(argv[2], err);
  for (char **key = argv + 3; result && *key; key++) {
    const double value = result_number(result, *key);
    if (isnan(value))
      printf("-\n");
    else
      printf("%.10g\n", value);
  }
  if (!result) fprintf(stderr, "synth_table: %s\n", err->text);
  cJSON_Delete(result);
  return result ? 0 : err->code;
}

static int gpu(const char *path, wf_error *err) {
  cJSON *result = wf_json_read(path, err);
  const cJSON *rows = cJSON_GetObjectItemCaseSensitive(result, "gpu");
  const bool ok =
      result && (!isnan(result_number(cJSON_GetArrayItem(rows, 0), "memory_um2")) ||
                 wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no rows of what the GPU keeps", path));
  if (ok)
    markdown_gpu(stdout, result);
  else
    fprintf(stderr, "synth_table: %s\n", err->text);
  cJSON_Delete(result);
  return ok ? 0 : err->code;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  if (argc > 3 && strcmp(argv[1], "--get") == 0) return get(argv, &err);
  if (argc == 3 && strcmp(argv[1], "--gpu") == 0) return gpu(argv[2], &err);
  const struct section *page = NULL;
  for (size_t i = 0; argc > 3 && i < sizeof sections / sizeof *sections; i++)
    if (strcmp(argv[1], sections[i].option) == 0) page = &sections[i];
  bool ok = true;
  int first = page ? 3 : 1, n = 0;
  cJSON **results = wf_calloc((size_t)argc + 1, sizeof *results);
  if (argc <= first)
    ok = wf_fail(&err, WF_EXIT_BAD_INPUT,
                 "usage: synth_table [--page FILE | --spread FILE] RESULT.json... | --gpu "
                 "RESULT.json | --get "
                 "RESULT.json KEY...");
  for (int i = first; i < argc && ok; i++) {
    results[n] = wf_json_read(argv[i], &err);
    ok = results[n] &&
         (!isnan(result_number(results[n], "logic_um2") + result_number(results[n], "clock.mhz")) ||
          wf_fail(&err, WF_EXIT_BAD_INPUT, "%s: no result of make synth", argv[i]));
    n += results[n] != NULL;
  }
  if (ok && page)
    ok = into_page(page, argv[2], results, n, &err);
  else if (ok && n == 1)
    print_one(stdout, results[0]);
  else if (ok)
    markdown_rows(stdout, results, n);
  if (!ok) fprintf(stderr, "synth_table: %s\n", err.text);
  for (int i = 0; i < n; i++) cJSON_Delete(results[i]);
  free(results);
  return ok ? 0 : err.code;
}
