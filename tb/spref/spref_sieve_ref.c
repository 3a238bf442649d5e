#include "tb/spref/spref_sieve_ref.h"

#include <string.h>

void spref_sieve_reset(spref_sieve_ref *s, unsigned near_bits) {
  *s = (spref_sieve_ref){.near_bits = near_bits};
}

bool spref_sieve_is_silent(const spref_ref *r, const spref_instr *i) {
  return r->state == SPREF_LIVE && i->pc >= r->lo && i->pc <= r->hi && !spref_ref_says(r, i);
}

/* The low bits of its program counter, of those that differ. */
static unsigned place_of(const spref_sieve_ref *s, const spref_ref *r, uint64_t pc) {
  return (unsigned)(pc / r->shape.pc_step) & ((1u << s->near_bits) - 1);
}

/* No two instructions of the loop share a place. */
static bool fits(const spref_sieve_ref *s, const spref_ref *r) {
  return (r->hi - r->lo) / r->shape.pc_step >> s->near_bits == 0;
}

void spref_sieve_edge(spref_sieve_ref *s, const spref_ref *r, const spref_instr *of) {
  if (r->state != SPREF_LIVE || r->hi != s->hi) memset(s->silent, 0, sizeof s->silent);
  s->hi = r->hi;
  if (of && r->state == SPREF_LIVE && fits(s, r)) s->silent[place_of(s, r, of->pc)] = true;
}

bool spref_sieve_needs(const spref_sieve_ref *s, const spref_ref *r, const spref_instr *i) {
  if (i->op == SPREF_BRA || i->op == SPREF_LDNC || i->op == SPREF_CLOBBER) return true;
  if (r->state == SPREF_PASS_A || r->state == SPREF_PASS_B) return i->warp == r->trained;
  const bool alive = r->warp[i->warp].alive;
  if (r->state != SPREF_LIVE || i->pc < r->lo || i->pc > r->hi) return alive;
  return !(alive && fits(s, r) && s->silent[place_of(s, r, i->pc)]);
}
