/* activity SCOPE [WINDOWS EDGES [NAME:VALID:READY...]] <VCD >TABLE: how often the scalar nets below
 * a scope change between rising edges of its clk_i, and how often its RAMs read and write.
 *
 *     edges N
 *     pin PATH CHANGES HIGH    per edge; HIGH: the share of edges that find a 1
 *     ram PATH READS WRITES    scopes that have rd_en_i and wr_en_i: edges that find them at 1
 *
 * PATH: scopes below SCOPE and the net's name, with "/" between, without backslashes. A change is
 * that of what an edge finds: no glitches, no x. The clock's own net is left out.
 *
 * The file WINDOWS has of each whole window of so many edges:
 *
 *     window N
 *     event NAME COUNT         transfers: lanes that find VALID and READY, ports of SCOPE, at 1; a
 *                              READY of - is always
 *     at PIN CHANGES           of the PIN-th pin of TABLE, from 0; as in the window before if left
 *                              out, or 0
 *     ram PATH READS WRITES
 *
 * Exit code 2: no VCD, no edge, or no such scope or port. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_error.h"
#include "sim/base/wf_text.h"

enum { MOST_EVENTS = 16, MOST_LANES = 128 };

typedef struct net {
  uint64_t changes, high;
  char value, found; /* now; by the last edge */
} net;

typedef struct name {
  char *path;
  size_t net;
  uint64_t begun, before, high; /* changes when the window began and in that before; highs then */
} name;

/* A port of several bits, or of one: as in the dump, without leading zeros. */
typedef struct port {
  const char *name;
  size_t net; /* SIZE_MAX: not seen */
  char value[MOST_LANES + 1];
} port;

typedef struct event {
  const char *name;
  port valid, ready; /* ready.name: "-" for none */
  uint64_t count;
} event;

typedef struct dump {
  net *nets; /* by number of their code */
  size_t n_nets;
  name *names;
  size_t n_names;
  size_t clock; /* SIZE_MAX: not seen */
  uint64_t edges;
  FILE *windows;   /* NULL: none */
  uint64_t window; /* its edges */
  event events[MOST_EVENTS];
  unsigned n_events;
} dump;

static size_t number_of(const char *code) {
  size_t n = 0, scale = 1;
  for (; *code; code++, scale *= 94) n += (size_t)(*code - '!' + 1) * scale;
  return n;
}

static net *net_at(dump *d, size_t number) {
  while (d->n_nets <= number) {
    const size_t n = d->n_nets ? 2 * d->n_nets : 1024;
    d->nets = wf_realloc(d->nets, n, sizeof *d->nets);
    for (size_t i = d->n_nets; i < n; i++) d->nets[i] = (net){.value = 'x', .found = 'x'};
    d->n_nets = n;
  }
  return &d->nets[number];
}

static void without_backslashes(char *text) {
  char *to = text;
  for (const char *c = text; *c; c++)
    if (*c != '\\') *to++ = *c;
  *to = 0;
}

static void add_name(dump *d, const char *scope, const char *own, const char *code) {
  if (!(d->n_names & (d->n_names - 1)))
    d->names = wf_realloc(d->names, d->n_names ? 2 * d->n_names : 1, sizeof *d->names);
  d->names[d->n_names++] =
      (name){.path = wf_text("%s%s%s", scope, *scope ? "/" : "", own), .net = number_of(code)};
  without_backslashes(d->names[d->n_names - 1].path);
  net_at(d, number_of(code));
  if (!*scope && !strcmp(own, "clk_i")) d->clock = number_of(code);
}

static void add_port(dump *d, const char *own, const char *code) {
  for (unsigned i = 0; i < d->n_events; i++)
    for (port *p = &d->events[i].valid; p <= &d->events[i].ready; p++)
      if (!strcmp(p->name, own)) p->net = number_of(code);
}

