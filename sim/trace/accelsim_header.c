#include "sim/trace/accelsim_header.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/trace/program.h"
#include "sim/trace/scan_text.h"

enum { OLDEST_TRACER = 1, NEWEST_TRACER = 6, MAX_GIVEN = 1 << 20 };
#define MAX_BLOCKS (UINT64_C(1) << 32)

/* Which keys were there. */
enum { HAS_NAME = 1, HAS_GRID = 2, HAS_BLOCK = 4, HAS_VERSION = 8, HAS_ALL = 15 };

typedef struct parser {
  wf_source *s;
  wf_accelsim_header *h;
  wf_trace_kernel *k;
  unsigned has;
} parser;

static bool bad_value(parser *p, const char *key, const char *expected) {
  return wf_source_fail(p->s, "header: %s: expected %s", key, expected);
}

static char *copy_line(const char *v) {
  v = wf_text_skip(v);
  const char *end = v;
  while (*end != '\n') end++;
  while (end > v && wf_text_blank(end[-1])) end--;
  char *text = wf_calloc((size_t)(end - v) + 1, 1);
  memcpy(text, v, (size_t)(end - v));
  return text;
}

static bool take_triple(parser *p, const char *v, const char *key, uint32_t out[3], uint64_t most) {
  v = wf_text_triple(v, out);
  uint64_t product = 1;
  for (unsigned d = 0; v && d < 3; d++) {
    if (!out[d] || out[d] > most / product)
      return bad_value(p, key, "three extents, 1 or more, not too large");
    product *= out[d];
  }
  return (v && *wf_text_skip(v) == '\n') || bad_value(p, key, "(x,y,z)");
}

static bool take_number(parser *p, const char *v, const char *key, uint64_t most, uint64_t *out) {
  v = wf_text_number(v, out);
  return (v && *wf_text_skip(v) == '\n' && *out <= most) ||
         bad_value(p, key, "a whole number in its range");
}

static bool take_hex(parser *p, const char *v, const char *key, uint64_t *out) {
  v = wf_text_hex(v, out);
  return (v && *wf_text_skip(v) == '\n') || bad_value(p, key, "a hexadecimal address");
}

static bool take_versions(parser *p, const char *v, bool tracer) {
  uint64_t n = 0;
  wf_sass_generation generation;
  const char *key = tracer ? "accelsim tracer version" : "binary version";
  if (!take_number(p, v, key, 1000, &n)) return false;
  if (tracer) {
    if (n < OLDEST_TRACER || n > NEWEST_TRACER)
      return wf_source_fail(p->s, "header: tracer version %llu: versions %d to %d are read",
                            (unsigned long long)n, OLDEST_TRACER, NEWEST_TRACER);
    p->h->tracer_version = p->k->tracer_version = (unsigned)n;
    return true;
  }
  if (!wf_sass_generation_of((unsigned)n, &generation))
    return wf_source_fail(p->s, "header: binary version %llu: 30 to 90 (Kepler to Hopper) are read",
                          (unsigned long long)n);
  p->k->binary_version = (unsigned)n;
  return true;
}

static bool keep_given(parser *p, const char *v, wf_accelsim_given **list, uint32_t *n) {
  if (*n == MAX_GIVEN)
    return wf_source_fail(p->s, "header: more than %d lines of one kind", MAX_GIVEN);
  *list = wf_realloc(*list, *n + 1, sizeof **list);
  (*list)[(*n)++] = (wf_accelsim_given){copy_line(v), p->s->line};
  return true;
}

static bool take_own(parser *p, const char *key, size_t n, const char *v) {
  uint64_t number;
  if (n == 12 && !memcmp(key, "warpfab inst", n))
    return keep_given(p, v, &p->h->insts, &p->h->n_insts);
  if (n == 12 && !memcmp(key, "warpfab loop", n))
    return keep_given(p, v, &p->h->loops, &p->h->n_loops);
  if (n == 19 && !memcmp(key, "warpfab memory used", n)) {
    p->k->device_addresses = true;
    return take_number(p, v, "warpfab memory used", UINT64_C(1) << 40, &p->k->memory_used);
  }
  if (n == 19 && !memcmp(key, "warpfab local bytes", n)) {
    if (!take_number(p, v, "warpfab local bytes", 1u << 24, &number)) return false;
    p->h->local_bytes = (uint32_t)number;
  }
  return true;
}

static bool is(const char *key, size_t n, const char *name) {
  return strlen(name) == n && !memcmp(key, name, n);
}

