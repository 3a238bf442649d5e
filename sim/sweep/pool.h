/* Processes of this machine, some at a time. */
#ifndef WF_SWEEP_POOL_H
#define WF_SWEEP_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sweep_pool {
  unsigned jobs;
  size_t n; /* commands, 0 .. n-1 */
  /* The i-th one's words, a list that ends with NULL, for the pool to free. */
  char **(*words)(void *user, size_t i);
  /* It ended: its status as of waitpid(), and the end of what it said on standard error. */
  void (*ended)(void *user, size_t i, int status, const char *said);
  void (*show)(void *user); /* some times a second; NULL: never */
  void *user;
} sweep_pool;

/* Runs all of them; their output goes nowhere. 0, or the signal (SIGINT, SIGTERM, SIGHUP) that
 * came: then they were ended, and those that have not said so are not told of. -1 with errno: none
 * can be started. The processes end when this one does, however it ends. */
int sweep_pool_run(const sweep_pool *pool);

#endif
