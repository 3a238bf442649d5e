/* Reads what `verilator --xml-only` says of the elaborated design: ports and parameters of the top
 * module, parameter checks that fired, and how clocks are used. One streaming pass (expat). */
#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "sim/base/wf_alloc.h"
#include "sim/model/gen/wfgen.h"

typedef struct name_set {
  UT_hash_handle hh;
  char name[];
} name_set;

static void set_add(name_set **set, const char *name) {
  name_set *entry = NULL;
  size_t length = strlen(name);
  HASH_FIND(hh, *set, name, length, entry);
  if (entry) return;
  entry = wf_calloc(1, sizeof *entry + length + 1);
  memcpy(entry->name, name, length);
  HASH_ADD_KEYPTR(hh, *set, entry->name, length, entry);
}

static bool set_has(name_set *set, const char *name) {
  name_set *entry = NULL;
  HASH_FIND(hh, set, name, strlen(name), entry);
  return entry != NULL;
}

static void set_free(name_set **set) {
  name_set *entry, *next;
  HASH_ITER(hh, *set, entry, next) {
    HASH_DEL(*set, entry);
    free(entry);
  }
}

/* A data type by its id; `left` and `right` only where it is a plain vector. */
typedef struct type {
  UT_hash_handle hh;
  int id, other; /* other: the type it stands for, or -1 */
  uint32_t width;
  bool plain, is_signed;
} type;

/* A variable of the top module that is a port or a parameter; its type is resolved at the end. */
typedef struct variable {
  char *name, *constant;
  int type;
  bool is_port, is_output;
} variable;

typedef struct reader {
  XML_Parser parser;
  wfgen_list path; /* names of the open elements */
  char *top;       /* the top module's name in the netlist */
  bool in_top;
  variable *variables;
  size_t variable_count;
  type *types;
  name_set *rising, *falling, *as_data;
  bool odd_edge;
  char edge[8], *message, *refusal;
} reader;

static const char *attribute(const char **attributes, const char *name) {
  for (; attributes[0]; attributes += 2)
    if (strcmp(attributes[0], name) == 0) return attributes[1];
  return NULL;
}

static const char *ancestor(const reader *r, size_t up) {
  return up <= r->path.count ? r->path.items[r->path.count - up] : "";
}

static void on_type(reader *r, const char *element, const char **attributes) {
  const char *id = attribute(attributes, "id"), *other = attribute(attributes, "sub_dtype_id");
  const char *left = attribute(attributes, "left"), *right = attribute(attributes, "right");
  if (!id) return;
  type *t = wf_calloc(1, sizeof *t);
  t->id = atoi(id);
  t->other = other ? atoi(other) : -1;
  t->plain = strcmp(element, "basicdtype") == 0;
  t->is_signed = attribute(attributes, "signed") != NULL;
  t->width = left && right ? (uint32_t)abs(atoi(left) - atoi(right)) + 1 : 1;
  if (strcmp(element, "refdtype") != 0 && strcmp(element, "enumdtype") != 0) t->other = -1;
  HASH_ADD_INT(r->types, id, t);
}

static void on_variable(reader *r, const char **attributes) {
  const char *direction = attribute(attributes, "dir"), *id = attribute(attributes, "dtype_id");
  bool parameter = attribute(attributes, "param") || attribute(attributes, "localparam");
  if (!direction && !parameter) return;
  r->variables = wf_realloc(r->variables, r->variable_count + 1, sizeof *r->variables);
  r->variables[r->variable_count++] = (variable){
      .name = wf_strdup(attribute(attributes, "origName") ? attribute(attributes, "origName")
                                                          : attribute(attributes, "name")),
      .type = id ? atoi(id) : -1,
      .is_port = direction != NULL,
      .is_output = direction && strcmp(direction, "input") != 0,
  };
}

static void on_reference(reader *r, const char *name) {
  const char *parent = ancestor(r, 1);
  if (strcmp(parent, "senitem") == 0) {
    if (strcmp(r->edge, "POS") == 0)
      set_add(&r->rising, name);
    else if (strcmp(r->edge, "NEG") == 0)
      set_add(&r->falling, name);
    else
      r->odd_edge = true;
  } else if (strcmp(parent, "port") != 0) {
    set_add(&r->as_data, name);
  }
}

