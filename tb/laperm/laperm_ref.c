#include "tb/laperm/laperm_ref.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool wrong(laperm_ref *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(laperm_ref *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!r->wrong[0]) vsnprintf(r->wrong, sizeof r->wrong, format, args);
  va_end(args);
  return false;
}

void laperm_ref_reset(laperm_ref *r, const laperm_shape *shape) {
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  for (unsigned s = 0; s < LAPERM_MAX_SMX; s++) r->backup[s] = -1;
}

static bool binds(const laperm_ref *r) {
  return r->shape.policy >= LAPERM_SMX_BIND;
}
static unsigned owner_of(const laperm_ref *r, unsigned smx) {
  return binds(r) ? smx / r->shape.cluster : 0;
}
static unsigned level_of(const laperm_ref *r, unsigned parent) {
  if (r->shape.policy == LAPERM_RR) return 0;
  return parent + 1 < r->shape.levels ? parent + 1 : r->shape.levels;
}

/* ---- room ---- */

/* Room of an SMX for one block of kernel k, with the lowest free slot. */
static bool fits(const laperm_ref *r, unsigned smx, const laperm_kernel *k, unsigned *slot) {
  unsigned warps = r->shape.warps, regs = r->shape.regs, shm = r->shape.shm, first = r->shape.tbs;
  for (unsigned i = r->shape.tbs; i-- > 0;) {
    if (!r->slot[smx][i].busy) {
      first = i;
      continue;
    }
    warps -= r->slot[smx][i].warps;
    regs -= r->slot[smx][i].regs;
    shm -= r->slot[smx][i].shm;
  }
  *slot = first;
  return first < r->shape.tbs && warps >= k->warps && regs >= k->regs && shm >= k->shm;
}

/* ---- precedence ---- */

static bool waits(const laperm_part *p) {
  return p->used && !p->all_started;
}
/* It is in its queue on chip for sure, and was when the block was chosen. */
static bool waits_for_sure(const laperm_ref *r, const laperm_part *p) {
  return waits(p) && !p->far && p->since + LAPERM_SETTLED < r->now &&
         r->blocked + LAPERM_SETTLED < r->now;
}

/* Of the parts for which `wanted` is true the first that is. */
typedef bool wanted_fn(const laperm_ref *r, const laperm_part *p, const laperm_part *than);
static const laperm_part *find(const laperm_ref *r, wanted_fn *wanted, const laperm_part *than) {
  for (unsigned g = 0; g < r->n_groups; g++)
    if (r->group[g].used && wanted(r, &r->group[g], than)) return &r->group[g];
  for (unsigned k = 0; k < r->shape.kdes; k++)
    if (r->kernel[k].used && wanted(r, &r->kernel[k].own, than)) return &r->kernel[k].own;
  return NULL;
}

static bool is_group(const laperm_ref *r, const laperm_part *p) {
  return p >= r->group && p < r->group + LAPERM_MAX_GROUPS;
}

/* Two kernels that a group could join: which of them is not the ports' matter. */
static bool twins(const laperm_ref *r, const laperm_group *g) {
  unsigned n = 0;
  for (unsigned k = 0; k < r->shape.kdes; k++)
    n += r->kernel[k].used && r->kernel[k].kernel.pc == g->pc &&
         r->kernel[k].kernel.tbdim == g->tbdim && r->kernel[k].kernel.smem == g->smem;
  return n > 1;
}

/* An older one of the same queue that is not all started. Launched kernels come from the KMU, so
 * only those of one kind are compared. A group that will be refused is answered before a younger
 * one joins. */
static bool older(const laperm_ref *r, const laperm_part *p, const laperm_part *than) {
  if (!waits(p) || p == than || p->serial > than->serial || is_group(r, p) != is_group(r, than))
    return false;
  if (r->shape.policy == LAPERM_RR) {
    const laperm_group *a = &p->g, *b = &than->g;
    return !is_group(r, p) ||
           (a->pc == b->pc && a->tbdim == b->tbdim && a->smem == b->smem && !twins(r, a));
  }
  return p->owner == than->owner && p->level == than->level;
}
static bool higher(const laperm_ref *r, const laperm_part *p, const laperm_part *than) {
  return waits_for_sure(r, p) && p->owner == than->owner && p->level > than->level;
}
static bool bound_here(const laperm_ref *r, const laperm_part *p, const laperm_part *owner) {
  return waits_for_sure(r, p) && p->level && p->owner == owner->owner;
}
static bool of_host(const laperm_ref *r, const laperm_part *p, const laperm_part *than) {
  (void)than;
  return waits_for_sure(r, p) && !p->level;
}

