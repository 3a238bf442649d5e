/* Writes the tables of a model that its C++ shim is compiled with. */
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

static bool write_file(const wfgen_unit *unit, const wfgen_top *top, const char *variant,
                       const char *folder, wf_error *err) {
  char path[4096];
  snprintf(path, sizeof path, "%s/model_tables.h", folder);
  FILE *f = fopen(path, "w");
  if (!f) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  write_tables(f, unit, top, variant);
  bool bad = ferror(f);
  bad |= fclose(f) != 0;
  return !bad || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot write: %s", path, strerror(errno));
}

bool wfgen_emit(const wfgen_unit *unit, const wfgen_top *top, const char *variant,
                const char *folder, wf_error *err) {
  return check_roles(unit, top, err) && write_file(unit, top, variant, folder, err);
}
