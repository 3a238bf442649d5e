/* recorded RESULT.json run RUN FOLDER [fit RUN FOLDER]... [check RUN FOLDER]: adds "recorded" to a
 * result of synthesis, the energy of its netlist at the activity of recorded runs, in pJ. A folder
 * has what synth/activity.c and synth/power.tcl say of a run: activity, windows, power.
 *   {run, edges, pins, known_pins, logic_pj_per_cycle, memory_pj_per_cycle, pj_per_cycle}
 * of the first run, of a clocked cycle; and, where windows tell of events,
 *   by_event: {runs: [RUN...], windows, pj: {cycle, EVENT...}, residual, run, edges, measured,
 *              predicted, ratio}
 * pj is what a clocked cycle and each event cost, fitted over the windows of run and fit without
 * negative figures; residual: the root of the mean square that is left, as a share of the mean.
 * The check's run was not fitted: measured and predicted are its pJ per cycle. Exit code 1: a
 * recording is not of the netlist, its windows do not add up to the whole, or the check's ratio is
 * not within 10 %. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "synth/nonnegative.h"
#include "synth/result.h"

enum { MOST_EVENTS = 16, MOST_PLAYS = 8 };

/* A whole recording, or one of its windows. */
typedef struct span {
  double edges, watts;
  double memory_pj; /* of all edges */
  double counts[MOST_EVENTS];
} span;

typedef struct play {
  const char *kind, *run;
  double known, pins, period_ns;
  int memories;
  span whole, *windows;
  size_t n_windows, n_told; /* told: windows with power */
  char *events[MOST_EVENTS];
  size_t n_events;
  bool too_many; /* events */
} play;

static const cJSON *memory_at(const cJSON *result, const char *path) {
  const cJSON *m;
  cJSON_ArrayForEach(m, cJSON_GetObjectItemCaseSensitive(result, "memories")) {
    if (!strcmp(result_text(m, "instance"), path)) return m;
  }
  return NULL;
}

/* ---- reading ---- */

/* What a RAM is not in the result of is the model inside the macro. */
static bool read_ram(const cJSON *result, const char *line, span *to) {
  char path[4096];
  double reads, writes;
  if (sscanf(line, "ram %4095s %lf %lf", path, &reads, &writes) != 3) return false;
  const cJSON *m = memory_at(result, path);
  if (!m) return false;
  const double read = result_number(m, "read_pj"), write = result_number(m, "write_pj");
  to->memory_pj += reads * read + writes * (isnan(write) ? read : write);
  return true;
}

static void read_activity(play *p, const cJSON *result, const char *line) {
  double edges;
  if (sscanf(line, "edges %lf", &edges) == 1) p->whole.edges = edges;
  p->memories += read_ram(result, line, &p->whole);
}

static void read_power(play *p, const cJSON *result, const char *line) {
  double a, b;
  (void)result;
  if (sscanf(line, "known %lf of %lf", &a, &b) == 2) {
    p->known = a, p->pins = b;
  } else if (sscanf(line, "Total %lf %lf", &a, &b) == 2) {
    if (isnan(p->whole.watts))
      p->whole.watts = a + b;
    else if (p->n_told < p->n_windows)
      p->windows[p->n_told++].watts = a + b;
  }
}

static size_t event_number(play *p, const char *name) {
  size_t i = 0;
  while (i < p->n_events && strcmp(p->events[i], name)) i++;
  if (i == p->n_events && i < MOST_EVENTS) p->events[p->n_events++] = wf_strdup(name);
  p->too_many = p->too_many || i == MOST_EVENTS;
  return i;
}

static void read_windows(play *p, const cJSON *result, const char *line) {
  char name[128];
  double n;
  if (sscanf(line, "window %lf", &n) == 1) {
    p->windows = wf_realloc(p->windows, p->n_windows + 1, sizeof *p->windows);
    p->windows[p->n_windows++] = (span){.edges = n};
  } else if (p->n_windows && sscanf(line, "event %127s %lf", name, &n) == 2) {
    const size_t event = event_number(p, name);
    if (event < MOST_EVENTS) p->windows[p->n_windows - 1].counts[event] += n;
  } else if (p->n_windows) {
    read_ram(result, line, &p->windows[p->n_windows - 1]);
  }
}

