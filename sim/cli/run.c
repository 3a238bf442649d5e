/* warpfab run */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_progress.h"
#include "sim/base/wf_text.h"
#include "sim/cli/cli.h"
#include "sim/cli/ptx_run.h"
#include "sim/cli/run_options.h"
#include "sim/cli/run_store.h"
#include "sim/cli/trace_run.h"
#include "sim/cli/wave_file.h"
#include "sim/cuda/cuda.h"
#include "sim/gpu/settings.h"
#include "sim/report/configuration.h"
#include "sim/report/result.h"
#include "sim/report/series.h"
#include "sim/report/summary.h"
#include "sim/report/timeline.h"
#include "sim/units/registry.h"
#include "sim/units/rtl_set.h"
#include "sim/units/unit.h"

typedef struct session {
  run_options o;
  const wf_app *app;
  wf_graph *graph;
  wf_gpu *gpu;
  wf_app_run run;
  wf_ptx_job *ptx;
  wf_cuda_request request;
  wf_cuda_job *cuda;
  const char *library; /* of a program that another compiler made; or NULL */
  int status;          /* of the CUDA program */
  wf_trace *trace;
  cJSON *trace_json;
  wf_trace_writer *writer; /* of `trace write` */
  wf_out_file json;
  wf_run_store store;
  cJSON *result, *configuration;
  wf_sink *record; /* until the unit has it */
  wf_wave_file wave;
  bool waving; /* the unit's model writes it */
  wf_timeline *timeline;
  wf_series *series;
  wf_energy_model energy;
  double seconds;
  size_t kernels_done; /* as the progress line has seen it, and since when */
  double kernel_since;
} session;

/* Settings of the GPU go into the configuration; the rest is left for applications and units. */
static bool configure(session *s, wf_gpu_config *config, wf_error *err) {
  if (!wf_gpu_config_load(config, s->o.config, err)) return false;
  for (size_t i = 0; i < s->o.set.count; i++) {
    wf_option *item = &s->o.set.items[i];
    if (!wf_gpu_config_has(item->key)) continue;
    if (!wf_gpu_config_set(config, item->key, item->value, err)) return false;
  }
  return true;
}

/* Keys that are neither the GPU's nor an application's or chosen unit's are mistakes. */
static bool check_key(const session *s, const char *key, wf_error *err) {
  if (wf_gpu_config_has(key) || strncmp(key, "energy.", 7) == 0) return true;
  if (wf_parameters_find(wf_gpu_parameters, key)) return true;
  if (wf_parameters_find(wf_series_parameters, key)) return true;
  if (s->o.timeline && wf_parameters_find(wf_timeline_parameters, key)) return true;
  if (s->app && wf_app_has_option(s->app, key)) return true;
  for (unsigned u = 0; u < s->o.n_units; u++) {
    const wf_unit_class *cls = wf_unit_find(s->o.unit_names[u], err);
    if (!cls) return false;
    size_t n = strlen(cls->name);
    if (strncmp(key, cls->name, n) || key[n] != '.') continue;
    if (wf_parameters_find(cls->parameters, key + n + 1)) return true;
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--set %s: no such parameter of this run; `warpfab list parameters`, `list units` "
                 "and `list apps` show them",
                 key);
}

static bool copy_settings(const session *s, wf_options *rest, wf_error *err) {
  *rest = (wf_options){0};
  for (size_t i = 0; i < s->o.set.count; i++) {
    const wf_option *item = &s->o.set.items[i];
    if (!check_key(s, item->key, err)) return false;
    if (!wf_gpu_config_has(item->key)) wf_options_put(rest, item->key, item->value);
  }
  return true;
}

static bool open_series(session *s, const wf_options *rest, wf_error *err) {
  wf_series_settings set;
  if (!wf_parameters_read(wf_series_parameters, NULL, rest, &set, err)) return false;
  s->series = wf_series_create(&set);
  return true;
}

static bool open_timeline(session *s, const wf_options *rest, const wf_gpu_config *config,
                          wf_error *err) {
  wf_timeline_settings set;
  if (!s->o.timeline) return true;
  if (!wf_parameters_read(wf_timeline_parameters, NULL, rest, &set, err)) return false;
  s->timeline = wf_timeline_open(s->o.timeline, config, &set, err);
  return s->timeline != NULL;
}

static bool close_timeline(session *s, wf_error *err) {
  wf_timeline *t = s->timeline;
  s->timeline = NULL;
  return !t || wf_timeline_close(t, err);
}

static wf_unit *unit_named(const session *s, const char *name) {
  wf_unit *unit = NULL;
  for (unsigned u = 0; name && (unit = wf_gpu_unit(s->gpu, u)); u++)
    if (strcmp(unit->cls->name, name) == 0) break;
  return unit;
}

