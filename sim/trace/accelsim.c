/* Accel-Sim SASS traces: a folder with kernelslist.g and a file per kernel, or one such file.
 * Versions 1 to 6 of the tracer; grouped by thread block (.traceg) or as the tracer writes them
 * (.trace). */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/graph/source.h"
#include "sim/trace/accelsim_line.h"
#include "sim/trace/blocks.h"
#include "sim/trace/program.h"
#include "sim/trace/scan_text.h"

struct wf_trace_reader {
  char *folder, *single; /* single: a kernel's file instead of a folder */
  bool single_done, list_open, file_open;
  wf_source list, file;
  char *list_path, *file_path;
  wf_accelsim_header header;
  bool is_mixed;
  /* within a file */
  wf_blocks blocks;
  bool in_block, in_warp, ended;
  uint32_t block[3], warp, warps_per_block;
  uint64_t block_line;      /* for messages */
  uint64_t warps_seen;      /* bits */
  uint64_t left, announced; /* instructions of the warp */
};

/* ---- opening ---- */

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool takes(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  return is_folder(path) || !strncmp(name, "kernel", 6) || strstr(name, ".trace");
}

static char *list_in(const char *folder) {
  static const char *const names[] = {"kernelslist.g", "kernelslist.g.gz", "kernelslist.g.xz",
                                      "kernelslist.g.zst", "kernelslist"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = wf_text("%s/%s", folder, names[i]);
    if (access(path, F_OK) == 0) return path;
    free(path);
  }
  return wf_text("%s/kernelslist.g", folder);
}

static void reader_close(wf_trace_reader *r) {
  if (!r) return;
  if (r->list_open) wf_source_close(&r->list);
  if (r->file_open) wf_source_close(&r->file);
  wf_accelsim_header_free(&r->header);
  wf_blocks_free(&r->blocks);
  free(r->folder);
  free(r->single);
  free(r->list_path);
  free(r->file_path);
  free(r);
}

static const char expected_list[] = "a folder of an Accel-Sim trace: its kernelslist.g, lines of "
                                    "`MemcpyHtoD,0xADDRESS,BYTES` and kernel file names";
static const char expected_kernel[] = "a kernel of an Accel-Sim trace (kernel-N.traceg)";

static wf_trace_reader *reader_open(const char *path, wf_error *err) {
  wf_trace_reader *r = wf_calloc(1, sizeof *r);
  const char *slash = strrchr(path, '/');
  const bool folder = is_folder(path), list = !strncmp(slash ? slash + 1 : path, "kernelslist", 11);
  if (!folder && !list) {
    r->single = wf_strdup(path);
    return r;
  }
  r->list_path = folder ? list_in(path) : wf_strdup(path);
  r->folder = folder ? wf_strdup(path) : slash ? wf_strdup(path) : wf_strdup(".");
  if (!folder && slash) r->folder[slash - path] = '\0';
  r->list_open = wf_source_open_as(&r->list, r->list_path, expected_list, err);
  if (r->list_open) return r;
  reader_close(r);
  return NULL;
}

/* ---- lines ---- */

/* The next line that is not blank, without taking it; NULL at the end or on error (s->failed). */
static const char *peek_line(wf_source *s) {
  while (wf_source_more(s)) {
    const char *p = wf_text_skip(s->cur);
    if (*p != '\n') return p;
    s->cur = p + 1;
    s->line++;
  }
  return NULL;
}

static void take_line(wf_source *s, const char *p) {
  while (*p != '\n') p++;
  s->cur = p + 1;
}

/* The line is being looked at: messages name it. */
static const char *next_line(wf_source *s) {
  const char *p = peek_line(s);
  if (p) s->line++;
  return p;
}

/* ---- commands ---- */

static char *file_of(const wf_trace_reader *r, const char *name, size_t n) {
  static const char *const endings[] = {"", ".gz", ".xz", ".zst"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char *path = wf_text("%s/%.*s%s", r->folder, (int)n, name, endings[i]);
    if (access(path, F_OK) == 0) return path;
    free(path);
  }
  for (size_t i = 1; i < sizeof endings / sizeof *endings;
       i++) { /* listed packed, there unpacked */
    const size_t k = strlen(endings[i]);
    if (n <= k || strncmp(name + n - k, endings[i], k)) continue;
    char *path = wf_text("%s/%.*s", r->folder, (int)(n - k), name);
    if (access(path, F_OK) == 0) return path;
    free(path);
  }
  return wf_text("%s/%.*s", r->folder, (int)n, name);
}

