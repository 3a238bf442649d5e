/* Changes of a text by place, made all at once. */
#ifndef WF_ACC_EDIT_H
#define WF_ACC_EDIT_H

#include "sim/acc/source.h"

typedef struct acc_edit {
  unsigned begin, end;
  const char *text;
  bool closes; /* an insertion behind what ends here; of several the last one made comes first */
} acc_edit;

typedef struct acc_edits acc_edits;
struct acc_edits {
  acc_edit *list;
  unsigned n, room;
};

/* [begin, end) becomes `text`. */
void acc_replace(acc_source *s, acc_edits *e, unsigned begin, unsigned end, const char *text);
void acc_insert(acc_source *s, acc_edits *e, unsigned at, const char *text);
void acc_close(acc_source *s, acc_edits *e, unsigned at, const char *text);
/* The text of [begin, end) with the edits in it. Of two that overlap the first made stands. */
char *acc_edited(acc_source *s, acc_edits *e, unsigned begin, unsigned end);

#endif
