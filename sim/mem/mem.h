/* The memory side of the GPU: crossbar, L2 slices, DRAM channels, and the memory image.
 * A leaf: knows neither SMs nor units, only its ports. Every queue is finite and pushes back.
 *
 *   SM i --inject--> request crossbar --> partition p: L2 slice --> DRAM channel p
 *   SM i <--eject--- reply crossbar  <--  partition p
 *
 * A unit may sit in a partition, between crossbar and L2: packets of kind WF_PKT_UNIT stop there,
 * and the unit reads and writes lines of its slice (wf_mem_unit_*). One that the GPU has once may
 * have a port of the crossbar, as if it were one SM more.
 * Timing only travels here; data live in the image. Stores and atomics of SMs act on the image when
 * they issue; a unit's reads see the image when the data beat is delivered, its writes act when
 * the L2 slice takes them, and for one block those two happen in the order the unit asked. */
#ifndef WF_MEM_H
#define WF_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_rng.h"

/* ---- memory image: flat device memory, backed lazily by the host ---- */
#define WF_IMAGE_BASE 0x10000u /* first device address; below it every access is a fault */
typedef struct wf_image wf_image;
/* bytes: 1 .. 2^40; NULL and *err if the host cannot map them. Fresh memory reads as zero. */
wf_image *wf_image_create(uint64_t bytes, wf_error *err);
void wf_image_destroy(wf_image *image);
uint8_t *wf_image_data(wf_image *image); /* host address of WF_IMAGE_BASE */
uint64_t wf_image_bytes(const wf_image *image);
/* Allocates on the device, 256-byte aligned; 0 and *err when the modelled memory is full. */
uint64_t wf_image_alloc(wf_image *image, uint64_t bytes, const char *what, wf_error *err);
uint64_t wf_image_used(const wf_image *image);
/* What was allocated so far, in order. */
typedef struct wf_allocation {
  uint64_t at, bytes;
} wf_allocation;
const wf_allocation *wf_image_allocations(const wf_image *image, size_t *count);
/* Host pointer to a device range; NULL and *err if it is not inside memory. */
void *wf_image_at(wf_image *image, uint64_t address, uint64_t bytes, wf_error *err);

enum { WF_MAX_SMS = 144, WF_MAX_PARTS = 96 };

/* ---- configuration; all times in cycles of the domain named ---- */
/* What a store does to the L2: it stays there until its line is replaced, or goes on to DRAM and
 * takes the line along. */
typedef enum wf_l2_write { WF_L2_WRITE_BACK, WF_L2_WRITE_EVICT } wf_l2_write;
/* What a miss brings. */
typedef enum wf_l2_fill { WF_L2_FILL_SECTOR, WF_L2_FILL_LINE } wf_l2_fill;

