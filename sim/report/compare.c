#include "sim/report/compare.h"

#include <math.h>
#include <string.h>

typedef struct row {
  const char *label, *path, *format;
  double scale;
} row;

static const row rows[] = {
    {"cycles", "cycles", "%.0f", 1},
    {"warp instructions", "warp_instructions", "%.0f", 1},
    {"thread instructions per cycle", "ipc", "%.2f", 1},
    {"SM occupancy, % of warp slots", "sm.occupancy", "%.1f", 100},
    {"L1 accesses", "l1.accesses", "%.0f", 1},
    {"L1 hit rate, %", "l1.hit_rate", "%.1f", 100},
    {"interconnect flits", "noc.flits", "%.0f", 1},
    {"interconnect stall cycles", "noc.stall_cycles", "%.0f", 1},
    {"L2 reads by SMs", "l2.reads", "%.0f", 1},
    {"L2 reads by units", "l2.unit_reads", "%.0f", 1},
    {"DRAM read, MB", "dram.read_bytes", "%.2f", 1e-6},
    {"DRAM written, MB", "dram.write_bytes", "%.2f", 1e-6},
    {"DRAM row hits", "dram.row_hits", "%.0f", 1},
    {"DRAM row misses", "dram.row_misses", "%.0f", 1},
    {"energy, mJ", "energy_joules.total", "%.3f", 1e3},
    {"  SMs", "energy_joules.core", "%.3f", 1e3},
    {"  registers", "energy_joules.registers", "%.3f", 1e3},
    {"  L1 and shared memory", "energy_joules.l1", "%.3f", 1e3},
    {"  interconnect", "energy_joules.noc", "%.3f", 1e3},
    {"  L2", "energy_joules.l2", "%.3f", 1e3},
    {"  DRAM", "energy_joules.dram", "%.3f", 1e3},
    {"  units", "energy_joules.unit", "%.3f", 1e3},
    {"  static", "energy_joules.static", "%.3f", 1e3},
    {"power, W", "energy_joules.watts", "%.1f", 1},
    {"host seconds", "host.seconds", "%.2f", 1},
};

bool wf_result_number(const cJSON *result, const char *path, double *value) {
  const cJSON *at = result;
  while (at && *path) {
    char key[64];
    size_t n = strcspn(path, ".");
    if (n >= sizeof key) return false;
    memcpy(key, path, n);
    key[n] = '\0';
    path += n + (path[n] == '.');
    at = cJSON_GetObjectItemCaseSensitive(at, key);
  }
  if (!cJSON_IsNumber(at)) return false;
  *value = at->valuedouble;
  return true;
}

static const char *text_of(const cJSON *result, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(result, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

static bool check_comparable(const cJSON *const *results, const char *const *labels, unsigned n,
                             wf_error *err) {
  for (unsigned i = 0; i < n; i++) {
    double cycles;
    if (!wf_result_number(results[i], "cycles", &cycles))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "%s: no number `cycles`: not a result of `warpfab run`", labels[i]);
    for (const char *const *key = (const char *const[]){"app", "graph", NULL}; *key; key++)
      if (strcmp(text_of(results[i], *key), text_of(results[0], *key)))
        return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s '%s', but %s has '%s': not comparable",
                       labels[i], *key, text_of(results[i], *key), labels[0],
                       text_of(results[0], *key));
  }
  return true;
}

enum { LABEL_WIDTH = 31, VALUE_WIDTH = 14, RATIO_WIDTH = 8 };

static void print_row(FILE *out, const row *r, const cJSON *const *results, unsigned n) {
  double base;
  if (!wf_result_number(results[0], r->path, &base)) return;
  fprintf(out, "%-*s", LABEL_WIDTH, r->label);
  for (unsigned i = 0; i < n; i++) {
    char text[32] = "-", relative[32] = "";
    double v;
    if (wf_result_number(results[i], r->path, &v)) {
      snprintf(text, sizeof text, r->format, v * r->scale);
      if (i && base > 0) snprintf(relative, sizeof relative, "%.3fx", v / base);
    }
    fprintf(out, "%*s", VALUE_WIDTH, text);
    if (i) fprintf(out, " %*s", RATIO_WIDTH, relative);
  }
  fputc('\n', out);
}

static void print_heading(FILE *out, const cJSON *const *results, const char *const *labels,
                          unsigned n) {
  const char *graph = text_of(results[0], "graph");
  fprintf(out, "%s%s%s, %s\n\n%-*s", text_of(results[0], "app"), *graph ? " on " : "", graph,
          text_of(results[0], "config"), LABEL_WIDTH, "");
  for (unsigned i = 0; i < n; i++) {
    fprintf(out, "%*.*s", VALUE_WIDTH, VALUE_WIDTH - 1, labels[i]);
    if (i) fprintf(out, " %*s", RATIO_WIDTH, "ratio");
  }
  fputc('\n', out);
}

static void print_verified(FILE *out, const cJSON *const *results, unsigned n) {
  fprintf(out, "%-*s", LABEL_WIDTH, "verified");
  for (unsigned i = 0; i < n; i++) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(results[i], "verified");
    fprintf(out, "%*s", VALUE_WIDTH,
            cJSON_IsTrue(v)    ? "true"
            : cJSON_IsFalse(v) ? "FALSE"
                               : "null");
    if (i) fprintf(out, "%*s", RATIO_WIDTH, "");
  }
  fputc('\n', out);
}

bool wf_compare_print(FILE *out, const cJSON *const *results, const char *const *labels, unsigned n,
                      wf_error *err) {
  if (!check_comparable(results, labels, n, err)) return false;
  print_heading(out, results, labels, n);
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) print_row(out, &rows[r], results, n);
  print_verified(out, results, n);
  double base, cycles;
  wf_result_number(results[0], "cycles", &base);
  for (unsigned i = 1; i < n; i++)
    if (wf_result_number(results[i], "cycles", &cycles) && cycles > 0)
      fprintf(out, "\n%s is %.2fx as fast as %s", labels[i], base / cycles, labels[0]);
  if (n > 1) fputc('\n', out);
  return true;
}
