#include "sim/cli/kernel_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/cuda/clang.h"

/* WF_CUFLAGS: sim/apps/rules.mk. */

enum { PTX_LIMIT = 256 << 20 };

static char *compile(const char *path, const char *const *units, unsigned n, size_t *bytes,
                     wf_error *err) {
  wf_clang c;
  wf_clang_begin(&c);
  wf_clang_words(&c, WF_CUFLAGS " -Xclang -disable-noundef-analysis"); /* as of `warpfab cuda` */
  wf_clang_kernel_headers(&c);
  wf_clang_units(&c, units, n);
  wf_clang_words(&c, "-o - --");
  wf_clang_add(&c, wf_strdup(path));
  char *ptx = wf_clang_run(&c, path, bytes, err);
  wf_clang_free(&c);
  return ptx;
}

bool wf_kernel_text_read(wf_kernel_text *text, const char *path, const char *const *units,
                         unsigned n, wf_error *err) {
  const size_t length = strlen(path);
  const bool cuda = length > 3 && strcmp(path + length - 3, ".cu") == 0;
  *text = (wf_kernel_text){.name = cuda ? wf_text("%s (its PTX)", path) : wf_strdup(path)};
  text->ptx = cuda && access(path, R_OK) == 0 ? compile(path, units, n, &text->bytes, err)
                                              : wf_file_read(path, PTX_LIMIT, &text->bytes, err);
  return text->ptx != NULL;
}

void wf_kernel_text_free(wf_kernel_text *text) {
  free(text->name);
  free(text->ptx);
}
