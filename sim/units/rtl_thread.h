/* A thread that evaluates one instance's clock edges while the fabric goes on. It is for a module
 * whose outputs all come from flops: what they show after an edge is first asked for at the next.
 * Same results as without, to the cycle. */
#ifndef WF_UNITS_RTL_THREAD_H
#define WF_UNITS_RTL_THREAD_H

#include <stdint.h>

#include "sim/base/wf_error.h"

struct wf_rtl;
typedef struct wf_rtl_thread wf_rtl_thread;

/* NULL: the system has no thread to give; the caller goes on without. */
wf_rtl_thread *wf_rtl_thread_open(struct wf_rtl *rtl);
/* Sets *at to NULL, which it may be; an edge under way ends first. */
void wf_rtl_thread_close(wf_rtl_thread **at);
/* One edge, at the fabric's cycle. Until wf_rtl_thread_end() nobody else touches the instance. */
void wf_rtl_thread_begin(wf_rtl_thread *t, uint64_t now);
/* Waits for the edge under way, if there is one. False: *err is what stopped it. */
bool wf_rtl_thread_end(wf_rtl_thread *t, wf_error *err);

#endif
