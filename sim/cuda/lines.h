/* Which line of the program a line of its PTX is of. */
#ifndef WF_CUDA_LINES_H
#define WF_CUDA_LINES_H

#include "sim/base/wf_error.h"

/* Of a fault "PATH (its PTX):24: ..", by the .loc above that line: "PATH:4 (its PTX:24): ..". A
 * fault without one stays as it is. */
void wf_cuda_name_line(wf_error *fault, const char *path, const char *ptx);

#endif
