/* Any text in the places of a program's directives and of a loop's body: must give a translation,
 * or an error with code 2 and a text. Run by `make fuzz`. The first byte picks how the cache
 * directive is built; lines are the directives of a region, of a loop in it, of what follows; the
 * last is the loop's body. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/acc/cache.h"
#include "sim/acc/translate.h"

enum { LINES = 5, LONGEST = 1000 };

static void require(bool condition) {
  if (!condition) abort();
}

static void write_program(FILE *out, char line[LINES][LONGEST]) {
  fprintf(out,
          "typedef struct pair { float x, y; } pair;\n"
          "enum { M = 8 };\n#define N 64\nint n; float a[N], c[M][N], *p; pair z[N];\n"
          "%s\n"
          "static float f(float *q, int i) { return q[i]; }\n"
          "int main(void) {\n  float s = 0; int k;\n"
          "%s%s\n  for (int i = 0; i < n; i++) {\n"
          "%s%s\n    for (int j = 1; j < M; j++) {\n"
          "%s%s\n      { %s; }\n    }\n  }\n  return (int)s;\n}\n",
          line[0][0] == '#' ? line[0] : "", "#pragma acc ", line[1], "#pragma acc ", line[2],
          "#pragma acc ", line[3], line[4]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static char folder[64], path[96];
  static const char *const flags[] = {"-x", "c", "-std=gnu11", "-Wno-everything"};
  char line[LINES][LONGEST] = {{0}};
  wf_error err = {0};
  if (!folder[0]) {
    snprintf(folder, sizeof folder, "/tmp/fuzz-acc-%d", (int)getpid());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s.c", folder);
  }
  if (!bytes) return 0;
  acc_cache_how = (acc_cache_options){.entries = 16,
                                      .method = (acc_method)(data[0] % 3),
                                      .automatic = (data[0] & 4) != 0,
                                      .back = (data[0] & 8) != 0 && data[0] % 3 != ACC_EHC,
                                      .check = (data[0] & 16) != 0,
                                      .alone = (data[0] & 32) != 0};
  for (size_t i = 1, l = 0, c = 0; i < bytes && l < LINES; i++) {
    if (data[i] == '\n') {
      l++;
      c = 0;
    } else if (c < LONGEST - 1 && data[i]) {
      line[l][c++] = (char)data[i];
    }
  }
  FILE *out = fopen(path, "w");
  require(out != NULL);
  write_program(out, line);
  fclose(out);
  if (!acc_translate(path, folder, flags, sizeof flags / sizeof *flags, &err))
    require(err.code == WF_EXIT_BAD_INPUT && err.text[0]);
  return 0;
}
