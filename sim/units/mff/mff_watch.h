/* Checks what the unit's part in an SM (mff_sm) does against the instructions of its warps and
 * against memory: each command's flits, each word of its replies once and with memory's value, each
 * write into shared memory. */
#ifndef WF_UNITS_MFF_WATCH_H
#define WF_UNITS_MFF_WATCH_H

#include "sim/base/wf_error.h"
#include "sim/mem/mem.h"
#include "sim/units/mff/mff_flits.h"

enum { MFF_TAGS = 256, MFF_PENDING = 4 * MFF_WORDS_PER_RSP };

/* An instruction with its operands; size 0: the lane asks for nothing. */
typedef struct mff_instruction {
  uint8_t op;
  uint8_t warp;
  mff_lane lane[MFF_LANES];
  uint32_t target[MFF_LANES]; /* offset in shared memory; word i of the lane is at + 4 i */
} mff_instruction;

typedef struct mff_watched {
  bool used, done;
  mff_instruction of;
  uint32_t expected, received, written; /* words */
  uint32_t seen[MFF_LANES];             /* bit i: word i of the lane was here */
  uint64_t issued_at;
} mff_watched;

typedef struct mff_write {
  uint32_t warp, offset, word, tag;
} mff_write;

typedef struct mff_watch {
  unsigned sm;
  mff_watched commands[MFF_TAGS];
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS]; /* of the command that leaves */
  unsigned n_flits, at_flit;
  mff_write pending[MFF_PENDING]; /* words that came and are not written */
  unsigned n_pending;
  unsigned outstanding; /* commands */
  uint64_t gather_cycles;
} mff_watch;

/* What memory holds for element i of a lane's list. */
typedef struct mff_memory {
  wf_image *image;
  const uint32_t *base; /* C, V, bit vector */
  bool check;           /* values are compared */
  uint64_t words;       /* that were */
} mff_memory;

/* A flit leaves for a slice. At a header, `next` is the instruction that it must be of. */
bool mff_watch_flit(mff_watch *w, const uint32_t *flit, const mff_instruction *next, uint64_t now,
                    wf_error *err);
bool mff_watch_reply(mff_watch *w, const uint32_t *flit, mff_memory *memory, uint64_t now,
                     wf_error *err);
bool mff_watch_write(mff_watch *w, const mff_write *write, uint64_t now, wf_error *err);

#endif
