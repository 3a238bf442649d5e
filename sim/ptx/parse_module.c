/* Module level: directives, variables, kernels; and the public functions of a module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/ptx/build.h"
#include "sim/ptx/internal.h"

typedef struct parser {
  ptx_lexer lex;
  ptx_module *module;
  ptx_symbols *symbols;
  const ptx_custom_op *ops;
  size_t n_ops;
  bool keep_virtual;
  ptx_symbols *kernels; /* names of those defined so far */
  ptx_lexer *noted;     /* kernels, at their names */
  size_t n_noted, noted_capacity;
  ptx_lexer *registers; /* the module's, behind .reg */
  size_t n_registers, registers_capacity;
  bool calls_by_address; /* somewhere in the text */
} parser;

#define SHOWN(token) (int)((token).bytes < 80 ? (token).bytes : 80), (token).text

/* ---- kernels ---- */

/* .param .u64 .ptr .global .align 8 name[24] */
static bool parse_param(parser *p, ptx_kernel *k, ptx_param *param) {
  ptx_lexer *lex = &p->lex;
  ptx_type type = PTX_NO_TYPE;
  uint64_t align = 0, count = 1;
  if (!ptx_token_expect(lex, ".param")) return false;
  bool pointer = false;
  while (lex->token.kind == TOKEN_WORD && lex->token.text[0] == '.') {
    const ptx_type found = ptx_type_find(lex->token.text + 1, lex->token.bytes - 1);
    if (found != PTX_NO_TYPE && found != PTX_PRED) {
      type = found;
    } else if (ptx_token_is(lex, ".align")) {
      if (!ptx_lexer_next(lex)) return false;
      /* After .ptr it is the alignment of what is pointed to. */
      if (!pointer) align = lex->token.bits;
      if (lex->token.kind != TOKEN_INTEGER || !lex->token.bits || lex->token.bits > 1024 ||
          (lex->token.bits & (lex->token.bits - 1)))
        return ptx_lexer_fail(lex, ".align needs a power of two from 1 to 1024");
    } else if (ptx_token_is(lex, ".ptr")) {
      pointer = true;
    } else if (!ptx_token_is(lex, ".global") && !ptx_token_is(lex, ".shared") &&
               !ptx_token_is(lex, ".const") && !ptx_token_is(lex, ".local")) {
      return ptx_lexer_fail(lex, "'%.*s' is unknown in a parameter", SHOWN(lex->token));
    }
    if (!ptx_lexer_next(lex)) return false;
  }
  if (type == PTX_NO_TYPE || lex->token.kind != TOKEN_WORD)
    return ptx_lexer_fail(lex, "a parameter is '.param .type name'");
  const ptx_token name = lex->token;
  bool array;
  if (!ptx_lexer_next(lex) || !ptx_token_accept(lex, "[", &array)) return false;
  if (array) {
    count = lex->token.bits;
    if (lex->token.kind != TOKEN_INTEGER || count > PTX_PARAM_LIMIT)
      return ptx_lexer_fail(lex, "a parameter has at most %d bytes", PTX_PARAM_LIMIT);
    if (!ptx_lexer_next(lex) || !ptx_token_expect(lex, "]")) return false;
  }
  if (align < ptx_type_bytes(type)) align = ptx_type_bytes(type);
  param->offset = (k->param_bytes + (uint32_t)align - 1) & ~((uint32_t)align - 1);
  param->bytes = (uint32_t)count * ptx_type_bytes(type);
  param->type = type;
  k->param_bytes = param->offset + param->bytes;
  if (k->param_bytes > PTX_PARAM_LIMIT)
    return ptx_lexer_fail(lex, "the parameters take more than %d bytes", PTX_PARAM_LIMIT);
  ptx_variable *v = ptx_arena_small(&p->module->arena, sizeof *v);
  param->name = v->name = ptx_arena_text(&p->module->arena, name.text, name.bytes);
  v->space = PTX_SPACE_PARAM;
  v->align = (uint32_t)align;
  v->offset = param->offset;
  v->bytes = param->bytes;
  if (!ptx_symbols_add(p->symbols, v->name, name.bytes,
                       (ptx_symbol){.kind = PTX_SYMBOL_VARIABLE, .type = type, .variable = v}))
    return ptx_lexer_fail(lex, "parameter '%s' is declared twice", v->name);
  return true;
}

