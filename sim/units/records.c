#include "sim/units/records.h"

#include <stdio.h>
#include <string.h>

enum { SECTOR = 32 };

bool wf_records_provide_ring(wf_records *r, wf_error *err) {
  const uint64_t bytes = (uint64_t)r->ring * WF_GRID_HEADER;
  if (!bytes || r->ring_base) return true;
  const uint64_t at = wf_image_alloc(r->env->image, 2 * bytes, r->name, err);
  if (!at) return false;
  if (at + 2 * bytes > WF_RECORD_REACH)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "%s would lie at 0x%llx: the unit's addresses have 32 bits; expected less memory "
        "in use before the first launch by threads",
        r->name, (unsigned long long)at);
  r->ring_base = (uint32_t)((at + bytes - 1) / bytes * bytes);
  if (r->ring_at) r->ring_at(r->book, r->ring_base, (uint32_t)bytes);
  wf_port_set(r->port.ring_base, r->ring_base);
  return true;
}

bool wf_records_reach(const wf_grid *g, char *why, size_t bytes) {
  if (g->params < WF_RECORD_REACH) return true;
  snprintf(why, bytes,
           "parameters at 0x%llx: the unit's addresses have 32 bits; expected less memory in use "
           "before the first launch by threads",
           (unsigned long long)g->params);
  return false;
}

/* ---- answers to the unit ---- */

static wf_records *user_of(wf_records *r, unsigned id) {
  return r->second && id >= r->second->first_id ? r->second : r;
}

/* Of a user's read. */
static unsigned records_of(const wf_records *user) {
  return user->lines ? WF_RECORD_LINE / WF_GRID_HEADER : 1;
}

/* What has come at the unit's port of the crossbar; NULL: nothing. */
static const wf_packet *arrived(const wf_records *r) {
  return wf_mem_peek(r->env->mem, r->env->n_sm);
}

/* Those that are here go first; else as they come. What is offered stays until it is taken. */
static bool next_answer(wf_records *r) {
  const wf_packet *p = arrived(r);
  if (r->n_here) {
    r->answering = 0;
    while (!r->flights[r->answering].here) r->answering++;
    return true;
  }
  if (!p || p->kind != WF_PKT_READ) return false;
  r->answering = p->id;
  return true;
}

bool wf_records_answer(wf_records *r) {
  const wf_record_ports *p = &r->port;
  wf_port_set(p->rsp_valid, 0);
  if (!r->n_waiting && !(r->second && r->second->n_waiting)) return false;
  if (!r->offered && !r->flights[r->answering].sent && !next_answer(r)) return false;
  const wf_record_flight *f = &r->flights[r->answering];
  r->offered = true;
  memcpy(p->rsp_data->words, f->data + f->sent * WF_GRID_HEADER, WF_GRID_HEADER);
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, r->answering);
  wf_port_set(p->rsp_beat, f->sent);
  return true;
}

/* Its last record leaves the crossbar's buffer with it. */
void wf_records_answered(wf_records *r) {
  wf_record_flight *f = &r->flights[r->answering];
  wf_records *user = user_of(r, r->answering);
  r->offered = false;
  if (++f->sent < records_of(user)) return;
  if (f->here)
    r->n_here--;
  else
    wf_mem_pop(r->env->mem, r->env->n_sm);
  user->n_waiting--;
  user->answers++;
  user->latency += wf_unit_now(r->env) - f->asked;
  *f = (wf_record_flight){0};
}

bool wf_records_leave(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const unsigned id = wf_port_word(p->mem_id);
  wf_record_flight *f = &r->flights[id];
  if (user_of(r, id) != r || !r->lines || wf_port_get(p->mem_write) || f->waiting) return false;
  *f = (wf_record_flight){.waiting = true, .here = true, .asked = wf_unit_now(r->env)};
  r->n_waiting++;
  r->n_here++;
  wf_port_set(p->mem_ready, 1);
  return true;
}

