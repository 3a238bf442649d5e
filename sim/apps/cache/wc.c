/* Word count as in Mars: a thread per line finds its words, then words are grouped and counted. */
#include "sim/apps/cache/mapreduce.h"

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
  wf_text text;
  return wf_text_make(run, host, word, &text, err) &&
         wf_mapreduce(run, host, "wc", &text, find_words, err);
}

WF_SUITE_APP(wc, "word count: threads scan lines of text, as in Mars", wf_text_options, false, wc);
