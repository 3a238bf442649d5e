/* One table says everything of a key: where it lives, its range, its meaning. */
#include "sim/gpu/config.h"

#include <ini.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_file.h"
#include "sim/gpu/configs.h"
#include "sim/mem/prefetch.h"

typedef struct key_info {
  const char *key;
  size_t offset;
  unsigned low, high;
  const char *meaning;
} key_info;

#define FIELD(f) offsetof(wf_gpu_config, f)

static const char *const scheduler_names[] = {"lrr", "gto"};
static const char *const prefetch_names[] = {"none", "stride", "stream", "ghb", "imp", "snake"};
static const char *const place_names[] = {"turns", "fullest", "random"};
static const char *const order_names[] = {"oldest", "newest"};
static const char *const kmu_names[] = {"launches", "sms"};
static const char *const class_names[] = {"gtx480", "rtx3070", "a100", "h100", "rtx4090"};
static const char *const turn_names[] = {"equal", "idle"};
static const char *const allocate_names[] = {"miss", "fill"};
static const char *const bypass_names[] = {"none", "ab", "mat"};
static const char *const part_names[] = {"sector", "line"};
static const char *const write_names[] = {"back", "evict"};

static const key_info keys[] = {
    {"core.sms", FIELD(n_sm), 1, WF_MAX_SMS, "streaming multiprocessors"},
    {"core.warps", FIELD(warps_per_sm), 1, 64, "warps resident per SM"},
    {"core.ctas", FIELD(ctas_per_sm), 1, 32, "CTAs resident per SM"},
    {"core.schedulers", FIELD(schedulers), 1, 4, "warp schedulers per SM"},
    {"core.scheduler", FIELD(scheduler), 0, WF_SCHED_COUNT - 1, "policy"},
    {"core.registers", FIELD(registers_per_sm), 1024, 1u << 20, "32-bit registers per SM"},
    {"core.register_granularity", FIELD(register_granularity), 1, 1024,
     "registers of a warp are rounded up to this many"},
    {"core.shared_bytes", FIELD(shared_bytes_per_sm), 0, 1u << 20, "shared memory per SM"},
    {"core.mhz", FIELD(mem.core_mhz), 1, 10000, "core clock"},
    {"core.branch_latency", FIELD(branch_latency), 1, 64,
     "cycles from a branch to the warp's next issue"},
    {"core.lsu_queue", FIELD(lsu_queue), 1, 64,
     "warp memory instructions waiting in the load/store unit"},
    {"core.shared_latency", FIELD(shared_latency), 1, 255,
     "cycles of a shared-memory load without conflicts"},
    {"core.param_latency", FIELD(param_latency), 1, 255, "cycles of a parameter or constant load"},
    {"latency.int", FIELD(latency[PTX_CLASS_INT]), 1, 255, "cycles to a dependent issue"},
    {"latency.imul", FIELD(latency[PTX_CLASS_IMUL]), 1, 255, "the same"},
    {"latency.idiv", FIELD(latency[PTX_CLASS_IDIV]), 1, 255, "the same"},
    {"latency.fp32", FIELD(latency[PTX_CLASS_FP32]), 1, 255, "the same"},
    {"latency.fp64", FIELD(latency[PTX_CLASS_FP64]), 1, 255, "the same"},
    {"latency.sfu", FIELD(latency[PTX_CLASS_SFU]), 1, 255, "the same"},
    {"interval.int", FIELD(interval[PTX_CLASS_INT]), 1, 64,
     "cycles between issues to one pipeline"},
    {"interval.imul", FIELD(interval[PTX_CLASS_IMUL]), 1, 64, "the same"},
    {"interval.idiv", FIELD(interval[PTX_CLASS_IDIV]), 1, 64, "the same"},
    {"interval.fp32", FIELD(interval[PTX_CLASS_FP32]), 1, 64, "the same"},
    {"interval.fp64", FIELD(interval[PTX_CLASS_FP64]), 1, 64, "the same"},
    {"interval.sfu", FIELD(interval[PTX_CLASS_SFU]), 1, 64, "the same"},
    {"l1.bytes", FIELD(l1_bytes), 1024, 1u << 24, "L1 data cache per SM"},
    {"l1.ways", FIELD(l1_ways), 1, 64, "associativity"},
    {"l1.line_bytes", FIELD(l1_line_bytes), 128, 128, "line size"},
    {"l1.mshrs", FIELD(l1_mshrs), 1, 4096, "outstanding lines per SM"},
    {"l1.mshr_merge", FIELD(l1_mshr_merge), 1, 64, "requests merged per outstanding line"},
    {"l1.latency", FIELD(l1_latency), 1, 255, "cycles of a hit"},
    {"l1.miss_queue", FIELD(l1_miss_queue), 1, 64, "packets waiting to enter the crossbar"},
    {"memory.mib", FIELD(memory_mib), 1, 1u << 20, "device memory in MiB"},
    {"memory.interleave_bytes", FIELD(mem.interleave_bytes), 128, 65536,
     "consecutive bytes in one partition"},
    {"noc.mhz", FIELD(mem.noc_mhz), 1, 10000, "crossbar clock"},
    {"noc.flit_bytes", FIELD(mem.flit_bytes), 8, 256, "bytes per flit"},
    {"noc.latency", FIELD(mem.noc_latency), 1, 255, "cycles through the switch"},
    {"noc.input_flits", FIELD(mem.noc_input_flits), 1, 1024, "buffer per input"},
    {"noc.output_flits", FIELD(mem.noc_output_flits), 1, 1024, "buffer per output"},
    {"noc.lookahead", FIELD(mem.noc_lookahead), 1, 16, "packets of an input that may bid"},
    {"noc.header_bytes", FIELD(mem.packet_header_bytes), 0, 64, "header of a packet"},
    {"l2.mhz", FIELD(mem.l2_mhz), 1, 10000, "L2 clock"},
    {"l2.partitions", FIELD(mem.n_part), 1, WF_MAX_PARTS,
     "memory units: an L2 slice and a DRAM channel each"},
    {"l2.bytes", FIELD(mem.l2_bytes), 1024, 1u << 26, "per slice"},
    {"l2.ways", FIELD(mem.l2_ways), 1, 64, "associativity"},
    {"l2.latency", FIELD(mem.l2_latency), 1, 1000, "cycles of a hit"},
    {"l2.mshrs", FIELD(mem.l2_mshrs), 1, 1024, "outstanding lines per slice"},
    {"l2.mshr_merge", FIELD(mem.l2_mshr_merge), 1, 64, "requests merged per outstanding line"},
    {"l2.queue", FIELD(mem.l2_queue), 1, 256, "requests waiting per slice"},
    {"dram.mhz", FIELD(mem.dram_mhz), 1, 10000, "command clock"},
    {"dram.bus_bytes", FIELD(mem.dram_bus_bytes), 1, 128, "data bytes per beat"},
    {"dram.beats_per_clock", FIELD(mem.dram_beats_per_clock), 1, 8, "4 for GDDR5"},
    {"dram.burst_beats", FIELD(mem.dram_burst_beats), 1, 64, "beats per burst"},
    {"dram.banks", FIELD(mem.dram_banks), 1, 64, "banks per channel"},
    {"dram.bank_groups", FIELD(mem.dram_bank_groups), 1, 16, "bank groups per channel"},
    {"dram.row_bytes", FIELD(mem.dram_row_bytes), 128, 1u << 16, "bytes per row"},
    {"dram.queue", FIELD(mem.dram_queue), 1, 256, "requests waiting per channel"},
    {"dram.latency", FIELD(mem.dram_latency), 0, 1000, "controller and pins, command clocks"},
    {"dram.tCL", FIELD(mem.tCL), 1, 255, "read latency"},
    {"dram.tWL", FIELD(mem.tWL), 1, 255, "write latency"},
    {"dram.tRCD", FIELD(mem.tRCD), 1, 255, "activate to column command"},
    {"dram.tRP", FIELD(mem.tRP), 1, 255, "precharge to activate"},
    {"dram.tRAS", FIELD(mem.tRAS), 1, 255, "activate to precharge"},
    {"dram.tRC", FIELD(mem.tRC), 1, 255, "activate to activate, same bank"},
    {"dram.tRRD", FIELD(mem.tRRD), 1, 255, "activate to activate, other bank"},
    {"dram.tCCDS", FIELD(mem.tCCDS), 1, 255, "column to column, other bank group"},
    {"dram.tCCDL", FIELD(mem.tCCDL), 1, 255, "column to column, same bank group"},
    {"dram.tWTR", FIELD(mem.tWTR), 1, 255, "write data to read"},
    {"dram.tWR", FIELD(mem.tWR), 1, 255, "write data to precharge"},
    {"dram.tRTP", FIELD(mem.tRTP), 1, 255, "read to precharge"},
    {"dram.tRTW", FIELD(mem.tRTW), 1, 255, "read to write"},
    {"dram.tREFI", FIELD(mem.tREFI), 0, 1u << 20, "refresh interval, 0 = none"},
    {"dram.tRFC", FIELD(mem.tRFC), 0, 4096, "refresh time"},
    /* a file may leave these out: 0 */
    {"core.swl", FIELD(swl), 0, 64,
     "static warp limit: the oldest so many of a scheduler may issue; 0: all"},
    {"lsu.past", FIELD(lsu_past), 0, 1, "global loads go past the L1, as on Kepler"},
    {"lsu.loads", FIELD(lsu_loads), 0, 1024,
     "loads past the L1 that an SM has in flight, each with a place for its lanes; 0: any number"},
    {"lsu.lane_slots", FIELD(lsu_lane_slots), 0, 32768,
     "lanes of these loads, at least 32; 0: any number"},
    {"l1.tokens", FIELD(l1_tokens), 0, 64,
     "the oldest so many warps of an SM allocate lines, others only hit (PCAL); 0: all"},
    {"l1.abyp", FIELD(l1_abyp), 0, 1, "loads whose lines leave unused go past the L1 (ABYP)"},
    {"l1.pd", FIELD(l1_pd), 0, 65535,
     "a line stays for so many accesses of its set since its last (PD-N); 0: plain LRU"},
    {"l1.sectored", FIELD(l1_sectored), 0, 1,
     "a miss fetches the 32-byte sectors touched, not the line"},
    {"l1.write_keep", FIELD(l1_write_keep), 0, 1,
     "a store leaves its line, and one of what it writes whole; else it drops it"},
    {"l1.prefetch", FIELD(l1_prefetch), 0, WF_PREFETCH_COUNT - 1, "prefetcher beside the L1"},
    {"l1.prefetch_turn", FIELD(l1_prefetch_turn), 0, WF_PREFETCH_IDLE,
     "who looks the L1 up when a load and a prefetch wait: in turns, or the load"},
    {"l1.prefetch_degree", FIELD(l1_prefetch_degree), 0, 16, "see prefetch.h; 0: the kind's own"},
    {"l1.prefetch_distance", FIELD(l1_prefetch_distance), 0, 64,
     "see prefetch.h; 0: the kind's own"},
    {"l1.prefetch_queue", FIELD(l1_prefetch_queue), 0, WF_PREFETCH_QUEUE_MAX,
     "foretold lines that wait; 0: 16"},
    {"core.shared_bank_bytes", FIELD(shared_bank_bytes), 4, 8,
     "width of a bank of shared memory: 4 or 8 (a file may leave it out: 4)"},
    {"l1.bypass_stalls", FIELD(l1_bypass_stalls), 0, 1,
     "a miss without MSHR, way or merge place goes past the L1"},
    {"launch.ideal", FIELD(launch_ideal), 0, 1, "launches from device code take no time"},
    {"launch.buffer", FIELD(launch_buffer), 0, 1000000,
     "cycles of a warp's cudaGetParameterBuffer"},
    {"launch.buffer_lane", FIELD(launch_buffer_lane), 0, 100000, "on top for each lane that calls"},
    {"launch.stream", FIELD(launch_stream), 0, 1000000, "cycles of cudaStreamCreateWithFlags"},
    {"launch.device", FIELD(launch_device), 0, 1000000, "cycles of cudaLaunchDevice"},
    {"launch.device_lane", FIELD(launch_device_lane), 0, 100000, "on top for each lane that calls"},
    {"launch.dispatch", FIELD(launch_dispatch), 0, 100000,
     "cycles of a device kernel from the KMU to the distributor"},
    {"launch.kernels", FIELD(launch_kernels), 0, 64, "entries of the kernel distributor; 0: 32"},
    {"launch.pool_kib", FIELD(launch_pool_kib), 0, 1u << 20,
     "device memory for parameters of launches; 0: 16384"},
    {"launch.ways", FIELD(launch_ways), 0, WF_LAUNCH_WAYS,
     "kernels that are on their way from the KMU at once, each for launch.dispatch; 0: no limit (a "
     "file may leave it out: 1)"},
    {"launch.pending", FIELD(launch_pending), 0, 1u << 30,
     "launches that may wait to start, more fail; 0: no limit"},
    {"mem.preload_priority", FIELD(preload_priority), 0, 1,
     "DRAM serves reads of a unit that preloads thread blocks first (a file may leave it out: 1)"},
    {"core.cta_run", FIELD(cta_run), 0, 64,
     "so many consecutive thread blocks (in x) go to the same SM, when it has room for all of "
     "them; 0: as 1"},
    {"l2.coalescer", FIELD(mem.l2_coalescer), 0, 4096,
     "entries per slice of a request coalescer in front of it; 0: none (H100: 1024 of 4 requests); "
     "where warps spin give l2.reply_patience too, or what they wait for may not come"},
    {"l2.coalescer_merges", FIELD(mem.l2_coalescer_merges), 0, 256,
     "requests that share the access of an entry; 0: 4"},
    {"l2.reply_patience", FIELD(mem.l2_reply_patience), 0, 1000000,
     "L2 cycles after which a reply that waits for room goes before requests that hit, whose short "
     "replies could hold up a whole line's; 0: never"},
    {"l2.prefetch", FIELD(mem.l2_prefetch), 0, WF_PREFETCH_GHB, "prefetcher in each L2 slice"},
    {"l2.prefetch_degree", FIELD(mem.l2_prefetch_degree), 0, 16,
     "see prefetch.h; 0: the kind's own"},
    {"l2.prefetch_distance", FIELD(mem.l2_prefetch_distance), 0, 64,
     "see prefetch.h; 0: the kind's own"},
    {"launch.host", FIELD(launch_host), 0, 1000000,
     "cycles from the host's call to a kernel's begin (a card takes about 5 us)"},
    {"core.sm_mhz", FIELD(sm_mhz), 0, 10000,
     "clock of all SMs, at the voltage and leakage of energy.low_volts and energy.low_leak; 0: "
     "core.mhz, at the full voltage"},
    {"core.cta_place", FIELD(cta_place), 0, WF_PLACE_COUNT - 1,
     "of the SMs with room the next gets a block, or the fullest, or one at random"},
    {"launch.order", FIELD(launch_order), 0, WF_LAUNCH_ORDERS - 1,
     "blocks that threads launched go oldest first, or newest first and before all that waits"},
    {"launch.kmu", FIELD(launch_kmu), 0, WF_KMU_ORDERS - 1,
     "device kernels get an entry in the order of launches, or of one SM after the other; under "
     "laperm the highest level first, of all or of the SM"},
    {"l1.allocate", FIELD(l1_allocate), 0, WF_L1_ALLOCATE_FILL,
     "a line has its way from when its miss is sent, or takes one when its data are there"},
    {"l1.past", FIELD(l1_past), 0, WF_L1_PAST_LINE,
     "a miss that goes past the L1 asks for its sectors by itself, or keeps an MSHR, which others "
     "join, and brings what a miss brings"},
    {"l2.write", FIELD(mem.l2_write), 0, WF_L2_WRITE_EVICT,
     "a store stays in the L2 until its line is replaced, or goes on to DRAM and drops the line"},
    {"l2.fill", FIELD(mem.l2_fill), 0, WF_L2_FILL_LINE,
     "what a miss brings: the DRAM bursts that hold the sectors wanted, or the line"},
    {"l2.exclusive", FIELD(mem.l2_exclusive), 0, 1,
     "what DRAM brings for an L1 goes past the L2, which keeps what the L1 has replaced"},
    {"core.ordered", FIELD(mem.ordered), 0, 1,
     "loads of a line that their SM has written wait for fills and atomics before that; 0: some "
     "overtake them, as all figures have it"},
    {"l1.victim_lines", FIELD(l1_victim_lines), 0, 64,
     "fully associative victim cache of each L1, a hit takes a cycle more; 0: none"},
    {"l1.bypass", FIELD(l1_bypass), 0, WF_BYPASS_MAT,
     "misses go past the L1 by adaptive bypassing, or by counts of each KB (see bypass.h)"},
    {"l2.bypass", FIELD(mem.l2_bypass), 0, WF_BYPASS_MAT, "the same of the L2's slices"},
    {"l1.bypass_seed", FIELD(l1_bypass_seed), 0, 32767,
     "l1.bypass=ab: where its draws begin, in all SMs alike"},
    {"l2.bypass_seed", FIELD(mem.l2_bypass_seed), 0, 32767,
     "the same of l2.bypass=ab; each slice adds its number"},
    {"l1.unified_bytes", FIELD(l1_unified_bytes), 0, 1u << 20,
     "L1 and shared memory from one: the L1 has, of l1.ways, those that core.shared_bytes leaves, "
     "and l1.bytes is set by that; 0: two memories"},
    {"l2.hash", FIELD(mem.l2_hash), 0, 1,
     "upper address bits turn the order of the slices, so that no stride camps on one"},
    {"l2.far_latency", FIELD(mem.l2_far_latency), 0, 1000,
     "SMs and slices in two halves: L2 cycles on top from an SM to the other half; 0: all alike"},
    {"dram.tRCDW", FIELD(mem.tRCDW), 0, 255, "activate to write; 0: as dram.tRCD"},
    {"dram.tWTRL", FIELD(mem.tWTRL), 0, 255,
     "write data to read, same bank group; 0: as dram.tWTR"},
    {"dram.tFAW", FIELD(mem.tFAW), 0, 1000, "at most four activates in it; 0: any number"},
    {"dram.row_bus", FIELD(mem.dram_row_bus), 0, 1,
     "activate and precharge go on pins of their own, as HBM's; 0: one command a clock"},
    {"energy.class", FIELD(energy_class), 0, WF_ENERGY_CLASSES - 1,
     "whose constants energy is computed with (sim/energy)"},
};
/* of a configuration; of a line: longer ones are cut by the parser */
enum { FILE_BYTES = 1 << 20, LINE_BYTES = 190 };
enum { KEY_COUNT = sizeof keys / sizeof keys[0], OPTIONAL_KEYS = 59 };

