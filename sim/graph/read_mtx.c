/* MatrixMarket coordinate files: a square sparse matrix as a graph, entry (i, j) is the arc i -> j.
 * Format: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/graph/read.h"

typedef struct mtx_header {
  bool has_value, weighted, mirror, skew;
  uint64_t n, entries, size_line;
} mtx_header;

#define MTX_EXPECTED                                                                               \
  "expected \"%%%%MatrixMarket matrix coordinate pattern|integer|real "                            \
  "general|symmetric|skew-symmetric\""

static bool is_any(const char *word, const char *const *list) {
  for (; *list; list++)
    if (!strcasecmp(word, *list)) return true;
  return false;
}

const char *wf_mtx_banner(const char *line, const char *end) {
  static const char name[] = "MatrixMarket";
  const size_t n = sizeof name - 1;
  const char *p = line;
  while (p < end && wf_is_blank(*p)) p++;
  const char *signs = p;
  while (p < end && *p == '%') p++;
  if (p == signs) return NULL;
  while (p < end && wf_is_blank(*p)) p++;
  return (size_t)(end - p) > n && !strncasecmp(p, name, n) && isspace((unsigned char)p[n]) ? p + n
                                                                                           : NULL;
}

/* Splits the rest of the banner's line into its four words. */
static bool banner_words(const char *p, char word[4][32]) {
  for (int i = 0; i < 4; i++) {
    p = wf_skip_blanks(p);
    size_t n = 0;
    while (p[n] != '\n' && !wf_is_blank(p[n])) n++;
    if (n == 0 || n >= 32) return false;
    memcpy(word[i], p, n);
    word[i][n] = 0;
    p += n;
  }
  return *wf_skip_blanks(p) == '\n';
}

/* Comments and empty lines may stand before it. Returns the place behind its name; NULL: none. */
static const char *find_banner(wf_source *s) {
  while (wf_source_more(s)) {
    s->line++;
    const char *behind = wf_mtx_banner(s->cur, s->end), *p = wf_skip_blanks(s->cur);
    if (behind) return behind;
    if (*p != '%' && *p != '#' && *p != '\n') break;
    s->cur = wf_skip_line(s->cur);
  }
  return NULL;
}

static bool read_banner(wf_source *s, const wf_graph_options *o, mtx_header *h) {
  char word[4][32];
  const char *behind = find_banner(s);
  if (!behind) return s->failed ? false : wf_source_fail(s, MTX_EXPECTED);
  if (!banner_words(behind, word))
    return wf_source_fail(s, "the MatrixMarket header is not complete; " MTX_EXPECTED);
  s->cur = wf_skip_line(s->cur);
  if (strcasecmp(word[0], "matrix"))
    return wf_source_fail(s, "the object is \"%s\"; " MTX_EXPECTED, word[0]);
  if (strcasecmp(word[1], "coordinate"))
    return wf_source_fail(s, "the format is \"%s\", a dense one; " MTX_EXPECTED, word[1]);
  bool complex = !strcasecmp(word[2], "complex"), pattern = !strcasecmp(word[2], "pattern");
  if (complex && !o->ignore_weights)
    return wf_source_fail(s, "values of type \"complex\" are no edge weights; " MTX_EXPECTED
                             " (the structure alone can be taken with `graph convert "
                             "--ignore-weights`)");
  if (!complex &&
      !is_any(word[2], (const char *const[]){"pattern", "integer", "real", "double", 0}))
    return wf_source_fail(s, "values of type \"%s\"; " MTX_EXPECTED, word[2]);
  if (!is_any(word[3], (const char *const[]){"general", "symmetric", "skew-symmetric",
                                             complex ? "hermitian" : NULL, 0}))
    return wf_source_fail(s, "symmetry \"%s\"; " MTX_EXPECTED, word[3]);
  h->mirror = strcasecmp(word[3], "general") != 0;
  h->skew = !strcasecmp(word[3], "skew-symmetric");
  h->has_value = !pattern;
  /* The two halves of a skew-symmetric matrix differ in sign: its values cannot be weights. */
  h->weighted = h->has_value && !h->skew && !o->ignore_weights;
  return true;
}

