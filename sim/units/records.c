#include "sim/units/records.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 128, BEAT_BYTES = 32 };

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
  r->ring_at(r->book, r->ring_base, (uint32_t)bytes);
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

static unsigned records_of(const wf_records *r) {
  return r->lines ? LINE / WF_GRID_HEADER : 1;
}

/* The beat of a slice that somebody waits for. */
static const wf_mem_beat *wanted(const wf_records *r, unsigned slice) {
  const wf_mem_beat *beat = wf_mem_unit_beat(r->env->mem, r->env->client, slice);
  if (!beat) return NULL;
  const wf_record_flight *f = &r->flights[beat->id];
  if (!f->waiting || f->nothing) return NULL;
  const unsigned of_record = f->addr % LINE / BEAT_BYTES;
  return r->lines || beat->beat == of_record ? beat : NULL;
}

/* A read that no beat belongs to. */
static bool next_without_beats(wf_records *r) {
  for (unsigned i = 0; i < (r->lines ? r->lines : 1); i++) {
    const wf_record_flight *f = &r->flights[i];
    if (!f->waiting || !(r->rest || (f->nothing && wf_unit_now(r->env) >= f->due))) continue;
    r->answering = i;
    return true;
  }
  return false;
}

/* Slices take turns, a line each: beats stay in their slice until the port takes them, and what is
 * offered stays offered until then. */
static bool next_answer(wf_records *r) {
  if (next_without_beats(r)) return true;
  for (unsigned i = 0; r->coming && i < r->env->n_part; i++) {
    const unsigned slice = (r->turn + i) % r->env->n_part;
    const wf_mem_beat *beat = wanted(r, slice);
    if (!beat) continue;
    r->answering = beat->id;
    r->slice = slice;
    r->turn = (slice + 1) % r->env->n_part;
    return true;
  }
  return false;
}

/* The record on the port; NULL: its beat is not there yet. */
static const uint8_t *record(const wf_records *r) {
  static const uint8_t none[WF_GRID_HEADER];
  const wf_record_flight *f = &r->flights[r->answering];
  if (f->nothing) return none;
  const uint32_t addr = f->addr + f->sent * WF_GRID_HEADER;
  if (r->rest) return wf_image_at(r->env->image, addr, WF_GRID_HEADER, NULL);
  const wf_mem_beat *beat = wanted(r, r->slice);
  return beat && beat->id == r->answering ? beat->data + addr % BEAT_BYTES : NULL;
}

bool wf_records_answer(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const wf_record_flight *f = &r->flights[r->answering];
  wf_port_set(p->rsp_valid, 0);
  if (!r->n_waiting || (!f->sent && !r->offered && !next_answer(r))) return false;
  const uint8_t *at = record(r);
  if (!at) return false;
  r->offered = true;
  memcpy(p->rsp_data->words, at, WF_GRID_HEADER);
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, r->answering);
  wf_port_set(p->rsp_beat, r->flights[r->answering].sent);
  return wf_port_get(p->rsp_ready);
}

static void pop(wf_records *r, unsigned slice, wf_record_flight *f) {
  wf_mem_unit_beat_pop(r->env->mem, slice);
  if (!--f->beats_left) r->coming--;
}

void wf_records_answered(wf_records *r) {
  wf_record_flight *f = &r->flights[r->answering];
  const bool last = ++f->sent == records_of(r);
  r->offered = false;
  if (!f->nothing && !r->rest && (last || f->sent % (BEAT_BYTES / WF_GRID_HEADER) == 0))
    pop(r, r->slice, f);
  if (!last) return;
  f->waiting = false;
  f->sent = 0;
  r->n_waiting--;
  r->answers++;
  r->latency += wf_unit_now(r->env) - f->asked;
}

bool wf_records_leave(wf_records *r) {
  const wf_record_ports *p = &r->port;
  wf_record_flight *f = &r->flights[wf_port_get(p->mem_id)];
  if (!r->lines || wf_port_get(p->mem_write) || f->waiting) return false;
  f->waiting = f->nothing = true;
  f->asked = wf_unit_now(r->env);
  r->n_waiting++;
  wf_port_set(p->mem_ready, 1);
  return true;
}

/* ---- at the L2 slices ---- */

static bool write_record(wf_records *r, uint32_t pointer, bool *taken, wf_error *err) {
  const uint64_t at = pointer - WF_GRID_HEADER, line = at & ~(uint64_t)(r->env->line_bytes - 1);
  const unsigned word = (unsigned)(at - line) / 4, mask = wf_port_word(r->port.mem_mask);
  uint8_t bytes[256] = {0};
  memcpy(bytes + (at - line), r->port.mem_data->words, WF_GRID_HEADER);
  *taken = wf_mem_unit_write(r->env->mem, r->env->client, wf_mem_partition(r->env->mem, line), line,
                             mask << word, bytes);
  if (!*taken) return true;
  r->written += mask & 1;
  return r->write(r->book, pointer, mask, r->port.mem_data->words, err);
}

/* False: no stage of the way is free. */
static bool read_memory(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const unsigned id = wf_port_word(p->mem_id);
  const uint32_t addr = wf_port_word(p->mem_addr) - (r->lines ? 0 : WF_GRID_HEADER);
  const bool inside = addr >= WF_IMAGE_BASE &&
                      (uint64_t)addr + LINE <= WF_IMAGE_BASE + wf_image_bytes(r->env->image);
  wf_record_flight *f = &r->flights[id];
  if (f->waiting || f->beats_left || r->n_way > r->hop) return false;
  *f = (wf_record_flight){.waiting = true,
                          .nothing = !inside,
                          .addr = addr,
                          .asked = wf_unit_now(r->env),
                          .due = wf_unit_now(r->env) + r->hop};
  r->n_waiting++;
  if (!inside) return true;
  f->beats_left = r->env->line_bytes / BEAT_BYTES;
  r->coming++;
  r->way[(r->way_at + r->n_way++) % WF_RECORD_LINES] = id;
  return true;
}

/* The oldest read on the way enters its slice, or waits there with all behind it. */
static void enter_slice(wf_records *r) {
  if (!r->n_way) return;
  const unsigned id = r->way[r->way_at];
  const wf_record_flight *f = &r->flights[id];
  const uint64_t line = f->addr & ~(uint64_t)(r->env->line_bytes - 1);
  if (wf_unit_now(r->env) < f->due ||
      !wf_mem_unit_read(r->env->mem, r->env->client, wf_mem_partition(r->env->mem, line), line, id))
    return;
  r->way_at = (r->way_at + 1) % WF_RECORD_LINES;
  r->n_way--;
}

/* Beats that nobody waits for go. */
static void drop_beats(wf_records *r) {
  for (unsigned slice = 0; r->coming && slice < r->env->n_part; slice++) {
    const wf_mem_beat *beat = wf_mem_unit_beat(r->env->mem, r->env->client, slice);
    if (beat && !wanted(r, slice)) pop(r, slice, &r->flights[beat->id]);
  }
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

bool wf_records_tick(wf_records *r, wf_error *err) {
  if (!wf_mem_l2_edge(r->env->mem)) return true;
  drop_beats(r);
  if (!ask_memory(r, err)) return false;
  enter_slice(r);
  return true;
}
