#include "tb/teleport/controller/controller_bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "tb/teleport/controller/controller_cover.h"

// clang-format off
#define PORTS(X) \
  X(bound_lo_i) X(bound_hi_i) X(cap_i) X(open_end_i) X(set_valid_i) X(set_ready_o) X(set_flush_i) \
  X(set_base_i) X(set_size_i) X(set_lo_x_i) X(set_lo_y_i) X(set_lo_z_i) X(set_lo_off_i) \
  X(set_hi_x_i) X(set_hi_y_i) X(set_hi_z_i) X(set_hi_off_i) X(tb_valid_i) X(tb_ready_o) X(tb_sm_i) \
  X(tb_slot_i) X(tb_x_i) X(tb_y_i) X(tb_z_i) X(req_valid_o) X(req_ready_i) X(req_sm_o) \
  X(req_slot_o) X(req_last_o) X(req_block_o) X(rows_o) X(idle_o)
// clang-format on

typedef struct ports {
#define X(name) const wf_port *name;
  PORTS(X)
#undef X
} ports;

typedef struct list {
  controller_request *item;
  size_t head, tail, room;
} list;

struct controller_bench {
  wf_bench base;
  ports p;
  controller_ref ref;
  controller_shape shape;
  list expected, taken;
  unsigned gate_percent, quiet; /* quiet: edges without anything moving though something should */
  bool stalled;                 /* a request was offered and not taken */
  controller_cover cover;
};

const controller_ref *controller_bench_ref(const controller_bench *b) {
  return &b->ref;
}
wf_bench *controller_bench_base(controller_bench *b) {
  return &b->base;
}
static unsigned parameter(const controller_bench *b, const char *name) {
  return (unsigned)wf_bench_parameter(&b->base, name);
}

static void append(list *l, const controller_request *request) {
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

controller_bench *controller_bench_create(const char *config, const char *parameters, uint64_t seed,
                                          unsigned gate_percent, wf_error *err) {
  wf_model_request request = {.unit = getenv("TELEPORT_UNIT") ? getenv("TELEPORT_UNIT")
                                                              : "teleport_controller",
                              .config = config,
                              .parameters = parameters};
  controller_bench *b = wf_calloc(1, sizeof *b);
  const wf_bench_port table[] = {
#define X(port) {&b->p.port, #port},
      PORTS(X)
#undef X
  };
  b->gate_percent = gate_percent;
  if (!wf_bench_open(&b->base, &request, seed, table, sizeof table / sizeof *table, err)) {
    controller_bench_destroy(b);
    return NULL;
  }
  b->shape = (controller_shape){.rows = parameter(b, "Rows"),
                                .sms = parameter(b, "NumSm"),
                                .slots = parameter(b, "MaxTb"),
                                .addr_bits = parameter(b, "AddrBits"),
                                .block_shift = (unsigned)__builtin_ctz(parameter(b, "LineBytes")),
                                .size_bits = parameter(b, "SizeBits"),
                                .prod_bits = parameter(b, "ProdBits"),
                                .idx_bits = parameter(b, "IdxBits"),
                                .cap_bits = parameter(b, "CapBits")};
  b->ref.levels = (controller_levels){
      .bound_hi = (UINT64_C(1) << (b->shape.addr_bits - b->shape.block_shift)) - 1,
      .cap = (1u << b->shape.cap_bits) - 1};
  if (!controller_bench_reset(b)) {
    wf_fail(err, WF_EXIT_WRONG, "%s", b->base.failure);
    controller_bench_destroy(b);
    return NULL;
  }
  return b;
}

void controller_bench_destroy(controller_bench *b) {
  if (!b) return;
  if (b->base.model && !controller_cover_write(&b->cover))
    fprintf(stderr, "functional bins cannot be written\n");
  wf_bench_close(&b->base);
  free(b->expected.item);
  free(b->taken.item);
  free(b);
}

void controller_bench_configure(controller_bench *b, const controller_levels *levels) {
  b->ref.levels = *levels;
  wf_port_set(b->p.bound_lo_i, levels->bound_lo);
  wf_port_set(b->p.bound_hi_i, levels->bound_hi);
  wf_port_set(b->p.cap_i, levels->cap);
  wf_port_set(b->p.open_end_i, levels->open_end);
}

bool controller_bench_reset(controller_bench *b) {
  wf_port_set(b->p.set_valid_i, 0);
  wf_port_set(b->p.tb_valid_i, 0);
  wf_port_set(b->p.req_ready_i, 0);
  if (!wf_bench_ok(&b->base, wf_model_reset(b->base.model, 2))) return false;
  controller_ref_reset(&b->ref, &b->shape);
  b->expected.head = b->expected.tail = 0;
  b->quiet = 0;
  b->stalled = false;
  controller_bench_configure(b, &b->ref.levels);
  return true;
}

/* ---- driving: what is not offered is garbage ---- */

static uint64_t low_bits(int64_t value, unsigned bits) {
  return (uint64_t)value & (UINT64_MAX >> (64 - bits));
}

static void drive_set(controller_bench *b, const controller_set *set) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng);
  controller_set any = {x & 1,
                        {x >> 7,
                         (uint32_t)x,
                         {(int64_t)x >> 3, (int64_t)x >> 13, (int64_t)x >> 21, (int64_t)x >> 30},
                         {(int64_t)x >> 5, (int64_t)x >> 17, (int64_t)x >> 25, (int64_t)x >> 11}}};
  const controller_row *r = set ? &set->row : &any.row;
  unsigned bits = b->shape.prod_bits;
  wf_port_set(p->set_valid_i, set != NULL);
  wf_port_set(p->set_flush_i, set ? set->flush : any.flush);
  wf_port_set(p->set_base_i, r->base);
  wf_port_set(p->set_size_i, r->size);
  wf_port_set(p->set_lo_x_i, low_bits(r->lo.x, bits));
  wf_port_set(p->set_lo_y_i, low_bits(r->lo.y, bits));
  wf_port_set(p->set_lo_z_i, low_bits(r->lo.z, bits));
  wf_port_set(p->set_lo_off_i, low_bits(r->lo.offset, bits));
  wf_port_set(p->set_hi_x_i, low_bits(r->hi.x, bits));
  wf_port_set(p->set_hi_y_i, low_bits(r->hi.y, bits));
  wf_port_set(p->set_hi_z_i, low_bits(r->hi.z, bits));
  wf_port_set(p->set_hi_off_i, low_bits(r->hi.offset, bits));
}

