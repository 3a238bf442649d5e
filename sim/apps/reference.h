/* CPU references of the graph applications: the same super-steps, written for clarity and linear in
 * the work, without knowledge of warps or bit vectors. */
#ifndef WF_APPS_REFERENCE_H
#define WF_APPS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

#define WF_REF_UNREACHED 0xffffffffu

/* A CSR without weights or with: arcs of v are row[v] .. row[v+1]-1. */
typedef struct wf_ref_csr {
  uint32_t n;
  const uint32_t *row, *col, *weight; /* weight may be NULL */
} wf_ref_csr;

/* level[n]: hops from source along out-arcs, or UNREACHED. supersteps > 0: only levels below that
 * many are assigned. Returns the number of super-steps that visited a vertex. */
unsigned wf_ref_bfs(const wf_ref_csr *out, uint32_t source, unsigned supersteps, uint32_t *level);

/* distance[n]: least sum of weights from source, or UNREACHED, after at most `supersteps`
 * Bellman-Ford rounds over active vertices (0: until nothing changes). A vertex is active if an
 * in-neighbour changed in the round before; all rounds read the values of the round before.
 * *rounds: rounds in which a value changed. False and *err (code 2) if a distance does not fit in
 * 32 bits. */
bool wf_ref_sssp(const wf_ref_csr *in, const wf_ref_csr *out, uint32_t source, unsigned supersteps,
                 uint32_t *distance, unsigned *rounds, wf_error *err);

/* label[n]: smallest vertex of the component (of the part within `supersteps` hops if > 0).
 * both: the symmetrised graph. Returns rounds in which a label changed. */
unsigned wf_ref_wcc(const wf_ref_csr *both, unsigned supersteps, uint32_t *label);

/* PageRank of figure 2 of the MFF paper: rank = (1 - damping) / n + damping * sum over in-arcs of
 * rank / out-degree of the step before, in f32 and in the order of the in-arcs, starting from 1 /
 * n. `supersteps` steps, or 0: until no contribution moves by more than tolerance * its value (at
 * most max_steps). Returns the steps done. */
typedef struct wf_ref_pagerank_setup {
  float damping, tolerance;
  unsigned supersteps, max_steps;
} wf_ref_pagerank_setup;
unsigned wf_ref_pagerank(const wf_ref_csr *in, const uint32_t *out_row,
                         const wf_ref_pagerank_setup *setup, float *rank);

/* For a sum of n words: the longest chain of additions in it. */
typedef uint32_t wf_ref_chain(const void *context, uint32_t n);
/* The same `steps` steps in f64, beside how far f32 arithmetic may be from that, whatever the order
 * of its sums: a sum is off by at most gamma(chain(n)) times the words' magnitudes (Higham,
 * Accuracy and Stability, 4.2) plus what the words are off, and each operation behind it by half an
 * ulp. Returns whether a run to convergence may stop after this many steps and not before. */
bool wf_ref_pagerank_bound(const wf_ref_csr *in, const uint32_t *out_row,
                           const wf_ref_pagerank_setup *setup, unsigned steps, wf_ref_chain *chain,
                           const void *context, double *rank, double *bound);

#endif
