#include "sim/base/wf_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_temporary.h"
#include "sim/base/wf_text.h"

/* NAME_BYTES: of the own name within a temporary one; LINKS: as many as the system follows */
enum { NAME_BYTES = 200, TRIES = 1000, LINKS = 40 };

static bool cannot(const char *path, int error, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(error));
}

char *wf_target_beside(const char *path, unsigned number) {
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  return wf_text("%.*s%.*s.%ld-%u.tmp", folder, path, NAME_BYTES, path + folder, (long)getpid(),
                 number);
}

static void forget(wf_target *t) {
  if (t->temporary) wf_temporary_forget(t->noted);
  free(t->temporary);
  free(t->path);
  *t = (wf_target){.noted = -1};
}

/* ---- standard output ---- */

static int open_stdout(wf_target *t, wf_error *err) {
  fflush(stdout);
  const int fd = dup(STDOUT_FILENO);
  t->is_stdout = fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (t->is_stdout) return fd;
  cannot("standard output", errno, err);
  if (fd >= 0) close(fd);
  forget(t);
  return -1;
}

static void give_back_stdout(const wf_target *t, int fd) {
  if (!t->is_stdout) return;
  fflush(stdout);
  dup2(fd, STDOUT_FILENO);
}

void wf_stdout_open(void) {
  static char piece[1 << 16]; /* glibc takes no size without a place */
  if (!isatty(STDOUT_FILENO)) setvbuf(stdout, piece, _IOFBF, sizeof piece);
}

int wf_stdout_close(const char *program, int code) {
  errno = 0;
  const bool failed = ferror(stdout) != 0;
  if ((fclose(stdout) == 0 && !failed) || code == WF_EXIT_BAD_INPUT) return code;
  fprintf(stderr, "%s: standard output cannot be written: %s\n", program,
          errno ? strerror(errno) : "an earlier write failed");
  return WF_EXIT_BAD_INPUT;
}

/* ---- files ---- */

