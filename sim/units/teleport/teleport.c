/* Socket of TELEPORT: one controller in the dispatcher (or several, each for its SMs), one buffer
 * per SM, all RTL. The runtime's rows and the kernel's share of shared memory go in before a
 * kernel; then thread blocks, requests, look-ups and replies, one of each a cycle and port. Every
 * request of the controller is compared with the rows. The fabric's side is sim/gpu/preload.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/seam/preload.h"
#include "sim/units/rtl_set.h"
#include "sim/units/teleport/ports.h"
#include "sim/units/teleport/teleport_rows.h"
#include "sim/units/teleport/teleport_walk.h"

extern const wf_unit_class wf_unit_teleport;

enum {
  LINE_SHIFT = 7,
  SIZE_BITS = 8,
  IDX_BITS = 16,
  CAP_BITS = 10,
  WAYS_MOST = 128,
  VIEW_BUFFER = 0,
  VIEW_CONTROLLER = 1
};
enum {
  PAPER_SMS = 15,
  PAPER_BLOCKS = 8,
  PAPER_WAYS = 96,
  PAPER_ADDR_BITS = 32,
  PAPER_PROD_BITS = 16
};

typedef struct settings {
  unsigned overlap, cap, ways, sets, keep_unread, ahead, table_rows, controllers, queue, prod_bits,
      view, counter_bits, gate;
  unsigned run, waits, races;
  teleport_rows_settings source;
} settings;
#define FIELD(f) offsetof(settings, f)

static const char *const source_names[] = {"auto", "none", "api"};

static const wf_parameter parameters[] = {
    {"rows", NULL, 0, TELEPORT_ROWS_API, TELEPORT_ROWS_AUTO, FIELD(source.from), source_names,
     "auto: found in the kernel's code; none; api: as the program sets them"},
    {"table", NULL, 0, 0, 0, FIELD(source.table), wf_any_text,
     "FILE of rows in their place (sim/units/teleport/teleport_table.h)"},
    {"relax", NULL, 0, 7, 0, FIELD(source.relax), NULL,
     "auto: also 1 induction over loops with known bounds, 2 one of a few forms, 4 other "
     "operators; sum"},
    {"read_only", NULL, 0, 1, 1, FIELD(source.read_only), NULL,
     "auto: leave out arrays that the kernel writes"},
    {"waste", NULL, 1, 1000, 4, FIELD(source.waste), NULL,
     "auto: leave out a range with more than so many times the blocks that are read"},
    {"overlap", NULL, 0, 1, 0, FIELD(overlap), NULL, "thread blocks start while their data come"},
    {"cap", NULL, 0, (1 << CAP_BITS) - 1, 0, FIELD(cap), NULL,
     "requests of a thread block, at most; 0: its share of the lines"},
    {"ways", NULL, 0, WAYS_MOST, 0, FIELD(ways), NULL, "in use, at most; 0: as the kernel leaves"},
    {"sets", "teleport_buffer.Sets", 1, 64, 4, FIELD(sets), NULL, "of the buffer, a power of two"},
    {"keep_unread", NULL, 0, 1, 1, FIELD(keep_unread), NULL,
     "lines that no load has found since they were asked for go last; 0: by age alone, as the "
     "paper's LRU"},
    {"ahead", NULL, 0, 32, 0, FIELD(ahead), NULL,
     "thread blocks that an SM preloads while it has no room for them (the paper: 0)"},
    {"run", NULL, 1, 64, 1, FIELD(run), NULL,
     "with ahead: so many consecutive thread blocks (in x) go to the same SM, which then fetches "
     "the lines that they share once"},
    {"table_rows", "teleport_controller.Rows", 1, 1024, 64, FIELD(table_rows), NULL,
     "of the preload table"},
    {"controllers", NULL, 1, 64, 3, FIELD(controllers), NULL,
     "controllers with a table each: SM s asks the one of number s mod controllers (the paper: 1)"},
    {"queue", NULL, 0, 1024, 64, FIELD(queue), NULL,
     "requests that may wait before each SM's buffer, so that one that is busy does not hold up "
     "the controller"},
    {"prod_bits", NULL, 2, 32, 24, FIELD(prod_bits), NULL,
     "of products and offsets, signed (the paper: 16)"},
    {"waits", NULL, 0, 1024, 32, FIELD(waits), NULL,
     "loads of an SM that may wait for lines on their way; more go to L1"},
    {"races", NULL, 0, 1, 0, FIELD(races), NULL,
     "1: what another SM wrote since it was preloaded may be read; 0: exit code 1"},
    {"view", NULL, 0, 1, VIEW_BUFFER, FIELD(view), NULL,
     "--wave and --record look at 0 the buffer of SM 0, 1 the (first) controller"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { WALKS = 16, AHEAD = 8, FLIGHT = 16, ANSWERS = 16, ENDS = 64, SETTLE = 10000 };

/* A request on its way to a buffer. */
typedef struct request {
  uint32_t block;
  uint8_t slot;
  bool last;
} request;

