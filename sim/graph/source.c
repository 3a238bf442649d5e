#include "sim/graph/source.h"

#include <errno.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "sim/base/wf_alloc.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define BUFFER_BYTES 512u /* small inputs cross its borders too */
#else
#define BUFFER_BYTES (1024u * 1024u) /* unpacked; also the longest line */
#endif
#define STORED_BYTES (256u * 1024u) /* read from the file at once */

typedef enum packing { PLAIN, GZIP, ZSTANDARD, XZ } packing;

#define XZ_MEMORY_BYTES (128u << 20) /* the decoder's; xz -9 needs 65 MB */

struct wf_stream {
  packing kind;
  FILE *file; /* NULL: all bytes are in `stored` from the start */
  unsigned char *own;
  const unsigned char *stored; /* stored bytes not yet unpacked: stored[at .. have-1] */
  size_t at, have;
  bool file_done;
  z_stream gz;
  bool gz_ready, inside; /* inside a gzip member, Zstandard frame or xz stream that has not ended */
  ZSTD_DStream *zst;
  lzma_stream xz;
  bool xz_ready;
};

/* ---- errors ---- */

bool wf_source_fail(wf_source *s, const char *format, ...) {
  char text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  s->failed = true;
  if (s->line)
    return wf_fail(s->err, WF_EXIT_BAD_INPUT, "%s:%llu: %s", s->path, (unsigned long long)s->line,
                   text);
  return wf_fail(s->err, WF_EXIT_BAD_INPUT, "%s: %s", s->path, text);
}

static bool truncated(wf_source *s, const char *kind) {
  return wf_source_fail(s, "the %s data end early: the file is truncated; fetch or write it again",
                        kind);
}

/* ---- stored bytes ---- */

/* Makes stored[at .. have-1] non-empty, or sets file_done. */
static bool refill(wf_source *s) {
  wf_stream *t = s->stream;
  if (t->at < t->have || t->file_done) return true;
  if (!t->file) {
    t->file_done = true;
    return true;
  }
  errno = 0;
  t->at = 0;
  t->have = fread(t->own, 1, STORED_BYTES, t->file);
  if (t->have == 0) {
    t->file_done = true;
    if (ferror(t->file)) return wf_source_fail(s, "cannot read: %s", strerror(errno));
  }
  s->bytes_taken += t->have;
  if (s->progress) s->progress(s->progress_user, "reading", s->bytes_taken, s->bytes_total);
  return true;
}

/* ---- unpacking: each adds to to[0..n-1], *got says how much; 0 only at the end ---- */

static bool unpack_plain(wf_source *s, char *to, size_t n, size_t *got) {
  wf_stream *t = s->stream;
  size_t take = t->have - t->at < n ? t->have - t->at : n;
  if (take) memcpy(to, t->stored + t->at, take);
  t->at += take;
  *got = take;
  return true;
}

static bool unpack_gzip(wf_source *s, char *to, size_t n, size_t *got) {
  wf_stream *t = s->stream;
  if (t->at == t->have) return t->inside ? truncated(s, "gzip") : true;
  if (!t->inside) { /* a gzip file is one or several members */
    if ((t->gz_ready ? inflateReset(&t->gz) : inflateInit2(&t->gz, 15 + 16)) != Z_OK)
      return wf_source_fail(s, "zlib cannot start");
    t->gz_ready = t->inside = true;
  }
  t->gz.next_in = (unsigned char *)(uintptr_t)(t->stored + t->at);
  t->gz.avail_in = (unsigned)(t->have - t->at);
  t->gz.next_out = (unsigned char *)to;
  t->gz.avail_out = (unsigned)n;
  int status = inflate(&t->gz, Z_NO_FLUSH);
  t->at = t->have - t->gz.avail_in;
  *got = n - t->gz.avail_out;
  if (status == Z_STREAM_END) t->inside = false;
  if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) return true;
  return wf_source_fail(s, "the gzip data are damaged (%s); fetch or write the file again",
                        t->gz.msg ? t->gz.msg : "no detail");
}

static bool unpack_zstandard(wf_source *s, char *to, size_t n, size_t *got) {
  wf_stream *t = s->stream;
  if (!t->zst) {
    t->zst = ZSTD_createDStream();
    if (!t->zst) return wf_source_fail(s, "Zstandard cannot start");
  }
  ZSTD_inBuffer in = {t->stored, t->have, t->at};
  ZSTD_outBuffer out = {to, n, 0};
  bool no_input = in.pos == in.size;
  if (no_input && !t->inside) return true;
  size_t status = ZSTD_decompressStream(t->zst, &out, &in);
  t->at = in.pos;
  *got = out.pos;
  if (ZSTD_isError(status))
    return wf_source_fail(s, "the Zstandard data are damaged (%s); fetch or write the file again",
                          ZSTD_getErrorName(status));
  t->inside = status != 0;
  if (no_input && out.pos == 0 && t->inside) return truncated(s, "Zstandard");
  return true;
}

