/* Counted loops: for (i = FIRST; i < LIMIT; i += STEP) and its like; i *= STEP, i /= STEP too. */
#ifndef WF_ACC_LOOP_H
#define WF_ACC_LOOP_H

#include "sim/acc/symbol.h"

typedef struct acc_loop {
  acc_node *statement, *body;
  acc_symbol index;
  const char *first, *limit, *step; /* expressions; the step counts up or, if `down`, down */
  bool down, inclusive, declares;   /* declares: for (int i = ... */
  bool scales;                      /* multiplied or, if `down`, divided by the step */
  unsigned header;                  /* behind the ')' of its header */
} acc_loop;

/* Reads a ForStmt. False and *err if it is none of that kind. */
bool acc_loop_read(acc_source *s, acc_node *statement, acc_loop *loop, wf_error *err);
/* "i < n", of the loop's own variable. */
char *acc_loop_condition(acc_source *s, const acc_loop *loop);
/* What `from` is `times` steps later, as C; what the text calls is in wf_acc.cuh. */
char *acc_loop_later(acc_source *s, const acc_loop *loop, const char *from, const char *times);
/* Its only statement, with brackets passed over: of a body { for ... } the inner loop. NULL if
 * there are more. */
acc_node *acc_only_statement(acc_node *body);
/* Is anything of `loop`'s header declared or set within [begin, end)? */
bool acc_header_depends(acc_source *s, const acc_loop *loop, const acc_node *within);

#endif