static const key_info *find_key(const char *key) {
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].key, key) == 0) return &keys[i];
  return NULL;
}

static unsigned *field(wf_gpu_config *config, const key_info *info) {
  return (unsigned *)((char *)config + info->offset);
}

static const char scale_key[] = "scale"; /* of --set; it changes others and is none itself */

bool wf_gpu_config_has(const char *key) {
  return find_key(key) != NULL || strcmp(key, scale_key) == 0;
}

/* The N-th part, rounded, of what a machine has many of: SMs, slices with their channels, memory.
 */
static bool set_scale(wf_gpu_config *config, const char *value, wf_error *err) {
  long n = 0;
  unsigned *const parts[] = {&config->n_sm, &config->mem.n_part, &config->memory_mib};
  if (strncmp(value, "1/", 2) != 0 || !wf_parse_long(value + 2, &n) || n < 1 || n > 64)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "scale=%s: expected 1/1 .. 1/64, the share of the SMs, of the L2's slices with "
                   "their DRAM channels, and of memory",
                   value);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i] = (*parts[i] + (unsigned)n / 2) / (unsigned)n;
    if (!*parts[i]) *parts[i] = 1;
  }
  return true;
}

/* Of values that are given by name; NULL: by number. */
static const char *const *names_of(const key_info *info) {
  if (info->offset == FIELD(scheduler)) return scheduler_names;
  if (info->offset == FIELD(l1_prefetch_turn)) return turn_names;
  if (info->offset == FIELD(l1_allocate)) return allocate_names;
  if (info->offset == FIELD(l1_bypass)) return bypass_names;
  if (info->offset == FIELD(mem.l2_bypass)) return bypass_names;
  if (info->offset == FIELD(l1_past)) return part_names;
  if (info->offset == FIELD(mem.l2_fill)) return part_names;
  if (info->offset == FIELD(mem.l2_write)) return write_names;
  if (info->offset == FIELD(cta_place)) return place_names;
  if (info->offset == FIELD(launch_order)) return order_names;
  if (info->offset == FIELD(launch_kmu)) return kmu_names;
  if (info->offset == FIELD(energy_class)) return class_names;
  return info->offset == FIELD(l1_prefetch) || info->offset == FIELD(mem.l2_prefetch)
             ? prefetch_names
             : NULL;
}

