/* The commands of `warpfab`; each returns the process's exit code. */
#ifndef WF_CLI_H
#define WF_CLI_H

#include "sim/base/wf_error.h"

int wf_cli_run(int argc, char **argv);
int wf_cli_compare(int argc, char **argv);
int wf_cli_results(int argc, char **argv);
int wf_cli_list(int argc, char **argv);
int wf_cli_trace(int argc, char **argv);
int wf_cli_ptx(int argc, char **argv);

/* Prints "warpfab: <message>" and returns the error's exit code. */
int wf_cli_report(const wf_error *err);

#endif