/* The buffer of one SM. Rings: head and count. */
typedef struct side {
  wf_rtl *rtl;
  buffer_ports port;
  bool offered, offer_store; /* an access for the next edge */
  uint32_t offer_line;
  bool flight[FLIGHT]; /* accesses inside: is it a load? */
  unsigned flight_head, n_flight;
  struct {
    wf_preload_answer answer;
    unsigned place;
  } answers[ANSWERS];
  unsigned answer_head, n_answers;
  request *asks; /* [queue] */
  unsigned ask_head, n_asks;
  uint16_t *filled; /* [places] replies for the edges to come */
  unsigned filled_head, n_filled;
  uint8_t ends[ENDS];
  unsigned end_head, n_ends;
} side;

/* A thread block whose requests the controller sends. */
typedef struct asking {
  unsigned sm, slot;
  wf_teleport_walk walk;
} asking;

/* A controller. Rings. */
typedef struct controller {
  wf_rtl *rtl;
  controller_ports port;
  asking ahead[AHEAD]; /* thread blocks that it has not taken */
  unsigned ahead_head, n_ahead;
  asking walks[WALKS]; /* that it has */
  unsigned walk_head, n_walks;
} controller;

typedef struct teleport {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set controller_rtl, buffer_rtl;
  controller *controllers;
  unsigned n_controllers;
  side *sides;
  settings set;
  teleport_rows *source;
  unsigned ways, places, addr_bits, slots; /* slots: thread blocks of an SM, also those ahead */
  wf_preload_row *rows;                    /* of the running kernel, as they are in the table */
  unsigned n_rows;
  wf_teleport_bounds bounds;
  const char *fault;
  wf_preload_counters counters;
  uint64_t kernels, no_rows, no_room, too_large, set_rows, left_out, rows_over, busy_controllers,
      busy_buffers, ways_least; /* busy: cycles with something to do, summed */
} teleport;

/* ---- creation ---- */

static bool bind_controller(const teleport *m, controller *c, wf_error *err) {
  const controller_sizes sizes = {.sms = m->env.n_sm,
                                  .slots = m->slots,
                                  .rows = m->set.table_rows,
                                  .addr_bits = m->addr_bits,
                                  .block_bits = m->addr_bits - LINE_SHIFT,
                                  .size_bits = SIZE_BITS,
                                  .prod_bits = m->set.prod_bits,
                                  .idx_bits = IDX_BITS,
                                  .cap_bits = CAP_BITS};
  return controller_ports_bind(&c->port, c->rtl->model, &sizes, err);
}

static bool bind_buffer(const teleport *m, side *s, wf_error *err) {
  const buffer_sizes sizes = {.sets = m->set.sets,
                              .ways = m->ways,
                              .slots = m->slots,
                              .block_bits = m->addr_bits - LINE_SHIFT};
  const buffer_ports *p = &s->port;
  if (!buffer_ports_bind(&s->port, s->rtl->model, &sizes, err)) return false;
  wf_port_set(p->overlap, m->set.overlap);
  wf_port_set(p->go_ready, 1);
  return true;
}

static void teleport_destroy(wf_unit *unit) {
  teleport *m = (teleport *)unit;
  wf_rtl_set_close(&m->controller_rtl);
  wf_rtl_set_close(&m->buffer_rtl);
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    free(m->sides[s].filled);
    free(m->sides[s].asks);
  }
  free(m->controllers);
  free(m->sides);
  teleport_rows_destroy(m->source);
  free(m->rows);
  free(m);
}

static bool check_settings(const teleport *m, wf_error *err) {
  const unsigned sets = m->set.sets;
  if (sets & (sets - 1))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "teleport.sets=%u: expected a power of two, 1..64",
                   sets);
  if (m->set.source.table && wf_options_text(m->env.options, "teleport.rows"))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "teleport.rows and teleport.table: rows come from one place");
  return true;
}

