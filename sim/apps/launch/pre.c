/* Product recommendation from ratings, in the forms of launch_app.h. Few products have most of the
 * ratings, as in collections of films; how many a user gives varies as much. */
#include <stdlib.h>

#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128 };

typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t users, products, ratings, given, least;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, users, 1, 1 << 20, 1024, "who rate"),
    WF_APP_NUMBER(settings, products, 1, 1 << 20, 2048, "that are rated"),
    WF_APP_NUMBER(settings, ratings, 1, 4096, 64, "of a user, on average"),
    WF_APP_NUMBER(settings, given, 1, 4096, 128, "users for whom products are sought"),
    WF_APP_NUMBER(settings, least, 1, 1l << 31, 400,
                  "a user counts as alike from so many points on"),
    WF_LAUNCH_OPTIONS,
    {0}};

typedef struct rating {
  uint32_t who, stars;
} rating;

typedef struct task {
  uint32_t given, product, stars;
} task;

/* Ratings by user and, turned round, by product. */
typedef struct ratings {
  uint32_t n_users, n_products, n_given, least;
  uint32_t *row, *turned_row;
  rating *by_user, *by_product;
} ratings;

/* Squares of draws favour small numbers: the first products have many ratings. */
static uint32_t draw_product(wf_rng *rng, uint32_t n) {
  const uint64_t a = wf_rng_below(rng, n), b = wf_rng_below(rng, n);
  return (uint32_t)(a * b / n);
}

static void draw_ratings(wf_suite_host *host, uint64_t seed, uint32_t average, ratings *r) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  const uint64_t room = (uint64_t)r->n_users * average * 2;
  r->row = wf_suite_array(host, r->n_users + 1ull, 4);
  r->by_user = wf_suite_array(host, room, sizeof *r->by_user);
  uint32_t *last_user =
      wf_suite_array(host, r->n_products, 4); /* a product is rated once by a user */
  for (uint32_t u = 0; u < r->n_users; u++) {
    const uint64_t n = 1 + wf_rng_below(&rng, 2ull * average - 1);
    r->row[u + 1] = r->row[u];
    for (uint64_t i = 0; i < n; i++) {
      const uint32_t p = draw_product(&rng, r->n_products);
      if (last_user[p] == u + 1) continue;
      last_user[p] = u + 1;
      r->by_user[r->row[u + 1]++] = (rating){p, 1 + (uint32_t)wf_rng_below(&rng, 5)};
    }
  }
}

static void turn_round(wf_suite_host *host, ratings *r) {
  const uint32_t n = r->row[r->n_users];
  r->turned_row = wf_suite_array(host, r->n_products + 2ull, 4);
  r->by_product = wf_suite_array(host, n, sizeof *r->by_product);
  for (uint32_t i = 0; i < n; i++) r->turned_row[r->by_user[i].who + 2]++;
  for (uint32_t p = 0; p < r->n_products; p++) r->turned_row[p + 2] += r->turned_row[p + 1];
  for (uint32_t u = 0; u < r->n_users; u++)
    for (uint32_t i = r->row[u]; i < r->row[u + 1]; i++)
      r->by_product[r->turned_row[r->by_user[i].who + 1]++] = (rating){u, r->by_user[i].stars};
}

/* A task per rating of the given users, who are the first. */
static task *make_tasks(wf_suite_host *host, const ratings *r, uint32_t *n) {
  *n = r->row[r->n_given];
  task *tasks = wf_suite_array(host, *n, sizeof *tasks);
  for (uint32_t u = 0; u < r->n_given; u++)
    for (uint32_t i = r->row[u]; i < r->row[u + 1]; i++)
      tasks[i] = (task){u, r->by_user[i].who, r->by_user[i].stars};
  return tasks;
}

static void reference(const ratings *r, uint32_t *alike, uint32_t *score) {
  for (uint32_t g = 0; g < r->n_given; g++) {
    uint32_t *to = alike + (uint64_t)g * r->n_users, *sum = score + (uint64_t)g * r->n_products;
    for (uint32_t i = r->row[g]; i < r->row[g + 1]; i++)
      for (uint32_t k = r->turned_row[r->by_user[i].who]; k < r->turned_row[r->by_user[i].who + 1];
           k++)
        to[r->by_product[k].who] += r->by_user[i].stars * r->by_product[k].stars;
    for (uint32_t u = 0; u < r->n_users; u++)
      for (uint32_t i = r->row[u]; to[u] >= r->least && i < r->row[u + 1]; i++)
        sum[r->by_user[i].who] += to[u] * r->by_user[i].stars;
  }
}

static bool pre(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  uint32_t n_tasks;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  ratings r = {.n_users = s.users, .n_products = s.products, .n_given = s.given, .least = s.least};
  if (r.n_given > r.n_users)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.given=%u: there are %u users", r.n_given,
                   r.n_users);
  draw_ratings(host, run->seed, s.ratings, &r);
  turn_round(host, &r);
  const task *tasks = make_tasks(host, &r, &n_tasks);
  const uint64_t pairs = (uint64_t)r.n_given * r.n_users, sums = (uint64_t)r.n_given * r.n_products;
  if (pairs > UINT32_MAX / 4 || sums > UINT32_MAX / 4)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.given=%u: too many for so many users and products",
                   r.n_given);
  wf_gpu *gpu = run->gpu;
  const uint64_t list_bytes = r.row[r.n_users] * sizeof(rating);
  uint64_t d_tasks, d_row, d_turned, d_products, d_users, d_alike, d_score;
  if (!(d_tasks = wf_app_upload(gpu, tasks, n_tasks * sizeof *tasks, "tasks", err)) ||
      !(d_row = wf_app_upload(gpu, r.row, (r.n_users + 1ull) * 4, "row of user", err)) ||
      !(d_turned =
            wf_app_upload(gpu, r.turned_row, (r.n_products + 1ull) * 4, "row of product", err)) ||
      !(d_products = wf_app_upload(gpu, r.by_user, list_bytes, "ratings by user", err)) ||
      !(d_users = wf_app_upload(gpu, r.by_product, list_bytes, "ratings by product", err)) ||
      !(d_alike = wf_app_reserve(gpu, 0, pairs * 4, "alike", err)) ||
      !(d_score = wf_app_reserve(gpu, 0, sums * 4, "score", err)) ||
      !wf_launch_open(run, &s.form, pairs > n_tasks ? pairs : n_tasks,
                      (uint64_t)r.n_given * r.row[r.n_users], err) ||
      !WF_LAUNCH_IN_FORM(run, &s.form, "pre_alike", wf_suite_line(n_tasks, BLOCK), err, &d_tasks,
                         &n_tasks, &d_turned, &d_users, &d_alike, &r.n_users, &s.form.block) ||
      !WF_LAUNCH_IN_FORM(run, &s.form, "pre_recommend", wf_suite_line((uint32_t)pairs, BLOCK), err,
                         &d_alike, &r.n_given, &r.n_users, &r.least, &d_row, &d_products, &d_score,
                         &r.n_products, &s.form.block))
    return false;
  uint32_t *alike = wf_suite_array(host, pairs, 4), *score = wf_suite_array(host, sums, 4);
  reference(&r, alike, score);
  wf_app_report(run, "ratings", r.row[r.n_users]);
  return wf_suite_check_u32(run, host, "points of user", d_alike, alike, pairs, NULL, err) &&
         wf_suite_check_u32(run, host, "score of product", d_score, score, sums, NULL, err);
}

WF_SUITE_APP(pre, "product recommendation whose threads may launch a list of ratings", options,
             false, pre);