/* "a, b or c" */
static void list_names(const key_info *info, char *text, size_t bytes) {
  size_t used = 0;
  for (unsigned i = info->low; i <= info->high && used < bytes; i++)
    used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                             i == info->low    ? ""
                             : i == info->high ? " or "
                                               : ", ",
                             names_of(info)[i]);
}

static bool parse_name(const key_info *info, const char *value, long *number) {
  for (unsigned i = info->low; i <= info->high; i++)
    if (strcmp(value, names_of(info)[i]) == 0) return *number = i, true;
  return false;
}

bool wf_gpu_config_set(wf_gpu_config *config, const char *key, const char *value, wf_error *err) {
  const key_info *info = find_key(key);
  if (strcmp(key, scale_key) == 0) return set_scale(config, value, err);
  if (!info)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "unknown configuration key '%s': `warpfab list parameters` shows them", key);
  long number;
  if (names_of(info)) {
    char names[128] = "";
    list_names(info, names, sizeof names);
    if (!parse_name(info, value, &number))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%s: expected %s", key, value, names);
  } else if (!wf_parse_long(value, &number) || number < (long)info->low ||
             number > (long)info->high) {
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%s: expected a whole number %u..%u (%s)", key, value,
                   info->low, info->high, info->meaning);
  }
  *field(config, info) = (unsigned)number;
  return true;
}

