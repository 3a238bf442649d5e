/* What every unit in RTL needs from the model layer: find or build the library for the unit's
 * parameters, load it, step it, turn its status into errors. */
#ifndef WF_UNITS_RTL_MODEL_H
#define WF_UNITS_RTL_MODEL_H

#include "sim/model/wf_ports.h"
#include "sim/replay/wf_replay.h"
#include "sim/seam/unit.h"

typedef struct wf_rtl_model {
  wf_model_lib *lib;
  wf_model *model;
  char *overrides; /* "TagEntries=512 ..." beyond the named parameter set */
  const char *unit, *config;
  bool borrowed; /* lib and overrides are another's, which is closed later */
  /* While recording: */
  wf_recorder *recorder;
  wf_roles roles;
  wf_layout layout;
} wf_rtl_model;

/* config: the named parameter set that the table's presets agree with. fixed: further "Name=value
 * ..." overrides that the fabric demands, or "". settings: the struct that the table filled. */
bool wf_rtl_open(wf_rtl_model *rtl, const char *unit, const char *config, const char *fixed,
                 const wf_parameter *parameters, const void *settings, const wf_unit_env *env,
                 wf_error *err);
/* Another instance of the same model; `from` is closed after it. */
bool wf_rtl_clone(wf_rtl_model *rtl, const wf_rtl_model *from, uint64_t seed, wf_error *err);
/* Replaces the model by its traced variant and starts a wave file; only before the first clock. */
bool wf_rtl_wave(wf_rtl_model *rtl, const wf_unit_env *env, const char *path, uint64_t from,
                 uint64_t to, wf_error *err);
void wf_rtl_close(wf_rtl_model *rtl);
/* Records what happens at the ports from here to `limit` edges (0: to the end); only before the
 * first clock. seed: as the model was opened with. */
bool wf_rtl_record(wf_rtl_model *rtl, const char *path, uint64_t limit, uint64_t seed,
                   wf_error *err);
/* Completes the file; true if there is none. wf_rtl_close does so too, but cannot tell a failure.
 */
bool wf_rtl_record_end(wf_rtl_model *rtl, wf_error *err);
/* WF_MODEL_OK is true; anything else fills *err with the model's last error. */
bool wf_rtl_ok(const wf_rtl_model *rtl, wf_model_status status, wf_error *err);

/* One clock edge, recorded if a recording is on: sockets clock their model through this alone. */
void wf_rtl_record_edge(wf_rtl_model *rtl);
static inline bool wf_rtl_edge(wf_rtl_model *rtl, wf_error *err) {
  if (__builtin_expect(rtl->recorder != NULL, 0)) wf_rtl_record_edge(rtl);
  return wf_rtl_ok(rtl, wf_model_edge(rtl->model), err);
}

#endif
