#include "sim/cli/run_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_target.h"
#include "sim/base/wf_text.h"
#include "sim/cli/kernel_param.h"
#include "sim/store/identity.h"
#include "sim/units/registry.h"

const char wf_run_usage[] =
    "usage: warpfab run --app NAME | --ptx FILE | --trace PATH [options]\n"
    "  --ptx FILE              a kernel of yours: PTX, or CUDA C (.cu), which clang compiles\n"
    "  --trace PATH            what a real GPU executed: `warpfab trace --help`\n"
    "  --cuda PROG.cu ... [-- ARGS]   a CUDA program, as of `warpfab cuda`\n"
    "  --graph FILE|GENERATOR  .mtx .el .gr .wfg, plain, .gz, .xz or .zst; or e.g. "
    "rmat:scale=16,edges=500000\n"
    "  --config NAME|FILE      modelled GPU (gtx480); `warpfab list configs`\n"
    "  --unit LIST             units in the fabric (`list units`); NAME:KEY=VALUE sets a "
    "parameter\n"
    "  --set KEY=VALUE         any parameter: `warpfab list parameters`, `list units`, `list "
    "apps`\n"
    "  --json FILE             result as JSON; - is standard output (the table then goes to "
    "standard error)\n"
    "  --store FILE            the result is added to a store: `warpfab results --help`\n"
    "  --timeline FILE         kernels, launched grids, blocks on SMs, units, occupancy, clocks, "
    "power, for Perfetto;\n"
    "                          --set timeline.warps=1: warps, too\n"
    "  --wave FILE --wave-unit U [--wave-window A:B]   FST waveform of a unit, core cycles A to B\n"
    "  --record FILE [--record-unit U] [--record-limit N]   transactions at a unit's ports, for "
    "`make replay`;\n"
    "                          .zst and .gz are compressed; N: clocked cycles of the unit, from "
    "reset on\n"
    "  --seed N  --max-cycles N (0: no limit)\n"
    "  --models-only           builds the units' models, which otherwise the first run does, and "
    "stops\n"
    "  --progress              how far it is, as a terminal shows it, in a pipe too\n"
    "with --ptx FILE:\n"
    "  --kernel NAME --grid X[,Y,Z] --block X[,Y,Z] --param KIND:VALUE ... in the kernel's order;\n"
    "  KIND: u32 s32 u64 s64 f32 f64 (a value), hex (the bytes of any parameter, e.g. a struct),\n"
    "  buf (bytes of zeroed memory), iota (bytes of words 0,1,2..), file (PATH: memory with a "
    "file's bytes),\n"
    "  graph (out_row out_col out_weight in_row in_col in_weight of --graph)\n"
    "  --shared BYTES          dynamic shared memory of a block, beside the kernel's own\n"
    "  --dump N:PATH           the memory of parameter N, from 0, to a file after the run\n"
    "  --base UNIT.NAME=N[+BYTES]   a unit's base register is set to the memory of parameter N; "
    "`warpfab list units`\n";

const char wf_cuda_usage[] =
    "usage: warpfab cuda PROG.cu [options] [-- ARGS]\n"
    "  Compiles a CUDA program (clang; no CUDA is needed), runs its host part here and its kernels "
    "on "
    "the\n"
    "  modelled GPU. ARGS are the program's. docs/your-program.md has an example.\n"
    "  --arch sm_NN            what the kernels are compiled for, and the device says it is "
    "(sm_70)\n"
    "  --clang \"WORDS\"         more for clang, for both parts: \"-I include -DN=64 -O0\"\n"
    "  --link \"FILES\"          objects or libraries for the host part\n"
    "  --host \"WORDS\"          more for clang, for the host part alone, behind the program: "
    "other sources,\n"
    "                          objects, libraries: \"read.cpp -lz\"\n"
    "  --config --unit --set --json --store --timeline --wave --wave-unit --wave-window --record\n"
    "  --record-unit --record-limit --seed --max-cycles --progress   as of `warpfab run`\n"
    "Exit code: 1 if the program's is not 0, a kernel faults or a launch fails; 3 if one hangs.\n";

