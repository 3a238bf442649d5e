#include "sim/acc/source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

#define obstack_chunk_alloc chunk
#define obstack_chunk_free free

enum { MAX_SOURCE = 16 << 20 };

static void *chunk(size_t bytes) {
  return wf_calloc(1, bytes);
}

/* ---- texts and places ---- */

unsigned acc_line(const acc_source *s, unsigned at) {
  unsigned line = 1;
  for (unsigned i = 0; i < at && i < s->bytes; i++) line += s->text[i] == '\n';
  return line;
}

static unsigned column(const acc_source *s, unsigned at) {
  unsigned begin = at;
  while (begin && s->text[begin - 1] != '\n') begin--;
  return at - begin + 1;
}

bool acc_fail(const acc_source *s, unsigned at, wf_error *err, const char *format, ...) {
  char text[900];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u:%u: %s", s->path, acc_line(s, at), column(s, at),
                 text);
}

void acc_note(const acc_source *s, unsigned at, const char *format, ...) {
  va_list list;
  fprintf(stderr, "%s:%u:%u: note: ", s->path, acc_line(s, at), column(s, at));
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
}

void *acc_new(acc_source *s, size_t bytes) {
  void *new = obstack_alloc(&s->memory, (int)bytes);
  return memset(new, 0, bytes);
}

char *acc_slice(acc_source *s, unsigned begin, unsigned end) {
  char *new = acc_new(s, end - begin + 1);
  return memcpy(new, s->text + begin, end - begin);
}

char *acc_keep(acc_source *s, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  const int bytes = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *new = acc_new(s, (size_t)bytes + 1);
  vsnprintf(new, (size_t)bytes + 1, format, list);
  va_end(list);
  return new;
}

char *acc_take(acc_source *s, CXString text) {
  char *kept = acc_keep(s, "%s", clang_getCString(text) ? clang_getCString(text) : "");
  clang_disposeString(text);
  return kept;
}

unsigned acc_skip_blank(const acc_source *s, unsigned at) {
  for (;;) {
    const char *t = s->text + at;
    if (isspace((unsigned char)*t) || (*t == '\\' && (t[1] == '\n' || t[1] == '\r'))) {
      at++;
    } else if (t[0] == '/' && t[1] == '/') {
      at += (unsigned)strcspn(t, "\n");
    } else if (t[0] == '/' && t[1] == '*') {
      const char *close = strstr(t + 2, "*/");
      at = close ? (unsigned)(close + 2 - s->text) : s->bytes;
    } else {
      return at;
    }
  }
}

/* ---- the tree ---- */

typedef struct walk {
  acc_source *s;
  acc_node *parent;
} walk;

static unsigned offset_of(const acc_source *s, CXSourceLocation place, bool *here) {
  CXFile file;
  unsigned offset;
  clang_getFileLocation(place, &file, NULL, NULL, &offset);
  *here = file && clang_File_isEqual(file, s->file);
  return offset;
}

static enum CXChildVisitResult add_node(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  const walk *w = data;
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  bool begins, ends;
  acc_node n = {.kind = clang_getCursorKind(cursor), .cursor = cursor, .parent = w->parent};
  n.begin = offset_of(w->s, clang_getRangeStart(extent), &begins);
  n.end = offset_of(w->s, clang_getRangeEnd(extent), &ends);
  if (!begins || !ends) return CXChildVisit_Continue; /* of a header */
  acc_node *kept = acc_new(w->s, sizeof n);
  *kept = n;
  if (w->parent->last)
    w->parent->last->next = kept;
  else
    w->parent->first = kept;
  w->parent->last = kept;
  walk below = {w->s, kept};
  clang_visitChildren(cursor, add_node, &below);
  return CXChildVisit_Continue;
}

acc_node *acc_next_below(const acc_node *top, acc_node *n) {
  if (n->first) return n->first;
  while (n != top && !n->next) n = n->parent;
  return n == top ? NULL : n->next;
}

bool acc_inside(const acc_node *n, const acc_node *outer) {
  while (n && n != outer) n = n->parent;
  return n != NULL;
}

static acc_node *innermost_block(acc_source *s, unsigned at) {
  acc_node *found = &s->root;
  for (acc_node *n = &s->root; n; n = acc_next_below(&s->root, n))
    if (n->kind == CXCursor_CompoundStmt && n->begin < at && at < n->end) found = n;
  return found;
}

/* The first statement that begins behind a directive, in the same block. */
static acc_node *statement_after(acc_source *s, const acc_directive *d) {
  acc_node *found = NULL;
  acc_node *block = innermost_block(s, d->begin);
  for (acc_node *n = acc_next_below(block, block); n; n = acc_next_below(block, n))
    if (n->begin >= d->end && (!found || n->begin < found->begin)) found = n;
  return found;
}

