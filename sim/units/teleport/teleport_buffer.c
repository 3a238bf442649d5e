#include "sim/units/teleport/teleport_buffer.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { NO_LINE = UINT32_MAX };

void teleport_buffer_init(teleport_buffer *s, const teleport_shared *m, unsigned sm) {
  s->sm = sm;
  s->filled = wf_calloc(m->places, sizeof *s->filled);
  s->holds = wf_calloc(m->places, sizeof *s->holds);
}

void teleport_buffer_free(teleport_buffer *s) {
  free(s->filled);
  free(s->holds);
}

bool teleport_buffer_bind(teleport_buffer *s, const teleport_shared *m, wf_rtl *rtl,
                          wf_error *err) {
  s->rtl = rtl;
  if (!buffer_ports_bind(&s->port, rtl->model, err)) return false;
  wf_port_set(s->port.overlap, m->set.overlap);
  wf_port_set(s->port.go_ready, 1);
  return true;
}

bool teleport_buffer_start(teleport_buffer *s, const teleport_shared *m, unsigned ways,
                           wf_error *err) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->start_ways, ways);
  wf_port_set(p->bound_lo, m->bounds.first);
  wf_port_set(p->bound_hi, m->bounds.last);
  wf_port_set(p->cap, m->bounds.cap);
  s->walk_ring = (wf_ring){0};
  for (unsigned i = 0; i < m->places; i++) s->holds[i] = NO_LINE;
  return wf_rtl_transfer(s->rtl, p->start_valid, p->start_ready, wf_unit_now(&m->env), err);
}

/* ---- what the fabric tells and asks ---- */

void teleport_buffer_block_end(teleport_buffer *s, teleport_shared *m, unsigned slot) {
  if (s->end_ring.count == TELEPORT_ENDS)
    wf_fail(m->fault, WF_EXIT_WRONG, "teleport: more thread blocks end than an SM has");
  else
    s->ends[wf_ring_push(&s->end_ring, TELEPORT_ENDS)] = (uint8_t)slot;
}

void teleport_buffer_expect(teleport_buffer *s, teleport_shared *m, const wf_teleport_walk *walk) {
  if (s->walk_ring.count == TELEPORT_BLOCKS)
    wf_fail(m->fault, WF_EXIT_WRONG, "teleport: more thread blocks begin than an SM has");
  else
    s->walks[wf_ring_push(&s->walk_ring, TELEPORT_BLOCKS)] = *walk;
}

bool teleport_buffer_access(teleport_buffer *s, bool store, uint32_t line) {
  if (s->offered || s->flight_ring.count == TELEPORT_FLIGHT) return false;
  s->offered = true;
  s->offer_store = store;
  s->offer_line = line;
  return true;
}

wf_preload_answer teleport_buffer_answer(teleport_buffer *s, unsigned *place) {
  if (!s->answer_ring.count) return WF_PRELOAD_WAIT;
  const unsigned at = wf_ring_pop(&s->answer_ring, TELEPORT_ANSWERS);
  *place = s->answers[at].place;
  return s->answers[at].answer;
}

void teleport_buffer_filled(teleport_buffer *s, teleport_shared *m, unsigned place) {
  if (s->filled_ring.count == m->places)
    wf_fail(m->fault, WF_EXIT_WRONG, "teleport: more replies than lines");
  else
    s->filled[wf_ring_push(&s->filled_ring, m->places)] = (uint16_t)place;
}

/* ---- one cycle at the ports ---- */

bool teleport_buffer_ask(teleport_buffer *s, const teleport_request *r) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->ask_valid, 1);
  wf_port_set(p->ask_slot, r->slot);
  wf_port_set(p->ask_last, r->last);
  wf_port_set(p->ask_none, r->none);
  wf_port_set(p->ask_low, r->low);
  wf_port_set(p->ask_high, r->high);
  wf_port_set(p->ask_pitch, r->pitch);
  wf_port_set(p->ask_lines, r->more);
  return wf_port_get(p->ask_ready);
}

static void drive_access(teleport_buffer *s) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  wf_port_set(p->acc_store, s->offer_store);
  wf_port_set(p->acc_block, s->offer_line);
  if (!wf_port_get(p->acc_ready)) return;
  s->flight[wf_ring_push(&s->flight_ring, TELEPORT_FLIGHT)] = !s->offer_store;
  s->offered = false;
}

