/* Frontiers in segments; see segments.h. */
#include "sim/apps/graph/segments.h"

enum { BLOCKS = 32, SIDES = 2 }; /* as in segments.cuh */
enum { MOST_BYTES = 1 << 29, WORD_BYTES = SIDES * BLOCKS * 4, COUNT_BITS = 29 };

uint32_t wf_segments_most_blocks(const wf_gpu *gpu) {
  const uint32_t n_sm = wf_gpu_get_config(gpu)->n_sm;
  return n_sm < BLOCKS ? n_sm : BLOCKS;
}

static uint64_t bytes_of(uint32_t blocks, const wf_segment_form *form) {
  return blocks * form->entries * form->each * form->entry_bytes;
}

bool wf_segments_fit(uint32_t blocks, const wf_segment_form *form) {
  return form->entries >> COUNT_BITS == 0 && bytes_of(blocks, form) <= MOST_BYTES;
}

/* As large as an SM holds (on a GPU without, of any size). */
bool wf_segments_blocks(wf_segments *s, const wf_gpu *gpu, const char *kernel, wf_error *err) {
  const uint32_t held = wf_gpu_get_config(gpu)->warps_per_sm * PTX_LANES;
  const uint32_t most = wf_segments_most_blocks(gpu);
  uint32_t resident;
  s->threads = held && held < WF_SEGMENTS_THREADS ? held : WF_SEGMENTS_THREADS;
  while (s->threads > PTX_LANES &&
         !wf_gpu_resident_blocks(gpu, kernel, s->threads, 0, &resident, NULL))
    s->threads -= PTX_LANES;
  if (!wf_gpu_resident_blocks(gpu, kernel, s->threads, 0, &resident, err)) return false;
  s->blocks = resident < most ? resident : most;
  return true;
}

bool wf_segments_create(wf_segments *s, const wf_app_run *run, const wf_segment_form *form,
                        wf_error *err) {
  const wf_graph *g = run->graph;
  if (!wf_segments_fit(s->blocks, form))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "strategy segments: %u vertices and %llu edges on %u SMs; expected at most %d "
                   "MB of segments, or --set app.strategy=edges",
                   g->n_vertices, (unsigned long long)g->n_edges, s->blocks, MOST_BYTES >> 20);
  s->capacity = (uint32_t)form->entries;
  return (s->entries = wf_app_reserve(run->gpu, 0, bytes_of(s->blocks, form), "segments", err)) &&
         (s->words = wf_app_reserve(run->gpu, 0, WORD_BYTES, "segment_words", err));
}
