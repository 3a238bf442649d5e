#include "sim/acc/translate.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/acc/cache.h"
#include "sim/acc/host.h"
#include "sim/acc/kernel.h"
#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"

/* -DNAME=VALUE, behind CUDA's headers: they may have the name, too. */
static void write_macro(const char *given, FILE *out) {
  const int name = (int)strcspn(given, "=");
  const char *value = given[name] ? given + name + 1 : "1";
  fprintf(out, "#undef %.*s\n#define %.*s %s\n", name, given, name, given, value);
}

/* Names in C that are words of C++, none of which the kernels' own text has. */
static void write_words(FILE *out) {
  static const char *const words[] = {
      "asm",       "catch", "class",    "delete",   "explicit",  "export", "friend",   "mutable",
      "namespace", "new",   "operator", "private",  "protected", "public", "template", "this",
      "throw",     "try",   "typeid",   "typename", "using",     "virtual"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    fprintf(out, "#define %s wf_c_%s\n", words[i], words[i]);
}

static bool write_kernels(acc_source *s, const acc_region *regions, unsigned n, FILE *out,
                          wf_error *err) {
  fprintf(out, "/* Compute regions of %s. */\n#include \"wf_acc.cuh\"\n", s->path);
  write_words(out);
  for (unsigned i = 0; i < s->n_flags; i++)
    if (!strncmp(s->flags[i], "-D", 2)) write_macro(s->flags[i] + 2, out);
  if (!acc_needs_write(s, regions, n, out, err)) return false;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < regions[i].n_kernels; k++)
      if (!acc_kernel_write(s, &regions[i].kernels[k], out, err)) return false;
  return true;
}

static bool computes(const acc_directive *d) {
  return d->kind == ACC_PARALLEL || d->kind == ACC_KERNELS || d->kind == ACC_SERIAL;
}

/* Directives that are found move the list, which regions point into. */
static bool read_regions(acc_source *s, acc_region **regions, unsigned *n, wf_error *err) {
  const unsigned written = s->n_directives;
  for (unsigned i = 0; i < written; i++) {
    if (!computes(&s->directives[i])) continue;
    *regions = wf_realloc(*regions, *n + 1, sizeof **regions);
    if (!acc_region_read(s, &s->directives[i], &(*regions)[(*n)++], err)) return false;
  }
  for (unsigned i = 0; acc_cache_how.automatic && i < *n; i++) acc_analyse(s, &(*regions)[i]);
  for (unsigned i = 0, r = 0; r < *n; i++)
    if (computes(&s->directives[i])) (*regions)[r++].directive = &s->directives[i];
  return true;
}

typedef bool writer(acc_source *s, const acc_region *regions, unsigned n, FILE *out, wf_error *err);

static bool write_file(acc_source *s, const acc_region *regions, unsigned n, writer *write,
                       const char *folder, const char *ending, wf_error *err) {
  char *path = wf_strdup(s->path), *name = basename(path);
  char *dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  char *to = wf_text("%s/%s%s", folder, name, ending), *text = NULL;
  char *in = realpath(s->path, NULL), *old = realpath(to, NULL);
  const bool same = in && old && !strcmp(in, old);
  free(in);
  free(old);
  size_t bytes;
  FILE *memory = open_memstream(&text, &bytes);
  bool ok =
      !same || wf_fail(err, WF_EXIT_BAD_INPUT, "%s would be written over; name another folder", to);
  ok = ok && write(s, regions, n, memory, err);
  fclose(memory);
  wf_out_file out;
  ok = ok && wf_out_open(&out, to, err);
  if (ok) {
    wf_out_write(&out, text, bytes);
    ok = wf_out_commit(&out, err);
  }
  free(text);
  free(to);
  free(path);
  return ok;
}

bool acc_translate(const char *path, const char *folder, const char *const *flags, unsigned n_flags,
                   wf_error *err) {
  acc_source s;
  acc_region *regions = NULL;
  unsigned n = 0;
  const bool ok = acc_source_open(&s, path, flags, n_flags, err) &&
                  read_regions(&s, &regions, &n, err) &&
                  write_file(&s, regions, n, write_kernels, folder, ".cu", err) &&
                  write_file(&s, regions, n, acc_host_write, folder, ".c", err);
  free(regions);
  acc_source_close(&s);
  return ok;
}
