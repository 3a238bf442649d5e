/* Legal ranges of every configuration value, and the rules between them. */
#include "sim/mem/bypass.h"
#include "sim/mem/crossbar.h"
#include "sim/mem/mem.h"
#include "sim/mem/prefetch.h"

typedef struct range {
  const char *key;
  size_t offset;
  unsigned low, high;
  bool power_of_two;
} range;

#define R(field, low, high)                                                                        \
  { #field, offsetof(wf_mem_config, field), low, high, false }
#define P(field, low, high)                                                                        \
  { #field, offsetof(wf_mem_config, field), low, high, true }

static const range RANGES[] = {
    R(n_sm, 1, WF_MAX_SMS),
    R(n_part, 1, WF_MAX_PARTS),
    R(unit_port, 0, 1),
    R(core_mhz, 1, 100000),
    R(noc_mhz, 1, 100000),
    R(l2_mhz, 1, 100000),
    R(dram_mhz, 1, 100000),
    P(line_bytes, 32, 128),
    P(interleave_bytes, 32, 1u << 20),
    P(flit_bytes, 16, 256),
    R(noc_latency, 1, WF_XBAR_MAX_LATENCY),
    R(noc_input_flits, 1, 4096),
    R(noc_output_flits, 1, 4096),
    R(noc_lookahead, 1, WF_XBAR_MAX_LOOKAHEAD),
    R(packet_header_bytes, 1, 16),
    R(l2_bytes, 1, 1u << 30),
    R(l2_ways, 1, 64),
    R(l2_latency, 1, 4096),
    R(l2_mshrs, 2, 4096),
    R(l2_mshr_merge, 1, 256),
    R(l2_queue, 1, 1024),
    R(l2_hash, 0, 1),
    R(l2_far_latency, 0, 1000),
    R(l2_coalescer, 0, 4096),
    R(l2_coalescer_merges, 0, 256),
    R(l2_reply_patience, 0, 1000000),
    R(l2_write, 0, WF_L2_WRITE_EVICT),
    R(l2_fill, 0, WF_L2_FILL_LINE),
    R(l2_exclusive, 0, 1),
    R(l2_bypass, 0, WF_BYPASS_MAT),
    R(l2_prefetch, 0, WF_PREFETCH_GHB),
    R(l2_prefetch_degree, 0, 16),
    R(l2_prefetch_distance, 0, 64),
    P(dram_bus_bytes, 1, 128),
    P(dram_beats_per_clock, 1, 16),
    P(dram_burst_beats, 1, 32),
    P(dram_banks, 1, 32),
    P(dram_bank_groups, 1, 32),
    P(dram_row_bytes, 256, 1u << 16),
    R(dram_queue, 2, 64),
    R(dram_latency, 0, 100000),
    R(tCL, 1, 1000),
    R(tWL, 0, 1000),
    R(tRCD, 1, 1000),
    R(tRP, 1, 1000),
    R(tRAS, 1, 1000),
    R(tRC, 1, 1000),
    R(tRRD, 1, 1000),
    R(tCCDS, 1, 1000),
    R(tCCDL, 1, 1000),
    R(tWTR, 0, 1000),
    R(tWR, 0, 1000),
    R(tRTP, 0, 1000),
    R(tRTW, 1, 1000),
    R(tREFI, 0, 10000000),
    R(tRFC, 0, 100000),
    R(tRCDW, 0, 1000),
    R(tWTRL, 0, 1000),
    R(tFAW, 0, 1000),
    R(dram_row_bus, 0, 1),
};

static bool check_ranges(const wf_mem_config *config, wf_error *err) {
  for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
    const range *r = &RANGES[i];
    unsigned value = *(const unsigned *)((const char *)config + r->offset);
    bool shape = !r->power_of_two || (value & (value - 1)) == 0;
    if (value < r->low || value > r->high || !shape)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "memory configuration: %s = %u: want %s%u .. %u",
                     r->key, value, r->power_of_two ? "a power of two in " : "", r->low, r->high);
  }
  return true;
}