static bool parse_params(parser *p, ptx_kernel *k) {
  ptx_lexer *lex = &p->lex;
  ptx_param *params = NULL;
  size_t n = 0, capacity = 0;
  bool more, fine = true;
  if (!ptx_token_is(lex, "(")) return true;
  if (!ptx_lexer_next(lex)) return false;
  for (more = !ptx_token_is(lex, ")"); more && fine; n++) {
    params = ptx_grow(params, sizeof *params, n, &capacity);
    fine = parse_param(p, k, &params[n]) && ptx_token_accept(lex, ",", &more);
  }
  if (fine && n) {
    ptx_param *kept = ptx_arena_small(&p->module->arena, n * sizeof *kept);
    memcpy(kept, params, n * sizeof *kept);
    k->params = kept;
    k->n_params = (uint32_t)n;
  }
  free(params);
  return fine && ptx_token_expect(lex, ")");
}

/* .maxntid x, y, z: the product; also .reqntid. Other hints are read and dropped. */
static bool parse_hints(parser *p, ptx_kernel *k) {
  ptx_lexer *lex = &p->lex;
  while (lex->token.kind == TOKEN_WORD && lex->token.text[0] == '.') {
    const bool size = ptx_token_is(lex, ".maxntid") || ptx_token_is(lex, ".reqntid");
    const bool hint = ptx_token_is(lex, ".minnctapersm") || ptx_token_is(lex, ".maxnctapersm") ||
                      ptx_token_is(lex, ".maxnreg") || ptx_token_is(lex, ".pragma") ||
                      ptx_token_is(lex, ".noreturn");
    if (!size && !hint) return ptx_lexer_fail(lex, "unknown directive '%.*s'", SHOWN(lex->token));
    if (!ptx_lexer_next(lex)) return false;
    uint64_t product = 1;
    for (bool more = !ptx_token_is(lex, "{") && lex->token.kind != TOKEN_WORD; more;) {
      if (lex->token.kind != TOKEN_INTEGER && lex->token.kind != TOKEN_STRING)
        return ptx_lexer_fail(lex, "expected a number, found '%.*s'", SHOWN(lex->token));
      product *= lex->token.bits < 65536 ? lex->token.bits : 65536;
      if (product > UINT32_MAX) return ptx_lexer_fail(lex, "too many threads");
      if (!ptx_lexer_next(lex) || !ptx_token_accept(lex, ",", &more)) return false;
    }
    bool ignored;
    if (!ptx_token_accept(lex, ";", &ignored)) return false;
    if (size) k->max_ntid = (uint32_t)product;
  }
  return true;
}

static void keep_kernel(parser *p, ptx_kernel *k, size_t name_bytes) {
  ptx_module *m = p->module;
  ptx_symbols_add(p->kernels, k->name, name_bytes, (ptx_symbol){.kind = PTX_SYMBOL_VARIABLE});
  m->kernels = ptx_grow(m->kernels, sizeof *m->kernels, m->n_kernels, &m->kernel_capacity);
  m->kernels[m->n_kernels++] = k;
}

/* The body, and those of the functions that it calls, which may call more. */
static bool parse_bodies(parser *p, ptx_build *b) {
  b->current = 0;
  ptx_add_instance(b, NULL);
  if (!ptx_declare_registers(b) || !ptx_parse_body(b) || !ptx_end_body(b)) return false;
  ptx_symbols_close(p->symbols); /* its parameters */
  for (size_t k = 1; k <= b->n_instances; k++) {
    if (k == b->n_instances && b->by_address) {
      for (size_t f = 0; f < p->module->n_functions; f++)
        if (p->module->functions[f]->defined && p->module->functions[f]->address_taken)
          ptx_instance_of(b, p->module->functions[f]);
    }
    if (b->n_instances > PTX_FUNCTION_LIMIT)
      return ptx_lexer_fail(b->lex, "kernel %s calls more than %d functions", b->kernel->name,
                            PTX_FUNCTION_LIMIT);
    if (k < b->n_instances && !ptx_parse_instance(b, (uint32_t)k)) return false;
  }
  return true;
}

