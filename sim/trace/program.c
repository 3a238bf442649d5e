/* A program grows while a trace is read and then becomes a ptx_kernel: instructions by pc, loops by
 * the jumps back that were taken. */
#include "sim/trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/ptx/code.h"
#include "sim/trace/flow.h"

enum { ASYNC_REGISTER = 255, LOCAL_LIMIT = 1 << 16 };
#define NONE UINT32_MAX

wf_trace_program *wf_trace_program_create(const char *name, wf_sass_generation generation) {
  wf_trace_program *p = wf_calloc(1, sizeof *p);
  p->name = wf_strdup(name);
  p->generation = generation;
  p->local_low = UINT64_MAX;
  return p;
}

static void free_kernel(ptx_kernel *k) {
  if (!k) return;
  free((void *)(uintptr_t)k->insts[0].code);
  free((void *)(uintptr_t)k->insts);
  free((void *)(uintptr_t)k->loops);
  free((void *)(uintptr_t)k->loop_of);
  free(k);
}

void wf_trace_program_destroy(wf_trace_program *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->n_ops; i++) {
    free(p->ops[i].key);
    free(p->ops[i].text);
  }
  free_kernel(p->kernel);
  wf_flow_destroy(p->flow);
  free(p->ops);
  free(p->hash);
  free(p->jumps);
  free(p->loops);
  free(p->name);
  free(p);
}

/* ---- finding and adding ---- */

static uint32_t slot_of(const wf_trace_program *p, uint64_t pc) {
  return (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> 32) & (p->hash_size - 1);
}

wf_trace_op *wf_trace_find(wf_trace_program *p, uint64_t pc, const char *key, size_t bytes) {
  if (!p->hash_size) return NULL;
  for (uint32_t i = p->hash[slot_of(p, pc)]; i != NONE; i = p->ops[i].next) {
    wf_trace_op *op = &p->ops[i];
    if (op->pc == pc && op->key_bytes == bytes && !memcmp(op->key, key, bytes)) return op;
  }
  return NULL;
}

static void rehash(wf_trace_program *p) {
  p->hash_size = p->hash_size ? 2 * p->hash_size : 256;
  p->hash = wf_realloc(p->hash, p->hash_size, sizeof *p->hash);
  for (uint32_t i = 0; i < p->hash_size; i++) p->hash[i] = NONE;
  for (uint32_t i = 0; i < p->n_ops; i++) {
    uint32_t *slot = &p->hash[slot_of(p, p->ops[i].pc)];
    p->ops[i].next = *slot;
    *slot = i;
  }
}

static wf_trace_op *add(wf_trace_program *p, uint64_t pc, const char *key, size_t bytes) {
  if (p->n_ops == p->capacity) {
    p->capacity = p->capacity ? 2 * p->capacity : 64;
    p->ops = wf_realloc(p->ops, p->capacity, sizeof *p->ops);
  }
  wf_trace_op *op = &p->ops[p->n_ops];
  *op = (wf_trace_op){.pc = pc, .key = wf_calloc(bytes + 1, 1), .key_bytes = bytes, .index = NONE};
  memcpy(op->key, key, bytes);
  p->n_ops++;
  if (p->n_ops > p->hash_size) {
    rehash(p);
  } else {
    uint32_t *slot = &p->hash[slot_of(p, pc)];
    op->next = *slot;
    *slot = p->n_ops - 1;
  }
  return op;
}

static void add_register(uint16_t *list, uint8_t *n, unsigned limit, unsigned reg, unsigned words) {
  const unsigned end = reg < WF_TRACE_UR0 ? WF_TRACE_RZ : WF_TRACE_URZ;
  for (unsigned w = 0; w < words && *n < limit && reg + w < end; w++)
    list[(*n)++] = (uint16_t)(reg + w);
}

/* Registers of a SASS instruction, pairs and quadruples written out. A uniform one beside an
 * address is a pair. */
static void set_registers(ptx_inst *inst, const wf_sass_class *c, const wf_trace_op_text *t) {
  const unsigned data = c->lane_bytes > 4 ? c->lane_bytes / 4 : 1;
  const bool loads = c->cls == PTX_CLASS_LOAD || c->cls == PTX_CLASS_ATOMIC;
  for (unsigned i = 0; i < t->n_dst; i++)
    add_register(inst->dst, &inst->n_dst, PTX_MAX_DST, t->dst[i],
                 loads         ? data
                 : c->wide_dst ? 2
                               : 1);
  const bool memory = loads || c->cls == PTX_CLASS_STORE;
  for (unsigned i = 0; i < t->n_src; i++) {
    const bool value = memory && i > 0 && t->src[i] < WF_TRACE_UR0;
    const unsigned words = value ? data : c->wide_src ? 2 : 1;
    add_register(inst->src, &inst->n_src, PTX_MAX_SRC, t->src[i], words);
  }
  /* A load whose value nobody names is waited for by the next DEPBAR, or by none. */
  if (c->cls == PTX_CLASS_LOAD && !inst->n_dst) inst->dst[inst->n_dst++] = ASYNC_REGISTER;
  if (c->depbar && inst->n_src < PTX_MAX_SRC) inst->src[inst->n_src++] = ASYNC_REGISTER;
}

