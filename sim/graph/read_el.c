/* Edge lists: one arc a line, "tail head" or "tail head weight", vertices numbered from 0,
 * separated by blanks, tabs or commas; # or % begins a comment. This is the form of
 * SNAP's files, whose comment "# Nodes: n Edges: m" is honoured, and of plain .el files. */
#include <stdio.h>
#include <string.h>

#include "sim/graph/read.h"

typedef struct el_state {
  unsigned columns; /* 0 until the first arc */
  bool ignore_weights, commas;
  bool announced;
  uint64_t nodes, edges, announced_line; /* from the comment */
  uint32_t max_id;
} el_state;

static bool read_comment(wf_source *s, const char *p, el_state *st) {
  if (wf_mtx_banner(p, s->end))
    return wf_source_fail(
        s, "a MatrixMarket header within an edge list: it belongs into the first line");
  char text[128] = {0};
  size_t n = 0;
  while (p[n] != '\n' && n < sizeof text - 1) n++;
  memcpy(text, p, n);
  unsigned long long nodes, edges;
  if (st->announced || sscanf(text, "# Nodes: %18llu Edges: %18llu", &nodes, &edges) != 2)
    return true;
  st->announced = true;
  st->nodes = nodes;
  st->edges = edges;
  st->announced_line = s->line;
  return true;
}

static bool ends(char c) { /* the line, but for a comment */
  return c == '\n' || c == '#' || c == '%';
}

/* Commas become blanks. Between two of them, and beside each, there must be something. */
static bool blank_commas(wf_source *s, const char *line) {
  bool word = false;
  for (char *p = s->buffer + (line - s->buffer); !ends(*p); p++) {
    if (*p != ',') {
      word = word || !wf_is_blank(*p);
      continue;
    }
    if (!word || ends(*wf_skip_blanks(p + 1)))
      return wf_source_fail(s, "nothing %s a comma", word ? "behind" : "before");
    *p = ' ';
    word = false;
  }
  return true;
}

/* The first arc decides whether there are weights. */
static bool decide_columns(wf_source *s, const char *p, el_state *st, wf_arcs *arcs) {
  const char *line = p;
  unsigned columns = 0;
  for (p = wf_skip_blanks(p); !ends(*p); p = wf_skip_blanks(p), columns++)
    while (!wf_is_blank(*p) && !ends(*p)) p++;
  if (!wf_is_digit(*wf_skip_blanks(line)))
    return wf_source_fail(s,
                          "%s; expected MatrixMarket (%%%%MatrixMarket ...), DIMACS (p sp ...) or "
                          "an edge list, \"tail head\" or \"tail head weight\" a line, vertices "
                          "numbered from 0",
                          wf_word_at(line).text);
  if (columns < 2 || columns > 3)
    return wf_source_fail(s, "%u columns; expected \"tail head\" or \"tail head weight\"", columns);
  st->columns = columns;
  arcs->weighted = columns == 3 && !st->ignore_weights;
  return true;
}

static bool bad_id(wf_source *s, const char *line) {
  uint64_t v;
  const char *p = wf_scan_number(line, &v);
  const char *at = p && v < WF_GRAPH_MAX_VERTICES ? p : line;
  return wf_source_fail(s, "vertex %s; expected a whole number 0 .. %u", wf_word_at(at).text,
                        WF_GRAPH_MAX_VERTICES - 1);
}

static const char *read_arc(wf_source *s, const char *p, el_state *st, wf_arcs *arcs) {
  uint64_t tail, head;
  const char *q = wf_scan_number(p, &tail);
  const char *r = q ? wf_scan_number(q, &head) : NULL;
  if (!r || tail >= WF_GRAPH_MAX_VERTICES || head >= WF_GRAPH_MAX_VERTICES)
    return bad_id(s, p), NULL;
  uint32_t weight = 0;
  if (st->columns == 3) {
    if (ends(*wf_skip_blanks(r)))
      return wf_source_fail(s, "no weight, though earlier lines have one; expected \"tail head "
                               "weight\""),
             NULL;
    if (arcs->weighted) {
      if (!(r = wf_scan_arc_weight(s, r, arcs, &weight))) return NULL;
    } else {
      r = wf_skip_blanks(r);
      while (!wf_is_blank(*r) && !ends(*r)) r++;
    }
  }
  r = wf_skip_blanks(r);
  if (!ends(*r))
    return wf_source_fail(s, "%s behind the edge; expected %u columns as in the first edge",
                          wf_word_at(r).text, st->columns),
           NULL;
  uint32_t larger = (uint32_t)(tail > head ? tail : head);
  if (larger > st->max_id) st->max_id = larger;
  wf_arcs_put(arcs, (uint32_t)tail, (uint32_t)head, weight);
  return wf_skip_line(r);
}

static bool read_lines(wf_source *s, el_state *st, wf_arcs *arcs) {
  bool reserved;
  for (; wf_source_more(s);) {
    const char *p = s->cur;
    reserved = false;
    while (p < s->end) {
      s->line++;
      const char *q = wf_skip_blanks(p);
      if ((*q == '#' || *q == '%') && !read_comment(s, q, st)) return false;
      if (ends(*q)) {
        p = wf_skip_line(q);
        continue;
      }
      if (st->columns == 0) st->commas = memchr(p, ',', (size_t)(wf_skip_line(p) - p)) != NULL;
      if (st->commas && !blank_commas(s, p)) return false;
      if (st->columns == 0 && !decide_columns(s, p, st, arcs)) return false;
      /* An arc takes at least four bytes. */
      if (!reserved && !wf_arcs_reserve(arcs, (uint64_t)(s->end - p) / 4 + 1, s->path, s->err))
        return !(s->failed = true);
      reserved = true;
      if (!(p = read_arc(s, p, st, arcs))) return false;
    }
    s->cur = p;
  }
  return !s->failed;
}

wf_graph *wf_graph_read_el(wf_source *s, const char *name, const wf_graph_options *options) {
  el_state st = {.ignore_weights = options->ignore_weights};
  wf_arcs arcs;
  wf_arcs_init(&arcs, false, options->max_host_bytes);
  arcs.lenient = options->drop_weights;
  bool ok = read_lines(s, &st, &arcs);
  if (ok && st.announced && arcs.n < st.edges)
    ok = wf_source_fail(s,
                        "the file ends after %llu of the %llu edges that line %llu announces; it "
                        "is truncated",
                        (unsigned long long)arcs.n, (unsigned long long)st.edges,
                        (unsigned long long)st.announced_line);
  if (ok && arcs.n == 0 && st.nodes == 0)
    ok = wf_source_fail(s, "no edges; expected \"tail head\" or \"tail head weight\" a line");
  if (!ok) {
    wf_arcs_free(&arcs);
    return NULL;
  }
  uint64_t n = arcs.n ? (uint64_t)st.max_id + 1 : 1;
  if (st.nodes > n) n = st.nodes;
  return wf_graph_from_list(name, n, &arcs, false, s->path, s->err);
}
