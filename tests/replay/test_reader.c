/* The reader on a made-up unit: hex text, layout, what each line of a body of cycles means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "tests/replay/fake_unit.h"

static uint32_t bits_at(const uint32_t *words, uint32_t lsb, uint32_t width) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < width; i++) value |= (words[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
  return value;
}

/* Any bits at any place come back from their text, and nothing around them changes. */
static void hex_there_and_back(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 7);
  for (unsigned n = 0; n < 20000; n++) {
    uint32_t from[12], to[12], before[12], care[12], width = 1 + (uint32_t)wf_rng_below(&rng, 200);
    uint32_t lsb = (uint32_t)wf_rng_below(&rng, 12 * 32 - width),
             put = (uint32_t)wf_rng_below(&rng, 12 * 32 - width);
    for (unsigned w = 0; w < 12; w++) {
      from[w] = (uint32_t)wf_rng_next(&rng) & (n % 3 ? UINT32_MAX : 0xf000000f);
      to[w] = before[w] = (uint32_t)wf_rng_next(&rng);
      care[w] = 0;
    }
    char text[64];
    size_t length = wf_hex_put(text, from, NULL, lsb, width);
    assert_true(length >= 1 && (length == 1 || text[0] != '0'));
    assert_true(wf_hex_get(text, length, to, n % 2 ? care : NULL, put, width));
    for (uint32_t i = 0; i < 12 * 32; i++) {
      bool inside = i >= put && i < put + width;
      assert_int_equal(bits_at(to, i, 1),
                       inside ? bits_at(from, lsb + i - put, 1) : bits_at(before, i, 1));
      assert_int_equal(bits_at(care, i, 1), inside && n % 2);
    }
  }
}

static void hex_refuses(void **state) {
  (void)state;
  uint32_t v[2] = {0}, care[2] = {0};
  assert_false(wf_hex_get("", 0, v, NULL, 0, 8));
  assert_false(wf_hex_get("100", 3, v, NULL, 0, 8));
  assert_false(wf_hex_get("8", 1, v, NULL, 0, 3));
  assert_false(wf_hex_get("g", 1, v, NULL, 0, 8));
  assert_false(wf_hex_get("x", 1, v, NULL, 0, 8));
  assert_true(wf_hex_get("00_0x_7", 7, v, care, 0, 8));
  assert_int_equal(v[0], 7);
  assert_int_equal(care[0], 0x0f);
  char text[8];
  wf_hex_put(text, v, care, 0, 8);
  assert_string_equal(text, "x7");
}