static void drive_tb(controller_bench *b, const controller_tb *tb) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng);
  controller_tb any = {(uint32_t)x, (uint32_t)x >> 8, x >> 16, x >> 24, x >> 32};
  const controller_tb *t = tb ? tb : &any;
  wf_port_set(p->tb_valid_i, tb != NULL);
  wf_port_set(p->tb_sm_i, t->sm);
  wf_port_set(p->tb_slot_i, t->slot);
  wf_port_set(p->tb_x_i, t->x);
  wf_port_set(p->tb_y_i, t->y);
  wf_port_set(p->tb_z_i, t->z);
}

/* ---- comparing ---- */

static bool same(controller_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(controller_bench *b) {
  const ports *p = &b->p;
  const list *e = &b->expected;
  if (!same(b, p->rows_o, b->ref.n_rows) || !same(b, p->idle_o, e->head == e->tail)) return false;
  if (!wf_port_get(p->req_valid_o))
    return !b->stalled || wf_bench_fail(&b->base, "a request was withdrawn");
  if (e->head == e->tail) return wf_bench_fail(&b->base, "a request that nothing asked for");
  const controller_request *r = &e->item[e->head];
  return same(b, p->req_sm_o, r->sm) && same(b, p->req_slot_o, r->slot) &&
         same(b, p->req_last_o, r->last) && same(b, p->req_block_o, r->block);
}

bool controller_bench_cycle(controller_bench *b, const controller_set *set, const controller_tb *tb,
                            bool req_ready, bool *set_taken, bool *tb_taken) {
  const ports *p = &b->p;
  bool set_take = set && wf_port_get(p->set_ready_o), tb_take = tb && wf_port_get(p->tb_ready_o);
  bool offered = wf_port_get(p->req_valid_o), req_take = offered && req_ready;
  if (set_taken) *set_taken = set_take;
  if (tb_taken) *tb_taken = tb_take;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  drive_set(b, set);
  drive_tb(b, tb);
  wf_port_set(p->req_ready_i, req_ready);
  if (!set && !tb && wf_port_get(p->idle_o) && wf_rng_below(&b->base.rng, 100) < b->gate_percent)
    return true;
  controller_cover_cycle(&b->cover, &b->ref, set, tb, set_take, tb_take, offered, req_ready);
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

bool controller_bench_rest(controller_bench *b) {
  while (b->expected.head != b->expected.tail)
    if (!controller_bench_cycle(b, NULL, NULL, true, NULL, NULL)) return false;
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
  while (ok && !wf_port_get(b->p.req_valid_o))
    ok = controller_bench_cycle(b, NULL, NULL, false, NULL, NULL);
  return ok && controller_bench_cycle(b, NULL, NULL, false, NULL, NULL) && controller_bench_rest(b);
}

bool controller_bench_check_counters(controller_bench *b) {
  static const char *const names[] = {
#define X(name) #name,
      CONTROLLER_COUNTERS(X)
#undef X
  };
  return controller_bench_rest(b) && wf_bench_counters(&b->base, names, b->ref.counter,
                                                       CONTROLLER_CNT_COUNT, counting_edges, b);
}

bool controller_bench_clear_counters(controller_bench *b) {
  if (!controller_bench_rest(b) || !wf_bench_ok(&b->base, wf_model_counters_clear(b->base.model)))
    return false;
  for (unsigned i = 0; i < CONTROLLER_CNT_COUNT; i++) b->ref.counter[i] = 0;
  return true;
}
