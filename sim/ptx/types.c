#include "sim/ptx/types.h"

#include <string.h>

static const struct {
  const char *name;
  unsigned bytes;
  char kind;
} types[PTX_TYPE_COUNT] = {[PTX_NO_TYPE] = {"none", 0, '-'},
#define X(id, name, bytes, kind) [PTX_##id] = {name, bytes, kind},
                           PTX_TYPES(X)
#undef X
};

ptx_type ptx_type_find(const char *text, size_t bytes) {
  for (int t = PTX_NO_TYPE + 1; t < PTX_TYPE_COUNT; t++)
    if (strlen(types[t].name) == bytes && memcmp(types[t].name, text, bytes) == 0)
      return (ptx_type)t;
  return PTX_NO_TYPE;
}

const char *ptx_type_name(ptx_type type) {
  return types[type].name;
}
unsigned ptx_type_bytes(ptx_type type) {
  return types[type].bytes;
}
char ptx_type_kind(ptx_type type) {
  return types[type].kind;
}