static bool open_wave(session *s, wf_error *err) {
  wf_unit *unit = s->o.wave ? unit_named(s, s->o.wave_unit) : NULL;
  s->waving = unit != NULL &&
              wf_unit_wave(unit, s->wave.target.temporary, s->o.wave_from, s->o.wave_to, err);
  return !unit || s->waving;
}

/* A run that ends before the window begins has nothing to show. */
static bool check_window(const session *s, wf_error *err) {
  const uint64_t cycles = wf_gpu_cycles(s->gpu);
  return !s->o.wave_window || s->o.wave_from < cycles ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--wave-window %" PRIu64 ":%" PRIu64 ": the run ended at cycle %" PRIu64
                 ": there is no wave",
                 s->o.wave_from, s->o.wave_to, cycles);
}

/* A run that failed leaves its wave, up to there, but no wave that could not be written. */
static bool close_wave(session *s, wf_error *err) {
  if (!s->wave.hierarchy) return true;
  const bool ok =
      !s->waving || (check_window(s, err) &&
                     wf_rtl_set_wave_end(wf_unit_shown(unit_named(s, s->o.wave_unit)), err) &&
                     wf_wave_file_commit(&s->wave, err));
  wf_wave_file_abandon(&s->wave);
  return ok;
}

/* Opened after the waves, which replace the model. */
static bool open_record(session *s, wf_error *err) {
  wf_unit *unit = s->o.record ? unit_named(s, s->o.record_unit) : NULL;
  return !unit || wf_unit_record(unit, &s->record, s->o.record_limit, err);
}

static bool close_record(session *s, wf_error *err) {
  const wf_unit *unit = s->o.record ? unit_named(s, s->o.record_unit) : NULL;
  return !unit || wf_rtl_set_record_end(wf_unit_shown(unit), err);
}

/* How much of a trace's launches, or else of the kernel, is done. */
static void show_progress(void *user, const char *kernel, uint64_t cycle, double done) {
  session *s = user;
  size_t n;
  char left[WF_DURATION_BYTES];
  if (!wf_progress_due()) return;
  wf_gpu_kernels(s->gpu, &n);
  const double now = wf_clock_seconds();
  if (n != s->kernels_done) s->kernels_done = n, s->kernel_since = now;
  const double launches = s->trace ? (double)wf_trace_launch_count(s->trace) : 1,
               share = s->trace ? ((double)n + done) / launches : done;
  wf_left_text(left, share, now - (s->trace ? s->seconds : s->kernel_since));
  wf_progress_line("%zu: %.16s, cycle %" PRIu64 ", %.0f kcycles/s, %.0f %% of %s%s", n + 1, kernel,
                   cycle, (double)cycle / (now - s->seconds) / 1e3, 100 * share,
                   s->trace ? "the trace" : "blocks", left);
}

/* Files that cannot be written are told before any work. */
static bool open_outputs(session *s, const char *write_to, const wf_options *rest,
                         const wf_gpu_config *config, wf_error *err) {
  const run_options *o = &s->o;
  return (!o->json || wf_out_open(&s->json, o->json, err)) && open_timeline(s, rest, config, err) &&
         (!o->wave || wf_wave_file_open(&s->wave, o->wave, err)) &&
         (!o->record || (s->record = wf_sink_open(o->record, err))) &&
         (!write_to || (s->writer = wf_trace_writer_create(write_to, err)));
}

/* Before the application changes it. */
static void describe_graph(session *s) {
  wf_store_run *run = &s->store.run;
  if (!s->store.store || !s->graph) return;
  run->graph = s->graph->name;
  run->graph_checksum = wf_graph_checksum(s->graph);
  run->vertices = s->graph->n_vertices;
  run->edges = s->graph->n_edges;
}

static bool open_program(session *s, wf_error *err) {
  const run_options *o = &s->o;
  s->request = (wf_cuda_request){.path = o->cuda,
                                 .arch = o->arch,
                                 .flags = o->clang,
                                 .host_flags = o->link ? o->link : o->host,
                                 .args = o->program_args,
                                 .n_args = o->n_program_args,
                                 .library = s->library,
                                 .units = (const char *const *)o->unit_names,
                                 .n_units = o->n_units};
  s->cuda = wf_cuda_open(&s->request, err);
  return s->cuda != NULL;
}

/* All that is read is checked before the units' models are built, which may take minutes. */
static bool open_inputs(session *s, const wf_options *rest, wf_error *err) {
  const run_options *o = &s->o;
  if (o->graph && !(s->graph = wf_graph_open(o->graph, o->seed, err))) return false;
  describe_graph(s);
  if (s->app) return wf_app_check(s->app, rest, s->graph, err);
  if (o->ptx) return (s->ptx = wf_ptx_open(o, s->graph, err)) != NULL;
  if (o->cuda) return open_program(s, err);
  s->trace = wf_trace_run_open(o->trace, o->unit_names, o->n_units, err);
  return s->trace != NULL;
}

