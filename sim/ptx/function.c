/* Functions: headers, and bodies as instances among a kernel's instructions. A body is read anew
 * for every kernel that calls it: shared variables have other places there. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

#define SHOWN(token) (int)((token).bytes < 80 ? (token).bytes : 80), (token).text

/* ---- headers ---- */

bool ptx_parse_formal(ptx_lexer *lex, ptx_formal *f) {
  *f = (ptx_formal){.align = 1, .bytes = 1};
  while (lex->token.kind == TOKEN_WORD && lex->token.text[0] == '.') {
    const ptx_type type = ptx_type_find(lex->token.text + 1, lex->token.bytes - 1);
    if (type != PTX_NO_TYPE) {
      f->type = type;
    } else if (ptx_token_is(lex, ".reg")) {
      f->plain = true;
    } else if (ptx_token_is(lex, ".align")) {
      if (!ptx_lexer_next(lex)) return false;
      const uint64_t align = lex->token.bits;
      if (lex->token.kind != TOKEN_INTEGER || !align || align > 1024 || (align & (align - 1)))
        return ptx_lexer_fail(lex, ".align needs a power of two from 1 to 1024");
      if (align > f->align) f->align = (uint32_t)align;
    } else if (!ptx_token_is(lex, ".param") && !ptx_token_is(lex, ".ptr") &&
               !ptx_token_is(lex, ".global") && !ptx_token_is(lex, ".shared") &&
               !ptx_token_is(lex, ".const") && !ptx_token_is(lex, ".local")) {
      return ptx_lexer_fail(lex, "'%.*s' is unknown in a function's parameter", SHOWN(lex->token));
    }
    if (!ptx_lexer_next(lex)) return false;
  }
  if (f->type == PTX_NO_TYPE || lex->token.kind != TOKEN_WORD)
    return ptx_lexer_fail(lex,
                          "a function's parameter is '.param .type name' or '.reg .type name'");
  f->name = lex->token.text;
  f->name_bytes = lex->token.bytes;
  if (f->type == PTX_PRED)
    return ptx_lexer_fail(lex, "predicates cannot be passed here: pass a .b32");
  if (!ptx_lexer_next(lex) || !ptx_token_accept(lex, "[", &f->array)) return false;
  f->bytes = ptx_type_bytes(f->type);
  if (f->align < f->bytes) f->align = f->bytes;
  if (!f->array) return true;
  if (lex->token.kind != TOKEN_INTEGER || lex->token.bits > PTX_PARAM_LIMIT)
    return ptx_lexer_fail(lex, "a parameter has at most %d bytes", PTX_PARAM_LIMIT);
  f->bytes *= (uint32_t)lex->token.bits;
  return ptx_lexer_next(lex) && ptx_token_expect(lex, "]");
}

/* A list in parentheses, or nothing. */
static bool parse_formals(ptx_lexer *lex, ptx_module *module, ptx_formal **kept, uint32_t *count) {
  ptx_formal *list = NULL;
  size_t n = 0, capacity = 0;
  bool more, fine = true;
  *count = 0;
  if (!ptx_token_is(lex, "(")) return true;
  if (!ptx_lexer_next(lex)) return false;
  for (more = !ptx_token_is(lex, ")"); more && fine; n++) {
    list = ptx_grow(list, sizeof *list, n, &capacity);
    fine = (n < PTX_MAX_ELEMENTS ||
            ptx_lexer_fail(lex, "a function has at most %d parameters", PTX_MAX_ELEMENTS)) &&
           ptx_parse_formal(lex, &list[n]) && ptx_token_accept(lex, ",", &more);
  }
  if (fine && n) {
    *kept = ptx_arena_small(&module->arena, n * sizeof **kept);
    memcpy(*kept, list, n * sizeof **kept);
    *count = (uint32_t)n;
  }
  free(list);
  return fine && ptx_token_expect(lex, ")");
}

