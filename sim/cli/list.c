/* warpfab list apps|configs|units|parameters|counters|ptx */
#include <stdio.h>
#include <string.h>

#include "sim/apps/apps.h"
#include "sim/cli/cli.h"
#include "sim/gpu/config.h"
#include "sim/gpu/settings.h"
#include "sim/ptx/listing.h"
#include "sim/report/series.h"
#include "sim/report/timeline.h"
#include "sim/units/registry.h"

/* In lines of 100 columns, behind a margin; used: columns of the first. */
static void print_wrapped(const char *text, unsigned used) {
  enum { COLUMNS = 100, MARGIN = 8 };
  for (unsigned word; *text; text += word + (text[word] == ' ')) {
    word = (unsigned)strcspn(text, " ");
    const bool fits = used + 1 + word <= COLUMNS;
    printf("%s%.*s", fits ? " " : "\n        ", (int)word, text);
    used = (fits ? used + 1 : MARGIN) + word;
  }
  putchar('\n');
}

static void list_keys(const char *prefix, const wf_parameter *table) {
  for (const wf_parameter *p = table; p->name; p++) {
    char preset[64], range[256];
    wf_parameter_describe(p, preset, sizeof preset, range, sizeof range);
    print_wrapped(p->meaning,
                  (unsigned)printf("    --set %s.%s=%s   %s ", prefix, p->name, preset, range));
  }
}

static void list_apps(void) {
  size_t n;
  const wf_app *const *apps = wf_app_list(&n);
  for (size_t i = 0; i < n; i++) {
    printf("%-10s %s%s\n", apps[i]->name, apps[i]->summary, apps[i]->needs_graph ? " (graph)" : "");
    list_keys("app", apps[i]->options);
  }
}

static void list_units(void) {
  size_t n;
  const wf_unit_class *const *units = wf_unit_classes(&n);
  for (size_t i = 0; i < n; i++) {
    printf("%-10s %s\n", units[i]->name, units[i]->summary);
    if (units[i]->example)
      printf("    warpfab run --unit %s %s\n", units[i]->name, units[i]->example);
    for (const wf_unit_form *f = units[i]->forms; f && f->name; f++)
      printf("    --unit %s   the same as --unit %s:%s\n", f->name, units[i]->name, f->setting);
    if (units[i]->limits) printf("    machines: %s\n", units[i]->limits);
    for (const char *const *b = units[i]->bases; b && *b; b++)
      printf("    --base %s.%s=PARAM[+BYTES]   with --ptx: the memory of that parameter\n",
             units[i]->name, *b);
    list_keys(units[i]->name, units[i]->parameters);
  }
}

static void list_ptx(void) {
  size_t n;
  const ptx_listed *l = ptx_list_known(&n);
  for (size_t i = 0; i < n; i++) print_wrapped(l[i].text, (unsigned)printf("%-13s", l[i].name));
  l = ptx_list_refused(&n);
  puts("\nrefused:");
  for (size_t i = 0; i < n; i++) printf("%-13s %s\n", l[i].name, l[i].text);
}

static void list_table(const wf_parameter *table) {
  for (const wf_parameter *p = table; p->name; p++) {
    char preset[64], range[256];
    wf_parameter_describe(p, preset, sizeof preset, range, sizeof range);
    printf("%-26s %-10s %s  %s\n", p->name, preset, range, p->meaning);
  }
}

static int list_parameters(const char *name) {
  wf_gpu_config config;
  wf_error err = {0};
  if (!wf_gpu_config_load(&config, name, &err)) return wf_cli_report(&err);
  printf("%s (warpfab run --set KEY=VALUE):\n", config.name);
  wf_gpu_config_print(stdout, &config);
  list_table(wf_gpu_parameters);
  list_table(wf_series_parameters);
  list_table(wf_timeline_parameters);
  puts("energy.NAME                constants of the energy model: sim/energy/README.md; "
       "energy.UNIT.COUNTER");
  return WF_OK;
}

