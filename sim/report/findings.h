/* What stands out in a result, and what to do about it. Each finding is a rule on the counters: it
 * says its numbers and, in `rule`, when it is said. */
#ifndef WF_REPORT_FINDINGS_H
#define WF_REPORT_FINDINGS_H

#include "sim/report/facts.h"

typedef struct wf_finding {
  const char *id; /* "stall.memory" */
  char head[96], text[320], rule[160];
  const char *advice;
} wf_finding;

enum { WF_FINDINGS_MAX = 24 };
/* How many there are. */
unsigned wf_findings(const wf_facts *facts, wf_finding found[WF_FINDINGS_MAX]);

#endif