typedef struct ini_user {
  wf_gpu_config *config;
  bool seen[KEY_COUNT], failed;
  wf_error *err;
} ini_user;

static int ini_key(void *user, const char *section, const char *name, const char *value) {
  ini_user *u = user;
  char key[128];
  snprintf(key, sizeof key, "%s.%s", section, name);
  if (u->failed) return 0; /* the parser goes on; the first error is the one it tells the line of */
  u->failed = !wf_gpu_config_set(u->config, key, value, u->err);
  bool *seen = u->failed ? NULL : &u->seen[find_key(key) - keys];
  if (seen && *seen)
    u->failed = !wf_fail(u->err, WF_EXIT_BAD_INPUT, "%s=%s: given twice; give it once", key, value);
  if (seen) *seen = true;
  return !u->failed;
}

static bool check_complete(const char *name, int line, ini_user *u) {
  if (line < 0)
    return wf_fail(u->err, WF_EXIT_BAD_INPUT, "%s: cannot be read as a configuration", name);
  if (line > 0) {
    char what[512];
    snprintf(what, sizeof what, "%.500s",
             u->err && u->err->code ? u->err->text : "expected [section] or key = value");
    return wf_fail(u->err, WF_EXIT_BAD_INPUT, "%s:%d: %s", name, line, what);
  }
  for (size_t i = 0; i < KEY_COUNT - OPTIONAL_KEYS; i++)
    if (!u->seen[i])
      return wf_fail(u->err, WF_EXIT_BAD_INPUT, "%s: key %s is missing (%s, %u..%u)", name,
                     keys[i].key, keys[i].meaning, keys[i].low, keys[i].high);
  return true;
}

