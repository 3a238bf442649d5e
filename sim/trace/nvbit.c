/* What NVBit's mem_trace tool prints: LAUNCH lines, and a line of 32 addresses per warp and memory
 * instruction. There are no other instructions, no pcs, masks or registers: a lane with address 0
 * is inactive, and a load is taken to be waited for by the warp's next load. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/source.h"
#include "sim/trace/blocks.h"
#include "sim/trace/program.h"
#include "sim/trace/scan_text.h"

enum { MAX_BLOCKS = 1 << 24, MAX_WARPS_OF_BLOCK = 32 };

struct wf_trace_reader {
  char *path;
  wf_source s;
  wf_blocks blocks;
  uint8_t (*ids)[MAX_WARPS_OF_BLOCK +
                 1]; /* by block: count, then the SM's warp numbers in order of appearance */
  uint64_t launch;
  unsigned warps_per_block;
  bool begun;
};

static const char expected[] =
    "the output of NVBit's mem_trace tool (lines that begin with MEMTRACE:)";
static const char mark[] = "MEMTRACE:";

static const char *find_text(const char *p, const char *end, const char *what) {
  const size_t n = strlen(what);
  for (; p + n <= end; p++)
    if (*p == *what && !memcmp(p, what, n)) return p;
  return NULL;
}

static bool takes(const char *path) {
  wf_source s;
  wf_error err = {0};
  if (!wf_source_open_as(&s, path, expected, &err)) return false;
  size_t bytes = 1 << 16;
  const char *p = wf_source_peek(&s, &bytes);
  const bool found = p && find_text(p, p + bytes, mark);
  wf_source_close(&s);
  return found;
}

static void reader_close(wf_trace_reader *r) {
  if (!r) return;
  wf_source_close(&r->s);
  wf_blocks_free(&r->blocks);
  free(r->ids);
  free(r->path);
  free(r);
}

static wf_trace_reader *reader_open(const char *path, wf_error *err) {
  wf_trace_reader *r = wf_calloc(1, sizeof *r);
  r->path = wf_strdup(path);
  if (wf_source_open_as(&r->s, r->path, expected, err)) return r;
  free(r->path);
  free(r);
  return NULL;
}

/* The next line of the tool's, not taken yet; *end: its '\n'. Lines of the program itself are
 * passed over. */
static const char *next_line(wf_source *s, const char **end) {
  while (wf_source_more(s)) {
    const char *p = wf_text_skip(s->cur);
    *end = memchr(p, '\n', (size_t)(s->end - p));
    s->line++;
    if ((size_t)(*end - p) >= sizeof mark - 1 && !memcmp(p, mark, sizeof mark - 1)) return p;
    s->cur = *end + 1;
  }
  return NULL;
}

/* Behind " - <what>" in the line. */
static const char *field(const char *p, const char *end, const char *what) {
  p = find_text(p, end, what);
  return p ? p + strlen(what) : NULL;
}

static bool number_field(const char *p, const char *end, const char *what, uint64_t *v) {
  p = field(p, end, what);
  return p && wf_text_number(p, v);
}

static bool triple_field(const char *p, const char *end, const char *what, uint32_t v[3]) {
  p = field(p, end, what);
  return p && wf_text_triple(p, v);
}

static bool read_launch(wf_trace_reader *r, const char *p, const char *end, wf_trace_kernel *k) {
  static const char name_mark[] = "Kernel name ", name_end[] = " - grid launch id ";
  wf_source *s = &r->s;
  const char *name = field(p, end, name_mark), *stop = name ? find_text(name, end, name_end) : NULL;
  uint64_t registers = 0, shared = 0;
  bool ok = stop && number_field(stop, end, "grid launch id ", &r->launch) &&
            triple_field(stop, end, "grid size ", k->grid) &&
            triple_field(stop, end, "block size ", k->block) &&
            number_field(stop, end, "nregs ", &registers) &&
            number_field(stop, end, "shmem ", &shared) &&
            number_field(stop, end, "cuda stream id ", &k->stream);
  if (!ok)
    return wf_source_fail(s, "LAUNCH: expected Kernel name, grid launch id, grid size, block size, "
                             "nregs, shmem, cuda stream id");
  uint64_t blocks = 1, threads = 1;
  for (unsigned d = 0; d < 3; d++) {
    ok = ok && k->grid[d] && k->grid[d] <= MAX_BLOCKS / blocks && k->block[d] &&
         k->block[d] <= 1024 / threads;
    blocks *= ok ? k->grid[d] : 1;
    threads *= ok ? k->block[d] : 1;
  }
  if (!ok || registers > 512 || shared > 1u << 24)
    return wf_source_fail(
        s, "LAUNCH: grid %u,%u,%u of blocks %u,%u,%u: expected 1 to %d blocks of 1 to 1024 threads",
        k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2], MAX_BLOCKS);
  k->name = wf_calloc((size_t)(stop - name) + 1, 1);
  memcpy(k->name, name, (size_t)(stop - name));
  k->file = wf_strdup(r->path);
  k->id = (uint32_t)r->launch;
  k->registers = (uint32_t)registers;
  k->shared_bytes = (uint32_t)shared;
  k->binary_version = 80; /* not told */
  wf_blocks_start(&r->blocks, k->grid);
  free(r->ids);
  r->ids = wf_calloc(blocks, sizeof *r->ids);
  r->warps_per_block = (unsigned)((threads + PTX_LANES - 1) / PTX_LANES);
  return true;
}

