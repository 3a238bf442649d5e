/* What was noticed and what was not, for people and as JSON. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "verify/mutate/mutate.h"

static const char *const STATES[] = {"open",    "killed",    "survived",
                                     "endless", "unreached", "equivalent"};

typedef struct tally {
  const char *module;
  unsigned count[FAULT_STATES], all;
} tally;

static int by_module(const void *a, const void *b) {
  return strcmp(((const tally *)a)->module, ((const tally *)b)->module);
}

static tally *count_modules(const fault_list *list, size_t *n) {
  tally *t = wf_calloc(list->count + 1, sizeof *t);
  *n = 0;
  for (size_t i = 0; i < list->count; i++) {
    size_t m = 0;
    while (m < *n && strcmp(t[m].module, list->items[i].module) != 0) m++;
    if (m == *n) t[(*n)++].module = list->items[i].module;
    t[m].count[list->items[i].state]++;
    t[m].all++;
  }
  qsort(t, *n, sizeof *t, by_module);
  return t;
}

static void print_fault(const fault *f) {
  printf("    %s %u: %s:%u, %s %s.%s.%u: %s\n", f->config, f->number, f->file, f->line, f->mode,
         f->type, f->port, f->bit, f->text);
}

static void print_states(const fault_list *list, fault_state state, const char *title) {
  bool any = false;
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i].state != state) continue;
    if (!any) printf("  %s\n", title);
    any = true;
    print_fault(&list->items[i]);
    if (list->items[i].reason) printf("        %s\n", list->items[i].reason);
  }
}

static cJSON *fault_json(const mutate_unit *u, const fault *f) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "config", f->config);
  cJSON_AddNumberToObject(j, "number", f->number);
  cJSON_AddStringToObject(j, "module", f->module);
  cJSON_AddStringToObject(j, "file", f->file);
  cJSON_AddNumberToObject(j, "line", f->line);
  cJSON_AddStringToObject(j, "source", f->text);
  cJSON_AddStringToObject(j, "mode", f->mode);
  cJSON_AddStringToObject(j, "cell", f->cell);
  cJSON_AddStringToObject(j, "type", f->type);
  cJSON_AddStringToObject(j, "port", f->port);
  cJSON_AddNumberToObject(j, "bit", f->bit);
  cJSON_AddStringToObject(j, "state", STATES[f->state]);
  cJSON_AddNumberToObject(j, "cpu_seconds", f->seconds);
  if (f->state == FAULT_KILLED) cJSON_AddStringToObject(j, "killer", u->killers[f->killer]);
  if (f->said) cJSON_AddStringToObject(j, "said", f->said);
  if (f->reason) cJSON_AddStringToObject(j, "reason", f->reason);
  return j;
}

static void print_row(const char *module, unsigned all, const unsigned count[FAULT_STATES]) {
  printf("  %-18s %7u %7u %9u %8u %10u %11u\n", module, all, count[FAULT_KILLED],
         count[FAULT_SURVIVED], count[FAULT_ENDLESS], count[FAULT_UNREACHED],
         count[FAULT_EQUIVALENT]);
}

static double print_table(const mutate_unit *u, const fault_list *list,
                          const unsigned sum[FAULT_STATES]) {
  size_t n;
  tally *t = count_modules(list, &n);
  printf("  %-18s %7s %7s %9s %8s %10s %11s\n", "module", "faults", "killed", "survived", "endless",
         "unreached", "equivalent");
  for (size_t i = 0; i < n; i++) print_row(t[i].module, t[i].all, t[i].count);
  print_row("all", (unsigned)list->count, sum);
  free(t);
  for (unsigned k = 0; k < u->n_killers; k++) {
    unsigned by = 0;
    for (size_t i = 0; i < list->count; i++)
      by += list->items[i].state == FAULT_KILLED && list->items[i].killer == k;
    printf("  %u by %s\n", by, u->killers[k]);
  }
  size_t counted = list->count - sum[FAULT_EQUIVALENT];
  return counted ? 100.0 * sum[FAULT_KILLED] / (double)counted : 0;
}

/* A fault that a test noticed is neither equivalent nor unreached, whatever the list says. */
static unsigned wrongly_listed(const fault_list *list) {
  unsigned wrong = 0;
  for (size_t i = 0; i < list->count; i++) {
    const fault *f = &list->items[i];
    if (!f->listed || f->state != FAULT_KILLED) continue;
    wrong++;
    printf("  said to be %s, yet noticed:\n", STATES[f->listed]);
    print_fault(f);
    printf("        %s\n", f->said);
  }
  return wrong;
}

bool mutate_report(const mutate_unit *u, const fault_list *list, const mutate_sample *samples,
                   unsigned n_samples, const char *build, const char *name, wf_error *err) {
  unsigned sum[FAULT_STATES] = {0};
  cJSON *root = cJSON_CreateObject(), *configs, *faults;
  for (size_t i = 0; i < list->count; i++) sum[list->items[i].state]++;
  double score = print_table(u, list, sum);
  print_states(list, FAULT_SURVIVED, "survived:");
  print_states(list, FAULT_ENDLESS, "did not end, which no test noticed:");
  print_states(list, FAULT_UNREACHED, "where no test goes, and so not noticed:");
  print_states(list, FAULT_EQUIVALENT, "equivalent:");
  unsigned wrong = wrongly_listed(list);
  bool good = score >= u->limit && !wrong;
  printf("mutate %s: %u of %zu faults noticed, %u unreached, %u equivalent: %.1f %% (limit %u)\n",
         u->unit, sum[FAULT_KILLED], list->count, sum[FAULT_UNREACHED], sum[FAULT_EQUIVALENT],
         score, u->limit);

  cJSON_AddStringToObject(root, "unit", u->unit);
  cJSON_AddNumberToObject(root, "seed", u->seed);
  cJSON_AddItemToObject(root, "samples", configs = cJSON_CreateObject());
  for (unsigned i = 0; i < n_samples; i++)
    cJSON_AddNumberToObject(configs, samples[i].config, samples[i].count);
  for (int s = FAULT_KILLED; s < FAULT_STATES; s++)
    cJSON_AddNumberToObject(root, STATES[s], sum[s]);
  cJSON_AddNumberToObject(root, "killed_percent", score);
  cJSON_AddNumberToObject(root, "limit_percent", u->limit);
  cJSON_AddBoolToObject(root, "passed", good);
  cJSON_AddItemToObject(root, "faults", faults = cJSON_CreateArray());
  for (size_t i = 0; i < list->count; i++)
    cJSON_AddItemToArray(faults, fault_json(u, &list->items[i]));
  char *path = wf_text("%s/mutate/%s.json", build, name);
  bool ok = wf_json_save(path, root, err);
  free(path);
  cJSON_Delete(root);
  if (ok && wrong)
    return wf_fail(err, WF_EXIT_WRONG,
                   "%s: %u faults are wrongly listed as equivalent or unreached", u->unit, wrong);
  if (ok && !good)
    return wf_fail(err, WF_EXIT_WRONG, "%s: %.1f %% of the faults were noticed, the limit is %u %%",
                   u->unit, score, u->limit);
  return ok;
}