/* What the parser would not see: bytes behind a zero, or take for two lines: a long one. */
static bool check_text(const char *name, const char *text, size_t bytes, wf_error *err) {
  int line = 1;
  for (const char *p = text; p < text + bytes; line++) {
    const size_t n = strcspn(p, "\n");
    if (p[n] == '\0' && p + n < text + bytes)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: a byte 0; expected text", name, line);
    if (n > LINE_BYTES)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: a line of %zu bytes; expected at most %d",
                     name, line, n, LINE_BYTES);
    p += n + 1;
  }
  return true;
}

static bool load_file(const char *name, ini_user *u) {
  size_t bytes;
  char *text = wf_file_read(name, FILE_BYTES, &bytes, u->err);
  const bool ok = text && check_text(name, text, bytes, u->err) &&
                  check_complete(name, ini_parse_string(text, ini_key, u), u);
  free(text);
  return ok;
}

bool wf_gpu_config_load(wf_gpu_config *config, const char *name, wf_error *err) {
  *config = (wf_gpu_config){.preload_priority = 1, .shared_bank_bytes = 4, .launch_ways = 1};
  wf_error local = {0};
  ini_user user = {.config = config, .err = err ? err : &local};
  const char *base = strrchr(name, '/');
  snprintf(config->name, sizeof config->name, "%.63s", base ? base + 1 : name);
  for (const wf_builtin_config *b = wf_builtin_configs; b->name; b++)
    if (strcmp(b->name, name) == 0)
      return check_complete(name, ini_parse_string(b->text, ini_key, &user), &user);
  if (access(name, R_OK) != 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--config %s: neither a built-in configuration (`warpfab list configs`) nor a "
                   "readable .ini file",
                   name);
  return load_file(name, &user);
}

