#include "sim/mem/crossbar.h"

#include <assert.h>

/* An input lets this many packets per lookahead slot pass its head, then only the head may bid. */
#define BYPASS_PER_SLOT 8u

static void input_init(wf_xbar_input *in, unsigned flits) {
  *in = (wf_xbar_input){.dests = ~UINT64_C(0)};
  wf_packet_ring_init(&in->ring, flits);
}

void wf_xbar_order(wf_xbar *x, wf_rng *rng) {
  for (unsigned o = 0; o < 64; o++) x->next_in[o] = (uint8_t)wf_rng_below(rng, 64);
}

void wf_xbar_init(wf_xbar *x, const wf_mem_config *config, unsigned n_in, unsigned n_link,
                  unsigned classes) {
  *x = (wf_xbar){.n_in = n_in,
                 .n_link = n_link,
                 .n_out = n_link * classes,
                 .lookahead = config->noc_lookahead,
                 .latency = config->noc_latency,
                 .input_flits = config->noc_input_flits,
                 .output_flits = config->noc_output_flits};
  assert(n_in <= 64 && x->n_out <= 64);
  x->in = wf_calloc(n_in, sizeof *x->in);
  x->out = wf_calloc(x->n_out, sizeof *x->out);
  for (unsigned i = 0; i < n_in; i++) input_init(&x->in[i], x->input_flits);
  for (unsigned o = 0; o < x->n_out; o++) {
    wf_packet_ring_init(&x->out[o].ring, x->output_flits);
    for (unsigned b = o % n_link; b < x->n_out; b += n_link) x->links[o] |= UINT64_C(1) << b;
  }
}

void wf_xbar_free(wf_xbar *x) {
  for (unsigned i = 0; i < x->n_in; i++) wf_packet_ring_free(&x->in[i].ring);
  for (unsigned o = 0; o < x->n_out; o++) wf_packet_ring_free(&x->out[o].ring);
  free(x->in);
  free(x->out);
}

static unsigned window(const wf_xbar *x, const wf_xbar_input *in) {
  unsigned size = in->bypassed >= BYPASS_PER_SLOT * x->lookahead ? 1 : x->lookahead;
  return wf_packet_ring_count(&in->ring) < size ? wf_packet_ring_count(&in->ring) : size;
}

/* Position of the first byte of `word` that is `byte`; 8 if there is none. */
static unsigned first_byte(uint64_t word, unsigned byte) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t x = word ^ ones * byte, zero = (x - ones) & ~x & ones << 7;
  return zero ? (unsigned)__builtin_ctzll(zero) / 8 : 8;
}

static void add_bid(wf_xbar *x, unsigned i, unsigned position, unsigned out) {
  wf_xbar_input *in = &x->in[i];
  in->dests &= ~(UINT64_C(0xff) << 8 * position);
  in->dests |= (uint64_t)out << 8 * position;
  in->bids |= UINT64_C(1) << out;
  x->want[out] |= UINT64_C(1) << i;
  x->wanted |= UINT64_C(1) << out;
}

static void drop_bid(wf_xbar *x, unsigned i, unsigned out) {
  x->in[i].bids &= ~(UINT64_C(1) << out);
  x->want[out] &= ~(UINT64_C(1) << i);
  x->wanted &= ~((uint64_t)(x->want[out] == 0) << out);
}

/* All bids of input i anew: when the number of packets that may bid changes. */
static void bid_again(wf_xbar *x, unsigned i) {
  wf_xbar_input *in = &x->in[i];
  while (in->bids) drop_bid(x, i, (unsigned)__builtin_ctzll(in->bids));
  in->dests = ~UINT64_C(0);
  unsigned n = window(x, in);
  for (unsigned k = 0; k < n; k++) add_bid(x, i, k, wf_packet_ring_at(&in->ring, k)->hop_out);
}

wf_packet *wf_xbar_push(wf_xbar *x, unsigned i, unsigned out, unsigned flits,
                        const wf_packet *packet) {
  wf_xbar_input *in = &x->in[i];
  assert(in->used + flits <= x->input_flits && flits >= 1);
  wf_packet *slot = wf_packet_ring_push(&in->ring, packet);
  slot->hop_out = (uint8_t)out;
  slot->hop_flits = (uint8_t)flits;
  in->used += flits;
  x->nonempty |= UINT64_C(1) << i;
  if (wf_packet_ring_count(&in->ring) <= window(x, in))
    add_bid(x, i, wf_packet_ring_count(&in->ring) - 1, out);
  return slot;
}

void wf_xbar_pop(wf_xbar *x, unsigned o) {
  wf_xbar_output *out = &x->out[o];
  assert(out->ready);
  out->used -= wf_packet_ring_front(&out->ring)->hop_flits;
  wf_packet_ring_pop(&out->ring);
  x->blocked &= ~(UINT64_C(1) << o);
  if (--out->ready == 0) x->ready &= ~(UINT64_C(1) << o);
}

