/* Reference model of dtbl_scheduler, exact to the edge: pools are plain queues and tables plain
 * records, without links, RAM or pipelines of data; only what happens in which cycle is taken from
 * the unit's description. What the unit may do at all, whatever its timing, is checked apart from
 * this model (dtbl_score.h). */
#ifndef DTBL_REF_H
#define DTBL_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/mem/mask.h"

enum { DTBL_MAX_SMX = 144, DTBL_MAX_TB = 64, DTBL_MAX_KDE = 64, DTBL_MAX_SLOTS = 32 };

/* Counters, in the order of unit.ini. */
#define DTBL_COUNTERS(X)                                                                           \
  X(kernels), X(kernels_device), X(kernels_done), X(groups), X(commands), X(groups_joined),        \
      X(groups_refused), X(agt_hits), X(agt_overflows), X(remarks), X(blocks_native),              \
      X(blocks_group), X(blocks_memory_group), X(block_ends), X(mem_reads), X(mem_writes),         \
      X(agt_frees), X(blocks_waited), X(tb_stalls), X(mem_wait), X(kern_stalls), X(search_steps),  \
      X(dk_stalls), X(clearing), X(line_hits), X(lines_ahead), X(ring_places)
#define DTBL_CNT_(name) DTBL_CNT_##name
typedef enum dtbl_counter { DTBL_COUNTERS(DTBL_CNT_), DTBL_CNT_COUNT } dtbl_counter;

typedef struct dtbl_shape {
  unsigned smx, tbs, warps, regs, shm, kdes, agt, slots, pool_max, done_depth;
} dtbl_shape;

typedef struct dtbl_kernel {
  uint32_t pc, tbdim, smem, x, y, z, param, warps, regs, shm;
  bool host;
} dtbl_kernel;

typedef struct dtbl_group {
  uint32_t pc, tbdim, smem, x, y, z, param, warps, regs, shm, tid, smx;
  bool last; /* beat of its command */
} dtbl_group;

typedef struct dtbl_block {
  uint32_t smx, slot, kdei, link, pc, dim[3], at[3], param;
  bool group, first, last;
} dtbl_block;

typedef struct dtbl_mem {
  bool write;
  uint32_t addr, mask, word[4];
} dtbl_mem;

/* What is offered and accepted at an edge. */
typedef struct dtbl_in {
  wf_mask divert;
  const dtbl_kernel *kern; /* NULL: not offered */
  const dtbl_group *agg;
  bool dk_ready, mem_ready, rsp_valid, tb_ready, kdone_ready, clear_counters;
  wf_mask done; /* lanes */
  uint8_t done_slot[DTBL_MAX_SMX];
} dtbl_in;

typedef struct dtbl_out {
  bool kern_ready, agg_ready, dk_valid, mem_valid, rsp_ready, tb_valid, kdone_valid, kdone_host,
      idle;
  uint32_t kern_kdei, kdone_kdei;
  dtbl_group dk;
  dtbl_mem mem;
  dtbl_block tb;
  wf_mask done_ready;
} dtbl_out;

typedef struct dtbl_waiting { /* a group in a pool */
  dtbl_group group;
  uint32_t link;
} dtbl_waiting;

typedef struct dtbl_entry {
  bool used, open, marked, first;
  unsigned exe;
  dtbl_kernel kernel;
  dtbl_waiting *pool; /* the oldest first */
  size_t count, room;
} dtbl_entry;

typedef struct dtbl_tbcr {
  unsigned kdei;
  uint32_t link; /* 0: of the kernel's own grid */
} dtbl_tbcr;

typedef struct dtbl_smx {
  struct {
    bool busy;
    unsigned warps, regs, shm;
    dtbl_tbcr tbcr;
  } slot[DTBL_MAX_TB];
  unsigned warps, regs, shm; /* free */
  bool room;
  bool read;
  dtbl_tbcr read_tbcr, ends[DTBL_MAX_TB];
  unsigned n_ends;
} dtbl_smx;

typedef struct dtbl_ref {
  dtbl_shape shape;
  dtbl_entry kde[DTBL_MAX_KDE];
  unsigned fcfs[DTBL_MAX_KDE], n_fcfs;
  bool kdone;
  unsigned kdone_kdei;
  struct {
    bool valid, done, hit;
    unsigned kdei, seen;
    dtbl_group group;
  } slot[DTBL_MAX_SLOTS];
  unsigned head, tail, at;
  bool at_valid;
  dtbl_kernel at_kernel;                     /* whose key stands in the comparison */
  bool commit, asked_now, got, stored, away; /* join; away: it was offered to the KMU */
  struct {
    bool valid, finished;
    int64_t blocks;
  } * agt; /* [shape.agt] */
  unsigned clear_left;
  enum { DTBL_OP_NONE, DTBL_OP_FIN, DTBL_OP_DONE, DTBL_OP_ALLOC } op;
  unsigned op_idx;
  int64_t op_n;
  enum {
    DTBL_IDLE,
    DTBL_LOAD,
    DTBL_ROOM,
    DTBL_RUN,
    DTBL_NEXT,
    DTBL_HEAD,
    DTBL_GET,
    DTBL_ASK,
    DTBL_WAIT
  } state;
  unsigned run; /* KDEI */
  bool in_group, in_agt, chain;
  dtbl_waiting next; /* the group that is being started, or runs */
  uint32_t dim[3], x[3], param;
  int64_t n;
  unsigned need_warps, need_regs, need_shm;
  uint32_t pc;
  dtbl_smx smx[DTBL_MAX_SMX];
  unsigned next_smx, next_end;
  wf_mask divert;
  bool offer; /* stands, made to: */
  unsigned offer_smx, offer_slot;
  dtbl_mem queue[2];
  unsigned n_queue;
  bool waited;
  uint64_t counter[DTBL_CNT_COUNT];
} dtbl_ref;

/* The state after reset; what it held before is freed. A ref must be zeroed before its first reset.
 */
void dtbl_ref_reset(dtbl_ref *r, const dtbl_shape *shape);
void dtbl_ref_free(dtbl_ref *r);
/* What the ports show in this cycle. */
void dtbl_ref_outputs(const dtbl_ref *r, const wf_mask *divert, dtbl_out *out);
/* One edge. */
void dtbl_ref_step(dtbl_ref *r, const dtbl_in *in);

#endif