static bool prepare(session *s, const char *write_to, wf_error *err) {
  wf_gpu_config config;
  wf_options rest;
  if (!s->o.models_only && !wf_run_store_open(&s->store, &s->o, err)) return false;
  if (s->o.app && !(s->app = wf_app_find(s->o.app, err))) return false;
  if (!configure(s, &config, err) ||
      !wf_energy_read(&s->energy, config.energy_class, &s->o.set, err))
    return false;
  bool ok = copy_settings(s, &rest, err) &&
            (s->o.models_only ||
             (open_outputs(s, write_to, &rest, &config, err) && open_inputs(s, &rest, err)));
  ok = ok && open_series(s, &rest, err);
  if (ok)
    s->gpu = wf_gpu_create(&config, &rest, (const char *const *)s->o.unit_names, s->o.n_units,
                           s->o.seed, err);
  wf_options_free(&rest);
  if (ok && s->gpu && s->o.models_only) return true;
  if (!ok || !s->gpu || !open_wave(s, err) || !open_record(s, err)) return false;
  wf_gpu_limit_cycles(s->gpu, s->o.max_cycles);
  if (s->series) wf_series_attach(s->series, s->gpu, &s->energy);
  if (s->timeline) wf_timeline_attach(s->timeline, s->gpu, &s->energy);
  if (s->writer) wf_gpu_set_source(s->gpu, wf_trace_writer_source(s->writer));
  wf_gpu_on_progress(s->gpu, show_progress, s);
  return true;
}

static bool execute(session *s, wf_error *err) {
  s->seconds = s->kernel_since = wf_clock_seconds();
  s->run = (wf_app_run){.gpu = s->gpu, .graph = s->graph, .seed = s->o.seed};
  bool ok = s->app       ? wf_app_start(s->app, &s->run, err)
            : s->o.trace ? wf_trace_run(s->gpu, s->trace, s->o.trace, &s->trace_json, err)
            : s->cuda    ? wf_cuda_run(s->cuda, s->gpu, &s->status, err)
                         : wf_ptx_run(s->ptx, s->gpu, stdout, err);
  s->seconds = wf_clock_seconds() - s->seconds;
  wf_progress_clear();
  return ok;
}

static wf_verified verdict(const session *s) {
  const wf_cuda_verdict said = s->cuda ? wf_cuda_said(s->cuda) : WF_CUDA_SILENT;
  if (s->app ? s->run.verified : said == WF_CUDA_RIGHT) return WF_VERIFIED_YES;
  return s->app || said == WF_CUDA_WRONG ? WF_VERIFIED_NO : WF_VERIFIED_NULL;
}

/* Of what has no reference here. */
static const char *why_verdict(const session *s) {
  if (s->o.trace) return wf_trace_not_verified;
  if (!s->cuda) return NULL;
  return wf_cuda_said(s->cuda) ? "by the program itself" : "the program does not say";
}

static bool report(session *s, wf_error *err) {
  wf_result_input input = {.gpu = s->gpu,
                           .run = s->app ? &s->run : NULL,
                           .app = s->app       ? s->app->name
                                  : s->o.trace ? "trace"
                                               : s->o.kernel,
                           .trace = s->trace_json,
                           .not_verified = why_verdict(s),
                           .graph = s->graph ? s->graph->name : NULL,
                           .units = (const char *const *)s->o.unit_names,
                           .n_units = s->o.n_units,
                           .seed = s->o.seed,
                           .host_seconds = s->seconds,
                           .verified = verdict(s),
                           .settings = &s->o.set,
                           .energy = &s->energy,
                           .series = s->series};
  s->result = wf_result_json(&input, err);
  if (!s->result) return false;
  wf_summary_print(stdout, s->result);
  return !s->o.json || wf_json_write(&s->json, s->result, err);
}

/* Last of all, and of a run that failed as well: in the store it is as it ended. */
static bool add_to_store(session *s, const wf_error *ended, bool wrong, wf_error *err) {
  if (!s->store.store) return true;
  if (s->gpu)
    s->configuration = wf_configuration_json(wf_gpu_get_config(s->gpu), &s->o.set, s->app,
                                             (const char *const *)s->o.unit_names, s->o.n_units);
  s->store.run.configuration = s->configuration;
  s->store.run.result = ended->code ? NULL : s->result;
  return wf_run_store_add(&s->store, ended, wrong, err);
}

