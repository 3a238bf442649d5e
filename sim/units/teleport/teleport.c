/* Socket of TELEPORT: one controller in the dispatcher, one buffer per SM, both RTL. The runtime's
 * rows and the kernel's share of shared memory go in before a kernel; then thread blocks, ranges
 * over one bus, look-ups and replies, one of each a cycle and port. The
 * fabric's side is sim/gpu/preload.h. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/teleport/teleport_buffer.h"
#include "sim/units/teleport/teleport_controller.h"
#include "sim/units/unit.h"

enum {
  COUNTER_BITS_TO_CHECK = 32,
  WAYS_MOST = 128,
  ADDR_BITS_LEAST = 32,
  VIEW_BUFFER = 0,
  VIEW_CONTROLLER = 1
};

#define FIELD(f) offsetof(teleport_settings, f)

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
    {"tiles", NULL, 0, 1, 1, FIELD(source.tiles), NULL,
     "auto: a tile is one row of the table; 0: each of its lines is"},
    {"overlap", NULL, 0, 1, 0, FIELD(overlap), NULL, "thread blocks start while their data come"},
    {"cap", NULL, 0, (1 << TELEPORT_CAP_BITS) - 1, 0, FIELD(cap), NULL,
     "requests of a thread block, at most; 0: its share of the lines"},
    {"ways", NULL, 0, WAYS_MOST, 0, FIELD(ways), NULL, "in use, at most; 0: as the kernel leaves"},
    {"sets", "teleport_buffer.Sets", 1, 64, 32, FIELD(sets), NULL,
     "of the buffer, a power of two; 4: the paper's 96 ways"},
    {"keep_unread", NULL, 0, 1, 1, FIELD(keep_unread), NULL,
     "lines that no load has found since they were asked for go last; 0: by age alone, as the "
     "paper's LRU"},
    {"table_rows", "teleport_controller.Rows", 1, 1024, 64, FIELD(table_rows), NULL,
     "of the preload table"},
    {"ranges", "teleport_buffer.Ranges", 3, 64, 8, FIELD(ranges), NULL,
     "that may wait in each SM's buffer, so that one that is busy does not hold up the controller"},
    {"prod_bits", NULL, 2, 32, 24, FIELD(prod_bits), NULL,
     "of products and offsets, signed (the paper: 16)"},
    {"races", NULL, 0, 1, 0, FIELD(races), NULL,
     "1: what another SM wrote since it was preloaded may be read; 0: exit code 1"},
    {"view", NULL, 0, 1, VIEW_BUFFER, FIELD(view), NULL,
     "--wave and --record look at 0 the buffer of SM 0, 1 the controller"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {.field = FIELD(given)},
};

typedef struct teleport {
  wf_unit unit;
  teleport_shared shared;
  wf_rtl_set controller_rtl, buffer_rtl;
  teleport_controller controller;
  teleport_buffer *buffers; /* [SMs] */
  teleport_rows *source;
  wf_preload_row *rows; /* of the running kernel, as they are in the table */
  unsigned n_rows;
  bool active; /* in the running kernel */
  wf_preload_counters counters;
  uint64_t kernels, no_rows, no_room, too_large, set_rows, left_out, rows_over, requests,
      ways_least;
} teleport;

/* ---- creation ---- */

static void teleport_destroy(wf_unit *unit) {
  teleport *m = (teleport *)unit;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) teleport_buffer_free(&m->buffers[s]);
  free(m->buffers);
  teleport_rows_destroy(m->source);
  free(m->rows);
  free(m);
}

static bool teleport_fits(const wf_unit_env *e, wf_error *err) {
  teleport_settings set;
  if (!wf_parameters_read(parameters, "teleport", e->options, &set, err)) return false;
  if (set.sets & (set.sets - 1))
    return wf_fail(err, WF_EXIT_BAD_INPUT, "teleport.sets=%u: expected a power of two, 1..64",
                   set.sets);
  if (set.source.table && wf_parameters_given(parameters, &set, "rows"))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "teleport.rows and teleport.table: rows come from one place");
  if (!(e->shared_bytes_per_sm / (set.sets << TELEPORT_LINE_SHIFT)))
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit teleport: core.shared_bytes=%u: expected %u or more, a line of 128 bytes "
        "in each of %u sets",
        e->shared_bytes_per_sm, set.sets << TELEPORT_LINE_SHIFT, set.sets);
  return true;
}

