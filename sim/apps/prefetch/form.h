/* app.form of the prefetching work's applications: the paper's loop, or loads ahead of their use
 * by hand (forms.cuh). */
#ifndef WF_APP_PREFETCH_FORM_H
#define WF_APP_PREFETCH_FORM_H

#include "sim/apps/cache/suite.h"

extern const char *const wf_prefetch_forms[9];
#define WF_PREFETCH_FORM_OPTION(TYPE)                                                              \
  WF_APP_CHOICE(TYPE, form, wf_prefetch_forms, 0,                                                  \
                "the search's loop: plain, the paper's; fine, the same in blocks of 256; swp, "    \
                "swpnc: the next edge and what it points to are loaded a turn ahead, swpnc "       \
                "without a test; ahead: also the edge two turns ahead; unr2, unr3: so many a "     \
                "turn; wide4, wide8: the same, by predicated loads")

/* Options of searches from a vertex. */
typedef struct wf_prefetch_search {
  wf_suite_search search; /* first: its rows are shared */
  unsigned form;
} wf_prefetch_search;
extern const wf_parameter wf_prefetch_search_options[];
bool wf_prefetch_search_read(wf_app_run *run, wf_prefetch_search *search, wf_error *err);

/* Of those without other options. */
extern const wf_parameter wf_prefetch_form_options[];
bool wf_prefetch_form_read(wf_app_run *run, unsigned *form, wf_error *err);

/* A search's kernel and its blocks: "NAME", of `block` threads, or "NAME_swp", of
 * WF_PREFETCH_BLOCK: more registers than the paper's loop take go by finer steps then. */
enum { WF_PREFETCH_BLOCK = 256 };
typedef struct wf_prefetch_kernel {
  char name[64];
  uint32_t block;
} wf_prefetch_kernel;
wf_prefetch_kernel wf_prefetch_kernel_of(unsigned form, const char *name, uint32_t block);
#define WF_PREFETCH_LAUNCH(RUN, KERNEL, N, ERR, ...)                                               \
  WF_SUITE_LAUNCH(RUN, (KERNEL)->name, wf_suite_line(N, (KERNEL)->block), ERR, __VA_ARGS__)

#endif
