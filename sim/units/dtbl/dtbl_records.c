#include "sim/units/dtbl/dtbl_records.h"

#include <string.h>

enum { LINE = 128, BEAT_BYTES = 32 };

bool dtbl_records_provide_ring(dtbl_records *r, wf_error *err) {
  const uint64_t bytes = (uint64_t)r->set->ring * DTBL_RECORD;
  if (!bytes || r->ring_base) return true;
  const uint64_t at = wf_image_alloc(r->env->image, 2 * bytes, "dtbl.ring", err);
  if (!at) return false;
  r->ring_base = (uint32_t)((at + bytes - 1) / bytes * bytes);
  dtbl_book_ring(r->book, r->ring_base, (uint32_t)bytes);
  wf_port_set(r->port->ring_base, r->ring_base);
  return true;
}

/* ---- answers to the unit ---- */

static unsigned records_of(const dtbl_records *r) {
  return r->set->lines ? LINE / DTBL_RECORD : 1;
}

/* The read whose data are there longest; false: none. */
static bool next_answer(dtbl_records *r) {
  dtbl_flight *best = NULL;
  for (unsigned i = 0; i < (r->set->lines ? r->set->lines : 1); i++) {
    dtbl_flight *f = &r->flights[i];
    if (f->waiting && (r->rest || (!f->beats_left && wf_unit_now(r->env) >= f->here_at)) &&
        (!best || f->here_at < best->here_at))
      best = f;
  }
  if (best) r->answering = (unsigned)(best - r->flights);
  return best;
}

bool dtbl_records_answer(dtbl_records *r) {
  const dtbl_ports *p = r->port;
  const dtbl_flight *f = &r->flights[r->answering];
  wf_port_set(p->rsp_valid, 0);
  if (!r->n_waiting || (!f->sent && !next_answer(r))) return false;
  f = &r->flights[r->answering];
  uint32_t words[4] = {0};
  const void *at =
      f->nothing ? NULL
                 : wf_image_at(r->env->image, f->addr + f->sent * DTBL_RECORD, DTBL_RECORD, NULL);
  if (at) memcpy(words, at, DTBL_RECORD); /* data live in the image */
  memcpy(p->rsp_data->words, words, sizeof words);
  wf_port_set(p->rsp_valid, 1);
  wf_port_set(p->rsp_id, r->answering);
  wf_port_set(p->rsp_beat, f->sent);
  return wf_port_get(p->rsp_ready);
}

void dtbl_records_answered(dtbl_records *r) {
  dtbl_flight *f = &r->flights[r->answering];
  if (++f->sent < records_of(r)) return;
  f->waiting = false;
  f->sent = 0;
  r->n_waiting--;
  r->answers++;
  r->latency += wf_unit_now(r->env) - f->asked;
}

bool dtbl_records_leave(dtbl_records *r) {
  const dtbl_ports *p = r->port;
  dtbl_flight *f = &r->flights[wf_port_get(p->mem_id)];
  if (!r->set->lines || wf_port_get(p->mem_write) || f->waiting) return false;
  f->waiting = f->nothing = true;
  f->asked = wf_unit_now(r->env);
  r->n_waiting++;
  wf_port_set(p->mem_ready, 1);
  return true;
}

/* ---- at the L2 slices ---- */

static bool write_record(dtbl_records *r, uint32_t pointer, bool *taken, wf_error *err) {
  const uint64_t at = pointer - DTBL_RECORD, line = at & ~(uint64_t)(r->env->line_bytes - 1);
  const unsigned word = (unsigned)(at - line) / 4, mask = wf_port_word(r->port->mem_mask);
  uint8_t bytes[256] = {0};
  memcpy(bytes + (at - line), r->port->mem_data->words, DTBL_RECORD);
  *taken = wf_mem_unit_write(r->env->mem, r->env->client, wf_mem_partition(r->env->mem, line), line,
                             mask << word, bytes);
  if (!*taken) return true;
  r->written += mask & 1;
  return dtbl_book_write(r->book, pointer, mask, r->port->mem_data->words, err);
}

static bool read_memory(dtbl_records *r) {
  const dtbl_ports *p = r->port;
  const unsigned id = wf_port_word(p->mem_id);
  const uint32_t addr = wf_port_word(p->mem_addr) - (r->set->lines ? 0 : DTBL_RECORD);
  const uint64_t line = addr & ~(uint64_t)(r->env->line_bytes - 1);
  const bool inside = line >= WF_IMAGE_BASE &&
                      line + r->env->line_bytes <= WF_IMAGE_BASE + wf_image_bytes(r->env->image);
  dtbl_flight *f = &r->flights[id];
  if (f->waiting || f->beats_left) return false;
  if (inside &&
      !wf_mem_unit_read(r->env->mem, r->env->client, wf_mem_partition(r->env->mem, line), line, id))
    return false;
  *f = (dtbl_flight){.waiting = true,
                     .nothing = !inside,
                     .addr = addr,
                     .asked = wf_unit_now(r->env),
                     .here_at = wf_unit_now(r->env) + r->set->hop};
  if (inside) f->beats_left = r->env->line_bytes / BEAT_BYTES;
  r->coming += inside;
  r->n_waiting++;
  return true;
}

static void take_beats(dtbl_records *r) {
  for (unsigned p = 0; r->coming && p < r->env->n_part; p++) {
    const wf_mem_beat *beat = wf_mem_unit_beat(r->env->mem, r->env->client, p);
    if (!beat) continue;
    dtbl_flight *f = &r->flights[beat->id];
    wf_mem_unit_beat_pop(r->env->mem, p);
    if (--f->beats_left) continue;
    f->here_at = wf_unit_now(r->env) + (r->set->hop ? r->set->hop : 1);
    r->coming--;
  }
}

bool dtbl_records_tick(dtbl_records *r, wf_error *err) {
  if (!wf_mem_l2_edge(r->env->mem)) return true;
  take_beats(r);
  if (!wf_port_get(r->port->mem_valid) || wf_port_get(r->port->mem_ready)) return true;
  bool taken = false;
  const uint32_t pointer = wf_port_word(r->port->mem_addr);
  if (wf_port_get(r->port->mem_write)) {
    if (!write_record(r, pointer, &taken, err)) return false;
  } else {
    taken = read_memory(r);
  }
  wf_port_set(r->port->mem_ready, taken);
  return true;
}

/* ---- checks ---- */

bool dtbl_records_check(dtbl_records *r, const dtbl_offer *o, wf_error *err) {
  if (!o->group || !o->first || o->link & 1) return true;
  uint32_t words[4];
  const void *at = wf_image_at(r->env->image, o->link - DTBL_RECORD, DTBL_RECORD, err);
  if (!at) return false;
  memcpy(words, at, DTBL_RECORD);
  r->read++;
  return dtbl_book_read(r->book, o->link, words, err);
}
