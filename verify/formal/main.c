/* wf_formal: proofs of a unit, one at a time; verify/formal/formal runs many.
 *   wf_formal list UNIT [quick]        names of the unit's proofs
 *   wf_formal prove BUILD UNIT NAME    runs one, or finds that nothing changed since it last passed
 *   wf_formal bugs UNIT                numbers of the seeded bugs in tb/UNIT/proofs/bugs.txt
 *   wf_formal bug BUILD UNIT NUMBER    runs the bug's proof, which must fail, at the named rule
 *   wf_formal page BUILD UNIT          writes the table into its page
 * Exit codes: 0 right, 1 a proof failed (or a bug was missed), 2 usage or bad input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"
#include "verify/formal/formal.h"

enum { FILE_LIMIT = 1 << 24 };

static const char USAGE[] =
    "usage: wf_formal list UNIT [quick] | prove BUILD UNIT NAME | bugs UNIT | "
    "bug BUILD UNIT NUMBER | page BUILD UNIT\n";

/* Runs the proof, or takes the kept result if it is of the same contents. */
static bool result_of(const char *unit, const formal_proof *p, const char *overlay,
                      const char *folder, formal_result *r, bool *kept, wf_error *err) {
  formal_files files;
  uint64_t hash, old;
  char *path = wf_text("%s/result.json", folder);
  bool ok =
      formal_files_find(&files, unit, p, overlay, err) && formal_files_hash(&files, p, &hash, err);
  *kept = ok && formal_result_read(path, r, &old) && old == hash;
  if (ok && !*kept) {
    remove(path);
    ok = formal_prove(unit, p, &files, folder, r, err) && formal_result_write(path, r, hash, err);
  }
  free(path);
  return ok;
}

static void print_counts(const formal_result *r) {
  size_t count[4] = {0}, covers = 0;
  for (size_t i = 0; i < r->n_rules; i++)
    if (r->rules[i].cover)
      covers += r->rules[i].state == FORMAL_FAILED;
    else
      count[r->rules[i].state]++;
  int depth = 0;
  for (size_t i = 0; i < r->n_rules; i++)
    if (!r->rules[i].cover && r->rules[i].state == FORMAL_BOUNDED &&
        (!depth || r->rules[i].depth < depth))
      depth = r->rules[i].depth;
  printf("%zu proven", count[FORMAL_PROVEN]);
  if (count[FORMAL_BOUNDED]) printf(", %zu to %d cycles", count[FORMAL_BOUNDED], depth);
  if (count[FORMAL_FAILED]) printf(", %zu FAILED", count[FORMAL_FAILED]);
  if (count[FORMAL_OPEN]) printf(", %zu OPEN", count[FORMAL_OPEN]);
  printf(", %zu covers", covers);
}

static int prove(const formal_unit *u, const char *build, const char *name, wf_error *err) {
  const formal_proof *p = formal_unit_find(u, name);
  if (!p) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no [formal %s]; see wf_formal list %s", u->unit, name,
            u->unit);
    return err->code;
  }
  static formal_result r;
  bool kept;
  char *folder = wf_text("%s/formal/%s/%s", build, u->unit, name);
  bool ok = result_of(u->unit, p, NULL, folder, &r, &kept, err);
  free(folder);
  if (!ok) return err->code;
  bool good = formal_judge(u->unit, p, &r);
  printf("%s  %-10s %-24s %7.1f s%s  ", good ? "pass" : "FAIL", u->unit, name, r.seconds,
         kept ? " (kept)" : "       ");
  print_counts(&r);
  printf("\n");
  return good ? WF_OK : WF_EXIT_WRONG;
}

/* A line of bugs.txt: PROOF | RULE | FILE | text to find | replacement | what breaks; "\|" stands
 * for |. */
typedef struct bug {
  char *field[6];
} bug;

static char *trim(char *text) {
  while (*text == ' ') text++;
  char *end = text + strlen(text);
  while (end > text && end[-1] == ' ') *--end = 0;
  return text;
}

static bool split(char *line, bug *b) {
  int n = 0;
  char *to = line;
  b->field[n++] = line;
  for (char *from = line; *from; from++) {
    if (from[0] == '\\' && from[1] == '|') {
      *to++ = *++from;
    } else if (*from == '|') {
      *to++ = 0;
      if (n == 6) return false;
      b->field[n++] = to;
    } else {
      *to++ = *from;
    }
  }
  *to = 0;
  for (int i = 0; i < n; i++) b->field[i] = trim(b->field[i]);
  return n == 6;
}

/* The text with the one place of `find` replaced; NULL with *err if there is not exactly one. */
static char *seed(const char *path, const bug *b, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, err), *seeded = NULL;
  if (!text) return NULL;
  char *at = strstr(text, b->field[3]);
  if (!at || strstr(at + 1, b->field[3]))
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not found exactly once: %s", path, b->field[3]);
  else
    seeded = wf_text("%.*s%s%s", (int)(at - text), text, b->field[4], at + strlen(b->field[3]));
  free(text);
  return seeded;
}

