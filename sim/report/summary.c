#include "sim/report/summary.h"

#include <math.h>
#include <stdlib.h>

#include "sim/report/compare.h"

static double number(const cJSON *result, const char *path) {
  double v = 0;
  return wf_result_number(result, path, &v) ? v : 0;
}

static void print_loads(FILE *out, const cJSON *loads) {
  const cJSON *l;
  if (cJSON_GetArraySize(loads))
    fprintf(out, "    %-20s %5s %5s %-9s %10s %10s %10s %10s %10s\n", "kernel", "pc", "line",
            "class", "loads", "requests", "bypassed", "protected", "refused");
  cJSON_ArrayForEach(l, loads)
      fprintf(out, "    %-20.20s %5.0f %5.0f %-9s %10.0f %10.0f %10.0f %10.0f %10.0f\n",
              cJSON_GetObjectItemCaseSensitive(l, "kernel")->valuestring, number(l, "pc"),
              number(l, "line"), cJSON_GetObjectItemCaseSensitive(l, "class")->valuestring,
              number(l, "loads"), number(l, "requests"), number(l, "bypassed"),
              number(l, "protected"), number(l, "refused"));
}

static void print_units(FILE *out, const cJSON *result) {
  const cJSON *unit;
  cJSON_ArrayForEach(unit, cJSON_GetObjectItemCaseSensitive(result, "unit")) {
    fprintf(out, "  unit %-6s", unit->string);
    const cJSON *counter;
    unsigned column = 0;
    cJSON_ArrayForEach(counter, unit) {
      if (!cJSON_IsNumber(counter)) continue;
      if (column++ % 4 == 0 && column > 1) fprintf(out, "\n             ");
      fprintf(out, " %s %.0f", counter->string, counter->valuedouble);
    }
    fputc('\n', out);
    print_loads(out, cJSON_GetObjectItemCaseSensitive(unit, "per_load"));
  }
}

static void print_metrics(FILE *out, const cJSON *result) {
  const cJSON *m;
  cJSON_ArrayForEach(m, cJSON_GetObjectItemCaseSensitive(result, "metrics"))
      fprintf(out, "  %-28s %.6g\n", m->string, m->valuedouble);
}

static void print_rtl(FILE *out, const cJSON *r) {
  const cJSON *host = cJSON_GetObjectItemCaseSensitive(r, "host"), *rtl;
  cJSON_ArrayForEach(rtl, cJSON_GetObjectItemCaseSensitive(host, "rtl"))
      fprintf(out, "  RTL %-8s %4.1f %% of the processor's time, %.0f edges/s\n", rtl->string,
              100 * number(rtl, "share"), number(rtl, "edges_per_second"));
}

static int by_value(const void *a, const void *b) {
  const double x = (*(const cJSON *const *)a)->valuedouble,
               y = (*(const cJSON *const *)b)->valuedouble;
  return (x < y) - (x > y);
}

/* What the schedulers' cycles went to: issues, then causes, the largest first. */
static void print_schedulers(FILE *out, const cJSON *r) {
  const cJSON *sm = cJSON_GetObjectItemCaseSensitive(r, "sm"), *c;
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(sm, "scheduler_cycles");
  const cJSON *part[32];
  size_t n = 0;
  double total = 0;
  cJSON_ArrayForEach(c, all) {
    if (n < sizeof part / sizeof *part) part[n++] = c;
    total += c->valuedouble;
  }
  if (total <= 0) return;
  qsort(part + 1, n - 1, sizeof *part, by_value);
  fprintf(out, "  schedulers: ");
  for (size_t i = 0; i < n && (!i || part[i]->valuedouble >= 0.001 * total); i++)
    fprintf(out, "%s%s %.1f %%", i ? ", " : "", part[i]->string,
            100 * part[i]->valuedouble / total);
  fputc('\n', out);
}

/* Least and most of all SMs: percent of its time low, how often it went there, millijoules. */
static void print_sms(FILE *out, const cJSON *sms, double cycles) {
  double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {0};
  const cJSON *sm, *state;
  cJSON_ArrayForEach(sm, sms) {
    double joules = 0;
    cJSON_ArrayForEach(state, sm) joules +=
        number(state, "events") + number(state, "clock") + number(state, "leakage");
    const double v[3] = {100 * number(sm, "low.cycles") / cycles, number(sm, "low.entered"),
                         1e3 * joules};
    for (int i = 0; i < 3; i++) {
      least[i] = fmin(least[i], v[i]);
      most[i] = fmax(most[i], v[i]);
    }
  }
  if (!cJSON_GetArraySize(sms)) return;
  fprintf(out,
          "  each SM: low %.1f .. %.1f %% of its time, entered %.0f .. %.0f times, %.3f .. %.3f "
          "mJ\n",
          least[0], most[0], least[1], most[1], least[2], most[2]);
}

