#include "sim/ptx/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"

/* One meaning of a name in one scope. */
typedef struct binding {
  ptx_symbol symbol; /* first: ptx_symbols_add_beside() goes back from it */
  struct entry *entry;
  struct binding *outer; /* the meaning it hides */
  struct binding *next;  /* others of its scope */
  uint32_t depth;
} binding;

typedef struct entry {
  const char *name;
  binding *inner;
  UT_hash_handle hh;
} entry;

struct ptx_symbols {
  entry *entries;
  binding **scopes; /* by depth */
  uint32_t depth, capacity;
};

ptx_symbols *ptx_symbols_create(void) {
  ptx_symbols *s = wf_calloc(1, sizeof *s);
  s->capacity = 8;
  s->scopes = wf_calloc(s->capacity, sizeof *s->scopes);
  return s;
}

void ptx_symbols_open(ptx_symbols *s) {
  if (++s->depth == s->capacity)
    s->scopes = wf_realloc(s->scopes, s->capacity *= 2, sizeof *s->scopes);
  s->scopes[s->depth] = NULL;
}

static void forget(ptx_symbols *s, uint32_t depth) {
  for (binding *b = s->scopes[depth], *next; b; b = next) {
    next = b->next;
    entry *e = b->entry;
    e->inner = b->outer; /* the innermost scope goes first, so b is at the head */
    if (!e->inner) {
      HASH_DEL(s->entries, e);
      free(e);
    }
    free(b);
  }
  s->scopes[depth] = NULL;
}

void ptx_symbols_close(ptx_symbols *s) {
  forget(s, s->depth--);
}

void ptx_symbols_destroy(ptx_symbols *s) {
  if (!s) return;
  while (s->depth) ptx_symbols_close(s);
  forget(s, 0);
  free(s->scopes);
  free(s);
}

static entry *find_entry(const ptx_symbols *s, const char *name, size_t bytes) {
  entry *e;
  HASH_FIND(hh, s->entries, name, bytes, e);
  return e;
}

static bool add_at(ptx_symbols *s, uint32_t depth, const char *name, size_t bytes,
                   ptx_symbol symbol) {
  entry *e = find_entry(s, name, bytes);
  if (!e) {
    e = wf_calloc(1, sizeof *e);
    e->name = name;
    HASH_ADD_KEYPTR(hh, s->entries, e->name, bytes, e);
  }
  binding **at = &e->inner; /* inner scopes stay in front */
  while (*at && (*at)->depth > depth) at = &(*at)->outer;
  if (*at && (*at)->depth == depth) return false;
  binding *b = wf_calloc(1, sizeof *b);
  *b = (binding){symbol, e, *at, s->scopes[depth], depth};
  *at = s->scopes[depth] = b;
  return true;
}

bool ptx_symbols_add(ptx_symbols *s, const char *name, size_t bytes, ptx_symbol symbol) {
  return add_at(s, s->depth, name, bytes, symbol);
}

void ptx_symbols_add_beside(ptx_symbols *s, const ptx_symbol *range, const char *name, size_t bytes,
                            ptx_symbol symbol) {
  add_at(s, ((const binding *)range)->depth, name, bytes, symbol);
}

/* %r17 as the 17 of a range %r; no leading zeros, at most 9 digits. */
static binding *find_range(const ptx_symbols *s, const char *name, size_t bytes, uint32_t *index) {
  size_t prefix = bytes;
  while (prefix && isdigit((unsigned char)name[prefix - 1])) prefix--;
  const size_t digits = bytes - prefix;
  if (!prefix || !digits || digits > 9 || (digits > 1 && name[prefix] == '0')) return NULL;
  uint32_t number = 0;
  for (size_t k = prefix; k < bytes; k++) number = number * 10 + (uint32_t)(name[k] - '0');
  entry *e = find_entry(s, name, prefix);
  for (binding *b = e ? e->inner : NULL; b; b = b->outer)
    if (b->symbol.kind == PTX_SYMBOL_RANGE && number < b->symbol.number) {
      *index = number;
      return b;
    }
  return NULL;
}

ptx_symbol *ptx_symbols_find(const ptx_symbols *s, const char *name, size_t bytes,
                             uint32_t *index) {
  entry *e = find_entry(s, name, bytes);
  binding *exact = e ? e->inner : NULL;
  while (exact && exact->symbol.kind == PTX_SYMBOL_RANGE) exact = exact->outer;
  uint32_t number = 0;
  binding *range = find_range(s, name, bytes, &number);
  if (range && (!exact || exact->depth < range->depth)) {
    *index = number;
    return &range->symbol;
  }
  return exact ? &exact->symbol : NULL;
}