typedef struct wf_mem_config {
  unsigned n_sm, n_part; /* 1..WF_MAX_SMS, 1..WF_MAX_PARTS */
  unsigned unit_port; /* 1: the crossbar has a port more, behind the SMs', for a unit of the GPU */
  /* l2_mhz is at most core_mhz, so that a core cycle has at most one L2 edge */
  unsigned core_mhz, noc_mhz, l2_mhz,
      dram_mhz;              /* dram: command clock (GDDR5: a quarter of the data rate) */
  unsigned line_bytes;       /* 128 */
  unsigned interleave_bytes; /* consecutive bytes in one partition: 256 */
  /* crossbar, per direction */
  unsigned flit_bytes;          /* 32 */
  unsigned noc_latency;         /* NoC cycles through the switch, without serialisation */
  unsigned noc_input_flits;     /* buffer at each input */
  unsigned noc_output_flits;    /* buffer at each output */
  unsigned noc_lookahead;       /* 1..8: packets of an input's buffer that may bid for outputs */
  unsigned packet_header_bytes; /* 8 */
  /* L2 slice (one per partition) */
  unsigned l2_bytes; /* per slice */
  unsigned l2_ways;
  unsigned l2_latency; /* L2 cycles from request taken to reply offered, on a hit */
  unsigned l2_mshrs, l2_mshr_merge;
  unsigned l2_queue; /* requests waiting at the slice */
  unsigned l2_hash;  /* 1: consecutive stripes go to the slices in an order that upper bits turn */
  /* The SMs and the slices are in two halves: L2 cycles that a request takes on top to the other
   * half's slices; 0: all are alike. */
  unsigned l2_far_latency;
  /* request coalescer in front of each slice: accesses on their way, requests of each; 0: none */
  unsigned l2_coalescer, l2_coalescer_merges;
  /* L2 cycles after which a reply that waits for room goes before requests that hit; 0: never. */
  unsigned l2_reply_patience;
  /* 1: what an SM wrote before is seen by its loads, also where a fill or an atomic is on its way
   */
  unsigned ordered;
  unsigned l2_write;  /* wf_l2_write */
  unsigned l2_fill;   /* wf_l2_fill */
  unsigned l2_bypass; /* wf_bypass_kind */
  unsigned l2_bypass_seed;
  unsigned
      l2_exclusive; /* 1: what DRAM brings for an L1 the L2 keeps once the L1 has replaced it */
  /* prefetcher in each slice: a wf_prefetch_kind that sees lines (prefetch.h); 0 of the others: its
   * own */
  unsigned l2_prefetch, l2_prefetch_degree, l2_prefetch_distance;
  /* DRAM channel (one per partition), in command clocks */
  unsigned dram_bus_bytes;       /* per data beat */
  unsigned dram_beats_per_clock; /* 4 for GDDR5 */
  unsigned dram_burst_beats;     /* 8 */
  unsigned dram_banks, dram_bank_groups, dram_row_bytes;
  unsigned dram_queue;   /* requests waiting per channel, reads and writes */
  unsigned dram_latency; /* fixed cycles of controller and pins, each way summed */
  unsigned tCL, tWL, tRCD, tRP, tRAS, tRC, tRRD, tCCDS, tCCDL, tWTR, tWR, tRTP, tRTW;
  unsigned tREFI, tRFC; /* 0: no refresh */
  /* 0: to a write as tRCD, in a bank group as tWTR, any number of activates. */
  unsigned tRCDW, tWTRL, tFAW;
  unsigned dram_row_bus; /* 1: commands to rows have pins of their own */
} wf_mem_config;

/* Every field checked against its legal range: false and *err naming key, value and range. */
bool wf_mem_config_check(const wf_mem_config *config, wf_error *err);

/* ---- packets ---- */
typedef enum wf_packet_kind {
  WF_PKT_READ,   /* a line or part of it; the reply carries the data */
  WF_PKT_WRITE,  /* no reply data; an acknowledgement of one flit comes back */
  WF_PKT_ATOMIC, /* performed in L2; always answered: payload if it returns values, else 1 flit */
  WF_PKT_UNIT,   /* to or from a unit in the partition */
  WF_PKT_VICTIM  /* a line that an L1 has replaced; never answered, and the L2 may drop it */
} wf_packet_kind;

#define WF_NO_PAYLOAD UINT32_MAX
typedef struct wf_packet {
  uint64_t address;     /* of the line, line-aligned (unit packets: any) */
  uint32_t id;          /* the requester's; comes back unchanged */
  uint32_t payload;     /* unit packets: handle of a payload buffer, or WF_NO_PAYLOAD */
  uint16_t bytes;       /* data bytes the request carries (write, atomic, unit) */
  uint16_t reply_bytes; /* data bytes the reply carries */
  uint8_t kind;
  uint8_t sm,
      part; /* the two ends; wf_mem_send() sets part from the address except for unit packets */
  uint8_t sectors;          /* mask of the 32-byte sectors touched */
  uint8_t full_sectors;     /* write: mask of the sectors written completely */
  uint8_t atomic_conflicts; /* atomic: most lanes on one word; each costs the L2 a cycle */
  uint8_t client;     /* unit packets: the unit's number; to an SM, set by wf_mem_unit_send() */
  uint8_t urgent : 1; /* read: what it misses DRAM serves before what is not urgent */
  uint8_t moves : 1;  /* read: the line leaves the L2 for the L1 */
  uint8_t to_l1 : 1;  /* read: the L1 keeps the line */
  uint8_t mode;       /* what the L1's unit asks of the slice; of a reply: what its judge says */
  uint8_t note;       /* the L1's unit's own; comes back unchanged; 0: nothing */
  uint16_t pc;        /* read, atomic: of the instruction, 16 bits of it; 0: of none */
  uint8_t hop_out, hop_flits; /* the crossbar's own: no meaning at either end */
  uint16_t entry;             /* the coalescer's own */
} wf_packet;

