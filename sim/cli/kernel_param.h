/* --param KIND:VALUE, as the kernel declares the parameter. */
#ifndef WF_CLI_KERNEL_PARAM_H
#define WF_CLI_KERNEL_PARAM_H

#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/ptx.h"

typedef enum wf_kernel_param_kind {
  WF_KERNEL_VALUE,
  WF_KERNEL_BUFFER, /* zeroed memory of `memory_bytes` */
  WF_KERNEL_IOTA,   /* the same, of words 0, 1, 2 .. */
  WF_KERNEL_GRAPH,  /* `array` of the graph */
  WF_KERNEL_FILE    /* the `memory_bytes` at `data` */
} wf_kernel_param_kind;

typedef struct wf_kernel_param {
  wf_kernel_param_kind kind;
  uint8_t *value; /* as many bytes as the kernel declares; of memory its address, for the caller */
  uint64_t memory_bytes;
  const char *array;
  char *data;
} wf_kernel_param;

/* Parses the texts for all of a kernel's parameters; given[i] must be freed either way. False and
 * *err (code 2) if number, type or size is not what the kernel declares. */
bool wf_kernel_params_parse(const ptx_kernel *k, const char *const *texts, unsigned n,
                            wf_kernel_param *given, wf_error *err);
/* Of "file:PATH" the path, else NULL. */
const char *wf_kernel_param_path(const char *text);
void wf_kernel_params_free(wf_kernel_param *given, unsigned n);

#endif
