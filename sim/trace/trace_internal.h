/* Internal to sim/trace: a trace that has been read once. */
#ifndef WF_TRACE_INTERNAL_H
#define WF_TRACE_INTERNAL_H

#include "sim/trace/pages.h"
#include "sim/trace/program.h"
#include "sim/trace/reuse.h"
#include "sim/trace/trace.h"

struct wf_trace {
  char *path;
  const wf_trace_format *format;
  wf_trace_program **programs;
  uint32_t n_programs;
  wf_trace_launch *launches;
  size_t n_launches;
  wf_trace_step *steps;
  size_t n_steps;
  wf_pages pages;
  bool identity; /* addresses are the modelled device's own */
};

/* Where an access goes: the space, and addresses within it. Lanes of another space leave the mask.
 * Global addresses are the trace's. */
ptx_space wf_trace_resolve(const wf_trace_kernel *k, const wf_trace_program *p, wf_trace_event *e);
wf_trace_program *wf_trace_program_of(wf_trace *t, const wf_trace_kernel *k, bool create);

#endif
