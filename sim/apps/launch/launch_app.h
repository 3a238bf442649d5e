/* What the applications share whose threads launch work of their own (launch.cuh): each comes in
 * three forms of the same algorithm. flat: a thread does all its work itself; cdp: where there are
 * 32 items or more it launches a kernel with a thread per item; dtbl: an aggregated group in the
 * kernel's place. */
#ifndef WF_APP_LAUNCH_H
#define WF_APP_LAUNCH_H

#include "sim/apps/cache/suite.h"

extern const wf_app wf_app_bfs_dp, wf_app_sssp_dp, wf_app_clr, wf_app_join, wf_app_amr, wf_app_bht,
    wf_app_pre, wf_app_regx;

extern const char *const wf_launch_forms[3];

/* Options; the first member of the application's settings. */
typedef struct wf_launch_form {
  unsigned form;  /* index of flat, cdp, dtbl */
  uint32_t block; /* of what threads launch */
} wf_launch_form;
#define WF_LAUNCH_FORM_OPTION                                                                      \
  WF_APP_CHOICE(wf_launch_form, form, wf_launch_forms, 0,                                          \
                "flat, cdp (threads launch kernels) or dtbl (aggregated groups)")
#define WF_LAUNCH_OPTIONS                                                                          \
  WF_LAUNCH_FORM_OPTION,                                                                           \
      WF_APP_NUMBER(wf_launch_form, block, 32, 256, 64, "threads of a launched block")

/* Launches NAME_flat, NAME_cdp or NAME_dtbl; as WF_SUITE_LAUNCH otherwise. */
bool wf_launch_in_form(wf_app_run *run, const wf_launch_form *form, const char *name,
                       wf_suite_shape shape, const void *const *params, unsigned n_params,
                       wf_error *err);
#define WF_LAUNCH_IN_FORM(RUN, FORM, NAME, SHAPE, ERR, ...)                                        \
  wf_launch_in_form(RUN, FORM, NAME, SHAPE, (const void *const[]){__VA_ARGS__},                    \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *), ERR)

#endif
