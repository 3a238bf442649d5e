// apcm: access pattern-aware cache management of one SM's L1 data cache. It watches one warp,
// learns for each load instruction how its data are reused, and tells for every warp's loads:
// bypass the L1, pin the line, or as usual.
// README.md has the page, with figures; this header is the contract for whoever connects it.
//
// The L1 keeps its data, tags, states, LRU and MSHRs. This unit holds, per load instruction, what
// was learned (LAT, MTA, CAIT), per warp, whether it protects lines (PSB), per L1 line the tag
// extension {access count, protected, warp}, and it chooses the victim of every miss.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready. The three readies are one register: low after reset and after the event
// kernel_start for max(Sets, MtaSets) + 1 cycles, while RAMs are cleared, else high. Answers have
// no ready: they must be taken as they come. Every output is a register (but cnt_value_o, which
// follows cnt_index_i by an edge).
//
//   edge      E0                    E1
//   inputs ===X=== taken at E0
//   answer                             === on the ports after E1, for one cycle (_rsp_valid_o)
//
// so: set inputs, edge, (next inputs,) edge, read the answer. One transfer per channel and cycle,
// answers in order.
//
// ORDER. All is as if transfers were executed one after another in order of their edges, those of
// one edge in the order ld, acc, ev. An event taken after an access therefore acts after it,
// whatever the pipeline.
//
//   ld   one transfer per global load instruction of a warp, before its requests: {warp, pc}.
//        Answer: tracked (0: the LAT is full, a normal load), id, method (0 normal, 1 bypass, 2
//        protect; already masked by bypass_en_i and protect_en_i), last (id of the last consumer).
//        The load keeps these 4 values and gives them with each of its requests.
//   acc  one transfer per line request of a load, once, at the moment the L1 is able to act on any
//        answer (MSHR and a place towards L2 are there): {warp, tracked, id, method, last} as
//        answered, nth: 0, 1 for the first and second request of the instruction, 2 for all later
//        ones; line address (byte address / line size); set, its number in the L1; hit: the line is
//        in the L1, valid or reserved (a merge is a hit), then way says where. Of each way:
//        invalid, reserved (a fill is on its way; neither: valid), rank (0 newest .. Ways-1 oldest;
//        distinct).
//        method bypass: the L1 is not looked up; set, hit, way and states are ignored, only the
//        counts of the MTA move.
//        Answer: alloc: the miss takes `way` (evicting what is there); protect: it is pinned. alloc
//        = 0 for a miss: no way may be evicted; the request bypasses the L1. For hits and bypassed
//        requests alloc = 0: nothing to do.
//        What is told of a set must include the answers given for it: while a miss waits for its
//        answer, no request of that set is offered (other sets, and hits after hits, may follow at
//        once). If all ways are reserved the L1 may wait instead of offering.
//   ev   {kind, warp, id, lo, hi}; fields a kind does not name are ignored.
//        0 load_done {warp, id}    the warp's load instruction with this id has all its data
//                                  (tracked loads only)
//        1 loop_exit {warp, lo..hi} the warp (all its lanes) left the loop whose body is the pcs
//                                  lo .. hi, both included
//        2 warp_start {warp}       a warp begins
//        3 warp_exit {warp}        it ended
//        4 kernel_start            a new kernel: everything is forgotten. No request of the kernel
//                                  before may follow
//        An event is offered after the requests that the warp issued before it were taken: a
//        loop_exit waits until the loads that were issued in the loop have sent their requests. For
//        a warp whose psb_o bit is 0 and that has no request between E0 and its answer, load_done
//        and loop_exit have no effect and may be left out.
//
// CONFIGURATION: levels, changed only while the unit is idle. threshold_i: an MTA entry whose
// access count exceeds it tells the CAIT at once, not only when it is evicted; all ones: never.
// remonitor_i: when the watched warp ended and a load is still not classified: 0 the kernel goes on
// so (the paper), 1 the next warp that starts is watched, 2 or the next warp that issues such a
// load. renew_i: when every way is protected, each renew_i-th request for a line to protect that
// meets lines its own warp protects in the set takes the oldest of these; 0: never (the paper).
//
// IDLE: idle_o: nothing is inside and nothing will change until a valid input: the clock may be
// withheld.
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
  parameter integer PcBits = 16,
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
  input  wire [3:0]           renew_i,
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
  localparam integer Rows = MtaWays > 0 && MtaEntries >= MtaWays ? MtaEntries / MtaWays : 1;
  localparam integer RowW = Rows > 1 ? $clog2(Rows) : 1;
  localparam integer ClearSteps = Rows > Sets ? Rows : Sets;
  localparam integer ClearW = ClearSteps > 1 ? $clog2(ClearSteps) : 1;
  localparam integer FillW = $clog2(Ids + 1);
  localparam integer GoneW = $clog2(Ways + 1);
  localparam integer NCount = 25;
  localparam integer IncW = GoneW;
  localparam [1:0] NORMAL = 2'd0, BYPASS = 2'd1, PROTECT = 2'd2;
  localparam [2:0] LOAD_DONE = 3'd0, LOOP_EXIT = 3'd1, WARP_START = 3'd2, WARP_EXIT = 3'd3,
                   KERNEL_START = 3'd4;

  initial begin
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "apcm: NumWarp must be 1..64");
    if (Ids < 2 || Ids > 64) $fatal(1, "apcm: Ids must be 2..64");
    if (MtaWays < 1 || MtaEntries < MtaWays || MtaEntries % MtaWays != 0
        || (Rows & (Rows - 1)) != 0)
      $fatal(1, "apcm: MtaEntries must be MtaWays * 2^k");
    if (MtaEntries > 1024) $fatal(1, "apcm: MtaEntries must be at most 1024");
    if (Sets < 1 || Sets > 1024) $fatal(1, "apcm: Sets must be 1..1024");
    if (Ways < 1 || Ways > 16) $fatal(1, "apcm: Ways must be 1..16");
    if (LineBits <= $clog2(Rows) || LineBits > 60)
      $fatal(1, "apcm: LineBits must exceed log2 of the MTA's rows, up to 60");
    if (PcBits < 1 || PcBits > 64) $fatal(1, "apcm: PcBits must be 1..64");
    if (CountBits < 2 || CountBits > 8) $fatal(1, "apcm: CountBits must be 2..8");
    if (CounterBits != 0 && (CounterBits < IncW || CounterBits > 64))
      $fatal(1, "apcm: CounterBits must be 0 or between an increment's width and 64");
  end

  // S0: transfers are taken into S1.
  reg ready_q;
  assign ld_ready_o = ready_q;
  assign acc_ready_o = ready_q;
  assign ev_ready_o = ready_q;
  wire ld_take = ld_valid_i && ready_q;
  wire acc_take = acc_valid_i && ready_q;
  wire ev_take = ev_valid_i && ready_q;

  reg ld_q, acc_q, ev_q;
  reg [WarpW-1:0] ld_warp_q, acc_warp_q, ev_warp_q;
  reg [PcBits-1:0] ld_pc_q, ev_lo_q, ev_hi_q;
  reg acc_tracked_q, acc_hit_q;
  reg [IdW-1:0] acc_id_q, acc_last_q, ev_id_q;
  reg [1:0] acc_method_q, acc_nth_q;
  reg [LineBits-1:0] acc_line_q;
  reg [SetW-1:0] acc_set_q;
  reg [WayW-1:0] acc_way_q;
  reg [Ways-1:0] acc_invalid_q, acc_reserved_q;
  reg [Ways*WayW-1:0] acc_rank_q;
  reg [2:0] ev_kind_q;
  always_ff @(posedge clk_i) if (acc_take) acc_line_q <= acc_line_i;
  always_ff @(posedge clk_i) begin
    if (ld_take) begin
      ld_warp_q <= ld_warp_i;
      ld_pc_q <= ld_pc_i;
    end
    if (acc_take) begin
      acc_warp_q <= acc_warp_i;
      acc_tracked_q <= acc_tracked_i;
      acc_id_q <= acc_id_i;
      acc_method_q <= acc_method_i;
      acc_last_q <= acc_last_i;
      acc_nth_q <= acc_nth_i;
      acc_set_q <= acc_set_i;
      acc_hit_q <= acc_hit_i;
      acc_way_q <= acc_way_i;
      acc_invalid_q <= acc_invalid_i;
      acc_reserved_q <= acc_reserved_i;
      acc_rank_q <= acc_rank_i;
    end
    if (ev_take) begin
      ev_kind_q <= ev_kind_i;
      ev_warp_q <= ev_warp_i;
      ev_id_q <= ev_id_i;
      ev_lo_q <= ev_lo_i;
      ev_hi_q <= ev_hi_i;
    end
  end
  wire ev_start = ev_q && ev_kind_q == WARP_START;
  wire ev_exit = ev_q && ev_kind_q == WARP_EXIT;
  wire ev_kernel = ev_q && ev_kind_q == KERNEL_START;

  // Which warp is watched. In S1 transfers act in the order ld, acc, ev; a choice made by ld acts
  // after them.
  localparam [1:0] NONE = 2'd0, WATCH = 2'd1, SCAN = 2'd2;
  reg [1:0] mon_q, mon_d;
  reg [WarpW-1:0] mon_warp_q;
  reg again_q;  // a warp was watched already in this kernel
  wire scanning, open, ld_open;
  wire mon_by_start = mon_q == NONE && ev_start && (!again_q || (remonitor_i != 2'd0 && open));
  wire mon_by_load = mon_q == NONE && !ev_kernel && ld_open && again_q && remonitor_i == 2'd2;
  wire mon_ends = mon_q == WATCH && ev_exit && ev_warp_q == mon_warp_q;
  always_comb begin
    mon_d = mon_q;
    if (ev_kernel) mon_d = NONE;
    else if (mon_by_start || mon_by_load) mon_d = WATCH;
    else if (mon_ends) mon_d = SCAN;
    else if (mon_q == SCAN && !scanning) mon_d = NONE;
  end

  // After reset and a kernel's start all RAM rows are cleared, one a cycle.
  reg clear_q;
  reg [ClearW-1:0] clear_at_q;
  wire clear_end = clear_at_q == ClearW'(ClearSteps - 1);
  wire [31:0] clear_at = 32'(clear_at_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      clear_q <= 1'b1;
      clear_at_q <= '0;
      ld_q <= 1'b0;
      acc_q <= 1'b0;
      ev_q <= 1'b0;
      mon_q <= NONE;
      again_q <= 1'b0;
    end else begin
      ld_q <= ld_take;
      acc_q <= acc_take;
      ev_q <= ev_take;
      mon_q <= mon_d;
      if (ev_kernel) again_q <= 1'b0;
      else if (mon_d == WATCH) again_q <= 1'b1;
      if (ev_take && ev_kind_i == KERNEL_START) ready_q <= 1'b0;
      else if (clear_q && clear_end) ready_q <= 1'b1;
      if (ev_kernel) clear_q <= 1'b1;
      else if (clear_q && clear_end) clear_q <= 1'b0;
      if (clear_q) clear_at_q <= clear_end ? '0 : clear_at_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mon_warp_q <= '0;
    else if (mon_by_start) mon_warp_q <= ev_warp_q;
    else if (mon_by_load) mon_warp_q <= ld_warp_q;
  end

  // Loads: LAT and CAIT.
  wire ld_tracked, cait_valid, report, up_write;
  wire [IdW-1:0] ld_id, psb_pc_id, cait_last, report_id, report_last;
  wire [PcBits-1:0] psb_pc, acc_pc;
  wire [FillW-1:0] fill;
  wire [1:0] cait_method, report_method;
  wire [CountBits-1:0] report_count;
  // A report of the MTA goes through a register: what a tag array finds and what a table compares
  // are a cycle each. A load sees it when it is in the register, so that the order holds.
  reg up_q;
  reg [IdW-1:0] up_id_q, up_last_q;
  reg [1:0] up_method_q;
  reg [CountBits-1:0] up_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) up_q <= 1'b0;
    else up_q <= report && !ev_kernel;
  end
  always_ff @(posedge clk_i) begin
    if (report) begin
      up_id_q <= report_id;
      up_last_q <= report_last;
      up_method_q <= report_method;
      up_count_q <= report_count;
    end
  end
  apcm_lat #(.Ids(Ids), .PcBits(PcBits)) u_lat (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(ev_kernel), .look_valid_i(ld_q), .look_pc_i(ld_pc_q),
    .tracked_o(ld_tracked), .id_o(ld_id), .rd_id_i(psb_pc_id), .rd_pc_o(psb_pc),
    .rd2_id_i(acc_last_q), .rd2_pc_o(acc_pc), .fill_o(fill)
  );
  apcm_cait #(.Ids(Ids), .CountBits(CountBits)) u_cait (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(ev_kernel), .rd_id_i(ld_id), .rd_valid_o(cait_valid),
    .rd_method_o(cait_method), .rd_last_o(cait_last), .up_valid_i(up_q), .up_id_i(up_id_q),
    .up_method_i(up_method_q), .up_last_i(up_last_q), .up_count_i(up_count_q),
    .up_write_o(up_write), .fill_i(fill), .open_o(open)
  );
  wire ld_known = ld_q && ld_tracked && cait_valid;
  assign ld_open = ld_q && ld_tracked && !cait_valid;
  wire ld_bypass = ld_known && cait_method == BYPASS && bypass_en_i;
  wire ld_protect = ld_known && cait_method == PROTECT && protect_en_i;

  reg ld_rsp_q, ld_rsp_tracked_q;
  reg [IdW-1:0] ld_rsp_id_q, ld_rsp_last_q;
  reg [1:0] ld_rsp_method_q;
  always_ff @(posedge clk_i) begin
    if (ld_q) begin
      ld_rsp_tracked_q <= ld_tracked;
      ld_rsp_id_q <= ld_id;
      ld_rsp_method_q <= ld_bypass ? BYPASS : ld_protect ? PROTECT : NORMAL;
      ld_rsp_last_q <= ld_known ? cait_last : '0;
    end
  end
  assign ld_rsp_valid_o = ld_rsp_q;
  assign ld_rsp_tracked_o = ld_rsp_tracked_q;
  assign ld_rsp_id_o = ld_rsp_id_q;
  assign ld_rsp_method_o = ld_rsp_method_q;
  assign ld_rsp_last_o = ld_rsp_last_q;

  // Requests: tag extension, PSB, MTA.
  wire look = acc_q && acc_method_q != BYPASS;  // the L1 is looked up
  wire alloc, plain, may, psb_free, psb_end, renewed;
  wire [WayW-1:0] victim;
  wire [CountBits-1:0] line_count;
  wire [GoneW-1:0] gone;
  wire [NumWarp-1:0] psb;
  wire protect = acc_method_q == PROTECT && may;
  // A free entry may be had by any load; renewal finds it set.
  wire psb_set = plain && acc_method_q == PROTECT && psb_free;
  apcm_lines #(.Sets(Sets), .Ways(Ways), .NumWarp(NumWarp), .CountBits(CountBits)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q && clear_at < Sets),
    .clear_set_i(SetW'(clear_at_q)), .rd_i(acc_take && acc_method_i != BYPASS),
    .rd_set_i(acc_set_i), .valid_i(look), .set_i(acc_set_q), .hit_i(acc_hit_q), .way_i(acc_way_q),
    .invalid_i(acc_invalid_q), .reserved_i(acc_reserved_q), .rank_i(acc_rank_q),
    .warp_i(acc_warp_q), .protect_i(protect), .psb_i(psb), .renew_i(renew_i), .alloc_o(alloc),
    .way_o(victim), .plain_o(plain), .count_o(line_count), .gone_o(gone), .renew_o(renewed)
  );
  apcm_psb #(.NumWarp(NumWarp), .Ids(Ids), .PcBits(PcBits)) u_psb (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(ev_kernel), .acc_rd_i(acc_take),
    .acc_rd_warp_i(acc_warp_i), .acc_warp_i(acc_warp_q), .acc_id_i(acc_id_q),
    .acc_last_i(acc_last_q), .may_o(may), .free_o(psb_free), .set_i(psb_set),
    .done_i(ev_q && ev_kind_q == LOAD_DONE), .loop_i(ev_q && ev_kind_q == LOOP_EXIT),
    .exit_i(ev_exit), .ev_rd_i(ev_take), .ev_rd_warp_i(ev_warp_i), .ev_warp_i(ev_warp_q),
    .ev_id_i(ev_id_q), .ev_lo_i(ev_lo_q), .ev_hi_i(ev_hi_q), .pc_id_o(psb_pc_id), .pc_i(psb_pc),
    .acc_pc_i(acc_pc), .end_o(psb_end), .protect_o(psb)
  );
  wire mta_hit, mta_take, mta_evict, mta_drop;
  apcm_mta #(
    .MtaEntries(MtaEntries), .MtaWays(MtaWays), .LineBits(LineBits), .Ids(Ids),
    .CountBits(CountBits)
  ) u_mta (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q && clear_at < Rows),
    .clear_row_i(RowW'(clear_at_q)), .threshold_i(threshold_i), .rd_i(acc_take && mon_d == WATCH),
    .rd_line_i(acc_line_i), .valid_i(acc_q && mon_q == WATCH), .line_i(acc_line_q),
    .own_i(acc_warp_q == mon_warp_q), .tracked_i(acc_tracked_q), .id_i(acc_id_q),
    .may_take_i(acc_nth_q < 2'd2),
    .count_i(look && acc_hit_q ? line_count : {{(CountBits-1){1'b0}}, 1'b1}), .scan_i(mon_ends),
    .stop_i(ev_kernel), .scanning_o(scanning), .up_valid_o(report), .up_id_o(report_id),
    .up_method_o(report_method), .up_last_o(report_last), .up_count_o(report_count),
    .ev_hit_o(mta_hit), .ev_take_o(mta_take), .ev_evict_o(mta_evict), .ev_drop_o(mta_drop)
  );

  reg acc_rsp_q, acc_rsp_alloc_q, acc_rsp_protect_q;
  reg [WayW-1:0] acc_rsp_way_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ld_rsp_q <= 1'b0;
      acc_rsp_q <= 1'b0;
    end else begin
      ld_rsp_q <= ld_q;
      acc_rsp_q <= acc_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (acc_q) begin
      acc_rsp_alloc_q <= alloc;
      acc_rsp_way_q <= victim;
      acc_rsp_protect_q <= alloc && protect;
    end
  end
  assign acc_rsp_valid_o = acc_rsp_q;
  assign acc_rsp_alloc_o = acc_rsp_alloc_q;
  assign acc_rsp_way_o = acc_rsp_way_q;
  assign acc_rsp_protect_o = acc_rsp_protect_q;
  assign psb_o = psb;
  assign mon_valid_o = mon_q == WATCH;
  assign mon_warp_o = mon_warp_q;
  assign idle_o = !(ld_q || acc_q || ev_q || ld_rsp_q || acc_rsp_q || clear_q || mon_q == SCAN);

  // Counters: the order is that of unit.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        renewed, clear_q, mon_by_start || mon_by_load, up_write && up_method_q == NORMAL,
        up_write && up_method_q == PROTECT, up_write && up_method_q == BYPASS, mta_drop, mta_evict,
        mta_take, mta_hit, 1'b0, psb_end && ev_exit, psb_end && ev_kind_q == LOOP_EXIT,
        psb_end && ev_kind_q == LOAD_DONE, psb_set, look && !acc_hit_q && !alloc, alloc && protect,
        alloc, acc_q && !look, look && acc_hit_q, acc_q, ld_protect, ld_bypass,
        ld_q && !ld_tracked, ld_q};
      reg [NCount*IncW-1:0] inc_c;
      always_comb begin
        inc_c = '0;
        if (inc != '0 || gone != '0) begin
          for (int i = 0; i < NCount; i = i + 1) inc_c[i*IncW] = inc[i];
          inc_c[14*IncW +: IncW] = gone;
        end
      end
      wf_counters #(
        .N(NCount), .Width(CounterBits), .IncBits(IncW), .Wide(25'h4000), .NarrowBits(1)
      ) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc_c), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, gone, mta_hit, mta_take,
                      mta_evict, mta_drop, psb_end, up_write, renewed};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME_STABLE(rule1_ld, ld_valid_i, ld_ready_o, {ld_warp_i, ld_pc_i}, WarpW + PcBits,
                    "Rule 1: an offered load holds")
  `WF_ASSUME_STABLE(rule1_acc, acc_valid_i, acc_ready_o, {acc_warp_i, acc_line_i, acc_set_i},
                    WarpW + LineBits + SetW,
                    "Rule 1: an offered request holds")
  `WF_ASSUME_STABLE(rule1_ev, ev_valid_i, ev_ready_o, {ev_kind_i, ev_warp_i, ev_id_i},
                    3 + WarpW + IdW,
                    "Rule 1: an offered event holds")
  wire [31:0] ev_warp_n = 32'(ev_warp_q), acc_warp_n = 32'(acc_warp_q), ld_warp_n = 32'(ld_warp_q);
  `WF_ASSUME(rule2_ld, !ld_q || ld_warp_n < NumWarp, "Rule 2: a load's warp is below NumWarp")
  `WF_ASSUME(rule2_acc, !acc_q || acc_warp_n < NumWarp, "Rule 2: a request's warp is below NumWarp")
  `WF_ASSUME(rule2_ev, !ev_q || ev_warp_n < NumWarp, "Rule 2: an event's warp is below NumWarp")
  `WF_ASSUME(rule3_kind, !ev_q || ev_kind_q <= KERNEL_START, "Rule 3: an event's kind is 0..4")
  `WF_ASSUME(rule4_track, !acc_q || acc_tracked_q || acc_method_q == NORMAL,
             "Rule 4: a load without an id is managed as usual")
  `WF_ASSUME(rule4_id, !acc_q || !acc_tracked_q || FillW'(acc_id_q) < fill,
             "Rule 4: ids are those that were answered")
  `WF_ASSUME(rule4_method, !acc_q || acc_method_q != 2'd3, "Rule 4: a method is 0, 1 or 2")
  `WF_ASSUME(rule5_set, !(acc_rsp_q && acc_rsp_alloc_q && look && acc_set_q == last_set_q),
             "Rule 5: no request of a set follows while a miss of it waits for its answer")
  `WF_ASSERT(rule6_kernel, !ev_kernel || !(ev_take || ld_take || acc_take),
             "Rule 6: nothing is taken while all is forgotten")
  `WF_ASSERT(rule7_protect, !psb_set || protect,
             "Rule 7: only a line that is protected sets the PSB")
  `WF_ASSERT(rule8_watch, mon_q == SCAN || !scanning, "Rule 8: a scan belongs to a warp that ended")
  `WF_ASSERT(rule9_idle, !idle_o || (ready_q && !look && !scanning),
             "Rule 9: an idle unit is ready and holds nothing")
`ifdef WF_ASSERT_LIVE
  reg [SetW-1:0] last_set_q;
  always_ff @(posedge clk_i) if (acc_q) last_set_q <= acc_set_q;
`endif
  wire unused_warp = &{1'b0, ev_warp_n, acc_warp_n, ld_warp_n, fill};
endmodule
`default_nettype wire
