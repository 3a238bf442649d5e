/* Pool of 256-byte payload buffers for unit packets. Grows by chunks, so addresses stay valid. */
#ifndef WF_PAYLOAD_H
#define WF_PAYLOAD_H

#include <stdint.h>

#pragma GCC visibility push(hidden) /* internal: free to be inlined */

typedef struct wf_payload_pool {
  uint8_t **chunk;
  uint8_t *in_use; /* per handle */
  uint32_t *free_list;
  uint32_t n_chunks, free_count, live;
  uint64_t misuse; /* frees of handles that were not in use */
} wf_payload_pool;

uint32_t wf_payload_new(wf_payload_pool *pool);
uint8_t *wf_payload_at(const wf_payload_pool *pool, uint32_t handle); /* NULL: no such buffer */
void wf_payload_free(wf_payload_pool *pool, uint32_t handle);
void wf_payload_pool_free(wf_payload_pool *pool);

#pragma GCC visibility pop
#endif
