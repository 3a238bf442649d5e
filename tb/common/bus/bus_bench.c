#include "tb/common/bus/bus_bench.h"

#include <inttypes.h>
#include <string.h>

enum { CNT_READS, CNT_WRITES, CNT_READ_ERRORS, CNT_WRITE_ERRORS, CNT_STALL_BUS = 7, CNT_STALL_RSP };

/* ---- memory ---- */

static bool inside(bus_bench *b, uint64_t address, unsigned bytes) {
  return address + bytes <= b->size ||
         wf_bench_fail(&b->base, "address %#" PRIx64 " is outside memory", address);
}

static bool read_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes, uint8_t *data) {
  bus_bench *b = user;
  (void)lane;
  if (!inside(b, address, bytes)) return false;
  memcpy(data, b->memory + address, bytes);
  return true;
}

/* A write is answered: it is there, or was lost. */
static bool write_bytes(void *user, unsigned lane, uint64_t address, unsigned bytes,
                        const uint8_t *data, const uint8_t *strobe, bool failed) {
  bus_bench *b = user;
  (void)lane;
  if (!inside(b, address, bytes)) return false;
  for (unsigned i = 0; i < bytes; i++) {
    const uint64_t at = address + i;
    if (strobe[i] != b->pending[at])
      return wf_bench_fail(&b->base, "byte %#" PRIx64 " is written, its mask is %u", at,
                           b->pending[at]);
    if (!strobe[i]) continue;
    if (data[i] != b->now[at])
      return wf_bench_fail(&b->base, "byte %#" PRIx64 " is written as %#x, not %#x", at, data[i],
                           b->now[at]);
    if (failed)
      b->now[at] = b->memory[at];
    else
      b->memory[at] = data[i];
    b->pending[at] = b->fenced[at] = 0;
  }
  b->base.bin[BUS_BIN_write_failed] += failed;
  return true;
}

/* ---- life ---- */

static bool open(void *bench, wf_error *err) {
  bus_bench *b = bench;
  b->block = wf_bench_parameter(&b->base, "BlockBytes");
  b->sector = wf_bench_parameter(&b->base, "BeatBits") / 8;
  b->part = wf_bench_parameter(&b->base, "MaskBits") / 8;
  const unsigned bits = wf_bench_parameter(&b->base, "AddrBits");
  b->size = bits > 13 ? BUS_MEMORY : UINT64_C(1) << bits;
  b->options = (wf_bus_options){.burst = 1};
  b->bus = wf_bus_create(&b->base, 1, &(wf_bus_side){read_bytes, write_bytes, NULL, b});
  if (!b->bus) return wf_fail(err, WF_EXIT_WRONG, "the unit has no bus");
  return bus_unit_ports_bind(&b->p, b->base.model, err);
}

static void reset(void *bench) {
  bus_bench *b = bench;
  wf_bus_reset(b->bus);
  for (unsigned i = 0; i < BUS_MEMORY; i++) b->memory[i] = (uint8_t)wf_rng_next(&b->base.rng);
  memcpy(b->now, b->memory, sizeof b->now);
  memset(b->pending, 0, sizeof b->pending);
  memset(b->fenced, 0, sizeof b->fenced);
  b->n_reads = b->beat = 0;
  b->n_writes = b->n_taken = b->n_beats_held = 0;
  b->held = false;
}

static void close(void *bench) {
  wf_bus_destroy(((bus_bench *)bench)->bus);
}

/* ---- the unit's side ---- */

static bool any(const uint8_t *bytes, uint64_t from, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (bytes[from + i]) return true;
  return false;
}

static bool take_read(bus_bench *b, uint64_t address) {
  const uint64_t at = address / b->block * b->block;
  if (any(b->pending, at, b->block))
    return wf_bench_fail(&b->base, "a read of %#" PRIx64 " passes a write", at);
  if (b->n_reads == BUS_READS) return wf_bench_fail(&b->base, "more reads are taken than fit");
  bus_read *r = &b->reads[b->n_reads++];
  *r = (bus_read){.address = at, .taken = b->base.cycle};
  r->tag = b->next_tag++ & (UINT64_MAX >> (64 - wf_bench_parameter(&b->base, "TagBits")));
  memcpy(r->was, b->now + at, b->block);
  b->n_taken++;
  return true;
}

static bool take_write(bus_bench *b, const bus_write *w) {
  const uint64_t at = w->address / b->sector * b->sector;
  if (any(b->pending, at, b->sector))
    return wf_bench_fail(&b->base, "a write of %#" PRIx64 " passes another", at);
  bus_write *log = &b->log[b->n_writes++ % BUS_LOG];
  *log = *w;
  log->address = at;
  log->taken = b->base.cycle;
  for (unsigned i = 0; i < b->sector; i++)
    if (w->strobe[i]) {
      b->now[at + i] = w->data[i];
      b->pending[at + i] = 1;
    }
  return true;
}

