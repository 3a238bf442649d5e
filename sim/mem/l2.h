/* One L2 slice: write-back, write-validate (or write-evict), sectored lines, non-blocking.
 *
 * A tag pipeline takes one access a cycle: first a fill from DRAM, else, in turn, a request from
 * the crossbar, a unit's read, a unit's write. Each source has its own queue, and one that cannot
 * go on never keeps the others waiting. A reply is offered l2_latency cycles after its hit or fill.
 * The pipeline behind the tags moves 32 bytes a cycle, so it holds l2_latency flits of replies,
 * plus l2_queue packets waiting to leave.
 *
 * A line in flight is pinned in its way, and its MSHR is found through the line itself. A write
 * miss allocates without fetching: sectors written whole are valid, those written in part are only
 * dirty until a read fetches the rest. Only the DRAM bursts that hold missing sectors are read.
 *
 * The lines are read through one data port, as wide as the crossbar takes data, for replies and for
 * units alike, in turn. A unit's read pins its line until its last beat has left it, and one beat
 * waits for the unit; of a set's ways, two or more where a unit reads, one is left to others, so a
 * unit that takes nothing blocks only its own reads. Units' writes count from when they are
 * accepted: a beat is what memory holds when it leaves its line. An SM's request waits at the tags
 * for a unit's writes of its sectors; none is taken then that comes after it. When a slice has seen
 * a unit, SMs and unit may each hold at most three quarters of the MSHRs, so that neither can
 * starve the other.
 *
 * With l2.exclusive a line that an L1 asks for leaves with the reply, if it is clean, or comes from
 * DRAM without a way: it stands in its MSHR, where it is looked up, until someone merges who wants
 * it kept. What an L1 replaces comes back as a victim. One that is older than a store or an atomic
 * since must not: a filter of 2 x 1024 bits knows the lines written since the kernel began.
 *
 * A judge may decide which reads' lines take a way, and which leave with a reply. Until it has, the
 * line stands in its MSHR, and no other request of its set is looked up.
 *
 * A prefetcher in the slice sees what SMs read there, and brings lines from DRAM. It looks the tags
 * up in turn with requests, and leaves them a quarter of the MSHRs. */
#ifndef WF_L2_H
#define WF_L2_H

#include "sim/mem/bypass.h"
#include "sim/mem/cache_row.h"
#include "sim/mem/coalescer.h"
#include "sim/mem/crossbar.h"
#include "sim/mem/dram.h"
#include "sim/mem/prefetch.h"

#pragma GCC visibility push(hidden) /* internal: free to be inlined */

#define WF_L2_SLOTS 64u /* most unit reads in flight */
#define WF_L2_FILTER_BITS 1024u
#define WF_L2_UNDECIDED 4u /* most look-ups that wait for their judge */
#define WF_L2_NO_MSHR UINT16_MAX
#define WF_L2_NO_TAG UINT32_MAX
#define WF_L2_NO_PLACE UINT32_MAX
#define WF_PKT_UNIT_READ 5u /* internal kind: id is the slot */

enum { WF_SRC_NOC, WF_SRC_UNIT_READ, WF_SRC_UNIT_WRITE, WF_SRC_COUNT };

typedef enum wf_l2_stall {
  WF_STALL_NONE,
  WF_STALL_REPLY,
  WF_STALL_MSHR,
  WF_STALL_MERGE,
  WF_STALL_WAY,
  WF_STALL_DRAM,
  WF_STALL_WRITE,
  WF_STALL_REASONS
} wf_l2_stall;

typedef struct wf_l2_line {
  uint8_t valid, partial, dirty; /* masks of sectors */
  uint8_t pins;                  /* units' reads that have yet to take its data */
  bool foretold;                 /* brought by the prefetcher and not read yet */
  uint16_t mshr;
} wf_l2_line;

typedef struct wf_l2_mshr {
  uint32_t line; /* index of the way */
  uint16_t requests, replayed;
  uint8_t outstanding; /* DRAM requests not yet back */
  uint8_t fetching;    /* sectors they bring */
  uint8_t atomics;     /* sectors of atomics that wait */
  bool for_unit;       /* counts against the unit's share */
} wf_l2_mshr;

/* A look-up that waits for its judge. */
typedef struct wf_l2_undecided {
  uint32_t line;
  uint16_t mshr;  /* WF_L2_NO_MSHR: it hit, or its line has come */
  uint32_t place; /* of a hit: among the replies, or WF_L2_NO_PLACE: it has left; else in the MSHR's
                     list */
  bool hit, keep;
  bool answered;
  wf_slice_answer answer;
} wf_l2_undecided;

