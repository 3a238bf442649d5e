/* warpfab acc: translate (build/warpfab-acc), compile the host's part, and run as a CUDA program.
 */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_temporary.h"
#include "sim/base/wf_text.h"
#include "sim/cli/acc_gcc.h"
#include "sim/cli/cli.h"
#include "sim/cuda/clang.h"
#include "sim/store/identity.h"

static const char usage[] =
    "usage: warpfab acc FILE.c [options] [-- ARGS]\n"
    "  Runs a C program with OpenACC directives: its compute regions on the modelled GPU, the "
    "rest\n"
    "  here. ARGS are the program's. sim/acc/README.md says what is taken.\n"
    "  -I... -D...             as for a compiler\n"
    "  --cache=rbi --cache=rbc --cache=off   the cache directive: accesses are in the range, are\n"
    "                          tested, or the directive is ignored\n"
    "  --width= --scope= --share= --write=   more of it: sim/acc/README.md\n"
    "  --check                 stop at an access outside of what a cache directive promises\n"
    "  --no-compare            without comparing each region's arrays with the host's\n"
    "  --compiler=gcc          compiled by GCC 12 (gcc-12-offload-nvptx) in the place of ours:\n"
    "                          nothing is compared, and the cache directive is ignored\n"
    "  --emit FOLDER           keep the program as C and CUDA C++ there\n"
    "  --config --unit --set --json --store --timeline --arch ...   as of `warpfab cuda`\n"
    "Exit code: 1 if a region's arrays differ from the host's, or the program's is not 0.\n";

extern char **environ;

typedef struct translation {
  const char *path, *emit;
  char *name;   /* of the file, without folder and .c */
  char *folder; /* of what is made */
  int noted;    /* its handle, if it goes at the end; else -1 */
  char *flags;  /* -I, -D and -U words */
  char **cuda;  /* arguments of `warpfab cuda` */
  int n_cuda;
  char **words; /* of warpfab-acc */
  int n_words;
  char **given; /* all of the command's words but outputs: what the run is known by */
  int n_given;
  bool check, blind, gcc, help; /* blind: regions are not compared */
} translation;

/* ---- arguments ---- */

static void push(char ***list, int *n, char *text) {
  *list = wf_realloc(*list, (size_t)*n + 2, sizeof **list);
  (*list)[(*n)++] = text;
  (*list)[*n] = NULL;
}

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool own_option(translation *t, const char *a) {
  static const char *const translator[] = {
      "--cache=", "--width=", "--scope=", "--share=", "--write=", "--entries="};
  bool passed = a[0] == '-' && a[1] && strchr("IDU", a[1]) && a[2];
  if (passed) {
    char *longer = wf_text("%s %s", t->flags, a);
    free(t->flags);
    t->flags = longer;
  }
  for (unsigned i = 0; i < sizeof translator / sizeof *translator; i++)
    passed |= starts(a, translator[i]);
  if (passed) push(&t->words, &t->n_words, wf_strdup(a));
  return passed;
}

static void note_given(translation *t, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    bool value = false;
    if (starts(argv[i], "--") && wf_identity_is_output(argv[i] + 2, &value))
      i += value;
    else if (strcmp(argv[i], "--emit") != 0)
      push(&t->given, &t->n_given, wf_strdup(argv[i]));
    else
      i++;
  }
}

/* What only our own compiler does. */
static bool check_gcc(const translation *t, wf_error *err) {
  const char *ours = t->check ? "--check" : NULL;
  for (int i = 0; i < t->n_words; i++)
    if (starts(t->words[i], "--")) ours = t->words[i];
  return !ours ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "acc: %s does not go with --compiler=gcc, which ignores cache directives", ours);
}

/* What is not ours goes to `warpfab cuda`, which knows which options have a value. */
static bool read_arguments(translation *t, int argc, char **argv, wf_error *err) {
  int i = 1;
  note_given(t, argc, argv);
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *a = argv[i], *dot = strrchr(a, '.');
    if (!strcmp(a, "--help") || !strcmp(a, "-h"))
      return t->help = true;
    else if (!strcmp(a, "--check"))
      push(&t->words, &t->n_words, wf_strdup(a)), t->check = true;
    else if (!strcmp(a, "--no-compare"))
      t->blind = true;
    else if (!strcmp(a, "--compiler=gcc") || !strcmp(a, "--compiler=warpfab"))
      t->gcc = a[11] == 'g';
    else if (!strcmp(a, "--emit") && i + 1 < argc)
      t->emit = argv[++i];
    else if (own_option(t, a))
      continue;
    else if (a[0] != '-' && !t->path && dot && !strcmp(dot, ".c"))
      t->path = a;
    else
      push(&t->cuda, &t->n_cuda, wf_strdup(a));
  }
  for (; i < argc; i++) push(&t->cuda, &t->n_cuda, wf_strdup(argv[i]));
  if (!t->path) return wf_fail(err, WF_EXIT_BAD_INPUT, "acc: no FILE.c; `warpfab acc --help`");
  if (t->gcc && !check_gcc(t, err)) return false;
  const char *slash = strrchr(t->path, '/'), *base = slash ? slash + 1 : t->path;
  t->name = wf_text("%.*s", (int)(strlen(base) - 2), base);
  return true;
}

/* ---- steps ---- */

