/* Bench of wf_axi4 and wf_tlul: a unit that reads blocks and writes sectors of a small memory, and
 * a bus that answers as it likes (wf_bus.h).
 *
 * Checked on every cycle: a block comes back once, in whole, beats in a row and in order, with its
 * tag; each byte is what was written before the read was taken or since then, and 0 where memory
 * failed; the error of a block is told; nothing passes a write of its sector, and no read one of
 * its block; a fence is over when the writes before it are answered, and not before. */
#ifndef BUS_BENCH_H
#define BUS_BENCH_H

#include "tb/common/wf_bus.h"

#define BUS_PORTS(IN, OUT, P)                                                                      \
  IN(rd_valid, 1), OUT(rd_ready, 1), IN(rd_addr, P(AddrBits)), IN(rd_tag, P(TagBits)),             \
      OUT(rsp_valid, 1), IN(rsp_ready, 1), OUT(rsp_tag, P(TagBits)), OUT(rsp_beat, P(BeatW)),      \
      OUT(rsp_last, 1), OUT(rsp_error, 1), OUT(rsp_data, P(BeatBits)), IN(wr_valid, 1),            \
      OUT(wr_ready, 1), IN(wr_addr, P(AddrBits)), IN(wr_mask, P(MaskW)), IN(wr_data, P(BeatBits)), \
      IN(fence, 1), OUT(fence_done, 1), OUT(rd_error, 1), OUT(wr_error, 1),                        \
      WF_PORTS_COMMON(IN, OUT, 4)
WF_PORTS(bus_unit, BUS_PORTS)

enum { BUS_BLOCK = 128, BUS_MEMORY = 1 << 13, BUS_READS = 64, BUS_LOG = 8192 };

#define BUS_BINS(X)                                                                                \
  X(read_waits_for_slot), X(read_waits_for_write), X(write_waits), X(answers_pass), X(words_mix),  \
      X(narrow_write), X(read_failed), X(write_failed), X(beat_held), X(fence_waits),              \
      X(block_while_writing)
#define BUS_BIN(name) BUS_BIN_##name
typedef enum { BUS_BINS(BUS_BIN), BUS_BIN_COUNT } bus_bin;

typedef struct bus_read {
  uint64_t address, tag, taken, sampled; /* taken, sampled: edges */
  uint8_t was[BUS_BLOCK], bad[BUS_BLOCK];
} bus_read;

typedef struct bus_write {
  uint64_t address, taken;
  uint8_t data[BUS_BLOCK], strobe[BUS_BLOCK];
} bus_write;

/* What is offered; NULL: nothing. */
typedef struct bus_offers {
  const uint64_t *read; /* an address */
  const bus_write *write;
  bool rsp_ready, fence;
} bus_offers;
typedef struct bus_taken {
  bool read, write;
} bus_taken;

typedef struct bus_bench {
  wf_bench base;
  bus_unit_ports p;
  wf_bus *bus;
  wf_bus_options options;
  unsigned block, sector, part; /* bytes: of a block, of a sector and beat, of a mask's bit */
  uint64_t size;                /* of memory */
  uint8_t memory[BUS_MEMORY], now[BUS_MEMORY];     /* now: with what is on its way */
  uint8_t pending[BUS_MEMORY], fenced[BUS_MEMORY]; /* bytes on their way; before the fence */
  bus_read reads[BUS_READS];
  unsigned n_reads, beat, at; /* at: the read whose beats come */
  bus_write log[BUS_LOG];     /* the last ones that were taken */
  uint64_t n_writes, n_taken, n_beats_held, next_tag;
  bool held;
  uint32_t old[BUS_BLOCK / 4 + 4];
} bus_bench;

extern const wf_bench_class bus_bench_axi4, bus_bench_tlul;

bool bus_bench_cycle(bus_bench *b, const bus_offers *offers, bus_taken *taken);
bool bus_bench_drain(void *bench);
/* What the unit counted, against what the bench saw. */
bool bus_bench_check(bus_bench *b);

#endif
