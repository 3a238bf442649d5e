#include "sim/units/rtl_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_place.h"

enum { RESET_CYCLES = 2, PATIENCE = 10000 };

/* ---- life ---- */

static bool given_hold(const wf_rtl_set *set, const wf_rtl_request *q, wf_error *err) {
  for (const wf_rtl_value *v = q->given; v && v->name; v++) {
    int64_t value = -1;
    wf_model_lib_parameter(set->lib, v->name, &value);
    if (value != v->value)
      return wf_fail(err, WF_EXIT_WRONG, "%s: the fabric takes %s to be %u, in the RTL it is %lld",
                     set->unit, v->name, v->value, (long long)value);
  }
  return true;
}

static wf_model_lib *load(const wf_rtl_set *set, const char *variant, wf_error *err) {
  const wf_model_request request = {
      .unit = set->unit, .config = set->config, .parameters = set->overrides, .variant = variant};
  char *path = wf_model_build(&request, err);
  wf_model_lib *lib = path ? wf_model_load(path, err) : NULL;
  free(path);
  return lib;
}

static const char transfers[] = "_transfers";

static bool ends_in(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static const wf_port *port_of(const wf_model *model, const char *stem, const char *end) {
  char name[64];
  snprintf(name, sizeof name, "%.*s%s", (int)(strlen(stem) - strlen(transfers)), stem, end);
  return wf_model_port(model, name);
}

/* Of [MODULE_]NAME_transfers. False: the module has no such stream. */
static bool find_stream(const wf_rtl_set *set, const wf_model *model, const char *counter,
                        wf_rtl_stream *s) {
  const size_t n = strlen(set->unit);
  const char *stem =
      strncmp(counter, set->unit, n) == 0 && counter[n] == '_' ? counter + n + 1 : counter;
  if (!ends_in(stem, transfers)) return false;
  const wf_port *in = port_of(model, stem, "_valid_i");
  *s = (wf_rtl_stream){.valid = in ? in : port_of(model, stem, "_valid_o"),
                       .ready = port_of(model, stem, in ? "_ready_o" : "_ready_i")};
  return s->valid && (!s->ready || s->ready->width == s->valid->width);
}

/* Those of the unit's energy that the module has. */
static bool find_streams(wf_rtl_set *set, const wf_unit *of, wf_error *err) {
  wf_rtl_stream s;
  for (const wf_energy_event *e = of->cls->events; e && e->counter; e++) {
    if (!find_stream(set, set->at[0].model, e->counter, &s)) continue;
    if (set->n_streams == WF_RTL_STREAMS)
      return wf_fail(err, WF_EXIT_WRONG,
                     "%s: its energy tells of more than %d streams of one module, of which %s; "
                     "expected as many as WF_RTL_STREAMS or less",
                     set->unit, WF_RTL_STREAMS, e->counter);
    set->streams[set->n_streams++] = e->counter;
  }
  return true;
}

static void bind_streams(const wf_rtl_set *set, wf_rtl *rtl) {
  for (rtl->n_streams = 0; rtl->n_streams < set->n_streams; rtl->n_streams++)
    find_stream(set, rtl->model, set->streams[rtl->n_streams], &rtl->streams[rtl->n_streams]);
}

static bool start(wf_rtl_set *set, unsigned i, wf_model_lib *lib, wf_error *err) {
  wf_rtl *rtl = &set->at[i];
  rtl->unit = set->unit;
  rtl->model = wf_model_create(lib, NULL, set->seed + i, err);
  if (rtl->model) bind_streams(set, rtl);
  return rtl->model && wf_rtl_ok(rtl, wf_model_reset(rtl->model, RESET_CYCLES), err);
}

static bool gated(wf_unit *of) {
  unsigned gate = 0;
  for (const wf_parameter *p = of->cls->parameters; p->name; p++)
    if (strcmp(p->name, "gate") == 0)
      memcpy(&gate, (const char *)wf_unit_settings(of) + p->field, sizeof gate);
  return gate;
}

bool wf_rtl_set_open(wf_rtl_set *set, unsigned n, const wf_rtl_request *q, wf_error *err) {
  *set = (wf_rtl_set){
      .unit = q->unit, .config = q->config, .n = n, .seed = q->env->seed, .gate = gated(q->of)};
  set->at = wf_calloc(n, sizeof *set->at);
  set->overrides = wf_rtl_overrides(q, err);
  static const char *const variants[] = {"lean", "bench", "bench", "fast"};
  if (set->overrides) set->lib = load(set, variants[q->env->assertions], err);
  bool ok = set->lib != NULL && given_hold(set, q, err);
  for (unsigned i = 0; ok && i < n; i++) ok = start(set, i, set->lib, err);
  ok = ok && find_streams(set, q->of, err);
  for (unsigned i = 0; ok && i < n; i++) {
    bind_streams(set, &set->at[i]);
    if (q->env->assertions > 1) wf_model_look_always(set->at[i].model);
  }
  return ok;
}

void wf_rtl_set_threads(wf_rtl_set *set, const wf_unit_env *env) {
  for (unsigned i = 0; env->threads > 1 && i < set->n; i++)
    set->at[i].thread = wf_rtl_thread_open(&set->at[i]);
}

void wf_rtl_set_wait(const wf_rtl_set *set) {
  for (unsigned i = 0; i < set->n; i++) wf_rtl_end(&set->at[i], NULL);
}

void wf_rtl_set_close(wf_rtl_set *set) {
  if (!set->at) return;
  for (unsigned i = 0; i < set->n; i++) wf_rtl_thread_close(&set->at[i].thread);
  wf_rtl_set_record_end(set, NULL);
  for (unsigned i = 0; i < set->n; i++) wf_model_destroy(set->at[i].model);
  if (set->traced) wf_model_unload(set->traced);
  if (set->lib) wf_model_unload(set->lib);
  free(set->at);
  free(set->overrides);
  *set = (wf_rtl_set){0};
}

/* ---- waves and recordings ---- */

bool wf_rtl_set_wave(wf_rtl_set *set, const char *path, uint64_t from, uint64_t to, wf_error *err) {
  wf_model_destroy(set->at[0].model);
  set->at[0].model = NULL;
  set->traced = load(set, "trace", err);
  if (!set->traced || !start(set, 0, set->traced, err) ||
      !wf_model_wave_open(set->at[0].model, path, err))
    return false;
  wf_model_wave_window(set->at[0].model, from, to);
  return true;
}

bool wf_rtl_set_wave_end(wf_rtl_set *set, wf_error *err) {
  wf_rtl_set_wait(set);
  return wf_model_wave_close(set->at[0].model, err);
}

bool wf_rtl_set_record(wf_rtl_set *set, wf_sink **to, uint64_t limit, wf_error *err) {
  wf_place place;
  wf_rtl *rtl = &set->at[0];
  wf_replay_header header = {.unit = (char *)(uintptr_t)set->unit,
                             .config = (char *)(uintptr_t)set->config,
                             .overrides = set->overrides,
                             .seed = set->seed,
                             .reset_cycles = RESET_CYCLES};
  if (!wf_place_find(wf_home(), set->unit, &place, err) ||
      !wf_roles_read(&rtl->roles, place.ini, err) ||
      !wf_layout_make(&rtl->layout, &rtl->roles, wf_model_port_at(rtl->model, 0),
                      wf_model_port_count(rtl->model), err))
    return false;
  rtl->recorder = wf_recorder_open(*to, &rtl->layout, rtl->model, &header, limit);
  *to = NULL;
  return true;
}

/* Outputs that follow inputs combinationally must be recorded as they answer this edge's. */
void wf_rtl_record_edge(wf_rtl *rtl) {
  if (!wf_recorder_full(rtl->recorder) && wf_model_settle(rtl->model) == WF_MODEL_OK)
    wf_recorder_edge(rtl->recorder, wf_model_cycle(rtl->model));
}

bool wf_rtl_set_record_end(wf_rtl_set *set, wf_error *err) {
  wf_rtl_set_wait(set);
  wf_rtl *rtl = &set->at[0];
  bool ok = !rtl->recorder || wf_recorder_close(rtl->recorder, err);
  rtl->recorder = NULL;
  wf_layout_free(&rtl->layout);
  wf_roles_free(&rtl->roles);
  return ok;
}

/* ---- counters ---- */

static unsigned lanes(const wf_rtl_stream *s) {
  if (s->valid->width <= 64) {
    const uint64_t valid = wf_port_get(s->valid);
    if (!valid) return 0;
    return (unsigned)__builtin_popcountll(s->ready ? valid & wf_port_get(s->ready) : valid);
  }
  unsigned n = 0;
  for (uint32_t i = 0; i < s->valid->width; i++)
    n += wf_port_bit(s->valid, i) && (!s->ready || wf_port_bit(s->ready, i));
  return n;
}

/* Of the edge that comes. */
void wf_rtl_count_transfers(wf_rtl *rtl) {
  for (unsigned i = 0; i < rtl->n_streams; i++)
    rtl->streams[i].transfers += lanes(&rtl->streams[i]);
}

uint64_t wf_rtl_set_transfers(const wf_rtl_set *set, unsigned stream) {
  uint64_t sum = 0;
  wf_rtl_set_wait(set);
  for (unsigned i = 0; i < set->n; i++) sum += set->at[i].streams[stream].transfers;
  return sum;
}

/* Offers and tells nothing more: what was at the last edge may still stand at the ports. */
static void quiet(const wf_rtl *rtl) {
  for (size_t i = 0; i < wf_model_port_count(rtl->model); i++) {
    const wf_port *port = wf_model_port_at(rtl->model, i);
    if (ends_in(port->name, "valid_i") || ends_in(port->name, "done_i"))
      memset(port->data, 0, port->bytes);
  }
}

size_t wf_rtl_set_counter_count(const wf_rtl_set *set) {
  return set->n ? wf_model_counter_count(set->at[0].model) : 0;
}

const char *wf_rtl_set_counter_name(const wf_rtl_set *set, size_t index) {
  return wf_model_counter_name(set->at[0].model, index);
}

bool wf_rtl_set_counter_find(const wf_rtl_set *set, const char *name, size_t *index) {
  for (*index = 0; *index < wf_rtl_set_counter_count(set); ++*index)
    if (strcmp(wf_rtl_set_counter_name(set, *index), name) == 0) return true;
  return false;
}

uint64_t *wf_rtl_set_counters(wf_rtl_set *set) {
  const size_t count = wf_rtl_set_counter_count(set);
  uint64_t *sum = count ? wf_calloc(2 * count, sizeof *sum) : NULL, *one = sum + count;
  wf_rtl_set_wait(set);
  for (unsigned i = 0; sum && i < set->n; i++) {
    wf_model *model = set->at[i].model;
    const wf_port *bank = set->banks ? wf_model_port(model, "cnt_slice_i") : NULL;
    quiet(&set->at[i]);
    for (unsigned b = 0; b < (bank ? set->banks : 1); b++) {
      if (bank) wf_port_set(bank, b);
      if (!wf_rtl_ok(&set->at[i],
                     b ? wf_model_counters_fetch(model, one) : wf_model_counters_read(model, one),
                     set->fault.code ? NULL : &set->fault))
        break;
      for (size_t c = 0; c < count; c++) sum[c] += one[c];
    }
  }
  return sum;
}

wf_rtl_cost wf_rtl_set_cost(const wf_rtl_set *set) {
  wf_rtl_cost cost = {
      .unit = set->unit, .config = set->config, .overrides = set->overrides, .instances = set->n};
  wf_rtl_set_wait(set);
  for (unsigned i = 0; i < set->n; i++) {
    const wf_rtl *rtl = &set->at[i];
    cost.edges += rtl->edges;
    if (rtl->timed) cost.seconds += rtl->seconds / (double)rtl->timed * (double)rtl->edges;
  }
  return cost;
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The clock of processor time would take longer than an edge. */
wf_model_status wf_rtl_timed_edge(wf_rtl *rtl) {
  static const double time_slice = 1e-3; /* so long only if another process ran meanwhile */
  const double start = seconds_now();
  const wf_model_status status = wf_model_edge(rtl->model);
  const double took = seconds_now() - start;
  if (took >= time_slice) return status;
  rtl->seconds += took;
  rtl->timed++;
  return status;
}

bool wf_rtl_ok(const wf_rtl *rtl, wf_model_status status, wf_error *err) {
  if (status == WF_MODEL_OK) return true;
  const int code = status == WF_MODEL_HANG   ? WF_EXIT_HANG
                   : status == WF_MODEL_WAVE ? WF_EXIT_BAD_INPUT
                                             : WF_EXIT_WRONG;
  return wf_fail(err, code, "%s: %s", rtl->unit, wf_model_last_error(rtl->model));
}

bool wf_rtl_transfer(wf_rtl *rtl, const wf_port *valid, const wf_port *ready, uint64_t now,
                     wf_error *err) {
  bool taken = false;
  if (!wf_rtl_end(rtl, err)) return false;
  wf_port_set(valid, 1);
  for (unsigned i = 0; i < PATIENCE && !taken; i++) {
    if (!wf_rtl_ok(rtl, wf_model_settle(rtl->model), err)) return false;
    taken = wf_port_get(ready);
    if (!wf_rtl_clock(rtl, now, err)) return false;
  }
  wf_port_set(valid, 0);
  return taken ||
         wf_fail(err, WF_EXIT_HANG, "%s: it does not take what is offered at %s in %d edges",
                 rtl->unit, valid->name, PATIENCE);
}
