/* Rows by gangs, their elements by vectors. */
#include <stdio.h>
#include <stdlib.h>

static void spmv(int rows, const int *start, const int *column, const float *value, const float *x,
                 float *y) {
#pragma acc parallel loop gang vector_length(64) copyin(start [0:rows + 1])                        \
    copyin(column [0:start[rows]], value [0:start[rows]], x [0:rows]) copyout(y [0:rows])
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    const int first = start[r], last = start[r + 1];
#pragma acc loop vector reduction(+ : sum)
    for (int k = first; k < last; k++) sum += value[k] * x[column[k]];
    y[r] = sum;
  }
}

int main(void) {
  enum { ROWS = 50 };
  int start[ROWS + 1], *column = malloc(ROWS * ROWS * sizeof(int));
  float *value = malloc(ROWS * ROWS * sizeof(float)), x[ROWS], y[ROWS], sum = 0;
  start[0] = 0;
  for (int r = 0; r < ROWS; r++) {
    int k = start[r];
    for (int c = r % 3; c < ROWS; c += 1 + r % 5) column[k] = c, value[k++] = (r + c) % 4;
    start[r + 1] = k;
    x[r] = r % 6;
  }
  spmv(ROWS, start, column, value, x, y);
  for (int r = 0; r < ROWS; r++) sum += y[r];
  printf("sum %g\n", sum);
  free(column), free(value);
  return 0;
}
