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
    "out and what to do, shares of the machine's peaks, roofline, the memory's way, what the\n"
    "schedulers waited for, values over time, kernels, loads, energy; several results side by\n"
    "side. A JSON of `make paper-UNIT` (build/paper/UNIT.json): the paper's figures beside ours.\n"
    "One file; it needs no network, and scripts only for a closer look at values over time.\n"
    "  -o FILE              the page\n"
    "  --where KEY=VALUE    of stores only runs with this value; several: with all of them\n"
    "  --reference FILE     a store or JSON that the results are compared with, each with that of\n"
    "                       the same program, graph, machine, units, settings and seed, as far as\n"
    "                       the reference names them; also an array of objects: of\n"
    "                       hardware, [{\"app\": ..., \"graph\": ..., \"cycles\": ...}, ...]\n"
    "Over time: `run --set series.points=200`. Loads: `run --set probe.loads=1`, or a unit that "
    "has\n"
    "a table of them.\n";

enum { MOST_WHERE = 16 };

typedef struct source {
  char *label;
  cJSON *result, *configuration; /* configuration: NULL where it is not known */
} source;

/* Results as they were read, and what is made of them. */
typedef struct sources {
  source *at;
  size_t n;
  wf_facts *facts;
} sources;

typedef struct request {
  const char *store; /* that is read */
  const char *output, *reference, *where[MOST_WHERE];
  unsigned n_where;
  const char **inputs;
  size_t n_inputs;
  sources results, references, *into; /* into: which of them is read */
  source *papers;                     /* figures of these, without configurations */
  size_t n_papers;
} request;

static bool parse(request *r, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"-o", "--reference", NULL};
  if (!wf_options_once(argc, argv, once, err)) return false;
  for (int i = 1; i < argc; i++) {
    const bool where = !strcmp(argv[i], "--where"), reference = !strcmp(argv[i], "--reference");
    if (where || reference || !strcmp(argv[i], "-o")) {
      if (i + 1 == argc) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: expects a value", argv[i]);
      if (where && r->n_where == MOST_WHERE)
        return wf_fail(err, WF_EXIT_BAD_INPUT, "--where: at most %d", MOST_WHERE);
      if (where)
        r->where[r->n_where++] = argv[++i];
      else if (reference)
        r->reference = argv[++i];
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
  if (r->reference && wf_target_same(r->output, r->reference))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "-o %s: the reference", r->output);
  return true;
}

static bool add(request *r, char *label, cJSON *result, cJSON *configuration, wf_error *err) {
  sources *s = r->into;
  if (s->n == WF_PAGE_RESULTS) {
    free(label);
    cJSON_Delete(result);
    cJSON_Delete(configuration);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "report: more than %d results: choose with --where",
                   WF_PAGE_RESULTS);
  }
  s->at = wf_realloc(s->at, s->n + 1, sizeof *s->at);
  s->at[s->n++] = (source){label, result, configuration};
  return true;
}

static bool add_record(void *user, const cJSON *record, wf_error *err) {
  const cJSON *result = cJSON_GetObjectItemCaseSensitive(record, "result"),
              *configuration = cJSON_GetObjectItemCaseSensitive(record, "configuration"),
              *id = cJSON_GetObjectItemCaseSensitive(record, "id");
  if (!cJSON_IsObject(result)) return true; /* a run that failed */
  request *r = user;
  const double run = cJSON_IsNumber(id) ? id->valuedouble : 0;
  char *label = r->n_inputs > 1 || r->reference ? wf_text("%s run %.0f", r->store, run)
                                                : wf_text("run %.0f", run);
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
  const size_t before = r->into->n;
  const unsigned n_where = r->into == &r->results ? r->n_where : 0;
  r->store = path;
  wf_store *store = wf_store_open(path, WF_STORE_READ, err);
  const bool ok = store && wf_store_each(store, r->where, n_where, add_record, r, err);
  wf_store_close(store);
  if (ok && r->into->n == before)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the store has no run with a result%s", path,
                   n_where ? " and these values" : "");
  return ok;
}

