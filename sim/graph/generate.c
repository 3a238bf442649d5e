#include "sim/graph/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/edge_set.h"
#include "sim/graph/params.h"

#define LN2 0.69314718055994530942
#define MAX_N 2147483647.0 /* WF_GRAPH_MAX_VERTICES */

/* What every generator works with. */
typedef struct gen {
  const char *spec;
  const wf_params *p;
  const wf_graph_options *options;
  wf_error *err;
  wf_rng rng;
  wf_arcs arcs;
} gen;

static wf_graph *finish(gen *g, uint64_t n, bool mirror) {
  return wf_graph_from_list(g->spec, n, &g->arcs, mirror, g->spec, g->err);
}

static wf_graph *give_up(gen *g) {
  wf_arcs_free(&g->arcs);
  return NULL;
}

/* Refuses early, before work is done in vain. */
static bool fits(gen *g, uint64_t n, double arcs) {
  if (arcs > (double)WF_GRAPH_MAX_EDGES)
    return wf_fail(g->err, WF_EXIT_BAD_INPUT,
                   "%s: about %.0f edges (both directions counted); at most %u are possible",
                   g->spec, arcs, WF_GRAPH_MAX_EDGES);
  return wf_graph_check_size(n, n, (uint64_t)arcs, false, g->arcs.limit_bytes, g->spec, g->err);
}

/* ---- R-MAT: Chakrabarti, Zhan, Faloutsos, "R-MAT: A Recursive Model for Graph Mining", 2004 ----
 */

enum { RMAT_SCALE, RMAT_EDGES, RMAT_A, RMAT_B, RMAT_C, RMAT_D };
static const wf_param rmat_table[] = {
    {"scale", false, true, 1, 30},     {"edges", false, false, 0, MAX_N},
    {"a", true, false, 0, 1},          {"b", true, false, 0, 1},
    {"c", true, false, 0, 1},          {"d", true, false, 0, 1},
    {"seed", false, false, 0, 0x1p64}, {0}};

typedef struct rmat_model {
  unsigned scale;
  uint32_t below_a, below_b, below_c; /* cumulative, of 65536 */
} rmat_model;

/* 16 random bits choose the quadrant of a level: integers, so that all machines agree. */
static uint64_t rmat_draw(const void *model, wf_rng *rng) {
  const rmat_model *m = model;
  uint64_t bits = 0;
  uint32_t tail = 0, head = 0;
  for (unsigned level = 0; level < m->scale; level++, bits >>= 16) {
    if (level % 4 == 0) bits = wf_rng_next(rng);
    uint32_t x = (uint32_t)(bits & 0xffff);
    uint32_t lower = x >= m->below_b, right = (x >= m->below_a) ^ lower ^ (x >= m->below_c);
    tail = tail << 1 | lower;
    head = head << 1 | right;
  }
  return tail == head ? 0 : (uint64_t)tail << 32 | head;
}

static wf_graph *rmat(gen *g) {
  const wf_params *p = g->p;
  double q[4] = {0.5, 0.1, 0.1, 0.3}; /* gives RMAT20 as published; see README.md */
  for (int i = 0; i < 4; i++)
    if (p->given[RMAT_A + i]) q[i] = p->real[RMAT_A + i];
  /* The last one follows from three given ones. */
  if (p->given[RMAT_A] && p->given[RMAT_B] && p->given[RMAT_C] && !p->given[RMAT_D])
    q[3] = 1 - q[0] - q[1] - q[2];
  double sum = q[0] + q[1] + q[2] + q[3];
  if (!(sum > 1 - 1e-6 && sum < 1 + 1e-6) || q[3] < -1e-6) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: a + b + c + d is %g; they must add up to 1", g->spec,
            sum);
    return NULL;
  }
  rmat_model m = {.scale = (unsigned)p->whole[RMAT_SCALE]};
  m.below_a = (uint32_t)(q[0] * 65536 + 0.5);
  m.below_b = (uint32_t)((q[0] + q[1]) * 65536 + 0.5);
  m.below_c = (uint32_t)((q[0] + q[1] + q[2]) * 65536 + 0.5);
  uint64_t n = (uint64_t)1 << m.scale, edges = p->given[RMAT_EDGES] ? p->whole[RMAT_EDGES] : 8 * n;
  if (!fits(g, n, (double)edges)) return NULL;
  if (!wf_draw_distinct(&g->arcs, edges, rmat_draw, &m, &g->rng, g->options, g->spec, g->err))
    return give_up(g);
  return finish(g, n, false);
}