static bool parse_kernel(parser *p) {
  ptx_lexer *lex = &p->lex;
  ptx_kernel *k = ptx_arena_small(&p->module->arena, sizeof *k);
  k->narrow = p->module->narrow;
  k->name = ptx_arena_text(&p->module->arena, lex->token.text, lex->token.bytes);
  const size_t name_bytes = lex->token.bytes;
  uint32_t unused;
  if (ptx_symbols_find(p->kernels, k->name, name_bytes, &unused))
    return ptx_lexer_fail(lex, "kernel '%s' is defined twice", k->name);
  ptx_symbols_open(p->symbols);
  bool declared = false;
  bool fine = ptx_lexer_next(lex) && parse_params(p, k) && parse_hints(p, k) &&
              ptx_token_accept(lex, ";", &declared);
  if (!fine || declared) {
    if (fine) ptx_symbols_close(p->symbols);
    return fine;
  }
  ptx_build b = {.module = p->module,
                 .lex = lex,
                 .symbols = p->symbols,
                 .ops = p->ops,
                 .n_ops = p->n_ops,
                 .kernel = k,
                 .carry = PTX_NO_REG,
                 .dynamic_align = 1,
                 .keep_virtual = p->keep_virtual};
  b.registers = p->registers;
  b.n_registers = p->n_registers;
  fine = parse_bodies(p, &b) && ptx_finish(&b);
  if (fine) keep_kernel(p, k, name_bytes);
  ptx_build_free(&b);
  return fine;
}

/* Kernels are read when all variables and functions of the module are known: texts use some before
 * they declare them. */
static bool note_kernel(parser *p) {
  ptx_lexer *lex = &p->lex;
  if (lex->token.kind != TOKEN_WORD) return ptx_lexer_fail(lex, "expected the kernel's name");
  p->noted = ptx_grow(p->noted, sizeof *p->noted, p->n_noted, &p->noted_capacity);
  p->noted[p->n_noted++] = *lex;
  while (!ptx_token_is(lex, "{") && !ptx_token_is(lex, ";")) {
    if (lex->token.kind == TOKEN_END) return ptx_lexer_fail(lex, "the kernel has no body");
    if (!ptx_lexer_next(lex)) return false;
  }
  return ptx_token_is(lex, ";") ? ptx_lexer_next(lex) : ptx_lexer_skip_braces(lex);
}

/* Registers of the module are declared anew in every kernel and function: each has its own. */
static bool note_registers(parser *p) {
  ptx_lexer *lex = &p->lex;
  p->registers =
      ptx_grow(p->registers, sizeof *p->registers, p->n_registers, &p->registers_capacity);
  p->registers[p->n_registers++] = *lex;
  while (!ptx_token_is(lex, ";") && lex->token.kind != TOKEN_END)
    if (!ptx_lexer_next(lex)) return false;
  return ptx_token_expect(lex, ";");
}

/* Only where functions are called by address does it matter whose addresses are taken. */
static bool note_addresses(parser *p) {
  ptx_module *m = p->module;
  bool fine = true;
  for (size_t k = 0; k < p->n_noted && fine; k++)
    fine = ptx_note_addresses(p->symbols, p->noted[k]);
  for (size_t f = 0; f < m->n_functions && fine; f++)
    if (m->functions[f]->defined) fine = ptx_note_addresses(p->symbols, m->functions[f]->body);
  return fine;
}

static bool parse_kernels(parser *p) {
  if (p->calls_by_address && !note_addresses(p)) return false;
  for (size_t k = 0; k < p->n_noted; k++) {
    p->lex = p->noted[k];
    if (!parse_kernel(p)) return false;
  }
  return true;
}

/* ---- module ---- */

static bool parse_version(parser *p) {
  ptx_lexer *lex = &p->lex;
  if (lex->token.kind != TOKEN_FLOAT && lex->token.kind != TOKEN_INTEGER)
    return ptx_lexer_fail(lex, ".version needs a number such as 3.2");
  return ptx_lexer_next(lex);
}

