/* Records of groups in memory: the ring that they lie in; what the unit reads and writes, at the L2
 * slices; answers on their way to its port. */
#ifndef WF_UNITS_DTBL_RECORDS_H
#define WF_UNITS_DTBL_RECORDS_H

#include "sim/seam/unit.h"
#include "sim/units/dtbl/dtbl.h"
#include "sim/units/dtbl/dtbl_book.h"
#include "sim/units/dtbl/ports.h"

/* A read on its way: of a record, or with dtbl.lines of a line, by its number. */
typedef struct dtbl_flight {
  bool waiting;  /* the unit waits for its answer; false with beats_left: nobody does any more */
  bool nothing;  /* a line outside memory */
  uint32_t addr; /* of the first record */
  unsigned beats_left, sent; /* beats that L2 owes; records handed over */
  uint64_t asked, here_at;
} dtbl_flight;

/* The first four are the caller's. Others set rest, and read n_waiting and the counters. */
typedef struct dtbl_records {
  const wf_unit_env *env;
  const dtbl_settings *set;
  const dtbl_ports *port;
  dtbl_book *book;
  uint32_t ring_base; /* 0: not yet */
  dtbl_flight flights[DTBL_MAX_LINES];
  unsigned n_waiting, coming, answering; /* waiting flights; those whose beats L2 owes; the one on
                                            the port */
  bool rest;                             /* between kernels: answers take no time */
  uint64_t written, read, answers, latency;
} dtbl_records;

/* Before the first kernel whose threads launch: others run at the addresses that they have without
 * the unit. False: *err. */
bool dtbl_records_provide_ring(dtbl_records *r, wf_error *err);
/* Memory's side of the ports in one cycle. False: *err. */
bool dtbl_records_tick(dtbl_records *r, wf_error *err);
/* Puts an answer of memory on the port; true: it is taken at this edge, and after it
 * dtbl_records_answered() is called. */
bool dtbl_records_answer(dtbl_records *r);
void dtbl_records_answered(dtbl_records *r);
/* A fetch that is left when all is done is answered at once, by nobody. False: it is none. */
bool dtbl_records_leave(dtbl_records *r);
/* The record of the group whose first block the unit shows: what it read must have been written. */
bool dtbl_records_check(dtbl_records *r, const dtbl_offer *o, wf_error *err);

#endif