static bool write_overlay(const char *unit, const bug *b, const char *folder, wf_error *err) {
  wf_place place;
  if (!wf_place_find("", unit, &place, err)) return false;
  char *from = wf_text("%s/%s", place.folder, b->field[2]);
  char *to = wf_text("%s/%s", folder, b->field[2]);
  char *text = formal_make_folder(folder, err) ? seed(from, b, err) : NULL;
  bool ok = text && formal_write_text(to, text, err);
  free(text);
  free(from);
  free(to);
  return ok;
}

static const char *caught_by(const formal_result *r, const char *rule) {
  for (size_t i = 0; i < r->n_rules; i++)
    if (!r->rules[i].cover && r->rules[i].state == FORMAL_FAILED &&
        (strcmp(rule, "any") == 0 || strcmp(rule, r->rules[i].name) == 0))
      return r->rules[i].name;
  return NULL;
}

/* A failure is found soonest by looking for it cycle by cycle. */
static void bounded_first(formal_proof *p) {
  for (unsigned i = 1; i < p->n_engines; i++) {
    if (p->engines[i].kind != FORMAL_SAT) continue;
    const formal_engine first = p->engines[0];
    p->engines[0] = p->engines[i];
    p->engines[i] = first;
    return;
  }
}

static int run_bug(const formal_unit *u, const char *build, const bug *b, int number,
                   wf_error *err) {
  const formal_proof *found = formal_unit_find(u, b->field[0]);
  if (!found) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "bugs.txt of %s, line %d: no proof %s", u->unit, number,
            b->field[0]);
    return err->code;
  }
  formal_proof p = *found;
  p.only = b->field[1];
  bounded_first(&p);
  static formal_result r;
  bool kept;
  char *folder = wf_text("%s/formal/%s/bug-%d", build, u->unit, number);
  char *overlay = wf_text("%s/rtl", folder);
  bool ok = write_overlay(u->unit, b, overlay, err) &&
            result_of(u->unit, &p, overlay, folder, &r, &kept, err);
  const char *rule = ok ? caught_by(&r, b->field[1]) : NULL;
  if (ok)
    printf("%s  %-10s %-24s %7.1f s%s  %s by %s\n", rule ? "caught" : "MISSED", u->unit, p.name,
           r.seconds, kept ? " (kept)" : "       ", b->field[5], rule ? rule : b->field[1]);
  free(folder);
  free(overlay);
  return !ok ? err->code : rule ? WF_OK : WF_EXIT_WRONG;
}

/* Lists the bugs' line numbers, or runs the one of the given line. */
static int bugs(const formal_unit *u, const char *build, int wanted, wf_error *err) {
  wf_place place;
  if (!wf_place_find("", u->unit, &place, err)) return err->code;
  char *path = wf_text("%s/proofs/bugs.txt", place.bench);
  size_t bytes;
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, err), *line = text;
  int code = text ? WF_OK : err->code, number = 0;
  for (char *next; line && *line && code == WF_OK; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    number++;
    bug b;
    if (*line == '#' || !*line || (wanted && number != wanted)) continue;
    if (!split(line, &b)) {
      wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: expected six fields with | between", path, number);
      code = err->code;
    } else if (wanted) {
      code = run_bug(u, build, &b, number, err);
    } else {
      printf("%d\n", number);
    }
  }
  free(text);
  free(path);
  return code;
}

static int list(const formal_unit *u, bool quick) {
  for (size_t i = 0; i < u->n_proofs; i++)
    if (!quick || u->proofs[i].quick) printf("%s\n", u->proofs[i].name);
  return WF_OK;
}

static int run(int argc, char **argv, wf_error *err) {
  const char *what = argv[1];
  bool two = argc >= 3 && (strcmp(what, "list") == 0 || strcmp(what, "bugs") == 0);
  bool three = argc == 4 && strcmp(what, "page") == 0;
  bool four = argc == 5 && (strcmp(what, "prove") == 0 || strcmp(what, "bug") == 0);
  if (!two && !three && !four) {
    fputs(USAGE, stderr);
    return WF_EXIT_BAD_INPUT;
  }
  formal_unit u;
  if (!formal_unit_read(&u, argv[two ? 2 : 3], err)) return err->code;
  int code;
  if (strcmp(what, "list") == 0)
    code = list(&u, argc > 3 && strcmp(argv[3], "quick") == 0);
  else if (strcmp(what, "bugs") == 0)
    code = bugs(&u, "", 0, err);
  else if (strcmp(what, "prove") == 0)
    code = prove(&u, argv[2], argv[4], err);
  else if (strcmp(what, "bug") == 0)
    code = bugs(&u, argv[2], atoi(argv[4]), err);
  else
    code = formal_page(&u, argv[2], err) ? WF_OK : err->code;
  formal_unit_free(&u);
  return code;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  int code = argc < 2 ? WF_EXIT_BAD_INPUT : run(argc, argv, &err);
  if (argc < 2) fputs(USAGE, stderr);
  if (err.code) fprintf(stderr, "formal: %s\n", err.text);
  return code;
}
