#include "tb/spref/spref_wait_ref.h"

#include <string.h>

enum { FILLED = 6 }; /* edges after which the unit has filled a place that was taken */

static bool has(const uint64_t set[4], unsigned reg) {
  return set[reg / 64] >> (reg % 64) & 1;
}
static void put(uint64_t set[4], unsigned reg, bool value) {
  const uint64_t bit = UINT64_C(1) << (reg % 64);
  set[reg / 64] = value ? set[reg / 64] | bit : set[reg / 64] & ~bit;
}

void spref_wait_reset(spref_wait_ref *r, unsigned warps, unsigned places) {
  memset(r, 0, sizeof *r);
  r->warps = warps;
  r->places = places;
}

void spref_wait_answer(spref_wait_ref *r, const spref_answer *a) {
  r->warp[a->warp].odd |= r->warp[a->warp].have; /* a load that never issued */
  r->warp[a->warp].have = true;
  r->warp[a->warp].a = *a;
}

static unsigned own(const spref_answer *a) {
  return a->move ? a->move_reg : a->reg;
}

bool spref_wait_moves(const spref_wait_ref *r, unsigned warp) {
  const spref_answer *a = &r->warp[warp].a;
  return a->move && !has(r->warp[warp].failed, a->move_reg);
}

/* Somebody still has to read it as an index. */
static bool is_index(const spref_wait_ref *r, unsigned warp, unsigned reg) {
  for (unsigned i = 0; i < r->places; i++) {
    const spref_place *p = &r->place[i];
    if (p->state == SPREF_PLACE_ADD && !p->dead && p->a.warp == warp && p->a.index == reg)
      return true;
  }
  return false;
}

static bool some_free(const spref_wait_ref *r) {
  for (unsigned i = 0; i < r->places; i++)
    if (spref_wait_is_free(r, i)) return true;
  return false;
}

bool spref_wait_may(const spref_wait_ref *r, unsigned warp) {
  const spref_answer *a = &r->warp[warp].a;
  const bool writes = a->inject && a->reg_v;
  if (!r->warp[warp].have || (a->inject && !some_free(r))) return false;
  if ((writes || spref_wait_moves(r, warp)) && has(r->warp[warp].coming, own(a))) return false;
  return !writes || !is_index(r, warp, a->reg);
}

void spref_wait_issue(spref_wait_ref *r, const spref_load *l, unsigned place) {
  const spref_answer *a = &r->warp[l->warp].a;
  r->warp[l->warp].have = false;
  if (!a->inject) return;
  const bool tail = a->inject == 2, bad = tail && has(r->warp[l->warp].failed, a->index);
  if (a->reg_v) {
    put(r->warp[l->warp].coming, a->reg, !bad);
    put(r->warp[l->warp].failed, a->reg, bad);
  }
  r->place[place] = (spref_place){.state = tail ? SPREF_PLACE_ADD : SPREF_PLACE_LOAD,
                                  .type = l->type,
                                  .reads = a->base_v && !a->over && !bad,
                                  .dead = bad,
                                  .a = *a};
  if (a->over) r->place[place].address = l->base;
}

/* What waits for an index that has failed fails as well. */
void spref_wait_done(spref_wait_ref *r, const spref_done *d) {
  r->warp[d->warp].odd |= !has(r->warp[d->warp].coming, d->reg);
  put(r->warp[d->warp].coming, d->reg, false);
  put(r->warp[d->warp].failed, d->reg, d->fault);
  for (unsigned i = 0; d->fault && i < r->places; i++) {
    spref_place *p = &r->place[i];
    if (p->state != SPREF_PLACE_ADD || p->dead || p->a.warp != d->warp || p->a.index != d->reg)
      continue;
    p->dead = true;
    p->reads = false;
    if (!p->a.reg_v) continue;
    put(r->warp[d->warp].coming, p->a.reg, false);
    put(r->warp[d->warp].failed, p->a.reg, true);
  }
}

void spref_wait_issued(spref_wait_ref *r, uint64_t warps) {
  for (unsigned i = 0; i < r->places; i++) {
    spref_place *p = &r->place[i];
    if (warps >> p->a.warp & 1) p->known = false;
    if (p->age < FILLED) p->age++;
  }
}

void spref_wait_next(spref_wait_ref *r, const spref_next *n) {
  for (unsigned i = 0; i < r->places; i++) {
    spref_place *p = &r->place[i];
    if (p->a.warp != n->warp) continue;
    p->known = true;
    p->early = p->age < FILLED;
    p->clash = n->all || (n->dst_v && n->dst / 2 == p->a.base / 2);
  }
}

void spref_wait_sum(spref_wait_ref *r, const spref_sum *s) {
  r->place[s->place].state = SPREF_PLACE_LOAD;
  r->place[s->place].address = s->address;
}

bool spref_wait_over(const spref_wait_ref *r, unsigned warp) {
  return r->warp[warp].a.inject && r->warp[warp].a.over;
}

static bool same(const spref_addresses *a, const spref_addresses *b) {
  return a->far == b->far && memcmp(a->lane, b->lane, sizeof a->lane) == 0;
}

const char *spref_wait_take(spref_wait_ref *r, const spref_injected *i) {
  if (i->place >= r->places) return "an offer of no place";
  spref_place *p = &r->place[i->place];
  const spref_answer *a = &p->a;
  const bool tail = a->inject == 2;
  if (p->dead || p->state != (i->add ? SPREF_PLACE_ADD : SPREF_PLACE_LOAD))
    return "an offer out of turn";
  if (i->warp != a->warp || i->type != p->type || i->mask != a->mask || i->offset != a->offset ||
      i->reg_v != a->reg_v || (a->reg_v && i->reg != a->reg))
    return "an offer is not what was answered";
  if (i->sum != (a->over || (tail && !i->add))) return "an offer's address is elsewhere";
  if (i->sum && !same(&i->address, &p->address))
    return "an offer's addresses are not those that came";
  if (i->base_v != (i->add ? a->base_v && !a->over : !i->sum && a->base_v) ||
      (i->base_v && i->base != a->base))
    return "an offer has another base";
  if (i->add && (i->index != a->index || i->scale != a->scale || i->ext != a->ext))
    return "an offer has another index";
  if (i->add && has(r->warp[a->warp].coming, a->index)) return "an index is read before it came";
  p->reads = false;
  p->state = i->add ? SPREF_PLACE_SUM : SPREF_PLACE_FREE;
  return NULL;
}

static bool reads_base(const spref_place *p, unsigned warp) {
  return p->state != SPREF_PLACE_FREE && p->a.warp == warp && p->reads;
}

bool spref_wait_holds(const spref_wait_ref *r, unsigned warp) {
  for (unsigned i = 0; i < r->places; i++)
    if (reads_base(&r->place[i], warp) && (!r->place[i].known || r->place[i].clash)) return true;
  return false;
}

bool spref_wait_asks(const spref_wait_ref *r, unsigned warp) {
  for (unsigned i = 0; i < r->places; i++)
    if (reads_base(&r->place[i], warp) && (!r->place[i].known || r->place[i].early)) return true;
  return false;
}

bool spref_wait_busy(const spref_wait_ref *r, unsigned warp) {
  for (unsigned i = 0; i < r->places; i++)
    if (!spref_wait_is_free(r, i) && r->place[i].a.warp == warp) return true;
  return false;
}

bool spref_wait_is_free(const spref_wait_ref *r, unsigned place) {
  return r->place[place].state == SPREF_PLACE_FREE || r->place[place].dead;
}