/* Sizes that follow from the GPU's. */
static void size_up(teleport *m) {
  const wf_unit_env *e = &m->shared.env;
  m->shared.addr_bits = ADDR_BITS_LEAST;
  while ((WF_IMAGE_BASE + wf_image_bytes(e->image) - 1) >> m->shared.addr_bits)
    m->shared.addr_bits++;
  m->shared.ways = e->shared_bytes_per_sm / (m->shared.set.sets << TELEPORT_LINE_SHIFT);
  if (m->shared.ways > WAYS_MOST) m->shared.ways = WAYS_MOST;
  m->shared.places = m->shared.set.sets * m->shared.ways;
  m->ways_least = m->shared.ways;
}

static bool teleport_bind(wf_unit *unit, wf_error *err) {
  teleport *m = (teleport *)unit;
  if (!teleport_controller_bind(&m->controller, m->controller_rtl.at, err)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if (!teleport_buffer_bind(&m->buffers[s], &m->shared, &m->buffer_rtl.at[s], err)) return false;
  return true;
}

static bool open_controller(teleport *m, wf_error *err) {
  static const wf_rtl_value given[] = {{"SizeBits", TELEPORT_SIZE_BITS},
                                       {"IdxBits", TELEPORT_IDX_BITS},
                                       {"PitchBits", TELEPORT_PITCH_BITS},
                                       {"HeightBits", TELEPORT_HEIGHT_BITS},
                                       {0}};
  const wf_rtl_value fixed[] = {{"NumSm", m->shared.env.n_sm},
                                {"MaxTb", m->shared.slots},
                                {"AddrBits", m->shared.addr_bits},
                                {"ProdBits", m->shared.set.prod_bits},
                                {0}};
  const wf_rtl_request q = {.unit = "teleport_controller",
                            .config = "bench",
                            .fixed = fixed,
                            .given = given,
                            .of = &m->unit,
                            .env = &m->shared.env};
  m->unit.rtl[VIEW_CONTROLLER] = &m->controller_rtl;
  return wf_rtl_set_open(&m->controller_rtl, 1, &q, err);
}

static bool open_buffers(teleport *m, wf_error *err) {
  static const wf_rtl_value given[] = {{"LineBytes", 1 << TELEPORT_LINE_SHIFT},
                                       {"CapBits", TELEPORT_CAP_BITS},
                                       {"PitchBits", TELEPORT_PITCH_BITS},
                                       {"HeightBits", TELEPORT_HEIGHT_BITS},
                                       {0}};
  const wf_rtl_value fixed[] = {{"Ways", m->shared.ways},
                                {"KeepUnread", m->shared.set.keep_unread},
                                {"MaxTb", m->shared.slots},
                                {"BlockBits", m->shared.addr_bits - TELEPORT_LINE_SHIFT},
                                {0}};
  const wf_rtl_request q = {.unit = "teleport_buffer",
                            .config = "bench",
                            .fixed = fixed,
                            .given = given,
                            .of = &m->unit,
                            .env = &m->shared.env};
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    teleport_buffer_init(&m->buffers[s], &m->shared, s);
  m->unit.rtl[VIEW_BUFFER] = &m->buffer_rtl;
  m->unit.shown = m->shared.set.view;
  return wf_rtl_set_open(&m->buffer_rtl, m->shared.env.n_sm, &q, err);
}

static bool open_rows(teleport *m, wf_error *err) {
  const ptx_affine_table table = {.rows = m->shared.set.table_rows,
                                  .line_bytes = 1 << TELEPORT_LINE_SHIFT,
                                  .size_bits = TELEPORT_SIZE_BITS,
                                  .prod_bits = m->shared.set.prod_bits,
                                  .addr_bits = m->shared.addr_bits,
                                  .lines = 1 << TELEPORT_HEIGHT_BITS,
                                  .pitch_bits = TELEPORT_PITCH_BITS};
  m->rows = wf_calloc(m->shared.set.table_rows, sizeof *m->rows);
  return (m->source = teleport_rows_create(&m->shared.set.source, &table, err)) != NULL;
}

static bool teleport_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  teleport *m = (teleport *)unit;
  m->shared.env = *env;
  m->shared.fault = &unit->fault;
  m->shared.slots = env->ctas_per_sm;
  m->buffers = wf_calloc(env->n_sm, sizeof *m->buffers);
  size_up(m);
  return open_rows(m, err) && open_controller(m, err) && open_buffers(m, err);
}

