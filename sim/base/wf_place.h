/* Where the parts of a unit lie: a description rtl/FOLDER/FILE.ini binds the unit's name to its
 * folders. The name is that of [unit] name = ..., else FILE, or for unit.ini FOLDER. */
#ifndef WF_PLACE_H
#define WF_PLACE_H

#include "sim/base/wf_error.h"

enum { WF_PLACE_BYTES = 512 };

typedef struct wf_place {
  char name[64];
  char ini[WF_PLACE_BYTES];     /* the description; "" for `common`, which has none */
  char folder[WF_PLACE_BYTES];  /* of its Verilog */
  char library[WF_PLACE_BYTES]; /* [unit] library = ..., folders relative to that one; may be "" */
  char bench[WF_PLACE_BYTES];   /* [unit] bench = ..., else tb/NAME: tests, proofs, mutants */
} wf_place;

/* name: of a unit, of a description, `common`, or the path of a description. All paths begin with
 * `root` ("" for the current folder). False and *err, with the names there are. */
bool wf_place_find(const char *root, const char *name, wf_place *place, wf_error *err);

#endif
