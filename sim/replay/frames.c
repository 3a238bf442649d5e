/* Body of cycles: each line is one edge and tells what changed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/reader_internal.h"

static void set_bit(uint32_t *words, uint32_t bit, bool value) {
  uint32_t mask = 1u << bit % 32;
  words[bit / 32] = value ? words[bit / 32] | mask : words[bit / 32] & ~mask;
}

static void fill(uint32_t *words, uint32_t lsb, uint32_t width, bool value) {
  for (uint32_t i = lsb; i < lsb + width; i++) set_bit(words, i, value);
}

void wf_reader_bind(wf_reader *r, const wf_layout *layout) {
  r->layout = layout;
  r->frame = (wf_frame){.edge = UINT64_MAX, .time = UINT64_MAX};
  r->frame.in = wf_calloc(layout->in_words + 1, sizeof(uint32_t));
  r->frame.out = wf_calloc(layout->out_words + 1, sizeof(uint32_t));
  r->frame.care = wf_calloc(layout->out_words + 1, sizeof(uint32_t));
  /* Handshakes and levels always count; a payload while it is offered. Levels count once told. */
  for (size_t s = 0; s < layout->n_streams; s++) {
    const wf_replay_stream *t = &layout->streams[s];
    int port = t->to_unit ? t->ready : t->valid;
    if (port >= 0) fill(r->frame.care, 32 * layout->ports[port].first, t->lanes, true);
  }
}

static const wf_replay_stream *find_stream(const wf_layout *l, const char *name, size_t n) {
  for (size_t s = 0; s < l->n_streams; s++)
    if (strlen(l->streams[s].role->name) == n && memcmp(l->streams[s].role->name, name, n) == 0)
      return &l->streams[s];
  return NULL;
}

static const wf_replay_port *find_level(const wf_layout *l, const char *name, size_t n) {
  for (size_t i = 0; i < l->n_ports; i++)
    if (l->ports[i].stream == -1 && strlen(l->ports[i].port->name) == n &&
        memcmp(l->ports[i].port->name, name, n) == 0)
      return &l->ports[i];
  return NULL;
}

static uint32_t *values_of(wf_frame *f, const wf_replay_port *p) {
  return p->port->is_output ? f->out : f->in;
}

static int put_hex(wf_reader *r, const wf_replay_port *p, unsigned lane, const char *text, size_t n,
                   wf_error *err) {
  bool out = p->port->is_output;
  if (wf_hex_get(text, n, values_of(&r->frame, p), out ? r->frame.care : NULL,
                 32 * p->first + lane * p->per_lane, p->per_lane))
    return 0;
  return wf_reader_fail(r, err, "'%.*s': expected %s for %u bits of %s", (int)(n > 80 ? 80 : n),
                        text, out ? "a hex number, x for digits not known," : "a hex number",
                        p->per_lane, p->port->name);
}

/* ":HEX,HEX": one per payload port. */
static int put_payload(wf_reader *r, const wf_replay_stream *s, unsigned lane, const char *text,
                       wf_error *err) {
  for (unsigned i = 0; i < s->role->n_payload; i++) {
    if (*text != (i ? ',' : ':'))
      return wf_reader_fail(r, err,
                            "%s: expected %u payload values behind ':', separated by commas",
                            s->role->name, s->role->n_payload);
    size_t n = strcspn(++text, ",");
    if (put_hex(r, &r->layout->ports[s->payload[i]], lane, text, n, err)) return -1;
    text += n;
  }
  return *text ? wf_reader_fail(r, err, "%s: '%.40s' behind the payload", s->role->name, text) : 0;
}

