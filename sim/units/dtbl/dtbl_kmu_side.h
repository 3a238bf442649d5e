/* The kernel management unit's RTL at its ports: beside the scheduler's, wired to it here. Its
 * records lie in a ring of their own in memory; the scheduler's requests for memory go through it.
 *
 * A cycle: the fabric offers a kernel that a thread launched; the scheduler's ports are as its last
 * edge left them. dtbl_kmu_wire() and dtbl_kmu_memory() put what each shows at the other, then both
 * are clocked. */
#ifndef WF_UNITS_DTBL_KMU_SIDE_H
#define WF_UNITS_DTBL_KMU_SIDE_H

#include "sim/units/dtbl/dtbl.h"
#include "sim/units/dtbl/dtbl_book.h"
#include "sim/units/dtbl/ports.h"
#include "sim/units/records.h"
#include "sim/units/rtl_set.h"

/* Read by others: port, records. */
typedef struct dtbl_kmu {
  const wf_unit_env *env;
  wf_rtl_set *rtls; /* of one: */
  wf_rtl *rtl;
  dtbl_kmu_ports port;
  wf_records records;
  bool offered; /* something goes in at the next edge */
} dtbl_kmu;

void dtbl_kmu_init(dtbl_kmu *k, const wf_unit_env *env, const dtbl_settings *set);
/* Its port of memory becomes that of `port`, the scheduler's records. */
bool dtbl_kmu_bind(dtbl_kmu *k, wf_rtl_set *rtls, wf_records *port, wf_error *err);
void dtbl_kernel_put(const dtbl_kernel_ports *p, const dtbl_at_ports *kernel);
dtbl_at_ports dtbl_kernel_get(const dtbl_kernel_ports *p);
/* Nothing changes at an edge. */
bool dtbl_kmu_at_rest(const dtbl_kmu *k);
/* False: not in this cycle. */
bool dtbl_kmu_launch(dtbl_kmu *k, const dtbl_at_ports *kernel, wf_error *err);
/* After both edges: a group that the scheduler offers as a kernel, and its request for memory. */
bool dtbl_kmu_offer(dtbl_kmu *k, const dtbl_ports *scheduler, wf_error *err);
/* Before both edges: whose request memory takes, and whose the answer is, if one is on the port.
 * *taken: it is taken at this edge. */
bool dtbl_kmu_memory(dtbl_kmu *k, const dtbl_ports *scheduler, bool answer, bool *taken,
                     wf_error *err);
/* Before both edges: the kernel that it offers goes to the scheduler's ports, readies go back, and
 * entries that come free, or that a kernel of the host's takes. *entered: the kernel is taken. */
void dtbl_kmu_wire(dtbl_kmu *k, const dtbl_ports *scheduler, bool host, dtbl_at_ports *kernel,
                   bool *entered);
bool dtbl_kmu_edge(dtbl_kmu *k, wf_error *err);

#endif
