/* Variables in .global, .const, .shared and .local memory, with initial values. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/build.h"
#include "sim/ptx/lanes.h"

enum { DIMENSIONS = 8 };

typedef struct declaration {
  ptx_space space;
  bool external;
  ptx_type type;
  uint32_t elements; /* of a vector type */
  uint32_t align;
} declaration;

/* .align, .v2, .v4, .attribute(...) and the type, in any order. */
static bool parse_type(ptx_lexer *lex, declaration *d) {
  d->elements = 1;
  while (lex->token.kind == TOKEN_WORD && lex->token.text[0] == '.') {
    if (ptx_token_is(lex, ".align")) {
      if (!ptx_lexer_next(lex)) return false;
      const uint64_t align = lex->token.bits;
      if (lex->token.kind != TOKEN_INTEGER || align == 0 || align > 1024 || (align & (align - 1)))
        return ptx_lexer_fail(lex, ".align needs a power of two from 1 to 1024");
      d->align = (uint32_t)align;
    } else if (ptx_token_is(lex, ".v2") || ptx_token_is(lex, ".v4")) {
      d->elements = (uint32_t)(lex->token.text[2] - '0');
    } else if (ptx_token_is(lex, ".attribute")) {
      while (lex->token.kind != TOKEN_END && !ptx_token_is(lex, ")"))
        if (!ptx_lexer_next(lex)) return false;
    } else {
      d->type = ptx_type_find(lex->token.text + 1, lex->token.bytes - 1);
      if (d->type == PTX_NO_TYPE || d->type == PTX_PRED)
        return ptx_lexer_fail(lex,
                              "'%.*s' is no type of a variable in memory (u8 .. u64, s8 .. "
                              "s64, b8 .. b64, f16, f32, f64)",
                              (int)(lex->token.bytes < 40 ? lex->token.bytes : 40),
                              lex->token.text);
    }
    if (!ptx_lexer_next(lex)) return false;
  }
  if (d->type == PTX_NO_TYPE) return ptx_lexer_fail(lex, "a variable needs a type");
  return true;
}

/* [n][m]...: the number of elements, and of each dimension; [] only once, and first. */
static bool parse_dimensions(ptx_lexer *lex, uint64_t *count, bool *open,
                             uint64_t sizes[DIMENSIONS + 2]) {
  unsigned n = 0;
  *count = 1;
  *open = false;
  for (bool first = true; ptx_token_is(lex, "["); first = false) {
    if (!ptx_lexer_next(lex)) return false;
    if (ptx_token_is(lex, "]") && first) {
      *open = true;
    } else {
      if (lex->token.kind != TOKEN_INTEGER || lex->token.bits > PTX_GLOBALS_LIMIT)
        return ptx_lexer_fail(lex, "an array size is a number up to %d", PTX_GLOBALS_LIMIT);
      if (n == DIMENSIONS)
        return ptx_lexer_fail(lex, "an array has at most %d dimensions", DIMENSIONS);
      sizes[n++] = lex->token.bits;
      *count *= lex->token.bits;
      if (*count > PTX_GLOBALS_LIMIT)
        return ptx_lexer_fail(lex, "an array has at most %d elements", PTX_GLOBALS_LIMIT);
      if (!ptx_lexer_next(lex)) return false;
    }
    if (!ptx_token_expect(lex, "]")) return false;
  }
  return true;
}

/* The value is kept: the text says how many there are, not a declared size. */
static void write_value(ptx_module *module, uint64_t at, uint64_t bits, uint32_t bytes) {
  module->initial = ptx_grow(module->initial, sizeof *module->initial, module->n_initial,
                             &module->initial_capacity);
  module->initial[module->n_initial++] = (ptx_initial){at, bits, bytes};
}

