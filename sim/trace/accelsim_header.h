/* Internal to sim/trace: the header of a kernel's file. Lines "-key = value" up to one that begins
 * with '#'. Keys that begin with "warpfab" are our own; other simulators pass over them. With them,
 * instructions have exactly the classes and registers of the PTX that was recorded. */
#ifndef WF_TRACE_ACCELSIM_HEADER_H
#define WF_TRACE_ACCELSIM_HEADER_H

#include "sim/graph/source.h"
#include "sim/trace/trace.h"

typedef struct wf_accelsim_given {
  char *text;    /* of the line, behind the '=' */
  uint64_t line; /* its number */
} wf_accelsim_given;

typedef struct wf_accelsim_header {
  unsigned tracer_version;
  bool line_info;
  wf_accelsim_given *insts, *loops; /* "warpfab inst", "warpfab loop" */
  uint32_t n_insts, n_loops;
  uint32_t local_bytes; /* "warpfab local bytes" */
} wf_accelsim_header;

/* Reads up to the body. False: the source failed; k may be partly filled in. */
bool wf_accelsim_header_read(wf_source *s, wf_accelsim_header *h, wf_trace_kernel *k);
/* Puts what our own keys describe into a new program. */
bool wf_accelsim_header_give(wf_source *s, const wf_accelsim_header *h, wf_trace_program *program);
void wf_accelsim_header_free(wf_accelsim_header *h);

/* What stands behind "warpfab inst =": pc, class and space by number, bytes, vec, flags (1 past the
 * L1, 2 uniform), destinations, sources (count and numbers), the static text of its lines after a
 * '|', its PTX after another. */
char *wf_accelsim_inst_text(uint64_t pc, const ptx_inst *inst, const char *key, const char *text);

#endif
