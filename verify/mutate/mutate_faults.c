/* Faults as Yosys lists them, placed at the RTL's modules and source lines. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <uthash.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"
#include "verify/mutate/mutate.h"

enum { FILE_LIMIT = 1 << 28 };

/* A cell of the design before it was flattened: its name is unique in the whole design. */
typedef struct cell {
  char *name, *type, *module, *src;
  char *constants; /* "A=0101 B=..1 ": ports with constant bits, most significant first, . for the
                      others */
  char *output;    /* the signal that it drives, NULL if that is made of several */
  char *connections;
  UT_hash_handle hh;
} cell;

static void free_cell(cell *c) {
  free(c->name);
  free(c->type);
  free(c->module);
  free(c->src);
  free(c->constants);
  free(c->output);
  free(c->connections);
  free(c);
}

static void free_cells(cell *cells) {
  cell *c, *next;
  HASH_ITER(hh, cells, c, next) {
    HASH_DEL(cells, c);
    free_cell(c);
  }
}

static char *part(const char *from, size_t bytes) {
  return wf_text("%.*s", (int)bytes, from);
}

/* "$paramod$hash\mff_table", "$paramod\mff_table\Tags=..." and "\mff_table" are module mff_table.
 */
static char *plain_module(const char *name) {
  const char *start = strchr(name, '\\');
  return start ? part(start + 1, strcspn(start + 1, "\\")) : wf_strdup(name);
}

typedef struct wire {
  char *name;
  unsigned width;
  UT_hash_handle hh;
} wire;

static void free_wires(wire **wires) {
  wire *w, *next;
  HASH_ITER(hh, *wires, w, next) {
    HASH_DEL(*wires, w);
    free(w->name);
    free(w);
  }
}

/* "width 32 input 3 \\name", or only the name. */
static void note_wire(wire **wires, const char *text) {
  unsigned width = 1;
  if (strncmp(text, "width ", 6) == 0) width = (unsigned)strtoul(text + 6, NULL, 10);
  const char *name = strrchr(text, ' ');
  wire *w = wf_calloc(1, sizeof *w), *old;
  w->name = wf_strdup(name ? name + 1 : text);
  w->width = width;
  HASH_REPLACE(hh, *wires, name[0], strlen(w->name), w, old);
  if (old) free(old->name), free(old);
}

static void add_bits(char **bits, const char *more, size_t n) {
  char *sum = wf_text("%s%.*s", *bits ? *bits : "", (int)n, more);
  free(*bits);
  *bits = sum;
}

static void add_same(char **bits, char value, size_t n) {
  char *more = wf_calloc(n + 1, 1);
  memset(more, value, n);
  add_bits(bits, more, n);
  free(more);
}

/* A constant "4'0101", "256'x", which stands for as many, or a number of 32 bits. */
static void add_constant(char **bits, const char *item) {
  const char *quote = strchr(item, '\'');
  if (quote) {
    size_t width = strtoul(item, NULL, 10), given = strspn(quote + 1, "01xz-");
    if (given < width) add_same(bits, given ? quote[1] : '.', width - given);
    add_bits(bits, quote + 1, given);
    return;
  }
  uint32_t value = (uint32_t)strtol(item, NULL, 10);
  for (unsigned b = 32; b-- > 0;) add_same(bits, value >> b & 1 ? '1' : '0', 1);
}

/* The bits of a signal, most significant first, '.' where it is no constant: "{ \\a [3] 2'01 \\b
 * }". NULL if a wire is not known. */
static char *bits_of(char *signal, wire *wires) {
  char *bits = NULL, *rest = signal, *item;
  while ((item = strsep(&rest, " "))) {
    if (!*item || strcmp(item, "{") == 0 || strcmp(item, "}") == 0) continue;
    if (*item != '\\' && *item != '$') {
      add_constant(&bits, item);
      continue;
    }
    unsigned high, low;
    if (rest && *rest == '[') {
      int n = sscanf(rest, "[%u:%u]", &high, &low);
      add_same(&bits, '.', n == 2 ? high - low + 1 : 1);
      strsep(&rest, " ");
      continue;
    }
    wire *w;
    HASH_FIND(hh, wires, item, strlen(item), w);
    if (!w) return free(bits), NULL;
    add_same(&bits, '.', w->width);
  }
  return bits;
}

