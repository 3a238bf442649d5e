/* Input of text files: plain, gzip, xz or Zstandard by their magic bytes, in chunks of whole lines.
 *
 * A reader loops:  while (wf_source_more(s)) { take lines from s->cur up to s->end; }
 * s->cur .. s->end always holds whole lines, the last byte before s->end being '\n' (added if the
 * file lacks it), so scanning a number needs no bounds check. */
#ifndef WF_GRAPH_SOURCE_H
#define WF_GRAPH_SOURCE_H

#include "sim/graph/graph.h"

typedef struct wf_stream wf_stream;

typedef struct wf_source {
  const char *path;      /* for messages; belongs to the caller */
  const char *expected;  /* what the file should be, for messages; belongs to the caller */
  const char *cur, *end; /* lines not yet taken; the reader advances cur */
  uint64_t line;         /* number of the line the reader is at; the reader counts */
  bool failed;           /* an error was reported: *err is filled in */
  wf_error *err;
  char *buffer;
  size_t filled; /* bytes in buffer, including those after the last whole line */
  bool at_end;   /* the stream has no more */
  wf_stream *stream;
  wf_graph_progress *progress;
  void *progress_user;
  uint64_t bytes_taken, bytes_total; /* of the file as stored */
} wf_source;

/* False and *err when the file cannot be opened or is compressed in a way not known. `options` may
 * be NULL. */
bool wf_source_open(wf_source *s, const char *path, const wf_graph_options *options, wf_error *err);
/* The same for another kind of file; expected: what it should be, for messages. */
bool wf_source_open_as(wf_source *s, const char *path, const char *expected, wf_error *err);
/* The same over bytes in memory, which must outlive the source. */
bool wf_source_open_memory(wf_source *s, const char *name, const void *data, size_t bytes,
                           wf_error *err);
void wf_source_close(wf_source *s);

/* The first bytes of the content, unpacked, without taking them; at most *bytes, shorter for short
 * files. NULL on error. */
const char *wf_source_peek(wf_source *s, size_t *bytes);

/* Takes n of the bytes that were peeked at. */
void wf_source_drop(wf_source *s, size_t n);

/* True if there are lines in cur .. end, after reading on if needed. False at the end of the file
 * or on error (s->failed). */
bool wf_source_more(wf_source *s);

/* Reads up to n bytes of binary content; less only at the end. False on error. Do not mix with
 * wf_source_more. */
bool wf_source_read(wf_source *s, void *to, size_t n, size_t *got);

/* Reports "path:line: message" with code 2; marks the source failed; returns false. */
bool wf_source_fail(wf_source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
