#include "sim/mem/payload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/mem/crossbar.h"

#define CHUNK 256u

static void grow(wf_payload_pool *pool) {
  uint32_t old = pool->n_chunks * CHUNK, total = old + CHUNK;
  pool->chunk = wf_realloc(pool->chunk, pool->n_chunks + 1, sizeof *pool->chunk);
  pool->chunk[pool->n_chunks++] = wf_calloc(CHUNK, WF_PAYLOAD_BYTES);
  pool->in_use = wf_realloc(pool->in_use, total, 1);
  memset(pool->in_use + old, 0, CHUNK);
  pool->free_list = wf_realloc(pool->free_list, total, sizeof *pool->free_list);
  for (uint32_t h = total; h > old; h--) pool->free_list[pool->free_count++] = h - 1;
}

static bool known(const wf_payload_pool *pool, uint32_t handle) {
  return handle < pool->n_chunks * CHUNK && pool->in_use[handle];
}

uint32_t wf_payload_new(wf_payload_pool *pool) {
  if (!pool->free_count) grow(pool);
  uint32_t handle = pool->free_list[--pool->free_count];
  pool->in_use[handle] = 1;
  pool->live++;
  return handle;
}

uint8_t *wf_payload_at(const wf_payload_pool *pool, uint32_t handle) {
  if (!known(pool, handle)) return NULL;
  return pool->chunk[handle / CHUNK] + (size_t)(handle % CHUNK) * WF_PAYLOAD_BYTES;
}

void wf_payload_free(wf_payload_pool *pool, uint32_t handle) {
  if (!known(pool, handle)) {
    pool->misuse++;
    return;
  }
  pool->in_use[handle] = 0;
  pool->free_list[pool->free_count++] = handle;
  pool->live--;
}

void wf_payload_pool_free(wf_payload_pool *pool) {
  for (uint32_t c = 0; c < pool->n_chunks; c++) free(pool->chunk[c]);
  free(pool->chunk);
  free(pool->in_use);
  free(pool->free_list);
}
