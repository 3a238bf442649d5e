/* The GPU as an object: creation, host API, totals. */
#include "sim/gpu/gpu.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_rng.h"
#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/hints.h"
#include "sim/gpu/launch.h"
#include "sim/gpu/sm.h"
#include "sim/gpu/sm_clock.h"
#include "sim/units/unit.h"

/* Who of equals is first, and when DRAM refreshes: what differs between runs of a real machine. */
static void draw_order(wf_gpu *gpu) {
  wf_rng rng;
  if (!gpu->settings.order) return;
  wf_rng_seed(&rng, gpu->settings.order);
  wf_mem_order(gpu->mem, &rng);
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    for (unsigned i = 0; i < gpu->config.schedulers; i++)
      gpu->sms[s].last_chosen[i] = (unsigned)wf_rng_below(&rng, gpu->config.warps_per_sm);
  wf_dispatcher_order(gpu->dispatcher, &rng);
}

/* Only those asked for cost anything. */
static void add_probes(wf_gpu *gpu, const wf_gpu_settings *set) {
  if (set->coalescing) gpu->probe = wf_probe_create();
  if (set->loads) gpu->load_times = wf_load_times_create();
  if (set->footprint) gpu->footprint = wf_footprint_create(gpu->config.n_sm, WF_MAX_CTAS);
  if (!set->locality) return;
  gpu->locality = wf_locality_create(gpu->config.n_sm);
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    wf_l1_count_lifetimes(gpu->sms[s].l1, wf_locality_l1_counts(gpu->locality));
}

/* All SMs have the clock and the voltage of core.sm_mhz, if that is lower. */
static void slow_down(wf_gpu *gpu) {
  const unsigned mhz = gpu->config.sm_mhz, core = gpu->config.mem.core_mhz;
  if (!wf_gpu_slow_sms(&gpu->config)) return;
  const wf_sm_pace pace = {.ticks = mhz, .of = core, .state = WF_PSTATE_LOW};
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_sm_set_clock(&gpu->sms[s], &pace);
  gpu->low_clock = (double)mhz / core;
}

static bool build(wf_gpu *gpu, const char *const *unit_names, unsigned n_units, uint64_t seed,
                  wf_error *err) {
  if (!wf_gpu_config_check(&gpu->config, err)) return false;
  gpu->image = wf_image_create((uint64_t)gpu->config.memory_mib << 20, err);
  if (!gpu->image) return false;
  gpu->config.mem.unit_port = wf_gpu_unit_port(unit_names, n_units);
  gpu->mem = wf_mem_create(&gpu->config.mem, gpu->image, err);
  if (!gpu->mem) return false;
  gpu->sms = wf_calloc(gpu->config.n_sm, sizeof *gpu->sms);
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    if (!wf_sm_init(&gpu->sms[s], gpu, s)) return false;
  slow_down(gpu);
  const uint32_t l2_lines =
      gpu->config.mem.n_part * gpu->config.mem.l2_bytes / gpu->config.l1_line_bytes;
  if (gpu->config.l1_abyp) gpu->abyp = wf_abyp_l2_create(l2_lines);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_l1_share_abyp(gpu->sms[s].l1, gpu->abyp);
  if (!wf_parameters_read(wf_gpu_parameters, NULL, &gpu->options, &gpu->settings, err))
    return false;
  gpu->skip = gpu->settings.skip;
  if (!wf_sample_create(&gpu->settings, &gpu->sample, err)) return false;
  add_probes(gpu, &gpu->settings);
  gpu->dispatcher = wf_dispatcher_create(&gpu->config);
  draw_order(gpu);
  gpu->blocks = (wf_block_source){&wf_dispatcher_ops, gpu->dispatcher};
  if (!wf_gpu_add_units(gpu, unit_names, n_units, seed, err)) return false;
  gpu->launcher = wf_launcher_create(gpu);
  return true;
}

wf_gpu *wf_gpu_create(const wf_gpu_config *config, const wf_options *options,
                      const char *const *unit_names, unsigned n_units, uint64_t seed,
                      wf_error *err) {
  wf_gpu *gpu = wf_calloc(1, sizeof *gpu);
  gpu->config = *config;
  gpu->next_sample = WF_NEVER;
  wf_options_copy(&gpu->options, options);
  if (build(gpu, unit_names, n_units, seed, err)) return gpu;
  wf_gpu_destroy(gpu);
  return NULL;
}