static bool float_bits(const ptx_token *t, bool negative, ptx_type type, uint64_t *bits) {
  f64 value = t->kind == TOKEN_FLOAT     ? ptx_bits_double(t->bits)
              : t->kind == TOKEN_FLOAT32 ? (f64)ptx_bits_float((u32)t->bits)
                                         : (f64)t->bits;
  if (type == PTX_F64)
    *bits = ptx_double_bits(value) ^ ((uint64_t)negative << 63);
  else if (type == PTX_F32 && t->kind == TOKEN_FLOAT32)
    *bits = t->bits ^ ((uint64_t)negative << 31);
  else
    *bits = ptx_float_bits((f32)value) ^ (u32)negative << 31;
  return true;
}

/* name, name + 4, generic(name) [+ 4]: a pointer to another variable. */
static bool parse_pointer(ptx_lexer *lex, ptx_module *module, const ptx_symbols *symbols,
                          uint64_t at, ptx_type type) {
  bool generic, plus;
  if (!ptx_token_accept(lex, "generic", &generic)) return false;
  if (generic && !ptx_token_expect(lex, "(")) return false;
  uint32_t index;
  const ptx_symbol *s = ptx_symbols_find(symbols, lex->token.text, lex->token.bytes, &index);
  if (lex->token.kind == TOKEN_WORD && s && s->kind == PTX_SYMBOL_FUNCTION && !generic &&
      ptx_type_bytes(type) == 8) {
    s->function->address_taken = true;
    write_value(module, at, ptx_function_address(s->function), 8);
    return ptx_lexer_next(lex);
  }
  if (lex->token.kind != TOKEN_WORD || !s || s->kind != PTX_SYMBOL_VARIABLE ||
      (s->variable->space != PTX_SPACE_GLOBAL && s->variable->space != PTX_SPACE_CONST))
    return ptx_lexer_fail(lex, "an initial value is a number or the name of a global variable");
  if (type != PTX_U64 && type != PTX_B64 && type != PTX_S64)
    return ptx_lexer_fail(lex, "a variable's address needs a .u64 or .b64 to hold it");
  uint64_t addend = s->variable->offset;
  if (!ptx_lexer_next(lex) || (generic && !ptx_token_expect(lex, ")"))) return false;
  if (!ptx_token_accept(lex, "+", &plus)) return false;
  if (plus) {
    if (lex->token.kind != TOKEN_INTEGER) return ptx_lexer_fail(lex, "expected a number after '+'");
    addend += lex->token.bits;
    if (!ptx_lexer_next(lex)) return false;
  }
  write_value(module, at, addend, 8);
  ptx_add_fixup(&module->pointers, (ptx_fixup){(void *)(uintptr_t)at, addend, 1, false});
  return true;
}

static bool parse_value(ptx_lexer *lex, ptx_module *module, const ptx_symbols *symbols, uint64_t at,
                        ptx_type type) {
  bool negative;
  if (!ptx_token_accept(lex, "-", &negative)) return false;
  if (lex->token.kind == TOKEN_WORD && !negative)
    return parse_pointer(lex, module, symbols, at, type);
  uint64_t bits = lex->token.bits;
  const bool number = lex->token.kind == TOKEN_INTEGER || lex->token.kind == TOKEN_FLOAT ||
                      lex->token.kind == TOKEN_FLOAT32;
  if (!number) return ptx_lexer_fail(lex, "expected an initial value");
  if (ptx_type_kind(type) == 'f') {
    if (type == PTX_F16) return ptx_lexer_fail(lex, ".f16 variables take no initial value");
    float_bits(&lex->token, negative, type, &bits);
  } else {
    if (lex->token.kind != TOKEN_INTEGER)
      return ptx_lexer_fail(lex, "a .%s variable needs whole numbers", ptx_type_name(type));
    if (negative) bits = 0 - bits;
  }
  write_value(module, at, bits, ptx_type_bytes(type));
  return ptx_lexer_next(lex);
}

static bool parse_initial(ptx_lexer *lex, ptx_module *module, const ptx_symbols *symbols,
                          uint64_t at, ptx_type type, const uint64_t *sizes, bool array);

