#include "verify/formal/formal_design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"

enum { TEXT_LIMIT = 1 << 28, YOSYS_SECONDS = 600 };

static bool has_word(const char *words, const char *word) {
  size_t n = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += n) {
    bool starts = at == words || at[-1] == ' ', ends = !at[n] || at[n] == ' ';
    if (starts && ends) return true;
  }
  return false;
}

/* Assumptions stay assumptions in the property module and in the modules named by `assume`. */
static bool keeps_assumptions(const formal_proof *p, const formal_files *files, size_t i) {
  char module[FORMAL_PATH];
  const char *base = strrchr(files->path[i], '/') + 1;
  snprintf(module, sizeof module, "%.*s", (int)(strlen(base) - 2), base);
  size_t n = strlen(module);
  bool device = strncmp(p->top, module, n) == 0 && strcmp(p->top + n, "_props") == 0;
  return i == 0 || (*p->assume ? has_word(p->assume, module) : device);
}

static void put_defines(FILE *f, const formal_proof *p) {
  char *copy = wf_strdup(p->define), *rest = copy, *word;
  while ((word = strtok_r(rest, " ,\t", &rest))) fprintf(f, " -D%s", word);
  free(copy);
}

static void put_reads(FILE *f, const char *folder, const formal_proof *p,
                      const formal_files *files) {
  for (int assume = 0; assume < 2; assume++) {
    fprintf(f, "read_verilog -formal -sv -DWF_COVER_IS_ASSERT -Irtl/common -Iverify/formal -I%s",
            folder);
    if (!assume) fprintf(f, " -DWF_ASSUME_IS_ASSERT");
    put_defines(f, p);
    bool some = false;
    for (size_t i = 0; i < files->count; i++) {
      if (keeps_assumptions(p, files, i) != (assume == 1)) continue;
      fprintf(f, " %s", files->path[i]);
      some = true;
    }
    fprintf(f, some ? "\ndesign -reset-vlog\n" : " rtl/common/wf_assert.vh\ndesign -reset-vlog\n");
  }
}

static void put_parameters(FILE *f, const formal_proof *p) {
  char *copy = wf_strdup(p->set), *rest = copy, *word;
  while ((word = strtok_r(rest, " ,\t", &rest))) {
    char *equals = strchr(word, '=');
    if (equals) *equals = ' ';
    fprintf(f, "chparam -set %s %s\n", word, p->top);
  }
  free(copy);
}

static bool needs_smt(const formal_proof *p) {
  for (unsigned i = 0; i < p->n_engines; i++)
    if (p->engines[i].kind == FORMAL_INDUCTION || p->engines[i].kind == FORMAL_BMC) return true;
  return false;
}

/* Free cells are cut before flattening. `check` then finds names of the property module that
 * connect to nothing in the device. What is undefined in the RTL becomes a free value. */
static bool write_script(const char *path, const char *rtl, const formal_proof *p,
                         const formal_files *files, const char *folder, wf_error *err) {
  FILE *f = fopen(path, "w");
  if (!f) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written", path);
  put_reads(f, rtl, p, files);
  put_parameters(f, p);
  fprintf(f, "hierarchy -check -top %s\nproc\n", p->top);
  char *copy = wf_strdup(p->free_cells), *rest = copy, *word;
  while ((word = strtok_r(rest, " ,\t", &rest)))
    fprintf(f, "select -assert-min 1 %s\ncutpoint %s\n", word, word);
  free(copy);
  fprintf(f,
          "flatten\ncheck -assert\nsetundef -undriven -anyseq\nprep\nmemory_map\nopt -fast\n"
          "async2sync\ndffunmap\nopt_clean\nwrite_rtlil %s/design.il\ndesign -save whole\n",
          folder);
  if (needs_smt(p))
    fprintf(f,
            "delete */*cover_* */wf_quiet\nwrite_smt2 -wires %s/design.smt2\ndesign -load whole\n",
            folder);
  fprintf(f,
          "techmap\nabc -fast -g AND\nsimplemap\naigmap\n"
          "tee -q -o %s/names.txt select -list t:$assert\n"
          "write_aiger -ascii -symbols -zinit -map %s/design.aim %s/design.aag\n",
          folder, folder, folder);
  return fclose(f) == 0 || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written", path);
}

static bool run_yosys(const char *folder, const char *script, const char *name, wf_error *err) {
  char log[FORMAL_PATH];
  snprintf(log, sizeof log, "%s/yosys.log", folder);
  char *argv[] = {"yosys", "-q", "-s", (char *)script, NULL};
  int code = formal_run(argv, log, YOSYS_SECONDS);
  if (code == 0) return true;
  size_t bytes;
  char *said = wf_file_read(log, TEXT_LIMIT, &bytes, err);
  const char *tail = said ? said + (bytes > 600 ? bytes - 600 : 0) : "";
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: yosys (exit %d) does not take the design, log %s:\n%s", name,
          code, log, tail);
  free(said);
  return false;
}