static bool is_launch(const char *p, const char *end) {
  return find_text(p, end, " - LAUNCH - ") != NULL;
}

static int reader_command(wf_trace_reader *r, wf_trace_command *c, wf_error *err) {
  const char *end;
  *c = (wf_trace_command){.kind = WF_TRACE_KERNEL};
  r->s.err = err;
  for (const char *p; (p = next_line(&r->s, &end));) {
    if (is_launch(p, end)) {
      if (!read_launch(r, p, end, &c->kernel)) return wf_trace_kernel_free(&c->kernel), -1;
      r->s.cur = end + 1;
      r->begun = true;
      return 1;
    }
    if (!r->begun) return wf_source_fail(&r->s, "a memory access before the first LAUNCH line"), -1;
    r->s.cur = end + 1; /* of a kernel that is skipped */
  }
  return r->s.failed ? -1 : 0;
}

static bool reader_mixed(const wf_trace_reader *r) {
  (void)r;
  return true;
}

static bool warp_index(wf_trace_reader *r, uint64_t warp, wf_trace_event *e) {
  uint8_t *ids = r->ids[wf_blocks_number(&r->blocks, e->cta)];
  for (unsigned i = 0; i < ids[0]; i++)
    if (ids[i + 1] == warp) return e->warp = i, true;
  if (warp > 255 || ids[0] == r->warps_per_block)
    return wf_source_fail(
        &r->s, "warp %llu: the block's %u warps have been seen already under other numbers",
        (unsigned long long)warp, r->warps_per_block);
  e->warp = ids[0];
  ids[++ids[0]] = (uint8_t)warp;
  return true;
}

static bool read_addresses(wf_source *s, const char *p, wf_trace_event *e) {
  e->mask = 0;
  for (unsigned l = 0; l < PTX_LANES; l++) {
    p = wf_text_hex(p, &e->address[l]);
    if (!p || !wf_text_ends(*p))
      return wf_source_fail(
          s, "expected 32 hexadecimal addresses, 0 for inactive lanes; number %u is none", l + 1);
    e->mask |= (uint32_t)(e->address[l] != 0) << l;
  }
  return *wf_text_skip(p) == '\n' || wf_source_fail(s, "more than 32 addresses");
}

static bool read_access(wf_trace_reader *r, const char *p, const char *end,
                        wf_trace_program *program, wf_trace_event *e) {
  wf_source *s = &r->s;
  uint64_t launch, warp;
  const char *w = field(p, end, " - warp "), *o = w ? wf_text_number(w, &warp) : NULL;
  o = o ? field(o, end, " - ") : NULL;
  if (!o || !number_field(p, end, "grid_launch_id ", &launch) ||
      !triple_field(p, end, " - CTA ", e->cta))
    return wf_source_fail(s,
                          "expected CTX, grid_launch_id, CTA x,y,z, warp, opcode and 32 addresses");
  if (launch != r->launch)
    return wf_source_fail(s, "grid_launch_id %llu: the last LAUNCH line is of %llu",
                          (unsigned long long)launch, (unsigned long long)r->launch);
  if (!wf_blocks_inside(&r->blocks, e->cta))
    return wf_source_fail(s, "CTA %u,%u,%u is outside the grid %u,%u,%u", e->cta[0], e->cta[1],
                          e->cta[2], r->blocks.grid[0], r->blocks.grid[1], r->blocks.grid[2]);
  o = wf_text_skip(o);
  const char *stop = o + wf_text_opcode(o), *a = wf_text_skip(stop);
  if (stop == o || a[0] != '-' || a[1] != ' ')
    return wf_source_fail(s, "expected an opcode and \" - \" before the addresses");
  wf_trace_op *op = wf_trace_find(program, 0, o, (size_t)(stop - o));
  if (!op && program->kernel)
    return wf_source_fail(s, "an opcode that was not there when the file was checked");
  if (!op) {
    wf_trace_op_text t = {.opcode = o, .opcode_bytes = (size_t)(stop - o), .width = 4, .n_dst = 1};
    const ptx_class cls = wf_sass_classify(program->generation, o, t.opcode_bytes).cls;
    if (cls != PTX_CLASS_LOAD) t.n_dst = 0;
    op = wf_trace_add(program, &t, o, t.opcode_bytes);
  }
  e->kind = WF_TRACE_INST;
  e->op = (uint32_t)(op - program->ops);
  if (!read_addresses(s, a + 1, e) || !warp_index(r, warp, e)) return false;
  s->cur = end + 1;
  return true;
}

static bool reader_next(wf_trace_reader *r, wf_trace_program *program, wf_trace_event *e,
                        wf_error *err) {
  const char *end, *p = (r->s.err = err, next_line(&r->s, &end));
  if (!p && r->s.failed) return false;
  if (p && !is_launch(p, end)) return read_access(r, p, end, program, e);
  if (p) r->s.line--; /* it is read again, as the next command */
  e->kind = WF_TRACE_END;
  return true;
}

const wf_trace_format wf_trace_nvbit = {.name = "NVBit mem_trace output",
                                        .takes = takes,
                                        .open = reader_open,
                                        .command = reader_command,
                                        .next = reader_next,
                                        .mixed = reader_mixed,
                                        .close = reader_close};
