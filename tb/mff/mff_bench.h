/* Bench of mff_unit: commands in, a memory behind it, and a scoreboard that knows what every
 * response, read and write must be. Transaction level, independent of how the unit works inside.
 *
 * Checked on every cycle:
 *   each active (lane, i) of a gather is answered exactly once, with the word that memory holds;
 *   done comes exactly once per command, after its last word, with the right status and count;
 *   when a scatter is done its bits are in memory; a write only sets bits that some command named;
 *   a read or write goes to the slice that owns it, and no block is read twice at a time;
 *   an offer on an output port is repeated unchanged until it is taken.
 * All stimuli and stalls come from one seed. */
#ifndef MFF_BENCH_H
#define MFF_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_rng.h"
#include "tb/common/wf_bench.h"
#include "tb/mff/mff_flits.h"

/* Percent of cycles in which the bench holds a channel back; bursts of up to `burst` cycles. */
typedef struct mff_bench_options {
  uint64_t seed;
  unsigned stall_cmd, stall_rsp, stall_read, stall_beat, stall_write; /* 0 .. 99 percent */
  unsigned burst;                    /* longest stall in cycles, 1 or more */
  unsigned latency_min, latency_max; /* of a block read, cycles */
  bool in_order;                     /* blocks come back in the order of the reads */
  bool overlap;        /* V and the bit vector overlap: words may miss or show bits being set */
  unsigned hang_after; /* cycles without any transfer that count as a hang */
} mff_bench_options;

enum { MFF_BENCH_MEMORY_BYTES = 1 << 22, MFF_BENCH_WINDOWS = 3 };

/* A part of the bench's memory that the unit sees at another address: `bytes` bytes at `offset` lie
 * at `address` of the unit's 32-bit space, and may wrap at its end. All three are multiples of
 * MFF_BLOCK_BYTES. */
typedef struct mff_window {
  uint32_t address, offset, bytes;
} mff_window;

typedef struct mff_bench_stats {
  uint64_t cycles, commands, refused, elements, words, bits, data_flits;
  uint64_t blocks_read, sectors_written, blocks_written;
  uint64_t
      rsp_stalls; /* cycles in which a slice offered a response and the bench did not take it */
  uint64_t longest_command; /* cycles from first flit taken to done */
} mff_bench_stats;

typedef struct mff_bench mff_bench;

/* Builds (if needed) and loads the model; resets it. NULL with *err. MFF_UNIT in the environment
 * names another unit.ini to build from (mutants). */
mff_bench *mff_bench_create(const char *config, const char *parameters, const char *variant,
                            const mff_bench_options *options, wf_error *err);
void mff_bench_destroy(mff_bench *b);

uint32_t *mff_bench_memory(mff_bench *b); /* MFF_BENCH_MEMORY_BYTES / 4 words, offset 0 first */
/* Places memory in the unit's address space; windows must not overlap, 0 bytes means none. At first
 * all memory lies at address 0. Call it while no command is in the unit. */
void mff_bench_place(mff_bench *b, const mff_window windows[MFF_BENCH_WINDOWS]);
unsigned mff_bench_slices(const mff_bench *b);
const mff_bench_stats *mff_bench_statistics(const mff_bench *b);
void mff_bench_set_options(mff_bench *b, const mff_bench_options *options);

/* Writes a configuration register (waits until the unit takes it). Afterwards the bench uses it. */
bool mff_bench_configure(mff_bench *b, uint32_t reg, uint32_t value);

/* Queues a command at a slice's port; by_lane as in mff_pack_command. The bench works out what must
 * come of it; extra_flits is added to the flit count and as many flits (a framing error), 0 or 1.
 * (sm, warp, tag) must not be outstanding. Call it when V and C hold what they shall hold. */
void mff_bench_send(mff_bench *b, unsigned slice, const mff_cmd_header *header,
                    const mff_lane by_lane[MFF_LANES], unsigned extra_flits);
bool mff_bench_outstanding(const mff_bench *b, uint32_t sm, uint32_t warp, uint32_t tag);
unsigned mff_bench_pending(const mff_bench *b);                /* commands sent and not done */
unsigned mff_bench_queued(const mff_bench *b, unsigned slice); /* flits not yet taken */

/* One clock cycle; false after the first failure. */
bool mff_bench_cycle(mff_bench *b);
/* Runs until every command is done and the unit is idle. */
bool mff_bench_drain(mff_bench *b);
/* After drain: memory is what it was at the last mff_bench_mark() plus the named bits, and the
 * unit's counters agree with the bench's. */
bool mff_bench_check_end(mff_bench *b);
/* Remembers memory as the base of scatter checks. Call it after filling memory. */
void mff_bench_mark(mff_bench *b);

/* Resets the unit, whatever it is doing, and forgets every command; memory stays as it is. */
bool mff_bench_reset(mff_bench *b);

/* The instance, cycle, random numbers, the first failure. */
wf_bench *mff_bench_base(mff_bench *b);

/* One event per transfer on a port of slice 0 .. n-1, for tests that assert cycles. */
typedef enum {
  MFF_EV_CMD,
  MFF_EV_READ,
  MFF_EV_BEAT,
  MFF_EV_WRITE,
  MFF_EV_DATA,
  MFF_EV_DONE
} mff_event_kind;
typedef void (*mff_event_fn)(void *user, uint64_t cycle, unsigned slice, mff_event_kind kind,
                             uint32_t value);
void mff_bench_on_event(mff_bench *b, mff_event_fn fn, void *user);

uint64_t mff_bench_counter(mff_bench *b, unsigned slice, unsigned index); /* of the last snapshot */
void mff_bench_snapshot(mff_bench *b);

#endif