/* Cells of names.txt are in the order of the bad states: "top/dut.rule1". */
static bool read_names(const formal_design *d, formal_result *r, wf_error *err) {
  char path[FORMAL_PATH], line[512];
  snprintf(path, sizeof path, "%s/names.txt", d->folder);
  FILE *f = fopen(path, "r");
  if (!f) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", path);
  r->n_rules = 0;
  while (r->n_rules < FORMAL_MAX_RULES && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    const char *name = strchr(line, '/') ? strchr(line, '/') + 1 : line;
    if (strncmp(name, "dut.", 4) == 0) name += 4;
    formal_rule *rule = &r->rules[r->n_rules++];
    *rule = (formal_rule){.cover = strncmp(name, "cover_", 6) == 0, .engine = ""};
    if (strcmp(name, "wf_quiet") == 0) name = "stable";
    if (strstr(name, ".cover_")) rule->cover = true;
    snprintf(rule->name, sizeof rule->name, "%.127s", name);
  }
  fclose(f);
  if (r->n_rules == d->aig.n_bad && r->n_rules) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %zu assertions for %u bad states", path, r->n_rules,
                 d->aig.n_bad);
}

/* Property modules use no asynchronous resets, so their latches keep a name; those of the device
 * may lose it. */
static bool *device_latches(const formal_design *d, wf_error *err) {
  char path[FORMAL_PATH], line[1024], name[768];
  unsigned index, bit;
  snprintf(path, sizeof path, "%s/design.aim", d->folder);
  FILE *f = fopen(path, "r");
  if (!f) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", path);
    return NULL;
  }
  bool *marked = wf_calloc((size_t)d->aig.n_latches + 1, sizeof *marked);
  for (uint32_t i = 0; i < d->aig.n_latches; i++) marked[i] = true;
  while (fgets(line, sizeof line, f)) {
    bool latch = sscanf(line, "latch %u %u %767s", &index, &bit, name) == 3 ||
                 sscanf(line, "invlatch %u %u %767s", &index, &bit, name) == 3;
    if (!latch || index >= d->aig.n_latches) continue;
    if (strncmp(name, "dut.", 4) != 0 && name[0] != '$') marked[index] = false;
  }
  fclose(f);
  return marked;
}

static bool add_stable(formal_design *d, const formal_result *r, wf_error *err) {
  for (uint32_t i = 0; i < r->n_rules; i++) {
    if (strcmp(r->rules[i].name, "stable") != 0) continue;
    bool *marked = device_latches(d, err);
    if (!marked) return false;
    formal_aig_stable(&d->aig, i, marked);
    free(marked);
  }
  return true;
}

bool formal_design_build(formal_design *d, const char *unit, const formal_proof *proof,
                         const formal_files *files, const char *folder, formal_result *result,
                         wf_error *err) {
  char script[FORMAL_PATH], path[FORMAL_PATH];
  wf_place place;
  *d = (formal_design){.folder = folder, .proof = proof};
  if (!wf_place_find("", unit, &place, err)) return false;
  snprintf(script, sizeof script, "%s/design.ys", folder);
  snprintf(path, sizeof path, "%s/design.aag", folder);
  bool ok = formal_make_folder(folder, err) &&
            write_script(script, place.folder, proof, files, folder, err) &&
            run_yosys(folder, script, proof->name, err) && formal_aig_read(&d->aig, path, err) &&
            read_names(d, result, err) && add_stable(d, result, err);
  d->n_real_latches = d->aig.n_latches;
  if (ok)
    formal_aig_fold(&d->aig);
  else
    formal_design_free(d);
  return ok;
}

void formal_design_free(formal_design *d) {
  formal_aig_free(&d->aig);
}

/* abc's witness: initial latches, then a line of inputs per step; other abcs have "1" and "b0" in
 * front. The latch that folding added is cut off. */
static bool trim_witness(const formal_design *d, const char *path) {
  size_t bytes;
  char *text = wf_file_read(path, TEXT_LIMIT, &bytes, NULL);
  if (!text) return false;
  FILE *f = fopen(path, "w");
  unsigned lines = 0;
  char *rest = text, *line;
  while (f && (line = strtok_r(rest, "\n", &rest))) {
    bool state = strlen(line) > 2 && lines++ == 0;
    if (state && strlen(line) > d->n_real_latches) line[d->n_real_latches] = 0;
    fprintf(f, "%s\n", line);
  }
  free(text);
  return f && fclose(f) == 0 && lines > 1;
}

bool formal_design_trace(const formal_design *d, const char *name) {
  char *witness = wf_text("%s/%s.aiw", d->folder, name);
  char *log = wf_text("%s/%s.sim.log", d->folder, name);
  char *vcd = wf_text("%s/%s.vcd", d->folder, name);
  char *command =
      wf_text("read_rtlil %s/design.il; sim -map %s/design.aim -r %s -vcd %s -clock clk_i",
              d->folder, d->folder, witness, vcd);
  char *argv[] = {"yosys", "-q", "-p", command, NULL};
  unlink(vcd);
  bool ok = trim_witness(d, witness) && formal_run(argv, log, YOSYS_SECONDS) == 0 &&
            access(vcd, R_OK) == 0;
  free(witness);
  free(log);
  free(vcd);
  free(command);
  return ok;
}
