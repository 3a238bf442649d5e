/* Reference model of what need not be told, when nothing has been for a while: exactly what
 * spref_sieve then asks for, no more and no less. */
#ifndef SPREF_SIEVE_REF_H
#define SPREF_SIEVE_REF_H

#include "tb/spref/spref_ref.h"

enum { SPREF_MAX_NEAR_BITS = 8 };

typedef struct spref_sieve_ref {
  unsigned near_bits;
  uint64_t hi;
  bool silent[1 << SPREF_MAX_NEAR_BITS]; /* the live table says nothing of this instruction */
} spref_sieve_ref;

/* near_bits: 1 .. SPREF_MAX_NEAR_BITS. */
void spref_sieve_reset(spref_sieve_ref *s, unsigned near_bits);
/* Before the instruction acts on r: the table is live and says nothing of it. */
bool spref_sieve_is_silent(const spref_ref *r, const spref_instr *i);
/* After an edge; of: the instruction taken at it, if that was silent, else NULL. */
void spref_sieve_edge(spref_sieve_ref *s, const spref_ref *r, const spref_instr *of);
/* Must the instruction be told? Only its warp, op and pc count. */
bool spref_sieve_needs(const spref_sieve_ref *s, const spref_ref *r, const spref_instr *i);

#endif
