#include "sim/mem/crossbar.h"

#include <assert.h>

/* An input lets this many packets per lookahead slot pass its head, then only the head may bid. */
#define BYPASS_PER_SLOT 8u

static void input_init(wf_xbar_input *in, unsigned flits) {
  *in = (wf_xbar_input){.dests = ~UINT64_C(0)};
  wf_packet_ring_init(&in->ring, flits);
}

void wf_xbar_order(wf_xbar *x, wf_rng *rng) {
  const unsigned most = x->n_in > 64 ? WF_MASK_BITS : 64;
  for (unsigned o = 0; o < 64 || o < x->turns; o++)
    x->next_in[o] = (uint8_t)wf_rng_below(rng, most);
}

void wf_xbar_init(wf_xbar *x, const wf_mem_config *config, unsigned n_in, unsigned n_link,
                  unsigned classes) {
  *x = (wf_xbar){.n_in = n_in,
                 .n_link = n_link,
                 .n_out = n_link * classes,
                 .turns = n_link * classes,
                 .lookahead = config->noc_lookahead,
                 .latency = config->noc_latency,
                 .input_flits = config->noc_input_flits,
                 .output_flits = config->noc_output_flits};
  assert(n_in <= WF_MASK_BITS && x->n_out <= WF_MASK_BITS);
  x->in = wf_calloc(n_in, sizeof *x->in);
  x->out = wf_calloc(x->n_out, sizeof *x->out);
  for (unsigned i = 0; i < n_in; i++) input_init(&x->in[i], x->input_flits);
  for (unsigned o = 0; o < x->n_out; o++) {
    wf_packet_ring_init(&x->out[o].ring, x->output_flits);
    for (unsigned b = o % n_link; b < x->n_out; b += n_link) wf_mask_set(&x->links[o], b);
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
  wf_mask_set(&in->bids, out);
  wf_mask_set(&x->want[out], i);
  wf_mask_set(&x->wanted, out);
}

static WF_MASK_INLINE inline void drop_bid(wf_xbar *x, unsigned i, unsigned out, unsigned n) {
  wf_mask_clear(&x->in[i].bids, out);
  wf_mask_clear(&x->want[out], i);
  if (!wf_mask_any(&x->want[out], n)) wf_mask_clear(&x->wanted, out);
}

/* All bids of input i anew: when the number of packets that may bid changes. */
static WF_MASK_INLINE inline void bid_again(wf_xbar *x, unsigned i, unsigned n) {
  wf_xbar_input *in = &x->in[i];
  while (wf_mask_any(&in->bids, n)) drop_bid(x, i, wf_mask_first(&in->bids, n), n);
  in->dests = ~UINT64_C(0);
  unsigned may = window(x, in);
  for (unsigned k = 0; k < may; k++) add_bid(x, i, k, wf_packet_ring_at(&in->ring, k)->hop_out);
}

wf_packet *wf_xbar_push(wf_xbar *x, unsigned i, unsigned out, unsigned flits,
                        const wf_packet *packet) {
  wf_xbar_input *in = &x->in[i];
  assert(in->used + flits <= x->input_flits && flits >= 1);
  wf_packet *slot = wf_packet_ring_push(&in->ring, packet);
  slot->hop_out = (uint8_t)out;
  slot->hop_flits = (uint8_t)flits;
  in->used += flits;
  wf_mask_set(&x->nonempty, i);
  if (wf_packet_ring_count(&in->ring) <= window(x, in))
    add_bid(x, i, wf_packet_ring_count(&in->ring) - 1, out);
  return slot;
}

void wf_xbar_pop(wf_xbar *x, unsigned o) {
  wf_xbar_output *out = &x->out[o];
  assert(out->ready);
  out->used -= wf_packet_ring_front(&out->ring)->hop_flits;
  wf_packet_ring_pop(&out->ring);
  wf_mask_clear(&x->blocked, o);
  if (--out->ready == 0) wf_mask_clear(&x->ready, o);
}

/* Takes packet k out of the input's window; those before it move up by one. */
static WF_MASK_INLINE inline void take(wf_xbar *x, unsigned i, unsigned k, unsigned out,
                                       unsigned n) {
  wf_xbar_input *in = &x->in[i];
  unsigned limit = BYPASS_PER_SLOT * x->lookahead, before = in->bypassed;
  in->bypassed = k ? before + 1 : 0;
  uint64_t keep = (UINT64_C(1) << 8 * k) - 1; /* bytes before k */
  for (; k > 0; k--) *wf_packet_ring_at(&in->ring, k) = *wf_packet_ring_at(&in->ring, k - 1);
  wf_packet_ring_pop(&in->ring);
  if (!wf_packet_ring_count(&in->ring)) wf_mask_clear(&x->nonempty, i);
  if (before >= limit || in->bypassed >= limit) {
    bid_again(x, i, n);
    return;
  }
  in->dests = (in->dests & keep) | (in->dests >> 8 & ~keep) | UINT64_C(0xff) << 56;
  if (first_byte(in->dests, out) == 8) drop_bid(x, i, out, n);
  if (wf_packet_ring_count(&in->ring) >= x->lookahead) {
    unsigned last = x->lookahead - 1;
    add_bid(x, i, last, wf_packet_ring_at(&in->ring, last)->hop_out);
  }
}

/* Sends the first packet of input i for buffer o, if there is room for it. */
static WF_MASK_INLINE inline bool send(wf_xbar *x, unsigned i, unsigned o, uint64_t cycle,
                                       unsigned n) {
  wf_xbar_input *in = &x->in[i];
  wf_xbar_output *out = &x->out[o];
  unsigned k = first_byte(in->dests, o);
  const wf_packet *packet = wf_packet_ring_at(&in->ring, k);
  unsigned flits = packet->hop_flits;
  if (out->used + flits > x->output_flits) {
    wf_mask_set(&x->blocked, o);
    return false;
  }
  out->used += flits;
  wf_packet_ring_push(&out->ring, packet);
  in->releasing = flits;
  take(x, i, k, o, n);

  unsigned freed = (unsigned)(cycle + flits) % WF_XBAR_WHEEL;
  unsigned arrives = (unsigned)(cycle + flits - 1 + x->latency) % WF_XBAR_WHEEL;
  const wf_mask *links = &x->links[o];
  wf_mask_set(&x->busy_in, i);
  wf_mask_add(&x->busy_out, links, n);
  wf_mask_set(&x->free_in[freed], i);
  wf_mask_add(&x->free_out[freed], links, n);
  x->free_slots |= UINT64_C(1) << freed;
  wf_mask_set(&x->arrive[arrives], o);
  x->arrive_slots |= UINT64_C(1) << arrives;
  x->next_in[o] = (uint8_t)((i + 1) % WF_MASK_BITS);
  wf_mask_add(&x->prefer, links, n);
  wf_mask_clear(&x->prefer, o);
  x->packets++;
  x->sent_flits += flits;
  return true;
}

static WF_MASK_INLINE inline void events(wf_xbar *x, unsigned slot, unsigned n) {
  uint64_t bit = UINT64_C(1) << slot;
  unsigned i;
  x->released = x->arrived = (wf_mask){0};
  if (x->free_slots & bit) {
    x->released = x->free_in[slot];
    for (wf_mask m = x->released; wf_mask_take(&m, &i, n);) {
      x->in[i].used -= x->in[i].releasing;
      x->in[i].releasing = 0;
    }
    wf_mask_remove(&x->busy_in, &x->released, n);
    wf_mask_remove(&x->busy_out, &x->free_out[slot], n);
    x->free_in[slot] = x->free_out[slot] = (wf_mask){0};
    x->free_slots &= ~bit;
  }
  if (x->arrive_slots & bit) {
    x->arrived = x->arrive[slot];
    for (wf_mask m = x->arrived; wf_mask_take(&m, &i, n);) x->out[i].ready++;
    wf_mask_add(&x->ready, &x->arrived, n);
    x->arrive[slot] = (wf_mask){0};
    x->arrive_slots &= ~bit;
  }
}

/* Output buffers that may get a packet in this cycle. */
static WF_MASK_INLINE inline wf_mask candidates(const wf_xbar *x, unsigned n) {
  wf_mask todo = wf_mask_without(&x->wanted, &x->blocked, n);
  wf_mask inputs = wf_mask_without(&x->nonempty, &x->busy_in, n);
  wf_mask_remove(&todo, &x->busy_out, n);
  if (!wf_mask_any(&todo, n) || !wf_mask_any(&inputs, n)) return (wf_mask){0};
  if (wf_mask_count(&inputs, n) >= wf_mask_count(&todo, n)) return todo;
  wf_mask bids = {0};
  for (unsigned i; wf_mask_take(&inputs, &i, n);) wf_mask_add(&bids, &x->in[i].bids, n);
  return wf_mask_both(&todo, &bids, n);
}

/* Inputs that bid for the buffer and are free. */
static WF_MASK_INLINE inline wf_mask bidders(const wf_xbar *x, unsigned o, unsigned n) {
  return wf_mask_without(&x->want[o], &x->busy_in, n);
}

/* Two classes on a link: the one not served last goes first. */
static WF_MASK_INLINE inline unsigned preferred(const wf_xbar *x, unsigned o, const wf_mask *todo,
                                                unsigned n) {
  wf_mask other = wf_mask_both(&x->links[o], todo, n);
  other = wf_mask_both(&other, &x->prefer, n);
  wf_mask_clear(&other, o);
  if (!wf_mask_any(&other, n)) return o;
  const unsigned first = wf_mask_first(&other, n);
  const wf_mask inputs = bidders(x, first, n);
  return wf_mask_any(&inputs, n) ? first : o;
}

static WF_MASK_INLINE inline void tick(wf_xbar *x, uint64_t cycle, unsigned n) {
  events(x, (unsigned)cycle % WF_XBAR_WHEEL, n);
  bool any = false, classes = x->n_out > x->n_link;
  for (wf_mask todo = candidates(x, n); wf_mask_any(&todo, n);) {
    unsigned o = wf_mask_from(&todo, x->first_out, n);
    if (classes) o = preferred(x, o, &todo, n);
    wf_mask_clear(&todo, o);
    const wf_mask inputs = bidders(x, o, n);
    if (!wf_mask_any(&inputs, n) || !send(x, wf_mask_from(&inputs, x->next_in[o], n), o, cycle, n))
      continue;
    wf_mask_remove(&todo, &x->busy_out, n);
    any = true;
  }
  if (any && ++x->first_out == x->turns) x->first_out = 0;
  const wf_mask waiting = wf_mask_without(&x->nonempty, &x->busy_in, n);
  x->stall_cycles += wf_mask_count(&waiting, n);
}

void wf_xbar_tick(wf_xbar *x, uint64_t cycle) {
  if (x->n_in <= 64 && x->n_out <= 64)
    tick(x, cycle, 1);
  else
    tick(x, cycle, WF_MASK_WORDS);
}

uint64_t wf_xbar_next(const wf_xbar *x, uint64_t cycle) {
  if (wf_mask_any(&x->nonempty, WF_MASK_WORDS) || x->free_slots) return cycle;
  if (!x->arrive_slots) return UINT64_MAX;
  unsigned shift = (unsigned)cycle % WF_XBAR_WHEEL;
  uint64_t ahead =
      x->arrive_slots >> shift | (shift ? x->arrive_slots << (WF_XBAR_WHEEL - shift) : 0);
  return cycle + (unsigned)__builtin_ctzll(ahead);
}