typedef void (*line_fn)(play *p, const cJSON *result, const char *line);
static bool read_file(play *p, const cJSON *result, const char *folder, const char *name,
                      line_fn each, wf_error *err) {
  size_t bytes;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = wf_file_read(path, (size_t)4 << 30, &bytes, err), *rest = text, *line;
  while (text && (line = strtok_r(rest, "\n", &rest))) each(p, result, line);
  free(text);
  return text != NULL;
}

static double logic_pj(const play *p, const span *s) {
  return s->watts * p->period_ns * 1e3 * s->edges;
}
static double pj(const play *p, const span *s) {
  return logic_pj(p, s) + s->memory_pj;
}

/* Windows and the whole are two sums of OpenSTA. */
static bool adds_up(const play *p, wf_error *err) {
  double edges = 0, sum = 0;
  for (size_t i = 0; i < p->n_windows; i++) {
    edges += p->windows[i].edges;
    sum += pj(p, &p->windows[i]);
  }
  const double ratio = sum / edges / (pj(p, &p->whole) / p->whole.edges);
  if (p->n_told == p->n_windows && (!p->n_windows || fabs(ratio - 1) < 0.01)) return true;
  return wf_fail(err, WF_EXIT_WRONG,
                 "%s: %zu windows, power of %zu; their energy a cycle is %.4f of the whole's, "
                 "expected 0.99 to 1.01",
                 p->run, p->n_windows, p->n_told, ratio);
}

static bool read_play(play *p, const cJSON *result, const char *folder, wf_error *err) {
  const int memories = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "memories"));
  p->whole.watts = NAN;
  p->period_ns = result_number(result, "clock.period_ns");
  if (!read_file(p, result, folder, "activity", read_activity, err) ||
      !read_file(p, result, folder, "windows", read_windows, err) ||
      !read_file(p, result, folder, "power", read_power, err))
    return false;
  if (p->too_many)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: windows of more than %d events; expected as many or "
                   "less",
                   p->run, MOST_EVENTS);
  if (!(p->whole.edges > 0) || !(p->known >= 0.9 * p->pins) || isnan(p->whole.watts) ||
      p->memories != memories)
    return wf_fail(err, WF_EXIT_WRONG,
                   "the recording tells of %.0f of %.0f pins and %d of %d RAMs in %.0f edges: it "
                   "is not of this netlist",
                   p->known, p->pins, p->memories, memories, p->whole.edges);
  return adds_up(p, err);
}

/* ---- energy by event ---- */

static bool is_check(const play *p) {
  return !strcmp(p->kind, "check");
}

/* A window's edges, then its events: a row of the fit. */
static void features(const span *s, size_t n, double *row) {
  row[0] = s->edges;
  for (size_t e = 1; e < n; e++) row[e] = s->counts[e - 1];
}
static double predicted(const span *s, size_t n, const double *x) {
  double row[MOST_EVENTS + 1], sum = 0;
  features(s, n, row);
  for (size_t e = 0; e < n; e++) sum += row[e] * x[e];
  return sum;
}

/* Returns the residual. */
static double fit(const play *plays, size_t n_plays, size_t n, double *x, size_t *windows) {
  double *rows = NULL, *y = NULL, sum = 0, left = 0;
  size_t count = 0;
  for (const play *p = plays; p < plays + n_plays; p++)
    for (size_t i = 0; i < p->n_windows && !is_check(p); i++) {
      rows = wf_realloc(rows, (count + 1) * n, sizeof *rows);
      y = wf_realloc(y, count + 1, sizeof *y);
      features(&p->windows[i], n, rows + count * n);
      y[count++] = pj(p, &p->windows[i]);
    }
  nonnegative_fit(rows, y, count, n, x);
  for (size_t i = 0; i < count; i++) {
    double at = -y[i];
    for (size_t e = 0; e < n; e++) at += rows[i * n + e] * x[e];
    left += at * at;
    sum += y[i];
  }
  free(rows);
  free(y);
  *windows = count;
  return sqrt(left / (double)count) / (sum / (double)count);
}

static bool add_check(cJSON *at, const play *p, size_t n, const double *x, wf_error *err) {
  double measured = 0, expected = 0, edges = 0;
  for (size_t i = 0; i < p->n_windows; i++) {
    measured += pj(p, &p->windows[i]);
    expected += predicted(&p->windows[i], n, x);
    edges += p->windows[i].edges;
  }
  const double ratio = expected / measured;
  cJSON_AddStringToObject(at, "run", p->run);
  result_put(at, "edges", edges, 0);
  result_put(at, "measured", measured / edges, 2);
  result_put(at, "predicted", expected / edges, 2);
  result_put(at, "ratio", ratio, 3);
  printf("not fitted: %.1f pJ a cycle by events, %.1f measured, ratio %.3f: %s\n", expected / edges,
         measured / edges, ratio, p->run);
  return (ratio > 0.9 && ratio < 1.1) ||
         wf_fail(err, WF_EXIT_WRONG,
                 "energy by events is %.3f of what was measured in a run that was not fitted, "
                 "expected 0.9 to 1.1: %s",
                 ratio, p->run);
}