static bool take_key(parser *p, const char *key, size_t n, const char *v) {
  wf_trace_kernel *k = p->k;
  uint64_t number = 0;
  bool ok = true;
  if (is(key, n, "kernel name")) {
    free(k->name);
    k->name = copy_line(v);
    p->has |= HAS_NAME;
    if (!*k->name) return bad_value(p, "kernel name", "a name");
  } else if (is(key, n, "kernel id")) {
    ok = take_number(p, v, "kernel id", UINT32_MAX, &number);
    k->id = (uint32_t)number;
  } else if (is(key, n, "grid dim")) {
    p->has |= HAS_GRID;
    ok = take_triple(p, v, "grid dim", k->grid, MAX_BLOCKS);
  } else if (is(key, n, "block dim")) {
    p->has |= HAS_BLOCK;
    ok = take_triple(p, v, "block dim (at most 1024 threads)", k->block, 1024);
  } else if (is(key, n, "shmem")) {
    ok = take_number(p, v, "shmem", 1u << 24, &number);
    k->shared_bytes = (uint32_t)number;
  } else if (is(key, n, "nregs")) {
    ok = take_number(p, v, "nregs", 512, &number);
    k->registers = (uint32_t)number;
  } else if (is(key, n, "binary version")) {
    p->has |= HAS_VERSION;
    ok = take_versions(p, v, false);
  } else if (is(key, n, "accelsim tracer version")) {
    ok = take_versions(p, v, true);
  } else if (is(key, n, "cuda stream id")) {
    ok = take_number(p, v, "cuda stream id", UINT64_MAX, &k->stream);
  } else if (is(key, n, "shmem base_addr")) {
    ok = take_hex(p, v, "shmem base_addr", &k->shared_base);
  } else if (is(key, n, "local mem base_addr")) {
    ok = take_hex(p, v, "local mem base_addr", &k->local_base);
  } else if (is(key, n, "enable lineinfo")) {
    ok = take_number(p, v, "enable lineinfo", 1, &number);
    p->h->line_info = number;
  } else if (n > 7 && !memcmp(key, "warpfab", 7)) {
    ok = take_own(p, key, n, v);
  }
  return ok;
}

static bool take_line(parser *p, const char *line) {
  const char *end = line;
  while (*end != '\n') end++;
  p->s->line++;
  const char *equal = memchr(line, '=', (size_t)(end - line));
  if (!equal) return wf_source_fail(p->s, "header: expected \"-key = value\"");
  const char *stop = equal;
  while (stop > line + 1 && wf_text_blank(stop[-1])) stop--;
  if (!take_key(p, line + 1, (size_t)(stop - line - 1), equal + 1)) return false;
  p->s->cur = end + 1;
  return true;
}

static bool check_complete(parser *p) {
  static const char *const names[] = {"kernel name", "grid dim", "block dim", "binary version"};
  for (unsigned i = 0; i < 4; i++)
    if (!(p->has >> i & 1)) return wf_source_fail(p->s, "header: -%s = is missing", names[i]);
  return true;
}

bool wf_accelsim_header_read(wf_source *s, wf_accelsim_header *h, wf_trace_kernel *k) {
  *h = (wf_accelsim_header){.tracer_version = OLDEST_TRACER};
  k->tracer_version = OLDEST_TRACER;
  parser p = {.s = s, .h = h, .k = k};
  while (wf_source_more(s)) {
    const char *line = wf_text_skip(s->cur);
    if (*line == '-') {
      if (!take_line(&p, line)) return false;
      continue;
    }
    if (*line != '\n' && (*line != '#' || !p.has)) {
      s->line++;
      return wf_source_fail(s,
                            "header: expected lines \"-key = value\" up to one that begins with #");
    }
    const bool last = *line == '#';
    while (*line != '\n') line++;
    s->cur = line + 1;
    s->line++;
    if (last) return check_complete(&p);
  }
  return s->failed ? false : wf_source_fail(s, "the file ends within its header");
}

void wf_accelsim_header_free(wf_accelsim_header *h) {
  for (uint32_t i = 0; i < h->n_insts; i++) free(h->insts[i].text);
  for (uint32_t i = 0; i < h->n_loops; i++) free(h->loops[i].text);
  free(h->insts);
  free(h->loops);
  *h = (wf_accelsim_header){0};
}

/* ---- our own keys ---- */

static const char *numbers(const char *p, unsigned n, uint64_t most, uint64_t *out) {
  for (unsigned i = 0; i < n; i++) {
    while (*p == ' ') p++;
    char *end;
    if (*p < '0' || *p > '9') return NULL;
    out[i] = strtoull(p, &end, 10);
    if (out[i] > most || (*end != ' ' && *end)) return NULL;
    p = end;
  }
  return p;
}

