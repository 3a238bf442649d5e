/* Reference model of what becomes of the answers of loads: which may issue, what waits to be
 * injected, which spare registers have come. It says what must not be, at every edge; what must be
 * soon is seen by the programs that run through the unit, which would not end. */
#ifndef SPREF_WAIT_REF_H
#define SPREF_WAIT_REF_H

#include "tb/spref/spref_ref.h"

enum { SPREF_MAX_PLACES = 32 };

typedef enum spref_place_state {
  SPREF_PLACE_FREE,
  SPREF_PLACE_ADD, /* its multiply-add has not been taken */
  SPREF_PLACE_SUM,
  SPREF_PLACE_LOAD
} spref_place_state;

/* Addresses of all lanes, as many bits of each as the unit keeps; far: one that counts has more. */
typedef struct spref_addresses {
  bool far;
  uint64_t lane[SPREF_MAX_LANES];
} spref_addresses;

typedef struct spref_place {
  spref_place_state state;
  unsigned type;
  bool reads, known, clash; /* a base is to be read; the warp's next instruction; writes it */
  bool dead;                /* its index has failed */
  bool early;               /* the next was told before the unit's place was filled, perhaps */
  unsigned age;             /* edges since it was taken, a few at most */
  spref_answer a;
  spref_addresses address; /* of a sum, or of a base that the load overwrote */
} spref_place;

typedef struct spref_wait_ref {
  struct {
    bool have;
    bool odd; /* told what cannot be: not followed from then on */
    spref_answer a;
    uint64_t coming[4], failed[4]; /* by register */
  } warp[SPREF_MAX_WARPS];
  spref_place place[SPREF_MAX_PLACES];
  unsigned warps, places;
} spref_wait_ref;

/* What the SM says and takes at an edge; NULL: nothing. */
typedef struct spref_load {
  unsigned warp, type;
  spref_addresses base; /* if its answer is over */
} spref_load;
typedef struct spref_done {
  unsigned warp, reg;
  bool fault;
} spref_done;
typedef struct spref_sum {
  unsigned place;
  spref_addresses address;
} spref_sum;
typedef struct spref_next {
  unsigned warp, dst;
  bool dst_v, all;
} spref_next;
/* An offer, as the ports have it. */
typedef struct spref_injected {
  unsigned warp, place, type, reg, base, index, scale, ext;
  bool add, sum, reg_v, base_v;
  int offset;
  uint64_t mask;
  spref_addresses address; /* if sum */
} spref_injected;

void spref_wait_reset(spref_wait_ref *r, unsigned warps, unsigned places);
/* A load's answer was taken; the warp's load issues and takes this place. */
void spref_wait_answer(spref_wait_ref *r, const spref_answer *a);
void spref_wait_issue(spref_wait_ref *r, const spref_load *l, unsigned place);
void spref_wait_done(spref_wait_ref *r, const spref_done *d);
void spref_wait_issued(spref_wait_ref *r, uint64_t warps);
void spref_wait_next(spref_wait_ref *r, const spref_next *n);
void spref_wait_sum(spref_wait_ref *r, const spref_sum *s);
/* The offer is taken. NULL, or what is wrong with it. */
const char *spref_wait_take(spref_wait_ref *r, const spref_injected *i);
/* The warp's load brings its base with it. */
bool spref_wait_over(const spref_wait_ref *r, unsigned warp);
/* May the warp's load issue, and as a move? Must its instructions be held; may the unit ask for the
 * next; has it places? */
bool spref_wait_may(const spref_wait_ref *r, unsigned warp);
bool spref_wait_moves(const spref_wait_ref *r, unsigned warp);
bool spref_wait_holds(const spref_wait_ref *r, unsigned warp);
bool spref_wait_asks(const spref_wait_ref *r, unsigned warp);
bool spref_wait_busy(const spref_wait_ref *r, unsigned warp);
/* Free, or soon to be: of a tail whose index has failed. */
bool spref_wait_is_free(const spref_wait_ref *r, unsigned place);

#endif
