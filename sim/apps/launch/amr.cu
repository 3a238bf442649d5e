// Adaptive mesh refinement: a thread per cell of the coarse grid; a cell in the front is refined
// into 8 x 8, and those of them once more, by the thread itself or by children with a thread per
// finer cell. The heat of a cell falls with its distance from sources.
#include "persist.cuh"

struct amr_source {
  uint32_t x, y, strength, falloff; // the strength is halved every 2^falloff units
};

struct amr_mesh {
  const amr_source *sources;
  uint32_t *sum, *cells;         // by coarse cell: heat, and number, of its finest cells
  uint32_t n_sources, low, high; // the front: heat in low .. high-1
};

DEVICE uint32_t distance1(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}

// At the middle of the cell.
DEVICE uint32_t heat(const amr_mesh &m, uint32_t x, uint32_t y, uint32_t size) {
  uint32_t sum = 0;
  x += size / 2;
  y += size / 2;
#pragma clang loop unroll(disable)
  for (uint32_t s = 0; s < m.n_sources; s++) {
    amr_source source = m.sources[s];
    uint32_t halvings = (distance1(x, source.x) + distance1(y, source.y)) >> source.falloff;
    sum += halvings < 32 ? source.strength >> halvings : 0;
  }
  return sum;
}

DEVICE void keep(const amr_mesh &m, uint32_t coarse, uint32_t heat) {
  reduce_add(&m.sum[coarse], heat);
  reduce_add(&m.cells[coarse], 1);
}

struct amr_args {
  amr_mesh m;
  uint32_t coarse, x, y, size; // the cell that is refined
};

template <int FORM>
DEVICE void amr_cell(const amr_mesh &m, uint32_t coarse, uint32_t x, uint32_t y, uint32_t size);

// The i-th of the 64 cells in a cell.
template <int FORM> DEVICE void amr_finer(const amr_args &a, uint32_t i) {
  uint32_t size = a.size / 8;
  amr_cell<FORM>(a.m, a.coarse, a.x + i % 8 * size, a.y + i / 8 * size, size);
}

KERNEL amr_refine_cdp(amr_args a);
KERNEL amr_refine_dtbl(amr_args a);

// By the thread itself: two levels at most.
DEVICE void amr_serial(const amr_args &a) {
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t size = a.size / 8, x = a.x + i % 8 * size, y = a.y + i / 8 * size,
             h = heat(a.m, x, y, size);
    if (size == 1 || h < a.m.low || h >= a.m.high) {
      keep(a.m, a.coarse, h);
      continue;
    }
#pragma clang loop unroll(disable)
    for (uint32_t j = 0; j < 64; j++) keep(a.m, a.coarse, heat(a.m, x + j % 8, y + j / 8, 1));
  }
}

template <int FORM>
DEVICE void amr_cell(const amr_mesh &m, uint32_t coarse, uint32_t x, uint32_t y, uint32_t size) {
  uint32_t h = heat(m, x, y, size);
  if (size == 1 || h < m.low || h >= m.high) {
    keep(m, coarse, h);
    return;
  }
  const amr_args a = {m, coarse, x, y, size};
  if (FORM == CDP && LAUNCH(CDP, amr_refine_cdp, a, 64, 64)) return;
  if (FORM == DTBL && LAUNCH(DTBL, amr_refine_dtbl, a, 64, 64)) return;
  amr_serial(a);
}

KERNEL amr_refine_cdp(amr_args a) {
  amr_finer<CDP>(a, global_thread());
}
KERNEL amr_refine_dtbl(amr_args a) {
  amr_finer<DTBL>(a, global_thread());
}

template <int FORM> DEVICE void amr_coarse(amr_mesh m, uint32_t side, uint32_t size) {
  uint32_t i = global_thread();
  if (i < side * side) amr_cell<FORM>(m, i, i % side * size, i / side * size, size);
}

IN_THREE_FORMS(amr_coarse, (amr_mesh m, uint32_t side, uint32_t size), m, side, size)

// ---- the best forms (share.cuh) ----

struct FinerOf {
  uint32_t coarse, x, y, size, n; // the 64 cells in a cell
};
struct Heat {
  uint32_t sum, cells;
};

struct Refine {
  enum { AT_ONCE = IN_FLIGHT };
  typedef FinerOf List;
  typedef Heat Sum;
  amr_mesh m;
  // Sources are loaded once for all U; a cell that is refined again is this thread's work.
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], Heat (&got)[U]) const {
    uint32_t x[U], y[U], h[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
      uint32_t size = l[u].size / 8;
      x[u] = l[u].x + i[u] % 8 * size + size / 2;
      y[u] = l[u].y + i[u] / 8 * size + size / 2;
      h[u] = 0;
    }
#pragma clang loop unroll(disable)
    for (uint32_t s = 0; s < m.n_sources; s++) {
      amr_source source = m.sources[s];
#pragma unroll
      for (int u = 0; u < U; u++) {
        uint32_t halvings =
            (distance1(x[u], source.x) + distance1(y[u], source.y)) >> source.falloff;
        h[u] += halvings < 32 ? source.strength >> halvings : 0;
      }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
      got[u] = {i[u] < l[u].n ? h[u] : 0, i[u] < l[u].n};
      uint32_t size = l[u].size / 8;
      if (i[u] >= l[u].n || size == 1 || h[u] < m.low || h[u] >= m.high) continue;
      got[u] = again(x[u] - size / 2, y[u] - size / 2);
    }
  }
  DEVICE_METHOD Heat again(uint32_t x, uint32_t y) const {
    Heat sum = {0, 64};
#pragma clang loop unroll(disable)
    for (uint32_t j = 0; j < 64; j++) sum.sum += heat(m, x + j % 8, y + j / 8, 1);
    return sum;
  }
  DEVICE_METHOD static void join(Heat *sum, const Heat &other) {
    sum->sum += other.sum;
    sum->cells += other.cells;
  }
  DEVICE_METHOD void end(const List &l, const Heat &sum, bool whole) const {
    if (whole) {
      m.sum[l.coarse] = sum.sum;
      m.cells[l.coarse] = sum.cells;
      return;
    }
    reduce_add(&m.sum[l.coarse], sum.sum);
    reduce_add(&m.cells[l.coarse], sum.cells);
  }
};

#define AMR_PARAMS amr_mesh m, uint32_t side, uint32_t size

DEVICE Refine amr_coarse_work(AMR_PARAMS) {
  return {m};
}
DEVICE FinerOf amr_coarse_list(uint32_t i, AMR_PARAMS) {
  if (i >= side * side) return {0, 0, 0, 8, 0};
  uint32_t x = i % side * size, y = i / side * size, h = heat(m, x, y, size);
  if (h >= m.low && h < m.high) return {i, x, y, size, 64};
  m.sum[i] = h;
  m.cells[i] = 1;
  return {0, 0, 0, 8, 0};
}
IN_BEST_FORMS(amr_coarse, Refine, (AMR_PARAMS), m, side, size)
IN_PERSISTENT_FORM(amr_coarse, (AMR_PARAMS), m, side, size)
