/* activity SCOPE <VCD >TABLE: how often the scalar nets below a scope change between rising edges
 * of its clk_i, and how often its RAMs read and write.
 *
 *     edges N
 *     pin PATH CHANGES HIGH    per edge; HIGH: the share of edges that find a 1
 *     ram PATH READS WRITES    scopes that have rd_en_i and wr_en_i: edges that find them at 1
 *
 * PATH: scopes below SCOPE and the net's name, with "/" between, without backslashes. A change is
 * that of what an edge finds: no glitches, no x. The clock's own net is left out. Exit code 2: no
 * VCD, no edge, or no such scope. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_error.h"
#include "sim/base/wf_text.h"

typedef struct net {
  uint64_t changes, high;
  char value, found; /* now; by the last edge */
} net;

typedef struct name {
  char *path;
  size_t net;
} name;

typedef struct dump {
  net *nets; /* by number of their code */
  size_t n_nets;
  name *names;
  size_t n_names;
  size_t clock; /* SIZE_MAX: not seen */
  uint64_t edges;
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
      (name){wf_text("%s%s%s", scope, *scope ? "/" : "", own), number_of(code)};
  without_backslashes(d->names[d->n_names - 1].path);
  net_at(d, number_of(code));
  if (!*scope && !strcmp(own, "clk_i")) d->clock = number_of(code);
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
    } else if (inside && sscanf(line, " $var %*s %d %63s %2047s", &width, code, own) == 3 &&
               width == 1) {
      add_name(d, path, own, code);
    }
  }
  return d->n_names && d->clock != SIZE_MAX;
}

/* What a rising edge finds: flops change after it. */
static void edge(dump *d) {
  d->edges++;
  for (size_t i = 0; i < d->n_nets; i++) {
    net *at = &d->nets[i];
    at->high += at->value == '1';
    at->changes += strchr("01", at->value) && strchr("01", at->found) && at->value != at->found;
    at->found = at->value;
  }
}

static void read_changes(dump *d, FILE *in) {
  char line[1 << 16];
  while (fgets(line, sizeof line, in)) {
    if (!strchr("01xz", *line)) continue;
    line[strcspn(line, "\r\n")] = 0;
    const size_t n = number_of(line + 1);
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

static void print(const dump *d) {
  printf("edges %llu\n", (unsigned long long)d->edges);
  for (size_t i = 0; i < d->n_names; i++) {
    const net *at = &d->nets[d->names[i].net];
    if (d->names[i].net == d->clock) continue;
    const double edges = (double)d->edges;
    printf("pin %s %.6f %.6f\n", d->names[i].path, (double)at->changes / edges,
           (double)at->high / edges);
    const char *own = strrchr(d->names[i].path, '/');
    if (!own || strcmp(own, "/rd_en_i")) continue;
    const name *write = beside(d, i, "wr_en_i");
    if (write)
      printf("ram %.*s %llu %llu\n", (int)(own - d->names[i].path), d->names[i].path,
             (unsigned long long)at->high, (unsigned long long)d->nets[write->net].high);
  }
}

int main(int argc, char **argv) {
  dump d = {.clock = SIZE_MAX};
  if (argc != 2) {
    fputs("usage: activity SCOPE <VCD >TABLE\n", stderr);
    return WF_EXIT_BAD_INPUT;
  }
  const bool ok = read_head(&d, argv[1], stdin);
  if (ok) read_changes(&d, stdin);
  if (d.edges)
    print(&d);
  else
    fprintf(stderr, "activity: no edge of clk_i in a scope %s of the dump\n", argv[1]);
  for (size_t i = 0; i < d.n_names; i++) free(d.names[i].path);
  free(d.names);
  free(d.nets);
  return d.edges ? 0 : WF_EXIT_BAD_INPUT;
}
