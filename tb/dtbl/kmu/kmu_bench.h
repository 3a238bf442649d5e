/* Bench of dtbl_kmu: kernels and groups in, kernels out, with a memory that stalls and a scheduler
 * that asks the same port; before every edge all that it says is compared with a model of the
 * header's rules: who begins when, in which order kernels leave, that each is as it came; whose
 * turn it is at the port, and whose answer comes. */
#ifndef KMU_BENCH_H
#define KMU_BENCH_H

#include "sim/units/dtbl/ports.h"
#include "tb/common/wf_bench.h"

enum { KMU_FIELDS = 10, KMU_MOST = 4096, KMU_WORDS = 1 << 19 };

typedef struct kmu_kernel {
  uint32_t field[KMU_FIELDS]; /* as dtbl_kernel_ports has them */
} kmu_kernel;

#define KMU_COUNTERS(X)                                                                            \
  X(kmu_launches), X(kmu_groups), X(kmu_kernels), X(kmu_no_entry), X(kmu_spilled), X(kmu_lines),   \
      X(kmu_refilled), X(kmu_stalls)
#define KMU_BINS(X)                                                                                \
  X(launch_waits_for_group), X(begins_at_once), X(begins_with_kdone), X(all_ways), X(no_entry),    \
      X(kept_on_chip), X(memory_full), X(line_of_one), X(line_of_four), X(line_from_within),       \
      X(write_while_reading), X(memory_empty_again), X(late_from_memory), X(taken_late),           \
      X(several_due), X(host), X(not_ready), X(side_alone), X(side_waits), X(side_after_own),      \
      X(own_after_side), X(own_held), X(side_stalls), X(side_rests), X(back), X(back_waits)
#define KMU_BIN_(name) KMU_BIN_##name
typedef enum kmu_bin { KMU_BINS(KMU_BIN_), KMU_BIN_COUNT } kmu_bin;
#define KMU_CNT_(name) KMU_CNT_##name
typedef enum kmu_counter { KMU_COUNTERS(KMU_CNT_), KMU_CNT_COUNT } kmu_counter;

/* Of one edge. */
typedef struct kmu_offer {
  const kmu_kernel *group, *launch; /* NULL: none */
  bool kern_ready, kdone, host;
  bool side; /* the scheduler asks, if it does not yet */
} kmu_offer;
typedef struct kmu_taken {
  bool group, launch, kern, side;
} kmu_taken;

/* What the scheduler asks. */
typedef struct kmu_side {
  bool asks, write;
  uint32_t addr, mask, id, word[4];
  unsigned passed; /* requests of kernels that went since it asks */
} kmu_side;
/* What the port has shown last. */
typedef struct kmu_shown {
  bool offered, own; /* offered: and not taken; own: of kernels */
  uint32_t addr;
} kmu_shown;

/* One that came and was not taken. */
typedef struct kmu_waiting {
  kmu_kernel kernel;
  uint64_t came, over; /* edges: of its transfer; of the end of its dispatch, if it has begun */
} kmu_waiting;

/* Tests set the percents and the latency, and may read the rest. */
typedef struct kmu_bench {
  wf_bench base;
  dtbl_kmu_ports p;
  unsigned kdes, ways, dispatch, burst, entries, ring;
  uint32_t ring_base;
  unsigned mem_percent, rsp_percent, latency;
  kmu_waiting waiting[KMU_MOST]; /* a ring */
  unsigned first, n, begun;      /* begun: of the n */
  unsigned free, entered;        /* entries; kernels that hold one */
  bool was_no_entry;
  uint32_t word[KMU_WORDS][4]; /* of memory */
  uint64_t halves;             /* that were written */
  uint64_t back;               /* records that came back */
  bool reading, old;           /* old: what it found is as of its transfer */
  uint32_t line[8][4];
  unsigned beat, line_first, line_end;
  uint64_t answer_at, settled; /* settled: since when nothing is in memory */
  kmu_side side;
  kmu_shown shown;
  unsigned back_percent; /* of cycles, in which an answer for the scheduler comes */
  bool back_offered;     /* one that stands: */
  uint32_t back_beat, back_id;
  bool own_before; /* what memory took last was of kernels */
  uint64_t counter[KMU_CNT_COUNT];
} kmu_bench;

extern const wf_bench_class kmu_bench_class;

kmu_kernel kmu_bench_kernel(kmu_bench *b);
/* One edge; NULL: nothing, and kern is not taken. False after the first failure. */
bool kmu_bench_cycle(kmu_bench *b, const kmu_offer *offer, kmu_taken *taken);
/* Records in memory. */
uint64_t kmu_bench_in_memory(const kmu_bench *b);

#endif
