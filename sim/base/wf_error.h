/* Errors of the libraries: returned and described, never exit().
 * A function that can fail takes a wf_error * and returns false or NULL after filling it in. */
#ifndef WF_ERROR_H
#define WF_ERROR_H

#include <stdbool.h>

/* Exit codes of the command line; a wf_error carries the one its caller should end with. */
enum {
  WF_OK = 0,
  WF_EXIT_WRONG = 1,     /* wrong result or failed check */
  WF_EXIT_BAD_INPUT = 2, /* usage or bad input */
  WF_EXIT_HANG = 3       /* hang or time-out */
};

typedef struct wf_error {
  int code;        /* one of the codes above; 0 while nothing failed */
  char text[1024]; /* "file:line: what is wrong with which value; what would be right" */
} wf_error;

/* Fills *err (which may be NULL) and returns false, so that callers can `return wf_fail(...)`. */
bool wf_fail(wf_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
