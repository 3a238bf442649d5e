/* warpfab compare BASE.json OTHER.json... */
#include <stdio.h>
#include <string.h>

#include "sim/base/wf_out.h"
#include "sim/cli/cli.h"
#include "sim/report/compare.h"

enum { MAX_RESULTS = 8 };

/* File name without folder and ending. */
static void label_of(char *label, size_t bytes, const char *path) {
  const char *base = strrchr(path, '/');
  snprintf(label, bytes, "%s", base ? base + 1 : path);
  char *dot = strrchr(label, '.');
  if (dot && dot != label) *dot = '\0';
}

int wf_cli_compare(int argc, char **argv) {
  if (argc >= 2 && !strcmp(argv[1], "--help")) {
    puts("usage: warpfab compare BASE.json OTHER.json...   (2 to 8 files)");
    return WF_OK;
  }
  unsigned n = (unsigned)argc - 1;
  if (n < 2 || n > MAX_RESULTS) {
    fputs("usage: warpfab compare BASE.json OTHER.json...   (2 to 8 files)\n", stderr);
    return WF_EXIT_BAD_INPUT;
  }
  cJSON *results[MAX_RESULTS] = {0};
  char text[MAX_RESULTS][64];
  const char *labels[MAX_RESULTS];
  wf_error err = {0};
  bool ok = true;
  for (unsigned i = 0; i < n && ok; i++) {
    label_of(text[i], sizeof text[i], argv[i + 1]);
    labels[i] = text[i];
    ok = (results[i] = wf_json_read(argv[i + 1], &err)) != NULL;
  }
  ok = ok && wf_compare_print(stdout, (const cJSON *const *)results, labels, n, &err);
  for (unsigned i = 0; i < n; i++) cJSON_Delete(results[i]);
  return ok ? WF_OK : wf_cli_report(&err);
}
