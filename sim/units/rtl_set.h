/* Instances of one module in RTL, as a unit has them: the model of its parameters is found or
 * built and opened once, and cloned. One instance, the first, is the one that waves and recordings
 * show. */
#ifndef WF_UNITS_RTL_SET_H
#define WF_UNITS_RTL_SET_H

#include "sim/model/wf_model.h"
#include "sim/replay/wf_replay.h"
#include "sim/seam/unit.h"
#include "sim/units/rtl_parameters.h"
#include "sim/units/rtl_thread.h"

/* A stream at the ports whose transfers are counted, since each costs energy. */
typedef struct wf_rtl_stream {
  const wf_port *valid, *ready; /* a bit for each lane; ready NULL: always */
  uint64_t transfers;
} wf_rtl_stream;
enum { WF_RTL_STREAMS = 12 };

/* One instance. */
typedef struct wf_rtl {
  const char *unit;
  wf_model *model;
  uint64_t edges;        /* that it was clocked: a matter of the simulation, not of the machine */
  uint64_t timed;        /* of these, a sample */
  double seconds;        /* that the sample took, by the wall */
  wf_rtl_thread *thread; /* that evaluates its edges (wf_rtl_begin); NULL: the caller does */
  wf_rtl_stream streams[WF_RTL_STREAMS]; /* as the set's names */
  unsigned n_streams;
  /* While recording: */
  wf_recorder *recorder;
  wf_roles roles;
  wf_layout layout;
} wf_rtl;

typedef struct wf_rtl_set {
  const char *unit, *config;
  const char *prefix; /* of its counters' names, where a unit has two sets of a module; or NULL */
  char *overrides;    /* "TagEntries=512 ..." beyond the named parameter set */
  wf_rtl *at;         /* [n] */
  unsigned n;
  unsigned banks; /* of counters in an instance, chosen by cnt_slice_i; 0: one */
  uint64_t seed;
  uint64_t busy; /* edges at which an instance had something to do, summed: what it is billed for */
  bool gate;     /* idle instances are not clocked: the unit's parameter `gate`, if it has one */
  wf_error fault;                      /* the first of reading counters, which tell nothing then */
  wf_model_lib *lib, *traced;          /* traced: the first instance's while there are waves */
  const char *streams[WF_RTL_STREAMS]; /* counters [UNIT_]NAME_transfers of the unit's energy, of
                                          streams NAME_valid_i, NAME_ready_o, or _o and _i */
  unsigned n_streams;
} wf_rtl_set;

/* Instance i has seed env->seed + i. False: *err; close it all the same. That a preset is not what
 * the parameter set says is an error (WF_EXIT_WRONG). */
bool wf_rtl_set_open(wf_rtl_set *set, unsigned n, const wf_rtl_request *request, wf_error *err);
void wf_rtl_set_close(wf_rtl_set *set); /* a set of zeros is fine */
/* Gives each instance a thread, if the run is to have some (sim.threads). */
void wf_rtl_set_threads(wf_rtl_set *set, const wf_unit_env *env);
/* Waits for edges that are under way. All functions here do so themselves. */
void wf_rtl_set_wait(const wf_rtl_set *set);
/* Puts a traced model in the first instance's place and starts a wave file; only before the first
 * clock. Its ports are others. */
bool wf_rtl_set_wave(wf_rtl_set *set, const char *path, uint64_t from, uint64_t to, wf_error *err);
/* Completes the wave file. False and *err if it could not be written. */
bool wf_rtl_set_wave_end(wf_rtl_set *set, wf_error *err);
/* Records what happens at the first instance's ports from here to `limit` edges (0: to the end);
 * only before the first clock. NULL is left in *to once it is the recording's. */
bool wf_rtl_set_record(wf_rtl_set *set, wf_sink **to, uint64_t limit, wf_error *err);
/* Completes the file; true if there is none. wf_rtl_set_close does so too, but cannot tell a
 * failure. */
bool wf_rtl_set_record_end(wf_rtl_set *set, wf_error *err);
/* The modules' counters, each summed over instances and banks; nothing is offered to them
 * meanwhile. NULL for a set of none; the caller frees. Names: wf_model_counter_name(). An instance
 * that cannot be read, since a rule breaks meanwhile, is in no sum: set->fault tells. */
uint64_t *wf_rtl_set_counters(wf_rtl_set *set);
size_t wf_rtl_set_counter_count(const wf_rtl_set *set);
const char *wf_rtl_set_counter_name(const wf_rtl_set *set, size_t index);
/* False: there is none of this name. */
bool wf_rtl_set_counter_find(const wf_rtl_set *set, const char *name, size_t *index);

/* Transfers of a stream, summed over instances. */
uint64_t wf_rtl_set_transfers(const wf_rtl_set *set, unsigned stream);

/* What was opened, and what the simulation spent on it. */
typedef struct wf_rtl_cost {
  const char *unit, *config;
  const char *overrides; /* parameters that are not the configuration's; "": none */
  unsigned instances;
  uint64_t edges;
  double seconds; /* from a sample of the edges; with a thread, those beside the fabric */
} wf_rtl_cost;
wf_rtl_cost wf_rtl_set_cost(const wf_rtl_set *set);

/* WF_MODEL_OK is true; anything else fills *err with the model's last error. */
bool wf_rtl_ok(const wf_rtl *rtl, wf_model_status status, wf_error *err);
/* One clock edge, recorded if a recording is on: sockets clock their models through this alone. */
void wf_rtl_record_edge(wf_rtl *rtl);
void wf_rtl_count_transfers(wf_rtl *rtl);
enum { WF_RTL_TIMED = 64 }; /* one edge of so many */
wf_model_status wf_rtl_timed_edge(wf_rtl *rtl);
static inline bool wf_rtl_edge(wf_rtl *rtl, wf_error *err) {
  if (__builtin_expect(rtl->recorder != NULL, 0)) wf_rtl_record_edge(rtl);
  if (rtl->n_streams) wf_rtl_count_transfers(rtl);
  const wf_model_status status =
      rtl->edges++ % WF_RTL_TIMED ? wf_model_edge(rtl->model) : wf_rtl_timed_edge(rtl);
  return wf_rtl_ok(rtl, status, err);
}
/* One at the fabric's cycle. */
static inline bool wf_rtl_clock(wf_rtl *rtl, uint64_t now, wf_error *err) {
  wf_model_set_cycle(rtl->model, now);
  return wf_rtl_edge(rtl, err);
}
/* The same for a module whose outputs all come from flops: the edge may be under way until
 * wf_rtl_end(), before which nobody looks at its ports. */
static inline bool wf_rtl_begin(wf_rtl *rtl, uint64_t now, wf_error *err) {
  if (!rtl->thread) return wf_rtl_clock(rtl, now, err);
  wf_rtl_thread_begin(rtl->thread, now);
  return true;
}
static inline bool wf_rtl_end(const wf_rtl *rtl, wf_error *err) {
  return !rtl->thread || wf_rtl_thread_end(rtl->thread, err);
}
/* Is an instance clocked at this edge? Counts it if it is busy; a clock gate stops one that is not,
 * which gate=0 leaves out: the same results and the same bill. */
static inline bool wf_rtl_due(wf_rtl_set *set, bool busy) {
  set->busy += busy;
  return busy || !set->gate;
}
/* Between kernels, in time that the fabric does not count: offers what is at the other ports until
 * it is taken. */
bool wf_rtl_transfer(wf_rtl *rtl, const wf_port *valid, const wf_port *ready, uint64_t now,
                     wf_error *err);

#endif