/* ---- uniformly random, directed ---- */

enum { RANDOM_N, RANDOM_DEGREE, RANDOM_EDGES };
static const wf_param random_table[] = {{"n", false, true, 1, MAX_N},
                                        {"degree", false, false, 0, MAX_N},
                                        {"edges", false, false, 0, MAX_N},
                                        {"seed", false, false, 0, 0x1p64},
                                        {0}};

static uint64_t directed_draw(const void *model, wf_rng *rng) {
  uint64_t n = *(const uint64_t *)model, tail = wf_rng_below(rng, n), head = wf_rng_below(rng, n);
  return tail == head ? 0 : tail << 32 | head;
}

/* Every vertex gets `degree` distinct heads; seen[v] == u + 1 marks those u has. */
static void random_rows(gen *g, uint32_t n, uint32_t degree) {
  uint32_t *seen = wf_calloc(n, sizeof *seen);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t k = 0; k < degree;) {
      uint32_t v = (uint32_t)wf_rng_below(&g->rng, n);
      if (v == u || seen[v] == u + 1) continue;
      seen[v] = u + 1;
      wf_arcs_put(&g->arcs, u, v, 0);
      k++;
    }
  free(seen);
}

static wf_graph *random_graph(gen *g) {
  const wf_params *p = g->p;
  uint64_t n = p->whole[RANDOM_N], degree = p->given[RANDOM_DEGREE] ? p->whole[RANDOM_DEGREE] : 4;
  if (p->given[RANDOM_DEGREE] && p->given[RANDOM_EDGES]) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: degree= and edges= exclude each other", g->spec);
    return NULL;
  }
  double most = (double)n * (double)(n - 1);
  if (p->given[RANDOM_EDGES]) {
    uint64_t edges = p->whole[RANDOM_EDGES];
    if ((double)edges > most / 2) {
      wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: edges is %llu; at most half of all, %.0f, are drawn",
              g->spec, (unsigned long long)edges, floor(most / 2));
      return NULL;
    }
    if (!fits(g, n, (double)edges)) return NULL;
    if (!wf_draw_distinct(&g->arcs, edges, directed_draw, &n, &g->rng, g->options, g->spec, g->err))
      return give_up(g);
    return finish(g, n, false);
  }
  if (degree > n - 1) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: degree is %llu; %llu vertices allow 0 .. %llu", g->spec,
            (unsigned long long)degree, (unsigned long long)n, (unsigned long long)(n - 1));
    return NULL;
  }
  if (!fits(g, n, (double)n * (double)degree) ||
      !wf_arcs_reserve(&g->arcs, n * degree, g->spec, g->err))
    return give_up(g);
  random_rows(g, (uint32_t)n, (uint32_t)degree);
  return finish(g, n, false);
}

/* ---- Erdos-Renyi, undirected; the default p is that of DIMACS 10's er-fact1.5 ---- */

enum { ER_SCALE, ER_EDGES, ER_P };
static const wf_param er_table[] = {{"scale", false, true, 1, 30},
                                    {"edges", false, false, 0, MAX_N},
                                    {"p", true, false, 0, 1},
                                    {"seed", false, false, 0, 0x1p64},
                                    {0}};

static uint64_t undirected_draw(const void *model, wf_rng *rng) {
  uint64_t n = *(const uint64_t *)model, u = wf_rng_below(rng, n), v = wf_rng_below(rng, n);
  return u == v ? 0 : u < v ? u << 32 | v : v << 32 | u;
}