static bool power_of_two(unsigned x) {
  return x && (x & (x - 1)) == 0;
}

/* Settings of a prefetcher without one, and one where there can be none. */
static bool check_prefetch(const wf_gpu_config *config, wf_error *err) {
  static const char none[] =
      "%s.prefetch_%s=%s: there is no prefetcher; expected %s.prefetch other than none";
  const unsigned l1 = config->l1_prefetch, l2 = config->mem.l2_prefetch;
  const struct {
    const char *level, *key;
    unsigned kind, value;
  } of_one[] = {{"l1", "degree", l1, config->l1_prefetch_degree},
                {"l1", "distance", l1, config->l1_prefetch_distance},
                {"l1", "queue", l1, config->l1_prefetch_queue},
                {"l2", "degree", l2, config->mem.l2_prefetch_degree},
                {"l2", "distance", l2, config->mem.l2_prefetch_distance}};
  char value[16];
  for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
    if (!of_one[i].kind && of_one[i].value) {
      snprintf(value, sizeof value, "%u", of_one[i].value);
      return wf_fail(err, WF_EXIT_BAD_INPUT, none, of_one[i].level, of_one[i].key, value,
                     of_one[i].level);
    }
  if (!l1 && config->l1_prefetch_turn)
    return wf_fail(err, WF_EXIT_BAD_INPUT, none, "l1", "turn", turn_names[config->l1_prefetch_turn],
                   "l1");
  if (config->l1_prefetch &&
      (config->l1_tokens || config->l1_abyp || config->l1_pd || config->l1_bypass_stalls ||
       config->l1_sectored || config->l1_write_keep))
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "l1.prefetch=%s: it goes with a plain L1; l1.tokens, l1.abyp, l1.pd, l1.bypass_stalls, "
        "l1.sectored and l1.write_keep must be 0",
        prefetch_names[config->l1_prefetch]);
  return true;
}

