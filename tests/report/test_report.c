/* The page: its marks are the result's numbers, bars of parts add up, pictures over time are the
 * result's series, texts of a result are never markup or script, findings follow their rules,
 * nothing is fetched, and who hears the page instead of seeing it finds all of it named. The checks
 * of marks and names are tried on pages with a fault. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_alloc.h"
#include "sim/report/findings.h"
#include "sim/report/page.h"
#include "sim/report/result.h"

static const char nasty[] = "a<b>&\"'</title><script>alert(1)</script>";

enum { POINTS = 30 };

/* A run with a table of loads, values over time, and names that a page must not take for markup.
 * sm_mhz: 0, or of all SMs, at a lower voltage. */
static cJSON *make_result(const char *left, unsigned sm_mhz) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_energy_model model;
  wf_options set = {0};
  wf_energy_default(&model, WF_ENERGY_GTX480);
  assert_true(wf_gpu_config_load(&config, "k20c", &err));
  for (const char *const *s = (const char *const[]){"app.right=2000", "app.keys=50",
                                                    "app.form=flat", "probe.loads=1", NULL};
       *s; s++)
    assert_true(wf_options_add(&set, *s, &err));
  config.sm_mhz = sm_mhz;
  wf_options_put(&set, "app.left", left);
  wf_gpu *gpu = wf_gpu_create(&config, &set, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  wf_app_run run = {.gpu = gpu, .seed = 1};
  wf_series *series = wf_series_create(&(wf_series_settings){POINTS});
  wf_series_attach(series, gpu, &model);
  if (!wf_app_start(wf_app_find("join", &err), &run, &err)) fail_msg("%s", err.text);
  cJSON *result = wf_result_json(&(wf_result_input){.gpu = gpu,
                                                    .run = &run,
                                                    .app = "join",
                                                    .graph = nasty,
                                                    .verified = WF_VERIFIED_YES,
                                                    .settings = &set,
                                                    .energy = &model,
                                                    .series = series},
                                 &err);
  if (!result) fail_msg("%s", err.text);
  wf_series_destroy(series);
  wf_gpu_destroy(gpu);
  wf_options_free(&set);
  cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(result, "kernels"), 0), "name",
                            cJSON_CreateString(nasty));
  return result;
}

static char *print_content(const wf_page_content *content) {
  static char *text; /* that it is not this function's own, gcc 12 does not see */
  static size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  wf_page_print(out, content);
  fclose(out);
  return text;
}

static wf_facts *read_facts(const cJSON *const *results, size_t n) {
  wf_error err = {0};
  wf_facts *facts = wf_calloc(n, sizeof *facts);
  for (size_t i = 0; i < n; i++)
    if (!wf_facts_read(&facts[i], nasty, results[i], NULL, &err)) fail_msg("%s", err.text);
  return facts;
}

static char *print(const cJSON *const *results, size_t n) {
  wf_facts *facts = read_facts(results, n);
  char *text = print_content(&(wf_page_content){.facts = facts, .n = n});
  free(facts);
  return text;
}

/* A number by its path, where digits count in arrays. */
static const cJSON *at_path(const cJSON *at, const char *path) {
  while (at && *path) {
    char key[96];
    const size_t n = strcspn(path, ".");
    assert_true(n < sizeof key);
    memcpy(key, path, n);
    key[n] = '\0';
    path += n + (path[n] == '.');
    at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(key))
                           : cJSON_GetObjectItemCaseSensitive(at, key);
  }
  return cJSON_IsNumber(at) ? at : NULL;
}

typedef struct mark {
  unsigned result;
  char key[96];
  double value;
} mark;

/* The next mark of the page, and which result it is of. False: there is none. */
static bool next_mark(const char **at, mark *m) {
  static const char result[] = "data-result=\"", key[] = "data-key=\"";
  const char *k = strstr(*at, key), *r = strstr(*at, result);
  while (r && k && r < k) {
    m->result = (unsigned)atoi(r + sizeof result - 1);
    r = strstr(r + 1, result);
  }
  if (!k) return false;
  assert_int_equal(sscanf(k, "data-key=\"%95[^\"]\" data-value=\"%lf\"", m->key, &m->value), 2);
  *at = k + 1;
  return true;
}