static wf_graph *erdos_renyi(gen *g) {
  const wf_params *p = g->p;
  uint64_t scale = p->whole[ER_SCALE], n = (uint64_t)1 << scale;
  if (p->given[ER_EDGES] && p->given[ER_P]) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: edges= and p= exclude each other", g->spec);
    return NULL;
  }
  double all = (double)n * (double)(n - 1) / 2;
  double probability = p->given[ER_P] ? p->real[ER_P] : 1.5 * LN2 * (double)scale / (double)n;
  double edges = p->given[ER_EDGES] ? p->real[ER_EDGES] : floor(probability * all + 0.5);
  if (edges > all / 2 && all > 64) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT,
            "%s: %.0f edges; at most half of all, %.0f, are drawn (complete:n= has all)", g->spec,
            edges, floor(all / 2));
    return NULL;
  }
  if (edges > all) edges = all;
  if (!fits(g, n, 2 * edges)) return NULL;
  if (!wf_draw_distinct(&g->arcs, (uint64_t)edges, undirected_draw, &n, &g->rng, g->options,
                        g->spec, g->err))
    return give_up(g);
  return finish(g, n, true);
}

/* ---- regular ones ---- */

enum { GRID_X, GRID_Y, GRID_Z };
static const wf_param grid_table[] = {{"x", false, true, 1, MAX_N},
                                      {"y", false, true, 1, MAX_N},
                                      {"z", false, false, 1, MAX_N},
                                      {"seed", false, false, 0, 0x1p64},
                                      {0}};

static wf_graph *grid(gen *g) {
  const wf_params *p = g->p;
  uint64_t x = p->whole[GRID_X], y = p->whole[GRID_Y], z = p->given[GRID_Z] ? p->whole[GRID_Z] : 1;
  double n = (double)x * (double)y * (double)z;
  if (n > MAX_N) {
    wf_fail(g->err, WF_EXIT_BAD_INPUT, "%s: x * y * z is %.0f; at most %.0f is possible", g->spec,
            n, MAX_N);
    return NULL;
  }
  uint64_t edges = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1);
  if (!fits(g, (uint64_t)n, 2 * (double)edges) ||
      !wf_arcs_reserve(&g->arcs, edges, g->spec, g->err))
    return give_up(g);
  uint32_t v = 0;
  for (uint64_t k = 0; k < z; k++)
    for (uint64_t j = 0; j < y; j++)
      for (uint64_t i = 0; i < x; i++, v++) {
        if (i + 1 < x) wf_arcs_put(&g->arcs, v, v + 1, 0);
        if (j + 1 < y) wf_arcs_put(&g->arcs, v, v + (uint32_t)x, 0);
        if (k + 1 < z) wf_arcs_put(&g->arcs, v, v + (uint32_t)(x * y), 0);
      }
  return finish(g, (uint64_t)n, true);
}

static const wf_param n_table[] = {
    {"n", false, true, 1, MAX_N}, {"seed", false, false, 0, 0x1p64}, {0}};

static wf_graph *chain(gen *g) {
  uint64_t n = g->p->whole[0];
  if (!fits(g, n, 2 * (double)n) || !wf_arcs_reserve(&g->arcs, n, g->spec, g->err))
    return give_up(g);
  for (uint32_t v = 1; v < n; v++) wf_arcs_put(&g->arcs, v - 1, v, 0);
  return finish(g, n, true);
}

static wf_graph *star(gen *g) {
  uint64_t n = g->p->whole[0];
  if (!fits(g, n, 2 * (double)n) || !wf_arcs_reserve(&g->arcs, n, g->spec, g->err))
    return give_up(g);
  for (uint32_t v = 1; v < n; v++) wf_arcs_put(&g->arcs, 0, v, 0);
  return finish(g, n, true);
}

