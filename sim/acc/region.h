/* What a compute region becomes: kernels, their parallel loops, and the part of each variable. */
#ifndef WF_ACC_REGION_H
#define WF_ACC_REGION_H

#include "sim/acc/loop.h"

typedef enum acc_role {
  ACC_VALUE,   /* passed by value */
  ACC_LOCAL,   /* each thread has its own */
  ACC_INDEX,   /* of a parallel loop */
  ACC_REDUCED, /* each thread has its own, and they are put together */
  ACC_SHARED_ARRAY
} acc_role;

typedef struct acc_variable {
  acc_symbol symbol;
  acc_role role;
  const char *operator; /* of a reduction */
  bool raw;             /* deviceptr: already an address of the device */
  bool written;
  bool bounded; /* of fcw: the launch tells its extent on the device */
} acc_variable;

enum { ACC_MAX_LOOPS = 3, ACC_MAX_VARIABLES = 64 };

/* loops[0] is the outermost; the innermost one runs along x. None: one thread runs it all. */
typedef struct acc_kernel {
  const char *name;
  acc_node *statement;
  acc_loop loops[ACC_MAX_LOOPS];
  unsigned n_loops;
  const char *block[ACC_MAX_LOOPS]; /* threads along x, y, z */
  bool by_block;                    /* an iteration a thread block: its vector loops run along x */
  acc_variable variables[ACC_MAX_VARIABLES];
  unsigned n_variables;
  bool guessed;  /* that iterations are independent is told by names */
  bool tiles;    /* it has a cache directive */
  bool channels; /* iterations of a block see each other's writes: the host runs them as coroutines
                  */
  bool captures; /* what an iteration sees depends on who comes first: not what the host computes */
} acc_kernel;

typedef struct acc_region {
  const acc_directive *directive;
  acc_node *function;
  unsigned begin, end; /* of the text that it replaces */
  acc_kernel *kernels;
  unsigned n_kernels;
} acc_region;

/* Reads the region of a parallel, kernels or serial directive. */
bool acc_region_read(acc_source *s, const acc_directive *d, acc_region *region, wf_error *err);
/* Is `loop` (a ForStmt) shared out among the threads of a block? */
bool acc_is_vector_loop(const acc_source *s, const acc_node *loop);

/* variables.c: fills in kernel->variables. */
bool acc_variables_read(acc_source *s, const acc_directive *d, acc_kernel *kernel, wf_error *err);
/* independent.c: can the iterations of `loop` run in any order? If not, *why says so. */
bool acc_independent(acc_source *s, const acc_loop *loop, const char **why);

#endif
