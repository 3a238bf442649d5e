/* A sweep as its files see it. */
#ifndef WF_SWEEP_INTERNAL_H
#define WF_SWEEP_INTERNAL_H

#include "sim/sweep/sweep.h"

typedef struct sweep_key {
  char *name;    /* an option of `warpfab run`, or a key of --set */
  char **values; /* [n] */
  size_t n;
  int line;
} sweep_key;

/* Keys that go together; their values are as many. */
typedef struct sweep_axis {
  char *name; /* of [zip NAME]; NULL: one key of [product] */
  sweep_key *keys;
  size_t n_keys;
} sweep_axis;

struct wf_sweep {
  char *store;
  sweep_axis fixed; /* [run]: one value each */
  sweep_axis *axes;
  size_t n_axes;
  uint64_t points;
  char **slurm; /* options of sbatch */
  size_t n_slurm;
};

/* Of --set, rather than an option of its own. */
bool sweep_is_setting(const char *name);

/* Appends the words of a value: separated by blanks, with {A..B}, {A..B+S}, {A..B*F} and {x,y}
 * expanded, and "..." as one word. False: *why (static) says what is wrong. */
bool sweep_expand(const char *text, char ***words, size_t *n, size_t limit, const char **why);

/* Runs the words, which end with NULL, and waits: its exit code; -1: could not be run. output:
 * of what it printed the caller's to free, or NULL. */
int sweep_command(char *const *words, char **output);

#endif