static wf_graph *complete(gen *g) {
  uint64_t n = g->p->whole[0];
  if (!fits(g, n, (double)n * (double)(n - 1)) ||
      !wf_arcs_reserve(&g->arcs, n * (n - 1) / 2 + 1, g->spec, g->err))
    return give_up(g);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = u + 1; v < n; v++) wf_arcs_put(&g->arcs, u, v, 0);
  return finish(g, n, true);
}

/* ---- random geometric, undirected; the default radius is that of DIMACS 10's rgg_n_2_* ---- */

enum { RGG_SCALE, RGG_RADIUS };
static const wf_param rgg_table[] = {{"scale", false, true, 1, 30},
                                     {"radius", true, false, 0, 1},
                                     {"seed", false, false, 0, 0x1p64},
                                     {0}};

typedef struct point {
  uint32_t x, y; /* of 2^31: integers, so that all machines agree */
} point;

typedef struct rgg_model {
  uint32_t n, side; /* the unit square has side * side cells, none narrower than the radius */
  uint64_t radius2; /* squared, of 2^62 */
  uint32_t *cell;   /* [side * side + 1]: points of cell c are cell[c] .. cell[c+1]-1 */
  point *points;    /* [n] in order of cells: near vertices have near numbers, as in DIMACS 10 */
} rgg_model;

static uint64_t cell_of(const rgg_model *m, point p) {
  return (((uint64_t)p.y * m->side) >> 31) * m->side + (((uint64_t)p.x * m->side) >> 31);
}

static void rgg_scatter(rgg_model *m, wf_rng *rng) {
  point *drawn = wf_calloc(m->n, sizeof *drawn);
  uint64_t cells = (uint64_t)m->side * m->side;
  m->points = wf_calloc(m->n, sizeof *m->points);
  m->cell = wf_calloc(cells + 2, sizeof *m->cell);
  for (uint32_t v = 0; v < m->n; v++) {
    uint64_t bits = wf_rng_next(rng);
    drawn[v] = (point){(uint32_t)(bits >> 33), (uint32_t)(bits & 0x7fffffff)};
    m->cell[cell_of(m, drawn[v]) + 2]++;
  }
  for (uint64_t c = 1; c <= cells; c++) m->cell[c + 1] += m->cell[c];
  for (uint32_t v = 0; v < m->n; v++) m->points[m->cell[cell_of(m, drawn[v]) + 1]++] = drawn[v];
  free(drawn);
}

/* Arcs from u to the points begin .. end-1 within the radius. */
static bool rgg_link(gen *g, const rgg_model *m, uint32_t u, uint32_t begin, uint32_t end) {
  if (!wf_arcs_reserve(&g->arcs, end - begin, g->spec, g->err)) return false;
  for (uint32_t v = begin; v < end; v++) {
    int64_t dx = (int64_t)m->points[u].x - m->points[v].x;
    int64_t dy = (int64_t)m->points[u].y - m->points[v].y;
    if ((uint64_t)(dx * dx) + (uint64_t)(dy * dy) <= m->radius2) wf_arcs_put(&g->arcs, u, v, 0);
  }
  return true;
}

/* Looks at points behind u in its cell, at the cell to the right and at the three in the next row:
 * every pair is seen once. */
static bool rgg_cell(gen *g, const rgg_model *m, uint64_t row, uint64_t column) {
  uint64_t c = row * m->side + column;
  bool right = column + 1 < m->side;
  for (uint32_t u = m->cell[c]; u < m->cell[c + 1]; u++) {
    if (!rgg_link(g, m, u, u + 1, m->cell[c + 1 + right])) return false;
    if (row + 1 == m->side) continue;
    uint64_t below = c + m->side;
    if (!rgg_link(g, m, u, m->cell[below - (column > 0)], m->cell[below + 1 + right])) return false;
  }
  return true;
}

