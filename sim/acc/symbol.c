#include "sim/acc/symbol.h"

#include <ctype.h>
#include <string.h>

/* ---- types ---- */

static char *unqualified(acc_source *s, CXType type) {
  char *text = acc_take(s, clang_getTypeSpelling(type));
  for (const char *const words[] = {"const ", "volatile ", NULL}, *const *w = words; *w; w++)
    while (!strncmp(text, *w, strlen(*w))) text += strlen(*w);
  return text;
}

static bool is_array(CXType type) {
  return type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray ||
         type.kind == CXType_IncompleteArray;
}

/* The n-th [...] of a type's spelling: an extent that is an expression is nowhere else. */
static char *bracket(acc_source *s, const char *spelling, unsigned n) {
  const char *open = spelling;
  for (unsigned i = 0; open && i <= n; i++) open = strchr(open + (i != 0), '[');
  if (!open) return NULL;
  const char *close = open;
  unsigned depth = 0;
  do depth += *close == '[' ? 1u : 0u, depth -= *close == ']';
  while (depth && *++close);
  return acc_keep(s, "%.*s", (int)(close - open - 1), open + 1);
}

/* An address of the host means nothing on the device, whose long double is another as well. */
static bool host_only(CXType type);

static enum CXVisitorResult find_host_only(CXCursor field, CXClientData found) {
  *(bool *)found |= host_only(clang_getCursorType(field));
  return *(bool *)found ? CXVisit_Break : CXVisit_Continue;
}

static bool host_only(CXType type) {
  bool found = false;
  type = clang_getCanonicalType(type);
  while (is_array(type)) type = clang_getCanonicalType(clang_getArrayElementType(type));
  if (type.kind == CXType_Complex) return host_only(clang_getElementType(type));
  if (type.kind == CXType_Record) clang_Type_visitFields(type, find_host_only, &found);
  return found || type.kind == CXType_Pointer || type.kind == CXType_LongDouble ||
         type.kind == CXType_Float128 || type.kind == CXType_Int128 || type.kind == CXType_UInt128;
}

typedef struct layout {
  char *text; /* a letter a byte (wf_acc_kind) */
  long at, bytes;
} layout;

static void lay_out(CXType type, const layout *l);

static enum CXVisitorResult lay_field(CXCursor field, CXClientData data) {
  layout l = *(const layout *)data;
  const long long bit = clang_Cursor_getOffsetOfField(field);
  if (bit < 0) return CXVisit_Continue;
  l.at += (long)(bit / 8);
  if (clang_Cursor_isBitField(field))
    for (long i = 0; i <= clang_getFieldDeclBitWidth(field) / 8 && l.at + i < l.bytes; i++)
      l.text[l.at + i] = '.';
  else
    lay_out(clang_getCursorType(field), &l);
  return CXVisit_Continue;
}

static void lay_out(CXType type, const layout *l) {
  type = clang_getCanonicalType(type);
  const long bytes = (long)clang_Type_getSizeOf(type);
  const bool parts = type.kind == CXType_ConstantArray || type.kind == CXType_Complex;
  const CXType part =
      type.kind == CXType_Complex ? clang_getElementType(type) : clang_getArrayElementType(type);
  if (bytes <= 0 || l->at + bytes > l->bytes) return;
  if (type.kind == CXType_Record) {
    clang_Type_visitFields(type, lay_field, (void *)l);
  } else if (parts) {
    const long each = (long)clang_Type_getSizeOf(clang_getCanonicalType(part));
    for (long i = 0; each > 0 && i + each <= bytes; i += each)
      lay_out(part, &(layout){l->text, l->at + i, l->bytes});
  } else if (type.kind == CXType_Float || type.kind == CXType_Double) {
    l->text[l->at] = type.kind == CXType_Float ? 'f' : 'd';
  } else {
    memset(l->text + l->at, '.', (size_t)bytes);
  }
}

/* Members of a union lie over each other: it is compared bit by bit. */
static const char *layout_of(acc_source *s, CXType type) {
  const long bytes = (long)clang_Type_getSizeOf(type);
  if (bytes <= 0 || bytes > 4096) return ".";
  layout l = {acc_new(s, (size_t)bytes + 1), 0, bytes};
  const bool united = clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl;
  memset(l.text, united ? '.' : ' ', (size_t)bytes);
  if (!united) lay_out(type, &l);
  return l.text;
}

