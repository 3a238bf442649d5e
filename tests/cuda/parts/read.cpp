#include <cuda_runtime.h>
#include <string>
#include <vector>

int words_of(const char *name) {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  return std::vector<std::string>{name, "two"}.size() + devices;
}
