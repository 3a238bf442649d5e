#include "tb/mff/mff_load.h"

#include <string.h>

static uint32_t below(mff_bench *b, uint32_t bound) {
  return (uint32_t)wf_rng_below(&b->base.rng, bound);
}

static uint32_t pick_vertex(mff_bench *b, const mff_load *load, uint32_t place) {
  uint32_t n = load->vertices;
  switch (load->kind) {
  case MFF_LOAD_HOT:
    return below(b, 10) ? below(b, 8) * 97 % n : below(b, n);
  case MFF_LOAD_LOCAL:
    return (uint32_t)(((uint64_t)place * n / load->indexes + below(b, 64)) % n);
  case MFF_LOAD_ONE:
    return n / 3;
  default:
    return below(b, n);
  }
}

/* Addresses of the three windows: apart from each other by more than their size. */
static void spread(mff_bench *b, mff_window w[MFF_BENCH_WINDOWS]) {
  for (unsigned i = 0; i < MFF_BENCH_WINDOWS; i++) {
    bool apart;
    do {
      apart = true;
      const uint64_t any = wf_rng_next(&b->base.rng) & b->address_mask;
      w[i].address = any / b->block_bytes * b->block_bytes;
      for (unsigned j = 0; j < i; j++)
        apart &= ((w[i].address - w[j].address) & b->address_mask) >= MFF_BENCH_MEMORY_BYTES &&
                 ((w[j].address - w[i].address) & b->address_mask) >= MFF_BENCH_MEMORY_BYTES;
    } while (!apart);
  }
}

bool mff_load_fill(mff_bench *b, const mff_load *load) {
  uint32_t *memory = b->memory;
  /* Each array has its blocks for itself. */
  const uint32_t block = b->block_bytes, elem = b->elem_bytes;
  mff_window w[MFF_BENCH_WINDOWS] = {{0, 0, 0}};
  uint32_t c = 4 * below(b, 1024), v = c + 4 * load->indexes + 4 * below(b, 1024);
  if (load->spread) v += block;
  v = (v + elem - 1) / elem * elem;
  w[1].offset = v / block * block;
  uint32_t bits = v + elem * load->vertices + 4 * below(b, 1024);
  if (load->spread) bits += block;
  w[2].offset = bits / block * block;
  uint32_t end = bits + 4 * ((load->vertices + 31) / 32);
  if (end + block > MFF_BENCH_MEMORY_BYTES)
    return wf_bench_fail(&b->base, "workload of %u bytes does not fit the bench's memory", end);
  w[0].bytes = w[1].offset;
  w[1].bytes = w[2].offset - w[1].offset;
  w[2].bytes = MFF_BENCH_MEMORY_BYTES - w[2].offset;
  for (unsigned i = 0; i < MFF_BENCH_WINDOWS; i++) w[i].address = w[i].offset;
  if (load->spread) spread(b, w);
  uint32_t first = load->first_vertex;
  for (uint32_t i = 0; i < MFF_BENCH_MEMORY_BYTES / 4; i++)
    memory[i] = (uint32_t)wf_rng_next(&b->base.rng);
  for (uint32_t i = 0; i < load->indexes; i++) memory[c / 4 + i] = first + pick_vertex(b, load, i);
  /* Few bits set before, so that most scatters change something. */
  for (uint32_t i = bits / 4; i < end / 4; i++)
    memory[i] &= (uint32_t)wf_rng_next(&b->base.rng) & memory[i - 1];
  mff_bench_mark(b);
  mff_bench_place(b, w);
  const uint64_t first_c = 4 * (uint64_t)load->first_index, first_v = elem * (uint64_t)first;
  return mff_bench_configure(b, MFF_CFG_C_BASE, w[0].address + c - first_c) &&
         mff_bench_configure(b, MFF_CFG_V_BASE, w[1].address + (v - w[1].offset) - first_v) &&
         mff_bench_configure(b, MFF_CFG_B_BASE,
                             w[2].address + (bits - w[2].offset) - 4 * (first / 32));
}

/* One of the ways to be refused; returns extra flits. */
static unsigned spoil(mff_bench *b, mff_cmd_header *h, mff_lane lanes[MFF_LANES]) {
  const unsigned sms = wf_bench_parameter(&b->base, "NumSm"),
                 warps = wf_bench_parameter(&b->base, "NumWarp");
  switch (below(b, 4)) {
  case 0:
    if (sms < b->sms) return h->sm = sms + below(b, b->sms - sms), 0;
    return 1;
  case 1:
    if (warps < 64) return h->warp = warps + below(b, 64 - warps), 0;
    return 1;
  case 2:
    for (unsigned n = 0; n < MFF_LANES; n++)
      if (h->lane_mask >> n & 1) return lanes[n].size = 33 + below(b, 31), 0;
    return 1;
  default:
    return 1;
  }
}

static bool free_tag(mff_bench *b, mff_cmd_header *h) {
  for (unsigned t = 0; t < 8; t++) {
    h->tag = below(b, 256);
    if (!mff_bench_outstanding(b, h->sm, h->warp, h->tag)) return true;
  }
  return false;
}

static void send_one(mff_bench *b, const mff_load *load, unsigned slice) {
  mff_cmd_header h = {.op = below(b, 100) < load->scatter_percent,
                      .sm = below(b, wf_bench_parameter(&b->base, "NumSm")),
                      .warp = below(b, wf_bench_parameter(&b->base, "NumWarp"))};
  mff_lane lanes[MFF_LANES] = {0};
  uint32_t at = below(b, load->indexes);
  for (unsigned n = 0; n < MFF_LANES; n++) {
    lanes[n].size = below(b, load->max_size + 1);
    if (!load->csr) at = below(b, load->indexes);
    if (at + MFF_MAX_SIZE > load->indexes) at = 0;
    lanes[n].c_index = load->first_index + at;
    at += lanes[n].size;
    if (below(b, 100) < load->lane_percent) h.lane_mask |= 1u << n;
  }
  unsigned extra = below(b, 100) < load->error_percent ? spoil(b, &h, lanes) : 0;
  if (extra && mff_lane_flits(mff_lanes_in(h.lane_mask)) >= 7) extra = 0;
  if (free_tag(b, &h)) mff_bench_send(b, slice, &h, lanes, extra);
}

bool mff_load_run(mff_bench *b, const mff_load *load, uint64_t cycles) {
  const uint64_t end = b->base.cycle + cycles;
  while (b->base.cycle < end) {
    for (unsigned s = 0; s < b->slices; s++)
      if (b->slice[s].flit_count < load->queue) send_one(b, load, s);
    if (!mff_bench_cycle(b)) return false;
  }
  return mff_bench_drain(b);
}
