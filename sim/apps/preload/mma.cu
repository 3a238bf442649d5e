// Sum of two matrices, c = a + b, all rows * cols words; blocks of 16 x 16.
#include "strip.cuh"

enum { TILE = 16 };

KERNEL mma_plain(const float *__restrict__ a, const float *__restrict__ b, float *c, int rows,
                 int cols) {
  int x = (int)global_x(), y = (int)global_y();
  if (x >= cols || y >= rows) return;
  c[y * cols + x] = a[y * cols + x] + b[y * cols + x];
}

KERNEL mma_shared(const float *__restrict__ a, const float *__restrict__ b, float *c, int rows,
                  int cols) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = (int)thread_x(), ty = (int)thread_y();
  int x = (int)global_x(), y = (int)global_y();
  bool inside = x < cols && y < rows;
  if (inside) tile_a[ty][tx] = a[y * cols + x];
  if (inside) tile_b[ty][tx] = b[y * cols + x];
  __syncthreads();
  if (inside) c[y * cols + x] = tile_a[ty][tx] + tile_b[ty][tx];
}

struct Summands {
  float left, right;
};

KERNEL mma_double(const float *__restrict__ a, const float *__restrict__ b, float *c, int rows,
                  int cols, int strip) {
  Strip s = strip_of(rows, strip);
  if (s.x >= cols || s.y >= s.end) return;
  int at = s.y * cols + s.x;
  Summands even = {a[at], b[at]}, odd;
  auto turn = TURN(const Summands &now, Summands &next) {
    int below = s.y + 1 < s.end ? at + cols : at;
    next = {a[below], b[below]};
    c[at] = now.left + now.right;
    at = below;
    return ++s.y < s.end;
  };
#pragma clang loop unroll(disable)
  while (turn(even, odd) && turn(odd, even)) {}
}

KERNEL mma_copy(const float *__restrict__ a, const float *__restrict__ b, float *c, int rows,
                int cols, int strip) {
  __shared__ __attribute__((aligned(16))) float ring_a[COPY_RING][COPY_ROW];
  __shared__ __attribute__((aligned(16))) float ring_b[COPY_RING][COPY_ROW];
  CopiedRows<float> left = {ring_a, a, rows, cols}, right = {ring_b, b, rows, cols};
  Strip s = copied_strip(rows, strip);
  auto copy = TURN(int place, int y) {
    left.copy(place, y);
    right.copy(place, y);
  };
  auto read = TURN(int place) { return Summands{left.at(place)[0], right.at(place)[0]}; };
  down_copied<Summands>(s, copy, read, TURN(const Summands &, const Summands &now,
                                            const Summands &) {
    if (s.x < cols) c[s.y * cols + s.x] = now.left + now.right;
  });
}
