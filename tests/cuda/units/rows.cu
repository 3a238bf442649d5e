// A stencil that tells the teleport unit what each block will read: the lines of its rows.
#include <utility>

#include "../programs/common.h"

enum { WIDTH = 256, HEIGHT = 64 };

__global__ void smooth(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x + 1;
  const float *row = in + y * WIDTH + x;
  if (x > 0 && x < WIDTH - 1)
    out[y * WIDTH + x] = 0.2f * (row[0] + row[-1] + row[1] + row[-WIDTH] + row[WIDTH]);
}

int main() {
  std::vector<float> field(WIDTH * HEIGHT);
  for (auto &v : field) v = random_float();
  float *a = to_device(field), *b = to_device(field);
  for (int t = 0; t < 4; t++, std::swap(a, b)) {
    CHECK(cudaFlushCTATracker()); // block b reads elements b * WIDTH .. b * WIDTH + 3 * WIDTH - 1
    CHECK(cudaSetCTATracker(a, sizeof *a, WIDTH, 0, 0, 0, WIDTH, 0, 0, 3 * WIDTH - 1));
    smooth<<<HEIGHT - 2, WIDTH>>>(a, b);
  }
  to_host(field, a);
  show("field", field);
}
