/* Entry point: picks the command. */
#include <stdio.h>
#include <string.h>

#include "sim/base/wf_out.h"
#include "sim/base/wf_progress.h"
#include "sim/cli/cli.h"
#include "sim/graph/graph.h"

static const char usage[] =
    "usage: warpfab COMMAND ...\n"
    "\n"
    "  run      execute an application, a PTX kernel or a trace on a modelled GPU\n"
    "  acc      a C program with OpenACC directives: its compute regions run on a modelled GPU\n"
    "  cuda     a CUDA program: its host part runs here, its kernels on a modelled GPU\n"
    "  compare  show results of `run --json` side by side\n"
    "  sweep    many runs: every combination of values, on this machine or on many\n"
    "  results  list, show, export: what `run --store` kept\n"
    "  report   a page for a browser about results\n"
    "  graph    info, convert, generate\n"
    "  trace    info, write\n"
    "  ptx      analyse: what a compiler knows of a kernel's loads\n"
    "  list     apps, configs, units, parameters, counters\n"
    "\n"
    "`warpfab COMMAND --help` says more. Exit codes: 0 right, 1 wrong result or failed check,\n"
    "2 usage or bad input, 3 hang or time-out.\n";

int wf_cli_report(const wf_error *err) {
  wf_progress_clear();
  fprintf(stderr, "warpfab: %s\n", err->text);
  return err->code ? err->code : WF_EXIT_WRONG;
}

static int dispatch(int argc, char **argv) {
  const struct {
    const char *name;
    int (*run)(int, char **);
  } commands[] = {{"run", wf_cli_run},         {"acc", wf_cli_acc},         {"cuda", wf_cli_cuda},
                  {"compare", wf_cli_compare}, {"graph", wf_graph_command}, {"sweep", wf_cli_sweep},
                  {"results", wf_cli_results}, {"trace", wf_cli_trace},     {"ptx", wf_cli_ptx},
                  {"list", wf_cli_list},       {"report", wf_cli_page}};
  if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
    fputs(usage, stdout);
    return WF_OK;
  }
  if (argc >= 2 && !strcmp(argv[1], "--version")) {
    puts("warpfab " WF_VERSION); /* packaging/rules.mk */
    return WF_OK;
  }
  for (size_t i = 0; argc >= 2 && i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
  if (argc >= 2) fprintf(stderr, "warpfab: unknown command '%s'\n", argv[1]);
  fputs(usage, stderr);
  return WF_EXIT_BAD_INPUT;
}

int main(int argc, char **argv) {
  wf_process_guard();
  wf_progress_start();
  wf_stdout_open();
  return wf_stdout_close("warpfab", dispatch(argc, argv));
}