/* Marks of the results' numbers, all of them right; 0: one is not. */
static unsigned right_marks(const char *page, const cJSON *const *results) {
  unsigned n = 0;
  for (mark m = {0}; next_mark(&page, &m);) {
    if (*m.key == ':') continue;
    const cJSON *number = at_path(results[m.result], m.key);
    if (!number || number->valuedouble != m.value) return 0;
    n++;
  }
  return n;
}

static bool has_mark(const char *page, const char *key, double value) {
  for (mark m = {0}; next_mark(&page, &m);)
    if (!strcmp(m.key, key) && m.value == value) return true;
  return false;
}

static void marks_are_the_results_numbers(void **state) {
  const cJSON *results[2] = {state[0], NULL}, *item;
  char *page = print(results, 1);
  assert_true(right_marks(page, results) > 40);
  cJSON_ArrayForEach(item,
                     cJSON_GetObjectItem(cJSON_GetObjectItem(*results, "sm"), "scheduler_cycles")) {
    char key[96];
    snprintf(key, sizeof key, "sm.scheduler_cycles.%s", item->string);
    if (item->valuedouble > 0 && !has_mark(page, key, item->valuedouble))
      fail_msg("no mark of %s", key);
  }
  for (const char *const *key =
           (const char *const[]){"cycles", "dram.gb_per_second", "l1.accesses", "loads.0.cycles",
                                 "energy_joules.static", "noc.reply_flits", NULL};
       *key; key++)
    if (!has_mark(page, *key, at_path(*results, *key)->valuedouble))
      fail_msg("no mark of %s", *key);
  char *digit = strstr(strstr(page, "data-key=\"l1.accesses\""), "data-value=\"") + 12;
  *digit = *digit == '9' ? '1' : (char)(*digit + 1);
  assert_int_equal(right_marks(page, results), 0); /* the check can fail */
  free(page);
}

static void assert_near(double a, double b, double within) {
  if (!(fabs(a - b) <= within)) fail_msg("%.17g is not %.17g", a, b);
}

/* Bars of one whole: as wide as they say, and together all of it. */
static double sum_bars(const char *page, const char *prefix, const cJSON *parts, double total) {
  double sum = 0, width;
  const size_t n = strlen(prefix);
  for (mark m = {0}; next_mark(&page, &m);) {
    if (strncmp(m.key, prefix, n)) continue;
    const char *w = page;
    while (strncmp(w, " width=\"", 8)) w--;
    assert_int_equal(sscanf(w, " width=\"%lf%%\"", &width), 1);
    assert_near(width, m.value, 1e-4);
    assert_near(m.value, 100 * at_path(parts, m.key + n)->valuedouble / total, 1e-9);
    sum += m.value;
  }
  return sum;
}

static void bars_add_up(void **state) {
  const cJSON *results[1] = {*state}, *item, *sm = cJSON_GetObjectItem(*state, "sm"),
              *cycles = cJSON_GetObjectItem(sm, "scheduler_cycles"),
              *energy = cJSON_GetObjectItem(*state, "energy_joules");
  char *page = print(results, 1);
  double total = 0;
  cJSON_ArrayForEach(item, cycles) total += item->valuedouble;
  assert_near(sum_bars(page, ":share.sm.scheduler_cycles.", cycles, total), 100, 1e-6);
  assert_near(
      sum_bars(page, ":share.energy_joules.", energy, at_path(energy, "total")->valuedouble), 100,
      1e-6);
  free(page);
}

static double speed_of(const char *page, const char *part) {
  char key[96];
  snprintf(key, sizeof key, ":speed.%s", part);
  for (mark m = {0}; next_mark(&page, &m);)
    if (!strcmp(m.key, key)) return m.value;
  fail_msg("no bar %s", key);
  return 0;
}

/* Shares of peaks, worked out here once more from the machine's file. */
static void speeds_follow_the_machine(void **state) {
  const cJSON *r = *state;
  char *page = print(&r, 1);
  wf_gpu_config c;
  wf_error err;
  assert_true(wf_gpu_config_load(&c, "k20c", &err));
  const double cycles = at_path(r, "cycles")->valuedouble, ports = fmin(c.n_sm, c.mem.n_part),
               noc = cycles * c.mem.noc_mhz / c.mem.core_mhz * ports;
  assert_near(speed_of(page, "issue"),
              at_path(r, "sm.scheduler_cycles.issue")->valuedouble /
                  (cycles * c.n_sm * c.schedulers),
              1e-9);
  assert_near(speed_of(page, "reply"), at_path(r, "noc.reply_flits")->valuedouble / noc, 1e-9);
  assert_near(
      speed_of(page, "dram"),
      (at_path(r, "dram.read_bytes")->valuedouble + at_path(r, "dram.write_bytes")->valuedouble) /
          (1e3 * at_path(r, "cycles")->valuedouble / c.mem.core_mhz * c.mem.n_part *
           c.mem.dram_bus_bytes * c.mem.dram_beats_per_clock * c.mem.dram_mhz / 1e3),
      1e-3);
  for (const char *const *part =
           (const char *const[]){"issue", "l1", "request", "reply", "l2", "dram", NULL};
       *part; part++)
    assert_true(speed_of(page, *part) > 0 && speed_of(page, *part) <= 1);
  free(page);
}

