/* Reference model of LaPerm, from the paper (chapter 5), at the level of blocks: which block may
 * leave for which SMX. It sees what the ports show and knows nothing of how the unit is built:
 * queues are plain lists of what was launched. What is on its way may or may not be in a queue
 * already, so rules of precedence count only what was launched LAPERM_SETTLED edges before, and
 * never lay in memory. */
#ifndef LAPERM_REF_H
#define LAPERM_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/mem/mask.h"

enum {
  LAPERM_MAX_SMX = 144,
  LAPERM_MAX_TB = 64,
  LAPERM_MAX_KDE = 32,
  LAPERM_MAX_GROUPS = 4096, /* under way at once */
  LAPERM_SETTLED = 400,
  LAPERM_PROMPT = 100 /* edges, and those of two rotations, within which what may go goes */
};

/* Counters, in the order of unit.ini. */
#define LAPERM_COUNTERS(X)                                                                         \
  X(kernels), X(kernels_device), X(kernels_done), X(groups), X(commands), X(groups_joined),        \
      X(groups_refused), X(groups_chip), X(groups_memory), X(spills), X(refills), X(remarks),      \
      X(blocks_native), X(blocks_group), X(blocks_own), X(blocks_zero), X(blocks_backup),          \
      X(block_ends), X(mem_reads), X(mem_writes), X(loads), X(preemptions), X(visits_void),        \
      X(tb_stalls), X(mem_wait), X(kern_stalls), X(search_steps), X(dk_stalls), X(line_hits),      \
      X(lines_ahead), X(ring_places)
#define LAPERM_CNT_(name) LAPERM_CNT_##name
typedef enum laperm_counter { LAPERM_COUNTERS(LAPERM_CNT_), LAPERM_CNT_COUNT } laperm_counter;

typedef enum laperm_policy {
  LAPERM_RR,
  LAPERM_TB_PRI,
  LAPERM_SMX_BIND,
  LAPERM_ADAPTIVE
} laperm_policy;

typedef struct laperm_shape {
  unsigned smx, cluster, tbs, warps, regs, shm, kdes, levels, pool_max;
  laperm_policy policy;
} laperm_shape;

typedef struct laperm_kernel {
  uint32_t pc, tbdim, smem, x, y, z, param, warps, regs, shm, smx, prio;
  bool host;
} laperm_kernel;

typedef struct laperm_group {
  uint32_t pc, tbdim, smem, x, y, z, param, smx, prio;
  bool last; /* beat of its command */
} laperm_group;

typedef struct laperm_block {
  uint32_t smx, slot, kdei, pc, dim[3], at[3], param, prio;
  bool group, first, last;
} laperm_block;

typedef struct laperm_mem {
  bool write;
  uint32_t addr, mask, word[4];
} laperm_mem;

/* What is offered and accepted at an edge. */
typedef struct laperm_in {
  wf_mask divert;
  const laperm_kernel *kern; /* NULL: not offered */
  const laperm_group *agg;
  bool dk_ready, mem_ready, tb_ready, kdone_ready;
  wf_mask done; /* lanes */
  uint8_t done_slot[LAPERM_MAX_SMX];
} laperm_in;

typedef struct laperm_out {
  bool kern_ready, agg_ready, dk_valid, mem_valid, rsp_ready, tb_valid, kdone_valid, kdone_host,
      idle;
  uint32_t kern_kdei, kdone_kdei;
  laperm_group dk;
  laperm_mem mem;
  laperm_block tb;
  wf_mask done_ready;
} laperm_out;

/* A grid of blocks: a kernel's own, or a group. */
typedef struct laperm_part {
  bool used, started, all_started, far; /* far: it lay in memory */
  laperm_group g;
  unsigned kdei, owner, level;
  uint64_t serial, since;
  uint32_t at[3];
  int64_t running;
} laperm_part;

typedef struct laperm_ref {
  laperm_shape shape;
  struct {
    bool used;
    laperm_kernel kernel;
    laperm_part own;
    int64_t running;
  } kernel[LAPERM_MAX_KDE];
  laperm_part group[LAPERM_MAX_GROUPS];
  unsigned n_groups; /* used ones lie below */
  struct {
    bool busy;
    unsigned kdei;
    int group; /* -1: of the kernel's own grid */
    unsigned warps, regs, shm;
  } slot[LAPERM_MAX_SMX][LAPERM_MAX_TB];
  int backup[LAPERM_MAX_SMX];    /* owner from whose queues it took last; -1: none */
  uint64_t serial, now, blocked; /* blocked: launches were held up then */
  wf_mask divert;
  laperm_part *open;                  /* policy 0: the grid or group that is not all started */
  bool held;                          /* an offer stands */
  unsigned passed_by[LAPERM_MAX_SMX]; /* edges for which it could have had any block */
  uint32_t ring_base, ring;
  uint64_t counter[LAPERM_CNT_COUNT]; /* those that ports tell; COUNTED says which */
  char wrong[256];                    /* the first thing that was */
} laperm_ref;

void laperm_ref_reset(laperm_ref *r, const laperm_shape *shape);
/* One edge: what the ports showed and what was offered. False: r->wrong says why. */
bool laperm_ref_step(laperm_ref *r, const laperm_in *in, const laperm_out *out);
/* Nothing is under way: all that was sent has been executed or refused. */
bool laperm_ref_empty(const laperm_ref *r);
/* A group with this parameter address is under way (its 16 bytes and its parameters are in use). */
bool laperm_ref_param_used(const laperm_ref *r, uint32_t param);
/* Whether ports tell this counter. */
bool laperm_ref_counts(laperm_counter c);

#endif
