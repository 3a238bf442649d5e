#include "sim/apps/launch/launch_app.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FAR_BLOCK = 128, PART_BYTES = 32, WARP_LANES = 32, MAX_PARAMS = 16 }; /* share.cuh */

const char *const wf_launch_forms[] = {
    [WF_LAUNCH_FLAT] = "flat",           [WF_LAUNCH_CDP] = "cdp",
    [WF_LAUNCH_DTBL] = "dtbl",           [WF_LAUNCH_BINS] = "bins",
    [WF_LAUNCH_SCAN] = "scan",           [WF_LAUNCH_BINS_DTBL] = "bins_dtbl",
    [WF_LAUNCH_SCAN_DTBL] = "scan_dtbl",
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
  } own[] = {{"app.from", "bins, scan, bins_dtbl or scan_dtbl", shares},
             {"app.chunk", "bins, scan, bins_dtbl or scan_dtbl", shares},
             {"app.block", "cdp or dtbl", !shares && form->form != WF_LAUNCH_FLAT}};
  const char *value;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (!own[i].used && wf_app_named(run, own[i].key, &value))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: is not of form %s; expected --set app.form=%s too", own[i].key,
                     value, wf_launch_forms[form->form], own[i].forms);
  return true;
}

bool wf_launch_open(wf_app_run *run, wf_launch_form *form, uint64_t lists, uint64_t items,
                    wf_error *err) {
  if (!check_options(run, form, err)) return false;
  form->far = (wf_launch_far){.from = form->from, .chunk = form->chunk};
  if (!has_queue(form)) return true;
  const uint64_t is_long = items / form->from, parts = is_long < lists ? is_long : lists;
  return (form->far.size = wf_app_reserve(run->gpu, 0, 4, "size of the queue", err)) &&
         (form->far.queue = wf_app_reserve(run->gpu, 0, (items / form->chunk + parts) * PART_BYTES,
                                           "queue of long lists", err));
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
