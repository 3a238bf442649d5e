/* wf_model_build(): runs sim/model/build-model and returns the path it prints. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_progress.h"
#include "sim/model/wf_model.h"

/* Waits for more; what is built, and for how long, is shown meanwhile. */
static void wait_for_more(int fd, const char *unit, double begin) {
  struct pollfd more = {.fd = fd, .events = POLLIN};
  char since[WF_DURATION_BYTES];
  while (poll(&more, 1, 500) == 0) {
    if (!wf_progress_due()) continue;
    wf_duration_text(since, wf_clock_seconds() - begin);
    wf_progress_line("building the model of %s: %s", unit, since);
  }
}

/* Reads a pipe to its end; keeps the last `bytes` - 1 of what came. */
static void read_tail(int fd, char *text, size_t bytes, const char *unit) {
  const double begin = wf_clock_seconds();
  size_t used = 0;
  char chunk[512];
  ssize_t n;
  while (wait_for_more(fd, unit, begin),
         (n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)) {
    if (n < 0) continue;
    size_t more = (size_t)n;
    if (used + more >= bytes) {
      size_t drop = used + more - (bytes - 1);
      if (drop > used) drop = used;
      memmove(text, text + drop, used - drop);
      used -= drop;
    }
    memcpy(text + used, chunk, more);
    used += more;
  }
  text[used] = 0;
  wf_progress_clear();
}

/* Standard output and error go to `out_fd` and the caller's own error stream, so that progress
 * ("building ...") is seen while it happens; errors are told from the exit code. */
static void run_script(const wf_model_request *q, const char *script, int out_fd) {
  dup2(out_fd, STDOUT_FILENO);
  close(out_fd);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  /* A BUILD of somebody's make is not meant for us. */
  setenv("BUILD", q->build_dir ? q->build_dir : wf_home_build(), 1);
  const char *variant = q->variant ? q->variant : getenv("WARPFAB_VARIANT");
  execl(script, script, q->unit, q->config, q->parameters ? q->parameters : "",
        variant ? variant : "fast", (char *)NULL);
  _exit(127);
}

static volatile sig_atomic_t script_group; /* of the keeper; 0: none yet */

/* The script, and the compilers it started, end with it. */
static void end_group(int signal) {
  (void)signal;
  if (script_group) kill(-(pid_t)script_group, SIGTERM);
}

/* A process between the caller and the script: when the caller ends, however that is, it ends the
 * script's whole process group. Nobody's compilers go on for minutes after an interrupt. */
static void keep(const wf_model_request *q, const char *script, int out_fd, pid_t caller) {
  static const int ending[] = {SIGTERM, SIGINT, SIGHUP};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    sigaction(ending[i], &(struct sigaction){.sa_handler = end_group}, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const pid_t pid = fork();
  if (pid == 0) {
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) signal(ending[i], SIG_DFL);
    setpgid(0, 0);
    run_script(q, script, out_fd);
  }
  if (pid < 0) _exit(127);
  setpgid(pid, pid); /* both do: whichever comes first */
  script_group = pid;
  close(out_fd);
  if (getppid() != caller) end_group(SIGTERM);
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

static pid_t spawn(const wf_model_request *q, const char *script, const int pipe_fds[2]) {
  const pid_t caller = getpid(), pid = fork();
  if (pid != 0) return pid;
  close(pipe_fds[0]);
  keep(q, script, pipe_fds[1], caller);
  return 0;
}

/* The path that the script prints, below the tree if it is relative. */
static char *run(const wf_model_request *q, const char *script, wf_error *err) {
  int fds[2];
  if (access(script, X_OK) != 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: %s; expected the model builder of a warpfab tree: WARPFAB_HOME names another "
            "tree, WARPFAB_BUILD_MODEL the script",
            script, strerror(errno));
    return NULL;
  }
  if (pipe(fds) != 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "pipe: %s", strerror(errno));
    return NULL;
  }
  wf_progress_clear();
  pid_t pid = spawn(q, script, fds);
  close(fds[1]);
  char text[4096] = "";
  if (pid > 0) read_tail(fds[0], text, sizeof text - 512, q->unit);
  close(fds[0]);
  int status = -1;
  if (pid > 0)
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  if (status != 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "cannot build the model of %s, configuration %s%s%s (the reason is told above)",
            q->unit, q->config, q->parameters && *q->parameters ? ", with " : "",
            q->parameters ? q->parameters : "");
    return NULL;
  }
  text[strcspn(text, "\n")] = 0;
  return text[0] == '/' ? wf_strdup(text) : wf_home_path(text);
}

char *wf_model_build(const wf_model_request *q, wf_error *err) {
  const char *named = q->script ? q->script : getenv("WARPFAB_BUILD_MODEL");
  char *script = named ? wf_strdup(named) : wf_home_path("sim/model/build-model");
  char *library = run(q, script, err);
  free(script);
  return library;
}
