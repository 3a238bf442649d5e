/* Bump allocator of one module: everything parsed lives and dies together. */
#ifndef WF_PTX_ARENA_H
#define WF_PTX_ARENA_H

#include <stddef.h>

typedef struct ptx_arena {
  struct ptx_arena_chunk *head;
} ptx_arena;

/* Zeroed memory, 64-byte aligned (register planes are handed to vector code). */
void *ptx_arena_alloc(ptx_arena *arena, size_t bytes);
/* Zeroed memory for small objects, 8-byte aligned. */
void *ptx_arena_small(ptx_arena *arena, size_t bytes);
/* Zero-terminated copy of text[0 .. bytes). */
char *ptx_arena_text(ptx_arena *arena, const char *text, size_t bytes);
void ptx_arena_free(ptx_arena *arena);

#endif
