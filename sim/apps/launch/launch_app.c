#include "sim/apps/launch/launch_app.h"

#include <stdio.h>

static const char *const forms[] = {"flat", "cdp", "dtbl"};

bool wf_launch_form_read(const wf_app_run *run, wf_launch_form *form, wf_error *err) {
  long block;
  if (!wf_app_choice(run->gpu, "app.form", forms, 3, 0, &form->form, err) ||
      !wf_app_number(run->gpu, "app.block", 32, 256, 64, &block, err))
    return false;
  form->block = (uint32_t)block;
  return true;
}

bool wf_launch_in_form(wf_app_run *run, const wf_launch_form *form, const char *name,
                       wf_suite_shape shape, const void *const *params, unsigned n_params,
                       wf_error *err) {
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_%s", name, forms[form->form]);
  return wf_suite_launch(run, kernel, shape, params, n_params, err);
}