/* "A signal": keeps its bits if some are constant. */
static void note_constant(cell *c, char *connect, wire *wires) {
  char *space = strchr(connect, ' ');
  if (!space || !(strpbrk(space, "'") || strchr("-0123456789", space[1]))) return;
  *space = 0;
  char *bits = bits_of(space + 1, wires);
  if (bits) {
    char *more = wf_text("%s%s=%s ", c->constants ? c->constants : "", connect, bits);
    free(c->constants);
    c->constants = more;
  }
  free(bits);
}

/* "A signal": a line "A=signal". */
static void note_connection(cell *c, const char *connect) {
  const int port = (int)strcspn(connect, " ");
  char *more = wf_text("%s%.*s=%s\n", c->connections ? c->connections : "", port, connect,
                       connect + port + (connect[port] == ' '));
  free(c->connections);
  c->connections = more;
}

/* "Q signal": keeps the name, without \\ and range. */
static void note_output(cell *c, const char *connect) {
  const char *signal = strncmp(connect, "Q ", 2) == 0 || strncmp(connect, "Y ", 2) == 0
                           ? connect + 2
                       : strncmp(connect, "DATA ", 5) == 0 ? connect + 5
                                                           : NULL;
  if (!signal || *signal == '{') return;
  signal += *signal == '\\';
  free(c->output);
  c->output = part(signal, strcspn(signal, " "));
}

/* The constant value of a port's bit, '0', '1' or 'x'; 0 if it is not constant. */
static char constant_bit(const cell *c, const char *port, unsigned bit) {
  size_t bytes = strlen(port);
  for (const char *at = c->constants; at && *at; at = strchr(at, ' ') + 1) {
    if (strncmp(at, port, bytes) != 0 || at[bytes] != '=') continue;
    const char *bits = at + bytes + 1;
    size_t n = strcspn(bits, " ");
    return bit < n && bits[n - 1 - bit] != '.' ? bits[n - 1 - bit] : 0;
  }
  return 0;
}

/* Reads the cells of an RTLIL text: `attribute \src "..."` lines belong to the next object. */
static cell *read_cells(char *text) {
  cell *cells = NULL;
  wire *wires = NULL;
  char *module = NULL, *src = NULL, *rest = text, *line;
  cell *last = NULL;
  while ((line = strsep(&rest, "\n"))) {
    line += strspn(line, " ");
    if (strncmp(line, "attribute ", 10) == 0) {
      if (strncmp(line, "attribute \\src \"", 16) != 0) continue;
      free(src);
      src = part(line + 16, strcspn(line + 16, "\""));
      continue;
    }
    if (strncmp(line, "module ", 7) == 0) {
      free(module);
      module = plain_module(line + 7);
      free_wires(&wires);
    } else if (strncmp(line, "wire ", 5) == 0) {
      note_wire(&wires, line + 5);
    } else if (strncmp(line, "cell ", 5) == 0 && module) {
      char *type = line + 5, *name = strchr(type, ' ');
      if (!name) continue;
      cell *c = wf_calloc(1, sizeof *c), *old;
      c->name = wf_strdup(name + 1);
      c->type = part(type + (*type == '$'), (size_t)(name - type) - (*type == '$'));
      c->module = wf_strdup(module);
      c->src = src ? src : wf_strdup("");
      src = NULL;
      HASH_REPLACE(hh, cells, name[0], strlen(c->name), c, old);
      if (old) free_cell(old);
      last = c;
    } else if (last && strncmp(line, "connect \\", 9) == 0) {
      note_connection(last, line + 9);
      note_output(last, line + 9);
      note_constant(last, line + 9, wires);
    } else if (strcmp(line, "end") == 0) {
      last = NULL;
    }
    free(src);
    src = NULL;
  }
  free_wires(&wires);
  free(module);
  free(src);
  return cells;
}

/* The name a cell had in its module: "$flatten\a.\b.$procmux$12" was "$procmux$12". */
static const char *name_in_module(const char *name) {
  const char *found = name;
  if (strncmp(name, "$flatten", 8) != 0) return name;
  for (const char *at = name; (at = strstr(at, ".$")); at++) found = at + 1;
  return found;
}

