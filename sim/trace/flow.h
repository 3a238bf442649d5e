/* Who reads what, in a trace: for each source register of an instruction the values that reached
 * it, lane by lane, over all warps. What the text of a trace leaves out is found from its masks:
 * which instructions are guarded, where branches go. Of loads, by how much the address of a lane
 * moves from one execution to the next. Kept while a trace is read with options.flow. */
#ifndef WF_TRACE_FLOW_H
#define WF_TRACE_FLOW_H

#include "sim/trace/trace.h"

enum { WF_FLOW_WORDS = 4 };
#define WF_FLOW_NONE UINT32_MAX

typedef struct wf_flow_op {
  const char *opcode; /* in the op's key, not ended by a zero */
  uint8_t opcode_bytes, n_dst, n_src;
  uint8_t dst_words; /* registers that a destination takes */
  uint16_t dst[WF_TRACE_MAX_DST], src[WF_TRACE_MAX_SRC];
  uint32_t reads[WF_TRACE_MAX_SRC]; /* a value that the source has: wf_flow_root() tells whether two
                                       are one; WF_FLOW_NONE: never read */
  uint32_t target; /* of a branch: the op that taken lanes go on with; WF_FLOW_NONE: never taken */
  bool guarded;    /* lanes were left out that the instructions around it had */
  int64_t stride;  /* of a load: bytes that most lanes' addresses moved */
  uint64_t moves, same; /* how often an address moved, and by that much */
  int64_t votes;
} wf_flow_op;

typedef struct wf_flow wf_flow;
wf_flow *wf_flow_create(void);
void wf_flow_destroy(wf_flow *flow);
/* The next instruction of the trace; those of a warp come one after the other. */
void wf_flow_see(wf_flow *flow, const wf_trace_program *program, const wf_trace_event *event);
/* After the last one of a kernel. */
void wf_flow_end(wf_flow *flow);
const wf_flow_op *wf_flow_op_at(const wf_flow *flow, uint32_t op);
/* What the op writes: word `word` of destination `dst`. */
uint32_t wf_flow_writes(uint32_t op, unsigned dst, unsigned word);
/* Values that reach a common use have one root, below wf_flow_roots(). */
uint32_t wf_flow_root(wf_flow *flow, uint32_t value);
uint32_t wf_flow_roots(const wf_flow *flow);

#endif
