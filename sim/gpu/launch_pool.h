/* Parameter buffers of launches: pieces of a region of device memory, of sizes 64 B .. 4 KiB, given
 * back when the launched grid has ended. */
#ifndef WF_GPU_LAUNCH_POOL_H
#define WF_GPU_LAUNCH_POOL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wf_launch_pool wf_launch_pool;

enum { WF_LAUNCH_BUFFER_MAX = 4096 - 16 };

wf_launch_pool *wf_launch_pool_create(uint64_t base, uint64_t bytes);
/* Buffers that there can be at once in a region of so many bytes. */
unsigned wf_launch_pool_most(uint64_t bytes);
void wf_launch_pool_destroy(wf_launch_pool *pool);
void wf_launch_pool_reset(wf_launch_pool *pool); /* all are free */
/* The address of `bytes` bytes, a multiple of 16, with 16 bytes below them; 0: none is left, or too
 * many. */
uint64_t wf_launch_pool_take(wf_launch_pool *pool, uint64_t bytes, uint64_t now);
void wf_launch_pool_give(wf_launch_pool *pool, uint64_t address);
/* Bytes behind an address that take() returned and that was neither launched nor given back; 0 for
 * any other. */
uint64_t wf_launch_pool_bytes(const wf_launch_pool *pool, uint64_t address);
/* From now on it counts as no buffer, but can be given back. */
void wf_launch_pool_launch(wf_launch_pool *pool, uint64_t address);
/* When it was taken. */
uint64_t wf_launch_pool_since(const wf_launch_pool *pool, uint64_t address);

#endif