static void clean_up(session *s) {
  if (s->json.file) wf_out_abandon(&s->json);
  wf_run_store_close(&s->store);
  cJSON_Delete(s->result);
  cJSON_Delete(s->configuration);
  if (s->record) wf_sink_abandon(s->record);
  wf_timeline_abandon(s->timeline);
  wf_gpu_destroy(s->gpu);
  wf_series_destroy(s->series);
  wf_ptx_close(s->ptx);
  wf_cuda_close(s->cuda);
  wf_trace_close(s->trace);
  cJSON_Delete(s->trace_json);
  wf_trace_writer_destroy(s->writer);
  if (s->graph) wf_graph_destroy(s->graph);
  wf_run_options_free(&s->o);
}

static bool close_writer(session *s, wf_error *err) {
  return !s->writer || wf_trace_writer_finish(s->writer, err);
}

static bool check_folder(const run_options *o, const char *write_to, wf_error *err) {
  if (o->trace)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "trace write: records --app and --ptx, not --trace");
  const char *kind = strrchr(write_to, ':'); /* of compression */
  char *folder =
      wf_text("%.*s", (int)(kind ? (size_t)(kind - write_to) : strlen(write_to)), write_to);
  const bool ok = wf_run_options_apart(o, folder, err);
  free(folder);
  return ok;
}

/* A program that ends with another code than 0 says that something is wrong. */
static bool program_failed(const session *s) {
  if (!s->o.cuda || !s->status) return false;
  fprintf(stderr, "warpfab: %s: ended with exit code %d\n", s->o.origin ? s->o.origin : s->o.cuda,
          s->status);
  return true;
}

typedef bool parser(run_options *o, int argc, char **argv, wf_error *err);

static int run(parser *parse, int argc, char **argv, const char *write_to,
               const wf_cli_origin *origin) {
  session s = {0};
  wf_error err = {0};
  bool ok = parse(&s.o, argc, argv, &err);
  if (ok && s.o.help)
    return fputs(parse == wf_cuda_options_parse ? wf_cuda_usage : wf_run_usage, stdout), WF_OK;
  if (ok && origin) wf_run_options_made(&s.o, origin->path, origin->words, origin->n);
  if (origin) s.library = origin->library;
  if (s.o.progress) wf_progress_always();
  if (ok && write_to) ok = check_folder(&s.o, write_to, &err);
  ok = ok && prepare(&s, write_to, &err);
  if (s.o.models_only) return clean_up(&s), ok ? WF_OK : wf_cli_report(&err);
  ok = ok && execute(&s, &err) && close_writer(&s, &err) && close_timeline(&s, &err) &&
       report(&s, &err) && close_record(&s, &err);
  wf_error wave = {0};
  if (!close_wave(&s, ok ? &err : &wave)) ok = false;
  bool wrong = ok && ((s.app && !s.run.verified) || program_failed(&s));
  wf_error store = {0};
  const bool stored = add_to_store(&s, &err, wrong, &store);
  clean_up(&s);
  const int code = ok ? WF_OK : wf_cli_report(&err);
  if (!stored) return wf_cli_report(&store);
  if (!ok) return code;
  return wrong ? WF_EXIT_WRONG : WF_OK;
}

int wf_cli_run(int argc, char **argv) {
  return run(wf_run_options_parse, argc, argv, NULL, NULL);
}

int wf_cli_cuda(int argc, char **argv) {
  return run(wf_cuda_options_parse, argc, argv, NULL, NULL);
}

int wf_cli_made(int argc, char **argv, const wf_cli_origin *origin) {
  return run(wf_cuda_options_parse, argc, argv, NULL, origin);
}

static bool units_are_known(const run_options *o, wf_error *err) {
  for (unsigned u = 0; u < o->n_units; u++)
    if (!wf_unit_find(o->unit_names[u], err)) return false;
  return true;
}

bool wf_cli_run_check(int argc, char **argv, wf_error *err) {
  session s = {0};
  wf_gpu_config config;
  wf_options rest = {0};
  const bool ok = wf_run_options_parse(&s.o, argc, argv, err) &&
                  (!s.o.app || (s.app = wf_app_find(s.o.app, err))) && units_are_known(&s.o, err) &&
                  configure(&s, &config, err) &&
                  wf_energy_read(&s.energy, config.energy_class, &s.o.set, err) &&
                  copy_settings(&s, &rest, err);
  wf_options_free(&rest);
  clean_up(&s);
  return ok;
}

int wf_cli_trace(int argc, char **argv) {
  if (argc >= 2 && !strcmp(argv[1], "info")) return wf_trace_info_main(argc - 1, argv + 1);
  if (argc >= 3 && !strcmp(argv[1], "write") && argv[2][0] != '-')
    return run(wf_run_options_parse, argc - 2, argv + 2, argv[2], NULL);
  const bool help = argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
  fputs(wf_trace_usage(), help ? stdout : stderr);
  return help ? WF_OK : WF_EXIT_BAD_INPUT;
}
