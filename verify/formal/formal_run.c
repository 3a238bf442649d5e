/* Commands, folders and files. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "verify/formal/formal.h"

extern char **environ;

int formal_run(char *const argv[], const char *log, unsigned seconds) {
  char limit[16];
  char *full[32] = {"timeout", "-k", "5", limit};
  size_t n = 4;
  snprintf(limit, sizeof limit, "%u", seconds);
  for (size_t i = 0; argv[i] && n < 31; i++) full[n++] = argv[i];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid;
  int status = -1;
  if (posix_spawnp(&pid, full[0], &actions, NULL, full, environ) == 0)
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  posix_spawn_file_actions_destroy(&actions);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool formal_write_text(const char *path, const char *text, wf_error *err) {
  FILE *f = fopen(path, "w");
  bool ok = f && fputs(text, f) >= 0;
  if (f) ok = fclose(f) == 0 && ok;
  if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  return ok;
}

bool formal_make_folder(const char *path, wf_error *err) {
  char *copy = wf_strdup(path);
  for (char *c = copy + 1; *c; c++) {
    if (*c != '/') continue;
    *c = 0;
    mkdir(copy, 0777);
    *c = '/';
  }
  bool ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
  if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be made: %s", path, strerror(errno));
  free(copy);
  return ok;
}
