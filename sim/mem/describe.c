/* What is where: idleness, conservation, and the hang report. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim/mem/mem_internal.h"

static bool xbar_empty(const wf_xbar *x) {
  return !wf_xbar_active(x) && !wf_mask_any(&x->ready, WF_MASK_WORDS);
}

bool wf_mem_idle(const wf_mem *mem) {
  if (!xbar_empty(&mem->request_net) || !xbar_empty(&mem->reply_net)) return false;
  for (unsigned p = 0; p < mem->config.n_part; p++)
    if (!wf_l2_empty(&mem->l2[p]) || wf_dram_waiting(&mem->dram[p]) || mem->dram[p].ret_ring.count)
      return false;
  return true;
}

/* ---- conservation ---- */

static bool balance(wf_error *err, const char *what, uint64_t in, uint64_t out) {
  if (in == out) return true;
  return wf_fail(err, WF_EXIT_WRONG, "memory: %s: %" PRIu64 " sent, %" PRIu64 " received", what, in,
                 out);
}

static bool zero(wf_error *err, const char *what, unsigned part, uint64_t count) {
  if (!count) return true;
  return wf_fail(err, WF_EXIT_WRONG, "memory: partition %u: %" PRIu64 " %s, want 0", part, count,
                 what);
}

static bool check_partition(const wf_mem *mem, unsigned p, wf_error *err) {
  const wf_l2 *l2 = &mem->l2[p];
  const wf_dram *d = &mem->dram[p];
  return zero(err, "requests in the L2 queue", p, wf_packet_ring_count(&l2->queue[WF_SRC_NOC])) &&
         zero(err, "MSHRs in use", p, l2->n_mshrs - l2->free_count) &&
         zero(err, "MSHRs charged to SMs or unit", p, l2->sm_held + l2->unit_held) &&
         zero(err, "entries of the coalescer in use", p, wf_coalescer_used(&l2->coalescer)) &&
         zero(err, "look-ups that wait for their judge", p, l2->undecided_ring.count) &&
         zero(err, "replies waiting", p, l2->reply_ring.count) &&
         zero(err, "reply flits reserved", p, l2->reply_flits) &&
         zero(err, "unit reads in flight", p, l2->unit.reads_in_flight) &&
         zero(err, "unit writes waiting", p, wf_packet_ring_count(&l2->queue[WF_SRC_UNIT_WRITE])) &&
         zero(err, "unit packets waiting", p, wf_packet_ring_count(&l2->unit.out)) &&
         zero(err, "DRAM requests waiting", p, wf_dram_waiting(d)) &&
         zero(err, "DRAM reads on their way", p, d->ret_ring.count) &&
         zero(err, "DRAM return places reserved", p, d->ret_reserved) &&
         zero(err, "unit reads outside memory", p, l2->bad_unit_reads) &&
         zero(err, "unit writes outside memory", p, l2->bad_unit_writes) &&
         zero(err, "unit accesses of another partition's lines", p, l2->misrouted);
}

bool wf_mem_check_conservation(const wf_mem *mem, wf_error *err) {
  if (!balance(err, "requests and replies", mem->requests_in, mem->replies_out) ||
      !balance(err, "victims sent and taken", mem->victims_in, mem->counters.l2.victims) ||
      !balance(err, "unit packets from SMs", mem->unit_to_part_in, mem->unit_to_part_out) ||
      !balance(err, "unit packets to SMs", mem->unit_to_sm_in, mem->unit_to_sm_out))
    return false;
  for (unsigned p = 0; p < mem->config.n_part; p++)
    if (!check_partition(mem, p, err)) return false;
  if (!xbar_empty(&mem->request_net) || !xbar_empty(&mem->reply_net))
    return wf_fail(err, WF_EXIT_WRONG, "memory: packets left in the crossbar");
  if (mem->payloads.live || mem->payloads.misuse)
    return wf_fail(err, WF_EXIT_WRONG,
                   "memory: %u payload buffers not freed, %" PRIu64 " freed twice; want 0 and 0",
                   mem->payloads.live, mem->payloads.misuse);
  return true;
}

/* ---- hang report ---- */

typedef struct writer {
  char *text;
  size_t bytes, used;
} writer;

__attribute__((format(printf, 2, 3))) static void add(writer *w, const char *format, ...) {
  if (w->used + 1 >= w->bytes) return;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + w->used, w->bytes - w->used, format, args);
  va_end(args);
  if (n < 0) return;
  size_t left = w->bytes - w->used - 1;
  w->used += (size_t)n < left ? (size_t)n : left;
}

static const char *stall_name(wf_l2_stall stall) {
  static const char *const NAMES[] = {"nothing",          "room for the reply", "an MSHR",
                                      "room in the MSHR", "a free way",         "the DRAM queue",
                                      "a unit's write"};
  return NAMES[stall];
}

static const char *kind_name(unsigned kind) {
  static const char *const NAMES[] = {"read",        "write",  "atomic",
                                      "unit packet", "victim", "unit read"};
  return NAMES[kind];
}

static void describe_packet(writer *w, const char *what, const wf_packet *p) {
  add(w, "%s %s 0x%" PRIx64 " of SM %u id %u", what, kind_name(p->kind), p->address, p->sm, p->id);
}