/* Declarations. `top` is among the outer scopes; paths begin below it. */
static bool read_head(dump *d, const char *top, FILE *in) {
  char line[4096], own[2048], code[64], path[8192] = "";
  int width, depth = 0, inside = 0; /* depth of the scope that is `top` */
  size_t at[256] = {0};
  while (fgets(line, sizeof line, in) && strncmp(line, "$enddefinitions", 15)) {
    if (sscanf(line, " $scope %*s %2047s", own) == 1 && depth < 255) {
      depth++;
      if (inside) {
        at[depth] = strlen(path);
        snprintf(path + at[depth], sizeof path - at[depth], "%s%s", at[depth] ? "/" : "", own);
      } else if (!strcmp(own, top)) {
        inside = depth;
      }
    } else if (!strncmp(line, "$upscope", 8)) {
      if (inside && depth > inside) path[at[depth]] = 0;
      if (depth == inside) inside = 0;
      depth--;
    } else if (inside && sscanf(line, " $var %*s %d %63s %2047s", &width, code, own) == 3) {
      if (!*path) add_port(d, own, code);
      if (width == 1) add_name(d, path, own, code);
    }
  }
  return d->n_names && d->clock != SIZE_MAX;
}

/* ---- windows ---- */

/* The lane's bit: a dump leaves out leading zeros. */
static bool lane(const port *p, size_t number) {
  const size_t n = strlen(p->value);
  return number < n && p->value[n - 1 - number] == '1';
}

static void count_events(dump *d) {
  for (event *e = d->events; e < d->events + d->n_events; e++)
    for (size_t i = 0; i < strlen(e->valid.value); i++)
      e->count += lane(&e->valid, i) && (e->ready.net == SIZE_MAX || lane(&e->ready, i));
}

static void print_rams(dump *d, FILE *out, bool whole);

static void end_window(dump *d) {
  const double edges = (double)d->window;
  fprintf(d->windows, "window %llu\n", (unsigned long long)d->window);
  for (event *e = d->events; e < d->events + d->n_events; e->count = 0, e++)
    fprintf(d->windows, "event %s %llu\n", e->name, (unsigned long long)e->count);
  print_rams(d, d->windows, false);
  size_t pin = 0;
  for (name *at = d->names; at < d->names + d->n_names; at++) {
    if (at->net == d->clock) continue;
    const uint64_t all = d->nets[at->net].changes, in = all - at->begun;
    if (in != at->before) fprintf(d->windows, "at %zu %.6f\n", pin, (double)in / edges);
    at->before = in;
    at->begun = all;
    at->high = d->nets[at->net].high;
    pin++;
  }
}

/* What a rising edge finds: flops change after it. */
static void edge(dump *d) {
  d->edges++;
  if (d->windows) count_events(d);
  for (size_t i = 0; i < d->n_nets; i++) {
    net *at = &d->nets[i];
    at->high += at->value == '1';
    at->changes += strchr("01", at->value) && strchr("01", at->found) && at->value != at->found;
    at->found = at->value;
  }
  if (d->windows && d->edges % d->window == 0) end_window(d);
}

/* Of a port that events look at; other buses are not asked for. */
static void change_port(dump *d, const char *value, size_t digits, size_t number) {
  for (unsigned i = 0; i < d->n_events; i++)
    for (port *p = &d->events[i].valid; p <= &d->events[i].ready; p++)
      if (p->net == number && digits <= MOST_LANES)
        snprintf(p->value, sizeof p->value, "%.*s", (int)digits, value);
}

static void read_changes(dump *d, FILE *in) {
  char line[1 << 16];
  while (fgets(line, sizeof line, in)) {
    line[strcspn(line, "\r\n")] = 0;
    if (*line == 'b' && d->windows)
      change_port(d, line + 1, strcspn(line + 1, " "),
                  number_of(line + 2 + strcspn(line + 1, " ")));
    if (!*line || !strchr("01xz", *line)) continue;
    const size_t n = number_of(line + 1);
    if (d->windows) change_port(d, line, 1, n);
    if (n >= d->n_nets) continue;
    if (n == d->clock && *line == '1' && d->nets[n].value == '0') edge(d);
    d->nets[n].value = *line;
  }
}

static bool same_scope(const char *a, const char *b) {
  const char *end = strrchr(a, '/');
  const size_t n = end ? (size_t)(end - a) + 1 : 0;
  return !strncmp(a, b, n) && !strchr(b + n, '/');
}