/* Line `number` of a file, trimmed; "" if there is none. */
static char *source_line(const char *path, unsigned number) {
  char *line = NULL;
  size_t room = 0;
  FILE *file = fopen(path, "r");
  for (unsigned i = 0; file && i < number; i++)
    if (getline(&line, &room, file) < 0) break;
  if (file) fclose(file);
  char *start = line ? line + strspn(line, " \t") : "";
  size_t bytes = strcspn(start, "\n");
  while (bytes && start[bytes - 1] == ' ') bytes--;
  char *text = part(start, bytes);
  free(line);
  return text;
}

/* Of all bits of a port only counts whether one is 1. */
static bool is_or(const char *type) {
  static const char *const types[] = {"reduce_bool", "reduce_or", "logic_not", "logic_and",
                                      "logic_or"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i]) == 0) return true;
  return false;
}

/* Why a fault of a cell with constant inputs changes nothing; NULL if it may change something. */
static const char *no_fault(const fault *f, const cell *c) {
  char value = constant_bit(c, f->port, f->bit), control = constant_bit(c, f->port, f->control);
  if (value == 'x') return "a value that the source leaves open";
  if (value == '0' && strcmp(f->mode, "const0") == 0) return "a constant, stuck at its own value";
  if (value == '1' && strcmp(f->mode, "const1") == 0) return "a constant, stuck at its own value";
  if ((control == '0' && strcmp(f->mode, "cnot1") == 0) ||
      (control == '1' && strcmp(f->mode, "cnot0") == 0))
    return "inverted depending on a constant that never lets it";
  if (strcmp(f->mode, "cnot1") == 0 && is_or(c->type))
    return "a bit of an OR, inverted only while another is 1";
  const char *other = strcmp(f->port, "A") == 0 ? "B" : strcmp(f->port, "B") == 0 ? "A" : NULL;
  if (other && strcmp(f->type, "and") == 0 && constant_bit(c, other, f->bit) == '0')
    return "masked by a constant 0";
  return NULL;
}

static void place(fault *f, cell *cells, cell *flat) {
  cell *c, *sampled;
  const char *name = name_in_module(f->cell);
  HASH_FIND(hh, cells, name, strlen(name), c);
  HASH_FIND(hh, flat, f->cell, strlen(f->cell), sampled);
  if (!c) c = sampled; /* made by the optimization */
  if (!*f->wire && sampled && sampled->output) {
    free(f->wire);
    f->wire = wf_strdup(sampled->output);
  }
  f->connections = wf_strdup(sampled && sampled->connections ? sampled->connections : "");
  f->type = wf_strdup(c ? c->type : "?");
  f->module = wf_strdup(c ? c->module : "?");
  size_t bytes = c ? strcspn(c->src, ":|") : 0;
  f->file = part(c ? c->src : "", bytes);
  if (c && c->src[bytes] == ':') f->line = (unsigned)strtoul(c->src + bytes + 1, NULL, 10);
  f->text = source_line(f->file, f->line);
  const char *reason = sampled ? no_fault(f, sampled) : NULL;
  if (reason) {
    f->listed = FAULT_EQUIVALENT;
    f->reason = wf_strdup(reason);
  }
}

static char *option(const char *line, const char *name) {
  char key[32];
  snprintf(key, sizeof key, " -%s ", name);
  const char *at = strstr(line, key);
  if (!at) return wf_strdup("");
  at += strlen(key);
  return part(at, strcspn(at, " "));
}

bool fault_list_read(fault_list *list, const char *folder, const char *config, wf_error *err) {
  char *paths[] = {wf_text("%s/hierarchy.il", folder), wf_text("%s/faults.txt", folder),
                   wf_text("%s/flat.il", folder)};
  char *texts[] = {NULL, NULL, NULL};
  size_t bytes;
  bool ok = true;
  for (int i = 0; i < 3 && ok; i++)
    ok = (texts[i] = wf_file_read(paths[i], FILE_LIMIT, &bytes, err)) != NULL;
  cell *cells = ok ? read_cells(texts[0]) : NULL, *flat = ok ? read_cells(texts[2]) : NULL;
  char *rest = texts[1], *line;
  while (ok && (line = strsep(&rest, "\n"))) {
    if (strncmp(line, "mutate -ctrl ", 13) != 0) continue;
    list->items = wf_realloc(list->items, list->count + 1, sizeof *list->items);
    fault *f = &list->items[list->count++];
    *f = (fault){.config = config};
    ok = sscanf(line, "mutate -ctrl %*s %*u %u", &f->number) == 1 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not understood: %.80s", paths[1], line);
    f->mode = option(line, "mode");
    f->cell = option(line, "cell");
    f->port = option(line, "port");
    if (*f->port == '\\') memmove(f->port, f->port + 1, strlen(f->port));
    f->wire = option(line, "wire");
    char *bit = option(line, "portbit");
    f->bit = (unsigned)strtoul(bit, NULL, 10);
    free(bit);
    char *control = option(line, "ctrlbit");
    f->control = (unsigned)strtoul(control, NULL, 10);
    free(control);
    place(f, cells, flat);
  }
  free_cells(cells);
  free_cells(flat);
  for (int i = 0; i < 3; i++) free(texts[i]), free(paths[i]);
  return ok;
}

