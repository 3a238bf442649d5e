/* The file of a sweep. */
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

/* LINE_BYTES: longer lines are cut by the parser. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { MOST_VALUES = 20000 };
#else
enum { MOST_VALUES = 2000000 };
#endif
enum { FILE_BYTES = 1 << 22, LINE_BYTES = 190 };
#define MOST_POINTS UINT64_C(1000000000)

typedef struct reader {
  const char *name, *text, *end;
  int line;
  bool more; /* the line continues the one before */
  wf_sweep *s;
  size_t values;   /* in all */
  sweep_axis *run; /* where the section's keys go; NULL: none */
  sweep_key *key;  /* that may go on */
  char section[64];
  wf_error *err;
  bool failed;
} reader;

static bool refuse(reader *r, const char *what, const char *value, const char *why) {
  r->failed = true;
  return wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s:%d: %s%s%s: %s", r->name, r->line, what,
                 value ? "=" : "", value ? value : "", why);
}

/* ---- keys ---- */

static bool one_of(const char *name, const char *const *list) {
  while (*list && strcmp(*list, name) != 0) list++;
  return *list != NULL;
}

static bool check_key(reader *r, const char *name) {
  static const char *const options[] = {
      "app",   "ptx",  "trace",      "graph",  "config", "unit", "seed",  "kernel", "grid",
      "block", "args", "max-cycles", "shared", "cuda",   "arch", "clang", "host",   NULL};
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  if (one_of(name, options)) return true;
  return (sweep_is_setting(name) && !name[strspn(name, plain)]) ||
         refuse(r, name, NULL,
                "no such key; expected app, ptx, trace, cuda, graph, config, unit, seed, kernel, "
                "grid, block, shared, arch, clang, host, max-cycles, args, or one of --set "
                "(l1.bytes, scale)");
}

static const sweep_key *key_of(const sweep_axis *axis, const char *name) {
  for (size_t i = 0; i < axis->n_keys; i++)
    if (!strcmp(axis->keys[i].name, name)) return &axis->keys[i];
  return NULL;
}

static bool check_new(reader *r, const char *name) {
  const sweep_key *old = key_of(&r->s->fixed, name);
  for (size_t a = 0; !old && a < r->s->n_axes; a++) old = key_of(&r->s->axes[a], name);
  if (!old) return true;
  char why[64];
  snprintf(why, sizeof why, "given in line %d already", old->line);
  return refuse(r, name, NULL, why);
}

static sweep_axis *add_axis(wf_sweep *s, const char *name) {
  s->axes = wf_realloc(s->axes, s->n_axes + 1, sizeof *s->axes);
  s->axes[s->n_axes] = (sweep_axis){.name = name ? wf_strdup(name) : NULL};
  return &s->axes[s->n_axes++];
}

static bool add_values(reader *r, const char *text) {
  const char *why = NULL;
  const size_t before = r->key->n;
  if (r->run == &r->s->fixed) { /* as it stands */
    if (r->more) return refuse(r, r->key->name, text, "[run] has one value for each key");
    char *value = wf_strdup(text);
    r->key->values = wf_realloc(NULL, 1, sizeof *r->key->values);
    r->key->values[r->key->n++] = value;
  } else if (!sweep_expand(text, &r->key->values, &r->key->n, MOST_VALUES - r->values + before,
                           &why)) {
    return refuse(r, r->key->name, text, why);
  }
  r->values += r->key->n - before;
  return r->key->n || refuse(r, r->key->name, text, "expected values");
}

static bool add_key(reader *r, const char *name, const char *text) {
  if (!check_key(r, name) || !check_new(r, name)) return false;
  sweep_axis *axis = r->run ? r->run : add_axis(r->s, NULL);
  axis->keys = wf_realloc(axis->keys, axis->n_keys + 1, sizeof *axis->keys);
  r->key = &axis->keys[axis->n_keys++];
  *r->key = (sweep_key){.name = wf_strdup(name), .line = r->line};
  return add_values(r, text);
}

/* ---- sections ---- */

static bool take_setting(reader *r, const char *name, const char *value) {
  if (strcmp(name, "store") != 0) return refuse(r, name, NULL, "[sweep] has store = FILE alone");
  if (r->s->store || !*value) return refuse(r, name, value, "expected one name of a file");
  r->s->store = wf_strdup(value);
  return true;
}

static bool take_slurm(reader *r, const char *name, const char *value) {
  wf_sweep *s = r->s;
  if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")] || *name == '-')
    return refuse(r, name, NULL, "expected an option of sbatch: partition = long");
  s->slurm = wf_realloc(s->slurm, s->n_slurm + 1, sizeof *s->slurm);
  s->slurm[s->n_slurm++] = wf_text("--%s=%s", name, value);
  return true;
}

