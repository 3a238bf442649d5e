// Temperature of a chip, a step in time, as in Rodinia's hotspot; beyond the border it is as warm
// as at it. Blocks of 16 x 16.
#include "strip.cuh"

enum { TILE = 16 };
static const float ambient = 80.0f;

// A step of one point between its neighbours; r: 1 / thermal resistance in each direction.
DEVICE float warmer(float here, float power, float n, float s, float w, float e, float step,
                    float rx, float ry, float rz) {
  return here + step * (power + (s + n - 2.0f * here) * ry + (e + w - 2.0f * here) * rx +
                        (ambient - here) * rz);
}

KERNEL hsp_plain(const float *__restrict__ temperature, const float *__restrict__ power, float *out,
                 int rows, int cols, float step, float rx, float ry, float rz) {
  int x = (int)global_x(), y = (int)global_y();
  if (x >= cols || y >= rows) return;
  const float *at = temperature + (y * cols + x);
  float here = at[0];
  float n = here, s = here, w = here, e = here;
  if (y > 0) n = at[-cols];
  if (y < rows - 1) s = at[cols];
  if (x > 0) w = at[-1];
  if (x < cols - 1) e = at[1];
  out[y * cols + x] = warmer(here, power[y * cols + x], n, s, w, e, step, rx, ry, rz);
}

// Several steps at once, as in Rodinia: with each, a ring of the tile less is right; blocks overlap
// by as many rings.
KERNEL hsp_shared(const float *__restrict__ temperature, const float *__restrict__ power,
                  float *out, int rows, int cols, float step, float rx, float ry, float rz,
                  int turns) {
  __shared__ float now[TILE][TILE];
  __shared__ float next[TILE][TILE];
  __shared__ float heat[TILE][TILE];
  int tx = (int)thread_x(), ty = (int)thread_y();
  int small = TILE - 2 * turns;
  int first_x = (int)block_x() * small - turns, first_y = (int)block_y() * small - turns;
  int x = first_x + tx, y = first_y + ty;
  bool inside = x >= 0 && x < cols && y >= 0 && y < rows;
  if (inside) now[ty][tx] = temperature[y * cols + x];
  if (inside) heat[ty][tx] = power[y * cols + x];
  __syncthreads();
  int n = y > 0 ? ty - 1 : ty;
  int s = y < rows - 1 ? ty + 1 : ty;
  int w = x > 0 ? tx - 1 : tx;
  int e = x < cols - 1 ? tx + 1 : tx;
  bool right = false;
  for (int i = 0; i < turns; i++) {
    right = inside && tx > i && tx < TILE - 1 - i && ty > i && ty < TILE - 1 - i;
    if (right)
      next[ty][tx] = warmer(now[ty][tx], heat[ty][tx], now[n][tx], now[s][tx], now[ty][w],
                            now[ty][e], step, rx, ry, rz);
    __syncthreads();
    if (i == turns - 1) break;
    if (right) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (right) out[y * cols + x] = next[ty][tx];
}

// Beyond the border it is as warm as at it.
DEVICE Row<float> row_at(const float *__restrict__ temperature, int cols, int y, int x) {
  const float *at = temperature + y * cols;
  return {at[x > 0 ? x - 1 : x], at[x], at[x < cols - 1 ? x + 1 : x]};
}

struct Cell {
  Row<float> row;
  float power;
};
DEVICE Cell cell_at(const float *__restrict__ temperature, const float *__restrict__ power,
                    int cols, int y, int x) {
  return {row_at(temperature, cols, y, x), power[y * cols + x]};
}

KERNEL hsp_double(const float *__restrict__ temperature, const float *__restrict__ power,
                  float *out, int rows, int cols, float step, float rx, float ry, float rz,
                  int strip) {
  Strip s = strip_of(rows, strip);
  if (s.x >= cols || s.y >= s.end) return;
  Cell a, b = cell_at(temperature, power, cols, s.y, s.x);
  a.row.here = temperature[(s.y > 0 ? s.y - 1 : 0) * cols + s.x];
  Cell c = cell_at(temperature, power, cols, s.y < rows - 1 ? s.y + 1 : s.y, s.x);
  down_strip(a, b, c, TURN(const Cell &up, const Cell &mid, const Cell &down, Cell &next) {
    next = cell_at(temperature, power, cols, s.y + 2 < rows ? s.y + 2 : rows - 1, s.x);
    out[s.y * cols + s.x] = warmer(mid.row.here, mid.power, up.row.here, down.row.here,
                                   mid.row.left, mid.row.right, step, rx, ry, rz);
    return ++s.y < s.end;
  });
}

// The power of the row below comes straight from memory.
KERNEL hsp_copy(const float *__restrict__ temperature, const float *__restrict__ power, float *out,
                int rows, int cols, float step, float rx, float ry, float rz, int strip) {
  __shared__ __attribute__((aligned(16))) float ring[COPY_RING][COPY_ROW];
  CopiedRows<float> cells = {ring, temperature, rows, cols};
  Strip s = copied_strip(rows, strip);
  auto copy = TURN(int place, int y) { cells.copy(place, y); };
  const float *heat = power + (s.y * cols + s.x);
  float now = s.x < cols ? heat[0] : 0.0f;
  auto read = TURN(int place) {
    const float *at = cells.at(place);
    return Row<float>{at[-1], at[0], at[1]};
  };
  down_copied<Row<float>>(s, copy, read, TURN(const Row<float> &up, const Row<float> &mid,
                                              const Row<float> &down) {
    if (s.x >= cols) return;
    heat += cols;
    float next = s.y + 1 < s.end ? heat[0] : 0.0f;
    float n = s.y > 0 ? up.here : mid.here, below = s.y < rows - 1 ? down.here : mid.here;
    float w = s.x > 0 ? mid.left : mid.here, e = s.x < cols - 1 ? mid.right : mid.here;
    out[s.y * cols + s.x] = warmer(mid.here, now, n, below, w, e, step, rx, ry, rz);
    now = next;
  });
}
