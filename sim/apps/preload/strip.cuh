// Double buffering by hand: a thread goes down a column, `strip` rows of it, and loads the row
// after the next before it works on this one; what it has loaded stays in registers.
#ifndef WARPFAB_STRIP_CUH
#define WARPFAB_STRIP_CUH

#include "suite.cuh"

// Rows y .. end - 1, of at most `rows`.
struct Strip {
  int x, y, end;
};
DEVICE Strip strip_of(int rows, int strip) {
  int y = (int)global_y() * strip;
  return {(int)global_x(), y, y + strip < rows ? y + strip : rows};
}

// Rows take turns in their registers.
template <class T, class Turn> DEVICE void down_strip(T &a, T &b, T &c, Turn turn) {
  T d;
#pragma clang loop unroll(disable)
  while (turn(a, b, c, d) && turn(b, c, d, a) && turn(c, d, a, b) && turn(d, a, b, c)) {}
}

// Three words side by side.
template <class T> struct Row {
  T left, here, right;
};

// Double buffering by copies (cp.async): a block of 128 threads side by side goes down a strip.
// Rows of its tile, with four words more at either side, are copied into a ring in shared memory a
// few rows ahead, sixteen bytes a thread; beyond the array they are zeros. A thread reads each row
// once, into registers that take turns.
enum { COPY_WIDTH = 128, COPY_EDGE = 4, COPY_ROW = COPY_WIDTH + 2 * COPY_EDGE };
enum { COPY_RING = 8, COPY_AHEAD = 4 };

DEVICE void copy16(const void *to, const void *from, uint32_t bytes) {
  uint64_t at;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)at), "l"(from),
               "r"(bytes)
               : "memory");
}

template <class T> struct CopiedRows {
  T (*ring)[COPY_ROW];
  const T *in;
  int rows, cols;
  // Row y, for the whole block, into a place of the ring.
  DEVICE_METHOD void copy(int place, int y) const {
    if (thread_x() >= COPY_ROW / 4) return;
    int x = (int)(block_x() * COPY_WIDTH) - COPY_EDGE + 4 * (int)thread_x();
    bool there = x >= 0 && x < cols && y >= 0 && y < rows;
    copy16(&ring[place][4 * thread_x()], there ? in + (y * cols + x) : in, there ? 16 : 0);
  }
  // This thread's column of what is there; its neighbours lie beside it.
  DEVICE_METHOD const T *at(int place) const {
    return &ring[place][COPY_EDGE + thread_x()];
  }
};

DEVICE Strip copied_strip(int rows, int strip) {
  int y = (int)block_y() * strip;
  return {(int)global_x(), y, y + strip < rows ? y + strip : rows};
}

// copy(place, y) brings row y, read(place) takes a thread's part of it, turn(up, mid, down) is for
// row s.y, between its neighbours.
template <class T, class Copy, class Read, class Turn>
DEVICE void down_copied(Strip &s, Copy copy, Read read, Turn turn) {
  T a, b, c, d;
  auto rows_there = TURN() {
    asm volatile("cp.async.wait_group %0;" ::"n"(COPY_AHEAD - 1) : "memory");
    __syncthreads();
  };
  for (int i = 0; i < COPY_AHEAD + 1; i++) {
    copy(i, s.y - 1 + i);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  rows_there();
  a = read(0);
  b = read(1);
  auto step = TURN(int place, T &up, T &mid, T &down) {
    if (s.y + COPY_AHEAD <= s.end) copy((place + COPY_AHEAD + 1) % COPY_RING, s.y + COPY_AHEAD);
    asm volatile("cp.async.commit_group;" ::: "memory");
    rows_there();
    down = read((place + 2) % COPY_RING);
    turn(up, mid, down);
    return ++s.y < s.end;
  };
#pragma clang loop unroll(disable)
  while (step(0, a, b, c) && step(1, b, c, d) && step(2, c, d, a) && step(3, d, a, b) &&
         step(4, a, b, c) && step(5, b, c, d) && step(6, c, d, a) && step(7, d, a, b)) {}
}

#endif