static const char counters[] =
    "app graph config units settings seed verified verdict supersteps strategy metrics{}\n"
    "cycles                 core cycles of all kernels\n"
    "warp_instructions      issued by all SMs; thread_instructions counts their active lanes\n"
    "ipc                    thread instructions per core cycle\n"
    "kernels[]              name grid block start_cycle cycles warp_instructions "
    "thread_instructions\n"
    "                       ctas_per_sm registers; with --set sample.*: timed (false: no cycles)\n"
    "sampled                with --set sample.*: timed executed (launches), warp_instructions "
    "thread_instructions of the executed;\n"
    "                       all other counters are of what was timed\n"
    "l1                     accesses hits misses merges bypasses stores atomics evictions "
    "stall_cycles sector_misses\n"
    "                       hit_rate; an access is one 128 B line of one warp load. With --set "
    "l1.prefetch: prefetch{}\n"
    "                       issued, useful (used when there) late (when on its way) useless "
    "(never), dropped (queue full),\n"
    "                       redundant (there already), stall_cycles. With l1.victim_lines: "
    "victim_hits (of hits);\n"
    "                       with l1.allocate=fill: fills_dropped (no way was free);\n"
    "                       with l2.exclusive: victims_lost (replaced lines without a place on "
    "their way to the L2)\n"
    "l2                     reads writes atomics hits misses merges evictions writebacks "
    "stall_cycles\n"
    "                       unit_reads unit_writes unit_hits; with --set l2.coalescer=: coalesced "
    "(reads answered with\n"
    "                       another's access, none of the above), coalescer_full (found no entry); "
    "with --set l2.prefetch=:\n"
    "                       prefetches (lines brought), prefetches_useful (read later), "
    "prefetches_dropped; with --set l2.write=evict:\n"
    "                       insertions (lines that took a way); with l2.exclusive: these, and "
    "victims\n"
    "                       (lines that L1s replaced), victims_dropped (no way, or there "
    "already), victims_stale\n"
    "                       (written since, maybe), moved (lines that left for an L1)\n"
    "noc                    packets flits request_flits reply_flits stall_cycles\n"
    "                       request_stall_cycles reply_stall_cycles; a stall is a NoC cycle in "
    "which\n"
    "                       an input had a packet at its head that did not move\n"
    "dram                   read_bytes write_bytes reads writes row_hits row_misses activates\n"
    "                       busy_cycles cycles queue_full_cycles gb_per_second active_cycles (of "
    "channels with a\n"
    "                       request) efficiency (busy_cycles / active_cycles) row_changes "
    "(activates of another row\n"
    "                       than the bank's last)\n"
    "sm                     occupancy lanes_per_instruction ctas register_reads "
    "register_writes\n"
    "                       shared_accesses shared_conflict_cycles by_class{}; scheduler_cycles{}: "
    "each cycle of each\n"
    "                       scheduler goes to issue or to one cause: warps could issue, but for "
    "lsu_queue (the load/store\n"
    "                       unit's queue is full, and goes on), l1_port (copies, units' replies or "
    "prefetches have it),\n"
    "                       l1_mshr (no MSHR, place in one, or way), noc (the crossbar), unit, "
    "pipe (functional unit),\n"
    "                       limit (core.swl); or wait for memory, dependency, launch (taken), "
    "barrier, unit; idle: no warp\n"
    "launches               with launches by threads: kernels groups groups_refused (found no "
    "kernel to join) blocks\n"
    "                       threads no_buffer over_limit (calls that failed) started "
    "threads_per_launch waiting_cycles\n"
    "                       (from asking for the buffer to the first block) peak_pending "
    "peak_bytes (of those not started:\n"
    "                       buffers, 64 a kernel's record) mean_pending mean_bytes (over all "
    "cycles)\n"
    "energy_joules          total core registers l1 l2 noc dram unit static watts, units{NAME} (of "
    "the total: what each unit causes);\n"
    "                       with SMs at a lower voltage low{}: sm_share (of SMs' time), voltage, "
    "frequency (of the full\n"
    "                       ones), saved (of what the run costs without, and by three assumptions "
    "of leakage),\n"
    "                       power_share (of idle SMs in that), sms[]: of each SM in high{}, "
    "between{} (on the way to\n"
    "                       the other voltage), low{}: cycles (the core's), ticks (its own "
    "clock's), entered (times),\n"
    "                       warp_instructions, joules: events (over all: core, registers, l1, "
    "without units'),\n"
    "                       clock, leakage by energy.low_leak (over all: static without uncore "
    "and board)\n"
    "coalescing{NAME}       with --set probe.coalescing=1, per allocation: operations, requests[] "
    "left\n"
    "                       if loads were coalesced over 1, 2, 4 .. 256 warp-level operations\n"
    "footprint              with --set probe.footprint=1: parents (blocks that launched any), "
    "children "
    "(that have siblings);\n"
    "                       mean shares of blocks of 128 bytes: parent_child (of all its "
    "children's "
    "also its own),\n"
    "                       child_sibling (of its siblings' also its own), parent_parent; "
    "_weighted: of all together\n"
    "locality               with --set probe.locality=1: aps, lines{} by type of reuse in an L1 "
    "without bound,\n"
    "                       counts_infinite[] counts_l1[] lines by accesses from count_low[] on, "
    "the latter until evicted,\n"
    "                       distances{}[] accesses between two of a line from distance_low[] on, "
    "loads[]\n"
    "loads[]                with --set probe.loads=1: kernel pc line loads role (head, tail: "
    "`warpfab ptx analyse`) text;\n"
    "                       cycles from issue to the last word, wait of the instruction that needs "
    "it, means;\n"
    "                       lines that looked the L1 up and hits among them\n"
    "series                 with --set series.points=N: end[] core cycles at which an interval "
    "ends, and "
    "what came to it in each of\n"
    "                       occupied_warp_cycles[] issue[] memory[] idle[] warp_instructions[] "
    "l1_accesses[] l1_hits[]\n"
    "                       l2_accesses[] l2_hits[] flits[] dram_bytes[] joules[]\n"
    "trace{}                with --trace: path format launches unknown_instructions "
    "resident_bytes; UNIT{}: what a unit that listens\n"
    "                       to the trace found there, its page says what\n"
    "unit{NAME}             each unit's own counters: rtl/UNIT/README.md\n"
    "host                   seconds cycles_per_second warp_instructions_per_second peak_bytes "
    "rtl_edges{UNIT}\n"
    "                       (clock edges that the simulation spent on a unit's RTL: they depend on "
    "UNIT.gate)\n"
    "                       rtl{MODULE}: config edges edges_per_second share (of the processor's "
    "time)\n";

int wf_cli_list(int argc, char **argv) {
  const char *what = argc >= 2 ? argv[1] : "";
  if (!strcmp(what, "apps") && argc == 2) return list_apps(), WF_OK;
  if (!strcmp(what, "configs") && argc == 2) return wf_gpu_config_list(stdout), WF_OK;
  if (!strcmp(what, "units") && argc == 2) return list_units(), WF_OK;
  if (!strcmp(what, "parameters") && argc <= 3)
    return list_parameters(argc == 3 ? argv[2] : "gtx480");
  if (!strcmp(what, "counters") && argc == 2) return fputs(counters, stdout), WF_OK;
  if (!strcmp(what, "ptx") && argc == 2) return list_ptx(), WF_OK;
  bool help = !strcmp(what, "--help");
  fputs("usage: warpfab list apps|configs|units|parameters [CONFIG]|counters|ptx\n",
        help ? stdout : stderr);
  return help ? WF_OK : WF_EXIT_BAD_INPUT;
}