static bool parse_address_size(parser *p) {
  ptx_lexer *lex = &p->lex;
  if (lex->token.kind != TOKEN_INTEGER || (lex->token.bits != 64 && lex->token.bits != 32))
    return ptx_lexer_fail(lex, ".address_size must be 64 or 32");
  p->module->narrow = lex->token.bits == 32;
  return ptx_lexer_next(lex);
}

static bool parse_target(parser *p) {
  bool more = true;
  while (more) {
    if (p->lex.token.kind != TOKEN_WORD)
      return ptx_lexer_fail(&p->lex, ".target needs a name such as sm_35");
    if (!ptx_lexer_next(&p->lex) || !ptx_token_accept(&p->lex, ",", &more)) return false;
  }
  return true;
}

static bool parse_section(parser *p) {
  while (p->lex.token.kind == TOKEN_WORD)
    if (!ptx_lexer_next(&p->lex)) return false;
  return ptx_token_is(&p->lex, "{") ? ptx_lexer_skip_braces(&p->lex)
                                    : ptx_token_expect(&p->lex, "{");
}

/* One directive of the module, its linkage words already read. */
static bool parse_directive(parser *p, bool external) {
  ptx_lexer *lex = &p->lex;
  const struct {
    const char *name;
    ptx_space space;
  } spaces[] = {{".global", PTX_SPACE_GLOBAL},
                {".const", PTX_SPACE_CONST},
                {".shared", PTX_SPACE_SHARED},
                {".local", PTX_SPACE_LOCAL}};
  const ptx_token t = lex->token;
  if (ptx_token_is(lex, ".file") || ptx_token_is(lex, ".loc")) return ptx_lexer_skip_line(lex);
  if (!ptx_lexer_next(lex)) return false;
  for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
    if (t.bytes == strlen(spaces[k].name) && memcmp(t.text, spaces[k].name, t.bytes) == 0)
      return ptx_parse_variable(lex, p->module, p->symbols, NULL, spaces[k].space, external);
#define IS(word) (t.bytes == sizeof(word) - 1 && memcmp(t.text, word, t.bytes) == 0)
  if (IS(".reg")) return note_registers(p);
  if (IS(".entry")) return note_kernel(p);
  if (IS(".func")) return ptx_parse_function(lex, p->module, p->symbols);
  if (IS(".version")) return parse_version(p);
  if (IS(".target")) return parse_target(p);
  if (IS(".address_size")) return parse_address_size(p);
  if (IS(".section")) return parse_section(p);
  if (IS(".pragma")) return ptx_lexer_next(lex) && ptx_token_expect(lex, ";");
#undef IS
  return wf_fail(lex->err, WF_EXIT_BAD_INPUT,
                 "%s:%u: expected .version, .target, .global, "
                 ".const, .shared, .entry or .func, found '%.*s'",
                 lex->name, t.line, SHOWN(t));
}

static bool parse_module(parser *p) {
  ptx_lexer *lex = &p->lex;
  while (lex->token.kind != TOKEN_END) {
    bool external = false, linkage = true;
    while (linkage) {
      const bool is_extern = ptx_token_is(lex, ".extern");
      linkage = is_extern || ptx_token_is(lex, ".visible") || ptx_token_is(lex, ".weak") ||
                ptx_token_is(lex, ".common");
      external |= is_extern;
      if (linkage && !ptx_lexer_next(lex)) return false;
    }
    if (ptx_token_is(lex, "@@DWARF")) return true;
    if (!parse_directive(p, external)) return false;
  }
  return true;
}

/* Their pages cost nothing until they are read or written: most globals have no initial value. */
static void fill_globals(ptx_module *m) {
  if (m->globals_bytes) m->globals = wf_calloc(m->globals_bytes, 1);
  for (size_t k = 0; k < m->n_initial; k++) {
    const ptx_initial *i = &m->initial[k];
    memcpy(m->globals + i->at, &i->bits, i->bytes); /* little-endian, as the modelled machine */
  }
  free(m->initial);
  m->initial = NULL;
}