/* What cannot be replaced by renaming: devices, pipes, names of open files. */
static bool written_directly(const char *path, const struct stat *now) {
  return !S_ISREG(now->st_mode) || !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* What a symbolic link names, from where the link is; NULL: it is none. */
static char *linked(const char *path) {
  char to[PATH_MAX];
  const ssize_t n = readlink(path, to, sizeof to - 1);
  if (n < 0) return NULL;
  to[n] = '\0';
  const char *slash = to[0] == '/' ? NULL : strrchr(path, '/');
  return wf_text("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, to);
}

/* Behind a symbolic link the file it leads to is replaced, or made, not the link. */
static char *resolved(const char *path) {
  char real[PATH_MAX], *at = wf_strdup(path), *next;
  for (int i = 0; i < LINKS && !realpath(at, real) && (next = linked(at)); i++) {
    free(at);
    at = next;
  }
  if (!realpath(at, real)) return at;
  free(at);
  return wf_strdup(real);
}

static bool names_stdout(const char *path) {
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(path, names[i])) return true;
  return false;
}

/* Where a path leads, with or without a file there. The caller frees it. */
static char *whereabouts(const char *path) {
  char real[PATH_MAX], *at = resolved(path);
  const char *slash = strrchr(at, '/');
  char *folder = slash ? wf_text("%.*s/", (int)(slash - at), at) : wf_strdup(".");
  char *where = wf_text("%s/%s", realpath(folder, real) ? real : folder, slash ? slash + 1 : at);
  free(folder);
  free(at);
  return where;
}

bool wf_target_same(const char *a, const char *b) {
  if (names_stdout(a) || names_stdout(b)) return names_stdout(a) && names_stdout(b);
  char *first = whereabouts(a), *second = whereabouts(b);
  const bool same = !strcmp(first, second);
  free(first);
  free(second);
  return same;
}

bool wf_target_outside(const char *output, const char *input, wf_error *err) {
  char real[PATH_MAX];
  struct stat now;
  bool within = wf_target_same(output, input);
  if (!within && realpath(input, real) && stat(real, &now) == 0 && S_ISDIR(now.st_mode)) {
    char *where = whereabouts(output);
    const size_t n = strlen(real);
    within = !strncmp(where, real, n) && where[n] == '/';
    free(where);
  }
  return !within || wf_fail(err, WF_EXIT_BAD_INPUT,
                            "%s: an input too; name another file for the output", output);
}

static int create(wf_target *t, const char *path) {
  int fd = -1;
  char *at = resolved(path);
  for (unsigned i = 0; i < TRIES && fd < 0; i++) {
    free(t->temporary);
    t->temporary = wf_target_beside(at, i);
    t->noted = wf_temporary_note(t->temporary, false);
    fd = open(t->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) break;
    wf_temporary_forget(t->noted);
    if (errno != EEXIST) break;
  }
  const int error = errno;
  free(t->path);
  t->path = at;
  errno = error;
  return fd;
}

int wf_target_open(wf_target *t, const char *path, wf_error *err) {
  struct stat now;
  *t = (wf_target){.path = wf_strdup(path), .noted = -1};
  if (names_stdout(path)) return open_stdout(t, err);
  const bool there = stat(path, &now) == 0, may_be = *path && (there || errno == ENOENT);
  int fd = -1;
  if (!may_be) {
    errno = *path ? errno : ENOENT; /* what stat said: a loop of links, a file as folder ... */
  } else if (there && S_ISDIR(now.st_mode)) {
    errno = EISDIR;
  } else if (there && written_directly(path, &now)) {
    fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  } else if (!there || access(path, W_OK) == 0) {
    t->mode = there ? now.st_mode & 07777 : 0;
    fd = create(t, path);
  }
  if (fd >= 0) return fd;
  cannot(path, errno, err);
  forget(t);
  return -1;
}

/* Devices and pipes have nothing to store. */
static bool stored(int fd) {
  return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

bool wf_target_commit(wf_target *t, int fd, int error, wf_error *err) {
  give_back_stdout(t, fd);
  if (!error && t->temporary && t->mode && fchmod(fd, t->mode) != 0) error = errno;
  if (!error && !stored(fd)) error = errno;
  if (close(fd) != 0 && !error) error = errno;
  if (!error && t->temporary && rename(t->temporary, t->path) != 0) error = errno;
  if (error) cannot(t->is_stdout ? "standard output" : t->path, error, err);
  if (error && t->temporary) unlink(t->temporary);
  forget(t);
  return !error;
}

void wf_target_abandon(wf_target *t, int fd) {
  if (fd >= 0) give_back_stdout(t, fd);
  if (fd >= 0) close(fd);
  if (t->temporary) unlink(t->temporary);
  forget(t);
}

/* ---- folders ---- */

/* A folder takes the place of none, or of an empty one. */
static int folder_error(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return errno == ENOENT ? 0 : errno;
  unsigned entries = 0;
  while (readdir(folder)) entries++;
  closedir(folder);
  return entries > 2 ? ENOTEMPTY : 0; /* . and .. */
}

bool wf_target_open_folder(wf_target *t, const char *path, wf_error *err) {
  char *plain = wf_strdup(path);
  for (size_t n = strlen(path); n > 1 && plain[n - 1] == '/'; n--) plain[n - 1] = '\0';
  *t = (wf_target){.path = resolved(plain), .noted = -1};
  free(plain);
  int error = *path ? folder_error(t->path) : ENOENT;
  for (unsigned i = 0; !error && i < TRIES; i++) {
    free(t->temporary);
    t->temporary = wf_target_beside(t->path, i);
    t->noted = wf_temporary_note(t->temporary, true);
    const bool made = mkdir(t->temporary, 0777) == 0;
    if (made && wf_temporary_made(t->noted)) return true;
    if (made || errno != EEXIST) error = errno;
    if (made) rmdir(t->temporary);
    wf_temporary_forget(t->noted);
  }
  cannot(t->path, error, err);
  forget(t);
  return false;
}

bool wf_target_commit_folder(wf_target *t, wf_error *err) {
  const bool ok = rename(t->temporary, t->path) == 0;
  if (!ok) cannot(t->path, errno, err);
  if (ok)
    forget(t);
  else
    wf_target_abandon_folder(t);
  return ok;
}

void wf_target_abandon_folder(wf_target *t) {
  if (t->temporary) wf_temporary_remove(t->noted);
  forget(t);
}
