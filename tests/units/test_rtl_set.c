/* A unit's RTL as its class asks for it: parameters, and presets that are not the description's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/units/rtl_set.h"
#include "sim/units/unit.h"

typedef struct settings {
  unsigned depth, width;
} settings;

/* wf_fifo in its set ram8, with a Depth whose preset is `preset` and which is `depth`. */
static bool open_threaded_fifo(wf_rtl_set *set, unsigned preset, unsigned depth, unsigned threads,
                               wf_error *err) {
  const wf_parameter table[] = {
      {"depth", "Depth", 1, 64, preset, offsetof(settings, depth), NULL, "of the FIFO"},
      {"other", "wf_skid.Width", 1, 64, 3, offsetof(settings, width), NULL, "of other RTL"},
      {"width", NULL, 1, 64, 3, offsetof(settings, width), NULL, "of no RTL"},
      {0}};
  struct {
    wf_unit unit;
    settings values;
  } u = {.values = {depth, 3}};
  const wf_unit_class cls = {.parameters = table, .settings = sizeof u.unit};
  u.unit.cls = &cls;
  const wf_unit_env env = {.seed = 1, .assertions = 1, .threads = threads};
  const wf_rtl_value fixed[] = {{"Width", 20}, {0}};
  const wf_rtl_request q = {
      .unit = "wf_fifo", .config = "ram8", .fixed = fixed, .of = &u.unit, .env = &env};
  if (!wf_rtl_set_open(set, 1, &q, err)) return false;
  wf_rtl_set_threads(set, &env);
  return true;
}

static bool open_fifo(wf_rtl_set *set, unsigned preset, unsigned depth, wf_error *err) {
  return open_threaded_fifo(set, preset, depth, 1, err);
}

static int64_t parameter(const wf_rtl_set *set, const char *name) {
  int64_t value = -1;
  assert_true(wf_model_lib_parameter(set->lib, name, &value));
  return value;
}

static void parameters_are_those_asked_for(void **state) {
  (void)state;
  wf_error err = {0};
  wf_rtl_set set;
  for (unsigned depth = 8; depth >= 5; depth -= 3) {
    if (!open_fifo(&set, 8, depth, &err)) fail_msg("%s", err.text);
    assert_int_equal(parameter(&set, "Depth"), depth);
    assert_int_equal(parameter(&set, "Width"), 20);
    assert_string_equal(set.overrides, depth == 8 ? "Width=20" : "Width=20 Depth=5");
    wf_rtl_set_close(&set);
  }
}

/* Numbers go through the FIFO, offered and taken at each edge, on the caller's thread or one of its
 * own. */
static void edges_on_a_thread_are_edges(void **state) {
  (void)state;
  enum { EDGES = 20000 };
  wf_error err = {0};
  wf_rtl_set set;
  for (unsigned threads = 1; threads <= 2; threads++) {
    if (!open_threaded_fifo(&set, 8, 8, threads, &err)) fail_msg("%s", err.text);
    wf_rtl *rtl = &set.at[0];
    assert_int_equal(rtl->thread != NULL, threads == 2);
    const wf_port *valid = wf_model_port(rtl->model, "in_valid_i");
    const wf_port *data = wf_model_port(rtl->model, "in_data_i");
    unsigned next = 0;
    for (unsigned e = 0; e < EDGES; e++) {
      assert_true(wf_rtl_end(rtl, &err));
      if (wf_port_get(wf_model_port(rtl->model, "out_valid_o")))
        assert_int_equal(wf_port_get(wf_model_port(rtl->model, "out_data_o")), next++);
      wf_port_set(wf_model_port(rtl->model, "out_ready_i"), 1);
      wf_port_set(valid, 1);
      wf_port_set(data, e);
      assert_true(wf_rtl_begin(rtl, e, &err));
    }
    assert_int_equal(wf_rtl_set_cost(&set).edges, EDGES);
    assert_in_range(next, EDGES - 8, EDGES);
    wf_model_stop(rtl->model, WF_MODEL_ASSERTION, "stopped");
    assert_false(wf_rtl_begin(rtl, EDGES, &err) && wf_rtl_end(rtl, &err));
    assert_int_equal(err.code, WF_EXIT_WRONG);
    assert_non_null(strstr(err.text, "stopped"));
    wf_rtl_set_close(&set);
  }
}

