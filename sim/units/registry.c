/* The units there are: Makefile makes wf_unit_list from the folders of sim/units. */
#include <stdio.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/registry.h"

extern const wf_unit_class *const wf_unit_list[]; /* ended by NULL */

const wf_unit_class *const *wf_unit_classes(size_t *count) {
  for (*count = 0; wf_unit_list[*count];) ++*count;
  return wf_unit_list;
}

ptx_custom_op *wf_unit_ops(size_t *count) {
  ptx_custom_op *ops = wf_calloc(1, sizeof *ops);
  *count = 0;
  for (const wf_unit_class *const *c = wf_unit_list; *c; c++) {
    ops = wf_realloc(ops, *count + (*c)->n_ops + 1, sizeof *ops);
    for (size_t i = 0; i < (*c)->n_ops; i++) {
      ops[*count] = (*c)->ops[i];
      ops[(*count)++].unit = (unsigned)(c - wf_unit_list);
    }
  }
  return ops;
}

const wf_unit_class *wf_unit_of_form(const char *form, const char **setting) {
  for (const wf_unit_class *const *c = wf_unit_list; *c; c++)
    for (const wf_unit_form *f = (*c)->forms; f && f->name; f++)
      if (strcmp(f->name, form) == 0) {
        *setting = f->setting;
        return *c;
      }
  return NULL;
}

const wf_unit_class *wf_unit_find(const char *name, wf_error *err) {
  char names[256] = "";
  for (const wf_unit_class *const *c = wf_unit_list; *c; c++) {
    if (strcmp((*c)->name, name) == 0) return *c;
    size_t n = strlen(names);
    snprintf(names + n, sizeof names - n, " %s", (*c)->name);
  }
  wf_fail(err, WF_EXIT_BAD_INPUT, "--unit %s: no such unit; there are:%s", name, names);
  return NULL;
}
