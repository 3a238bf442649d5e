/* What kernels need from the file besides themselves. Headers of the system are left to CUDA's. */
#include <ctype.h>
#include <string.h>

#include "sim/acc/kernel.h"

/* ---- macros and types, as they stand ---- */

static bool of_program(CXCursor c) {
  const CXSourceLocation at = clang_getCursorLocation(c);
  CXFile file;
  clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
  return file && !clang_Location_isInSystemHeader(at);
}

/* The text of a cursor in any file of the program. */
static char *text_of(acc_source *s, CXCursor c) {
  const CXSourceRange extent = clang_getCursorExtent(c);
  CXFile file;
  unsigned begin, end;
  size_t bytes;
  clang_getExpansionLocation(clang_getRangeStart(extent), &file, NULL, NULL, &begin);
  clang_getExpansionLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &end);
  const char *all = clang_getFileContents(s->unit, file, &bytes);
  return all && end <= bytes ? acc_keep(s, "%.*s", (int)(end - begin), all + begin) : NULL;
}

typedef struct writer {
  acc_source *s;
  FILE *out;
} writer;

/* A typedef writes the structure in it, and so does a variable's declaration not. */
static bool in_typedef(acc_source *s, CXCursor c) {
  CXFile file;
  unsigned begin;
  size_t bytes;
  clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(c)), &file, NULL, NULL,
                             &begin);
  const char *all = clang_getFileContents(s->unit, file, &bytes);
  while (all && begin && isspace((unsigned char)all[begin - 1])) begin--;
  return all && begin >= 7 && !strncmp(all + begin - 7, "typedef", 7);
}

static bool is_type(acc_source *s, CXCursor c) {
  const enum CXCursorKind kind = clang_getCursorKind(c);
  if (kind == CXCursor_TypedefDecl) return true;
  if (!clang_isCursorDefinition(c) || in_typedef(s, c)) return false;
  return kind == CXCursor_EnumDecl ||
         ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) &&
          *acc_take(s, clang_getCursorSpelling(c)));
}

static enum CXChildVisitResult write_declaration(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  const writer *w = data;
  if (!of_program(c)) return CXChildVisit_Continue;
  const char *text = text_of(w->s, c);
  if (!text) return CXChildVisit_Continue;
  if (clang_getCursorKind(c) == CXCursor_MacroDefinition)
    fprintf(w->out, "#undef %s\n#define %s\n", acc_take(w->s, clang_getCursorSpelling(c)), text);
  else if (is_type(w->s, c))
    fprintf(w->out, "%s;\n", text);
  return CXChildVisit_Continue;
}

/* ---- functions that kernels call ---- */

enum { MAX_CALLS = 32 };

typedef struct functions {
  acc_source *s;
  CXCursor *list; /* definitions, callees before their callers */
  CXCursor *constants;
  unsigned n, n_constants;
  unsigned depth, at; /* at: the call in the region */
  wf_error *err;
  bool ok;
} functions;

static bool on_device(const char *name) {
  static const char *const known[] = {
      "abs",  "labs",  "fabs",   "fabsf",  "sqrt",   "sqrtf",  "rsqrt", "rsqrtf", "exp",
      "expf", "exp2",  "exp2f",  "log",    "logf",   "log2",   "log2f", "log10",  "log10f",
      "sin",  "sinf",  "cos",    "cosf",   "tan",    "tanf",   "tanh",  "tanhf",  "pow",
      "powf", "floor", "floorf", "ceil",   "ceilf",  "fmax",   "fmaxf", "fmin",   "fminf",
      "fmod", "fmodf", "round",  "roundf", "trunc",  "truncf", "cbrt",  "cbrtf",  "erf",
      "erff", "atan",  "atanf",  "atan2",  "atan2f", "asin",   "asinf", "acos",   "acosf",
      "sinh", "sinhf", "cosh",   "coshf",  "hypot",  "hypotf", "fma",   "fmaf",   "printf"};
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
    if (!strcmp(known[i], name)) return true;
  return false;
}

static void add_function(functions *f, CXCursor call, unsigned at);