void wf_gpu_destroy(wf_gpu *gpu) {
  if (!gpu) return;
  wf_gpu_destroy_units(gpu);
  for (unsigned s = 0; gpu->sms && s < gpu->config.n_sm; s++)
    if (gpu->sms[s].gpu) wf_sm_free(&gpu->sms[s]);
  free(gpu->sms);
  for (wf_module *m = gpu->modules, *next; m; m = next) {
    next = m->next;
    ptx_module_destroy(m->ptx);
    free(m);
  }
  for (size_t k = 0; k < gpu->n_kernels; k++) free(gpu->kernels[k].name);
  free(gpu->kernels);
  wf_probe_destroy(gpu->probe);
  wf_locality_destroy(gpu->locality);
  wf_footprint_destroy(gpu->footprint);
  wf_load_times_destroy(gpu->load_times);
  wf_sample_destroy(gpu->sample);
  wf_abyp_l2_destroy(gpu->abyp);
  wf_launcher_destroy(gpu->launcher);
  wf_dispatcher_destroy(gpu->dispatcher);
  wf_mem_destroy(gpu->mem);
  wf_image_destroy(gpu->image);
  ptx_heap_destroy(gpu->heap);
  wf_options_free(&gpu->options);
  free(gpu);
}

/* ---- host API ---- */

static bool place_globals(wf_gpu *gpu, ptx_module *module, wf_error *err) {
  size_t bytes;
  ptx_module_globals(module, &bytes);
  if (!bytes) return true;
  uint64_t at = wf_gpu_alloc(gpu, bytes, "module variables", err);
  if (!at) return false;
  ptx_module_place(module, at); /* fills in initial values that are addresses */
  return wf_gpu_write(gpu, at, ptx_module_globals(module, &bytes), bytes, err);
}

bool wf_gpu_load_ptx(wf_gpu *gpu, const char *name, const char *text, size_t bytes, wf_error *err) {
  ptx_module *ptx = ptx_parse_text(name, text, bytes, gpu->ops, gpu->n_ops, err);
  return ptx && wf_gpu_add_module(gpu, ptx, err);
}

bool wf_gpu_add_module(wf_gpu *gpu, ptx_module *ptx, wf_error *err) {
  wf_module *m = wf_calloc(1, sizeof *m);
  *m = (wf_module){.ptx = ptx, .next = gpu->modules};
  gpu->modules = m;
  return place_globals(gpu, ptx, err);
}

const ptx_kernel *wf_gpu_find_kernel(const wf_gpu *gpu, const char *name, wf_error *err) {
  if (!gpu->modules) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: no PTX module is loaded", name);
    return NULL;
  }
  wf_error none = {0}; /* the caller's is of a kernel that no module has */
  for (const wf_module *m = gpu->modules; m; m = m->next) {
    const ptx_kernel *k = ptx_find_kernel(m->ptx, name, &none);
    if (k) return k;
  }
  if (err) *err = none;
  return NULL;
}

bool wf_gpu_check_launch(const ptx_kernel *k, const wf_launch_args *a, wf_error *err) {
  for (unsigned d = 0; d < 3; d++)
    if (!a->grid[d] || !a->block[d] || a->block[d] > 1024)
      return wf_fail(
          err, WF_EXIT_BAD_INPUT,
          "kernel %s: grid %ux%ux%u of blocks %ux%ux%u: every extent must be at least 1, a "
          "block's at most 1024",
          k->name, a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1], a->block[2]);
  if (k->max_ntid && a->block[0] * a->block[1] * a->block[2] > k->max_ntid)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: %u threads a block, its .maxntid is %u",
                   k->name, a->block[0] * a->block[1] * a->block[2], k->max_ntid);
  if (a->n_params != k->n_params)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: %u parameters given, it takes %u", k->name,
                   a->n_params, k->n_params);
  for (unsigned p = 0; p < a->n_params; p++)
    if (!a->params[p])
      return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: parameter %s is missing", k->name,
                     k->params[p].name);
    else if (a->param_bytes[p] && a->param_bytes[p] != k->params[p].bytes)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: parameter %s has %u bytes, %u are given",
                     k->name, k->params[p].name, k->params[p].bytes, a->param_bytes[p]);
  if (k->n_regs + k->n_preds > 64 * WF_SCOREBOARD_WORDS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "kernel %s: %u registers and %u predicates a thread, at most %d in all", k->name,
                   k->n_regs, k->n_preds, 64 * WF_SCOREBOARD_WORDS);
  return true;
}