/* Declared before, or new. */
static ptx_function *function_of(ptx_lexer *lex, ptx_module *m, ptx_symbols *symbols) {
  uint32_t index;
  const ptx_token t = lex->token;
  const ptx_symbol *s = ptx_symbols_find(symbols, t.text, t.bytes, &index);
  if (s && s->kind == PTX_SYMBOL_FUNCTION) return s->function;
  ptx_function *f = ptx_arena_small(&m->arena, sizeof *f);
  f->name = ptx_arena_text(&m->arena, t.text, t.bytes);
  f->number = (uint32_t)m->n_functions;
  if (s || !ptx_symbols_add(symbols, t.text, t.bytes,
                            (ptx_symbol){.kind = PTX_SYMBOL_FUNCTION, .function = f})) {
    ptx_lexer_fail(lex, "'%s' is declared twice", f->name);
    return NULL;
  }
  m->functions =
      ptx_grow(m->functions, sizeof *m->functions, m->n_functions, &m->function_capacity);
  m->functions[m->n_functions++] = f;
  return f;
}

bool ptx_parse_function(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols) {
  ptx_formal *result = NULL;
  uint32_t n_results;
  if (!parse_formals(lex, module, &result, &n_results)) return false;
  if (n_results > 1) return ptx_lexer_fail(lex, "a function has at most one result");
  if (lex->token.kind != TOKEN_WORD || lex->token.text[0] == '.')
    return ptx_lexer_fail(lex, "expected the function's name, found '%.*s'", SHOWN(lex->token));
  ptx_function *f = function_of(lex, module, symbols);
  if (!f) return false;
  const bool defined = f->defined;
  ptx_function header = *f;
  header.has_result = n_results > 0;
  if (result) header.result = *result;
  bool hint = true, semicolon;
  if (!ptx_lexer_next(lex) || !parse_formals(lex, module, &header.params, &header.n_params))
    return false;
  while (hint)
    if (!ptx_token_accept(lex, ".noreturn", &hint)) return false;
  header.defined = ptx_token_is(lex, "{");
  if (!header.defined) {
    if (!defined) *f = header;
    return ptx_token_accept(lex, ";", &semicolon); /* old compilers left it out */
  }
  if (defined) return ptx_lexer_fail(lex, "function '%s' is defined twice", f->name);
  header.body = *lex;
  *f = header;
  return ptx_lexer_skip_braces(lex);
}

/* ---- whose addresses are taken ---- */

/* A function that is named, except as the one that a call calls. */
bool ptx_note_addresses(const ptx_symbols *symbols, ptx_lexer lex) {
  size_t depth = 0;
  bool call = false, first = true, opened = false;
  while (depth || !opened) {
    const ptx_token t = lex.token;
    uint32_t index;
    if (t.kind == TOKEN_END) return true;
    if (ptx_token_is(&lex, "{")) depth++, opened = true;
    if (ptx_token_is(&lex, "}")) depth--;
    const bool word = t.kind == TOKEN_WORD && t.text[0] != '%' && t.text[0] != '.';
    if (word && first) call = t.bytes >= 4 && memcmp(t.text, "call", 4) == 0;
    if (word && !call) {
      const ptx_symbol *s = ptx_symbols_find(symbols, t.text, t.bytes, &index);
      if (s && s->kind == PTX_SYMBOL_FUNCTION) s->function->address_taken = true;
    }
    first = t.kind == TOKEN_PUNCTUATION && strchr(";{}:", t.text[0]);
    if (opened && !depth) break;
    if (!ptx_lexer_next(&lex)) return false;
  }
  return true;
}

/* ---- instances ---- */

ptx_instance *ptx_add_instance(ptx_build *b, ptx_function *function) {
  b->instances =
      ptx_grow(b->instances, sizeof *b->instances, b->n_instances, &b->instance_capacity);
  ptx_instance *i = &b->instances[b->n_instances++];
  *i = (ptx_instance){.function = function, .result = PTX_NO_REG, .align = 16};
  i->linked = ptx_arena_small(&b->module->arena, sizeof *i->linked);
  i->linked->name = function ? function->name : b->kernel->name;
  return i;
}

uint32_t ptx_instance_of(ptx_build *b, ptx_function *function) {
  ptx_instance_number *n;
  HASH_FIND(hh, b->numbers, &function->number, sizeof function->number, n);
  if (n) return n->instance;
  n = wf_calloc(1, sizeof *n);
  *n = (ptx_instance_number){.function = function->number, .instance = (uint32_t)b->n_instances};
  HASH_ADD(hh, b->numbers, function, sizeof n->function, n);
  ptx_add_instance(b, function);
  return n->instance;
}

