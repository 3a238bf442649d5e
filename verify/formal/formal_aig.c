#include "verify/formal/formal_aig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

static uint32_t add_gate(formal_aig *a, uint32_t left, uint32_t right) {
  a->gates = wf_realloc(a->gates, (size_t)a->n_gates + 1, sizeof *a->gates);
  a->gates[a->n_gates] = (formal_and){left, right};
  return 2 * (1 + a->n_inputs + a->n_latches + a->n_gates++);
}

static uint32_t or_gate(formal_aig *a, uint32_t left, uint32_t right) {
  return add_gate(a, left ^ 1, right ^ 1) ^ 1;
}

static uint32_t xor_gate(formal_aig *a, uint32_t left, uint32_t right) {
  return add_gate(a, add_gate(a, left, right) ^ 1, add_gate(a, left ^ 1, right ^ 1) ^ 1);
}

static bool corrupt(wf_error *err, const char *path, const char *what) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not the AIGER that Yosys writes: %s", path, what);
}

static bool read_literals(FILE *f, uint32_t *to, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (fscanf(f, "%u", &to[i]) != 1) return false;
  return true;
}

static bool read_body(formal_aig *a, FILE *f, uint32_t outputs, const char *path, wf_error *err) {
  char line[128];
  uint32_t lit, next, at = 1;
  for (uint32_t i = 0; i < a->n_inputs; i++, at++)
    if (fscanf(f, "%u ", &lit) != 1 || lit != 2 * at) return corrupt(err, path, "inputs");
  for (uint32_t i = 0; i < a->n_latches; i++, at++) {
    if (!fgets(line, sizeof line, f) || sscanf(line, "%u %u", &lit, &next) != 2 || lit != 2 * at)
      return corrupt(err, path, "latches");
    a->next[i] = next;
  }
  for (uint32_t i = 0; i < outputs; i++)
    if (fscanf(f, "%u", &lit) != 1) return corrupt(err, path, "outputs");
  if (!read_literals(f, a->bad, a->n_bad) || !read_literals(f, a->constraints, a->n_constraints))
    return corrupt(err, path, "bad states or constraints");
  for (uint32_t i = 0; i < a->n_gates; i++, at++)
    if (fscanf(f, "%u %u %u", &lit, &a->gates[i].left, &a->gates[i].right) != 3 || lit != 2 * at)
      return corrupt(err, path, "gates");
  return true;
}

bool formal_aig_read(formal_aig *a, const char *path, wf_error *err) {
  *a = (formal_aig){0};
  FILE *f = fopen(path, "r");
  if (!f) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  uint32_t most, outputs;
  bool ok = fscanf(f, "aag %u %u %u %u %u %u %u 0 0 ", &most, &a->n_inputs, &a->n_latches, &outputs,
                   &a->n_gates, &a->n_bad, &a->n_constraints) == 7;
  ok = ok && most == a->n_inputs + a->n_latches + a->n_gates;
  if (ok) {
    a->next = wf_calloc((size_t)a->n_latches + 1, sizeof *a->next);
    a->bad = wf_calloc((size_t)a->n_bad + 1, sizeof *a->bad);
    a->constraints = wf_calloc((size_t)a->n_constraints + 1, sizeof *a->constraints);
    a->gates = wf_calloc((size_t)a->n_gates + 1, sizeof *a->gates);
    ok = read_body(a, f, outputs, path, err);
  } else {
    corrupt(err, path, "header");
  }
  fclose(f);
  if (!ok) formal_aig_free(a);
  return ok;
}

void formal_aig_free(formal_aig *a) {
  free(a->next);
  free(a->bad);
  free(a->constraints);
  free(a->gates);
  *a = (formal_aig){0};
}

/* A new latch takes the first gate's number: every gate literal moves up by one variable. */
static uint32_t add_latch(formal_aig *a) {
  uint32_t first = 2 * (1 + a->n_inputs + a->n_latches);
#define MOVE(lit) ((lit) += (lit) >= first ? 2u : 0u)
  for (uint32_t i = 0; i < a->n_gates; i++) MOVE(a->gates[i].left), MOVE(a->gates[i].right);
  for (uint32_t i = 0; i < a->n_latches; i++) MOVE(a->next[i]);
  for (uint32_t i = 0; i < a->n_bad; i++) MOVE(a->bad[i]);
  for (uint32_t i = 0; i < a->n_constraints; i++) MOVE(a->constraints[i]);
#undef MOVE
  a->next = wf_realloc(a->next, (size_t)a->n_latches + 1, sizeof *a->next);
  a->next[a->n_latches++] = 0;
  return first;
}

void formal_aig_fold(formal_aig *a) {
  if (!a->n_constraints) return;
  uint32_t broken = add_latch(a), latch = a->n_latches - 1, good = 1;
  for (uint32_t i = 0; i < a->n_constraints; i++) good = add_gate(a, good, a->constraints[i]);
  good = add_gate(a, good, broken ^ 1);
  a->next[latch] = good ^ 1;
  for (uint32_t i = 0; i < a->n_bad; i++) a->bad[i] = add_gate(a, a->bad[i], good);
  a->n_constraints = 0;
}

static bool is_gate(const formal_aig *a, uint32_t lit) {
  return lit / 2 > a->n_inputs + a->n_latches;
}

static formal_and gate_of(const formal_aig *a, uint32_t lit) {
  return a->gates[lit / 2 - 1 - a->n_inputs - a->n_latches];
}

