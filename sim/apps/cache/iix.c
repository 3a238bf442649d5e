/* Inverted index as in Mars: a thread per line of HTML finds its links, then links are grouped. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/cache/mapreduce.h"

enum { VOCABULARY = 20000, PAGES = 30000, LINK_ONE_IN = 12 };

/* Mostly words; now and then a link, cut off where the line ends. */
static uint32_t word(wf_rng *rng, char *to, uint32_t room) {
  double u = wf_rng_unit(rng);
  if (wf_rng_below(rng, LINK_ONE_IN))
    return wf_text_spell((uint32_t)(VOCABULARY * u * u * u), to, room);
  char link[96];
  uint32_t page = (uint32_t)(PAGES * u * u);
  int size = snprintf(link, sizeof link, "<a href=\"http://www%u.org/%u.html\">", page % 97, page);
  if ((uint32_t)size > room) size = (int)room;
  memcpy(to, link, (size_t)size);
  return (uint32_t)size;
}

static uint32_t find_links(const wf_text *text, wf_span line, wf_span *found) {
  static const char open[] = "a href=\"";
  const uint32_t open_size = sizeof open - 1;
  uint32_t n = 0, end = line.start + line.size, at = line.start;
  while (at + open_size <= end) {
    if (memcmp(text->bytes + at, open, open_size) != 0) {
      at++;
      continue;
    }
    uint32_t start = at + open_size;
    const char *quote = memchr(text->bytes + start, '"', end - start);
    if (!quote) break;
    at = (uint32_t)(quote - text->bytes);
    if (found) found[n] = (wf_span){start, at - start};
    n++;
    at++;
  }
  return n;
}

static bool iix(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  wf_text text;
  return wf_text_make(run, host, word, &text, err) &&
         wf_mapreduce(run, host, "iix", &text, find_links, err);
}

WF_SUITE_APP(iix, "inverted index: threads scan lines of HTML for links, as in Mars",
             wf_text_options, false, iix);
