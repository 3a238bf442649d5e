/* Draws distinct edges: a set of vertex pairs with open addressing. */
#ifndef WF_GRAPH_EDGE_SET_H
#define WF_GRAPH_EDGE_SET_H

#include "sim/base/wf_rng.h"
#include "sim/graph/csr.h"

/* One draw: a pair of vertices (tail << 32 | head), tail != head, or 0 to be drawn again. */
typedef uint64_t wf_draw(const void *model, wf_rng *rng);

/* Appends `edges` distinct draws to the list, in order of first appearance. False and *err when
 * the model does not give that many within 64 draws for each. */
bool wf_draw_distinct(wf_arcs *arcs, uint64_t edges, wf_draw *draw, const void *model, wf_rng *rng,
                      const wf_graph_options *options, const char *spec, wf_error *err);

#endif
