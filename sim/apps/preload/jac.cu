// Smoothing over nine points (Jacobi iteration); the border of one word around stays as it is.
// Blocks of 16 x 16.
#include "strip.cuh"

enum { TILE = 16, HALO = TILE + 2 };

KERNEL jac_plain(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1,
                 float w2) {
  int x = (int)global_x(), y = (int)global_y();
  if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) return;
  const float *at = in + (y * cols + x), *up = at - cols, *down = at + cols;
  float beside = up[0] + down[0] + at[-1] + at[1];
  float across = up[-1] + up[1] + down[-1] + down[1];
  out[y * cols + x] = w0 * at[0] + w1 * beside + w2 * across;
}

// The tile by its threads, the halo by those at its edges.
KERNEL jac_shared(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1,
                  float w2) {
  __shared__ float tile[HALO][HALO];
  int tx = (int)thread_x() + 1, ty = (int)thread_y() + 1;
  int x = (int)global_x(), y = (int)global_y();
  if (x < cols && y < rows) {
    const float *at = in + (y * cols + x), *up = at - cols, *down = at + cols;
    bool first_x = tx == 1 && x > 0, last_x = tx == TILE && x < cols - 1;
    bool first_y = ty == 1 && y > 0, last_y = ty == TILE && y < rows - 1;
    tile[ty][tx] = at[0];
    if (first_x) tile[ty][0] = at[-1];
    if (last_x) tile[ty][TILE + 1] = at[1];
    if (first_y) tile[0][tx] = up[0];
    if (last_y) tile[TILE + 1][tx] = down[0];
    if (first_y && first_x) tile[0][0] = up[-1];
    if (first_y && last_x) tile[0][TILE + 1] = up[1];
    if (last_y && first_x) tile[TILE + 1][0] = down[-1];
    if (last_y && last_x) tile[TILE + 1][TILE + 1] = down[1];
  }
  __syncthreads();
  if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) return;
  float beside = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  float across =
      tile[ty - 1][tx - 1] + tile[ty - 1][tx + 1] + tile[ty + 1][tx - 1] + tile[ty + 1][tx + 1];
  out[y * cols + x] = w0 * tile[ty][tx] + w1 * beside + w2 * across;
}

DEVICE Row<float> row_at(const float *__restrict__ at) {
  return {at[-1], at[0], at[1]};
}

KERNEL jac_double(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1,
                  float w2, int strip) {
  typedef Row<float> Row;
  Strip s = strip_of(rows - 1, strip);
  if (s.y == 0) s.y = 1;
  if (s.x < 1 || s.x >= cols - 1 || s.y >= s.end) return;
  const float *at = in + (s.y * cols + s.x);
  Row a = row_at(at - cols), b = row_at(at), c = row_at(at + cols);
  down_strip(a, b, c, TURN(const Row &up, const Row &mid, const Row &down, Row &next) {
    next = row_at(s.y + 1 < s.end ? at + 2 * cols : at);
    float beside = up.here + down.here + mid.left + mid.right;
    float across = up.left + up.right + down.left + down.right;
    out[s.y * cols + s.x] = w0 * mid.here + w1 * beside + w2 * across;
    at += cols;
    return ++s.y < s.end;
  });
}

KERNEL jac_copy(const float *__restrict__ in, float *out, int rows, int cols, float w0, float w1,
                float w2, int strip) {
  typedef Row<float> Row;
  __shared__ __attribute__((aligned(16))) float ring[COPY_RING][COPY_ROW];
  CopiedRows<float> copied = {ring, in, rows, cols};
  Strip s = copied_strip(rows, strip);
  auto copy = TURN(int place, int y) { copied.copy(place, y); };
  auto read = TURN(int place) { return row_at(copied.at(place)); };
  down_copied<Row>(s, copy, read, TURN(const Row &up, const Row &mid, const Row &down) {
    if (s.x < 1 || s.x >= cols - 1 || s.y < 1 || s.y >= rows - 1) return;
    float beside = up.here + down.here + mid.left + mid.right;
    float across = up.left + up.right + down.left + down.right;
    out[s.y * cols + s.x] = w0 * mid.here + w1 * beside + w2 * across;
  });
}
