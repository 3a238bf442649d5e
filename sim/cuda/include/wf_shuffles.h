// Shuffles without a mask, which compute capability 7.0 took away: of all lanes that are here.
#ifndef WARPFAB_SHUFFLES_H
#define WARPFAB_SHUFFLES_H

#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xffffffffu, __VA_ARGS__)

#endif
