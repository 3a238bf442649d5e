/* Roles fitted to the ports a unit has. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

static int find_port(const wf_layout *l, const char *name) {
  for (size_t i = 0; i < l->n_ports; i++)
    if (strcmp(l->ports[i].port->name, name) == 0) return (int)i;
  return -1;
}

/* Gives a port to stream s; -1 with *err if it is missing, taken, or of the wrong direction. */
static int claim(wf_layout *l, int s, const char *stream, const char *name, bool output,
                 unsigned lanes, wf_error *err) {
  int i = find_port(l, name);
  if (i < 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "[replay] %s: the unit has no port %s", stream, name);
    return -1;
  }
  wf_replay_port *p = &l->ports[i];
  const char *wrong = p->stream != -1                ? "has another role already"
                      : p->port->is_output != output ? "has the wrong direction"
                      : p->port->width % lanes       ? "is not a multiple of the lanes of valid"
                                                     : NULL;
  if (wrong) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "[replay] %s: port %s, %u bits, %s", stream, name,
            p->port->width, wrong);
    return -1;
  }
  p->stream = s;
  p->per_lane = p->port->width / lanes;
  return i;
}

static bool add_stream(wf_layout *l, int s, const wf_role *role, wf_error *err) {
  int valid = find_port(l, role->valid);
  if (valid < 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "[replay] %s: the unit has no port %s", role->name,
                   role->valid);
  const wf_port *port = l->ports[valid].port;
  wf_replay_stream *t = &l->streams[s];
  *t = (wf_replay_stream){
      .role = role, .to_unit = !port->is_output, .lanes = port->width, .ready = -1};
  t->valid = claim(l, s, role->name, role->valid, !t->to_unit, t->lanes, err);
  if (t->valid < 0) return false;
  if (strcmp(role->ready, "-") != 0) {
    t->ready = claim(l, s, role->name, role->ready, t->to_unit, t->lanes, err);
    if (t->ready < 0) return false;
    if (l->ports[t->ready].per_lane != 1)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "[replay] %s: %s has %u bits, %s has %u", role->name,
                     role->valid, t->lanes, role->ready, l->ports[t->ready].port->width);
  }
  for (unsigned i = 0; i < role->n_payload; i++)
    if ((t->payload[i] = claim(l, s, role->name, role->payload[i], !t->to_unit, t->lanes, err)) < 0)
      return false;
  return true;
}

static bool mark_loose(wf_layout *l, const char *name, wf_error *err) {
  int i = find_port(l, name);
  if (i < 0 || !l->ports[i].port->is_output)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "[replay] may_be_unknown: the unit has no output %s",
                   name);
  memset(l->loose + l->ports[i].first, 0xff, 4 * l->ports[i].words);
  return true;
}

bool wf_layout_make(wf_layout *l, const wf_roles *roles, const wf_port *ports, size_t n_ports,
                    wf_error *err) {
  *l = (wf_layout){.n_ports = n_ports, .n_streams = roles->count};
  l->ports = wf_calloc(n_ports + 1, sizeof *l->ports);
  l->streams = wf_calloc(roles->count + 1, sizeof *l->streams);
  for (size_t i = 0; i < n_ports; i++) {
    const wf_port *p = &ports[i];
    bool apart = strcmp(p->name, roles->clock) == 0 || strcmp(p->name, roles->reset) == 0;
    uint32_t *end = p->is_output ? &l->out_words : &l->in_words;
    l->ports[i] = (wf_replay_port){.port = p,
                                   .first = *end,
                                   .words = apart ? 0 : (p->width + 31) / 32,
                                   .stream = apart ? -2 : -1,
                                   .per_lane = p->width};
    *end += l->ports[i].words;
  }
  for (size_t s = 0; s < roles->count; s++)
    if (!add_stream(l, (int)s, &roles->streams[s], err)) return false;
  l->loose = wf_calloc(l->out_words + 1, sizeof *l->loose);
  for (size_t i = 0; i < roles->n_loose; i++)
    if (!mark_loose(l, roles->loose[i], err)) return false;
  return true;
}

void wf_layout_free(wf_layout *l) {
  free(l->ports);
  free(l->streams);
  free(l->loose);
  *l = (wf_layout){0};
}