static unsigned count_of(const char *text, const char *word) {
  unsigned n = 0;
  while ((text = strstr(text, word))) n++, text++;
  return n;
}

/* The script of the page is there for values over time alone, and nothing of a result is in it. */
static void texts_are_escaped(void **state) {
  const cJSON *results[2] = {*state, *state};
  for (size_t n = 1; n <= 2; n++) {
    char *page = print(results, n), *script = strstr(page, "<script>");
    assert_null(strstr(page, "a<b>"));
    assert_null(strstr(script, "a&lt;b"));
    assert_int_equal(count_of(page, "<script>"), 1);
    assert_int_equal(count_of(page, "<script "), count_of(page, "<figure class=\"series\""));
    assert_int_equal(count_of(page, "<script type=\"application/json\">{\"unit\":\"") + 1,
                     count_of(page, "</script>"));
    assert_int_equal(count_of(page, "</title>"), count_of(page, "<title"));
    assert_true(count_of(page, "a&lt;b&gt;&amp;&quot;&#39;&lt;/title&gt;") >= 4);
    free(page);
  }
}

static void nothing_is_fetched(void **state) {
  cJSON *result = cJSON_Duplicate(*state, true);
  const cJSON *results[1] = {result};
  for (unsigned scripts = 1; scripts <= 1; scripts--) {
    if (!scripts) cJSON_DeleteItemFromObject(result, "series");
    char *page = print(results, 1), *script = strstr(page, "<script>");
    assert_true(scripts ? script != NULL : !strstr(page, "<script"));
    for (const char *const *word =
             (const char *const[]){"fetch(", "XMLHttpRequest", "import(", "WebSocket", "sendBeacon",
                                   "eval(", " src=", "url(", "@import", "<link", "onload", NULL};
         *word; word++)
      if (strstr(page, *word)) fail_msg("the page has %s", *word);
    assert_int_equal(count_of(page, "://"), scripts); /* uPlot's own address, in a comment */
    if (script) *script = '\0';
    assert_null(strstr(page, "://"));
    free(page);
  }
  cJSON_Delete(result);
}

/* ---- values over time ---- */

/* The pictures' numbers as JSON, in order. */
static cJSON *next_picture(const char **at) {
  static const char begin[] = "<script type=\"application/json\">";
  const char *from = strstr(*at, begin);
  if (!from) return NULL;
  *at = strstr(from, "</script>");
  return cJSON_ParseWithLength(from + sizeof begin - 1, (size_t)(*at - from) - sizeof begin + 1);
}

static double series_at(const cJSON *result, const char *key, int i) {
  const cJSON *array = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "series"), key);
  return cJSON_GetArrayItem(array, i)->valuedouble;
}

/* What a line should be at a point, worked out here once more. */
static double value_of(const cJSON *r, const char *line, int i) {
  wf_gpu_config c;
  wf_error err;
  assert_true(wf_gpu_config_load(&c, "k20c", &err));
  const double cycles = series_at(r, "end", i) - (i ? series_at(r, "end", i - 1) : 0),
               seconds = cycles / (c.mem.core_mhz * 1e6);
  if (!strcmp(line, "occupancy"))
    return 100 * series_at(r, "occupied_warp_cycles", i) / (cycles * c.n_sm * c.warps_per_sm);
  if (!strcmp(line, "issue") || !strcmp(line, "memory"))
    return 100 * series_at(r, line, i) / (cycles * c.n_sm * c.schedulers);
  if (!strcmp(line, "l1")) return 100 * series_at(r, "l1_hits", i) / series_at(r, "l1_accesses", i);
  if (!strcmp(line, "l2")) return 100 * series_at(r, "l2_hits", i) / series_at(r, "l2_accesses", i);
  if (!strcmp(line, "dram")) return 1e-9 * series_at(r, "dram_bytes", i) / seconds;
  if (!strcmp(line, "crossbar"))
    return 1e-9 * c.mem.flit_bytes * series_at(r, "flits", i) / seconds;
  assert_string_equal(line, "watts");
  return series_at(r, "joules", i) / seconds;
}