/* The oldest of a kind of reply, waiting for room among the replies. */
typedef struct {
  bool blocked; /* until a reply leaves */
  uint64_t due; /* the cycle from which it goes before requests; UINT64_MAX: none waits */
} wf_l2_room_wait;

typedef struct wf_l2_reply {
  wf_packet packet;
  uint64_t time;
} wf_l2_reply;

typedef struct wf_l2_slot {
  uint64_t address;
  uint32_t id, way;
  uint8_t client;
} wf_l2_slot;

/* Whose turn it is at a port that several clients share: the one's that was granted it longest ago,
 * among those that ask. */
typedef struct wf_l2_turn {
  uint64_t refused[WF_MEM_CLIENTS],
      granted[WF_MEM_CLIENTS]; /* cycle + 1 of the last time; 0: never */
  uint8_t seen;                /* clients, by bit */
} wf_l2_turn;

/* Everything that belongs to the units of this partition. */
typedef struct wf_l2_unit {
  wf_l2_turn reads, writes, sends;
  wf_packet_ring out;
  wf_l2_slot slot[WF_L2_SLOTS];
  uint64_t free_slots;
  uint8_t ready[WF_L2_SLOTS];
  uint64_t ready_time[WF_L2_SLOTS];
  wf_ring ready_ring;
  unsigned beat; /* of the oldest answer: what the data port gives the unit next */
  /* The beat that was read from the lines and that the unit has not taken. */
  bool loaded;
  uint8_t client, data[WF_SECTOR_BYTES];
  wf_mem_beat current;
  unsigned reads_in_flight, slots;
  bool seen, turn; /* turn: the unit's packet goes before the next reply */
  /* The sectors for which the oldest request of SMs has waited for writes, while it is there. */
  uint64_t awaited_line;
  unsigned awaited;
  bool beat_waits; /* the next beat, for a write of its sector */
} wf_l2_unit;

typedef struct wf_l2 {
  unsigned index;
  wf_xbar *request_net, *reply_net;
  wf_dram *dram;
  wf_image *image;
  wf_mem_counters *counters;
  /* geometry */
  unsigned ways, stride, sets, set_bits, sectors, line_bytes, latency;
  unsigned n_sm, n_part, interleave_shift, line_shift, header_bytes, flit_shift;
  bool sets_power_of_two;
  uint8_t bursts_of[16], sectors_of[16]; /* mask of sectors to mask of bursts, and back */
  /* Arrays, [set][way]. The stride is a multiple of 8 so that a set is searched in whole vectors;
   * the ways beyond `ways` are never used. `used` is UINT64_MAX for these and while a line is
   * pinned. */
  uint32_t *tag;
  wf_l2_line *line;
  uint64_t *used;
  uint64_t use_clock;
  /* Behind the sets' ways: [mshr], lines on their way without a way, of which so many are. */
  unsigned first_wayless, wayless;
  bool exclusive; /* lines leave for L1s and come back */
  bool write_evict, fill_line, ordered;
  uint64_t written[2][WF_L2_FILTER_BITS / 64];
  /* Who hears, who decides; NULL: nobody. */
  const wf_cache_row *row;
  const wf_slice_judge *judge;
  wf_l2_undecided undecided[WF_L2_UNDECIDED];
  wf_ring undecided_ring;
  wf_bypass *bypass; /* NULL without l2.bypass */
  /* MSHRs */
  wf_l2_mshr *mshr;
  wf_packet *merged; /* [mshr][merge limit] */
  uint16_t *free_mshrs, *replay;
  unsigned n_mshrs, merge_limit, free_count, sm_held, unit_held, share;
  wf_ring replay_ring;
  /* Requests from the other half's SMs, on their longer way; far_latency 0: there are none. */
  unsigned far_latency, half_sms;
  bool upper;
  wf_l2_reply *far;
  wf_ring far_ring;
  /* queues */
  wf_packet_ring queue[WF_SRC_COUNT];
  wf_l2_reply *reply;
  uint32_t reply_mask;
  wf_ring reply_ring;
  unsigned reply_flits, reply_limit;
  unsigned port_beats; /* that the data port reads in a cycle: as many as the crossbar takes */
  uint64_t port_free;  /* beats read since cycle 0, had none been missed, until it is free */
  bool port_turn;      /* the unit's beat goes before a reply's */
  /* control */
  uint64_t tag_free;
  unsigned last_source;
  unsigned queued; /* mask of sources with requests */
  unsigned
      stalled; /* mask of sources whose head was refused, until what it waits for is released */
  unsigned waiting[WF_STALL_REASONS]; /* the same by reason */
  unsigned reply_patience;            /* cycles */
  wf_l2_room_wait replay_wait, fan_wait;
  bool leave_blocked; /* until the reply crossbar's input gives room back */
  uint64_t next;      /* earliest L2 cycle at which a tick may do something, DRAM returns apart */
  uint64_t bad_unit_reads, bad_unit_writes; /* outside memory */
  uint64_t misrouted;                       /* unit accesses that belong to another partition */
  wf_coalescer coalescer;
  wf_prefetcher *prefetcher; /* NULL: none */
  bool prefetch_turn;        /* it looks the tags up before the next request */
  wf_l2_unit unit;
  wf_data_trace data_trace; /* NULL: nobody looks */
  void *data_user;
} wf_l2;