/* .callprototype or .calltargets: without them no function is called by its address. */
static bool has_prototypes(const char *text, size_t bytes) {
  static const char word[] = ".call";
  const char *end = text + bytes;
  for (const char *at = text; (at = memchr(at, word[0], (size_t)(end - at))); at++)
    if ((size_t)(end - at) >= sizeof word - 1 && memcmp(at, word, sizeof word - 1) == 0)
      return true;
  return false;
}

ptx_module *ptx_parse_internal(const char *name, const char *text, size_t bytes,
                               const ptx_custom_op *ops, size_t n_ops, bool keep_virtual,
                               wf_error *err) {
  wf_error unused;
  ptx_module *m = wf_calloc(1, sizeof *m);
  m->file = ptx_arena_text(&m->arena, name, strlen(name));
  parser p = {.module = m,
              .symbols = ptx_symbols_create(),
              .ops = ops,
              .n_ops = n_ops,
              .keep_virtual = keep_virtual,
              .kernels = ptx_symbols_create(),
              .calls_by_address = has_prototypes(text, bytes)};
  bool fine = ptx_lexer_start(&p.lex, m->file, text, bytes, err ? err : &unused) &&
              parse_module(&p) && ptx_variables_defined(m, err) && parse_kernels(&p) &&
              ptx_resolve_callees(m, err);
  free(p.noted);
  free(p.registers);
  free(m->functions);
  m->functions = NULL;
  ptx_symbols_destroy(p.symbols);
  ptx_symbols_destroy(p.kernels);
  if (fine) {
    fill_globals(m);
    ptx_module_place(m, 0);
    return m;
  }
  ptx_module_destroy(m);
  return NULL;
}

ptx_module *ptx_parse_text(const char *name, const char *text, size_t bytes,
                           const ptx_custom_op *ops, size_t n_ops, wf_error *err) {
  return ptx_parse_internal(name, text, bytes, ops, n_ops, false, err);
}

ptx_module *ptx_parse_file(const char *path, const ptx_custom_op *ops, size_t n_ops,
                           wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, PTX_FILE_LIMIT, &bytes, err);
  ptx_module *m = text ? ptx_parse_text(path, text, bytes, ops, n_ops, err) : NULL;
  free(text);
  return m;
}

void ptx_module_destroy(ptx_module *m) {
  if (!m) return;
  ptx_constants_free(m);
  free(m->kernels);
  free(m->variables);
  free(m->globals);
  free(m->initial);
  free(m->device.items);
  free(m->pointers.items);
  ptx_arena_free(&m->arena);
  free(m);
}

size_t ptx_kernel_count(const ptx_module *m) {
  return m->n_kernels;
}

const ptx_kernel *ptx_kernel_at(const ptx_module *m, size_t index) {
  return m->kernels[index];
}

const ptx_kernel *ptx_find_kernel(const ptx_module *m, const char *name, wf_error *err) {
  char known[512] = "";
  size_t used = 0;
  for (size_t k = 0; k < m->n_kernels; k++) {
    if (strcmp(m->kernels[k]->name, name) == 0) return m->kernels[k];
    if (used < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                               m->kernels[k]->name);
  }
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no kernel '%.100s'; there %s %s", m->file, name,
          m->n_kernels ? "are:" : "is none", known);
  return NULL;
}

const uint8_t *ptx_module_globals(const ptx_module *m, size_t *bytes) {
  *bytes = m->globals_bytes;
  return m->globals;
}

void ptx_module_place(ptx_module *m, uint64_t device_address) {
  m->base = device_address;
  ptx_resolve(&m->device, device_address);
  for (size_t k = 0; k < m->pointers.n; k++) {
    const uint64_t value = device_address + m->pointers.items[k].addend;
    memcpy(m->globals + (uintptr_t)m->pointers.items[k].at, &value, sizeof value);
  }
}

bool ptx_module_symbol(const ptx_module *m, const char *name, uint64_t *address, size_t *bytes) {
  for (size_t k = 0; k < m->n_variables; k++)
    if (strcmp(m->variables[k]->name, name) == 0) {
      if (address) *address = m->base + m->variables[k]->offset;
      if (bytes) *bytes = m->variables[k]->bytes;
      return true;
    }
  return false;
}