/* The steps of a line in SVG are where its values belong. */
static void check_steps(const char *svg, const cJSON *line, const cJSON *picture) {
  char begin[80];
  const cJSON *value, *ends = cJSON_GetObjectItem(picture, "end"), *end = ends->child;
  const double last = cJSON_GetArrayItem(ends, cJSON_GetArraySize(ends) - 1)->valuedouble,
               top = cJSON_GetObjectItem(picture, "top")->valuedouble;
  snprintf(begin, sizeof begin, "data-line=\"%s\" d=\"",
           cJSON_GetObjectItem(line, "key")->valuestring);
  const char *d = strstr(svg, begin);
  assert_non_null(d);
  d += strlen(begin);
  cJSON_ArrayForEach(value, cJSON_GetObjectItem(line, "values")) {
    if (cJSON_IsNumber(value)) {
      double x, y;
      if (*d == 'M')
        assert_int_equal(sscanf(d, "M%*f %lfH%lf", &y, &x), 2);
      else
        assert_int_equal(sscanf(d, "V%lfH%lf", &y, &x), 2);
      d = strchr(d, 'H') + 1;
      d += strcspn(d, "VM\"");
      assert_near(x, 62 + 816 * end->valuedouble / last, 0.01);
      assert_near(y, 194 - 178 * value->valuedouble / top, 0.01);
    }
    end = end->next;
  }
  assert_int_equal(*d, '"'); /* and nothing more */
}

static void pictures_are_the_series(void **state) {
  const cJSON *r = *state, *line, *value;
  char *page = print(&r, 1);
  const char *at = page, *svg = page;
  unsigned lines = 0, pictures = 0, values = 0;
  for (cJSON *p; (p = next_picture(&at)); pictures++, svg = at, cJSON_Delete(p)) {
    const int n = cJSON_GetArraySize(cJSON_GetObjectItem(p, "end"));
    assert_true(n > POINTS / 3 && n <= POINTS);
    for (int i = 0; i < n; i++)
      assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(p, "end"), i)->valuedouble ==
                  series_at(r, "end", i));
    cJSON_ArrayForEach(line, cJSON_GetObjectItem(p, "lines")) {
      int i = 0;
      lines++;
      cJSON_ArrayForEach(value, cJSON_GetObjectItem(line, "values")) {
        const double is = value_of(r, cJSON_GetObjectItem(line, "key")->valuestring, i++);
        if (cJSON_IsNumber(value))
          assert_near(value->valuedouble, is, 1e-8 * fabs(is)), values++;
        else
          assert_false(isfinite(is));
      }
      assert_int_equal(i, n);
      check_steps(svg, line, p);
    }
  }
  assert_int_equal(pictures, 4);
  assert_int_equal(lines, 8);
  assert_true(values > lines * POINTS / 3);
  free(page);
}

/* Without values over time the page says how to get them. */
static void what_is_missing_is_told(void **state) {
  cJSON *r = cJSON_Duplicate(*state, true);
  cJSON_DeleteItemFromObject(r, "series");
  const cJSON *results[1] = {r};
  char *page = print(results, 1);
  assert_non_null(strstr(page, "<code>--set series.points=200</code> adds them"));
  assert_null(strstr(page, "<figure"));
  free(page);
  cJSON_Delete(r);
}

/* ---- for who hears the page ---- */

static const char *tag_end(const char *tag) {
  return strchr(tag, '>');
}
static bool tag_has(const char *tag, const char *what) {
  const char *at = strstr(tag, what);
  return at && at < tag_end(tag);
}

