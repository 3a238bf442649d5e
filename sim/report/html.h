/* Pieces of a page in HTML. What comes from a result goes through these: it is text, never markup.
 */
#ifndef WF_REPORT_HTML_H
#define WF_REPORT_HTML_H

#include <stdio.h>

void wf_html_text(FILE *out, const char *text);
/* As fprintf; what is printed is escaped. */
void wf_html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { WF_HTML_NUMBER_BYTES = 48 };
/* 1234567 -> "1,234,567"; below a thousand with as many digits as `format` gives. */
void wf_html_number(char text[WF_HTML_NUMBER_BYTES], const char *format, double value);

/* " data-key='...' data-value='...'": which number of the result a mark shows, and all its digits.
 * A key that begins with a colon is worked out and not in the result. */
void wf_html_mark(FILE *out, const char *key, double value);
/* A cell of a table, with its mark. */
void wf_html_cell(FILE *out, const char *key, const char *format, double value);

/* A table in a region that scrolls by itself, where the page is narrow. columns: one heading a
 * column, of which the first `texts` are of texts, ended by NULL. */
void wf_html_table(FILE *out, const char *caption, const char *const *columns, unsigned texts);
void wf_html_table_end(FILE *out);

/* A bar for a share of 0 to 1; its label says what is drawn. */
void wf_html_bar(FILE *out, const char *label, const char *key, double share);

#endif
