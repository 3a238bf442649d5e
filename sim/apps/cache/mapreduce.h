/* Map over the lines of a text and group by key, as Mars does: what wc and iix share. */
#ifndef WF_APP_MAPREDUCE_H
#define WF_APP_MAPREDUCE_H

#include "sim/apps/cache/suite.h"

/* A piece of the text: a line, or a key found in one. */
typedef struct wf_span {
  uint32_t start, size; /* bytes */
} wf_span;

typedef struct wf_text {
  char *bytes;    /* ends with a newline */
  wf_span *lines; /* without their newlines */
  uint32_t n_bytes, n_lines;
  uint32_t form;
} wf_text;

/* Appends one word (or whatever a line is made of) to `to`, at most `room` bytes; returns its size.
 */
typedef uint32_t (*wf_text_word)(wf_rng *rng, char *to, uint32_t room);
extern const wf_parameter wf_text_options[];
/* As the options say: lines of half to 3/2 of the mean, made of words with a space between. */
bool wf_text_make(const wf_app_run *run, wf_suite_host *host, wf_text_word word, wf_text *t,
                  wf_error *err);
/* A word of lower-case letters, the same for the same number; at least 2, at most 12 bytes. */
uint32_t wf_text_spell(uint32_t number, char *to, uint32_t room);

/* Keys of one line; found may be NULL to count only. */
typedef uint32_t (*wf_find_keys)(const wf_text *text, wf_span line, wf_span *found);

/* Runs NAME_count and NAME_map (a thread per line) and NAME_group (a thread per key found), or
 * NAME_set_marks and then their other forms, and compares with `find`: keys per line,
 * each key, how often its text occurs, distinct keys. Reports keys and distinct. */
bool wf_mapreduce(wf_app_run *run, wf_suite_host *host, const char *name, const wf_text *text,
                  wf_find_keys find, wf_error *err);

#endif
