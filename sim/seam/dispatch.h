/* Who decides where thread blocks run: the GPU's own dispatcher (sim/gpu/dispatch.h) or a unit in
 * its place. The fabric brings kernels and groups, asks once a cycle for a block, starts it, and
 * tells when it has ended. The dispatcher keeps the accounts of what an SM has free. */
#ifndef WF_SEAM_DISPATCH_H
#define WF_SEAM_DISPATCH_H

#include "sim/mem/mask.h"
#include "sim/mem/mem.h"
#include "sim/ptx/ptx.h"

/* A grid of thread blocks: a kernel, or a group that wants to join one. */
typedef struct wf_grid {
  uint32_t id;              /* the fabric's; no two of a host kernel are alike */
  const ptx_kernel *kernel; /* stands for the entry PC */
  uint32_t blocks[3], threads[3];
  uint32_t shared_bytes, warps, registers; /* of one block, as an SM gives them out */
  uint64_t params; /* device address of the parameters; the WF_GRID_HEADER bytes below it are the
                      dispatcher's until the first block is placed. 0: launched by the host */
  unsigned sm, thread; /* launched by: SM, hardware thread there (warp slot * 32 + lane) */
  unsigned priority;   /* of the block that launched it, as its placement said; 0: by the host */
  bool last;           /* of the grids that its warp launches at once */
} wf_grid;
enum { WF_GRID_HEADER = 16, WF_KMU_QUEUES = 8 };

typedef struct wf_placement {
  uint32_t id;       /* of the grid */
  unsigned sm, slot; /* slot: of the SM's blocks, free; block_done() names it again */
  uint32_t block[3];
  unsigned priority; /* of the whole grid; what its blocks launch is told of it */
} wf_placement;

/* What its accounts show, a bit per SM. */
typedef struct wf_dispatch_rooms {
  uint16_t free_warps[WF_MAX_SMS];
  wf_mask room;  /* SMs with room for the block that waits, or for one as the last */
  bool waits;    /* a block that any SM may take */
  wf_mask bound; /* SMs for which one waits that they alone may take */
} wf_dispatch_rooms;
_Static_assert(WF_MAX_SMS <= (int)WF_MASK_BITS, "a mask has a bit for every SM");

/* self: the unit, or the GPU's own dispatcher. All but fits, queue, launch and describe are
 * required. What is offered and not taken is offered again, unchanged, in the next cycle. */
typedef struct wf_dispatch_ops {
  unsigned shared_unit; /* bytes that its accounts count shared memory in; 0: 1 */
  /* Entries of the kernel distributor that are free. */
  unsigned (*free_kernels)(const void *self);
  /* Can it be taken at all? If not, why. NULL: whatever fits into an SM. */
  bool (*fits)(const void *self, const wf_grid *grid, char *why, size_t bytes);
  /* In which of the kernel management unit's queues the kernel waits, the highest served first,
   * below WF_KMU_QUEUES. NULL: first come, first served. */
  unsigned (*queue)(const void *self, const wf_grid *grid);
  /* A kernel that a thread launched, for its own kernel management unit: then kernel() is only
   * offered the host's, and refused() only tells. NULL: it has none, the GPU's is used. */
  bool (*launch)(void *self, const wf_grid *kernel);
  /* To the GPU's they go as to its own: one a cycle, and their warp waits until the last is there.
   */
  bool kernels_wait;
  bool (*kernel)(void *self, const wf_grid *kernel);
  bool (*group)(void *self, const wf_grid *group);
  /* Of groups that found no kernel to join and are to be launched as kernels, the next. */
  bool (*refused)(void *self, uint32_t *id);
  /* The block to be started in this cycle. */
  bool (*place)(void *self, wf_placement *p);
  /* May the next place() have a block, if nothing else happens? */
  bool (*may_place)(const void *self);
  void (*block_done)(void *self, unsigned sm, unsigned slot);
  size_t (*describe)(const void *self, char *text, size_t bytes); /* for the hang report */
  /* For units that watch it (wf_unit_env). */
  void (*rooms)(const void *self, wf_dispatch_rooms *rooms);
  /* From the next place() on no block goes to these SMs. */
  void (*divert)(void *self, const wf_mask *sms);
} wf_dispatch_ops;

#endif
