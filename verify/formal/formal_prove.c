/* The engines, one after the other on the rules that are still open; then the covers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "verify/formal/formal.h"
#include "verify/formal/formal_design.h"

enum { LOG_LIMIT = 1 << 28 };

typedef struct session {
  formal_design design;
  formal_result *result;
  wf_error *err;
} session;

static bool is_stable(const formal_rule *r) {
  return strcmp(r->name, "stable") == 0;
}

static bool is_wanted(const session *s, const formal_rule *r) {
  const char *only = s->design.proof->only;
  return !only || !strcmp(only, "any") || !strcmp(only, r->name);
}

/* Bounded rules stay open to engines that can prove more. */
static size_t open_rules(const session *s, uint32_t *which) {
  size_t n = 0;
  for (uint32_t i = 0; i < s->result->n_rules; i++) {
    const formal_rule *r = &s->result->rules[i];
    if (!r->cover && is_wanted(s, r) && (r->state == FORMAL_OPEN || r->state == FORMAL_BOUNDED))
      which[n++] = i;
  }
  return n;
}

static void close_rules(session *s, const uint32_t *which, size_t n, formal_state state, int depth,
                        const char *engine) {
  for (size_t i = 0; i < n; i++) {
    formal_rule *r = &s->result->rules[which[i]];
    if (state == FORMAL_BOUNDED && r->state == FORMAL_BOUNDED && r->depth >= depth) continue;
    r->state = state;
    r->depth = depth;
    r->engine = engine;
  }
}

static void set_vcd(session *s, const char *name) {
  if (!s->result->vcd[0])
    snprintf(s->result->vcd, sizeof s->result->vcd, "%s/%s.vcd", s->design.folder, name);
}

/* Runs abc on folder/NAME.aig; returns its log, to be freed, or NULL with *err. */
static char *run_abc(session *s, const char *name, const char *commands, unsigned seconds) {
  char *text = wf_text("read_aiger %s/%s.aig; %s", s->design.folder, name, commands);
  char *log = wf_text("%s/%s.log", s->design.folder, name);
  char *argv[] = {"yosys-abc", "-c", text, NULL};
  int code = formal_run(argv, log, seconds + 60);
  size_t bytes;
  char *said = NULL;
  if (code == 127)
    wf_fail(s->err, WF_EXIT_BAD_INPUT, "yosys-abc cannot be run; it is in Debian's package yosys");
  else
    said = wf_file_read(log, LOG_LIMIT, &bytes, s->err);
  free(log);
  free(text);
  return said;
}

static bool write_graph(session *s, const char *name, const uint32_t *which, size_t n, bool any) {
  char *path = wf_text("%s/%s.aig", s->design.folder, name);
  bool ok = formal_aig_write(&s->design.aig, path, which, n, any, s->err);
  free(path);
  return ok;
}

static int failed_frame(const char *said) {
  const char *at = strstr(said, "asserted in frame");
  return at ? atoi(at + strlen("asserted in frame")) : -1;
}

/* abc's name for files: rule names may hold brackets and dots. */
static void file_name(const char *rule, char *name, size_t bytes) {
  snprintf(name, bytes, "%s", rule);
  for (char *c = name; *c; c++)
    if (strchr("[]$\\:/ ", *c)) *c = '_';
}

/* pdr on one rule or on all together. 1 proved, 0 open, -1 failed, -2 error. */
static int try_pdr(session *s, const uint32_t *which, size_t n, const char *name,
                   unsigned seconds) {
  if (!write_graph(s, name, which, n, true)) return -2;
  char *commands =
      wf_text("strash; pdr -T %u; write_cex -a %s/%s.aiw", seconds, s->design.folder, name);
  char *said = run_abc(s, name, commands, seconds);
  free(commands);
  if (!said) return -2;
  int verdict = strstr(said, "Property proved") ? 1 : failed_frame(said) >= 0 ? -1 : 0;
  /* A graph without latches or with constant outputs is settled by rewriting. */
  if (strstr(said, "Networks are equivalent")) verdict = 1;
  free(said);
  return verdict;
}