/* A parameter check that fired is an initial block that stops without any condition left. */
static void on_stop(reader *r) {
  size_t up = 1;
  while (strcmp(ancestor(r, up), "begin") == 0) up++;
  if (strcmp(ancestor(r, up), "initial") == 0 && !r->refusal)
    r->refusal = wf_strdup(r->message ? r->message : "stopped by an initial block");
}

static void on_start(void *context, const char *element, const char **attributes) {
  reader *r = context;
  const char *name = attribute(attributes, "name"), *parent = ancestor(r, 1);
  if (strcmp(element, "cell") == 0 && strcmp(parent, "cells") == 0 && !r->top)
    r->top = wf_strdup(attribute(attributes, "submodname"));
  else if (strcmp(element, "module") == 0)
    r->in_top = name && r->top && strcmp(name, r->top) == 0;
  else if (strcmp(parent, "typetable") == 0)
    on_type(r, element, attributes);
  else if (strcmp(element, "var") == 0 && strcmp(parent, "module") == 0 && r->in_top)
    on_variable(r, attributes);
  else if (strcmp(element, "const") == 0 && strcmp(parent, "var") == 0 && r->in_top &&
           strcmp(ancestor(r, 2), "module") == 0 && r->variable_count) {
    variable *v = &r->variables[r->variable_count - 1];
    if (!v->is_port && !v->constant) v->constant = wf_strdup(name);
  } else if (strcmp(element, "senitem") == 0) {
    const char *edge = attribute(attributes, "edgeType");
    snprintf(r->edge, sizeof r->edge, "%s", edge ? edge : "");
  } else if (strcmp(element, "varref") == 0)
    on_reference(r, name);
  else if (strcmp(element, "sformatf") == 0) {
    free(r->message);
    r->message = wf_strdup(name);
  } else if (strcmp(element, "stop") == 0)
    on_stop(r);
  wfgen_list_add(&r->path, element);
}

static void on_end(void *context, const char *element) {
  reader *r = context;
  (void)element;
  free(r->path.items[--r->path.count]);
}

static const type *resolve(const reader *r, int id) {
  type *t = NULL;
  for (int hops = 0; hops < 16; hops++) {
    HASH_FIND_INT(r->types, &id, t);
    if (!t || t->other < 0) return t;
    id = t->other;
  }
  return NULL;
}

/* "32'h1f", "8'sb101", "6'd3". False for strings, reals and what exceeds 64 bits. */
static bool constant_value(const char *text, bool is_signed, int64_t *value) {
  const char *quote = text ? strchr(text, '\'') : NULL;
  if (!quote) return false;
  long width = strtol(text, NULL, 10);
  const char *digits = quote + 1;
  if (*digits == 's') digits++;
  int base = *digits == 'h' ? 16 : *digits == 'b' ? 2 : *digits == 'o' ? 8 : 10;
  char *end;
  errno = 0;
  uint64_t bits = strtoull(digits + 1, &end, base);
  if (errno || *end || width < 1 || width > 64) return false;
  if (is_signed && width < 64 && (bits >> (width - 1) & 1)) bits |= UINT64_MAX << width;
  *value = (int64_t)bits;
  return true;
}

static bool take_port(const reader *r, wfgen_top *top, variable *v, wf_error *err) {
  const type *t = resolve(r, v->type);
  if (!t || !t->plain)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "port %s of %s is not a plain vector: declare it as logic [N-1:0], flattened",
                   v->name, r->top);
  top->ports = wf_realloc(top->ports, top->port_count + 1, sizeof *top->ports);
  top->ports[top->port_count++] = (wfgen_port){wf_strdup(v->name), t->width, v->is_output};
  return true;
}

