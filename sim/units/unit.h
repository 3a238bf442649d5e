/* What all units do alike, from the tables of their classes: counters, waves, recordings. */
#ifndef WF_UNITS_UNIT_H
#define WF_UNITS_UNIT_H

#include "sim/seam/unit.h"

struct wf_sink;

/* NULL: *err. Its parameters are read, its RTL is opened and bound. */
wf_unit *wf_unit_create(const wf_unit_class *cls, const wf_unit_env *env, wf_error *err);
void wf_unit_destroy(wf_unit *unit);
/* What it counts itself, which may be asked at any time. */
void wf_unit_own_counters(const wf_unit *unit, wf_counter_fn each, void *user);
/* All counters and figures: the unit's own, then its RTL's, which may be asked when a run is over.
 */
void wf_unit_counters(wf_unit *unit, wf_counter_fn each, void *user);
/* False: those of its RTL were asked for, and are not all told, since a rule broke meanwhile: *err.
 */
bool wf_unit_counted(const wf_unit *unit, wf_error *err);
/* Each event that costs energy must be counted, by the unit or by its RTL: a counter that was
 * renamed is told (WF_EXIT_WRONG), not taken for zero. */
bool wf_unit_check(const wf_unit *unit, wf_error *err);
/* The number of a base register in the class's list; *err (code 2) names those there are. */
bool wf_unit_find_base(const wf_unit_class *cls, const char *base, unsigned *number, wf_error *err);
/* Clock edges that the simulation spent on its RTL. */
uint64_t wf_unit_edges(const wf_unit *unit);
/* NULL: not waved or recorded: the unit has no RTL. */
struct wf_rtl_set *wf_unit_shown(const wf_unit *unit);
/* Only before the first clock. */
bool wf_unit_wave(wf_unit *unit, const char *path, uint64_t from, uint64_t to, wf_error *err);
bool wf_unit_record(wf_unit *unit, struct wf_sink **to, uint64_t limit, wf_error *err);

#endif