void wf_l2_init(wf_l2 *l2, const wf_mem_config *config, unsigned index);
void wf_l2_free(wf_l2 *l2);
/* One L2 cycle; returns_ready: the DRAM channel's oldest return may be taken. */
void wf_l2_tick(wf_l2 *l2, uint64_t now, bool returns_ready);
/* Something that refused requests may wait for was released: they try again. */
static inline void wf_l2_release(wf_l2 *l2, wf_l2_stall reason) {
  l2->stalled &= ~l2->waiting[reason];
  l2->waiting[reason] = 0;
}
/* Has something to put into the reply crossbar, maybe later. */
static inline bool wf_l2_leaving(const wf_l2 *l2) {
  return l2->reply_ring.count || wf_packet_ring_count(&l2->unit.out);
}
uint32_t wf_l2_local_line(const wf_l2 *l2, uint64_t address);
bool wf_l2_empty(const wf_l2 *l2);

/* Unit port (unit_port.c); now: L2 cycles done. */
void wf_l2_unit_init(wf_l2 *l2, const wf_mem_config *config);
void wf_l2_unit_free(wf_l2 *l2);
bool wf_l2_unit_read(wf_l2 *l2, unsigned client, uint64_t address, uint32_t id);
bool wf_l2_unit_write(wf_l2 *l2, uint64_t address, uint32_t word_mask, const uint8_t *data);
/* Among several clients: may this one use the port in this cycle? */
bool wf_l2_turn_is(const wf_l2_turn *t, unsigned client, uint64_t now);
/* May the client use the port in this cycle? It tells with wf_l2_turn_end() whether it could. */
static inline bool wf_l2_turn_begin(wf_l2_turn *t, unsigned client, uint64_t now) {
  t->seen |= (uint8_t)(1u << client);
  return t->seen == 1u << client || wf_l2_turn_is(t, client, now);
}
static inline bool wf_l2_turn_end(wf_l2_turn *t, unsigned client, uint64_t now, bool done) {
  t->refused[client] = done ? 0 : now + 1;
  if (done) t->granted[client] = now + 1;
  return done;
}
/* The data of a way goes to the unit from `time` on. */
void wf_l2_unit_answer(wf_l2 *l2, unsigned slot, unsigned way, uint64_t time);
/* L2 cycle from which the unit wants the data port, UINT64_MAX if it has nothing to read or has not
 * taken the last beat. */
uint64_t wf_l2_unit_next(const wf_l2 *l2);
/* Does a write of a unit that has yet to reach the tags write one of these sectors of a line? */
bool wf_l2_unit_writes(const wf_l2 *l2, uint64_t line_address, unsigned sectors);
/* Does one hold up an SM's request at the tags? Then none of its sectors is taken that comes later.
 */
bool wf_l2_unit_holds_up(wf_l2 *l2, const wf_packet *p);
/* Is the unit's next beat, which it has, of such a sector? Then no write of it is taken that comes
 * later. */
bool wf_l2_unit_waits(wf_l2 *l2);
/* The data port reads the unit's next beat. */
void wf_l2_unit_load(wf_l2 *l2);
/* A read of a unit needs the way no longer. */
void wf_l2_unpin(wf_l2 *l2, unsigned way);
const wf_mem_beat *wf_l2_unit_beat(const wf_l2 *l2, unsigned client);
void wf_l2_unit_beat_pop(wf_l2 *l2);

#pragma GCC visibility pop
#endif
