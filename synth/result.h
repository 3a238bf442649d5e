/* Results of the synthesis flow as JSON: shared by the programs that write and show them. */
#ifndef WF_SYNTH_RESULT_H
#define WF_SYNTH_RESULT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/base/wf_error.h"

double result_number(const cJSON *object, const char *dotted_path); /* NaN if absent */
const char *result_text(const cJSON *object, const char *key);      /* "" if absent */
/* Adds a number rounded to `digits` behind the point; nothing if it is NaN. */
void result_put(cJSON *object, const char *key, double value, int digits);

#endif
