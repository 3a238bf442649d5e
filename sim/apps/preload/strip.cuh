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

#endif
