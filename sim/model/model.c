/* Model libraries and instances: the C side of shim.cpp. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/model/wf_model.h"
#include "sim/model/wf_model_abi.h"

struct wf_model_lib {
  void *handle;
  const wf_model_abi *abi;
  size_t instances;
};

struct wf_model {
  void **data; /* address of each port's storage */
  wf_model_lib *lib;
  void *instance;
  wf_port *ports;
  char *name;
  uint64_t cycle;
  wf_model_status status;
  char *error; /* never NULL */
};

const char *wf_model_status_name(wf_model_status status) {
  static const char *const names[] = {"ok", "finish", "assertion", "fatal", "hang", "wave"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

/* --- Libraries --- */

static void no_memory(void) {
  static const char text[] = "warpfab: out of host memory in the model of a unit\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) wf_alloc_failed();
  wf_alloc_failed();
}

/* std::set_new_handler of the C++ library that came with the model: Verilator's constructors do not
 * survive an exception. */
static void guard_new(void *handle) {
  void (*(*set)(void (*)(void)))(void) = NULL;
  *(void **)&set = dlsym(handle, "_ZSt15set_new_handlerPFvvE");
  if (set) set(no_memory);
}

wf_model_lib *wf_model_load(const char *path, wf_error *err) {
  /* RTLD_LOCAL: all libraries have the same inner names. A path without / would be searched for. */
  char *file = strchr(path, '/') ? wf_strdup(path)
                                 : strcat(strcpy(wf_calloc(strlen(path) + 3, 1), "./"), path);
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  free(file);
  if (!handle) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "cannot load the model library %s: %s", path, dlerror());
    return NULL;
  }
  const wf_model_abi *(*table)(void) = NULL;
  *(void **)&table = dlsym(handle, WF_MODEL_ABI_SYMBOL);
  const wf_model_abi *abi = table ? table() : NULL;
  if (!abi || abi->version != WF_MODEL_ABI_VERSION || abi->bytes != sizeof *abi) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            abi ? "%s was made for another version of the model layer: build it again"
                : "%s is not a model library (no symbol " WF_MODEL_ABI_SYMBOL ")",
            path);
    dlclose(handle);
    return NULL;
  }
  guard_new(handle);
  wf_model_lib *lib = wf_calloc(1, sizeof *lib);
  *lib = (wf_model_lib){.handle = handle, .abi = abi};
  return lib;
}

void wf_model_unload(wf_model_lib *lib) {
  if (!lib) return;
  dlclose(lib->handle);
  free(lib);
}

const char *wf_model_lib_unit(const wf_model_lib *lib) {
  return lib->abi->unit;
}
const char *wf_model_lib_config(const wf_model_lib *lib) {
  return lib->abi->config;
}
const char *wf_model_lib_variant(const wf_model_lib *lib) {
  return lib->abi->variant;
}

size_t wf_model_lib_parameter_count(const wf_model_lib *lib) {
  return lib->abi->parameter_count;
}

const char *wf_model_lib_parameter_at(const wf_model_lib *lib, size_t index, int64_t *value) {
  if (index >= lib->abi->parameter_count) return NULL;
  if (value) *value = lib->abi->parameters[index].value;
  return lib->abi->parameters[index].name;
}

bool wf_model_lib_parameter(const wf_model_lib *lib, const char *name, int64_t *value) {
  for (size_t i = 0; i < lib->abi->parameter_count; i++) {
    if (strcmp(lib->abi->parameters[i].name, name) != 0) continue;
    if (value) *value = lib->abi->parameters[i].value;
    return true;
  }
  return false;
}

/* --- Instances --- */

/* Ends the instance, with its name and cycle put before the text. */
static wf_model_status ended(wf_model *m, wf_model_status status, const char *text) {
  size_t bytes = strlen(m->name) + strlen(text) + 40;
  m->status = status;
  m->error = wf_realloc(m->error, bytes, 1);
  snprintf(m->error, bytes, "%s, cycle %llu: %s", m->name, (unsigned long long)m->cycle, text);
  return status;
}

static wf_model_status raised(wf_model *m, int status) {
  return ended(m, (wf_model_status)status, m->lib->abi->message(m->instance));
}

