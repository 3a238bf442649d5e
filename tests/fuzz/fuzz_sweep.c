/* Any bytes as the file of a sweep: must give an error or a sound sweep, whose points have words.
 * Run by `make fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/sweep.h"

static void require(bool condition) {
  if (!condition) abort();
}

static void use_point(const wf_sweep *s, uint64_t point) {
  char **words;
  const size_t n = wf_sweep_words(s, point, &words);
  char *text = wf_identity_text(words, n);
  require(!n || *text);
  free(text);
  wf_identity_words_free(words, n);
}

static void use(const wf_sweep *s) {
  const uint64_t all = wf_sweep_points(s);
  size_t n;
  require(all >= 1 && all <= 1000000000 && *wf_sweep_store(s));
  uint64_t *some = wf_sweep_some(s, 64, &n);
  require(n >= 1);
  for (size_t i = 0; i < n; i++) {
    require(some[i] < all);
    if (i < 64) use_point(s, some[i]);
  }
  use_point(s, all - 1);
  free(some);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  wf_error err = {0};
  wf_sweep *s = wf_sweep_read_text("fuzz.ini", (const char *)data, bytes, &err);
  require((s != NULL) == (err.code == 0));
  require(s || (err.code == WF_EXIT_BAD_INPUT && err.text[0]));
  if (s) use(s);
  wf_sweep_destroy(s);
  return 0;
}
