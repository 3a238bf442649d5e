/* GNU parallel: tasks on this machine and on others that share its files, over ssh. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

static char *quoted(const char *word) {
  char *words[] = {(char *)word};
  return wf_identity_text(words, 1);
}

/* What each machine runs, {} the task's number. */
static char *command_of(const wf_sweep_spread *spread) {
  char here[4096];
  if (!getcwd(here, sizeof here)) return NULL;
  char *folder = quoted(here), *program = quoted(spread->job.program),
       *file = quoted(spread->job.file), *store = quoted(spread->job.store);
  char *command = wf_text("cd %s && exec %s sweep task %s --store %s --task {} --jobs %u", folder,
                          program, file, store, spread->job.jobs);
  free(folder);
  free(program);
  free(file);
  free(store);
  return command;
}

bool wf_sweep_parallel(const wf_sweep_spread *spread, unsigned tasks, wf_error *err) {
  char *folder = wf_sweep_parts_path(&spread->job), *command = command_of(spread),
       *hosts = quoted(spread->hosts), *log = wf_text("%s/joblog", folder),
       *last = wf_text("%u", tasks - 1),
       *at_once = wf_text("%u", spread->at_once ? spread->at_once : 1);
  /* seq's numbers come through a shell, a million arguments would not fit a command */
  char *list = wf_text("seq 0 %s | parallel --will-cite --sshlogin %s -j %s --joblog %s %s", last,
                       hosts, at_once, log, "\"$0\"");
  char *words[] = {"sh", "-c", list, command, NULL};
  const int code = command ? sweep_command(words, NULL) : -1;
  const bool known = code >= 0;
  free(list);
  free(hosts);
  free(at_once);
  free(last);
  free(log);
  free(command);
  free(folder);
  if (!known)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "sweep: `parallel` cannot be run: apt-get install parallel");
  return code == 0 || wf_fail(err, WF_EXIT_WRONG,
                              "sweep: %d of the tasks failed; `warpfab sweep resume %s` goes on",
                              code, spread->job.file);
}