static int put_lane(wf_reader *r, const wf_replay_stream *s, unsigned lane, const char *text,
                    wf_error *err) {
  const wf_layout *l = r->layout;
  const char *states = ".rvt", *at = *text ? strchr(states, *text) : NULL;
  if (!at || (s->ready < 0 && !strchr("rt", *text)))
    return wf_reader_fail(r, err, "%s=%.40s: expected %s", s->role->name, text,
                          s->ready < 0 ? "r (nothing) or t:PAYLOAD" : ". r v:PAYLOAD or t:PAYLOAD");
  bool valid = at >= states + 2, ready = (at - states) & 1;
  const wf_replay_port *p = &l->ports[s->valid];
  set_bit(values_of(&r->frame, p), 32 * p->first + lane, valid);
  if (s->ready >= 0) {
    p = &l->ports[s->ready];
    set_bit(values_of(&r->frame, p), 32 * p->first + lane, ready);
  }
  if (valid) return put_payload(r, s, lane, text + 1, err);
  for (unsigned i = 0; !s->to_unit && i < s->role->n_payload; i++) {
    p = &l->ports[s->payload[i]];
    fill(r->frame.care, 32 * p->first + lane * p->per_lane, p->per_lane, false);
  }
  return text[1] ? wf_reader_fail(r, err, "%s=%.40s: nothing is offered, so no payload may follow",
                                  s->role->name, text)
                 : 0;
}

/* "cmd.1=t:HEX", "idle_o=1" or "@812". */
static int put_token(wf_reader *r, const char *token, wf_error *err) {
  if (*token == '@') {
    char *end;
    uint64_t time = strtoull(token + 1, &end, 10);
    if (token[1] < '0' || token[1] > '9' || *end || (r->frame.edge && time < r->frame.time))
      return wf_reader_fail(r, err, "%.40s: expected @ and a cycle that is not before the last one",
                            token);
    r->frame.time = time;
    return 0;
  }
  size_t n = strcspn(token, "=");
  if (!token[n])
    return wf_reader_fail(r, err, "'%.40s': expected NAME=VALUE, @CYCLE or *EDGES", token);
  const wf_replay_port *level = find_level(r->layout, token, n);
  if (level) return put_hex(r, level, 0, token + n + 1, strlen(token + n + 1), err);
  size_t dot = strcspn(token, ".=");
  const wf_replay_stream *s = find_stream(r->layout, token, dot);
  if (!s)
    return wf_reader_fail(r, err, "'%.*s': %s has no such stream or level port",
                          (int)(n > 80 ? 80 : n), token, r->header.unit);
  char *end = NULL;
  unsigned long lane = token[dot] == '.' ? strtoul(token + dot + 1, &end, 10) : 0;
  if ((token[dot] == '.' && (end == token + dot + 1 || *end != '=')) || lane >= s->lanes ||
      (token[dot] != '.' && s->lanes > 1))
    return wf_reader_fail(r, err, "'%.*s': stream %s has lanes 0 to %u: write e.g. %s.0",
                          (int)(n > 80 ? 80 : n), token, s->role->name, s->lanes - 1,
                          s->role->name);
  return put_lane(r, s, (unsigned)lane, token + n + 1, err);
}

/* "*12": edges like the one before. */
static int put_repeat(wf_reader *r, wf_error *err) {
  char *end;
  uint64_t n = strtoull(r->line + 1, &end, 10);
  end += strspn(end, " \t\r");
  if (r->line[1] < '0' || r->line[1] > '9' || *end || n < 1 || n > UINT64_C(1) << 40)
    return wf_reader_fail(r, err, "'%.40s': expected * and a number of edges, 1 or more", r->line);
  r->repeat = n;
  return 0;
}

static int take_edge(wf_reader *r, const wf_frame **frame) {
  r->frame.line = r->source.line;
  *frame = &r->frame;
  return 1;
}

int wf_reader_next(wf_reader *r, const wf_frame **frame, wf_error *err) {
  if (r->repeat) {
    r->repeat--;
    r->frame.edge++;
    r->frame.time++;
    return take_edge(r, frame);
  }
  if (r->ended) return 0;
  int got = wf_reader_take_line(r, err);
  if (got < 0) return got;
  if (!got) return wf_reader_fail(r, err, "no end record: the file is truncated; record it again");
  if (strncmp(r->line, "end", 3) == 0 && strcspn(r->line, " \t\r") == 3)
    return wf_reader_end(r, r->frame.edge + 1, err);
  if (r->line[0] == '*') {
    if (put_repeat(r, err)) return -1;
    return wf_reader_next(r, frame, err);
  }
  r->frame.edge++;
  r->frame.time++;
  char *save = NULL;
  for (char *token = strtok_r(r->line, " \t\r", &save); token;
       token = strtok_r(NULL, " \t\r", &save))
    if (put_token(r, token, err)) return -1;
  return take_edge(r, frame);
}