/* Whole ways of l1.unified_bytes are shared memory; the L1 has the others. May be called again. */
static bool carve_out(wf_gpu_config *config, wf_error *err) {
  const unsigned all = config->l1_unified_bytes, shared = config->shared_bytes_per_sm;
  if (!all) return true;
  if (config->l1_bytes + shared == all) return true;
  const unsigned way = all / config->l1_ways;
  if (all % config->l1_ways || shared % way || shared >= all)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "core.shared_bytes=%u: of l1.unified_bytes=%u with l1.ways=%u: expected a "
                   "multiple of %u below it",
                   shared, all, config->l1_ways, way);
  config->l1_bytes = all - shared;
  config->l1_ways = config->l1_bytes / way;
  return true;
}

bool wf_gpu_config_check(wf_gpu_config *config, wf_error *err) {
  if (!config->launch_kernels) config->launch_kernels = 32;
  if (!config->mem.l2_coalescer_merges) config->mem.l2_coalescer_merges = 4;
  if (!config->launch_pool_kib) config->launch_pool_kib = 16384;
  if (!carve_out(config, err)) return false;
  config->mem.n_sm = config->n_sm;
  config->mem.line_bytes = config->l1_line_bytes;
  unsigned way_bytes = config->l1_ways * config->l1_line_bytes;
  if (config->l1_bytes % way_bytes || !power_of_two(config->l1_bytes / way_bytes))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "l1.bytes=%u with l1.ways=%u: the number of sets must be a power of two",
                   config->l1_bytes, config->l1_ways);
  if (config->shared_bank_bytes != 4 && config->shared_bank_bytes != 8)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "core.shared_bank_bytes=%u: expected 4 or 8",
                   config->shared_bank_bytes);
  if (config->warps_per_sm % config->schedulers)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "core.warps=%u: must be a multiple of core.schedulers=%u", config->warps_per_sm,
                   config->schedulers);
  if (config->sm_mhz > config->mem.core_mhz)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "core.sm_mhz=%u: expected core.mhz=%u or less",
                   config->sm_mhz, config->mem.core_mhz);
  if (config->mem.l2_exclusive && (config->l1_sectored || config->l1_write_keep))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "l2.exclusive=1: whole, clean lines move between the caches; l1.sectored and "
                   "l1.write_keep must be 0");
  if (config->l1_bypass && (config->l1_allocate || config->l1_tokens || config->l1_abyp ||
                            config->l1_pd || config->l1_bypass_stalls))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "l1.bypass=%s: it decides over the way of a miss; l1.tokens, l1.abyp, l1.pd and "
                   "l1.bypass_stalls must be 0, l1.allocate miss",
                   bypass_names[config->l1_bypass]);
  if (!check_prefetch(config, err)) return false;
  if (config->lsu_lane_slots && config->lsu_lane_slots < PTX_LANES)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "lsu.lane_slots=%u: a load has up to %d lanes; expected 0, or at least so many",
                   config->lsu_lane_slots, PTX_LANES);
  return wf_mem_config_check(&config->mem, err);
}

