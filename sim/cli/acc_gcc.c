#include "sim/cli/acc_gcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/cuda/clang.h"

#define GCC "gcc-12"
enum { MOST_BYTES = 64 << 20 };

/* What the words print; NULL and *err if they fail. */
static char *gcc(const char *path, char *words, wf_error *err) {
  wf_clang c = {0};
  size_t bytes;
  wf_clang_add(&c, wf_strdup(GCC));
  wf_clang_words(&c, words);
  char *said = wf_clang_run(&c, path, &bytes, err);
  wf_clang_free(&c);
  free(words);
  return said;
}

/* It names the program's path if it has it, and else the name alone. */
static bool can_offload(const char *path, wf_error *err) {
  char *said = gcc(path, wf_text("-print-file-name=accel/nvptx-none/mkoffload"), err);
  const bool there = said && said[0] == '/';
  free(said);
  return there || wf_fail(err, WF_EXIT_BAD_INPUT,
                          "acc: --compiler=gcc needs " GCC " for NVIDIA's GPUs: `apt-get install "
                          "gcc-12-offload-nvptx`");
}

/* The linked PTX, whose parts are ended by zeros. */
static bool write_ptx(const char *folder, const char *name, wf_error *err) {
  size_t bytes;
  char *from = wf_text("%s/made.xnvptx-none.mkoffload", folder),
       *to = wf_text("%s/%s", folder, name);
  char *ptx = wf_file_read(from, MOST_BYTES, &bytes, err);
  FILE *out = ptx ? fopen(to, "w") : NULL;
  for (size_t i = 0; ptx && i < bytes; i++)
    if (!ptx[i]) ptx[i] = '\n';
  bool ok = out && fwrite(ptx, 1, bytes, out) == bytes;
  if (out) ok &= fclose(out) == 0;
  if (ptx && !ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written", to);
  free(ptx);
  free(from);
  free(to);
  return ok;
}

#define COMMON "-std=gnu11 -O2 -ffp-contract=off -fno-math-errno -Werror=unknown-pragmas -fPIC "

/* What the program calls; its own main() and exit() have other names. */
static bool make_runtime(const char *path, const char *folder, const char *root, wf_error *err) {
  char *said = gcc(path,
                   wf_text(COMMON "-r -DWF_ACC_FILE=\"%s\" -I%s/sim/cuda/include -o %s/wf_acc.o "
                                  "%s/sim/acc/include/wf_goacc.c %s/sim/acc/include/wf_acc.c",
                           path, root, folder, root, root),
                   err);
  free(said);
  return said != NULL;
}

/* ptxas, which may be here and of any age, is not asked: the fabric reads the PTX. */
static bool make_program(const char *path, const char *folder, const char *name, const char *flags,
                         const char *root, wf_error *err) {
  char *said =
      gcc(path,
          wf_text(COMMON "-fopenacc -shared -save-temps -dumpdir %s/made. -foffload=nvptx-none "
                         "-foffload-options=nvptx-none=-Wa,--no-verify "
                         "-foffload-options=nvptx-none=-lm -I%s/sim/acc/include "
                         "-include wf_acc_program.h%s -o %s/%s.so %s %s/wf_acc.o "
                         "-Wl,--wrap=exit,-Bsymbolic,-z,notext,--no-warnings,--as-needed -lm",
                  folder, root, flags, folder, name, path, folder),
          err);
  free(said);
  return said != NULL;
}

bool wf_acc_gcc(const char *path, const char *folder, const char *name, const char *flags,
                wf_error *err) {
  char *root = wf_clang_root();
  const bool ok = can_offload(path, err) && make_runtime(path, folder, root, err) &&
                  make_program(path, folder, name, flags, root, err) &&
                  write_ptx(folder, name, err);
  free(root);
  return ok;
}
