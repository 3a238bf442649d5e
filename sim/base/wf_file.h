/* Whole files in memory. */
#ifndef WF_FILE_H
#define WF_FILE_H

#include <stddef.h>

#include "sim/base/wf_error.h"

/* The file's bytes, ended by a zero that does not count; the caller frees. NULL and *err (code 2)
 * if it cannot be opened or read, or is larger than `limit` bytes. */
char *wf_file_read(const char *path, size_t limit, size_t *bytes, wf_error *err);

#endif
