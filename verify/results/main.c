/* wf_results BUILD UNIT...: what `make coverage` and `make mutate` left of units or top modules in
 * BUILD/coverage, BUILD/mutate and BUILD/mutants, as sections of their pages in docs/results. */
#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_page.h"
#include "sim/base/wf_text.h"

static double number(const cJSON *o, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* "12 of 13 (92.3 %)"; "-" of none. */
static void put_share(FILE *f, double some, double all) {
  if (all > 0)
    fprintf(f, "%.0f of %.0f (%.1f %%)", some, all, 100 * some / all);
  else
    fputc('-', f);
}

static void put_source(FILE *f, const char *name, const cJSON *s) {
  fprintf(f, "| %s | ", name);
  put_share(f, number(s, "lines_covered"), number(s, "lines"));
  fputs(" | ", f);
  put_share(f, number(s, "branches_taken"), number(s, "branches"));
  fputs(" | ", f);
  put_share(f, number(s, "bits_toggled"), number(s, "bits"));
  fputs(" |\n", f);
}

static void put_coverage(FILE *f, const char *unit, const cJSON *root) {
  const cJSON *s, *bins = cJSON_GetObjectItem(root, "bins");
  fprintf(
      f,
      "## Coverage of `%s`\n`make coverage UNIT=%s`: %d functional bins, %.0f of them empty.\n\n"
      "| source | lines | branches | toggled bits |\n|---|---|---|---|\n",
      unit, unit, cJSON_GetArraySize(bins), number(root, "bins_empty"));
  cJSON_ArrayForEach(s, cJSON_GetObjectItem(root, "sources")) put_source(f, s->string, s);
  put_source(f, "all", cJSON_GetObjectItem(root, "all"));
}

/* The faults of one module, or of all (NULL), in a state, or in any (NULL). */
static int count(const cJSON *faults, const char *module, const char *state) {
  const cJSON *f;
  int n = 0;
  cJSON_ArrayForEach(f, faults) {
    const char *m = cJSON_GetStringValue(cJSON_GetObjectItem(f, "module")),
               *s = cJSON_GetStringValue(cJSON_GetObjectItem(f, "state"));
    n += m && s && (!module || !strcmp(m, module)) && (!state || !strcmp(s, state));
  }
  return n;
}

static void put_faults(FILE *f, const cJSON *faults, const char *module) {
  fprintf(f, "| %s | %d | %d | %d | %d |", module ? module : "all", count(faults, module, NULL),
          count(faults, module, "killed"), count(faults, module, "equivalent"),
          count(faults, module, "survived") + count(faults, module, "endless"));
  if (count(faults, NULL, "unreached")) fprintf(f, " %d |", count(faults, module, "unreached"));
  fprintf(f, "\n");
}

static bool seen_before(const cJSON *fault, const char *module) {
  for (const cJSON *f = fault->prev; f->next; f = f->prev)
    if (!strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(f, "module")), module)) return true;
  return false;
}

static void put_mutation(FILE *f, const char *unit, const cJSON *root) {
  const cJSON *faults = cJSON_GetObjectItem(root, "faults"), *one;
  fprintf(f,
          "## Faults made by machine in `%s`\n`make mutate UNIT=%s`: the tests noticed %.1f %% of "
          "those that are not equivalent.\n",
          unit, unit, number(root, "killed_percent"));
  const bool some = count(faults, NULL, "unreached");
  if (some)
    fprintf(f,
            "Unreached ones would be seen, but where no test goes: they count as not noticed.\n");
  fprintf(f, "\n| module | faults | noticed | equivalent | survived |%s\n|---|---|---|---|---|%s\n",
          some ? " unreached |" : "", some ? "---|" : "");
  cJSON_ArrayForEach(one, faults) {
    const char *module = cJSON_GetStringValue(cJSON_GetObjectItem(one, "module"));
    if (!seen_before(one, module)) put_faults(f, faults, module);
  }
  put_faults(f, faults, NULL);
}

static bool write_section(const char *unit, const char *what, const char *command, char *text,
                          wf_error *err) {
  char *name = wf_text("%s %s", what, unit), *path = wf_page_path(unit, err);
  const bool ok = path && wf_page_write(path, name, command, text, err);
  free(path);
  free(name);
  free(text);
  return ok;
}

typedef void (*put_section)(FILE *f, const char *unit, const cJSON *root);

static bool from_json(const char *build, const char *folder, const char *unit, const char *what,
                      put_section put, wf_error *err) {
  char *path = wf_text("%s/%s/%s.json", build, folder, unit), *text = NULL;
  bool ok = true;
  if (access(path, R_OK) == 0) {
    size_t bytes;
    cJSON *root = wf_json_read(path, err);
    FILE *f = open_memstream(&text, &bytes);
    if (root) put(f, unit, root);
    fclose(f);
    cJSON_Delete(root);
    char *command = wf_text("make %s", folder);
    ok = root && write_section(unit, what, command, text, err);
    free(command);
  }
  free(path);
  return ok;
}

/* Of the hand-written bugs each left a file that begins with its verdict; a part of them may have
 * been run (BUGS=...). */
static bool bugs(const char *build, const char *unit, wf_error *err) {
  char *pattern = wf_text("%s/mutants/%s.*.result", build, unit), *part = NULL;
  glob_t found = {0};
  size_t caught = 0, run = 0, bytes;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      char *text = wf_file_read(found.gl_pathv[i], 1 << 20, &bytes, err);
      caught += text && !strncmp(text, "caught", 6);
      run += text && strncmp(text, "not run", 7) != 0;
      free(text);
    }
  part = run < found.gl_pathc ? wf_text(" %zu were run;", run) : wf_text("%s", "");
  const size_t all = found.gl_pathc;
  globfree(&found);
  free(pattern);
  char *text = wf_text(
      "Of %zu hand-written bugs in `%s`%s the tests catch %zu (`make mutate-seeded UNIT=%s`).\n",
      all, unit, part, caught, unit);
  const bool ok = !run || write_section(unit, "bugs", "make mutate-seeded", text, err);
  free(part);
  return ok;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  if (argc < 3) wf_fail(&err, WF_EXIT_BAD_INPUT, "usage: wf_results BUILD UNIT...");
  for (int i = 2; i < argc && !err.code; i++)
    if (from_json(argv[1], "coverage", argv[i], "coverage", put_coverage, &err) &&
        from_json(argv[1], "mutate", argv[i], "mutation", put_mutation, &err))
      bugs(argv[1], argv[i], &err);
  if (err.code) fprintf(stderr, "results: %s\n", err.text);
  return err.code;
}
