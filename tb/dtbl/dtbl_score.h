/* Judge of what dtbl_scheduler does, from its ports alone and without knowing its timing: every
 * block of every kernel and group once and in order, places and resources, device kernels, links,
 * ends of kernels. It shares nothing with the reference model but records. */
#ifndef DTBL_SCORE_H
#define DTBL_SCORE_H

#include "tb/dtbl/dtbl_ref.h"

enum { DTBL_SCORE_GROUPS = 4096 }; /* groups that are under way at once */

typedef struct dtbl_score_group {
  dtbl_group group;
  enum { DTBL_SENT, DTBL_STARTED, DTBL_STARTED_ALL } state;
  unsigned kdei;
  uint64_t serial;
  int64_t blocks, running; /* to start; started and not ended */
  bool used;
} dtbl_score_group;

typedef struct dtbl_score {
  dtbl_shape shape;
  struct {
    bool used, native_done, in_native;
    dtbl_kernel kernel;
    int64_t running;
    uint32_t at[3];
    int group;      /* in which of its groups it is; -1: none */
    uint64_t order; /* of coming, or of being marked again */
  } kernel[DTBL_MAX_KDE];
  dtbl_score_group group[DTBL_SCORE_GROUPS];
  struct {
    bool busy;
    unsigned kdei;
    int group;
    unsigned warps, regs, shm;
  } slot[DTBL_MAX_SMX][DTBL_MAX_TB];
  uint64_t serial;
  wf_mask divert;
  unsigned next_smx;
  int current;              /* kernel whose part is open: no other may start a block */
  bool held;                /* an offer stands */
  uint32_t ring_base, ring; /* of the ring of records; its places, 0: none */
  uint64_t blocks, groups_done, kernels_done, refused;
  char wrong[256]; /* the first thing that was */
} dtbl_score;

void dtbl_score_reset(dtbl_score *s, const dtbl_shape *shape);
/* One edge: what the ports showed and what was offered. False: s->wrong says why. */
bool dtbl_score_step(dtbl_score *s, const dtbl_in *in, const dtbl_out *out);
/* Nothing is under way: all that was sent has been executed or refused. */
bool dtbl_score_empty(const dtbl_score *s);
/* A group with this parameter address is under way (its 16 bytes and its parameters are in use). */
bool dtbl_score_param_used(const dtbl_score *s, uint32_t param);
/* The pointer is of a place in the ring. */
bool dtbl_score_in_ring(const dtbl_score *s, uint32_t pointer);

#endif
