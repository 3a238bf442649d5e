/* Ready/valid sources and sinks, and the environment that steps them with the unit. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/model/wf_agents.h"

typedef struct bound_field {
  const wf_port *port;
  uint32_t lsb, width, word; /* word: where it starts in an item */
} bound_field;

/* Items one after the other, from `head` on; compacted when it grows. */
typedef struct queue {
  uint32_t *words;
  size_t head, count, capacity; /* in items */
} queue;

struct wf_channel {
  wf_env *env;
  char *name;
  bool is_source;
  const wf_port *valid, *ready;
  uint32_t valid_bit, ready_bit;
  bound_field *fields;
  size_t field_count, words;
  wf_stalls stalls;
  uint64_t stalled_until; /* cycle */
  queue items;
  wf_item_hook hook;
  void *context;
  bool hold;
  bool offering;    /* valid as of this cycle's sample */
  bool transferred; /* valid and ready as of this cycle's sample */
  bool was_refused; /* valid and not ready at the last sample */
  uint32_t *now, *before;
  uint64_t transfers, last_transfer, offered_since;
};

typedef struct cycle_hook {
  wf_env_hook hook;
  void *context;
} cycle_hook;

struct wf_env {
  wf_model *m;
  wf_rng rng;
  wf_channel **channels;
  size_t channel_count;
  cycle_hook *hooks;
  size_t hook_count;
  uint64_t cycle, watchdog, last_progress;
  char *report;
};

/* --- Queues --- */

static void queue_push(queue *q, size_t words, const uint32_t *item) {
  if (q->head && q->head >= q->count) { /* the front half or more is used up */
    memmove(q->words, q->words + q->head * words, q->count * words * sizeof *q->words);
    q->head = 0;
  }
  if (q->head + q->count == q->capacity) {
    q->capacity = q->capacity ? 2 * q->capacity : 16;
    q->words = wf_realloc(q->words, q->capacity * words, sizeof *q->words);
  }
  memcpy(q->words + (q->head + q->count) * words, item, words * sizeof *item);
  q->count++;
}

static const uint32_t *queue_front(const queue *q, size_t words) {
  return q->words + q->head * words;
}

static void queue_pop(queue *q) {
  q->count--;
  q->head = q->count ? q->head + 1 : 0;
}

/* --- Channels --- */

static const wf_port *find_bit(wf_env *env, const wf_channel_spec *spec, const char *role,
                               wf_bit bit, bool output, wf_error *err) {
  const wf_port *p = wf_model_port(env->m, bit.port);
  if (p && p->is_output == output && bit.bit < p->width) return p;
  wf_fail(err, WF_EXIT_BAD_INPUT, "channel %s: %s = %s[%u]: expected an %s of %s with that bit",
          spec->name, role, bit.port, bit.bit, output ? "output" : "input", wf_model_name(env->m));
  return NULL;
}

static bool bind_fields(wf_channel *c, const wf_channel_spec *spec, wf_error *err) {
  c->fields = wf_calloc(spec->field_count + 1, sizeof *c->fields);
  for (size_t i = 0; i < spec->field_count; i++) {
    const wf_field *f = &spec->fields[i];
    const wf_port *p = wf_model_port(c->env->m, f->port);
    uint32_t width = f->width ? f->width : p ? p->width : 0;
    if (!p || p->is_output == c->is_source || f->lsb + width > p->width)
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "channel %s: payload %s[%u +: %u]: expected an %s of %s with those bits",
                     spec->name, f->port, f->lsb, width, c->is_source ? "input" : "output",
                     wf_model_name(c->env->m));
    c->fields[c->field_count++] = (bound_field){p, f->lsb, width, (uint32_t)c->words};
    c->words += (width + 31) / 32;
  }
  return true;
}

static void channel_destroy(wf_channel *c) {
  if (!c) return;
  free(c->name);
  free(c->fields);
  free(c->items.words);
  free(c->now);
  free(c->before);
  free(c);
}

static wf_channel *channel_create(wf_env *env, const wf_channel_spec *spec, bool is_source,
                                  wf_error *err) {
  wf_channel *c = wf_calloc(1, sizeof *c);
  c->env = env;
  c->is_source = is_source;
  c->name = wf_strdup(spec->name);
  c->valid = find_bit(env, spec, "valid", spec->valid, !is_source, err);
  c->ready = c->valid ? find_bit(env, spec, "ready", spec->ready, is_source, err) : NULL;
  c->valid_bit = spec->valid.bit;
  c->ready_bit = spec->ready.bit;
  if (!c->ready || !bind_fields(c, spec, err)) {
    channel_destroy(c);
    return NULL;
  }
  c->now = wf_calloc(c->words + 1, sizeof *c->now);
  c->before = wf_calloc(c->words + 1, sizeof *c->before);
  env->channels = wf_realloc(env->channels, env->channel_count + 1, sizeof *env->channels);
  return env->channels[env->channel_count++] = c;
}

static void write_payload(const wf_channel *c, const uint32_t *item) {
  for (size_t i = 0; i < c->field_count; i++) {
    const bound_field *f = &c->fields[i];
    wf_port_write(f->port, f->lsb, f->width, item + f->word);
  }
}

