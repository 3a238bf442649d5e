/* Calls. Parameters and results of up to 64 bits are registers; the call hands them over, and takes
 * no time for that: their ld.param and st.param are moves already. Arrays are in local memory of
 * who calls, and their addresses are handed over. A call is two instructions: one that goes, and
 * one behind it that takes the result.
 *
 *   call.uni (r), function, (a, b);
 *   call (r), address, (a, b), prototype;
 */
#include <string.h>

#include "sim/ptx/decode.h"

bool ptx_in_function(const ptx_build *b) {
  return b->current > 0;
}

/* ---- .param variables ---- */

bool ptx_parse_call_param(ptx_build *b) {
  ptx_formal f;
  if (!ptx_parse_formal(b->lex, &f)) return false;
  ptx_symbol symbol = {.kind = PTX_SYMBOL_REG, .type = PTX_B32};
  if (f.array) {
    ptx_variable *v = ptx_arena_small(&b->module->arena, sizeof *v);
    *v = (ptx_variable){.name = ptx_arena_text(&b->module->arena, f.name, f.name_bytes),
                        .space = PTX_SPACE_LOCAL,
                        .align = f.align,
                        .bytes = f.bytes};
    if (!ptx_place_local(b, v)) return false;
    symbol = (ptx_symbol){.kind = PTX_SYMBOL_VARIABLE, .type = f.type, .variable = v};
  } else {
    if (ptx_type_bytes(f.type) == 8) symbol.type = PTX_B64;
    symbol.number = ptx_new_vreg(b, symbol.type);
    b->vregs[symbol.number].call = true;
  }
  if (!ptx_symbols_add(b->symbols, f.name, f.name_bytes, symbol))
    return ptx_lexer_fail(b->lex, "'%.*s' is declared twice",
                          (int)(f.name_bytes < 80 ? f.name_bytes : 80), f.name);
  return ptx_token_expect(b->lex, ";");
}

bool ptx_is_call_param(const ptx_decoder *d, ptx_space space, const ptx_arg *address) {
  return space == PTX_SPACE_PARAM && address->kind == PTX_ARG_ADDRESS &&
         address->reg != PTX_NO_REG && d->b->vregs[address->reg].call;
}

ptx_space ptx_param_space(const ptx_decoder *d, const ptx_arg *address) {
  if (address->kind != PTX_ARG_ADDRESS) return PTX_SPACE_PARAM;
  if (address->variable) return (ptx_space)address->variable->space;
  return ptx_in_function(d->b) ? PTX_SPACE_LOCAL : PTX_SPACE_PARAM;
}

/* As u, s or b of so many bits. */
static ptx_type whole(ptx_type type, bool is_signed) {
  switch (ptx_type_bytes(type)) {
  case 1:
    return is_signed ? PTX_S8 : PTX_U8;
  case 2:
    return is_signed ? PTX_S16 : PTX_U16;
  case 4:
    return is_signed ? PTX_S32 : PTX_U32;
  default:
    return is_signed ? PTX_S64 : PTX_U64;
  }
}

/* ld.param and st.param of such a variable: a move, or a conversion between widths. */
bool ptx_decode_call_param(ptx_decoder *d, const ptx_arg *to, const ptx_arg *from, ptx_type type) {
  ptx_arg ends[2] = {*to, *from};
  const bool load = from->kind == PTX_ARG_ADDRESS;
  if (type == PTX_NO_TYPE || type == PTX_PRED) return ptx_decode_fail(d, "needs a type, e.g. .b32");
  for (int k = 0; k < 2; k++) {
    if (ends[k].kind != PTX_ARG_ADDRESS) continue;
    if (ends[k].bits) return ptx_decode_fail(d, "a call's operand is read and written as a whole");
    ends[k].kind = PTX_ARG_REG;
    ends[k].whole = true;
  }
  const ptx_type variable = (ptx_type)d->b->vregs[ends[load].reg].type;
  const unsigned bytes = ptx_type_bytes(type), has = ptx_type_bytes(variable);
  if (bytes != has && bytes >= 4)
    return ptx_decode_fail(d, "the call's operand has %u bits: .b%u is needed", 8 * has, 8 * has);
  const unsigned reg = ends[!load].kind == PTX_ARG_REG ? ptx_type_bytes(ends[!load].type) : bytes;
  if (bytes == has && reg <= bytes)
    return ptx_dest_reg(d, &ends[0], type, false) && ptx_source_value(d, &ends[1], type, false) &&
           ptx_decoded(d, ptx_bits_handlers[PTX_BITS_MOV][type], PTX_CLASS_INT);
  const bool is_signed = ptx_type_kind(type) == 's';
  const ptx_type result = load ? ends[0].type : variable;
  d->code.type2 = (uint8_t)whole(type, is_signed);
  d->code.type = (uint8_t)whole(result, is_signed);
  return ptx_dest_reg(d, &ends[0], result, true) && ptx_source_value(d, &ends[1], type, true) &&
         ptx_decoded(d, ptx_cvt_handler(&d->code), PTX_CLASS_INT);
}

