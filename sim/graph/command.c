/* `warpfab graph info|convert|generate`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_options.h"
#include "sim/base/wf_target.h"
#include "sim/graph/generate.h"
#include "sim/graph/graph.h"
#include "sim/graph/sink.h"

typedef struct command_line {
  const char *operand[2];
  int operands;
  const char *json;
  bool make_symmetric, add_weights;
  wf_graph_options options;
} command_line;

static void usage(FILE *to) {
  fprintf(
      to,
      "usage: warpfab graph info FILE|GENERATOR [--json FILE]   sizes, degrees, components\n"
      "       warpfab graph convert IN OUT                      by OUT's ending\n"
      "       warpfab graph generate GENERATOR OUT\n"
      "files: .mtx (MatrixMarket), .el or .txt (edge list, SNAP), .gr (DIMACS), .wfg (binary),\n"
      "       each also .gz or .zst; read by content, written by ending\n"
      "options: --seed N          of generators without seed= and of --weights (0)\n"
      "         --simplify        drop self loops, merge parallel arcs\n"
      "         --symmetric       add the reverse of every arc; simplifies too\n"
      "         --ignore-weights  take the structure only, whatever the values are\n"
      "         --weights         add weights 1 .. 64 where there are none\n"
      "         --json FILE       info as JSON; - is standard output\n"
      "generators:\n%s",
      wf_graph_generators());
}

static bool take_option(command_line *c, int argc, char **argv, int *i, wf_error *err) {
  const char *option = argv[*i];
  bool has_value = !strcmp(option, "--json") || !strcmp(option, "--seed");
  if (has_value && ++*i == argc) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s needs a value", option);
  if (!strcmp(option, "--json"))
    c->json = argv[*i];
  else if (!strcmp(option, "--simplify"))
    c->options.simplify = true;
  else if (!strcmp(option, "--symmetric"))
    c->make_symmetric = true;
  else if (!strcmp(option, "--ignore-weights"))
    c->options.ignore_weights = true;
  else if (!strcmp(option, "--weights"))
    c->add_weights = true;
  else if (!strcmp(option, "--seed")) {
    if (!wf_parse_u64(argv[*i], &c->options.seed))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--seed %s: expected a whole number 0..%" PRIu64,
                     argv[*i], UINT64_MAX);
  } else {
    return wf_fail(err, WF_EXIT_BAD_INPUT, "unknown option %s; `warpfab graph --help` lists them",
                   option);
  }
  return true;
}

/* The output: never in the input's place. */
static bool check_output(const command_line *c, wf_error *err) {
  const char *out = c->operands == 2 ? c->operand[1] : c->json;
  if (c->operands == 2 && c->json)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--json %s: goes with graph info", c->json);
  return !out || wf_target_outside(out, c->operand[0], err);
}

static bool take_arguments(command_line *c, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"--json", "--seed", NULL};
  if (!wf_options_once(argc, argv, once, err)) return false;
  for (int i = 2; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1] == '-') {
      if (!take_option(c, argc, argv, &i, err)) return false;
    } else if (c->operands == 2) {
      return wf_fail(err, WF_EXIT_BAD_INPUT, "one argument too many: %s", argv[i]);
    } else {
      c->operand[c->operands++] = argv[i];
    }
  }
  int expected = !strcmp(argv[1], "info") ? 1 : 2;
  if (c->operands == expected) return check_output(c, err);
  return wf_fail(err, WF_EXIT_BAD_INPUT, "graph %s needs %s", argv[1],
                 expected == 1                 ? "a file or generator"
                 : !strcmp(argv[1], "convert") ? "two files, IN and OUT"
                                               : "a generator and a file");
}

static wf_graph *open_graph(const command_line *c, wf_error *err) {
  wf_graph *g = wf_graph_open_with(c->operand[0], &c->options, err);
  if (g && c->make_symmetric && !wf_graph_make_symmetric(g, err)) {
    wf_graph_destroy(g);
    return NULL;
  }
  if (g && c->add_weights && !wf_graph_need_weights(g, c->options.seed, err)) {
    wf_graph_destroy(g);
    return NULL;
  }
  return g;
}

static bool write_text(const char *path, const char *text, wf_error *err) {
  wf_sink *k = wf_sink_open(path, err);
  if (!k) return false;
  wf_sink_text(k, text);
  wf_sink_text(k, "\n");
  return wf_sink_finish(k, err);
}

static bool print_info(const command_line *c, wf_graph *g, wf_error *err) {
  wf_graph_info info;
  wf_graph_get_info(g, &info);
  bool ok = true;
  if (c->json) {
    char *json = wf_graph_info_json(g, &info);
    ok = write_text(c->json, json, err);
    free(json);
  }
  if (!c->json || strcmp(c->json, "-")) {
    char *text = wf_graph_info_text(g, &info);
    fputs(text, stdout);
    free(text);
  }
  return ok;
}

static int fail(const wf_error *err) {
  fprintf(stderr, "warpfab graph: %s\n", err->text);
  return WF_EXIT_BAD_INPUT;
}

int wf_graph_command(int argc, char **argv) {
  wf_error err = {0};
  command_line c = {0};
  if (argc >= 2 &&
      (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
    usage(stdout);
    return WF_OK;
  }
  bool info = argc >= 2 && !strcmp(argv[1], "info"),
       generate = argc >= 2 && !strcmp(argv[1], "generate");
  if (!info && !generate && !(argc >= 2 && !strcmp(argv[1], "convert"))) {
    if (argc >= 2) fprintf(stderr, "warpfab graph: unknown command \"%s\"\n", argv[1]);
    usage(stderr);
    return WF_EXIT_BAD_INPUT;
  }
  if (!take_arguments(&c, argc, argv, &err)) return fail(&err);
  if (generate && !wf_graph_is_generator(c.operand[0])) {
    wf_fail(&err, WF_EXIT_BAD_INPUT, "%s is no generator; expected one of\n%s", c.operand[0],
            wf_graph_generators());
    return fail(&err);
  }
  wf_graph *g = open_graph(&c, &err);
  if (!g) return fail(&err);
  bool ok = info ? print_info(&c, g, &err) : wf_graph_write(g, c.operand[1], &err);
  wf_graph_destroy(g);
  return ok ? WF_OK : fail(&err);
}
