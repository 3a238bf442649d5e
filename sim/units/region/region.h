/* The two sides of the REGION unit's socket: beside the SMs' L1s, and at the slices of L2. Each
 * puts what happens there on the ports of its instances, and hands the answers back. */
#ifndef WF_UNITS_REGION_H
#define WF_UNITS_REGION_H

#include <stdio.h>

#include "sim/units/cache_level.h"
#include "sim/units/region/ports.h"

/* Of replies: a line takes the crossbar longer than a cycle, so that none has to wait. */
enum { REGION_FLIGHT = 4, REGION_REPLIES = 1, REGION_MODES = WF_CACHE_KINDS };

typedef struct region_settings {
  unsigned mode, regions, region_rows, pc_rows, share, period, probe, view, counter_bits, gate;
} region_settings;

/* A miss whose answer the fabric has not fetched. */
typedef struct region_decision {
  bool past;
  unsigned way;
  wf_l1_label label;
} region_decision;

typedef struct region_core {
  wf_cache_side base;
  core_ports port;
  bool clears; /* a kernel begins */
  size_t maps; /* of the allocations, that are yet to be written */
  wf_l1_access offer;
  struct {
    bool asks;
    unsigned way;
  } sent[REGION_FLIGHT];
  region_decision decided[REGION_FLIGHT], last; /* last: that was fetched */
  wf_l1_label reply[REGION_REPLIES];            /* that have come */
  wf_ring reply_ring;
} region_core;

typedef struct region_slice {
  wf_cache_side base; /* of what is sent it counts questions */
  slice_ports port;
  wf_cache_event offer;
  bool asks;
  wf_slice_answer answer[REGION_FLIGHT];
} region_slice;

typedef struct region {
  wf_unit unit;
  wf_unit_env env;
  wf_cache_level cores, slices; /* of region_core, of region_slice */
  region_settings set;
  uint64_t request_waits;
} region;

extern const wf_l1_ops region_l1_ops;
extern const wf_cache_ops region_cache_ops;

/* Is the machine, with the settings, one of the limits? */
bool region_cores_fit(const region *m, wf_error *err);
bool region_slices_fit(const region *m, wf_error *err);
bool region_cores_open(region *m, wf_error *err);
bool region_cores_bind(region *m, wf_error *err);
bool region_slices_open(region *m, wf_error *err);
bool region_slices_bind(region *m, wf_error *err);

#endif
