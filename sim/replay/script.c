/* Runs a hand-written body of transactions: items queued per lane, offered until taken, compared
 * with what the unit delivers; docs/replay.md has the statements. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

enum { DEFAULT_WAIT = 10000, MAX_QUEUE = 1 << 20, MAX_RUN = 1 << 30 };

/* A value the unit chose, kept by name: expect ... $id, then send ... $id. */
typedef struct variable {
  char *name;
  uint32_t *value; /* NULL: not delivered yet */
  uint32_t width;
} variable;

typedef struct item {
  uint64_t line;
  uint32_t *value, *care;          /* payload ports one after the other, each from a new word */
  int keep[WF_REPLAY_MAX_PAYLOAD]; /* index of the variable that takes this payload port, or -1 */
} item;

/* One lane of one stream. */
typedef struct lane_queue {
  const wf_replay_stream *stream;
  unsigned lane;
  item *items;
  size_t head, count;
  uint64_t stalled; /* edges for which the environment holds back */
  bool offering;
} lane_queue;

typedef struct runner {
  wf_reader *reader;
  const wf_layout *layout;
  wf_model *model;
  wf_recorder *recorder;
  wf_play_stats *stats;
  wf_error *err;
  lane_queue *queues;
  size_t n_queues;
  variable *variables;
  size_t n_variables;
  uint32_t *scratch;
} runner;