/* Who cannot follow kernels that threads launch; NULL: nobody. */
static const char *follows_one_kernel(const wf_gpu *gpu) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (gpu->units[u]->cls->needs & WF_NEED_ONE_KERNEL) return gpu->units[u]->cls->name;
  if (gpu->source) return "a trace";
  return gpu->locality || gpu->load_times ? "probe.locality or probe.loads" : NULL;
}

/* What the SMs must hold: of one kernel, or of all that might run beside it. */
static bool survey(wf_gpu *gpu, const ptx_kernel *k, wf_sm_needs_max *most, wf_error *err) {
  *most = (wf_sm_needs_max){k->n_regs, k->n_preds, k->local_bytes};
  if (!k->launches) return true;
  const char *follower = follows_one_kernel(gpu);
  if (follower)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "kernel %s launches kernels: not with %s, which follows one kernel at a time",
                   k->name, follower);
  for (const wf_module *m = gpu->modules; m; m = m->next)
    for (size_t i = 0; i < ptx_kernel_count(m->ptx); i++) {
      const ptx_kernel *other = ptx_kernel_at(m->ptx, i);
      if (other->n_regs > most->registers) most->registers = other->n_regs;
      if (other->n_preds > most->predicates) most->predicates = other->n_preds;
      if (other->local_bytes > most->local_bytes) most->local_bytes = other->local_bytes;
    }
  return true;
}

static bool provide_local(wf_gpu *gpu, uint32_t local_bytes, wf_error *err) {
  uint64_t per_sm = (uint64_t)gpu->config.warps_per_sm * PTX_LANES * local_bytes;
  uint64_t need = per_sm * gpu->config.n_sm;
  if (need > gpu->local_bytes) {
    gpu->local_base = wf_gpu_alloc(gpu, need, "local memory", err);
    gpu->local_bytes = need;
    if (!gpu->local_base) return false;
  }
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    gpu->sms[s].local_base = gpu->local_base + s * per_sm;
  return true;
}

/* As CUDA's default, cudaLimitMallocHeapSize. */
enum { HEAP_BYTES = 8 << 20 };

static bool provide_heap(wf_gpu *gpu, const ptx_kernel *k, wf_error *err) {
  bool wanted = k->heap;
  for (const wf_module *m = gpu->modules; k->launches && m; m = m->next)
    for (size_t i = 0; i < ptx_kernel_count(m->ptx); i++) wanted |= ptx_kernel_at(m->ptx, i)->heap;
  if (!wanted || gpu->heap) return true;
  const uint64_t at = wf_gpu_alloc(gpu, HEAP_BYTES, "the heap of malloc", err);
  if (at) gpu->heap = ptx_heap_create(at, HEAP_BYTES);
  return at != 0;
}

static void print_text(const char *text, size_t bytes) {
  fwrite(text, 1, bytes, stdout);
}

static void set_up_launch(wf_gpu *gpu, const ptx_kernel *k, const wf_launch_args *a,
                          uint8_t *params) {
  for (unsigned p = 0; p < k->n_params; p++)
    memcpy(params + k->params[p].offset, a->params[p], k->params[p].bytes);
  gpu->launch = (ptx_launch){.kernel = k,
                             .params = params,
                             .global = wf_image_data(gpu->image),
                             .global_base = WF_IMAGE_BASE,
                             .global_bytes = wf_image_bytes(gpu->image),
                             .print = print_text,
                             .heap = gpu->heap};
  memcpy(gpu->launch.ntid, a->block, sizeof a->block);
  memcpy(gpu->launch.nctaid, a->grid, sizeof a->grid);
}

void wf_gpu_sum_counters(wf_gpu *gpu) {
  gpu->sm_total = (wf_sm_counters){0};
  gpu->l1_total = (wf_l1_counters){0};
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    const uint64_t *from = (const uint64_t *)&gpu->sms[s].counters;
    uint64_t *to = (uint64_t *)&gpu->sm_total;
    for (size_t i = 0; i < sizeof(wf_sm_counters) / 8; i++) to[i] += from[i];
    from = (const uint64_t *)&gpu->sms[s].l1_counters;
    to = (uint64_t *)&gpu->l1_total;
    for (size_t i = 0; i < sizeof(wf_l1_counters) / 8; i++) to[i] += from[i];
  }
}

