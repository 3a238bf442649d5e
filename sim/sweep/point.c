/* Points: a number in a mixed radix, the last axis the fastest. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

uint64_t wf_sweep_points(const wf_sweep *s) {
  return s->points;
}

static size_t values_of(const sweep_axis *axis) {
  return axis->n_keys ? axis->keys[0].n : 1;
}

bool sweep_is_setting(const char *name) {
  return strchr(name, '.') || !strcmp(name, "scale");
}

/* `default` leaves a key out, `none` a unit or graph. */
static bool left_out(const sweep_key *key, const char *value) {
  return !strcmp(value, "default") ||
         (!strcmp(value, "none") && (!strcmp(key->name, "unit") || !strcmp(key->name, "graph")));
}

/* What comes first, and behind it, of a point with a CUDA program: that, and what is for it. */
typedef enum part { PART_OPTIONS, PART_PROGRAM, PART_ARGS } part;

static part part_of(const sweep_key *key, bool program) {
  if (!strcmp(key->name, "cuda")) return PART_PROGRAM;
  return program && !strcmp(key->name, "args") ? PART_ARGS : PART_OPTIONS;
}

static size_t put(char **words, const sweep_key *key, const char *value) {
  if (left_out(key, value)) return 0;
  if (!strcmp(key->name, "args")) {
    char **more;
    const size_t n = wf_identity_words(value, &more);
    memcpy(words, more, n * sizeof *words);
    free(more);
    return n;
  }
  const bool set = sweep_is_setting(key->name);
  words[0] = set ? wf_strdup("--set") : wf_text("--%s", key->name);
  words[1] = set ? wf_text("%s=%s", key->name, value) : wf_strdup(value);
  return 2;
}

static size_t room_of(const sweep_axis *axis, size_t at) {
  size_t n = 0;
  for (size_t k = 0; k < axis->n_keys; k++) n += 2 + strlen(axis->keys[k].values[at]);
  return n;
}

static bool has_program(const sweep_axis *axis, size_t at) {
  for (size_t k = 0; k < axis->n_keys; k++)
    if (!strcmp(axis->keys[k].name, "cuda") && !left_out(&axis->keys[k], axis->keys[k].values[at]))
      return true;
  return false;
}

static size_t put_axis(char **words, const sweep_axis *axis, size_t at, bool program, part p) {
  size_t n = 0;
  for (size_t k = 0; k < axis->n_keys; k++)
    if (part_of(&axis->keys[k], program) == p)
      n += put(words + n, &axis->keys[k], axis->keys[k].values[at]);
  return n;
}

static size_t put_all(char **words, const wf_sweep *s, const size_t *at, bool program, part p) {
  size_t n = put_axis(words, &s->fixed, 0, program, p);
  for (size_t a = 0; a < s->n_axes; a++) n += put_axis(words + n, &s->axes[a], at[a], program, p);
  return n;
}

size_t wf_sweep_words(const wf_sweep *s, uint64_t point, char ***words) {
  size_t *at = wf_calloc(s->n_axes + 1, sizeof *at), room = room_of(&s->fixed, 0) + 2;
  bool program = has_program(&s->fixed, 0);
  for (size_t a = s->n_axes; a-- > 0; point /= values_of(&s->axes[a])) {
    at[a] = (size_t)(point % values_of(&s->axes[a]));
    room += room_of(&s->axes[a], at[a]);
    program = program || has_program(&s->axes[a], at[a]);
  }
  *words = wf_calloc(room, sizeof **words);
  size_t n = put_all(*words, s, at, program, PART_OPTIONS);
  n += put_all(*words + n, s, at, program, PART_PROGRAM);
  const size_t more = put_all(*words + n + 1, s, at, program, PART_ARGS);
  if (more) (*words)[n] = wf_strdup("--");
  free(at);
  return more ? n + 1 + more : n;
}

static uint64_t weight_of(const wf_sweep *s, size_t axis) {
  uint64_t weight = 1;
  for (size_t a = axis + 1; a < s->n_axes; a++) weight *= values_of(&s->axes[a]);
  return weight;
}

/* ---- where it stands ---- */

static bool is_meant(const char *text, const sweep_key *key, const char *value) {
  char *const forms[] = {wf_text("%s=%s:", key->name, value), wf_text("--%s %s:", key->name, value),
                         wf_text("--set %s:", key->name), wf_text("'%s'", value)};
  bool found = false;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    found = found || strstr(text, forms[i]);
    free(forms[i]);
  }
  return found;
}

int wf_sweep_line(const wf_sweep *s, uint64_t point, const char *text) {
  for (size_t a = s->n_axes + 1; a-- > 0;) {
    const sweep_axis *axis = a < s->n_axes ? &s->axes[a] : &s->fixed;
    const size_t at = a < s->n_axes ? (size_t)(point / weight_of(s, a) % values_of(axis)) : 0;
    for (size_t k = 0; k < axis->n_keys; k++)
      if (is_meant(text, &axis->keys[k], axis->keys[k].values[at])) return axis->keys[k].line;
  }
  return 0;
}

/* ---- some of them ---- */

uint64_t *wf_sweep_some(const wf_sweep *s, size_t limit, size_t *n) {
  const size_t all = s->points < limit ? (size_t)s->points : 0;
  size_t room = all + 1;
  for (size_t a = 0; a < s->n_axes && !all; a++) room += values_of(&s->axes[a]);
  uint64_t *points = wf_calloc(room, sizeof *points);
  *n = 0;
  for (uint64_t i = 0; i < all; i++) points[(*n)++] = i;
  if (all) return points;
  points[(*n)++] = 0;
  for (size_t a = 0; a < s->n_axes; a++) {
    const size_t values = values_of(&s->axes[a]), share = limit / s->n_axes + 1;
    const size_t step = values > share ? values / share : 1;
    for (size_t v = step; v < values; v += step) points[(*n)++] = v * weight_of(s, a);
  }
  return points;
}

/* Programs and their data choose no RTL. */
static bool matters(const sweep_axis *axis) {
  static const char *const not [] = {"app",    "ptx",  "trace", "graph", "seed",
                                     "kernel", "grid", "block", "args",  "shared",
                                     "cuda",   "arch", "clang", "host",  NULL};
  for (size_t k = 0; k < axis->n_keys; k++) {
    const char *name = axis->keys[k].name, *const *other = not ;
    while (*other && strcmp(*other, name) != 0) other++;
    if (!*other && strncmp(name, "app.", 4) != 0) return true;
  }
  return false;
}

static bool has_unit(const wf_sweep *s, uint64_t point) {
  char **words;
  bool has = false;
  const size_t n = wf_sweep_words(s, point, &words);
  for (size_t i = 0; i < n; i++) has |= !strcmp(words[i], "--unit");
  wf_identity_words_free(words, n);
  return has;
}

uint64_t *wf_sweep_of_models(const wf_sweep *s, size_t *n) {
  uint64_t all = 1;
  for (size_t a = 0; a < s->n_axes; a++)
    if (matters(&s->axes[a])) all *= values_of(&s->axes[a]);
  uint64_t *points = wf_calloc(all + 1, sizeof *points);
  *n = 0;
  for (uint64_t i = 0; i < all; i++) {
    uint64_t rest = i, point = 0;
    for (size_t a = s->n_axes; a-- > 0;) {
      if (!matters(&s->axes[a])) continue;
      point += rest % values_of(&s->axes[a]) * weight_of(s, a);
      rest /= values_of(&s->axes[a]);
    }
    if (has_unit(s, point)) points[(*n)++] = point;
  }
  return points;
}
