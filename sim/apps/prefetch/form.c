#include "sim/apps/prefetch/form.h"

#include <stdio.h>

const char *const wf_prefetch_forms[9] = {"plain", "fine", "swp",   "swpnc", "ahead",
                                          "unr2",  "unr3", "wide4", "wide8"};

const wf_parameter wf_prefetch_search_options[] = {
    WF_SUITE_SEARCH_OPTIONS, WF_PREFETCH_FORM_OPTION(wf_prefetch_search), {0}};

bool wf_prefetch_search_read(wf_app_run *run, wf_prefetch_search *search, wf_error *err) {
  return wf_app_read_options(run, wf_prefetch_search_options, search, err) &&
         wf_suite_search_begin(run, &search->search, err);
}

typedef struct form_only {
  unsigned form;
} form_only;
const wf_parameter wf_prefetch_form_options[] = {WF_PREFETCH_FORM_OPTION(form_only), {0}};

bool wf_prefetch_form_read(wf_app_run *run, unsigned *form, wf_error *err) {
  form_only only;
  const bool ok = wf_app_read_options(run, wf_prefetch_form_options, &only, err);
  *form = only.form;
  return ok;
}

wf_prefetch_kernel wf_prefetch_kernel_of(unsigned form, const char *name, uint32_t block) {
  wf_prefetch_kernel k = {.block = form ? WF_PREFETCH_BLOCK : block};
  snprintf(k.name, sizeof k.name, "%s%s%s", name, form ? "_" : "",
           form ? wf_prefetch_forms[form] : "");
  return k;
}
