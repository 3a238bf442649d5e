#include "tb/mff/mff_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/mff/mff_bus.h"
#include "tb/mff/mff_cover.h"

enum { MFF_ID_C = 0x8000 }; /* of a read's name: its block is one of C */
enum { MFF_WIDE_PER_RSP = 3, MAX_READS = 8192, WARPS = 64, TAGS = 256 };

/* ---- small things ---- */

static size_t key_of(uint32_t sm, uint32_t warp, uint32_t tag) {
  return ((size_t)sm * WARPS + warp) * TAGS + tag;
}

static size_t keys_of(const mff_bench *b) {
  return (size_t)b->sms * WARPS * TAGS;
}

bool mff_bench_outstanding(const mff_bench *b, uint32_t sm, uint32_t warp, uint32_t tag) {
  return b->by_key[key_of(sm, warp, tag)] >= 0;
}

static void tell(mff_bench *b, unsigned s, mff_event_kind kind, uint32_t value) {
  b->last_transfer = b->base.cycle;
  if (b->event) b->event(b->event_user, b->base.cycle, s, kind, value);
}

/* ---- creation ---- */

static bool open(void *bench, wf_error *err) {
  mff_bench *b = bench;
  b->options = (mff_bench_options){.burst = 1, .latency_max = 1, .hang_after = 50000};
  b->slices = wf_bench_parameter(&b->base, "NSlice");
  b->interleave = wf_bench_parameter(&b->base, "InterleaveBytes");
  b->block_bytes = wf_bench_parameter(&b->base, "BlockBytes");
  b->elem_bytes = wf_bench_parameter(&b->base, "ElemBytes");
  b->address_mask = UINT64_MAX >> (64 - wf_bench_parameter(&b->base, "AddrBits"));
  b->window[0] = (mff_window){0, 0, MFF_BENCH_MEMORY_BYTES};
  b->memory = wf_calloc(MFF_BENCH_WORDS, 4);
  b->marked = wf_calloc(MFF_BENCH_WORDS, 4);
  b->named = wf_calloc(MFF_BENCH_WORDS, 4);
  b->sms = wf_bench_parameter(&b->base, "NumSm") > 64 ? 256 : 64;
  b->hash = wf_bench_parameter(&b->base, "Hash");
  b->by_key = wf_calloc(keys_of(b), sizeof *b->by_key);
  for (unsigned s = 0; s < b->slices; s++)
    b->slice[s].reads = wf_calloc(MAX_READS, sizeof *b->slice[s].reads);
  b->bus = mff_bus_open(b);
  return mff_host_ports_bind(&b->p, b->base.model, err) &&
         (b->bus || mff_memory_ports_bind(&b->m, b->base.model, err));
}

static void close(void *bench) {
  mff_bench *b = bench;
  wf_bus_destroy(b->bus);
  for (unsigned s = 0; s < MFF_MAX_SLICES; s++) {
    free(b->slice[s].flits);
    free(b->slice[s].flit_record);
    free(b->slice[s].reads);
  }
  free(b->records);
  free(b->by_key);
  free(b->memory);
  free(b->marked);
  free(b->named);
}

/* Forgets every command; memory stays as it is. */
static void reset(void *bench) {
  mff_bench *b = bench;
  for (unsigned s = 0; s < b->slices; s++) {
    mff_slice_state *t = &b->slice[s];
    *t = (mff_slice_state){.flits = t->flits,
                           .flit_record = t->flit_record,
                           .flit_room = t->flit_room,
                           .reads = t->reads};
  }
  if (b->bus) wf_bus_reset(b->bus);
  memset(b->by_key, 0xff, keys_of(b) * sizeof *b->by_key);
  memset(b->base_address, 0, sizeof b->base_address);
  memset(&b->stats, 0, sizeof b->stats);
  b->record_count = b->pending = 0;
  b->bad_cfg = b->newest_done = 0;
  b->last_transfer = b->base.cycle;
}

void mff_bench_mark(mff_bench *b) {
  memcpy(b->marked, b->memory, MFF_BENCH_MEMORY_BYTES);
  memset(b->named, 0, MFF_BENCH_MEMORY_BYTES);
}

/* ---- commands ---- */

void mff_bench_place(mff_bench *b, const mff_window windows[MFF_BENCH_WINDOWS]) {
  memcpy(b->window, windows, sizeof b->window);
}

/* Where `bytes` bytes at an address of the unit lie in the bench's memory, as an index of words;
 * MFF_BENCH_WORDS if no window holds them all. */
static size_t place_of(const mff_bench *b, uint64_t address, uint32_t bytes) {
  for (unsigned w = 0; w < MFF_BENCH_WINDOWS; w++) {
    const mff_window *v = &b->window[w];
    uint64_t at = (address - v->address) & b->address_mask;
    if (at < v->bytes && bytes <= v->bytes - at) return (size_t)(v->offset + at) / 4;
  }
  return MFF_BENCH_WORDS;
}

static size_t word_of(mff_bench *b, uint64_t address) {
  size_t at = place_of(b, address, 4);
  if (at < MFF_BENCH_WORDS) return at;
  wf_bench_fail(&b->base, "address %#" PRIx64 " is outside the bench's memory", address);
  return 0;
}

static uint32_t *word_at(mff_bench *b, uint64_t address) {
  return &b->memory[word_of(b, address)];
}

