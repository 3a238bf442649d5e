/* Bench of mff_sm: an SM, a crossbar and the slices around it. What passes its ports is compared
 * with the reference model at every edge; replies are made of what was asked for. */
#ifndef SM_BENCH_H
#define SM_BENCH_H

#include "sim/units/mff/ports.h"
#include "tb/common/wf_bench.h"
#include "tb/mff/sm/sm_ref.h"

/* What is offered at an edge; NULL: nothing. An instruction or a reply that was not taken is
 * offered again. */
typedef struct sm_offers {
  const sm_instruction *iss;
  bool beat; /* of iss: the next beat is offered; must stay once it was */
  const mff_rsp *rsp;
  bool cmd_ready;
} sm_offers;
typedef struct sm_taken {
  bool beat, iss, rsp; /* iss: the last beat */
} sm_taken;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct sm_bench {
  wf_bench base;
  mff_sm_ports p;
  sm_ref ref;
  sm_shape shape;
  unsigned beat;           /* of the instruction that is being taken */
  uint64_t rows_left;      /* flits of the command that leaves, behind its header */
  unsigned quiet;          /* edges at which nothing passed */
  unsigned starved;        /* edges at which an instruction waited though an entry was free */
  unsigned over[SM_WARPS]; /* edges since the warp's gathers ended */
  bool cmd_held;
} sm_bench;

extern const wf_bench_class sm_bench_class;

/* One edge. False after the first failure. */
bool sm_bench_cycle(sm_bench *b, const sm_offers *offers, sm_taken *taken);
/* A reply of a command that is outstanding: up to `words` of its words, of as many lanes; done if
 * there are none left, or, with `early`, before. False: nothing is outstanding. */
bool sm_bench_answer(sm_bench *b, unsigned words, unsigned lanes, bool early, bool refused,
                     mff_rsp *rsp);
/* The same, of one command. */
bool sm_bench_answer_tag(sm_bench *b, uint32_t tag, unsigned words, unsigned lanes, bool early,
                         bool refused, mff_rsp *rsp);
/* Offered until taken, crossbar free. */
bool sm_bench_issue(sm_bench *b, const sm_instruction *i);
bool sm_bench_reply(sm_bench *b, const mff_rsp *rsp);
bool sm_bench_run(sm_bench *b, unsigned edges, bool cmd_ready);
/* All commands are answered and end. */
bool sm_bench_drain(void *bench);

#endif