const acc_directive *acc_directive_of(const acc_source *s, const acc_node *statement,
                                      acc_kind kind) {
  const acc_directive *found = NULL;
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    if (d->statement == statement && (kind == ACC_LOOP ? d->loop : d->kind == kind)) found = d;
  }
  return found;
}

/* An expression's cursor ends before its semicolon, and so does a statement that ends with one. */
unsigned acc_statement_end(const acc_source *s, const acc_node *statement) {
  if (statement->end && s->text[statement->end - 1] == ';') return statement->end;
  const acc_node *last = statement;
  while (last->last && last->kind != CXCursor_CompoundStmt) last = last->last;
  if (last->kind == CXCursor_CompoundStmt && last->end == statement->end) return statement->end;
  const unsigned at = acc_skip_blank(s, statement->end);
  return s->text[at] == ';' ? at + 1 : statement->end;
}

/* ---- names that stand for something ---- */

typedef struct wanted {
  acc_source *s;
  const char *name;
  const char *text;
  long long value;
  bool found;
} wanted;

static enum CXChildVisitResult find_name(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  wanted *w = data;
  const enum CXCursorKind kind = clang_getCursorKind(c);
  if (kind == CXCursor_EnumDecl) return CXChildVisit_Recurse;
  if (kind != CXCursor_MacroDefinition && kind != CXCursor_EnumConstantDecl)
    return CXChildVisit_Continue;
  if (strcmp(acc_take(w->s, clang_getCursorSpelling(c)), w->name) != 0)
    return CXChildVisit_Continue;
  w->found = true;
  if (kind == CXCursor_EnumConstantDecl) {
    w->value = clang_getEnumConstantDeclValue(c);
    return CXChildVisit_Continue;
  }
  CXToken *tokens;
  unsigned n;
  char *text = acc_keep(w->s, "%s", "");
  clang_tokenize(w->s->unit, clang_getCursorExtent(c), &tokens, &n);
  for (unsigned i = 1; i < n; i++)
    text =
        acc_keep(w->s, "%s%s", text, acc_take(w->s, clang_getTokenSpelling(w->s->unit, tokens[i])));
  clang_disposeTokens(w->s->unit, tokens, n);
  w->text = clang_Cursor_isMacroFunctionLike(c) ? NULL : text;
  return CXChildVisit_Continue;
}

static bool find(acc_source *s, const char *name, wanted *w) {
  *w = (wanted){.s = s, .name = name};
  clang_visitChildren(clang_getTranslationUnitCursor(s->unit), find_name, w);
  return w->found;
}

const char *acc_macro(acc_source *s, const char *name) {
  wanted w;
  return find(s, name, &w) ? w.text : NULL;
}

bool acc_number(acc_source *s, const char *text, long *value) {
  for (unsigned depth = 0; depth < 8; depth++) {
    char *end;
    wanted w;
    *value = strtol(text, &end, 0);
    if (end != text && !end[strspn(end, "uUlL")]) return true;
    while (*text == '(' && text[strlen(text) - 1] == ')')
      text = acc_keep(s, "%.*s", (int)strlen(text) - 2, text + 1);
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    if (!find(s, text, &w)) return false;
    *value = w.value;
    if (!w.text) return true;
    text = w.text;
  }
  return false;
}

/* ---- reading ---- */

static bool parsed(acc_source *s, wf_error *err) {
  for (unsigned i = 0, n = clang_getNumDiagnostics(s->unit); i < n; i++) {
    CXDiagnostic d = clang_getDiagnostic(s->unit, i);
    if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
      const char *text = acc_take(s, clang_formatDiagnostic(d, CXDiagnostic_DisplaySourceLocation |
                                                                   CXDiagnostic_DisplayColumn));
      clang_disposeDiagnostic(d);
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", text);
    }
    clang_disposeDiagnostic(d);
  }
  return true;
}

static bool is_token(acc_source *s, CXToken token, const char *text) {
  CXString spelling = clang_getTokenSpelling(s->unit, token);
  const bool same = !strcmp(clang_getCString(spelling), text);
  clang_disposeString(spelling);
  return same;
}

static bool skipped(acc_source *s, unsigned at) {
  CXSourceRangeList *list = clang_getSkippedRanges(s->unit, s->file);
  bool found = false;
  for (unsigned i = 0; list && i < list->count; i++) {
    bool here;
    found |= offset_of(s, clang_getRangeStart(list->ranges[i]), &here) <= at &&
             at < offset_of(s, clang_getRangeEnd(list->ranges[i]), &here);
  }
  clang_disposeSourceRangeList(list);
  return found;
}

void acc_source_add(acc_source *s, const acc_directive *d) {
  s->directives = wf_realloc(s->directives, s->n_directives + 1, sizeof *s->directives);
  s->directives[s->n_directives++] = *d;
}