static void presets_are_those_of_the_description(void **state) {
  (void)state;
  wf_error err = {0};
  wf_rtl_set set;
  assert_false(open_fifo(&set, 5, 5, &err));
  assert_int_equal(err.code, WF_EXIT_WRONG);
  assert_non_null(strstr(err.text, "wf_fifo.depth: its preset is 5"));
  assert_non_null(strstr(err.text, "[config ram8]"));
  wf_rtl_set_close(&set);
}

/* sim.assertions=1 looks at a rule now and then, 2 and 3 at each edge. */
static void rules_are_looked_at_as_asked(void **state) {
  (void)state;
  enum { LATER = 60 }; /* edges: none of those that a bench's model looks at */
  wf_error err = {0};
  wf_rtl_set set;
  const wf_parameter table[] = {{0}};
  const wf_unit_class cls = {.parameters = table};
  wf_unit unit = {.cls = &cls};
  for (unsigned assertions = 0; assertions <= 3; assertions++) {
    const wf_unit_env env = {.seed = 1, .assertions = assertions, .threads = 1};
    const wf_rtl_request q = {
        .unit = "tests/model/rtl/twins.ini", .config = "default", .of = &unit, .env = &env};
    if (!wf_rtl_set_open(&set, 1, &q, &err)) fail_msg("%s", err.text);
    for (unsigned e = 0; e < LATER; e++) assert_true(wf_rtl_clock(&set.at[0], e, &err));
    wf_port_set(wf_model_port(set.at[0].model, "trip_i"), 1);
    assert_int_equal(wf_rtl_clock(&set.at[0], LATER, &err), assertions < 2);
    wf_rtl_set_close(&set);
  }
}

static void add_up(void *user, const char *name, double value) {
  (void)name;
  *(double *)user += value;
}

/* Of two instances one breaks a rule while its counters are read. */
static void a_failed_reading_is_told(void **state) {
  (void)state;
  enum { EDGES = 20 };
  wf_error err = {0};
  wf_rtl_set set;
  const wf_parameter table[] = {{0}};
  const wf_unit_class cls = {.parameters = table};
  wf_unit unit = {.cls = &cls, .rtl = {&set}};
  const wf_unit_env env = {.seed = 1, .assertions = 3, .threads = 1};
  const wf_rtl_request q = {
      .unit = "tests/model/rtl/probe.ini", .config = "small", .of = &unit, .env = &env};
  for (unsigned stop = 0; stop <= 1; stop++) {
    if (!wf_rtl_set_open(&set, 2, &q, &err)) fail_msg("%s", err.text);
    for (unsigned i = 0; i < 2; i++)
      for (unsigned e = 0; e < EDGES; e++) assert_true(wf_rtl_clock(&set.at[i], e, &err));
    wf_port_set(wf_model_port(set.at[1].model, "stop_i"), stop);
    double sum = 0;
    wf_unit_counters(&unit, add_up, &sum);
    assert_true(sum >= (stop ? EDGES : 2 * EDGES));
    assert_int_equal(wf_unit_counted(&unit, &err), !stop);
    assert_int_equal(err.code, stop ? WF_EXIT_WRONG : 0);
    if (stop) assert_non_null(strstr(err.text, "counters are read"));
    if (stop) assert_non_null(strstr(err.text, "Rule 7"));
    wf_rtl_set_close(&set);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_are_those_asked_for),
      cmocka_unit_test(edges_on_a_thread_are_edges),
      cmocka_unit_test(presets_are_those_of_the_description),
      cmocka_unit_test(rules_are_looked_at_as_asked),
      cmocka_unit_test(a_failed_reading_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