static wf_graph *rgg(gen *g) {
  uint64_t scale = g->p->whole[RGG_SCALE];
  rgg_model m = {.n = (uint32_t)1 << scale};
  double n = (double)m.n, radius = g->p->real[RGG_RADIUS];
  double radius2 =
      g->p->given[RGG_RADIUS] ? radius * radius : 0.55 * 0.55 * LN2 * (double)scale / n;
  m.radius2 = (uint64_t)(radius2 * 0x1p62);
  double side = radius2 > 0 ? floor(1 / sqrt(radius2)) : n;
  if (side * side > n) side = floor(sqrt(n));
  m.side = side < 1 ? 1 : (uint32_t)side;
  if (!fits(g, m.n, n * n * 3.1416 * radius2 * 0.5)) return NULL; /* half: the square has an edge */
  rgg_scatter(&m, &g->rng);
  bool ok = true;
  for (uint64_t row = 0; ok && row < m.side; row++) {
    for (uint64_t column = 0; ok && column < m.side; column++) ok = rgg_cell(g, &m, row, column);
    if (g->options->progress)
      g->options->progress(g->options->progress_user, "linking points", row + 1, m.side);
  }
  free(m.points);
  free(m.cell);
  return ok ? finish(g, m.n, true) : give_up(g);
}

/* ---- citations: each vertex is linked to earlier ones, half of them chosen by how often they were
 * before ---- */

enum { CITE_N, CITE_DEGREE };
static const wf_param cite_table[] = {{"n", false, true, 1, MAX_N},
                                      {"degree", false, false, 1, 1024},
                                      {"seed", false, false, 0, 0x1p64},
                                      {0}};

static wf_graph *citations(gen *g) {
  const uint64_t n = g->p->whole[CITE_N],
                 degree = g->p->given[CITE_DEGREE] ? g->p->whole[CITE_DEGREE] : 8;
  if (!fits(g, n, 2 * (double)n * (double)degree) ||
      !wf_arcs_reserve(&g->arcs, n * degree, g->spec, g->err))
    return give_up(g);
  uint32_t *cited = wf_calloc(n * degree + 1, sizeof *cited), *seen = wf_calloc(n, sizeof *seen);
  uint64_t links = 0;
  for (uint32_t u = 1; u < n; u++) {
    const uint64_t wanted = degree < u ? degree : u, before = links;
    for (uint64_t tries = 0; links - before < wanted && tries < 16 * degree; tries++) {
      const bool popular = before && wf_rng_next(&g->rng) >> 63;
      const uint32_t v =
          popular ? cited[wf_rng_below(&g->rng, before)] : (uint32_t)wf_rng_below(&g->rng, u);
      if (seen[v] == u) continue;
      seen[v] = u;
      cited[links++] = v;
      wf_arcs_put(&g->arcs, u, v, 0);
    }
  }
  free(cited);
  free(seen);
  return finish(g, n, true);
}

/* ---- banded: as a sparse matrix of the electrophoresis kind (cage): few neighbours, all within a
 * band ---- */

enum { BAND_N, BAND_DEGREE, BAND_WIDTH };
static const wf_param band_table[] = {{"n", false, true, 1, MAX_N},
                                      {"degree", false, false, 2, 1024},
                                      {"width", false, false, 1, MAX_N},
                                      {"seed", false, false, 0, 0x1p64},
                                      {0}};

/* A vertex draws 0 .. degree links to later ones, so that degrees average `degree` and seldom pass
 * twice that. */
static wf_graph *banded(gen *g) {
  const wf_params *p = g->p;
  const uint64_t n = p->whole[BAND_N], degree = p->given[BAND_DEGREE] ? p->whole[BAND_DEGREE] : 19;
  const uint64_t width = p->given[BAND_WIDTH] ? p->whole[BAND_WIDTH] : n / 16 + 1;
  if (!fits(g, n, 2 * (double)n * (double)degree) ||
      !wf_arcs_reserve(&g->arcs, n * degree + 1, g->spec, g->err))
    return give_up(g);
  uint32_t *seen = wf_calloc(n, sizeof *seen);
  for (uint32_t u = 0; u + 1 < n; u++) {
    const uint64_t room = width < n - 1 - u ? width : n - 1 - u;
    uint64_t wanted = wf_rng_below(&g->rng, degree + 1);
    if (wanted > room / 2) wanted = room / 2;
    if (wanted == 0) wanted = 1; /* in one piece */
    for (uint64_t k = 0; k < wanted;) {
      /* The first is the next vertex; half of the others lie in the band's nearer eighth. */
      const uint64_t reach = wf_rng_next(&g->rng) >> 63 && room / 8 > 2 * wanted ? room / 8 : room;
      const uint32_t v = u + 1 + (k ? (uint32_t)wf_rng_below(&g->rng, reach) : 0);
      if (seen[v] == u + 1) continue;
      seen[v] = u + 1;
      wf_arcs_put(&g->arcs, u, v, 0);
      k++;
    }
  }
  free(seen);
  return finish(g, n, true);
}

