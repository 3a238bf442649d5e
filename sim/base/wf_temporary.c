#include "sim/base/wf_temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_error.h"

enum { NAMES = 64, LIST_BYTES = 4096 };

typedef struct noted {
  const char *volatile name; /* NULL: the place is free */
  volatile bool folder;
  volatile int
      fd; /* of a folder, from the start: there may be none left at the end; -1: none yet */
} noted;

static noted names[NAMES];
static volatile pid_t owner; /* children between fork and exec have the names, but not the files */

/* What getdents64 fills in. */
typedef struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short bytes;
  unsigned char type;
  char name[];
} entry;

/* opendir may not be called in a signal handler: the system's own call may. */
static void remove_folder(const char *name, int fd) {
  _Alignas(entry) char list[LIST_BYTES];
  for (bool removed = fd >= 0; removed;) { /* from the start again: entries move as others go */
    removed = false;
    lseek(fd, 0, SEEK_SET);
    const long got = syscall(SYS_getdents64, fd, list, sizeof list);
    for (long at = 0; at < got; at += ((const entry *)(list + at))->bytes)
      removed |= unlinkat(fd, ((const entry *)(list + at))->name, 0) == 0;
  }
  rmdir(name);
}

void wf_temporary_remove(int handle) {
  const char *name = handle >= 0 ? names[handle].name : NULL;
  if (!name) return;
  if (names[handle].folder)
    remove_folder(name, names[handle].fd);
  else
    unlink(name);
}

void wf_temporary_remove_all(void) {
  for (int i = 0; i < NAMES && owner == getpid(); i++) wf_temporary_remove(i);
}

/* The process ends as if there were no handler: who waits for it sees the signal. */
static void end(int signal) {
  wf_temporary_remove_all();
  raise(signal);
}

/* A mapped file that cannot be had: a full disk, or a file that another process cut short. */
static void end_mapped(int signal) {
  static const char text[] =
      "warpfab: a mapped file cannot be read or written: is a disk full, or was the file cut?\n";
  (void)signal;
  wf_temporary_remove_all();
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(WF_EXIT_BAD_INPUT);
  _exit(WF_EXIT_BAD_INPUT);
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction old, new = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
  if (sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
    sigaction(signal, &new, NULL);
}

/* Its default action ends no process, or no handler can be. */
static bool lets_live(int signal) {
  static const int others[] = {SIGCHLD, SIGCONT, SIGSTOP,  SIGTSTP, SIGTTIN,
                               SIGTTOU, SIGURG,  SIGWINCH, SIGKILL};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (signal == others[i]) return true;
  return false;
}

static void install(void) {
  owner = getpid();
  for (int signal = 1; signal <= SIGRTMAX; signal++)
    if (!lets_live(signal)) handle(signal, signal == SIGBUS ? end_mapped : end);
  wf_out_of_memory = wf_temporary_remove_all;
}

int wf_temporary_note(const char *name, bool folder) {
  if (owner != getpid()) {
    memset(names, 0, sizeof names);
    install();
  }
  for (int i = 0; i < NAMES; i++)
    if (!names[i].name) {
      names[i].folder = folder;
      names[i].fd = -1;
      names[i].name = name;
      return i;
    }
  return -1;
}

bool wf_temporary_made(int handle) {
  if (handle < 0) return true;
  names[handle].fd = open(names[handle].name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return names[handle].fd >= 0;
}

void wf_temporary_forget(int handle) {
  if (handle < 0) return;
  names[handle].name = NULL;
  if (names[handle].folder && names[handle].fd >= 0) close(names[handle].fd);
}
