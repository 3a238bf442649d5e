/* Records of launched groups at a unit's port of the crossbar: what is read is what was written
 * before, whatever the traffic, and whoever takes nothing, nothing is lost. */
#include "sim/units/records.h"
#include "tests/mem/harness.h"

enum { IMAGE_BYTES = 1 << 20, LINES = 16, SPACE = 512, BASE = 0x20000 }; /* SPACE: records */

/* The unit's side of the ports: their values. */
typedef struct values {
  uint32_t mem_valid, mem_ready, mem_write, mem_addr, mem_mask, mem_data[4], mem_id, rsp_valid,
      rsp_ready, rsp_data[4], rsp_id, rsp_beat;
} values;

/* A read of the unit: the records that it must get. */
typedef struct asked {
  bool waits;
  unsigned got, of;
  uint32_t want[8][4];
} asked;

typedef struct rig {
  wf_image *image;
  wf_mem *mem;
  wf_unit_env env;
  wf_records r;
  values v;
  wf_port port[12];
  wf_rng rng;
  uint64_t cycle;
  uint32_t memory[SPACE][4]; /* what it holds by what the unit has written */
  asked asked[LINES];
  uint64_t reads, writes, told, refused, sm_sent, sm_replies;
} rig;

static uint64_t cycle_of(void *user) {
  return ((rig *)user)->cycle;
}

static bool told(void *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                 wf_error *err) {
  rig *g = book;
  (void)err;
  assert_int_equal(pointer, g->v.mem_addr);
  assert_int_equal(mask, g->v.mem_mask);
  assert_memory_equal(words, g->v.mem_data, sizeof g->v.mem_data);
  g->told++;
  return true;
}

static const wf_port *port_of(rig *g, unsigned i, uint32_t *words, unsigned width) {
  g->port[i] =
      (wf_port){.width = width, .bytes = width > 32 ? 16 : 4, .words = words, .data = words};
  return &g->port[i];
}

static rig *rig_new(wf_mem_config c, unsigned lines, uint64_t seed) {
  rig *g = calloc(1, sizeof *g);
  c.unit_port = 1;
  g->image = make_image(IMAGE_BYTES);
  g->mem = make(&c, g->image);
  g->env = (wf_unit_env){.gpu = g,
                         .mem = g->mem,
                         .image = g->image,
                         .n_sm = c.n_sm,
                         .n_part = c.n_part,
                         .line_bytes = 128,
                         .cycle = cycle_of};
  g->r = (wf_records){.env = &g->env, .lines = lines, .book = g, .write = told};
  values *v = &g->v;
  g->r.port = (wf_record_ports){.mem_valid = port_of(g, 0, &v->mem_valid, 1),
                                .mem_ready = port_of(g, 1, &v->mem_ready, 1),
                                .mem_write = port_of(g, 2, &v->mem_write, 1),
                                .mem_addr = port_of(g, 3, &v->mem_addr, 32),
                                .mem_mask = port_of(g, 4, &v->mem_mask, 4),
                                .mem_data = port_of(g, 5, v->mem_data, 128),
                                .mem_id = port_of(g, 6, &v->mem_id, 6),
                                .rsp_valid = port_of(g, 7, &v->rsp_valid, 1),
                                .rsp_ready = port_of(g, 8, &v->rsp_ready, 1),
                                .rsp_data = port_of(g, 9, v->rsp_data, 128),
                                .rsp_id = port_of(g, 10, &v->rsp_id, 6),
                                .rsp_beat = port_of(g, 11, &v->rsp_beat, 3)};
  wf_rng_seed(&g->rng, seed);
  return g;
}

static void rig_free(rig *g) {
  finish(g->mem);
  wf_image_destroy(g->image);
  free(g);
}

static void put_write(rig *g, unsigned record, unsigned mask) {
  values *v = &g->v;
  v->mem_valid = v->mem_write = 1;
  v->mem_addr = BASE + 16 * record + 16;
  v->mem_mask = mask;
  for (unsigned w = 0; w < 4; w++) v->mem_data[w] = (uint32_t)wf_rng_next(&g->rng);
}

static void put_read(rig *g, unsigned record, unsigned id) {
  values *v = &g->v;
  v->mem_valid = 1;
  v->mem_write = 0;
  v->mem_id = id;
  v->mem_addr = BASE + 16 * record + (g->r.lines ? 0 : 16);
}

/* The unit's next request, if it has none. */
static void put_any(rig *g) {
  const uint64_t x = wf_rng_next(&g->rng);
  const unsigned id = g->r.lines ? x >> 32 & (LINES - 1) : 0;
  if (g->v.mem_valid || (x & 3) == 3) return;
  if (x & 1)
    put_write(g, (x >> 40) % SPACE, x & 2 ? 11 : 4);
  else if (!g->asked[id].waits)
    put_read(g, (unsigned)(x >> 40) % SPACE & (g->r.lines ? ~7u : ~0u), id);
}