/* ---- the memory system ---- */
typedef struct wf_mem wf_mem;
/* NULL and *err if the configuration is not legal. image (not owned) may be NULL when no unit reads
 * or writes: then units read zeros and their writes go nowhere. */
wf_mem *wf_mem_create(const wf_mem_config *config, wf_image *image, wf_error *err);
/* Before the first cycle: its arbiters begin where `rng` says, not at their first input, and so do
 * the intervals of DRAM's refreshes. */
void wf_mem_order(wf_mem *mem, wf_rng *rng);
void wf_mem_destroy(wf_mem *mem);
unsigned wf_mem_partition(const wf_mem *mem, uint64_t address);

/* SM side; of the unit that has a port of its own (unit_port), as SM n_sm.
 * send: false = the input buffer has no room for the whole packet: try again next cycle.
 * The caller may test several packets a cycle; one is what an SM's port would manage.
 * Requests without sectors count as for the whole line. Data bytes: at most line_bytes, unit
 * packets 256. */
bool wf_mem_send(wf_mem *mem, unsigned sm, const wf_packet *packet);
/* Next complete packet in the SM's output buffer, or NULL; pop frees its room. A packet left
 * there blocks what is behind it. */
const wf_packet *wf_mem_peek(const wf_mem *mem, unsigned sm);
void wf_mem_pop(wf_mem *mem, unsigned sm);
/* SMs (the unit's port is none) from 64 * word on whose output buffer holds a complete packet, as a
 * bit mask. */
uint64_t wf_mem_pending_sms(const wf_mem *mem, unsigned word);

/* Payload buffers of unit packets: 256 bytes each. The pool is as large as the buffers that could
 * hold them, so allocation succeeds; the receiver frees. */
uint32_t wf_mem_payload_new(wf_mem *mem);
uint8_t *wf_mem_payload(wf_mem *mem, uint32_t handle);
void wf_mem_payload_free(wf_mem *mem, uint32_t handle);

/* Unit side of partition p, in L2 cycles. Up to WF_MEM_CLIENTS units share it: each is a client and
 * sees its own packets and beats only; where several want the same port in a cycle, the one that
 * was served longest ago has it. Unit packets wait in their own small buffer, so that they
 * never block memory requests behind them for ever; a full one pushes back into the crossbar. */
enum { WF_MEM_CLIENTS = 8 };
/* The oldest packet, if it is the client's; NULL: none. */
const wf_packet *wf_mem_unit_peek(const wf_mem *mem, unsigned client, unsigned part);
void wf_mem_unit_pop(wf_mem *mem, unsigned part);
/* To packet->sm. */
bool wf_mem_unit_send(wf_mem *mem, unsigned client, unsigned part, const wf_packet *packet);
/* Block read (line_bytes at address), in slices of two ways or more: false = no room. One read and
 * one write a cycle is what a port would manage. Replies come in the order the slice finds the
 * data, not in the order asked; the unit has a place for them, since nothing but the lines of L2
 * holds them until it takes them. */
bool wf_mem_unit_read(wf_mem *mem, unsigned client, unsigned part, uint64_t address, uint32_t id);
/* The next 32-byte beat of a block that is on its way back, beats 0.. in order, one a cycle at
 * most; NULL if none. It is what memory held when the slice's data port read it, just before. */
