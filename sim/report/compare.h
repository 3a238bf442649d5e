/* Results side by side. */
#ifndef WF_REPORT_COMPARE_H
#define WF_REPORT_COMPARE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/base/wf_error.h"

/* A number of a result by its dotted path, e.g. "dram.read_bytes"; false if it is not there. */
bool wf_result_number(const cJSON *result, const char *path, double *value);
/* The table: one column per result (labels[i]), and for all but the first the ratio to the first.
 * False if a result lacks `cycles` or was made on another app or graph than the first. */
bool wf_compare_print(FILE *out, const cJSON *const *results, const char *const *labels, unsigned n,
                      wf_error *err);

#endif
