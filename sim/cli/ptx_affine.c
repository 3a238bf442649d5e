#include "sim/cli/ptx_affine.h"

#include <stdio.h>

/* "induction, bounded": what PTX_RELAX_ bits would make of it. */
static void relaxed_text(const ptx_affine_load *l, char *text, size_t bytes) {
  snprintf(text, bytes, "%s%s", l->cause ? ptx_affine_cause_name(l->cause) : "-",
           l->cause && l->possible ? (l->needs == PTX_RELAX_LOOPS ? ", bounded" : ", relaxed")
                                   : "");
}

void wf_ptx_affine_print(const ptx_affine *a) {
  uint32_t n;
  const ptx_affine_load *l = ptx_affine_loads(a, &n);
  if (n)
    printf("  %5s  %6s  %-12s  %-20s  %s\n", "pc", "line", "address", "cause",
           "form (w: the kernel writes the array)");
  for (uint32_t i = 0; i < n; i++) {
    char form[400], cause[40];
    ptx_affine_text(a, i, form, sizeof form);
    relaxed_text(&l[i], cause, sizeof cause);
    printf("  %5u  %6u  %-12s  %-20s  %s%s\n", l[i].pc, l[i].line, ptx_affine_class_name(l[i].cls),
           cause, form, l[i].written ? "  w" : "");
  }
  const ptx_affine_totals t = ptx_affine_count(a);
  wf_ptx_affine_print_totals("addresses", &t);
}

void wf_ptx_affine_print_totals(const char *name, const ptx_affine_totals *t) {
  printf("  %s: %u arrays, %u loads: %u static, %u quasi-static, %u induction (%u bounded), %u "
         "indirect, %u control, %u operator; %u of these "
         "with all relaxations\n",
         name, t->arrays, t->loads, t->by_class[PTX_AFFINE_STATIC], t->by_class[PTX_AFFINE_QUASI],
         t->by_cause[PTX_CAUSE_INDUCTION], t->bounded, t->by_cause[PTX_CAUSE_INDIRECT],
         t->by_cause[PTX_CAUSE_CONTROL], t->by_cause[PTX_CAUSE_OPERATOR], t->relaxed);
}

cJSON *wf_ptx_affine_totals_json(const ptx_affine_totals *t) {
  const struct {
    const char *key;
    uint32_t value;
  } entries[] = {{"arrays", t->arrays},
                 {"loads", t->loads},
                 {"static", t->by_class[PTX_AFFINE_STATIC]},
                 {"quasi_static", t->by_class[PTX_AFFINE_QUASI]},
                 {"induction", t->by_cause[PTX_CAUSE_INDUCTION]},
                 {"indirect", t->by_cause[PTX_CAUSE_INDIRECT]},
                 {"control", t->by_cause[PTX_CAUSE_CONTROL]},
                 {"operator", t->by_cause[PTX_CAUSE_OPERATOR]},
                 {"bounded", t->bounded},
                 {"relaxed", t->relaxed}};
  cJSON *json = cJSON_CreateObject();
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    cJSON_AddNumberToObject(json, entries[i].key, entries[i].value);
  return json;
}

static cJSON *load_json(const ptx_affine *a, uint32_t i, const ptx_affine_load *l) {
  const ptx_inst *inst = &ptx_affine_kernel(a)->insts[l->pc];
  char form[1000], array[100];
  cJSON *json = cJSON_CreateObject();
  ptx_affine_text(a, i, form, sizeof form);
  ptx_affine_array_text(a, l, array, sizeof array);
  cJSON_AddNumberToObject(json, "pc", l->pc);
  cJSON_AddNumberToObject(json, "line", l->line);
  cJSON_AddNumberToObject(json, "bytes", (double)inst->bytes * inst->vec);
  cJSON_AddStringToObject(json, "class", ptx_affine_class_name(l->cls));
  cJSON_AddStringToObject(json, "cause", ptx_affine_cause_name(l->cause));
  cJSON_AddBoolToObject(json, "possible", l->possible);
  cJSON_AddNumberToObject(json, "needs", l->needs);
  cJSON_AddStringToObject(json, "array", array);
  cJSON_AddBoolToObject(json, "written", l->written);
  cJSON_AddBoolToObject(json, "uncached", l->uncached);
  cJSON_AddStringToObject(json, "address", form);
  return json;
}

cJSON *wf_ptx_affine_json(const ptx_affine *a) {
  uint32_t n;
  const ptx_affine_load *l = ptx_affine_loads(a, &n);
  const ptx_affine_totals t = ptx_affine_count(a);
  cJSON *json = cJSON_CreateObject(), *loads = cJSON_CreateArray();
  cJSON_AddStringToObject(json, "kernel", ptx_affine_kernel(a)->name);
  for (uint32_t i = 0; i < n; i++) cJSON_AddItemToArray(loads, load_json(a, i, &l[i]));
  cJSON_AddItemToObject(json, "loads", loads);
  cJSON_AddItemToObject(json, "totals", wf_ptx_affine_totals_json(&t));
  return json;
}