/* The request was taken: memory changes, or the answer that must come is noted. */
static void taken(rig *g) {
  const values *v = &g->v;
  const unsigned at = (v->mem_addr - BASE) / 16 - (v->mem_write || !g->r.lines);
  if (v->mem_write) {
    for (unsigned w = 0; w < 4; w++)
      if (v->mem_mask >> w & 1) g->memory[at][w] = v->mem_data[w];
    g->writes++;
    return;
  }
  asked *a = &g->asked[v->mem_id];
  assert_false(a->waits);
  *a = (asked){.waits = true, .of = g->r.lines ? 8 : 1};
  memcpy(a->want, g->memory[at], 16 * a->of);
  g->reads++;
}

static void got(rig *g) {
  asked *a = &g->asked[g->r.lines ? g->v.rsp_id : 0];
  assert_true(a->waits);
  assert_int_equal(g->v.rsp_beat, a->got);
  assert_memory_equal(g->v.rsp_data, a->want[a->got], 16);
  a->waits = ++a->got < a->of;
}

/* An edge of the unit, then a cycle of memory. */
static void cycle(rig *g, bool takes) {
  wf_error err = {0};
  g->v.rsp_ready = takes;
  const bool offered = wf_records_answer(&g->r), answered = offered && takes;
  assert_int_equal(offered, g->v.rsp_valid);
  if (answered) got(g);
  if (g->v.mem_valid && g->v.mem_ready) taken(g), g->v.mem_valid = 0;
  if (answered) wf_records_answered(&g->r);
  g->v.mem_ready = 0;
  g->cycle++;
  wf_mem_tick(g->mem);
  if (!wf_records_tick(&g->r, &err)) fail_msg("%s", err.text);
  g->refused += g->v.mem_valid && !g->v.mem_ready;
}

static void settle(rig *g) {
  for (unsigned i = 0; i < 100000 && (g->r.n_waiting || g->v.mem_valid || !wf_mem_idle(g->mem));
       i++) {
    for (unsigned sm = 0; sm < g->env.n_sm; sm++)
      if (wf_mem_peek(g->mem, sm)) wf_mem_pop(g->mem, sm), g->sm_replies++;
    cycle(g, true);
  }
  assert_int_equal(g->r.n_waiting, 0);
  assert_int_equal(g->r.answers, g->reads);
  assert_int_equal(g->told, g->writes);
  assert_int_equal(g->r.refused, g->refused);
  assert_int_equal(g->sm_sent, g->sm_replies);
  assert_memory_equal(wf_image_at(g->image, BASE, sizeof g->memory, NULL), g->memory,
                      sizeof g->memory);
  const wf_mem_counters *n = wf_mem_get_counters(g->mem);
  assert_int_equal(n->l2.reads + n->l2.writes, g->reads + g->writes + g->sm_sent);
  assert_int_equal(n->noc.packets, 2 * (g->reads + g->writes + g->sm_sent));
  assert_conserved(g->mem);
}

static void sms_flood(rig *g) {
  for (unsigned sm = 0; sm < g->env.n_sm; sm++) {
    const uint64_t x = wf_rng_next(&g->rng);
    const wf_packet p = x & 1 ? read_of(WF_IMAGE_BASE + (x >> 8) % 4096 * 128, 0)
                              : write_of(WF_IMAGE_BASE + (x >> 8) % 4096 * 128, 0, 15, 15);
    g->sm_sent += wf_mem_send(g->mem, sm, &p);
  }
}

/* The unit alone and among SMs that flood the crossbar, with pauses of both sides' taking. */
static void random_traffic(void **state) {
  (void)state;
  for (unsigned k = 0; k < 8; k++) {
    wf_mem_config c = gtx480();
    if (k & 4) c.noc_input_flits = c.noc_output_flits = 9, c.l2_queue = 1;
    rig *g = rig_new(c, k & 1 ? LINES : 0, k + 1);
    for (unsigned t = 0; t < 100000; t++) {
      const bool sms_take = t >> 9 & 3, unit_takes = (t >> 8) % 5 && wf_rng_below(&g->rng, 4);
      if (k & 2) sms_flood(g);
      for (unsigned sm = 0; sms_take && sm < c.n_sm; sm++)
        if (wf_mem_peek(g->mem, sm)) wf_mem_pop(g->mem, sm), g->sm_replies++;
      put_any(g);
      cycle(g, unit_takes);
    }
    settle(g);
    assert_true(g->reads > 10 && g->writes > 500 && (!(k & 2) || g->refused > 1000));
    rig_free(g);
  }
}

/* SMs that take nothing stall the crossbar; the unit's request waits at its port, and goes when
 * they take again. */
static void stalled_by_sms(void **state) {
  (void)state;
  rig *g = rig_new(gtx480(), LINES, 3);
  for (unsigned t = 0; t < 5000; t++) {
    sms_flood(g);
    put_any(g);
    cycle(g, true);
  }
  const uint64_t reads = g->reads, writes = g->writes;
  if (!g->v.mem_valid) put_write(g, 5, 11);
  for (unsigned t = 0; t < 1000; t++) cycle(g, true);
  assert_true(g->v.mem_valid && g->reads == reads && g->writes == writes);
  wf_error err = {0};
  assert_false(wf_mem_check_conservation(g->mem, &err));
  settle(g);
  assert_int_equal(g->reads + g->writes, reads + writes + 1);
  rig_free(g);
}

