// Functions of the runtime that the fabric has not: the compiler says so, and what to do.
#ifndef WARPFAB_UNSUPPORTED_H
#define WARPFAB_UNSUPPORTED_H

#define WF_NOT_THERE(NAME, WHAT)                                                                   \
  template <class... WfT> cudaError_t NAME(WfT...) __attribute__((unavailable("warpfab: " WHAT)))
#define WF_NO_TEXTURES "has no textures: read through const __restrict__ pointers"
WF_NOT_THERE(cudaCreateTextureObject, WF_NO_TEXTURES);
WF_NOT_THERE(cudaDestroyTextureObject, WF_NO_TEXTURES);
WF_NOT_THERE(cudaBindTexture, WF_NO_TEXTURES);
WF_NOT_THERE(cudaBindTexture2D, WF_NO_TEXTURES);
WF_NOT_THERE(cudaBindTextureToArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaUnbindTexture, WF_NO_TEXTURES);
WF_NOT_THERE(cudaMallocArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaMalloc3DArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaFreeArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaMemcpyToArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaMemcpy2DToArray, WF_NO_TEXTURES);
WF_NOT_THERE(cudaCreateSurfaceObject, WF_NO_TEXTURES);
#define WF_NO_GRAPHS "has no CUDA graphs: launch kernels one by one"
WF_NOT_THERE(cudaGraphCreate, WF_NO_GRAPHS);
WF_NOT_THERE(cudaGraphInstantiate, WF_NO_GRAPHS);
WF_NOT_THERE(cudaGraphLaunch, WF_NO_GRAPHS);
WF_NOT_THERE(cudaStreamBeginCapture, WF_NO_GRAPHS);
WF_NOT_THERE(cudaStreamEndCapture, WF_NO_GRAPHS);
#define WF_ONE_DEVICE "has one device"
WF_NOT_THERE(cudaMemcpyPeer, WF_ONE_DEVICE ": cudaMemcpy");
WF_NOT_THERE(cudaMemcpyPeerAsync, WF_ONE_DEVICE ": cudaMemcpyAsync");
WF_NOT_THERE(cudaDeviceEnablePeerAccess, WF_ONE_DEVICE);
WF_NOT_THERE(cudaIpcGetMemHandle, WF_ONE_DEVICE " and one process");
WF_NOT_THERE(cudaIpcOpenMemHandle, WF_ONE_DEVICE " and one process");
WF_NOT_THERE(cudaMalloc3D, "has no 3D pitched memory: cudaMalloc, and an index");
WF_NOT_THERE(cudaMemcpy3D, "has no 3D copies: cudaMemcpy2D for each plane");
WF_NOT_THERE(cudaMallocAsync, "has no pools of memory: cudaMalloc");
WF_NOT_THERE(cudaFreeAsync, "has no pools of memory: cudaFree");
#undef WF_NOT_THERE

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D };
template <class WfT, int DIMENSIONS = 1, cudaTextureReadMode MODE = cudaReadModeElementType>
struct __attribute__((unavailable("warpfab: " WF_NO_TEXTURES))) texture {};
#define WF_NO_FETCH(NAME)                                                                          \
  template <class WfT, class... WfA>                                                               \
  __device__ WfT NAME(WfA...) __attribute__((unavailable("warpfab: " WF_NO_TEXTURES)));            \
  template <class... WfA>                                                                          \
  __device__ int NAME(WfA...) __attribute__((unavailable("warpfab: " WF_NO_TEXTURES)))
WF_NO_FETCH(tex1D);
WF_NO_FETCH(tex1Dfetch);
WF_NO_FETCH(tex2D);
WF_NO_FETCH(tex3D);
WF_NO_FETCH(surf2Dread);
#undef WF_NO_FETCH
typedef unsigned long long cudaTextureObject_t
    __attribute__((unavailable("warpfab: " WF_NO_TEXTURES)));

#endif
