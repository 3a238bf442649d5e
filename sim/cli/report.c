/* warpfab report STORE|JSON... -o FILE.html */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "sim/cli/cli.h"
#include "sim/report/page.h"
#include "sim/store/store.h"

static const char usage[] =
    "usage: warpfab report STORE|JSON... -o FILE.html\n"
    "A page for a browser about results of `run --json FILE` and `run --store STORE`: what stands\n"
    "out and what to do, shares of the machine's peaks, the memory's way, what the schedulers\n"
    "waited for, kernels, loads, energy; several results side by side. One file, without scripts.\n"
    "  -o FILE              the page\n"
    "  --where KEY=VALUE    of stores only runs with this value; several: with all of them\n"
    "Loads are there with `run --set probe.loads=1`, or with a unit that has a table of them.\n";

enum { MOST_WHERE = 16 };

typedef struct source {
  char *label;
  cJSON *result, *configuration; /* configuration: NULL where it is not known */
} source;

typedef struct request {
  const char *store; /* that is read */
  const char *output, *where[MOST_WHERE];
  unsigned n_where;
  const char **inputs;
  size_t n_inputs;
  source *source;
  size_t n;
} request;

static bool parse(request *r, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"-o", NULL};
  if (!wf_options_once(argc, argv, once, err)) return false;
  for (int i = 1; i < argc; i++) {
    const bool where = !strcmp(argv[i], "--where");
    if (where || !strcmp(argv[i], "-o")) {
      if (i + 1 == argc) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: expects a value", argv[i]);
      if (where && r->n_where == MOST_WHERE)
        return wf_fail(err, WF_EXIT_BAD_INPUT, "--where: at most %d", MOST_WHERE);
      if (where)
        r->where[r->n_where++] = argv[++i];
      else
        r->output = argv[++i];
    } else if (argv[i][0] == '-') {
      return wf_fail(err, WF_EXIT_BAD_INPUT, "report: '%s': `warpfab report --help`", argv[i]);
    } else {
      r->inputs[r->n_inputs++] = argv[i];
    }
  }
  if (!r->n_inputs)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "report: expected a store or results as JSON");
  if (!r->output) return wf_fail(err, WF_EXIT_BAD_INPUT, "report: expected -o FILE.html");
  for (size_t i = 0; i < r->n_inputs; i++)
    if (wf_target_same(r->output, r->inputs[i]))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "-o %s: an input", r->output);
  return true;
}

static bool add(request *r, char *label, cJSON *result, cJSON *configuration, wf_error *err) {
  if (r->n == WF_PAGE_RESULTS) {
    free(label);
    cJSON_Delete(result);
    cJSON_Delete(configuration);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "report: more than %d results: choose with --where",
                   WF_PAGE_RESULTS);
  }
  r->source = wf_realloc(r->source, r->n + 1, sizeof *r->source);
  r->source[r->n++] = (source){label, result, configuration};
  return true;
}

static bool add_record(void *user, const cJSON *record, wf_error *err) {
  const cJSON *result = cJSON_GetObjectItemCaseSensitive(record, "result"),
              *configuration = cJSON_GetObjectItemCaseSensitive(record, "configuration"),
              *id = cJSON_GetObjectItemCaseSensitive(record, "id");
  if (!cJSON_IsObject(result)) return true; /* a run that failed */
  request *r = user;
  const double run = cJSON_IsNumber(id) ? id->valuedouble : 0;
  char *label = r->n_inputs > 1 ? wf_text("%s run %.0f", r->store, run) : wf_text("run %.0f", run);
  return add(r, label, cJSON_Duplicate(result, true),
             cJSON_IsObject(configuration) ? cJSON_Duplicate(configuration, true) : NULL, err);
}

static bool is_store(const char *path) {
  static const char magic[] = "SQLite format 3";
  char begin[sizeof magic] = "";
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  const bool store =
      fread(begin, 1, sizeof begin, f) == sizeof begin && !memcmp(begin, magic, sizeof magic);
  fclose(f);
  return store;
}

static bool read_store(request *r, const char *path, wf_error *err) {
  const size_t before = r->n;
  r->store = path;
  wf_store *store = wf_store_open(path, WF_STORE_READ, err);
  const bool ok = store && wf_store_each(store, r->where, r->n_where, add_record, r, err);
  wf_store_close(store);
  if (ok && r->n == before)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the store has no run with a result%s", path,
                   r->n_where ? " and these values" : "");
  return ok;
}

static bool read_input(request *r, const char *path, wf_error *err) {
  if (is_store(path)) return read_store(r, path, err);
  cJSON *result = wf_json_read(path, err);
  return result && add(r, wf_strdup(path), result, NULL, err);
}

static bool make(request *r, wf_error *err) {
  wf_out_file file = {0};
  wf_facts *facts = NULL;
  bool ok = true;
  for (size_t i = 0; i < r->n_inputs && ok; i++) ok = read_input(r, r->inputs[i], err);
  if (ok) facts = wf_calloc(r->n, sizeof *facts);
  for (size_t i = 0; i < r->n && ok; i++)
    ok = wf_facts_read(&facts[i], r->source[i].label, r->source[i].result,
                       r->source[i].configuration, err);
  if (ok && wf_out_open(&file, r->output, err)) {
    wf_page_print(file.file, facts, r->n);
    ok = wf_out_commit(&file, err);
  } else {
    ok = false;
  }
  free(facts);
  for (size_t i = 0; i < r->n; i++) {
    free(r->source[i].label);
    cJSON_Delete(r->source[i].result);
    cJSON_Delete(r->source[i].configuration);
  }
  free(r->source);
  const size_t n = r->n;
  if (ok && strcmp(r->output, "-"))
    printf("%s: %zu result%s, for a browser\n", r->output, n, n > 1 ? "s" : "");
  return ok;
}

int wf_cli_page(int argc, char **argv) {
  wf_error err = {0};
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
    return fputs(usage, stdout), WF_OK;
  request r = {.inputs = wf_calloc((size_t)argc, sizeof *r.inputs)};
  const bool ok = parse(&r, argc, argv, &err) && make(&r, &err);
  free(r.inputs);
  return ok ? WF_OK : wf_cli_report(&err);
}
