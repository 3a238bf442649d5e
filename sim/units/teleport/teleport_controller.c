#include "sim/units/teleport/teleport_controller.h"

bool teleport_controller_bind(teleport_controller *c, wf_rtl *rtl, wf_error *err) {
  c->rtl = rtl;
  return controller_ports_bind(&c->port, rtl->model, err);
}

/* ---- before a kernel ---- */

static void drive_row(const controller_ports *p, const wf_preload_row *row) {
  const wf_port *const lo[] = {p->set_lo_x, p->set_lo_y, p->set_lo_z}, *const hi[] = {p->set_hi_x,
                                                                                      p->set_hi_y,
                                                                                      p->set_hi_z};
  wf_port_set(p->set_base, row->base);
  wf_port_set(p->set_size, row->element_bytes);
  for (unsigned i = 0; i < 3; i++) {
    wf_port_set(lo[i], (uint32_t)row->min[i]);
    wf_port_set(hi[i], (uint32_t)row->max[i]);
  }
  wf_port_set(p->set_lo_off, (uint32_t)row->min_offset);
  wf_port_set(p->set_hi_off, (uint32_t)row->max_offset);
  wf_port_set(p->set_pitch, row->pitch);
  wf_port_set(p->set_lines, row->more);
}

/* One transfer of `set`: a row, or NULL to empty the table. A real launch takes far longer. */
static bool send_set(teleport_controller *c, const teleport_shared *m, const wf_preload_row *row,
                     wf_error *err) {
  const controller_ports *p = &c->port;
  static const wf_preload_row none;
  wf_port_set(p->set_flush, !row);
  drive_row(p, row ? row : &none);
  return wf_rtl_transfer(c->rtl, p->set_valid, p->set_ready, wf_unit_now(&m->env), err);
}

bool teleport_controller_fill(teleport_controller *c, const teleport_shared *m,
                              const wf_preload_row *rows, unsigned n, wf_error *err) {
  const controller_ports *p = &c->port;
  c->rows = rows;
  c->n_rows = n;
  if (!send_set(c, m, NULL, err)) return false;
  for (unsigned i = 0; i < n; i++)
    if (!send_set(c, m, &rows[i], err)) return false;
  return wf_port_get(p->rows) == n ||
         wf_fail(err, WF_EXIT_WRONG, "teleport: the table has %u rows, %u were set",
                 wf_port_word(p->rows), n);
}

/* ---- thread blocks ---- */

bool teleport_controller_room(const teleport_controller *c) {
  return !c->offered;
}

void teleport_controller_block(teleport_controller *c, const teleport_asking *block) {
  c->block = *block;
  c->offered = true;
}

bool teleport_controller_works(const teleport_controller *c) {
  return c->offered || !wf_port_get(c->port.idle);
}

/* ---- one cycle at the ports ---- */

static void drive_block(teleport_controller *c) {
  const controller_ports *p = &c->port;
  const teleport_asking *next = &c->block;
  wf_port_set(p->tb_valid, c->offered);
  if (!c->offered) return;
  wf_port_set(p->tb_sm, next->sm);
  wf_port_set(p->tb_slot, next->slot);
  wf_port_set(p->tb_x, next->block[0]);
  wf_port_set(p->tb_y, next->block[1]);
  wf_port_set(p->tb_z, next->block[2]);
  if (!wf_port_get(p->tb_ready)) return;
  /* The RTL takes no more than there is room for. */
  c->walks[wf_ring_push(&c->walk_ring, TELEPORT_WALKS)] = *next;
  c->offered = false;
}

static teleport_request request_at(const controller_ports *p) {
  return (teleport_request){.sm = wf_port_word(p->req_sm),
                            .slot = (uint8_t)wf_port_get(p->req_slot),
                            .last = wf_port_get(p->req_last),
                            .none = wf_port_get(p->req_none),
                            .low = wf_port_get(p->req_low),
                            .high = wf_port_get(p->req_high),
                            .pitch = wf_port_word(p->req_pitch),
                            .more = wf_port_word(p->req_lines)};
}

bool teleport_controller_drive(teleport_controller *c, teleport_request *r) {
  drive_block(c);
  wf_port_set(c->port.req_ready, 0);
  if (!wf_port_get(c->port.req_valid)) return false;
  *r = request_at(&c->port);
  return true;
}

/* As the bus has an address: signed, a bit wider than memory's; what is further away is the
 * nearest.
 */
static uint64_t on_bus(const teleport_shared *m, int64_t address) {
  const int64_t most = ((int64_t)1 << m->addr_bits) - 1, least = -most - 1;
  const int64_t near = address < least ? least : address > most ? most : address;
  return (uint64_t)near & (UINT64_MAX >> (63 - m->addr_bits));
}

/* The next range of the thread block, by its rows. */
static teleport_request range_of_rows(const teleport_controller *c, const teleport_shared *m,
                                      teleport_asking *a) {
  teleport_request r = {.sm = a->sm, .slot = (uint8_t)a->slot, .last = true, .none = true};
  while (r.none && a->row < c->n_rows) {
    const wf_preload_row *row = &c->rows[a->row++];
    int64_t low, high;
    wf_teleport_range(row, a->block, &low, &high);
    r.none = high < low || low >> m->addr_bits > 0 || high >> m->addr_bits < -1;
    r.low = on_bus(m, low);
    r.high = on_bus(m, high);
    r.pitch = row->pitch;
    r.more = row->more;
  }
  r.last = a->row == c->n_rows;
  return r;
}

static bool same_request(const teleport_request *a, const teleport_request *b) {
  return a->sm == b->sm && a->slot == b->slot && a->last == b->last && a->none == b->none &&
         (a->none ||
          (a->low == b->low && a->high == b->high && a->pitch == b->pitch && a->more == b->more));
}

/* What is on the port goes with this edge: is it the range that the rows ask for? */
static bool check_request(teleport_controller *c, const teleport_shared *m, wf_error *err) {
  const teleport_request r = request_at(&c->port);
  teleport_asking *a = &c->walks[c->walk_ring.head];
  if (!c->walk_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: a range for no thread block");
  const teleport_request q = range_of_rows(c, m, a);
  if (!same_request(&r, &q))
    return wf_fail(err, WF_EXIT_WRONG,
                   "teleport: SM %u, slot %u: %s 0x%llx..0x%llx, %u more by 0x%x%s; the rows of "
                   "thread block (%u,%u,%u) on SM %u, slot %u ask for %s 0x%llx..0x%llx, %u more "
                   "by 0x%x%s",
                   r.sm, r.slot, r.none ? "nothing" : "range", (unsigned long long)r.low,
                   (unsigned long long)r.high, r.more, r.pitch, r.last ? ", the last" : "",
                   a->block[0], a->block[1], a->block[2], a->sm, a->slot,
                   q.none ? "nothing" : "range", (unsigned long long)q.low,
                   (unsigned long long)q.high, q.more, q.pitch, q.last ? ", the last" : "");
  if (r.last) wf_ring_pop(&c->walk_ring, TELEPORT_WALKS);
  return true;
}

bool teleport_controller_answer(teleport_controller *c, const teleport_shared *m, bool taken,
                                wf_error *err) {
  wf_port_set(c->port.req_ready, taken);
  return !taken || check_request(c, m, err);
}

bool teleport_controller_busy(const teleport_controller *c) {
  return wf_port_get(c->port.tb_valid) || !wf_port_get(c->port.idle);
}

bool teleport_controller_clock(teleport_controller *c, const teleport_shared *m, wf_error *err) {
  return wf_rtl_clock(c->rtl, wf_unit_now(&m->env), err);
}
