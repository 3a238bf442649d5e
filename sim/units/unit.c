#include "sim/units/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/rtl_set.h"

/* ---- life ---- */

wf_unit *wf_unit_create(const wf_unit_class *cls, const wf_unit_env *env, wf_error *err) {
  wf_unit *unit = wf_calloc(1, cls->bytes);
  unit->cls = cls;
  if (wf_parameters_read(cls->parameters, cls->name, env->options, wf_unit_settings(unit), err) &&
      cls->open(unit, env, err) && cls->bind(unit, err))
    return unit;
  wf_unit_destroy(unit);
  return NULL;
}

void wf_unit_destroy(wf_unit *unit) {
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) wf_rtl_set_close(unit->rtl[r]);
  unit->cls->destroy(unit);
}

/* ---- counters ---- */

void wf_unit_own_counters(const wf_unit *unit, wf_counter_fn each, void *user) {
  for (const wf_unit_counter *c = unit->cls->counters; c && c->name; c++) {
    uint64_t value;
    memcpy(&value, (const char *)unit + c->field, sizeof value);
    each(user, c->name, (double)value);
  }
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++)
    for (unsigned i = 0; i < unit->rtl[r]->n_streams; i++)
      each(user, unit->rtl[r]->streams[i], (double)wf_rtl_set_transfers(unit->rtl[r], i));
}

static void rtl_counters(wf_rtl_set *set, wf_counter_fn each, void *user) {
  uint64_t *sum = wf_rtl_set_counters(set);
  for (size_t i = 0; i < wf_rtl_set_counter_count(set); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", set->prefix ? set->prefix : "",
             wf_rtl_set_counter_name(set, i));
    each(user, name, (double)sum[i]);
  }
  free(sum);
}

void wf_unit_counters(wf_unit *unit, wf_counter_fn each, void *user) {
  wf_unit_own_counters(unit, each, user);
  if (unit->cls->figures) unit->cls->figures(unit, each, user);
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) rtl_counters(unit->rtl[r], each, user);
}

bool wf_unit_counted(const wf_unit *unit, wf_error *err) {
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) {
    const wf_error *fault = &unit->rtl[r]->fault;
    if (fault->code)
      return wf_fail(err, fault->code, "while its counters are read: %.400s", fault->text);
  }
  return true;
}

static bool counts(const wf_unit *unit, const char *name) {
  size_t at;
  for (const wf_unit_counter *c = unit->cls->counters; c && c->name; c++)
    if (strcmp(c->name, name) == 0) return true;
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) {
    if (wf_rtl_set_counter_find(unit->rtl[r], name, &at)) return true;
    for (unsigned i = 0; i < unit->rtl[r]->n_streams; i++)
      if (strcmp(unit->rtl[r]->streams[i], name) == 0) return true;
  }
  return false;
}

bool wf_unit_check(const wf_unit *unit, wf_error *err) {
  for (const wf_energy_event *e = unit->cls->events; e && e->counter; e++)
    if (!counts(unit, e->counter))
      return wf_fail(err, WF_EXIT_WRONG,
                     "unit %s: its energy is told per count of `%s`, which neither it nor its RTL "
                     "has",
                     unit->cls->name, e->counter);
  return true;
}

uint64_t wf_unit_edges(const wf_unit *unit) {
  uint64_t edges = 0;
  for (unsigned r = 0; r < WF_UNIT_RTL && unit->rtl[r]; r++) {
    wf_rtl_set_wait(unit->rtl[r]);
    for (unsigned i = 0; i < unit->rtl[r]->n; i++) edges += unit->rtl[r]->at[i].edges;
  }
  return edges;
}

/* ---- waves and recordings ---- */

wf_rtl_set *wf_unit_shown(const wf_unit *unit) {
  return unit->rtl[unit->shown];
}

bool wf_unit_wave(wf_unit *unit, const char *path, uint64_t from, uint64_t to, wf_error *err) {
  wf_rtl_set *set = wf_unit_shown(unit);
  if (!set) return wf_fail(err, WF_EXIT_BAD_INPUT, "--wave: unit %s has no RTL", unit->cls->name);
  return wf_rtl_set_wave(set, path, from, to, err) && unit->cls->bind(unit, err);
}

bool wf_unit_record(wf_unit *unit, struct wf_sink **to, uint64_t limit, wf_error *err) {
  wf_rtl_set *set = wf_unit_shown(unit);
  return set ? wf_rtl_set_record(set, to, limit, err)
             : wf_fail(err, WF_EXIT_BAD_INPUT, "--record: unit %s has no RTL", unit->cls->name);
}

bool wf_unit_find_base(const wf_unit_class *cls, const char *base, unsigned *number,
                       wf_error *err) {
  char names[256] = " none";
  size_t used = 0;
  for (*number = 0; cls->bases && cls->bases[*number]; ++*number) {
    if (strcmp(cls->bases[*number], base) == 0) return true;
    if (used < sizeof names)
      used += (size_t)snprintf(names + used, sizeof names - used, " %s", cls->bases[*number]);
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT, "unit %s: no base register %s; there are%s", cls->name,
                 base, names);
}
