/* What the applications modelled on published benchmarks share (sim/apps/README.md lists them); not
 * for other modules. Each is one file with its CPU reference, and one file of kernels. */
#ifndef WF_APP_SUITE_H
#define WF_APP_SUITE_H

#include "sim/apps/app_internal.h"
#include "sim/base/wf_rng.h"

extern const wf_app wf_app_bfs_rodinia, wf_app_kmn, wf_app_wc, wf_app_iix, wf_app_gc, wf_app_ssp,
    wf_app_spmv, wf_app_mm, wf_app_ss, wf_app_ccl, wf_app_ge, wf_app_srd, wf_app_mri, wf_app_sgm,
    wf_app_stn, wf_app_aps;
/* Of the work on prefetching into spare registers. */
extern const wf_app wf_app_hbfs, wf_app_hsssp, wf_app_hmst, wf_app_lsbfs, wf_app_lssssp,
    wf_app_lsmst, wf_app_stcon;
/* Of the work on implementation strategies: app.strategy=. */
extern const wf_app wf_app_gbfs, wf_app_gsssp, wf_app_gclr, wf_app_gmis;
/* Those of the work on preloading for thread blocks: app.form=plain, shared or double. */
extern const wf_app wf_app_eds, wf_app_hsp, wf_app_jac, wf_app_mma, wf_app_ptf;

/* Host arrays of one run, freed together. */
enum { WF_SUITE_ARRAYS = 64 };
typedef struct wf_suite_host {
  void *arrays[WF_SUITE_ARRAYS];
  unsigned n;
} wf_suite_host;
/* count elements of `bytes`, zeroed; at least one. NULL never. */
void *wf_suite_array(wf_suite_host *host, uint64_t count, size_t bytes);
void wf_suite_free(wf_suite_host *host);

extern const char *const wf_suite_forms[4]; /* of app.form: plain, shared, double, copy */
enum { WF_SUITE_PLAIN, WF_SUITE_SHARED, WF_SUITE_DOUBLE, WF_SUITE_COPY };
/* double: each thread of blocks of 32 x 4 goes down `strip` rows of a column; copy: of 128 x 1. */
#define WF_SUITE_STRIP_OPTION(TYPE)                                                                \
  WF_APP_NUMBER(TYPE, strip, 1, 8192, 16,                                                          \
                "rows that a thread of the forms double and copy goes down")

/* Options of searches from a vertex. */
typedef struct wf_suite_search {
  uint32_t source, undirected;
} wf_suite_search;
#define WF_SUITE_SEARCH_OPTIONS                                                                    \
  WF_APP_SOURCE_OPTION(wf_suite_search),                                                           \
      WF_APP_NUMBER(wf_suite_search, undirected, 0, 1, 0, "1: add the reverse of every arc first")
extern const wf_parameter wf_suite_search_options[];
/* Makes the graph undirected if asked for, and chooses the source. */
bool wf_suite_search_begin(wf_app_run *run, wf_suite_search *search, wf_error *err);
/* The same where there are no other options. */
bool wf_suite_search_read(wf_app_run *run, uint32_t *source, wf_error *err);

/* n numbers in [low, high), multiples of 1/4096 of the span: sums of few stay exact enough to read.
 */
float *wf_suite_floats(wf_suite_host *host, wf_rng *rng, uint64_t n, float low, float high);

/* 1 .. n in random order. */
uint32_t *wf_suite_order(wf_suite_host *host, uint64_t seed, uint32_t n);

/* Blocks of block_x * block_y threads, grid_x * grid_y of them. */
typedef struct wf_suite_shape {
  uint32_t grid_x, grid_y, block_x, block_y;
} wf_suite_shape;
/* One thread for each of n in blocks of `block`. */
wf_suite_shape wf_suite_line(uint32_t n, uint32_t block);
/* One thread for each of x * y in blocks of block_x * block_y. */
wf_suite_shape wf_suite_plane(uint32_t x, uint32_t y, uint32_t block_x, uint32_t block_y);
/* An option that only the forms `takes` (a bit each) use may be named with these only: *err. */
bool wf_suite_forms_take(const wf_app_run *run, const char *key, uint32_t form, uint32_t takes,
                         wf_error *err);
/* Of a form that goes down strips, as WF_SUITE_STRIP_OPTION has it. */
wf_suite_shape wf_suite_strips(uint32_t form, uint32_t rows, uint32_t cols, uint32_t strip);
/* Options app.form and app.strip: *err (code 2) if the form has no use for what was named, or
 * cannot have rows of so many words. */
bool wf_suite_strip_takes(const wf_app_run *run, uint32_t form, uint32_t cols, wf_error *err);
bool wf_suite_launch(wf_app_run *run, const char *kernel, wf_suite_shape shape,
                     const void *const *params, unsigned n_params, wf_error *err);
/* The parameters as a list of addresses: WF_SUITE_LAUNCH(run, "k", shape, err, &n, &a). */
#define WF_SUITE_LAUNCH(RUN, KERNEL, SHAPE, ERR, ...)                                              \
  wf_suite_launch(RUN, KERNEL, SHAPE, (const void *const[]){__VA_ARGS__},                          \
                  sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *), ERR)

/* Reads n words back and compares them; false only if they cannot be read. got (may be NULL) gets
 * what was read, an array of `host`. */
bool wf_suite_check_u32(wf_app_run *run, wf_suite_host *host, const char *what, uint64_t device,
                        const uint32_t *expected, uint64_t n, uint32_t **got, wf_error *err);
bool wf_suite_check_f32(wf_app_run *run, wf_suite_host *host, const char *what, uint64_t device,
                        const float *expected, uint64_t n, wf_error *err);

/* Defines wf_app_NAME around `bool BODY(wf_app_run *, wf_suite_host *, wf_error *)`, which may
 * leave at any point. */
#define WF_SUITE_APP(NAME, SUMMARY, OPTIONS, NEEDS_GRAPH, BODY)                                    \
  static bool run_app(wf_app_run *run, wf_error *err) {                                            \
    wf_suite_host host = {.n = 0};                                                                 \
    bool ok = wf_app_load_kernels(run->gpu, #NAME, err) && BODY(run, &host, err);                  \
    wf_suite_free(&host);                                                                          \
    return ok;                                                                                     \
  }                                                                                                \
  const wf_app wf_app_##NAME = {#NAME, SUMMARY, NEEDS_GRAPH, OPTIONS, run_app}

#endif
