/* The built-in configuration files, embedded in the program. */
#include "sim/gpu/configs.h"

#include <stddef.h>

#define EMBED(name)                                                                                \
  __asm__(".section .rodata\n.global wf_config_" #name "\nwf_config_" #name                        \
          ":\n.incbin \"sim/gpu/configs/" #name ".ini\"\n.byte 0\n.text\n");                       \
  extern const char wf_config_##name[];

EMBED(a100)
EMBED(fermi16)
EMBED(fermi16_144)
EMBED(gtx480)
EMBED(gtx780)
EMBED(h100)
EMBED(k20c)
EMBED(k40c)
EMBED(rtx3070)
EMBED(rtx4090)

const wf_builtin_config wf_builtin_configs[] = {
    {"a100", wf_config_a100, "A100 SXM 40 GB (Ampere), 108 SMs, L2 of 40 MB, HBM2, 1555 GB/s"},
    {"fermi16", wf_config_fermi16,
     "Fermi-like, 16 SMs at 1.2 GHz, 48 KB L1, 100.8 GB/s: of the work on spare-register "
     "prefetching"},
    {"fermi16-144", wf_config_fermi16_144, "fermi16 with 144 GB/s"},
    {"gtx480", wf_config_gtx480, "GTX 480 (Fermi), 15 SMs, 177.4 GB/s"},
    {"gtx780", wf_config_gtx780, "GTX 780 (Kepler), 16 SMs, 64 warps each, 336 GB/s"},
    {"h100", wf_config_h100, "H100 SXM (Hopper), 132 SMs, L2 of 50 MB, HBM3, 3354 GB/s"},
    {"k20c", wf_config_k20c,
     "Tesla K20c (Kepler), 13 SMs, 64 warps each, 208 GB/s, launches from device code"},
    {"k40c", wf_config_k40c, "Tesla K40c (Kepler), 15 SMs, 64 warps each, 288 GB/s"},
    {"rtx3070", wf_config_rtx3070, "GeForce RTX 3070 (Ampere), 46 SMs, 448 GB/s"},
    {"rtx4090", wf_config_rtx4090,
     "GeForce RTX 4090 (Ada), 128 SMs, L2 of 72 MB, GDDR6X, 1008 GB/s"},
    {NULL, NULL, NULL},
};
