/* The units there are. Adding or deleting one is one line here and one folder each in rtl/, tb/. */
#include "sim/units/registry.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/socket.h"

static const wf_unit_class *const classes[] = {
    &wf_unit_mff,
    &wf_unit_apcm,
    &wf_unit_dtbl,
    &wf_unit_spref,
    &wf_unit_teleport,
};
enum { CLASS_COUNT = sizeof classes / sizeof classes[0] };

const wf_unit_class *const *wf_unit_classes(size_t *count) {
  *count = CLASS_COUNT;
  return classes;
}

ptx_custom_op *wf_unit_ops(size_t *count) {
  ptx_custom_op *ops = wf_calloc(1, sizeof *ops);
  *count = 0;
  for (size_t c = 0; c < CLASS_COUNT; c++) {
    ops = wf_realloc(ops, *count + classes[c]->n_ops + 1, sizeof *ops);
    for (size_t i = 0; i < classes[c]->n_ops; i++) ops[(*count)++] = classes[c]->ops[i];
  }
  return ops;
}

const wf_unit_class *wf_unit_find(const char *name, wf_error *err) {
  char names[256] = "";
  for (size_t i = 0; i < CLASS_COUNT; i++) {
    if (strcmp(classes[i]->name, name) == 0) return classes[i];
    size_t n = strlen(names);
    snprintf(names + n, sizeof names - n, " %s", classes[i]->name);
  }
  wf_fail(err, WF_EXIT_BAD_INPUT, "--unit %s: no such unit; there are:%s", name, names);
  return NULL;
}