static void record_kernel(wf_gpu *gpu, const wf_launch_args *a, const wf_kernel_record *start,
                          unsigned fit) {
  gpu->kernels = wf_realloc(gpu->kernels, gpu->n_kernels + 1, sizeof *gpu->kernels);
  wf_kernel_record *r = &gpu->kernels[gpu->n_kernels++];
  *r = *start;
  r->name = wf_strdup(a->kernel);
  memcpy(r->grid, a->grid, sizeof r->grid);
  memcpy(r->block, a->block, sizeof r->block);
  r->cycles = gpu->cycle - start->start_cycle;
  r->warp_instructions = gpu->sm_total.warp_instructions - start->warp_instructions;
  r->thread_instructions = gpu->sm_total.thread_instructions - start->thread_instructions;
  r->ctas_per_sm = fit;
  r->registers = gpu->launch.kernel->n_regs;
}

/* Is the launch that is set up timed? If not, it has been executed. */
static bool sample(wf_gpu *gpu, const wf_launch_args *a, uint32_t shared,
                   const wf_kernel_record *start, unsigned fit, bool *timed, wf_error *err) {
  wf_functional_counts counts;
  if (gpu->source || gpu->launch.kernel->launches)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "kernel %s: sample.*: not with %s", a->kernel,
                   gpu->source ? "a trace" : "kernels that launch kernels");
  if (!wf_sample_launch(gpu->sample, &gpu->launch, shared, wf_image_used(gpu->image), timed,
                        &counts, err))
    return false;
  if (*timed) return true;
  record_kernel(gpu, a, start, fit);
  wf_kernel_record *r = &gpu->kernels[gpu->n_kernels - 1];
  r->warp_instructions = counts.warp_instructions;
  r->thread_instructions = counts.thread_instructions;
  r->executed = true;
  return true;
}

/* The L1s are cleared between kernels: now their lines have left. */
static void end_locality(wf_gpu *gpu) {
  wf_locality_begin(gpu->locality, NULL);
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_l1_clear(gpu->sms[s].l1);
}

static void see_kernel(wf_gpu *gpu, wf_seen_kind kind) {
  const ptx_launch *l = &gpu->launch;
  wf_seen what = {
      .kind = kind, .cycle = gpu->cycle + (kind == WF_SEEN_KERNEL_BEGIN), .name = l->kernel->name};
  memcpy(what.blocks, l->nctaid, sizeof what.blocks);
  memcpy(what.threads, l->ntid, sizeof what.threads);
  wf_gpu_see(gpu, &what);
}

void wf_gpu_observe(wf_gpu *gpu, const wf_observer *observer) {
  assert(gpu->n_observers < WF_OBSERVERS);
  const unsigned i = gpu->n_observers++;
  gpu->observers[i] = observer;
  gpu->sample_at[i] = observer->every ? gpu->cycle + observer->every : WF_NEVER;
  if (gpu->sample_at[i] < gpu->next_sample) gpu->next_sample = gpu->sample_at[i];
  for (unsigned s = 0; s < gpu->config.n_sm; s++) wf_sm_see_clock(&gpu->sms[s]);
}

/* Once the host has loaded its modules. */
static bool change_kernels(wf_gpu *gpu, wf_error *err) {
  const wf_gpu_settings *s = &gpu->settings;
  if (gpu->hinted) return true;
  for (const wf_module *m = s->red ? gpu->modules : NULL; m; m = m->next)
    for (size_t i = 0; i < ptx_kernel_count(m->ptx); i++)
      ptx_reduce_unread(ptx_kernel_at(m->ptx, i));
  gpu->hinted = wf_gpu_hint(gpu, "ptx.cg", s->cg, PTX_HINT_CG, err) &&
                wf_gpu_hint(gpu, "ptx.no_allocate", s->no_allocate, PTX_HINT_NO_ALLOCATE, err);
  return gpu->hinted;
}

