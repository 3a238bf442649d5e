/* Allocation that cannot fail quietly: running out of host memory ends the process with a message
 * and exit code 2, the one place in the libraries that does not return an error. */
#ifndef WF_ALLOC_H
#define WF_ALLOC_H

#include <stddef.h>

void *wf_calloc(size_t count, size_t bytes);
void *wf_realloc(void *old, size_t count, size_t bytes); /* count * bytes, overflow checked */
char *wf_strdup(const char *text);
/* Ends the process so, once the message is told. */
void wf_alloc_failed(void);
/* Called before the process ends so; NULL: nothing is. */
extern void (*wf_out_of_memory)(void);

#endif