static bool open_kernel(wf_trace_reader *r, char *path, wf_trace_kernel *k, wf_error *err) {
  if (r->file_open) wf_source_close(&r->file);
  free(r->file_path);
  wf_accelsim_header_free(&r->header);
  r->file_path = path;
  r->file_open = wf_source_open_as(&r->file, path, expected_kernel, err);
  if (!r->file_open || !wf_accelsim_header_read(&r->file, &r->header, k)) return false;
  const char *slash = strrchr(path, '/');
  k->file = wf_strdup(slash ? slash + 1 : path);
  r->warps_per_block = (k->block[0] * k->block[1] * k->block[2] + PTX_LANES - 1) / PTX_LANES;
  wf_blocks_start(&r->blocks, k->grid);
  r->in_block = r->in_warp = r->ended = false;
  const char *p = peek_line(&r->file);
  if (!p && r->file.failed) return false;
  r->is_mixed = p && *p != '#';
  return true;
}

static bool read_copy(wf_source *s, const char *p, wf_trace_command *c) {
  p = wf_text_hex(p, &c->address);
  if (p && *p == ',')
    p = wf_text_number(p + 1, &c->bytes);
  else
    p = NULL;
  if (p && *wf_text_skip(p) == '\n') return true;
  return wf_source_fail(s, "expected MemcpyHtoD,0xADDRESS,BYTES");
}

static int from_list(wf_trace_reader *r, wf_trace_command *c, wf_error *err) {
  static const char copy[] = "MemcpyHtoD,";
  for (const char *p; (p = next_line(&r->list));) {
    const char *end = p;
    while (*end != '\n') end++;
    r->list.cur = end + 1;
    while (end > p && wf_text_blank(end[-1])) end--;
    const size_t n = (size_t)(end - p);
    if (n >= sizeof copy - 1 && !memcmp(p, copy, sizeof copy - 1)) {
      c->kind = WF_TRACE_COPY;
      return read_copy(&r->list, p + sizeof copy - 1, c) ? 1 : -1;
    }
    if (n < 6 || memcmp(p, "kernel", 6)) continue; /* copies back and the like change nothing */
    c->kind = WF_TRACE_KERNEL;
    char *path = file_of(r, p, n);
    if (access(path, R_OK) != 0) {
      wf_source_fail(&r->list, "kernel file %.*s is not in the folder, nor with .gz, .xz or .zst",
                     (int)(n < 200 ? n : 200), p);
      free(path);
      return -1;
    }
    return open_kernel(r, path, &c->kernel, err) ? 1 : -1;
  }
  return r->list.failed ? -1 : 0;
}

static int reader_command(wf_trace_reader *r, wf_trace_command *c, wf_error *err) {
  *c = (wf_trace_command){0};
  int result;
  if (!r->single) {
    result = from_list(r, c, err);
  } else {
    if (r->single_done) return 0;
    r->single_done = true;
    c->kind = WF_TRACE_KERNEL;
    result = open_kernel(r, wf_strdup(r->single), &c->kernel, err) ? 1 : -1;
  }
  if (result < 0) wf_trace_kernel_free(&c->kernel);
  return result;
}

static bool reader_mixed(const wf_trace_reader *r) {
  return r->is_mixed;
}

/* "x y z warp" before the instruction. */
static const char *read_place(wf_trace_reader *r, const char *p, wf_trace_event *e) {
  uint64_t v[4];
  for (unsigned i = 0; i < 4; i++) {
    const char *q = wf_text_number(p, &v[i]);
    if (!q || !wf_text_ends(*q) || v[i] > UINT32_MAX)
      return wf_accelsim_unexpected(&r->file, "instruction", "thread block x y z and warp", p),
             NULL;
    if (i < 3) e->cta[i] = (uint32_t)v[i];
    p = q;
  }
  e->warp = (uint32_t)v[3];
  if (!wf_blocks_inside(&r->blocks, e->cta))
    return wf_source_fail(&r->file, "thread block %u,%u,%u is outside the grid %u,%u,%u", e->cta[0],
                          e->cta[1], e->cta[2], r->blocks.grid[0], r->blocks.grid[1],
                          r->blocks.grid[2]),
           NULL;
  if (e->warp >= r->warps_per_block)
    return wf_source_fail(&r->file, "warp %u: a block has %u warps", e->warp, r->warps_per_block),
           NULL;
  return p;
}