static bool add_by_event(cJSON *recorded, const play *plays, size_t n_plays, wf_error *err) {
  const size_t n = plays->n_events + 1;
  if (n == 1) return true;
  double x[MOST_EVENTS + 1];
  size_t windows;
  const double residual = fit(plays, n_plays, n, x, &windows);
  cJSON *at = cJSON_AddObjectToObject(recorded, "by_event"),
        *runs = cJSON_AddArrayToObject(at, "runs"), *costs = cJSON_AddObjectToObject(at, "pj");
  for (const play *p = plays; p < plays + n_plays; p++)
    if (!is_check(p)) cJSON_AddItemToArray(runs, cJSON_CreateString(p->run));
  for (size_t e = 0; e < n; e++) result_put(costs, e ? plays->events[e - 1] : "cycle", x[e], 2);
  result_put(at, "windows", (double)windows, 0);
  result_put(at, "residual", residual, 3);
  printf("by event, over %zu windows, residual %.1f %%: %.2f pJ a cycle", windows, 100 * residual,
         *x);
  for (size_t e = 1; e < n; e++) printf(", %.2f %s", x[e], plays->events[e - 1]);
  printf("\n");
  bool ok = true;
  for (const play *p = plays; p < plays + n_plays; p++)
    if (is_check(p)) ok = add_check(at, p, n, x, err) && ok;
  return ok;
}

static bool add(cJSON *result, const play *plays, size_t n_plays, wf_error *err) {
  const span *whole = &plays->whole;
  cJSON_DeleteItemFromObjectCaseSensitive(result, "recorded");
  cJSON *at = cJSON_AddObjectToObject(result, "recorded");
  cJSON_AddStringToObject(at, "run", plays->run);
  result_put(at, "edges", whole->edges, 0);
  result_put(at, "pins", plays->pins, 0);
  result_put(at, "known_pins", plays->known, 0);
  result_put(at, "logic_pj_per_cycle", logic_pj(plays, whole) / whole->edges, 2);
  result_put(at, "memory_pj_per_cycle", whole->memory_pj / whole->edges, 2);
  result_put(at, "pj_per_cycle", pj(plays, whole) / whole->edges, 1);
  printf("%s %s: %.2f pJ of logic and %.2f pJ of RAM a clocked cycle, %.0f edges of %s\n",
         result_text(result, "unit"), result_text(result, "config"),
         logic_pj(plays, whole) / whole->edges, whole->memory_pj / whole->edges, whole->edges,
         plays->run);
  return add_by_event(at, plays, n_plays, err);
}

static void free_play(play *p) {
  for (size_t e = 0; e < p->n_events; e++) free(p->events[e]);
  free(p->windows);
}

int main(int argc, char **argv) {
  wf_error err = {0};
  play plays[MOST_PLAYS] = {0};
  const size_t n_plays = (size_t)(argc - 2) / 3;
  if (argc < 5 || (argc - 2) % 3 || n_plays > MOST_PLAYS || strcmp(argv[2], "run")) {
    fprintf(stderr,
            "usage: recorded RESULT.json run RUN FOLDER [fit|check RUN FOLDER]..., %d runs at "
            "most\n",
            MOST_PLAYS);
    return WF_EXIT_BAD_INPUT;
  }
  cJSON *result = wf_json_read(argv[1], &err);
  bool ok = result != NULL;
  for (size_t i = 0; ok && i < n_plays; i++) {
    plays[i].kind = argv[2 + 3 * i];
    plays[i].run = argv[3 + 3 * i];
    ok = read_play(&plays[i], result, argv[4 + 3 * i], &err);
  }
  ok = ok && add(result, plays, n_plays, &err);
  ok = (ok || err.code == WF_EXIT_WRONG) && wf_json_save(argv[1], result, &err) && ok;
  if (!ok) fprintf(stderr, "power: %s\n", err.text);
  for (size_t i = 0; i < n_plays; i++) free_play(&plays[i]);
  cJSON_Delete(result);
  return ok ? 0 : err.code;
}
