/* warpfab-acc: C with OpenACC to C and CUDA C++. `warpfab acc` runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/acc/cache.h"
#include "sim/acc/translate.h"
#include "sim/base/wf_out.h"

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
  *o = (options){.flags = {"-x", "c", "-std=gnu11", "-Wno-everything", "-D_OPENACC=201711"},
                 .n_flags = 5};
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

int main(int argc, char **argv) {
  options o;
  wf_error err = {0};
  wf_process_guard();
  if (argc == 2 && !strcmp(argv[1], "--help")) {
    fputs(usage, stdout);
    return WF_OK;
  }
  if (read_options(argc, argv, &o, &err) &&
      acc_translate(o.path, o.folder, o.flags, o.n_flags, &err))
    return WF_OK;
  fprintf(stderr, "%s\n", err.text);
  return err.code;
}
