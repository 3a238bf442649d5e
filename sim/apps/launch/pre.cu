// Product recommendation: users alike to a few given ones are found by the products they rated in
// common; their other ratings are recommended. A thread per rating of a given user, then one per
// user alike; each walks a list.
#include "persist.cuh"

struct rating {
  uint32_t who, stars; // a user in a product's list, a product in a user's
};

struct pre_args {
  const rating *list;
  uint32_t *score;
  uint32_t n, weight;
};

DEVICE void pre_add(const pre_args &a, uint32_t i) {
  rating r = a.list[i];
  reduce_add(&a.score[r.who], a.weight * r.stars);
}

KERNEL pre_child(pre_args a) {
  uint32_t i = global_thread();
  if (i < a.n) pre_add(a, i);
}

template <int FORM> DEVICE void pre_walk(const pre_args &a, uint32_t block) {
  if (LAUNCH(FORM, pre_child, a, a.n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < a.n; i++) pre_add(a, i);
}

struct pre_task {
  uint32_t given, product, stars;
};

template <int FORM>
DEVICE void pre_alike(const pre_task *tasks, uint32_t n_tasks, const uint32_t *row,
                      const rating *users, uint32_t *alike, uint32_t n_users, uint32_t block) {
  uint32_t i = global_thread();
  if (i >= n_tasks) return;
  pre_task t = tasks[i];
  uint32_t first = row[t.product];
  pre_walk<FORM>({users + first, alike + t.given * n_users, row[t.product + 1] - first, t.stars},
                 block);
}

IN_THREE_FORMS(pre_alike,
               (const pre_task *tasks, uint32_t n_tasks, const uint32_t *row, const rating *users,
                uint32_t *alike, uint32_t n_users, uint32_t block),
               tasks, n_tasks, row, users, alike, n_users, block)

template <int FORM>
DEVICE void pre_recommend(const uint32_t *alike, uint32_t n_given, uint32_t n_users, uint32_t least,
                          const uint32_t *row, const rating *products, uint32_t *score,
                          uint32_t n_products, uint32_t block) {
  uint32_t i = global_thread();
  if (i >= n_given * n_users || alike[i] < least) return;
  uint32_t first = row[i % n_users];
  pre_walk<FORM>(
      {products + first, score + i / n_users * n_products, row[i % n_users + 1] - first, alike[i]},
      block);
}

IN_THREE_FORMS(pre_recommend,
               (const uint32_t *alike, uint32_t n_given, uint32_t n_users, uint32_t least,
                const uint32_t *row, const rating *products, uint32_t *score, uint32_t n_products,
                uint32_t block),
               alike, n_given, n_users, least, row, products, score, n_products, block)

// ---- the best forms (share.cuh) ----

struct RatingsOf {
  uint32_t first, n, to, weight; // to: of the scores that they are added to
};

struct AddRatings : WithoutSum {
  enum { AT_ONCE = IN_FLIGHT };
  typedef RatingsOf List;
  const rating *ratings;
  uint32_t *score;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], NoSum (&)[U]) const {
    uint32_t who[U], stars[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
      const rating *r = ratings + l[u].first + i[u];
      who[u] = load_if(i[u] < l[u].n, &r->who, 0);
      stars[u] = load_if(i[u] < l[u].n, &r->stars, 0);
    }
#pragma unroll
    for (int u = 0; u < U; u++)
      reduce_add_if(i[u] < l[u].n, score + l[u].to + who[u], l[u].weight * stars[u]);
  }
};

#define PRE_ALIKE_PARAMS                                                                           \
  const pre_task *tasks, uint32_t n_tasks, const uint32_t *row, const rating *users,               \
      uint32_t *alike, uint32_t n_users, uint32_t block

DEVICE AddRatings pre_alike_work(PRE_ALIKE_PARAMS) {
  return {{}, users, alike};
}
DEVICE RatingsOf pre_alike_list(uint32_t i, PRE_ALIKE_PARAMS) {
  if (i >= n_tasks) return {0, 0, 0, 0};
  pre_task t = tasks[i];
  return {row[t.product], row[t.product + 1] - row[t.product], t.given * n_users, t.stars};
}
IN_BEST_FORMS(pre_alike, AddRatings, (PRE_ALIKE_PARAMS), tasks, n_tasks, row, users, alike, n_users,
              block)
IN_PERSISTENT_FORM(pre_alike, (PRE_ALIKE_PARAMS), tasks, n_tasks, row, users, alike, n_users,
              block)

#define PRE_RECOMMEND_PARAMS                                                                       \
  const uint32_t *alike, uint32_t n_given, uint32_t n_users, uint32_t least, const uint32_t *row,  \
      const rating *products, uint32_t *score, uint32_t n_products, uint32_t block

DEVICE AddRatings pre_recommend_work(PRE_RECOMMEND_PARAMS) {
  return {{}, products, score};
}
DEVICE RatingsOf pre_recommend_list(uint32_t i, PRE_RECOMMEND_PARAMS) {
  if (i >= n_given * n_users || alike[i] < least) return {0, 0, 0, 0};
  uint32_t user = i % n_users;
  return {row[user], row[user + 1] - row[user], i / n_users * n_products, alike[i]};
}
IN_BEST_FORMS(pre_recommend, AddRatings, (PRE_RECOMMEND_PARAMS), alike, n_given, n_users, least,
              row, products, score, n_products, block)
IN_PERSISTENT_FORM(pre_recommend, (PRE_RECOMMEND_PARAMS), alike, n_given, n_users, least,
              row, products, score, n_products, block)