/* Which SMX may have it. */
static bool right_place(laperm_ref *r, const laperm_part *p, unsigned smx) {
  const laperm_part here = {.owner = owner_of(r, smx)};
  if (!binds(r)) return true;
  if (p->level && p->owner == here.owner) return true;
  if (find(r, bound_here, &here))
    return wrong(r, "SMX %u gets a block of level %u while its own queues have one", smx, p->level);
  if (!p->level) return true;
  if (r->shape.policy != LAPERM_ADAPTIVE)
    return wrong(r, "SMX %u gets a block that is bound to owner %u", smx, p->owner);
  if (find(r, of_host, NULL))
    return wrong(r, "SMX %u gets a backup's block while queue 0 has one", smx);
  const laperm_part backup = {.owner = (unsigned)r->backup[smx]};
  if (r->backup[smx] >= 0 && backup.owner != p->owner && find(r, bound_here, &backup))
    return wrong(r, "SMX %u leaves its backup %u for %u", smx, backup.owner, p->owner);
  return true;
}

static bool in_turn(laperm_ref *r, const laperm_part *p) {
  const laperm_part *other = p->started ? NULL : find(r, older, p);
  if (other)
    return wrong(r, "grid %x starts before %x, which is older", p->g.param, other->g.param);
  if (r->shape.policy != LAPERM_RR && (!binds(r) || p->level) && (other = find(r, higher, p)))
    return wrong(r, "a block of grid %x, level %u, leaves before %x, level %u", p->g.param,
                 p->level, other->g.param, other->level);
  if (r->shape.policy != LAPERM_RR) return true;
  if (r->open && r->open != p)
    return wrong(r, "grid %x overtakes %x", p->g.param, r->open->g.param);
  return !is_group(r, p) || r->kernel[p->kdei].own.all_started ||
         wrong(r, "group %x starts before the kernel's own grid", p->g.param);
}

/* ---- blocks ---- */

static laperm_part *find_group(laperm_ref *r, uint32_t param) {
  for (unsigned g = 0; g < r->n_groups; g++)
    if (r->group[g].used && r->group[g].g.param == param) return &r->group[g];
  return NULL;
}

/* The part that a block belongs to. */
static laperm_part *part_of(laperm_ref *r, const laperm_block *b) {
  const laperm_kernel *k = &r->kernel[b->kdei].kernel;
  if (b->kdei >= r->shape.kdes || !r->kernel[b->kdei].used)
    return wrong(r, "a block of kernel %u, which is not there", b->kdei), NULL;
  if (!b->group) return &r->kernel[b->kdei].own;
  laperm_part *p = find_group(r, b->param);
  if (!p)
    return wrong(r, "a block of a group with parameters %x, which nobody sent", b->param), NULL;
  if (p->g.pc != k->pc || p->g.tbdim != k->tbdim || p->g.smem != k->smem)
    return wrong(r, "group %x runs in kernel %u, which is not eligible", b->param, b->kdei), NULL;
  if (p->started && p->kdei != b->kdei)
    return wrong(r, "group %x goes from kernel %u to %u", b->param, p->kdei, b->kdei), NULL;
  p->kdei = b->kdei;
  return p;
}

static bool is_next(laperm_ref *r, const laperm_part *p, const laperm_block *b) {
  const uint32_t dim[3] = {p->g.x, p->g.y, p->g.z};
  const bool first = !p->at[0] && !p->at[1] && !p->at[2],
             last = p->at[0] + 1 == dim[0] && p->at[1] + 1 == dim[1] && p->at[2] + 1 == dim[2];
  if (p->all_started) return wrong(r, "grid %x: a block too many", p->g.param);
  if (memcmp(b->dim, dim, sizeof dim) != 0 || b->param != p->g.param || b->pc != p->g.pc ||
      b->prio != p->level)
    return wrong(r, "a block of %u x %u x %u at %x, level %u; wanted %u x %u x %u at %x, level %u",
                 b->dim[0], b->dim[1], b->dim[2], b->param, b->prio, dim[0], dim[1], dim[2],
                 p->g.param, p->level);
  if (memcmp(b->at, p->at, sizeof dim) != 0 || b->first != first || b->last != last)
    return wrong(r, "grid %x: block %u,%u,%u, wanted %u,%u,%u", b->param, b->at[0], b->at[1],
                 b->at[2], p->at[0], p->at[1], p->at[2]);
  return true;
}

