#include "sim/ptx/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct ptx_arena_chunk {
  struct ptx_arena_chunk *next;
  size_t used, size; /* bytes of data[] */
  uint8_t *data;     /* 64-byte aligned, inside the same allocation */
};

static struct ptx_arena_chunk *chunk_create(size_t bytes) {
  struct ptx_arena_chunk *c = wf_calloc(1, sizeof *c + bytes + 64);
  c->size = bytes;
  c->data = (uint8_t *)(((uintptr_t)(c + 1) + 63) & ~(uintptr_t)63);
  return c;
}

static void *take(ptx_arena *arena, size_t bytes, size_t align) {
  struct ptx_arena_chunk *c = arena->head;
  size_t at = c ? (c->used + align - 1) & ~(align - 1) : 0;
  if (!c || at > c->size || bytes > c->size - at) {
    c = chunk_create(bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    c->next = arena->head;
    arena->head = c;
    at = 0;
  }
  c->used = at + bytes;
  return c->data + at;
}

void *ptx_arena_alloc(ptx_arena *arena, size_t bytes) {
  return take(arena, bytes, 64);
}

void *ptx_arena_small(ptx_arena *arena, size_t bytes) {
  return take(arena, bytes, 8);
}

char *ptx_arena_text(ptx_arena *arena, const char *text, size_t bytes) {
  char *copy = take(arena, bytes + 1, 1);
  if (bytes) memcpy(copy, text, bytes);
  return copy;
}

void ptx_arena_free(ptx_arena *arena) {
  while (arena->head) {
    struct ptx_arena_chunk *next = arena->head->next;
    free(arena->head);
    arena->head = next;
  }
}
