/* warpfab-replay: plays a recording or a script of transactions on a unit alone. `make replay`
 * calls it.
 *
 *   warpfab-replay FILE [--unit U] [--config C] [--save CYCLES] [--bench FOLDER] [--netlist]
 *   warpfab-replay FILE --verdict LOG
 *
 * The first form plays FILE on the Verilated model. --unit and --config refuse a file made for
 * another. --save writes what happened, cycle by cycle (for scripts: what the Verilog player
 * needs).
 * --bench leaves bench.v and stimulus.txt for player.v in FOLDER instead of playing; --netlist:
 * without parameters, for a netlist. The second form reads what player.v printed and tells the
 * first difference as the first form would. --about prints the header. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"
#include "sim/replay/wf_replay.h"

typedef struct session {
  const char *file, *unit, *config, *save, *bench, *verdict;
  bool netlist, about;
  wf_reader *reader;
  wf_sink *to; /* of --save, until the recorder has it */
  wf_model_lib *lib;
  wf_model *model;
  wf_roles roles;
  wf_layout layout;
  wf_play_stats stats;
} session;

enum { OPT_UNIT = 256, OPT_CONFIG, OPT_SAVE, OPT_BENCH, OPT_VERDICT, OPT_NETLIST, OPT_ABOUT };

static const char usage[] =
    "usage: warpfab-replay FILE [options]\n"
    "  --unit U --config C     the recording must be of these\n"
    "  --save CYCLES           writes the cycles that are compared to this file\n"
    "  --bench FOLDER          writes a bench for another simulator there; --netlist: for a "
    "netlist\n"
    "  --verdict LOG           what that bench printed: the first difference\n"
    "  --about                 prints the recording's header";

static bool parse(session *s, int argc, char **argv, wf_error *err) {
  static const struct option options[] = {
      {"unit", 1, NULL, OPT_UNIT},       {"config", 1, NULL, OPT_CONFIG},
      {"save", 1, NULL, OPT_SAVE},       {"bench", 1, NULL, OPT_BENCH},
      {"verdict", 1, NULL, OPT_VERDICT}, {"netlist", 0, NULL, OPT_NETLIST},
      {"about", 0, NULL, OPT_ABOUT},     {NULL, 0, NULL, 0}};
  unsigned given = 0;
  for (int c, at = 0; (c = getopt_long(argc, argv, "", options, &at)) != -1;) {
    const unsigned bit = c >= OPT_UNIT ? 1u << (c - OPT_UNIT) : 0;
    if (optarg && given & bit)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--%s: given twice", options[at].name);
    given |= bit;
    switch (c) {
    case OPT_UNIT:
      s->unit = optarg;
      break;
    case OPT_CONFIG:
      s->config = optarg;
      break;
    case OPT_SAVE:
      s->save = optarg;
      break;
    case OPT_BENCH:
      s->bench = optarg;
      break;
    case OPT_VERDICT:
      s->verdict = optarg;
      break;
    case OPT_NETLIST:
      s->netlist = true;
      break;
    case OPT_ABOUT:
      s->about = true;
      break;
    default:
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", usage);
    }
  }
  if (optind + 1 != argc) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", usage);
  if (s->netlist && !s->bench)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--netlist goes with --bench FOLDER");
  s->file = argv[optind];
  return true;
}

static bool check_request(const session *s, wf_error *err) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  if (s->unit && *s->unit && strcmp(s->unit, h->unit) != 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: made for unit %s, not for %s", s->file, h->unit,
                   s->unit);
  if (s->config && *s->config && strcmp(s->config, h->config) != 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: made for configuration %s of %s, not for %s",
                   s->file, h->config, h->unit, s->config);
  return true;
}

static bool open_model(session *s, wf_error *err) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  const wf_model_request request = {
      .unit = h->unit, .config = h->config, .parameters = h->overrides};
  char *path = wf_model_build(&request, err);
  if (!path) return false;
  s->lib = wf_model_load(path, err);
  free(path);
  if (!s->lib || !wf_replay_check_model(s->reader, s->lib, err)) return false;
  s->model = wf_model_create(s->lib, NULL, h->seed, err);
  if (!s->model) return false;
  wf_place place;
  return wf_place_find(wf_home(), h->unit, &place, err) &&
         wf_roles_read(&s->roles, place.ini, err) &&
         wf_layout_make(&s->layout, &s->roles, wf_model_port_at(s->model, 0),
                        wf_model_port_count(s->model), err);
}