/* Which rules the joint run's counterexample breaks: it is run through the graph, no solver is
 * asked again. */
static bool name_failures(session *s, const char *name, const uint32_t *which, size_t n, int frame,
                          const char *engine) {
  char *path = wf_text("%s/%s.aiw", s->design.folder, name);
  size_t bytes;
  char *witness = wf_file_read(path, LOG_LIMIT, &bytes, s->err);
  bool *bad = wf_calloc((size_t)s->design.aig.n_bad + 1, sizeof *bad), ok = witness != NULL,
       any = false;
  if (ok && !formal_aig_replay(&s->design.aig, witness, bad))
    ok = wf_fail(s->err, WF_EXIT_WRONG, "%s: not a witness of this design", path);
  for (size_t i = 0; i < n && ok; i++) {
    if (!bad[which[i]]) continue;
    any = true;
    close_rules(s, &which[i], 1, FORMAL_FAILED, frame, engine);
  }
  if (ok && !any) ok = wf_fail(s->err, WF_EXIT_WRONG, "%s: breaks no rule", path);
  if (ok && formal_design_trace(&s->design, name)) set_vcd(s, name);
  free(bad);
  free(witness);
  free(path);
  return ok;
}

static bool pdr_single(session *s, uint32_t rule, unsigned seconds) {
  char name[160];
  file_name(s->result->rules[rule].name, name, sizeof name);
  int verdict = try_pdr(s, &rule, 1, name, seconds);
  if (verdict == 1) close_rules(s, &rule, 1, FORMAL_PROVEN, 0, "pdr");
  if (verdict == -1) {
    close_rules(s, &rule, 1, FORMAL_FAILED, 0, "pdr");
    if (formal_design_trace(&s->design, name)) set_vcd(s, name);
  }
  return verdict != -2;
}

static bool run_pdr(session *s, const formal_engine *e) {
  uint32_t which[FORMAL_MAX_RULES];
  size_t n = open_rules(s, which);
  int verdict = try_pdr(s, which, n, "pdr_all", e->seconds);
  if (verdict == 1) close_rules(s, which, n, FORMAL_PROVEN, 0, "pdr");
  /* Of a seeded bug the first failure tells all. */
  if (verdict == -1 && s->design.proof->only)
    return name_failures(s, "pdr_all", which, n, 0, "pdr");
  bool ok = verdict != -2;
  unsigned each = e->seconds / (unsigned)n + 2;
  for (size_t i = 0; i < n && ok && verdict <= 0 && n > 1; i++) ok = pdr_single(s, which[i], each);
  if (n == 1 && verdict == -1) ok = pdr_single(s, which[0], e->seconds);
  return ok;
}