/* The byte was written since the read was taken, as this. */
static bool written_since(const bus_bench *b, const bus_read *r, uint64_t at, uint8_t value) {
  for (uint64_t i = 0; i < BUS_LOG && i < b->n_writes; i++) {
    const bus_write *w = &b->log[(b->n_writes - 1 - i) % BUS_LOG];
    if (w->taken < r->taken) return false;
    if (at >= w->address && at < w->address + b->sector && w->strobe[at - w->address] &&
        w->data[at - w->address] == value)
      return true;
  }
  return false;
}

/* A read with this tag: those of one tag may come back in any order, so any that fits. Errors make
 * whole words 0. */
static bool beat_fits(const bus_bench *b, const bus_read *r, const uint8_t *data, bool bad) {
  for (unsigned i = 0; i < b->sector; i++) {
    const unsigned in_block = b->beat * b->sector + i;
    if (data[i] != r->was[in_block] && !written_since(b, r, r->address + in_block, data[i]) &&
        !(bad && data[i] == 0))
      return false;
  }
  return true;
}

static bool take_beat(bus_bench *b, const uint8_t *data) {
  const bool bad = wf_port_get(b->p.rsp_error), last = wf_port_get(b->p.rsp_last);
  const uint64_t tag = wf_port_get(b->p.rsp_tag);
  if (wf_port_get(b->p.rsp_beat) != b->beat || last != (b->beat == b->block / b->sector - 1))
    return wf_bench_fail(&b->base, "beat %u comes, not %u", wf_port_word(b->p.rsp_beat), b->beat);
  if (b->beat == 0)
    for (b->at = 0; b->at < b->n_reads && b->reads[b->at].tag != tag; b->at++) {
    }
  if (b->at == b->n_reads || b->reads[b->at].tag != tag)
    return wf_bench_fail(&b->base, "a beat of tag %#" PRIx64 ", which nobody asked for", tag);
  if (!beat_fits(b, &b->reads[b->at], data, bad))
    return wf_bench_fail(&b->base, "beat %u of block %#" PRIx64 " is not what memory holds",
                         b->beat, b->reads[b->at].address);
  b->base.bin[BUS_BIN_read_failed] += bad && last;
  b->base.bin[BUS_BIN_block_while_writing] += last && any(b->pending, 0, b->size);
  b->beat = last ? 0 : b->beat + 1;
  if (last) {
    b->n_reads--;
    memmove(&b->reads[b->at], &b->reads[b->at + 1], (b->n_reads - b->at) * sizeof *b->reads);
  }
  return true;
}

static bool serve(bus_bench *b, bool ready) {
  uint32_t now[BUS_BLOCK / 4 + 4] = {0};
  const bool valid = wf_port_get(b->p.rsp_valid);
  wf_port_set(b->p.rsp_ready, ready);
  if (valid) {
    wf_port_read(b->p.rsp_data, 0, b->sector * 8, now);
    now[BUS_BLOCK / 4] = wf_port_word(b->p.rsp_tag);
    now[BUS_BLOCK / 4 + 1] = wf_port_word(b->p.rsp_beat);
    now[BUS_BLOCK / 4 + 2] = wf_port_word(b->p.rsp_error);
  }
  if (b->held && memcmp(now, b->old, sizeof now) != 0)
    return wf_bench_fail(&b->base, "a beat changes before it is taken");
  b->held = valid && !ready;
  b->n_beats_held += b->held;
  b->base.bin[BUS_BIN_beat_held] += b->held;
  memcpy(b->old, now, sizeof now);
  return !valid || !ready || take_beat(b, (const uint8_t *)now);
}

static void drive_write(bus_bench *b, const bus_write *w) {
  wf_port_set(b->p.wr_valid, w != NULL);
  wf_bench_garbage(&b->base, &b->p.wr_addr, &b->p.wr_data);
  if (!w) return;
  uint32_t data[BUS_BLOCK / 4] = {0}, mask[BUS_BLOCK / 32] = {0};
  memcpy(data, w->data, b->sector);
  for (unsigned i = 0; i < b->sector; i += b->part)
    mask[i / b->part / 32] |= (uint32_t)w->strobe[i] << i / b->part % 32;
  wf_port_set(b->p.wr_addr, w->address);
  wf_port_write(b->p.wr_mask, 0, b->p.wr_mask->width, mask);
  wf_port_write(b->p.wr_data, 0, b->p.wr_data->width, data);
}

static void drive_read(bus_bench *b, const uint64_t *address) {
  wf_port_set(b->p.rd_valid, address != NULL);
  wf_bench_garbage(&b->base, &b->p.rd_addr, &b->p.rd_tag);
  if (!address) return;
  wf_port_set(b->p.rd_addr, *address);
  wf_port_set(b->p.rd_tag, b->next_tag);
}