static bool play_script(session *s, wf_error *err) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  if (wf_model_reset(s->model, h->reset_cycles) != WF_MODEL_OK)
    return wf_fail(err, WF_EXIT_WRONG, "%s", wf_model_last_error(s->model));
  wf_recorder *recorder = s->to ? wf_recorder_open(s->to, &s->layout, s->model, h, 0) : NULL;
  s->to = NULL;
  bool ok = wf_script_run(s->reader, &s->layout, s->model, recorder, &s->stats, err);
  wf_error later = {0};
  if (recorder && !wf_recorder_close(recorder, &later) && ok) *err = later, ok = false;
  return ok;
}

static void tell(const session *s, const char *engine) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  printf("replay: %s %s%s%s: %" PRIu64 " edges, %" PRIu64 " transfers: %s agrees\n", h->unit,
         h->config, *h->overrides ? " " : "", h->overrides, s->stats.edges, s->stats.transfers,
         engine);
}

static bool create(wf_out_file *out, const char *folder, const char *name, wf_error *err) {
  char *path = wf_text("%s/%s", folder, name);
  const bool ok = wf_out_open(out, path, err);
  free(path);
  return ok;
}

static const char *text_of(const char *text, const char *key, char *to, size_t bytes) {
  const char *at = strstr(text, key);
  snprintf(to, bytes, "%s", at ? at + strlen(key) : "");
  to[strcspn(to, "\r\n ")] = '\0';
  return to;
}

