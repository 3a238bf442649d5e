#include "sim/units/teleport/teleport_buffer.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

enum { NO_LINE = UINT32_MAX };

void teleport_buffer_init(teleport_buffer *s, const teleport_shared *m, unsigned sm) {
  s->sm = sm;
  s->holds = wf_calloc(m->places, sizeof *s->holds);
}

void teleport_buffer_free(teleport_buffer *s) {
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
  if (slot >= m->slots || s->ended >> slot & 1)
    wf_fail(m->fault, WF_EXIT_WRONG, "teleport: SM %u: the thread block of slot %u ends, though %s",
            s->sm, slot,
            slot < m->slots ? "the buffer has not seen its last one end" : "there is no such slot");
  else
    s->ended |= (uint64_t)1 << slot;
}

void teleport_buffer_expect(teleport_buffer *s, teleport_shared *m, const wf_teleport_walk *walk) {
  if (s->walk_ring.count == TELEPORT_BLOCKS)
    wf_fail(m->fault, WF_EXIT_WRONG, "teleport: more thread blocks begin than an SM has");
  else
    s->walks[wf_ring_push(&s->walk_ring, TELEPORT_BLOCKS)] = *walk;
}

bool teleport_buffer_access(teleport_buffer *s, bool store, uint32_t line) {
  if (s->offered) return false;
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
  if (s->replied)
    wf_fail(m->fault, WF_EXIT_WRONG,
            "teleport: SM %u: a reply for place %u, though the one for place %u stands before the "
            "buffer",
            s->sm, place, s->reply);
  s->replied = true;
  s->reply = (uint16_t)place;
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

static bool drive_access(teleport_buffer *s, wf_error *err) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return true;
  wf_port_set(p->acc_store, s->offer_store);
  wf_port_set(p->acc_block, s->offer_line);
  if (!wf_port_get(p->acc_ready)) return true;
  if (s->flight_ring.count == TELEPORT_FLIGHT)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: SM %u: %u accesses have no answer", s->sm,
                   TELEPORT_FLIGHT);
  s->flight[wf_ring_push(&s->flight_ring, TELEPORT_FLIGHT)] = !s->offer_store;
  s->offered = false;
  return true;
}

static void drive_reply(teleport_buffer *s) {
  wf_port_set(s->port.rsp_valid, s->replied);
  if (!s->replied) return;
  wf_port_set(s->port.rsp_line, s->reply);
  if (wf_port_get(s->port.rsp_ready)) s->replied = false;
}

static void drive_end(teleport_buffer *s) {
  wf_port_set(s->port.end_valid, s->ended != 0);
  if (!s->ended) return;
  wf_port_set(s->port.end_slot, (unsigned)__builtin_ctzll(s->ended));
  if (wf_port_get(s->port.end_ready)) s->ended &= s->ended - 1;
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
    return wf_fail(err, WF_EXIT_WRONG, "teleport: SM %u: %u answers that nobody takes", s->sm,
                   TELEPORT_ANSWERS);
  const unsigned at = wf_ring_push(&s->answer_ring, TELEPORT_ANSWERS);
  s->answers[at].answer = wf_port_get(p->acc_rsp_hit)      ? WF_PRELOAD_HIT
                          : wf_port_get(p->acc_rsp_coming) ? WF_PRELOAD_COMING
                                                           : WF_PRELOAD_MISS;
  s->answers[at].place = wf_port_word(p->acc_rsp_line);
  return true;
}

bool teleport_buffer_works(const teleport_buffer *s) {
  return s->offered || s->replied || s->ended || !wf_port_get(s->port.idle);
}

bool teleport_buffer_clock(teleport_buffer *s, const teleport_shared *m, wf_error *err) {
  if (!drive_access(s, err)) return false;
  drive_reply(s);
  drive_end(s);
  hand_out(s, m);
  if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err)) return false;
  wf_port_set(s->port.ask_valid, 0);
  return take_answer(s, err);
}
