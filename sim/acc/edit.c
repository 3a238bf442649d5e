#include "sim/acc/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(acc_source *s, acc_edits *e, acc_edit new) {
  if (e->n == e->room) {
    e->room = e->room ? 2 * e->room : 16;
    acc_edit *list = acc_new(s, e->room * sizeof *list);
    if (e->n) memcpy(list, e->list, e->n * sizeof *list);
    e->list = list;
  }
  e->list[e->n++] = new;
}

void acc_replace(acc_source *s, acc_edits *e, unsigned begin, unsigned end, const char *text) {
  for (unsigned i = 0; i < e->n; i++)
    if (e->list[i].begin < end && begin < e->list[i].end) return;
  add(s, e, (acc_edit){begin, end, text, false});
}

void acc_insert(acc_source *s, acc_edits *e, unsigned at, const char *text) {
  add(s, e, (acc_edit){at, at, text, false});
}

void acc_close(acc_source *s, acc_edits *e, unsigned at, const char *text) {
  add(s, e, (acc_edit){at, at, text, true});
}

/* Of those at one place: closers, the last made first; then the others as they were made. */
static bool before(const acc_edits *e, unsigned a, unsigned b) {
  const acc_edit *x = &e->list[a], *y = &e->list[b];
  if (x->begin != y->begin) return x->begin < y->begin;
  if (x->closes != y->closes) return x->closes;
  return x->closes ? a > b : a < b;
}

char *acc_edited(acc_source *s, acc_edits *e, unsigned begin, unsigned end) {
  unsigned *order = acc_new(s, (e->n + 1) * sizeof *order), n = 0;
  for (unsigned i = 0; i < e->n; i++) {
    if (e->list[i].begin < begin || e->list[i].end > end) continue;
    unsigned at = n++;
    for (; at && before(e, i, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = i;
  }
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  unsigned at = begin;
  for (unsigned i = 0; i < n; i++) {
    const acc_edit *edit = &e->list[order[i]];
    if (edit->begin < at) continue; /* inside of one that was made before */
    fwrite(s->text + at, 1, edit->begin - at, out);
    fputs(edit->text, out);
    at = edit->end;
  }
  fwrite(s->text + at, 1, end - at, out);
  fclose(out);
  char *kept = acc_keep(s, "%s", text);
  free(text);
  return kept;
}