static void add_extents(acc_source *s, acc_symbol *symbol, CXType type) {
  const char *spelling = acc_take(s, clang_getTypeSpelling(type));
  for (unsigned i = 0; is_array(type) && symbol->n_dims < ACC_MAX_DIMS; i++) {
    symbol->fixed &= type.kind == CXType_ConstantArray || symbol->n_dims == 0;
    symbol->dims[symbol->n_dims++] = bracket(s, spelling, i);
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  }
  symbol->type = unqualified(s, type);
  symbol->layout = layout_of(s, type);
  symbol->integer =
      (type.kind >= CXType_Bool && type.kind <= CXType_LongLong) || type.kind == CXType_Enum;
  if (is_array(type) || type.kind == CXType_Void || host_only(type)) symbol->shape = ACC_NO_SHAPE;
}

static void describe(acc_source *s, acc_symbol *symbol) {
  const CXType declared = clang_getCursorType(symbol->declared);
  CXType type = clang_getCanonicalType(declared);
  symbol->restricted = clang_isRestrictQualifiedType(type);
  symbol->fixed = true;
  if (type.kind == CXType_Pointer) {
    symbol->shape = ACC_POINTER;
    symbol->n_dims = 1;
    type = clang_getCanonicalType(clang_getPointeeType(type));
  } else {
    const bool parameter = clang_getCursorKind(symbol->declared) == CXCursor_ParmDecl;
    symbol->shape = is_array(type) && parameter                                  ? ACC_POINTER
                    : is_array(type)                                             ? ACC_ARRAY
                    : type.kind == CXType_Record                                 ? ACC_RECORD
                    : type.kind <= CXType_LongDouble || type.kind == CXType_Enum ? ACC_SCALAR
                                                                                 : ACC_NO_SHAPE;
  }
  add_extents(s, symbol, type);
  if (symbol->shape == ACC_POINTER) symbol->dims[0] = NULL; /* of a parameter, only said */
}

static const char *extents(acc_source *s, const acc_symbol *symbol, unsigned from) {
  const char *text = "";
  for (unsigned i = from; i < symbol->n_dims; i++)
    text = acc_keep(s, "%s[%s]", text, symbol->dims[i] ? symbol->dims[i] : "");
  return text;
}

char *acc_pointer_text(acc_source *s, const acc_symbol *symbol, const char *name) {
  if (symbol->n_dims < 2) return acc_keep(s, "%s *%s", symbol->type, name);
  return acc_keep(s, "%s (*%s)%s", symbol->type, name, extents(s, symbol, 1));
}

char *acc_object_text(acc_source *s, const acc_symbol *symbol, const char *name) {
  return acc_keep(s, "%s %s%s", symbol->type, name, extents(s, symbol, 0));
}

/* ---- names ---- */

