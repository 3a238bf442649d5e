/* A gang's iteration: arrays and values of its own, calls, several reductions of one vector
 * loop. */
#include <stdio.h>

#define ROWS 30
#define COLS 70
static double a[ROWS][COLS], r[ROWS];
static int counts[ROWS], notes[ROWS];

#pragma acc routine seq
static void add(int *at, int n) {
  *at += n;
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) a[i][j] = i * j % 13;
#pragma acc parallel loop gang copy(a) copyout(r, counts) copy(notes)
  for (int i = 0; i < ROWS; i++) {
    double turned[COLS];
    double sum = 0, most = -1;
#pragma acc loop vector
    for (int j = 0; j < COLS; j++) turned[j] = a[i][COLS - 1 - j];
#pragma acc loop vector reduction(+ : sum) reduction(max : most)
    for (int j = 0; j < COLS; j++) {
      sum += turned[j] * j;
      if (turned[j] > most) most = turned[j];
    }
    int count = sum > 3;
    for (int k = 0; k < 3; k++) count++;
    add(&notes[i], count);
    const int before = notes[i];
    notes[i] = before * 2;
    r[i] = sum + most;
    counts[i] = count;
    if (r[i] > 100) {
      r[i] -= 100;
      counts[i] += 2;
    }
#pragma acc loop vector
    for (int j = 0; j < COLS; j++) a[i][j] += r[i] + notes[i];
  }
  double all = 0;
  for (int i = 0; i < ROWS; i++) all += r[i] * (i + 1) + counts[i] + 3 * notes[i] + a[i][i];
  printf("%.0f\n", all);
  return 0;
}
