/* One result, for people. */
#ifndef WF_REPORT_SUMMARY_H
#define WF_REPORT_SUMMARY_H

#include <cjson/cJSON.h>
#include <stdio.h>

void wf_summary_print(FILE *out, const cJSON *result);

#endif