/* Behind { of an array of arrays: each inner list fills its row, if the rows are alike. */
static bool parse_rows(ptx_lexer *lex, ptx_module *module, const ptx_symbols *symbols, uint64_t at,
                       ptx_type type, const uint64_t *sizes) {
  const uint64_t inner = sizes[1];
  bool more = true;
  if (!inner) return ptx_lexer_fail(lex, "more braces than the variable has dimensions");
  for (uint64_t k = 0; more; k++) {
    if (k * inner >= sizes[0])
      return ptx_lexer_fail(lex, "more rows of initial values than the variable has");
    if (!parse_initial(lex, module, symbols, at + k * inner * ptx_type_bytes(type), type, sizes + 1,
                       true) ||
        !ptx_token_accept(lex, ",", &more))
      return false;
  }
  return ptx_token_expect(lex, "}");
}

/* = value or = { value, ... }; fewer values than elements leave zeros. sizes: elements of the
 * whole, of one of its rows, and so on; 0 ends them. */
static bool parse_initial(ptx_lexer *lex, ptx_module *module, const ptx_symbols *symbols,
                          uint64_t at, ptx_type type, const uint64_t *sizes, bool array) {
  const uint64_t elements = sizes[0];
  bool more = true;
  if (!array) return parse_value(lex, module, symbols, at, type);
  if (!ptx_token_expect(lex, "{")) return false;
  if (ptx_token_is(lex, "{")) return parse_rows(lex, module, symbols, at, type, sizes);
  for (uint64_t k = 0; more && !ptx_token_is(lex, "}"); k++) {
    if (k == elements)
      return ptx_lexer_fail(lex, "more initial values than the %llu elements of the variable",
                            (unsigned long long)elements);
    if (!parse_value(lex, module, symbols, at + k * ptx_type_bytes(type), type)) return false;
    if (!ptx_token_accept(lex, ",", &more)) return false;
  }
  return ptx_token_expect(lex, "}");
}

static bool place_device(ptx_lexer *lex, ptx_module *module, ptx_variable *v) {
  const uint64_t at = (module->globals_bytes + v->align - 1) & ~(uint64_t)(v->align - 1);
  if (at + v->bytes > PTX_GLOBALS_LIMIT)
    return ptx_lexer_fail(lex, "the module's variables take more than %d bytes", PTX_GLOBALS_LIMIT);
  v->offset = at;
  module->globals_bytes = (size_t)(at + v->bytes);
  module->variables = ptx_grow(module->variables, sizeof *module->variables, module->n_variables,
                               &module->variable_capacity);
  module->variables[module->n_variables++] = v;
  return true;
}

static bool place_in(ptx_build *b, ptx_instance *i, ptx_variable *v) {
  const uint64_t at = (i->frame_bytes + v->align - 1) & ~(uint64_t)(v->align - 1);
  if (at + v->bytes > PTX_LOCAL_LIMIT)
    return ptx_lexer_fail(b->lex, "local variables take more than %d bytes per thread",
                          PTX_LOCAL_LIMIT);
  v->offset = at;
  i->frame_bytes = (uint32_t)(at + v->bytes);
  if (v->align > i->align) i->align = v->align;
  return true;
}

bool ptx_place_local(ptx_build *b, ptx_variable *v) {
  return place_in(b, &b->instances[b->current], v);
}

bool ptx_place_thread(ptx_build *b, ptx_variable *v) {
  if (v->kernel == b->kernel) return true;
  v->kernel = b->kernel;
  return place_in(b, &b->instances[0], v);
}

static bool place(ptx_lexer *lex, ptx_module *module, ptx_build *b, ptx_variable *v) {
  switch (v->space) {
  case PTX_SPACE_GLOBAL:
  case PTX_SPACE_CONST:
    return place_device(lex, module, v);
  case PTX_SPACE_SHARED:
    if (v->bytes >= PTX_SHARED_LIMIT)
      return ptx_lexer_fail(lex, "'%s' takes %llu bytes of shared memory", v->name,
                            (unsigned long long)v->bytes);
    return true;
  default: /* local */
    v->of_module = !b;
    return !b || ptx_place_local(b, v);
  }
}