/* Sizes that follow from the GPU's. */
static bool size_up(teleport *m, wf_error *err) {
  const wf_unit_env *e = &m->env;
  m->addr_bits = PAPER_ADDR_BITS;
  while ((WF_IMAGE_BASE + wf_image_bytes(e->image) - 1) >> m->addr_bits) m->addr_bits++;
  m->ways = e->shared_bytes_per_sm / (m->set.sets << LINE_SHIFT);
  if (m->ways > WAYS_MOST) m->ways = WAYS_MOST;
  if (e->line_bytes != 1u << LINE_SHIFT || !m->ways)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit teleport: shared memory of %u bytes in %u sets of lines of %u bytes: "
                   "expected room for a way of 128-byte lines",
                   e->shared_bytes_per_sm, m->set.sets, e->line_bytes);
  m->places = m->set.sets * m->ways;
  m->ways_least = m->ways;
  return true;
}

static bool teleport_bind(wf_unit *unit, wf_error *err) {
  teleport *m = (teleport *)unit;
  for (unsigned i = 0; i < m->n_controllers; i++) {
    m->controllers[i].rtl = &m->controller_rtl.at[i];
    if (!bind_controller(m, &m->controllers[i], err)) return false;
  }
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    m->sides[s].rtl = &m->buffer_rtl.at[s];
    if (!bind_buffer(m, &m->sides[s], err)) return false;
  }
  return true;
}

static bool open_controllers(teleport *m, wf_error *err) {
  const wf_rtl_value fixed[] = {{"NumSm", m->env.n_sm, PAPER_SMS},
                                {"MaxTb", m->slots, PAPER_BLOCKS},
                                {"AddrBits", m->addr_bits, PAPER_ADDR_BITS},
                                {"ProdBits", m->set.prod_bits, PAPER_PROD_BITS},
                                {0}};
  const wf_rtl_request q = {"teleport_controller", "paper", fixed, parameters, &m->set, &m->env};
  m->controllers = wf_calloc(m->n_controllers, sizeof *m->controllers);
  m->unit.rtl[VIEW_CONTROLLER] = &m->controller_rtl;
  return wf_rtl_set_open(&m->controller_rtl, m->n_controllers, &q, err);
}

static bool open_buffers(teleport *m, wf_error *err) {
  const wf_rtl_value fixed[] = {
      {"Ways", m->ways, PAPER_WAYS},
      {"KeepUnread", m->set.keep_unread, 0},
      {"MaxTb", m->slots, PAPER_BLOCKS},
      {"BlockBits", m->addr_bits - LINE_SHIFT, PAPER_ADDR_BITS - LINE_SHIFT},
      {0}};
  const wf_rtl_request q = {"teleport_buffer", "paper", fixed, parameters, &m->set, &m->env};
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    m->sides[s].filled = wf_calloc(m->places, sizeof *m->sides[s].filled);
    m->sides[s].asks = wf_calloc(m->set.queue + 1, sizeof *m->sides[s].asks);
  }
  m->unit.rtl[VIEW_BUFFER] = &m->buffer_rtl;
  m->unit.shown = m->set.view;
  return wf_rtl_set_open(&m->buffer_rtl, m->env.n_sm, &q, err);
}

static bool open_rows(teleport *m, wf_error *err) {
  const ptx_affine_table table = {.rows = m->set.table_rows,
                                  .line_bytes = 1 << LINE_SHIFT,
                                  .size_bits = SIZE_BITS,
                                  .prod_bits = m->set.prod_bits,
                                  .addr_bits = m->addr_bits};
  m->rows = wf_calloc(m->set.table_rows, sizeof *m->rows);
  return (m->source = teleport_rows_create(&m->set.source, &table, err)) != NULL;
}

static wf_unit *teleport_create(const wf_unit_env *env, wf_error *err) {
  teleport *m = wf_calloc(1, sizeof *m);
  m->unit.cls = &wf_unit_teleport;
  m->env = *env;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  bool ok = wf_parameters_read(parameters, "teleport", env->options, &m->set, err);
  m->slots = env->ctas_per_sm + m->set.ahead;
  /* It binds blocks to SMs before they have room. */
  if (m->set.ahead) m->unit.claims = WF_CLAIM_DISPATCHER;
  m->n_controllers = m->set.controllers < env->n_sm ? m->set.controllers : env->n_sm;
  ok = ok && check_settings(m, err) && size_up(m, err);
  if (ok && open_rows(m, err) && open_controllers(m, err) && open_buffers(m, err) &&
      teleport_bind(&m->unit, err))
    return &m->unit;
  teleport_destroy(&m->unit);
  return NULL;
}

/* ---- kernels ---- */

static bool edge(const teleport *m, wf_rtl *rtl, wf_error *err) {
  const uint64_t now = m->env.cycle(m->env.gpu);
  if (now > wf_model_cycle(rtl->model)) wf_model_set_cycle(rtl->model, now);
  return wf_rtl_edge(rtl, err);
}