static bool is_variable(CXCursor c) {
  const enum CXCursorKind kind = clang_getCursorKind(c);
  return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

static void set_symbol(acc_source *s, CXCursor declared, unsigned at, acc_symbol *symbol) {
  memset(symbol, 0, sizeof *symbol);
  symbol->declared = declared;
  symbol->at = at;
  symbol->name = acc_take(s, clang_getCursorSpelling(declared));
  describe(s, symbol);
}

bool acc_symbol_of(acc_source *s, const acc_node *n, acc_symbol *symbol) {
  if (n->kind != CXCursor_DeclRefExpr) return false;
  const CXCursor declared = clang_getCursorReferenced(n->cursor);
  if (!is_variable(declared)) return false;
  set_symbol(s, declared, n->begin, symbol);
  return true;
}

/* The part of the program in which a declaration is seen: the nearest block or loop around it, or,
 * of a parameter, its function. */
static const acc_node *scope_of(const acc_node *n) {
  const acc_node *p = n->parent;
  while (p->parent && p->kind != CXCursor_CompoundStmt && p->kind != CXCursor_ForStmt &&
         p->kind != CXCursor_FunctionDecl)
    p = p->parent;
  return p;
}

bool acc_symbol_named(acc_source *s, const char *name, unsigned at, acc_symbol *symbol,
                      wf_error *err) {
  const acc_node *found = NULL;
  for (acc_node *n = &s->root; n; n = acc_next_below(&s->root, n)) {
    if (n->begin > at || !is_variable(n->cursor)) continue;
    const acc_node *scope = scope_of(n);
    if (scope->parent && (at < scope->begin || at >= scope->end)) continue;
    CXString spelling = clang_getCursorSpelling(n->cursor);
    if (!strcmp(clang_getCString(spelling), name)) found = n;
    clang_disposeString(spelling);
  }
  if (!found)
    return acc_fail(s, at, err, "'%s' is no variable of this file that is declared here", name);
  set_symbol(s, found->cursor, at, symbol);
  return true;
}

bool acc_same(const acc_symbol *a, const acc_symbol *b) {
  return clang_equalCursors(clang_getCanonicalCursor(a->declared),
                            clang_getCanonicalCursor(b->declared));
}

bool acc_declared_in(const acc_source *s, const acc_symbol *symbol, unsigned begin, unsigned end) {
  CXFile file;
  unsigned at;
  clang_getExpansionLocation(clang_getCursorLocation(symbol->declared), &file, NULL, NULL, &at);
  return file && clang_File_isEqual(file, s->file) && begin <= at && at < end;
}

/* ---- uses ---- */

static const char *trimmed(acc_source *s, unsigned begin, unsigned end) {
  begin = acc_skip_blank(s, begin);
  while (end > begin && isspace((unsigned char)s->text[end - 1])) end--;
  return acc_slice(s, begin, end < begin ? begin : end);
}

const char *acc_operator(acc_source *s, const acc_node *n) {
  if (!n->first) return "";
  if (n->first->next) {
    /* Brackets of the operands may stand between. */
    unsigned end = acc_skip_blank(s, n->first->end);
    while (strchr("=!<>+-*/%&|^?", s->text[end]) && s->text[end] && end < n->first->next->begin)
      end++;
    return trimmed(s, n->first->end, end);
  }
  if (n->begin < n->first->begin) return trimmed(s, n->begin, n->first->begin);
  return trimmed(s, n->first->end, n->end);
}

static bool is_address(const acc_node *n) {
  const CXType type = clang_getCanonicalType(clang_getCursorType(n->cursor));
  return type.kind == CXType_Pointer || is_array(type);
}

static bool transparent(acc_source *s, const acc_node *n, const acc_node *child) {
  switch ((int)n->kind) {
  case CXCursor_BinaryOperator: /* *(a + i) */
    return is_address(child) &&
           (!strcmp(acc_operator(s, n), "+") || !strcmp(acc_operator(s, n), "-"));
  case CXCursor_ParenExpr:
  case CXCursor_UnexposedExpr:
    return true;
  case CXCursor_ArraySubscriptExpr:
    return n->first == child || is_address(child); /* i[a] */
  case CXCursor_MemberRefExpr:
    return n->first == child;
  case CXCursor_UnaryOperator:
    return acc_operator(s, n)[0] == '*';
  default:
    return false;
  }
}

acc_node *acc_bare(acc_node *n) {
  while (n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr)) n = n->first;
  return n;
}

acc_node *acc_element_of(acc_source *s, acc_node *n) {
  acc_node *found = n;
  for (; n->parent && transparent(s, n->parent, n); n = n->parent)
    if (n->parent->kind == CXCursor_ArraySubscriptExpr) found = n->parent;
  return found;
}

acc_use acc_use_of(acc_source *s, acc_node *n, acc_node **whole) {
  while (n->parent && transparent(s, n->parent, n)) n = n->parent;
  *whole = n;
  const acc_node *p = n->parent;
  if (!p) return ACC_READ;
  if (p->kind == CXCursor_CompoundAssignOperator) return p->first == n ? ACC_READ_WRITE : ACC_READ;
  if (p->kind == CXCursor_BinaryOperator && p->first == n)
    return !strcmp(acc_operator(s, p), "=") ? ACC_WRITE : ACC_READ;
  if (p->kind == CXCursor_UnaryOperator) {
    const char *sign = acc_operator(s, p);
    if (!strcmp(sign, "++") || !strcmp(sign, "--")) return ACC_READ_WRITE;
    if (!strcmp(sign, "&")) return ACC_ESCAPES;
  }
  return ACC_READ;
}

bool acc_needs_old(acc_source *s, acc_node *top, const acc_symbol *symbol, unsigned begin,
                   unsigned end) {
  for (acc_node *n = top; n; n = acc_next_below(top, n)) {
    acc_symbol other;
    acc_node *whole;
    if (n->begin < begin || n->begin >= end || !acc_symbol_of(s, n, &other) ||
        !acc_same(&other, symbol))
      continue;
    return acc_use_of(s, n, &whole) != ACC_WRITE;
  }
  return false;
}
