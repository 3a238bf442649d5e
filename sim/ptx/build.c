#include "sim/ptx/build.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"

void *ptx_grow(void *array, size_t size, size_t n, size_t *capacity) {
  if (n < *capacity) return array;
  size_t wanted = *capacity ? 2 * *capacity : 16;
  array = wf_realloc(array, wanted, size);
  memset((char *)array + *capacity * size, 0, (wanted - *capacity) * size);
  *capacity = wanted;
  return array;
}

uint32_t ptx_new_vreg(ptx_build *b, ptx_type type) {
  size_t capacity = b->vreg_capacity;
  b->vregs = ptx_grow(b->vregs, sizeof *b->vregs, b->n_vregs, &capacity);
  b->vreg_capacity = (uint32_t)capacity;
  b->vregs[b->n_vregs].type = (uint8_t)type;
  return b->n_vregs++;
}

ptx_code *ptx_append(ptx_build *b) {
  if (b->n == b->capacity) {
    size_t c1 = b->capacity, c2 = c1, c3 = c1;
    b->codes = ptx_grow(b->codes, sizeof *b->codes, b->n, &c1);
    b->insts = ptx_grow(b->insts, sizeof *b->insts, b->n, &c2);
    b->targets = ptx_grow(b->targets, sizeof *b->targets, b->n, &c3);
    b->capacity = (uint32_t)c1;
  }
  return &b->codes[b->n++];
}

/* ---- constants ---- */
typedef struct ptx_constant {
  struct {
    uint64_t bits, wide;
  } key;
  const void *plane;
  UT_hash_handle hh;
} ptx_constant;

static void *make_plane(ptx_module *module, uint64_t bits, bool wide) {
  void *plane = ptx_arena_alloc(&module->arena, (wide ? 8 : 4) * PTX_LANES);
  for (int i = 0; i < PTX_LANES; i++) {
    if (wide)
      ((uint64_t *)plane)[i] = bits;
    else
      ((uint32_t *)plane)[i] = (uint32_t)bits;
  }
  return plane;
}

const void *ptx_constant_plane(ptx_module *module, uint64_t bits, bool wide) {
  ptx_constant key = {.key = {wide ? bits : (uint32_t)bits, wide}}, *found;
  HASH_FIND(hh, module->constants, &key.key, sizeof key.key, found);
  if (found) return found->plane;
  found = wf_calloc(1, sizeof *found);
  found->key = key.key;
  found->plane = make_plane(module, bits, wide);
  HASH_ADD(hh, module->constants, key, sizeof found->key, found);
  return found->plane;
}

void ptx_constants_free(ptx_module *module) {
  ptx_constant *c, *next;
  HASH_ITER(hh, module->constants, c, next) {
    HASH_DEL(module->constants, c);
    free(c);
  }
}

void ptx_add_fixup(ptx_fixups *list, ptx_fixup fixup) {
  list->items = ptx_grow(list->items, sizeof fixup, list->n, &list->capacity);
  list->items[list->n++] = fixup;
}

void ptx_resolve(const ptx_fixups *list, uint64_t base) {
  for (size_t k = 0; k < list->n; k++) {
    const ptx_fixup *f = &list->items[k];
    for (uint32_t i = 0; i < f->lanes; i++) {
      if (f->narrow)
        ((uint32_t *)f->at)[i] = (uint32_t)(base + f->addend);
      else
        ((uint64_t *)f->at)[i] = base + f->addend;
    }
  }
}

/* Shared variables are laid out per kernel, in the order of first use. */
static void place_shared(ptx_build *b, ptx_variable *v) {
  if (v->kernel == b->kernel) return;
  v->kernel = b->kernel;
  uint32_t at = (b->kernel->shared_bytes + v->align - 1) & ~(v->align - 1);
  v->offset = at;
  const uint64_t end = at + v->bytes;
  b->kernel->shared_bytes = end < PTX_SHARED_LIMIT ? (uint32_t)end : PTX_SHARED_LIMIT;
}

const void *ptx_address_plane(ptx_build *b, ptx_variable *v, uint64_t addend, bool wide) {
  const bool device = v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
  const bool dynamic = v->space == PTX_SPACE_SHARED && v->external;
  if (v->space == PTX_SPACE_SHARED && !dynamic) place_shared(b, v);
  const uint64_t value = v->offset + addend;
  if (!device && !dynamic) return ptx_constant_plane(b->module, value, wide);
  void *plane = make_plane(b->module, value, wide);
  if (dynamic && v->align > b->dynamic_align) b->dynamic_align = v->align;
  ptx_add_fixup(device ? &b->module->device : &b->dynamic,
                (ptx_fixup){plane, value, PTX_LANES, !wide});
  return plane;
}

/* ---- labels ---- */
typedef struct ptx_label {
  const char *name;
  uint32_t pc;
  UT_hash_handle hh;
} ptx_label;

bool ptx_define_label(ptx_build *b, const char *name, size_t bytes) {
  ptx_scope *scope = &b->scopes[b->scope];
  ptx_label *label;
  HASH_FIND(hh, scope->labels, name, bytes, label);
  if (label)
    return ptx_lexer_fail(b->lex, "label '%.*s' is defined twice", (int)(bytes < 80 ? bytes : 80),
                          name);
  label = wf_calloc(1, sizeof *label);
  label->name = name;
  label->pc = b->n;
  HASH_ADD_KEYPTR(hh, scope->labels, label->name, bytes, label);
  return true;
}

bool ptx_find_label(const ptx_build *b, const ptx_label_ref *ref, uint32_t *pc) {
  ptx_label *label;
  for (uint32_t scope = ref->scope;; scope = b->scopes[scope].parent) {
    HASH_FIND(hh, b->scopes[scope].labels, ref->name, ref->bytes, label);
    if (label) *pc = label->pc;
    if (label || b->scopes[scope].parent == scope) return label != NULL;
  }
}

void ptx_move_labels(ptx_build *b, uint32_t first_scope, uint32_t from, uint32_t to) {
  for (uint32_t k = first_scope; k < b->n_scopes; k++)
    for (ptx_label *l = b->scopes[k].labels; l; l = l->hh.next)
      if (l->pc == from) l->pc = to;
}

static void labels_free(ptx_label *labels) {
  ptx_label *label, *next;
  HASH_ITER(hh, labels, label, next) {
    HASH_DEL(labels, label);
    free(label);
  }
}

void ptx_build_free(ptx_build *b) {
  for (uint32_t k = 0; k < b->n_scopes; k++) labels_free(b->scopes[k].labels);
  free(b->codes);
  free(b->insts);
  free(b->targets);
  free(b->vregs);
  free(b->scopes);
  free(b->dynamic.items);
  free(b->instances);
  free(b->sites);
  ptx_instance_number *n, *next;
  HASH_ITER(hh, b->numbers, n, next) {
    HASH_DEL(b->numbers, n);
    free(n);
  }
}
