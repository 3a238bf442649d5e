/* Reference model of bubble_power, written from the paper's chapter 6.2 and the contract in the
 * RTL's header; it knows nothing of how the unit is built. */
#ifndef BUBBLE_REF_H
#define BUBBLE_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/mask.h"

enum { BUBBLE_MAX_SMX = 144 };

typedef enum bubble_mode {
  BUBBLE_OFF,
  BUBBLE_DIVERT,
  BUBBLE_FULL,
  BUBBLE_AT_ONCE /* without draining */
} bubble_mode;

typedef enum bubble_state {
  BUBBLE_NORMAL,
  BUBBLE_DRAIN,
  BUBBLE_PARKED, /* diverted and empty, or about to go down */
  BUBBLE_DOWN,
  BUBBLE_LOW,
  BUBBLE_UP
} bubble_state;

typedef enum bubble_gpu {
  BUBBLE_GPU_HIGH,
  BUBBLE_GPU_ASKED,
  BUBBLE_GPU_DOWN,
  BUBBLE_GPU_LOW,
  BUBBLE_GPU_UP
} bubble_gpu;

/* Run-time registers. */
typedef struct bubble_registers {
  bubble_mode mode;
  bool gpu_level, calm;
  uint32_t sample, threshold, drain;
} bubble_registers;

typedef struct bubble_in {
  uint32_t used[BUBBLE_MAX_SMX]; /* warps of blocks */
  wf_mask room, bound, done;     /* a bit per SMX */
  bool wait, gpu_done;
} bubble_in;

#define BUBBLE_COUNTERS(X)                                                                         \
  X(samples), X(bubbles), X(empties), X(diverted), X(no_target), X(emptied), X(vain), X(downs),    \
      X(resumes), X(gpu_downs), X(gpu_samples)
#define BUBBLE_COUNT_(name) BUBBLE_COUNT_##name
typedef enum bubble_counter { BUBBLE_COUNTERS(BUBBLE_COUNT_), BUBBLE_COUNTER_COUNT } bubble_counter;

typedef struct bubble_smx {
  bubble_state state;
  bool held;        /* after a drain in vain */
  unsigned samples; /* of the drain, or since it ended */
} bubble_smx;

typedef struct bubble_ref {
  unsigned n, warps, settle;
  bubble_registers reg;
  bubble_smx smx[BUBBLE_MAX_SMX];
  bubble_gpu gpu;
  uint64_t cycle;     /* of the sample, from 1 */
  unsigned step;      /* edges since the snapshot; 0: none is worked on */
  unsigned after;     /* the next one to be resumed is looked for from here */
  bubble_in snap;     /* of this sample */
  uint32_t threshold; /* as it was then */
  wf_mask resumed;    /* at the last edge */
  uint64_t counter[BUBBLE_COUNTER_COUNT];
} bubble_ref;

void bubble_ref_reset(bubble_ref *r);
/* A rising edge with these inputs. */
void bubble_ref_edge(bubble_ref *r, const bubble_registers *reg, const bubble_in *in);

bool bubble_ref_takes_blocks(const bubble_ref *r, unsigned smx);
/* With these inputs. */
bool bubble_ref_idle(const bubble_ref *r, const bubble_registers *reg, const bubble_in *in);

#endif
