/* Word count as in Mars: a thread per line finds its words, then words are grouped and counted. */
#include "sim/apps/cache/mapreduce.h"

typedef struct settings {
  uint32_t bytes, line;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, bytes, 2, 1 << 28, 1572864, "bytes of text"),
    WF_APP_NUMBER(settings, line, 4, 8192, 64, "mean bytes of a line, one per thread"),
    {0}};

enum { VOCABULARY = 20000 };

/* A few words are frequent, most are rare: the cube of a uniform number. */
static uint32_t word(wf_rng *rng, char *to, uint32_t room) {
  double u = wf_rng_unit(rng);
  return wf_text_spell((uint32_t)(VOCABULARY * u * u * u), to, room);
}

static uint32_t find_words(const wf_text *text, wf_span line, wf_span *found) {
  uint32_t n = 0, start = line.start, end = line.start + line.size;
  for (uint32_t at = line.start; at <= end; at++) {
    if (at < end && text->bytes[at] != ' ') continue;
    if (at > start) {
      if (found) found[n] = (wf_span){start, at - start};
      n++;
    }
    start = at + 1;
  }
  return n;
}

static bool wc(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  wf_text text = wf_text_make(host, run->seed, s.bytes, s.line, word);
  return wf_mapreduce(run, host, "wc", &text, find_words, err);
}

WF_SUITE_APP(wc, "word count: threads scan lines of text, as in Mars", options, false, wc);
