// Graph colouring, a round: a vertex without colour takes the round's, unless a neighbour without
// has a larger number; it looks no further than the first. One that takes this round's colour
// meanwhile still counts as without: neighbours would share the colour else.
#include "driven.cuh"

#define GCLR_GRAPH                                                                                 \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                              \
      const uint32_t *__restrict__ number, uint32_t *colour, uint32_t now
#define NO_COLOUR 0xffffffffu

struct LargerNear {
  const uint32_t *__restrict__ col, *__restrict__ number;
  const uint32_t *colour;
  uint32_t now, mine;
  DEVICE_METHOD bool operator()(uint32_t e) const {
    uint32_t w = col[e], its = colour[w];
    return (its == NO_COLOUR || its == now) && number[w] > mine;
  }
};

KERNEL gclr_thread(uint32_t n, GCLR_GRAPH, uint32_t *left) {
  uint32_t v = global_thread();
  if (v >= n || colour[v] != NO_COLOUR) return;
  if (any_alone(row[v], row[v + 1], LargerNear{col, number, colour, now, number[v]}))
    say(left);
  else
    colour[v] = now;
}

template <bool BALLOT> DEVICE void gclr_warp(uint32_t n, GCLR_GRAPH, uint32_t *left) {
  by_warp<BALLOT>(
      n, [&](uint32_t v) { return colour[v] == NO_COLOUR; },
      [&](uint32_t v) {
        const LargerNear found = {col, number, colour, now, number[v]};
        bool waits = any_together(row[v], row[v + 1], found);
        if (lane_id()) return;
        if (waits)
          say(left);
        else
          colour[v] = now;
      });
}
KERNEL gclr_flags(uint32_t n, GCLR_GRAPH, uint32_t *left) {
  gclr_warp<false>(n, row, col, number, colour, now, left);
}
KERNEL gclr_ballot(uint32_t n, GCLR_GRAPH, uint32_t *left) {
  gclr_warp<true>(n, row, col, number, colour, now, left);
}

KERNEL gclr_queue(uint32_t size, const uint32_t *__restrict__ frontier, GCLR_GRAPH, QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t i = global_thread(), v = 0;
  bool waits = false;
  if (i < size) {
    v = frontier[i];
    waits = any_alone(row[v], row[v + 1], LargerNear{col, number, colour, now, number[v]});
    if (!waits) colour[v] = now;
  }
  queue.push(waits, v);
  queue.end();
}