/* A unit that takes no answers is stalled itself: what fits is on its way, no more. */
static void stalled_by_itself(void **state) {
  (void)state;
  rig *g = rig_new(gtx480(), LINES, 4);
  for (unsigned t = 0; t < 20000; t++) {
    put_any(g);
    cycle(g, false);
  }
  assert_true(g->v.mem_valid && g->refused > 1000);
  assert_true(g->r.n_waiting <= LINES && g->r.answers == 0);
  char text[8192];
  (void)wf_mem_describe(g->mem, text, sizeof text);
  assert_non_null(strstr(text, "SM 15: the unit's port"));
  assert_non_null(strstr(text, "to SM 15: "));
  settle(g);
  rig_free(g);
}

/* Without lines the unit may let its record wait: what comes for it goes on. */
static void a_record_alone_waits_in_a_register(void **state) {
  (void)state;
  rig *g = rig_new(gtx480(), 0, 6);
  put_read(g, 7, 0);
  for (unsigned t = 0; t < 2000; t++) cycle(g, false);
  assert_true(g->v.rsp_valid && wf_mem_idle(g->mem));
  for (unsigned n = 0; n < 1000; n++) {
    put_write(g, n % SPACE, 11);
    for (unsigned t = 0; t < 1000 && g->v.mem_valid; t++) cycle(g, false);
    assert_false(g->v.mem_valid);
  }
  settle(g);
  rig_free(g);
}

/* A lone line comes in the cycles that an SM's load of it takes, and the unit's in flits besides.
 */
static void as_an_sm(void **state) {
  (void)state;
  rig *g = rig_new(one_clock(), LINES, 5);
  wf_mem *other = make(&g->mem->config, NULL);
  for (unsigned hit = 0; hit < 2; hit++) {
    const unsigned want = round_trip(other, 3, read_of(BASE, 1));
    put_read(g, 0, 1);
    cycle(g, true); /* it is in the crossbar */
    unsigned t = 0;
    while (!g->v.rsp_valid) cycle(g, true), t++;
    assert_int_equal(t, want + 1); /* at the edge after */
    settle(g);
  }
  const wf_mem_counters *n = wf_mem_get_counters(g->mem);
  assert_int_equal(n->noc.request_flits, 2);
  assert_int_equal(n->noc.reply_flits, 10);
  assert_int_equal(n->l2.hits, 1);
  finish(other);
  rig_free(g);
}

/* Outside memory: a line that is fetched ahead is zeros, a write is an error. A fetch that is left
 * costs the crossbar nothing. */
static void outside_memory(void **state) {
  (void)state;
  rig *g = rig_new(gtx480(), LINES, 7);
  wf_error err = {0};
  g->v = (values){
      .mem_valid = 1, .mem_addr = WF_IMAGE_BASE + IMAGE_BYTES, .mem_id = 3, .rsp_ready = 1};
  assert_true(wf_records_tick(&g->r, &err) && g->v.mem_ready);
  g->v.mem_valid = 0;
  for (unsigned beat = 0, t = 0; beat < 8; t++) {
    assert_true(t < 10000);
    wf_mem_tick(g->mem);
    if (!wf_records_answer(&g->r)) continue;
    const uint32_t zeros[4] = {0};
    assert_int_equal(g->v.rsp_id, 3);
    assert_int_equal(g->v.rsp_beat, beat++);
    assert_memory_equal(g->v.rsp_data, zeros, 16);
    wf_records_answered(&g->r);
  }
  g->v = (values){.mem_valid = 1, .mem_addr = BASE, .mem_id = 2, .rsp_ready = 1};
  assert_true(wf_records_leave(&g->r) && g->v.mem_ready && wf_mem_idle(g->mem));
  assert_false(wf_records_leave(&g->r)); /* it is on its way already */
  for (unsigned beat = 0; beat < 8; beat++) {
    assert_true(wf_records_answer(&g->r) && g->v.rsp_id == 2 && g->v.rsp_beat == beat);
    wf_records_answered(&g->r);
  }
  assert_false(wf_records_answer(&g->r));
  g->v = (values){
      .mem_valid = 1, .mem_write = 1, .mem_addr = WF_IMAGE_BASE + IMAGE_BYTES + 16, .mem_mask = 11};
  assert_false(wf_records_leave(&g->r));
  assert_false(wf_records_tick(&g->r, &err));
  assert_non_null(strstr(err.text, "outside memory"));
  rig_free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_traffic),    cmocka_unit_test(stalled_by_sms),
      cmocka_unit_test(stalled_by_itself), cmocka_unit_test(a_record_alone_waits_in_a_register),
      cmocka_unit_test(as_an_sm),          cmocka_unit_test(outside_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