static void make_ports(wf_model *m) {
  const wf_model_abi *abi = m->lib->abi;
  m->ports = wf_calloc(abi->port_count, sizeof *m->ports);
  for (size_t i = 0; i < abi->port_count; i++) {
    const wf_abi_port *p = &abi->ports[i];
    m->ports[i] = (wf_port){.name = p->name,
                            .width = p->width,
                            .bytes = p->storage_bytes,
                            .is_output = p->is_output != 0,
                            .words = p->storage_bytes >= 4 ? m->data[i] : NULL,
                            .data = m->data[i]};
  }
}

wf_model *wf_model_create(wf_model_lib *lib, const char *name, uint64_t seed, wf_error *err) {
  wf_model *m = wf_calloc(1, sizeof *m);
  m->lib = lib;
  if (name) {
    m->name = wf_strdup(name);
  } else {
    size_t bytes = strlen(lib->abi->unit) + strlen(lib->abi->config) + 2;
    m->name = wf_calloc(bytes, 1);
    snprintf(m->name, bytes, "%s-%s", lib->abi->unit, lib->abi->config);
  }
  m->error = wf_strdup("");
  m->data = wf_calloc(lib->abi->port_count, sizeof *m->data);
  m->instance = lib->abi->create("TOP", seed, m->data);
  lib->instances++;
  if (!m->instance) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: out of host memory", m->name);
    wf_model_destroy(m);
    return NULL;
  }
  int status = lib->abi->status(m->instance);
  if (status) {
    raised(m, status);
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s", m->error);
    wf_model_destroy(m);
    return NULL;
  }
  make_ports(m);
  return m;
}

/* Any program collects coverage when it is told where: FOLDER/UNIT-CONFIG.PROCESS.NUMBER.dat. */
static void keep_coverage(const wf_model *m) {
  const char *folder = getenv("WARPFAB_COVERAGE");
  if (!folder || !m->instance || strcmp(m->lib->abi->variant, "cov") != 0) return;
  size_t bytes = strlen(folder) + strlen(m->lib->abi->unit) + strlen(m->lib->abi->config) + 60;
  char *path = wf_calloc(bytes, 1);
  for (unsigned number = 0; number == 0 || access(path, F_OK) == 0; number++)
    snprintf(path, bytes, "%s/%s-%s.%ld.%u.dat", folder, m->lib->abi->unit, m->lib->abi->config,
             (long)getpid(), number);
  if (m->lib->abi->coverage_write(m->instance, path) != 0)
    fprintf(stderr, "%s: %s\n", m->name, m->lib->abi->message(m->instance));
  free(path);
}

void wf_model_destroy(wf_model *m) {
  if (!m) return;
  keep_coverage(m);
  if (m->instance) m->lib->abi->destroy(m->instance);
  m->lib->instances--;
  free(m->ports);
  free(m->data);
  free(m->name);
  free(m->error);
  free(m);
}

const wf_model_lib *wf_model_library(const wf_model *m) {
  return m->lib;
}
const char *wf_model_name(const wf_model *m) {
  return m->name;
}

wf_model_status wf_model_settle(wf_model *m) {
  if (m->status) return m->status;
  int status = m->lib->abi->settle(m->instance);
  return status ? raised(m, status) : WF_MODEL_OK;
}

wf_model_status wf_model_edge(wf_model *m) {
  if (m->status) return m->status;
  int status = m->lib->abi->edge(m->instance, m->cycle);
  if (status) return raised(m, status);
  m->cycle++;
  return WF_MODEL_OK;
}

/* An edge settles first when the library needs that, so a step is one call into it. */
wf_model_status wf_model_step(wf_model *m) {
  return wf_model_edge(m);
}

wf_model_status wf_model_reset(wf_model *m, unsigned cycles) {
  const wf_model_abi *abi = m->lib->abi;
  bool low = abi->reset_active_low != 0;
  if (m->status) return m->status;
  for (size_t i = 0; i < abi->port_count; i++)
    if (!m->ports[i].is_output && (int32_t)i != abi->roles.clock)
      memset(m->ports[i].data, 0, m->ports[i].bytes);
  wf_port_set(&m->ports[abi->roles.reset], !low);
  for (unsigned i = 0; i < (cycles ? cycles : 1); i++)
    if (wf_model_edge(m)) return m->status;
  wf_port_set(&m->ports[abi->roles.reset], low);
  m->cycle = 0;
  return wf_model_settle(m);
}

