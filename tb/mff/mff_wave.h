/* One gather on the configuration "small", cycle by cycle: what the README's waveform shows. */
#ifndef MFF_WAVE_H
#define MFF_WAVE_H

#include "tb/mff/mff_bench.h"

enum { MFF_WAVE_MAX_EVENTS = 64, MFF_WAVE_LATENCY = 20 };

typedef struct mff_wave_event {
  uint64_t cycle; /* since the cycle in which the header flit is taken */
  unsigned slice;
  mff_event_kind kind;
  uint32_t value;
} mff_wave_event;

typedef struct mff_wave {
  mff_wave_event event[MFF_WAVE_MAX_EVENTS];
  unsigned count;
} mff_wave;

/* The gather of figure 6 of the paper: lane 1 reads C[8], whose value 3 names V[3]; lane 0 reads
 * C[0..7], V[3] among them. C lies in slice 0's partition, V in slice 1's. Memory answers after
 * MFF_WAVE_LATENCY cycles. `fst`: waveform to write, or NULL. Needs a bench of configuration small.
 */
bool mff_wave_gather(mff_bench *b, const char *fst, mff_wave *wave);

#endif