static const char *xz_problem(lzma_ret status) {
  switch (status) {
  case LZMA_MEMLIMIT_ERROR:
    return "needs more memory than 128 MB";
  case LZMA_OPTIONS_ERROR:
    return "written with options that liblzma does not know";
  case LZMA_FORMAT_ERROR:
    return "not in the .xz format";
  case LZMA_MEM_ERROR:
    return "the host's memory is full";
  default:
    return "checksum or structure wrong";
  }
}

static bool unpack_xz(wf_source *s, char *to, size_t n, size_t *got) {
  wf_stream *t = s->stream;
  if (!t->xz_ready) {
    t->xz = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&t->xz, XZ_MEMORY_BYTES, LZMA_CONCATENATED) != LZMA_OK)
      return wf_source_fail(s, "liblzma cannot start");
    t->xz_ready = t->inside = true;
  }
  if (!t->inside) return true;
  const bool no_input = t->at == t->have;
  t->xz.next_in = t->stored + t->at;
  t->xz.avail_in = t->have - t->at;
  t->xz.next_out = (uint8_t *)to;
  t->xz.avail_out = n;
  const lzma_ret status = lzma_code(&t->xz, no_input && t->file_done ? LZMA_FINISH : LZMA_RUN);
  t->at = t->have - t->xz.avail_in;
  *got = n - t->xz.avail_out;
  if (status == LZMA_STREAM_END) t->inside = false;
  if (status == LZMA_OK || status == LZMA_STREAM_END) return true;
  if (status == LZMA_BUF_ERROR) return no_input && t->file_done ? truncated(s, "xz") : true;
  return wf_source_fail(s, "the xz data are damaged (%s); fetch or write the file again",
                        xz_problem(status));
}

/* Unpacks until n bytes or the end. */
static bool unpack(wf_source *s, char *to, size_t n, size_t *got) {
  wf_stream *t = s->stream;
  *got = 0;
  while (*got < n && !s->at_end) {
    size_t some = 0;
    if (!refill(s)) return false;
    bool ok = t->kind == GZIP    ? unpack_gzip(s, to + *got, n - *got, &some)
              : t->kind == PLAIN ? unpack_plain(s, to + *got, n - *got, &some)
              : t->kind == XZ    ? unpack_xz(s, to + *got, n - *got, &some)
                                 : unpack_zstandard(s, to + *got, n - *got, &some);
    if (!ok) return false;
    *got += some;
    if (some == 0 && t->file_done && t->at == t->have && !t->inside) s->at_end = true;
  }
  return true;
}

/* ---- opening ---- */

static bool detect(wf_source *s) {
  static const struct {
    const char *magic, *name;
    size_t bytes;
  } foreign[] = {{"BZh", "bzip2", 3},
                 {"\x04\x22\x4d\x18", "lz4", 4},
                 {"\x1f\x9d", "compress (.Z)", 2},
                 {"PK\x03\x04", "zip", 4}};
  wf_stream *t = s->stream;
  if (!refill(s)) return false;
  size_t have = t->have;
  if (have == 0) return wf_source_fail(s, "the file is empty; expected %s", s->expected);
  if (have >= 2 && !memcmp(t->stored, "\x1f\x8b", 2)) t->kind = GZIP;
  if (have >= 4 && !memcmp(t->stored, "\x28\xb5\x2f\xfd", 4)) t->kind = ZSTANDARD;
  if (have >= 6 && !memcmp(t->stored, "\xfd\x37zXZ\0", 6)) t->kind = XZ;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (have >= foreign[i].bytes && !memcmp(t->stored, foreign[i].magic, foreign[i].bytes))
      return wf_source_fail(s,
                            "compressed as %s, which is not read; unpack it, or use gzip, xz or "
                            "Zstandard",
                            foreign[i].name);
  return true;
}

static void start(wf_source *s, const char *path, const char *expected, wf_error *err) {
  *s = (wf_source){.path = path, .expected = expected, .err = err};
  s->stream = wf_calloc(1, sizeof *s->stream);
  s->buffer = wf_calloc(BUFFER_BYTES + 1, 1);
  s->cur = s->end = s->buffer;
}

