/* Bench of mff_unit: commands in, a memory behind it, and a scoreboard that knows what every
 * response, read and write must be. Transaction level, independent of how the unit works inside.
 *
 * Checked on every cycle:
 *   each active (lane, i) of a gather is answered exactly once, with the word that memory holds;
 *   done comes exactly once per command, after its last word, with the right status and count;
 *   what the fields of a response leave open is 0;
 *   when a scatter is done its bits are in memory; a write only sets bits that some command named,
 *   and has no word without one;
 *   a read or write goes to the slice that owns it, and no block is read twice at a time;
 *   an offer on an output port is repeated unchanged until it is taken.
 * All stimuli and stalls come from one seed.
 *
 * With WF_UNIT=rtl/mff_unit/mff_axi4.ini, or mff_tlul.ini, the same goes through a bus: its checks
 * of single reads and of sectors are those of tb/common/wf_bus.h then. */
#ifndef MFF_BENCH_H
#define MFF_BENCH_H

#include "sim/units/mff/mff_flits.h"
#include "sim/units/mff/ports.h"
#include "tb/common/wf_bus.h"

/* Percent of cycles in which the bench holds a channel back; bursts of up to `burst` cycles. */
typedef struct mff_bench_options {
  unsigned stall_cmd, stall_rsp, stall_read, stall_beat, stall_write; /* 0 .. 99 percent */
  unsigned burst;                    /* longest stall in cycles, 1 or more */
  unsigned latency_min, latency_max; /* of a block read, cycles */
  unsigned latency_v;                /* more, of blocks that V asks for */
  bool in_order;                     /* blocks come back in the order of the reads */
  bool overlap;        /* V and the bit vector overlap: words may miss or show bits being set */
  unsigned hang_after; /* cycles without any transfer that count as a hang */
} mff_bench_options;

enum { MFF_BENCH_MEMORY_BYTES = 1 << 22, MFF_BENCH_WINDOWS = 3, MFF_BENCH_BLOCK_MOST = 256 };

/* A part of the bench's memory that the unit sees at another address: `bytes` bytes at `offset` lie
 * at `address` of the unit's space of AddrBits, and may wrap at its end. All three are multiples of
 * the unit's blocks. */
typedef struct mff_window {
  uint64_t address;
  uint32_t offset, bytes;
} mff_window;

typedef struct mff_bench_stats {
  uint64_t cycles, commands, refused, elements, words, bits, data_flits;
  uint64_t blocks_read, sectors_written, blocks_written;
  uint64_t
      rsp_stalls; /* cycles in which a slice offered a response and the bench did not take it */
  uint64_t longest_command; /* cycles from first flit taken to done */
} mff_bench_stats;

enum { MFF_MAX_SLICES = 24, MFF_BENCH_WORDS = MFF_BENCH_MEMORY_BYTES / 4 };

/* What must come of one command. */
typedef struct mff_record {
  mff_cmd_header header;
  mff_lane lane[MFF_LANES];
  uint32_t seen[MFF_LANES];
  uint32_t expected, received;
  bool error, open;
  uint64_t begun;
} mff_record;

typedef struct mff_read {
  uint64_t address, due;
  uint32_t id;
  uint32_t data[MFF_BENCH_BLOCK_MOST / 4];
} mff_read;

/* One slice's side of the bench. */
typedef struct mff_slice_state {
  uint32_t (*flits)[MFF_FLIT_WORDS]; /* command flits not yet taken */
  uint32_t *flit_record;             /* record of a header flit, else ~0 */
  size_t flit_head, flit_count, flit_room;
  mff_read *reads; /* outstanding */
  unsigned read_count, most_reads;
  bool beating; /* reads[0] is being returned */
  unsigned beat;
  bool cmd_held, beat_held; /* an offer not taken yet stays */
  unsigned stall[5];        /* cycles left to hold back: cmd, rsp, read, beat, write */
  /* offers of the unit seen in the cycle before and not taken */
  bool rsp_held, rd_held, wr_held;
  uint32_t rsp_old[MFF_FLIT_WORDS], rd_old[3], wr_old[MFF_FLIT_WORDS + 3];
  uint32_t written; /* sectors that this write-back has written so far, a bit each */
} mff_slice_state;

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