enum {
  OPT_FIRST = 1000,
  OPT_APP,
  OPT_PTX,
  OPT_TRACE,
  OPT_GRAPH,
  OPT_CONFIG,
  OPT_UNIT,
  OPT_SET,
  OPT_JSON,
  OPT_STORE,
  OPT_WAVE,
  OPT_WAVE_UNIT,
  OPT_WAVE_WINDOW,
  OPT_TIMELINE,
  OPT_RECORD,
  OPT_RECORD_UNIT,
  OPT_RECORD_LIMIT,
  OPT_SEED,
  OPT_MAX_CYCLES,
  OPT_PROGRESS,
  OPT_MODELS_ONLY,
  OPT_KERNEL,
  OPT_GRID,
  OPT_BLOCK,
  OPT_PARAM,
  OPT_SHARED,
  OPT_BASE,
  OPT_DUMP,
  OPT_ARCH,
  OPT_CLANG,
  OPT_HOST,
  OPT_LINK,
  OPT_HELP
};

static const struct option long_options[] = {{"app", 1, NULL, OPT_APP},
                                             {"ptx", 1, NULL, OPT_PTX},
                                             {"trace", 1, NULL, OPT_TRACE},
                                             {"graph", 1, NULL, OPT_GRAPH},
                                             {"config", 1, NULL, OPT_CONFIG},
                                             {"unit", 1, NULL, OPT_UNIT},
                                             {"set", 1, NULL, OPT_SET},
                                             {"json", 1, NULL, OPT_JSON},
                                             {"store", 1, NULL, OPT_STORE},
                                             {"wave", 1, NULL, OPT_WAVE},
                                             {"wave-unit", 1, NULL, OPT_WAVE_UNIT},
                                             {"wave-window", 1, NULL, OPT_WAVE_WINDOW},
                                             {"timeline", 1, NULL, OPT_TIMELINE},
                                             {"record", 1, NULL, OPT_RECORD},
                                             {"seed", 1, NULL, OPT_SEED},
                                             {"record-unit", 1, NULL, OPT_RECORD_UNIT},
                                             {"record-limit", 1, NULL, OPT_RECORD_LIMIT},
                                             {"max-cycles", 1, NULL, OPT_MAX_CYCLES},
                                             {"progress", 0, NULL, OPT_PROGRESS},
                                             {"models-only", 0, NULL, OPT_MODELS_ONLY},
                                             {"kernel", 1, NULL, OPT_KERNEL},
                                             {"grid", 1, NULL, OPT_GRID},
                                             {"block", 1, NULL, OPT_BLOCK},
                                             {"param", 1, NULL, OPT_PARAM},
                                             {"shared", 1, NULL, OPT_SHARED},
                                             {"base", 1, NULL, OPT_BASE},
                                             {"dump", 1, NULL, OPT_DUMP},
                                             {"arch", 1, NULL, OPT_ARCH},
                                             {"clang", 1, NULL, OPT_CLANG},
                                             {"host", 1, NULL, OPT_HOST},
                                             {"link", 1, NULL, OPT_LINK},
                                             {"help", 0, NULL, OPT_HELP},
                                             {NULL, 0, NULL, 0}};

static bool repeatable(int option) {
  static const int more[] = {OPT_SET,  OPT_UNIT,     OPT_PARAM, OPT_BASE,
                             OPT_DUMP, OPT_PROGRESS, OPT_HELP};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (option == more[i]) return true;
  return false;
}

static bool parse_count(const char *option, const char *text, uint64_t *value, wf_error *err) {
  long number;
  if (!wf_parse_long(text, &number) || number < 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--%s %s: expected a whole number 0..%ld", option, text,
                   LONG_MAX);
  *value = (uint64_t)number;
  return true;
}