/* Address of the word, and for scatters the bit, that element i of a lane goes to. */
static uint64_t target_of(mff_bench *b, const mff_record *r, unsigned lane, unsigned i,
                          uint32_t *bit) {
  const uint64_t at = r->lane[lane].c_index + (uint64_t)i;
  const uint64_t index = *word_at(b, b->base_address[0] + 4 * at);
  *bit = 1u << (index & 31);
  return (r->header.op ? b->base_address[2] + 4 * (index / 32)
                       : b->base_address[1] + b->elem_bytes * index) &
         b->address_mask;
}

static void append_flit(mff_slice_state *s, const uint32_t *flit, uint32_t record) {
  if (s->flit_head + s->flit_count == s->flit_room) {
    if (s->flit_head > s->flit_room / 2) {
      memmove(s->flits, s->flits + s->flit_head, s->flit_count * sizeof *s->flits);
      memmove(s->flit_record, s->flit_record + s->flit_head, s->flit_count * sizeof(uint32_t));
      s->flit_head = 0;
    } else {
      s->flit_room = 2 * s->flit_room + 64;
      s->flits = wf_realloc(s->flits, s->flit_room, sizeof *s->flits);
      s->flit_record = wf_realloc(s->flit_record, s->flit_room, sizeof(uint32_t));
    }
  }
  size_t at = s->flit_head + s->flit_count++;
  memcpy(s->flits[at], flit, sizeof *s->flits);
  s->flit_record[at] = record;
}

static bool misaligned(const mff_bench *b, uint32_t reg, uint64_t value) {
  return value % (reg == 1 ? b->elem_bytes : 4) != 0;
}

/* Refused: what README.md lists under errors. */
static mff_bin what_refuses(const mff_bench *b, const mff_record *r, unsigned extra_flits) {
  if (extra_flits) return MFF_BIN_refused_framing;
  if (r->header.sm >= wf_bench_parameter(&b->base, "NumSm")) return MFF_BIN_refused_sm;
  if (r->header.warp >= wf_bench_parameter(&b->base, "NumWarp")) return MFF_BIN_refused_warp;
  const uint32_t base = r->header.op ? 2 : 1;
  if (misaligned(b, 0, b->base_address[0]) || misaligned(b, base, b->base_address[base]))
    return MFF_BIN_refused_base;
  for (unsigned lane = 0; lane < MFF_LANES; lane++)
    if ((r->header.lane_mask >> lane & 1) && r->lane[lane].size > MFF_MAX_SIZE)
      return MFF_BIN_refused_size;
  return MFF_BIN_COUNT;
}

static size_t new_record(mff_bench *b) {
  if (b->record_count == b->record_room) {
    if (b->pending == 0)
      b->record_count = 0; /* nothing refers to old ones */
    else
      b->records =
          wf_realloc(b->records, b->record_room = 2 * b->record_room + 256, sizeof(mff_record));
  }
  if (!b->record_room) b->records = wf_realloc(NULL, b->record_room = 256, sizeof(mff_record));
  return b->record_count++;
}

/* What a command's flits leave open: bits without a meaning, lanes behind the last one. */
static void fill_open_bits(const mff_bench *b, uint32_t (*flits)[MFF_FLIT_WORDS], uint32_t lanes) {
  const uint32_t header[MFF_FLIT_WORDS] = {
      b->sms > 64 ? 0x00c000fe : 0x00c0c0fe, 0, ~7u, ~0u, ~0u, ~0u, ~0u, ~0u};
  wf_rng rng;
  wf_rng_seed(&rng, b->stats.commands);
  for (uint32_t w = 0; w < MFF_FLIT_WORDS; w++)
    flits[0][w] |= header[w] & (uint32_t)wf_rng_next(&rng);
  for (uint32_t f = 0; f < mff_lane_flits(lanes); f++) {
    uint32_t *flit = flits[1 + f], used = lanes - f * MFF_LANES_PER_FLIT;
    for (uint32_t k = used; k < MFF_LANES_PER_FLIT; k++) flit[k] = (uint32_t)wf_rng_next(&rng);
    for (uint32_t bit = used < MFF_LANES_PER_FLIT ? 6 * used : 36; bit < 64; bit++)
      flit[6 + bit / 32] |= (uint32_t)wf_rng_below(&rng, 2) << bit % 32;
  }
}

void mff_bench_send(mff_bench *b, unsigned slice, const mff_cmd_header *header,
                    const mff_lane by_lane[MFF_LANES], unsigned extra_flits) {
  uint32_t flits[2 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS];
  size_t index = new_record(b);
  mff_record *r = &b->records[index];
  memset(r, 0, sizeof *r);
  r->header = *header;
  memcpy(r->lane, by_lane, sizeof r->lane);
  mff_bin why = what_refuses(b, r, extra_flits);
  mff_cover_command(b->base.bin, header, by_lane, why);
  r->error = why != MFF_BIN_COUNT;
  r->open = true;
  for (unsigned lane = 0; lane < MFF_LANES && !r->error; lane++) {
    if (!(header->lane_mask >> lane & 1)) continue;
    r->expected += by_lane[lane].size;
    for (unsigned i = 0; i < by_lane[lane].size && header->op; i++) {
      uint32_t bit;
      const uint64_t address = target_of(b, r, lane, i, &bit);
      b->named[word_of(b, address)] |= bit;
    }
  }
  uint32_t n = mff_pack_command(flits, header, by_lane);
  fill_open_bits(b, flits, mff_lanes_in(header->lane_mask));
  for (unsigned e = 0; e < extra_flits; e++) {
    flits[0][2]++;
    memset(flits[n++], 0xa5, sizeof flits[0]);
  }
  for (uint32_t f = 0; f < n; f++)
    append_flit(&b->slice[slice], flits[f], f ? UINT32_MAX : (uint32_t)index);
  b->by_key[key_of(header->sm, header->warp, header->tag)] = (int32_t)index;
  b->pending++;
  b->stats.commands++;
  b->stats.refused += r->error;
  b->stats.elements += r->expected;
}

