#include "tb/teleport/controller/controller_bench.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "tb/teleport/controller/controller_cover.h"

static void append(controller_list *l, const controller_request *request) {
  if (l->head == l->tail) l->head = l->tail = 0;
  if (l->tail == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->item = wf_realloc(l->item, l->room, sizeof *l->item);
  }
  l->item[l->tail++] = *request;
}
static void expect(void *context, const controller_request *request) {
  append(&((controller_bench *)context)->expected, request);
}

static bool open(void *bench, wf_error *err) {
  controller_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (controller_shape){.rows = wf_bench_parameter(w, "Rows"),
                                .sms = wf_bench_parameter(w, "NumSm"),
                                .slots = wf_bench_parameter(w, "MaxTb"),
                                .addr_bits = wf_bench_parameter(w, "AddrBits"),
                                .size_bits = wf_bench_parameter(w, "SizeBits"),
                                .prod_bits = wf_bench_parameter(w, "ProdBits"),
                                .idx_bits = wf_bench_parameter(w, "IdxBits"),
                                .pitch_bits = wf_bench_parameter(w, "PitchBits"),
                                .height_bits = wf_bench_parameter(w, "HeightBits")};
  b->base.counted = b->ref.counter;
  return controller_ports_bind(&b->p, w->model, err);
}

static void close(void *bench) {
  controller_bench *b = bench;
  free(b->expected.item);
  free(b->taken.item);
}

void controller_bench_open_end(controller_bench *b, bool open_end) {
  b->ref.open_end = open_end;
  wf_port_set(b->p.open_end, open_end);
}

static void reset(void *bench) {
  controller_bench *b = bench;
  controller_ref_reset(&b->ref, &b->shape);
  b->expected.head = b->expected.tail = 0;
  b->quiet = 0;
  b->stalled = false;
  controller_bench_open_end(b, b->ref.open_end);
}

/* ---- driving: what is not offered is garbage ---- */

static uint64_t low_bits(int64_t value, unsigned bits) {
  return (uint64_t)value & (UINT64_MAX >> (64 - bits));
}

static void drive_set(controller_bench *b, const controller_set *set) {
  const controller_ports *p = &b->p;
  wf_port_set(p->set_valid, set != NULL);
  if (!set) {
    wf_bench_garbage(&b->base, &p->set_flush, &p->set_lines);
    return;
  }
  const controller_row *r = &set->row;
  const unsigned bits = b->shape.prod_bits;
  wf_port_set(p->set_flush, set->flush);
  wf_port_set(p->set_base, r->base);
  wf_port_set(p->set_size, r->size);
  wf_port_set(p->set_lo_x, low_bits(r->lo.x, bits));
  wf_port_set(p->set_lo_y, low_bits(r->lo.y, bits));
  wf_port_set(p->set_lo_z, low_bits(r->lo.z, bits));
  wf_port_set(p->set_lo_off, low_bits(r->lo.offset, bits));
  wf_port_set(p->set_hi_x, low_bits(r->hi.x, bits));
  wf_port_set(p->set_hi_y, low_bits(r->hi.y, bits));
  wf_port_set(p->set_hi_z, low_bits(r->hi.z, bits));
  wf_port_set(p->set_hi_off, low_bits(r->hi.offset, bits));
  wf_port_set(p->set_pitch, r->pitch);
  wf_port_set(p->set_lines, r->lines);
}

static void drive_tb(controller_bench *b, const controller_tb *t) {
  const controller_ports *p = &b->p;
  wf_port_set(p->tb_valid, t != NULL);
  if (!t) {
    wf_bench_garbage(&b->base, &p->tb_sm, &p->tb_z);
    return;
  }
  wf_port_set(p->tb_sm, t->sm);
  wf_port_set(p->tb_slot, t->slot);
  wf_port_set(p->tb_x, t->x);
  wf_port_set(p->tb_y, t->y);
  wf_port_set(p->tb_z, t->z);
}

/* ---- comparing ---- */

