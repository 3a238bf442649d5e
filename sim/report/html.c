#include "sim/report/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void wf_html_text(FILE *out, const char *text) {
  for (; *text; text++) {
    const char *as = *text == '<'    ? "&lt;"
                     : *text == '>'  ? "&gt;"
                     : *text == '&'  ? "&amp;"
                     : *text == '"'  ? "&quot;"
                     : *text == '\'' ? "&#39;"
                                     : NULL;
    if (as)
      fputs(as, out);
    else /* control characters are none of HTML's */
      fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, out);
  }
}

void wf_html_print(FILE *out, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n >= 0) {
    char *text = wf_calloc((size_t)n + 1, 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    wf_html_text(out, text);
    free(text);
  }
  va_end(again);
}

void wf_html_number(char text[WF_HTML_NUMBER_BYTES], const char *format, double value) {
  char digits[32];
  if (!isfinite(value) || fabs(value) < 1000 || fabs(value) >= 1e18) {
    snprintf(text, WF_HTML_NUMBER_BYTES, fabs(value) >= 1e18 ? "%.4g" : format, value);
    return;
  }
  snprintf(digits, sizeof digits, "%.0f", value);
  size_t n = strlen(digits), to = 0;
  for (size_t i = 0; i < n; i++) {
    if (i && digits[i - 1] != '-' && (n - i) % 3 == 0) text[to++] = ',';
    text[to++] = digits[i];
  }
  text[to] = '\0';
}

void wf_html_mark(FILE *out, const char *key, double value) {
  fputs(" data-key=\"", out);
  wf_html_text(out, key);
  fprintf(out, "\" data-value=\"%.17g\"", value);
}

void wf_html_cell(FILE *out, const char *key, const char *format, double value) {
  char text[WF_HTML_NUMBER_BYTES];
  wf_html_number(text, format, value);
  fputs("<td", out);
  wf_html_mark(out, key, value);
  fprintf(out, ">%s</td>", text);
}

void wf_html_table(FILE *out, const char *caption, const char *const *columns, unsigned texts) {
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
  wf_html_text(out, caption);
  fputs("\">\n<table><caption>", out);
  wf_html_text(out, caption);
  fputs("</caption>\n<thead><tr>", out);
  for (unsigned i = 0; columns[i]; i++) {
    fprintf(out, "<th scope=\"col\"%s>", i < texts ? " class=\"text\"" : "");
    wf_html_text(out, columns[i]);
    fputs("</th>", out);
  }
  fputs("</tr></thead>\n<tbody>\n", out);
}

void wf_html_table_end(FILE *out) {
  fputs("</tbody></table></div>\n", out);
}

void wf_html_bar(FILE *out, const char *label, const char *key, double share) {
  const double width = !(share > 0) ? 0 : share > 1 ? 100 : 100 * share;
  fputs("<svg class=\"bar\" role=\"img\" width=\"100%\" height=\"16\"><title>", out);
  wf_html_text(out, label);
  fprintf(out,
          "</title><rect class=\"track\" width=\"100%%\" height=\"16\"/><rect class=\"full\" "
          "width=\"%.4f%%\" height=\"16\"",
          width);
  wf_html_mark(out, key, share);
  fputs("/></svg>", out);
}
