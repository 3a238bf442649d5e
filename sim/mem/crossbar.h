/* One direction of the crossbar: buffered inputs, round-robin outputs, wormhole switching.
 *
 * A packet of F flits that wins its output at NoC cycle t holds its input and its output link for
 * F cycles and is complete in the output's buffer at t + F - 1 + latency. It is sent only when that
 * buffer has room for all of it, so nothing ever waits inside the switch. The first `lookahead`
 * packets of an input may bid; per pair of ends the order is kept.
 * An output link may feed two buffers (classes), each with its own credits, so that packets of one
 * class that nobody takes cannot block the other.
 * Everything is kept as bit masks and event times: a cycle costs what moves in it. */
#ifndef WF_CROSSBAR_H
#define WF_CROSSBAR_H

#include "sim/mem/mask.h"
#include "sim/mem/packet_ring.h"

#pragma GCC visibility push(hidden) /* internal: free to be inlined */

#define WF_PAYLOAD_BYTES 256u
#define WF_SECTOR_BYTES 32u
/* Timing wheels have 64 slots: latency plus the flits of the longest packet must stay below. */
#define WF_XBAR_WHEEL 64u
#define WF_XBAR_MAX_LATENCY 40u
#define WF_XBAR_MAX_LOOKAHEAD 8u

typedef struct wf_xbar_input {
  wf_packet_ring ring; /* hop_out and hop_flits say where to and how long */
  uint64_t dests;      /* destinations of the packets that may bid, a byte each; 0xff: none */
  wf_mask bids;        /* the same as a mask of output buffers */
  uint32_t used;       /* flits of room taken, the packet being sent included */
  uint32_t releasing;  /* flits given back when the packet being sent has left */
  uint32_t bypassed;   /* packets sent past the head since it came to the front */
} wf_xbar_input;

typedef struct wf_xbar_output {
  wf_packet_ring ring; /* arrived packets first, then those on their way */
  uint32_t ready;      /* packets arrived */
  uint32_t used;       /* flits of room taken, packets on their way included */
} wf_xbar_output;

typedef struct wf_xbar {
  unsigned n_in, n_link, n_out; /* n_out = n_link * classes; buffer b hangs on link b % n_link */
  unsigned lookahead, latency, input_flits, output_flits;
  wf_xbar_input *in;
  wf_xbar_output *out;
  wf_mask want[WF_MASK_BITS];    /* per output buffer: inputs that bid for it */
  wf_mask links[WF_MASK_BITS];   /* per output buffer: all buffers on its link */
  uint8_t next_in[WF_MASK_BITS]; /* round robin */
  wf_mask wanted;                /* output buffers with bids */
  wf_mask blocked; /* of those, without room for the packet chosen; until something is popped */
  wf_mask prefer;  /* buffers that go first when their link's other class wants it too */
  wf_mask busy_in, busy_out, nonempty, ready;
  wf_mask free_in[WF_XBAR_WHEEL], free_out[WF_XBAR_WHEEL], arrive[WF_XBAR_WHEEL];
  uint64_t free_slots, arrive_slots; /* wheel slots in use */
  unsigned first_out, turns;         /* the outputs that are first in turn: 0 .. turns - 1 */
  wf_mask released, arrived; /* by the last tick: inputs that got room, buffers that got a packet */
  uint64_t packets, sent_flits, stall_cycles;
} wf_xbar;

/* Arbiters begin somewhere. */
void wf_xbar_order(wf_xbar *x, wf_rng *rng);
void wf_xbar_init(wf_xbar *x, const wf_mem_config *config, unsigned n_in, unsigned n_link,
                  unsigned classes);
void wf_xbar_free(wf_xbar *x);
/* One NoC cycle. */
void wf_xbar_tick(wf_xbar *x, uint64_t cycle);
/* Copies the packet into the input's buffer, where there is room; returns the copy. */
wf_packet *wf_xbar_push(wf_xbar *x, unsigned in, unsigned out, unsigned flits,
                        const wf_packet *packet);
void wf_xbar_pop(wf_xbar *x, unsigned out);
/* NoC cycle of the next event at or after `cycle`, UINT64_MAX if it is empty of moving packets. */
uint64_t wf_xbar_next(const wf_xbar *x, uint64_t cycle);

static inline bool wf_xbar_room(const wf_xbar *x, unsigned in, unsigned flits) {
  return x->in[in].used + flits <= x->input_flits;
}
static inline const wf_packet *wf_xbar_front(const wf_xbar *x, unsigned out) {
  return x->out[out].ready ? wf_packet_ring_front(&x->out[out].ring) : NULL;
}
/* Anything for a tick to do. */
static inline bool wf_xbar_active(const wf_xbar *x) {
  return wf_mask_any(&x->nonempty, WF_MASK_WORDS) || (x->free_slots | x->arrive_slots) != 0;
}

#pragma GCC visibility pop
#endif