/* What a linker does: a module's parts may name variables that others of them define. */
static ptx_variable *declared(const ptx_symbols *symbols, const ptx_token *name,
                              const declaration *d) {
  uint32_t index;
  const ptx_symbol *s = ptx_symbols_find(symbols, name->text, name->bytes, &index);
  if (!s || s->kind != PTX_SYMBOL_VARIABLE || s->variable->space != d->space) return NULL;
  const bool global = d->space == PTX_SPACE_GLOBAL || d->space == PTX_SPACE_CONST;
  return global && s->type == d->type && (s->variable->external || d->external) ? s->variable
                                                                                : NULL;
}

bool ptx_variables_defined(const ptx_module *module, wf_error *err) {
  for (size_t i = 0; i < module->n_variables; i++)
    if (module->variables[i]->external)
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "%s: .extern variable '%s' is defined nowhere: a module is complete in itself "
                     "here",
                     module->file, module->variables[i]->name);
  return true;
}

static bool parse_one(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols, ptx_build *b,
                      const declaration *d) {
  const ptx_token name = lex->token;
  uint64_t count, sizes[DIMENSIONS + 2] = {0};
  bool open, initial;
  if (name.kind != TOKEN_WORD || name.text[0] == '.')
    return ptx_lexer_fail(lex, "expected the variable's name");
  if (!ptx_lexer_next(lex) || !parse_dimensions(lex, &count, &open, sizes)) return false;
  if (open && !(d->external && d->space == PTX_SPACE_SHARED))
    return ptx_lexer_fail(lex, "only .extern .shared arrays may leave their size open");
  ptx_variable *v = ptx_arena_small(&module->arena, sizeof *v);
  const uint32_t element = ptx_type_bytes(d->type) * d->elements;
  v->name = ptx_arena_text(&module->arena, name.text, name.bytes);
  v->space = (uint8_t)d->space;
  v->external = d->external;
  v->align = d->align > element ? d->align : element;
  if (d->align && d->align < element) v->align = element;
  v->bytes = open ? 0 : count * element;
  ptx_variable *known = b ? NULL : declared(symbols, &name, d);
  if (known && known->bytes != v->bytes)
    return ptx_lexer_fail(lex, "'%s' has %llu bytes here and %llu where it was declared", v->name,
                          (unsigned long long)v->bytes, (unsigned long long)known->bytes);
  if (known) {
    known->external &= v->external;
    v = known;
  } else if (!place(lex, module, b, v)) {
    return false;
  }
  if (!known &&
      !ptx_symbols_add(symbols, v->name, name.bytes,
                       (ptx_symbol){.kind = PTX_SYMBOL_VARIABLE, .type = d->type, .variable = v}))
    return ptx_lexer_fail(lex, "'%s' is declared twice", v->name);
  if (!ptx_token_accept(lex, "=", &initial)) return false;
  if (!initial) return true;
  if (d->space != PTX_SPACE_GLOBAL && d->space != PTX_SPACE_CONST)
    return ptx_lexer_fail(lex, "only .global and .const variables have initial values");
  uint64_t left = count * d->elements;
  for (unsigned k = 0; k <= DIMENSIONS; k++) {
    const uint64_t rows = sizes[k];
    sizes[k] = k && left == 1 ? 0 : left;
    left = rows ? left / rows : 0;
  }
  return parse_initial(lex, module, symbols, v->offset, d->type, sizes,
                       count * d->elements != 1 || ptx_token_is(lex, "{"));
}

bool ptx_parse_variable(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols, ptx_build *b,
                        ptx_space space, bool external) {
  declaration d = {.space = space, .external = external};
  if (!parse_type(lex, &d)) return false;
  for (bool more = true; more;) {
    if (!parse_one(lex, module, symbols, b, &d)) return false;
    if (!ptx_token_accept(lex, ",", &more)) return false;
  }
  return ptx_token_expect(lex, ";");
}
