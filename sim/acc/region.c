#include "sim/acc/region.h"

#include <string.h>

/* ---- which loops run in parallel ---- */

static bool marked(const acc_source *s, const acc_node *loop, acc_clause_kind kind) {
  const acc_directive *d = acc_directive_of(s, loop, ACC_LOOP);
  return d && acc_clause_find(d, kind);
}

bool acc_is_vector_loop(const acc_source *s, const acc_node *loop) {
  return loop->kind == CXCursor_ForStmt &&
         (marked(s, loop, ACC_VECTOR) || marked(s, loop, ACC_WORKER)) && !marked(s, loop, ACC_SEQ);
}

/* In a kernels region nobody promises that iterations are independent, unless a clause does. */
static bool runs_parallel(acc_source *s, const acc_directive *region, acc_kernel *k,
                          const acc_loop *loop) {
  const acc_directive *d = acc_directive_of(s, loop->statement, ACC_LOOP);
  if (region->kind == ACC_SERIAL || (d && acc_clause_find(d, ACC_SEQ))) return false;
  if (d && acc_clause_find(d, ACC_INDEPENDENT)) return true;
  if (d && region->kind == ACC_PARALLEL && !acc_clause_find(d, ACC_AUTO)) return true;
  if (!d && region->kind == ACC_PARALLEL) return false;
  const char *why;
  if (acc_independent(s, loop, &why)) return k->guessed = true;
  acc_note(s, loop->statement->begin,
           "the loop runs on one thread, since %s; `loop independent` "
           "says that its iterations are",
           why);
  return false;
}

static bool collapse_of(acc_source *s, const acc_directive *d, unsigned *n, wf_error *err) {
  const acc_clause *c = d ? acc_clause_find(d, ACC_COLLAPSE) : NULL;
  *n = 1;
  if (!c) return true;
  long count;
  if (!acc_number(s, c->text, &count) || count < 1 || count > ACC_MAX_LOOPS)
    return acc_fail(s, c->at, err, "collapse(%s): 1 to %d loops are collapsed", c->text,
                    ACC_MAX_LOOPS);
  *n = (unsigned)count;
  return true;
}

/* The loop that is all of the body of the innermost so far, if its count is known outside. */
static bool inner_loop(acc_source *s, const acc_kernel *k, acc_loop *inner) {
  acc_node *n = acc_only_statement(k->loops[k->n_loops - 1].body);
  wf_error ignored;
  return n && n->kind == CXCursor_ForStmt && acc_loop_read(s, n, inner, &ignored) &&
         !acc_header_depends(s, inner, k->statement);
}

static bool add_inner_loops(acc_source *s, const acc_directive *region, acc_kernel *k,
                            wf_error *err) {
  unsigned due;
  acc_loop inner;
  if (!collapse_of(s, acc_directive_of(s, k->statement, ACC_LOOP), &due, err)) return false;
  while (k->n_loops < ACC_MAX_LOOPS && inner_loop(s, k, &inner)) {
    if (k->n_loops >= due) {
      const acc_directive *d = acc_directive_of(s, inner.statement, ACC_LOOP);
      unsigned more;
      if ((!d && region->kind == ACC_PARALLEL) || !runs_parallel(s, region, k, &inner)) break;
      if (!collapse_of(s, d, &more, err)) return false;
      due = k->n_loops + more;
    }
    k->loops[k->n_loops++] = inner;
  }
  if (k->n_loops >= due) return true;
  return acc_fail(s, k->statement->begin, err,
                  "collapse: not so many loops lie directly in each other with counts known "
                  "before the first");
}

/* ---- the shape of the launch ---- */

static bool has_vector_loop(acc_source *s, acc_node *body) {
  for (acc_node *n = body; n; n = acc_next_below(body, n))
    if (acc_is_vector_loop(s, n)) return true;
  return false;
}

static const char *length_of(const acc_directive *d, acc_clause_kind kind) {
  const acc_clause *c = d ? acc_clause_find(d, kind) : NULL;
  return c ? c->text : NULL;
}

/* An iteration of a gang loop is a block where vector loops share it out; elsewhere a row of
 * threads, since blocks of one thread would leave a warp's other lanes idle. */