static bool parse_extent(const char *option, const char *text, uint32_t dim[3], wf_error *err) {
  char *copy = wf_strdup(text), *rest = copy;
  unsigned n = 0;
  bool ok = true;
  for (char *part; ok && (part = strsep(&rest, ","));) {
    long v;
    ok = n < 3 && wf_parse_long(part, &v) && v >= 1 && v <= INT32_MAX;
    if (ok) dim[n++] = (uint32_t)v;
  }
  free(copy);
  for (; n < 3 && n > 0; n++) dim[n] = 1;
  return ok || wf_fail(err, WF_EXIT_BAD_INPUT, "--%s %s: expected X, X,Y or X,Y,Z, each 1 or more",
                       option, text);
}

static bool parse_window(run_options *o, const char *text, wf_error *err) {
  char *copy = wf_strdup(text), *colon = strchr(copy, ':');
  long from, to;
  if (colon) *colon = '\0';
  bool ok = colon && wf_parse_long(copy, &from) && wf_parse_long(colon + 1, &to) && from >= 0 &&
            to > from;
  free(copy);
  if (!ok)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--wave-window %s: expected A:B with 0 <= A < B, core cycles", text);
  o->wave_window = true;
  o->wave_from = (uint64_t)from;
  o->wave_to = (uint64_t)to;
  return true;
}

static bool set_of_unit(run_options *o, const char *unit, const char *setting, wf_error *err) {
  char *assignment = wf_text("%s.%s", unit, setting);
  const bool ok = wf_options_add(&o->set, assignment, err);
  free(assignment);
  return ok;
}

/* "mff" or "apcm:mode=bypass" becomes a unit and an option apcm.mode=bypass; "rex" region with
 * region.mode=rex. */
static bool add_unit(run_options *o, char *text, wf_error *err) {
  char *settings = strchr(text, ':');
  if (settings) *settings++ = '\0';
  if (!*text || o->n_units == RUN_MAX_UNITS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit: expected up to %d names, separated by commas",
                   RUN_MAX_UNITS);
  const char *form;
  const wf_unit_class *of_form = wf_unit_of_form(text, &form);
  const char *name = of_form ? of_form->name : text;
  o->unit_names[o->n_units++] = wf_strdup(name);
  if (of_form && !set_of_unit(o, name, form, err)) return false;
  for (char *one; settings && (one = strsep(&settings, ":"));)
    if (!set_of_unit(o, name, one, err)) return false;
  return true;
}

static bool parse_units(run_options *o, const char *list, wf_error *err) {
  char *copy = wf_strdup(list), *rest = copy;
  bool ok = true;
  for (char *name; ok && (name = strsep(&rest, ","));) ok = add_unit(o, name, err);
  free(copy);
  return ok;
}

