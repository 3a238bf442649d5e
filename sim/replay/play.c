/* Plays a recording on an instance of the model layer, and tells where outputs differ. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

static bool bit_of(const uint32_t *words, uint32_t bit) {
  return words[bit / 32] >> bit % 32 & 1;
}

static bool handshake(const wf_layout *l, const wf_frame *f, int port, unsigned lane) {
  const wf_replay_port *p = &l->ports[port];
  return bit_of(p->port->is_output ? f->out : f->in, 32 * p->first + lane);
}

void wf_play_count(wf_play_stats *stats, const wf_layout *l, const wf_frame *f) {
  stats->edges++;
  for (size_t s = 0; s < l->n_streams; s++)
    for (unsigned lane = 0; lane < l->streams[s].lanes; lane++)
      stats->transfers += handshake(l, f, l->streams[s].valid, lane) &&
                          (l->streams[s].ready < 0 || handshake(l, f, l->streams[s].ready, lane));
  for (uint32_t w = 0; w < l->out_words; w++)
    stats->compared_bits += (uint32_t)__builtin_popcount(f->care[w]);
}

/* Text of the bits of a port or lane; x where unknown. */
static void show(char *text, const uint32_t *words, const uint32_t *unknown, uint32_t lsb,
                 uint32_t width, uint32_t all) {
  uint32_t *known = NULL;
  if (unknown) {
    known = wf_calloc(all + 1, sizeof *known);
    for (uint32_t w = 0; w < all; w++) known[w] = ~unknown[w];
  }
  wf_hex_put(text, words, known, lsb, width);
  free(known);
}

static const char *role_of(const wf_replay_stream *s, int port) {
  return port == s->valid ? "valid" : port == s->ready ? "ready" : "payload";
}

static void describe(const wf_layout *l, const wf_frame *f, const uint32_t *got,
                     const uint32_t *unknown, int port, unsigned lane, char *text, size_t bytes) {
  const wf_replay_port *p = &l->ports[port];
  char *want = wf_calloc(p->per_lane / 4 + 4, 1), *have = wf_calloc(p->per_lane / 4 + 4, 1);
  uint32_t lsb = 32 * p->first + lane * p->per_lane;
  wf_hex_put(want, f->out, f->care, lsb, p->per_lane);
  show(have, got, unknown, lsb, p->per_lane, l->out_words);
  int n = snprintf(text, bytes, "edge %" PRIu64 " (cycle %" PRIu64 "): ", f->edge, f->time);
  size_t at = n < 0 ? 0 : (size_t)n;
  if (p->stream < 0)
    snprintf(text + at, bytes - at, "%s: expected %s, got %s", p->port->name, want, have);
  else
    snprintf(text + at, bytes - at, "%s lane %u: %s %s: expected %s, got %s",
             l->streams[p->stream].role->name, lane, role_of(&l->streams[p->stream], port),
             p->port->name, want, have);
  free(want);
  free(have);
}

bool wf_play_difference(const wf_layout *l, const wf_frame *f, const uint32_t *got,
                        const uint32_t *unknown, char *text, size_t bytes) {
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    if (!p->port->is_output) continue;
    for (uint32_t bit = 32 * p->first; bit < 32 * p->first + p->port->width; bit++) {
      uint32_t w = bit / 32;
      uint32_t x = unknown ? unknown[w] : 0;
      uint32_t wrong = (((f->out[w] ^ got[w]) & ~x) | (x & ~l->loose[w])) & f->care[w];
      if (!(wrong >> bit % 32 & 1)) continue;
      describe(l, f, got, unknown, (int)i, (bit - 32 * p->first) / p->per_lane, text, bytes);
      return true;
    }
  }
  return false;
}

static void drive(const wf_layout *l, const uint32_t *in) {
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    if (p->words && !p->port->is_output) wf_port_write(p->port, 0, p->port->width, in + p->first);
  }
}

static void sample(const wf_layout *l, uint32_t *out) {
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    if (p->words && p->port->is_output) wf_port_read(p->port, 0, p->port->width, out + p->first);
  }
}

static bool same(const wf_layout *l, const wf_frame *f, const uint32_t *got) {
  uint32_t wrong = 0;
  for (uint32_t w = 0; w < l->out_words; w++) wrong |= (f->out[w] ^ got[w]) & f->care[w];
  return !wrong;
}

static bool play_edge(const wf_layout *l, const wf_frame *f, wf_model *m, uint32_t *got,
                      const char *path, wf_error *err) {
  char text[900];
  drive(l, f->in);
  wf_model_set_cycle(m, f->time);
  bool running = wf_model_settle(m) == WF_MODEL_OK;
  if (running) {
    sample(l, got);
    if (!same(l, f, got) && wf_play_difference(l, f, got, NULL, text, sizeof text))
      return wf_fail(err, WF_EXIT_WRONG, "%s:%" PRIu64 ": %s", path, f->line, text);
  }
  if (running && wf_model_edge(m) == WF_MODEL_OK) return true;
  return wf_fail(err, WF_EXIT_WRONG, "%s:%" PRIu64 ": edge %" PRIu64 ": %s", path, f->line, f->edge,
                 wf_model_last_error(m));
}

bool wf_play(wf_reader *r, const wf_layout *l, wf_model *m, wf_play_stats *stats, wf_error *err) {
  const wf_frame *f;
  uint32_t *got = wf_calloc(l->out_words + 1, sizeof *got);
  *stats = (wf_play_stats){0};
  int more = 1;
  if (wf_model_reset(m, wf_reader_header(r)->reset_cycles) != WF_MODEL_OK)
    more = wf_fail(err, WF_EXIT_WRONG, "reset: %s", wf_model_last_error(m)) - 1;
  while (more == 1 && (more = wf_reader_next(r, &f, err)) == 1) {
    if (!play_edge(l, f, m, got, wf_reader_path(r), err))
      more = -1;
    else
      wf_play_count(stats, l, f);
  }
  free(got);
  return more == 0;
}
