// apcm: access pattern-aware cache management of one SM's L1 data cache. It watches one warp, learns for each
// load instruction how its data are reused, and tells for every warp's loads: bypass the L1, pin the line, or as usual.
// README.md has the page, with figures; this header is the contract for whoever connects it.
//
// The L1 keeps its data, tags, states, LRU and MSHRs. This unit holds, per load instruction, what was learned (LAT,
// MTA, CAIT), per warp, whether it protects lines (PSB), per L1 line the tag extension {access count, protected, warp},
// and it chooses the victim of every miss.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may not wait for ready.
// The three readies are one register: low after reset and after the event kernel_start for max(Sets, MtaSets) + 1
// cycles, while RAMs are cleared, else high. Answers have no ready: they must be taken as they come. Every output is a
// register (but cnt_value_o, which follows cnt_index_i).
//
//   edge      E0                    E1
//   inputs ===X=== taken at E0 
//   answer                             === on the ports after E1, for one cycle (_rsp_valid_o)
//
// so: set inputs, edge, (next inputs,) edge, read the answer. One transfer per channel and cycle, answers in order.
//
// ORDER. All is as if transfers were executed one after another in order of their edges, those of one edge in the
// order ld, acc, ev. An event taken after an access therefore acts after it, whatever the pipeline.
//
//   ld   one transfer per global load instruction of a warp, before its requests: {warp, pc}.
//        Answer: tracked (0: the LAT is full, a normal load), id, method (0 normal, 1 bypass, 2 protect; already
//        masked by bypass_en_i and protect_en_i), last (id of the last consumer). The load keeps these 4 values and
//        gives them with each of its requests.
//   acc  one transfer per line request of a load, once, at the moment the L1 is able to act on any answer (MSHR and
//        a place towards L2 are there): {warp, tracked, id, method, last} as answered, nth: 0, 1 for the first and second
//        request of the instruction, 2 for all later ones; line address (byte address / line size); set, its number
//        in the L1; hit: the line is in the L1, valid or reserved (a merge is a hit), then way says where. Of each way:
//        invalid, reserved (a fill is on its way; neither: valid), rank (0 newest .. Ways-1 oldest; distinct).
//        method bypass: the L1 is not looked up; set, hit, way and states are ignored, only the counts of the MTA move.
//        Answer: alloc: the miss takes `way` (evicting what is there); protect: it is pinned. alloc = 0 for a miss: no way may
//        be evicted; the request bypasses the L1. For hits and bypassed requests alloc = 0: nothing to do.
//        What is told of a set must include the answers given for it: while a miss waits for its answer, no request
//        of that set is offered (other sets, and hits after hits, may follow at once). If all ways are reserved the
//        L1 may wait instead of offering.
//   ev   {kind, warp, id, lo, hi}; fields a kind does not name are ignored.
//        0 load_done {warp, id}    the warp's load instruction with this id has all its data (tracked loads only)
//        1 loop_exit {warp, lo..hi} the warp (all its lanes) left the loop whose body is the pcs lo .. hi, both included
//        2 warp_start {warp}       a warp begins
//        3 warp_exit {warp}        it ended
//        4 kernel_start            a new kernel: everything is forgotten. No request of the kernel before may follow
//        An event is offered after the requests that the warp issued before it were taken: a loop_exit waits until
//        the loads that were issued in the loop have sent their requests. For a warp whose psb_o bit is 0 and that has no
//        request between E0 and its answer, load_done and loop_exit have no effect and may be left out.
//
// CONFIGURATION: levels, changed only while the unit is idle. threshold_i: an MTA entry whose access count exceeds it
// tells the CAIT at once, not only when it is evicted; all ones: never. remonitor_i: when the watched warp ended and
// a load is still not classified: 0 the kernel goes on so (the paper), 1 the next warp that starts is watched, 2 or the
// next warp that issues such a load.
//
// IDLE: idle_o: nothing is inside and nothing will change until a valid input: the clock may be withheld.
`default_nettype none
`include "wf_assert.vh"