void fault_list_free(fault_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    fault *f = &list->items[i];
    char *texts[] = {f->mode, f->cell, f->port, f->type,   f->wire,       f->module,
                     f->file, f->text, f->said, f->reason, f->connections};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) free(texts[t]);
  }
  free(list->items);
  *list = (fault_list){0};
}

static char *trim(char *text) {
  text += strspn(text, " \t");
  size_t n = strlen(text);
  while (n && (text[n - 1] == ' ' || text[n - 1] == '\t')) text[--n] = 0;
  return text;
}

/* Splits at " :: "; false unless there are four fields. */
static bool split(char *line, char *field[4]) {
  for (int i = 0; i < 4; i++) {
    field[i] = line;
    char *bar = i < 3 ? strstr(line, " :: ") : NULL;
    if (i < 3 && !bar) return false;
    if (bar) *bar = 0, line = bar + 4;
    field[i] = trim(field[i]);
  }
  return *field[3] != 0;
}

/* "PORT=PATTERN" of what is connected there. */
static bool connects(const fault *f, const char *where) {
  bool found = false;
  char *lines = wf_strdup(f->connections), *rest = lines, *line;
  while (!found && (line = strsep(&rest, "\n")))
    found = *line && fnmatch(where, line, FNM_NOESCAPE) == 0;
  free(lines);
  return found;
}

/* Is it at all of the names, "NAME @ NAME"? */
static bool is_there(const fault *f, const char *names) {
  char *copy = wf_strdup(names), *name = copy, *next;
  bool there = true;
  for (; there && name; name = next) {
    next = strstr(name, " @ ");
    if (next) *next = 0, next += 3;
    const size_t port = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    there = port && name[port] == '=' ? connects(f, name)
                                      : fnmatch(name, f->cell, FNM_NOESCAPE) == 0 ||
                                            fnmatch(name, f->wire, FNM_NOESCAPE) == 0;
  }
  free(copy);
  return there;
}

/* How long the number is at the $ behind which `at` is; 0: none. "$procmux$12": Yosys counts;
 * "$0\\name" is what becomes of a register. */
static size_t number_of_yosys(const char *at) {
  const size_t digits = strspn(at, "0123456789");
  return at[digits] == '\\' || isalpha((unsigned char)at[digits]) ? 0 : digits;
}

static bool has_number_of_yosys(const char *pattern) {
  const char *at = strstr(pattern, " @ ");
  while (at && (at = strchr(at, '$')))
    if (number_of_yosys(++at)) return true;
  return false;
}

/* The text with this in the place of each number of Yosys'. */
static char *renumbered(const char *text, const char *number) {
  const size_t bytes = strlen(number);
  char *out = wf_calloc((1 + bytes) * strlen(text) + 1, 1), *to = out;
  while (*text) {
    const size_t digits = *text == '$' ? number_of_yosys(text + 1) : 0;
    *to++ = *text++;
    if (!digits) continue;
    memcpy(to, number, bytes + 1); /* its end is written over, or is the end */
    to += bytes;
    text += digits;
  }
  return out;
}

static bool is_there_with(const fault *f, const char *names, const char *number) {
  fault other = {.cell = renumbered(f->cell, number),
                 .wire = renumbered(f->wire, number),
                 .connections = renumbered(f->connections, number)};
  const bool there = is_there(&other, names);
  free(other.cell);
  free(other.wire);
  free(other.connections);
  return there;
}

/* The next digits of the names, also of [1][2]; false: there are none. */
static bool next_digits(const char **at, char digits[16]) {
  size_t n = 0;
  *at += strcspn(*at, "0123456789");
  for (; **at && strchr("0123456789[]", **at); ++*at)
    if (isdigit((unsigned char)**at) && n < 14) digits[n++] = **at;
  digits[n] = 0;
  return n != 0;
}

