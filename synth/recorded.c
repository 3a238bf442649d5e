/* recorded RESULT.json ACTIVITY POWER RUN: adds "recorded" to a result of synthesis, the energy of
 * a clocked cycle at the activity of a recorded run (synth/activity.c, synth/power.tcl), in pJ:
 *   {run, edges, pins, known_pins, logic_pj_per_cycle, memory_pj_per_cycle, events, pj_per_event}
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "synth/result.h"

typedef struct recorded {
  double edges, known, pins, watts;
  double memory_pj; /* of all edges */
  int memories;
} recorded;

static const cJSON *memory_at(const cJSON *result, const char *path) {
  const cJSON *m;
  cJSON_ArrayForEach(m, cJSON_GetObjectItemCaseSensitive(result, "memories")) {
    if (!strcmp(result_text(m, "instance"), path)) return m;
  }
  return NULL;
}

static void read_line(recorded *r, const cJSON *result, const char *line) {
  char path[4096];
  double a, b;
  if (sscanf(line, "edges %lf", &a) == 1) {
    r->edges = a;
  } else if (sscanf(line, "known %lf of %lf", &a, &b) == 2) {
    r->known = a, r->pins = b;
  } else if (sscanf(line, "Total %lf %lf", &a, &b) == 2) {
    r->watts = a + b;
  } else if (sscanf(line, "ram %4095s %lf %lf", path, &a, &b) == 3) {
    const cJSON *m = memory_at(result, path);
    if (!m) return; /* the model inside the macro */
    const double read = result_number(m, "read_pj"), write = result_number(m, "write_pj");
    r->memory_pj += a * read + b * (isnan(write) ? read : write);
    r->memories++;
  }
}

static bool read_file(recorded *r, const cJSON *result, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, (size_t)1 << 30, &bytes, err), *rest = text, *line;
  while (text && (line = strtok_r(rest, "\n", &rest))) read_line(r, result, line);
  free(text);
  return text != NULL;
}

static bool add(cJSON *result, const recorded *r, const char *run, wf_error *err) {
  const int memories = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "memories"));
  if (!(r->edges > 0) || !(r->known >= 0.9 * r->pins) || isnan(r->watts) || r->memories != memories)
    return wf_fail(err, WF_EXIT_WRONG,
                   "the recording tells of %.0f of %.0f pins and %d of %d RAMs in %.0f edges: it "
                   "is not of this netlist",
                   r->known, r->pins, r->memories, memories, r->edges);
  cJSON_DeleteItemFromObjectCaseSensitive(result, "recorded");
  cJSON *at = cJSON_AddObjectToObject(result, "recorded");
  cJSON_AddStringToObject(at, "run", run);
  result_put(at, "edges", r->edges, 0);
  result_put(at, "pins", r->pins, 0);
  result_put(at, "known_pins", r->known, 0);
  const double logic = r->watts * result_number(result, "clock.period_ns") * 1e3,
               memory = r->memory_pj / r->edges;
  result_put(at, "logic_pj_per_cycle", logic, 2);
  result_put(at, "memory_pj_per_cycle", memory, 2);
  result_put(at, "pj_per_cycle", logic + memory, 1);
  return true;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  if (argc != 5) {
    fputs("usage: recorded RESULT.json ACTIVITY POWER RUN\n", stderr);
    return WF_EXIT_BAD_INPUT;
  }
  recorded r = {.watts = NAN};
  cJSON *result = wf_json_read(argv[1], &err);
  const bool ok = result && read_file(&r, result, argv[2], &err) &&
                  read_file(&r, result, argv[3], &err) && add(result, &r, argv[4], &err) &&
                  wf_json_save(argv[1], result, &err);
  if (ok)
    printf("%s %s: %.2f pJ of logic and %.2f pJ of RAM a clocked cycle, %.0f edges of %s\n",
           result_text(result, "unit"), result_text(result, "config"),
           result_number(result, "recorded.logic_pj_per_cycle"),
           result_number(result, "recorded.memory_pj_per_cycle"), r.edges, argv[4]);
  else
    fprintf(stderr, "power: %s\n", err.text);
  cJSON_Delete(result);
  return ok ? 0 : err.code;
}