static const char *register_list(const char *p, unsigned most, uint16_t *list, uint8_t *n) {
  uint64_t count, v[PTX_MAX_SRC];
  p = numbers(p, 1, most, &count);
  p = p ? numbers(p, (unsigned)count, 511, v) : NULL;
  if (!p) return NULL;
  *n = (uint8_t)count;
  for (unsigned i = 0; i < count; i++) list[i] = (uint16_t)v[i];
  return p;
}

static bool give_inst(wf_source *s, const wf_accelsim_given *g, wf_trace_program *program) {
  uint64_t v[6];
  ptx_inst inst = {0};
  const char *p = numbers(g->text, 1, UINT64_C(1) << 40, v);
  const uint64_t pc = v[0];
  p = p ? numbers(p, 5, 255, v) : NULL;
  const bool sane = p && v[0] < PTX_CLASS_COUNT && v[0] != PTX_CLASS_CUSTOM &&
                    v[1] <= PTX_SPACE_GENERIC && v[2] <= 8 && v[3] <= 8 && v[4] <= 3;
  p = sane ? register_list(p, PTX_MAX_DST, inst.dst, &inst.n_dst) : NULL;
  p = p ? register_list(p, PTX_MAX_SRC, inst.src, &inst.n_src) : NULL;
  const char *key = p ? strstr(p, "| ") : NULL, *text = key ? strstr(key + 2, " | ") : NULL;
  if (!text) {
    s->line = g->line;
    return wf_source_fail(s, "header: warpfab inst: expected what `warpfab trace write` writes");
  }
  inst.cls = (uint8_t)v[0];
  inst.space = (uint8_t)v[1];
  inst.bytes = (uint8_t)v[2];
  inst.vec = (uint8_t)v[3];
  inst.bypass_l1 = v[4] & 1;
  inst.uniform = v[4] >> 1;
  if (inst.cls == PTX_CLASS_LOAD && !inst.n_dst)
    inst.dst[inst.n_dst++] = 511; /* the load/store unit wants one */
  wf_trace_add_given(program, pc, &inst, key + 2, (size_t)(text - key - 2), text + 3);
  return true;
}

static bool give_loop(wf_source *s, const wf_accelsim_given *g, wf_trace_program *program) {
  uint64_t v[3];
  const uint32_t n = program->n_loops;
  const bool ok = numbers(g->text, 3, UINT32_MAX, v) && v[0] <= v[1] && v[1] < program->n_ops &&
                  (v[2] < n || v[2] == PTX_NO_LOOP);
  if (!ok) {
    s->line = g->line;
    return wf_source_fail(s, "header: warpfab loop: expected what `warpfab trace write` writes");
  }
  program->loops = wf_realloc(program->loops, n + 1, sizeof *program->loops);
  program->loops[program->n_loops++] = (ptx_loop){(ptx_pc)v[0], (ptx_pc)v[1], (uint32_t)v[2]};
  return true;
}

bool wf_accelsim_header_give(wf_source *s, const wf_accelsim_header *h, wf_trace_program *program) {
  const uint64_t line = s->line;
  for (uint32_t i = 0; i < h->n_insts; i++)
    if (!give_inst(s, &h->insts[i], program)) return false;
  for (uint32_t i = 0; i < h->n_loops; i++)
    if (!give_loop(s, &h->loops[i], program)) return false;
  s->line = line;
  program->given = h->n_insts > 0;
  if (program->given && h->local_bytes)
    program->local_low = 0, program->local_high = h->local_bytes;
  return true;
}

char *wf_accelsim_inst_text(uint64_t pc, const ptx_inst *inst, const char *key, const char *text) {
  char registers[(PTX_MAX_DST + PTX_MAX_SRC) * 6 + 16];
  size_t n = (size_t)snprintf(registers, sizeof registers, "%u", inst->n_dst);
  for (unsigned i = 0; i < inst->n_dst; i++)
    n += (size_t)snprintf(registers + n, sizeof registers - n, " %u", inst->dst[i]);
  n += (size_t)snprintf(registers + n, sizeof registers - n, " %u", inst->n_src);
  for (unsigned i = 0; i < inst->n_src; i++)
    n += (size_t)snprintf(registers + n, sizeof registers - n, " %u", inst->src[i]);
  return wf_text("%llu %u %u %u %u %u %s | %s | %s", (unsigned long long)pc, inst->cls, inst->space,
                 inst->bytes, inst->vec, (unsigned)inst->bypass_l1 | (unsigned)inst->uniform << 1,
                 registers, key, text);
}
