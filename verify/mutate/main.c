/* wf_mutate: seeded faults of a unit against its tests; verify/mutate/netlist builds the faulty
 * models. wf_mutate run BUILD UNIT [check]   the unit's samples, or the small ones of `make check`
 *   wf_mutate parameters LIBRARY       a model's parameters, as a Verilog parameter list
 * Exit codes: 0 right, 1 too few faults noticed, 2 usage or bad input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "sim/model/wf_model.h"
#include "verify/mutate/mutate.h"

static int parameters(const char *path, wf_error *err) {
  wf_model_lib *lib = wf_model_load(path, err);
  if (!lib) return err->code;
  int64_t value;
  const char *name;
  for (size_t i = 0; (name = wf_model_lib_parameter_at(lib, i, &value)); i++)
    printf("%sparameter integer %s = %lld", i ? ", " : "", name, (long long)value);
  printf("\n");
  wf_model_unload(lib);
  return WF_OK;
}

/* Brings the model with a sample's faults up to date; its folder and the path of its library. */
static bool build_faults(const mutate_unit *u, const mutate_sample *s, const char *build,
                         char **folder, char **library, wf_error *err) {
  char *command = wf_text("BUILD='%s' verify/mutate/netlist '%s' '%s' %u %u", build, u->unit,
                          s->config, s->count, u->seed);
  fflush(stdout);
  int status = system(command);
  free(command);
  if (status != 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "cannot build the faults of %s, configuration %s (the reason is told above)",
                   u->unit, s->config);
  *folder = wf_text("%s/mutate/%s/%s.%u", build, u->unit, s->config, s->count);
  char *path = wf_text("%s/library", *folder);
  size_t bytes;
  *library = wf_file_read(path, 1 << 16, &bytes, err);
  free(path);
  if (*library) (*library)[strcspn(*library, "\n")] = 0;
  return *library != NULL;
}

static bool run_sample(const mutate_unit *u, const mutate_sample *s, const char *build,
                       fault_list *list, wf_error *err) {
  char *folder = NULL, *library = NULL;
  const char *jobs = getenv("MUTATE_JOBS");
  size_t first = list->count;
  bool ok =
      build_faults(u, s, build, &folder, &library, err) &&
      fault_list_read(list, folder, s->config, err) && fault_list_equivalents(list, u->unit, err) &&
      mutate_run(u, list, first, build, s->config, library, jobs ? (unsigned)atoi(jobs) : 2, err);
  free(folder);
  free(library);
  return ok;
}

static int run(const char *build, const char *unit, bool check, wf_error *err) {
  mutate_unit u;
  fault_list list = {0};
  if (!mutate_unit_read(&u, unit, err)) return err->code;
  if (!u.n_samples) {
    printf("%s: hand-written bugs only\n", unit);
    mutate_unit_free(&u);
    return WF_OK;
  }
  const mutate_sample *samples = check ? u.check : u.samples;
  unsigned n = check ? u.n_check : u.n_samples;
  if (check) u.limit = u.check_limit;
  while (check && u.n_killers > u.check_kill) free(u.killers[--u.n_killers]);
  bool ok = true;
  for (unsigned i = 0; i < n && ok; i++) ok = run_sample(&u, &samples[i], build, &list, err);
  char *name = wf_text("%s%s", unit, check ? "-check" : "");
  if (ok) mutate_report(&u, &list, samples, n, build, name, err);
  free(name);
  fault_list_free(&list);
  mutate_unit_free(&u);
  return err->code;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  bool check = argc == 5 && strcmp(argv[4], "check") == 0;
  if (argc == 3 && strcmp(argv[1], "parameters") == 0) {
    parameters(argv[2], &err);
  } else if ((argc == 4 || check) && strcmp(argv[1], "run") == 0) {
    run(argv[2], argv[3], check, &err);
  } else {
    wf_fail(&err, WF_EXIT_BAD_INPUT,
            "usage: wf_mutate run BUILD UNIT [check] | parameters LIBRARY");
  }
  if (err.code) fprintf(stderr, "mutate: %s\n", err.text);
  return err.code;
}
