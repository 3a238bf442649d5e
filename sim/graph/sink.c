#include "sim/graph/sink.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_target.h"

enum { BUFFER_BYTES = 1 << 18, GZIP_LEVEL = 6, ZSTANDARD_LEVEL = 9, XZ_LEVEL = 6 };

struct wf_sink {
  char *path;
  wf_target target;
  int fd;
  int error; /* errno of the first failure; -1: the compressor's */
  bool gzip, zstandard, xz;
  z_stream gz;
  ZSTD_CStream *zst;
  lzma_stream lzma;
  size_t filled;
  unsigned char buffer[BUFFER_BYTES], packed[BUFFER_BYTES];
};

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && !strcmp(text + n - k, end);
}

static void sink_free(wf_sink *s) {
  if (s->gzip) deflateEnd(&s->gz);
  ZSTD_freeCStream(s->zst);
  if (s->xz) lzma_end(&s->lzma);
  free(s->path);
  free(s);
}

wf_sink *wf_sink_open(const char *path, wf_error *err) {
  wf_sink *s = wf_calloc(1, sizeof *s);
  s->fd = wf_target_open(&s->target, path, err);
  if (s->fd < 0) {
    sink_free(s);
    return NULL;
  }
  s->path = wf_strdup(path);
  if (ends_with(path, ".gz")) {
    s->gzip = deflateInit2(&s->gz, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!s->gzip) s->error = -1;
  } else if (ends_with(path, ".xz")) {
    s->lzma = (lzma_stream)LZMA_STREAM_INIT;
    s->xz = lzma_easy_encoder(&s->lzma, XZ_LEVEL, LZMA_CHECK_CRC64) == LZMA_OK;
    if (!s->xz) s->error = -1;
  } else if (ends_with(path, ".zst")) {
    s->zstandard = true;
    s->zst = ZSTD_createCStream();
    if (!s->zst || ZSTD_isError(ZSTD_initCStream(s->zst, ZSTANDARD_LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(s->zst, ZSTD_c_checksumFlag, 1)))
      s->error = -1;
  }
  return s;
}

static void put_raw(wf_sink *s, const unsigned char *data, size_t bytes) {
  while (bytes && !s->error) {
    ssize_t n = write(s->fd, data, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) s->error = errno;
    if (n > 0) data += n, bytes -= (size_t)n;
  }
}

static void put_gzip(wf_sink *s, bool last) {
  s->gz.next_in = s->buffer;
  s->gz.avail_in = (unsigned)s->filled;
  do {
    s->gz.next_out = s->packed;
    s->gz.avail_out = sizeof s->packed;
    if (deflate(&s->gz, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) s->error = -1;
    put_raw(s, s->packed, sizeof s->packed - s->gz.avail_out);
  } while (s->gz.avail_out == 0 && !s->error);
}

static void put_zstandard(wf_sink *s, bool last) {
  ZSTD_inBuffer in = {s->buffer, s->filled, 0};
  size_t left;
  do {
    ZSTD_outBuffer out = {s->packed, sizeof s->packed, 0};
    left = ZSTD_compressStream2(s->zst, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) s->error = -1;
    put_raw(s, s->packed, out.pos);
  } while (!s->error && (last ? left != 0 : in.pos < in.size));
}

static void put_xz(wf_sink *s, bool last) {
  lzma_ret status;
  s->lzma.next_in = s->buffer;
  s->lzma.avail_in = s->filled;
  do {
    s->lzma.next_out = s->packed;
    s->lzma.avail_out = sizeof s->packed;
    status = lzma_code(&s->lzma, last ? LZMA_FINISH : LZMA_RUN);
    if (status != LZMA_OK && status != LZMA_STREAM_END) s->error = -1;
    put_raw(s, s->packed, sizeof s->packed - s->lzma.avail_out);
  } while (!s->error && (last ? status != LZMA_STREAM_END : s->lzma.avail_in > 0));
}

static void flush(wf_sink *s, bool last) {
  if (s->error) return;
  if (s->gzip)
    put_gzip(s, last);
  else if (s->zstandard)
    put_zstandard(s, last);
  else if (s->xz)
    put_xz(s, last);
  else
    put_raw(s, s->buffer, s->filled);
  s->filled = 0;
}

void wf_sink_write(wf_sink *s, const void *data, size_t bytes) {
  const unsigned char *from = data;
  while (bytes) {
    size_t take = BUFFER_BYTES - s->filled < bytes ? BUFFER_BYTES - s->filled : bytes;
    memcpy(s->buffer + s->filled, from, take);
    s->filled += take;
    from += take;
    bytes -= take;
    if (s->filled == BUFFER_BYTES) flush(s, false);
    if (s->error) return;
  }
}

void wf_sink_text(wf_sink *s, const char *text) {
  wf_sink_write(s, text, strlen(text));
}

void wf_sink_number(wf_sink *s, uint64_t value, char behind) {
  char text[24], *p = text + sizeof text;
  *--p = behind;
  do *--p = (char)('0' + value % 10);
  while (value /= 10);
  wf_sink_write(s, p, (size_t)(text + sizeof text - p));
}

bool wf_sink_finish(wf_sink *s, wf_error *err) {
  flush(s, true);
  const bool packed = s->error >= 0;
  if (!packed)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: the compressor failed", s->path);
  if (!packed) wf_target_abandon(&s->target, s->fd);
  const bool ok = packed && wf_target_commit(&s->target, s->fd, s->error, err);
  sink_free(s);
  return ok;
}

void wf_sink_abandon(wf_sink *s) {
  wf_target_abandon(&s->target, s->fd);
  sink_free(s);
}