enum { REGISTER_TEXT = 8 };
static size_t put_register(char *to, unsigned reg) {
  return (size_t)snprintf(to, REGISTER_TEXT, reg < WF_TRACE_UR0 ? " R%u" : " UR%u",
                          reg < WF_TRACE_UR0 ? reg : reg - WF_TRACE_UR0);
}

static char *text_of(const wf_trace_op_text *t) {
  char registers[96] = "";
  size_t n = 0;
  for (unsigned i = 0; i < t->n_dst; i++) n += put_register(registers + n, t->dst[i]);
  if (t->n_src) n += (size_t)snprintf(registers + n, sizeof registers - n, " <-");
  for (unsigned i = 0; i < t->n_src; i++) n += put_register(registers + n, t->src[i]);
  return wf_text("%.*s%s", (int)t->opcode_bytes, t->opcode, registers);
}

static uint8_t power_of_two(unsigned bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

wf_trace_op *wf_trace_add(wf_trace_program *p, const wf_trace_op_text *t, const char *key,
                          size_t bytes) {
  wf_trace_op *op = add(p, t->pc, key, bytes);
  wf_sass_class c = wf_sass_classify(p->generation, t->opcode, t->opcode_bytes);
  const bool memory =
      c.cls == PTX_CLASS_LOAD || c.cls == PTX_CLASS_STORE || c.cls == PTX_CLASS_ATOMIC;
  op->bulk = c.bulk;
  op->async = c.async;
  op->addressed = t->width > 0 && !c.bulk;
  op->known = c.known;
  op->jumps = c.jumps;
  if (memory && c.lane_bytes == 4 && power_of_two(t->width) &&
      !memchr(t->opcode, '.', t->opcode_bytes))
    c.lane_bytes = t->width; /* no suffix says otherwise */
  if (memory && !op->addressed && c.space != PTX_SPACE_CONST)
    c.cls = c.cls == PTX_CLASS_LOAD ? PTX_CLASS_SFU
                                    : PTX_CLASS_INT; /* textures: no addresses are traced */
  op->is_exit = c.cls == PTX_CLASS_EXIT;
  op->inst = (ptx_inst){
      .cls = (uint8_t)c.cls,
      .space = (uint8_t)(c.space == PTX_SPACE_CONST && op->addressed ? PTX_SPACE_GLOBAL : c.space),
      .bytes = (uint8_t)(c.lane_bytes > 8 ? 4 : c.lane_bytes),
      .vec = c.lane_bytes > 8 ? 4 : 1,
      .bypass_l1 = c.bypass_l1};
  set_registers(&op->inst, &c, t);
  for (unsigned i = 0; i < op->inst.n_dst; i++)
    if (op->inst.dst[i] < ASYNC_REGISTER && p->registers <= op->inst.dst[i])
      p->registers = op->inst.dst[i] + 1u;
  op->text = text_of(t);
  return op;
}

wf_trace_op *wf_trace_add_given(wf_trace_program *p, uint64_t pc, const ptx_inst *inst,
                                const char *key, size_t bytes, const char *text) {
  wf_trace_op *op = add(p, pc, key, bytes);
  op->inst = *inst;
  op->known = true;
  const bool memory =
      inst->cls == PTX_CLASS_LOAD || inst->cls == PTX_CLASS_STORE || inst->cls == PTX_CLASS_ATOMIC;
  op->addressed = memory && inst->space != PTX_SPACE_PARAM && inst->space != PTX_SPACE_CONST;
  op->is_exit = inst->cls == PTX_CLASS_EXIT;
  op->text = wf_strdup(text);
  return op;
}

void wf_trace_add_jump(wf_trace_program *p, uint64_t from, uint64_t to) {
  for (uint32_t i = 0; i < p->n_jumps; i++)
    if (p->jumps[i].from == from && p->jumps[i].to == to) return;
  p->jumps = wf_realloc(p->jumps, p->n_jumps + 1, sizeof *p->jumps);
  p->jumps[p->n_jumps++] = (wf_trace_jump){from, to};
}

/* ---- the kernel ---- */

static int by_pc(const void *a, const void *b) {
  const wf_trace_op *x = *(wf_trace_op *const *)a, *y = *(wf_trace_op *const *)b;
  if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
  return x < y ? -1 : x > y; /* the one met first */
}

static void place(wf_trace_program *p, ptx_inst *insts, ptx_code *codes, uint32_t at,
                  const wf_trace_op *op) {
  codes[at] = (ptx_code){.text = op->text, .file = p->name, .line = (uint32_t)op->pc};
  insts[at] = op->inst;
  insts[at].code = &codes[at];
  insts[at].line = (uint32_t)op->pc;
}

static int by_extent(const void *a, const void *b) {
  const ptx_loop *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->high > y->high ? -1 : x->high < y->high;
}

/* Spans low..high become loops: one per low; a span that begins within another ends within it. */
static uint32_t nest(ptx_loop *loops, uint32_t n) {
  qsort(loops, n, sizeof *loops, by_extent);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (kept && loops[kept - 1].low == loops[i].low)
      continue; /* the longest of this low came first */
    uint32_t around = kept ? kept - 1 : PTX_NO_LOOP;
    while (around != PTX_NO_LOOP && loops[around].high < loops[i].low)
      around = loops[around].parent;
    loops[kept] = (ptx_loop){loops[i].low, loops[i].high, around};
    for (uint32_t l = around; l != PTX_NO_LOOP && loops[l].high < loops[i].high;
         l = loops[l].parent)
      loops[l].high = loops[i].high;
    kept++;
  }
  return kept;
}