bool wf_gpu_launch_kernel(wf_gpu *gpu, const ptx_kernel *k, const wf_launch_args *args,
                          wf_error *err) {
  const uint64_t used = wf_image_used(gpu->image);
  wf_sm_needs_max most;
  if (!wf_gpu_check_launch(k, args, err) || !change_kernels(gpu, err) ||
      !survey(gpu, k, &most, err) || !provide_local(gpu, most.local_bytes, err) ||
      !provide_heap(gpu, k, err))
    return false;
  uint8_t *params = wf_calloc(k->param_bytes + 1, 1);
  set_up_launch(gpu, k, args, params);
  uint32_t shared = k->shared_bytes + args->shared_bytes;
  unsigned fit = wf_sm_fit(&gpu->config, &gpu->launch, shared, err);
  wf_kernel_record start = {.start_cycle = gpu->cycle,
                            .warp_instructions = gpu->sm_total.warp_instructions,
                            .thread_instructions = gpu->sm_total.thread_instructions};
  bool timed = true,
       ok = fit > 0 && (!gpu->sample || sample(gpu, args, shared, &start, fit, &timed, err));
  if (!ok || !timed) {
    free(params);
    return ok;
  }
  ok = wf_gpu_wait(gpu, gpu->config.launch_host, err);
  start.start_cycle = gpu->cycle;
  ok = ok && (!gpu->source || gpu->source->begin(gpu->source, &gpu->launch, shared, used, err));
  for (unsigned s = 0; ok && s < gpu->config.n_sm; s++)
    ok = wf_sm_begin_kernel(&gpu->sms[s], &most, shared, fit);
  wf_mem_forget_stores(gpu->mem);
  if (ok) see_kernel(gpu, WF_SEEN_KERNEL_BEGIN);
  ok = ok && wf_launcher_begin(gpu->launcher, &gpu->launch, shared, err);
  if (ok && gpu->locality) wf_locality_begin(gpu->locality, k);
  if (ok && gpu->load_times) wf_load_times_begin(gpu->load_times, k);
  ok = ok && wf_gpu_begin_seats(gpu, &(wf_kernel_room){fit, shared}, err);
  ok = ok && wf_gpu_run_kernel(gpu, err);
  if (ok && gpu->source) ok = gpu->source->end(gpu->source, err);
  if (ok) wf_launcher_end(gpu->launcher);
  wf_gpu_end_seats(gpu);
  wf_gpu_sum_counters(gpu);
  if (ok) see_kernel(gpu, WF_SEEN_KERNEL_END);
  if (ok && gpu->locality) end_locality(gpu);
  if (ok && gpu->footprint) wf_footprint_end(gpu->footprint);
  if (ok) record_kernel(gpu, args, &start, fit);
  free(params);
  return ok;
}

bool wf_gpu_resident_blocks(const wf_gpu *gpu, const char *kernel, uint32_t block,
                            uint32_t shared_bytes, uint32_t *blocks, wf_error *err) {
  const ptx_kernel *k = wf_gpu_find_kernel(gpu, kernel, err);
  if (!k) return false;
  const ptx_launch launch = {.kernel = k, .ntid = {block, 1, 1}};
  const uint32_t unit = gpu->blocks.ops->shared_unit ? gpu->blocks.ops->shared_unit : 1,
                 bytes = (k->shared_bytes + shared_bytes + unit - 1) / unit * unit;
  *blocks = wf_sm_fit(&gpu->config, &launch, bytes, err);
  if (gpu->config.swl && *blocks > gpu->config.swl) *blocks = gpu->config.swl;
  *blocks *= gpu->config.n_sm;
  return *blocks > 0;
}

bool wf_gpu_launch(wf_gpu *gpu, const wf_launch_args *args, wf_error *err) {
  const ptx_kernel *k = wf_gpu_find_kernel(gpu, args->kernel, err);
  const char *sampled = gpu->sample ? wf_sample_kernel(gpu->sample) : NULL;
  if (k && sampled && !wf_gpu_find_kernel(gpu, sampled, err)) return false;
  return k && wf_gpu_launch_kernel(gpu, k, args, err);
}

_Static_assert(WF_MAX_SMS <= (int)WF_SOURCE_SMS, "a source keeps state of every SM's warps");
void wf_gpu_set_source(wf_gpu *gpu, wf_warp_source *source) {
  gpu->source = source;
}
uint64_t wf_gpu_memory_used(const wf_gpu *gpu) {
  return wf_image_used(gpu->image);
}

bool wf_gpu_has_unit(const wf_gpu *gpu, const char *unit) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (strcmp(gpu->units[u]->cls->name, unit) == 0) return true;
  return false;
}

/* Of the allocation in which `device` lies. */
static uint64_t last_byte(const wf_image *image, uint64_t device) {
  size_t n;
  const wf_allocation *all = wf_image_allocations(image, &n);
  for (size_t i = 0; i < n; i++)
    if (device >= all[i].at && device - all[i].at < all[i].bytes)
      return all[i].at + all[i].bytes - 1;
  return device;
}

