/* An instruction's line: program counter, mask, what is the same whenever it runs, addresses, and
 * from tracer version 5 on immediates, from 6 on whether values follow. */
#include "sim/trace/accelsim_line.h"

#include <string.h>

#include "sim/trace/scan_text.h"

enum { LIST_ALL, BASE_STRIDE, BASE_DELTA };
enum { WITH_IMMEDIATES = 5, WITH_VALUES = 6, IMMEDIATES = 2 };

bool wf_accelsim_unexpected(wf_source *s, const char *where, const char *what, const char *at) {
  char word[40];
  size_t n = 0;
  at = wf_text_skip(at);
  for (; n < sizeof word - 1 && !wf_text_ends(at[n]); n++)
    word[n] = at[n] >= ' ' && at[n] < 127 ? at[n] : '?';
  word[n] = '\0';
  return wf_source_fail(s, "%s: expected %s, found %s%s%s", where, what, n ? "\"" : "",
                        n ? word : "the end of the line", n ? "\"" : "");
}

static bool bad(wf_source *s, const char *what, const char *at) {
  return wf_accelsim_unexpected(s, "instruction", what, at);
}

/* R0 to R255, of which the last is none; UR0 to UR63 alike, numbered behind them. */
static const char *read_register(wf_source *s, const char *p, uint16_t *out) {
  uint64_t reg;
  p = wf_text_skip(p);
  const bool uniform = *p == 'U';
  const char *q = p[uniform] == 'R' ? wf_text_number(p + uniform + 1, &reg) : NULL;
  if (!q || !wf_text_ends(*q) || reg > (uniform ? WF_TRACE_URZ - WF_TRACE_UR0 : WF_TRACE_RZ))
    return bad(s, "a register R0 to R255 or UR0 to UR63", p), NULL;
  *out = (uint16_t)(reg + (uniform ? WF_TRACE_UR0 : 0));
  return q;
}

static const char *read_registers(wf_source *s, const char *p, unsigned most, const char *what,
                                  uint16_t *list, unsigned *count) {
  uint64_t n;
  const char *q = wf_text_number(p, &n);
  if (!q || !wf_text_ends(*q) || n > most) return bad(s, what, p), NULL;
  for (unsigned i = 0; q && i < n; i++) q = read_register(s, q, &list[i]);
  *count = (unsigned)n;
  return q;
}

/* The part of a line that is the same whenever the instruction runs: from the destinations to the
 * width. */
static const char *read_static(wf_source *s, const char *p, wf_trace_program *program, uint64_t pc,
                               uint32_t *index) {
  const char *key = p;
  wf_trace_op_text t = {.pc = pc};
  uint64_t width;
  p = read_registers(s, p, WF_TRACE_MAX_DST, "the number of destination registers, 0 to 2", t.dst,
                     &t.n_dst);
  if (!p) return NULL;
  t.opcode = wf_text_skip(p);
  t.opcode_bytes = wf_text_opcode(t.opcode);
  if (!t.opcode_bytes) return bad(s, "an opcode", t.opcode), NULL;
  p = t.opcode + t.opcode_bytes;
  p = read_registers(s, p, WF_TRACE_MAX_SRC, "the number of source registers, 0 to 5", t.src,
                     &t.n_src);
  if (!p) return NULL;
  const char *q = wf_text_number(p, &width);
  if (!q || !wf_text_ends(*q) || width > 64)
    return bad(s, "the width of a memory access in bytes, 0 to 64", p), NULL;
  t.width = (unsigned)width;
  wf_trace_op *op = wf_trace_find(program, pc, key, (size_t)(q - key));
  if (!op && program->kernel)
    return wf_source_fail(s, "an instruction that was not there when the file was checked"), NULL;
  if (!op) op = wf_trace_add(program, &t, key, (size_t)(q - key));
  *index = (uint32_t)(op - program->ops);
  return q;
}

/* The op at p if it was met before: a comparison instead of parsing. */
static const char *find_static(const wf_source *s, const char *p, const wf_trace_program *program,
                               uint64_t pc, uint32_t *index) {
  if (!program->hash_size) return NULL;
  const uint32_t slot = (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> 32) & (program->hash_size - 1);
  for (uint32_t i = program->hash[slot]; i != UINT32_MAX; i = program->ops[i].next) {
    const wf_trace_op *op = &program->ops[i];
    if (op->pc != pc || op->key_bytes >= (size_t)(s->end - p)) continue;
    if (memcmp(p, op->key, op->key_bytes) || !wf_text_ends(p[op->key_bytes])) continue;
    *index = i;
    return p + op->key_bytes;
  }
  return NULL;
}

static const char *read_list(wf_source *s, const char *p, wf_trace_event *e) {
  for (uint32_t m = e->mask; m; m &= m - 1) {
    const char *q = wf_text_hex(p, &e->address[__builtin_ctz(m)]);
    if (!q || !wf_text_ends(*q))
      return bad(s, "one hexadecimal address per set bit of the mask", p), NULL;
    p = q;
  }
  return p;
}

static const char *read_stride(wf_source *s, const char *p, wf_trace_event *e) {
  uint64_t base;
  int64_t stride;
  const char *q = wf_text_hex(p, &base);
  if (!q || !wf_text_ends(*q)) return bad(s, "a hexadecimal base address", p), NULL;
  p = wf_text_signed(q, &stride);
  if (!p || !wf_text_ends(*p)) return bad(s, "a decimal stride", q), NULL;
  if (!e->mask) return p;
  const uint32_t run = e->mask >> __builtin_ctz(e->mask);
  if (run & (run + 1))
    return wf_source_fail(
               s, "instruction: base and stride with the mask %08x: its lanes are not one run",
               e->mask),
           NULL;
  for (uint32_t m = e->mask; m; m &= m - 1, base += (uint64_t)stride)
    e->address[__builtin_ctz(m)] = base;
  return p;
}