/* One more of what may be given many times. */
static bool take_text(const char *option, const char *text, const char **list, unsigned *n,
                      wf_error *err) {
  if (*n == RUN_MAX_PARAMS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--%s: at most %d", option, RUN_MAX_PARAMS);
  list[(*n)++] = text;
  return true;
}

static bool take_dump(run_options *o, const char *text, wf_error *err) {
  char *end;
  const unsigned long param = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != ':' || !end[1] || param >= RUN_MAX_PARAMS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--dump %s: expected N:PATH, N the number of a parameter, from 0", text);
  if (wf_target_same(end + 1, "-"))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--dump %s: expected a file: the table is on standard output", text);
  if (o->n_dumps == RUN_MAX_PARAMS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--dump: at most %d", RUN_MAX_PARAMS);
  o->dumps[o->n_dumps++] = (run_dump){(unsigned)param, end + 1};
  return true;
}

static bool take_shared(run_options *o, const char *text, wf_error *err) {
  if (!parse_count("shared", text, &o->shared_bytes, err)) return false;
  return o->shared_bytes <= INT32_MAX ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "--shared %s: expected at most %d bytes", text, INT32_MAX);
}

/* Where an option's text goes as it is; NULL: nowhere. */
static const char **text_of(run_options *o, int option) {
  switch (option) {
  case OPT_APP:
    return &o->app;
  case OPT_PTX:
    return &o->ptx;
  case OPT_TRACE:
    return &o->trace;
  case OPT_GRAPH:
    return &o->graph;
  case OPT_CONFIG:
    return &o->config;
  case OPT_JSON:
    return &o->json;
  case OPT_STORE:
    return &o->store;
  case OPT_TIMELINE:
    return &o->timeline;
  case OPT_WAVE:
    return &o->wave;
  case OPT_WAVE_UNIT:
    return &o->wave_unit;
  case OPT_RECORD:
    return &o->record;
  case OPT_RECORD_UNIT:
    return &o->record_unit;
  case OPT_KERNEL:
    return &o->kernel;
  case OPT_ARCH:
    return &o->arch;
  case OPT_LINK:
    return &o->link;
  case OPT_CLANG:
    return &o->clang;
  case OPT_HOST:
    return &o->host;
  default:
    return NULL;
  }
}

static bool take_option(run_options *o, int option, const char *name, const char *value,
                        wf_error *err) {
  const char **text = text_of(o, option);
  if (text) return *text = value, true;
  switch (option) {
  case OPT_UNIT:
    return parse_units(o, value, err);
  case OPT_SET:
    return wf_options_add(&o->set, value, err);
  case OPT_WAVE_WINDOW:
    return parse_window(o, value, err);
  case OPT_RECORD_LIMIT:
    return parse_count(name, value, &o->record_limit, err);
  case OPT_SEED:
    return parse_count(name, value, &o->seed, err);
  case OPT_MAX_CYCLES:
    return parse_count(name, value, &o->max_cycles, err);
  case OPT_GRID:
    return parse_extent(name, value, o->grid, err);
  case OPT_BLOCK:
    return parse_extent(name, value, o->block, err);
  case OPT_PARAM:
    return take_text(name, value, o->params, &o->n_params, err);
  case OPT_BASE:
    return take_text(name, value, o->bases, &o->n_bases, err);
  case OPT_DUMP:
    return take_dump(o, value, err);
  case OPT_SHARED:
    return take_shared(o, value, err);
  case OPT_PROGRESS:
    return o->progress = true;
  case OPT_MODELS_ONLY:
    return o->models_only = true;
  case OPT_HELP:
    return o->help = true;
  default:
    return wf_fail(err, WF_EXIT_BAD_INPUT, "unknown option; `warpfab run --help` lists them");
  }
}

/* --record takes a unit of --unit: the only one, or the one named. */
static bool check_record(run_options *o, wf_error *err) {
  if (!o->record && (o->record_unit || o->record_limit))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--record-unit and --record-limit go with --record FILE");
  if (!o->record) return true;
  if (!o->n_units)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--record: records a unit's ports: give --unit too");
  if (!o->record_unit && o->n_units > 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--record: several units: name one with --record-unit");
  if (!o->record_unit) o->record_unit = o->unit_names[0];
  for (unsigned u = 0; u < o->n_units; u++)
    if (strcmp(o->unit_names[u], o->record_unit) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "--record-unit %s: not among the units of --unit",
                 o->record_unit);
}

enum { RUN_MAX_PATHS = RUN_MAX_PARAMS + 8 };

static unsigned outputs_of(const run_options *o, const char *path[RUN_MAX_PATHS]) {
  const char *const one[] = {o->json, o->store, o->timeline, o->record, o->wave};
  unsigned n = 0;
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    if (one[i]) path[n++] = one[i];
  for (unsigned i = 0; i < o->n_dumps; i++) path[n++] = o->dumps[i].path;
  return n;
}

static unsigned inputs_of(const run_options *o, const char *path[RUN_MAX_PATHS]) {
  const char *const one[] = {o->graph, o->ptx, o->trace, o->cuda, o->config};
  unsigned n = 0;
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    if (one[i]) path[n++] = one[i];
  for (unsigned i = 0; i < o->n_params; i++)
    if (wf_kernel_param_path(o->params[i])) path[n++] = wf_kernel_param_path(o->params[i]);
  return n;
}

/* Two outputs of one file: one of them would be lost. An output in an input's place: that would. */
static bool check_outputs(const run_options *o, wf_error *err) {
  const char *output[RUN_MAX_PATHS], *input[RUN_MAX_PATHS];
  const unsigned outputs = outputs_of(o, output), inputs = inputs_of(o, input);
  for (unsigned i = 0; i < outputs; i++) {
    for (unsigned k = 0; k < i; k++)
      if (wf_target_same(output[i], output[k]))
        return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the file of two outputs", output[i]);
    for (unsigned k = 0; k < inputs; k++)
      if (!wf_target_outside(output[i], input[k], err)) return false;
  }
  return true;
}

bool wf_run_options_apart(const run_options *o, const char *folder, wf_error *err) {
  const char *output[RUN_MAX_PATHS];
  const unsigned outputs = outputs_of(o, output);
  for (unsigned i = 0; i < outputs; i++)
    if (wf_target_same(output[i], folder))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the file of two outputs", output[i]);
  return true;
}

static bool check_wave(const run_options *o, wf_error *err) {
  if (!o->wave != !o->wave_unit)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--wave FILE and --wave-unit NAME go together");
  if (!o->wave && o->wave_window)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--wave-window goes with --wave FILE");
  if (o->wave_window && o->max_cycles && o->wave_from >= o->max_cycles)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--wave-window %" PRIu64 ":%" PRIu64 ": begins behind --max-cycles %" PRIu64,
                   o->wave_from, o->wave_to, o->max_cycles);
  for (unsigned u = 0; o->wave_unit && u <= o->n_units; u++) {
    if (u == o->n_units)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--wave-unit %s: not among the units of --unit",
                     o->wave_unit);
    if (strcmp(o->unit_names[u], o->wave_unit) == 0) break;
  }
  return true;
}

