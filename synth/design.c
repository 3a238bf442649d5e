#include "synth/design.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"

enum { LIMIT_BYTES = 1 << 30 };

static const char *text_of(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

/* Yosys writes numbers as strings of 0 and 1. */
static int64_t binary(const char *text) {
  uint64_t value = 0;
  size_t n = strlen(text), used = n > 64 ? 64 : n;
  if (n == 32 && text[0] == '1') value = ~UINT64_C(0) << 32; /* a negative integer parameter */
  for (size_t i = n - used; i < n; i++) value = value << 1 | (text[i] == '1');
  return n == 32 && text[0] == '1' ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

static int64_t number_of(const cJSON *object, const char *key, int64_t otherwise) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (cJSON_IsNumber(item)) return (int64_t)item->valuedouble;
  return cJSON_IsString(item) ? binary(item->valuestring) : otherwise;
}

/* The name of a net without what is between brackets, so that an array's elements share it. */
static char *without_indexes(const char *name) {
  char *out = wf_calloc(strlen(name) + 1, 1), *to = out;
  for (int inside = 0; *name; name++) {
    if (*name == '[' && !inside++) *to++ = '[';
    if (*name == ']' && inside && !--inside)
      *to++ = ']';
    else if (!inside)
      *to++ = *name;
  }
  size_t n = strlen(out);
  if (n >= 2 && strcmp(out + n - 2, "[]") == 0) out[n - 2] = 0;
  return out;
}

static void add_bits(design_module *m, const char *net, long bits, bool memory) {
  char *array = without_indexes(net);
  for (size_t i = 0; i < m->bank_count; i++) {
    if (strcmp(m->banks[i].array, array) != 0) continue;
    m->banks[i].bits += bits;
    free(array);
    return;
  }
  m->banks = wf_realloc(m->banks, m->bank_count + 1, sizeof *m->banks);
  m->banks[m->bank_count++] = (design_bank){array, bits, memory};
}

/* By the library's rules: name_q, name_q[3]. */
static bool is_register(const char *net) {
  for (const char *at = strstr(net, "_q"); at; at = strstr(at + 1, "_q"))
    if (!at[2] || (at[2] == '[' && !strchr(at, '.'))) return true;
  return false;
}

/* names[bit] for every bit of the module: of a register the source names (*_q), else of another net
 * it names, else of a port. */
static const char **names_of_bits(const cJSON *module, size_t *limit) {
  const cJSON *nets = cJSON_GetObjectItemCaseSensitive(module, "netnames"), *net, *bit;
  *limit = 0;
  cJSON_ArrayForEach(net, nets) cJSON_ArrayForEach(
      bit, cJSON_GetObjectItemCaseSensitive(
               net, "bits")) if (cJSON_IsNumber(bit) && (size_t)bit->valuedouble >= *limit) *limit =
      (size_t)bit->valuedouble + 1;
  const char **names = wf_calloc(*limit + 1, sizeof *names);
  const cJSON *ports = cJSON_GetObjectItemCaseSensitive(module, "ports");
  for (int pass = 0; pass < 4; pass++) {
    cJSON_ArrayForEach(net, nets) {
      bool hidden = number_of(net, "hide_name", 0) != 0;
      bool port = cJSON_GetObjectItemCaseSensitive(ports, net->string) != NULL;
      if ((hidden ? 3 : port ? 2 : is_register(net->string) ? 0 : 1) != pass) continue;
      cJSON_ArrayForEach(
          bit, cJSON_GetObjectItemCaseSensitive(net, "bits")) if (cJSON_IsNumber(bit) &&
                                                                  !names[(size_t)bit->valuedouble])
          names[(size_t)bit->valuedouble] = net->string;
    }
  }
  return names;
}

static bool is_flop(const char *type) {
  return strncmp(type, "$dff", 4) == 0 || strncmp(type, "$adff", 5) == 0 ||
         strncmp(type, "$sdff", 5) == 0 || strncmp(type, "$aldff", 6) == 0 ||
         strcmp(type, "$ff") == 0;
}

static void add_flop(design_module *m, const cJSON *cell, const char *const *names, size_t limit) {
  const cJSON *q = cJSON_GetObjectItemCaseSensitive(
                  cJSON_GetObjectItemCaseSensitive(cell, "connections"), "Q"),
              *bit;
  const char *name = NULL;
  long run = 0;
  cJSON_ArrayForEach(bit, q) {
    size_t id = cJSON_IsNumber(bit) ? (size_t)bit->valuedouble : limit;
    const char *own = id < limit && names[id] ? names[id] : cell->string;
    m->flop_bits++;
    if (name && own != name) {
      add_bits(m, name, run, false);
      run = 0;
    }
    name = own;
    run++;
  }
  if (name) add_bits(m, name, run, false);
}

static void add_ram(design_module *m, const char *instance, const cJSON *parameters) {
  int width = (int)number_of(parameters, "Width", 32),
      depth = (int)number_of(parameters, "Depth", 64);
  m->rams = wf_realloc(m->rams, m->ram_count + 1, sizeof *m->rams);
  m->rams[m->ram_count++] = (design_ram){wf_strdup(instance), width, depth,
                                         (int)number_of(parameters, "PartBits", width)};
}

static size_t find(const design *d, const char *yosys_name) {
  size_t i = 0;
  while (i < d->count && strcmp(d->modules[i].yosys_name, yosys_name) != 0) i++;
  return i;
}

static void add_cell(design *d, design_module *m, const cJSON *cell, const char *const *names,
                     size_t limit) {
  const char *type = text_of(cell, "type");
  const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(cell, "parameters");
  if (strcmp(type, DESIGN_RAM_MODULE) == 0) {
    add_ram(m, cell->string, parameters);
  } else if (is_flop(type)) {
    add_flop(m, cell, names, limit);
  } else if (strncmp(type, "$mem", 4) == 0) {
    const char *id = text_of(parameters, "MEMID");
    long bits = (long)(number_of(parameters, "SIZE", 0) * number_of(parameters, "WIDTH", 0));
    m->flop_bits += bits;
    add_bits(m, *id == '\\' ? id + 1 : id, bits, true);
  } else if (strstr(type, "dlatch") || strcmp(type, "$sr") == 0) {
    m->latch_bits += number_of(parameters, "WIDTH", 1);
  } else if (type[0] != '$' || strncmp(type, "$paramod", 8) == 0) {
    size_t child = find(d, type);
    if (child == d->count) return;
    m->children = wf_realloc(m->children, m->child_count + 1, sizeof *m->children);
    m->children[m->child_count++] = (design_child){wf_strdup(cell->string), child};
  }
}

static void read_module(design *d, design_module *m, const cJSON *module) {
  const cJSON *value, *cell;
  size_t limit;
  cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(module, "parameter_default_values")) {
    if (!cJSON_IsString(value)) continue;
    m->parameters = wf_realloc(m->parameters, m->parameter_count + 1, sizeof *m->parameters);
    spec_parameter *p = &m->parameters[m->parameter_count++];
    snprintf(p->name, sizeof p->name, "%s", value->string);
    p->value = binary(value->valuestring);
  }
  const char **names = names_of_bits(module, &limit);
  cJSON_ArrayForEach(cell, cJSON_GetObjectItemCaseSensitive(module, "cells"))
      add_cell(d, m, cell, names, limit);
  free(names);
}

