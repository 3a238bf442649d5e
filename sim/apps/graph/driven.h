/* Rounds over active vertices as textbooks write them, an edge at a time (Harish and Narayanan,
 * HiPC 2007; Hong and others, PPoPP 2011; LonestarGPU): the plain forms that faster ones are
 * compared with. Kernels' side: driven.cuh. */
#ifndef WF_APPS_DRIVEN_H
#define WF_APPS_DRIVEN_H

#include "sim/apps/cache/suite.h"
#include "sim/apps/graph/frontier.h"

typedef enum wf_driven_strategy {
  WF_DRIVEN_THREAD,
  WF_DRIVEN_WARP,
  WF_DRIVEN_QUEUE,
  WF_DRIVEN_UNROLL,
  WF_DRIVEN_STRATEGIES
} wf_driven_strategy;

/* Options: the first of an application's settings. */
typedef struct wf_driven {
  unsigned strategy, ballot, queue;
} wf_driven;
extern const char *const wf_driven_strategies[WF_DRIVEN_STRATEGIES];
#define WF_DRIVEN_OPTIONS(LAST, MORE)                                                              \
  {"strategy",                                                                                     \
   NULL,                                                                                           \
   WF_DRIVEN_THREAD,                                                                               \
   LAST,                                                                                           \
   WF_DRIVEN_THREAD,                                                                               \
   offsetof(wf_driven, strategy),                                                                  \
   wf_driven_strategies,                                                                           \
   "who walks an active vertex's list, an edge at a time: its thread (topology-driven, a flag a "  \
   "vertex); a warp, which has 32 vertices (warp-centric: BFS-WC); a thread for each vertex in a " \
   "queue (data-driven: BFS-DD)" MORE},                                                            \
      WF_APP_NUMBER(wf_driven, ballot, 0, 1, 0,                                                    \
                    "strategy warp: 1 looks at 32 flags at once, 0 at one after the other"),       \
      WF_APP_NUMBER(wf_driven, queue, 1, 1024, 1024,                                               \
                    "strategy queue: vertices that a block queues in shared memory")

/* Reads an application's options; *err (code 2) if one of another strategy was given. */
bool wf_driven_read(const wf_app_run *run, const wf_parameter *table, void *settings,
                    wf_error *err);

/* Of searches from a vertex. */
typedef struct wf_driven_search {
  wf_driven form; /* first: its rows are shared */
  uint32_t source, undirected;
} wf_driven_search;
#define WF_DRIVEN_SEARCH_OPTIONS                                                                   \
  WF_DRIVEN_OPTIONS(WF_DRIVEN_UNROLL,                                                              \
                    "; threads that have all vertices in turn, and go on with up to 11 that they " \
                    "improved (kernel unrolling: unroll)"),                                        \
      WF_APP_SOURCE_OPTION(wf_driven_search),                                                      \
      WF_APP_NUMBER(wf_driven_search, undirected, 0, 1, 0,                                         \
                    "1: add the reverse of every arc first")
/* settings: a wf_driven_search, first. Reads them, makes the graph undirected if asked for, chooses
 * the source, and loads the kernels of the module whose form it is, beside the application's own.
 */
bool wf_driven_search_begin(wf_app_run *run, const wf_parameter *table, void *settings,
                            const char *thread_module, const char *unroll_module, wf_error *err);

/* thread, "NAME_flags", "NAME_ballot" or "NAME_queue". */
void wf_driven_kernel(const wf_driven *form, const char *name, const char *thread, char *kernel,
                      size_t bytes);

/* Of rounds in which a vertex waits for neighbours of larger numbers. */
typedef struct wf_driven_rounds {
  wf_driven form; /* first: its rows are shared */
  uint32_t rounds;
} wf_driven_rounds;
#define WF_DRIVEN_ROUNDS_OPTIONS(HELP)                                                             \
  WF_DRIVEN_OPTIONS(WF_DRIVEN_QUEUE, ""),                                                          \
      WF_APP_NUMBER(wf_driven_rounds, rounds, 0, 1000000, 0, HELP)

/* The graph on the device, and each vertex's number. */
typedef struct wf_driven_graph {
  uint64_t row, col, number;
} wf_driven_graph;
bool wf_driven_upload(const wf_app_run *run, const uint32_t *number, wf_driven_graph *device,
                      wf_error *err);
/* A queue of all vertices, in strategy queue; nothing in others. */
bool wf_driven_all(wf_app_run *run, wf_suite_host *host, const wf_driven *form, wf_frontier *f,
                   wf_error *err);

/* The vertices by falling number, where number[v] is 1 .. n. */
uint32_t *wf_driven_by_number(wf_suite_host *host, const uint32_t *number, uint32_t n);

#endif