/* Variables of the file that functions name: constants go with them. */
static void add_variable(functions *f, CXCursor use) {
  const CXCursor v = clang_getCursorReferenced(use);
  if (clang_getCursorKind(v) != CXCursor_VarDecl ||
      clang_getCursorKind(clang_getCursorSemanticParent(v)) != CXCursor_TranslationUnit)
    return;
  for (unsigned i = 0; i < f->n_constants; i++)
    if (clang_equalCursors(f->constants[i], v)) return;
  CXType type = clang_getCanonicalType(clang_getCursorType(v));
  while (type.kind == CXType_ConstantArray)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  const char *text = text_of(f->s, v);
  if (!clang_isConstQualifiedType(type) || !text || !strchr(text, '=') || !of_program(v)) {
    f->ok =
        acc_fail(f->s, f->at, f->err,
                 "a function that is called here uses '%s', a variable outside of it that is no "
                 "constant; pass it as an argument",
                 acc_take(f->s, clang_getCursorSpelling(v)));
    return;
  }
  CXCursor *list = acc_new(f->s, (f->n_constants + 1) * sizeof *list);
  if (f->n_constants) memcpy(list, f->constants, f->n_constants * sizeof *list);
  list[f->n_constants++] = v;
  f->constants = list;
}

static enum CXChildVisitResult visit_call(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  functions *f = data;
  if (clang_getCursorKind(c) == CXCursor_CallExpr) add_function(f, c, f->at);
  if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) add_variable(f, c);
  return f->ok ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static void add_function(functions *f, CXCursor call, unsigned at) {
  const CXCursor callee = clang_getCursorReferenced(call);
  const char *name = acc_take(f->s, clang_getCursorSpelling(callee));
  const CXCursor body = clang_getCursorDefinition(callee);
  if (clang_getCursorKind(callee) != CXCursor_FunctionDecl) {
    f->ok = acc_fail(f->s, at, f->err, "a call by pointer in a compute region");
    return;
  }
  if (on_device(name) || !strncmp(name, "__builtin_", 10)) return;
  if (clang_Cursor_isNull(body) || !of_program(body)) {
    f->ok = acc_fail(f->s, at, f->err,
                     "'%s' is called in a compute region, and its body is "
                     "neither in this file nor known on the device",
                     name);
    return;
  }
  for (unsigned i = 0; i < f->n; i++)
    if (clang_equalCursors(f->list[i], body)) return;
  if (f->depth == MAX_CALLS) {
    f->ok = acc_fail(f->s, at, f->err, "'%s' calls itself, or more than %d functions in each other",
                     name, MAX_CALLS);
    return;
  }
  f->depth++;
  f->at = at;
  clang_visitChildren(body, visit_call, f);
  f->depth--;
  if (!f->ok) return;
  CXCursor *list = acc_new(f->s, (f->n + 1) * sizeof *list);
  if (f->n) memcpy(list, f->list, f->n * sizeof *list);
  list[f->n++] = body;
  f->list = list;
}

static bool write_function(functions *f, CXCursor body, FILE *out) {
  acc_source *s = f->s;
  for (acc_node *n = s->root.first; n; n = n->next) {
    if (!clang_equalCursors(n->cursor, body)) continue;
    acc_edits edits = {0};
    if (!acc_thread_edits(s, NULL, n->begin, n->end, &edits, f->err)) return false;
    fprintf(out, "__device__ %s\n", acc_edited(s, &edits, n->begin, n->end));
    return true;
  }
  const char *text = text_of(s, body);
  if (text) fprintf(out, "__device__ %s\n", text);
  return text || acc_fail(s, 0, f->err, "a called function's text is not there");
}

bool acc_needs_write(acc_source *s, const acc_region *regions, unsigned n, FILE *out,
                     wf_error *err) {
  writer w = {s, out};
  clang_visitChildren(clang_getTranslationUnitCursor(s->unit), write_declaration, &w);
  functions f = {.s = s, .err = err, .ok = true};
  for (unsigned r = 0; r < n; r++) {
    acc_node *top = regions[r].directive->statement;
    for (acc_node *c = top; c && f.ok; c = acc_next_below(top, c))
      if (c->kind == CXCursor_CallExpr) add_function(&f, c->cursor, c->begin);
  }
  for (unsigned i = 0; f.ok && i < f.n_constants; i++)
    fprintf(out, "__device__ %s;\n", text_of(s, f.constants[i]));
  for (unsigned i = 0; f.ok && i < f.n; i++) f.ok = write_function(&f, f.list[i], out);
  return f.ok;
}