static ptx_pc pc_at(const ptx_inst *insts, uint32_t n, uint64_t pc, bool last) {
  uint32_t low = 0, high = n;
  while (low < high) {
    uint32_t mid = (low + high) / 2;
    if (last ? insts[mid].line <= pc : insts[mid].line < pc)
      low = mid + 1;
    else
      high = mid;
  }
  return last ? low - 1 : low;
}

static void make_loops(wf_trace_program *p, ptx_kernel *k, uint32_t real) {
  uint32_t n = p->given ? p->n_loops : p->n_jumps;
  ptx_loop *loops = wf_calloc(n + 1u, sizeof *loops);
  uint32_t *loop_of = wf_calloc(k->n_insts + 1u, sizeof *loop_of);
  if (p->given) {
    if (n) memcpy(loops, p->loops, n * sizeof *loops);
  } else {
    for (uint32_t j = 0; j < n; j++)
      loops[j] = (ptx_loop){pc_at(k->insts, real, p->jumps[j].to, false),
                            pc_at(k->insts, real, p->jumps[j].from, true), 0};
    n = nest(loops, n);
  }
  for (uint32_t i = 0; i < k->n_insts; i++) loop_of[i] = PTX_NO_LOOP;
  for (uint32_t l = 0; l < n; l++) /* inner ones come later */
    for (ptx_pc i = loops[l].low; i <= loops[l].high && i < k->n_insts; i++) loop_of[i] = l;
  k->loops = loops;
  k->loop_of = loop_of;
  k->n_loops = n;
}

void wf_trace_program_finish(wf_trace_program *p) {
  wf_trace_op **order = wf_calloc(p->n_ops + 1u, sizeof *order);
  for (uint32_t i = 0; i < p->n_ops; i++) order[i] = &p->ops[i];
  qsort(order, p->n_ops, sizeof *order, by_pc);
  ptx_inst *insts = wf_calloc(2 * (size_t)p->n_ops + 1, sizeof *insts);
  ptx_code *codes = wf_calloc(2 * (size_t)p->n_ops + 1, sizeof *codes);
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->n_ops; i++) {
    order[i]->index = n;
    place(p, insts, codes, n++, order[i]);
    if (!order[i]->is_exit || p->given) continue;
    insts[n - 1].cls = PTX_CLASS_INT; /* an exit that some lanes do not take holds nobody up */
    place(p, insts, codes, n++, order[i]);
  }
  const uint32_t real = n;
  codes[n] = (ptx_code){.text = "EXIT (where the trace of the warp ends)", .file = p->name};
  insts[n] = (ptx_inst){.cls = PTX_CLASS_EXIT, .code = &codes[n]};
  n++;
  ptx_kernel *k = wf_calloc(1, sizeof *k);
  uint64_t local = p->local_high > p->local_low ? p->local_high - p->local_low : 0;
  *k = (ptx_kernel){.name = p->name,
                    .insts = insts,
                    .n_insts = n,
                    .n_regs = p->registers ? p->registers : 1,
                    .local_bytes =
                        (uint32_t)(local > LOCAL_LIMIT ? LOCAL_LIMIT : (local + 3) / 4 * 4)};
  make_loops(p, k, real);
  p->kernel = k;
  free(order);
}

ptx_pc wf_trace_op_index(const wf_trace_program *p, uint32_t op, bool ends) {
  const wf_trace_op *o = &p->ops[op];
  return o->index + (ends && o->is_exit && !p->given);
}

ptx_pc wf_trace_program_end(const wf_trace_program *p) {
  return p->kernel->n_insts - 1;
}
