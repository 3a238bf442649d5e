/* Internal to sim/trace: how the lines that loads bring are used again, per load instruction. CTAs
 * are dealt to SMs in turn, lines told apart per SM and launch, as the fabric's locality probe does
 * (cache-management paper, table 2). */
#ifndef WF_TRACE_REUSE_H
#define WF_TRACE_REUSE_H

#include <stdint.h>

typedef enum wf_reuse_type {
  WF_REUSE_STREAMING,
  WF_REUSE_INTER,
  WF_REUSE_INTRA,
  WF_REUSE_BOTH,
  WF_REUSE_TYPES
} wf_reuse_type;
extern const char *const wf_reuse_names[WF_REUSE_TYPES];

typedef struct wf_reuse wf_reuse;
/* Called for each line: which op brought it, and how it was used. */
typedef void (*wf_reuse_each)(void *user, uint32_t op, wf_reuse_type type);

wf_reuse *wf_reuse_create(void);
void wf_reuse_destroy(wf_reuse *r);
/* line: address / 128; warp: tells apart all warps of the launch. */
void wf_reuse_access(wf_reuse *r, unsigned sm, uint64_t warp, uint32_t op, uint64_t line);
/* All lines, which are then forgotten. */
void wf_reuse_end(wf_reuse *r, wf_reuse_each each, void *user);

#endif