static bool bad(runner *x, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool bad(runner *x, int code, const char *format, ...) {
  char text[900];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return wf_fail(x->err, code, "%s:%" PRIu64 ": %s", wf_reader_path(x->reader),
                 wf_reader_line_number(x->reader), text);
}

static uint32_t item_words(const wf_layout *l, const wf_replay_stream *s) {
  uint32_t n = 0;
  for (unsigned i = 0; i < s->role->n_payload; i++)
    n += (l->ports[s->payload[i]].per_lane + 31) / 32;
  return n;
}

static void free_item(item *i) {
  free(i->value);
  free(i->care);
}

/* ---- one edge ---- */

static const wf_port *port_of(const runner *x, int index) {
  return x->layout->ports[index].port;
}

static void drive_queue(runner *x, lane_queue *q) {
  const wf_replay_stream *s = q->stream;
  bool go = !q->stalled;
  if (q->stalled) q->stalled--;
  if (!s->to_unit) {
    if (s->ready >= 0) wf_port_set_bit(port_of(x, s->ready), q->lane, go);
    return;
  }
  q->offering = q->count && (go || q->offering);
  wf_port_set_bit(port_of(x, s->valid), q->lane, q->offering);
  const uint32_t *value = q->offering ? q->items[q->head].value : NULL;
  for (unsigned i = 0; value && i < s->role->n_payload; i++) {
    const wf_replay_port *p = &x->layout->ports[s->payload[i]];
    wf_port_write(p->port, q->lane * p->per_lane, p->per_lane, value);
    value += (p->per_lane + 31) / 32;
  }
}

static bool taken(const runner *x, const lane_queue *q) {
  const wf_replay_stream *s = q->stream;
  return wf_port_bit(port_of(x, s->valid), q->lane) &&
         (s->ready < 0 || wf_port_bit(port_of(x, s->ready), q->lane));
}

static void name_of(const lane_queue *q, char *text, size_t bytes) {
  if (q->stream->lanes > 1)
    snprintf(text, bytes, "%s.%u", q->stream->role->name, q->lane);
  else
    snprintf(text, bytes, "%s", q->stream->role->name);
}

static void keep_value(variable *v, const uint32_t *words, uint32_t width) {
  v->value = wf_realloc(v->value, (width + 31) / 32, 4);
  memcpy(v->value, words, (width + 31) / 32 * 4);
  v->width = width;
}

/* Compares one payload port of an item the unit delivered; *at moves over its words. */
static bool check_payload(runner *x, const lane_queue *q, const item *want, unsigned i,
                          uint32_t *at) {
  const wf_replay_port *p = &x->layout->ports[q->stream->payload[i]];
  uint32_t words = (p->per_lane + 31) / 32, wrong = 0;
  memset(x->scratch, 0, words * 4);
  wf_port_read(p->port, q->lane * p->per_lane, p->per_lane, x->scratch);
  for (uint32_t w = 0; want && w < words; w++)
    wrong |= (want->value[*at + w] ^ x->scratch[w]) & want->care[*at + w];
  if (want && !wrong) {
    if (want->keep[i] >= 0) keep_value(&x->variables[want->keep[i]], x->scratch, p->per_lane);
    *at += words;
    return true;
  }
  char name[80], *got = wf_calloc(p->per_lane / 4 + 4, 1),
                 *right = wf_calloc(p->per_lane / 4 + 4, 1);
  name_of(q, name, sizeof name);
  wf_hex_put(got, x->scratch, NULL, 0, p->per_lane);
  if (want) wf_hex_put(right, want->value + *at, want->care + *at, 0, p->per_lane);
  uint64_t edge = x->stats->edges;
  if (want)
    bad(x, WF_EXIT_WRONG, "edge %" PRIu64 ": %s: %s: expected %s (line %" PRIu64 "), got %s", edge,
        name, p->port->name, right, want->line, got);
  else
    bad(x, WF_EXIT_WRONG, "edge %" PRIu64 ": %s delivers %s %s; no item is expected there", edge,
        name, p->port->name, got);
  free(got);
  free(right);
  return false;
}

static bool finish_queue(runner *x, lane_queue *q) {
  const wf_replay_stream *s = q->stream;
  if (!taken(x, q)) return true;
  x->stats->transfers++;
  item *want = q->count ? &q->items[q->head] : NULL;
  uint32_t at = 0;
  for (unsigned i = 0; !s->to_unit && i < s->role->n_payload; i++)
    if (!check_payload(x, q, want, i, &at)) return false;
  if (!want) return true;
  free_item(want);
  q->head++;
  if (!--q->count) q->head = 0;
  q->offering = false;
  return true;
}

static bool edge(runner *x) {
  for (size_t i = 0; i < x->n_queues; i++) drive_queue(x, &x->queues[i]);
  bool ok = wf_model_settle(x->model) == WF_MODEL_OK;
  if (ok && x->recorder) wf_recorder_edge(x->recorder, wf_model_cycle(x->model));
  for (size_t i = 0; ok && i < x->n_queues; i++)
    if (!finish_queue(x, &x->queues[i])) return false;
  x->stats->edges++;
  if (ok && wf_model_edge(x->model) == WF_MODEL_OK) return true;
  return bad(x, WF_EXIT_WRONG, "%s", wf_model_last_error(x->model));
}

/* ---- statements ---- */

static lane_queue *find_queue(runner *x, const char *name) {
  char own[80];
  for (size_t i = 0; name && i < x->n_queues; i++) {
    name_of(&x->queues[i], own, sizeof own);
    if (strcmp(own, name) == 0) return &x->queues[i];
  }
  char known[256] = "";
  for (size_t s = 0; s < x->layout->n_streams; s++) {
    size_t n = strlen(known);
    const wf_replay_stream *t = &x->layout->streams[s];
    snprintf(known + n, sizeof known - n, t->lanes > 1 ? " %s.0..%u" : " %s", t->role->name,
             t->lanes - 1);
  }
  bad(x, WF_EXIT_BAD_INPUT, "'%s': no such stream; there are:%s", name ? name : "", known);
  return NULL;
}

/* Index of the variable, made if it is new. */
static int variable_of(runner *x, const char *name) {
  for (size_t i = 0; i < x->n_variables; i++)
    if (strcmp(x->variables[i].name, name) == 0) return (int)i;
  x->variables = wf_realloc(x->variables, x->n_variables + 1, sizeof *x->variables);
  x->variables[x->n_variables] = (variable){.name = wf_strdup(name)};
  return (int)x->n_variables++;
}

/* One value of an item: hex, or $NAME. */
static bool parse_value(runner *x, bool send, const char *word, const wf_replay_port *p,
                        uint32_t *value, uint32_t *care, int *keep) {
  *keep = -1;
  if (!word || *word != '$')
    return word && wf_hex_get(word, strlen(word), value, send ? NULL : care, 0, p->per_lane);
  int v = variable_of(x, word);
  if (!send) return *keep = v, true;
  const variable *from = &x->variables[v];
  if (!from->value || from->width != p->per_lane) return false;
  memcpy(value, from->value, (from->width + 31) / 32 * 4);
  return true;
}

static bool parse_item(runner *x, lane_queue *q, char *text, item *to) {
  const wf_replay_stream *s = q->stream;
  uint32_t n = item_words(x->layout, s), at = 0;
  *to = (item){.line = wf_reader_line_number(x->reader),
               .value = wf_calloc(n + 1, 4),
               .care = wf_calloc(n + 1, 4)};
  char *save = NULL, *word = text ? strtok_r(text, ",", &save) : NULL;
  for (unsigned i = 0; i < s->role->n_payload; i++, word = strtok_r(NULL, ",", &save)) {
    const wf_replay_port *p = &x->layout->ports[s->payload[i]];
    if (!parse_value(x, s->to_unit, word, p, to->value + at, to->care + at, &to->keep[i]))
      return bad(x, WF_EXIT_BAD_INPUT,
                 "%s: '%.80s': expected %u values, hex or a $NAME delivered before; the %u. has %u "
                 "bits (%s)",
                 s->role->name, word ? word : "", s->role->n_payload, i + 1, p->per_lane,
                 p->port->name);
    at += (p->per_lane + 31) / 32;
  }
  return !word || bad(x, WF_EXIT_BAD_INPUT, "%s: '%.80s': more than %u values", s->role->name, word,
                      s->role->n_payload);
}

static bool queue_item(runner *x, bool send, char *name, char *text) {
  lane_queue *q = find_queue(x, name);
  if (!q) return false;
  if (q->stream->to_unit != send)
    return bad(x, WF_EXIT_BAD_INPUT, "%s: the unit %s there: use %s", name,
               send ? "sends" : "receives", send ? "expect" : "send");
  if (q->head + q->count == MAX_QUEUE)
    return bad(x, WF_EXIT_BAD_INPUT, "%s: more than %d items queued", name, MAX_QUEUE);
  item new;
  if (!parse_item(x, q, text, &new)) return free_item(&new), false;
  q->items = wf_realloc(q->items, q->head + q->count + 1, sizeof *q->items);
  q->items[q->head + q->count++] = new;
  return true;
}

static bool number(runner *x, const char *text, uint64_t otherwise, uint64_t *value) {
  *value = otherwise;
  if (!text && otherwise) return true;
  char *end = NULL;
  if (text) *value = strtoull(text, &end, 10);
  return (text && *text >= '0' && *text <= '9' && !*end && *value >= 1 && *value <= MAX_RUN) ||
         bad(x, WF_EXIT_BAD_INPUT, "'%s': expected a number of edges, 1 to %d", text ? text : "",
             MAX_RUN);
}

static const wf_replay_port *find_level(runner *x, const char *name, bool output) {
  for (size_t i = 0; name && i < x->layout->n_ports; i++) {
    const wf_replay_port *p = &x->layout->ports[i];
    if (p->stream == -1 && p->port->is_output == output && strcmp(p->port->name, name) == 0)
      return p;
  }
  bad(x, WF_EXIT_BAD_INPUT, "'%s': no level %s of that name", name ? name : "",
      output ? "output" : "input");
  return NULL;
}

static bool level(runner *x, bool output, const char *name, const char *text) {
  const wf_replay_port *p = find_level(x, name, output);
  if (!p) return false;
  uint32_t *value = wf_calloc(p->words + 1, 4), *care = wf_calloc(p->words + 1, 4), wrong = 0;
  bool ok = text && wf_hex_get(text, strlen(text), value, output ? care : NULL, 0, p->port->width);
  if (!ok) {
    bad(x, WF_EXIT_BAD_INPUT, "'%s': expected a hex value of %u bits", text ? text : "",
        p->port->width);
  } else if (!output) {
    wf_port_write(p->port, 0, p->port->width, value);
  } else if ((ok = wf_model_settle(x->model) == WF_MODEL_OK)) {
    wf_port_read(p->port, 0, p->port->width, x->scratch);
    for (uint32_t w = 0; w < p->words; w++) wrong |= (value[w] ^ x->scratch[w]) & care[w];
    char got[80];
    if (wrong) wf_hex_put(got, x->scratch, NULL, 0, p->port->width < 256 ? p->port->width : 256);
    ok = !wrong || bad(x, WF_EXIT_WRONG, "edge %" PRIu64 ": %s: expected %s, got %s",
                       x->stats->edges, name, text, got);
  }
  free(value);
  free(care);
  return ok;
}

/* Until every item has been sent and every expected one has come. */
static bool wait(runner *x, uint64_t limit) {
  for (uint64_t n = 0;; n++) {
    const lane_queue *busy = NULL;
    for (size_t i = 0; i < x->n_queues && !busy; i++)
      if (x->queues[i].count) busy = &x->queues[i];
    if (!busy) return true;
    char name[80];
    name_of(busy, name, sizeof name);
    if (n == limit)
      return bad(x, WF_EXIT_HANG,
                 "edge %" PRIu64 ": %s: %zu items (the first of line %" PRIu64 ") %s after %" PRIu64
                 " edges",
                 x->stats->edges, name, busy->count, busy->items[busy->head].line,
                 busy->stream->to_unit ? "were not taken" : "did not come", limit);
    if (!edge(x)) return false;
  }
}

static bool run_edges(runner *x, uint64_t n) {
  while (n--)
    if (!edge(x)) return false;
  return true;
}

static bool statement(runner *x, char *line) {
  char *save = NULL, *verb = strtok_r(line, " \t\r", &save), *a = strtok_r(NULL, " \t\r", &save);
  char *b = a ? strtok_r(NULL, " \t\r", &save) : NULL;
  char *more = b ? strtok_r(NULL, " \t\r", &save) : NULL;
  uint64_t n;
  if (more && *more != '#') return bad(x, WF_EXIT_BAD_INPUT, "'%.60s' behind the statement", more);
  if (strcmp(verb, "send") == 0) return queue_item(x, true, a, b);
  if (strcmp(verb, "expect") == 0) return queue_item(x, false, a, b);
  if (strcmp(verb, "set") == 0) return level(x, false, a, b);
  if (strcmp(verb, "check") == 0) return level(x, true, a, b);
  if (strcmp(verb, "run") == 0) return number(x, a, 0, &n) && run_edges(x, n);
  if (strcmp(verb, "wait") == 0) return number(x, a, DEFAULT_WAIT, &n) && wait(x, n);
  if (strcmp(verb, "stall") == 0) {
    lane_queue *q = find_queue(x, a);
    return q && number(x, b, 0, &q->stalled);
  }
  return bad(x, WF_EXIT_BAD_INPUT,
             "'%.40s': no such statement; there are send expect wait run stall set check end",
             verb);
}

static void make_queues(runner *x) {
  const wf_layout *l = x->layout;
  for (size_t s = 0; s < l->n_streams; s++) x->n_queues += l->streams[s].lanes;
  x->queues = wf_calloc(x->n_queues + 1, sizeof *x->queues);
  lane_queue *q = x->queues;
  for (size_t s = 0; s < l->n_streams; s++)
    for (unsigned lane = 0; lane < l->streams[s].lanes; lane++)
      *q++ = (lane_queue){.stream = &l->streams[s], .lane = lane};
  x->scratch = wf_calloc(l->out_words + l->in_words + 1, 4);
}

static void free_queues(runner *x) {
  for (size_t i = 0; i < x->n_queues; i++) {
    lane_queue *q = &x->queues[i];
    for (size_t k = 0; k < q->count; k++) free_item(&q->items[q->head + k]);
    free(q->items);
  }
  for (size_t i = 0; i < x->n_variables; i++) {
    free(x->variables[i].name);
    free(x->variables[i].value);
  }
  free(x->variables);
  free(x->queues);
  free(x->scratch);
}

bool wf_script_run(wf_reader *r, const wf_layout *layout, wf_model *model, wf_recorder *recorder,
                   wf_play_stats *stats, wf_error *err) {
  runner x = {.reader = r,
              .layout = layout,
              .model = model,
              .recorder = recorder,
              .stats = stats,
              .err = err};
  *stats = (wf_play_stats){0};
  char *line;
  int more;
  make_queues(&x);
  bool ok = true;
  while (ok && (more = wf_reader_line(r, &line, err)) != 0) ok = more > 0 && statement(&x, line);
  ok = ok && wait(&x, DEFAULT_WAIT); /* what is left at the end must still happen */
  free_queues(&x);
  return ok;
}
