#include "sim/units/rtl_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_place.h"

enum { RESET_CYCLES = 2, OVERRIDES_BYTES = 1024 };

/* Does the row set a parameter of this RTL? "Name" is of every one of its unit, "RTL.Name" of that
 * one. NULL: no. */
static const char *parameter_of(const wf_rtl_model *rtl, const wf_parameter *p) {
  const char *dot = p->rtl ? strchr(p->rtl, '.') : NULL;
  if (!dot) return p->rtl;
  const size_t n = (size_t)(dot - p->rtl);
  return strncmp(p->rtl, rtl->unit, n) == 0 && !rtl->unit[n] ? dot + 1 : NULL;
}

/* Collects the overrides: what the fabric fixes, then what the user set beyond the presets. */
static void collect(wf_rtl_model *rtl, const char *fixed, const wf_parameter *parameters,
                    const void *settings) {
  rtl->overrides = wf_calloc(OVERRIDES_BYTES, 1);
  size_t n = (size_t)snprintf(rtl->overrides, OVERRIDES_BYTES, "%s", fixed);
  for (const wf_parameter *p = parameters; p->name; p++) {
    const char *name = parameter_of(rtl, p);
    unsigned value;
    memcpy(&value, (const char *)settings + p->field, sizeof value);
    if (name && value != (unsigned)p->preset && n < OVERRIDES_BYTES)
      n += (size_t)snprintf(rtl->overrides + n, OVERRIDES_BYTES - n, "%s%s=%u", n ? " " : "", name,
                            value);
  }
}

static bool load(wf_rtl_model *rtl, const char *variant, uint64_t seed, wf_error *err) {
  wf_model_request request = {
      .unit = rtl->unit,
      .config = rtl->config,
      .parameters = rtl->overrides[0] ? rtl->overrides : NULL,
      .variant = variant,
      .script = getenv("WARPFAB_BUILD_MODEL") ? NULL : WF_ROOT "/sim/model/build-model",
      .build_dir = getenv("WARPFAB_BUILD") ? NULL : WF_BUILD};
  char path[4096], *relative = wf_model_build(&request, err);
  if (!relative) return false;
  snprintf(path, sizeof path, "%s%s", relative[0] == '/' ? "" : WF_ROOT "/", relative);
  free(relative);
  rtl->lib = wf_model_load(path, err);
  if (!rtl->lib) return false;
  rtl->model = wf_model_create(rtl->lib, NULL, seed, err);
  return rtl->model && wf_rtl_ok(rtl, wf_model_reset(rtl->model, RESET_CYCLES), err);
}

bool wf_rtl_clone(wf_rtl_model *rtl, const wf_rtl_model *from, uint64_t seed, wf_error *err) {
  *rtl = (wf_rtl_model){.lib = from->lib,
                        .unit = from->unit,
                        .config = from->config,
                        .overrides = from->overrides,
                        .borrowed = true};
  rtl->model = wf_model_create(rtl->lib, NULL, seed, err);
  return rtl->model && wf_rtl_ok(rtl, wf_model_reset(rtl->model, RESET_CYCLES), err);
}

static void unload(wf_rtl_model *rtl) {
  wf_model_destroy(rtl->model);
  if (!rtl->borrowed) wf_model_unload(rtl->lib);
  rtl->model = NULL;
  rtl->lib = NULL;
}

bool wf_rtl_open(wf_rtl_model *rtl, const char *unit, const char *config, const char *fixed,
                 const wf_parameter *parameters, const void *settings, const wf_unit_env *env,
                 wf_error *err) {
  *rtl = (wf_rtl_model){.unit = unit, .config = config};
  collect(rtl, fixed, parameters, settings);
  return load(rtl, env->assertions ? "fast" : "lean", env->seed, err);
}

bool wf_rtl_wave(wf_rtl_model *rtl, const wf_unit_env *env, const char *path, uint64_t from,
                 uint64_t to, wf_error *err) {
  unload(rtl);
  if (!load(rtl, "trace", env->seed, err) || !wf_model_wave_open(rtl->model, path, err))
    return false;
  wf_model_wave_window(rtl->model, from, to);
  return true;
}

void wf_rtl_close(wf_rtl_model *rtl) {
  wf_rtl_record_end(rtl, NULL);
  if (rtl->lib) unload(rtl);
  if (!rtl->borrowed) free(rtl->overrides);
  rtl->overrides = NULL;
}

bool wf_rtl_record(wf_rtl_model *rtl, const char *path, uint64_t limit, uint64_t seed,
                   wf_error *err) {
  wf_place place;
  wf_replay_header header = {.unit = (char *)(uintptr_t)rtl->unit,
                             .config = (char *)(uintptr_t)rtl->config,
                             .overrides = rtl->overrides,
                             .seed = seed,
                             .reset_cycles = RESET_CYCLES};
  if (!wf_place_find(WF_ROOT "/", rtl->unit, &place, err) ||
      !wf_roles_read(&rtl->roles, place.ini, err) ||
      !wf_layout_make(&rtl->layout, &rtl->roles, wf_model_port_at(rtl->model, 0),
                      wf_model_port_count(rtl->model), err))
    return false;
  rtl->recorder = wf_recorder_open(path, &rtl->layout, rtl->model, &header, limit, err);
  return rtl->recorder != NULL;
}

/* Outputs that follow inputs combinationally must be recorded as they answer this edge's. */
void wf_rtl_record_edge(wf_rtl_model *rtl) {
  if (!wf_recorder_full(rtl->recorder) && wf_model_settle(rtl->model) == WF_MODEL_OK)
    wf_recorder_edge(rtl->recorder, wf_model_cycle(rtl->model));
}

bool wf_rtl_record_end(wf_rtl_model *rtl, wf_error *err) {
  bool ok = !rtl->recorder || wf_recorder_close(rtl->recorder, err);
  rtl->recorder = NULL;
  wf_layout_free(&rtl->layout);
  wf_roles_free(&rtl->roles);
  return ok;
}

bool wf_rtl_ok(const wf_rtl_model *rtl, wf_model_status status, wf_error *err) {
  if (status == WF_MODEL_OK) return true;
  return wf_fail(err, status == WF_MODEL_HANG ? WF_EXIT_HANG : WF_EXIT_WRONG, "%s: %s", rtl->unit,
                 wf_model_last_error(rtl->model));
}