/* One transfer of `set`, in time that the fabric does not count: a real launch takes far longer. */
static bool send_set(const teleport *m, controller *c, const wf_preload_row *row, wf_error *err) {
  const controller_ports *p = &c->port;
  static const wf_preload_row none;
  wf_port_set(p->set_valid, 1);
  wf_port_set(p->set_flush, !row);
  if (!row) row = &none;
  wf_port_set(p->set_base, row->base);
  wf_port_set(p->set_size, row->element_bytes);
  const wf_port *const lo[] = {p->set_lo_x, p->set_lo_y, p->set_lo_z}, *const hi[] = {p->set_hi_x,
                                                                                      p->set_hi_y,
                                                                                      p->set_hi_z};
  for (unsigned i = 0; i < 3; i++) {
    wf_port_set(lo[i], (uint32_t)row->min[i]);
    wf_port_set(hi[i], (uint32_t)row->max[i]);
  }
  wf_port_set(p->set_lo_off, (uint32_t)row->min_offset);
  wf_port_set(p->set_hi_off, (uint32_t)row->max_offset);
  bool taken = false;
  for (unsigned i = 0; i < SETTLE && !taken; i++) {
    taken = wf_port_get(p->set_ready);
    if (!edge(m, c->rtl, err)) return false;
  }
  wf_port_set(p->set_valid, 0);
  return taken ||
         wf_fail(err, WF_EXIT_WRONG, "teleport: the controller takes no rows between kernels");
}

static bool start_buffer(const teleport *m, side *s, unsigned ways, wf_error *err) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->start_valid, 1);
  wf_port_set(p->start_ways, ways);
  bool taken = false;
  for (unsigned i = 0; i < SETTLE && !taken; i++) {
    taken = wf_port_get(p->start_ready);
    if (!edge(m, s->rtl, err)) return false;
  }
  wf_port_set(p->start_valid, 0);
  return taken || wf_fail(err, WF_EXIT_WRONG, "teleport: the buffer of SM %u takes no kernel",
                          (unsigned)(s - m->sides));
}

