/* Where output goes. A regular file is written under a temporary name beside it and takes its own
 * when it is complete and stored; it is there whole or not at all. A device or a pipe is written
 * directly; "-" is standard output, and what the program prints meanwhile goes to standard error.
 */
#ifndef WF_TARGET_H
#define WF_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/wf_error.h"

typedef struct wf_target {
  char *path, *temporary; /* no temporary: written directly */
  int noted;
  unsigned mode; /* of the file that is replaced; 0: there is none */
  bool is_stdout;
} wf_target;

/* The file descriptor to write to, or -1 and *err (code 2). */
int wf_target_open(wf_target *t, const char *path, wf_error *err);
/* Closes fd. The file takes its name, or is removed: then false and *err. error: errno of an
 * earlier failure, or 0. */
bool wf_target_commit(wf_target *t, int fd, int error, wf_error *err);
/* Closes fd (-1: there is none) and removes what was written. */
void wf_target_abandon(wf_target *t, int fd);

/* The same for a folder that is filled under a temporary name. The path may name an empty one. */
bool wf_target_open_folder(wf_target *t, const char *path, wf_error *err);
bool wf_target_commit_folder(wf_target *t, wf_error *err);
void wf_target_abandon_folder(wf_target *t);

/* Do both paths lead to one file, or would once it is written? */
bool wf_target_same(const char *a, const char *b);

/* False and *err (code 2): the output is the input, or lies in the folder that the input is. */
bool wf_target_outside(const char *output, const char *input, wf_error *err);

/* "/a/b/x.json" -> "/a/b/x.json.PID-N.tmp": a name beside the path. The caller frees it. */
char *wf_target_beside(const char *path, unsigned number);

/* Begins a program: what it prints into a file or a pipe goes in large pieces, so that most lists
 * are one, and wf_stdout_close() knows why it could not be written. */
void wf_stdout_open(void);
/* Ends a program whose exit code would be `code`: with 2 and a message if what it printed could
 * not be written. */
int wf_stdout_close(const char *program, int code);
#endif
