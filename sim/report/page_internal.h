/* The pieces that a page is put together from. */
#ifndef WF_REPORT_PAGE_INTERNAL_H
#define WF_REPORT_PAGE_INTERNAL_H

#include "sim/report/html.h"
#include "sim/report/page.h"

/* Where a section goes: of result `number`, with headings of this level. */
typedef struct wf_page {
  FILE *out;
  unsigned number, level;
} wf_page;

extern const char wf_page_style[];
/* Of files, made by sim/report/rules.mk. */
extern const char wf_page_uplot[], wf_page_uplot_style[], wf_page_uplot_licence[], wf_page_script[];

void wf_page_section(const wf_page *page, const char *id, const char *title);
void wf_page_section_end(const wf_page *page);

/* Parts of a whole: a bar of pieces that letters name, and a table that says what they are. */
typedef struct wf_piece {
  const char *name;
  const char *path; /* of its value in the result */
  double value;
} wf_piece;
enum { WF_PIECES_MAX = 26 };
typedef struct wf_stack {
  const char *title, *what, *unit, *format; /* values: value * scale of unit */
  double scale;
  wf_piece piece[WF_PIECES_MAX];
  unsigned n;
} wf_stack;
void wf_stack_add(wf_stack *stack, const char *name, const char *path, double value);
void wf_stack_print(const wf_page *page, wf_stack *stack);

void wf_page_memory(const wf_page *page, const wf_facts *facts);
void wf_page_kernels(const wf_page *page, const wf_facts *facts);
void wf_page_loads(const wf_page *page, const wf_facts *facts);
/* Has the result values over time that can be drawn? */
bool wf_page_has_series(const wf_facts *facts);
void wf_page_series(const wf_page *page, const wf_facts *facts);
/* What draws them in a browser. */
void wf_page_scripts(FILE *out);
/* Of each SM in each P-state; without SMs at a lower voltage nothing. */
void wf_page_pstates(const wf_page *page, const wf_facts *facts);
void wf_page_units(const wf_page *page, const wf_facts *facts);
void wf_page_compare(const wf_page *page, const wf_facts *facts, size_t n);
void wf_page_roof(const wf_page *page, const wf_facts *facts, size_t n);
/* The first result of the same program and graph. */
const wf_facts *wf_page_base(const wf_facts *facts, size_t i);
/* Few results without a reference have no correlation. */
bool wf_page_has_correlation(const wf_page_content *content);
void wf_page_correlation(const wf_page *page, const wf_page_content *content);
void wf_page_figures(const wf_page *page, const wf_figures *figures);

#endif
