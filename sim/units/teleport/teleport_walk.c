#include "sim/units/teleport/teleport_walk.h"

#include <string.h>

enum { LINE_SHIFT = 7 };

static int64_t element(const uint32_t block[3], const int32_t product[3], int32_t offset) {
  int64_t sum = offset;
  for (unsigned i = 0; i < 3; i++) sum += (int64_t)block[i] * product[i];
  return sum;
}

void wf_teleport_range(const wf_preload_row *row, const uint32_t block[3], int64_t *low,
                       int64_t *high) {
  const int64_t bytes = row->element_bytes, base = (int64_t)row->base;
  *low = base + bytes * element(block, row->min, row->min_offset);
  *high = base + bytes * element(block, row->max, row->max_offset);
}

wf_teleport_walk wf_teleport_walk_begin(const wf_preload_row *rows, unsigned n_rows,
                                        const uint32_t block[3]) {
  wf_teleport_walk walk = {.rows = rows, .n_rows = n_rows, .next = 0, .end = -1};
  memcpy(walk.block, block, sizeof walk.block);
  return walk;
}

bool wf_teleport_walk_next(wf_teleport_walk *w, const wf_teleport_bounds *bounds, uint32_t *line) {
  if (w->asked == bounds->cap) return false;
  while (w->next > w->end) {
    if (w->row == w->n_rows) return false;
    int64_t low, high;
    const wf_preload_row *row = &w->rows[w->row];
    const int64_t further = (int64_t)row->pitch * w->line;
    wf_teleport_range(row, w->block, &low, &high);
    if (high < low || w->line == row->more) {
      w->row++;
      w->line = 0;
    } else {
      w->line++;
    }
    if (high < low) continue;
    low += further;
    high += further;
    w->next = low >> LINE_SHIFT;
    w->end = high >> LINE_SHIFT;
    if (w->next < bounds->first) w->next = bounds->first;
    if (w->end > bounds->last) w->end = bounds->last;
  }
  *line = (uint32_t)w->next++;
  w->asked++;
  return true;
}

bool wf_teleport_all_asked(const wf_teleport_sums *n, wf_error *err) {
  return (n->asked == n->of_rows && (n->stored || n->left_out <= n->no_room)) ||
         wf_fail(err, WF_EXIT_WRONG,
                 "teleport: rows of thread blocks ask for %llu lines, the buffers asked for %llu; "
                 "%llu were neither here nor fetched, %llu found no room",
                 (unsigned long long)n->of_rows, (unsigned long long)n->asked,
                 (unsigned long long)n->left_out, (unsigned long long)n->no_room);
}
