/* Bench of spare_reg_pref: transfers in, answers compared with the reference model, with random
 * stalls. */
#ifndef SPREF_BENCH_H
#define SPREF_BENCH_H

#include "sim/base/wf_ring.h"
#include "sim/units/spref/ports.h"
#include "tb/common/wf_bench.h"
#include "tb/spref/spref_ref.h"
#include "tb/spref/spref_sieve_ref.h"
#include "tb/spref/spref_wait_ref.h"

/* What is offered at an edge (NULL: nothing), and whether it was taken. */
typedef struct spref_offer {
  const spref_instr *in;
  const spref_count *count; /* taken as a whole: its beats follow by themselves */
  const spref_load *load;   /* issues: only where spref_bench_go() */
  const spref_done *done;
  const spref_sum *sum; /* holds until taken */
  const spref_next *next;
  uint64_t issued; /* warps that issue */
  const spref_hint *hint;
  bool new_kernel;
  bool take_answers; /* out_ready_i */
  bool take_injected;
  bool in_taken, count_taken, hint_taken, answered, load_taken, done_taken, sum_taken;
  bool injected, moved; /* an offer was taken: injection; the load that issues is a move */
  unsigned place;       /* of the load that issues */
  spref_injected injection;
  bool counted; /* this warp's counts act at this edge: its branch may be offered */
  unsigned counted_warp;
  spref_answer answer; /* if answered: taken at this edge */
} spref_offer;

enum { SPREF_QUEUE = 64 };

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct spref_bench {
  wf_bench base;
  spref_ports p;
  spref_ref ref;
  spref_shape shape;
  spref_wait_ref wait;
  spref_sieve_ref sieve;
  spref_answer expected[SPREF_QUEUE];
  bool of_load[SPREF_QUEUE]; /* an expected answer */
  wf_ring inside;            /* in expected: the instructions not yet answered */
  unsigned edges, quiet;     /* quiet: edges since the last offer */
  unsigned calm;             /* edges since a load was answered, issued, offered or back */
  /* Operands: those whose beats go in; those that are in; tests told whose operands' counts have
   * not acted, and when. */
  bool sending, row;
  unsigned places, addr_bits; /* for loads that wait */
  unsigned near_bits;
  bool addressed;  /* at the edge before */
  bool next;       /* what a warp does next was told then: hold_o says it an edge later */
  uint64_t issued; /* warps that issued then: hold_o does not name them yet, the SM does */
  unsigned cnt_lanes, beat, beats, row_at;
  spref_count sent, row_count;
  unsigned acts_until; /* the edge before which the last counts are inside */
  /* Program counters bring the same instructions: what need not be told must change nothing. */
  bool sieves;
  unsigned told_at[SPREF_MAX_WARPS]; /* the edge after a warp's last instruction was taken */
  bool owed[SPREF_MAX_WARPS];
  unsigned owed_at[SPREF_MAX_WARPS], n_owed;
} spref_bench;

extern const wf_bench_class spref_bench_class;

/* Operands of which the test that is asked for holds n times, in the lanes of the mask; 64 bits,
 * signed. */
void spref_bench_operands(spref_count *c, unsigned lane, const spref_answer *question, unsigned n);
/* The unit must be idle. */
void spref_bench_configure(spref_bench *b, const spref_levels *levels);

/* What the unit keeps of the lanes' addresses, those of the mask count. */
void spref_bench_addresses(const spref_bench *b, spref_addresses *a, const uint64_t *value,
                           uint64_t mask);

/* One edge. False after the first failure. */
bool spref_bench_edge(spref_bench *b, spref_offer *offer);
/* As the unit says: may this warp's load issue; is the warp held, by the SM as well; does it wait
 * for a load to be injected; does the unit want to know its next instruction? */
bool spref_bench_go(const spref_bench *b, unsigned warp);
bool spref_bench_held(const spref_bench *b, unsigned warp);
/* Must the instruction be told? */
bool spref_bench_needs(spref_bench *b, const spref_instr *i);
bool spref_bench_waits(const spref_bench *b, unsigned warp);
bool spref_bench_asks(const spref_bench *b, unsigned warp);
/* Edges without offers until the unit is idle. */
bool spref_bench_rest(void *bench);

#endif