/* NULL, or what of the page has no name or no place. */
static const char *unnamed(const char *page) {
  unsigned level = 0;
  for (const char *t = page; (t = strchr(t, '<')); t++) {
    if (t[1] == 'h' && t[2] >= '1' && t[2] <= '6') { /* none is left out on the way down */
      const unsigned l = (unsigned)(t[2] - '0');
      if (l > level + 1) return "a heading two levels down";
      level = l;
    }
    if (!strncmp(t, "<table", 6) && strncmp(tag_end(t), "><caption>", 10)) return "a table";
    if (!strncmp(t, "<th", 3) && t[3] != 'e' && !tag_has(t, " scope=\"")) return "a heading cell";
    if (tag_has(t, " role=\"region\"") &&
        !(tag_has(t, " aria-label=\"") && tag_has(t, " tabindex=\"0\"")))
      return "a region that scrolls";
    if (!strncmp(t, "<svg", 4) && !tag_has(t, " aria-hidden=\"true\"") &&
        !(tag_has(t, " role=\"img\"") && !strncmp(tag_end(t), "><title", 7)))
      return "a picture";
    if (!strncmp(t, "<section", 8) && !tag_has(t, " aria-labelledby=\"")) return "a section";
    if (!strncmp(t, "<figure", 7) && !strstr(t, "<figcaption>")) return "a figure";
    if (!strncmp(t, "<nav", 4) && !tag_has(t, " aria-label=\"")) return "the navigation";
    if (!strncmp(t, "<script>", 8)) break; /* the rest is none of the page */
  }
  return level ? NULL : "the page";
}

/* Each id once, and each that is referred to there. */
static void check_ids(const char *page) {
  char id[96], mark[112];
  for (const char *at = page; (at = strstr(at, " id=\"")); at++) {
    assert_int_equal(sscanf(at, " id=\"%95[^\"]\"", id), 1);
    snprintf(mark, sizeof mark, " id=\"%s\"", id);
    if (count_of(page, mark) != 1) fail_msg("%s is there %u times", mark, count_of(page, mark));
  }
  for (const char *at = page; (at = strstr(at, "labelledby=\"")); at++) {
    assert_int_equal(sscanf(at, "labelledby=\"%95[^ \"]", id), 1);
    snprintf(mark, sizeof mark, " id=\"%s\"", id);
    if (!strstr(page, mark)) fail_msg("nothing has%s", mark);
  }
}

static void all_has_a_name(void **state) {
  const cJSON *results[2] = {*state, *state};
  for (size_t n = 1; n <= 2; n++) {
    char *page = print(results, n);
    const char *without = unnamed(page);
    if (without) fail_msg("%s has no name", without);
    check_ids(page);
    static const char *const cuts[] = {
        "<caption>", "<title", " scope=\"", " aria-label=\"", " aria-labelledby=\"", "<h1"};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) { /* the check can fail */
      char *broken = wf_strdup(strstr(page, "<body>"));
      strstr(broken, cuts[c])[1] = '!';
      if (!unnamed(broken)) fail_msg("without %s nothing is missed", cuts[c]);
      free(broken);
    }
    free(page);
  }
}

/* ---- others ---- */

/* Each link leads to a place of the page. */
static void links_lead_somewhere(void **state) {
  cJSON *bare = cJSON_Parse("{\"app\":\"x\",\"cycles\":1,\"sm\":{},\"kernels\":[],\"unit\":{}}");
  const cJSON *results[3] = {*state, *state, bare};
  for (size_t first = 0; first < 3; first++) {
    char *page = print(results + first, first ? 1 : 2), id[64], target[80];
    unsigned n = 0;
    for (const char *at = page; (at = strstr(at, "href=\"#")); at++, n++) {
      assert_int_equal(sscanf(at, "href=\"#%63[^\"]\"", id), 1);
      snprintf(target, sizeof target, "id=\"%s\"", id);
      if (!strstr(page, target)) fail_msg("nothing has %s", target);
    }
    assert_true(n >= 3);
    free(page);
  }
  cJSON_Delete(bare);
}

/* ---- a reference, and papers ---- */

static double mark_of(const char *page, const char *key, unsigned which) {
  for (mark m = {0}; next_mark(&page, &m);)
    if (!strcmp(m.key, key) && !which--) return m.value;
  fail_msg("no mark of %s", key);
  return 0;
}

static cJSON *scaled(const cJSON *result, double cycles, const char *graph) {
  cJSON *r = cJSON_Duplicate(result, true);
  cJSON_SetNumberValue(cJSON_GetObjectItem(r, "cycles"), cycles);
  cJSON_ReplaceItemInObject(r, "graph", cJSON_CreateString(graph));
  return r;
}

