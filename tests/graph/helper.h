/* Temporary files and expectations shared by the graph tests. */
#ifndef TESTS_GRAPH_HELPER_H
#define TESTS_GRAPH_HELPER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <cmocka.h>

#include "sim/graph/graph.h"

typedef struct folder {
  char path[64];
} folder;

static inline int make_folder(void **state) {
  folder *f = calloc(1, sizeof *f);
  strcpy(f->path, "/tmp/warpfab-graph-XXXXXX");
  *state = f;
  return mkdtemp(f->path) ? 0 : -1;
}

static inline int remove_folder(void **state) {
  folder *f = *state;
  DIR *d = opendir(f->path);
  char path[512];
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
    unlink(path);
  }
  if (d) closedir(d);
  int rc = rmdir(f->path);
  free(f);
  return rc;
}

static inline int files_in(const folder *f) {
  int n = 0;
  DIR *d = opendir(f->path);
  for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
  if (d) closedir(d);
  return n;
}

typedef struct path_text {
  char text[256];
} path_text;

static inline path_text in_folder(const folder *f, const char *name) {
  path_text p;
  snprintf(p.text, sizeof p.text, "%s/%s", f->path, name);
  return p;
}

static inline void put_file(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

static inline size_t get_file(const char *path, unsigned char **data) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t bytes = (size_t)ftell(file);
  rewind(file);
  *data = malloc(bytes + 1);
  assert_int_equal(fread(*data, 1, bytes, file), bytes);
  fclose(file);
  return bytes;
}

static inline wf_graph *open_ok(const char *spec) {
  wf_error err = {0};
  wf_graph *g = wf_graph_open(spec, 0, &err);
  if (!g) fail_msg("%s", err.text);
  assert_int_equal(err.code, 0);
  return g;
}

static inline wf_graph *open_text(const folder *f, const char *text) {
  path_text p = in_folder(f, "graph");
  put_file(p.text, text, strlen(text));
  return open_ok(p.text);
}

/* Opening must fail with code 2 and a message that has all of `part`s, NULL at the end. */
static inline void expect_failure(const char *spec, const wf_graph_options *options,
                                  const char *const *part) {
  wf_error err = {0};
  wf_graph *g = wf_graph_open_with(spec, options, &err);
  if (g) fail_msg("%s was accepted; expected \"%s\"", spec, part[0]);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  for (; *part; part++)
    if (!strstr(err.text, *part)) fail_msg("\"%s\" lacks \"%s\"", err.text, *part);
}

static inline void expect_text_failure(const folder *f, const char *text, const char *place,
                                       const char *message) {
  wf_graph_options options = {0};
  path_text p = in_folder(f, "bad");
  char at[300];
  snprintf(at, sizeof at, "%s%s", p.text, place);
  put_file(p.text, text, strlen(text));
  expect_failure(p.text, &options, (const char *const[]){at, message, NULL});
}

static inline void expect_rows(const wf_graph *g, uint32_t n, const uint32_t *row,
                               const uint32_t *col) {
  assert_int_equal(g->n_vertices, n);
  assert_int_equal(g->n_edges, row[n]);
  assert_memory_equal(g->out_row, row, (n + 1) * sizeof *row);
  if (row[n]) assert_memory_equal(g->out_col, col, row[n] * sizeof *col);
}

static inline void expect_same(const wf_graph *a, const wf_graph *b, bool symmetry_too) {
  assert_int_equal(a->n_vertices, b->n_vertices);
  assert_int_equal(a->n_edges, b->n_edges);
  assert_memory_equal(a->out_row, b->out_row, ((size_t)a->n_vertices + 1) * 4);
  assert_memory_equal(a->out_col, b->out_col, a->n_edges * 4);
  assert_int_equal(a->out_weight != NULL, b->out_weight != NULL);
  if (a->out_weight) assert_memory_equal(a->out_weight, b->out_weight, a->n_edges * 4);
  if (symmetry_too) {
    assert_int_equal(a->symmetric, b->symmetric);
    assert_int_equal(a->n_entries, b->n_entries);
  }
}

#endif