static bool check_request(const run_options *o, wf_error *err) {
  if (o->arch || o->clang || o->link)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--arch, --clang and --link go with `warpfab cuda PROG.cu`");
  if (!!o->app + !!o->ptx + !!o->trace != 1)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "run: give one of --app NAME (`warpfab list apps`), --ptx FILE and --trace PATH");
  if (!o->ptx && (o->kernel || o->n_params || o->grid[0] || o->block[0] || o->shared_bytes ||
                  o->n_bases || o->n_dumps))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--kernel, --grid, --block, --param, --shared, --base and --dump go with --ptx");
  if (o->ptx && (!o->kernel || !o->grid[0] || !o->block[0]))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--ptx needs --kernel NAME, --grid X[,Y,Z] and --block X[,Y,Z]");
  if (o->trace && o->graph)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--graph: a trace takes no graph");
  return true;
}

/* What makes it this run, in the words of the store. */
static void keep_words(run_options *o, const char *name, const char *value) {
  bool has_value;
  if (wf_identity_is_output(name, &has_value)) return;
  o->words[o->n_words++] = wf_text("--%s", name);
  if (value) o->words[o->n_words++] = wf_strdup(value);
}

/* Options, whoever they belong to; what is none stands at optind behind them. command: "run". */
static bool parse(run_options *o, const char *command, int argc, char **argv, wf_error *err) {
  *o = (run_options){.config = "gtx480", .seed = 1, .wave_to = UINT64_MAX};
  o->words = wf_calloc(2 * (size_t)argc + 2, sizeof *o->words);
  optind = 1;
  opterr = 0;
  uint64_t given = 0;
  for (int index, c; (index = -1, c = getopt_long(argc, argv, ":", long_options, &index)) != -1;) {
    const char *name = index >= 0 ? long_options[index].name : argv[optind - 1];
    if (c == ':') return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: expects a value", argv[optind - 1]);
    if (c == '?')
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: unknown option; `warpfab %s --help` lists them",
                     argv[optind - 1], command);
    const uint64_t bit = UINT64_C(1) << (c - OPT_FIRST);
    if (given & bit && !repeatable(c))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--%s %s: given twice", name, optarg);
    given |= bit;
    keep_words(o, name, optarg);
    if (!take_option(o, c, name, optarg, err)) return false;
  }
  return true;
}