/* ---- scoreboard ---- */

static mff_record *find(mff_bench *b, const mff_rsp *rsp) {
  int32_t index = b->by_key[key_of(rsp->sm, rsp->warp, rsp->tag)];
  if (index >= 0) return &b->records[index];
  wf_bench_fail(&b->base, "%s for sm %u warp %u tag %u, which has no command outstanding",
                rsp->is_done ? "done" : "data", rsp->sm, rsp->warp, rsp->tag);
  return NULL;
}

/* One word of an element: `word` came, memory has it at `address`. */
static void check_value(mff_bench *b, const mff_rsp *rsp, unsigned k, uint64_t address,
                        uint32_t word) {
  const uint32_t now = *word_at(b, address);
  size_t at = word_of(b, address);
  uint32_t before = b->marked[at], may = before | b->named[at];
  bool right = b->options.overlap ? (word & ~may) == 0 && (before & ~word) == 0 : word == now;
  if (!right)
    wf_bench_fail(&b->base,
                  "sm %u warp %u tag %u: lane %u, element %u is %#x, memory at %#" PRIx64
                  " holds %#x",
                  rsp->sm, rsp->warp, rsp->tag, rsp->lane[k], rsp->a_offset[k], word, address, now);
}

static void check_element(mff_bench *b, mff_record *r, const mff_rsp *rsp, unsigned k,
                          const uint32_t *words) {
  uint32_t lane = rsp->lane[k], i = rsp->a_offset[k], bit;
  if (r->header.op || r->error || !(r->header.lane_mask >> lane & 1) || i >= r->lane[lane].size) {
    wf_bench_fail(&b->base,
                  "sm %u warp %u tag %u: a word for lane %u, element %u, which was not asked for",
                  rsp->sm, rsp->warp, rsp->tag, lane, i);
    return;
  }
  if (r->seen[lane] >> i & 1) {
    wf_bench_fail(&b->base, "sm %u warp %u tag %u: lane %u, element %u came twice", rsp->sm,
                  rsp->warp, rsp->tag, lane, i);
    return;
  }
  const uint64_t address = target_of(b, r, lane, i, &bit);
  for (unsigned w = 0; w < b->elem_bytes / 4; w++)
    check_value(b, rsp, k, address + 4 * w, words[w]);
  r->seen[lane] |= 1u << i;
  r->received++;
  b->stats.words++;
}

static void check_bits_written(mff_bench *b, const mff_record *r) {
  for (unsigned lane = 0; lane < MFF_LANES; lane++) {
    if (!(r->header.lane_mask >> lane & 1)) continue;
    for (unsigned i = 0; i < r->lane[lane].size; i++) {
      uint32_t bit;
      const uint64_t address = target_of(b, r, lane, i, &bit);
      if (!(*word_at(b, address) & bit))
        wf_bench_fail(&b->base,
                      "sm %u warp %u tag %u done: bit %#x at %#" PRIx64
                      " (lane %u, element %u) is not set",
                      r->header.sm, r->header.warp, r->header.tag, bit, address, lane, i);
      b->stats.bits++;
    }
  }
}

static void check_done(mff_bench *b, mff_record *r, const mff_rsp *rsp) {
  uint32_t delivered = r->header.op ? r->expected : r->received;
  if (r->error ? !rsp->error || rsp->words_delivered : rsp->error != 0)
    wf_bench_fail(&b->base, "sm %u warp %u tag %u: done with error %u, words %u; expected error %u",
                  rsp->sm, rsp->warp, rsp->tag, rsp->error, rsp->words_delivered, r->error);
  else if (delivered != r->expected || rsp->words_delivered != r->expected ||
           rsp->op != r->header.op)
    wf_bench_fail(
        &b->base, "sm %u warp %u tag %u: done op %u says %u words; %u came, %u were asked for",
        rsp->sm, rsp->warp, rsp->tag, rsp->op, rsp->words_delivered, r->received, r->expected);
  if (!r->error && r->header.op) check_bits_written(b, r);
  b->base.bin[r->begun < b->newest_done ? MFF_BIN_done_out_of_order : MFF_BIN_done_in_order]++;
  if (r->begun > b->newest_done) b->newest_done = r->begun;
  b->base.bin[MFF_BIN_done_refused] += r->error;
  r->open = false;
  b->by_key[key_of(rsp->sm, rsp->warp, rsp->tag)] = -1;
  b->pending--;
  if (b->base.cycle - r->begun > b->stats.longest_command)
    b->stats.longest_command = b->base.cycle - r->begun;
}