/* ---- ret ---- */

PTX_DECODER(ptx_decode_ret) {
  if (!ptx_in_function(d->b)) return ptx_decode_exit(d, op);
  d->inst.uniform = ptx_take(d, "uni") || !d->code.guarded;
  d->label = PTX_RETURN_LABEL;
  d->label_bytes = strlen(PTX_RETURN_LABEL);
  return ptx_need_args(d, 0, 0) && ptx_decoded(d, ptx_branch_handler(), PTX_CLASS_BRANCH);
}

/* ---- call ---- */

/* The parts of the statement. */
typedef struct parts {
  const ptx_arg *result; /* NULL: none */
  const ptx_arg *target;
  const ptx_arg *args;
  uint32_t n_args;
} parts;

static bool take_apart(ptx_decoder *d, parts *p) {
  const ptx_statement *s = d->s;
  const uint32_t at = s->n_args && s->args[0].kind == PTX_ARG_VECTOR;
  *p = (parts){0};
  if (s->n_args <= at || (at && s->args[0].count > 1) || s->n_args > at + 3)
    return ptx_decode_fail(d, "is written as call (result), function, (operands);");
  if (at && s->args[0].count) p->result = &s->elements[s->args[0].first];
  p->target = &s->args[at];
  if (s->n_args > at + 1 && s->args[at + 1].kind == PTX_ARG_VECTOR) {
    p->args = &s->elements[s->args[at + 1].first];
    p->n_args = s->args[at + 1].count;
  }
  return true;
}

/* A guarded call is jumped over. */
static uint32_t jump_over(ptx_decoder *d) {
  ptx_code code = {.run = ptx_branch_handler(),
                   .guarded = true,
                   .guard = d->code.guard,
                   .guard_invert = ~d->code.guard_invert};
  const ptx_inst inst = {.cls = PTX_CLASS_BRANCH};
  ptx_decode_extra(d, &code, &inst);
  d->code.guarded = false;
  return d->b->n - 1;
}

/* Operand k into the call's list. */
static bool hand_over(ptx_decoder *d, ptx_call *call, const ptx_arg *given, const ptx_formal *f) {
  ptx_arg arg = *given;
  ptx_type type = arg.kind == PTX_ARG_REG ? arg.type : PTX_U64;
  arg.whole = true;
  if (arg.kind == PTX_ARG_SYMBOL ? arg.variable->space != PTX_SPACE_LOCAL
                                 : arg.kind != PTX_ARG_REG && !f)
    return ptx_decode_fail(d, "is called with .param variables");
  if (f) {
    if ((arg.kind == PTX_ARG_SYMBOL) != f->array)
      return ptx_decode_fail(d, "'%.*s' is %s", (int)(f->name_bytes < 80 ? f->name_bytes : 80),
                             f->name, f->array ? "an array" : "no array");
    if (f->plain)
      type = f->type;
    else if (!f->array)
      type = f->bytes == 8 ? PTX_B64 : PTX_B32;
  }
  if (!ptx_source_value(d, &arg, type, false)) return false;
  call->args[call->n_args++] = d->code.src[--d->code.n_src];
  return true;
}

static bool hand_over_all(ptx_decoder *d, ptx_call *call, const parts *p, const ptx_function *f) {
  const bool memory =
      f ? f->has_result && f->result.array : p->result && p->result->kind == PTX_ARG_SYMBOL;
  if (f && f->n_params != p->n_args)
    return ptx_decode_fail(d, "%s takes %u operands, %u are given", f->name, f->n_params,
                           p->n_args);
  call->args = ptx_arena_small(&d->b->module->arena, (p->n_args + 1u) * sizeof *call->args);
  for (uint32_t k = 0; k < p->n_args; k++)
    if (!hand_over(d, call, &p->args[k], f ? &f->params[k] : NULL)) return false;
  if (!memory) return true;
  if (!p->result) return ptx_decode_fail(d, "needs a .param array for the result");
  return hand_over(d, call, p->result, f ? &f->result : NULL);
}