void wf_gpu_config_each(const wf_gpu_config *config, wf_gpu_config_value *each, void *user) {
  for (size_t i = 0; i < KEY_COUNT; i++) {
    const unsigned value = *field((wf_gpu_config *)config, &keys[i]);
    char number[16];
    snprintf(number, sizeof number, "%u", value);
    const bool named = names_of(&keys[i]) != NULL;
    each(user, keys[i].key, named ? names_of(&keys[i])[value - keys[i].low] : number, !named);
  }
}

void wf_gpu_config_print(FILE *out, const wf_gpu_config *config) {
  for (size_t i = 0; i < KEY_COUNT; i++) {
    unsigned value = *field((wf_gpu_config *)config, &keys[i]);
    char names[128] = "";
    if (names_of(&keys[i])) list_names(&keys[i], names, sizeof names);
    if (names_of(&keys[i]))
      fprintf(out, "%-26s %-10s %-13s %s\n", keys[i].key, names_of(&keys[i])[value], names,
              keys[i].meaning);
    else
      fprintf(out, "%-26s %-10u %u..%u  %s\n", keys[i].key, value, keys[i].low, keys[i].high,
              keys[i].meaning);
  }
}

void wf_gpu_config_list(FILE *out) {
  for (const wf_builtin_config *b = wf_builtin_configs; b->name; b++)
    fprintf(out, "%-10s %s\n", b->name, b->summary);
}