/* ---- requests of the unit ---- */

/* A packet for the sectors of these bytes, which lie in a line. */
static wf_packet packet_of(const wf_records *r, wf_packet_kind kind, uint32_t at, unsigned bytes) {
  const uint32_t line = at & ~(r->env->line_bytes - 1);
  const unsigned first = (at - line) / SECTOR, last = (at - line + bytes - 1) / SECTOR;
  return (wf_packet){.address = line,
                     .payload = WF_NO_PAYLOAD,
                     .kind = (uint8_t)kind,
                     .sectors = (uint8_t)((2u << last) - (1u << first))};
}

/* False: there is no room in the crossbar. */
static bool send(wf_records *user, const wf_packet *packet) {
  const bool sent = wf_mem_send(user->env->mem, user->env->n_sm, packet);
  user->refused += !sent;
  return sent;
}

static bool write_record(wf_records *r, uint32_t pointer, bool *taken, wf_error *err) {
  wf_records *user = user_of(r, wf_port_word(r->port.mem_id));
  const uint32_t at = pointer - WF_GRID_HEADER, mask = wf_port_word(r->port.mem_mask);
  uint8_t *to = wf_image_at(r->env->image, at, WF_GRID_HEADER, err);
  if (!to) return false;
  wf_packet packet = packet_of(r, WF_PKT_WRITE, at, WF_GRID_HEADER);
  packet.bytes = (uint16_t)(4 * __builtin_popcount(mask));
  *taken = send(user, &packet);
  if (!*taken) return true;
  for (unsigned w = 0; w < WF_GRID_HEADER / 4; w++)
    if (mask >> w & 1) memcpy(to + 4 * w, &r->port.mem_data->words[w], 4);
  user->written += mask & 1;
  return !user->write || user->write(user->book, pointer, mask, r->port.mem_data->words, err);
}

/* A line that is fetched ahead may lie outside memory: nobody uses it. */
static bool read_memory(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const unsigned id = wf_port_word(p->mem_id);
  wf_records *user = user_of(r, id);
  const unsigned bytes = records_of(user) * WF_GRID_HEADER;
  const uint32_t addr = wf_port_word(p->mem_addr) - (user->lines ? 0 : WF_GRID_HEADER);
  wf_packet packet = packet_of(r, WF_PKT_READ, addr, bytes);
  wf_record_flight *f = &r->flights[id];
  packet.id = id;
  packet.reply_bytes = (uint16_t)bytes;
  if (f->waiting || !send(user, &packet)) return false;
  const void *from = wf_image_at(r->env->image, addr, bytes, NULL);
  *f = (wf_record_flight){.waiting = true, .asked = wf_unit_now(r->env)};
  if (from) memcpy(f->data, from, bytes);
  user->n_waiting++;
  return true;
}

static bool ask_memory(wf_records *r, wf_error *err) {
  if (!wf_port_get(r->port.mem_valid) || wf_port_get(r->port.mem_ready)) return true;
  bool taken = false;
  if (wf_port_get(r->port.mem_write)) {
    if (!write_record(r, wf_port_word(r->port.mem_addr), &taken, err)) return false;
  } else {
    taken = read_memory(r);
  }
  wf_port_set(r->port.mem_ready, taken);
  return true;
}

/* That a write is done concerns nobody. A record that is read alone goes into a register, since the
 * unit may let it wait for work of the SMs, whose packets do not wait behind it then. */
static void take_arrived(wf_records *r) {
  const wf_packet *p = arrived(r);
  if (!p || (p->kind == WF_PKT_READ && user_of(r, p->id)->lines)) return;
  if (p->kind == WF_PKT_READ) {
    r->flights[p->id].here = true;
    r->n_here++;
  }
  wf_mem_pop(r->env->mem, r->env->n_sm);
}

bool wf_records_tick(wf_records *r, wf_error *err) {
  take_arrived(r);
  return ask_memory(r, err);
}