static bool read_sizes(wf_source *s, mtx_header *h) {
  uint64_t rows, columns;
  for (;;) {
    if (!wf_source_more(s))
      return s->failed
                 ? false
                 : wf_source_fail(s, "the file ends before the line \"rows columns entries\"");
    s->line++;
    const char *p = wf_skip_blanks(s->cur);
    if (*p != '%' && *p != '\n') break;
    s->cur = wf_skip_line(p);
  }
  const char *p = s->cur;
  if (!(p = wf_scan_number(p, &rows)) || !(p = wf_scan_number(p, &columns)) ||
      !(p = wf_scan_number(p, &h->entries)) || *wf_skip_blanks(p) != '\n')
    return wf_source_fail(s, "expected three numbers \"rows columns entries\", found %s",
                          wf_word_at(s->cur).text);
  if (rows != columns)
    return wf_source_fail(s, "the matrix is %llu x %llu; a graph needs a square one",
                          (unsigned long long)rows, (unsigned long long)columns);
  s->cur = wf_skip_line(p);
  h->n = rows;
  h->size_line = s->line;
  return true;
}

static bool bad_index(wf_source *s, const char *line, uint64_t n) {
  uint64_t v;
  const char *p = wf_scan_number(line, &v);
  const char *at = p && v >= 1 && v <= n ? p : line;
  return wf_source_fail(s, "index %s; expected a whole number 1 .. %llu", wf_word_at(at).text,
                        (unsigned long long)n);
}

/* One entry at p; NULL after reporting an error. */
static const char *read_entry(wf_source *s, const char *p, const mtx_header *h, wf_arcs *arcs) {
  uint64_t i, j;
  const char *q = wf_scan_number(p, &i);
  const char *r = q ? wf_scan_number(q, &j) : NULL;
  if (!r || i - 1 >= h->n || j - 1 >= h->n) return bad_index(s, p, h->n), NULL;
  if (h->skew && i == j)
    return wf_source_fail(s,
                          "entry (%llu, %llu) on the diagonal of a skew-symmetric matrix, where "
                          "all values are 0",
                          (unsigned long long)i, (unsigned long long)j),
           NULL;
  uint32_t weight = 0;
  if (arcs->weighted) {
    if (!(r = wf_scan_arc_weight(s, r, arcs, &weight))) return NULL;
  } else if (h->has_value) {
    if (*wf_skip_blanks(r) == '\n')
      return wf_source_fail(s, "the entry has no value; expected \"row column value\""), NULL;
    while (*r != '\n') r++;
  }
  r = wf_skip_blanks(r);
  if (*r != '\n')
    return wf_source_fail(s, "%s behind the entry; expected \"%s\"", wf_word_at(r).text,
                          h->has_value ? "row column value" : "row column"),
           NULL;
  wf_arcs_put(arcs, (uint32_t)(i - 1), (uint32_t)(j - 1), weight);
  return r + 1;
}

static bool read_entries(wf_source *s, const mtx_header *h, wf_arcs *arcs) {
  while (wf_source_more(s)) {
    /* An entry takes at least four bytes. */
    if (!wf_arcs_reserve(arcs, (uint64_t)(s->end - s->cur) / 4 + 1, s->path, s->err))
      return !(s->failed = true);
    const char *p = s->cur;
    while (p < s->end) {
      s->line++;
      const char *q = wf_skip_blanks(p);
      if (*q == '\n' || *q == '%') {
        p = wf_skip_line(q);
        continue;
      }
      if (arcs->n == h->entries)
        return wf_source_fail(s, "more entries than the %llu that line %llu announces",
                              (unsigned long long)h->entries, (unsigned long long)h->size_line);
      if (!(p = read_entry(s, p, h, arcs))) return false;
    }
    s->cur = p;
  }
  if (s->failed) return false;
  if (arcs->n < h->entries)
    return wf_source_fail(s,
                          "the file ends after %llu of the %llu entries that line %llu announces; "
                          "it is truncated",
                          (unsigned long long)arcs->n, (unsigned long long)h->entries,
                          (unsigned long long)h->size_line);
  return true;
}

wf_graph *wf_graph_read_mtx(wf_source *s, const char *name, const wf_graph_options *options) {
  mtx_header h = {0};
  wf_arcs arcs;
  if (!read_banner(s, options, &h) || !read_sizes(s, &h)) return NULL;
  wf_arcs_init(&arcs, h.weighted, options->max_host_bytes);
  arcs.lenient = options->drop_weights;
  char what[512];
  snprintf(what, sizeof what, "%.480s:%llu", s->path, (unsigned long long)s->line);
  if (!wf_graph_check_size(h.n, h.entries, h.mirror ? 2 * h.entries : h.entries, h.weighted,
                           arcs.limit_bytes, what, s->err))
    return NULL;
  if (!read_entries(s, &h, &arcs)) {
    wf_arcs_free(&arcs);
    return NULL;
  }
  return wf_graph_from_list(name, h.n, &arcs, h.mirror, s->path, s->err);
}
