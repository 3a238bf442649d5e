/* Device memory that threads ask for: first fit, neighbours joined. */
#ifndef WF_PTX_HEAP_H
#define WF_PTX_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ptx_heap ptx_heap;

ptx_heap *ptx_heap_create(uint64_t base, uint64_t bytes);
void ptx_heap_destroy(ptx_heap *heap); /* NULL is fine */
/* 16-byte aligned; 0 if there is no room, or bytes is 0. */
uint64_t ptx_heap_take(ptx_heap *heap, uint64_t bytes);
/* False if nothing that was taken is there. */
bool ptx_heap_give(ptx_heap *heap, uint64_t address);

#endif
