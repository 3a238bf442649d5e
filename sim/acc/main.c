/* warpfab-acc: C with OpenACC to C and CUDA C++. `warpfab acc` runs it. */
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

static const char usage[] =
    "usage: warpfab-acc FILE.c -o FOLDER [--cache=...] [--width=...] [-I... -D... -std=...]\n"
    "\n"
    "Writes FOLDER/NAME.c, the program without directives, and FOLDER/NAME.cu, its compute\n"
    "regions as kernels. Exit code 2: what the file has is not supported, or no C.\n";

enum { MAX_FLAGS = 64 };

typedef struct options {
  const char *path, *folder;
  const char *flags[MAX_FLAGS];
  unsigned n_flags;
} options;

/* Ways to build the cache directive (sim/acc/cache.h). */
static bool cache_option(const char *a) {
  acc_cache_options *how = &acc_cache_how;
  const struct {
    const char *text;
    bool *flag;
    bool value;
  } flags[] = {{"--cache=off", &how->off, true},
               {"--cache=auto", &how->automatic, true},
               {"--scope=private", &how->communicating, false},
               {"--scope=communicating", &how->communicating, true},
               {"--share=block", &how->alone, false},
               {"--share=thread", &how->alone, true},
               {"--write=through", &how->back, false},
               {"--write=back", &how->back, true},
               {"--check", &how->check, true}};
  for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (!strcmp(a, flags[i].text)) {
      *flags[i].flag = flags[i].value;
      return true;
    }
  static const char *const methods[] = {"--cache=rbi", "--cache=rbc", "--cache=ehc"};
  static const char *const widths[] = {"--width=arguments", "--width=sync", "--width=fixed"};
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(a, methods[i])) return how->method = (acc_method)i, true;
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(a, widths[i])) return how->width = (acc_width)i, true;
  return false;
}

/* --entries=N of --cache=ehc. */
static bool read_entries(const char *a, wf_error *err) {
  char *end;
  const unsigned long n = strtoul(a + strlen("--entries="), &end, 10);
  acc_cache_how.entries = (unsigned)n;
  return (!*end && n >= 1 && n <= 4096 && !(n & (n - 1))) ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: a power of two from 1 to 4096 is taken", a);
}

static bool read_options(int argc, char **argv, options *o, wf_error *err) {
  *o = (options){.flags = {"-x", "c", "-std=gnu11", "-Wno-everything"}, .n_flags = 4};
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (!strcmp(a, "-o") && i + 1 < argc)
      o->folder = argv[++i];
    else if (a[0] == '-' && strchr("IDUs", a[1]) && a[1] && o->n_flags < MAX_FLAGS)
      o->flags[o->n_flags++] = a;
    else if (!strncmp(a, "--entries=", 10)) {
      if (!read_entries(a, err)) return false;
    } else if (cache_option(a))
      continue;
    else if (a[0] != '-' && !o->path)
      o->path = a;
    else
      return wf_fail(err, WF_EXIT_BAD_INPUT, "argument '%s' is not known here\n%s", a, usage);
  }
  if (acc_cache_how.method == ACC_EHC && acc_cache_how.back)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--write=back: --cache=ehc writes through; --cache=rbc takes both");
  if (o->path && o->folder) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "a file and -o FOLDER are needed\n%s", usage);
}

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

static bool translate(const options *o, wf_error *err) {
  acc_source s;
  acc_region *regions = NULL;
  unsigned n = 0;
  const bool ok = acc_source_open(&s, o->path, o->flags, o->n_flags, err) &&
                  read_regions(&s, &regions, &n, err) &&
                  write_file(&s, regions, n, write_kernels, o->folder, ".cu", err) &&
                  write_file(&s, regions, n, acc_host_write, o->folder, ".c", err);
  free(regions);
  acc_source_close(&s);
  return ok;
}

int main(int argc, char **argv) {
  options o;
  wf_error err = {0};
  wf_process_guard();
  if (argc == 2 && !strcmp(argv[1], "--help")) {
    fputs(usage, stdout);
    return WF_OK;
  }
  if (read_options(argc, argv, &o, &err) && translate(&o, &err)) return WF_OK;
  fprintf(stderr, "%s\n", err.text);
  return err.code;
}
