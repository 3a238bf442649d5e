/* Macros in directives and loops, conditional directives, names that are words of C++. */
#include <stdio.h>

#define N 500
#define VEC 64
#define LOOPS 2
#define TOTAL sum
#define RUN _Pragma("acc parallel loop copy(a)")
#define AT(i, j) ((i)*4 + (j))
typedef struct node {
  int class, new;
} node;
static float a[N][4], flat[4 * N];
static node template[50];

int main(void) {
  double sum = 0;
  const int this = 3;
#pragma acc parallel loop vector_length(VEC) collapse(LOOPS) copy(a)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 4; j++) a[i][j] = (float)AT(i, j);
#ifdef _OPENACC
#pragma acc data copyin(a [0:N]) copyout(flat)
#endif
  {
#if defined(_OPENACC) && VEC > 1
#pragma acc parallel loop collapse(2)
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < N; i++)
      for (int j = 0; j < 4; j++) flat[AT(i, j)] = a[N - 1 - i][j];
#ifdef NEVER
#pragma acc nonsense
#endif
  }
#pragma acc parallel loop reduction(+ : TOTAL) copyin(a [0:N])
  for (int i = 0; i < N; i++) sum += a[i][1];
  RUN for (int i = 0; i < N; i++) a[i][0] = 0;
#pragma acc parallel loop copy(template)
  for (int i = 0; i < 50; i++) {
    template[i].class = i;
    template[i].new = this;
  }
  for (int i = 0; i < 50; i++) sum += template[i].class * template[i].new;
  for (int i = 0; i < 4 * N; i++) sum += flat[i] * (i % 3) + a[i / 4][i % 4];
  printf("%.0f\n", sum);
  return 0;
}
