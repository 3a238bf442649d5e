/* Generated sections of a unit's page of results, docs/results/UNIT.md. Each program writes its own
 * section, between the lines
 *   <!-- NAME: made by COMMAND -->
 *   <!-- end of NAME -->
 * and leaves the others as they are. Sections have an order by the first word of their names. */
#ifndef WF_PAGE_H
#define WF_PAGE_H

#include <stdbool.h>

#include "sim/base/wf_error.h"

/* Of the unit that a top module or description belongs to; the caller frees. NULL and *err for a
 * name that there is not. */
char *wf_page_path(const char *unit, wf_error *err);
/* Replaces the section, or adds it, or begins the page with it. */
bool wf_page_write(const char *path, const char *name, const char *command, const char *text,
                   wf_error *err);

#endif