/* Places of elements of 8 bytes: three in a flit, behind their words. */
static void unpack_wide(mff_rsp *r, const uint32_t flit[MFF_FLIT_WORDS]) {
  for (unsigned k = 0; k < r->count && k < MFF_WIDE_PER_RSP; k++) {
    r->lane[k] = flit[6] >> (10 * k) & 31u;
    r->a_offset[k] = flit[6] >> (10 * k + 5) & 31u;
  }
}

/* What a response's fields leave open is 0: bits without a meaning, words and places that it does
 * not have. `count` is of its elements. */
static bool open_bits_are_0(mff_bench *b, unsigned s, const uint32_t *flit, bool done,
                            unsigned count) {
  const uint64_t places = (UINT64_C(1) << 10 * count) - 1;
  uint32_t unused[MFF_FLIT_WORDS];
  memset(unused, 0xff, sizeof unused);
  unused[7] = 0x00c0008e | (b->sms > 64 ? 0 : 0xc000) | (done ? 0x70 : 0);
  if (done) {
    unused[0] = 0xfffc0000;
  } else {
    memset(unused, 0, count * b->elem_bytes);
    if (b->elem_bytes == 4) unused[5] = ~(uint32_t)places;
    unused[6] = ~(uint32_t)(b->elem_bytes == 4 ? places >> 32 : places);
  }
  for (unsigned w = 0; w < MFF_FLIT_WORDS; w++)
    if (flit[w] & unused[w])
      return wf_bench_fail(&b->base,
                           "slice %u: word %u of a response is %#x, whose bits %#x mean nothing", s,
                           w, flit[w], unused[w]);
  return true;
}

static void take_rsp(mff_bench *b, unsigned s, const uint32_t *flit) {
  mff_rsp rsp;
  const bool wide = b->elem_bytes == 8;
  const unsigned most = wide ? MFF_WIDE_PER_RSP : MFF_WORDS_PER_RSP;
  mff_unpack_rsp(&rsp, flit);
  if (!open_bits_are_0(b, s, flit, rsp.is_done, rsp.count < most ? rsp.count : most)) return;
  if (wide) unpack_wide(&rsp, flit);
  mff_record *r = find(b, &rsp);
  tell(b, s, rsp.is_done ? MFF_EV_DONE : MFF_EV_DATA,
       rsp.is_done ? rsp.words_delivered : rsp.count);
  if (!r) return;
  if (rsp.is_done) {
    check_done(b, r, &rsp);
    return;
  }
  b->stats.data_flits++;
  if (rsp.count && rsp.count <= most) b->base.bin[MFF_BIN_flit_of_1 + rsp.count - 1]++;
  if (rsp.count == 0 || rsp.count > most)
    wf_bench_fail(&b->base, "a data flit of %u words", rsp.count);
  for (unsigned k = 0; k < rsp.count && k < most; k++)
    check_element(b, r, &rsp, k, flit + k * (b->elem_bytes / 4));
}

/* ---- memory ---- */

bool mff_bench_read(mff_bench *b, unsigned s, uint64_t address, uint32_t bytes, void *data) {
  tell(b, s, MFF_EV_READ, (uint32_t)address);
  b->stats.blocks_read += address % b->block_bytes == 0;
  const size_t at = place_of(b, address, bytes);
  if (address % bytes || mff_owner(address, b->interleave, b->slices, b->hash) != s ||
      at == MFF_BENCH_WORDS)
    return wf_bench_fail(&b->base,
                         "slice %u reads %u bytes at %#" PRIx64 ": not of a block of this slice", s,
                         bytes, address);
  memcpy(data, &b->memory[at], bytes);
  return true;
}

static void take_read(mff_bench *b, unsigned s, uint64_t address, uint32_t id) {
  mff_slice_state *t = &b->slice[s];
  uint32_t data[MFF_BENCH_BLOCK_MOST / 4];
  /* The data are of this moment: what was written later must not be needed. */
  if (!mff_bench_read(b, s, address, b->block_bytes, data)) return;
  for (unsigned i = 0; i < t->read_count; i++)
    if (t->reads[i].id == id ||
        (t->reads[i].address == address && (t->reads[i].id ^ id) < MFF_ID_C))
      wf_bench_fail(&b->base,
                    "slice %u reads %#" PRIx64 " with id %#x while %#" PRIx64
                    " with id %#x is outstanding",
                    s, address, id, t->reads[i].address, t->reads[i].id);
  if (t->read_count == MAX_READS) {
    wf_bench_fail(&b->base, "slice %u has more reads outstanding than ids", s);
    return;
  }
  mff_read *r = &t->reads[t->read_count++];
  if (t->most_reads < t->read_count) t->most_reads = t->read_count;
  unsigned spread = b->options.latency_max - b->options.latency_min + 1;
  r->address = address;
  r->id = id;
  r->due = b->base.cycle + b->options.latency_min + wf_rng_below(&b->base.rng, spread) +
           (id < MFF_ID_C ? b->options.latency_v : 0);
  memcpy(r->data, data, b->block_bytes);
}

