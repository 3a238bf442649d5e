/* Records runs of PTX as Accel-Sim traces. It is a source of instructions that executes PTX and
 * listens; blocks are written in the order in which they were dispatched. What SASS cannot say
 * (classes, all registers, loops) stands in the header under our own keys, so that reading the
 * trace back gives the same cycles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_target.h"
#include "sim/base/wf_text.h"
#include "sim/graph/sink.h"
#include "sim/trace/accelsim_header.h"
#include "sim/trace/pack.h"
#include "sim/trace/sass_text.h"
#include "sim/trace/trace.h"

enum {
  WARPS_OF_BLOCK = 32,
  LINE_BYTES = 256 + 24 * PTX_LANES,
  SASS_VERSION = 80,
  TRACER_VERSION = 5
};

typedef struct block {
  uint32_t id[3];
  unsigned started, live;
  wf_pack warps[WARPS_OF_BLOCK];
  struct block *next; /* dispatched after it */
} block;

typedef struct place {
  block *block;
  unsigned warp;
} place;

struct wf_trace_writer {
  wf_warp_source source; /* first */
  wf_target folder;      /* takes its name with the last file */
  char *ending;
  wf_sink *list, *file;
  unsigned n_kernels;
  ptx_launch launch;
  char **keys; /* of the kernel's instructions: the static part of their lines */
  int64_t *immediates;
  uint32_t n_keys;
  block *first, *last;
  place *places; /* [WF_SOURCE_SMS][WF_SOURCE_SLOTS] */
};

/* ---- files ---- */

static void write_text(wf_sink *s, char *text) {
  wf_sink_text(s, text);
  free(text);
}

static void write_header(wf_trace_writer *w, uint32_t shared_bytes, uint64_t memory_used) {
  const ptx_launch *l = &w->launch;
  const ptx_kernel *k = l->kernel;
  wf_sink *s = w->file;
  write_text(
      s, wf_text(
             "-kernel name = %s\n-kernel id = %u\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n"
             "-shmem = %u\n-nregs = %u\n-binary version = %d\n-cuda stream id = 0\n",
             k->name, w->n_kernels, l->nctaid[0], l->nctaid[1], l->nctaid[2], l->ntid[0],
             l->ntid[1], l->ntid[2], shared_bytes, k->n_regs, SASS_VERSION));
  write_text(s, wf_text("-shmem base_addr = 0x%016" PRIx64 "\n-local mem base_addr = 0x%016" PRIx64
                        "\n-nvbit version = none\n"
                        "-accelsim tracer version = %d\n-enable lineinfo = 0\n",
                        (uint64_t)PTX_SHARED_WINDOW, (uint64_t)PTX_LOCAL_WINDOW, TRACER_VERSION));
  write_text(s, wf_text("-warpfab memory used = %" PRIu64 "\n-warpfab local bytes = %u\n",
                        memory_used, k->local_bytes));
  for (uint32_t i = 0; i < k->n_insts; i++) {
    char *text = wf_accelsim_inst_text(16 * (uint64_t)i, &k->insts[i], w->keys[i],
                                       ptx_inst_text(&k->insts[i]));
    write_text(s, wf_text("-warpfab inst = %s\n", text));
    free(text);
  }
  for (uint32_t i = 0; i < k->n_loops; i++)
    write_text(s, wf_text("-warpfab loop = %u %u %u\n", k->loops[i].low, k->loops[i].high,
                          k->loops[i].parent));
  wf_sink_text(s, "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
                  "[reg_srcs] mem_width "
                  "[adrrescompress?] [mem_addresses] immediate\n");
}

/* Base and stride if the lanes are one run of two or more with one stride between them; else base
 * and differences. */
static size_t write_addresses(char *to, size_t room, uint32_t mask, const uint64_t *address) {
  if (!mask) return (size_t)snprintf(to, room, " 1 0x0 0");
  const unsigned first = (unsigned)__builtin_ctz(mask);
  const uint32_t run = mask >> first;
  bool even = run > 1 && !(run & (run + 1));
  const int64_t stride = even ? (int64_t)(address[first + 1] - address[first]) : 0;
  for (uint32_t m = mask & (mask - 1); m && even; m &= m - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(m);
    even = (int64_t)(address[lane] - address[lane - 1]) == stride;
  }
  if (even) return (size_t)snprintf(to, room, " 1 0x%" PRIx64 " %" PRId64, address[first], stride);
  size_t n = (size_t)snprintf(to, room, " 2 0x%" PRIx64, address[first]);
  uint64_t before = address[first];
  for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
    const uint64_t now = address[__builtin_ctz(m)];
    n += (size_t)snprintf(to + n, room - n, " %" PRId64, (int64_t)(now - before));
    before = now;
  }
  return n;
}

