/* Which part each variable of a kernel plays. */
#include <string.h>

#include "sim/acc/cache.h"

/* The clause of this kind that names the symbol: of the region, or of a loop in the statement.
 * `nest`: of the kernel's parallel loops only. */
static const acc_clause *clause_naming(acc_source *s, const acc_directive *region,
                                       const acc_kernel *k, const acc_symbol *symbol,
                                       acc_clause_kind kind, bool nest) {
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    bool counts = d == region || (!nest && d->loop && acc_inside(d->statement, k->statement));
    for (unsigned l = 0; l < k->n_loops; l++)
      counts |= k->loops[l].statement == d->statement && d->loop;
    for (unsigned c = 0; counts && c < d->n_clauses; c++)
      if (d->clauses[c].kind == kind && acc_clause_names(&d->clauses[c], symbol->name))
        return &d->clauses[c];
  }
  return NULL;
}

static bool is_index(const acc_kernel *k, const acc_symbol *symbol) {
  for (unsigned i = 0; i < k->n_loops; i++)
    if (acc_same(&k->loops[i].index, symbol)) return true;
  return false;
}

static bool array_role(acc_source *s, const acc_directive *d, acc_kernel *k, acc_variable *v,
                       acc_use use, bool element, wf_error *err) {
  const acc_symbol *symbol = &v->symbol;
  if (clause_naming(s, d, k, symbol, ACC_REDUCTION, false))
    return acc_fail(s, symbol->at, err, "reduction of '%s': only numbers are, no arrays",
                    symbol->name);
  if (clause_naming(s, d, k, symbol, ACC_PRIVATE, false)) {
    v->role = ACC_LOCAL;
    if (symbol->shape != ACC_ARRAY || !symbol->fixed)
      return acc_fail(s, symbol->at, err,
                      "private(%s): only an array with a number of elements "
                      "is private",
                      symbol->name);
    return true;
  }
  v->role = ACC_SHARED_ARRAY;
  v->raw = clause_naming(s, d, k, symbol, ACC_DEVICEPTR, false) != NULL;
  if (!element && use != ACC_READ)
    return acc_fail(s, symbol->at, err, "the region sets the pointer '%s' itself; do that outside",
                    symbol->name);
  return true;
}

/* A value that is set before it is read is each thread's own. */
static bool value_role(acc_source *s, const acc_directive *d, acc_kernel *k, acc_variable *v,
                       acc_use first, wf_error *err) {
  const acc_symbol *symbol = &v->symbol;
  const acc_clause *reduction = clause_naming(s, d, k, symbol, ACC_REDUCTION, true);
  if (reduction && k->n_loops) {
    v->role = ACC_REDUCED;
    v->operator= reduction->text;
    return symbol->shape == ACC_SCALAR ||
           acc_fail(s, symbol->at, err, "reduction of '%s': only numbers are", symbol->name);
  }
  if (clause_naming(s, d, k, symbol, ACC_PRIVATE, false) ||
      (first == ACC_WRITE && k->n_loops && !clause_naming(s, d, k, symbol, ACC_COPY, false) &&
       !clause_naming(s, d, k, symbol, ACC_COPYOUT, false))) {
    v->role = ACC_LOCAL;
    return true;
  }
  v->role = ACC_VALUE;
  return true;
}

static bool check_written(acc_source *s, acc_kernel *k, const acc_variable *v, wf_error *err) {
  if (v->role != ACC_VALUE || !v->written) return true;
  if (!k->n_loops)
    return acc_fail(s, v->symbol.at, err,
                    "'%s' is set outside of the region's parallel loops, and "
                    "would be lost; set it before or after the region",
                    v->symbol.name);
  return acc_fail(s, v->symbol.at, err,
                  "'%s' goes from one iteration to the next; say "
                  "reduction(+:%s), private(%s), or declare it in the loop",
                  v->symbol.name, v->symbol.name, v->symbol.name);
}

static acc_variable *known(acc_kernel *k, const acc_symbol *symbol) {
  for (unsigned i = 0; i < k->n_variables; i++)
    if (acc_same(&k->variables[i].symbol, symbol)) return &k->variables[i];
  return NULL;
}