static void print_low(FILE *out, const cJSON *r) {
  const cJSON *low =
      cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(r, "energy_joules"), "low");
  if (!low) return;
  fprintf(out,
          "  low SMs: %.1f %% of SMs' time, %.1f %% of energy saved (leakage as V: %.1f, as V^2: "
          "%.1f, with DIBL: %.1f); idle SMs would take %.1f %%\n",
          100 * number(low, "sm_share"), 100 * number(low, "saved"),
          100 * number(low, "saved_leak_55"), 100 * number(low, "saved_leak_30"),
          100 * number(low, "saved_leak_16"), 100 * number(low, "power_share"));
  print_sms(out, cJSON_GetObjectItemCaseSensitive(low, "sms"), number(r, "cycles"));
}

void wf_summary_print(FILE *out, const cJSON *r) {
  const cJSON *graph = cJSON_GetObjectItemCaseSensitive(r, "graph");
  const cJSON *verified = cJSON_GetObjectItemCaseSensitive(r, "verified");
  const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(r, "verdict");
  fprintf(out, "%s%s%s: %.0f cycles, %.0f warp instructions, %.2f thread instructions per cycle\n",
          cJSON_GetObjectItemCaseSensitive(r, "app")->valuestring,
          cJSON_IsString(graph) ? " on " : "", cJSON_IsString(graph) ? graph->valuestring : "",
          number(r, "cycles"), number(r, "warp_instructions"), number(r, "ipc"));
  fprintf(out, "  L1 %.0f accesses, %.1f %% hits; interconnect %.0f flits, %.0f stall cycles\n",
          number(r, "l1.accesses"), 100 * number(r, "l1.hit_rate"), number(r, "noc.flits"),
          number(r, "noc.stall_cycles"));
  fprintf(out, "  DRAM %.2f MB read, %.2f MB written, %.1f GB/s, row hits %.0f, misses %.0f\n",
          number(r, "dram.read_bytes") * 1e-6, number(r, "dram.write_bytes") * 1e-6,
          number(r, "dram.gb_per_second"), number(r, "dram.row_hits"),
          number(r, "dram.row_misses"));
  print_schedulers(out, r);
  if (cJSON_GetObjectItemCaseSensitive(r, "sampled"))
    fprintf(out, "  sampled: %.0f launches timed, %.0f only executed (%.0f warp instructions)\n",
            number(r, "sampled.timed"), number(r, "sampled.executed"),
            number(r, "sampled.warp_instructions"));
  if (cJSON_GetObjectItemCaseSensitive(r, "launches"))
    fprintf(out,
            "  launches: %.0f kernels, %.0f groups (%.0f refused), %.1f threads each, started "
            "after %.0f cycles, at most %.0f "
            "(%.1f KB) waiting\n",
            number(r, "launches.kernels"), number(r, "launches.groups"),
            number(r, "launches.groups_refused"), number(r, "launches.threads_per_launch"),
            number(r, "launches.waiting_cycles"), number(r, "launches.peak_pending"),
            number(r, "launches.peak_bytes") / 1024);
  if (cJSON_GetObjectItemCaseSensitive(r, "energy_joules"))
    fprintf(out, "  energy %.3f mJ, %.1f W\n", number(r, "energy_joules.total") * 1e3,
            number(r, "energy_joules.watts"));
  print_low(out, r);
  const cJSON *strategy = cJSON_GetObjectItemCaseSensitive(r, "strategy");
  if (strategy) fprintf(out, "  %-28s %s\n", "strategy", strategy->valuestring);
  print_metrics(out, r);
  print_units(out, r);
  fprintf(out, "  host %.2f s: %.0f cycles/s, %.0f warp instructions/s, %.0f MB\n",
          number(r, "host.seconds"), number(r, "host.cycles_per_second"),
          number(r, "host.warp_instructions_per_second"), number(r, "host.peak_bytes") * 1e-6);
  print_rtl(out, r);
  if (cJSON_IsNull(verified))
    fprintf(out, "  not verified: %s\n",
            cJSON_IsString(verdict) ? verdict->valuestring
                                    : "there is no reference for this kernel");
  else
    fprintf(out, "  %s: %s\n", cJSON_IsTrue(verified) ? "verified" : "WRONG",
            cJSON_IsString(verdict) ? verdict->valuestring : "");
}
