/* Bench of bubble_power: a small GPU around the unit (SMXs with blocks, a scheduler that obeys
 * divert_o an edge late, a regulator), or given inputs; after every edge all outputs are compared
 * with the reference model. */
#ifndef BUBBLE_BENCH_H
#define BUBBLE_BENCH_H

#include "sim/units/bubble/ports.h"
#include "tb/bubble/bubble_ref.h"
#include "tb/common/wf_bench.h"

#define BUBBLE_BINS(X)                                                                             \
  X(drain_emptied), X(drain_in_vain), X(drain_resumed), X(woken), X(held), X(no_target),           \
      X(bound_resumed), X(gpu_down), X(gpu_up), X(gpu_asked_in_vain), X(at_once_with_blocks),      \
      X(parked_resumed), X(up_while_up), X(off_brings_up), X(end_with_decision)
#define BUBBLE_BIN_(name) BUBBLE_BIN_##name
typedef enum bubble_bin { BUBBLE_BINS(BUBBLE_BIN_), BUBBLE_BIN_COUNT } bubble_bin;

/* The GPU around it. All amounts in warps; lives in edges. */
typedef struct bubble_world {
  uint32_t used[BUBBLE_MAX_SMX];
  unsigned waiting, need;                  /* blocks, warps of each */
  wf_mask no_room;                         /* SMXs that lack registers for it */
  wf_mask bound;                           /* SMXs with a block that may only run there */
  unsigned transition;                     /* P, edges */
  unsigned left[BUBBLE_MAX_SMX], gpu_left; /* of transitions */
  wf_mask diverted;                        /* as the scheduler has it */
  unsigned next;                           /* SMX, round robin */
  wf_mask started;                         /* SMXs on which a block started at the last edge */
} bubble_world;

typedef struct bubble_bench {
  wf_bench base;
  bubble_ports p;
  bubble_ref ref;
  bubble_registers reg;
  bubble_world world;
  unsigned drains[BUBBLE_MAX_SMX]; /* samples that the SMX has been draining */
  unsigned stuck;                  /* samples in which blocks waited and nobody took them */
} bubble_bench;

extern const wf_bench_class bubble_bench_class;

/* One edge with these inputs. False after the first failure. */
bool bubble_bench_cycle(bubble_bench *b, const bubble_in *in);
/* One edge of the world, whose blocks start; what must hold of it is checked. */
bool bubble_bench_step(bubble_bench *b);
/* So many samples of it. */
bool bubble_bench_samples(bubble_bench *b, unsigned samples);

#endif
