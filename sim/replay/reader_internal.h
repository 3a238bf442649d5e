/* Parts of the reader: header and body share one line source. */
#ifndef WF_READER_INTERNAL_H
#define WF_READER_INTERNAL_H

#include "sim/graph/source.h"
#include "sim/replay/wf_replay.h"

struct wf_reader {
  wf_source source;
  char *path;
  wf_replay_header header;
  const wf_layout *layout;
  wf_frame frame;
  uint64_t repeat; /* further edges like the last */
  char *line;      /* the line at hand, ended by zero */
  size_t line_bytes;
  unsigned long crc, crc_before; /* of the lines so far; without the last one */
  bool ended;
};

/* The next line that is not empty or a comment: 1, 0 at the end of the file, -1 on error. */
int wf_reader_take_line(wf_reader *r, wf_error *err);
/* "path:line: ..." with code 2; returns -1. */
int wf_reader_fail(wf_reader *r, wf_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The end record at hand is right and nothing follows: 0, or -1. */
int wf_reader_end(wf_reader *r, uint64_t edges, wf_error *err);
bool wf_reader_read_header(wf_reader *r, wf_error *err);

#endif
