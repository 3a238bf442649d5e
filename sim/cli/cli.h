/* The commands of `warpfab`; each returns the process's exit code. */
#ifndef WF_CLI_H
#define WF_CLI_H

#include "sim/base/wf_error.h"

int wf_cli_run(int argc, char **argv);
int wf_cli_cuda(int argc, char **argv);
int wf_cli_acc(int argc, char **argv);
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
