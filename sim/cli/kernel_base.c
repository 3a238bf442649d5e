#include "sim/cli/kernel_base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"
#include "sim/units/registry.h"
#include "sim/units/unit.h"

typedef struct base {
  char *text, *unit, *name; /* text holds the other two */
  long param, offset;
} base;

static bool parse(base *b, const char *text, wf_error *err) {
  *b = (base){.text = wf_strdup(text)};
  char *rest = b->text;
  b->unit = strsep(&rest, ".");
  b->name = strsep(&rest, "=");
  const char *param = strsep(&rest, "+");
  if (param && *b->unit && *b->name && wf_parse_long(param, &b->param) &&
      (!rest || wf_parse_long(rest, &b->offset)) && b->offset >= 0)
    return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--base %s: expected UNIT.NAME=N or UNIT.NAME=N+BYTES, N the number of a "
                 "parameter, from 0; `warpfab list units` shows the names",
                 text);
}

/* Is the same base set by one of those before? */
static bool check_once(const run_options *o, unsigned i, wf_error *err) {
  const size_t n = strcspn(o->bases[i], "=") + 1;
  for (unsigned k = 0; k < i; k++)
    if (!strncmp(o->bases[k], o->bases[i], n))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--base %s and %s: given twice", o->bases[i],
                     o->bases[k]);
  return true;
}

static bool check_unit(const run_options *o, const base *b, const char *text, wf_error *err) {
  unsigned u = 0, number;
  while (u < o->n_units && strcmp(o->unit_names[u], b->unit)) u++;
  if (u == o->n_units)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--base %s: %s is not among the units of --unit", text,
                   b->unit);
  const wf_unit_class *cls = wf_unit_find(b->unit, err);
  return cls && wf_unit_find_base(cls, b->name, &number, err);
}

static bool check_place(const run_options *o, const base *b, const char *text,
                        const wf_kernel_param *given, wf_error *err) {
  const bool there = b->param >= 0 && b->param < o->n_params;
  if (!there || given[b->param].kind == WF_KERNEL_VALUE)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--base %s: parameter %ld %s", text, b->param,
                   there ? "is a value: expected buf, iota, graph or file"
                         : "is not there: they count from 0");
  return (uint64_t)b->offset < given[b->param].memory_bytes ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--base %s: the memory of parameter %ld has %" PRIu64 " bytes", text, b->param,
                 given[b->param].memory_bytes);
}

bool wf_kernel_bases_check(const run_options *o, const wf_kernel_param *given, wf_error *err) {
  bool ok = true;
  for (unsigned i = 0; ok && i < o->n_bases; i++) {
    base b;
    ok = parse(&b, o->bases[i], err) && check_once(o, i, err) &&
         check_unit(o, &b, o->bases[i], err) && check_place(o, &b, o->bases[i], given, err);
    free(b.text);
  }
  return ok;
}

bool wf_kernel_bases_set(wf_gpu *gpu, const run_options *o, const wf_kernel_param *given,
                         wf_error *err) {
  bool ok = true;
  for (unsigned i = 0; ok && i < o->n_bases; i++) {
    base b;
    uint64_t device;
    ok = parse(&b, o->bases[i], err);
    if (ok) {
      memcpy(&device, given[b.param].value, sizeof device);
      ok = wf_gpu_unit_base(gpu, b.unit, b.name, device + (uint64_t)b.offset, err);
    }
    free(b.text);
  }
  return ok;
}
