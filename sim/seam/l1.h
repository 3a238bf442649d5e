/* A unit that manages each SM's L1: it hears of the warps' loads, says which go past the L1, and
 * which way a miss takes. */
#ifndef WF_SEAM_L1_H
#define WF_SEAM_L1_H

#include "sim/ptx/ptx.h"

struct wf_unit;

typedef enum wf_l1_verdict {
  WF_L1_WAIT,  /* not known yet */
  WF_L1_CACHE, /* of a load: through the L1; of a miss: it takes a way */
  WF_L1_BYPASS /* past the L1 */
} wf_l1_verdict;

enum { WF_L1_MAX_WAYS = 64 };

/* A line request of a load, with the L1's set as it is in this cycle. */
typedef struct wf_l1_access {
  unsigned sm, warp;
  bool told;         /* of a load that load() announced; otherwise local memory's */
  bool bypassed;     /* the load's verdict was to bypass: what follows `line` is not filled in */
  unsigned nth;      /* of the load's requests, from 0 */
  uint32_t line;     /* device address / line size */
  uint8_t sectors;   /* wanted, of 32 bytes each */
  unsigned set, way; /* way: of a hit, if it has one */
  uint32_t at;       /* of a hit: the L1's own */
  bool hit;          /* valid or reserved (a merge) */
  uint64_t invalid, reserved; /* by way */
  ptx_pc pc;                  /* of the load */
  const ptx_kernel *kernel;   /* whose instruction it is */
  /* Of a miss: the way that LRU gives it, and the line there. */
  unsigned victim;
  bool victim_valid;
  uint32_t victim_line;
  uint8_t rank[WF_L1_MAX_WAYS]; /* 0 the newest; distinct. Of the ways that there are */
} wf_l1_access;
/* What a request takes along to the L2. */
typedef struct wf_l1_label {
  uint8_t mode; /* WF_MODE_ bits (sim/mem/cache_row.h); COPY_BACK: the L1's own line */
  uint8_t note; /* comes back with the reply, if it is not 0 */
} wf_l1_label;
/* The top of a warp's SIMT stack went on at another instruction. */
typedef struct wf_stack_move {
  unsigned sm, warp;
  ptx_pc from, to;
  bool jump;  /* a branch was taken to `to`; else it fell through, or lanes joined */
  bool split; /* some lanes wait on the stack for their own way */
} wf_stack_move;

/* load, verdict, access and decision are required; the others are NULL for what a unit does not
 * care for. Order per SM is that of the calls. The fabric asks verdict() and decision() once a
 * cycle until they answer, and does not go on before: a unit that is slow stalls the load/store
 * unit. While a miss waits for its decision, no other request of its set is offered.
 */
typedef struct wf_l1_ops {
  bool any_sector; /* whether all of a hit's sectors are there is nothing to it: l1.sectored=1 */
  bool any_way;    /* nor whether a line on its way has a way: l1.past=line */
  /* Misses that may wait for their decisions; with more the load/store unit waits. 0: what the
   * fabric has room for. */
  unsigned undecided;
  void (*kernel_start)(struct wf_unit *unit, const ptx_kernel *kernel);
  /* A warp of this kernel begins: the host's, or one that threads launched beside it. */
  void (*warp_start)(struct wf_unit *unit, unsigned sm, unsigned warp, const ptx_kernel *kernel);
  void (*warp_exit)(struct wf_unit *unit, unsigned sm, unsigned warp);
  /* Has it done what kernel_start asks for? The kernel's first block waits for that. */
  bool (*ready)(struct wf_unit *unit);
  /* A warp's SIMT stack has another top after a branch, or after lanes ended. */
  void (*moved)(struct wf_unit *unit, const wf_stack_move *move);
  /* May warps of the SM branch in this cycle? */
  bool (*may_move)(struct wf_unit *unit, unsigned sm);
  /* A global load that the L1 may cache enters the load/store unit. */
  void (*load)(struct wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc);
  /* What becomes of the oldest load() without a verdict. Its requests follow, but for
   * those that a stage before the L1 has served. A mark that is not 0 stays with the load. */
  wf_l1_verdict (*verdict)(struct wf_unit *unit, unsigned sm, uint8_t *mark);
  /* Offers a request; false: not in this cycle. The L1 can act on any decision. */
  bool (*access)(struct wf_unit *unit, const wf_l1_access *access);
  /* Of the oldest miss taken by access() that has none; CACHE: in *way. */
  wf_l1_verdict (*decision)(struct wf_unit *unit, unsigned sm, unsigned *way);
  /* Of the miss that decision() has just let in: sectors that it fetches besides those wanted. A
   * unit that has it looks at sectors: without l1.sectored a miss brings them all. */
  uint8_t (*more)(struct wf_unit *unit, unsigned sm);
  /* Of the miss that has just been decided, wherever it goes. */
  wf_l1_label (*label)(struct wf_unit *unit, unsigned sm);
  /* The reply to a request with a note, at most one in a cycle; label: the note, and what the slice
   * says. */
  void (*came)(struct wf_unit *unit, unsigned sm, wf_l1_label label);
  /* The last request of the warp's oldest load() has been taken, or was served elsewhere. */
  void (*load_gone)(struct wf_unit *unit, unsigned sm, unsigned warp);
  /* All data of a load with this mark are there; false: it is written back, and told, a cycle
   * later. */
  bool (*load_done)(struct wf_unit *unit, unsigned sm, unsigned warp, uint8_t mark);
} wf_l1_ops;

#endif
