/* synth_picture RESULT.json OUT.svg: logic and memory area by module, as bars in two panels; the
 * two kinds are never added up. */
#include <math.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "synth/result.h"

enum { ROWS = 16, ROW = 22, LABEL = 190, BAR = 300, GAP = 70, TOP = 64 };

static void bar(FILE *out, int x, int y, double value, double widest, const char *colour) {
  double w = widest > 0 ? BAR * value / widest : 0;
  fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y, w,
          ROW - 6, colour);
  if (value > 0)
    fprintf(out, "<text x=\"%.1f\" y=\"%d\">%.0f</text>\n", x + w + 5, y + ROW - 10, value);
}

static int by_area(const void *a, const void *b) {
  double x = result_number(*(cJSON *const *)a, "logic_um2") +
             result_number(*(cJSON *const *)a, "memory_um2");
  double y = result_number(*(cJSON *const *)b, "logic_um2") +
             result_number(*(cJSON *const *)b, "memory_um2");
  return x < y ? 1 : x > y ? -1 : 0;
}

static void draw(FILE *out, const cJSON *r) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(r, "submodules");
  cJSON *item, **rows = wf_calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *rows);
  int n = 0;
  double logic = 0, memory = 0;
  cJSON_ArrayForEach(item, list) {
    rows[n++] = item;
    logic = fmax(logic, result_number(item, "logic_um2"));
    memory = fmax(memory, result_number(item, "memory_um2"));
  }
  qsort(rows, (size_t)n, sizeof *rows, by_area);
  if (n > ROWS) n = ROWS;
  int width = LABEL + 2 * BAR + 2 * GAP, height = TOP + n * ROW + 16;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
          width, height, width, height);
  fprintf(out, "<text x=\"10\" y=\"20\" font-size=\"14\">%s %s, %s (%.0f nm)</text>\n",
          result_text(r, "unit"), result_text(r, "config"), result_text(r, "library"),
          result_number(r, "node_nm"));
  fprintf(out,
          "<text x=\"%d\" y=\"44\">logic, um2: %.0f in all</text>\n<text x=\"%d\" y=\"44\">memory, "
          "um2: %.0f in all</text>\n",
          LABEL, result_number(r, "logic_um2"), LABEL + BAR + GAP, result_number(r, "memory_um2"));
  for (int i = 0; i < n; i++) {
    int y = TOP + i * ROW;
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s x %.0f</text>\n", LABEL - 8,
            y + ROW - 10, result_text(rows[i], "module"), result_number(rows[i], "instances"));
    bar(out, LABEL, y, result_number(rows[i], "logic_um2"), logic, "#4878a8");
    bar(out, LABEL + BAR + GAP, y, result_number(rows[i], "memory_um2"), memory, "#c08040");
  }
  fprintf(out, "</svg>\n");
  free(rows);
}

int main(int argc, char **argv) {
  wf_error err = {0};
  cJSON *r = argc == 3 ? wf_json_read(argv[1], &err) : NULL;
  bool ok = r || (argc == 3 ? false
                            : wf_fail(&err, WF_EXIT_BAD_INPUT,
                                      "usage: synth_picture RESULT.json OUT.svg"));
  FILE *out = ok ? fopen(argv[2], "w") : NULL;
  if (ok && !out) ok = wf_fail(&err, WF_EXIT_BAD_INPUT, "%s: cannot be written", argv[2]);
  if (out) {
    draw(out, r);
    bool bad = ferror(out) != 0;
    if (fclose(out) || bad) ok = wf_fail(&err, WF_EXIT_BAD_INPUT, "%s: cannot be written", argv[2]);
  }
  if (!ok) fprintf(stderr, "synth_picture: %s\n", err.text);
  cJSON_Delete(r);
  return ok ? 0 : err.code;
}
