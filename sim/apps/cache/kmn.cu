// k-means as in Rodinia. invert_mapping turns the points, a row of features each, into an array per
// feature: each thread reads its own row, an element a turn; in the form `tile` a block reads rows
// side by side into shared memory and writes columns. The point kernel then finds the nearest
// centre, from either layout.
#include "suite.cuh"

KERNEL kmn_invert_mapping(const float *__restrict__ input, float *output, uint32_t n_points,
                          uint32_t n_features) {
  uint32_t point = global_thread();
  if (point >= n_points) return;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < n_features; i++)
    output[point + n_points * i] = input[point * n_features + i];
}

enum { TILE_POINTS = 32, TILE_FEATURES = 64 };

// A block has 32 points.
KERNEL kmn_invert_tile(const float *__restrict__ input, float *output, uint32_t n_points,
                       uint32_t n_features) {
  __shared__ float tile[TILE_POINTS * (TILE_FEATURES + 1)];
  uint32_t first = block_x() * TILE_POINTS, left = n_points - first, lane = lane_id();
  uint32_t points = left < TILE_POINTS ? left : TILE_POINTS;
#pragma clang loop unroll(disable)
  for (uint32_t begin = 0; begin < n_features; begin += TILE_FEATURES) {
    uint32_t width = n_features - begin < TILE_FEATURES ? n_features - begin : TILE_FEATURES;
    uint32_t stride = width | 1; // of a point: lanes of a column in different banks
    for (uint32_t i = thread_x(); i < points * width; i += block_dim_x())
      tile[i / width * stride + i % width] =
          input[(first + i / width) * n_features + begin + i % width];
    __syncthreads();
    for (uint32_t f = warp_in_block(); f < width; f += block_dim_x() / WARP_LANES)
      if (lane < points) output[(begin + f) * n_points + first + lane] = tile[lane * stride + f];
    __syncthreads();
  }
}

template <bool POINT_MAJOR>
DEVICE void nearest(const float *__restrict__ features, const float *__restrict__ centres,
                    uint32_t n_points, uint32_t n_features, uint32_t n_clusters,
                    uint32_t *membership) {
  uint32_t point = global_thread();
  if (point >= n_points) return;
  uint32_t index = 0;
  float least = 3.40282347e+38f;
#pragma clang loop unroll(disable)
  for (uint32_t c = 0; c < n_clusters; c++) {
    float sum = 0.0f;
#pragma clang loop unroll(disable)
    for (uint32_t f = 0; f < n_features; f++) {
      uint32_t at = POINT_MAJOR ? point * n_features + f : point + n_points * f;
      float difference = features[at] - centres[c * n_features + f];
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      index = c;
    }
  }
  membership[point] = index;
}

KERNEL kmn_point_features(const float *__restrict__ features, const float *__restrict__ centres,
                          uint32_t n_points, uint32_t n_features, uint32_t n_clusters,
                          uint32_t *membership) {
  nearest<false>(features, centres, n_points, n_features, n_clusters, membership);
}
KERNEL kmn_point_points(const float *__restrict__ features, const float *__restrict__ centres,
                        uint32_t n_points, uint32_t n_features, uint32_t n_clusters,
                        uint32_t *membership) {
  nearest<true>(features, centres, n_points, n_features, n_clusters, membership);
}
