/* Parameters of a set's RTL: a named set of its description, and what is asked beyond it. */
#ifndef WF_UNITS_RTL_PARAMETERS_H
#define WF_UNITS_RTL_PARAMETERS_H

#include "sim/seam/unit.h"

/* A parameter that the fabric fixes, or takes to be as the description has it. */
typedef struct wf_rtl_value {
  const char *name; /* NULL ends a list */
  unsigned value;
} wf_rtl_value;

typedef struct wf_rtl_request {
  const char *unit, *config; /* config: a set in the description, with all that is given here */
  const wf_rtl_value *fixed, *given; /* given: not set, but compared; or NULL */
  wf_unit *of;                       /* whose parameters and settings count */
  const wf_unit_env *env;
} wf_rtl_request;

/* "TagEntries=512 ...": what is asked and [config ...] does not say; the caller frees. NULL with
 * *err: there is no description, or a preset is not what it says (WF_EXIT_WRONG). */
char *wf_rtl_overrides(const wf_rtl_request *request, wf_error *err);

#endif
