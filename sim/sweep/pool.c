#define _GNU_SOURCE /* pipe2 */
#include "sim/sweep/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/sweep/internal.h"

enum { SAID_BYTES = 1024, TICK_MS = 200 };

typedef struct slot {
  pid_t pid; /* 0: free */
  int from;  /* its standard error */
  size_t index, used;
  char said[SAID_BYTES];
} slot;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof *ending };
static volatile sig_atomic_t came;

static void note(int signal) {
  came = signal;
}

/* In the child. */
static void become(char *const *words, int err, pid_t parent) {
  const int null = open("/dev/null", O_RDWR);
  for (size_t i = 0; i < ENDING; i++) signal(ending[i], SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  execvp(words[0], words);
  _exit(127);
}

static bool start(const sweep_pool *pool, slot *s, size_t index) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  const pid_t parent = getpid();
  char **words = pool->words(pool->user, index);
  *s = (slot){.pid = fork(), .from = fds[0], .index = index};
  if (s->pid == 0) become(words, fds[1], parent);
  close(fds[1]);
  for (size_t i = 0; words[i]; i++) free(words[i]);
  free(words);
  if (s->pid > 0) return true;
  close(fds[0]);
  s->pid = 0;
  return false;
}

/* Keeps the last bytes; false at the end. */
static bool listen_to(slot *s) {
  char chunk[512];
  const ssize_t n = read(s->from, chunk, sizeof chunk);
  if (n < 0) return errno == EINTR;
  if (s->used + (size_t)n >= SAID_BYTES) {
    const size_t drop = s->used + (size_t)n - (SAID_BYTES - 1);
    memmove(s->said, s->said + drop, s->used - drop);
    s->used -= drop;
  }
  memcpy(s->said + s->used, chunk, (size_t)n);
  s->used += (size_t)n;
  s->said[s->used] = '\0';
  return n > 0;
}

static void reap(const sweep_pool *pool, slot *s) {
  int status = 0;
  close(s->from);
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) {
  }
  s->pid = 0;
  pool->ended(pool->user, s->index, status, s->said);
}

/* Until one has said something or ended, or for a moment. */
static size_t wait_some(const sweep_pool *pool, slot *slots) {
  struct pollfd *fds = wf_calloc(pool->jobs, sizeof *fds);
  size_t ended = 0;
  for (unsigned i = 0; i < pool->jobs; i++)
    fds[i] = (struct pollfd){.fd = slots[i].pid ? slots[i].from : -1, .events = POLLIN};
  if (poll(fds, pool->jobs, TICK_MS) > 0)
    for (unsigned i = 0; i < pool->jobs; i++)
      if (fds[i].revents && !listen_to(&slots[i])) reap(pool, &slots[i]), ended++;
  free(fds);
  return ended;
}

/* What has ended meanwhile counts; the rest is as if it had never begun. */
static void end_all(const sweep_pool *pool, slot *slots) {
  for (unsigned i = 0; i < pool->jobs; i++)
    if (slots[i].pid) kill(slots[i].pid, SIGTERM);
  for (unsigned i = 0; i < pool->jobs; i++) {
    int status = 0;
    if (!slots[i].pid) continue;
    while (waitpid(slots[i].pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(slots[i].from);
    if (WIFEXITED(status)) pool->ended(pool->user, slots[i].index, status, slots[i].said);
  }
}

static int run_all(const sweep_pool *pool, slot *slots) {
  size_t next = 0, running = 0;
  int error = 0;
  while (!came && (running || (next < pool->n && !error))) {
    for (unsigned i = 0; i < pool->jobs && next < pool->n && !error; i++) {
      if (slots[i].pid) continue;
      if (start(pool, &slots[i], next))
        next++, running++;
      else if (!running)
        error = errno ? errno : EAGAIN; /* else there is room when one has ended */
      else
        break;
    }
    if (running) running -= wait_some(pool, slots);
    if (pool->show) pool->show(pool->user);
  }
  if (came) end_all(pool, slots);
  errno = error;
  return error ? -1 : (int)came;
}

int sweep_pool_run(const sweep_pool *pool) {
  struct sigaction old[ENDING];
  slot *slots = wf_calloc(pool->jobs, sizeof *slots);
  came = 0;
  for (size_t i = 0; i < ENDING; i++)
    sigaction(ending[i], &(struct sigaction){.sa_handler = note}, &old[i]);
  const int result = run_all(pool, slots), error = errno;
  for (size_t i = 0; i < ENDING; i++) sigaction(ending[i], &old[i], NULL);
  free(slots);
  errno = error;
  return result;
}

/* ---- one command ---- */

static char *read_end(int fd) {
  char *text = wf_calloc(1, 1);
  size_t used = 0;
  char chunk[512];
  for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR);) {
    if (n < 0) continue;
    text = wf_realloc(text, used + (size_t)n + 1, 1);
    memcpy(text + used, chunk, (size_t)n);
    used += (size_t)n;
    text[used] = '\0';
  }
  return text;
}

int sweep_command(char *const *words, char **output) {
  int fds[2], status = -1;
  if (pipe2(fds, O_CLOEXEC) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    if (output) dup2(fds[1], STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execvp(words[0], words);
    _exit(127);
  }
  close(fds[1]);
  if (output) *output = read_end(fds[0]);
  close(fds[0]);
  if (pid < 0) return -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}