static bool add_use(acc_source *s, const acc_directive *d, acc_kernel *k, acc_node *n,
                    const acc_symbol *symbol, wf_error *err) {
  acc_node *whole;
  const acc_use use = acc_use_of(s, n, &whole);
  acc_variable *v = known(k, symbol);
  if (v) {
    v->written |= use != ACC_READ;
    return true;
  }
  if (k->n_variables == ACC_MAX_VARIABLES)
    return acc_fail(s, n->begin, err, "the region names more than %d variables", ACC_MAX_VARIABLES);
  v = &k->variables[k->n_variables++];
  *v = (acc_variable){.symbol = *symbol, .written = use != ACC_READ};
  if (symbol->shape == ACC_NO_SHAPE)
    return acc_fail(s, n->begin, err,
                    "'%s' is of a type that is not moved to the device (%s); "
                    "numbers, structures of numbers, arrays and pointers to them are",
                    symbol->name,
                    acc_take(s, clang_getTypeSpelling(clang_getCursorType(symbol->declared))));
  if (is_index(k, symbol)) {
    v->role = ACC_INDEX;
    return true;
  }
  if (symbol->shape == ACC_POINTER || symbol->shape == ACC_ARRAY)
    return array_role(s, d, k, v, use, whole != n, err);
  return value_role(s, d, k, v, use, err);
}

/* Arrays of fcw directives, and whether iterations communicate by them. */
static void note_tiles(const acc_source *s, acc_kernel *k) {
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    bool fetches, channel, back;
    if (acc_clause_find(d, ACC_ATOMIC_CAPTURE) && acc_inside(d->statement, k->statement))
      k->captures = true; /* who comes first sees another value */
    if (!acc_inside(d->statement, k->statement)) continue;
    k->tiles |= d->kind == ACC_CACHE;
    if (d->kind != ACC_FCW && !(d->kind == ACC_CACHE && acc_cache_how.check)) continue;
    for (unsigned c = 0; c < d->n_clauses; c++) {
      const bool fcw = d->kind == ACC_FCW;
      if (fcw && !acc_fcw_type(&d->clauses[c], &fetches, &channel, &back)) continue;
      k->channels |= fcw && channel;
      for (unsigned v = 0; v < k->n_variables; v++)
        k->variables[v].bounded |= acc_clause_names(&d->clauses[c], k->variables[v].symbol.name);
    }
  }
}

/* A kernels region hands on what it sets, as no thread's own variable does. */
static bool stays_inside(acc_source *s, const acc_directive *d, acc_kernel *k,
                         const acc_variable *v, wf_error *err) {
  if (d->kind != ACC_KERNELS || v->role != ACC_LOCAL || v->symbol.shape == ACC_ARRAY ||
      clause_naming(s, d, k, &v->symbol, ACC_PRIVATE, false))
    return true;
  acc_node *function = k->statement;
  bool used = false;
  for (; function->kind != CXCursor_FunctionDecl; function = function->parent)
    if (function->kind == CXCursor_ForStmt || function->kind == CXCursor_WhileStmt ||
        function->kind == CXCursor_DoStmt)
      used |= function != k->statement && !acc_inside(function, k->statement) &&
              acc_needs_old(s, function, &v->symbol, function->begin, k->statement->begin);
  used |= acc_needs_old(s, function, &v->symbol, acc_statement_end(s, k->statement), function->end);
  return !used || acc_fail(s, v->symbol.at, err,
                           "'%s' is set in the loop and used behind it; an iteration has its own: "
                           "set it behind the loop, or say private(%s)",
                           v->symbol.name, v->symbol.name);
}

bool acc_variables_read(acc_source *s, const acc_directive *d, acc_kernel *k, wf_error *err) {
  const acc_node *top = k->statement;
  for (acc_node *n = k->statement; n; n = acc_next_below(top, n)) {
    acc_symbol symbol;
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->cursor) == CX_SC_Static)
      return acc_fail(s, n->begin, err,
                      "a static variable in a compute region would go from one iteration to the "
                      "next; declare it without static");
    if (!acc_symbol_of(s, n, &symbol) || acc_declared_in(s, &symbol, top->begin, top->end))
      continue;
    if (!add_use(s, d, k, n, &symbol, err)) return false;
  }
  note_tiles(s, k);
  for (unsigned i = 0; i < k->n_variables; i++)
    if (!check_written(s, k, &k->variables[i], err) ||
        !stays_inside(s, d, k, &k->variables[i], err))
      return false;
  return true;
}