void mff_bench_write(mff_bench *b, unsigned s, uint64_t address, uint32_t mask, unsigned words,
                     const uint32_t *data) {
  tell(b, s, MFF_EV_WRITE, (uint32_t)address);
  const size_t at = place_of(b, address, words * 4);
  if (address % (words * 4) || mff_owner(address, b->interleave, b->slices, b->hash) != s ||
      at == MFF_BENCH_WORDS || !mask) {
    wf_bench_fail(&b->base,
                  "slice %u writes %#" PRIx64 " with mask %#x: not a sector of this slice", s,
                  address, mask);
    return;
  }
  for (unsigned w = 0; w < words; w++) {
    uint32_t *word = &b->memory[at + w], named = b->named[at + w];
    if (!(mask >> w & 1)) continue;
    if (!named)
      wf_bench_fail(&b->base,
                    "slice %u writes the word at %#" PRIx64 ", of which no bit may be set", s,
                    address + 4 * w);
    if ((*word & ~data[w]) || (data[w] & ~*word & ~named))
      wf_bench_fail(&b->base,
                    "slice %u writes %#x at %#" PRIx64 " over %#x; only bits %#x may be set", s,
                    data[w], address + 4 * w, *word, named);
    *word = data[w];
  }
}

static void take_write(mff_bench *b, unsigned s, uint64_t address, uint32_t mask, bool last,
                       const uint32_t *data) {
  b->stats.sectors_written++;
  b->stats.blocks_written += last;
  b->base.bin[last ? MFF_BIN_write_last : MFF_BIN_write_not_last]++;
  mff_slice_state *t = &b->slice[s];
  const uint32_t sector = 1u << address % b->block_bytes / MFF_BEAT_BYTES;
  if (t->written & sector)
    wf_bench_fail(&b->base, "slice %u writes %#" PRIx64 " twice in one write-back", s, address);
  t->written = last ? 0 : t->written | sector;
  mff_bench_write(b, s, address, mask, MFF_FLIT_WORDS, data);
}

/* Picks what to return next: the first read that is due, or any of them. */
static bool choose_read(mff_bench *b, mff_slice_state *t) {
  unsigned n = t->read_count,
           start = b->options.in_order || !n ? 0 : (unsigned)wf_rng_below(&b->base.rng, n);
  for (unsigned i = 0; i < n; i++) {
    unsigned at = (start + i) % n;
    if (t->reads[at].due > b->base.cycle) {
      if (b->options.in_order) return false;
      continue;
    }
    mff_read chosen = t->reads[at];
    b->base.bin[at ? MFF_BIN_reads_out_of_order : MFF_BIN_reads_in_order]++;
    if (b->options.in_order)
      memmove(&t->reads[1], &t->reads[0], at * sizeof chosen);
    else
      t->reads[at] = t->reads[0];
    t->reads[0] = chosen;
    return true;
  }
  return false;
}

/* ---- one cycle ---- */

enum { ST_CMD, ST_RSP, ST_READ, ST_BEAT, ST_WRITE };

static bool held_back(mff_bench *b, mff_slice_state *t, unsigned which, unsigned percent) {
  if (t->stall[which]) return t->stall[which]--, true;
  if (!percent || wf_rng_below(&b->base.rng, 100) >= percent) return false;
  t->stall[which] = (unsigned)wf_rng_below(&b->base.rng, b->options.burst);
  return true;
}

/* Invalid data is garbage, different every cycle. */
static void garbage(mff_bench *b, uint32_t *words) {
  uint64_t x = wf_rng_next(&b->base.rng);
  for (unsigned w = 0; w < MFF_FLIT_WORDS; w++)
    words[w] = (uint32_t)(x >> (w % 4 * 8)) * 2654435761u + w;
}

static void drive_cmd(mff_bench *b, unsigned s) {
  mff_slice_state *t = &b->slice[s];
  uint32_t *data = b->p.cmd_data->words + s * MFF_FLIT_WORDS;
  bool offer = t->cmd_held || (t->flit_count && !held_back(b, t, ST_CMD, b->options.stall_cmd));
  wf_port_set_bit(b->p.cmd_valid, s, offer);
  if (!offer) {
    if (b->options.stall_cmd) garbage(b, data);
    return;
  }
  memcpy(data, t->flits[t->flit_head], sizeof *t->flits);
  t->cmd_held = !wf_port_bit(b->p.cmd_ready, s);
  b->base.bin[MFF_BIN_cmd_held_by_unit] += t->cmd_held;
  if (t->cmd_held) return;
  uint32_t index = t->flit_record[t->flit_head];
  if (index != UINT32_MAX) b->records[index].begun = b->base.cycle;
  tell(b, s, MFF_EV_CMD, index);
  t->flit_head++;
  t->flit_count--;
}

static void drive_beat(mff_bench *b, unsigned s) {
  mff_slice_state *t = &b->slice[s];
  uint32_t *data = b->m.mem_rsp_data->words + s * MFF_FLIT_WORDS;
  const unsigned beat_bits = b->block_bytes == 64 ? 1 : b->block_bytes == 128 ? 2 : 3;
  bool offer = t->beat_held;
  if (!offer && t->read_count && !held_back(b, t, ST_BEAT, b->options.stall_beat)) {
    offer = t->beating || choose_read(b, t);
    t->beating |= offer;
  }
  wf_port_set_bit(b->m.mem_rsp_valid, s, offer);
  if (!offer) {
    if (b->options.stall_beat) {
      garbage(b, data);
      wf_port_set_bits(b->m.mem_rsp_id, s * MFF_MEM_ID_BITS, MFF_MEM_ID_BITS, data[0] & 0xffff);
      wf_port_set_bits(b->m.mem_rsp_beat, s * beat_bits, beat_bits,
                       data[1] & ((1u << beat_bits) - 1));
    }
    return;
  }
  mff_read *r = &t->reads[0];
  memcpy(data, r->data + t->beat * MFF_FLIT_WORDS, MFF_BEAT_BYTES);
  wf_port_set_bits(b->m.mem_rsp_id, s * MFF_MEM_ID_BITS, MFF_MEM_ID_BITS, r->id);
  wf_port_set_bits(b->m.mem_rsp_beat, s * beat_bits, beat_bits, t->beat);
  t->beat_held = !wf_port_bit(b->m.mem_rsp_ready, s);
  b->base.bin[MFF_BIN_mem_rsp_held_by_unit] += t->beat_held;
  if (t->beat_held) return;
  tell(b, s, MFF_EV_BEAT, t->beat);
  if (++t->beat < b->block_bytes / MFF_BEAT_BYTES) return;
  t->beat = 0;
  t->beating = false;
  if (b->options.in_order)
    memmove(&t->reads[0], &t->reads[1], --t->read_count * sizeof *r);
  else
    t->reads[0] = t->reads[--t->read_count];
}