static const char graph_formats[] = "a graph (MatrixMarket, edge list, DIMACS .gr or .wfg)";

static bool open_path(wf_source *s, const char *path, const wf_graph_options *options) {
  wf_stream *t = s->stream;
  t->file = fopen(path, "rb");
  if (!t->file) {
    wf_source_fail(s, "cannot open: %s; expected %s", strerror(errno),
                   s->expected == graph_formats
                       ? "a graph file or a generator such as rmat:scale=16"
                       : s->expected);
    wf_source_close(s);
    return false;
  }
  if (fseek(t->file, 0, SEEK_END) == 0 && ftell(t->file) > 0)
    s->bytes_total = (uint64_t)ftell(t->file);
  rewind(t->file); /* harmless on a pipe, which has no size either */
  setvbuf(t->file, NULL, _IONBF, 0);
  t->own = wf_calloc(STORED_BYTES, 1);
  t->stored = t->own;
  if (options) {
    s->progress = options->progress;
    s->progress_user = options->progress_user;
  }
  if (detect(s)) return true;
  wf_source_close(s);
  return false;
}

bool wf_source_open(wf_source *s, const char *path, const wf_graph_options *options,
                    wf_error *err) {
  start(s, path, graph_formats, err);
  return open_path(s, path, options);
}

bool wf_source_open_as(wf_source *s, const char *path, const char *expected, wf_error *err) {
  start(s, path, expected, err);
  return open_path(s, path, NULL);
}

bool wf_source_open_memory(wf_source *s, const char *name, const void *data, size_t bytes,
                           wf_error *err) {
  start(s, name, graph_formats, err);
  s->stream->stored = data;
  s->stream->have = bytes;
  s->bytes_total = bytes;
  if (detect(s)) return true;
  wf_source_close(s);
  return false;
}

void wf_source_close(wf_source *s) {
  wf_stream *t = s->stream;
  if (!t) return;
  if (t->file) fclose(t->file);
  if (t->gz_ready) inflateEnd(&t->gz);
  ZSTD_freeDStream(t->zst);
  if (t->xz_ready) lzma_end(&t->xz);
  free(t->own);
  free(t);
  free(s->buffer);
  s->stream = NULL;
  s->buffer = NULL;
  s->cur = s->end = NULL;
}

/* ---- taking content ---- */

/* Fills the buffer behind what is left of it (s->end .. filled). */
static bool fill(wf_source *s) {
  size_t left = s->filled - (size_t)(s->end - s->buffer), got;
  if (left && s->end != s->buffer) memmove(s->buffer, s->end, left);
  s->cur = s->end = s->buffer;
  s->filled = left;
  if (!unpack(s, s->buffer + left, BUFFER_BYTES - left, &got)) return false;
  s->filled += got;
  return true;
}

const char *wf_source_peek(wf_source *s, size_t *bytes) {
  if (s->filled == 0 && !fill(s)) return NULL;
  if (*bytes > s->filled) *bytes = s->filled;
  return s->buffer;
}

void wf_source_drop(wf_source *s, size_t n) {
  memmove(s->buffer, s->buffer + n, s->filled -= n);
}

bool wf_source_more(wf_source *s) {
  if (s->failed) return false;
  if (s->cur < s->end) return true;
  bool peeked = s->end == s->buffer && s->filled; /* content waits that was only peeked at */
  if (!peeked || (!s->at_end && s->filled < BUFFER_BYTES)) {
    if (!fill(s)) return false;
  }
  if (s->filled == 0) return false;
  size_t whole = s->filled;
  while (whole && s->buffer[whole - 1] != '\n') whole--;
  if (whole == 0 || (s->at_end && whole < s->filled)) {
    if (!s->at_end) {
      s->line++;
      return wf_source_fail(s, "a line of more than %u bytes; expected %s", BUFFER_BYTES,
                            s->expected);
    }
    s->buffer[s->filled++] =
        '\n'; /* the last line lacks its end; the buffer has one byte to spare */
    whole = s->filled;
  }
  s->cur = s->buffer;
  s->end = s->buffer + whole;
  return true;
}

bool wf_source_read(wf_source *s, void *to, size_t n, size_t *got) {
  size_t ahead = s->filled - (size_t)(s->cur - s->buffer); /* left from peeking */
  size_t take = ahead < n ? ahead : n;
  memcpy(to, s->cur, take);
  s->cur += take;
  *got = take;
  if (take == n) return true;
  size_t more;
  if (!unpack(s, (char *)to + take, n - take, &more)) return false;
  *got += more;
  return true;
}
