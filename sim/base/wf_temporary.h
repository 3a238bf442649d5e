/* Names of unfinished output. Should a signal end the process, or host memory run out, what stands
 * under them is removed. The handlers for that are installed by the first name, where a signal has
 * its default action. */
#ifndef WF_TEMPORARY_H
#define WF_TEMPORARY_H

#include <stdbool.h>

/* What is there under this name, from now or later; with `folder`, a folder and the files in it.
 * The name must stay until it is forgotten. Returns a handle; -1: too many at a time. */
int wf_temporary_note(const char *name, bool folder);
/* The folder is there now. False with errno if it cannot be opened, for its removal. */
bool wf_temporary_made(int handle);
void wf_temporary_forget(int handle);
/* Removes what stands under this name. */
void wf_temporary_remove(int handle);
/* Removes what stands under all names. Safe in a signal handler. */
void wf_temporary_remove_all(void);

#endif