/* An offer that was not taken must be there again, unchanged. */
static void check_stable(mff_bench *b, unsigned s, const char *channel, bool *held, bool valid,
                         bool ready, uint32_t *old, const uint32_t *now, unsigned words) {
  if (*held && (!valid || memcmp(old, now, words * 4) != 0))
    wf_bench_fail(&b->base, "slice %u: %s %s before it was taken", s, channel,
                  valid ? "changed" : "was withdrawn");
  *held = valid && !ready;
  if (*held) memcpy(old, now, words * 4);
}

static void serve_responses(mff_bench *b, unsigned s) {
  mff_slice_state *t = &b->slice[s];
  const mff_host_ports *p = &b->p;
  bool valid = wf_port_bit(p->rsp_valid, s), ready = !held_back(b, t, ST_RSP, b->options.stall_rsp);
  const uint32_t *rsp = p->rsp_data->words + s * MFF_FLIT_WORDS;
  wf_port_set_bit(p->rsp_ready, s, ready);
  check_stable(b, s, "rsp", &t->rsp_held, valid, ready, t->rsp_old, rsp, MFF_FLIT_WORDS);
  b->base.bin[MFF_BIN_rsp_held_by_bench] += valid && !ready;
  b->stats.rsp_stalls += valid && !ready;
  if (valid && ready) take_rsp(b, s, rsp);
}

static uint64_t address_at(const mff_bench *b, const wf_port *port, unsigned s) {
  const unsigned bits = wf_bench_parameter(&b->base, "AddrBits");
  return wf_port_get_bits(port, s * bits, bits);
}

static void serve_memory(mff_bench *b, unsigned s) {
  mff_slice_state *t = &b->slice[s];
  const mff_memory_ports *p = &b->m;
  bool valid = wf_port_bit(p->mem_wr_valid, s),
       ready = !held_back(b, t, ST_WRITE, b->options.stall_write);
  wf_port_set_bit(p->mem_wr_ready, s, ready);
  if (valid || t->wr_held) {
    const uint64_t address = address_at(b, p->mem_wr_addr, s);
    uint32_t now[MFF_FLIT_WORDS + 3] = {(uint32_t)address, (uint32_t)(address >> 32),
                                        (uint32_t)wf_port_get_bits(p->mem_wr_mask, s * 8, 8) |
                                            (uint32_t)wf_port_bit(p->mem_wr_last, s) << 8};
    memcpy(now + 3, p->mem_wr_data->words + s * MFF_FLIT_WORDS, MFF_BEAT_BYTES);
    check_stable(b, s, "mem_wr", &t->wr_held, valid, ready, t->wr_old, now, MFF_FLIT_WORDS + 3);
    b->base.bin[MFF_BIN_mem_wr_held_by_bench] += valid && !ready;
    if (valid && ready) take_write(b, s, address, now[2] & 255, now[2] >> 8, now + 3);
  }

  valid = wf_port_bit(p->mem_rd_valid, s);
  ready = !held_back(b, t, ST_READ, b->options.stall_read);
  wf_port_set_bit(p->mem_rd_ready, s, ready);
  if (valid || t->rd_held) {
    const uint64_t address = address_at(b, p->mem_rd_addr, s);
    uint32_t now[3] = {
        (uint32_t)address, (uint32_t)(address >> 32),
        (uint32_t)wf_port_get_bits(p->mem_rd_id, s * MFF_MEM_ID_BITS, MFF_MEM_ID_BITS)};
    check_stable(b, s, "mem_rd", &t->rd_held, valid, ready, t->rd_old, now, 3);
    b->base.bin[MFF_BIN_mem_rd_held_by_bench] += valid && !ready;
    if (valid && ready) take_read(b, s, address, now[2]);
  }
}

static bool offered(const mff_bench *b, const wf_port *valid, unsigned s) {
  return !b->bus && wf_port_bit(valid, s);
}

