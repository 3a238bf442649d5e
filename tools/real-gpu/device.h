/* A real GPU in the place of the modelled one: what applications call of sim/gpu/gpu.h, over the
 * driver. The host programs, their PTX and their comparison with a CPU reference stay the same. */
#ifndef WF_DEVICE_H
#define WF_DEVICE_H

#include "sim/gpu/gpu.h"
#include "tools/real-gpu/driver.h"

/* One launch. cycles: of clock64, from a mark before it to one after, the median over the SMs. */
typedef struct wf_device_launch {
  char kernel[64];
  uint32_t grid[3], block[3], shared_bytes;
  double milliseconds; /* between events around it */
  double cycles;       /* less what two marks without a kernel between take; < 0: none */
} wf_device_launch;

typedef struct wf_device_facts {
  char name[128];
  int driver, major, minor, sms, clock_khz, memory_khz, memory_bits, l2_bytes;
  uint64_t memory_bytes;
  double mark_cycles; /* two marks without a kernel between: the least of several */
} wf_device_facts;

/* driver must outlive it. NULL and *err if there is no such device. */
wf_gpu *wf_device_create(const wf_driver *driver, int index, const wf_options *options,
                         wf_error *err);
void wf_device_destroy(wf_gpu *gpu);
const wf_device_facts *wf_device_get_facts(const wf_gpu *gpu);
const wf_device_launch *wf_device_launches(const wf_gpu *gpu, size_t *count);

#endif
