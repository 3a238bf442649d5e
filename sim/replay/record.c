/* Writes a recording: per edge one line with what changed since the edge before. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

/* What the file's reader believes of one lane after the last line. */
typedef struct lane_state {
  char state; /* 0: not told yet */
} lane_state;

struct wf_recorder {
  wf_sink *sink;
  const wf_layout *layout;
  uint64_t limit, edges, same; /* same: edges not yet written that change nothing */
  uint64_t next_time;
  unsigned long crc;
  lane_state *lanes;
  uint32_t *seen; /* payloads and levels as last written, inputs first, then outputs */
  char *line;     /* of the edge */
  size_t used, bytes;
};

static void put(wf_recorder *r, const char *text, size_t n) {
  r->crc = crc32(r->crc, (const unsigned char *)text, (unsigned)n);
  wf_sink_write(r->sink, text, n);
}

static void put_header(wf_recorder *r, const wf_model *model, const wf_replay_header *h) {
  const wf_model_lib *lib = wf_model_library(model);
  char text[512];
  int n = snprintf(text, sizeof text, "warpfab-replay %d\nunit %s\nconfig %s\n", WF_REPLAY_VERSION,
                   h->unit, h->config);
  put(r, text, (size_t)n);
  if (h->overrides && h->overrides[0]) {
    put(r, "overrides ", 10);
    put(r, h->overrides, strlen(h->overrides));
    put(r, "\n", 1);
  }
  for (size_t i = 0; i < wf_model_lib_parameter_count(lib); i++) {
    int64_t value;
    const char *name = wf_model_lib_parameter_at(lib, i, &value);
    n = snprintf(text, sizeof text, "parameter %s %" PRId64 "\n", name, value);
    put(r, text, (size_t)n);
  }
  n = snprintf(text, sizeof text, "seed %" PRIu64 "\nreset %u\nbody cycles\n", h->seed,
               h->reset_cycles);
  put(r, text, (size_t)n);
}

/* An upper bound of a line: every lane and level told, each with its payload. */
static size_t line_bytes(const wf_layout *l) {
  size_t bytes = 64;
  for (size_t i = 0; i < l->n_ports; i++)
    bytes += strlen(l->ports[i].port->name) + l->ports[i].port->width / 4 + 16;
  for (size_t s = 0; s < l->n_streams; s++)
    bytes += l->streams[s].lanes *
             (strlen(l->streams[s].role->name) + 24 + 4u * l->streams[s].role->n_payload);
  return bytes;
}

wf_recorder *wf_recorder_open(wf_sink *to, const wf_layout *layout, const wf_model *model,
                              const wf_replay_header *header, uint64_t limit) {
  wf_recorder *r = wf_calloc(1, sizeof *r);
  size_t lanes = 0;
  for (size_t s = 0; s < layout->n_streams; s++) lanes += layout->streams[s].lanes;
  *r = (wf_recorder){.sink = to, .layout = layout, .limit = limit, .crc = crc32(0, NULL, 0)};
  r->lanes = wf_calloc(lanes + 1, sizeof *r->lanes);
  r->seen = wf_calloc(layout->in_words + layout->out_words + 1, sizeof *r->seen);
  r->bytes = line_bytes(layout);
  r->line = wf_calloc(r->bytes, 1);
  put_header(r, model, header);
  return r;
}

static void flush_same(wf_recorder *r) {
  char text[32];
  if (r->same) put(r, text, (size_t)snprintf(text, sizeof text, "*%" PRIu64 "\n", r->same));
  r->same = 0;
}

static uint32_t *seen_of(wf_recorder *r, const wf_replay_port *p) {
  return r->seen + (p->port->is_output ? r->layout->in_words : 0) + p->first;
}