/* Who waits for whom: the state of every channel when nothing moves. */
static bool report_hang(mff_bench *b) {
  char text[1024];
  size_t n = 0;
  for (unsigned s = 0; s < b->slices && n < sizeof text - 160; s++) {
    const mff_slice_state *t = &b->slice[s];
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        "\n  slice %u: cmd %s, rsp %s, mem_rd %s, mem_rsp %s (%u reads outstanding), mem_wr %s", s,
        !t->flit_count ? "nothing to send" : "waits for the unit",
        wf_port_bit(b->p.rsp_valid, s) ? "waits for the bench" : "not offered",
        offered(b, b->m.mem_rd_valid, s) ? "waits for the bench" : "not offered",
        t->beat_held ? "waits for the unit" : "not offered", t->read_count,
        offered(b, b->m.mem_wr_valid, s) ? "waits for the bench" : "not offered");
  }
  char head[160];
  snprintf(head, sizeof head, "hang: no transfer for %u cycles, %u commands pending",
           b->options.hang_after, b->pending);
  wf_bench_fail(&b->base, "%s%s", head, text);
  wf_model_stop(b->base.model, WF_MODEL_HANG, b->base.failure);
  return false;
}

bool mff_bench_cycle(mff_bench *b) {
  for (unsigned s = 0; s < b->slices; s++) {
    serve_responses(b, s);
    if (!b->bus) serve_memory(b, s);
    drive_cmd(b, s);
    if (!b->bus) drive_beat(b, s);
  }
  if (b->bus) mff_bus_cycle(b);
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  b->base.cycle++;
  b->stats.cycles++;
  if (b->base.cycle - b->last_transfer > b->options.hang_after && b->pending) return report_hang(b);
  return !b->base.failure[0];
}

bool mff_bench_drain(void *bench) {
  mff_bench *b = bench;
  while (b->pending)
    if (!mff_bench_cycle(b)) return false;
  for (unsigned i = 0; i < 200 && !wf_port_get(b->p.idle); i++)
    if (!mff_bench_cycle(b)) return false;
  if (!wf_port_get(b->p.idle))
    return wf_bench_fail(&b->base,
                         "every command is done, yet the unit is not idle after 200 cycles");
  return !b->base.failure[0];
}

static bool write_register(mff_bench *b, uint32_t reg, uint32_t value) {
  wf_port_set(b->p.cfg_valid, 1);
  wf_port_set(b->p.cfg_addr, reg);
  wf_port_set(b->p.cfg_data, value);
  bool taken = false;
  for (unsigned i = 0; i < 1000 && !taken; i++) {
    taken = wf_port_get(b->p.cfg_ready);
    if (!mff_bench_cycle(b)) return false;
  }
  wf_port_set(b->p.cfg_valid, 0);
  return taken || wf_bench_fail(&b->base, "configuration register %u is not taken", reg);
}

bool mff_bench_configure(mff_bench *b, uint32_t reg, uint64_t value) {
  value &= b->address_mask;
  if (!write_register(b, reg, (uint32_t)value)) return false;
  if (reg < 3 && b->address_mask > UINT32_MAX &&
      !write_register(b, reg + MFF_CFG_HIGH, (uint32_t)(value >> 32)))
    return false;
  if (reg < 3) b->base_address[reg] = value;
  if (reg > 2 || misaligned(b, reg, value)) b->bad_cfg++;
  b->base.bin[MFF_BIN_configured_bad_register] += reg > 2;
  b->base.bin[MFF_BIN_configured_bad_base] += reg < 3 && misaligned(b, reg, value);
  return true;
}

/* ---- end of a run ---- */

void mff_bench_snapshot(mff_bench *b) {
  wf_port_set(b->p.cnt_snapshot, 1);
  mff_bench_cycle(b);
  wf_port_set(b->p.cnt_snapshot, 0);
  for (unsigned i = 0; i < 70 && mff_bench_cycle(b); i++) {
  } /* one counter per cycle, after a clear's pass */
}

uint64_t mff_bench_counter(mff_bench *b, unsigned slice, unsigned index) {
  wf_port_set(b->p.cnt_slice, slice);
  wf_port_set(b->p.cnt_index, index);
  mff_bench_cycle(b);
  wf_model_settle(b->base.model);
  return wf_port_get(b->p.cnt_value);
}

static uint64_t counter_sum(mff_bench *b, unsigned index) {
  uint64_t sum = 0;
  for (unsigned s = 0; s < b->slices; s++) sum += mff_bench_counter(b, s, index);
  return sum;
}