static bool fits_bits(int64_t value, unsigned bits) {
  return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

/* Can the table hold it? */
static bool row_fits(const teleport *m, const wf_preload_row *r) {
  bool fits = r->element_bytes && r->element_bytes < 1u << SIZE_BITS &&
              !(r->base >> m->addr_bits) && fits_bits(r->min_offset, m->set.prod_bits) &&
              fits_bits(r->max_offset, m->set.prod_bits);
  for (unsigned i = 0; i < 3; i++)
    fits = fits && fits_bits(r->min[i], m->set.prod_bits) && fits_bits(r->max[i], m->set.prod_bits);
  return fits;
}

static void choose_rows(teleport *m, const teleport_row_list *found) {
  m->n_rows = 0;
  for (unsigned i = 0; i < found->n; i++) {
    if (!row_fits(m, &found->rows[i]))
      m->left_out++;
    else if (m->n_rows == m->set.table_rows)
      m->rows_over++;
    else
      m->rows[m->n_rows++] = found->rows[i];
  }
}

static bool fill_table(const teleport *m, controller *c, wf_error *err) {
  const controller_ports *p = &c->port;
  wf_port_set(p->bound_lo, m->bounds.first);
  wf_port_set(p->bound_hi, m->bounds.last);
  wf_port_set(p->cap, m->bounds.cap);
  if (!send_set(m, c, NULL, err)) return false;
  for (unsigned i = 0; i < m->n_rows; i++)
    if (!send_set(m, c, &m->rows[i], err)) return false;
  return wf_port_get(p->rows) == m->n_rows ||
         wf_fail(err, WF_EXIT_WRONG, "teleport: the table has %u rows, %u were set",
                 (unsigned)wf_port_get(p->rows), m->n_rows);
}

static bool program(teleport *m, const wf_preload_kernel *k, unsigned ways, wf_error *err) {
  const unsigned lines = ways * m->set.sets, share = lines / k->resident;
  m->bounds = (wf_teleport_bounds){.first = (uint32_t)(k->first >> LINE_SHIFT),
                                   .last = (uint32_t)(k->last >> LINE_SHIFT),
                                   .cap = m->set.cap ? m->set.cap
                                          : share    ? share
                                                     : 1};
  for (unsigned c = 0; c < m->n_controllers; c++)
    if (!fill_table(m, &m->controllers[c], err)) return false;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (!start_buffer(m, &m->sides[s], ways, err)) return false;
  return true;
}

static bool teleport_kernel_start(wf_unit *unit, const wf_preload_kernel *k, bool *active,
                                  wf_error *err) {
  teleport *m = (teleport *)unit;
  unsigned ways = k->shared_free / (m->set.sets << LINE_SHIFT);
  if (ways > m->ways) ways = m->ways;
  if (m->set.ways && ways > m->set.ways) ways = m->set.ways;
  *active = false;
  if (!teleport_rows_find(m->source, k->launch, err)) return false;
  choose_rows(m, teleport_rows_list(m->source));
  if (!m->n_rows) return m->no_rows++, true;
  if (!ways) return m->no_room++, true;
  for (unsigned i = 0; i < 3; i++)
    if (k->launch->nctaid[i] > 1u << IDX_BITS) return m->too_large++, true;
  m->kernels++;
  m->set_rows += m->n_rows;
  if (ways < m->ways_least) m->ways_least = ways;
  *active = true;
  return program(m, k, ways, err);
}

static wf_preload_counters *teleport_preload_counters(wf_unit *unit) {
  return &((teleport *)unit)->counters;
}
static wf_preload_settings teleport_settings(const wf_unit *unit) {
  const teleport *m = (const teleport *)unit;
  return (wf_preload_settings){.places = m->places,
                               .ahead = m->set.ahead,
                               .run = m->set.run,
                               .waits = m->set.waits,
                               .races = m->set.races};
}
static void teleport_set_row(wf_unit *unit, const wf_preload_row *row) {
  teleport_rows_set(((teleport *)unit)->source, row);
}

/* ---- what the fabric tells ---- */

/* Of which SM the next block will be is not known: all controllers must have room. */
static bool teleport_may_place(const wf_unit *unit) {
  const teleport *m = (const teleport *)unit;
  bool room = true;
  for (unsigned c = 0; c < m->n_controllers; c++) room = room && m->controllers[c].n_ahead < AHEAD;
  return room;
}

static void teleport_block(wf_unit *unit, unsigned sm, unsigned slot, const uint32_t block[3]) {
  teleport *m = (teleport *)unit;
  controller *c = &m->controllers[sm % m->n_controllers];
  c->ahead[(c->ahead_head + c->n_ahead++) % AHEAD] =
      (asking){.sm = sm, .slot = slot, .walk = wf_teleport_walk_begin(m->rows, m->n_rows, block)};
}

static void teleport_block_end(wf_unit *unit, unsigned sm, unsigned slot) {
  teleport *m = (teleport *)unit;
  side *s = &m->sides[sm];
  if (s->n_ends == ENDS)
    m->fault = "more thread blocks end than an SM has";
  else
    s->ends[(s->end_head + s->n_ends++) % ENDS] = (uint8_t)slot;
}

static bool teleport_access(wf_unit *unit, unsigned sm, bool store, uint32_t line) {
  side *s = &((teleport *)unit)->sides[sm];
  if (s->offered || s->n_flight == FLIGHT) return false;
  s->offered = true;
  s->offer_store = store;
  s->offer_line = line;
  return true;
}

static wf_preload_answer teleport_answer(wf_unit *unit, unsigned sm, unsigned *place) {
  side *s = &((teleport *)unit)->sides[sm];
  if (!s->n_answers) return WF_PRELOAD_WAIT;
  const unsigned at = s->answer_head;
  s->answer_head = (s->answer_head + 1) % ANSWERS;
  s->n_answers--;
  *place = s->answers[at].place;
  return s->answers[at].answer;
}

static void teleport_filled(wf_unit *unit, unsigned sm, unsigned place) {
  teleport *m = (teleport *)unit;
  side *s = &m->sides[sm];
  if (s->n_filled == m->places)
    m->fault = "more replies than lines";
  else
    s->filled[(s->filled_head + s->n_filled++) % m->places] = (uint16_t)place;
}

/* ---- one cycle at the ports ---- */

static void drive_access(side *s) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  wf_port_set(p->acc_store, s->offer_store);
  wf_port_set(p->acc_block, s->offer_line);
  if (!wf_port_get(p->acc_ready)) return;
  s->flight[(s->flight_head + s->n_flight++) % FLIGHT] = !s->offer_store;
  s->offered = false;
}

static void drive_reply(const teleport *m, side *s) {
  wf_port_set(s->port.rsp_valid, s->n_filled > 0);
  if (!s->n_filled) return;
  wf_port_set(s->port.rsp_line, s->filled[s->filled_head]);
  s->filled_head = (s->filled_head + 1) % m->places;
  s->n_filled--;
}

static void drive_end(side *s) {
  wf_port_set(s->port.end_valid, s->n_ends > 0);
  if (!s->n_ends) return;
  wf_port_set(s->port.end_slot, s->ends[s->end_head]);
  s->end_head = (s->end_head + 1) % ENDS;
  s->n_ends--;
}