/* Tests may read it, fill `memory`, choose `options` and ask for events; what else changes it are
 * the functions below and those of wf_bench.h. */
typedef struct mff_bench {
  wf_bench base;
  mff_bench_options options; /* as quick as can be, until they are set */
  mff_host_ports p;
  mff_memory_ports m;               /* bus: unset */
  wf_bus *bus;                      /* NULL: memory is at the unit's own ports */
  unsigned slices, interleave, sms; /* sms: that its flits can name */
  bool hash;                        /* slices are found by it */
  unsigned block_bytes, elem_bytes; /* of a memory block, of an element of V */
  uint64_t address_mask;            /* of AddrBits */
  uint64_t base_address[3];         /* of C, V and the bit vector */
  mff_window window[MFF_BENCH_WINDOWS];
  uint32_t *memory;         /* MFF_BENCH_WORDS words, offset 0 first */
  uint32_t *marked, *named; /* named: bits that scatters may set */
  mff_slice_state slice[MFF_MAX_SLICES];
  mff_record *records;
  size_t record_count, record_room;
  int32_t *by_key;  /* index of the open record of (sm, warp, tag), or -1 */
  unsigned pending; /* commands sent and not done */
  uint64_t last_transfer, bad_cfg;
  uint64_t newest_done; /* when the youngest command that is done began */
  mff_bench_stats stats;
  mff_event_fn event; /* NULL: nobody asks */
  void *event_user;
} mff_bench;

extern const wf_bench_class mff_bench_class;

/* Places memory in the unit's address space; windows must not overlap, 0 bytes means none. At first
 * all memory lies at address 0. Call it while no command is in the unit. */
void mff_bench_place(mff_bench *b, const mff_window windows[MFF_BENCH_WINDOWS]);
/* Writes a configuration register (waits until the unit takes it). Afterwards the bench uses it. */
bool mff_bench_configure(mff_bench *b, uint32_t reg, uint64_t value);

/* Queues a command at a slice's port; by_lane as in mff_pack_command. The bench works out what must
 * come of it; extra_flits is added to the flit count and as many flits (a framing error), 0 or 1.
 * (sm, warp, tag) must not be outstanding. Call it when V and C hold what they shall hold. */
void mff_bench_send(mff_bench *b, unsigned slice, const mff_cmd_header *header,
                    const mff_lane by_lane[MFF_LANES], unsigned extra_flits);
bool mff_bench_outstanding(const mff_bench *b, uint32_t sm, uint32_t warp, uint32_t tag);

/* One clock cycle; false after the first failure. */
bool mff_bench_cycle(mff_bench *b);
/* Memory, as a slice's port reads and writes it: it must own what lies there. */
bool mff_bench_read(mff_bench *b, unsigned slice, uint64_t address, uint32_t bytes, void *data);
void mff_bench_write(mff_bench *b, unsigned slice, uint64_t address, uint32_t mask, unsigned words,
                     const uint32_t *data);
/* Runs until every command is done and the unit is idle. */
bool mff_bench_drain(void *bench);
/* After drain: memory is what it was at the last mff_bench_mark() plus the named bits, and the
 * unit's counters agree with the bench's. */
bool mff_bench_check_end(mff_bench *b);
/* Remembers memory as the base of scatter checks. Call it after filling memory. */
void mff_bench_mark(mff_bench *b);

uint64_t mff_bench_counter(mff_bench *b, unsigned slice, unsigned index); /* of the last snapshot */
void mff_bench_snapshot(mff_bench *b);

#endif
