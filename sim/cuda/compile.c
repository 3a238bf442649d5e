#include "sim/cuda/compile.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/cuda/clang.h"

/* clang 14 emits what launches and registers kernels in the manner of CUDA from 9.2 on if it takes
 * an SDK of that age to be there. Programs are written for compilers that conclude less from what
 * C++ leaves undefined: where one lane has a value and all shuffle it, clang would take that for a
 * proof that all have it; then functions without a return, memory under two types, loops that spin.
 */
#define BOTH                                                                                       \
  "-x cuda -nocudainc -nocudalib -std=c++17 -Wno-unknown-cuda-version "                            \
  "-Xclang -target-sdk-version=11.0 -Xclang -disable-noundef-analysis "                            \
  "-fno-strict-return -fno-strict-aliasing -fno-finite-loops"

/* Targets, and the version of PTX that has all of their instructions. */
static const struct {
  const char *arch, *ptx;
} targets[] = {{"sm_35", "60"}, {"sm_37", "60"}, {"sm_50", "60"}, {"sm_52", "60"}, {"sm_53", "60"},
               {"sm_60", "60"}, {"sm_61", "60"}, {"sm_62", "60"}, {"sm_70", "63"}, {"sm_72", "63"},
               {"sm_75", "63"}, {"sm_80", "71"}, {"sm_86", "71"}};
enum { TARGETS = sizeof targets / sizeof *targets };

bool wf_cuda_check_arch(const char *arch, wf_error *err) {
  for (unsigned i = 0; i < TARGETS; i++)
    if (strcmp(targets[i].arch, arch) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--arch %s: expected sm_35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80 or 86",
                 arch);
}

static const char *ptx_of(const char *arch) {
  for (unsigned i = 0; i < TARGETS; i++)
    if (strcmp(targets[i].arch, arch) == 0) return targets[i].ptx;
  return targets[0].ptx;
}

/* What both parts have; then the part's own flags, and the user's, which come last. */
static void begin(wf_clang *c, const wf_cuda_request *r, const char *words) {
  wf_clang_begin(c);
  wf_clang_words(c, BOTH);
  char *root = wf_clang_root();
  wf_clang_add(c, wf_strdup("-isystem"));
  wf_clang_add(c, wf_text("%s/sim/cuda/include", root));
  wf_clang_words(c, "-include cuda_runtime.h");
  free(root);
  wf_clang_units(c, r->units, r->n_units);
  wf_clang_words(c, words);
  if (r->flags) wf_clang_words(c, r->flags);
}

char *wf_cuda_compile_device(const wf_cuda_request *r, size_t *bytes, wf_error *err) {
  wf_clang c;
  char *words = wf_text("--cuda-device-only --cuda-gpu-arch=%s -Xclang -target-feature -Xclang "
                        "+ptx%s -O2 -gline-tables-only -ffp-contract=on -S",
                        r->arch, ptx_of(r->arch));
  begin(&c, r, words);
  free(words);
  wf_clang_words(&c, "-o - --");
  wf_clang_add(&c, wf_strdup(r->path));
  char *ptx = wf_clang_run(&c, r->path, bytes, err);
  wf_clang_free(&c);
  return ptx;
}

static bool ends_with(const char *word, const char *end) {
  const size_t n = strlen(word), m = strlen(end);
  return n > m && strcmp(word + n - m, end) == 0;
}

/* Sources are read as CUDA C++, like the program; objects and libraries are what they are. */
static void add_host_words(wf_clang *c, const char *words) {
  char *copy = wf_strdup(words), *rest = copy;
  for (char *word; (word = strsep(&rest, " "));) {
    if (!*word) continue;
    const bool made = ends_with(word, ".o") || ends_with(word, ".a") || ends_with(word, ".so");
    if (made) wf_clang_words(c, "-x none");
    wf_clang_add(c, wf_strdup(word));
    if (made) wf_clang_words(c, "-x cuda");
  }
  free(copy);
}

/* exit() goes to us, for results follow the program; its own functions come before ours of the
 * same names. Warnings were given with the device's part. */
bool wf_cuda_compile_host(const wf_cuda_request *r, const char *object, wf_error *err) {
  wf_clang c;
  size_t bytes;
  begin(&c, r,
        "--cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang /dev/null -fPIC -O2 "
        "-ffp-contract=off -w");
  wf_clang_words(&c, "-shared -Wl,--wrap=exit -Wl,-Bsymbolic -o");
  wf_clang_add(&c, wf_strdup(object));
  wf_clang_add(&c, wf_strdup(r->path));
  if (r->host_flags) add_host_words(&c, r->host_flags);
  wf_clang_words(&c, "-lstdc++ -lm");
  char *said = wf_clang_run(&c, r->path, &bytes, err);
  wf_clang_free(&c);
  free(said);
  return said != NULL;
}