/* Takes packet k out of the input's window; those before it move up by one. */
static void take(wf_xbar *x, unsigned i, unsigned k, unsigned out) {
  wf_xbar_input *in = &x->in[i];
  unsigned limit = BYPASS_PER_SLOT * x->lookahead, before = in->bypassed;
  in->bypassed = k ? before + 1 : 0;
  uint64_t keep = (UINT64_C(1) << 8 * k) - 1; /* bytes before k */
  for (; k > 0; k--) *wf_packet_ring_at(&in->ring, k) = *wf_packet_ring_at(&in->ring, k - 1);
  wf_packet_ring_pop(&in->ring);
  if (!wf_packet_ring_count(&in->ring)) x->nonempty &= ~(UINT64_C(1) << i);
  if (before >= limit || in->bypassed >= limit) {
    bid_again(x, i);
    return;
  }
  in->dests = (in->dests & keep) | (in->dests >> 8 & ~keep) | UINT64_C(0xff) << 56;
  if (first_byte(in->dests, out) == 8) drop_bid(x, i, out);
  if (wf_packet_ring_count(&in->ring) >= x->lookahead) {
    unsigned last = x->lookahead - 1;
    add_bid(x, i, last, wf_packet_ring_at(&in->ring, last)->hop_out);
  }
}

/* Sends the first packet of input i for buffer o, if there is room for it. */
static bool send(wf_xbar *x, unsigned i, unsigned o, uint64_t cycle) {
  wf_xbar_input *in = &x->in[i];
  wf_xbar_output *out = &x->out[o];
  unsigned k = first_byte(in->dests, o);
  const wf_packet *packet = wf_packet_ring_at(&in->ring, k);
  unsigned flits = packet->hop_flits;
  if (out->used + flits > x->output_flits) {
    x->blocked |= UINT64_C(1) << o;
    return false;
  }
  out->used += flits;
  wf_packet_ring_push(&out->ring, packet);
  in->releasing = flits;
  take(x, i, k, o);

  unsigned freed = (unsigned)(cycle + flits) % WF_XBAR_WHEEL;
  unsigned arrives = (unsigned)(cycle + flits - 1 + x->latency) % WF_XBAR_WHEEL;
  uint64_t links = x->links[o];
  x->busy_in |= UINT64_C(1) << i;
  x->busy_out |= links;
  x->free_in[freed] |= UINT64_C(1) << i;
  x->free_out[freed] |= links;
  x->free_slots |= UINT64_C(1) << freed;
  x->arrive[arrives] |= UINT64_C(1) << o;
  x->arrive_slots |= UINT64_C(1) << arrives;
  x->next_in[o] = (uint8_t)((i + 1) % 64);
  x->prefer = (x->prefer | links) & ~(UINT64_C(1) << o);
  x->packets++;
  x->sent_flits += flits;
  return true;
}

static unsigned round_robin(uint64_t mask, unsigned first) {
  uint64_t upper = mask & (~UINT64_C(0) << first);
  return (unsigned)__builtin_ctzll(upper ? upper : mask);
}

static void events(wf_xbar *x, unsigned slot) {
  uint64_t bit = UINT64_C(1) << slot;
  x->released = x->arrived = 0;
  if (x->free_slots & bit) {
    x->released = x->free_in[slot];
    for (uint64_t m = x->released; m; m &= m - 1) {
      wf_xbar_input *in = &x->in[__builtin_ctzll(m)];
      in->used -= in->releasing;
      in->releasing = 0;
    }
    x->busy_in &= ~x->released;
    x->busy_out &= ~x->free_out[slot];
    x->free_in[slot] = x->free_out[slot] = 0;
    x->free_slots &= ~bit;
  }
  if (x->arrive_slots & bit) {
    x->arrived = x->arrive[slot];
    for (uint64_t m = x->arrived; m; m &= m - 1) x->out[__builtin_ctzll(m)].ready++;
    x->ready |= x->arrived;
    x->arrive[slot] = 0;
    x->arrive_slots &= ~bit;
  }
}

/* Output buffers that may get a packet in this cycle. */
static uint64_t candidates(const wf_xbar *x) {
  uint64_t todo = x->wanted & ~x->blocked & ~x->busy_out, inputs = x->nonempty & ~x->busy_in;
  if (!todo || !inputs) return 0;
  if (__builtin_popcountll(inputs) >= __builtin_popcountll(todo)) return todo;
  uint64_t bids = 0;
  for (; inputs; inputs &= inputs - 1) bids |= x->in[__builtin_ctzll(inputs)].bids;
  return todo & bids;
}

void wf_xbar_tick(wf_xbar *x, uint64_t cycle) {
  events(x, (unsigned)cycle % WF_XBAR_WHEEL);
  bool any = false, classes = x->n_out > x->n_link;
  for (uint64_t todo = candidates(x); todo;) {
    unsigned o = round_robin(todo, x->first_out);
    if (classes) { /* two classes on this link: the one not served last goes first */
      uint64_t other = x->links[o] & todo & x->prefer & ~(UINT64_C(1) << o);
      if (other && (x->want[__builtin_ctzll(other)] & ~x->busy_in))
        o = (unsigned)__builtin_ctzll(other);
    }
    todo &= ~(UINT64_C(1) << o);
    uint64_t inputs = x->want[o] & ~x->busy_in;
    if (!inputs || !send(x, round_robin(inputs, x->next_in[o]), o, cycle)) continue;
    todo &= ~x->busy_out;
    any = true;
  }
  if (any && ++x->first_out == x->n_out) x->first_out = 0;
  x->stall_cycles += (uint64_t)__builtin_popcountll(x->nonempty & ~x->busy_in);
}

uint64_t wf_xbar_next(const wf_xbar *x, uint64_t cycle) {
  if (x->nonempty | x->free_slots) return cycle;
  if (!x->arrive_slots) return UINT64_MAX;
  unsigned shift = (unsigned)cycle % WF_XBAR_WHEEL;
  uint64_t ahead =
      x->arrive_slots >> shift | (shift ? x->arrive_slots << (WF_XBAR_WHEEL - shift) : 0);
  return cycle + (unsigned)__builtin_ctzll(ahead);
}
