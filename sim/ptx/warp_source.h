/* Where the instructions of warps come from, if not from executing PTX alone: a trace that is
 * followed, or a recorder that listens. The timing model calls it at issue; everything else of an
 * SM is the same. */
#ifndef WF_PTX_WARP_SOURCE_H
#define WF_PTX_WARP_SOURCE_H

#include "sim/ptx/ptx.h"

typedef struct wf_warp_source wf_warp_source;

/* An instruction that is to come: its lanes, and their addresses if it has any, else NULL. False:
 * no more. */
typedef bool wf_source_each(void *user, ptx_pc pc, uint32_t mask, const uint64_t *addresses);

/* sm_id and warp_slot of a warp are below these. */
enum { WF_SOURCE_SMS = 144, WF_SOURCE_SLOTS = 64 };

/* First member of a source's state. */
struct wf_warp_source {
  /* Warps go where the source says: branches and exits decide nothing, a warp ends where its source
   * ends. */
  bool follows;
  /* A launch begins; shared_bytes: of a CTA; memory_used: bytes of device memory given out. False
   * and *err: it cannot. */
  bool (*begin)(wf_warp_source *, const ptx_launch *, uint32_t shared_bytes, uint64_t memory_used,
                wf_error *err);
  bool (*end)(wf_warp_source *, wf_error *err);
  /* A CTA comes to an SM; its warps start next. A source that follows says which CTA it is. */
  void (*start_cta)(wf_warp_source *, uint32_t ctaid[3]);
  /* The pc of the warp's first instruction (0 if not followed). warp: sm_id and warp_slot tell it
   * apart. */
  ptx_pc (*start_warp)(wf_warp_source *, const ptx_warp *warp);
  void (*end_warp)(wf_warp_source *, const ptx_warp *warp);
  /* As ptx_execute(). */
  bool (*execute)(wf_warp_source *, const ptx_inst *inst, ptx_warp *warp, uint32_t mask,
                  ptx_effect *effect, wf_error *err);
  /* After the instruction that was executed: the next one's pc; the kernel's n_insts: none. Only if
   * followed. */
  ptx_pc (*next)(wf_warp_source *, const ptx_warp *warp);
  /* What the warp will do, from its next instruction on. Only if followed. */
  void (*ahead)(wf_warp_source *, const ptx_warp *warp, wf_source_each *each, void *user);
  /* The host wrote device memory. May be NULL. */
  void (*copied)(wf_warp_source *, uint64_t device, uint64_t bytes);
};

#endif