static void count_waits(bus_bench *b, const bus_offers *o, const bus_taken *t) {
  const uint64_t at = o->read ? *o->read / b->block * b->block : 0;
  const bool behind = o->read && !t->read && any(b->pending, at, b->block);
  b->base.bin[BUS_BIN_read_waits_for_write] += behind;
  b->base.bin[BUS_BIN_read_waits_for_slot] += o->read && !t->read && !behind;
  b->base.bin[BUS_BIN_write_waits] += o->write && !t->write;
}

static bool fence_right(bus_bench *b) {
  const bool done = wf_port_get(b->p.fence_done), open = any(b->fenced, 0, b->size);
  b->base.bin[BUS_BIN_fence_waits] += open;
  return done != open ||
         wf_bench_fail(&b->base, done ? "a fence ends before its writes are answered"
                                      : "a fence does not end");
}

bool bus_bench_cycle(bus_bench *b, const bus_offers *o, bus_taken *taken) {
  if (b->base.failure[0]) return false;
  bus_taken t = {false, false};
  drive_read(b, o->read);
  drive_write(b, o->write);
  wf_port_set(b->p.fence, o->fence);
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  if (!serve(b, o->rsp_ready)) return false;
  t.read = o->read && wf_port_get(b->p.rd_ready);
  t.write = o->write && wf_port_get(b->p.wr_ready);
  count_waits(b, o, &t);
  /* Taken before what the bus does at this edge: an answer frees nobody at its own edge. */
  if (t.read && !take_read(b, *o->read)) return false;
  if (t.write && !take_write(b, o->write)) return false;
  if (o->fence) memcpy(b->fenced, b->pending, sizeof b->fenced);
  if (!wf_bus_cycle(b->bus, &b->options, b->base.cycle)) return false;
  const bool offered = o->read || o->write || o->fence || wf_bus_owed(b->bus);
  b->base.cycle++;
  if (taken) *taken = t;
  if (!offered && wf_port_get(b->p.idle) && wf_bench_gated(&b->base)) return true;
  return wf_bench_ok(&b->base, wf_model_edge(b->base.model)) && fence_right(b);
}

bool bus_bench_drain(void *bench) {
  bus_bench *b = bench;
  const bus_offers none = {.rsp_ready = true};
  for (unsigned i = 0; !wf_port_get(b->p.idle) || wf_bus_owed(b->bus) || b->n_reads; i++) {
    if (!bus_bench_cycle(b, &none, NULL)) return false;
    if (i > 20000) return wf_bench_fail(&b->base, "something is left for ever");
  }
  if (!bus_bench_cycle(b, &none, NULL)) return false; /* and the bus offers nothing any more */
  return memcmp(b->memory, b->now, sizeof b->now) == 0 ||
         wf_bench_fail(&b->base, "memory is not what was written");
}

/* ---- counters ---- */

bool bus_bench_check(bus_bench *b) {
  const wf_bus_stats *s = wf_bus_statistics(b->bus);
  const unsigned bits = wf_bench_parameter(&b->base, "CounterBits");
  uint64_t values[16];
  b->base.bin[BUS_BIN_answers_pass] += s->passed;
  b->base.bin[BUS_BIN_words_mix] += s->mixed;
  b->base.bin[BUS_BIN_narrow_write] += s->narrow;
  if (!bus_bench_drain(b)) return false;
  if (!bits) return true;
  if (!wf_bench_ok(&b->base, wf_model_counters_read(b->base.model, values))) return false;
  const struct {
    unsigned index;
    uint64_t expected;
  } table[] = {{CNT_READS, b->n_taken},           {CNT_WRITES, b->n_writes},
               {CNT_READ_ERRORS, s->read_errors}, {CNT_WRITE_ERRORS, s->write_errors},
               {CNT_STALL_BUS, s->ask_stalls},    {CNT_STALL_RSP, b->n_beats_held}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (values[table[i].index] != (table[i].expected & (UINT64_MAX >> (64 - bits))))
      return wf_bench_fail(&b->base, "counter %s is %" PRIu64 ", the bench counted %" PRIu64,
                           wf_model_counter_name(b->base.model, table[i].index),
                           values[table[i].index], table[i].expected);
  return true;
}

#define CLASS(name)                                                                                \
  {                                                                                                \
    .unit = (name), .bytes = sizeof(bus_bench), .open = open, .reset = reset, .close = close,      \
    .rest = bus_bench_drain, .bins = (const char *const[]){BUS_BINS(WF_BENCH_PORT_NAME)},          \
    .n_bins = BUS_BIN_COUNT                                                                        \
  }
const wf_bench_class bus_bench_axi4 = CLASS("wf_axi4"), bus_bench_tlul = CLASS("wf_tlul");
