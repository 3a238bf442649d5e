/* Bench of dtbl_scheduler: drives its ports, compares every output at every edge with the reference
 * model, lets the judge look, and plays the memory that holds groups' records. With Lines, of which
 * the model knows nothing, the judge alone looks; memory then answers lines' beats in any mixture,
 * at random with what was there when a line was asked for or with what is there now. */
#ifndef DTBL_BENCH_H
#define DTBL_BENCH_H

#include "sim/units/dtbl/ports.h"
#include "tb/common/wf_bench.h"
#include "tb/dtbl/dtbl_cover.h"
#include "tb/dtbl/dtbl_score.h"

enum { DTBL_MEMORY_WORDS = 4096, DTBL_MAX_LINES = 64, DTBL_RECORDS = 8 };

/* A line on its way. Of a record that is written meanwhile either value may come. */
typedef struct dtbl_flight {
  bool busy, early; /* early: what was there when it was asked for */
  uint32_t addr;
  unsigned sent;
  uint64_t ready_at;
  uint32_t word[DTBL_RECORDS][4];
} dtbl_flight;

/* Tests may read it; what changes it are the functions below and those of wf_bench.h. */
typedef struct dtbl_bench {
  wf_bench base;
  dtbl_ports p;
  dtbl_ref ref;
  dtbl_score score;
  dtbl_shape shape;
  dtbl_out out; /* what the unit shows in this cycle */
  unsigned latency, mem_percent;
  struct {
    uint32_t addr, word[4];
  } memory[DTBL_MEMORY_WORDS]; /* records, hashed by their pointers; addr 0: empty */
  bool reading, answering;
  uint32_t read_addr;
  uint64_t read_at;
  unsigned ring;  /* its records; 0: none */
  unsigned lines; /* kept by the unit; then reads are of lines, and only the judge looks: the model
                     has none */
  dtbl_flight flights[DTBL_MAX_LINES];
  uint32_t record[DTBL_MEMORY_WORDS][4]; /* with lines: memory from address 0 */
  dtbl_cover cover;
} dtbl_bench;

extern const wf_bench_class dtbl_bench_class;

/* Largest value of a field: bits of "PcBits" and its like */
uint32_t dtbl_bench_mask(const dtbl_bench *b, const char *parameter);
/* Memory answers a read after this many edges, and takes a request in `percent` of them. */
void dtbl_bench_memory(dtbl_bench *b, unsigned latency, unsigned percent);
/* One edge. mem_ready and rsp_* of *in are the bench's.
 * False after the first failure. */
bool dtbl_bench_cycle(dtbl_bench *b, const dtbl_in *in);
#endif
