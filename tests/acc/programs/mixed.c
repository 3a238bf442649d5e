/* Structures of numbers of many kinds, and a union: how results are compared. */
#include <stdio.h>

typedef union word {
  float f;
  int i;
} word;
typedef struct mix {
  char c;
  double d;
  float f[3];
  unsigned b : 3, e : 9;
  short s;
  word w;
  struct {
    float x;
    long n;
  } in;
} mix;
static mix a[50];
static word u[20];

int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 50; i++) {
    a[i].c = (char)i;
    a[i].d = i * 1.1 + i * i * 0.3;
    a[i].f[1] = i * 0.7f + i * 0.1f;
    a[i].b = i & 7;
    a[i].e = i;
    a[i].s = (short)-i;
    a[i].w.i = i;
    a[i].in.x = i / 3.0f;
    a[i].in.n = i * 5;
  }
#pragma acc parallel loop copy(u)
  for (int i = 0; i < 20; i++) u[i].f = i * 0.5f;
  double s = 0;
  for (int i = 0; i < 50; i++)
    s += a[i].c + a[i].d + a[i].f[1] + a[i].b + a[i].e + a[i].s + a[i].w.i + a[i].in.x + a[i].in.n;
  for (int i = 0; i < 20; i++) s += u[i].f;
  printf("%.3f\n", s);
  return 0;
}