static void name_module(design_module *m, const cJSON *module) {
  const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(module, "attributes");
  const char *name = text_of(attributes, "hdlname");
  if (!*name) name = m->yosys_name;
  m->name = wf_strdup(*name == '\\' ? name + 1 : name);
  m->source = wf_strdup(text_of(attributes, "src"));
}

/* Marks what the top uses and gives unique names in the order of the walk. */
static void walk(design *d, size_t at) {
  design_module *m = &d->modules[at];
  int same = 0;
  char unique[512];
  if (m->used) return;
  m->used = true;
  for (size_t i = 0; i < d->count; i++)
    same += d->modules[i].short_name && strcmp(d->modules[i].name, m->name) == 0;
  if (same)
    snprintf(unique, sizeof unique, "%s__%d", m->name, same + 1);
  else
    snprintf(unique, sizeof unique, "%s", m->name);
  m->short_name = wf_strdup(unique);
  for (size_t i = 0; i < m->child_count; i++) walk(d, m->children[i].module);
}

static bool read_modules(design *d, const cJSON *modules, const char *path, wf_error *err) {
  const cJSON *module;
  size_t i = 0, tops = 0;
  cJSON_ArrayForEach(module, modules) d->count++;
  d->modules = wf_calloc(d->count + 1, sizeof *d->modules);
  cJSON_ArrayForEach(module, modules) {
    design_module *m = &d->modules[i];
    m->yosys_name = wf_strdup(module->string);
    name_module(m, module);
    if (number_of(cJSON_GetObjectItemCaseSensitive(module, "attributes"), "top", 0))
      d->top = i, tops++;
    i++;
  }
  i = 0;
  cJSON_ArrayForEach(module, modules) read_module(d, &d->modules[i++], module);
  if (tops != 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %zu top modules; one is needed", path, tops);
  walk(d, d->top);
  return true;
}

bool design_read(design *d, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, LIMIT_BYTES, &bytes, err);
  *d = (design){0};
  if (!text) return false;
  cJSON *json = cJSON_Parse(text);
  free(text);
  const cJSON *modules = cJSON_GetObjectItemCaseSensitive(json, "modules");
  bool ok = cJSON_IsObject(modules)
                ? read_modules(d, modules, path, err)
                : wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no Yosys JSON netlist", path);
  cJSON_Delete(json);
  if (!ok) design_free(d);
  return ok;
}

void design_free(design *d) {
  for (size_t i = 0; i < d->count; i++) {
    design_module *m = &d->modules[i];
    free(m->yosys_name), free(m->name), free(m->short_name), free(m->source), free(m->parameters);
    for (size_t j = 0; j < m->ram_count; j++) free(m->rams[j].instance);
    for (size_t j = 0; j < m->child_count; j++) free(m->children[j].instance);
    for (size_t j = 0; j < m->bank_count; j++) free(m->banks[j].array);
    free(m->rams), free(m->children), free(m->banks);
  }
  free(d->modules);
  *d = (design){0};
}
