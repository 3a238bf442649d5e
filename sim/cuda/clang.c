#include "sim/cuda/clang.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_text.h"

/* WF_CLANG: sim/apps/rules.mk. */

extern char **environ;

/* ---- the command ---- */

void wf_clang_add(wf_clang *c, char *text) {
  if (c->n < WF_CLANG_ARGUMENTS)
    c->argument[c->n++] = text;
  else
    free(text);
}

void wf_clang_begin(wf_clang *c) {
  const char *other = getenv("CLANG");
  *c = (wf_clang){0};
  wf_clang_add(c, wf_strdup(other && *other ? other : WF_CLANG));
}

void wf_clang_words(wf_clang *c, const char *words) {
  char *copy = wf_strdup(words), *rest = copy;
  for (char *word; (word = strsep(&rest, " "));)
    if (*word) wf_clang_add(c, wf_strdup(word));
  free(copy);
}

void wf_clang_free(wf_clang *c) {
  for (unsigned i = 0; i < c->n; i++) free(c->argument[i]);
  c->n = 0;
}

char *wf_clang_root(void) {
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return wf_strdup(wf_home());
  self[n] = '\0';
  for (unsigned up = 0; up < 2 && strrchr(self, '/'); up++) *strrchr(self, '/') = '\0';
  char *header = wf_text("%s/sim/apps/warpfab.cuh", self);
  const bool here = access(header, R_OK) == 0;
  free(header);
  return wf_strdup(here ? self : wf_home());
}

void wf_clang_kernel_headers(wf_clang *c) {
  char *root = wf_clang_root(), *kinds = wf_text("%s/sim/apps/*/", root);
  glob_t found = {0};
  wf_clang_add(c, wf_text("-I%s", root));
  wf_clang_add(c, wf_text("-I%s/sim/apps", root));
  if (glob(kinds, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) wf_clang_add(c, wf_text("-I%s", found.gl_pathv[i]));
  globfree(&found);
  free(kinds);
  free(root);
}

void wf_clang_units(wf_clang *c, const char *const *units, unsigned n) {
  for (unsigned u = 0; u < n; u++) wf_clang_add(c, wf_text("-DWARPFAB_UNIT_%s=1", units[u]));
}

/* ---- running it: its output comes through a pipe, so that no file is left behind ---- */

static char *read_pipe(int fd, size_t *bytes) {
  size_t capacity = 1 << 16, used = 0;
  char *text = wf_calloc(capacity, 1);
  for (ssize_t n;
       (n = read(fd, text + used, capacity - used - 1)) > 0 || (n < 0 && errno == EINTR);) {
    if (n < 0) continue;
    used += (size_t)n;
    if (used + 1 == capacity) text = wf_realloc(text, capacity *= 2, 1);
  }
  text[used] = '\0';
  *bytes = used;
  return text;
}

/* 0, or errno. Signals that we ignore are the compiler's to die of. */
static int start(const wf_clang *c, int output, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGPIPE);
  sigaddset(&ours, SIGXFSZ);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigdefault(&how, &ours);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(pid, c->argument[0], &files, &how, c->argument, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error;
}

char *wf_clang_run(const wf_clang *c, const char *path, size_t *bytes, wf_error *err) {
  int fds[2], status = -1;
  pid_t pid;
  if (pipe(fds) != 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "pipe: %s", strerror(errno));
    return NULL;
  }
  fcntl(fds[0], F_SETFD, FD_CLOEXEC);
  fcntl(fds[1], F_SETFD, FD_CLOEXEC);
  fflush(stdout);
  const int error = start(c, fds[1], &pid);
  close(fds[1]);
  char *text = error ? NULL : read_pipe(fds[0], bytes);
  close(fds[0]);
  while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (error)
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: compiling it needs %s, which cannot be run: %s; `apt-get install " WF_CLANG
            "`, or name another clang in CLANG",
            path, c->argument[0], strerror(error));
  else if (status)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s does not compile it; its reasons are above", path,
            c->argument[0]);
  if (!error && !status) return text;
  free(text);
  return NULL;
}