/* A net of the same scope; a scope's names stand together. */
static const name *beside(const dump *d, size_t i, const char *own) {
  size_t at = i;
  while (at && same_scope(d->names[i].path, d->names[at - 1].path)) at--;
  for (; at < d->n_names && same_scope(d->names[i].path, d->names[at].path); at++) {
    const char *last = strrchr(d->names[at].path, '/');
    if (last && !strcmp(last + 1, own)) return &d->names[at];
  }
  return NULL;
}

static void print_rams(dump *d, FILE *out, bool whole) {
  for (size_t i = 0; i < d->n_names; i++) {
    const char *own = strrchr(d->names[i].path, '/');
    if (!own || strcmp(own, "/rd_en_i")) continue;
    const name *reads = &d->names[i], *writes = beside(d, i, "wr_en_i");
    if (writes)
      fprintf(out, "ram %.*s %llu %llu\n", (int)(own - reads->path), reads->path,
              (unsigned long long)(d->nets[reads->net].high - (whole ? 0 : reads->high)),
              (unsigned long long)(d->nets[writes->net].high - (whole ? 0 : writes->high)));
  }
}

static void print(dump *d) {
  printf("edges %llu\n", (unsigned long long)d->edges);
  for (size_t i = 0; i < d->n_names; i++) {
    const net *at = &d->nets[d->names[i].net];
    if (d->names[i].net == d->clock) continue;
    const double edges = (double)d->edges;
    printf("pin %s %.6f %.6f\n", d->names[i].path, (double)at->changes / edges,
           (double)at->high / edges);
  }
  print_rams(d, stdout, true);
}

/* NAME:VALID:READY */
static bool read_event(dump *d, char *text) {
  char *valid = strchr(text, ':'), *ready = valid ? strchr(valid + 1, ':') : NULL;
  if (!ready || d->n_events == MOST_EVENTS) return false;
  *valid = *ready = 0;
  d->events[d->n_events++] = (event){.name = text,
                                     .valid = {.name = valid + 1, .net = SIZE_MAX},
                                     .ready = {.name = ready + 1, .net = SIZE_MAX}};
  return true;
}

static bool read_arguments(dump *d, int argc, char **argv) {
  bool ok = argc == 2 || argc > 3;
  if (argc > 3) d->window = strtoull(argv[3], NULL, 10);
  for (int i = 4; i < argc && ok; i++) ok = read_event(d, argv[i]);
  if (ok && argc > 3 && d->window) d->windows = fopen(argv[2], "w");
  if (ok && (argc == 2 || d->windows)) return true;
  fputs("usage: activity SCOPE [WINDOWS EDGES [NAME:VALID:READY...]] <VCD >TABLE\n", stderr);
  return false;
}

/* Has the scope the ports that events look at? */
static bool ports_found(const dump *d, const char *scope) {
  for (unsigned i = 0; i < d->n_events; i++)
    for (const port *p = &d->events[i].valid; p <= &d->events[i].ready; p++)
      if (p->net == SIZE_MAX && strcmp(p->name, "-")) {
        fprintf(stderr, "activity: event %s: %s has no port %s\n", d->events[i].name, scope,
                p->name);
        return false;
      }
  return true;
}

int main(int argc, char **argv) {
  dump d = {.clock = SIZE_MAX};
  if (!read_arguments(&d, argc, argv)) return WF_EXIT_BAD_INPUT;
  bool ok = read_head(&d, argv[1], stdin);
  if (ok && !ports_found(&d, argv[1])) return WF_EXIT_BAD_INPUT;
  if (ok) read_changes(&d, stdin);
  if (d.edges)
    print(&d);
  else
    fprintf(stderr, "activity: no edge of clk_i in a scope %s of the dump\n", argv[1]);
  ok = d.edges && (!d.windows || !fclose(d.windows));
  for (size_t i = 0; i < d.n_names; i++) free(d.names[i].path);
  free(d.names);
  free(d.nets);
  return ok ? 0 : WF_EXIT_BAD_INPUT;
}
