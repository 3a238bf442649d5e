/* A queue that iterations append to, and tickets: atomic capture in all of its forms. */
#include <stdio.h>
#define N 40
static int queue[N * N], column[N * N], row[N][N];

int main(void) {
  int length[4] = {0, 1000, 1, 0}, seen = 0, low = 1000, high = 0, last = 0;
  for (int i = 0; i < N * N; i++) row[i / N][i % N] = i * 7 % 31;
#pragma acc parallel loop collapse(2) copyin(row) copy(queue, column, length)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int at, left, even, both;
      if (row[i][j] % 3) continue;
#pragma acc atomic capture
      at = length[0]++;
#pragma acc atomic capture
      left = length[1] -= 2;
#pragma acc atomic capture
      {
        even = length[2];
        length[2] += 2;
      }
#pragma acc atomic capture
      {
        length[3] = length[3] + 1;
        both = length[3];
      }
      queue[at] = i * N + j;
      column[both - 1] = left + even;
    }
  for (int i = 0; i < length[0]; i++) {
    seen += row[queue[i] / N][queue[i] % N] % 3 == 0;
    last += queue[i];
    low = column[i] < low ? column[i] : low;
    high = column[i] > high ? column[i] : high;
  }
  printf("%d of %d, ends %d %d %d, sum %d\n", seen, length[0], length[1], length[2], length[3],
         last);
  return 0;
}
