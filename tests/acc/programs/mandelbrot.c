/* Depth by pixel: loops of unequal length, a function of the file's own. */
#include <stdio.h>

#define W 64
#define H 24
static int depth[H][W];

#pragma acc routine seq
static int escape(double cx, double cy, int most) {
  double x = 0, y = 0;
  int n = 0;
  while (n < most && x * x + y * y < 4) {
    const double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  return n;
}

int main(void) {
#pragma acc parallel loop collapse(2) copyout(depth)
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) depth[i][j] = escape(-2 + 3.0 * j / W, -1 + 2.0 * i / H, 60);
  for (int i = 0; i < H; i += 2, putchar('\n'))
    for (int j = 0; j < W; j++) putchar(" .:-=+*#%@"[depth[i][j] * 9 / 60]);
  return 0;
}
