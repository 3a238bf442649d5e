#include "sim/units/records.h"

#include <string.h>

enum { LINE = 128, BEAT_BYTES = 32 };

bool wf_records_provide_ring(wf_records *r, wf_error *err) {
  const uint64_t bytes = (uint64_t)r->ring * WF_GRID_HEADER;
  if (!bytes || r->ring_base) return true;
  const uint64_t at = wf_image_alloc(r->env->image, 2 * bytes, r->name, err);
  if (!at) return false;
  r->ring_base = (uint32_t)((at + bytes - 1) / bytes * bytes);
  r->ring_at(r->book, r->ring_base, (uint32_t)bytes);
  wf_port_set(r->port.ring_base, r->ring_base);
  return true;
}

/* ---- answers to the unit ---- */

static unsigned records_of(const wf_records *r) {
  return r->lines ? LINE / WF_GRID_HEADER : 1;
}

/* The read whose data are there longest; false: none. */
static bool next_answer(wf_records *r) {
  wf_record_flight *best = NULL;
  for (unsigned i = 0; i < (r->lines ? r->lines : 1); i++) {
    wf_record_flight *f = &r->flights[i];
    if (f->waiting && (r->rest || (!f->beats_left && wf_unit_now(r->env) >= f->here_at)) &&
        (!best || f->here_at < best->here_at))
      best = f;
  }
  if (best) r->answering = (unsigned)(best - r->flights);
  return best;
}

bool wf_records_answer(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const wf_record_flight *f = &r->flights[r->answering];
  wf_port_set(p->rsp_valid, 0);
  if (!r->n_waiting || (!f->sent && !next_answer(r))) return false;
  f = &r->flights[r->answering];
  uint32_t words[4] = {0};
  const void *at = f->nothing ? NULL
                              : wf_image_at(r->env->image, f->addr + f->sent * WF_GRID_HEADER,
                                            WF_GRID_HEADER, NULL);
  if (at) memcpy(words, at, WF_GRID_HEADER); /* data live in the image */
  memcpy(p->rsp_data->words, words, sizeof words);
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, r->answering);
  wf_port_set(p->rsp_beat, f->sent);
  return wf_port_get(p->rsp_ready);
}

void wf_records_answered(wf_records *r) {
  wf_record_flight *f = &r->flights[r->answering];
  if (++f->sent < records_of(r)) return;
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

static bool read_memory(wf_records *r) {
  const wf_record_ports *p = &r->port;
  const unsigned id = wf_port_word(p->mem_id);
  const uint32_t addr = wf_port_word(p->mem_addr) - (r->lines ? 0 : WF_GRID_HEADER);
  const uint64_t line = addr & ~(uint64_t)(r->env->line_bytes - 1);
  const bool inside = line >= WF_IMAGE_BASE &&
                      line + r->env->line_bytes <= WF_IMAGE_BASE + wf_image_bytes(r->env->image);
  wf_record_flight *f = &r->flights[id];
  if (f->waiting || f->beats_left) return false;
  if (inside &&
      !wf_mem_unit_read(r->env->mem, r->env->client, wf_mem_partition(r->env->mem, line), line, id))
    return false;
  *f = (wf_record_flight){.waiting = true,
                          .nothing = !inside,
                          .addr = addr,
                          .asked = wf_unit_now(r->env),
                          .here_at = wf_unit_now(r->env) + r->hop};
  if (inside) f->beats_left = r->env->line_bytes / BEAT_BYTES;
  r->coming += inside;
  r->n_waiting++;
  return true;
}

static void take_beats(wf_records *r) {
  for (unsigned p = 0; r->coming && p < r->env->n_part; p++) {
    const wf_mem_beat *beat = wf_mem_unit_beat(r->env->mem, r->env->client, p);
    if (!beat) continue;
    wf_record_flight *f = &r->flights[beat->id];
    wf_mem_unit_beat_pop(r->env->mem, p);
    if (--f->beats_left) continue;
    f->here_at = wf_unit_now(r->env) + (r->hop ? r->hop : 1);
    r->coming--;
  }
}

bool wf_records_tick(wf_records *r, wf_error *err) {
  if (!wf_mem_l2_edge(r->env->mem)) return true;
  take_beats(r);
  if (!wf_port_get(r->port.mem_valid) || wf_port_get(r->port.mem_ready)) return true;
  bool taken = false;
  const uint32_t pointer = wf_port_word(r->port.mem_addr);
  if (wf_port_get(r->port.mem_write)) {
    if (!write_record(r, pointer, &taken, err)) return false;
  } else {
    taken = read_memory(r);
  }
  wf_port_set(r->port.mem_ready, taken);
  return true;
}