/* ---- kernels ---- */

static bool fits_bits(int64_t value, unsigned bits) {
  return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

/* Can the table hold it? */
static bool row_fits(const teleport *m, const wf_preload_row *r) {
  bool fits = !(r->pitch >> TELEPORT_PITCH_BITS) && !(r->more >> TELEPORT_HEIGHT_BITS) &&
              r->element_bytes && r->element_bytes < 1u << TELEPORT_SIZE_BITS &&
              !(r->base >> m->shared.addr_bits) &&
              fits_bits(r->min_offset, m->shared.set.prod_bits) &&
              fits_bits(r->max_offset, m->shared.set.prod_bits);
  for (unsigned i = 0; i < 3; i++)
    fits = fits && fits_bits(r->min[i], m->shared.set.prod_bits) &&
           fits_bits(r->max[i], m->shared.set.prod_bits);
  return fits;
}

static void choose_rows(teleport *m, const teleport_row_list *found) {
  m->n_rows = 0;
  for (unsigned i = 0; i < found->n; i++) {
    if (!row_fits(m, &found->rows[i]))
      m->left_out++;
    else if (m->n_rows == m->shared.set.table_rows)
      m->rows_over++;
    else
      m->rows[m->n_rows++] = found->rows[i];
  }
}

static bool program(teleport *m, const wf_preload_kernel *k, unsigned ways, wf_error *err) {
  const unsigned lines = ways * m->shared.set.sets, share = lines / k->resident;
  m->shared.bounds = (wf_teleport_bounds){.first = (uint32_t)(k->first >> TELEPORT_LINE_SHIFT),
                                          .last = (uint32_t)(k->last >> TELEPORT_LINE_SHIFT),
                                          .cap = m->shared.set.cap ? m->shared.set.cap
                                                 : share           ? share
                                                                   : 1};
  if (!teleport_controller_fill(&m->controller, &m->shared, m->rows, m->n_rows, err)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if (!teleport_buffer_start(&m->buffers[s], &m->shared, ways, err)) return false;
  return true;
}

static bool teleport_kernel_start(wf_unit *unit, const wf_preload_kernel *k, bool *active,
                                  wf_error *err) {
  teleport *m = (teleport *)unit;
  unsigned ways = k->shared_free / (m->shared.set.sets << TELEPORT_LINE_SHIFT);
  if (ways > m->shared.ways) ways = m->shared.ways;
  if (m->shared.set.ways && ways > m->shared.set.ways) ways = m->shared.set.ways;
  m->active = *active = false;
  if (!teleport_rows_find(m->source, k->launch, err)) return false;
  choose_rows(m, teleport_rows_list(m->source));
  if (!m->n_rows) return m->no_rows++, true;
  if (!ways) return m->no_room++, true;
  for (unsigned i = 0; i < 3; i++)
    if (k->launch->nctaid[i] > 1u << TELEPORT_IDX_BITS) return m->too_large++, true;
  m->kernels++;
  m->set_rows += m->n_rows;
  if (ways < m->ways_least) m->ways_least = ways;
  m->active = *active = true;
  return program(m, k, ways, err);
}

static wf_preload_counters *teleport_preload_counters(wf_unit *unit) {
  return &((teleport *)unit)->counters;
}
static wf_preload_settings teleport_preload_settings(const wf_unit *unit) {
  const teleport *m = (const teleport *)unit;
  return (wf_preload_settings){.places = m->shared.places, .races = m->shared.set.races};
}
static void teleport_set_row(wf_unit *unit, const wf_preload_row *row) {
  teleport_rows_set(((teleport *)unit)->source, row);
}

/* ---- what the fabric tells ---- */

static bool teleport_may_place(const wf_unit *unit) {
  return teleport_controller_room(&((const teleport *)unit)->controller);
}

static void teleport_block(wf_unit *unit, unsigned sm, unsigned slot, const uint32_t block[3]) {
  teleport *m = (teleport *)unit;
  const teleport_asking a = {.sm = sm, .slot = slot, .block = {block[0], block[1], block[2]}};
  wf_teleport_walk walk = wf_teleport_walk_begin(m->rows, m->n_rows, block);
  teleport_buffer_expect(&m->buffers[sm], &m->shared, &walk);
  for (uint32_t line; wf_teleport_walk_next(&walk, &m->shared.bounds, &line);) m->requests++;
  teleport_controller_block(&m->controller, &a);
}

static void teleport_block_end(wf_unit *unit, unsigned sm, unsigned slot) {
  teleport *m = (teleport *)unit;
  teleport_buffer_block_end(&m->buffers[sm], &m->shared, slot);
}

static bool teleport_access(wf_unit *unit, unsigned sm, bool store, uint32_t line) {
  return teleport_buffer_access(&((teleport *)unit)->buffers[sm], store, line);
}

static wf_preload_answer teleport_answer(wf_unit *unit, unsigned sm, unsigned *place) {
  return teleport_buffer_answer(&((teleport *)unit)->buffers[sm], place);
}

static void teleport_filled(wf_unit *unit, unsigned sm, unsigned place) {
  teleport *m = (teleport *)unit;
  teleport_buffer_filled(&m->buffers[sm], &m->shared, place);
}

/* ---- one cycle ---- */

/* The controller's range, if it has one, goes to its SM's buffer: *asked. */
static bool drive_controller(teleport *m, unsigned *asked, wf_error *err) {
  teleport_request r;
  *asked = m->shared.env.n_sm;
  if (m->controller_rtl.gate && !teleport_controller_works(&m->controller)) return true;
  if (!teleport_controller_drive(&m->controller, &r)) return true;
  if (r.sm >= m->shared.env.n_sm)
    return wf_fail(err, WF_EXIT_WRONG, "teleport: a range for SM %u of %u", r.sm,
                   m->shared.env.n_sm);
  *asked = r.sm;
  return teleport_controller_answer(&m->controller, &m->shared,
                                    teleport_buffer_ask(&m->buffers[r.sm], &r), err);
}

static bool teleport_tick(wf_unit *unit, wf_error *err) {
  teleport *m = (teleport *)unit;
  unsigned asked;
  if (!drive_controller(m, &asked, err)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) {
    const bool busy = asked == s || teleport_buffer_works(&m->buffers[s]);
    if (wf_rtl_due(&m->buffer_rtl, busy) && !teleport_buffer_clock(&m->buffers[s], &m->shared, err))
      return false;
  }
  return !wf_rtl_due(&m->controller_rtl, teleport_controller_busy(&m->controller)) ||
         teleport_controller_clock(&m->controller, &m->shared, err);
}

static bool teleport_idle(const wf_unit *unit) {
  const teleport *m = (const teleport *)unit;
  if (teleport_controller_works(&m->controller)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if (teleport_buffer_works(&m->buffers[s])) return false;
  return true;
}

static uint64_t counted(const wf_rtl_set *rtl, const uint64_t *counters, const char *name) {
  size_t at;
  return wf_rtl_set_counter_find(rtl, name, &at) ? counters[at] : 0;
}

/* By the counters of the RTL: their edges would show in a recording or a wave. */
static bool all_asked(teleport *m, wf_error *err) {
  wf_rtl_set *rtl = &m->buffer_rtl;
  if (m->shared.set.counter_bits < COUNTER_BITS_TO_CHECK || rtl->traced || rtl->at->recorder)
    return true;
  uint64_t *n = wf_rtl_set_counters(rtl);
  wf_teleport_sums sums = {
      .of_rows = m->requests,
      .asked = counted(rtl, n, "asks"),
      .no_room = counted(rtl, n, "asks_dropped"),
      .stored = counted(rtl, n, "stores_here") + counted(rtl, n, "stores_coming") > 0};
  free(n);
  if (!wf_unit_counted(&m->unit, err)) return false;
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    sums.left_out += teleport_buffer_left_out(&m->buffers[s], &m->shared);
  return wf_teleport_all_asked(&sums, err);
}

static bool teleport_kernel_end(wf_unit *unit, wf_error *err) {
  teleport *m = (teleport *)unit;
  if (m->controller.walk_ring.count)
    return wf_fail(err, WF_EXIT_WRONG,
                   "teleport: %u thread blocks have ranges to come after the kernel",
                   m->controller.walk_ring.count);
  for (unsigned s = 0; s < m->shared.env.n_sm; s++)
    if (m->buffers[s].flight_ring.count || m->buffers[s].answer_ring.count)
      return wf_fail(err, WF_EXIT_WRONG,
                     "teleport: SM %u: %u accesses and %u answers are left after the kernel", s,
                     m->buffers[s].flight_ring.count, m->buffers[s].answer_ring.count);
  return !m->active || all_asked(m, err);
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
    {"requests", offsetof(teleport, requests)},
    {"ways_least", offsetof(teleport, ways_least)},
    {"busy_controllers", offsetof(teleport, controller_rtl.busy)},
    {"busy_buffers", offsetof(teleport, buffer_rtl.busy)},
    {"held_blocks", offsetof(teleport, counters.held_blocks)},
    {"held_cycles", offsetof(teleport, counters.held_cycles)},
    {"fetched", offsetof(teleport, counters.fetched)},
    {"fetch_waits", offsetof(teleport, counters.fetch_waits)},
    {"looked_up", offsetof(teleport, counters.looked_up)},
    {"found", offsetof(teleport, counters.found)},
    {"not_found", offsetof(teleport, counters.not_found)},
    {"found_coming", offsetof(teleport, counters.found_coming)},
    {"look_stalls", offsetof(teleport, counters.look_stalls)},
    {"checked_bytes", offsetof(teleport, counters.checked_bytes)},
    {"stale_bytes", offsetof(teleport, counters.stale_bytes)},
    {0},
};

static const char shared[] = "a line of shared memory written or read";
static const wf_energy_event energy[] = {
    {"busy_buffers", WF_EN_PART_UNIT, 49.52, NULL,
     "make power UNIT=teleport_buffer CONFIG=bench, NanGate 45 nm; a cycle with something asked, "
     "replied or inside, outside which a clock gate on idle_o stops it"},
    WF_ENERGY_TRANSFER("teleport_buffer_ask", 32.23),
    WF_ENERGY_TRANSFER("teleport_buffer_fetch", 26.11),
    WF_ENERGY_TRANSFER("teleport_buffer_rsp", 3.21),
    WF_ENERGY_TRANSFER("teleport_buffer_acc", 13.78),
    WF_ENERGY_TRANSFER("teleport_buffer_end", 1.41),
    {"busy_controllers", WF_EN_PART_UNIT, 33.44, NULL,
     "make power UNIT=teleport_controller CONFIG=bench, NanGate 45 nm; gated as a buffer"},
    WF_ENERGY_TRANSFER("teleport_controller_tb", 10.32),
    WF_ENERGY_TRANSFER("teleport_controller_req", 12.41),
    {"fetched", WF_EN_PART_L1, 0, "shared_access", shared},
    {"found", WF_EN_PART_L1, 0, "shared_access", shared},
    {0},
};
static const wf_energy_power power[] = {
    {"buffer_static", "teleport_buffer", NULL, 0.0036,
     "make synth UNIT=teleport_buffer CONFIG=bench, NanGate 45 nm: leakage"},
    {"controller_static", "teleport_controller", NULL, 0.0045,
     "make synth UNIT=teleport_controller CONFIG=bench, NanGate 45 nm: leakage"},
    {0},
};

static void teleport_describe(const wf_unit *unit, FILE *out) {
  const teleport *m = (const teleport *)unit;
  if (teleport_controller_works(&m->controller))
    fprintf(out, "teleport controller: %u thread blocks ask, one waits to: %d\n",
            m->controller.walk_ring.count, m->controller.offered);
  for (unsigned s = 0; s < m->shared.env.n_sm; s++) {
    const teleport_buffer *x = &m->buffers[s];
    if (teleport_buffer_works(x))
      fprintf(out,
              "teleport buffer of SM %u: %u accesses inside, a reply waits: %d, ends wait: 0x%llx, "
              "idle %d\n",
              s, x->flight_ring.count, x->replied, (unsigned long long)x->ended,
              (int)wf_port_get(x->port.idle));
  }
}

static const wf_preload_ops preload_ops = {
    .kernel_start = teleport_kernel_start,
    .counters = teleport_preload_counters,
    .settings = teleport_preload_settings,
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
    .limits = "any SMs, warps, L1 and L2 slices; core.shared_bytes of at least 128 for each of "
              "teleport.sets",
    .fits = teleport_fits,
    .bytes = sizeof(teleport),
    .settings = offsetof(teleport, shared.set),
    .open = teleport_open,
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