/* A scalar is in a register; of an array the register holds where it is. */
static bool declare(ptx_build *b, const ptx_formal *f, uint32_t *vreg) {
  const bool wide = f->array || ptx_type_bytes(f->type) == 8;
  const ptx_type type = f->plain ? f->type : f->array ? PTX_U64 : wide ? PTX_B64 : PTX_B32;
  *vreg = ptx_new_vreg(b, type);
  b->vregs[*vreg].call = !f->array && !f->plain;
  if (f->name_bytes == 1 && f->name[0] == '_') return true;
  const ptx_symbol symbol = {.kind = PTX_SYMBOL_REG, .type = type, .number = *vreg};
  return ptx_symbols_add(b->symbols, f->name, f->name_bytes, symbol) ||
         ptx_lexer_fail(b->lex, "'%.*s' is declared twice", (int)f->name_bytes, f->name);
}

static bool declare_all(ptx_build *b, ptx_instance *i) {
  const ptx_function *f = i->function;
  const bool memory = f->has_result && f->result.array;
  i->n_params = f->n_params + memory;
  i->params = ptx_arena_small(&b->module->arena, (i->n_params + 1u) * sizeof *i->params);
  if (f->has_result && !declare(b, &f->result, memory ? &i->params[f->n_params] : &i->result))
    return false;
  for (uint32_t k = 0; k < f->n_params; k++)
    if (!declare(b, &f->params[k], &i->params[k])) return false;
  return true;
}

/* The one return, where all `ret` lead: a last one is this itself. */
static bool add_return(ptx_build *b, const ptx_instance *i, uint32_t root) {
  const uint32_t n = b->n;
  const bool last = n > i->first && b->targets[n - 1].name &&
                    b->targets[n - 1].name[0] == PTX_RETURN_LABEL[0] && !b->codes[n - 1].guarded;
  if (last) {
    b->n--;
    ptx_move_labels(b, root, n, b->n);
  }
  if (!ptx_define_label(b, PTX_RETURN_LABEL, strlen(PTX_RETURN_LABEL))) return false;
  ptx_code *c = ptx_append(b);
  ptx_inst *inst = &b->insts[b->n - 1];
  *c = (ptx_code){.run = ptx_return_handler(),
                  .text = "ret;",
                  .file = b->module->file,
                  .line = b->lex->token.line};
  *inst = (ptx_inst){.cls = PTX_CLASS_BRANCH, .custom_id = PTX_BRANCH_RETURN, .line = c->line};
  b->targets[b->n - 1] = (ptx_label_ref){0};
  if (i->result == PTX_NO_REG) return true;
  const bool wide = ptx_type_bytes((ptx_type)b->vregs[i->result].type) == 8;
  c->n_src = c->n_dst = 1;
  c->src[0] = (ptx_source){.kind = PTX_SOURCE_REG, .reg = i->result, .wide = wide};
  c->dst[0] = (ptx_dest){PTX_VREG_RESULT, wide ? 8 : 4};
  return true;
}

bool ptx_declare_registers(ptx_build *b) {
  ptx_lexer *outside = b->lex;
  bool fine = true;
  for (size_t k = 0; k < b->n_registers && fine; k++) {
    ptx_lexer lex = b->registers[k];
    b->lex = &lex;
    fine = ptx_parse_registers(b);
  }
  b->lex = outside;
  return fine;
}

bool ptx_parse_instance(ptx_build *b, uint32_t number) {
  const ptx_function *f = b->instances[number].function;
  ptx_lexer body = f->body, *outside = b->lex;
  b->lex = &body;
  b->current = number;
  b->carry = PTX_NO_REG;
  const uint32_t root = b->scope = b->n_scopes;
  ptx_symbols_open(b->symbols);
  ptx_instance i = b->instances[number];
  i.first = b->n;
  i.vreg_first = b->n_vregs;
  b->instances[number] = i;
  bool fine = declare_all(b, &i);
  b->instances[number].params = i.params;
  b->instances[number].n_params = i.n_params;
  b->instances[number].result = i.result;
  fine = fine && ptx_declare_registers(b) && ptx_parse_body(b) && add_return(b, &i, root) &&
         ptx_end_body(b);
  ptx_symbols_close(b->symbols);
  b->lex = outside;
  return fine;
}