/* Would other numbers of Yosys' change whether it is at the names? Tried are some of each digit and
 * length, and what the names' own digits could mean. */
static bool hangs_on_numbers(const fault *f, const char *names) {
  const bool there = is_there(f, names);
  bool same = true;
  char digits[16], number[32];
  for (int i = 0; same && i < 30; i++) {
    snprintf(number, sizeof number, "%d", i % 10 * (i < 10 ? 1 : i < 20 ? 11 : 1111));
    same = is_there_with(f, names, number) == there;
  }
  for (const char *at = names; same && next_digits(&at, digits);) {
    same = is_there_with(f, names, digits) == there;
    snprintf(number, sizeof number, "%s5", digits);
    same = same && is_there_with(f, names, number) == there;
    snprintf(number, sizeof number, "5%s", digits);
    same = same && is_there_with(f, names, number) == there;
  }
  return !same;
}

/* Has the fault the file, the line and the kind that the line of the list names? */
static bool is_kind(const fault *f, char *const field[4]) {
  const char *name = strrchr(f->file, '/');
  if (strcmp(name ? name + 1 : f->file, field[0]) != 0 || strcmp(f->text, field[1]) != 0)
    return false;
  char *what = wf_text("%s %s.%s.%u", f->mode, f->type, f->port, f->bit),
       *depending = wf_text("%s/%u", what, f->control);
  const bool is =
      fnmatch(field[2], what, FNM_NOESCAPE) == 0 ||
      (strncmp(f->mode, "cnot", 4) == 0 && fnmatch(field[2], depending, FNM_NOESCAPE) == 0);
  free(depending);
  free(what);
  return is;
}

static const char unreached[] = "unreached: ";

static bool is_unreached(const char *reason) {
  return strncmp(reason, unreached, sizeof unreached - 1) == 0;
}

/* Another form of the word would make the fault an equivalent one, which counts as noticed. */
static bool looks_unreached(const char *reason) {
  for (; *reason; reason++)
    if (strncasecmp(reason, "unreach", 7) == 0) return true;
  return false;
}

/* Marks the faults of the line; false: its names hang on numbers, and *named is what they are. */
static bool mark(fault_list *list, char *const field[4], const char **named) {
  const bool reached = !is_unreached(field[3]);
  const char *reason = field[3] + (reached ? 0 : sizeof unreached - 1);
  char *where = strstr(field[2], " @ ");
  if (where) *where = 0, where += 3;
  *named = where;
  for (size_t i = 0; i < list->count; i++) {
    fault *f = &list->items[i];
    if (!is_kind(f, field)) continue;
    if (where && hangs_on_numbers(f, where)) return false;
    if (f->listed || (where && !is_there(f, where))) continue;
    f->listed = reached ? FAULT_EQUIVALENT : FAULT_UNREACHED;
    f->reason = wf_strdup(reason);
  }
  return true;
}

static bool take_line(fault_list *list, char *line, const char *path, int number, wf_error *err) {
  char *field[4];
  const char *named;
  if (!split(line, field))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s:%d: expected FILE :: SOURCE LINE :: PATTERN :: REASON", path, number);
  if (!is_unreached(field[3]) && looks_unreached(field[3]))
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "%s:%d: reason \"%s\": expected \"unreached: WHY\", or a reason of an equivalent "
        "fault, without that word",
        path, number, field[3]);
  named = field[2];
  if (!has_number_of_yosys(named) && mark(list, field, &named)) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s:%d: a cell's number is another's after the next edit, and \"%s\" hangs on it: "
                 "name a signal, or PORT=SIGNAL",
                 path, number, named);
}

bool fault_list_equivalents(fault_list *list, const char *unit, wf_error *err) {
  wf_place place;
  if (!wf_place_find("", unit, &place, err)) return false;
  char *path = wf_text("%s/mutants.equiv", place.bench);
  size_t bytes;
  bool ok = true;
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    free(path);
    return true;
  }
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, err), *rest = text, *line;
  ok = text != NULL;
  for (int number = 1; ok && (line = strsep(&rest, "\n")); number++) {
    if (!*line || *line == '#') continue;
    ok = take_line(list, line, path, number, err);
  }
  free(text);
  free(path);
  return ok;
}