module apcm #(
  parameter integer NumWarp = 48,      // warps of the SM, 1..64
  parameter integer Ids = 16,          // load instructions tracked (LAT, CAIT), 2..64
  parameter integer MtaEntries = 32,   // MtaWays * 2^k, k >= 0
  parameter integer MtaWays = 1,       // 1 direct-mapped .. MtaEntries fully associative
  parameter integer Sets = 32,         // of the L1, 1..1024
  parameter integer Ways = 4,          // of the L1, 1..16
  parameter integer LineBits = 25,     // of a line address
  parameter integer PcBits = 32,
  parameter integer CountBits = 4,     // of the access counts, 2..8
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // configuration
  input  wire                 bypass_en_i,
  input  wire                 protect_en_i,
  input  wire [CountBits-1:0] threshold_i,
  input  wire [1:0]           remonitor_i,
  // load instructions
  input  wire                 ld_valid_i,
  output wire                 ld_ready_o,
  input  wire [WarpW-1:0]     ld_warp_i,
  input  wire [PcBits-1:0]    ld_pc_i,
  output wire                 ld_rsp_valid_o,
  output wire                 ld_rsp_tracked_o,
  output wire [IdW-1:0]       ld_rsp_id_o,
  output wire [1:0]           ld_rsp_method_o,
  output wire [IdW-1:0]       ld_rsp_last_o,
  // their line requests
  input  wire                 acc_valid_i,
  output wire                 acc_ready_o,
  input  wire [WarpW-1:0]     acc_warp_i,
  input  wire                 acc_tracked_i,
  input  wire [IdW-1:0]       acc_id_i,
  input  wire [1:0]           acc_method_i,
  input  wire [IdW-1:0]       acc_last_i,
  input  wire [1:0]           acc_nth_i,
  input  wire [LineBits-1:0]  acc_line_i,
  input  wire [SetW-1:0]      acc_set_i,
  input  wire                 acc_hit_i,
  input  wire [WayW-1:0]      acc_way_i,
  input  wire [Ways-1:0]      acc_invalid_i,
  input  wire [Ways-1:0]      acc_reserved_i,
  input  wire [Ways*WayW-1:0] acc_rank_i,
  output wire                 acc_rsp_valid_o,
  output wire                 acc_rsp_alloc_o,
  output wire [WayW-1:0]      acc_rsp_way_o,
  output wire                 acc_rsp_protect_o,
  // events
  input  wire                 ev_valid_i,
  output wire                 ev_ready_o,
  input  wire [2:0]           ev_kind_i,
  input  wire [WarpW-1:0]     ev_warp_i,
  input  wire [IdW-1:0]       ev_id_i,
  input  wire [PcBits-1:0]    ev_lo_i,
  input  wire [PcBits-1:0]    ev_hi_i,
  // what is going on: warps that protect lines, the watched warp
  output wire [NumWarp-1:0]   psb_o,
  output wire                 mon_valid_o,
  output wire [WarpW-1:0]     mon_warp_o,
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [4:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  wire unused = &{1'b0, clk_i, rst_ni, bypass_en_i, protect_en_i, threshold_i, remonitor_i, ld_valid_i, ld_warp_i,
                  ld_pc_i, acc_valid_i, acc_warp_i, acc_tracked_i, acc_id_i, acc_method_i, acc_last_i, acc_nth_i,
                  acc_line_i, acc_set_i, acc_hit_i, acc_way_i, acc_invalid_i, acc_reserved_i, acc_rank_i, ev_valid_i,
                  ev_kind_i, ev_warp_i, ev_id_i, ev_lo_i, ev_hi_i, cnt_snapshot_i, cnt_clear_i, cnt_index_i,
                  MtaEntries[0], MtaWays[0], CounterBits[0]};
  assign {ld_ready_o, ld_rsp_valid_o, ld_rsp_tracked_o, ld_rsp_id_o, ld_rsp_method_o, ld_rsp_last_o, acc_ready_o} = '0;
  assign {acc_rsp_valid_o, acc_rsp_alloc_o, acc_rsp_way_o, acc_rsp_protect_o, ev_ready_o, psb_o, mon_valid_o} = '0;
  assign {mon_warp_o, cnt_value_o, idle_o} = '0;
endmodule
`default_nettype wire
