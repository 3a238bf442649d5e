/* `run --store`: the run's place in a store of results. */
#ifndef WF_CLI_RUN_STORE_H
#define WF_CLI_RUN_STORE_H

#include "sim/cli/run_options.h"
#include "sim/store/identity.h"
#include "sim/store/store.h"

typedef struct wf_run_store {
  wf_store *store; /* NULL: none was asked for, or it could not be opened */
  wf_identity *identity;
  wf_store_run run; /* what is known before the run; the caller adds to it */
  char *arguments, *units;
} wf_run_store;

/* Nothing without --store. Files that the arguments name are read for the run's key. */
bool wf_run_store_open(wf_run_store *s, const run_options *o, wf_error *err);
/* ended: what the run ended with (code 0: well); its message is kept. */
bool wf_run_store_add(wf_run_store *s, const wf_error *ended, bool wrong, wf_error *err);
void wf_run_store_close(wf_run_store *s);

#endif
