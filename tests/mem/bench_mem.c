/* Host time of a core cycle of the memory system, idle to saturated, and what it delivered. The
 * time includes making and taking the packets, some 50 ns a cycle when all SMs ask. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/wf_rng.h"
#include "tests/mem/gtx480.h"

typedef struct load {
  const char *name;
  unsigned per_1024;   /* chance of a request per SM and cycle, of 1024 */
  unsigned in_flight;  /* most requests per SM */
  unsigned write_1024; /* of these, writes */
  uint64_t footprint;  /* bytes addressed */
  bool stream;
} load;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const load *l, uint64_t cycles) {
  wf_mem_config config = gtx480();
  wf_error err = {0};
  wf_mem *mem = wf_mem_create(&config, NULL, &err);
  if (!mem) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  wf_rng rng;
  wf_rng_seed(&rng, 1);
  unsigned in_flight[64] = {0};
  uint64_t next = 0, done = 0;
  double start = seconds();
  for (uint64_t c = 0; c < cycles; c++) {
    for (unsigned sm = 0; l->per_1024 && sm < config.n_sm; sm++) {
      if (in_flight[sm] >= l->in_flight) continue;
      uint64_t r = wf_rng_next(&rng);
      if ((r & 1023) >= l->per_1024) continue;
      uint64_t line = l->stream ? next++ : (r >> 20) % (l->footprint / 128);
      bool write = (r >> 10 & 1023) < l->write_1024;
      wf_packet p = {.address = line * 128 % l->footprint,
                     .bytes = write ? 128 : 0,
                     .reply_bytes = write ? 0 : 128,
                     .kind = write ? WF_PKT_WRITE : WF_PKT_READ,
                     .sectors = 15,
                     .full_sectors = write ? 15 : 0};
      if (wf_mem_send(mem, sm, &p)) in_flight[sm]++;
    }
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1) {
      unsigned sm = (unsigned)__builtin_ctzll(m);
      wf_mem_pop(mem, sm);
      in_flight[sm]--;
      done++;
    }
    wf_mem_tick(mem);
  }
  double total = seconds() - start;
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  printf("%-26s %7.1f ns/cycle  %5.3f blocks/cycle  DRAM busy %4.1f %%  row hits %4.1f %%  L2 hits "
         "%4.1f %%\n",
         l->name, 1e9 * total / (double)cycles, (double)done / (double)cycles,
         100.0 * (double)n->dram.busy_cycles / (double)n->dram.cycles,
         100.0 * (double)n->dram.row_hits / (double)(n->dram.row_hits + n->dram.row_misses + 1),
         100.0 * (double)n->l2.hits / (double)(n->l2.reads + n->l2.writes + 1));
  wf_mem_destroy(mem);
}

int main(int argc, char **argv) {
  uint64_t cycles = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
  static const load LOADS[] = {
      {"idle", 0, 0, 0, 1u << 30, false},
      {"one read at a time", 1024 / 15, 1, 0, 1u << 30, false},
      {"light random reads", 4, 64, 0, 1u << 30, false},
      {"random reads, 1 a cycle", 69, 64, 0, 1u << 30, false},
      {"saturated random reads", 1024, 64, 0, 1u << 30, false},
      {"saturated random rd+wr", 1024, 64, 300, 1u << 30, false},
      {"saturated streaming reads", 1024, 64, 0, 1u << 30, true},
      {"saturated L2 hits", 1024, 64, 0, 1u << 18, false},
  };
  for (size_t i = 0; i < sizeof LOADS / sizeof LOADS[0]; i++)
    if (argc < 3 || strcmp(argv[2], LOADS[i].name) == 0) run(&LOADS[i], cycles);
  return 0;
}
