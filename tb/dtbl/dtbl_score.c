#include "tb/dtbl/dtbl_score.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool wrong(dtbl_score *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(dtbl_score *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!s->wrong[0]) vsnprintf(s->wrong, sizeof s->wrong, format, args);
  va_end(args);
  return false;
}

void dtbl_score_reset(dtbl_score *s, const dtbl_shape *shape) {
  memset(s, 0, sizeof *s);
  s->shape = *shape;
  s->current = -1;
}

static bool key_fits(const dtbl_group *g, const dtbl_kernel *k) {
  return g->pc == k->pc && g->tbdim == k->tbdim && g->smem == k->smem;
}

/* Room of an SMX for one block of kernel k, with the lowest free slot. */
static bool fits(const dtbl_score *s, unsigned smx, const dtbl_kernel *k, unsigned *slot) {
  unsigned warps = s->shape.warps, regs = s->shape.regs, shm = s->shape.shm, first = s->shape.tbs;
  for (unsigned i = s->shape.tbs; i-- > 0;) {
    if (!s->slot[smx][i].busy) {
      first = i;
      continue;
    }
    warps -= s->slot[smx][i].warps;
    regs -= s->slot[smx][i].regs;
    shm -= s->slot[smx][i].shm;
  }
  *slot = first;
  return first < s->shape.tbs && warps >= k->warps && regs >= k->regs && shm >= k->shm;
}

/* The SMX that round robin chooses for kernel k; smx if none. */
static unsigned choice(const dtbl_score *s, const dtbl_kernel *k, unsigned *slot) {
  for (unsigned i = 0; i < s->shape.smx; i++) {
    unsigned smx = (s->next_smx + i) % s->shape.smx;
    if (!wf_mask_has(&s->divert, smx) && fits(s, smx, k, slot)) return smx;
  }
  return s->shape.smx;
}

static int find_group(const dtbl_score *s, uint32_t param) {
  for (int g = 0; g < DTBL_SCORE_GROUPS; g++)
    if (s->group[g].used && s->group[g].state == DTBL_SENT && s->group[g].group.param == param)
      return g;
  return -1;
}

/* Another group of the same key that was sent before and has not started. (One that will be refused
 * is older, too, but refusals leave in the order of sending, so it was refused before a younger one
 * can join.) */
static bool older_waits(const dtbl_score *s, int g) {
  for (int i = 0; i < DTBL_SCORE_GROUPS; i++) {
    const dtbl_score_group *a = &s->group[i], *b = &s->group[g];
    if (a->used && i != g && a->state == DTBL_SENT && a->serial < b->serial &&
        a->group.pc == b->group.pc && a->group.tbdim == b->group.tbdim &&
        a->group.smem == b->group.smem)
      return true;
  }
  return false;
}

static void advance(uint32_t at[3], const uint32_t dim[3]) {
  for (unsigned d = 0; d < 3; d++) {
    if (++at[d] < dim[d]) return;
    at[d] = 0;
  }
}

/* The first block of a group: which one is it, and may it be now? */
static bool start_group(dtbl_score *s, const dtbl_block *b, bool twins) {
  const dtbl_kernel *k = &s->kernel[b->kdei].kernel;
  int g = find_group(s, b->param);
  if (g < 0) return wrong(s, "a block of a group with parameters %x, which nobody sent", b->param);
  dtbl_score_group *x = &s->group[g];
  if (!key_fits(&x->group, k))
    return wrong(s, "group %x runs in kernel %u, which is not eligible", b->param, b->kdei);
  if (!twins && older_waits(s, g))
    return wrong(s, "group %x starts before an older one of its kernel", b->param);
  if (!s->kernel[b->kdei].native_done)
    return wrong(s, "group %x starts before the kernel's own grid", b->param);
  uint32_t entry = (x->group.tid % s->shape.agt) << 1 | 1;
  if (b->link != entry && b->link != b->param && !dtbl_score_in_ring(s, b->link))
    return wrong(s, "group %x has link %x", b->param, b->link);
  for (int i = 0; i < DTBL_SCORE_GROUPS && b->link == entry; i++)
    if (i != g && s->group[i].used && s->group[i].state != DTBL_SENT &&
        s->group[i].serial & (UINT64_C(1) << 63) &&
        s->group[i].group.tid % s->shape.agt == x->group.tid % s->shape.agt)
      return wrong(s, "two groups in entry %u of the table", entry >> 1);
  x->state = DTBL_STARTED;
  x->kdei = b->kdei;
  if (b->link == entry)
    x->serial |= UINT64_C(1) << 63; /* has an entry; its order does not matter any more */
  s->kernel[b->kdei].group = g;
  return true;
}

