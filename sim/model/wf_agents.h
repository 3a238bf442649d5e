/* Agents for ready/valid channels: sources and sinks with random stalls, protocol checks, and a
 * watchdog that says who waits for whom. One wf_env drives one instance.
 *
 * A cycle (wf_env_step) has two phases. First all agents have their inputs on the ports (from the
 * previous cycle), the unit settles, and every channel is sampled; then the edge; then every agent
 * decides what it drives next. So no agent sees another's value of the same cycle.
 *
 * Everything random comes from the seed given to wf_env_create: the same seed, the same run. */
#ifndef WF_AGENTS_H
#define WF_AGENTS_H

#include "sim/base/wf_rng.h"
#include "sim/model/wf_model.h"

typedef struct wf_env wf_env;
typedef struct wf_channel wf_channel;

/* --- Environment --------------------------------------------------------------------------- */

/* For an instance that has just been reset. The environment does not own the instance. */
wf_env *wf_env_create(wf_model *m, uint64_t seed);
void wf_env_destroy(wf_env *env); /* channels included */

wf_model *wf_env_model(const wf_env *env);

/* One cycle. A broken rule of a channel ends the instance with WF_MODEL_ASSERTION, a watchdog with
 * WF_MODEL_HANG; wf_model_last_error() tells. */
wf_model_status wf_env_step(wf_env *env);
/* Steps until every source is empty and the unit is idle (its idle port, if it has one, else
 * nothing is offered) and has been for `quiet` cycles, or until a status other than OK. Reaching
 * max_cycles is a hang, with the watchdog's report. */
wf_model_status wf_env_drain(wf_env *env, uint64_t quiet, uint64_t max_cycles);

/* Hang after `cycles` cycles (0: never, the default) without any transfer on any channel while
 * something is pending: a source has items, a sink is offered one, or the unit is not idle. */
void wf_env_watchdog(wf_env *env, uint64_t cycles);
/* Who waits for whom: one line per channel. The text lives until the next call. */
const char *wf_env_report(wf_env *env);

/* Called after sampling, before the edge, each cycle, in order of registration. */
typedef void (*wf_env_hook)(void *context, wf_env *env);
void wf_env_on_cycle(wf_env *env, wf_env_hook hook, void *context);

/* --- Channels ------------------------------------------------------------------------------ */

/* One bit of a port: valid and ready of one of several flattened channels. */
typedef struct wf_bit {
  const char *port;
  uint32_t bit;
} wf_bit;

/* A part of the payload: `width` bits of a port from bit `lsb`; width 0: the whole port. */
typedef struct wf_field {
  const char *port;
  uint32_t lsb, width;
} wf_field;

/* A channel of the unit. In an item the fields follow each other, each beginning at a new 32-bit
 * word, least significant word first. */
typedef struct wf_channel_spec {
  const char *name; /* for messages */
  wf_bit valid, ready;
  const wf_field *fields;
  size_t field_count;
} wf_channel_spec;

/* How often a side stalls. All zero: never. */
typedef struct wf_stalls {
  double probability; /* of starting a stall, per cycle, 0 .. 1 */
  uint32_t burst;     /* a stall lasts 1 .. burst cycles (0 counts as 1) */
} wf_stalls;

/* The environment offers items to the unit (valid and payload are inputs of the unit). While valid
 * is low the payload is random garbage. NULL with *err for a port that is not there or a wrong
 * direction. */
wf_channel *wf_source_create(wf_env *env, const wf_channel_spec *spec, wf_error *err);
/* The unit offers items to the environment. Checked every cycle: valid does not drop and the
 * payload does not change until the item is taken. */
wf_channel *wf_sink_create(wf_env *env, const wf_channel_spec *spec, wf_error *err);

void wf_channel_stalls(wf_channel *c, wf_stalls stalls);
/* Words of an item. */
size_t wf_channel_words(const wf_channel *c);
uint64_t wf_channel_transfers(const wf_channel *c);
const char *wf_channel_name(const wf_channel *c);

/* Appends one item (wf_channel_words() words) to what a source will offer. */
void wf_source_push(wf_channel *source, const uint32_t *item);
/* Items not yet taken by the unit. */
/* Called when the unit takes an item, before the edge. */
typedef void (*wf_item_hook)(void *context, wf_channel *c, const uint32_t *item);
void wf_source_on_taken(wf_channel *source, wf_item_hook hook, void *context);

/* Called for each item a sink takes, before the edge; items are then not queued. */
void wf_sink_on_item(wf_channel *sink, wf_item_hook hook, void *context);
/* Without a hook: removes the oldest received item. False if there is none. */
bool wf_sink_pop(wf_channel *sink, uint32_t *item);
size_t wf_sink_received(const wf_channel *sink);
/* While held a sink takes nothing (ready low). */
void wf_sink_hold(wf_channel *sink, bool hold);

#endif