wf_model_status wf_model_get_status(const wf_model *m) {
  return m->status;
}
const char *wf_model_last_error(const wf_model *m) {
  return m->error;
}

void wf_model_stop(wf_model *m, wf_model_status status, const char *text) {
  if (!m->status && status) ended(m, status, text);
}

uint64_t wf_model_cycle(const wf_model *m) {
  return m->cycle;
}
void wf_model_set_cycle(wf_model *m, uint64_t cycle) {
  if (cycle > m->cycle) m->cycle = cycle;
}

bool wf_model_idle(const wf_model *m) {
  int32_t idle = m->lib->abi->roles.idle;
  return idle >= 0 && *(const uint8_t *)m->data[idle];
}

bool wf_model_has_idle(const wf_model *m) {
  return m->lib->abi->roles.idle >= 0;
}

bool wf_model_parameter(const wf_model *m, const char *name, int64_t *value) {
  return wf_model_lib_parameter(m->lib, name, value);
}

const wf_port *wf_model_port(const wf_model *m, const char *name) {
  for (size_t i = 0; i < m->lib->abi->port_count; i++)
    if (strcmp(m->ports[i].name, name) == 0) return &m->ports[i];
  return NULL;
}

size_t wf_model_port_count(const wf_model *m) {
  return m->lib->abi->port_count;
}
const wf_port *wf_model_port_at(const wf_model *m, size_t index) {
  return index < m->lib->abi->port_count ? &m->ports[index] : NULL;
}

/* --- Counters --- */

size_t wf_model_counter_count(const wf_model *m) {
  return m->lib->abi->counter_count;
}
const char *wf_model_counter_name(const wf_model *m, size_t index) {
  return index < m->lib->abi->counter_count ? m->lib->abi->counters[index] : NULL;
}

static wf_model_status edges(wf_model *m, uint32_t n) {
  while (n-- && !wf_model_edge(m)) {
  }
  return m->status;
}

wf_model_status wf_model_counters_fetch(wf_model *m, uint64_t *values) {
  const wf_abi_roles *roles = &m->lib->abi->roles;
  size_t count = m->lib->abi->counter_count;
  if (!count) return m->status;
  const wf_port *index = &m->ports[roles->counter_index], *value = &m->ports[roles->counter_value];
  uint64_t before = wf_port_get(index);
  for (size_t i = 0; i < count; i++) {
    wf_port_set(index, i);
    if (edges(m, roles->counter_read_cycles) || wf_model_settle(m)) return m->status;
    values[i] = wf_port_get(value);
  }
  wf_port_set(index, before);
  return wf_model_settle(m);
}

static wf_model_status pulse(wf_model *m, int32_t role) {
  if (role < 0) return m->status;
  wf_port_set(&m->ports[role], 1);
  wf_model_edge(m);
  wf_port_set(&m->ports[role], 0);
  return edges(m, m->lib->abi->roles.counter_snapshot_cycles) ? m->status : wf_model_settle(m);
}

wf_model_status wf_model_counters_read(wf_model *m, uint64_t *values) {
  if (pulse(m, m->lib->abi->roles.counter_snapshot)) return m->status;
  return wf_model_counters_fetch(m, values);
}

wf_model_status wf_model_counters_clear(wf_model *m) {
  return pulse(m, m->lib->abi->roles.counter_clear);
}

void wf_model_look_always(wf_model *m) {
  m->lib->abi->look_always(m->instance);
}

/* --- Waves and coverage --- */

bool wf_model_wave_open(wf_model *m, const char *path, wf_error *err) {
  if (m->lib->abi->wave_open(m->instance, path) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", m->name, m->lib->abi->message(m->instance));
}

void wf_model_wave_window(wf_model *m, uint64_t first, uint64_t end) {
  m->lib->abi->wave_window(m->instance, first, end);
}

bool wf_model_wave_close(wf_model *m, wf_error *err) {
  if (m->lib->abi->wave_close(m->instance) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", m->name, m->lib->abi->message(m->instance));
}

bool wf_model_coverage_write(wf_model *m, const char *path, wf_error *err) {
  if (m->lib->abi->coverage_write(m->instance, path) == 0) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", m->name, m->lib->abi->message(m->instance));
}
