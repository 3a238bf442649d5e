/* Writes the two generated files of a model: tables for the C++ shim, typed accessors for C. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/model/gen/wfgen.h"

static uint32_t storage_bytes(uint32_t width) {
  return width <= 8    ? 1
         : width <= 16 ? 2
         : width <= 32 ? 4
         : width <= 64 ? 8
                       : (width + 31) / 32 * 4;
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* FNV-1a over name, width and direction of each port, in order. */
static uint64_t signature(const wfgen_unit *unit, const wfgen_top *top) {
  uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), unit->name, strlen(unit->name) + 1);
  for (size_t i = 0; i < top->port_count; i++) {
    const wfgen_port *p = &top->ports[i];
    hash = mix(hash, p->name, strlen(p->name) + 1);
    hash = mix(hash, &p->width, sizeof p->width);
    hash = mix(hash, &p->is_output, 1);
  }
  return hash;
}

static int port_index(const wfgen_top *top, const char *name) {
  for (size_t i = 0; name && i < top->port_count; i++)
    if (strcmp(top->ports[i].name, name) == 0) return (int)i;
  return -1;
}

/* A port that unit.ini names must be there, one bit wide unless `wide`. */
static bool check_role(const wfgen_unit *unit, const wfgen_top *top, const char *role,
                       const char *name, bool output, bool wide, wf_error *err) {
  if (!name) return true;
  int index = port_index(top, name);
  if (index < 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s/unit.ini: %s = %s: %s has no such port",
                   unit->folder, role, name, unit->top);
  const wfgen_port *p = &top->ports[index];
  if (p->is_output != output || (!wide && p->width != 1) || p->width > 64)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s/unit.ini: %s = %s: expected an %s of %s, it is an %s of %" PRIu32,
                   unit->folder, role, name, output ? "output" : "input",
                   wide ? "1 to 64 bits" : "1 bit", p->is_output ? "output" : "input", p->width);
  return true;
}

static bool check_roles(const wfgen_unit *u, const wfgen_top *top, wf_error *err) {
  return check_role(u, top, "clock", u->clock, false, false, err) &&
         check_role(u, top, "reset", u->reset, false, false, err) &&
         check_role(u, top, "idle", u->idle, true, false, err) &&
         check_role(u, top, "snapshot", u->snapshot, false, false, err) &&
         check_role(u, top, "clear", u->clear, false, false, err) &&
         check_role(u, top, "index", u->index, false, true, err) &&
         check_role(u, top, "value", u->value, true, true, err);
}

static void write_tables(FILE *f, const wfgen_unit *u, const wfgen_top *top, const char *variant) {
  fprintf(f, "// Generated from the ports of %s; included by shim.cpp.\n", u->top);
  fprintf(f, "#define WF_UNIT \"%s\"\n#define WF_CONFIG \"%s\"\n#define WF_VARIANT \"%s\"\n",
          u->name, u->config, variant);
  fprintf(f, "#define WF_CLOCK %s\n#define WF_RESET %s\n#define WF_RESET_ACTIVE_LOW %d\n", u->clock,
          u->reset, u->reset_active_low);
  fprintf(f, "#define WF_SIGNATURE UINT64_C(0x%016" PRIx64 ")\n", signature(u, top));
  fprintf(f, "#define WF_RISING_ONLY %d\n", top->single_edge);
  fprintf(f, "#define WF_ROLES {%d, %d, %d, %d, %d, %d, %d, %u, %u}\n", port_index(top, u->clock),
          port_index(top, u->reset), port_index(top, u->idle), port_index(top, u->snapshot),
          port_index(top, u->clear), port_index(top, u->index), port_index(top, u->value),
          u->snapshot_cycles, u->read_cycles);
  fprintf(f, "#define WF_PORTS(X) \\\n");
  for (size_t i = 0; i < top->port_count; i++)
    fprintf(f, "  X(%s, %" PRIu32 ", %" PRIu32 ", %d) \\\n", top->ports[i].name,
            top->ports[i].width, storage_bytes(top->ports[i].width), top->ports[i].is_output);
  fprintf(f, "\n#define WF_PARAMETERS(X) \\\n");
  for (size_t i = 0; i < top->parameter_count; i++)
    fprintf(f, "  X(%s, INT64_C(%" PRId64 ")) \\\n", top->parameters[i].name,
            top->parameters[i].value == INT64_MIN ? INT64_MIN + 1 : top->parameters[i].value);
  fprintf(f, "\n#define WF_COUNTERS(X) \\\n");
  for (size_t i = 0; i < u->counters.count; i++) fprintf(f, "  X(%s) \\\n", u->counters.items[i]);
  fprintf(f, "\n");
}

