/* Regular expression over a collection of texts, in the forms of launch_app.h. The expression is
 * a(b|c)*d(a|d)*: its matches end on the texts' letters, which are drawn so that many positions
 * start one and some go on for long. */
#include <string.h>

#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128, STATES = 3, SYMBOLS = 256, DEAD = 255, ACCEPTS = 128 };

static const char *const kinds[] = {"packets", "strings"};
typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t texts, kind;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, texts, 1, 1 << 20, 8192, "how many"),
    WF_APP_CHOICE(settings, kind, kinds, 0,
                  "packets (40..100 bytes, a quarter up to 1460), or strings (8..128 bytes)"),
    WF_LAUNCH_OPTIONS,
    {0}};

static void make_table(uint8_t table[STATES * SYMBOLS]) {
  memset(table, DEAD, STATES * SYMBOLS);
  table['a'] = 1;
  table[SYMBOLS + 'b'] = table[SYMBOLS + 'c'] = 1;
  table[SYMBOLS + 'd'] = 2 | ACCEPTS;
  table[2 * SYMBOLS + 'a'] = table[2 * SYMBOLS + 'd'] = 2 | ACCEPTS;
}

static uint32_t draw_size(wf_rng *rng, bool strings) {
  if (strings) return 8 + (uint32_t)wf_rng_below(rng, 121);
  return wf_rng_below(rng, 4) ? 40 + (uint32_t)wf_rng_below(rng, 61)
                              : 100 + (uint32_t)wf_rng_below(rng, 1361);
}

/* Letters in runs: of b and c, of a and d, of others. */
static void draw_text(wf_rng *rng, uint8_t *to, uint32_t size) {
  static const char *const runs[] = {"bc", "ad", "aebcd", "abcdefgh"};
  for (uint32_t i = 0; i < size;) {
    const char *letters = runs[wf_rng_below(rng, 4)];
    for (uint64_t left = 1 + wf_rng_below(rng, 24); left && i < size; left--)
      to[i++] = (uint8_t)letters[wf_rng_below(rng, strlen(letters))];
  }
}

/* By the definition, without a table. */
static uint32_t reference_match(const uint8_t *text, uint32_t size) {
  uint32_t i = 1;
  if (text[0] != 'a') return 0;
  while (i < size && (text[i] == 'b' || text[i] == 'c')) i++;
  if (i == size || text[i++] != 'd') return 0;
  while (i < size && (text[i] == 'a' || text[i] == 'd')) i++;
  return i;
}

static bool regx(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.texts;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  uint32_t *start = wf_suite_array(host, n + 1ull, 4), *count = wf_suite_array(host, n, 4),
           *longest = wf_suite_array(host, n, 4);
  for (uint32_t i = 0; i < n; i++) start[i + 1] = start[i] + draw_size(&rng, s.kind);
  uint8_t *bytes = wf_suite_array(host, start[n], 1), table[STATES * SYMBOLS];
  for (uint32_t i = 0; i < n; i++) draw_text(&rng, bytes + start[i], start[i + 1] - start[i]);
  make_table(table);
  wf_gpu *gpu = run->gpu;
  uint64_t d_bytes, d_start, d_table, d_count, d_longest;
  if (!(d_bytes = wf_app_upload(gpu, bytes, start[n], "texts", err)) ||
      !(d_start = wf_app_upload(gpu, start, (n + 1ull) * 4, "start", err)) ||
      !(d_table = wf_app_upload(gpu, table, sizeof table, "table", err)) ||
      !(d_count = wf_app_reserve(gpu, 0, n * 4ull, "count", err)) ||
      !(d_longest = wf_app_reserve(gpu, 0, n * 4ull, "longest", err)) ||
      !wf_launch_open(run, &s.form, n, start[n], err) ||
      !WF_LAUNCH_IN_FORM(run, &s.form, "regx_match", wf_suite_line(n, BLOCK), err, &d_bytes,
                         &d_start, &n, &d_table, &d_count, &d_longest, &s.form.block))
    return false;
  double matches = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t at = start[i]; at < start[i + 1]; at++) {
      const uint32_t length = reference_match(bytes + at, start[i + 1] - at);
      count[i] += length != 0;
      if (length > longest[i]) longest[i] = length;
    }
    matches += count[i];
  }
  wf_app_report(run, "bytes", start[n]);
  wf_app_report(run, "matches", matches);
  return wf_suite_check_u32(run, host, "matches of text", d_count, count, n, NULL, err) &&
         wf_suite_check_u32(run, host, "longest match of text", d_longest, longest, n, NULL, err);
}

WF_SUITE_APP(regx, "regular expression whose threads may launch a text's positions", options, false,
             regx);