/* Three results; the reference has two of them, and names no machine. */
static void a_reference_is_found(void **state) {
  cJSON *results[3] = {scaled(*state, 1000, "a"), scaled(*state, 4000, "b"),
                       scaled(*state, 9000, "c")},
        *rows = cJSON_Parse("[{\"app\":\"join\",\"graph\":\"b\",\"cycles\":2000},{\"app\":\"join\","
                            "\"graph\":\"a\",\"cycles\":1000},{\"app\":\"bfs\",\"graph\":\"c\","
                            "\"cycles\":1},{\"app\":\"join\",\"graph\":\"c\",\"cycles\":1,"
                            "\"settings\":{\"l1.bytes\":\"1\"}}]");
  wf_facts *facts = read_facts((const cJSON *const *)results, 3), reference[4];
  wf_error err = {0};
  for (int i = 0; i < 4; i++)
    assert_true(wf_facts_read_reference(&reference[i], "x", cJSON_GetArrayItem(rows, i), &err));
  assert_false(wf_facts_read_reference(&reference[0], "x", cJSON_GetArrayItem(rows, 9), &err));
  assert_true(wf_facts_read_reference(&reference[0], "x", cJSON_GetArrayItem(rows, 0), &err));
  char *page = print_content(
      &(wf_page_content){.facts = facts, .n = 3, .reference = reference, .n_reference = 4});
  assert_non_null(strstr(page, "2 of 3 results have one to be compared with"));
  assert_true(mark_of(page, ":pairs", 0) == 2); /* of cycles; the reference has nothing else */
  assert_near(mark_of(page, ":pairs.ratio", 0), sqrt(2), 1e-9);
  assert_near(mark_of(page, ":pairs.error", 0), 50, 1e-9);
  assert_near(mark_of(page, ":pairs.correlation", 0), 1, 1e-9);
  assert_int_equal(count_of(page, "data-key=\":pairs\""), 1);
  /* The two dots: on the line, and one half of the axis from it. */
  const char *section = strstr(page, "id=\"r0-correlation\"");
  assert_int_equal(count_of(page, "href=\"#r0-correlation\""), 1);
  assert_int_equal(count_of(section, "<circle class=\"dot\""),
                   2 + count_of(strstr(section, "</section>"), "<circle class=\"dot\""));
  free(page);
  free(facts);
  /* Without one, results are paired with the first of their program and graph: here with none. */
  facts = read_facts((const cJSON *const *)results, 3);
  page = print_content(&(wf_page_content){.facts = facts, .n = 3});
  assert_null(strstr(page, "-correlation\""));
  free(page);
  free(facts);
  for (int i = 0; i < 3; i++) cJSON_Delete(results[i]);
  cJSON_Delete(rows);
}

static void papers_stand_beside(void **state) {
  cJSON *rows = cJSON_Parse(
      "[{\"figure\":\"figure 1\",\"quantity\":\"<q>\",\"paper\":1.5,\"ours\":1.25,\"unit\":\"x\","
      "\"direction\":true,\"close\":false,\"within\":true},"
      "{\"figure\":\"figure 1\",\"quantity\":\"r\",\"paper\":1.1,\"ours\":1.11,\"unit\":\"x\","
      "\"direction\":true,\"close\":true,\"within\":null},"
      "{\"figure\":\"figure 2\",\"quantity\":\"s\",\"paper\":0.9,\"ours\":1.2,\"unit\":\"x\","
      "\"direction\":false,\"close\":false,\"within\":false,\"why\":\"<why>\"},"
      "{\"figure\":\"figure 3\",\"quantity\":\"t\",\"paper\":null,\"ours\":3,\"unit\":\"%\","
      "\"direction\":null,\"close\":null,\"within\":true},7]");
  (void)state;
  const wf_figures figures = {"<unit>", rows};
  char *page = print_content(&(wf_page_content){.figures = &figures, .n_figures = 1});
  assert_non_null(strstr(page, "2 of 3 rows are in the paper&#39;s direction, 1 of 3 close to its "
                               "number, 2 of 3 within"));
  for (unsigned i = 0; i < 4; i++) {
    char key[32];
    const cJSON *row = cJSON_GetArrayItem(rows, (int)i);
    for (const char *const *k = (const char *const[]){"paper", "ours", NULL}; *k; k++) {
      const cJSON *v = cJSON_GetObjectItem(row, *k);
      snprintf(key, sizeof key, "%u.%s", i, *k);
      if (cJSON_IsNumber(v) && !has_mark(page, key, v->valuedouble)) fail_msg("no mark %s", key);
    }
  }
  assert_int_equal(count_of(page, "<circle"), 3);
  assert_int_equal(count_of(page, "<circle class=\"dot far\""), 2);
  assert_null(strstr(page, "<q>"));
  assert_null(strstr(page, "<why>"));
  assert_null(strstr(page, "<unit>"));
  assert_null(unnamed(page));
  check_ids(page);
  free(page);
  cJSON_Delete(rows);
}

