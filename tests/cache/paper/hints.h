/* Cache hints that a programmer writes on loads who has seen the profile of a run: the software
 * that policies in hardware are compared with. */
#ifndef WF_PAPER_HINTS_H
#define WF_PAPER_HINTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define HINTS "hints" /* as a policy's options */
/* .cg or .L1::no_allocate, on loads that find less than 10, 30 or 60 % of their lines in the L1. */
enum { HINT_FORMS = 6 };
/* The options of a form; false: the profile (a result with --set probe.loads=1) has no such load.
 */
bool hints_of(const cJSON *profile, int form, char *options, size_t bytes);

#endif
