/* What a model library (one Verilated unit in one configuration) exports: a single C function,
 * wf_model_abi_table(), returning this table. Only lib_model.c and the shim include this header;
 * users of the layer include wf_model.h. */
#ifndef WF_MODEL_ABI_H
#define WF_MODEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WF_MODEL_ABI_VERSION 4u
#define WF_MODEL_ABI_SYMBOL "wf_model_abi_table"

typedef struct wf_abi_port {
  const char *name;
  uint32_t width;         /* bits */
  uint32_t storage_bytes; /* 1, 2, 4, 8, or 4 * words when wider than 64 bits */
  uint32_t is_output;
} wf_abi_port;

typedef struct wf_abi_parameter {
  const char *name;
  int64_t value;
} wf_abi_parameter;

/* Index of a port in the port table, or -1 where the unit has no such port; edges that counters
 * need. */
typedef struct wf_abi_roles {
  int32_t clock, reset, idle;
  int32_t counter_snapshot, counter_clear, counter_index, counter_value;
  uint32_t counter_snapshot_cycles, counter_read_cycles;
} wf_abi_roles;

typedef struct wf_model_abi {
  uint32_t version; /* WF_MODEL_ABI_VERSION; the first member for ever */
  uint32_t bytes;   /* sizeof(wf_model_abi) */
  const char *unit, *config, *variant;
  uint32_t reset_active_low;
  uint32_t single_edge; /* 1: the fast form that never evaluates a falling clock edge */
  uint32_t port_count, parameter_count, counter_count;
  const wf_abi_port *ports;
  const wf_abi_parameter *parameters;
  const char *const *counters;
  wf_abi_roles roles;

  /* Instances. create fills data[port_count] with the address of each port's storage and returns
   * NULL only when the host is out of memory; a unit that refuses its parameters is created with a
   * status other than 0. Each call returns a wf_model_status as an int. */
  void *(*create)(const char *name, uint64_t seed, void **data);
  void (*destroy)(void *instance);
  int (*settle)(void *instance);
  int (*edge)(void *instance, uint64_t cycle);
  int (*status)(void *instance);
  const char *(*message)(void *instance);
  /* 0, or -1 with the reason in message(): not this variant, or the file cannot be written. */
  int (*wave_open)(void *instance, const char *path);
  void (*wave_window)(void *instance, uint64_t first, uint64_t end);
  int (*wave_close)(void *instance);
  int (*coverage_write)(void *instance, const char *path);
  void (*look_always)(void *instance);
} wf_model_abi;

#ifdef __cplusplus
}
#endif

#endif