/* The end of a line of the preprocessor, with its continuations. */
static unsigned line_end(const acc_source *s, unsigned at) {
  while (at < s->bytes && s->text[at] != '\n')
    at += s->text[at] == '\\' && s->text[at + 1] == '\n' ? 2 : 1;
  return at;
}

static bool add_directive(acc_source *s, unsigned at, wf_error *err) {
  acc_directive d = {.begin = at, .end = line_end(s, at)};
  if (!acc_directive_read(s, &d, err)) return false;
  const bool owns = d.loop || d.kind == ACC_PARALLEL || d.kind == ACC_KERNELS ||
                    d.kind == ACC_SERIAL || d.kind == ACC_DATA || d.kind == ACC_HOST_DATA ||
                    d.kind == ACC_ATOMIC || d.kind == ACC_CACHE || d.kind == ACC_FCW;
  d.statement = owns ? statement_after(s, &d) : NULL;
  if (owns && !d.statement)
    return acc_fail(s, at, err, "no statement follows '%s' in its block", acc_kind_name(d.kind));
  if (d.loop && d.statement->kind != CXCursor_ForStmt)
    return acc_fail(s, at, err, "'loop' is followed by a for loop");
  acc_source_add(s, &d);
  return true;
}

/* Those of the program's own headers are not translated. */
typedef struct headers {
  acc_source *s;
  wf_error *err;
  bool ok;
} headers;

static void look_into(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
  headers *h = data;
  size_t bytes;
  const char *text = clang_getFileContents(h->s->unit, file, &bytes);
  if (!depth || !h->ok || !text || clang_Location_isInSystemHeader(stack[0]) ||
      clang_Location_isInSystemHeader(
          clang_getLocationForOffset(h->s->unit, file, bytes ? (unsigned)bytes - 1 : 0)))
    return;
  unsigned line = 1;
  for (const char *at = text; (size_t)(at - text) < bytes; line++) {
    const char *end = memchr(at, '\n', bytes - (size_t)(at - text));
    if (!end) end = text + bytes;
    while (at < end && isspace((unsigned char)*at)) at++;
    if (end - at > 11 && !strncmp(at, "#pragma acc", 11))
      h->ok = wf_fail(h->err, WF_EXIT_BAD_INPUT,
                      "%s:%u:1: directives of included files are not taken; move the function into "
                      "%s",
                      acc_take(h->s, clang_getFileName(file)), line, h->s->path);
    if (!h->ok) return;
    at = end + 1;
  }
}

static bool none_included(acc_source *s, wf_error *err) {
  headers h = {s, err, true};
  clang_getInclusions(s->unit, look_into, &h);
  return h.ok;
}

static bool find_directives(acc_source *s, wf_error *err) {
  const CXSourceRange all = clang_getRange(clang_getLocationForOffset(s->unit, s->file, 0),
                                           clang_getLocationForOffset(s->unit, s->file, s->bytes));
  CXToken *tokens;
  unsigned n;
  bool ok = true;
  clang_tokenize(s->unit, all, &tokens, &n);
  for (unsigned i = 0; ok && i + 2 < n; i++) {
    if (!is_token(s, tokens[i], "#") || !is_token(s, tokens[i + 1], "pragma") ||
        !is_token(s, tokens[i + 2], "acc"))
      continue;
    bool here;
    const unsigned at = offset_of(s, clang_getTokenLocation(s->unit, tokens[i]), &here);
    if (!skipped(s, at)) ok = add_directive(s, at, err);
  }
  clang_disposeTokens(s->unit, tokens, n);
  return ok;
}

bool acc_source_open(acc_source *s, const char *path, const char *const *flags, unsigned n_flags,
                     wf_error *err) {
  memset(s, 0, sizeof *s);
  s->path = path;
  s->flags = flags;
  s->n_flags = n_flags;
  obstack_init(&s->memory);
  size_t bytes;
  s->text = wf_file_read(path, MAX_SOURCE, &bytes, err);
  if (!s->text) return false;
  s->bytes = (unsigned)bytes;
  s->index = clang_createIndex(0, 0);
  if (clang_parseTranslationUnit2(s->index, path, flags, (int)n_flags, NULL, 0,
                                  CXTranslationUnit_DetailedPreprocessingRecord, &s->unit))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: libclang can't read it as C", path);
  s->file = clang_getFile(s->unit, path);
  if (!parsed(s, err)) return false;
  s->root.end = s->bytes;
  walk top = {s, &s->root};
  clang_visitChildren(clang_getTranslationUnitCursor(s->unit), add_node, &top);
  return none_included(s, err) && find_directives(s, err);
}

void acc_source_close(acc_source *s) {
  if (s->unit) clang_disposeTranslationUnit(s->unit);
  if (s->index) clang_disposeIndex(s->index);
  free(s->directives);
  free(s->text);
  obstack_free(&s->memory, NULL);
}