static bool write_base(const wf_image *image, wf_unit *unit, const char *base, uint64_t device,
                       wf_error *err) {
  const wf_unit_class *cls = unit->cls;
  unsigned number;
  if (!wf_unit_find_base(cls, base, &number, err)) return false;
  const uint64_t last = last_byte(image, device); /* up to which its addresses must not wrap */
  if (last > UINT32_MAX)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s.%s: memory at 0x%" PRIx64 " to 0x%" PRIx64 " does not fit the unit's 32 "
                   "bits of address; allocate it first, in the first 4 GiB",
                   cls->name, base, device, last);
  return cls->write_base(unit, number, (uint32_t)device, err);
}

bool wf_gpu_unit_base(wf_gpu *gpu, const char *name, const char *base, uint64_t device,
                      wf_error *err) {
  for (unsigned u = 0; u < gpu->n_units; u++)
    if (strcmp(gpu->units[u]->cls->name, name) == 0)
      return write_base(gpu->image, gpu->units[u], base, device, err);
  return wf_fail(err, WF_EXIT_BAD_INPUT, "unit %s is not part of this GPU: --unit %s", name, name);
}

static void tell_row(wf_gpu *gpu, const wf_preload_row *row) {
  for (unsigned u = 0; u < gpu->n_units; u++) {
    const wf_preload_ops *ops = gpu->units[u]->cls->preload;
    if (ops && ops->set_row) ops->set_row(gpu->units[u], row);
  }
}
void wf_gpu_cta_flush(wf_gpu *gpu) {
  tell_row(gpu, NULL);
}
void wf_gpu_cta_tracker(wf_gpu *gpu, const wf_preload_row *row) {
  tell_row(gpu, row);
}

const wf_options *wf_gpu_options(const wf_gpu *gpu) {
  return &gpu->options;
}

const wf_probe *wf_gpu_probe(const wf_gpu *gpu) {
  return gpu->probe;
}
const wf_locality *wf_gpu_locality(const wf_gpu *gpu) {
  return gpu->locality;
}
const wf_footprint *wf_gpu_footprint(const wf_gpu *gpu) {
  return gpu->footprint;
}
const wf_sample_counters *wf_gpu_sampled(const wf_gpu *gpu) {
  return gpu->sample ? wf_sample_get(gpu->sample) : NULL;
}
const wf_load_times *wf_gpu_load_times(const wf_gpu *gpu) {
  return gpu->load_times;
}
uint64_t wf_gpu_cycles(const wf_gpu *gpu) {
  return gpu->cycle;
}
const wf_sm_counters *wf_gpu_sm_counters(const wf_gpu *gpu) {
  return &gpu->sm_total;
}
const wf_l1_counters *wf_gpu_l1_counters(const wf_gpu *gpu) {
  return &gpu->l1_total;
}
const wf_mem_counters *wf_gpu_mem_counters(const wf_gpu *gpu) {
  return wf_mem_get_counters(gpu->mem);
}
bool wf_gpu_low_counters(const wf_gpu *gpu, wf_pstate_counters *counters, double *clock) {
  *counters = (wf_pstate_counters){0};
  for (unsigned s = 0; s < gpu->config.n_sm; s++)
    wf_sm_add_pstate(&gpu->sms[s], WF_PSTATE_LOW, counters);
  *clock = gpu->low_clock;
  return gpu->low_clock > 0;
}
void wf_gpu_pstate_counters(const wf_gpu *gpu, unsigned sm, wf_pstate state,
                            wf_pstate_counters *counters) {
  *counters = (wf_pstate_counters){0};
  wf_sm_add_pstate(&gpu->sms[sm], state, counters);
}
const wf_launch_counters *wf_gpu_launch_counters(const wf_gpu *gpu) {
  return wf_launcher_counters(gpu->launcher);
}
const wf_kernel_record *wf_gpu_kernels(const wf_gpu *gpu, size_t *count) {
  *count = gpu->n_kernels;
  return gpu->kernels;
}
const wf_gpu_config *wf_gpu_get_config(const wf_gpu *gpu) {
  return &gpu->config;
}
wf_unit *wf_gpu_unit(const wf_gpu *gpu, unsigned index) {
  return index < gpu->n_units ? gpu->units[index] : NULL;
}
void wf_gpu_on_progress(wf_gpu *gpu, wf_progress_fn fn, void *user) {
  gpu->progress = fn;
  gpu->progress_user = user;
}
void wf_gpu_limit_cycles(wf_gpu *gpu, uint64_t max_cycles) {
  gpu->max_cycles = max_cycles;
}