static void add(wf_recorder *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(wf_recorder *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  r->used += (size_t)vsnprintf(r->line + r->used, r->bytes - r->used, format, args);
  va_end(args);
}

/* Bits of a flat array; wf_port_read's counterpart. */
static bool same_bits(const wf_replay_port *p, const uint32_t *seen, uint32_t lsb, uint32_t width) {
  for (uint32_t at = 0; at < width; at += 32) {
    uint32_t bits = width - at < 32 ? width - at : 32, bit = lsb + at;
    uint64_t old = seen[bit / 32];
    if (bit % 32 + bits > 32) old |= (uint64_t)seen[bit / 32 + 1] << 32;
    if ((old >> bit % 32 & (bits < 32 ? (1u << bits) - 1 : UINT32_MAX)) !=
        wf_port_get_bits(p->port, bit, bits))
      return false;
  }
  return true;
}

static void store_port(const wf_replay_port *p, uint32_t *seen) {
  wf_port_read(p->port, 0, p->port->width, seen);
}

/* Only a lane's part of the port: the other lanes' parts stay as they were told. */
static void store_lane(const wf_replay_port *p, uint32_t *seen, uint32_t lsb, uint32_t width) {
  for (uint32_t i = lsb; i < lsb + width; i++) {
    uint32_t mask = 1u << i % 32;
    seen[i / 32] = wf_port_bit(p->port, i) ? seen[i / 32] | mask : seen[i / 32] & ~mask;
  }
}

static void record_lane(wf_recorder *r, const wf_replay_stream *s, unsigned lane,
                        lane_state *told) {
  const wf_layout *l = r->layout;
  bool valid = wf_port_bit(l->ports[s->valid].port, lane);
  bool ready = s->ready < 0 || wf_port_bit(l->ports[s->ready].port, lane);
  char state = valid ? (ready ? 't' : 'v') : ready ? 'r' : '.';
  bool changed = state != told->state;
  for (unsigned i = 0; valid && !changed && i < s->role->n_payload; i++) {
    const wf_replay_port *p = &l->ports[s->payload[i]];
    changed = !same_bits(p, seen_of(r, p), lane * p->per_lane, p->per_lane);
  }
  if (!changed) return;
  told->state = state;
  add(r, " %s", s->role->name);
  if (s->lanes > 1) add(r, ".%u", lane);
  add(r, "=%c", state);
  for (unsigned i = 0; valid && i < s->role->n_payload; i++) {
    const wf_replay_port *p = &l->ports[s->payload[i]];
    store_lane(p, seen_of(r, p), lane * p->per_lane, p->per_lane);
    r->line[r->used++] = i ? ',' : ':';
    r->used += wf_hex_put(r->line + r->used, seen_of(r, p), NULL, lane * p->per_lane, p->per_lane);
  }
}

void wf_recorder_edge(wf_recorder *r, uint64_t time) {
  const wf_layout *l = r->layout;
  if (wf_recorder_full(r)) return;
  r->used = 0;
  if (time != r->next_time) add(r, " @%" PRIu64, time);
  lane_state *told = r->lanes;
  for (size_t s = 0; s < l->n_streams; s++)
    for (unsigned lane = 0; lane < l->streams[s].lanes; lane++)
      record_lane(r, &l->streams[s], lane, told++);
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    if (p->stream != -1 || (r->edges && same_bits(p, seen_of(r, p), 0, p->port->width))) continue;
    store_port(p, seen_of(r, p));
    add(r, " %s=", p->port->name);
    r->used += wf_hex_put(r->line + r->used, seen_of(r, p), NULL, 0, p->port->width);
  }
  r->next_time = time + 1;
  r->edges++;
  if (!r->used) {
    r->same++;
    return;
  }
  flush_same(r);
  r->line[r->used++] = '\n';
  put(r, r->line + 1, r->used - 1); /* without the blank before the first */
}

bool wf_recorder_full(const wf_recorder *r) {
  return r->limit && r->edges >= r->limit;
}

bool wf_recorder_close(wf_recorder *r, wf_error *err) {
  char text[80];
  flush_same(r);
  int n = snprintf(text, sizeof text, "end %" PRIu64 " crc32 %08lx\n", r->edges, r->crc);
  wf_sink_write(r->sink, text, (size_t)n);
  bool ok = wf_sink_finish(r->sink, err);
  free(r->lanes);
  free(r->seen);
  free(r->line);
  free(r);
  return ok;
}
