/* uthash, whose tables allocate through sim/base/wf_alloc.h: by itself it ends the process without
 * a word when there is no memory. */
#ifndef WF_HASH_H
#define WF_HASH_H

#include "sim/base/wf_alloc.h"

#define uthash_malloc(bytes) wf_calloc(1, bytes)
#include <uthash.h>

#endif