static bool take_result(ptx_decoder *d, const ptx_arg *result, const ptx_function *f) {
  d->code.run = ptx_called_handler();
  d->inst.cls = PTX_CLASS_INT;
  if (f && !f->has_result && result) return ptx_decode_fail(d, "%s has no result", f->name);
  if (!result || result->kind == PTX_ARG_SYMBOL) return true;
  if (result->kind != PTX_ARG_REG)
    return ptx_decode_fail(d, "the result must be a .param variable");
  const bool wide = ptx_type_bytes(result->type) == 8;
  if (f && (ptx_type_bytes(f->result.type) == 8) != wide)
    return ptx_decode_fail(d, "the result of %s has %u bits", f->name, wide ? 32 : 64);
  d->code.n_src = 1;
  d->code.src[0] = (ptx_source){.kind = PTX_SOURCE_REG, .reg = PTX_VREG_RESULT, .wide = wide};
  return ptx_dest_reg(d, result, result->type, false);
}

static bool call_it(ptx_decoder *d, const parts *p, ptx_function *f) {
  ptx_build *b = d->b;
  ptx_call *call = ptx_arena_small(&b->module->arena, sizeof *call);
  const uint32_t jump = d->code.guarded ? jump_over(d) : PTX_NO_REG;
  if (!hand_over_all(d, call, p, f)) return false;
  ptx_code code = {.run = ptx_call_handler(), .call = call, .op = PTX_CALL_ENTER};
  if (!f) {
    if (!ptx_source_value(d, p->target, PTX_U64, false)) return false;
    code.src[0] = d->code.src[0];
    code.n_src = 1;
    d->code.n_src = 0;
    b->by_address = true;
  }
  const ptx_inst inst = {
      .cls = PTX_CLASS_BRANCH, .custom_id = PTX_BRANCH_CALL, .target = PTX_NO_TARGET};
  ptx_decode_extra(d, &code, &inst);
  d->code.call = call;
  d->code.op = PTX_CALL_BACK;
  call->from_kernel = !ptx_in_function(b);
  call->caller = b->instances[b->current].linked;
  b->sites = ptx_grow(b->sites, sizeof *b->sites, b->n_sites, &b->site_capacity);
  b->sites[b->n_sites++] =
      (ptx_call_site){call, b->n - 1, b->current, f ? ptx_instance_of(b, f) : PTX_NO_REG};
  if (f) call->callee = b->instances[b->sites[b->n_sites - 1].callee].linked;
  if (jump != PTX_NO_REG) b->insts[jump].target = b->n + 1;
  return take_result(d, p->result, f);
}

/* One instruction, and no call. */
static bool call_runtime(ptx_decoder *d, const parts *p, const ptx_runtime_function *f) {
  if (p->n_args != f->n || (p->result && !f->result_bytes))
    return ptx_decode_fail(d, "%s takes %u operands%s", f->name, f->n,
                           f->result_bytes ? "" : " and has no result");
  if (p->result) {
    if (!ptx_dest_reg(d, p->result, f->result_bytes == 8 ? PTX_B64 : PTX_B32, false)) return false;
  }
  for (uint32_t k = 0; k < f->n; k++) {
    ptx_arg arg = p->args[k];
    arg.whole = true;
    if (!ptx_source_value(d, &arg, f->types[k], false)) return false;
  }
  d->b->kernel->heap |= f->heap;
  return ptx_decoded(d, f->run, PTX_CLASS_INT);
}

static bool is_named(const ptx_arg *target, const char *name) {
  if (target->kind == PTX_ARG_FUNCTION) return strcmp(target->function->name, name) == 0;
  return target->kind == PTX_ARG_NAME && target->bytes == strlen(name) &&
         memcmp(target->name, name, target->bytes) == 0;
}

PTX_DECODER(ptx_decode_call) {
  parts p;
  (void)op;
  ptx_take(d, "uni");
  for (unsigned k = 0; k < d->n_mods; k++)
    if (d->mods[k]) return ptx_decode_fail(d, "only .uni is known behind call");
  if (!take_apart(d, &p)) return false;
  if (p.target->kind == PTX_ARG_REG) return call_it(d, &p, NULL);
  ptx_function *f = p.target->kind == PTX_ARG_FUNCTION ? p.target->function : NULL;
  if (f && f->defined) return call_it(d, &p, f);
  if (is_named(p.target, "cudaGetParameterBuffer"))
    return ptx_decode_get_buffer(d, p.result, p.args, p.n_args);
  if (!f) return ptx_decode_fail(d, "calls a function that is not declared");
  if (ptx_runtime_find(f->name)) return call_runtime(d, &p, ptx_runtime_find(f->name));
  return ptx_decode_fail(d, "'%s' is declared, but not defined in this module: link it in",
                         f->name);
}