/* `run ... --cuda PROG.cu [-- ARGS]`, as stores and sweeps have it: argv becomes that of
 * `warpfab cuda`. */
static bool take_program(int *argc, char **argv) {
  for (int i = 1; i + 1 < *argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--cuda") != 0) continue;
    memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof *argv);
    --*argc;
    return true;
  }
  return false;
}

bool wf_run_options_parse(run_options *o, int argc, char **argv, wf_error *err) {
  if (take_program(&argc, argv)) return wf_cuda_options_parse(o, argc, argv, err);
  if (!parse(o, "run", argc, argv, err)) return false;
  if (optind < argc)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "run: '%s' is not an option; `warpfab run --help`",
                   argv[optind]);
  return o->help || (check_request(o, err) && check_wave(o, err) && check_record(o, err) &&
                     check_outputs(o, err));
}

/* "path/prog.cu" is "prog". */
static char *program_name(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const size_t length = strlen(base);
  const bool ends = length > 3 && strcmp(base + length - 3, ".cu") == 0;
  return wf_text("%.*s", (int)(ends ? length - 3 : length), base);
}

static bool check_program(run_options *o, int argc, char **argv, wf_error *err) {
  if (o->app || o->ptx || o->trace || o->graph || o->kernel || o->n_params || o->grid[0] ||
      o->block[0] || o->shared_bytes || o->n_bases || o->n_dumps)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "cuda: --app, --ptx, --trace, --graph, --kernel, --grid, --block, --param, "
                   "--shared, --base and --dump go with `warpfab run`: the program has its own "
                   "launches and data");
  if (argc - optind != 1)
    return argc == optind
               ? wf_fail(err, WF_EXIT_BAD_INPUT, "cuda: no program; `warpfab cuda --help`")
               : wf_fail(err, WF_EXIT_BAD_INPUT,
                         "cuda: '%s': one program; what is for it comes behind --",
                         argv[optind + 1]);
  o->cuda = argv[optind];
  o->kernel = o->program = program_name(o->cuda);
  if (!o->arch) o->arch = "sm_70";
  return true;
}

bool wf_cuda_options_parse(run_options *o, int argc, char **argv, wf_error *err) {
  int own = 0; /* of argv, before -- */
  while (own < argc && strcmp(argv[own], "--") != 0) own++;
  if (!parse(o, "cuda", own, argv, err)) return false;
  if (o->help) return true;
  o->program_args = argv + own + (own < argc);
  o->n_program_args = (unsigned)(argc - own - (own < argc));
  if (!check_program(o, own, argv, err)) return false;
  o->words = wf_realloc(o->words, o->n_words + o->n_program_args + 3, sizeof *o->words);
  o->words[o->n_words++] = wf_strdup("--cuda");
  o->words[o->n_words++] = wf_strdup(o->cuda);
  if (o->n_program_args) o->words[o->n_words++] = wf_strdup("--");
  for (unsigned i = 0; i < o->n_program_args; i++)
    o->words[o->n_words++] = wf_strdup(o->program_args[i]);
  return check_wave(o, err) && check_record(o, err) && check_outputs(o, err);
}

void wf_run_options_made(run_options *o, const char *path, char *const *words, size_t n) {
  wf_identity_words_free(o->words, o->n_words);
  o->origin = path;
  o->words = wf_calloc(n + 1, sizeof *o->words);
  o->n_words = n;
  for (size_t i = 0; i < n; i++) o->words[i] = wf_strdup(words[i]);
}

void wf_run_options_free(run_options *o) {
  free(o->program);
  for (unsigned u = 0; u < o->n_units; u++) free(o->unit_names[u]);
  wf_options_free(&o->set);
  wf_identity_words_free(o->words, o->n_words);
}