/* [unit] top, which may be named otherwise than the folder. */
static bool read_top(const session *s, char *top, size_t bytes, wf_error *err) {
  wf_place place;
  size_t n;
  if (!wf_place_find(wf_home(), wf_reader_header(s->reader)->unit, &place, err)) return false;
  char *text = wf_file_read(place.ini, 1 << 20, &n, err);
  if (!text) return false;
  text_of(text, "\ntop = ", top, bytes);
  free(text);
  return *top || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no line `top = MODULE'", place.ini);
}

/* Every parameter the library was elaborated with goes along: the same words that build-model got.
 */
static bool write_bench(session *s, wf_error *err) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  const char *parameters = getenv("REPLAY_PARAMETERS"), *reset = s->roles.reset;
  char top[128];
  if (h->script)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: a script: --save its cycles first", s->file);
  if (!read_top(s, top, sizeof top, err)) return false;
  wf_out_file stimulus, bench = {0};
  if (!create(&stimulus, s->bench, "stimulus.txt", err)) return false;
  bool ok = create(&bench, s->bench, "bench.v", err);
  size_t n = strlen(reset);
  bool low = (n > 3 && !strcmp(reset + n - 3, "_ni")) || (n > 2 && !strcmp(reset + n - 2, "_n"));
  if (ok) ok = wf_export_stimulus(s->reader, &s->layout, stimulus.file, &s->stats, err);
  if (ok)
    wf_export_bench(&s->layout, &s->roles, top, low, h->reset_cycles,
                    s->netlist || !parameters ? "" : parameters, bench.file);
  ok = ok && wf_out_commit(&stimulus, err) && wf_out_commit(&bench, err);
  wf_out_abandon(&stimulus);
  wf_out_abandon(&bench);
  return ok;
}

/* ---- what the Verilog player printed ---- */

/* Binary digits, most significant first, into words. */
static bool read_bits(const char *text, uint32_t words, uint32_t *got, uint32_t *unknown) {
  if (strspn(text, "01xzXZ") != 32u * words) return false;
  for (uint32_t bit = 0; bit < 32 * words; bit++) {
    char c = text[32 * words - 1 - bit];
    if (c == '1') got[bit / 32] |= 1u << bit % 32;
    if (c != '0' && c != '1') unknown[bit / 32] |= 1u << bit % 32;
  }
  return true;
}

static bool tell_difference(session *s, uint64_t edge, const char *outputs, const char *engine,
                            wf_error *err) {
  const wf_frame *f;
  uint32_t words = s->layout.out_words;
  uint32_t *got = wf_calloc(words + 1, 4), *unknown = wf_calloc(words + 1, 4);
  char text[900];
  int more = 1;
  bool found = false;
  while ((more = wf_reader_next(s->reader, &f, err)) == 1 && f->edge < edge) {
  }
  if (more == 1 && outputs && read_bits(outputs, words, got, unknown))
    found = wf_play_difference(&s->layout, f, got, unknown, text, sizeof text);
  if (found)
    wf_fail(err, WF_EXIT_WRONG, "%s:%" PRIu64 ": %s: %s", s->file, f->line, engine, text);
  else if (more >= 0)
    wf_fail(err, WF_EXIT_WRONG, "%s: %s stopped at edge %" PRIu64, s->file, engine, edge);
  free(got);
  free(unknown);
  return false;
}

static bool verdict(session *s, wf_error *err) {
  size_t n;
  const char *engine = getenv("REPLAY_ENGINE") ? getenv("REPLAY_ENGINE") : "icarus";
  char *log = wf_file_read(s->verdict, (size_t)1 << 30, &n, err);
  if (!log) return false;
  const char *same = strstr(log, "REPLAY same edges "),
             *at = strstr(log, "REPLAY difference edge ");
  bool ok = false;
  if (at) {
    const char *outputs = strstr(at, "REPLAY outputs ");
    tell_difference(s, strtoull(at + 23, NULL, 10), outputs ? outputs + 15 : NULL, engine, err);
  } else if (same && !strstr(log, "FATAL") && !strstr(log, "ERROR")) {
    const wf_frame *f;
    int more;
    while ((more = wf_reader_next(s->reader, &f, err)) == 1)
      wf_play_count(&s->stats, &s->layout, f);
    ok = more == 0 &&
         (s->stats.edges == strtoull(same + 18, NULL, 10) ||
          wf_fail(err, WF_EXIT_WRONG, "%s: %s played another number of edges", s->file, engine));
    if (ok) tell(s, engine);
  } else {
    wf_fail(err, WF_EXIT_WRONG, "%s: %s did not finish; it said: %.600s", s->file, engine, log);
  }
  free(log);
  return ok;
}

static bool about(session *s) {
  const wf_replay_header *h = wf_reader_header(s->reader);
  printf("unit %s\nconfig %s\noverrides %s\nbody %s\n", h->unit, h->config, h->overrides,
         h->script ? "transactions" : "cycles");
  for (size_t i = 0; i < h->parameter_count; i++)
    printf("parameter %s %" PRId64 "\n", h->parameter_names[i], h->parameter_values[i]);
  return true;
}

static bool run(session *s, wf_error *err) {
  if (!(s->reader = wf_reader_open(s->file, err)) || !wf_replay_check_file(s->file, err) ||
      !check_request(s, err))
    return false;
  if (s->about) return about(s);
  const bool script = wf_reader_header(s->reader)->script;
  if (s->save && !script)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--save: %s is no script: it holds its cycles already",
                   s->file);
  if ((s->save && !(s->to = wf_sink_open(s->save, err))) || !open_model(s, err)) return false;
  if (!script) wf_reader_bind(s->reader, &s->layout);
  if (s->bench) return write_bench(s, err);
  if (s->verdict) return verdict(s, err);
  bool ok = script ? play_script(s, err) : wf_play(s->reader, &s->layout, s->model, &s->stats, err);
  if (ok) tell(s, "verilator");
  return ok;
}

static bool wants_help(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return true;
  return false;
}

int main(int argc, char **argv) {
  wf_process_guard();
  wf_stdout_open();
  if (wants_help(argc, argv)) return wf_stdout_close("replay", puts(usage) < 0);
  session s = {0};
  wf_error err = {0};
  bool ok = parse(&s, argc, argv, &err) && run(&s, &err);
  if (s.to) wf_sink_abandon(s.to);
  wf_layout_free(&s.layout);
  wf_roles_free(&s.roles);
  wf_model_destroy(s.model);
  wf_model_unload(s.lib);
  wf_reader_close(s.reader);
  if (ok) return wf_stdout_close("replay", WF_OK);
  fprintf(stderr, "replay: %s\n", err.text);
  return err.code ? err.code : WF_EXIT_WRONG;
}
