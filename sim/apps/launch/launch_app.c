#include "sim/apps/launch/launch_app.h"

#include <stdio.h>

const char *const wf_launch_forms[] = {"flat", "cdp", "dtbl"};

bool wf_launch_in_form(wf_app_run *run, const wf_launch_form *form, const char *name,
                       wf_suite_shape shape, const void *const *params, unsigned n_params,
                       wf_error *err) {
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_%s", name, wf_launch_forms[form->form]);
  return wf_suite_launch(run, kernel, shape, params, n_params, err);
}