/* Is `lit` select ? one : zero, up to negation? The forms !(s&a) & !(!s&b), of either sign. */
static bool is_mux(const formal_aig *a, uint32_t lit, uint32_t *select, uint32_t *one,
                   uint32_t *zero) {
  if (!is_gate(a, lit)) return false;
  formal_and top = gate_of(a, lit);
  if (!(top.left & 1) || !(top.right & 1) || !is_gate(a, top.left) || !is_gate(a, top.right))
    return false;
  formal_and l = gate_of(a, top.left), r = gate_of(a, top.right);
  uint32_t ls[2] = {l.left, l.right}, rs[2] = {r.left, r.right};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (ls[i] != (rs[j] ^ 1)) continue;
      uint32_t flip = lit & 1 ? 0 : 1; /* an odd literal is the disjunction of the two products */
      *select = ls[i];
      *one = ls[1 - i] ^ flip;
      *zero = rs[1 - j] ^ flip;
      return true;
    }
  return false;
}

/* Does `next` differ from `now`? Follows multiplexers, so that a closed enable settles the question
 * at once: a solver would else look at every data bit. */
static uint32_t differs(formal_aig *a, uint32_t next, uint32_t now, int depth) {
  uint32_t select, one, zero;
  if (next == now) return 0;
  if (depth == 0 || !is_mux(a, next, &select, &one, &zero)) return xor_gate(a, now, next);
  uint32_t if_one = differs(a, one, now, depth - 1), if_zero = differs(a, zero, now, depth - 1);
  return or_gate(a, add_gate(a, select, if_one), add_gate(a, select ^ 1, if_zero));
}

void formal_aig_stable(formal_aig *a, uint32_t which, const bool *marked) {
  uint32_t changed = 0;
  for (uint32_t i = 0; i < a->n_latches; i++)
    if (marked[i])
      changed = or_gate(a, changed, differs(a, a->next[i], 2 * (1 + a->n_inputs + i), 8));
  a->bad[which] = add_gate(a, a->bad[which], changed);
}

static void put_delta(FILE *f, uint32_t delta) {
  for (; delta >= 0x80; delta >>= 7) fputc((int)(delta & 0x7f) | 0x80, f);
  fputc((int)delta, f);
}

static void put_gate(FILE *f, uint32_t lit, formal_and g) {
  uint32_t high = g.left > g.right ? g.left : g.right, low = g.left > g.right ? g.right : g.left;
  put_delta(f, lit - high);
  put_delta(f, high - low);
}

bool formal_aig_write(const formal_aig *a, const char *path, const uint32_t *which, size_t n,
                      bool any, wf_error *err) {
  FILE *f = fopen(path, "wb");
  if (!f)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  uint32_t extra = any ? (uint32_t)n : 0, base = 1 + a->n_inputs + a->n_latches;
  uint32_t gates = a->n_gates + extra, none = 1; /* conjunction of "not bad" */
  fprintf(f, "aig %u %u %u %u %u\n", base - 1 + gates, a->n_inputs, a->n_latches,
          any ? 1u : (uint32_t)n, gates);
  for (uint32_t i = 0; i < a->n_latches; i++) fprintf(f, "%u\n", a->next[i]);
  for (size_t i = 0; i < n && !any; i++) fprintf(f, "%u\n", a->bad[which[i]]);
  if (any) fprintf(f, "%u\n", n ? 2 * (base + gates - 1) + 1 : 0u);
  for (uint32_t i = 0; i < a->n_gates; i++) put_gate(f, 2 * (base + i), a->gates[i]);
  for (uint32_t i = 0; i < extra; i++) {
    uint32_t lit = 2 * (base + a->n_gates + i);
    put_gate(f, lit, (formal_and){none, a->bad[which[i]] ^ 1});
    none = lit;
  }
  bool ok = !ferror(f);
  if (fclose(f) != 0 || !ok)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  return true;
}

static uint8_t literal(const uint8_t *value, uint32_t lit) {
  return (uint8_t)(value[lit / 2] ^ (lit & 1));
}

/* One step: gates follow from inputs and latches, in order. */
static void settle(const formal_aig *a, uint8_t *value) {
  const uint32_t base = 1 + a->n_inputs + a->n_latches;
  for (uint32_t i = 0; i < a->n_gates; i++)
    value[base + i] = literal(value, a->gates[i].left) & literal(value, a->gates[i].right);
}

static void clock_latches(const formal_aig *a, uint8_t *value, uint8_t *next) {
  for (uint32_t i = 0; i < a->n_latches; i++) next[i] = literal(value, a->next[i]);
  memcpy(value + 1 + a->n_inputs, next, a->n_latches);
}

bool formal_aig_replay(const formal_aig *a, const char *witness, bool *bad) {
  uint8_t *value = wf_calloc((size_t)a->n_inputs + a->n_latches + a->n_gates + 1, 1),
          *next = wf_calloc((size_t)a->n_latches + 1, 1);
  size_t steps = 0;
  bool latches = false, ok = true;
  for (const char *line = witness; ok && *line && *line != '.';
       line += strcspn(line, "\n"), line += *line == '\n') {
    const size_t bits = strspn(line, "01x");
    if (bits < 2) continue; /* "1", "b0" */
    if (!latches) {         /* latches start at 0 */
      latches = ok = bits == a->n_latches;
      continue;
    }
    ok = bits == a->n_inputs;
    if (!ok) break;
    if (steps++) clock_latches(a, value, next);
    for (uint32_t i = 0; i < a->n_inputs; i++) value[1 + i] = line[i] == '1';
    settle(a, value);
  }
  for (uint32_t i = 0; i < a->n_bad; i++) bad[i] = literal(value, a->bad[i]);
  free(value);
  free(next);
  return ok && steps;
}
