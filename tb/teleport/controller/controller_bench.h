/* Bench of teleport_controller: offers in, every range compared with the reference model,
 * idleness and rows at every edge. */
#ifndef CONTROLLER_BENCH_H
#define CONTROLLER_BENCH_H

#include "sim/units/teleport/ports.h"
#include "tb/common/wf_bench.h"
#include "tb/teleport/controller/controller_ref.h"

/* Requests, oldest first. */
typedef struct controller_list {
  controller_request *item;
  size_t head, tail, room;
} controller_list;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct controller_bench {
  wf_bench base;
  controller_ports p;
  controller_ref ref;
  controller_shape shape;
  controller_list expected, taken;
  unsigned quiet; /* edges without anything moving though something should */
  bool stalled;   /* a request was offered and not taken */
} controller_bench;

extern const wf_bench_class controller_bench_class;

/* Level; the unit must be idle. */
void controller_bench_open_end(controller_bench *b, bool open_end);

/* One edge with these offers (NULL: none); *set_taken, *tb_taken tell. False after the first
 * failure. */
bool controller_bench_cycle(controller_bench *b, const controller_set *set, const controller_tb *tb,
                            bool req_ready, bool *set_taken, bool *tb_taken);
/* Offered until taken, requests being taken. */
bool controller_bench_set(controller_bench *b, const controller_set *set);
bool controller_bench_dispatch(controller_bench *b, const controller_tb *tb);
/* Takes requests until the unit is idle; it must be in time. */
bool controller_bench_rest(void *bench);
/* Requests that were taken since the last call, oldest first; valid until the next edge. */
const controller_request *controller_bench_taken(controller_bench *b, unsigned *count);
#endif