static bool make_folder(translation *t, wf_error *err) {
  const char *tmp = getenv("TMPDIR");
  t->folder =
      t->emit ? wf_strdup(t->emit) : wf_text("%s/warpfab-acc-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  const bool made =
      t->emit ? mkdir(t->folder, 0777) == 0 || errno == EEXIST : mkdtemp(t->folder) != NULL;
  if (!made)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no such folder can be made: %s", t->folder,
                   strerror(errno));
  if (t->emit) return true;
  t->noted = wf_temporary_note(t->folder, true);
  wf_temporary_made(t->noted);
  return true;
}

/* The translator lies beside this program. */
static char *translator(void) {
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  return wf_text("%s/warpfab-acc", self);
}

static bool translate(translation *t, wf_error *err) {
  char *program = translator();
  char **argv = NULL;
  int n = 0, status = -1;
  pid_t pid;
  push(&argv, &n, program);
  push(&argv, &n, wf_strdup(t->path));
  push(&argv, &n, wf_strdup("-o"));
  push(&argv, &n, wf_strdup(t->folder));
  for (int i = 0; i < t->n_words; i++) push(&argv, &n, wf_strdup(t->words[i]));
  char *root = wf_clang_root();
  push(&argv, &n, wf_text("-I%s/sim/acc/include", root)); /* openacc.h */
  free(root);
  const int error = posix_spawn(&pid, program, NULL, NULL, argv, environ);
  while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (error)
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "acc: %s cannot be run: %s; it is built where libclang-14-dev is installed", program,
            strerror(error));
  else if (status)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not translated; the reason is above", t->path);
  for (int i = 0; i < n; i++) free(argv[i]);
  free(argv);
  return !error && !status;
}

static bool compile(const translation *t, const char *source, const char *flags, const char *object,
                    wf_error *err) {
  char *root = wf_clang_root();
  char *words = wf_text("-x c -std=gnu11 -O2 -w -ffp-contract=off -fPIC -c %s -I%s/sim/acc/include "
                        "-isystem %s/sim/cuda/include -o %s %s",
                        flags, root, root, object, source);
  wf_clang c;
  size_t bytes;
  wf_clang_begin(&c);
  wf_clang_words(&c, words);
  char *said = wf_clang_run(&c, t->path, &bytes, err);
  wf_clang_free(&c);
  free(words);
  free(root);
  free(said);
  return said != NULL;
}

static bool compile_host(const translation *t, wf_error *err) {
  const char *slash = strrchr(t->path, '/');
  char *root = wf_clang_root();
  char *runtime = wf_text("%s/sim/acc/include/wf_acc.c", root);
  char *source = wf_text("%s/%s.c", t->folder, t->name),
       *object = wf_text("%s/%s.o", t->folder, t->name);
  char *library = wf_text("%s/wf_acc.o", t->folder);
  char *flags = wf_text("-D_OPENACC=201711 %s -include wf_acc_program.h -I%.*s", t->flags,
                        slash ? (int)(slash - t->path) : 1, slash ? t->path : ".");
  const bool ok = compile(t, source, flags, object, err) &&
                  compile(t, runtime, t->blind ? "-DWF_ACC_COMPARES=0" : "", library, err);
  free(flags);
  free(library);
  free(object);
  free(source);
  free(runtime);
  free(root);
  return ok;
}

static void push_ours(const translation *t, char ***argv, int *n) {
  char *root = wf_clang_root();
  push(argv, n, wf_text("%s/%s.cu", t->folder, t->name));
  push(argv, n, wf_strdup("--clang"));
  push(argv, n, wf_text("-I%s/sim/acc/include%s", root, t->check ? " -DWF_ACC_CHECK" : ""));
  push(argv, n, wf_strdup("--link"));
  push(argv, n, wf_text("%s/%s.o %s/wf_acc.o", t->folder, t->name, t->folder));
  free(root);
}

static int run(const translation *t) {
  char **argv = NULL, *library = t->gcc ? wf_text("%s/%s.so", t->folder, t->name) : NULL;
  int n = 0;
  push(&argv, &n, wf_strdup("cuda"));
  if (t->gcc)
    push(&argv, &n, wf_text("%s/%s", t->folder, t->name));
  else
    push_ours(t, &argv, &n);
  for (int i = 0; i < t->n_cuda; i++) push(&argv, &n, wf_strdup(t->cuda[i]));
  const wf_cli_origin origin = {t->path, t->given, (size_t)t->n_given, library};
  const int code = wf_cli_made(n, argv, &origin);
  free(library);
  for (int i = 0; i < n; i++) free(argv[i]);
  free(argv);
  return code;
}

static void free_translation(translation *t) {
  if (t->noted >= 0) {
    wf_temporary_remove(t->noted);
    wf_temporary_forget(t->noted);
  }
  for (int i = 0; i < t->n_cuda; i++) free(t->cuda[i]);
  for (int i = 0; i < t->n_words; i++) free(t->words[i]);
  for (int i = 0; i < t->n_given; i++) free(t->given[i]);
  free(t->given);
  free(t->cuda);
  free(t->words);
  free(t->flags);
  free(t->folder);
  free(t->name);
}

static bool make(translation *t, wf_error *err) {
  if (t->gcc) return wf_acc_gcc(t->path, t->folder, t->name, t->flags, err);
  return translate(t, err) && compile_host(t, err);
}

int wf_cli_acc(int argc, char **argv) {
  translation t = {.noted = -1, .flags = wf_strdup("")};
  wf_error err = {0};
  int code = WF_OK;
  const bool ok = read_arguments(&t, argc, argv, &err);
  if (ok && t.help)
    fputs(usage, stdout);
  else if (ok && make_folder(&t, &err) && make(&t, &err))
    code = run(&t);
  else
    code = wf_cli_report(&err);
  free_translation(&t);
  return code;
}
