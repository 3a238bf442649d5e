/* Generators of graphs, from texts NAME:key=value,... */
#ifndef WF_GRAPH_GENERATE_H
#define WF_GRAPH_GENERATE_H

#include "sim/graph/graph.h"

/* Whether the text is meant as a generator: letters before a ':' and no such file. */
bool wf_graph_is_generator(const char *spec);
wf_graph *wf_graph_generate(const char *spec, const wf_graph_options *options, wf_error *err);

#endif