static bool same(controller_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(controller_bench *b) {
  const controller_ports *p = &b->p;
  const controller_list *e = &b->expected;
  if (!same(b, p->rows, b->ref.n_rows) || !same(b, p->idle, e->head == e->tail)) return false;
  if (!wf_port_get(p->req_valid))
    return !b->stalled || wf_bench_fail(&b->base, "a request was withdrawn");
  if (e->head == e->tail) return wf_bench_fail(&b->base, "a request that nothing asked for");
  const controller_request *r = &e->item[e->head];
  if (!same(b, p->req_sm, r->sm) || !same(b, p->req_slot, r->slot) ||
      !same(b, p->req_last, r->last) || !same(b, p->req_none, r->none))
    return false;
  const unsigned bits = b->shape.addr_bits + 1;
  return r->none || (same(b, p->req_low, low_bits(r->low, bits)) &&
                     same(b, p->req_high, low_bits(r->high, bits)) &&
                     same(b, p->req_pitch, r->pitch) && same(b, p->req_lines, r->lines));
}

bool controller_bench_cycle(controller_bench *b, const controller_set *set, const controller_tb *tb,
                            bool req_ready, bool *set_taken, bool *tb_taken) {
  const controller_ports *p = &b->p;
  bool set_take = set && wf_port_get(p->set_ready), tb_take = tb && wf_port_get(p->tb_ready);
  bool offered = wf_port_get(p->req_valid), req_take = offered && req_ready;
  if (set_taken) *set_taken = set_take;
  if (tb_taken) *tb_taken = tb_take;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  drive_set(b, set);
  drive_tb(b, tb);
  wf_port_set(p->req_ready, req_ready);
  if (!set && !tb && wf_port_get(p->idle) && wf_bench_gated(&b->base)) return true;
  controller_cover_cycle(b->base.bin, &b->ref, set, tb, set_take, tb_take, offered, req_ready);
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  if (set_take) controller_ref_set(&b->ref, set);
  if (tb_take) controller_ref_dispatch(&b->ref, tb, expect, b);
  if (req_take) append(&b->taken, &b->expected.item[b->expected.head++]);
  b->ref.counter[CONTROLLER_CNT_stalls] += offered && !req_ready;
  b->stalled = offered && !req_ready;
  bool waits = set || tb || b->expected.head != b->expected.tail,
       moved = set_take || tb_take || offered;
  b->quiet = waits && !moved ? b->quiet + 1 : 0;
  if (b->quiet > 6 * (b->shape.rows + 20))
    return wf_bench_fail(&b->base, "nothing moves for %u edges", b->quiet);
  return compare(b);
}

bool controller_bench_set(controller_bench *b, const controller_set *set) {
  bool taken = false;
  while (!taken)
    if (!controller_bench_cycle(b, set, NULL, true, &taken, NULL)) return false;
  return true;
}

bool controller_bench_dispatch(controller_bench *b, const controller_tb *tb) {
  bool taken = false;
  while (!taken)
    if (!controller_bench_cycle(b, NULL, tb, true, NULL, &taken)) return false;
  return true;
}

bool controller_bench_rest(void *bench) {
  controller_bench *b = bench;
  do /* once at least: what was taken last is still on the ports */
    if (!controller_bench_cycle(b, NULL, NULL, true, NULL, NULL)) return false;
  while (b->expected.head != b->expected.tail);
  return true;
}

const controller_request *controller_bench_taken(controller_bench *b, unsigned *count) {
  const controller_request *first = b->taken.item + b->taken.head;
  *count = (unsigned)(b->taken.tail - b->taken.head);
  b->taken.head = b->taken.tail;
  return first;
}

/* Things that count, which a snapshot must not see: a flush, more rows than the table holds, a
 * thread block, and a request refused. */
static bool counting_edges(void *user) {
  controller_bench *b = user;
  bool ok = controller_bench_set(b, &(controller_set){.flush = true});
  for (unsigned i = 0; ok && i <= b->shape.rows; i++)
    ok =
        controller_bench_set(b, &(controller_set){.row = {.size = 1, .hi.offset = i % 2 ? -1 : 0}});
  ok = ok && controller_bench_dispatch(b, &(controller_tb){0});
  while (ok && !wf_port_get(b->p.req_valid))
    ok = controller_bench_cycle(b, NULL, NULL, false, NULL, NULL);
  return ok && controller_bench_cycle(b, NULL, NULL, false, NULL, NULL) && controller_bench_rest(b);
}

const wf_bench_class controller_bench_class = {
    .unit = "teleport_controller",
    .bytes = sizeof(controller_bench),
    .open = open,
    .reset = reset,
    .close = close,
    .rest = controller_bench_rest,
    .after = counting_edges,
    .bins = (const char *const[]){CONTROLLER_BINS(WF_BENCH_PORT_NAME)},
    .n_bins = CONTROLLER_BIN_COUNT,
    .counters = (const char *const[]){CONTROLLER_COUNTERS(WF_BENCH_NAME)},
    .n_counters = CONTROLLER_CNT_COUNT};
