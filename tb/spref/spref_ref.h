/* Reference model of spare_reg_pref: one transfer after another, without pipeline or RAM. It
 * follows chapter 3 of the paper and the rules of the unit's README. */
#ifndef SPREF_REF_H
#define SPREF_REF_H

#include <stdbool.h>
#include <stdint.h>

enum {
  SPREF_MAX_WARPS = 64,
  SPREF_MAX_LANES = 64,
  SPREF_MAX_REGS = 256,
  SPREF_MAX_FORMS = 14,
  SPREF_REFUSED = 4
};

typedef enum spref_op {
  SPREF_OTHER,
  SPREF_ADD,
  SPREF_SUB,
  SPREF_SCALE,
  SPREF_MAD,
  SPREF_LDNC,
  SPREF_SETP,
  SPREF_BRA,
  SPREF_CLOBBER
} spref_op;
typedef enum spref_bkind { SPREF_NO_B, SPREF_REG, SPREF_NUM, SPREF_UNIFORM } spref_bkind;
typedef enum spref_cmp { SPREF_EQ, SPREF_NE, SPREF_LT, SPREF_LE, SPREF_GT, SPREF_GE } spref_cmp;
typedef enum spref_hint_kind {
  SPREF_LOW,
  SPREF_HIGH,
  SPREF_HEAD,
  SPREF_TAIL,
  SPREF_TEST,
  SPREF_PRE,
  SPREF_CRIT,
  SPREF_COMMIT
} spref_hint_kind;

/* Counters, in the order of unit.ini. */
#define SPREF_COUNTERS(X)                                                                          \
  X(instructions), X(loops_found), X(training_aborted), X(training_failed), X(loops_refused),      \
      X(tables), X(in_loop), X(loads_in_loop), X(counts_asked), X(counts), X(regular), X(starts),  \
      X(breaks), X(drops), X(moves_head), X(moves_tail), X(injected_head), X(injected_tail),       \
      X(injected_cache), X(faults)
#define SPREF_CNT_(name) SPREF_CNT_##name
typedef enum spref_counter { SPREF_COUNTERS(SPREF_CNT_), SPREF_CNT_COUNT } spref_counter;

typedef struct spref_instr {
  unsigned warp, op, gpred, dst, a, bkind, b, ext, sh, cmp, pd;
  bool guard, gneg, dst_v, wide, pd_v, taken, counted; /* counted: its operands will come */
  bool last;                                           /* the warp ends with it */
  bool odd; /* its program counter brought another before: the unit is not asked about it */
  bool pair_dst, pair_a, pair_b; /* aligned pairs of registers */
  uint64_t pc, target, mask;
  int imm; /* -32768 .. 32767 */
} spref_instr;

/* ask, cmp, swap, shift, down are not on the port: what the counts that come will be of. */
typedef struct spref_answer {
  unsigned warp, move_reg, inject, reg, base, index, scale, ext, cmp, shift;
  bool move, reg_v, base_v, over, ask, swap, down; /* over: the base is overwritten */
  int offset;
  uint64_t mask;
} spref_answer;

/* The operands of a test, of the lanes that ran it. */
typedef struct spref_count {
  unsigned warp;
  bool pre, wide, sign; /* pre: of the test before the loop */
  uint64_t mask, a[SPREF_MAX_LANES], b[SPREF_MAX_LANES];
} spref_count;

typedef struct spref_hint {
  spref_hint_kind kind;
  bool slot, reg_v, wide, swap; /* slot of a test: it steps down */
  uint64_t pc;
  unsigned reg, sh, ext, cmp;
  int imm;
} spref_hint;

typedef struct spref_shape {
  unsigned warps, lanes, reg_bits, pc_bits, pc_step, off_bits, pred_bits, forms, max_tries,
      age_bits, queue;
} spref_shape;

typedef struct spref_levels {
  bool enable, hints, cache_only, widen;
  unsigned distance, max_s, max_d;
} spref_levels;

typedef enum spref_kind { SPREF_CONST, SPREF_STRIDE, SPREF_LOAD, SPREF_RANDOM } spref_kind;

/* How a register's value comes about: a stride, or ext(load's value) << scale, plus base, plus
 * number. */
typedef struct spref_form {
  bool valid, held, pair, seen, raw, base_v; /* held: by the register that it was written to */
  spref_kind kind;
  unsigned reg, id, base, scale, ext, needs; /* needs: bit i: it rests on form i */
  uint64_t off, last;                        /* made by; last read by */
  int num;
} spref_form;

typedef struct spref_target {
  bool v, ok, wide, has_reg;
  uint64_t off;
  int num; /* stride of a head, number added for a tail */
  bool base_v;
  unsigned base, scale, ext, first, pos;
} spref_target;

typedef struct spref_test {
  bool v;
  uint64_t at; /* offset; program counter of the one before the loop */
  unsigned cmp, shift, pred;
  bool swap, down;
} spref_test;

typedef struct spref_warp_state {
  bool alive, known, pending, bad, moving, spoilt, seen[2], ready[2][3];
  unsigned mean, done, distance, fill, phase;
  uint8_t n[SPREF_MAX_LANES];
} spref_warp_state;

typedef struct spref_ref {
  spref_shape shape;
  spref_levels levels;
  enum { SPREF_NONE, SPREF_PASS_A, SPREF_PASS_B, SPREF_FINAL, SPREF_LIVE } state;
  unsigned final_left, tries, age, trained;
  uint64_t lo, hi, exit, refused[SPREF_REFUSED];
  bool exit_v, refused_v[SPREF_REFUSED];
  unsigned refused_at;
  bool written[SPREF_MAX_REGS], used[SPREF_MAX_REGS];
  uint64_t next_off; /* instructions below it come out of order in this pass */
  spref_form form[SPREF_MAX_FORMS];
  unsigned need, must_run, dmax;
  spref_target head[2], tail[2];
  spref_test test, before; /* in the loop; before it (compiler) */
  bool candidate, cand_used, cand_pair;
  unsigned cand_needs, cand_reg;
  spref_warp_state warp[SPREF_MAX_WARPS];
  uint64_t counter[SPREF_CNT_COUNT];
} spref_ref;

void spref_ref_reset(spref_ref *r, const spref_shape *shape);
/* One edge: what is transferred at it (NULL: nothing); fault: the warp whose prefetch failed.
 * *answer is written if in is not NULL. */
void spref_ref_edge(spref_ref *r, const spref_instr *in, const spref_count *count,
                    const unsigned *fault, bool new_kernel, const spref_hint *hint,
                    spref_answer *answer);
/* The setp at pc is the loop's test, or the one before it (*pre). */
bool spref_ref_is_test(const spref_ref *r, uint64_t pc, bool *pre);
/* The live table says something of the instruction. */
bool spref_ref_says(const spref_ref *r, const spref_instr *i);
/* How often the test that was asked for holds, at most 15; by stepping. */
unsigned spref_ref_turns(unsigned cmp, bool swap, unsigned shift, bool down, bool wide, bool sign,
                         uint64_t a, uint64_t b);

#endif