static void read_payload(const wf_channel *c, uint32_t *item) {
  for (size_t i = 0; i < c->field_count; i++) {
    const bound_field *f = &c->fields[i];
    wf_port_read(f->port, f->lsb, f->width, item + f->word);
  }
}

static void write_garbage(wf_channel *c) {
  for (size_t i = 0; i < c->words; i++) c->now[i] = (uint32_t)wf_rng_next(&c->env->rng);
  write_payload(c, c->now);
}

/* True while this side stalls; may begin a stall. */
static bool stalling(wf_channel *c) {
  wf_env *env = c->env;
  if (env->cycle < c->stalled_until) return true;
  if (c->stalls.probability <= 0 || wf_rng_unit(&env->rng) >= c->stalls.probability) return false;
  uint64_t length = c->stalls.burst > 1 ? 1 + wf_rng_below(&env->rng, c->stalls.burst) : 1;
  c->stalled_until = env->cycle + length;
  return true;
}

/* What a source drives in the coming cycle: an offer that was refused stays. */
static void drive_source(wf_channel *c) {
  if (c->was_refused) return;
  bool offer = c->items.count && !stalling(c);
  wf_port_set_bit(c->valid, c->valid_bit, offer);
  if (offer)
    write_payload(c, queue_front(&c->items, c->words));
  else
    write_garbage(c);
}

static void drive_sink(wf_channel *c) {
  wf_port_set_bit(c->ready, c->ready_bit, !c->hold && !stalling(c));
}

static void drive(wf_channel *c) {
  if (c->is_source)
    drive_source(c);
  else
    drive_sink(c);
}

wf_channel *wf_source_create(wf_env *env, const wf_channel_spec *spec, wf_error *err) {
  wf_channel *c = channel_create(env, spec, true, err);
  if (c) drive(c);
  return c;
}

wf_channel *wf_sink_create(wf_env *env, const wf_channel_spec *spec, wf_error *err) {
  wf_channel *c = channel_create(env, spec, false, err);
  if (c) drive(c);
  return c;
}

void wf_channel_stalls(wf_channel *c, wf_stalls stalls) {
  c->stalls = stalls;
}
size_t wf_channel_words(const wf_channel *c) {
  return c->words;
}
uint64_t wf_channel_transfers(const wf_channel *c) {
  return c->transfers;
}
const char *wf_channel_name(const wf_channel *c) {
  return c->name;
}
void wf_source_push(wf_channel *c, const uint32_t *item) {
  queue_push(&c->items, c->words, item);
}
void wf_source_on_taken(wf_channel *c, wf_item_hook hook, void *context) {
  c->hook = hook;
  c->context = context;
}

void wf_sink_on_item(wf_channel *c, wf_item_hook hook, void *context) {
  c->hook = hook;
  c->context = context;
}

bool wf_sink_pop(wf_channel *c, uint32_t *item) {
  if (!c->items.count) return false;
  memcpy(item, queue_front(&c->items, c->words), c->words * sizeof *item);
  queue_pop(&c->items);
  return true;
}

size_t wf_sink_received(const wf_channel *c) {
  return c->items.count;
}
void wf_sink_hold(wf_channel *c, bool hold) {
  c->hold = hold;
}

/* --- A cycle --- */

static void broken(wf_channel *c, const char *what) {
  char text[256];
  snprintf(text, sizeof text, "channel %s: %s", c->name, what);
  wf_model_stop(c->env->m, WF_MODEL_ASSERTION, text);
}

/* The unit repeats an offer unchanged until it is taken. */
static void check_sink(wf_channel *c) {
  if (c->offering) read_payload(c, c->now);
  if (c->was_refused && !c->offering)
    broken(c, "valid dropped before the item was taken");
  else if (c->was_refused && memcmp(c->now, c->before, c->words * sizeof *c->now) != 0)
    broken(c, "the payload changed before the item was taken");
}

static void sample(wf_channel *c) {
  wf_env *env = c->env;
  bool ready = wf_port_bit(c->ready, c->ready_bit), was_offering = c->was_refused;
  c->offering = wf_port_bit(c->valid, c->valid_bit);
  c->transferred = c->offering && ready;
  if (c->offering && !was_offering) c->offered_since = env->cycle;
  if (!c->is_source) check_sink(c);
  c->was_refused = c->offering && !ready;
  if (!c->transferred) {
    if (!c->is_source && c->was_refused) {
      uint32_t *swap = c->before;
      c->before = c->now;
      c->now = swap;
    }
    return;
  }
  c->transfers++;
  c->last_transfer = env->last_progress = env->cycle;
}

/* Hooks run after all channels were sampled. */
static void transfer(wf_channel *c) {
  if (!c->transferred) return;
  if (c->is_source) {
    memcpy(c->now, queue_front(&c->items, c->words), c->words * sizeof *c->now);
    queue_pop(&c->items);
    if (c->hook) c->hook(c->context, c, c->now);
  } else if (c->hook) {
    c->hook(c->context, c, c->now);
  } else {
    queue_push(&c->items, c->words, c->now);
  }
}

