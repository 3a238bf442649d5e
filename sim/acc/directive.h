/* The grammar of `#pragma acc`: directives, clauses, lists of variables with ranges. Expressions
 * stay text. */
#ifndef WF_ACC_DIRECTIVE_H
#define WF_ACC_DIRECTIVE_H

#include <stdbool.h>

#include "sim/base/wf_error.h"

typedef enum acc_kind {
  ACC_PARALLEL,
  ACC_KERNELS,
  ACC_SERIAL,
  ACC_LOOP,
  ACC_DATA,
  ACC_HOST_DATA,
  ACC_DECLARE,
  ACC_ENTER,
  ACC_EXIT,
  ACC_UPDATE,
  ACC_WAIT,
  ACC_ATOMIC,
  ACC_CACHE,
  ACC_FCW,
  ACC_FCW_BARRIER,
  ACC_ROUTINE,
  ACC_KINDS
} acc_kind;

typedef enum acc_clause_kind {
  ACC_COPY,
  ACC_COPYIN,
  ACC_COPYOUT,
  ACC_CREATE,
  ACC_PRESENT,
  ACC_DEVICEPTR,
  ACC_DELETE,
  ACC_USE_DEVICE,
  ACC_IF_PRESENT,
  ACC_HOST,   /* update: to the host */
  ACC_DEVICE, /* update: to the device */
  ACC_PRIVATE,
  ACC_FIRSTPRIVATE,
  ACC_REDUCTION,
  ACC_IF,
  ACC_IGNORED, /* async, wait, num_gangs, finalize, ...: accepted, without effect here */
  ACC_VECTOR_LENGTH,
  ACC_GANG,
  ACC_WORKER,
  ACC_VECTOR,
  ACC_SEQ,
  ACC_AUTO,
  ACC_INDEPENDENT,
  ACC_COLLAPSE,
  ACC_DEFAULT,
  ACC_ATOMIC_READ,
  ACC_ATOMIC_WRITE,
  ACC_ATOMIC_UPDATE,
  ACC_ATOMIC_CAPTURE,
  ACC_CACHED, /* the list of cache(...) and fcw TYPE(...); text: the type */
  ACC_CLAUSES
} acc_clause_kind;

enum { ACC_MAX_RANGES = 4 };

/* name[lower:length]..., of fcw name[pivot:before:after]... as lower, length, after; what is not
 * there is NULL. */
typedef struct acc_item {
  char *name;
  unsigned at;
  unsigned n_ranges;
  char *lower[ACC_MAX_RANGES], *length[ACC_MAX_RANGES], *after[ACC_MAX_RANGES];
} acc_item;

typedef struct acc_clause {
  acc_clause_kind kind;
  const char *name; /* as written */
  unsigned at;
  char *text; /* the expression, or the reduction's operator; NULL: none */
  acc_item *items;
  unsigned n_items;
} acc_clause;

typedef struct acc_directive {
  acc_kind kind;
  bool loop;  /* parallel loop, kernels loop, or loop itself */
  bool found; /* by analyse.c: it is not in the text */
  unsigned begin, end;
  struct acc_node *statement; /* that it belongs to; NULL of one that stands alone */
  acc_clause *clauses;
  unsigned n_clauses;
} acc_directive;

struct acc_source; /* source.h */
/* Reads the directive at [d->begin, d->end) of the source's text into *d. */
bool acc_directive_read(struct acc_source *s, acc_directive *d, wf_error *err);
/* Is one of the clause's items this variable? */
bool acc_clause_names(const acc_clause *c, const char *name);
const acc_clause *acc_clause_find(const acc_directive *d, acc_clause_kind kind);
const char *acc_kind_name(acc_kind kind);

#endif
