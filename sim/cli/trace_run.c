#include "sim/cli/trace_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/units/registry.h"

const char wf_trace_not_verified[] =
    "a trace has addresses and no values: what loads return cannot be checked";

enum { PAGE = 1 << 16 };

/* Our own traces' addresses are a device's: they stay, and memory fills up as it did when they were
 * recorded. */
static bool fill_memory(wf_gpu *gpu, uint64_t used, wf_error *err) {
  const uint64_t now = wf_gpu_memory_used(gpu);
  return now >= used || wf_gpu_alloc(gpu, used - now, "the trace's memory", err);
}

static bool place(wf_gpu *gpu, wf_trace *t, wf_error *err) {
  const uint64_t bytes = wf_trace_memory(t),
                 end = WF_IMAGE_BASE + ((uint64_t)wf_gpu_get_config(gpu)->memory_mib << 20);
  if (wf_trace_own_addresses(t)) {
    if (bytes > end || (bytes && wf_trace_lowest(t) < WF_IMAGE_BASE))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "the trace touches device addresses 0x%" PRIx64 " to 0x%" PRIx64
                     "; device memory is 0x%x to 0x%" PRIx64 " (memory.mib)",
                     wf_trace_lowest(t), bytes, WF_IMAGE_BASE, end);
    wf_trace_place(t, 0);
    return true;
  }
  const uint64_t at = wf_gpu_alloc(gpu, bytes + PAGE, "the trace's memory", err);
  if (at) wf_trace_place(t, (at + PAGE - 1) / PAGE * PAGE);
  return at != 0;
}

/* The unit that listens to the trace, if there is one. */
static bool find_listener(const wf_gpu *gpu, wf_unit **listener, wf_error *err) {
  wf_unit *unit;
  *listener = NULL;
  for (unsigned u = 0; (unit = wf_gpu_unit(gpu, u)); u++) {
    if (!unit->cls->trace) continue;
    if (*listener)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit %s,%s: one unit listens to a trace, not two",
                     (*listener)->cls->name, unit->cls->name);
    *listener = unit;
  }
  return !*listener || (*listener)->cls->trace->start(*listener, err);
}

static bool launch(wf_gpu *gpu, wf_trace *t, size_t index, wf_trace_replay *replay,
                   wf_unit *listener, wf_error *err) {
  const wf_trace_kernel *k = &wf_trace_launch_at(t, index)->kernel;
  wf_launch_args args = {.kernel = k->name, .shared_bytes = k->shared_bytes};
  memcpy(args.grid, k->grid, sizeof args.grid);
  memcpy(args.block, k->block, sizeof args.block);
  wf_warp_source *source = wf_trace_replay_launch(replay, index, err);
  if (source && listener) source = listener->cls->trace->listen(listener, source, k, err);
  if (!source || !fill_memory(gpu, k->memory_used, err)) return false;
  wf_gpu_set_source(gpu, source);
  const bool ok = wf_gpu_launch_kernel(gpu, wf_trace_kernel_of(t, index), &args, err);
  wf_gpu_set_source(gpu, NULL);
  return ok;
}

static cJSON *describe(const wf_trace *t, const char *path, const wf_trace_replay *replay) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "path", path);
  cJSON_AddStringToObject(o, "format", wf_trace_format_name(t));
  cJSON_AddNumberToObject(o, "launches", (double)wf_trace_launch_count(t));
  uint64_t unknown = 0;
  const wf_trace_program *p;
  for (size_t i = 0; (p = wf_trace_program_at(t, i)); i++)
    for (uint32_t op = 0; op < p->n_ops; op++) unknown += p->ops[op].known ? 0 : p->ops[op].count;
  cJSON_AddNumberToObject(o, "unknown_instructions", (double)unknown);
  cJSON_AddNumberToObject(o, "resident_bytes", (double)wf_trace_replay_peak(replay));
  return o;
}

wf_trace *wf_trace_run_open(const char *path, char *const *units, unsigned n, wf_error *err) {
  wf_trace_options options = {0};
  for (unsigned u = 0; u < n; u++) {
    const wf_unit_class *cls = wf_unit_find(units[u], err);
    if (!cls) return NULL;
    if (!cls->trace && cls->needs & WF_NEED_VALUES) {
      wf_fail(err, WF_EXIT_BAD_INPUT,
              "--unit %s: not with a trace: it needs the values of registers and memory",
              cls->name);
      return NULL;
    }
    options.flow |= cls->trace != NULL;
  }
  return wf_trace_open(path, &options, err);
}

bool wf_trace_run(wf_gpu *gpu, wf_trace *t, const char *path, cJSON **json, wf_error *err) {
  wf_unit *unit;
  if (!find_listener(gpu, &unit, err) || !place(gpu, t, err)) return false;
  wf_trace_replay *replay = wf_trace_replay_create(t, err);
  bool ok = replay != NULL;
  for (size_t i = 0; ok && i < wf_trace_launch_count(t); i++)
    ok = launch(gpu, t, i, replay, unit, err);
  if (ok) *json = describe(t, path, replay);
  if (ok && unit) {
    cJSON_AddItemToObject(*json, unit->cls->name, unit->cls->trace->json(unit));
    unit->cls->trace->print(unit, stdout);
  }
  char *unknown = ok ? wf_trace_unknown_text(t) : NULL;
  if (unknown) fputs(unknown, stdout);
  free(unknown);
  wf_trace_replay_destroy(replay);
  return ok;
}
