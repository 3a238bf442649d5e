/* Bench of laperm_scheduler: drives its ports, lets the reference model judge every edge, and plays
 * the memory that holds groups' records. With Lines memory answers lines' beats in any mixture, at
 * random with what was there when a line was asked for or with what is there now. */
#ifndef LAPERM_BENCH_H
#define LAPERM_BENCH_H

#include "sim/units/laperm/ports.h"
#include "tb/common/wf_bench.h"
#include "tb/laperm/laperm_ref.h"

enum { LAPERM_RECORDS = 4096, LAPERM_MAX_LINES = 64, LAPERM_LINE = 8 };

/* A read on its way, of a record or a line. Of a record that is written meanwhile either value may
 * come. */
typedef struct laperm_flight {
  bool busy, early; /* early: what was there when it was asked for */
  uint32_t at;      /* number of the first record */
  unsigned sent;
  uint64_t ready_at;
  uint32_t word[LAPERM_LINE][4];
} laperm_flight;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct laperm_bench {
  wf_bench base;
  laperm_ports p;
  laperm_ref ref;
  laperm_shape shape; /* its policy counts from the next reset, or laperm_bench_policy() */
  laperm_out out;     /* what the unit shows in this cycle */
  unsigned latency, mem_percent, lines;
  bool silent;
  laperm_flight flights[LAPERM_MAX_LINES];
  uint32_t record[LAPERM_RECORDS][4]; /* memory from address 0 */
} laperm_bench;

extern const wf_bench_class laperm_bench_class;

/* Largest value of a field: bits of "PcBits" and its like. */
uint32_t laperm_bench_mask(const laperm_bench *b, const char *parameter);
/* Memory answers a read after this many edges, and takes a request in `percent` of them. */
void laperm_bench_memory(laperm_bench *b, unsigned latency, unsigned percent);
/* Memory answers nothing while it is silent. */
void laperm_bench_silence(laperm_bench *b, bool silent);
/* Another policy, of a unit in which nothing is under way. */
void laperm_bench_policy(laperm_bench *b, laperm_policy policy);
/* One edge. mem_ready of *in is the bench's. False after the first failure. */
bool laperm_bench_cycle(laperm_bench *b, const laperm_in *in);
/* Nothing is under way: no block waits; the counters that ports tell, what must hold between the
 * others, and that they stay as they were read. */
bool laperm_bench_counters(laperm_bench *b);
/* Clears them; all must read 0. */
bool laperm_bench_clear(laperm_bench *b);
/* A counter of the unit, of which nothing is under way. */
uint64_t laperm_bench_counter(laperm_bench *b, laperm_counter c);
#endif
