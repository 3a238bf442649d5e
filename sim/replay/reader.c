/* Lines of a replay file, plain or compressed, its checksum and its end record. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/reader_internal.h"

int wf_reader_fail(wf_reader *r, wf_error *err, const char *format, ...) {
  char text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%" PRIu64 ": %s", r->path, r->source.line, text);
  return -1;
}

static void copy_line(wf_reader *r, size_t n) {
  if (n + 1 > r->line_bytes) r->line = wf_realloc(r->line, r->line_bytes = 2 * n + 64, 1);
  memcpy(r->line, r->source.cur, n);
  r->line[n] = '\0';
}

static bool is_end(const char *line) {
  return strncmp(line, "end", 3) == 0 && strcspn(line, " \t\r") == 3;
}

int wf_reader_take_line(wf_reader *r, wf_error *err) {
  r->source.err = err;
  for (;;) {
    if (r->source.cur == r->source.end && !wf_source_more(&r->source))
      return r->source.failed ? -1 : 0;
    const char *end = memchr(r->source.cur, '\n', (size_t)(r->source.end - r->source.cur));
    size_t n = (size_t)(end - r->source.cur);
    r->crc_before = r->crc;
    r->crc = crc32(r->crc, (const unsigned char *)r->source.cur, (unsigned)(n + 1));
    copy_line(r, n);
    r->source.cur = end + 1;
    r->source.line++;
    if (memchr(r->line, '\0', n))
      return wf_reader_fail(r, err, "a zero byte: this is no replay file");
    char *text = r->line + strspn(r->line, " \t\r");
    if (*text && *text != '#') return 1;
  }
}

int wf_reader_end(wf_reader *r, uint64_t edges, wf_error *err) {
  uint64_t told;
  unsigned long crc = 0;
  int used = 0;
  int n = sscanf(r->line, "end %" SCNu64 " crc32 %8lx %n", &told, &crc, &used);
  if (n == 1) sscanf(r->line, "end %" SCNu64 " %n", &told, &used);
  bool bare = n < 1 && strcmp(r->line, "end") == 0;
  if (!bare && (n < 1 || !used || r->line[used]))
    return wf_reader_fail(r, err, "'%.60s': expected end [EDGES [crc32 HEX]]", r->line);
  if (n == 2 && crc != r->crc_before)
    return wf_reader_fail(r, err,
                          "the checksum is %08lx, the text's is %08lx: the file is damaged; "
                          "record it again (a file edited by hand ends with `end' alone)",
                          crc, r->crc_before);
  if (n >= 1 && told != edges)
    return wf_reader_fail(r, err, "the end record tells %" PRIu64 " edges, the file has %" PRIu64,
                          told, edges);
  r->ended = true;
  int more = wf_reader_take_line(r, err);
  return more <= 0 ? more : wf_reader_fail(r, err, "text behind the end record");
}

static wf_reader *start(const char *path) {
  wf_reader *r = wf_calloc(1, sizeof *r);
  r->path = wf_strdup(path);
  r->crc = crc32(0, NULL, 0);
  return r;
}

static wf_reader *opened(wf_reader *r, bool ok, wf_error *err) {
  if (ok && wf_reader_read_header(r, err)) return r;
  wf_reader_close(r);
  return NULL;
}

/* The line source speaks of graphs where there is nothing to read. */
static bool check_there(const char *path, wf_error *err) {
  FILE *f = fopen(path, "rb");
  int first = f ? getc(f) : 0;
  bool broken = !f || ferror(f);
  if (broken)
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: cannot be read: %s; expected a file of `warpfab run --record'", path,
            strerror(errno));
  else if (first == EOF)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the file is empty", path);
  if (f) fclose(f);
  return !broken && first != EOF;
}

/* A damaged file must not look like a unit that differs: its checksum comes first. */
static bool check_sum(wf_reader *r, wf_error *err) {
  int got;
  while ((got = wf_reader_take_line(r, err)) == 1) {
    unsigned long crc;
    if (!is_end(r->line)) continue;
    if (sscanf(r->line, "end %*u crc32 %8lx", &crc) == 1 && crc != r->crc_before)
      wf_reader_fail(
          r, err,
          "the checksum is %08lx, the text's is %08lx: the file is damaged; record it again "
          "(a file edited by hand ends with `end' alone)",
          crc, r->crc_before);
    else if ((got = wf_reader_take_line(r, err)) == 1)
      wf_reader_fail(r, err, "text behind the end record");
    else
      return got == 0;
    return false;
  }
  if (!got)
    wf_reader_fail(r, err, "no end record: the file is truncated, or a last line `end' is missing");
  return false;
}

bool wf_replay_check_file(const char *path, wf_error *err) {
  if (!check_there(path, err)) return false;
  wf_reader *r = start(path);
  bool ok = wf_source_open(&r->source, r->path, NULL, err) && check_sum(r, err);
  wf_reader_close(r);
  return ok;
}

wf_reader *wf_reader_open(const char *path, wf_error *err) {
  if (!check_there(path, err)) return NULL;
  wf_reader *r = start(path);
  return opened(r, wf_source_open(&r->source, r->path, NULL, err), err);
}

wf_reader *wf_reader_open_memory(const char *name, const void *data, size_t bytes, wf_error *err) {
  wf_reader *r = start(name);
  return opened(r, wf_source_open_memory(&r->source, r->path, data, bytes, err), err);
}

const wf_replay_header *wf_reader_header(const wf_reader *r) {
  return &r->header;
}
const char *wf_reader_path(const wf_reader *r) {
  return r->path;
}
uint64_t wf_reader_line_number(const wf_reader *r) {
  return r->source.line;
}

int wf_reader_line(wf_reader *r, char **line, wf_error *err) {
  int got = r->ended ? 0 : wf_reader_take_line(r, err);
  if (got < 0 || r->ended) return got;
  if (!got)
    return wf_reader_fail(r, err,
                          "no end record: the file is truncated, or a last line `end' is missing");
  if (is_end(r->line)) return wf_reader_end(r, 0, err);
  *line = r->line;
  return 1;
}

void wf_reader_close(wf_reader *r) {
  if (!r) return;
  wf_source_close(&r->source);
  wf_replay_header_free(&r->header);
  free(r->frame.in);
  free(r->frame.out);
  free(r->frame.care);
  free(r->line);
  free(r->path);
  free(r);
}
