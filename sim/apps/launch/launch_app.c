#include "sim/apps/launch/launch_app.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FAR_BLOCK = 128, PART_BYTES = 32, WARP_LANES = 32, MAX_PARAMS = 16 }; /* share.cuh */
enum { STATE_BYTES = 4 * 64 * 4, MAX_WARPS = 64 * 64 };                      /* persist.cuh */

const char *const wf_launch_forms[] = {
    [WF_LAUNCH_FLAT] = "flat",           [WF_LAUNCH_CDP] = "cdp",
    [WF_LAUNCH_DTBL] = "dtbl",           [WF_LAUNCH_BINS] = "bins",
    [WF_LAUNCH_SCAN] = "scan",           [WF_LAUNCH_BINS_DTBL] = "bins_dtbl",
    [WF_LAUNCH_SCAN_DTBL] = "scan_dtbl", [WF_LAUNCH_PT] = "pt",
};

static bool has_queue(const wf_launch_form *form) {
  return form->form == WF_LAUNCH_BINS || form->form == WF_LAUNCH_SCAN;
}

/* Is each option that the user named one of the form's? */
static bool check_options(const wf_app_run *run, const wf_launch_form *form, wf_error *err) {
  const bool shares = form->form >= WF_LAUNCH_BINS;
  const struct {
    const char *key, *forms;
    bool used;
  } own[] = {{"app.from", "bins, scan, bins_dtbl, scan_dtbl or pt", shares},
             {"app.chunk", "bins, scan, bins_dtbl, scan_dtbl or pt", shares},
             {"app.block", "cdp or dtbl", !shares && form->form != WF_LAUNCH_FLAT}};
  const char *value;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!own[i].used && wf_app_named(run, own[i].key, &value))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: is not of form %s; expected --set app.form=%s too", own[i].key,
                     value, wf_launch_forms[form->form], own[i].forms);
  return true;
}

/* A warp's last ticket lies behind the queue. */
static bool open_persist(wf_app_run *run, wf_launch_form *form, uint64_t parts, wf_error *err) {
  wf_launch_persist *p = &form->persist;
  if (parts > UINT32_MAX / PART_BYTES)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "app.chunk=%u, app.from=%u: %llu chunks; expected larger ones", form->chunk,
                   form->from, (unsigned long long)parts);
  *p = (wf_launch_persist){
      .from = form->from, .chunk = form->chunk, .tickets = (uint32_t)parts + MAX_WARPS};
  return (p->state = wf_app_reserve(run->gpu, 0, STATE_BYTES, "state of the queue", err)) &&
         (p->queue =
              wf_app_reserve(run->gpu, 0, (parts + 1) * PART_BYTES, "queue of long lists", err)) &&
         (p->there = wf_app_reserve(run->gpu, 0, 4ull * p->tickets, "what is in the queue", err));
}

bool wf_launch_open(wf_app_run *run, wf_launch_form *form, uint64_t lists, uint64_t items,
                    wf_error *err) {
  if (!check_options(run, form, err)) return false;
  form->far = (wf_launch_far){.from = form->from, .chunk = form->chunk};
  const uint64_t is_long = items / form->from,
                 parts = items / form->chunk + (is_long < lists ? is_long : lists);
  if (form->form == WF_LAUNCH_PT) return open_persist(run, form, parts, err);
  if (!has_queue(form)) return true;
  return (form->far.size = wf_app_reserve(run->gpu, 0, 4, "size of the queue", err)) &&
         (form->far.queue =
              wf_app_reserve(run->gpu, 0, parts * PART_BYTES, "queue of long lists", err));
}

static bool launch_persist(wf_app_run *run, const wf_launch_form *form, const char *kernel,
                           wf_suite_shape shape, const void **params, unsigned n_params,
                           wf_error *err) {
  wf_launch_persist p = form->persist;
  uint32_t blocks;
  p.lists = shape.grid_x * shape.grid_y * shape.block_x * shape.block_y;
  params[n_params] = &p;
  return wf_gpu_resident_blocks(run->gpu, kernel, FAR_BLOCK, 0, &blocks, err) &&
         wf_gpu_fill(run->gpu, p.state, 0, STATE_BYTES, err) &&
         wf_gpu_fill(run->gpu, p.there, 0, 4ull * p.tickets, err) &&
         wf_suite_launch(run, kernel, wf_suite_line(blocks * FAR_BLOCK, FAR_BLOCK), params,
                         n_params + 1, err);
}

bool wf_launch_in_form(wf_app_run *run, const wf_launch_form *form, const char *name,
                       wf_suite_shape shape, const void *const *params, unsigned n_params,
                       wf_error *err) {
  char kernel[64];
  const void *with_far[MAX_PARAMS];
  uint32_t parts;
  snprintf(kernel, sizeof kernel, "%s_%s", name, wf_launch_forms[form->form]);
  if (form->form < WF_LAUNCH_BINS)
    return wf_suite_launch(run, kernel, shape, params, n_params, err);
  assert(n_params < MAX_PARAMS);
  memcpy(with_far, params, n_params * sizeof *params);
  if (form->form == WF_LAUNCH_PT)
    return launch_persist(run, form, kernel, shape, with_far, n_params, err);
  with_far[n_params] = &form->far;
  if (!has_queue(form)) return wf_suite_launch(run, kernel, shape, with_far, n_params + 1, err);
  if (!wf_app_write_u32(run->gpu, form->far.size, 0, err) ||
      !wf_suite_launch(run, kernel, shape, with_far, n_params + 1, err) ||
      !wf_app_read_u32(run->gpu, form->far.size, &parts, err))
    return false;
  if (!parts) return true;
  snprintf(kernel, sizeof kernel, "%s_far", name);
  return wf_suite_launch(run, kernel, wf_suite_line(parts * WARP_LANES, FAR_BLOCK), with_far,
                         n_params + 1, err);
}
