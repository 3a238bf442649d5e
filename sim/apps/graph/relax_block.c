/* SSSP by one block; see relax_queue.h. */
#include "sim/apps/graph/block.h"
#include "sim/apps/graph/relax_queue.h"

enum { PAIR_WORDS = 2, BUFFERS = 4, QUEUES = 2 };
enum { PLACES = 512 }; /* pairs of a queue in shared memory, at least: the rest is for values */
enum { SOME = 6 };     /* edges of a list that four lanes walk as fast as eight */
enum { REACH = 20 };   /* as many vertices are near then as the block has threads for */

static bool launch(const wf_app_run *run, const wf_ref_csr *out, uint64_t row, uint64_t col,
                   uint64_t weight, uint64_t value, uint64_t pairs, uint32_t source,
                   wf_error *err) {
  const uint32_t n = out->n, room = wf_block_room(run->gpu) & ~1u;
  const uint32_t most = room - QUEUES * PLACES * PAIR_WORDS, words = n < most ? n + n % 2 : most;
  const uint32_t places = (room - words) / (QUEUES * PAIR_WORDS),
                 delta = wf_relax_delta(out, REACH);
  const uint32_t lanes = (double)out->row[n] / n > SOME ? 8 : 4;
  const void *params[] = {&n,      &row,   &col,    &weight, &value, &pairs,
                          &source, &words, &places, &delta,  &lanes};
  return wf_block_launch(run, words < n ? "sssp_block_far" : "sssp_block", room, params,
                         sizeof params / sizeof *params, err);
}

bool wf_relax_block(const wf_relax_task *task, const uint32_t *host_value, const uint32_t *ids,
                    uint32_t count, uint64_t *value, wf_error *err) {
  (void)count;
  const wf_app_run *run = task->run;
  const wf_ref_csr *out = &task->out;
  wf_gpu *gpu = run->gpu;
  const uint64_t n = out->n, edges = out->row[n];
  uint64_t row, col, weight, pairs;
  return wf_block_check(run, err) &&
         (row = wf_app_upload(gpu, out->row, (n + 1) * 4, "row", err)) &&
         (col = wf_app_upload(gpu, out->col, edges * 4, "col", err)) &&
         (weight = wf_app_upload(gpu, out->weight, edges * 4, "weight", err)) &&
         (*value = wf_app_upload(gpu, host_value, n * 4, "value", err)) &&
         (pairs = wf_app_reserve(gpu, 0, BUFFERS * edges * PAIR_WORDS * 4, "frontier", err)) &&
         launch(run, out, row, col, weight, *value, pairs, *ids, err);
}
