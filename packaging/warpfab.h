/* The public interface of libwarpfab. `pkg-config --cflags --libs warpfab` finds it and the headers
 * below, which say what each function takes and returns.
 *
 * RTL as a C library: wf_model_build(), wf_model_load(), wf_model_create(), ports by name, agents.
 * The modelled GPU: wf_gpu_config_load(), wf_gpu_create(), launches, counters.
 * Applications: wf_app_find(), wf_app_start(). Graphs: wf_graph_open(). */
#ifndef WARPFAB_H
#define WARPFAB_H

#include "sim/apps/apps.h"
#include "sim/base/wf_home.h"
#include "sim/graph/graph.h"
#include "sim/model/wf_agents.h"
#include "sim/model/wf_model.h"

#endif
