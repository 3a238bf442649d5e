/* What a page about a result needs to know of it: the machine that it ran on, and how near each
 * part of that came to its peak. */
#ifndef WF_REPORT_FACTS_H
#define WF_REPORT_FACTS_H

#include <cjson/cJSON.h>

#include "sim/gpu/config.h"

typedef enum wf_part {
  WF_PART_ISSUE,
  WF_PART_L1,
  WF_PART_REQUEST,
  WF_PART_REPLY,
  WF_PART_L2,
  WF_PART_DRAM,
  WF_PARTS
} wf_part;

typedef struct wf_speed {
  double done, peak; /* in the run, in `what` */
  double share;
} wf_speed;

typedef struct wf_facts {
  const char *label;
  const cJSON *result;
  bool machine;     /* is it known? */
  wf_error unknown; /* if not, why */
  wf_gpu_config config;
  double seconds;    /* of the modelled machine */
  double schedulers; /* their cycles, all together */
  wf_speed speed[WF_PARTS];
} wf_facts;

/* Key ("dram"), name and what is counted: "flits to the L2". */
const char *wf_part_key(wf_part part);
const char *wf_part_name(wf_part part);
const char *wf_part_what(wf_part part);

/* configuration: all its settings, as a store has them; NULL: config and settings of the result
 * say it. False and *err (code 2): it is no result of `run`. */
bool wf_facts_read(wf_facts *facts, const char *label, const cJSON *result,
                   const cJSON *configuration, wf_error *err);
/* Of what results are compared with only app and cycles are asked for. */
bool wf_facts_read_reference(wf_facts *facts, const char *label, const cJSON *result,
                             wf_error *err);
/* The number at this path, else 0; a text at this key, else "". */
double wf_facts_number(const wf_facts *facts, const char *path);
const char *wf_facts_text(const wf_facts *facts, const char *key);
const cJSON *wf_facts_item(const wf_facts *facts, const char *key);

/* The numbers of an array together: of a grid [249, 1, 1] its blocks; 1: there is none. */
double wf_facts_product(const cJSON *object, const char *key);

#endif
