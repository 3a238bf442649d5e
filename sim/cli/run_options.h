/* What `warpfab run` was asked to do. */
#ifndef WF_CLI_RUN_OPTIONS_H
#define WF_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"

enum { RUN_MAX_UNITS = 8, RUN_MAX_PARAMS = 32 };

/* Memory of a kernel's parameter that goes to a file. */
typedef struct run_dump {
  unsigned param;
  const char *path;
} run_dump;

typedef struct run_options {
  const char *app, *ptx, *trace, *cuda, *graph, *config, *json, *store, *timeline;
  const char *wave, *wave_unit;
  bool wave_window; /* given */
  uint64_t wave_from, wave_to;
  const char *record, *record_unit; /* record_unit is filled in when --unit names only one */
  uint64_t record_limit;            /* 0: none */
  char *unit_names[RUN_MAX_UNITS];
  unsigned n_units;
  wf_options set;
  uint64_t seed, max_cycles;
  bool progress, models_only, help;
  char **words; /* what it was asked to run, without outputs: sim/store/identity.h */
  size_t n_words;
  /* --ptx only */
  const char *kernel;
  uint32_t grid[3], block[3];
  const char *params[RUN_MAX_PARAMS]; /* "u32:7", "buf:4096", "graph:out_col" ... */
  unsigned n_params;
  uint64_t shared_bytes;             /* dynamic */
  const char *bases[RUN_MAX_PARAMS]; /* "mff.c_base=2+4096" */
  unsigned n_bases;
  run_dump dumps[RUN_MAX_PARAMS];
  unsigned n_dumps;
  /* `warpfab cuda` only; `kernel` is `program` */
  char *program;                   /* its name, without folder and .cu */
  const char *arch, *clang, *host; /* clang, host: more words for clang, or NULL */
  const char *origin;              /* what the program was made from, or NULL */
  const char *link;                /* objects for the host part, separated by blanks, or NULL */
  char **program_args;             /* behind -- */
  unsigned n_program_args;
} run_options;

extern const char wf_run_usage[], wf_cuda_usage[];

/* False and *err (code 2) for anything that is not a complete, sensible request. */
bool wf_run_options_parse(run_options *o, int argc, char **argv, wf_error *err);
/* The same of `warpfab cuda PROG.cu [options] [-- ARGS]`; argv must outlive *o. */
bool wf_cuda_options_parse(run_options *o, int argc, char **argv, wf_error *err);
/* Of a program made from the file `path`: it goes by these words. */
void wf_run_options_made(run_options *o, const char *path, char *const *words, size_t n);
/* False and *err if an output is to be where the folder is: one of them would be lost. */
bool wf_run_options_apart(const run_options *o, const char *folder, wf_error *err);
void wf_run_options_free(run_options *o);

#endif
