// CUDA C++ for the fabric, without a CUDA installation: clang's own headers for what threads do,
// libdevice.h for their mathematics, and the runtime's functions.
#ifndef WARPFAB_CUDA_RUNTIME_H
#define WARPFAB_CUDA_RUNTIME_H

#ifdef __CUDA__
#pragma push_macro("__CUDACC__")
#undef __CUDACC__ // libstdc++ is as it is without
#include <__clang_cuda_math_forward_declares.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h> // libstdc++'s: isnan and its like for the host under their plain names
#include <stdlib.h>
#include <string.h>
#pragma pop_macro("__CUDACC__")
#endif
#include "cuda_runtime_api.h"

#ifdef __CUDA__
#define __noinline__ __attribute__((noinline))
#include "wf_device.h"
#endif
#ifdef __cplusplus
#include "vector_functions.h"
#include "wf_templates.h"
#include "wf_unsupported.h"
#endif

#endif