static void results_are_compared(void **state) {
  cJSON *other = make_result("1200", 0);
  const cJSON *results[2] = {*state, other};
  char *page = print(results, 2);
  assert_true(right_marks(page, results) > 80);
  assert_true(
      has_mark(page, ":ratio",
               at_path(other, "cycles")->valuedouble / at_path(*state, "cycles")->valuedouble));
  assert_int_equal(count_of(page, "<article"), 2);
  free(page);
  cJSON_Delete(other);
}

static bool finds(const cJSON *result, const char *id) {
  wf_facts facts;
  wf_finding found[WF_FINDINGS_MAX];
  wf_error err;
  assert_true(wf_facts_read(&facts, "x", result, NULL, &err));
  const unsigned n = wf_findings(&facts, found);
  for (unsigned i = 0; i < n; i++)
    if (!strcmp(found[i].id, id)) return *found[i].head && *found[i].text && *found[i].advice;
  return false;
}

static void put(cJSON *result, const char *path, double value) {
  cJSON_SetNumberValue((cJSON *)at_path(result, path), value);
}

/* Each rule on both sides of where it begins. */
static void findings_follow_their_rules(void **state) {
  static const struct {
    const char *id, *path, *of; /* of: the value is a share of this; NULL: of 1 */
    double with, without;
  } rules[] = {{"bound", "dram.busy_cycles", "dram.cycles", 0.61, 0.1},
               {"latency", "dram.busy_cycles", "dram.cycles", 0.1, 0.61},
               {"divergence", "sm.lanes_per_instruction", NULL, 20, 25},
               {"occupancy", "sm.occupancy", NULL, 0.49, 0.51},
               {"l1", "l1.hit_rate", NULL, 0.49, 0.51},
               {"static", "energy_joules.static", "energy_joules.total", 0.61, 0.59}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    cJSON *r = cJSON_Duplicate(*state, true);
    put(r, "sm.scheduler_cycles.issue", 0);
    const double of = rules[i].of ? at_path(r, rules[i].of)->valuedouble : 1;
    put(r, rules[i].path, rules[i].with * of);
    if (!finds(r, rules[i].id)) fail_msg("%s is not found", rules[i].id);
    put(r, rules[i].path, rules[i].without * of);
    if (finds(r, rules[i].id)) fail_msg("%s is found without cause", rules[i].id);
    cJSON_Delete(r);
  }
}

static void stalls_are_found(void **state) {
  cJSON *r = cJSON_Duplicate(*state, true), *c,
        *all = cJSON_GetObjectItem(cJSON_GetObjectItem(r, "sm"), "scheduler_cycles");
  cJSON_ArrayForEach(c, all) {
    cJSON *other;
    cJSON_ArrayForEach(other, all) {
      const double share = other == c ? 100 : 0;
      cJSON_SetNumberValue(other, share);
    };
    if (strcmp(c->string, "issue") && !finds(r, c->string)) fail_msg("%s", c->string);
  }
  cJSON_Delete(r);
  r = cJSON_Duplicate(*state, true);
  assert_false(finds(r, "wrong"));
  cJSON_ReplaceItemInObject(r, "verified", cJSON_CreateFalse());
  assert_true(finds(r, "wrong"));
  cJSON_Delete(r);
}

