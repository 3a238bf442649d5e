#include "sim/units/teleport/teleport_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

enum { MAX_BYTES = 1 << 20, FIELDS = 10, TILE_FIELDS = 12, NO_PARAMETER = -1 };

typedef struct text_row {
  char *kernel; /* NULL: of all */
  int parameter;
  unsigned line;
  wf_preload_row row; /* base: to be added to the parameter */
} text_row;

struct teleport_table {
  char *path;
  text_row *rows;
  size_t n;
};

void teleport_row_list_add(teleport_row_list *list, const wf_preload_row *row) {
  if (list->n == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : WF_PRELOAD_ROWS;
    list->rows = wf_realloc(list->rows, list->capacity, sizeof *list->rows);
  }
  list->rows[list->n++] = *row;
}

/* "0x1000", "p3", "p3+64" or "p3-64". */
static bool parse_base(const char *text, text_row *row) {
  long number;
  row->parameter = NO_PARAMETER;
  if (*text != 'p') {
    if (!wf_parse_long(text, &number) || number < 0) return false;
    row->row.base = (uint64_t)number;
    return true;
  }
  char copy[64];
  const size_t digits = strspn(text + 1, "0123456789");
  if (!digits || digits > 3) return false;
  row->parameter = atoi(text + 1);
  const char *rest = text + 1 + digits;
  if (!*rest) return true;
  snprintf(copy, sizeof copy, "%s", rest + 1);
  if ((*rest != '+' && *rest != '-') || !wf_parse_long(copy, &number) || number < 0) return false;
  row->row.base = *rest == '+' ? (uint64_t)number : (uint64_t)-number;
  return true;
}

static bool parse_tile(char *const field[2], wf_preload_row *row, const char **wrong) {
  long pitch, lines;
  *wrong = field[0];
  if (!wf_parse_long(field[0], &pitch) || pitch < 0 || pitch > INT32_MAX) return false;
  *wrong = field[1];
  if (!wf_parse_long(field[1], &lines) || lines < 1 || lines > INT32_MAX) return false;
  row->pitch = (uint32_t)pitch;
  row->more = (uint32_t)lines - 1;
  return true;
}

static bool parse_row(char *const field[], unsigned n, text_row *row, const char **wrong) {
  long number;
  *wrong = field[0];
  if (!parse_base(field[0], row)) return false;
  *wrong = field[1];
  if (!wf_parse_long(field[1], &number) || number < 1 || number > 255) return false;
  row->row.element_bytes = (uint32_t)number;
  for (unsigned i = 2; i < FIELDS; i++) {
    *wrong = field[i];
    if (!wf_parse_long(field[i], &number) || number < INT32_MIN || number > INT32_MAX) return false;
    const unsigned k = (i - 2) % 4;
    int32_t *const products = i < 6 ? row->row.min : row->row.max, *const offset =
                                                                       i < 6 ? &row->row.min_offset
                                                                             : &row->row.max_offset;
    *(k < 3 ? &products[k] : offset) = (int32_t)number;
  }
  return n == FIELDS || parse_tile(field + FIELDS, &row->row, wrong);
}

/* One line; `kernel` is of whom rows are. */
static bool take_line(teleport_table *t, char *line, unsigned number, char **kernel, bool *named,
                      wf_error *err) {
  char *field[TILE_FIELDS + 1], *save = NULL;
  unsigned n = 0;
  line[strcspn(line, "#")] = '\0';
  for (char *word = strtok_r(line, " \t\r", &save); word && n <= TILE_FIELDS;
       word = strtok_r(NULL, " \t\r", &save))
    field[n++] = word;
  if (!n) return true;
  if (strcmp(field[0], "kernel") == 0) {
    if (n != 2)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u: expected `kernel NAME` or `kernel *`", t->path,
                     number);
    free(*kernel);
    *kernel = strcmp(field[1], "*") ? wf_strdup(field[1]) : NULL;
    *named = true;
    return true;
  }
  if (!*named)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u: a row before the first `kernel NAME`", t->path,
                   number);
  if (n != FIELDS && n != TILE_FIELDS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s:%u: %u%s fields: expected BASE BYTES, then X Y Z OFFSET of the lower and of "
                   "the upper end, then, of a tile, PITCH LINES",
                   t->path, number, n, n > TILE_FIELDS ? " or more" : "");
  text_row row = {.line = number};
  const char *wrong;
  if (!parse_row(field, n, &row, &wrong))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s:%u: '%s': expected an address or pN[+NUMBER], bytes of an element 1..255, "
                   "then 32-bit numbers, a pitch from 0 and lines from 1 on",
                   t->path, number, wrong);
  row.kernel = *kernel ? wf_strdup(*kernel) : NULL;
  t->rows = wf_realloc(t->rows, t->n + 1, sizeof *t->rows);
  t->rows[t->n++] = row;
  return true;
}

teleport_table *teleport_table_read(const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, MAX_BYTES, &bytes, err), *kernel = NULL, *rest = text;
  if (!text) return NULL;
  teleport_table *t = wf_calloc(1, sizeof *t);
  t->path = wf_strdup(path);
  bool ok = strlen(text) == bytes ||
            wf_fail(err, WF_EXIT_BAD_INPUT, "%s: a zero byte: not a table of rows", path),
       named = false;
  unsigned number = 0;
  for (char *line; ok && (line = strsep(&rest, "\n"));)
    ok = take_line(t, line, ++number, &kernel, &named, err);
  free(kernel);
  free(text);
  if (ok) return t;
  teleport_table_free(t);
  return NULL;
}

void teleport_table_free(teleport_table *t) {
  if (!t) return;
  for (size_t i = 0; i < t->n; i++) free(t->rows[i].kernel);
  free(t->rows);
  free(t->path);
  free(t);
}

bool teleport_table_rows(const teleport_table *t, const ptx_launch *launch, teleport_row_list *list,
                         wf_error *err) {
  const ptx_kernel *k = launch->kernel;
  for (size_t i = 0; i < t->n; i++) {
    const text_row *r = &t->rows[i];
    wf_preload_row row = r->row;
    if (r->kernel && strcmp(r->kernel, k->name)) continue;
    if (r->parameter != NO_PARAMETER) {
      uint64_t value = 0;
      if ((unsigned)r->parameter >= k->n_params || k->params[r->parameter].bytes > sizeof value)
        return wf_fail(err, WF_EXIT_BAD_INPUT,
                       "%s:%u: p%d: kernel %s has %u parameters, from p0 on, of 8 bytes at most",
                       t->path, r->line, r->parameter, k->name, k->n_params);
      memcpy(&value, launch->params + k->params[r->parameter].offset,
             k->params[r->parameter].bytes);
      row.base += value;
    }
    teleport_row_list_add(list, &row);
  }
  return true;
}