/* In ungrouped files an asynchronous copy stands twice, the shared-memory side first: that one is
 * passed over. Is the line at p, with `pc` behind its place, such a one? */
static bool is_first_of_pair(wf_trace_reader *r, const char *line, const wf_trace_op *op) {
  wf_source *s = &r->file;
  char place[160];
  const char *end = line; /* behind the pc: place has four numbers, the source line one */
  for (unsigned words = r->header.line_info ? 6 : 5; words > 0; words--)
    end = wf_text_word(wf_text_skip(end));
  const size_t n = (size_t)(end - line);
  if (!op->async || n >= sizeof place) return false;
  memcpy(place, line, n); /* the buffer may move */
  const char *next = peek_line(s);
  return next && (size_t)(s->end - next) > n && !memcmp(next, place, n) && wf_text_ends(next[n]);
}

/* ---- thread blocks ---- */

/* Is `key = value` at p? Then behind the '='. */
static const char *value_of(const char *p, const char *key) {
  const size_t n = strlen(key);
  if (strncmp(p, key, n)) return NULL;
  p = wf_text_skip(p + n);
  return *p == '=' ? p + 1 : NULL;
}

static bool is_mark(const char *p, const char *mark) {
  const size_t n = strlen(mark);
  return !strncmp(p, mark, n) && *wf_text_skip(p + n) == '\n';
}

/* Where the block stands in its cluster: one line each, or none. The fabric has no clusters. */
static bool read_cluster(wf_source *s) {
  static const char *const keys[] = {"cluster id", "cluster cta", "cluster rank"};
  uint32_t place[3];
  uint64_t rank;
  for (unsigned i = 0; i < 3; i++) {
    const char *p = peek_line(s), *v = p ? value_of(p, keys[i]) : NULL;
    if (!v) continue;
    s->line++;
    v = i < 2 ? wf_text_triple(v, place) : wf_text_number(v, &rank);
    if (!v || *wf_text_skip(v) != '\n')
      return wf_source_fail(s, "expected \"%s = %s\"", keys[i], i < 2 ? "x,y,z" : "N");
    take_line(s, p);
  }
  return !s->failed;
}

static bool begin_block(wf_trace_reader *r, const char *p) {
  wf_source *s = &r->file;
  if (!is_mark(p, "#BEGIN_TB"))
    return wf_accelsim_unexpected(s, "body", "#BEGIN_TB or the end of the file", p);
  take_line(s, p);
  r->block_line = (uint32_t)s->line;
  p = next_line(s);
  if (!p) return s->failed ? false : wf_source_fail(s, "the file ends within a thread block");
  const char *v = value_of(p, "thread block");
  v = v ? wf_text_triple(v, r->block) : NULL;
  if (!v || *wf_text_skip(v) != '\n') return wf_source_fail(s, "expected \"thread block = x,y,z\"");
  if (!wf_blocks_inside(&r->blocks, r->block))
    return wf_source_fail(s, "thread block %u,%u,%u is outside the grid %u,%u,%u", r->block[0],
                          r->block[1], r->block[2], r->blocks.grid[0], r->blocks.grid[1],
                          r->blocks.grid[2]);
  if (!wf_blocks_see(&r->blocks, r->block))
    return wf_source_fail(s, "thread block %u,%u,%u is there twice", r->block[0], r->block[1],
                          r->block[2]);
  take_line(s, p);
  r->in_block = true;
  r->warps_seen = 0;
  return read_cluster(s);
}

/* The line at p is no warp's. */
static bool no_warp(wf_trace_reader *r, const char *p) {
  wf_source *s = &r->file;
  if (!is_mark(p, "#BEGIN_TB"))
    return wf_accelsim_unexpected(s, "thread block", "\"warp = N\" or #END_TB", p);
  return wf_source_fail(s,
                        "#END_TB is missing before this #BEGIN_TB: thread block %u,%u,%u begins at "
                        "line %llu and is not ended",
                        r->block[0], r->block[1], r->block[2], (unsigned long long)r->block_line);
}