typedef struct wf_mem_beat {
  uint32_t id;
  unsigned beat; /* 0 .. line_bytes/32 - 1 */
  const uint8_t *data;
} wf_mem_beat;
const wf_mem_beat *wf_mem_unit_beat(wf_mem *mem, unsigned client, unsigned part);
void wf_mem_unit_beat_pop(wf_mem *mem, unsigned part);
/* Block write under a mask of 4-byte words (bit i = word i). Never waits for the read-reply path:
 * a unit that does not take its beats can still have its writes accepted. */
bool wf_mem_unit_write(wf_mem *mem, unsigned client, unsigned part, uint64_t address,
                       uint32_t word_mask, const uint8_t *line);

/* One core cycle: the crossbar, L2 and DRAM advance by their clock ratios. */
void wf_mem_tick(wf_mem *mem);
/* True in the call after a tick in which the L2 clock had an edge; units in partitions run then. */
bool wf_mem_l2_edge(const wf_mem *mem);
/* Nothing in flight anywhere. */
bool wf_mem_idle(const wf_mem *mem);
/* Who hears what the slices do, and who decides there; before the first cycle, NULL: nobody. */
struct wf_cache_row;
struct wf_slice_judge;
void wf_mem_listen(wf_mem *mem, const struct wf_cache_row *row);
void wf_mem_judge(wf_mem *mem, const struct wf_slice_judge *judge);
/* All L1s are empty: no victim to come can be older than a store before. */
void wf_mem_forget_stores(wf_mem *mem);
/* If nothing but waiting happens (no packet can move), the number of core cycles until something
 * may; 0 = tick now, also while an SM or unit has something to take; UINT64_MAX = nothing will ever
 * happen by itself. Lets the GPU skip dead time; wf_mem_skip() advances clocks by up to that many
 * cycles with the same result as ticking. */
uint64_t wf_mem_quiet_cycles(const wf_mem *mem);
void wf_mem_skip(wf_mem *mem, uint64_t core_cycles);
/* Requests in = replies out, all queues, MSHRs and payloads empty; otherwise *err says which. */
bool wf_mem_check_conservation(const wf_mem *mem, wf_error *err);
/* Who holds what, for the hang report; returns characters written. */
size_t wf_mem_describe(const wf_mem *mem, char *text, size_t bytes);

/* Invariants once idle: l2.hits + misses + merges = reads + writes + atomics (requests of SMs, with
 * l2.coalesced all of them: reads answered with another's access; a write that allocates is a miss;
 * coalescer_full: reads that went alone for want of an entry; prefetches: lines fetched for none of
 * them, useful: read later); dram.row_hits + row_misses = reads +
 * writes (in requests, of up to a line each). l2.stall_cycles: slice cycles with a refused request
 * at the head of a queue. dram.cycles: clocks of all channels together, so busy_cycles / cycles is
 * the utilisation; busy_cycles / active_cycles is what the dynamic-parallelism paper calls DRAM
 * efficiency. */
typedef struct wf_mem_counters {
  struct {
    uint64_t packets, flits, stall_cycles; /* stall: an input with a waiting head packet that did
                                              not move, per NoC cycle */
    uint64_t request_flits, reply_flits, request_stall_cycles, reply_stall_cycles;
  } noc;
  struct {
    uint64_t reads, writes, atomics, hits, misses, merges, evictions, writebacks, stall_cycles;
    uint64_t unit_reads, unit_writes, unit_hits;
    uint64_t insertions; /* lines that have taken a way */
    uint64_t coalesced, coalescer_full;
    uint64_t prefetches, prefetches_useful, prefetches_dropped;
    /* With l2.exclusive: lines that L1s have replaced; of these, those not kept for want of a way
     * or of DRAM's queue, or there already; those that may be older than a store; lines that left
     * for an L1. */
    uint64_t victims, victims_dropped, victims_stale, moved;
  } l2;
  struct {
    uint64_t read_bytes, write_bytes, reads, writes, row_hits, row_misses, activates, busy_cycles,
        cycles, queue_full_cycles;
    uint64_t active_cycles; /* clocks of channels with a request waiting or its data on the way */
    uint64_t row_changes;   /* activates of a row that is not the one last open in its bank */
  } dram;
} wf_mem_counters;
const wf_mem_counters *wf_mem_get_counters(const wf_mem *mem);

#endif