static bool block(dtbl_score *s, const dtbl_block *b) {
  const dtbl_kernel *k = &s->kernel[b->kdei].kernel;
  uint32_t *at = s->kernel[b->kdei].at;
  if (!s->kernel[b->kdei].used)
    return wrong(s, "a block of kernel %u, which is not there", b->kdei);
  if (s->current >= 0 && s->current != (int)b->kdei)
    return wrong(s, "kernel %u overtakes kernel %d", b->kdei, s->current);
  bool twins = false;
  for (unsigned i = 0; i < s->shape.kdes; i++)
    twins |= i != b->kdei && s->kernel[i].used && s->kernel[i].kernel.pc == k->pc &&
             s->kernel[i].kernel.tbdim == k->tbdim && s->kernel[i].kernel.smem == k->smem;
  if (s->current < 0) memset(at, 0, 3 * sizeof *at);
  if (s->current < 0 && b->group && !start_group(s, b, twins)) return false;
  if (s->current < 0 && !b->group && s->kernel[b->kdei].native_done)
    return wrong(s, "kernel %u: its own grid runs again", b->kdei);
  int g = b->group ? s->kernel[b->kdei].group : -1;
  if (b->group && g < 0) return wrong(s, "kernel %u: a group's block within its own grid", b->kdei);
  const dtbl_group *x = g >= 0 ? &s->group[g].group : NULL;
  uint32_t dim[3] = {x ? x->x : k->x, x ? x->y : k->y, x ? x->z : k->z},
           param = x ? x->param : k->param;
  bool first = !at[0] && !at[1] && !at[2],
       last = at[0] + 1 == dim[0] && at[1] + 1 == dim[1] && at[2] + 1 == dim[2];
  if (memcmp(b->dim, dim, sizeof dim) != 0 || b->param != param || b->pc != k->pc ||
      (!b->group && b->link))
    return wrong(s, "kernel %u: a block of %u x %u x %u at %x, wanted %u x %u x %u at %x", b->kdei,
                 b->dim[0], b->dim[1], b->dim[2], b->param, dim[0], dim[1], dim[2], param);
  if (memcmp(b->at, at, sizeof dim) != 0 || b->first != first || b->last != last)
    return wrong(s, "kernel %u: block %u,%u,%u, wanted %u,%u,%u", b->kdei, b->at[0], b->at[1],
                 b->at[2], at[0], at[1], at[2]);
  s->slot[b->smx][b->slot].busy = true;
  s->slot[b->smx][b->slot].kdei = b->kdei;
  s->slot[b->smx][b->slot].group = g;
  s->slot[b->smx][b->slot].warps = k->warps;
  s->slot[b->smx][b->slot].regs = k->regs;
  s->slot[b->smx][b->slot].shm = k->shm;
  s->kernel[b->kdei].running++;
  if (g >= 0) s->group[g].running++;
  s->blocks++;
  s->next_smx = (b->smx + 1) % s->shape.smx;
  s->current = last ? -1 : (int)b->kdei;
  advance(at, dim);
  if (last && g < 0) s->kernel[b->kdei].native_done = true;
  if (last && g >= 0) s->group[g].state = DTBL_STARTED_ALL;
  if (last) s->kernel[b->kdei].group = -1;
  return true;
}

static bool judge_offer(dtbl_score *s, const dtbl_out *out) {
  unsigned slot = 0;
  if (!out->tb_valid) {
    if (s->current < 0) return true;
    unsigned smx = choice(s, &s->kernel[s->current].kernel, &slot);
    return smx == s->shape.smx ||
           wrong(s, "SMX %u has room and the next block of kernel %d is not offered", smx,
                 s->current);
  }
  const dtbl_kernel *k = &s->kernel[out->tb.kdei].kernel;
  if (s->held) return true; /* the choice was judged when it was made; that it holds is asserted */
  unsigned smx = choice(s, k, &slot);
  if (smx == s->shape.smx) return wrong(s, "a block is offered and no SMX has room");
  if (smx != out->tb.smx || slot != out->tb.slot)
    return wrong(s, "a block goes to SMX %u slot %u, round robin says SMX %u slot %u", out->tb.smx,
                 out->tb.slot, smx, slot);
  return true;
}