/* An offer that begins. */
static bool judge(laperm_ref *r, const laperm_block *b) {
  unsigned slot = 0;
  laperm_part *p = part_of(r, b);
  if (!p || !is_next(r, p, b)) return false;
  if (b->smx >= r->shape.smx) return wrong(r, "a block goes to SMX %u, which is not there", b->smx);
  if (wf_mask_has(&r->divert, b->smx))
    return wrong(r, "a block goes to SMX %u, which is diverted", b->smx);
  if (!fits(r, b->smx, &r->kernel[b->kdei].kernel, &slot))
    return wrong(r, "a block goes to SMX %u, which has no room", b->smx);
  if (slot != b->slot) return wrong(r, "a block goes to slot %u, free is %u", b->slot, slot);
  return in_turn(r, p) && right_place(r, p, b->smx);
}

/* ---- no SMX is idle beside a block for it ---- */

/* Something that waits on chip for sure may go to this SMX. */
static bool may_have(const laperm_ref *r, const laperm_part *p, const laperm_part *here) {
  return waits_for_sure(r, p) &&
         (r->shape.policy != LAPERM_SMX_BIND || !p->level || p->owner == here->owner);
}
static bool in_memory(const laperm_ref *r, const laperm_part *p, const laperm_part *than) {
  (void)r, (void)than;
  return waits(p) && p->far;
}

/* An SMX that has room for a block of any kernel, while something is there for it: whichever the
 * head is, it fits. What memory holds may come in between. */
static bool all_served(laperm_ref *r, const laperm_out *out) {
  laperm_kernel largest = {0};
  for (unsigned k = 0; k < r->shape.kdes; k++) {
    const laperm_kernel *of = &r->kernel[k].kernel;
    if (!r->kernel[k].used) continue;
    if (of->warps > largest.warps) largest.warps = of->warps;
    if (of->regs > largest.regs) largest.regs = of->regs;
    if (of->shm > largest.shm) largest.shm = of->shm;
  }
  const bool busy = out->tb_valid || r->blocked == r->now || find(r, in_memory, NULL);
  for (unsigned smx = 0; smx < r->shape.smx; smx++) {
    const laperm_part here = {.owner = owner_of(r, smx)};
    unsigned slot;
    const bool could = !busy && !wf_mask_has(&r->divert, smx) && fits(r, smx, &largest, &slot) &&
                       find(r, may_have, &here);
    r->passed_by[smx] = could ? r->passed_by[smx] + 1 : 0;
    if (r->passed_by[smx] > LAPERM_PROMPT + 2 * r->shape.smx)
      return wrong(r, "SMX %u has room for any block and gets none", smx);
  }
  return true;
}

static void count_stage(laperm_ref *r, const laperm_part *p, unsigned smx) {
  if (!binds(r)) return;
  const bool own = p->level && p->owner == owner_of(r, smx);
  if (own)
    r->counter[LAPERM_CNT_blocks_own]++;
  else
    r->counter[p->level ? LAPERM_CNT_blocks_backup : LAPERM_CNT_blocks_zero]++;
  if (p->level && !own) r->backup[smx] = (int)p->owner;
}

static void start(laperm_ref *r, const laperm_block *b) {
  laperm_part *p = part_of(r, b);
  const laperm_kernel *k = &r->kernel[b->kdei].kernel;
  count_stage(r, p, b->smx);
  r->counter[b->group ? LAPERM_CNT_blocks_group : LAPERM_CNT_blocks_native]++;
  r->slot[b->smx][b->slot].busy = true;
  r->slot[b->smx][b->slot].kdei = b->kdei;
  r->slot[b->smx][b->slot].group = b->group ? (int)(p - r->group) : -1;
  r->slot[b->smx][b->slot].warps = k->warps;
  r->slot[b->smx][b->slot].regs = k->regs;
  r->slot[b->smx][b->slot].shm = k->shm;
  r->kernel[b->kdei].running++;
  p->running++;
  p->started = true;
  p->all_started = b->last;
  r->open = b->last ? NULL : p;
  const uint32_t dim[3] = {p->g.x, p->g.y, p->g.z};
  for (unsigned d = 0; d < 3; d++) {
    if (++p->at[d] < dim[d]) return;
    p->at[d] = 0;
  }
}

static void ended(laperm_ref *r, unsigned smx, unsigned slot) {
  const int g = r->slot[smx][slot].group;
  r->slot[smx][slot].busy = false;
  r->kernel[r->slot[smx][slot].kdei].running--;
  laperm_part *p = g >= 0 ? &r->group[g] : &r->kernel[r->slot[smx][slot].kdei].own;
  if (--p->running == 0 && p->all_started && g >= 0) p->used = false;
  while (r->n_groups && !r->group[r->n_groups - 1].used) r->n_groups--;
}

