#include "sim/base/wf_alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_error.h"

void (*wf_out_of_memory)(void);

void wf_alloc_failed(void) {
  if (wf_out_of_memory) wf_out_of_memory();
  exit(WF_EXIT_BAD_INPUT);
}

static void *checked(void *p, size_t count, size_t bytes) {
  if (p || count == 0 || bytes == 0) return p;
  fprintf(stderr, "warpfab: out of host memory asking for %zu x %zu bytes\n", count, bytes);
  wf_alloc_failed();
  return NULL;
}

void *wf_calloc(size_t count, size_t bytes) {
  return checked(calloc(count, bytes), count, bytes);
}

void *wf_realloc(void *old, size_t count, size_t bytes) {
  if (bytes && count > SIZE_MAX / bytes) return checked(NULL, count, bytes);
  if (count == 0 || bytes == 0) return old;
  return checked(realloc(old, count * bytes), count, bytes);
}

char *wf_strdup(const char *text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(wf_calloc(bytes, 1), text, bytes);
}