static const char *read_deltas(wf_source *s, const char *p, wf_trace_event *e) {
  uint64_t address;
  int64_t delta;
  const char *q = wf_text_hex(p, &address);
  if (!q || !wf_text_ends(*q)) return bad(s, "a hexadecimal base address", p), NULL;
  if (!e->mask) return q;
  e->address[__builtin_ctz(e->mask)] = address;
  for (uint32_t m = e->mask & (e->mask - 1); m; m &= m - 1) {
    p = q;
    q = wf_text_signed(p, &delta);
    if (!q || !wf_text_ends(*q))
      return bad(s, "a decimal difference for each further bit of the mask", p), NULL;
    e->address[__builtin_ctz(m)] = address += (uint64_t)delta;
  }
  return q;
}

static const char *read_addresses(wf_source *s, const char *p, wf_trace_event *e) {
  uint64_t mode;
  const char *q = wf_text_number(p, &mode);
  if (!q || !wf_text_ends(*q)) mode = UINT64_MAX;
  switch (mode) {
  case LIST_ALL:
    return read_list(s, q, e);
  case BASE_STRIDE:
    return read_stride(s, q, e);
  case BASE_DELTA:
    return read_deltas(s, q, e);
  default:
    return bad(s, "an address mode: 0 list, 1 base and stride, 2 base and differences", p), NULL;
  }
}

/* ---- behind the addresses ---- */

/* A number as printf writes them: whole, hexadecimal, with a point or an exponent, "inf", "nan". */
static bool is_number(const char *p) {
  for (; !wf_text_ends(*p); p++)
    if (!strchr("0123456789abcdefABCDEFxX+-.infINFnaNA", *p)) return false;
  return true;
}

/* An immediate's value, if it is whole. Of an instruction it is always the same. */
static void note_immediate(const char *p, wf_trace_op *op) {
  uint64_t bits;
  const char *q = wf_text_signed(p, &op->immediate);
  op->has_immediate = q && wf_text_ends(*q);
  if (op->has_immediate || *p != '0' || !(q = wf_text_hex(p, &bits)) || !wf_text_ends(*q)) return;
  op->has_immediate = true;
  op->immediate = (int64_t)bits;
}

/* Tracer version 5: one, or with NVBit 1.8 two, or none; version 6: two. */
static const char *read_immediates(wf_source *s, const char *p, bool two, wf_trace_op *op) {
  for (unsigned i = 0; i < IMMEDIATES; i++) {
    p = wf_text_skip(p);
    if (*p == '\n' && !two) return p;
    if (*p == '\n' || !is_number(p))
      return bad(s, two ? "two immediates, numbers" : "an immediate, a number", p), NULL;
    if (i == 0 && !op->count) note_immediate(p, op);
    p = wf_text_word(p);
  }
  return p;
}

/* "NoVal", or "Val" with how many values there are, and these; they are passed over. */
static const char *read_values(wf_source *s, const char *p) {
  uint64_t n, there = 0;
  p = wf_text_skip(p);
  const char *q = wf_text_word(p);
  if (q - p == 5 && !memcmp(p, "NoVal", 5)) return q;
  if (q - p != 3 || memcmp(p, "Val", 3))
    return bad(s, "Val or NoVal behind two immediates (tracer version 6)", p), NULL;
  q = wf_text_skip(q);
  p = wf_text_number(q + (*q == '['), &n);
  if (!p) return bad(s, "the number of values behind Val", q), NULL;
  for (p = wf_text_skip(wf_text_word(p)); *p != '\n'; p = wf_text_skip(wf_text_word(p))) there++;
  if (there < n)
    return wf_source_fail(s, "instruction: Val announces %llu values, the line has %llu",
                          (unsigned long long)n, (unsigned long long)there),
           NULL;
  return p;
}

static const char *read_rest(wf_source *s, const char *p, unsigned version, wf_trace_op *op) {
  if (op->bulk) { /* in forms of their own */
    while (*p != '\n') p++;
    return p;
  }
  if (version >= WITH_IMMEDIATES) p = read_immediates(s, p, version >= WITH_VALUES, op);
  if (p && version >= WITH_VALUES) p = read_values(s, p);
  return p;
}

bool wf_accelsim_instruction(wf_source *s, const wf_accelsim_header *h, const char *p,
                             wf_trace_program *program, wf_trace_event *e) {
  uint64_t pc, mask, line;
  const char *q;
  if (h->line_info) {
    q = wf_text_number(p, &line);
    if (!q || !wf_text_ends(*q)) return bad(s, "a source line number (enable lineinfo = 1)", p);
    p = q;
  }
  q = wf_text_hex(p, &pc);
  if (!q || !wf_text_ends(*q)) return bad(s, "a hexadecimal program counter", p);
  p = wf_text_hex(q, &mask);
  if (!p || !wf_text_ends(*p) || mask > UINT32_MAX)
    return bad(s, "a hexadecimal mask of 32 lanes", q);
  p = wf_text_skip(p);
  e->kind = WF_TRACE_INST;
  e->mask = (uint32_t)mask;
  q = find_static(s, p, program, pc, &e->op);
  if (!q) q = read_static(s, p, program, pc, &e->op);
  if (q && program->ops[e->op].addressed) q = read_addresses(s, q, e);
  if (q) q = read_rest(s, q, h->tracer_version, &program->ops[e->op]);
  if (!q) return false;
  q = wf_text_skip(q);
  if (*q != '\n') return bad(s, "the end of the line", q);
  s->cur = q + 1;
  return true;
}