/* ---- kernels and groups ---- */

static bool kernel_done(laperm_ref *r, unsigned k, bool host) {
  if (k >= r->shape.kdes || !r->kernel[k].used || !r->kernel[k].own.all_started ||
      r->kernel[k].running)
    return wrong(r, "kernel %u is told to be over and is not", k);
  if (host != r->kernel[k].kernel.host) return wrong(r, "kernel %u: host bit", k);
  for (unsigned g = 0; g < r->n_groups; g++)
    if (r->group[g].used && r->group[g].started && r->group[g].kdei == k)
      return wrong(r, "kernel %u is over, a group of it is not", k);
  r->kernel[k].used = r->kernel[k].own.used = false;
  return true;
}

/* A kernel was there all the time that it could have joined: its own grid is not all started. Its
 * pool had room: else launches were held up. */
static bool could_join(const laperm_ref *r, const laperm_part *p) {
  if (r->blocked >= p->since) return false;
  for (unsigned k = 0; k < r->shape.kdes; k++) {
    const laperm_part *own = &r->kernel[k].own;
    if (r->kernel[k].used && !own->all_started && own->since < p->since && own->g.pc == p->g.pc &&
        own->g.tbdim == p->g.tbdim && own->g.smem == p->g.smem)
      return true;
  }
  return false;
}

static bool refused(laperm_ref *r, const laperm_group *d) {
  laperm_part *p = find_group(r, d->param);
  if (!p || p->started) return wrong(r, "device kernel %x, which nobody sent", d->param);
  const laperm_group *x = &p->g;
  if (x->pc != d->pc || x->tbdim != d->tbdim || x->smem != d->smem || x->x != d->x ||
      x->y != d->y || x->z != d->z || x->smx != d->smx || x->prio != d->prio)
    return wrong(r, "device kernel %x is not as it was sent", d->param);
  if (could_join(r, p)) return wrong(r, "group %x is sent away from a kernel with room", d->param);
  p->used = false;
  return true;
}

static bool new_kernel(laperm_ref *r, const laperm_kernel *k, unsigned kdei) {
  if (kdei >= r->shape.kdes || r->kernel[kdei].used)
    return wrong(r, "entry %u is given twice", kdei);
  memset(&r->kernel[kdei], 0, sizeof r->kernel[0]);
  r->kernel[kdei].used = true;
  r->kernel[kdei].kernel = *k;
  r->kernel[kdei].own = (laperm_part){.used = true,
                                      .g = {.pc = k->pc,
                                            .tbdim = k->tbdim,
                                            .smem = k->smem,
                                            .x = k->x,
                                            .y = k->y,
                                            .z = k->z,
                                            .param = k->param},
                                      .kdei = kdei,
                                      .level = k->host ? 0 : level_of(r, k->prio),
                                      .serial = ++r->serial,
                                      .since = r->now};
  if (r->kernel[kdei].own.level) r->kernel[kdei].own.owner = owner_of(r, k->smx);
  r->counter[LAPERM_CNT_kernels]++;
  r->counter[LAPERM_CNT_kernels_device] += !k->host;
  return true;
}

static bool new_group(laperm_ref *r, const laperm_group *g) {
  unsigned i = 0;
  while (i < LAPERM_MAX_GROUPS && r->group[i].used) i++;
  if (i == LAPERM_MAX_GROUPS) return wrong(r, "the model has no place for more groups");
  if (i >= r->n_groups) r->n_groups = i + 1;
  r->group[i] = (laperm_part){.used = true,
                              .g = *g,
                              .owner = owner_of(r, g->smx),
                              .level = level_of(r, g->prio),
                              .serial = ++r->serial,
                              .since = r->now};
  r->counter[LAPERM_CNT_groups]++;
  r->counter[LAPERM_CNT_commands] += g->last;
  return true;
}

/* ---- memory ---- */

static bool in_ring(const laperm_ref *r, uint32_t pointer) {
  return pointer > r->ring_base && pointer <= r->ring_base + 16 * r->ring && pointer % 16 == 0;
}

