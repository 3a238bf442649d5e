// Edges of an image by Sobel's filter: grey values of 32 bits, 0..255; beyond its border an image
// is dark. Blocks of 16 x 16.
#include "strip.cuh"

enum { TILE = 16, HALO = TILE + 2, WHITE = 255 };

DEVICE int strength(int across, int down) {
  int sum = (across < 0 ? -across : across) + (down < 0 ? -down : down);
  return sum < WHITE ? sum : WHITE;
}

DEVICE int pixel(const int *__restrict__ image, int rows, int cols, int y, int x) {
  if (x < 0 || x >= cols || y < 0 || y >= rows) return 0;
  return image[y * cols + x];
}

KERNEL eds_plain(const int *__restrict__ image, int *edges, int rows, int cols) {
  int x = (int)global_x(), y = (int)global_y();
  if (x >= cols || y >= rows) return;
  int nw = pixel(image, rows, cols, y - 1, x - 1), n = pixel(image, rows, cols, y - 1, x);
  int ne = pixel(image, rows, cols, y - 1, x + 1), w = pixel(image, rows, cols, y, x - 1);
  int e = pixel(image, rows, cols, y, x + 1), sw = pixel(image, rows, cols, y + 1, x - 1);
  int s = pixel(image, rows, cols, y + 1, x), se = pixel(image, rows, cols, y + 1, x + 1);
  int across = ne + 2 * e + se - nw - 2 * w - sw;
  int down = sw + 2 * s + se - nw - 2 * n - ne;
  edges[y * cols + x] = strength(across, down);
}

KERNEL eds_shared(const int *__restrict__ image, int *edges, int rows, int cols) {
  __shared__ int tile[HALO][HALO];
  int tx = (int)thread_x() + 1, ty = (int)thread_y() + 1;
  int x = (int)global_x(), y = (int)global_y();
  int first_x = (int)block_x() * TILE - 1, first_y = (int)block_y() * TILE - 1;
  for (int i = (ty - 1) * TILE + tx - 1; i < HALO * HALO; i += TILE * TILE)
    tile[i / HALO][i % HALO] = pixel(image, rows, cols, first_y + i / HALO, first_x + i % HALO);
  __syncthreads();
  if (x >= cols || y >= rows) return;
  int across = tile[ty - 1][tx + 1] + 2 * tile[ty][tx + 1] + tile[ty + 1][tx + 1] -
               tile[ty - 1][tx - 1] - 2 * tile[ty][tx - 1] - tile[ty + 1][tx - 1];
  int down = tile[ty + 1][tx - 1] + 2 * tile[ty + 1][tx] + tile[ty + 1][tx + 1] -
             tile[ty - 1][tx - 1] - 2 * tile[ty - 1][tx] - tile[ty - 1][tx + 1];
  edges[y * cols + x] = strength(across, down);
}

DEVICE Row<int> row_at(const int *__restrict__ image, int rows, int cols, int y, int x) {
  return {pixel(image, rows, cols, y, x - 1), pixel(image, rows, cols, y, x),
          pixel(image, rows, cols, y, x + 1)};
}

KERNEL eds_double(const int *__restrict__ image, int *edges, int rows, int cols, int strip) {
  typedef Row<int> Row;
  Strip s = strip_of(rows, strip);
  if (s.x >= cols || s.y >= s.end) return;
  Row a = row_at(image, rows, cols, s.y - 1, s.x), b = row_at(image, rows, cols, s.y, s.x);
  Row c = row_at(image, rows, cols, s.y + 1, s.x);
  down_strip(a, b, c, TURN(const Row &up, const Row &mid, const Row &down, Row &next) {
    next = row_at(image, rows, cols, s.y + 1 < s.end ? s.y + 2 : rows, s.x);
    int across = up.right + 2 * mid.right + down.right - up.left - 2 * mid.left - down.left;
    int below = down.left + 2 * down.here + down.right - up.left - 2 * up.here - up.right;
    edges[s.y * cols + s.x] = strength(across, below);
    return ++s.y < s.end;
  });
}

KERNEL eds_copy(const int *__restrict__ image, int *edges, int rows, int cols, int strip) {
  typedef Row<int> Row;
  __shared__ __attribute__((aligned(16))) int ring[COPY_RING][COPY_ROW];
  CopiedRows<int> copied = {ring, image, rows, cols};
  Strip s = copied_strip(rows, strip);
  auto copy = TURN(int place, int y) { copied.copy(place, y); };
  auto read = TURN(int place) {
    const int *at = copied.at(place);
    return Row{at[-1], at[0], at[1]};
  };
  down_copied<Row>(s, copy, read, TURN(const Row &up, const Row &mid, const Row &down) {
    if (s.x >= cols) return;
    int across = up.right + 2 * mid.right + down.right - up.left - 2 * mid.left - down.left;
    int below = down.left + 2 * down.here + down.right - up.left - 2 * up.here - up.right;
    edges[s.y * cols + s.x] = strength(across, below);
  });
}