static void write_instruction(wf_trace_writer *w, wf_unpack *u) {
  char line[LINE_BYTES];
  const ptx_inst *inst = &w->launch.kernel->insts[u->op];
  size_t n =
      (size_t)snprintf(line, sizeof line, "%04x %08x %s", 16 * u->op, u->mask, w->keys[u->op]);
  uint64_t address[PTX_LANES];
  const bool addressed = wf_sass_addressed(inst);
  if (u->addressed) {
    wf_unpack_addresses(u, address);
    const uint64_t window = inst->space != PTX_SPACE_GENERIC ? 0
                            : u->space == PTX_SPACE_SHARED   ? PTX_SHARED_WINDOW
                            : u->space == PTX_SPACE_LOCAL    ? PTX_LOCAL_WINDOW
                                                             : 0;
    for (uint32_t m = u->mask; m && window; m &= m - 1) address[__builtin_ctz(m)] += window;
  }
  if (addressed)
    n += write_addresses(line + n, sizeof line - n, u->addressed ? u->mask : 0, address);
  n += (size_t)snprintf(line + n, sizeof line - n, " %" PRId64 "\n", w->immediates[u->op]);
  wf_sink_write(w->file, line, n);
}

static uint64_t count_of(const wf_pack *pack) {
  uint64_t address[PTX_LANES], n = 0;
  for (wf_unpack u = wf_unpack_start(pack); wf_unpack_next(&u); n++)
    if (u.addressed) wf_unpack_addresses(&u, address);
  return n;
}

static void write_block(wf_trace_writer *w, block *b) {
  write_text(w->file,
             wf_text("\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", b->id[0], b->id[1], b->id[2]));
  for (unsigned i = 0; i < b->started; i++) {
    write_text(w->file, wf_text("\nwarp = %u\ninsts = %" PRIu64 "\n", i, count_of(&b->warps[i])));
    for (wf_unpack u = wf_unpack_start(&b->warps[i]); wf_unpack_next(&u);) write_instruction(w, &u);
    wf_pack_free(&b->warps[i]);
  }
  wf_sink_text(w->file, "\n#END_TB\n");
}

/* Blocks that have ended, as far as those before them have. */
static void write_ended(wf_trace_writer *w) {
  while (w->first && w->first->started && !w->first->live) {
    block *b = w->first;
    write_block(w, b);
    w->first = b->next;
    if (!w->first) w->last = NULL;
    free(b);
  }
}

/* ---- the source ---- */

static wf_trace_writer *self_of(wf_warp_source *s) {
  return (wf_trace_writer *)s;
}
static place *place_of(wf_trace_writer *w, const ptx_warp *p) {
  return &w->places[p->sm_id * WF_SOURCE_SLOTS + p->warp_slot];
}

static void free_keys(wf_trace_writer *w) {
  for (uint32_t i = 0; i < w->n_keys; i++) free(w->keys[i]);
  free(w->keys);
  free(w->immediates);
  w->keys = NULL;
  w->immediates = NULL;
  w->n_keys = 0;
}

static bool can_be_recorded(const ptx_kernel *k, wf_error *err) {
  if (k->calls)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "trace write: kernel %s calls functions, which traces written here do not have: "
                   "let the compiler inline them",
                   k->name);
  for (uint32_t i = 0; i < k->n_insts; i++)
    if (k->insts[i].cls > PTX_CLASS_EXIT ||
        (k->insts[i].cls == PTX_CLASS_BARRIER && k->insts[i].custom_id != PTX_BARRIER_ALL))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "trace write: kernel %s, PTX line %u `%s`: traces have no such instruction",
                     k->name, k->insts[i].line, ptx_inst_text(&k->insts[i]));
  return true;
}

static bool source_begin(wf_warp_source *s, const ptx_launch *launch, uint32_t shared_bytes,
                         uint64_t memory_used, wf_error *err) {
  wf_trace_writer *w = self_of(s);
  const ptx_kernel *k = launch->kernel;
  if (!can_be_recorded(k, err)) return false;
  char *name = wf_text("kernel-%u.traceg%s", ++w->n_kernels, w->ending),
       *path = wf_text("%s/%s", w->folder.temporary, name);
  w->launch = *launch;
  w->file = wf_sink_open(path, err);
  if (w->file) {
    w->keys = wf_calloc(k->n_insts + 1u, sizeof *w->keys);
    w->n_keys = k->n_insts;
    w->immediates = wf_calloc(k->n_insts + 1u, sizeof *w->immediates);
    for (uint32_t i = 0; i < k->n_insts; i++)
      w->keys[i] = wf_sass_key(&k->insts[i], k->n_regs, &w->immediates[i]);
    write_header(w, shared_bytes, memory_used);
    write_text(w->list, wf_text("%s\n", name));
  }
  free(name);
  free(path);
  return w->file != NULL;
}

