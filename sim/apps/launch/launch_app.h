/* What the applications share whose threads launch work of their own. As the paper has them, in
 * three forms of the same algorithm (launch.cuh): flat, a thread does all its work itself; cdp,
 * where there are 32 items or more it launches a kernel with a thread per item; dtbl, an aggregated
 * group in the kernel's place. And as one would write them for speed, without launches and with
 * (share.cuh): bins, scan; bins_dtbl, scan_dtbl. pt: persistent threads (persist.cuh). */
#ifndef WF_APP_LAUNCH_H
#define WF_APP_LAUNCH_H

#include "sim/apps/cache/suite.h"

extern const wf_app wf_app_bfs_dp, wf_app_sssp_dp, wf_app_clr, wf_app_join, wf_app_amr, wf_app_bht,
    wf_app_pre, wf_app_regx;

/* In this order; from WF_LAUNCH_BINS on those of share.cuh. */
enum {
  WF_LAUNCH_FLAT,
  WF_LAUNCH_CDP,
  WF_LAUNCH_DTBL,
  WF_LAUNCH_BINS,
  WF_LAUNCH_SCAN,
  WF_LAUNCH_BINS_DTBL,
  WF_LAUNCH_SCAN_DTBL,
  WF_LAUNCH_PT,
  WF_LAUNCH_FORMS
};
extern const char *const wf_launch_forms[WF_LAUNCH_FORMS];

/* As the kernels of share.cuh have it. */
typedef struct wf_launch_far {
  uint64_t size, queue;
  uint32_t from, chunk; /* items from which a list goes to other warps, and of what one takes */
} wf_launch_far;

/* As the kernels of persist.cuh have it. */
typedef struct wf_launch_persist {
  uint64_t state, queue, there;
  uint32_t lists, from, chunk, tickets; /* tickets: words of `there` */
} wf_launch_persist;

/* Options; the first member of the application's settings. */
typedef struct wf_launch_form {
  unsigned form;  /* index of wf_launch_forms */
  uint32_t block; /* of what threads launch */
  uint32_t from, chunk;
  wf_launch_far far; /* by wf_launch_open */
  wf_launch_persist persist;
} wf_launch_form;
#define WF_LAUNCH_FORM_OPTIONS                                                                     \
  WF_APP_CHOICE(wf_launch_form, form, wf_launch_forms, 0,                                          \
                "as in the paper: flat, cdp (threads launch kernels), dtbl (aggregated groups); "  \
                "for speed: bins (lists by thread, by warp from 32 items on, by many from "        \
                "app.from on), scan (a warp's lists in a row, an item a lane), and both with "     \
                "launches from app.from on; pt: persistent threads that take lists and chunks of " \
                "them from a queue in global memory"),                                             \
      WF_APP_NUMBER(wf_launch_form, from, 1, 1l << 31, 1024,                                       \
                    "bins, scan, pt: a list of so many items is cut up for other warps"),          \
      WF_APP_NUMBER(wf_launch_form, chunk, 32, 1 << 20, 256, "of so many items each")
#define WF_LAUNCH_OPTIONS                                                                          \
  WF_LAUNCH_FORM_OPTIONS,                                                                          \
      WF_APP_NUMBER(wf_launch_form, block, 32, 256, 64, "threads of a launched block")

/* Room for the long lists of a launch over `lists` lists with `items` items in all, where the form
 * has a queue of them. */
bool wf_launch_open(wf_app_run *run, wf_launch_form *form, uint64_t lists, uint64_t items,
                    wf_error *err);
/* Launches NAME_flat, NAME_cdp, ..; as WF_SUITE_LAUNCH otherwise. bins and scan: then NAME_far,
 * where the queue has something. pt: as many blocks as fit, whatever the shape. */
bool wf_launch_in_form(wf_app_run *run, const wf_launch_form *form, const char *name,
                       wf_suite_shape shape, const void *const *params, unsigned n_params,
                       wf_error *err);
#define WF_LAUNCH_IN_FORM(RUN, FORM, NAME, SHAPE, ERR, ...)                                        \
  wf_launch_in_form(RUN, FORM, NAME, SHAPE, (const void *const[]){__VA_ARGS__},                    \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *), ERR)

#endif