static void layout_refuses(void **state) {
  (void)state;
  static const struct {
    wf_role role;
    const char *says;
  } cases[] = {
      {{.name = "s", .valid = "nosuch", .ready = "-"}, "no port nosuch"},
      {{.name = "s", .valid = "rsp_valid_o", .ready = "cmd_ready_o"}, "wrong direction"},
      {{.name = "s", .valid = "cmd_valid_i", .ready = "idle_o"}, "not a multiple"},
      {{.name = "s",
        .valid = "cmd_valid_i",
        .ready = "-",
        .payload = {"rsp_data_o"},
        .n_payload = 1},
       "wrong direction"},
      {{.name = "s",
        .valid = "rsp_valid_o",
        .ready = "rsp_ready_i",
        .payload = {"rsp_valid_o"},
        .n_payload = 1},
       "another role"},
      {{.name = "s", .valid = "clk_i", .ready = "-"}, "another role"},
      {{.name = "s", .valid = "note_valid_o", .ready = "mode_i"}, "has 2 bits, mode_i has 6"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_role role = cases[i].role;
    wf_roles roles = {.clock = "clk_i", .reset = "rst_ni", .streams = &role, .count = 1};
    wf_layout layout;
    wf_error err = {0};
    assert_false(wf_layout_make(&layout, &roles, fake_ports, FAKE_PORTS, &err));
    if (!strstr(err.text, cases[i].says)) fail_msg("case %zu: %s", i, err.text);
    wf_layout_free(&layout);
  }
}

typedef struct fixture {
  wf_layout layout;
  wf_reader *reader;
  wf_error err;
} fixture;

static void start(fixture *x, const char *text) {
  *x = (fixture){0};
  assert_true(wf_layout_make(&x->layout, &fake_roles, fake_ports, FAKE_PORTS, &x->err));
  x->reader = wf_reader_open_memory("text", text, strlen(text), &x->err);
  if (!x->reader) fail_msg("%s", x->err.text);
  wf_reader_bind(x->reader, &x->layout);
}

static void finish(fixture *x) {
  wf_reader_close(x->reader);
  wf_layout_free(&x->layout);
}

static uint32_t value(const fixture *x, const uint32_t *words, const char *port, uint32_t lsb,
                      uint32_t width) {
  for (size_t i = 0; i < x->layout.n_ports; i++)
    if (strcmp(x->layout.ports[i].port->name, port) == 0)
      return bits_at(words, 32 * x->layout.ports[i].first + lsb, width);
  fail_msg("no port %s", port);
  return 0;
}

#define HEAD "warpfab-replay 1\nunit u\nconfig c\n"

/* Lines tell changes; times and repeats; what is compared when. */
static void frames(void **state) {
  (void)state;
  fixture x;
  const wf_frame *f;
  start(&x, HEAD "body cycles\n@7 cmd.1=t:1abcd,15 cmd.2=v:2,1 rsp=. mode_i=2a idle_o=1\n*2\n@20 "
                 "cmd.1=r rsp=t:3f0\nrsp=r note.1=t:101\nend 5\n");
  assert_int_equal(wf_reader_next(x.reader, &f, &x.err), 1);
  assert_int_equal(f->edge, 0);
  assert_int_equal(f->time, 7);
  assert_int_equal(value(&x, f->in, "cmd_valid_i", 0, 3), 6);
  assert_int_equal(value(&x, f->out, "cmd_ready_o", 0, 3), 2);
  assert_int_equal(value(&x, f->care, "cmd_ready_o", 0, 3), 7);
  assert_int_equal(value(&x, f->in, "cmd_data_i", 37, 32), 0x1abcd);
  assert_int_equal(value(&x, f->in, "cmd_tag_i", 5, 5), 0x15);
  assert_int_equal(value(&x, f->in, "mode_i", 0, 6), 0x2a);
  assert_int_equal(value(&x, f->care, "rsp_data_o", 0, 32), 0);
  assert_int_equal(value(&x, f->care, "idle_o", 0, 1), 1);
  for (unsigned n = 1; n <= 2; n++) {
    assert_int_equal(wf_reader_next(x.reader, &f, &x.err), 1);
    assert_int_equal(f->edge, n);
    assert_int_equal(f->time, 7 + n);
  }
  assert_int_equal(wf_reader_next(x.reader, &f, &x.err), 1);
  assert_int_equal(f->time, 20);
  assert_int_equal(value(&x, f->in, "cmd_valid_i", 0, 3), 4);
  assert_int_equal(value(&x, f->out, "rsp_data_o", 0, 32), 0x3f0);
  assert_int_equal(value(&x, f->care, "rsp_data_o", 38, 32), UINT32_MAX);
  uint32_t got[64];
  char text[256];
  memcpy(got, f->out, x.layout.out_words * 4);
  assert_false(wf_play_difference(&x.layout, f, got, NULL, text, sizeof text));
  for (size_t i = 0; i < x.layout.n_ports; i++)
    if (!strcmp(x.layout.ports[i].port->name, "rsp_data_o")) got[x.layout.ports[i].first + 2] ^= 4;
  assert_true(wf_play_difference(&x.layout, f, got, NULL, text, sizeof text));
  assert_string_equal(
      text,
      "edge 3 (cycle 20): rsp lane 0: payload rsp_data_o: expected 3f0, got 400000000000003f0");
  assert_int_equal(wf_reader_next(x.reader, &f, &x.err), 1);
  assert_int_equal(value(&x, f->care, "rsp_data_o", 0, 32), 0);
  assert_int_equal(value(&x, f->out, "note_data_o", 9, 9), 0x101);
  assert_int_equal(wf_reader_next(x.reader, &f, &x.err), 0);
  finish(&x);
}

static void wrong_lines(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"note.0=.\nend\n", "text:5: note=.: expected r (nothing) or t:PAYLOAD"},
      {"cmd.3=r\nend\n", "lanes 0 to 2"},
      {"clk_i=1\nend\n", "no such stream or level port"},
      {"@5\n@4\nend\n", "not before the last one"},
      {"idle_o=1\nend 2\n", "tells 2 edges, the file has 1"},
      {"idle_o=1\nend 1 crc32 00000001\n", "the checksum is 00000001"},
      {"idle_o=1\n", "truncated"},
      {"end 0\n*1\n", "behind the end record"},
      {"end soon\n", "expected end [EDGES"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    fixture x;
    const wf_frame *f;
    int more;
    snprintf(text, sizeof text, HEAD "body cycles\n%s", cases[i][0]);
    start(&x, text);
    while ((more = wf_reader_next(x.reader, &f, &x.err)) == 1) {
    }
    assert_int_equal(more, -1);
    assert_int_equal(x.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(x.err.text, cases[i][1])) fail_msg("case %zu: %s", i, x.err.text);
    finish(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hex_there_and_back), cmocka_unit_test(hex_refuses),
      cmocka_unit_test(layout_refuses),     cmocka_unit_test(frames),
      cmocka_unit_test(wrong_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