static void drive_reply(teleport_buffer *s, const teleport_shared *m) {
  wf_port_set(s->port.rsp_valid, s->filled_ring.count > 0);
  if (s->filled_ring.count)
    wf_port_set(s->port.rsp_line, s->filled[wf_ring_pop(&s->filled_ring, m->places)]);
}

static void drive_end(teleport_buffer *s) {
  wf_port_set(s->port.end_valid, s->end_ring.count > 0);
  if (s->end_ring.count)
    wf_port_set(s->port.end_slot, s->ends[wf_ring_pop(&s->end_ring, TELEPORT_ENDS)]);
}

static bool holds(const teleport_buffer *s, const teleport_shared *m, uint32_t line) {
  for (unsigned i = 0; i < m->places; i++)
    if (s->holds[i] == line) return true;
  return false;
}

/* Goes on to the line, past those that are not fetched; false: it is none that rows ask for. */
static bool walk_to(teleport_buffer *s, const teleport_shared *m, uint32_t line) {
  uint32_t next;
  for (; s->walk_ring.count; wf_ring_pop(&s->walk_ring, TELEPORT_BLOCKS))
    while (wf_teleport_walk_next(&s->walks[s->walk_ring.head], &m->bounds, &next)) {
      if (next == line) return true;
      s->left_out += !holds(s, m, next);
    }
  return false;
}

uint64_t teleport_buffer_left_out(teleport_buffer *s, const teleport_shared *m) {
  walk_to(s, m, NO_LINE);
  return s->left_out;
}

bool teleport_buffer_fetches(teleport_buffer *s, const teleport_shared *m, uint32_t line,
                             unsigned place) {
  if (walk_to(s, m, line)) {
    s->holds[place] = line;
    return true;
  }
  return wf_fail(
      m->fault, WF_EXIT_WRONG,
      "teleport: SM %u fetches line 0x%x, which the rows of no thread block ask for next", s->sm,
      line);
}

/* To the fabric: a line to fetch, a thread block that may start. */
static void hand_out(teleport_buffer *s, const teleport_shared *m) {
  const buffer_ports *p = &s->port;
  const wf_unit_env *e = &m->env;
  const bool fetch = wf_port_get(p->fetch_valid);
  const bool taken = fetch && e->preload_fetch(e->gpu, s->sm, wf_port_word(p->fetch_block),
                                               wf_port_word(p->fetch_line));
  wf_port_set(p->fetch_ready, taken);
  if (taken)
    teleport_buffer_fetches(s, m, wf_port_word(p->fetch_block), wf_port_word(p->fetch_line));
  if (wf_port_get(p->go_valid)) e->block_go(e->gpu, s->sm, wf_port_word(p->go_slot));
}

static bool take_answer(teleport_buffer *s, wf_error *err) {
  const buffer_ports *p = &s->port;
  if (!wf_port_get(p->acc_rsp_valid)) return true;
  if (!s->flight_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: an answer to an access that was not made");
  if (!s->flight[wf_ring_pop(&s->flight_ring, TELEPORT_FLIGHT)]) return true;
  if (s->answer_ring.count == TELEPORT_ANSWERS)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: answers that nobody takes");
  const unsigned at = wf_ring_push(&s->answer_ring, TELEPORT_ANSWERS);
  s->answers[at].answer = wf_port_get(p->acc_rsp_hit)      ? WF_PRELOAD_HIT
                          : wf_port_get(p->acc_rsp_coming) ? WF_PRELOAD_COMING
                                                           : WF_PRELOAD_MISS;
  s->answers[at].place = wf_port_word(p->acc_rsp_line);
  return true;
}

bool teleport_buffer_works(const teleport_buffer *s) {
  return s->offered || s->filled_ring.count || s->end_ring.count || !wf_port_get(s->port.idle);
}

bool teleport_buffer_clock(teleport_buffer *s, const teleport_shared *m, wf_error *err) {
  drive_access(s);
  drive_reply(s, m);
  drive_end(s);
  hand_out(s, m);
  if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err)) return false;
  wf_port_set(s->port.ask_valid, 0);
  return take_answer(s, err);
}