static void describe_net(writer *w, const char *name, const char *in_name, const char *out_name,
                         const wf_xbar *x) {
  if (xbar_empty(x)) {
    add(w, "%s crossbar: empty\n", name);
    return;
  }
  add(w, "%s crossbar:\n", name);
  for (unsigned i = 0; i < x->n_in; i++) {
    const wf_xbar_input *in = &x->in[i];
    if (!wf_packet_ring_count(&in->ring)) continue;
    unsigned o = wf_packet_ring_front(&in->ring)->hop_out;
    add(w, "  from %s %u: %u packets, %u of %u flits;", in_name, i, wf_packet_ring_count(&in->ring),
        in->used, x->input_flits);
    describe_packet(w, " head", wf_packet_ring_front(&in->ring));
    add(w, " waits for %s %u%s%s\n", out_name, o % x->n_link, o >= x->n_link ? " (unit)" : "",
        wf_mask_has(&x->blocked, o) ? ", whose buffer is full" : "");
  }
  for (unsigned o = 0; o < x->n_out; o++) {
    const wf_xbar_output *out = &x->out[o];
    if (!wf_packet_ring_count(&out->ring)) continue;
    add(w, "  to %s %u%s: %u packets arrived, %u on their way, %u of %u flits;", out_name,
        o % x->n_link, o >= x->n_link ? " (unit)" : "", out->ready,
        wf_packet_ring_count(&out->ring) - out->ready, out->used, x->output_flits);
    describe_packet(w, " head", wf_packet_ring_front(&out->ring));
    add(w, "%s\n", out->ready ? " waits to be taken" : "");
  }
}

static void describe_source(writer *w, const wf_l2 *l2, const char *name, unsigned source) {
  const wf_packet_ring *queue = &l2->queue[source];
  if (!wf_packet_ring_count(queue)) return;
  add(w, "  %s: %u of %u;", name, wf_packet_ring_count(queue), queue->limit);
  describe_packet(w, " head", wf_packet_ring_front(queue));
  for (unsigned r = WF_STALL_NONE + 1; r < WF_STALL_REASONS; r++)
    if (l2->waiting[r] >> source & 1) add(w, " waits for %s", stall_name(r));
  add(w, "\n");
}

static void describe_partition(writer *w, const wf_mem *mem, unsigned p) {
  const wf_l2 *l2 = &mem->l2[p];
  const wf_l2_unit *u = &l2->unit;
  const wf_dram *d = &mem->dram[p];
  if (wf_l2_empty(l2) && !wf_dram_waiting(d) && !d->ret_ring.count) return;
  add(w,
      "partition %u: L2: %u of %u MSHRs in use (SMs %u, unit %u), %u filled ones to answer, "
      "%u replies waiting (%u of %u flits)\n",
      p, l2->n_mshrs - l2->free_count, l2->n_mshrs, l2->sm_held, l2->unit_held,
      l2->replay_ring.count, l2->reply_ring.count, l2->reply_flits, l2->reply_limit);
  if (wf_coalescer_used(&l2->coalescer))
    add(w, "  coalescer: %u of %u entries in use, %u of them with answers to give\n",
        wf_coalescer_used(&l2->coalescer), l2->coalescer.entries, l2->coalescer.fan_ring.count);
  if (l2->undecided_ring.count)
    add(w, "  %u look-ups wait for their judge\n", l2->undecided_ring.count);
  describe_source(w, l2, "requests", WF_SRC_NOC);
  describe_source(w, l2, "unit reads", WF_SRC_UNIT_READ);
  describe_source(w, l2, "unit writes", WF_SRC_UNIT_WRITE);
  if (u->reads_in_flight)
    add(w, "  unit: %u of %u reads in flight, %u blocks wait for the unit to take beats\n",
        u->reads_in_flight, u->slots, u->ready_ring.count);
  if (wf_packet_ring_count(&u->out))
    describe_packet(w, "  unit sends:", wf_packet_ring_front(&u->out)), add(w, "\n");
  add(w,
      "  DRAM: %u reads and %u writes of %u waiting, %s, rows open in banks 0x%x, "
      "%u reads on their way back\n",
      d->count[0], d->count[1], d->queue_limit, d->mode ? "writing" : "reading", d->open,
      d->ret_ring.count);
}

size_t wf_mem_describe(const wf_mem *mem, char *text, size_t bytes) {
  writer w = {.text = text, .bytes = bytes};
  if (!bytes) return 0;
  text[0] = 0;
  add(&w,
      "memory: %" PRIu64 " requests, %" PRIu64 " answered; unit packets %" PRIu64
      " sent by SMs, %" PRIu64 " taken; %" PRIu64 " sent by units, %" PRIu64
      " taken; %u payloads held\n",
      mem->requests_in, mem->replies_out, mem->unit_to_part_in, mem->unit_to_part_out,
      mem->unit_to_sm_in, mem->unit_to_sm_out, mem->payloads.live);
  if (mem->config.unit_port) add(&w, "SM %u: the unit's port\n", mem->config.n_sm);
  describe_net(&w, "request", "SM", "partition", &mem->request_net);
  for (unsigned p = 0; p < mem->config.n_part; p++) describe_partition(&w, mem, p);
  describe_net(&w, "reply", "partition", "SM", &mem->reply_net);
  return w.used;
}
