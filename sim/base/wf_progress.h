/* One line about work that goes on, on the terminal at standard error: from two seconds after the
 * program's start on, several times a second, and gone when the work is done. Nothing where
 * standard error is no terminal. */
#ifndef WF_PROGRESS_H
#define WF_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* At a program's start. */
void wf_progress_start(void);
/* Wherever standard error goes, and at once; there each line ends, and is one in ten seconds. */
void wf_progress_always(void);
/* Is it time for a line? False where there are none: so callers spend nothing on its text. */
bool wf_progress_due(void);
/* Shows it in place of the last one, cut to the terminal's width. */
void wf_progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Before anything else is printed, and at the end. */
void wf_progress_clear(void);

enum { WF_DURATION_BYTES = 32 };
/* "8 s", "3 min 20 s", "2 h 5 min", "12 days" */
void wf_duration_text(char text[WF_DURATION_BYTES], double seconds);
/* ", 3 min 20 s left", from the share done in so many seconds; "" as long as that says little. */
void wf_left_text(char text[WF_DURATION_BYTES], double done, double seconds);

#endif
