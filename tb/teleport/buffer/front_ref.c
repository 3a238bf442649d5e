#include "tb/teleport/buffer/front_ref.h"

#include <string.h>

void front_ref_reset(front_ref *f, const front_shape *shape) {
  const front_levels levels = f->levels;
  memset(f, 0, sizeof *f);
  f->shape = *shape;
  f->levels = levels;
  f->first_item = true;
}

bool front_ref_ready(const front_ref *f) {
  return f->n != f->shape.ranges;
}

bool front_ref_busy(const front_ref *f) {
  return f->n || f->has_tile || f->n_lines || f->walks || f->has_request;
}

/* Rounds towards minus infinity. */
static int64_t block_of(int64_t byte, unsigned shift) {
  const int64_t size = (int64_t)1 << shift;
  return byte >= 0 ? byte / size : -((size - 1 - byte) / size);
}

front_line front_ref_line(const front_ref *f, const front_range *range, unsigned line) {
  const int64_t further = (int64_t)(line * range->pitch), lo = (int64_t)f->levels.bound_lo,
                hi = (int64_t)f->levels.bound_hi;
  front_line l = {.slot = range->slot,
                  .empty = range->none,
                  .end = range->last && (range->none || line == range->lines)};
  if (range->none) return l;
  const int64_t first = block_of(range->low + further, f->shape.line_shift),
                last = block_of(range->high + further, f->shape.line_shift);
  l.empty = l.outside = first > hi || last < lo || lo > hi;
  l.clipped = !l.outside && (first < lo || last > hi);
  l.first = (uint64_t)(first < lo ? lo : first);
  l.last = (uint64_t)(last > hi ? hi : last);
  return l;
}

/* The line that is walked, and the request that it makes; true: it takes the next line. */
static bool step_walk(front_ref *f, bool goes) {
  const bool free = !f->has_request || goes, block = f->walks && !f->walk.empty && f->left,
             marker = f->walks && !block && f->walk.end, last = f->walk.first == f->walk.last,
             over = f->walks && !block && (!f->walk.end || free);
  const bool next = !f->walks || over || (block && free && !f->walk.end && last);
  f->counts.cut = over && !f->walk.empty;
  if (!free) return next;
  f->has_request = block || marker;
  f->request = (front_request){f->walk.slot, marker, block ? f->walk.first : 0};
  if (block) {
    f->left--;
    f->walk.empty = last;
    f->walk.first++;
  }
  return next;
}

void front_ref_step(front_ref *f, const front_range *taken, bool goes) {
  f->counts = (front_counts){.ranges = taken != NULL};
  const bool walk_takes = step_walk(f, goes), cuts = f->has_tile && f->n_lines < 2,
             tile_takes = !f->has_tile || (cuts && (f->tile.none || f->at_line == f->tile.lines)),
             pops = f->head && tile_takes, stored = f->n > f->head;
  if (walk_takes) {
    f->walks = f->n_lines;
    f->walk = f->lines[0];
    if (f->walks && f->first_item) f->left = f->levels.cap;
    if (f->walks) f->first_item = f->walk.end;
    if (f->walks) f->n_lines--;
    f->lines[0] = f->lines[1];
  }
  if (cuts) {
    const front_line line = front_ref_line(f, &f->tile, f->at_line++);
    f->lines[f->n_lines++] = line;
    f->counts.outside = line.outside;
    f->counts.clipped = line.clipped;
  }
  if (tile_takes) {
    f->has_tile = f->head;
    f->tile = f->queue[0];
    f->at_line = 0;
  }
  if (!f->head || tile_takes) f->head = stored;
  if (pops) memmove(&f->queue[0], &f->queue[1], --f->n * sizeof *f->queue);
  if (taken) f->queue[f->n++] = *taken;
}
