// Points to their nearest centres, sums by atomics on integers, new centres on the host.
#include "common.h"

enum { K = 5, DIMENSIONS = 3 };
__constant__ float centre[K][DIMENSIONS];

__global__ void assign(const float *point, int *nearest, int n, int *sums, int *counts,
                       int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int best = 0;
  float least = 1e30f;
  for (int k = 0; k < K; k++) {
    float far = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
      float x = point[d * n + i] - centre[k][d];
      far += x * x;
    }
    if (far < least) least = far, best = k;
  }
  if (nearest[i] != best) atomicAdd(changed, 1);
  nearest[i] = best;
  atomicAdd(&counts[best], 1);
  for (int d = 0; d < DIMENSIONS; d++)
    atomicAdd(&sums[best * DIMENSIONS + d], (int)(point[d * n + i] * 1000));
}

int main() {
  const int n = 2000;
  std::vector<float> point(n * DIMENSIONS);
  std::vector<int> nearest(n, -1), sums(K * DIMENSIONS), counts(K), changed(1);
  for (auto &v : point) v = random_float();
  float c[K][DIMENSIONS];
  for (int k = 0; k < K; k++)
    for (int d = 0; d < DIMENSIONS; d++) c[k][d] = point[d * n + k];
  float *dp = to_device(point);
  int *dn = to_device(nearest), *ds = to_device(sums), *dc = to_device(counts),
      *dch = to_device(changed);
  for (int round = 0; round < 4; round++) {
    CHECK(cudaMemcpyToSymbol(centre, c, sizeof c));
    CHECK(cudaMemset(ds, 0, sums.size() * sizeof(int)));
    CHECK(cudaMemset(dc, 0, counts.size() * sizeof(int)));
    CHECK(cudaMemset(dch, 0, sizeof(int)));
    assign<<<(n + 127) / 128, 128>>>(dp, dn, n, ds, dc, dch);
    to_host(sums, ds);
    to_host(counts, dc);
    to_host(changed, dch);
    for (int k = 0; k < K; k++)
      for (int d = 0; d < DIMENSIONS; d++)
        if (counts[k]) c[k][d] = (float)sums[k * DIMENSIONS + d] / 1000 / (float)counts[k];
    printf("round %d: %d changed\n", round, changed[0]);
  }
  to_host(nearest, dn);
  show("nearest", nearest);
  printf("centre 0: %.5f %.5f %.5f\n", c[0][0], c[0][1], c[0][2]);
}