/* The number of frames that bmc3 -v finished. */
static int frames_done(const char *said) {
  int done = 0, frame;
  char mark;
  for (const char *line = said; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (sscanf(line, "%d %c : Var", &frame, &mark) == 2 && mark == '+') done = frame + 1;
  return done;
}

/* Bounded check of the given rules together; *depth: frames without a failure, *frame: of a failure
 * or -1. */
static bool try_sat(session *s, const uint32_t *which, size_t n, const char *name,
                    const formal_engine *e, int *depth, int *frame) {
  if (!write_graph(s, name, which, n, true)) return false;
  char *commands = wf_text("strash; bmc3 -v -F %u -T %u; write_cex -a %s/%s.aiw", e->limit,
                           e->seconds, s->design.folder, name);
  char *said = run_abc(s, name, commands, e->seconds);
  free(commands);
  if (!said) return false;
  *frame = failed_frame(said);
  *depth = frames_done(said);
  free(said);
  return true;
}

static bool run_sat(session *s, const formal_engine *e) {
  uint32_t which[FORMAL_MAX_RULES];
  size_t n = open_rules(s, which);
  int depth, frame;
  if (!try_sat(s, which, n, "sat_all", e, &depth, &frame)) return false;
  if (frame >= 0) return name_failures(s, "sat_all", which, n, frame, "sat");
  if (depth) close_rules(s, which, n, FORMAL_BOUNDED, depth, "sat");
  return true;
}

/* yosys-smtbmc: 0 passed, 1 failed (the rule in *rule, or n_rules), 2 no answer, -1 error. */
static int run_smt(session *s, bool induction, const formal_engine *e, uint32_t *rule) {
  const char *mode = induction ? "induction" : "base";
  char *log = wf_text("%s/%s.log", s->design.folder, mode);
  char *vcd = wf_text("%s/%s.vcd", s->design.folder, mode);
  char *smt = wf_text("%s/design.smt2", s->design.folder), steps[16];
  snprintf(steps, sizeof steps, "%u", e->limit);
  char *argv[] = {
      "yosys-smtbmc",         "--noprogress",         "-s", "z3", "-t", steps, "--dump-vcd", vcd,
      induction ? "-i" : smt, induction ? smt : NULL, NULL};
  int code = formal_run(argv, log, e->seconds);
  size_t bytes;
  char *said = wf_file_read(log, LOG_LIMIT, &bytes, s->err);
  int answer = !said                                                              ? -1
               : strstr(said, "Status: passed") || strstr(said, "Status: PASSED") ? 0
                                                                                  : 2;
  if (code == 127) {
    wf_fail(s->err, WF_EXIT_BAD_INPUT,
            "yosys-smtbmc cannot be run; it is in Debian's package yosys");
    answer = -1;
  }
  if (answer == 2 && strstr(said, "Assert failed in")) answer = 1;
  *rule = (uint32_t)s->result->n_rules;
  for (uint32_t i = 0; answer == 1 && i < s->result->n_rules; i++) {
    char *as_is = wf_text(": %s\n", s->result->rules[i].name);
    char *in_dut = wf_text(": dut.%s\n", s->result->rules[i].name);
    if (strstr(said, as_is) || strstr(said, in_dut)) *rule = i;
    free(as_is);
    free(in_dut);
  }
  if (answer == 1 && !induction) set_vcd(s, mode);
  free(log), free(vcd), free(smt), free(said);
  return answer;
}

/* The base case, and the step case if wanted. The rule `stable` is not in the SMT2 design. */
static bool run_smtbmc(session *s, const formal_engine *e) {
  uint32_t which[FORMAL_MAX_RULES], bad;
  size_t all = open_rules(s, which), n = 0;
  for (size_t i = 0; i < all; i++)
    if (!is_stable(&s->result->rules[which[i]])) which[n++] = which[i];
  if (!n) return true;
  int base = run_smt(s, false, e, &bad);
  if (base == 1) {
    if (bad == s->result->n_rules) bad = which[0];
    close_rules(s, &bad, 1, FORMAL_FAILED, (int)e->limit, "smtbmc");
  }
  if (base != 0) return base != -1;
  close_rules(s, which, n, FORMAL_BOUNDED, (int)e->limit, "smtbmc");
  if (e->kind != FORMAL_INDUCTION) return true;
  int step = run_smt(s, true, e, &bad);
  if (step == 0) close_rules(s, which, n, FORMAL_PROVEN, (int)e->limit, "induction");
  return step != -1;
}

/* bmc3 on covers; those that are reached are closed. "Output 3 was asserted in frame 7". */
static bool try_covers(session *s, const uint32_t *which, size_t n, const char *name,
                       const char *options) {
  if (!write_graph(s, name, which, n, false)) return false;
  char *commands = wf_text("strash; bmc3 %s -F %u -T 300", options, s->design.proof->cover);
  char *said = run_abc(s, name, commands, 300);
  free(commands);
  if (!said) return false;
  for (const char *at = said; n > 1 && (at = strstr(at, "Output ")); at++) {
    unsigned output;
    int frame;
    if (sscanf(at, "Output %u was asserted in frame %d", &output, &frame) != 2 || output >= n)
      continue;
    close_rules(s, &which[output], 1, FORMAL_FAILED, frame, "sat");
  }
  /* With one output the wording differs. */
  if (n == 1 && failed_frame(said) >= 0)
    close_rules(s, which, 1, FORMAL_FAILED, failed_frame(said), "sat");
  free(said);
  return true;
}

/* All together; what is left one by one, for bmc3 -a dies where the last covers are reached in one
 * frame. */
static bool run_covers(session *s) {
  uint32_t which[FORMAL_MAX_RULES];
  size_t n = 0;
  for (uint32_t i = 0; i < s->result->n_rules; i++)
    if (s->result->rules[i].cover) which[n++] = i;
  if (!n || !s->design.proof->cover) return true;
  bool ok = try_covers(s, which, n, "covers", "-a -d");
  for (size_t i = 0; ok && i < n; i++)
    if (s->result->rules[which[i]].state != FORMAL_FAILED)
      ok = try_covers(s, &which[i], 1, "cover", "");
  return ok;
}

static bool any_failed(const session *s) {
  for (size_t i = 0; i < s->result->n_rules; i++)
    if (!s->result->rules[i].cover && s->result->rules[i].state == FORMAL_FAILED) return true;
  return false;
}

bool formal_prove(const char *unit, const formal_proof *proof, const formal_files *files,
                  const char *folder, formal_result *result, wf_error *err) {
  session s = {.result = result, .err = err};
  *result = (formal_result){0};
  double start = wf_clock_seconds();
  bool ok = formal_design_build(&s.design, unit, proof, files, folder, result, err);
  if (!ok) return false;
  uint32_t which[FORMAL_MAX_RULES];
  for (unsigned i = 0; i < proof->n_engines && ok && !any_failed(&s); i++) {
    const formal_engine *e = &proof->engines[i];
    if (!open_rules(&s, which)) break;
    ok = e->kind == FORMAL_PDR   ? run_pdr(&s, e)
         : e->kind == FORMAL_SAT ? run_sat(&s, e)
                                 : run_smtbmc(&s, e);
  }
  if (ok && !any_failed(&s)) ok = run_covers(&s);
  result->seconds = wf_clock_seconds() - start;
  formal_design_free(&s.design);
  return ok;
}

int formal_holds_for(const formal_result *r) {
  int least = 0;
  for (size_t i = 0; i < r->n_rules; i++) {
    const formal_rule *rule = &r->rules[i];
    if (!rule->cover && rule->state == FORMAL_BOUNDED && (!least || rule->depth < least))
      least = rule->depth;
  }
  return least;
}

int formal_needs(const formal_result *r) {
  int most = 0;
  for (size_t i = 0; i < r->n_rules; i++) {
    const formal_rule *rule = &r->rules[i];
    if (rule->cover && rule->state == FORMAL_FAILED && rule->depth >= most) most = rule->depth + 1;
  }
  return most;
}

/* Are the rules checked for as long as the covers take? A proof that says that it is shallow is
 * shallow. */
static bool deep_enough(const char *unit, const formal_proof *proof, const formal_result *r) {
  const int holds = formal_holds_for(r), needs = formal_needs(r);
  const bool shallow = holds && holds < needs;
  if (!shallow || proof->shallow) return true;
  fprintf(stderr,
          "formal: %s: [formal %s] rules hold for %d cycles only, fewer than the %d of a cover: "
          "expected a longer time or a smaller set (or shallow = 1)\n",
          unit, proof->name, holds, needs);
  return false;
}

bool formal_judge(const char *unit, const formal_proof *proof, const formal_result *r) {
  bool good = true;
  for (size_t i = 0; i < r->n_rules; i++) {
    const formal_rule *rule = &r->rules[i];
    const char *what = rule->cover ? rule->state != FORMAL_FAILED ? "is not reached" : NULL
                       : rule->state == FORMAL_FAILED ? "does not hold"
                       : rule->state == FORMAL_OPEN   ? "is not decided by any engine"
                                                      : NULL;
    if (!what || (rule->cover && !proof->cover)) continue;
    fprintf(stderr, "formal: %s: [formal %s] %s %s%s%s\n", unit, proof->name, rule->name, what,
            rule->cover ? ""
            : r->vcd[0] ? ", see "
                        : "",
            rule->cover ? "" : r->vcd);
    good = false;
  }
  return good && deep_enough(unit, proof, r);
}