static bool take_answer(side *s, wf_error *err) {
  const buffer_ports *p = &s->port;
  if (!wf_port_get(p->acc_rsp_valid)) return true;
  if (!s->n_flight)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: an answer to an access that was not made");
  const bool load = s->flight[s->flight_head];
  s->flight_head = (s->flight_head + 1) % FLIGHT;
  s->n_flight--;
  if (!load) return true;
  if (s->n_answers == ANSWERS)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: answers that nobody takes");
  const unsigned at = (s->answer_head + s->n_answers++) % ANSWERS;
  s->answers[at].answer = wf_port_get(p->acc_rsp_hit)      ? WF_PRELOAD_HIT
                          : wf_port_get(p->acc_rsp_coming) ? WF_PRELOAD_COMING
                                                           : WF_PRELOAD_MISS;
  s->answers[at].place = (unsigned)wf_port_get(p->acc_rsp_line);
  return true;
}

static bool has_work(const side *s) {
  return s->offered || s->n_asks || s->n_filled || s->n_ends || !wf_port_get(s->port.idle);
}

static void offer_request(const side *s, const request *r) {
  const buffer_ports *p = &s->port;
  wf_port_set(p->ask_valid, 1);
  wf_port_set(p->ask_slot, r->slot);
  wf_port_set(p->ask_last, r->last);
  wf_port_set(p->ask_block, r->block);
}

/* The oldest request that waits. */
static void drive_ask(const teleport *m, side *s) {
  if (!s->n_asks) return;
  offer_request(s, &s->asks[s->ask_head]);
  if (!wf_port_get(s->port.ask_ready)) return;
  s->ask_head = (s->ask_head + 1) % m->set.queue;
  s->n_asks--;
}

static bool clock_buffer(teleport *m, unsigned sm, wf_error *err) {
  side *s = &m->sides[sm];
  const buffer_ports *p = &s->port;
  drive_ask(m, s);
  drive_access(s);
  drive_reply(m, s);
  drive_end(s);
  const bool fetch = wf_port_get(p->fetch_valid);
  wf_port_set(p->fetch_ready,
              fetch && m->env.preload_fetch(m->env.gpu, sm, (uint32_t)wf_port_get(p->fetch_block),
                                            (unsigned)wf_port_get(p->fetch_line)));
  if (wf_port_get(p->go_valid)) m->env.block_go(m->env.gpu, sm, (unsigned)wf_port_get(p->go_slot));
  if (!edge(m, s->rtl, err)) return false;
  wf_port_set(p->ask_valid, 0);
  return take_answer(s, err);
}

/* The request on the port goes with this edge: is it the one that the rows ask for? */
static bool check_request(const teleport *m, controller *c, wf_error *err) {
  const controller_ports *p = &c->port;
  asking *a = &c->walks[c->walk_head];
  const unsigned sm = (unsigned)wf_port_get(p->req_sm), slot = (unsigned)wf_port_get(p->req_slot);
  const bool last = wf_port_get(p->req_last);
  const uint32_t block = (uint32_t)wf_port_get(p->req_block);
  uint32_t line = 0;
  if (!c->n_walks) return wf_fail(err, WF_EXIT_WRONG, "teleport: a request for no thread block");
  const bool more = wf_teleport_walk_next(&a->walk, &m->bounds, &line);
  if (sm != a->sm || slot != a->slot || last == more || (more && block != line))
    return wf_fail(err, WF_EXIT_WRONG,
                   "teleport: request for SM %u, slot %u: %s 0x%x; the rows of thread block "
                   "(%u,%u,%u) on SM %u, slot %u ask for %s 0x%x",
                   sm, slot, last ? "end" : "line", block, a->walk.block[0], a->walk.block[1],
                   a->walk.block[2], a->sm, a->slot, more ? "line" : "end", line);
  if (!last) return true;
  c->walk_head = (c->walk_head + 1) % WALKS;
  c->n_walks--;
  return true;
}

static void drive_block(controller *c) {
  const controller_ports *p = &c->port;
  const asking *next = &c->ahead[c->ahead_head];
  wf_port_set(p->tb_valid, c->n_ahead > 0);
  if (!c->n_ahead) return;
  wf_port_set(p->tb_sm, next->sm);
  wf_port_set(p->tb_slot, next->slot);
  wf_port_set(p->tb_x, next->walk.block[0]);
  wf_port_set(p->tb_y, next->walk.block[1]);
  wf_port_set(p->tb_z, next->walk.block[2]);
  if (!wf_port_get(p->tb_ready)) return;
  c->walks[(c->walk_head + c->n_walks++) % WALKS] = *next; /* the RTL takes no more than that */
  c->ahead_head = (c->ahead_head + 1) % AHEAD;
  c->n_ahead--;
}