static bool rule(bool holds, wf_error *err, const char *key, unsigned value, const char *want,
                 unsigned bound) {
  if (holds) return true;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "memory configuration: %s = %u: want %s %u", key, value,
                 want, bound);
}

static bool check_fabric(const wf_mem_config *c, wf_error *err) {
  unsigned packet = (c->packet_header_bytes + WF_PAYLOAD_BYTES + c->flit_bytes - 1) / c->flit_bytes;
  unsigned way = c->l2_ways * c->line_bytes;
  return rule(c->l2_mhz <= c->core_mhz, err, "l2_mhz", c->l2_mhz,
              "at most core_mhz =", c->core_mhz) &&
         rule(c->interleave_bytes >= c->line_bytes, err, "interleave_bytes", c->interleave_bytes,
              "at least line_bytes =", c->line_bytes) &&
         rule(c->noc_input_flits >= packet, err, "noc_input_flits", c->noc_input_flits,
              "room for the largest packet, flits:", packet) &&
         rule(c->noc_output_flits >= packet, err, "noc_output_flits", c->noc_output_flits,
              "room for the largest packet, flits:", packet) &&
         rule(!c->l2_coalescer || c->l2_coalescer_merges >= 2, err, "l2_coalescer_merges",
              c->l2_coalescer_merges, "with a coalescer, at least", 2) &&
         rule(!c->l2_bypass || !c->l2_exclusive, err, "l2_bypass", c->l2_bypass,
              "with l2_exclusive,", WF_BYPASS_NONE) &&
         rule(c->l2_bytes % way == 0, err, "l2_bytes", c->l2_bytes,
              "a multiple of l2_ways * line_bytes =", way);
}

static bool check_dram(const wf_mem_config *c, wf_error *err) {
  unsigned burst_bytes = c->dram_bus_bytes * c->dram_burst_beats;
  unsigned burst_clocks = c->dram_burst_beats / c->dram_beats_per_clock;
  /* Write data may not start while the data of an earlier read are still on the bus. */
  unsigned turn = c->tCL + burst_clocks > c->tWL ? c->tCL + burst_clocks - c->tWL : 1;
  return rule(burst_clocks >= 1, err, "dram_burst_beats", c->dram_burst_beats,
              "at least dram_beats_per_clock =", c->dram_beats_per_clock) &&
         rule(burst_bytes >= WF_SECTOR_BYTES, err, "dram_bus_bytes * dram_burst_beats", burst_bytes,
              "at least a sector of", WF_SECTOR_BYTES) &&
         rule(burst_bytes <= c->line_bytes, err, "dram_bus_bytes * dram_burst_beats", burst_bytes,
              "at most line_bytes =", c->line_bytes) &&
         rule(c->dram_bank_groups <= c->dram_banks, err, "dram_bank_groups", c->dram_bank_groups,
              "at most dram_banks =", c->dram_banks) &&
         rule(c->tCCDS >= burst_clocks, err, "tCCDS", c->tCCDS,
              "at least the clocks of a burst =", burst_clocks) &&
         rule(c->tCCDL >= c->tCCDS, err, "tCCDL", c->tCCDL, "at least tCCDS =", c->tCCDS) &&
         rule(!c->tWTRL || c->tWTRL >= c->tWTR, err, "tWTRL", c->tWTRL,
              "0 or at least tWTR =", c->tWTR) &&
         rule(c->tRC >= c->tRAS, err, "tRC", c->tRC, "at least tRAS =", c->tRAS) &&
         rule(c->tRTW >= turn, err, "tRTW", c->tRTW, "at least tCL + burst clocks - tWL =", turn) &&
         rule(c->tREFI == 0 || c->tRFC >= 1, err, "tRFC", c->tRFC, "with refresh, at least", 1) &&
         rule(c->tREFI == 0 || c->tREFI >= 4 * (c->tRFC + c->tRC), err, "tREFI", c->tREFI,
              "0 or at least 4 * (tRFC + tRC) =", 4 * (c->tRFC + c->tRC));
}

bool wf_mem_config_check(const wf_mem_config *config, wf_error *err) {
  return check_ranges(config, err) && check_fabric(config, err) && check_dram(config, err);
}
