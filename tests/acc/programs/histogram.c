/* Counts by atomics, then the fullest bin and its place. */
#include <stdio.h>

#define BINS 16
#define N 4000

int main(void) {
  static unsigned data[N];
  int bins[BINS] = {0}, most = 0, total = 0;
  unsigned x = 1;
  for (int i = 0; i < N; i++) data[i] = (x = x * 1664525u + 1013904223u) >> 20;
#pragma acc parallel loop copyin(data) copy(bins)
  for (int i = 0; i < N; i++) {
#pragma acc atomic update
    bins[data[i] % BINS]++;
  }
#pragma acc parallel loop reduction(max : most) reduction(+ : total) copyin(bins)
  for (int i = 0; i < BINS; i++) {
    most = bins[i] > most ? bins[i] : most;
    total += bins[i];
  }
  printf("%d in all, at most %d in a bin\n", total, most);
  return total != N;
}