/* A record with parameters is written: its group lies in memory now. */
static bool written(laperm_ref *r, const laperm_mem *m) {
  if (m->mask == 4) return true;
  laperm_part *p = find_group(r, m->word[3] & ~15u);
  if (!p || p->started)
    return wrong(r, "a record of group %x is written, which does not wait", m->word[3] & ~15u);
  if (m->addr != p->g.param && !in_ring(r, m->addr))
    return wrong(r, "the record of group %x is written at %x", p->g.param, m->addr);
  p->far = true;
  r->counter[LAPERM_CNT_ring_places] += m->addr != p->g.param;
  return true;
}

/* Launches may wait before they are in a queue. */
static bool held_up(const laperm_ref *r, const laperm_in *in, const laperm_out *out) {
  unsigned waiting = 0;
  for (unsigned g = 0; g < r->n_groups; g++) waiting += waits(&r->group[g]);
  return waiting >= r->shape.pool_max || (in->agg && !out->agg_ready) ||
         (out->dk_valid && !in->dk_ready) || (out->mem_valid && !in->mem_ready);
}

static void count_ports(laperm_ref *r, const laperm_in *in, const laperm_out *out) {
  uint64_t *c = r->counter;
  c[LAPERM_CNT_kernels_done] += out->kdone_valid && in->kdone_ready;
  c[LAPERM_CNT_groups_refused] += out->dk_valid && in->dk_ready;
  c[LAPERM_CNT_mem_reads] += out->mem_valid && in->mem_ready && !out->mem.write;
  c[LAPERM_CNT_mem_writes] += out->mem_valid && in->mem_ready && out->mem.write;
  c[LAPERM_CNT_tb_stalls] += out->tb_valid && !in->tb_ready;
  c[LAPERM_CNT_kern_stalls] += in->kern && !out->kern_ready;
  c[LAPERM_CNT_dk_stalls] += out->dk_valid && !in->dk_ready;
  const wf_mask ends = wf_mask_both(&in->done, &out->done_ready, WF_MASK_WORDS);
  c[LAPERM_CNT_block_ends] += wf_mask_count(&ends, WF_MASK_WORDS);
}

bool laperm_ref_counts(laperm_counter c) {
  static const laperm_counter told[] = {
      LAPERM_CNT_kernels,       LAPERM_CNT_kernels_device, LAPERM_CNT_kernels_done,
      LAPERM_CNT_groups,        LAPERM_CNT_commands,       LAPERM_CNT_groups_refused,
      LAPERM_CNT_blocks_native, LAPERM_CNT_blocks_group,   LAPERM_CNT_blocks_own,
      LAPERM_CNT_blocks_zero,   LAPERM_CNT_blocks_backup,  LAPERM_CNT_block_ends,
      LAPERM_CNT_mem_reads,     LAPERM_CNT_mem_writes,     LAPERM_CNT_tb_stalls,
      LAPERM_CNT_kern_stalls,   LAPERM_CNT_dk_stalls,      LAPERM_CNT_ring_places};
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    if (told[i] == c) return true;
  return false;
}

bool laperm_ref_step(laperm_ref *r, const laperm_in *in, const laperm_out *out) {
  r->now++;
  bool ok = !out->tb_valid || r->held || judge(r, &out->tb);
  if (ok && out->kdone_valid && in->kdone_ready)
    ok = kernel_done(r, out->kdone_kdei, out->kdone_host);
  if (ok && out->tb_valid && in->tb_ready) start(r, &out->tb);
  if (ok && out->dk_valid && in->dk_ready) ok = refused(r, &out->dk);
  if (ok && out->mem_valid && in->mem_ready && out->mem.write) ok = written(r, &out->mem);
  for (unsigned i = 0; i < r->shape.smx && ok; i++)
    if (wf_mask_has(&in->done, i) && wf_mask_has(&out->done_ready, i))
      ended(r, i, in->done_slot[i]);
  if (ok && in->kern && out->kern_ready) ok = new_kernel(r, in->kern, out->kern_kdei);
  if (ok && in->agg && out->agg_ready) ok = new_group(r, in->agg);
  if (held_up(r, in, out)) r->blocked = r->now;
  if (ok) ok = all_served(r, out);
  count_ports(r, in, out);
  r->held = out->tb_valid && !in->tb_ready;
  r->divert = in->divert;
  return ok;
}

bool laperm_ref_empty(const laperm_ref *r) {
  for (unsigned k = 0; k < r->shape.kdes; k++)
    if (r->kernel[k].used) return false;
  return !r->n_groups;
}

bool laperm_ref_param_used(const laperm_ref *r, uint32_t param) {
  for (unsigned g = 0; g < r->n_groups; g++)
    if (r->group[g].used && r->group[g].g.param == param) return true;
  return false;
}
