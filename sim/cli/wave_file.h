/* The file of --wave: made beside its target before the work, named after it. */
#ifndef WF_CLI_WAVE_FILE_H
#define WF_CLI_WAVE_FILE_H

#include "sim/base/wf_target.h"

typedef struct wf_wave_file {
  wf_target target; /* the writer opens its temporary name */
  char *hierarchy;  /* what the FST writer keeps beside it until it ends */
  int noted;
} wf_wave_file;

/* False and *err if the file cannot be made or its disk has no room. */
bool wf_wave_file_open(wf_wave_file *w, const char *path, wf_error *err);
/* After the writer has closed it. */
bool wf_wave_file_commit(wf_wave_file *w, wf_error *err);
void wf_wave_file_abandon(wf_wave_file *w);

#endif