static bool begin_warp(wf_trace_reader *r, const char *p) {
  wf_source *s = &r->file;
  uint64_t warp, n;
  const char *v = value_of(p, "warp");
  v = v ? wf_text_number(v, &warp) : NULL;
  if (!v || *wf_text_skip(v) != '\n') return no_warp(r, p);
  if (warp >= r->warps_per_block)
    return wf_source_fail(s, "warp %llu: a block has %u warps", (unsigned long long)warp,
                          r->warps_per_block);
  if (r->warps_seen >> warp & 1)
    return wf_source_fail(s, "warp %llu is there twice", (unsigned long long)warp);
  r->warps_seen |= (uint64_t)1 << warp;
  r->warp = (uint32_t)warp;
  take_line(s, p);
  p = next_line(s);
  if (!p) return s->failed ? false : wf_source_fail(s, "the file ends within a thread block");
  v = value_of(p, "insts");
  v = v ? wf_text_number(v, &n) : NULL;
  if (!v || *wf_text_skip(v) != '\n') return wf_source_fail(s, "expected \"insts = N\"");
  take_line(s, p);
  r->left = r->announced = n;
  r->in_warp = n > 0;
  return true;
}

static bool end_block(wf_trace_reader *r, const char *p, wf_trace_event *e) {
  wf_source *s = &r->file;
  const unsigned warps = (unsigned)__builtin_popcountll(r->warps_seen);
  if (warps != r->warps_per_block)
    return wf_source_fail(s, "thread block %u,%u,%u ends with %u warps, it must list all %u",
                          r->block[0], r->block[1], r->block[2], warps, r->warps_per_block);
  take_line(s, p);
  r->in_block = false;
  memcpy(e->cta, r->block, sizeof e->cta);
  e->kind = WF_TRACE_CTA_END;
  return true;
}

static bool end_file(wf_trace_reader *r, wf_trace_event *e) {
  wf_source *s = &r->file;
  if (s->failed) return false;
  if (r->in_block)
    return wf_source_fail(s,
                          "the file ends without the #END_TB of thread block %u,%u,%u, which "
                          "begins at line %llu: it is truncated",
                          r->block[0], r->block[1], r->block[2], (unsigned long long)r->block_line);
  if (!r->is_mixed && r->blocks.count != r->blocks.total)
    return wf_source_fail(s, "the file holds %llu thread blocks, the grid has %llu",
                          (unsigned long long)r->blocks.count, (unsigned long long)r->blocks.total);
  r->ended = true;
  e->kind = WF_TRACE_END;
  return true;
}

static bool grouped_instruction(wf_trace_reader *r, const char *p, wf_trace_program *program,
                                wf_trace_event *e) {
  wf_source *s = &r->file;
  if (*p == '#' || *p == 'w')
    return wf_source_fail(s, "warp %u announces %llu instructions, %llu of them are missing",
                          r->warp, (unsigned long long)r->announced, (unsigned long long)r->left);
  if (r->header.tracer_version < 3) {
    p = read_place(r, p, e);
    if (!p) return false;
    if (memcmp(e->cta, r->block, sizeof e->cta) || e->warp != r->warp)
      return wf_source_fail(
          s, "an instruction of thread block %u,%u,%u warp %u stands under block %u,%u,%u warp %u",
          e->cta[0], e->cta[1], e->cta[2], e->warp, r->block[0], r->block[1], r->block[2], r->warp);
  }
  memcpy(e->cta, r->block, sizeof e->cta);
  e->warp = r->warp;
  if (!wf_accelsim_instruction(&r->file, &r->header, p, program, e)) return false;
  r->in_warp = --r->left > 0;
  return true;
}

static bool reader_next(wf_trace_reader *r, wf_trace_program *program, wf_trace_event *e,
                        wf_error *err) {
  wf_source *s = &r->file;
  s->err = err;
  if (r->ended) return e->kind = WF_TRACE_END, true;
  if (!program->n_ops && !program->kernel && !wf_accelsim_header_give(s, &r->header, program))
    return false;
  for (const char *p; (p = next_line(s));) {
    if (r->is_mixed) {
      const char *line = p;
      p = read_place(r, p, e);
      if (!p || !wf_accelsim_instruction(&r->file, &r->header, p, program, e)) return false;
      if (is_first_of_pair(r, line, &program->ops[e->op])) continue;
      return !s->failed;
    }
    if (r->in_warp) return grouped_instruction(r, p, program, e);
    if (!r->in_block) {
      if (!begin_block(r, p)) return false;
    } else if (is_mark(p, "#END_TB")) {
      return end_block(r, p, e);
    } else if (!begin_warp(r, p)) {
      return false;
    }
  }
  return end_file(r, e);
}

const wf_trace_format wf_trace_accelsim = {.name = "Accel-Sim SASS trace",
                                           .grouped = true,
                                           .takes = takes,
                                           .open = reader_open,
                                           .command = reader_command,
                                           .next = reader_next,
                                           .mixed = reader_mixed,
                                           .close = reader_close};