static void set_block(acc_source *s, const acc_directive *region, acc_kernel *k) {
  static const char *const usual[][ACC_MAX_LOOPS] = {
      {"1", "1", "1"}, {"256", "1", "1"}, {"16", "16", "1"}, {"8", "8", "4"}};
  memcpy(k->block, usual[k->n_loops], sizeof k->block);
  if (!k->n_loops) return;
  k->by_block = has_vector_loop(s, k->loops[k->n_loops - 1].body);
  if (k->by_block) memcpy(k->block, usual[1], sizeof k->block);
  const char *asked = length_of(region, ACC_VECTOR_LENGTH);
  if (asked) k->block[0] = asked;
  for (unsigned i = 0; i < k->n_loops && !k->by_block; i++) {
    const acc_directive *d = acc_directive_of(s, k->loops[k->n_loops - 1 - i].statement, ACC_LOOP);
    const char *vector = length_of(d, ACC_VECTOR), *worker = length_of(d, ACC_WORKER);
    const bool only_gang = d && acc_clause_find(d, ACC_GANG) && !acc_clause_find(d, ACC_WORKER) &&
                           !acc_clause_find(d, ACC_VECTOR);
    if (vector || worker)
      k->block[i] = vector ? vector : worker;
    else if (only_gang && k->n_loops > 1 && i)
      k->block[i] = "1";
  }
  if (k->by_block)
    for (acc_node *b = k->loops[0].body, *n = b; n; n = acc_next_below(b, n))
      if (acc_is_vector_loop(s, n) && marked(s, n, ACC_VECTOR) &&
          length_of(acc_directive_of(s, n, ACC_LOOP), ACC_VECTOR))
        k->block[0] = length_of(acc_directive_of(s, n, ACC_LOOP), ACC_VECTOR);
}

/* ---- the region ---- */

static bool add_kernel(acc_source *s, acc_region *r, acc_node *statement, wf_error *err) {
  acc_kernel *list = acc_new(s, (r->n_kernels + 1) * sizeof *list), *k = &list[r->n_kernels];
  if (r->n_kernels) memcpy(list, r->kernels, r->n_kernels * sizeof *list);
  r->kernels = list;
  k->statement = statement;
  k->name = acc_keep(s, "acc_%s_%u%s", acc_take(s, clang_getCursorSpelling(r->function->cursor)),
                     acc_line(s, r->directive->begin),
                     r->n_kernels ? acc_keep(s, "_%u", r->n_kernels + 1) : "");
  r->n_kernels++;
  acc_loop loop;
  wf_error plain;
  const bool asked = acc_directive_of(s, statement, ACC_LOOP) != NULL;
  if (statement->kind == CXCursor_ForStmt) {
    if (!acc_loop_read(s, statement, &loop, asked ? err : &plain)) {
      if (asked) return false;
    } else if (runs_parallel(s, r->directive, k, &loop)) {
      k->loops[k->n_loops++] = loop;
      if (!add_inner_loops(s, r->directive, k, err)) return false;
    }
  }
  set_block(s, r->directive, k);
  return acc_variables_read(s, r->directive, k, err);
}

static acc_node *function_of(acc_node *n) {
  while (n && n->kind != CXCursor_FunctionDecl) n = n->parent;
  return n;
}

static bool none_within(acc_source *s, const acc_region *r, wf_error *err) {
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    const bool computes =
        d->kind == ACC_PARALLEL || d->kind == ACC_KERNELS || d->kind == ACC_SERIAL;
    if (computes && d->begin > r->begin && d->begin < r->end)
      return acc_fail(s, d->begin, err, "'%s' stands inside of a compute region; write loop",
                      acc_kind_name(d->kind));
  }
  return true;
}

bool acc_region_read(acc_source *s, const acc_directive *d, acc_region *r, wf_error *err) {
  *r = (acc_region){.directive = d, .begin = d->begin, .function = function_of(d->statement)};
  r->end = acc_statement_end(s, d->statement);
  if (!none_within(s, r, err)) return false;
  if (d->loop || d->statement->kind != CXCursor_CompoundStmt)
    return add_kernel(s, r, d->statement, err);
  for (acc_node *n = d->statement->first; n; n = n->next) {
    if (n->kind == CXCursor_NullStmt) continue;
    if (n->kind == CXCursor_DeclStmt)
      return acc_fail(s, n->begin, err,
                      "a variable between the loops of a region would be shared by all; declare it "
                      "before the region, or in a loop");
    if (!add_kernel(s, r, n, err)) return false;
  }
  return true;
}
