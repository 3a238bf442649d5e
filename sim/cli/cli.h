/* The commands of `warpfab`; each returns the process's exit code. */
#ifndef WF_CLI_H
#define WF_CLI_H

#include <stddef.h>

#include "sim/base/wf_error.h"

int wf_cli_run(int argc, char **argv);
int wf_cli_cuda(int argc, char **argv);
int wf_cli_acc(int argc, char **argv);
/* As wf_cli_cuda, of a program that was made from a file of the user's: messages name that, and
 * results are known by these words. */
typedef struct wf_cli_origin {
  const char *path;
  char *const *words;
  size_t n;
  const char *library; /* its host part, if another compiler than ours made it from that file: the
                          program given is its PTX; or NULL */
} wf_cli_origin;
int wf_cli_made(int argc, char **argv, const wf_cli_origin *origin);
int wf_cli_compare(int argc, char **argv);
int wf_cli_sweep(int argc, char **argv);
int wf_cli_results(int argc, char **argv);
int wf_cli_page(int argc, char **argv); /* warpfab report */
int wf_cli_list(int argc, char **argv);
int wf_cli_trace(int argc, char **argv);
int wf_cli_ptx(int argc, char **argv);

/* Are these arguments of `run`, with names and values that it takes? Reads no graph or trace. */
bool wf_cli_run_check(int argc, char **argv, wf_error *err);
/* Prints "warpfab: <message>" and returns the error's exit code. */
int wf_cli_report(const wf_error *err);

#endif