/* ---- choice ---- */

static const struct {
  const char *name;
  const wf_param *table;
  wf_graph *(*make)(gen *g);
} generators[] = {{"rmat", rmat_table, rmat},      {"random", random_table, random_graph},
                  {"rgg", rgg_table, rgg},         {"er", er_table, erdos_renyi},
                  {"grid", grid_table, grid},      {"chain", n_table, chain},
                  {"star", n_table, star},         {"complete", n_table, complete},
                  {"cite", cite_table, citations}, {"band", band_table, banded}};
enum { N_GENERATORS = sizeof generators / sizeof *generators };

const char *wf_graph_generators(void) {
  return "rmat:scale=S[,edges=8*2^S][,a=0.5,b=0.1,c=0.1,d=0.3]  R-MAT, directed, distinct edges\n"
         "random:n=N[,degree=4|edges=M]    directed, every vertex `degree` heads, or M edges "
         "anywhere\n"
         "rgg:scale=S[,radius=0.55*sqrt(ln n/n)]  points in a square, linked when near, "
         "undirected\n"
         "er:scale=S[,edges=M|p=1.5*ln n/n]  Erdos-Renyi, undirected, M or p*n(n-1)/2 edges\n"
         "grid:x=X,y=Y[,z=1]               mesh, undirected\n"
         "chain:n=N  star:n=N  complete:n=N  undirected\n"
         "cite:n=N[,degree=8]               links to earlier vertices, half by popularity, "
         "undirected\n"
         "band:n=N[,degree=19][,width=N/16+1]  few neighbours, within a band, undirected\n"
         "each also takes seed=; n = 2^S vertices where there is a scale\n";
}

static int find_generator(const char *spec) {
  size_t n = strcspn(spec, ":");
  for (int i = 0; i < N_GENERATORS; i++)
    if (strlen(generators[i].name) == n && !strncmp(generators[i].name, spec, n)) return i;
  return -1;
}

bool wf_graph_is_generator(const char *spec) {
  size_t n = strspn(spec, "abcdefghijklmnopqrstuvwxyz");
  if (n == 0 || (spec[n] != ':' && find_generator(spec) < 0)) return false;
  return access(spec, F_OK) != 0;
}

wf_graph *wf_graph_generate(const char *spec, const wf_graph_options *options, wf_error *err) {
  int i = find_generator(spec);
  if (i < 0) {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "%s: no such file, and no generator \"%.*s\"; generators are rmat, random, rgg, er, "
            "grid, chain, star, complete, cite, band",
            spec, (int)strcspn(spec, ":"), spec);
    return NULL;
  }
  wf_params p;
  if (!wf_params_parse(&p, spec, generators[i].table, err)) return NULL;
  gen g = {.spec = spec, .p = &p, .options = options, .err = err};
  uint64_t seed = options->seed;
  for (int k = 0; generators[i].table[k].key; k++)
    if (p.given[k] && !strcmp(generators[i].table[k].key, "seed")) seed = p.whole[k];
  wf_rng_seed(&g.rng, seed);
  wf_arcs_init(&g.arcs, false, options->max_host_bytes);
  wf_graph *graph = generators[i].make(&g);
  if (graph && options->simplify) wf_graph_simplify(graph);
  return graph;
}