static bool controller_works(const controller *c) {
  return c->n_ahead || !wf_port_get(c->port.idle);
}

/* The controller's request goes into its SM's queue; without one it is the buffer's ask of the same
 * cycle. */
static bool pass_request(const teleport *m, side *s, const request *r) {
  if (!m->set.queue) {
    offer_request(s, r);
    return wf_port_get(s->port.ask_ready);
  }
  if (s->n_asks == m->set.queue) return false;
  s->asks[(s->ask_head + s->n_asks++) % m->set.queue] = *r;
  return true;
}

static bool drive_controller(teleport *m, controller *c, uint64_t *asked, wf_error *err) {
  const controller_ports *p = &c->port;
  const unsigned sm = (unsigned)wf_port_get(p->req_sm);
  if (m->set.gate && !controller_works(c)) return true;
  drive_block(c);
  wf_port_set(p->req_ready, 0);
  if (!wf_port_get(p->req_valid)) return true;
  if (sm >= m->env.n_sm || *asked >> sm & 1)
    return wf_fail(err, WF_EXIT_WRONG,
                   "teleport: a request for SM %u, which is another controller's", sm);
  const request r = {.block = (uint32_t)wf_port_get(p->req_block),
                     .slot = (uint8_t)wf_port_get(p->req_slot),
                     .last = wf_port_get(p->req_last)};
  *asked |= (uint64_t)1 << sm;
  wf_port_set(p->req_ready, pass_request(m, &m->sides[sm], &r));
  return !wf_port_get(p->req_ready) || check_request(m, c, err);
}

static bool clock_controller(teleport *m, controller *c, wf_error *err) {
  const bool busy = wf_port_get(c->port.tb_valid) || !wf_port_get(c->port.idle);
  m->busy_controllers += busy;
  if (m->set.gate && !busy) return true;
  return edge(m, c->rtl, err);
}

static bool teleport_tick(wf_unit *unit, wf_error *err) {
  teleport *m = (teleport *)unit;
  uint64_t asked = 0;
  if (m->fault) return wf_fail(err, WF_EXIT_WRONG, "teleport: %s", m->fault);
  for (unsigned c = 0; c < m->n_controllers; c++)
    if (!drive_controller(m, &m->controllers[c], &asked, err)) return false;
  for (unsigned s = 0; s < m->env.n_sm; s++) {
    const bool busy = asked >> s & 1 || has_work(&m->sides[s]);
    m->busy_buffers += busy;
    if ((busy || !m->set.gate) && !clock_buffer(m, s, err)) return false;
  }
  for (unsigned c = 0; c < m->n_controllers; c++)
    if (!clock_controller(m, &m->controllers[c], err)) return false;
  return true;
}

static bool teleport_idle(const wf_unit *unit) {
  const teleport *m = (const teleport *)unit;
  for (unsigned c = 0; c < m->n_controllers; c++)
    if (controller_works(&m->controllers[c])) return false;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (has_work(&m->sides[s])) return false;
  return true;
}

static bool teleport_kernel_end(wf_unit *unit, wf_error *err) {
  const teleport *m = (const teleport *)unit;
  for (unsigned c = 0; c < m->n_controllers; c++)
    if (m->controllers[c].n_walks)
      return wf_fail(err, WF_EXIT_WRONG,
                     "teleport: %u thread blocks have requests to come after the kernel",
                     m->controllers[c].n_walks);
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if (m->sides[s].n_flight || m->sides[s].n_answers)
      return wf_fail(err, WF_EXIT_WRONG,
                     "teleport: SM %u: %u accesses and %u answers are left after the kernel", s,
                     m->sides[s].n_flight, m->sides[s].n_answers);
  return true;
}

/* ---- reports ---- */

