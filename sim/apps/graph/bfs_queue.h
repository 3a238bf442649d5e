/* Breadth-first search over a queue; in equal shares of edges, and in two directions. */
#ifndef WF_APPS_BFS_QUEUE_H
#define WF_APPS_BFS_QUEUE_H

#include "sim/apps/graph/strategy.h"

/* Levels from source into level (device, all UNREACHED); counts run->supersteps. */
bool wf_bfs_queue(wf_app_run *run, const wf_app_variant *variant, uint32_t source, uint64_t out_row,
                  uint64_t out_col, uint64_t level, wf_error *err);
bool wf_bfs_edges(wf_app_run *run, const wf_app_variant *variant, uint32_t source, uint64_t out_row,
                  uint64_t out_col, uint64_t level, wf_error *err);
/* By one block, of WF_BLOCK_THREADS. */
bool wf_bfs_block(wf_app_run *run, const wf_app_variant *variant, const wf_degrees *degrees,
                  uint32_t source, uint64_t out_row, uint64_t out_col, uint64_t level,
                  wf_error *err);
bool wf_bfs_segments_fit(const wf_gpu *gpu, const wf_degrees *degrees);
/* By a block of each SM, each with a segment of the frontier. */
bool wf_bfs_segments(wf_app_run *run, const wf_app_variant *variant, const wf_degrees *degrees,
                     uint32_t source, uint64_t out_row, uint64_t out_col, uint64_t level,
                     wf_error *err);

#endif
