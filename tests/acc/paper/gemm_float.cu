// gemm.cu in single precision.
#define REAL float
#include "gemm.cu"