static bool source_end(wf_warp_source *s, wf_error *err) {
  wf_trace_writer *w = self_of(s);
  wf_sink *file = w->file;
  w->file = NULL;
  free_keys(w);
  return wf_sink_finish(file, err);
}

static void source_start_cta(wf_warp_source *s, uint32_t ctaid[3]) {
  wf_trace_writer *w = self_of(s);
  block *b = wf_calloc(1, sizeof *b);
  memcpy(b->id, ctaid, sizeof b->id);
  if (w->last)
    w->last->next = b;
  else
    w->first = b;
  w->last = b;
}

static ptx_pc source_start_warp(wf_warp_source *s, const ptx_warp *p) {
  wf_trace_writer *w = self_of(s);
  *place_of(w, p) = (place){w->last, p->warp_in_cta};
  w->last->started++;
  w->last->live++;
  return 0;
}

static void source_end_warp(wf_warp_source *s, const ptx_warp *p) {
  wf_trace_writer *w = self_of(s);
  if (--place_of(w, p)->block->live == 0) write_ended(w);
}

static bool source_execute(wf_warp_source *s, const ptx_inst *inst, ptx_warp *p, uint32_t mask,
                           ptx_effect *effect, wf_error *err) {
  wf_trace_writer *w = self_of(s);
  if (!ptx_execute(inst, p, mask, effect, err)) return false;
  const place *at = place_of(w, p);
  const bool addressed = wf_sass_addressed(inst);
  wf_pack_put(&at->block->warps[at->warp], (uint32_t)(inst - w->launch.kernel->insts),
              effect->active, addressed ? (ptx_space)effect->space : PTX_SPACE_NONE,
              addressed ? effect->addr : NULL);
  return true;
}

static void source_copied(wf_warp_source *s, uint64_t device, uint64_t bytes) {
  write_text(self_of(s)->list, wf_text("MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", device, bytes));
}

/* ---- life ---- */

/* "folder:gz" packs the kernels' files. */
static bool split_ending(const char *text, char **folder, char **ending, wf_error *err) {
  const char *colon = strrchr(text, ':');
  if (colon && strcmp(colon, ":gz") && strcmp(colon, ":xz") && strcmp(colon, ":zst"))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "trace write: %s: behind the folder's name expected :gz, :xz, :zst or nothing",
                   text);
  *ending = colon ? wf_text(".%s", colon + 1) : wf_strdup("");
  *folder = colon ? wf_text("%.*s", (int)(colon - text), text) : wf_strdup(text);
  return true;
}

static bool make_folder(wf_trace_writer *w, const char *name, wf_error *err) {
  char *list = wf_text("%s/kernelslist.g", name);
  const bool taken = access(list, F_OK) == 0;
  free(list);
  if (taken)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "trace write: %s holds a trace already: remove it or name another folder", name);
  return wf_target_open_folder(&w->folder, name, err);
}

wf_trace_writer *wf_trace_writer_create(const char *folder, wf_error *err) {
  wf_trace_writer *w = wf_calloc(1, sizeof *w);
  w->places = wf_calloc(WF_SOURCE_SMS * WF_SOURCE_SLOTS, sizeof *w->places);
  w->source = (wf_warp_source){.begin = source_begin,
                               .end = source_end,
                               .start_cta = source_start_cta,
                               .start_warp = source_start_warp,
                               .end_warp = source_end_warp,
                               .execute = source_execute,
                               .copied = source_copied};
  char *name = NULL;
  if (split_ending(folder, &name, &w->ending, err) && make_folder(w, name, err)) {
    char *path = wf_text("%s/kernelslist.g", w->folder.temporary);
    w->list = wf_sink_open(path, err);
    free(path);
  }
  free(name);
  if (w->list) return w;
  wf_trace_writer_destroy(w);
  return NULL;
}

wf_warp_source *wf_trace_writer_source(wf_trace_writer *w) {
  return &w->source;
}

bool wf_trace_writer_finish(wf_trace_writer *w, wf_error *err) {
  wf_sink *list = w->list;
  w->list = NULL;
  return wf_sink_finish(list, err) && wf_target_commit_folder(&w->folder, err);
}

void wf_trace_writer_destroy(wf_trace_writer *w) {
  if (!w) return;
  if (w->file) wf_sink_abandon(w->file);
  if (w->list) wf_sink_abandon(w->list);
  for (block *b = w->first, *next; b; b = next) {
    next = b->next;
    for (unsigned i = 0; i < WARPS_OF_BLOCK; i++) wf_pack_free(&b->warps[i]);
    free(b);
  }
  free_keys(w);
  free(w->places);
  wf_target_abandon_folder(&w->folder);
  free(w->ending);
  free(w);
}