/* Stalls as the unit itself counted them. */
static void cover_counters(mff_bench *b) {
  static const struct {
    mff_bin bin;
    unsigned counter;
  } table[] = {{MFF_BIN_counted_stall_job, MFF_CNT_STALL_JOB},
               {MFF_BIN_counted_c_stall_tag, MFF_CNT_C_STALL_TAG},
               {MFF_BIN_counted_c_stall_reg, MFF_CNT_C_STALL_REG},
               {MFF_BIN_counted_c_stall_out, MFF_CNT_C_STALL_OUT},
               {MFF_BIN_counted_v_stall_tag, MFF_CNT_V_STALL_TAG},
               {MFF_BIN_counted_v_stall_reg, MFF_CNT_V_STALL_REG},
               {MFF_BIN_counted_v_stall_rd, MFF_CNT_V_STALL_RD},
               {MFF_BIN_counted_stall_line, MFF_CNT_STALL_LINE},
               {MFF_BIN_counted_stall_walk, MFF_CNT_STALL_WALK},
               {MFF_BIN_counted_early_writes, MFF_CNT_EARLY_WRITES},
               {MFF_BIN_counted_stall_rsp, MFF_CNT_STALL_RSP}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    b->base.bin[table[i].bin] = counter_sum(b, table[i].counter);
}

/* What holds for every counter of every slice, whatever the traffic. */
static bool counters_plausible(mff_bench *b) {
  uint64_t cycles = mff_bench_counter(b, 0, MFF_CNT_CYCLES),
           words = wf_bench_parameter(&b->base, "PackWords");
  for (unsigned s = 0; s < b->slices; s++)
    for (unsigned i = 0; i < MFF_CNT_COUNT; i++) {
      bool sum = i == MFF_CNT_JOB_OCC || i == MFF_CNT_C_OCC || i == MFF_CNT_V_TAG_OCC ||
                 i == MFF_CNT_V_REG_OCC;
      uint64_t value = mff_bench_counter(b, s, i), most = sum                      ? 65536
                                                          : i == MFF_CNT_RSP_WORDS ? words
                                                          : i == MFF_CNT_ELEMENTS  ? 4
                                                                                   : 1;
      if (i == MFF_CNT_CYCLES ? value != cycles || value > b->stats.cycles
                              : value > most * b->stats.cycles)
        return wf_bench_fail(
            &b->base,
            "counter %u of slice %u is %llu, in %llu cycles of which slice 0 counted %llu", i, s,
            (unsigned long long)value, (unsigned long long)b->stats.cycles,
            (unsigned long long)cycles);
    }
  uint64_t stalls = counter_sum(b, MFF_CNT_STALL_RSP), nodes = counter_sum(b, MFF_CNT_V_NODES);
  /* Behind a bus completions wait for memory as well. */
  if (b->bus ? stalls < b->stats.rsp_stalls : stalls != b->stats.rsp_stalls)
    return wf_bench_fail(&b->base, "counter stall_rsp is %llu, the bench held responses %llu times",
                         (unsigned long long)stalls, (unsigned long long)b->stats.rsp_stalls);
  return nodes == counter_sum(b, MFF_CNT_V_LOOKUPS) ||
         wf_bench_fail(&b->base, "%llu nodes were walked, not as many as were looked up",
                       (unsigned long long)nodes);
}

bool mff_bench_check_end(mff_bench *b) {
  if (b->base.failure[0]) return false;
  for (size_t i = 0; i < MFF_BENCH_WORDS; i++)
    if (b->memory[i] != (b->marked[i] | b->named[i]))
      return wf_bench_fail(&b->base, "memory at %#zx is %#x; it was %#x and %#x were to be set",
                           4 * i, b->memory[i], b->marked[i], b->named[i]);
  if (wf_port_get(b->p.error_count) != b->stats.refused + b->bad_cfg)
    return wf_bench_fail(&b->base, "error_count_o is %llu, %llu expected",
                         (unsigned long long)wf_port_get(b->p.error_count),
                         (unsigned long long)b->stats.refused + b->bad_cfg);
  if (wf_bench_parameter(&b->base, "CounterBits") == 0) return true;
  mff_bench_snapshot(b);
  cover_counters(b);
  const mff_bench_stats *t = &b->stats;
  const struct {
    unsigned index;
    const char *name;
    uint64_t expected;
  } table[] = {{MFF_CNT_COMMANDS, "commands", t->commands},
               {MFF_CNT_ERRORS, "errors", t->refused},
               {MFF_CNT_ELEMENTS, "elements", t->elements},
               {MFF_CNT_RSP_WORDS, "rsp_words", t->words},
               {MFF_CNT_RSP_DATA, "rsp_data", t->data_flits},
               {MFF_CNT_RSP_DONE, "rsp_done", t->commands},
               {MFF_CNT_BLOCKS_READ, "blocks_read", t->blocks_read},
               {MFF_CNT_SECTORS_WRITTEN, "sectors_written", t->sectors_written},
               {MFF_CNT_BLOCKS_WRITTEN, "blocks_written", t->blocks_written}};
  const size_t n = sizeof table / sizeof *table - (b->bus ? 2 : 0); /* a bus tells no last sector */
  for (size_t i = 0; i < n; i++) {
    uint64_t got = counter_sum(b, table[i].index);
    if (got != table[i].expected)
      return wf_bench_fail(&b->base, "counter %s is %llu, the bench counted %llu", table[i].name,
                           (unsigned long long)got, (unsigned long long)table[i].expected);
  }
  if (!counters_plausible(b)) return false;
  uint64_t misses = counter_sum(b, MFF_CNT_C_LOOKUPS) - counter_sum(b, MFF_CNT_C_MERGES) +
                    counter_sum(b, MFF_CNT_V_LOOKUPS) - counter_sum(b, MFF_CNT_V_MERGES);
  if (misses != t->blocks_read || counter_sum(b, MFF_CNT_C_LOOKUPS) != counter_sum(b, MFF_CNT_RUNS))
    return wf_bench_fail(&b->base, "%llu misses, but %llu blocks read", (unsigned long long)misses,
                         (unsigned long long)t->blocks_read);
  return !b->base.failure[0];
}

/* Its counters are of slices, and not all are the bench's to know: mff_bench_check_end(). */
const wf_bench_class mff_bench_class = {.unit = "mff",
                                        .bytes = sizeof(mff_bench),
                                        .open = open,
                                        .reset = reset,
                                        .close = close,
                                        .rest = mff_bench_drain,
                                        .bins = (const char *const[]){MFF_BINS(WF_BENCH_PORT_NAME)},
                                        .n_bins = MFF_BIN_COUNT};
