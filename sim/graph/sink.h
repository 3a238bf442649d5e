/* Output of files: plain, gzip, xz or Zstandard by the name's ending; where it goes:
 * sim/base/wf_target.h. */
#ifndef WF_GRAPH_SINK_H
#define WF_GRAPH_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct wf_sink wf_sink;

wf_sink *wf_sink_open(const char *path, wf_error *err);
/* Failures are kept until wf_sink_finish. */
void wf_sink_write(wf_sink *s, const void *data, size_t bytes);
void wf_sink_text(wf_sink *s, const char *text);
void wf_sink_number(wf_sink *s, uint64_t value, char behind);
/* Completes and renames, or removes what was written; frees s either way. */
bool wf_sink_finish(wf_sink *s, wf_error *err);
/* Removes what was written; frees s. */
void wf_sink_abandon(wf_sink *s);

#endif