/* Something is under way that ought to move. */
static bool pending(const wf_env *env) {
  for (size_t i = 0; i < env->channel_count; i++) {
    const wf_channel *c = env->channels[i];
    if (c->offering || (c->is_source && c->items.count)) return true;
  }
  return false;
}

/* Not idle by its own word; a unit without an idle port has no say. */
static bool busy(const wf_env *env) {
  return wf_model_has_idle(env->m) && !wf_model_idle(env->m);
}

static void watch(wf_env *env) {
  if (!env->watchdog || env->cycle - env->last_progress < env->watchdog) return;
  if (!pending(env) && !busy(env)) {
    env->last_progress = env->cycle;
    return;
  }
  wf_model_stop(env->m, WF_MODEL_HANG, wf_env_report(env));
}

wf_model_status wf_env_step(wf_env *env) {
  if (wf_model_settle(env->m)) return wf_model_get_status(env->m);
  for (size_t i = 0; i < env->channel_count; i++) sample(env->channels[i]);
  for (size_t i = 0; i < env->channel_count; i++) transfer(env->channels[i]);
  for (size_t i = 0; i < env->hook_count; i++) env->hooks[i].hook(env->hooks[i].context, env);
  watch(env);
  if (wf_model_edge(env->m)) return wf_model_get_status(env->m);
  env->cycle++;
  for (size_t i = 0; i < env->channel_count; i++) drive(env->channels[i]);
  return WF_MODEL_OK;
}

wf_model_status wf_env_drain(wf_env *env, uint64_t quiet, uint64_t max_cycles) {
  uint64_t end = env->cycle + max_cycles, still = 0;
  while (still < quiet || pending(env)) {
    if (env->cycle >= end) {
      wf_model_stop(env->m, WF_MODEL_HANG, wf_env_report(env));
      return wf_model_get_status(env->m);
    }
    if (wf_env_step(env)) return wf_model_get_status(env->m);
    still = pending(env) || busy(env) ? 0 : still + 1;
  }
  return WF_MODEL_OK;
}

void wf_env_watchdog(wf_env *env, uint64_t cycles) {
  env->watchdog = cycles;
  env->last_progress = env->cycle;
}

void wf_env_on_cycle(wf_env *env, wf_env_hook hook, void *context) {
  env->hooks = wf_realloc(env->hooks, env->hook_count + 1, sizeof *env->hooks);
  env->hooks[env->hook_count++] = (cycle_hook){hook, context};
}

/* --- Who waits for whom --- */

static int describe(const wf_env *env, const wf_channel *c, char *text, size_t bytes) {
  unsigned long long since = env->cycle - c->offered_since + 1, items = c->items.count;
  unsigned long long count = c->transfers, last = env->cycle - c->last_transfer;
  char history[96];
  if (count)
    snprintf(history, sizeof history, "%llu transfers, the last %llu cycles ago", count, last);
  else
    snprintf(history, sizeof history, "no transfer yet");
  if (c->was_refused && c->is_source)
    return snprintf(
        text, bytes,
        "\n  %s: the environment has offered for %llu cycles and waits for the UNIT's ready "
        "(%llu items queued; %s)",
        c->name, since, items, history);
  if (c->was_refused)
    return snprintf(
        text, bytes,
        "\n  %s: the unit has offered for %llu cycles and waits for the ENVIRONMENT's ready%s (%s)",
        c->name, since, c->hold ? ", which is held" : "", history);
  if (c->is_source)
    return snprintf(text, bytes,
                    "\n  %s: nothing offered by the environment, %llu items queued%s (%s)", c->name,
                    items, items ? ", stalled" : "", history);
  return snprintf(text, bytes, "\n  %s: the environment waits, nothing offered by the UNIT (%s)",
                  c->name, history);
}

const char *wf_env_report(wf_env *env) {
  size_t bytes = 256 + 320 * env->channel_count, used;
  env->report = wf_realloc(env->report, bytes, 1);
  used = (size_t)snprintf(env->report, bytes, "no transfer for %llu cycles; the unit says it is %s",
                          (unsigned long long)(env->cycle - env->last_progress),
                          !wf_model_has_idle(env->m) ? "nothing (no idle port)"
                          : wf_model_idle(env->m)    ? "idle"
                                                     : "busy");
  for (size_t i = 0; i < env->channel_count && used < bytes; i++)
    used += (size_t)describe(env, env->channels[i], env->report + used, bytes - used);
  return env->report;
}

wf_env *wf_env_create(wf_model *m, uint64_t seed) {
  wf_env *env = wf_calloc(1, sizeof *env);
  env->m = m;
  wf_rng_seed(&env->rng, seed);
  return env;
}

void wf_env_destroy(wf_env *env) {
  if (!env) return;
  for (size_t i = 0; i < env->channel_count; i++) channel_destroy(env->channels[i]);
  free(env->channels);
  free(env->hooks);
  free(env->report);
  free(env);
}

wf_model *wf_env_model(const wf_env *env) {
  return env->m;
}
