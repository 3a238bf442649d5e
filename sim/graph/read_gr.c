/* DIMACS shortest-path files (9th DIMACS Implementation Challenge): "c" comments, one line "p sp n
 * m", then m lines "a tail head weight", vertices numbered from 1. Arcs that occur several times
 * are merged, keeping the least weight: only that one matters for shortest paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/graph/read.h"

typedef struct gr_state {
  uint64_t n, arcs, problem_line;
} gr_state;

static bool read_problem(wf_source *s, const char *p, gr_state *st, wf_arcs *arcs) {
  if (st->problem_line)
    return wf_source_fail(s, "a second \"p\" line; line %llu has one already",
                          (unsigned long long)st->problem_line);
  p = wf_skip_blanks(p + 1);
  const char *q = p;
  if (q[0] != 's' || q[1] != 'p' || !wf_is_blank(q[2]) || !(q = wf_scan_number(q + 2, &st->n)) ||
      !(q = wf_scan_number(q, &st->arcs)) || *wf_skip_blanks(q) != '\n')
    return wf_source_fail(s, "problem line with %s; expected \"p sp vertices arcs\"",
                          wf_word_at(p).text);
  st->problem_line = s->line;
  char what[512];
  snprintf(what, sizeof what, "%.480s:%llu", s->path, (unsigned long long)s->line);
  bool ok = wf_graph_check_size(st->n, st->arcs, st->arcs, true, arcs->limit_bytes, what, s->err);
  if (!ok) s->failed = true;
  return ok;
}

static bool bad_id(wf_source *s, const char *line, uint64_t n) {
  uint64_t v;
  const char *p = wf_scan_number(line, &v);
  const char *at = p && v >= 1 && v <= n ? p : line;
  return wf_source_fail(s, "vertex %s; expected a whole number 1 .. %llu", wf_word_at(at).text,
                        (unsigned long long)n);
}

static const char *read_arc(wf_source *s, const char *p, const gr_state *st, wf_arcs *arcs) {
  if (!st->problem_line)
    return wf_source_fail(s, "an arc before the line \"p sp vertices arcs\""), NULL;
  if (arcs->n == st->arcs)
    return wf_source_fail(s, "more arcs than the %llu that line %llu announces",
                          (unsigned long long)st->arcs, (unsigned long long)st->problem_line),
           NULL;
  uint64_t tail, head;
  uint32_t weight = 0;
  const char *q = wf_scan_number(p, &tail);
  const char *r = q ? wf_scan_number(q, &head) : NULL;
  if (!r || tail - 1 >= st->n || head - 1 >= st->n) return bad_id(s, p, st->n), NULL;
  if (*wf_skip_blanks(r) == '\n')
    return wf_source_fail(s, "the arc has no weight; expected \"a tail head weight\""), NULL;
  if (!(r = wf_scan_weight(s, r, &weight))) return NULL;
  r = wf_skip_blanks(r);
  if (*r != '\n')
    return wf_source_fail(s, "%s behind the arc; expected \"a tail head weight\"",
                          wf_word_at(r).text),
           NULL;
  wf_arcs_put(arcs, (uint32_t)(tail - 1), (uint32_t)(head - 1), weight);
  return r + 1;
}

static bool read_lines(wf_source *s, gr_state *st, wf_arcs *arcs) {
  while (wf_source_more(s)) {
    /* An arc takes at least eight bytes. */
    if (!wf_arcs_reserve(arcs, (uint64_t)(s->end - s->cur) / 8 + 1, s->path, s->err))
      return !(s->failed = true);
    const char *p = s->cur;
    while (p < s->end) {
      s->line++;
      p = wf_skip_blanks(p);
      bool word_ends = *p != '\n' && (wf_is_blank(p[1]) || p[1] == '\n');
      if (*p == 'a' && word_ends) {
        if (!(p = read_arc(s, p + 1, st, arcs))) return false;
        continue;
      }
      if (*p == 'p' && word_ends) {
        if (!read_problem(s, p, st, arcs)) return false;
      } else if (*p != '\n' && *p != '#' && *p != '%' && *p != 'c') {
        return wf_source_fail(s, "a line that begins with %s; expected \"c\", \"p sp\" or \"a\"",
                              wf_word_at(p).text);
      }
      p = wf_skip_line(p);
    }
    s->cur = p;
  }
  return !s->failed;
}

wf_graph *wf_graph_read_gr(wf_source *s, const char *name, const wf_graph_options *options) {
  gr_state st = {0};
  wf_arcs arcs;
  wf_arcs_init(&arcs, true, options->max_host_bytes);
  bool ok = read_lines(s, &st, &arcs);
  if (ok && !st.problem_line) ok = wf_source_fail(s, "no line \"p sp vertices arcs\"");
  if (ok && arcs.n < st.arcs)
    ok = wf_source_fail(s,
                        "the file ends after %llu of the %llu arcs that line %llu announces; it is "
                        "truncated",
                        (unsigned long long)arcs.n, (unsigned long long)st.arcs,
                        (unsigned long long)st.problem_line);
  if (!ok) {
    wf_arcs_free(&arcs);
    return NULL;
  }
  wf_graph *g = wf_graph_from_list(name, st.n, &arcs, false, s->path, s->err);
  if (!g) return NULL;
  wf_graph_merge_parallel(g, true);
  if (options->ignore_weights) {
    free(g->out_weight);
    g->out_weight = NULL;
  }
  return g;
}
