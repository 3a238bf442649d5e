/* Records of groups in memory, of a scheduler of thread blocks in RTL: the ring that they lie in;
 * what the unit reads and writes, at its port of the crossbar. As with SMs only timing travels
 * there: data are read and written in the order of the requests, when the port takes them. */
#ifndef WF_UNITS_RECORDS_H
#define WF_UNITS_RECORDS_H

#include "sim/model/wf_ports.h"
#include "sim/seam/dispatch.h"
#include "sim/seam/unit.h"

/* Numbers of reads at once: a user's lines, and one of a second user. */
enum { WF_RECORD_LINES = 64, WF_RECORD_FLIGHTS = WF_RECORD_LINES + 1, WF_RECORD_LINE = 128 };

/* A read on its way: of a record, or with lines of a line, by its number. */
typedef struct wf_record_flight {
  bool waiting;   /* the unit waits for its answer */
  bool here;      /* which no packet of the crossbar holds */
  unsigned sent;  /* records handed over */
  uint64_t asked; /* cycle of the request */
  uint8_t data[WF_RECORD_LINE];
} wf_record_flight;

typedef struct wf_record_ports {
  const wf_port *ring_base, *mem_valid, *mem_ready, *mem_write, *mem_addr, *mem_mask, *mem_data,
      *mem_id, *rsp_valid, *rsp_ready, *rsp_data, *rsp_id, *rsp_beat;
} wf_record_ports;
/* From a unit's struct of ports. */
#define WF_RECORD_PORTS(p)                                                                         \
  {                                                                                                \
    (p)->ring_base, (p)->mem_valid, (p)->mem_ready, (p)->mem_write, (p)->mem_addr, (p)->mem_mask,  \
        (p)->mem_data, (p)->mem_id, (p)->rsp_valid, (p)->rsp_ready, (p)->rsp_data, (p)->rsp_id,    \
        (p)->rsp_beat                                                                              \
  }

/* Down to write the caller's. Others read n_waiting and the counters. A second user of the port
 * has a struct of its own, whose port and flights are not used. */
typedef struct wf_records {
  const wf_unit_env *env;
  const char *name;     /* of the ring's memory */
  unsigned lines, ring; /* settings: lines kept, places of the ring */
  struct wf_records *second;
  unsigned first_id; /* of a second one: ids from this one on are its */
  wf_record_ports port;
  void *book; /* is told where the ring lies, and what is written; either may be NULL: */
  void (*ring_at)(void *book, uint32_t base, uint32_t bytes);
  bool (*write)(void *book, uint32_t pointer, unsigned mask, const uint32_t words[4],
                wf_error *err);
  uint32_t ring_base; /* 0: not yet */
  wf_record_flight flights[WF_RECORD_FLIGHTS];
  unsigned n_waiting, n_here;                  /* waiting flights; of all at the port, here */
  unsigned answering;                          /* the flight on the port */
  bool offered;                                /* its record is there and not yet taken */
  uint64_t written, answers, latency, refused; /* refused: cycles without room in the crossbar */
} wf_records;

/* Its addresses have 32 bits: what it reads and writes itself lies below. What programs read and
 * write may lie anywhere. */
#define WF_RECORD_REACH (UINT64_C(1) << 32)
/* Do the grid's parameters, and its record below them? False: why not. */
bool wf_records_reach(const wf_grid *grid, char *why, size_t bytes);
/* Before the first kernel whose threads launch: others run at the addresses that they have without
 * the unit. False: *err. */
bool wf_records_provide_ring(wf_records *r, wf_error *err);
/* Memory's side of the ports in one core cycle. False: *err. */
bool wf_records_tick(wf_records *r, wf_error *err);
/* Puts an answer of memory on the port; true: there is one. If the unit takes it at this edge
 * wf_records_answered() is called after it. */
bool wf_records_answer(wf_records *r);
void wf_records_answered(wf_records *r);
/* A fetch of the first user's that is left when all is done is answered at once, by nobody. False:
 * it is none. */
bool wf_records_leave(wf_records *r);

#endif
