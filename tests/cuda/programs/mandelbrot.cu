// The set in double precision, and a picture of it.
#include "common.h"

__global__ void escape(int *count, int width, int height, double2 middle, double scale, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  double cx = middle.x + (px - width / 2) * scale, cy = middle.y + (py - height / 2) * scale * 2;
  double x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y < 4) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    i++;
  }
  count[py * width + px] = i;
}

int main() {
  const int width = 64, height = 24;
  std::vector<int> count(width * height);
  int *d = to_device(count);
  escape<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(d, width, height, make_double2(-0.7, 0),
                                                        0.05, 60);
  to_host(count, d);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) putchar(" .:-=+*%@#"[count[y * width + x] * 9 / 60]);
    putchar('\n');
  }
  show("count", count);
}
