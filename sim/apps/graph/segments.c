/* Frontiers in segments; see segments.h. */
#include "sim/apps/graph/segments.h"

enum { THREADS = 512, BLOCKS = 32, SIDES = 2 }; /* at most; as in segments.cuh */
enum { MOST_BYTES = 1 << 29, PIECE_BYTES = 8, WORD_BYTES = SIDES * BLOCKS * 4 };

static uint64_t capacity_of(uint32_t vertices, uint64_t edges, uint32_t piece) {
  return vertices + edges / piece + 1;
}

static uint32_t blocks_of(const wf_gpu *gpu) {
  const uint32_t n_sm = wf_gpu_get_config(gpu)->n_sm;
  return n_sm < BLOCKS ? n_sm : BLOCKS;
}

static uint64_t bytes_of(const wf_gpu *gpu, uint64_t capacity) {
  return SIDES * blocks_of(gpu) * capacity * PIECE_BYTES;
}

bool wf_segments_fit(const wf_gpu *gpu, uint32_t vertices, uint64_t edges, uint32_t piece) {
  return bytes_of(gpu, capacity_of(vertices, edges, piece)) <= MOST_BYTES;
}

/* A block for each SM, as large as it holds (on a GPU without, of any size). */
static bool find_blocks(wf_segments *s, const wf_gpu *gpu, const char *kernel, wf_error *err) {
  const uint32_t held = wf_gpu_get_config(gpu)->warps_per_sm * PTX_LANES, most = blocks_of(gpu);
  uint32_t resident;
  s->threads = held && held < THREADS ? held : THREADS;
  if (!wf_gpu_resident_blocks(gpu, kernel, s->threads, 0, &resident, err)) return false;
  s->blocks = resident < most ? resident : most;
  return true;
}

bool wf_segments_create(wf_segments *s, const wf_app_run *run, const char *kernel, uint32_t piece,
                        wf_error *err) {
  wf_gpu *gpu = run->gpu;
  const wf_graph *g = run->graph;
  if (!find_blocks(s, gpu, kernel, err)) return false;
  if (!wf_segments_fit(gpu, g->n_vertices, g->n_edges, piece))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "strategy segments: %u vertices and %llu edges on %u SMs; expected at most %d "
                   "MB of segments, or --set app.strategy=edges",
                   g->n_vertices, (unsigned long long)g->n_edges, s->blocks, MOST_BYTES >> 20);
  s->capacity = (uint32_t)capacity_of(g->n_vertices, g->n_edges, piece);
  const uint64_t bytes = bytes_of(gpu, s->capacity);
  return (s->pieces = wf_app_reserve(gpu, 0, bytes, "segments", err)) &&
         (s->words = wf_app_reserve(gpu, 0, WORD_BYTES, "segment_words", err));
}
