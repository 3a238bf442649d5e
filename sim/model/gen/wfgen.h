/* Parts of wfgen, the generator of model libraries: a unit's description (unit.ini), what Verilator
 * says about the elaborated top module (--xml-only), and the C and C++ text made from both. */
#ifndef WFGEN_H
#define WFGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct wfgen_list {
  char **items;
  size_t count;
} wfgen_list;

void wfgen_list_add(wfgen_list *list, const char *item);
void wfgen_list_free(wfgen_list *list);

typedef struct wfgen_setting {
  char *name, *value;
} wfgen_setting;

/* unit.ini, with the settings of one configuration. */
typedef struct wfgen_unit {
  char *name; /* key name, or NAME of NAME.ini */
  char *ini, *bench;
  char *folder; /* where the file lies; paths in it are relative to this */
  char *top, *clock, *reset, *idle;
  bool reset_active_low;
  wfgen_list sources, includes, libraries, parts;
  char *snapshot, *clear, *index, *value; /* ports of the counter bank, or NULL */
  unsigned snapshot_cycles,
      read_cycles; /* edges from a snapshot or clear, and from an index, to the value */
  wfgen_list counters;
  wfgen_list configs;
  wfgen_setting *settings; /* of the chosen configuration and the overrides, sorted by name */
  size_t setting_count;
  char *config; /* "paper", or "paper+TagEntries.128" with overrides */
} wfgen_unit;

/* path: the file, or a name as wf_place_find() takes it. Reads it and picks configuration `config`
 * ("default": the RTL's own values, always there) with `overrides` ("A=1 B=2", may be NULL or
 * empty). */
bool wfgen_unit_read(wfgen_unit *unit, const char *path, const char *config, const char *overrides,
                     wf_error *err);
void wfgen_unit_free(wfgen_unit *unit);

typedef struct wfgen_port {
  char *name;
  uint32_t width;
  bool is_output;
} wfgen_port;

typedef struct wfgen_parameter {
  char *name;
  int64_t value;
} wfgen_parameter;

/* The top module as Verilator elaborated it. */
typedef struct wfgen_top {
  wfgen_port *ports;
  size_t port_count;
  wfgen_parameter *parameters;
  size_t parameter_count;
  bool single_edge; /* clocks are used at rising edges only, never as data */
} wfgen_top;

/* Fails with the RTL's own message when a parameter check (initial if (bad) $fatal) fired. */
bool wfgen_top_read(wfgen_top *top, const char *xml_path, const wfgen_unit *unit, wf_error *err);
void wfgen_top_free(wfgen_top *top);

/* Writes FOLDER/model_tables.h, for shim.cpp. */
bool wfgen_emit(const wfgen_unit *unit, const wfgen_top *top, const char *variant,
                const char *folder, wf_error *err);

#endif