static const wf_unit_counter counters[] = {
    {"kernels", offsetof(teleport, kernels)},
    {"kernels_without_rows", offsetof(teleport, no_rows)},
    {"kernels_without_room", offsetof(teleport, no_room)},
    {"kernels_too_large", offsetof(teleport, too_large)},
    {"rows_set", offsetof(teleport, set_rows)},
    {"rows_left_out", offsetof(teleport, left_out)},
    {"rows_over", offsetof(teleport, rows_over)},
    {"ways_least", offsetof(teleport, ways_least)},
    {"busy_controllers", offsetof(teleport, busy_controllers)},
    {"busy_buffers", offsetof(teleport, busy_buffers)},
    {"held_blocks", offsetof(teleport, counters.blocks)},
    {"held_cycles", offsetof(teleport, counters.wait_cycles)},
    {"room_cycles", offsetof(teleport, counters.room_cycles)},
    {"fetched", offsetof(teleport, counters.fetches)},
    {"fetch_waits", offsetof(teleport, counters.fetch_waits)},
    {"looked_up", offsetof(teleport, counters.loads)},
    {"found", offsetof(teleport, counters.hits)},
    {"not_found", offsetof(teleport, counters.misses)},
    {"found_coming", offsetof(teleport, counters.coming)},
    {"coming_cycles", offsetof(teleport, counters.coming_cycles)},
    {"coming_to_l1", offsetof(teleport, counters.coming_to_l1)},
    {"look_stalls", offsetof(teleport, counters.look_stalls)},
    {"checked_bytes", offsetof(teleport, counters.checked_bytes)},
    {"stale_bytes", offsetof(teleport, counters.stale_bytes)},
    {0},
};

static const char memories[] =
    "make synth UNIT=teleport_buffer CONFIG=bare: tags and waits, half of the "
    "accesses write",
                  shared[] = "a line of shared memory written or read";
static const wf_energy_event energy[] = {
    {"busy_buffers", WF_EN_PART_UNIT, 108.4, NULL,
     "make synth UNIT=teleport_buffer CONFIG=bare, NanGate 45 nm: logic and clock pins, a tenth of "
     "the nets toggling; a cycle with something asked, replied or inside, outside which a clock "
     "gate on idle_o stops it"},
    {"asks", WF_EN_PART_UNIT, 37.9, NULL, memories},
    {"loads", WF_EN_PART_UNIT, 37.9, NULL, memories},
    {"stores", WF_EN_PART_UNIT, 37.9, NULL, memories},
    {"busy_controllers", WF_EN_PART_UNIT, 45.5, NULL,
     "make synth UNIT=teleport_controller CONFIG=bare: logic 41.7, table 3.8; gated as a buffer"},
    {"fetched", WF_EN_PART_L1, 0, "shared_access", shared},
    {"found", WF_EN_PART_L1, 0, "shared_access", shared},
    {0},
};
static const wf_energy_power power[] = {
    {"buffer_static", "teleport_buffer", NULL, 0.0045,
     "make synth UNIT=teleport_buffer CONFIG=bare, NanGate 45 nm: leakage"},
    {"controller_static", "teleport_controller", NULL, 0.0027,
     "make synth UNIT=teleport_controller CONFIG=bare, NanGate 45 nm: leakage"},
    {0},
};

static size_t teleport_describe(const wf_unit *unit, char *text, size_t bytes) {
  const teleport *m = (const teleport *)unit;
  size_t n = 0;
  for (unsigned c = 0; c < m->n_controllers && n < bytes; c++)
    if (controller_works(&m->controllers[c]))
      n += (size_t)snprintf(text + n, bytes - n,
                            "teleport controller %u: %u thread blocks ask, %u wait to\n", c,
                            m->controllers[c].n_walks, m->controllers[c].n_ahead);
  for (unsigned s = 0; s < m->env.n_sm && n < bytes; s++) {
    const side *x = &m->sides[s];
    if (has_work(x))
      n += (size_t)snprintf(
          text + n, bytes - n,
          "teleport buffer of SM %u: %u accesses inside, %u replies and %u ends wait, idle %d\n", s,
          x->n_flight, x->n_filled, x->n_ends, (int)wf_port_get(x->port.idle));
  }
  return n < bytes ? n : bytes;
}

static const wf_preload_ops preload_ops = {
    .kernel_start = teleport_kernel_start,
    .counters = teleport_preload_counters,
    .settings = teleport_settings,
    .may_place = teleport_may_place,
    .block = teleport_block,
    .block_end = teleport_block_end,
    .access = teleport_access,
    .answer = teleport_answer,
    .filled = teleport_filled,
    .set_row = teleport_set_row,
};

const wf_unit_class wf_unit_teleport = {
    .name = "teleport",
    .summary = "what a thread block will read is fetched into free shared memory before it starts",
    .needs = WF_NEED_VALUES,
    .claims = WF_CLAIM_FREE_SHARED,
    .create = teleport_create,
    .destroy = teleport_destroy,
    .tick = teleport_tick,
    .idle = teleport_idle,
    .kernel_end = teleport_kernel_end,
    .counters = counters,
    .describe = teleport_describe,
    .bind = teleport_bind,
    .events = energy,
    .power = power,
    .example = "--app jac --set app.rows=128 --set app.cols=128",
    .parameters = parameters,
    .preload = &preload_ops,
};
