#include "sim/ptx/heap.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { ALIGN = 16 };

typedef struct piece {
  uint64_t at, bytes;
  bool taken;
} piece;

/* All of the memory, by address. */
struct ptx_heap {
  piece *pieces;
  size_t n, capacity;
};

ptx_heap *ptx_heap_create(uint64_t base, uint64_t bytes) {
  ptx_heap *h = wf_calloc(1, sizeof *h);
  h->capacity = 64;
  h->pieces = wf_calloc(h->capacity, sizeof *h->pieces);
  h->pieces[h->n++] = (piece){.at = base, .bytes = bytes};
  return h;
}

void ptx_heap_destroy(ptx_heap *h) {
  if (!h) return;
  free(h->pieces);
  free(h);
}

static void split(ptx_heap *h, size_t i, uint64_t bytes) {
  if (h->n == h->capacity) h->pieces = wf_realloc(h->pieces, h->capacity *= 2, sizeof *h->pieces);
  memmove(&h->pieces[i + 1], &h->pieces[i], (h->n++ - i) * sizeof *h->pieces);
  h->pieces[i].bytes = bytes;
  h->pieces[i + 1].at += bytes;
  h->pieces[i + 1].bytes -= bytes;
}

uint64_t ptx_heap_take(ptx_heap *h, uint64_t bytes) {
  if (!bytes || bytes > UINT64_MAX - ALIGN) return 0;
  bytes = (bytes + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
  for (size_t i = 0; i < h->n; i++) {
    piece *p = &h->pieces[i];
    if (p->taken || p->bytes < bytes) continue;
    if (p->bytes > bytes) split(h, i, bytes);
    h->pieces[i].taken = true;
    return h->pieces[i].at;
  }
  return 0;
}

/* Piece i takes in the next one, if both are free. */
static void join(ptx_heap *h, size_t i) {
  if (i + 1 >= h->n || h->pieces[i].taken || h->pieces[i + 1].taken) return;
  h->pieces[i].bytes += h->pieces[i + 1].bytes;
  h->n--;
  memmove(&h->pieces[i + 1], &h->pieces[i + 2], (h->n - i - 1) * sizeof *h->pieces);
}

bool ptx_heap_give(ptx_heap *h, uint64_t address) {
  size_t low = 0, high = h->n;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (h->pieces[middle].at < address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == h->n || h->pieces[low].at != address || !h->pieces[low].taken) return false;
  h->pieces[low].taken = false;
  join(h, low);
  if (low) join(h, low - 1);
  return true;
}