static bool enter(reader *r, const char *section) {
  snprintf(r->section, sizeof r->section, "%s", section);
  r->run = NULL;
  r->key = NULL;
  if (!strcmp(section, "run")) r->run = &r->s->fixed;
  if (!strcmp(section, "zip") || !strncmp(section, "zip ", 4)) {
    const char *name = section + (section[3] ? 4 : 3);
    for (size_t a = 0; a < r->s->n_axes; a++)
      if (r->s->axes[a].name && !strcmp(r->s->axes[a].name, name))
        return refuse(r, "[zip]", name, "each has a name of its own: [zip NAME]");
    r->run = add_axis(r->s, name);
  }
  static const char *const known[] = {"run", "product", "sweep", "slurm", NULL};
  return r->run || one_of(section, known) ||
         refuse(r, "section", section, "expected [run], [product], [zip NAME], [sweep] or [slurm]");
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
  reader *r = user;
  if (r->failed) return 0;
  if (strcmp(section, r->section) != 0 && !enter(r, section)) return 0;
  if (!*r->section) return refuse(r, name, value, "expected a section first: [product]");
  if (!strcmp(section, "sweep")) return take_setting(r, name, value);
  if (!strcmp(section, "slurm")) return take_slurm(r, name, value);
  if (r->more && r->key) return add_values(r, value);
  return add_key(r, name, value);
}

/* A line for the parser, as fgets; what it would not see is refused here. */
static char *next_line(char *to, int bytes, void *user) {
  reader *r = user;
  if (r->text >= r->end || r->failed) return NULL;
  const char *newline = memchr(r->text, '\n', (size_t)(r->end - r->text));
  const size_t n = (size_t)((newline ? newline + 1 : r->end) - r->text);
  r->line++;
  if (memchr(r->text, '\0', n)) return refuse(r, "a byte 0", NULL, "expected text"), NULL;
  if (n > LINE_BYTES || n + 1 > (size_t)bytes)
    return refuse(r, "a line of more than 190 bytes", NULL,
                  "continue it in the next one, which begins with blanks"),
           NULL;
  memcpy(to, r->text, n);
  to[n] = '\0';
  if (*to == '[') *r->section = '\0', r->key = NULL;
  r->more = (*to == ' ' || *to == '\t') && r->key;
  r->text += n;
  return to;
}

/* ---- the whole ---- */

static bool count_points(reader *r) {
  wf_sweep *s = r->s;
  s->points = 1;
  for (size_t a = 0; a < s->n_axes; a++) {
    const sweep_axis *axis = &s->axes[a];
    for (size_t k = 1; k < axis->n_keys; k++) {
      if (axis->keys[k].n == axis->keys[0].n) continue;
      r->line = axis->keys[k].line;
      char why[128];
      snprintf(why, sizeof why, "%zu values, and %.40s of the same [zip] has %zu", axis->keys[k].n,
               axis->keys[0].name, axis->keys[0].n);
      return refuse(r, axis->keys[k].name, NULL, why);
    }
    if (axis->n_keys) s->points *= axis->keys[0].n;
    if (s->points > MOST_POINTS)
      return refuse(r, "points", NULL, "more than 1000000000; make it several sweeps");
  }
  return s->n_axes || s->fixed.n_keys ||
         wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: no keys; expected [product] with app = ...",
                 r->name);
}

static char *beside(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  const size_t n =
      dot && (!slash || dot > slash + 1) && dot > path ? (size_t)(dot - path) : strlen(path);
  return wf_text("%.*s.db", (int)n, path);
}

wf_sweep *wf_sweep_read_text(const char *name, const char *text, size_t bytes, wf_error *err) {
  wf_error local = {0};
  reader r = {.name = name, .text = text, .end = text + bytes, .err = err ? err : &local};
  r.s = wf_calloc(1, sizeof *r.s);
  const int line = ini_parse_stream(next_line, &r, take_line, &r);
  if (!r.failed && line)
    r.line = line, refuse(&r, "line", NULL, "expected [section] or key = values");
  if (!r.failed && count_points(&r)) {
    if (!r.s->store) r.s->store = beside(name);
    return r.s;
  }
  wf_sweep_destroy(r.s);
  return NULL;
}

wf_sweep *wf_sweep_read(const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, FILE_BYTES, &bytes, err);
  wf_sweep *s = text ? wf_sweep_read_text(path, text, bytes, err) : NULL;
  free(text);
  return s;
}

static void free_axis(sweep_axis *axis) {
  for (size_t k = 0; k < axis->n_keys; k++) {
    for (size_t i = 0; i < axis->keys[k].n; i++) free(axis->keys[k].values[i]);
    free(axis->keys[k].values);
    free(axis->keys[k].name);
  }
  free(axis->keys);
  free(axis->name);
}

void wf_sweep_destroy(wf_sweep *s) {
  if (!s) return;
  free_axis(&s->fixed);
  for (size_t a = 0; a < s->n_axes; a++) free_axis(&s->axes[a]);
  for (size_t i = 0; i < s->n_slurm; i++) free(s->slurm[i]);
  free(s->slurm);
  free(s->axes);
  free(s->store);
  free(s);
}

const char *wf_sweep_store(const wf_sweep *s) {
  return s->store;
}

const char *wf_sweep_slurm(const wf_sweep *s, size_t index) {
  return index < s->n_slurm ? s->slurm[index] : NULL;
}
