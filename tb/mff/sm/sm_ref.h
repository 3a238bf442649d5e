/* Reference model of mff_sm, by what passes its ports: instructions, flits of commands, replies,
 * writes. It knows no cycles: order, contents, what is outstanding, and how often look-ups and
 * writes must be repeated. */
#ifndef SM_REF_H
#define SM_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/units/mff/mff_flits.h"

#define SM_COUNTERS(X)                                                                             \
  X(sm_commands), X(sm_empty), X(sm_over), X(sm_refused), X(sm_flits), X(sm_held_flits),           \
      X(sm_stall_issue), X(sm_rsp_words), X(sm_rsp_done), X(sm_look_again), X(sm_bank_again),      \
      X(sm_words)
#define SM_CNT_(name) SM_CNT_##name
typedef enum sm_counter { SM_COUNTERS(SM_CNT_), SM_CNT_COUNT } sm_counter;

enum {
  SM_TAGS = 256,
  SM_SLICES = 24,
  SM_WARPS = 64,
  SM_FLITS = 8,
  SM_TARGET_BANKS = 8,
  SM_LATE = 16
};

typedef struct sm_shape {
  unsigned commands, slices, warps, shared_words, addr_bits;
  unsigned sm, first; /* constants at its ports */
} sm_shape;

/* target: word address; size 0 or not in mask: the lane asks for nothing. */
typedef struct sm_instruction {
  uint32_t op, warp, mask;
  mff_lane lane[MFF_LANES];
  uint32_t target[MFF_LANES];
} sm_instruction;

typedef struct sm_command {
  bool used, done;
  sm_instruction of;
  uint32_t slice;
  uint32_t expected, written;
  /* Of its replies: words that may still come, bits of those that did, whether it was told done. */
  uint32_t asked, came[MFF_LANES];
  bool told;
} sm_command;

typedef struct sm_word {
  uint32_t addr, data;
} sm_word;

/* A reply that came in, until its words are written. */
typedef struct sm_reply {
  uint32_t tag, n, first; /* words; of these, written */
  bool done, refused;
  sm_word word[MFF_WORDS_PER_RSP];
} sm_reply;

typedef struct sm_ref {
  sm_shape shape;
  sm_command command[SM_TAGS];
  unsigned out, slice_out[SM_SLICES], gathers[SM_WARPS];
  unsigned next_slice; /* in rotation; must_be: it had a credit when the last command was sent */
  bool must_be;
  uint64_t now, taken_at, freed_at[SM_SLICES]; /* edges: now, of the last instruction and credits */
  sm_reply reply[SM_FLITS];
  unsigned n_replies;
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS]; /* of the command that leaves */
  unsigned n_flits, at_flit;
  uint32_t leaving_slice;
  bool expected; /* an instruction was taken whose command has not begun to leave */
  sm_instruction next;
  uint64_t counter[SM_CNT_COUNT];
  const char *wrong; /* what the last call found */
} sm_ref;

void sm_ref_reset(sm_ref *r, const sm_shape *shape);
unsigned sm_ref_share(const sm_ref *r);
/* An instruction was taken whole. Empty ones have no effect. */
void sm_ref_instruction(sm_ref *r, const sm_instruction *i);
uint32_t sm_ref_words(const sm_instruction *i);
/* What left or was written is right; false: r->wrong. */
bool sm_ref_flit(sm_ref *r, const uint32_t *flit, uint32_t slice, bool last);
bool sm_ref_write(sm_ref *r, uint32_t warp, uint32_t mask, const uint32_t *addr,
                  const uint32_t *data);
/* A reply was taken. */
void sm_ref_reply(sm_ref *r, const mff_rsp *rsp);
/* Nothing that came waits to be written, nothing that was taken waits to leave. */
bool sm_ref_rests(const sm_ref *r);

#endif
