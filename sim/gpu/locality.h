/* Probe: how the lines of each load instruction are reused, in an L1 without bound and in the one
 * configured (cache-management paper, section 3: figures 3 to 6, equation 1). Lines are told apart
 * per SM and kernel launch. Does not disturb timing. */
#ifndef WF_GPU_LOCALITY_H
#define WF_GPU_LOCALITY_H

#include <stdint.h>

#include "sim/ptx/ptx.h"

/* Of a line in an L1 without bound, by the paper's table 2. */
typedef enum wf_locality_type {
  WF_LOCALITY_STREAMING, /* accessed once */
  WF_LOCALITY_INTER,     /* again, but once by the warp that brought it */
  WF_LOCALITY_INTRA,     /* again, and only by the warp that brought it */
  WF_LOCALITY_BOTH,
  WF_LOCALITY_TYPES
} wf_locality_type;

enum {
  WF_LOCALITY_COUNTS = 20, /* access counts of a line: bins 1, 2 .. 16, then from 17, 33, 65, 129 */
  WF_LOCALITY_DISTANCES = 20 /* accesses of the SM between two of a line: bin k from 2^k */
};

typedef struct wf_locality_load {
  const ptx_kernel *kernel;
  ptx_pc pc;
  uint64_t accesses;                 /* line requests */
  uint64_t lines[WF_LOCALITY_TYPES]; /* that it was the first to ask for */
} wf_locality_load;

typedef struct wf_locality_totals {
  uint64_t lines[WF_LOCALITY_TYPES];
  uint64_t counts_infinite[WF_LOCALITY_COUNTS]; /* lines by accesses */
  uint64_t counts_l1[WF_LOCALITY_COUNTS];       /* the same until the configured L1 evicted them */
  uint64_t distances[WF_LOCALITY_TYPES]
                    [WF_LOCALITY_DISTANCES]; /* reuses, by the type of their line */
  double aps;                                /* equation 1 over all loads; 0 without loads */
} wf_locality_totals;

typedef struct wf_locality wf_locality;

wf_locality *wf_locality_create(unsigned n_sm);
void wf_locality_destroy(wf_locality *locality);
/* A launch begins; the one before is evaluated. NULL: only that. The kernel must outlive the probe.
 */
void wf_locality_begin(wf_locality *locality, const ptx_kernel *kernel);
/* A global load of the warp; uid tells apart all warps of the SM. Line numbers are stride_bytes
 * apart. */
void wf_locality_access(wf_locality *locality, unsigned sm, uint64_t uid, ptx_pc pc,
                        const uint32_t *lines, unsigned n_lines, unsigned stride_bytes);
/* Bin of an access count, at least 1, in counts_*; and its lower bound. */
unsigned wf_locality_count_bin(uint64_t count);
unsigned wf_locality_count_low(unsigned bin);
/* Where the L1s add the access counts of the lines they lose. */
uint64_t *wf_locality_l1_counts(wf_locality *locality);
wf_locality_totals wf_locality_get(const wf_locality *locality);
/* Loads that asked for something, in the order of kernels and pcs. NULL past the end. */
const wf_locality_load *wf_locality_load_at(const wf_locality *locality, unsigned index);

#endif
