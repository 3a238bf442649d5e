/* SASS opcodes as the fabric's instruction classes, by generation of GPU. */
#ifndef WF_TRACE_OPCODE_H
#define WF_TRACE_OPCODE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/ptx/ptx.h"

typedef enum wf_sass_generation {
  WF_SASS_KEPLER,  /* binary version 30 to 37 */
  WF_SASS_MAXWELL, /* 50 to 53 */
  WF_SASS_PASCAL,  /* 60 to 62 */
  WF_SASS_VOLTA,   /* 70, 72 */
  WF_SASS_TURING,  /* 75 */
  WF_SASS_AMPERE,  /* 80 to 89 */
  WF_SASS_HOPPER,  /* 90 */
  WF_SASS_GENERATIONS
} wf_sass_generation;

/* False if the binary version is none of 30 .. 90. */
bool wf_sass_generation_of(unsigned binary_version, wf_sass_generation *generation);
const char *wf_sass_generation_name(wf_sass_generation generation);

typedef struct wf_sass_class {
  ptx_class cls;
  ptx_space space;     /* of loads, stores, atomics; GENERIC: by address */
  unsigned lane_bytes; /* of a memory access, from the suffixes: 1, 2, 4, 8, 16 */
  bool known;          /* false: not an opcode of this generation, taken for an ALU operation */
  bool jumps;          /* BRA and its like: a jump back closes a loop */
  bool async;          /* copies global to shared memory: nothing waits but a DEPBAR */
  bool depbar;         /* waits for async copies */
  bool bulk; /* a tensor or block copy by descriptor: traces list its addresses in forms of their
                own */
  bool bypass_l1;
  bool wide_dst, wide_src; /* register pairs */
} wf_sass_class;

/* opcode: with its suffixes, e.g. "LDG.E.64"; n: its length. */
wf_sass_class wf_sass_classify(wf_sass_generation generation, const char *opcode, size_t n);

#endif
