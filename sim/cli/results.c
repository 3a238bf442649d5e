/* warpfab results list|show|export */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_options.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "sim/cli/cli.h"
#include "sim/report/summary.h"
#include "sim/store/table.h"

static const char usage[] =
    "usage: warpfab results list STORE               a line for each run of `run --store STORE`\n"
    "       warpfab results show ID STORE            one of them; --json: all that is known\n"
    "       warpfab results export csv|json STORE    for other programs\n"
    "  --where KEY=VALUE    only runs with this value; several: with all of them\n"
    "  --columns A,B,...    of list and csv: these keys instead of those that each has by itself\n"
    "  -o FILE              instead of standard output\n"
    "Keys: id key finished machine exit message arguments app graph graph_checksum vertices edges\n"
    "config units seed verified cycles host_seconds program rtl (the build); what `--set` takes,\n"
    "with the value that held, given or not (l1.bytes); a path in the result as `--json` has it\n"
    "(l1.hits, unit.NAME.x, energy_joules.total). The tables: sim/store/README.md.\n";

enum { MOST_WHERE = 16 };

typedef struct request {
  const char *word[3]; /* list STORE, show ID STORE, export FORM STORE */
  unsigned words;
  const char *where[MOST_WHERE];
  wf_store_choice choice;
  const char *output;
  bool json;
} request;

static bool take_option(request *r, const char *option, const char *value, wf_error *err) {
  if (!value) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: expects a value", option);
  if (!strcmp(option, "-o")) return r->output = value, true;
  if (!strcmp(option, "--columns")) return r->choice.columns = value, true;
  if (r->choice.n_where == MOST_WHERE)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--where: at most %d", MOST_WHERE);
  r->where[r->choice.n_where++] = value;
  return true;
}

static bool parse(request *r, int argc, char **argv, wf_error *err) {
  static const char *const once[] = {"-o", "--columns", NULL};
  if (!wf_options_once(argc, argv, once, err)) return false;
  for (int i = 1; i < argc; i++) {
    const bool takes =
        !strcmp(argv[i], "-o") || !strcmp(argv[i], "--columns") || !strcmp(argv[i], "--where");
    if (takes) {
      if (!take_option(r, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err)) return false;
      i++;
    } else if (!strcmp(argv[i], "--json")) {
      r->json = true;
    } else if (argv[i][0] == '-' || r->words == 3) {
      return wf_fail(err, WF_EXIT_BAD_INPUT, "results: '%s': `warpfab results --help`", argv[i]);
    } else {
      r->word[r->words++] = argv[i];
    }
  }
  r->choice.where = r->where;
  return true;
}

/* ---- show ---- */

static bool show_text(void *user, const cJSON *record, wf_error *err) {
  FILE *out = user;
  const cJSON *item;
  (void)err;
  cJSON_ArrayForEach(item, record) {
    if (cJSON_IsObject(item) || cJSON_IsNull(item)) continue;
    char *text = wf_store_text(item);
    fprintf(out, "%-16s %s\n", item->string, text);
    free(text);
  }
  const cJSON *result = cJSON_GetObjectItem(record, "result");
  if (cJSON_IsObject(result)) wf_summary_print(out, result);
  return true;
}

static bool show_json(void *user, const cJSON *record, wf_error *err) {
  char *text = cJSON_Print(record);
  (void)err;
  fprintf(user, "%s\n", text);
  cJSON_free(text);
  return true;
}

static bool one_more(void *user, const cJSON *record, wf_error *err) {
  (void)record;
  (void)err;
  ++*(unsigned *)user;
  return true;
}

static bool show(FILE *out, wf_store *store, const request *r, wf_error *err) {
  long id;
  unsigned found = 0;
  if (!wf_parse_long(r->word[1], &id) || id < 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "results show %s: expected a run's number: `warpfab results list`", r->word[1]);
  char *where = wf_text("id=%ld", id);
  const char *const only = where;
  bool ok = wf_store_each(store, &only, 1, one_more, &found, err);
  if (ok && !found)
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "results show %ld: %s has no such run", id, r->word[2]);
  ok = ok && wf_store_each(store, &only, 1, r->json ? show_json : show_text, out, err);
  free(where);
  return ok;
}

/* ---- all ---- */

static bool print(FILE *out, wf_store *store, const request *r, wf_error *err) {
  if (!strcmp(r->word[0], "list")) return wf_store_print_list(out, store, &r->choice, err);
  if (!strcmp(r->word[0], "show")) return show(out, store, r, err);
  return !strcmp(r->word[1], "csv") ? wf_store_print_csv(out, store, &r->choice, err)
                                    : wf_store_print_json(out, store, &r->choice, err);
}

static bool execute(const request *r, wf_error *err) {
  wf_out_file file = {0};
  const char *path = r->word[r->words - 1];
  if (r->output && wf_target_same(r->output, path))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "-o %s: the store itself", r->output);
  wf_store *store = wf_store_open(path, WF_STORE_READ, err);
  bool ok = store && (!r->output || wf_out_open(&file, r->output, err));
  if (ok) {
    ok = print(r->output ? file.file : stdout, store, r, err);
    if (!r->output) {
      fflush(stdout);
    } else if (ok) {
      ok = wf_out_commit(&file, err);
    } else {
      wf_out_abandon(&file);
    }
  }
  wf_store_close(store);
  return ok;
}

static bool complete(const request *r) {
  if (r->words == 2) return !strcmp(r->word[0], "list") && !r->json;
  if (r->words != 3) return false;
  if (!strcmp(r->word[0], "show")) return !r->choice.n_where && !r->choice.columns;
  return !strcmp(r->word[0], "export") && !r->json &&
         (!strcmp(r->word[1], "csv") || (!strcmp(r->word[1], "json") && !r->choice.columns));
}

int wf_cli_results(int argc, char **argv) {
  request r = {0};
  wf_error err = {0};
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
    return fputs(usage, stdout), WF_OK;
  if (!parse(&r, argc, argv, &err)) return wf_cli_report(&err);
  if (!complete(&r)) return fputs(usage, stderr), WF_EXIT_BAD_INPUT;
  return execute(&r, &err) ? WF_OK : wf_cli_report(&err);
}