static bool take_variables(const reader *r, wfgen_top *top, wf_error *err) {
  for (size_t i = 0; i < r->variable_count; i++) {
    variable *v = &r->variables[i];
    if (v->is_port) {
      if (!take_port(r, top, v, err)) return false;
      continue;
    }
    const type *t = resolve(r, v->type);
    int64_t value;
    if (!constant_value(v->constant, t && t->is_signed, &value)) continue;
    top->parameters =
        wf_realloc(top->parameters, top->parameter_count + 1, sizeof *top->parameters);
    top->parameters[top->parameter_count++] = (wfgen_parameter){wf_strdup(v->name), value};
  }
  return true;
}

/* True if every clock is used at its rising edge only: then falling edges need no evaluation. A
 * name that looks like a reset may have a falling edge. */
static bool rising_only(const reader *r, const wfgen_unit *unit) {
  if (r->odd_edge) return false;
  for (const name_set *s = r->falling; s; s = s->hh.next)
    if (set_has(r->rising, s->name) || (!strstr(s->name, "rst") && !strstr(s->name, "reset")))
      return false;
  for (const name_set *s = r->rising; s; s = s->hh.next)
    if (strcmp(s->name, unit->reset) != 0 && set_has(r->as_data, s->name)) return false;
  return true;
}

/* "[%0t] %%Error: a.v:12: Assertion failed in %m: text\n" -> "a.v:12: text". */
static bool refused(const reader *r, wf_error *err) {
  char text[900];
  const char *from = strstr(r->refusal, "%%Error: ");
  from = from ? from + strlen("%%Error: ") : r->refusal;
  size_t n = 0;
  while (*from && *from != '\n' && n + 1 < sizeof text) {
    static const char noise[] = "Assertion failed in %m: ";
    if (strncmp(from, noise, sizeof noise - 1) == 0)
      from += sizeof noise - 1;
    else if (from[0] == '%' && from[1] == '%')
      from++;
    else
      text[n++] = *from++;
  }
  text[n] = 0;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "the RTL refuses these parameters: %s", text);
}

static bool parse(reader *r, const char *path, wf_error *err) {
  FILE *file = fopen(path, "rb");
  if (!file) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, on_start, on_end);
  bool ok = true, last = false;
  while (ok && !last) {
    char *buffer = XML_GetBuffer(r->parser, 1 << 16);
    size_t bytes = buffer ? fread(buffer, 1, 1 << 16, file) : 0;
    last = bytes < (1 << 16);
    if (!buffer || XML_ParseBuffer(r->parser, (int)bytes, last) == XML_STATUS_ERROR)
      ok = wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%lu: %s", path,
                   (unsigned long)XML_GetCurrentLineNumber(r->parser),
                   XML_ErrorString(XML_GetErrorCode(r->parser)));
  }
  fclose(file);
  return ok;
}

static void reader_free(reader *r) {
  XML_ParserFree(r->parser);
  wfgen_list_free(&r->path);
  for (size_t i = 0; i < r->variable_count; i++) {
    free(r->variables[i].name);
    free(r->variables[i].constant);
  }
  free(r->variables);
  type *t, *next;
  HASH_ITER(hh, r->types, t, next) {
    HASH_DEL(r->types, t);
    free(t);
  }
  set_free(&r->rising);
  set_free(&r->falling);
  set_free(&r->as_data);
  free(r->top);
  free(r->message);
  free(r->refusal);
}

bool wfgen_top_read(wfgen_top *top, const char *xml_path, const wfgen_unit *unit, wf_error *err) {
  *top = (wfgen_top){0};
  reader r = {.parser = XML_ParserCreate(NULL)};
  bool ok = parse(&r, xml_path, err);
  if (ok && r.refusal) ok = refused(&r, err);
  if (ok) ok = take_variables(&r, top, err);
  if (ok && !top->port_count)
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the top module %s has no ports", xml_path, unit->top);
  if (ok) top->single_edge = rising_only(&r, unit);
  reader_free(&r);
  return ok;
}

void wfgen_top_free(wfgen_top *top) {
  for (size_t i = 0; i < top->port_count; i++) free(top->ports[i].name);
  for (size_t i = 0; i < top->parameter_count; i++) free(top->parameters[i].name);
  free(top->ports);
  free(top->parameters);
  *top = (wfgen_top){0};
}
