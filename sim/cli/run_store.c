#include "sim/cli/run_store.h"

#include <stdlib.h>

#include "sim/base/wf_text.h"

static char *units_of(const run_options *o) {
  char *list = wf_text("%s", "");
  for (unsigned u = 0; u < o->n_units; u++) {
    char *more = wf_text("%s%s%s", list, u ? "," : "", o->unit_names[u]);
    free(list);
    list = more;
  }
  return list;
}

bool wf_run_store_open(wf_run_store *s, const run_options *o, wf_error *err) {
  if (!o->store) return true;
  if (!(s->store = wf_store_open(o->store, WF_STORE_APPEND, err)) ||
      !(s->identity = wf_identity_create(NULL, err)))
    return false;
  s->arguments = wf_identity_text(o->words, o->n_words);
  s->units = units_of(o);
  s->run = (wf_store_run){.arguments = s->arguments,
                          .key = wf_identity_key(s->identity, o->words, o->n_words),
                          .program = wf_identity_program(s->identity),
                          .rtl = wf_identity_rtl(s->identity, o->words, o->n_words),
                          .app = o->app     ? o->app
                                 : o->trace ? "trace"
                                            : o->kernel,
                          .config = o->config,
                          .units = s->units,
                          .seed = o->seed};
  return true;
}

bool wf_run_store_add(wf_run_store *s, const wf_error *ended, bool wrong, wf_error *err) {
  if (!s->store || !s->identity) return true;
  s->run.exit = ended->code ? ended->code : wrong ? WF_EXIT_WRONG : WF_OK;
  s->run.message = ended->code ? ended->text : NULL;
  return wf_store_append(s->store, &s->run, err);
}

void wf_run_store_close(wf_run_store *s) {
  wf_store_close(s->store);
  wf_identity_destroy(s->identity);
  free(s->arguments);
  free(s->units);
}
