/* Preloaded into a program, or linked with it (WF_LINKED: its own calls only, which leaves those of
 * a sanitizer alone): the n-th call of one function fails, as on a machine that is full.
 *   FAULT=malloc:3      malloc, calloc and realloc count as one; the third call fails
 *   FAULT=write:5:on    the fifth and all after it
 *   FAULT_COUNT=FILE    none fails; how often each was called is written to FILE at the end
 * Programs that this one starts run without. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { MALLOC, WRITE, OPEN, MMAP, RENAME, FSYNC, CLOSE, FLUSH, KINDS };
static const char *const names[KINDS] = {"malloc", "write", "open",  "mmap",
                                         "rename", "fsync", "close", "flush"};
static const int errors[KINDS] = {ENOMEM, ENOSPC, EMFILE, ENOMEM, EACCES, EIO, EIO, ENOSPC};
static unsigned long calls[KINDS];
static int failing = -1;
static unsigned long failing_call;
static bool failing_on, ready, globbing;

/* What dlsym needs before the real functions are known. */
static char early[1 << 16];
static size_t early_used;

static bool is_early(const void *p) {
  return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static void *early_allocate(size_t bytes) {
  void *p = early + early_used;
  early_used += (bytes + 15) / 16 * 16;
  return early_used <= sizeof early ? p : NULL;
}

/* The loader ends a program by itself, with 127, when it finds no memory for a library's
 * thread-local data: its calls are spared. */
static bool is_loader(const void *caller) {
#ifdef WF_LINKED
  (void)caller;
  return false;
#else
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/ld-linux");
#endif
}

static bool fails_for(int kind, const void *caller) {
  if (!ready || globbing) return false;
  const unsigned long n = __atomic_add_fetch(&calls[kind], 1, __ATOMIC_RELAXED);
  if (kind != failing || (failing_on ? n < failing_call : n != failing_call)) return false;
  if (caller && is_loader(caller)) return false;
  errno = errors[kind];
  return true;
}

static bool fails(int kind) {
  return fails_for(kind, NULL);
}

#ifndef WF_LINKED
static void *real(const char *name, void **known) {
  static __thread bool looking;
  if (!*known && !looking) {
    looking = true;
    *known = dlsym(RTLD_NEXT, name);
    looking = false;
  }
  return *known;
}
#endif
#ifdef WF_LINKED /* with -Wl,--wrap=FUNCTION */
#define FUNCTION(name) __wrap_##name
#define REAL(name)                                                                                 \
  extern __typeof__(name) __real_##name;                                                           \
  __typeof__(name) *real_##name = __real_##name
#else
#define FUNCTION(name) name
#define REAL(name)                                                                                 \
  static void *known_##name;                                                                       \
  __typeof__(name) *real_##name = (__typeof__(name) *)real(#name, &known_##name)
#endif

__attribute__((constructor)) static void start(void) {
  const char *fault = getenv("FAULT");
  char name[16] = "", on[4] = "";
  if (fault && sscanf(fault, "%15[a-z]:%lu:%3s", name, &failing_call, on) >= 2)
    for (int k = 0; k < KINDS; k++)
      if (!strcmp(name, names[k])) failing = k;
  failing_on = *on != 0;
  unsetenv("LD_PRELOAD");
  unsetenv("FAULT");
  ready = true;
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("FAULT_COUNT");
  ready = false;
  FILE *file = path ? fopen(path, "w") : NULL;
  for (int k = 0; file && k < KINDS; k++) fprintf(file, "%s %lu\n", names[k], calls[k]);
  if (file) fclose(file);
}

void *FUNCTION(malloc)(size_t bytes) {
  REAL(malloc);
  if (!real_malloc) return early_allocate(bytes);
  return fails_for(MALLOC, __builtin_return_address(0)) ? NULL : real_malloc(bytes);
}

void *FUNCTION(calloc)(size_t count, size_t bytes) {
  REAL(calloc);
  if (!real_calloc) return early_allocate(count * bytes);
  return fails_for(MALLOC, __builtin_return_address(0)) ? NULL : real_calloc(count, bytes);
}

void *FUNCTION(realloc)(void *old, size_t bytes) {
  REAL(realloc);
  if (is_early(old)) {
    void *p = malloc(bytes);
    const size_t most = (size_t)(early + sizeof early - (char *)old);
    return p ? memcpy(p, old, bytes < most ? bytes : most) : NULL;
  }
  return fails_for(MALLOC, __builtin_return_address(0)) ? NULL : real_realloc(old, bytes);
}

void FUNCTION(free)(void *p) {
  REAL(free);
  if (p && !is_early(p) && real_free) real_free(p);
}

ssize_t FUNCTION(write)(int fd, const void *from, size_t bytes) {
  REAL(write);
  if (fd != STDERR_FILENO && fails(WRITE)) return -1; /* messages come through */
  return real_write(fd, from, bytes);
}

#define PWRITE_LIKE(name, offset)                                                                  \
  ssize_t FUNCTION(name)(int fd, const void *from, size_t bytes, offset at) {                      \
    REAL(name);                                                                                    \
    return fails(WRITE) ? -1 : real_##name(fd, from, bytes, at);                                   \
  }
PWRITE_LIKE(pwrite, off_t)
PWRITE_LIKE(pwrite64, off64_t)

#define OPEN_LIKE(name)                                                                            \
  int FUNCTION(name)(const char *path, int flags, ...) {                                           \
    REAL(name);                                                                                    \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    const int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, int) : 0;                      \
    va_end(args);                                                                                  \
    return fails(OPEN) ? -1 : real_##name(path, flags, mode);                                      \
  }
OPEN_LIKE(open)
OPEN_LIKE(open64)

#define FOPEN_LIKE(name)                                                                           \
  FILE *FUNCTION(name)(const char *path, const char *mode) {                                       \
    REAL(name);                                                                                    \
    return fails(OPEN) ? NULL : real_##name(path, mode);                                           \
  }
FOPEN_LIKE(fopen)
FOPEN_LIKE(fopen64)

/* glibc 2.36's glob frees its list twice when it finds no memory: it is spared. */
int FUNCTION(glob)(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *to) {
  REAL(glob);
  globbing = true;
  const int result = real_glob(pattern, flags, failed, to);
  globbing = false;
  return result;
}

void *FUNCTION(mmap)(void *at, size_t bytes, int protection, int flags, int fd, off_t from) {
  REAL(mmap);
  return fails(MMAP) ? MAP_FAILED : real_mmap(at, bytes, protection, flags, fd, from);
}

int FUNCTION(rename)(const char *from, const char *to) {
  REAL(rename);
  return fails(RENAME) ? -1 : real_rename(from, to);
}

int FUNCTION(fsync)(int fd) {
  REAL(fsync);
  return fails(FSYNC) ? -1 : real_fsync(fd);
}

int FUNCTION(fdatasync)(int fd) {
  REAL(fdatasync);
  return fails(FSYNC) ? -1 : real_fdatasync(fd);
}

int FUNCTION(close)(int fd) {
  REAL(close);
  const int result = real_close(fd);
  return fails(CLOSE) ? -1 : result;
}

/* stdio writes by itself, not through write: it is its flushing that fails. */
int FUNCTION(fflush)(FILE *file) {
  REAL(fflush);
  const int result = real_fflush(file);
  return file != stderr && fails(FLUSH) ? EOF : result;
}
