/* PTX's instructions by name. */
#ifndef WF_PTX_LISTING_H
#define WF_PTX_LISTING_H

#include <stddef.h>

typedef struct ptx_listed {
  const char *name;
  const char *text; /* its types and modifiers; of a refused one what to do instead */
} ptx_listed;

const ptx_listed *ptx_list_known(size_t *n);
const ptx_listed *ptx_list_refused(size_t *n);
/* What to do instead of a refused instruction, or NULL. */
const char *ptx_instead_of(const char *name, size_t bytes);
/* decode.c: the names that are decoded, in no order; NULL behind the last. */
const char *ptx_decoded_name(size_t index);

#endif