static void write_port(FILE *f, const char *unit, const wfgen_port *p, size_t index) {
  if (p->width > 64) {
    const char *q = p->is_output ? "const " : "";
    fprintf(f,
            "/* %s, %" PRIu32 " bits: 32-bit words, least significant first. */\n"
            "static inline %suint32_t *%s_%s_%s(const wf_model *m) {\n"
            "  return (%suint32_t *)wf_model_storage(m, %zu);\n}\n",
            p->name, p->width, q, unit, p->is_output ? "get" : "words", p->name, q, index);
    return;
  }
  uint32_t bits = 8 * storage_bytes(p->width);
  fprintf(f,
          "static inline uint%" PRIu32 "_t %s_get_%s(const wf_model *m) {\n"
          "  return *(const uint%" PRIu32 "_t *)wf_model_storage(m, %zu);\n}\n",
          bits, unit, p->name, bits, index);
  if (p->is_output) return;
  uint64_t mask = p->width == 64 ? UINT64_MAX : (UINT64_C(1) << p->width) - 1;
  fprintf(f,
          "static inline void %s_set_%s(wf_model *m, uint%" PRIu32 "_t value) {\n"
          "  *(uint%" PRIu32 "_t *)wf_model_storage(m, %zu) = (uint%" PRIu32
          "_t)(value & UINT64_C(0x%" PRIx64 "));\n}\n",
          unit, p->name, bits, bits, index, bits, mask);
}

static void write_header(FILE *f, const wfgen_unit *u, const wfgen_top *top) {
  char upper[128];
  size_t n = 0;
  for (; u->name[n] && n + 1 < sizeof upper; n++)
    upper[n] = (char)toupper((unsigned char)u->name[n]);
  upper[n] = 0;
  fprintf(
      f,
      "/* Generated: typed access to the ports of %s, configuration %s. Check once with\n"
      " * %s_check(m, &err) that an instance is of this configuration; the accessors do not. */\n"
      "#ifndef WF_GENERATED_%s_H\n#define WF_GENERATED_%s_H\n\n#include "
      "\"sim/model/wf_model.h\"\n\n",
      u->name, u->config, u->name, upper, upper);
  fprintf(f, "#define %s_SIGNATURE UINT64_C(0x%016" PRIx64 ")\n", upper, signature(u, top));
  for (size_t i = 0; i < top->parameter_count; i++)
    fprintf(f, "#define %s_%s INT64_C(%" PRId64 ")\n", upper, top->parameters[i].name,
            top->parameters[i].value == INT64_MIN ? INT64_MIN + 1 : top->parameters[i].value);
  fprintf(f, "\nenum {\n");
  for (size_t i = 0; i < top->port_count; i++)
    fprintf(f, "  %s_WIDTH_%s = %" PRIu32 ",\n", upper, top->ports[i].name, top->ports[i].width);
  fprintf(f,
          "};\n\nstatic inline bool %s_check(const wf_model *m, wf_error *err) {\n"
          "  return wf_model_fits(m, %s_SIGNATURE, err);\n}\n\n",
          u->name, upper);
  for (size_t i = 0; i < top->port_count; i++) write_port(f, u->name, &top->ports[i], i);
  fprintf(f, "\n#endif\n");
}

static FILE *open_file(const char *folder, const char *name, const char *suffix, wf_error *err) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  FILE *f = fopen(path, "w");
  if (!f) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  return f;
}

static bool close_file(FILE *f, const char *folder, wf_error *err) {
  bool bad = ferror(f);
  bad |= fclose(f) != 0;
  return !bad || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot write: %s", folder, strerror(errno));
}

bool wfgen_emit(const wfgen_unit *unit, const wfgen_top *top, const char *variant,
                const char *folder, wf_error *err) {
  if (!check_roles(unit, top, err)) return false;
  FILE *f = open_file(folder, "model_tables", ".h", err);
  if (!f) return false;
  write_tables(f, unit, top, variant);
  if (!close_file(f, folder, err)) return false;
  f = open_file(folder, unit->name, ".h", err);
  if (!f) return false;
  write_header(f, unit, top);
  return close_file(f, folder, err);
}