/* An array of objects with `figure`, `paper` and `ours`. */
static bool is_figures(const cJSON *json) {
  const cJSON *row;
  cJSON_ArrayForEach(row, json) if (!cJSON_GetObjectItemCaseSensitive(row, "figure") ||
                                    !cJSON_GetObjectItemCaseSensitive(row, "paper") ||
                                    !cJSON_GetObjectItemCaseSensitive(row, "ours")) return false;
  return cJSON_IsArray(json) && json->child;
}

/* Named as the file is. */
static bool add_figures(request *r, const char *path, cJSON *rows) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t n = strlen(name), end = n > 5 && !strcmp(name + n - 5, ".json") ? n - 5 : n;
  r->papers = wf_realloc(r->papers, r->n_papers + 1, sizeof *r->papers);
  r->papers[r->n_papers++] = (source){wf_text("%.*s", (int)end, name), rows, NULL};
  return true;
}

/* Several in one file. */
static bool add_array(request *r, const char *path, cJSON *array, wf_error *err) {
  bool ok = true;
  for (unsigned i = 1; ok && array->child; i++)
    ok = add(r, wf_text("%s, %u", path, i), cJSON_DetachItemFromArray(array, 0), NULL, err);
  cJSON_Delete(array);
  return ok;
}

static bool read_input(request *r, const char *path, wf_error *err) {
  if (is_store(path)) return read_store(r, path, err);
  cJSON *json = wf_json_read_any(path, err);
  if (!json) return false;
  if (r->into == &r->references && cJSON_IsArray(json) && json->child)
    return add_array(r, path, json, err);
  if (r->into == &r->results && is_figures(json)) return add_figures(r, path, json);
  return add(r, wf_strdup(path), json, NULL, err);
}

static bool understand(request *r, sources *s, wf_error *err) {
  s->facts = wf_calloc(s->n + 1, sizeof *s->facts);
  for (size_t i = 0; i < s->n; i++) {
    const source *from = &s->at[i];
    if (s == &r->references
            ? !wf_facts_read_reference(&s->facts[i], from->label, from->result, err)
            : !wf_facts_read(&s->facts[i], from->label, from->result, from->configuration, err))
      return false;
  }
  return true;
}

static bool read_all(request *r, wf_error *err) {
  r->into = &r->results;
  for (size_t i = 0; i < r->n_inputs; i++)
    if (!read_input(r, r->inputs[i], err)) return false;
  r->into = &r->references;
  return (!r->reference || read_input(r, r->reference, err)) && understand(r, &r->results, err) &&
         understand(r, &r->references, err);
}

static void print_page(FILE *out, const request *r) {
  wf_figures *figures = wf_calloc(r->n_papers + 1, sizeof *figures);
  for (size_t i = 0; i < r->n_papers; i++)
    figures[i] = (wf_figures){r->papers[i].label, r->papers[i].result};
  wf_page_print(out, &(wf_page_content){.facts = r->results.facts,
                                        .n = r->results.n,
                                        .reference = r->references.facts,
                                        .n_reference = r->references.n,
                                        .figures = figures,
                                        .n_figures = r->n_papers});
  free(figures);
}

static bool make(request *r, wf_error *err) {
  wf_out_file file = {0};
  if (!read_all(r, err) || !wf_out_open(&file, r->output, err)) return false;
  print_page(file.file, r);
  if (!wf_out_commit(&file, err)) return false;
  const size_t n = r->results.n ? r->results.n : r->n_papers;
  if (strcmp(r->output, "-"))
    printf("%s: %zu %s%s, for a browser\n", r->output, n, r->results.n ? "result" : "paper",
           n > 1 ? "s" : "");
  return true;
}

static void free_sources(source *at, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(at[i].label);
    cJSON_Delete(at[i].result);
    cJSON_Delete(at[i].configuration);
  }
  free(at);
}

static void free_request(request *r) {
  free_sources(r->results.at, r->results.n);
  free_sources(r->references.at, r->references.n);
  free_sources(r->papers, r->n_papers);
  free(r->results.facts);
  free(r->references.facts);
  free(r->inputs);
}

int wf_cli_page(int argc, char **argv) {
  wf_error err = {0};
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
    return fputs(usage, stdout), WF_OK;
  request r = {.inputs = wf_calloc((size_t)argc, sizeof *r.inputs)};
  const bool ok = parse(&r, argc, argv, &err) && make(&r, &err);
  free_request(&r);
  return ok ? WF_OK : wf_cli_report(&err);
}
