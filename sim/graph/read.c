#include "sim/graph/read.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

wf_word wf_word_at(const char *p) {
  static const char hex[] = "0123456789abcdef";
  wf_word w = {{0}};
  size_t used = 0;
  p = wf_skip_blanks(p);
  if (*p == '\n') {
    strcpy(w.text, "end of line");
    return w;
  }
  w.text[used++] = '"';
  for (; *p != '\n' && !wf_is_blank(*p) && used < sizeof w.text - 10; p++) {
    unsigned char c = (unsigned char)*p;
    if (c >= 0x20 && c < 0x7f) {
      w.text[used++] = *p;
    } else {
      w.text[used++] = '\\';
      w.text[used++] = 'x';
      w.text[used++] = hex[c >> 4];
      w.text[used++] = hex[c & 15];
    }
  }
  if (*p != '\n' && !wf_is_blank(*p)) used += strlen(strcpy(w.text + used, "..."));
  w.text[used] = '"';
  return w;
}

static bool weight_refused(wf_source *s, const char *p) {
  return wf_source_fail(s,
                        "%s is no edge weight; expected a whole number 0 .. %u (the structure "
                        "alone can be taken with `graph convert --ignore-weights`)",
                        wf_word_at(p).text, WF_GRAPH_MAX_WEIGHT);
}

const char *wf_scan_weight(wf_source *s, const char *p, uint32_t *weight) {
  uint64_t v;
  const char *end = wf_scan_number(p, &v);
  if (end && v <= WF_GRAPH_MAX_WEIGHT) {
    *weight = (uint32_t)v;
    return end;
  }
  const char *begin = wf_skip_blanks(p);
  for (end = begin; !wf_is_blank(*end) && *end != '\n'; end++)
    if (!wf_is_digit(*end) && !strchr("+-.eE", *end)) return weight_refused(s, p), NULL;
  char text[64], *parsed;
  size_t n = (size_t)(end - begin);
  if (n == 0 || n >= sizeof text) return weight_refused(s, p), NULL;
  memcpy(text, begin, n);
  text[n] = 0;
  double real = strtod(text, &parsed);
  if (*parsed || !(real >= 0 && real <= WF_GRAPH_MAX_WEIGHT) || real != (double)(uint32_t)real)
    return weight_refused(s, p), NULL;
  *weight = (uint32_t)real;
  return end;
}

const char *wf_scan_arc_weight(wf_source *s, const char *p, wf_arcs *arcs, uint32_t *weight) {
  wf_error why = {0}, *err = s->err;
  if (!arcs->lenient) return wf_scan_weight(s, p, weight);
  s->err = &why;
  const char *end = wf_scan_weight(s, p, weight);
  s->err = err;
  if (end) return end;
  s->failed = false;
  wf_arcs_drop_weights(arcs, why.text);
  for (end = wf_skip_blanks(p); !wf_is_blank(*end) && *end != '\n';) end++;
  return end;
}

/* DIMACS files begin with "c" or "p" lines, edge lists with digits or comment lines. */
static bool looks_like_dimacs(const char *p, const char *end) {
  while (p < end) {
    while (p < end && (wf_is_blank(*p) || *p == '\n')) p++;
    if (end - p < 2) return false;
    if (*p != '#' && *p != '%') break;
    while (p < end && *p != '\n') p++;
  }
  return end - p >= 2 && strchr("cpa", *p) && (wf_is_blank(p[1]) || p[1] == '\n');
}

/* The banner's line comes first but for comments and empty lines. */
static bool looks_like_mtx(const char *p, const char *end) {
  while (p < end) {
    if (wf_mtx_banner(p, end)) return true;
    while (p < end && wf_is_blank(*p)) p++;
    if (p == end || (*p != '%' && *p != '#' && *p != '\n')) return false;
    while (p < end && *p != '\n') p++;
    p++;
  }
  return false;
}

/* Is it "a.mtx" or "a.mtx.gz"? */
static bool named(const char *path, const char *format) {
  const size_t n = strlen(format);
  const char *ending = strstr(path, format);
  for (const char *next; ending && (next = strstr(ending + 1, format));) ending = next;
  return ending && !strchr(ending, '/') && (!ending[n] || ending[n] == '.');
}

/* Names that promise a beginning. Without it, a line of sizes would become an edge. */
static bool check_name(wf_source *s) {
  static const char *const promised[][2] = {
      {".mtx", "with a line \"%%MatrixMarket matrix coordinate ...\""},
      {".gr", "with lines \"c ...\" and \"p sp vertices arcs\""},
      {".wfg", "with the bytes WFGRAPH"}};
  for (size_t i = 0; i < sizeof promised / sizeof *promised; i++)
    if (named(s->path, promised[i][0]))
      return wf_source_fail(s, "a file of this name begins %s; call an edge list .el",
                            promised[i][1]);
  return true;
}

static wf_graph *read_by_content(wf_source *s, const char *name, const wf_graph_options *options) {
  static const char byte_order[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
  size_t n = 65536;
  const char *head = wf_source_peek(s, &n);
  if (!head) return NULL;
  if (n >= 3 && !memcmp(head, byte_order, 3)) {
    wf_source_drop(s, 3);
    n -= 3;
  }
  if (n == 0)
    return wf_source_fail(s, "the file is empty; expected a graph (MatrixMarket, edge list, DIMACS "
                             ".gr or .wfg)"),
           NULL;
  if (n >= 8 && !memcmp(head, WF_WFG_MAGIC, 8)) return wf_graph_read_wfg(s, name, options);
  if (looks_like_mtx(head, head + n)) return wf_graph_read_mtx(s, name, options);
  if (looks_like_dimacs(head, head + n)) return wf_graph_read_gr(s, name, options);
  return check_name(s) ? wf_graph_read_el(s, name, options) : NULL;
}

wf_graph *wf_graph_read(wf_source *s, const char *name, const wf_graph_options *options) {
  wf_graph *g = read_by_content(s, name, options);
  if (g && options->simplify) wf_graph_simplify(g);
  return g;
}
