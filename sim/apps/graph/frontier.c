/* Queues of vertices; see frontier.h. */
#include "sim/apps/graph/frontier.h"

bool wf_frontier_create(wf_frontier *f, wf_gpu *gpu, uint32_t n, const uint32_t *ids,
                        uint32_t count, uint32_t capacity, wf_error *err) {
  const uint64_t bytes = (uint64_t)n * sizeof *ids;
  *f = (wf_frontier){.gpu = gpu, .count = count, .capacity = capacity};
  return (f->ids = wf_app_reserve(gpu, 0, bytes, "frontier", err)) &&
         (f->next = wf_app_reserve(gpu, 0, bytes, "frontier", err)) &&
         (f->size = wf_app_reserve(gpu, 0, sizeof *ids, "frontier_size", err)) &&
         wf_gpu_write(gpu, f->ids, ids, count * sizeof *ids, err);
}

uint32_t wf_frontier_lanes(const wf_frontier *f) {
  enum { WARP = 32, THREADS_OF_SM = 1024 };
  const uint64_t threads = (uint64_t)wf_gpu_get_config(f->gpu)->n_sm * THREADS_OF_SM;
  uint32_t lanes = WARP;
  while (lanes > 1 && (uint64_t)f->count * lanes > threads) lanes /= 2;
  return lanes;
}

bool wf_frontier_advance(wf_frontier *f, const char *kernel, uint32_t n_threads,
                         const void **params, unsigned n_params, wf_error *err) {
  params[n_params++] = &f->next;
  params[n_params++] = &f->size;
  params[n_params++] = &f->capacity;
  if (!wf_app_write_u32(f->gpu, f->size, 0, err) ||
      !wf_app_launch(f->gpu, kernel, n_threads, 0, params, n_params, err) ||
      !wf_app_read_u32(f->gpu, f->size, &f->count, err))
    return false;
  const uint64_t swap = f->ids;
  f->ids = f->next;
  f->next = swap;
  return true;
}