static void others_are_refused(void **state) {
  wf_facts facts;
  (void)state;
  for (const char *const *text = (const char *const[]){"{}", "{\"app\":\"x\",\"cycles\":1}",
                                                       "{\"app\":\"x\",\"cycles\":\"1\",\"sm\":{}}",
                                                       "{\"app\":1,\"cycles\":1,\"sm\":{}}", NULL};
       *text; text++) {
    wf_error err = {0};
    cJSON *json = cJSON_Parse(*text);
    assert_false(wf_facts_read(&facts, "x.json", json, NULL, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    assert_non_null(strstr(err.text, "x.json: "));
    cJSON_Delete(json);
  }
}

/* A machine that is not there any more leaves a page with what needs none. */
static void unknown_machines_are_told(void **state) {
  cJSON *r = cJSON_Duplicate(*state, true);
  cJSON_ReplaceItemInObject(r, "config", cJSON_CreateString("gone.ini"));
  const cJSON *results[1] = {r};
  char *page = print(results, 1);
  assert_non_null(strstr(page, "The machine is not known"));
  assert_true(right_marks(page, results) > 40);
  assert_null(strstr(page, "nan"));
  free(page);
  cJSON_Delete(r);
}

/* A page of little is a page. */
static void little_is_enough(void **state) {
  const cJSON *r = cJSON_Parse("{\"app\":\"x\",\"cycles\":0,\"sm\":{},\"kernels\":[1,{}],"
                               "\"units\":[1,\"none\"],\"settings\":{\"a\":1},\"loads\":[{}]}");
  (void)state;
  char *page = print(&r, 1);
  assert_non_null(strstr(page, "</html>"));
  assert_null(strstr(page, "nan"));
  free(page);
  cJSON_Delete((cJSON *)r);
}

/* A result with each of its items in turn something else is refused, or has a page. */
static unsigned try_others(const cJSON *whole, cJSON *at, FILE *nowhere) {
  unsigned tried = 0;
  wf_error err;
  for (cJSON *item = at->child; item; item = item->next) {
    const cJSON kept = *item;
    static const int types[] = {cJSON_NULL, cJSON_Array, cJSON_Object, cJSON_Number, cJSON_String};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++, tried++) {
      item->type = types[t];
      item->child = NULL;
      item->valuestring = (char[]){"<x>"};
      item->valuedouble = -1e300;
      wf_facts facts;
      if (wf_facts_read(&facts, "x", whole, NULL, &err))
        wf_page_print(nowhere, &(wf_page_content){.facts = &facts, .n = 1});
      item->type = kept.type;
      item->child = kept.child;
      item->valuestring = kept.valuestring;
      item->valuedouble = kept.valuedouble;
    }
    if (item->child) tried += try_others(whole, item, nowhere);
  }
  return tried;
}

/* SMs at a lower voltage have their table; others have none. */
static void states_of_sms_are_shown(void **state) {
  const cJSON *results[2] = {*state, NULL};
  char *page = print(results, 1);
  assert_null(strstr(page, "SMs by P-state"));
  free(page);
  cJSON *slow = make_result("600", 353);
  results[0] = slow;
  page = print(results, 1);
  assert_non_null(strstr(page, "SMs by P-state"));
  assert_true(right_marks(page, results) > 40 + 13 * 15); /* k20c: 13 SMs, three states */
  const cJSON *sm = at_path(slow, "energy_joules.low.sms.12.low.leakage");
  assert_true(sm && sm->valuedouble > 0 &&
              has_mark(page, "energy_joules.low.sms.12.low.leakage", sm->valuedouble));
  free(page);
  cJSON_Delete(slow);
}

static void anything_has_a_page(void **state) {
  cJSON *r = cJSON_Duplicate(*state, true);
  FILE *nowhere = fopen("/dev/null", "w");
  assert_true(try_others(r, r, nowhere) > 500);
  fclose(nowhere);
  cJSON_Delete(r);
}

static int set_up(void **state) {
  *state = make_result("600", 0);
  return 0;
}
static int tear_down(void **state) {
  cJSON_Delete(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(marks_are_the_results_numbers),
                                     cmocka_unit_test(bars_add_up),
                                     cmocka_unit_test(speeds_follow_the_machine),
                                     cmocka_unit_test(texts_are_escaped),
                                     cmocka_unit_test(nothing_is_fetched),
                                     cmocka_unit_test(pictures_are_the_series),
                                     cmocka_unit_test(what_is_missing_is_told),
                                     cmocka_unit_test(all_has_a_name),
                                     cmocka_unit_test(a_reference_is_found),
                                     cmocka_unit_test(papers_stand_beside),
                                     cmocka_unit_test(links_lead_somewhere),
                                     cmocka_unit_test(results_are_compared),
                                     cmocka_unit_test(findings_follow_their_rules),
                                     cmocka_unit_test(stalls_are_found),
                                     cmocka_unit_test(others_are_refused),
                                     cmocka_unit_test(unknown_machines_are_told),
                                     cmocka_unit_test(little_is_enough),
                                     cmocka_unit_test(states_of_sms_are_shown),
                                     cmocka_unit_test(anything_has_a_page)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