static bool kernel_done(dtbl_score *s, unsigned k, bool host) {
  if (!s->kernel[k].used || !s->kernel[k].native_done || s->kernel[k].running ||
      s->current == (int)k)
    return wrong(s, "kernel %u is told to be over and is not", k);
  if (host != s->kernel[k].kernel.host) return wrong(s, "kernel %u: host bit", k);
  for (int g = 0; g < DTBL_SCORE_GROUPS; g++)
    if (s->group[g].used && s->group[g].state != DTBL_SENT && s->group[g].kdei == k)
      return wrong(s, "kernel %u is over, a group of it is not", k);
  s->kernel[k].used = false;
  s->kernels_done++;
  return true;
}

static bool refused(dtbl_score *s, const dtbl_group *d) {
  int g = find_group(s, d->param);
  if (g < 0) return wrong(s, "device kernel %x, which nobody sent", d->param);
  const dtbl_group *x = &s->group[g].group;
  if (x->pc != d->pc || x->tbdim != d->tbdim || x->smem != d->smem || x->x != d->x ||
      x->y != d->y || x->z != d->z || x->warps != d->warps || x->regs != d->regs ||
      x->shm != d->shm || x->smx != d->smx)
    return wrong(s, "device kernel %x is not as it was sent", d->param);
  s->group[g].used = false;
  s->refused++;
  return true;
}

static void ended(dtbl_score *s, unsigned smx, unsigned slot) {
  s->slot[smx][slot].busy = false;
  s->kernel[s->slot[smx][slot].kdei].running--;
  int g = s->slot[smx][slot].group;
  if (g < 0) return;
  if (--s->group[g].running == 0 && s->group[g].state == DTBL_STARTED_ALL) {
    s->group[g].used = false;
    s->groups_done++;
  }
}

bool dtbl_score_step(dtbl_score *s, const dtbl_in *in, const dtbl_out *out) {
  bool ok = judge_offer(s, out);
  if (ok && out->kdone_valid && in->kdone_ready)
    ok = kernel_done(s, out->kdone_kdei, out->kdone_host);
  if (ok && out->tb_valid && in->tb_ready) ok = block(s, &out->tb);
  if (ok && out->dk_valid && in->dk_ready) ok = refused(s, &out->dk);
  for (unsigned i = 0; i < s->shape.smx && ok; i++)
    if (wf_mask_has(&in->done, i) && wf_mask_has(&out->done_ready, i))
      ended(s, i, in->done_slot[i]);
  if (ok && in->kern && out->kern_ready) {
    if (s->kernel[out->kern_kdei].used) ok = wrong(s, "entry %u is given twice", out->kern_kdei);
    memset(&s->kernel[out->kern_kdei], 0, sizeof s->kernel[0]);
    s->kernel[out->kern_kdei].used = true;
    s->kernel[out->kern_kdei].group = -1;
    s->kernel[out->kern_kdei].kernel = *in->kern;
  }
  if (ok && in->agg && out->agg_ready) {
    int g = 0;
    while (g < DTBL_SCORE_GROUPS && s->group[g].used) g++;
    if (g == DTBL_SCORE_GROUPS) return wrong(s, "the judge has no place for more groups");
    s->group[g] = (dtbl_score_group){.group = *in->agg, .serial = ++s->serial, .used = true};
  }
  s->held = out->tb_valid && !in->tb_ready;
  s->divert = in->divert;
  return ok;
}

bool dtbl_score_in_ring(const dtbl_score *s, uint32_t pointer) {
  return pointer > s->ring_base && pointer <= s->ring_base + 16 * s->ring && pointer % 16 == 0;
}

bool dtbl_score_empty(const dtbl_score *s) {
  for (unsigned k = 0; k < s->shape.kdes; k++)
    if (s->kernel[k].used) return false;
  for (int g = 0; g < DTBL_SCORE_GROUPS; g++)
    if (s->group[g].used) return false;
  return true;
}

bool dtbl_score_param_used(const dtbl_score *s, uint32_t param) {
  for (int g = 0; g < DTBL_SCORE_GROUPS; g++)
    if (s->group[g].used && s->group[g].group.param == param) return true;
  return false;
}
