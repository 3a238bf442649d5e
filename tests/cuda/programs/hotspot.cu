// Heat in a chip: a plate of temperatures, fed by power, cooled at its edges.
#include <utility>

#include "common.h"

struct material {
  float step, rx, ry, rz, ambient;
};

__global__ void heat(const float *__restrict__ t, const float *__restrict__ power, float *out,
                     int width, int height, material m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float here = t[i];
  float left = x ? t[i - 1] : here, right = x < width - 1 ? t[i + 1] : here;
  float up = y ? t[i - width] : here, down = y < height - 1 ? t[i + width] : here;
  out[i] = here + m.step * (power[i] + (left + right - 2 * here) / m.rx +
                            (up + down - 2 * here) / m.ry + (m.ambient - here) / m.rz);
}

int main() {
  const int width = 60, height = 44;
  std::vector<float> t(width * height), power(width * height);
  for (auto &v : t) v = 320 + 10 * random_float();
  for (auto &v : power) v = random_float();
  float *a = to_device(t), *b = to_device(t), *p = to_device(power);
  const material m = {0.05f, 1.5f, 2.5f, 40, 300};
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  cudaEvent_t from, to;
  float ms;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  CHECK(cudaEventRecord(from));
  for (int i = 0; i < 6; i++) {
    heat<<<grid, block>>>(a, p, b, width, height, m);
    std::swap(a, b);
  }
  CHECK(cudaEventRecord(to));
  CHECK(cudaEventSynchronize(to));
  CHECK(cudaEventElapsedTime(&ms, from, to));
  to_host(t, a);
  show("temperature", t);
  puts(ms > 0 && ms < 10 ? "timed" : "not timed");
}
