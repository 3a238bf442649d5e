#include "tb/mff/mff_bus.h"

#include <string.h>

static bool read_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes, uint8_t *data) {
  return mff_bench_read(user, lane, address, bytes, data);
}

/* Words are written as wholes, so the bus has 32 bits at least. */
static bool write_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes,
                        const uint8_t *data, const uint8_t *strobe, bool failed) {
  mff_bench *b = user;
  uint32_t words[MFF_FLIT_WORDS], mask = 0;
  if (failed) return wf_bench_fail(&b->base, "no write was to fail");
  if (bytes < 4 || bytes > MFF_BEAT_BYTES)
    return wf_bench_fail(&b->base, "a write of %u bytes", bytes);
  memcpy(words, data, bytes);
  for (unsigned w = 0; w < bytes / 4; w++) {
    const unsigned set = strobe[4 * w] + strobe[4 * w + 1] + strobe[4 * w + 2] + strobe[4 * w + 3];
    if (set % 4) return wf_bench_fail(&b->base, "a word is written in part");
    if (set) mask |= 1u << w;
  }
  mff_bench_write(b, lane, address, mask, bytes / 4, words);
  return !b->base.failure[0];
}

wf_bus *mff_bus_open(mff_bench *b) {
  return wf_bus_create(&b->base, b->slices, &(wf_bus_side){read_bytes, write_bytes, NULL, b});
}

void mff_bus_cycle(mff_bench *b) {
  const mff_bench_options *o = &b->options;
  const unsigned share = wf_bus_is_axi(b->bus) ? 1 : 4; /* a block is several messages of TL-UL */
  wf_bus_cycle(b->bus,
               &(wf_bus_options){.stall_ask = o->stall_read / share,
                                 .stall_data = o->stall_write,
                                 .stall_answer = o->stall_beat / share,
                                 .burst = o->burst,
                                 .latency_min = o->latency_min,
                                 .latency_max = o->latency_max,
                                 .in_order = o->in_order},
               b->base.cycle);
}
