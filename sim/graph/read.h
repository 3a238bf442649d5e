/* Readers of the single formats, and the scanning they share. Each takes all of the source and
 * returns a graph, or NULL with the source's error filled in. */
#ifndef WF_GRAPH_READ_H
#define WF_GRAPH_READ_H

#include "sim/graph/csr.h"
#include "sim/graph/source.h"

wf_graph *wf_graph_read_mtx(wf_source *s, const char *name, const wf_graph_options *options);
wf_graph *wf_graph_read_el(wf_source *s, const char *name, const wf_graph_options *options);
wf_graph *wf_graph_read_gr(wf_source *s, const char *name, const wf_graph_options *options);
wf_graph *wf_graph_read_wfg(wf_source *s, const char *name, const wf_graph_options *options);

/* Detects the format of an open source, reads it, applies the options, closes nothing. */
wf_graph *wf_graph_read(wf_source *s, const char *name, const wf_graph_options *options);

#define WF_WFG_MAGIC "WFGRAPH\n"
enum { WF_WFG_VERSION = 1, WF_WFG_SYMMETRIC = 1, WF_WFG_WEIGHTS = 2 };

/* ---- scanning; lines end in '\n' (wf_source), which is neither blank nor digit ---- */

static inline bool wf_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
static inline bool wf_is_digit(char c) {
  return (unsigned char)(c - '0') < 10;
}

static inline const char *wf_skip_blanks(const char *p) {
  while (wf_is_blank(*p)) p++;
  return p;
}

static inline const char *wf_skip_line(const char *p) { /* to behind the '\n' */
  while (*p != '\n') p++;
  return p + 1;
}

/* Scans blanks and a decimal number that ends at a blank or the line's end. Returns the place
 * behind it, or NULL if there is none or it has more than 18 digits. */
static inline const char *wf_scan_number(const char *p, uint64_t *value) {
  p = wf_skip_blanks(p);
  const char *begin = p;
  uint64_t v = 0;
  for (; wf_is_digit(*p); p++) v = v * 10 + (uint64_t)(*p - '0');
  *value = v;
  bool ok = p > begin && p - begin <= 18 && (wf_is_blank(*p) || *p == '\n');
  return ok ? p : NULL;
}

/* The word at p made printable for a message; what follows a blank or '\n' is left out. */
typedef struct wf_word {
  char text[72];
} wf_word;
wf_word wf_word_at(const char *p);

/* Scans a weight: a whole number 0 .. WF_GRAPH_MAX_WEIGHT, also written as a real ("3.0", "2e3").
 * NULL after reporting what is wrong with it. */
const char *wf_scan_weight(wf_source *s, const char *p, uint32_t *weight);
/* The same for an arc. If `arcs` is lenient, a value that is no weight drops all weights instead.
 */
const char *wf_scan_arc_weight(wf_source *s, const char *p, wf_arcs *arcs, uint32_t *weight);

/* "%%MatrixMarket", in any case and with one % or more: the place behind it, or NULL. */
const char *wf_mtx_banner(const char *line, const char *end);

#endif
