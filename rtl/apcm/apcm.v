// apcm: access pattern-aware cache management of one SM's L1 data cache. It watches one warp,
// learns for each load instruction how its data are reused, and tells for every warp's loads:
// bypass the L1, pin the line, or as usual.
// README.md has the page, with figures; this header is the contract for whoever connects it.
//
// The L1 keeps its data, tags, states, LRU and MSHRs. This unit holds, per load instruction, what
// was learned (LAT, MTA, CAIT), per warp, whether it protects lines (PSB), per L1 line the tag
// extension {credit, access count, protected, warp}, the loops that warps were seen in, and it
// chooses the victim of every miss.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready. All readies are functions of registers, cf's of lsu_in_i too. They are low
// after reset and after kernel_i for max(Sets, MtaSets, Ids) + 2 cycles, while RAMs are cleared.
// Answers have no ready: they must be taken as they come, and they come in order.
//
//   ld, cf  can be taken in the first cycle of the offer. An answer to ld is on the ports in the
//           cycle after, for one cycle.
//   acc     is taken at E0, acts at E1, and the answer is on the ports in the cycle after E1. If
//           the request before it acts at E0 on the same set or the same row of the MTA, it acts a
//           cycle later, and acc_ready_o is low in that cycle.
//   done    can be taken in the first cycle of the offer. It is read at that edge or, while another
//           event acts or an exit of a loop goes before it, later, and acts at the next one.
//   exit    is ready in the cycle in which it acts: the second of the offer or, while others go
//           before it, later.
//   start_i, kernel_i   are pulses, and act at the second edge.
//
// ORDER. All is as if one after another in the order of the edges at which they act (ld and cf: at
// that of the transfer), those of one edge in the order ld, cf, acc, event. But what a request
// teaches acts on loads that are taken three edges later or after. Events: a start, a load's end, a
// warp's exit, or that of a loop (apcm_events.v tells whose turn it is).
//
//   ld   one transfer per global load instruction of a warp, before its requests: {warp, pc}. A
//        load whose number in the kernel does not fit into PcBits is not offered: it is not
//        tracked. Answer: tracked (0: the LAT is full, a normal load), id, method (0 normal, 1
//        bypass, 2 protect; already masked by bypass_en_i and protect_en_i), last (id of the last
//        consumer). The load keeps these 4 values and gives them with each of its requests.
//   acc  one transfer per line request of a load, once, at the moment the L1 is able to act on any
//        answer (MSHR and a place towards L2 are there): {warp, tracked, id, method, last} as
//        answered, few: the first or second request of the instruction; line address (byte address
//        / line size); set, its number in the L1; hit: the line is in the L1, valid or reserved (a
//        merge is a hit), then way says where. Of each way: invalid, reserved (a fill is on its
//        way; neither: valid), rank (0 newest .. Ways-1 oldest; distinct).
//        method bypass: the L1 is not looked up; set, hit, way and states are ignored, only the
//        counts of the MTA move.
//        Answer: alloc: the miss takes `way` (evicting what is there); protect: it is pinned. alloc
//        = 0 for a miss: no way may be evicted; the request bypasses the L1. For hits and bypassed
//        requests alloc = 0: nothing to do.
//        What is told of a set must include the answers given for it: while a miss waits for its
//        answer, no request of that set is offered. If all ways are reserved the L1 may wait
//        instead of offering.
//   done {warp, id}: the warp's load instruction with this id has all its data (tracked loads).
//   exit {warp}: the warp ended. It is offered behind the changes of its stack.
//        Both are offered after the requests that the warp issued before were taken, and only by
//        warps whose bit of ask_done_o, or ask_exit_o, is set. Others are left out: they would
//        change nothing (apcm_events.v), and several may be left out in one cycle.
//   start_i {warp}  a warp begins: one of those that begin in this cycle. It changes nothing unless
//        ask_start_o is high: no warp has begun since the kernel did.
//   kernel_i  a new kernel: everything is forgotten. It comes alone, when all answers are there.
//        Neither comes while RAMs are cleared, as done_ready_o tells.
//   cf   the SIMT stack's top changed, but by a step to the next instruction: {warp, from, to,
//        jump, push}, numbers of instructions in the kernel. jump: a branch at `from` was taken to
//        `to`; else lanes joined, or the branch fell through. push: some lanes go elsewhere and
//        wait on the stack. What does not fit into PcBits is not offered. apcm_loops.v tells what
//        follows from it.
//   lsu_in_i, lsu_out_i   so many global loads enter the load/store unit (before their ld; with
//        cf of their warps, or before); the last request of one was taken, or served elsewhere.
//        That unit keeps order, and holds fewer than 2^(LsuBits-1). Loads that enter are counted
//        one a cycle, and cf waits while more than one is to be counted.
//
// CONFIGURATION: levels, changed only while the unit is idle. threshold_i: an MTA entry whose
// access count exceeds it tells the CAIT at once, not only when it is evicted; all ones: never.
// renew_i: when no way may go, each renew_i-th request for a line to protect that meets lines its
// own warp protects in the set takes the oldest of these; 0: never (the paper). keep_i: credit of
// an ordinary load's line, apcm_lines.v; 0: none (the paper).
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
  parameter integer Ways = 4,          // of the L1, 1..64
  parameter integer LineBits = 25,     // of a line address
  parameter integer PcBits = 12,       // of an instruction's number in its kernel
  parameter integer CountBits = 4,     // of the access counts, 2..8
  parameter integer CreditBits = 4,    // of a line's credit, 1..4
  parameter integer AgeBits = 2,       // credit goes by one every 2^AgeBits look-ups, 1..6
  parameter integer Loops = 2,         // outermost loops of a kernel that are known, 1..8
  parameter integer Exits = 3,         // warps that left loops and wait for their loads, 1..8
  parameter integer LsuBits = 7,       // the load/store unit holds fewer than 2^(LsuBits-1) loads
  parameter integer EnterBits = 3,     // of the count of loads that enter in a cycle, 1..LsuBits-1
  parameter integer CounterBits = 32,  // of the performance counters, up to 64; 0: none
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
  input  wire [3:0]           renew_i,
  input  wire [CreditBits-1:0] keep_i,
  // load instructions
  input  wire                 ld_valid_i,
  output wire                 ld_ready_o,
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
  input  wire                 acc_few_i,
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
  input  wire                 kernel_i,
  input  wire                 start_i,
  input  wire [WarpW-1:0]     start_warp_i,
  input  wire                 done_valid_i,
  output wire                 done_ready_o,
  input  wire [WarpW-1:0]     done_warp_i,
  input  wire [IdW-1:0]       done_id_i,
  input  wire                 exit_valid_i,
  output wire                 exit_ready_o,
  input  wire [WarpW-1:0]     exit_warp_i,
  // whose events are to be told: the others change nothing
  output wire                 ask_start_o,
  output wire [NumWarp-1:0]   ask_done_o,
  output wire [NumWarp-1:0]   ask_exit_o,
  // the SIMT stacks; loads that enter and leave the load/store unit
  input  wire                 cf_valid_i,
  output wire                 cf_ready_o,
  input  wire [WarpW-1:0]     cf_warp_i,
  input  wire [PcBits-1:0]    cf_from_i,
  input  wire [PcBits-1:0]    cf_to_i,
  input  wire                 cf_jump_i,
  input  wire                 cf_push_i,
  input  wire [EnterBits-1:0] lsu_in_i,
  input  wire                 lsu_out_i,
  // for waves and tests: warps that protect lines, the watched warp
  output wire [NumWarp-1:0]   psb_o,
  output wire                 mon_valid_o,
  output wire [WarpW-1:0]     mon_warp_o,
  // counters: clear zeroes them; order in unit.ini; a snapshot is what is there when all is quiet
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [3:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  localparam integer Rows = MtaWays > 0 && MtaEntries >= MtaWays ? MtaEntries / MtaWays : 1;
  localparam integer RowW = Rows > 1 ? $clog2(Rows) : 1;
  localparam integer MostRows = Rows > Sets ? Rows : Sets;
  localparam integer ClearSteps = MostRows > Ids ? MostRows : Ids;
  localparam integer ClearW = ClearSteps > 1 ? $clog2(ClearSteps) : 1;
  localparam integer FillW = $clog2(Ids + 1);
  localparam integer NCount = 12;
  localparam [1:0] NORMAL = 2'd0, BYPASS = 2'd1, PROTECT = 2'd2;

  initial begin
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "apcm: NumWarp must be 1..64");
    if (Ids < 2 || Ids > 64) $fatal(1, "apcm: Ids must be 2..64");
    if (MtaWays < 1 || MtaEntries < MtaWays || MtaEntries % MtaWays != 0
        || (Rows & (Rows - 1)) != 0)
      $fatal(1, "apcm: MtaEntries must be MtaWays * 2^k");
    if (MtaEntries > 1024) $fatal(1, "apcm: MtaEntries must be at most 1024");
    if (Sets < 1 || Sets > 1024) $fatal(1, "apcm: Sets must be 1..1024");
    if (Ways < 1 || Ways > 64) $fatal(1, "apcm: Ways must be 1..64");
    if (LineBits <= $clog2(Rows) || LineBits > 60)
      $fatal(1, "apcm: LineBits must exceed log2 of the MTA's rows, up to 60");
    if (PcBits < 1 || PcBits > 64) $fatal(1, "apcm: PcBits must be 1..64");
    if (CountBits < 2 || CountBits > 8) $fatal(1, "apcm: CountBits must be 2..8");
    if (CreditBits < 1 || CreditBits > 4) $fatal(1, "apcm: CreditBits must be 1..4");
    if (AgeBits < 1 || AgeBits > 6) $fatal(1, "apcm: AgeBits must be 1..6");
    if (Loops < 1 || Loops > 8) $fatal(1, "apcm: Loops must be 1..8");
    if (Exits < 1 || Exits > 8) $fatal(1, "apcm: Exits must be 1..8");
    if (LsuBits < 3 || LsuBits > 7) $fatal(1, "apcm: LsuBits must be 3..7");
    if (EnterBits < 1 || EnterBits >= LsuBits) $fatal(1, "apcm: EnterBits must be 1..LsuBits-1");
    if (CounterBits != 0 && (CounterBits < 4 || CounterBits > 64))
      $fatal(1, "apcm: CounterBits must be 0 or 4 to 64");
  end

  // Requests: taken at S0, acting in S1 (act_q; look_q: and the L1 is looked up), where they may
  // wait for a cycle before (wait_q).
  reg ready_q, wait_q, act_q, look_q;
  reg [WarpW-1:0] acc_warp_q;
  reg acc_tracked_q, acc_few_q, acc_hit_q, acc_loop_q;
  reg [IdW-1:0] acc_id_q, acc_last_q;
  reg [1:0] acc_method_q;
  reg [LineBits-1:0] acc_line_q;
  reg [SetW-1:0] acc_set_q;
  reg [WayW-1:0] acc_way_q;
  reg [Ways-1:0] acc_invalid_q, acc_reserved_q;
  reg [Ways*WayW-1:0] acc_rank_q;
  assign acc_ready_o = ready_q && !wait_q;
  wire acc_take = acc_valid_i && acc_ready_o;
  wire acc_in = act_q || wait_q;
  wire [RowW-1:0] acc_row = Rows > 1 ? acc_line_i[RowW-1:0] : '0;
  wire [RowW-1:0] acc_row_q = Rows > 1 ? acc_line_q[RowW-1:0] : '0;
  wire meets = act_q && (acc_set_i == acc_set_q || acc_row == acc_row_q);
  always_ff @(posedge clk_i) begin
    if (acc_take) begin
      acc_warp_q <= acc_warp_i;
      acc_tracked_q <= acc_tracked_i;
      acc_id_q <= acc_id_i;
      acc_method_q <= acc_method_i;
      acc_last_q <= acc_last_i;
      acc_loop_q <= acc_id_i == acc_last_i;
      acc_few_q <= acc_few_i;
      acc_line_q <= acc_line_i;
      acc_set_q <= acc_set_i;
      acc_hit_q <= acc_hit_i;
      acc_way_q <= acc_way_i;
      acc_invalid_q <= acc_invalid_i;
      acc_reserved_q <= acc_reserved_i;
      acc_rank_q <= acc_rank_i;
    end
  end
  // What is read for the request that will act in the next cycle.
  wire acc_rd = acc_take || wait_q;
  wire [SetW-1:0] rd_set = wait_q ? acc_set_q : acc_set_i;
  wire [RowW-1:0] rd_row = wait_q ? acc_row_q : acc_row;
  wire [WarpW-1:0] rd_warp = wait_q ? acc_warp_q : acc_warp_i;
  wire acts = wait_q || (acc_take && !meets);
  wire rd_look = (wait_q ? acc_method_q : acc_method_i) != BYPASS;

  // Events of warps act one at a time. A warp's start and a kernel's are held for a cycle.
  wire exit_valid, ev_left, ev_rd, ev_busy, late, done_acts, left_acts, exit_acts;
  wire [WarpW-1:0] exit_warp, ev_rd_warp, ev_warp;
  wire [IdW-1:0] ev_id;
  reg start_q, kernel_q;
  wire cait_reads;
  assign ld_ready_o = ready_q && !cait_reads;
  wire ld_take = ld_valid_i && ld_ready_o;

  // Which warp is watched: the first of a kernel.
  localparam [1:0] NONE = 2'd0, WATCH = 2'd1, SCAN = 2'd2, OVER = 2'd3;
  reg [1:0] mon_q;
  reg [WarpW-1:0] mon_warp_q;
  wire scanning;
  wire mon_ends = mon_q == WATCH && exit_acts && exit_warp_i == mon_warp_q;
  assign ask_start_o = mon_q == NONE && !start_q;

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
      act_q <= 1'b0;
      look_q <= 1'b0;
      wait_q <= 1'b0;
      start_q <= 1'b0;
      kernel_q <= 1'b0;
      mon_q <= NONE;
    end else begin
      act_q <= acts;
      look_q <= acts && rd_look;
      wait_q <= acc_take && meets;
      start_q <= start_i && ask_start_o;
      kernel_q <= kernel_i;
      if (kernel_q) mon_q <= NONE;
      else if (start_q) mon_q <= WATCH;
      else if (mon_ends) mon_q <= SCAN;
      else if (mon_q == SCAN && !scanning) mon_q <= OVER;
      if (kernel_q) ready_q <= 1'b0;
      else if (clear_q && clear_end) ready_q <= 1'b1;
      if (kernel_q) clear_q <= 1'b1;
      else if (clear_end) clear_q <= 1'b0;
      if (clear_q) clear_at_q <= clear_end ? '0 : clear_at_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mon_warp_q <= '0;
    else if (start_i && ask_start_o) mon_warp_q <= start_warp_i;
  end

  // Loads: LAT and CAIT. The answer is what the CAIT's RAM shows in the cycle after.
  wire ld_tracked, cait_valid, cait_busy, report;
  wire [IdW-1:0] ld_id, cait_last, report_id, report_last;
  wire [FillW-1:0] fill;
  wire [1:0] cait_method, report_method;
  wire [CountBits-1:0] report_count;
  apcm_lat #(.Ids(Ids), .PcBits(PcBits)) u_lat (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(kernel_q), .look_valid_i(ld_take),
    .look_pc_i(ld_pc_i), .tracked_o(ld_tracked), .id_o(ld_id), .fill_o(fill)
  );
  apcm_cait #(.Ids(Ids), .CountBits(CountBits)) u_cait (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q && clear_at < Ids),
    .clear_id_i(IdW'(clear_at_q)), .rd_i(ld_tracked), .rd_id_i(ld_id), .rd_valid_o(cait_valid),
    .rd_method_o(cait_method), .rd_last_o(cait_last), .up_valid_i(report), .up_id_i(report_id),
    .up_method_i(report_method), .up_last_i(report_last), .up_count_i(report_count),
    .up_reads_o(cait_reads), .busy_o(cait_busy)
  );
  reg ld_rsp_q, ld_rsp_tracked_q;
  reg [IdW-1:0] ld_rsp_id_q;
  always_ff @(posedge clk_i) begin
    if (ld_take) begin
      ld_rsp_tracked_q <= ld_tracked;
      ld_rsp_id_q <= ld_id;
    end
  end
  wire ld_known = ld_rsp_q && ld_rsp_tracked_q && cait_valid;
  wire ld_bypass = ld_known && cait_method == BYPASS && bypass_en_i;
  wire ld_protect = ld_known && cait_method == PROTECT && protect_en_i;
  assign ld_rsp_valid_o = ld_rsp_q;
  assign ld_rsp_tracked_o = ld_rsp_tracked_q;
  assign ld_rsp_id_o = ld_rsp_id_q;
  assign ld_rsp_method_o = ld_bypass ? BYPASS : ld_protect ? PROTECT : NORMAL;
  assign ld_rsp_last_o = ld_known ? cait_last : '0;

  // Loops. Until a load of this kernel was answered that its lines be pinned, no exit matters.
  reg care_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) care_q <= 1'b0;
    else if (kernel_q) care_q <= 1'b0;
    else if (ld_protect) care_q <= 1'b1;
  end
  apcm_loops #(
    .NumWarp(NumWarp), .PcBits(PcBits), .Loops(Loops), .Exits(Exits), .SeqBits(LsuBits),
    .EnterBits(EnterBits)
  ) u_loops (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(kernel_q), .go_i(ready_q), .care_i(care_q),
    .cf_valid_i(cf_valid_i),
    .cf_ready_o(cf_ready_o), .cf_warp_i(cf_warp_i), .cf_from_i(cf_from_i), .cf_to_i(cf_to_i),
    .cf_jump_i(cf_jump_i), .cf_push_i(cf_push_i), .lsu_in_i(lsu_in_i), .lsu_out_i(lsu_out_i),
    .left_o(ev_left),
    .exit_valid_o(exit_valid), .exit_warp_o(exit_warp), .exit_pop_i(left_acts),
    .busy_o(late)
  );

  // Requests: tag extension, PSB, MTA.
  wire pins = acc_method_q == PROTECT;
  wire alloc, room, may, psb_end, renewed;
  wire [WayW-1:0] victim;
  wire [CountBits-1:0] line_count;
  wire [NumWarp-1:0] psb;
  wire protect = pins && may;
  wire psb_set;
  apcm_lines #(
    .Sets(Sets), .Ways(Ways), .NumWarp(NumWarp), .CountBits(CountBits), .CreditBits(CreditBits),
    .AgeBits(AgeBits)
  ) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q && clear_at < Sets),
    .clear_set_i(SetW'(clear_at_q)), .rd_i(acc_rd), .rd_set_i(rd_set), .valid_i(look_q),
    .set_i(acc_set_q),
    .hit_i(acc_hit_q), .way_i(acc_way_q), .invalid_i(acc_invalid_q),
    .reserved_i(acc_reserved_q), .rank_i(acc_rank_q), .warp_i(acc_warp_q), .pins_i(pins),
    .protect_i(protect), .psb_i(psb), .renew_i(renew_i), .keep_i(keep_i), .alloc_o(alloc),
    .way_o(victim), .room_o(room), .count_o(line_count), .renew_o(renewed)
  );
  apcm_psb #(.NumWarp(NumWarp), .Ids(Ids)) u_psb (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(kernel_q), .acc_rd_i(acc_rd), .acc_rd_warp_i(rd_warp),
    .acc_warp_i(acc_warp_q), .acc_loop_i(acc_loop_q), .acc_last_i(acc_last_q), .may_o(may),
    .want_i(look_q && !acc_hit_q && pins), .line_i(room), .set_o(psb_set), .ev_rd_i(ev_rd),
    .ev_rd_warp_i(ev_rd_warp), .ev_warp_i(ev_warp), .ev_id_i(ev_id), .done_i(done_acts),
    .loop_i(left_acts), .exit_i(exit_acts), .end_o(psb_end), .protect_o(psb)
  );
  apcm_events #(.NumWarp(NumWarp), .Ids(Ids)) u_events (
    .clk_i(clk_i), .rst_ni(rst_ni), .go_i(ready_q), .done_valid_i(done_valid_i),
    .done_ready_o(done_ready_o), .done_warp_i(done_warp_i), .done_id_i(done_id_i),
    .exit_valid_i(exit_valid_i), .exit_ready_o(exit_ready_o), .exit_warp_i(exit_warp_i),
    .left_valid_i(exit_valid), .left_warp_i(exit_warp), .rd_o(ev_rd), .rd_warp_o(ev_rd_warp),
    .warp_o(ev_warp), .id_o(ev_id), .done_o(done_acts), .left_o(left_acts), .exit_o(exit_acts),
    .psb_i(psb), .acc_i(acc_in), .acc_warp_i(acc_warp_q), .mon_i(mon_q == WATCH),
    .mon_warp_i(mon_warp_q), .ask_done_o(ask_done_o), .ask_exit_o(ask_exit_o), .busy_o(ev_busy)
  );
  wire mta_hit, mta_take, mta_evict;
  apcm_mta #(
    .MtaEntries(MtaEntries), .MtaWays(MtaWays), .LineBits(LineBits), .Ids(Ids),
    .CountBits(CountBits)
  ) u_mta (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_q && clear_at < Rows),
    .clear_row_i(RowW'(clear_at_q)), .threshold_i(threshold_i),
    .rd_i(acc_rd && (mon_q == WATCH || start_q)), .rd_row_i(rd_row),
    .valid_i(act_q && mon_q == WATCH), .busy_i(cait_reads), .line_i(acc_line_q),
    .own_i(acc_warp_q == mon_warp_q), .tracked_i(acc_tracked_q), .id_i(acc_id_q),
    .may_take_i(acc_few_q),
    .count_i(look_q && acc_hit_q ? line_count : {{(CountBits-1){1'b0}}, 1'b1}), .scan_i(mon_ends),
    .stop_i(kernel_q), .scanning_o(scanning), .up_valid_o(report), .up_id_o(report_id),
    .up_method_o(report_method), .up_last_o(report_last), .up_count_o(report_count),
    .ev_hit_o(mta_hit), .ev_take_o(mta_take), .ev_evict_o(mta_evict)
  );
  wire unused_ev = &{1'b0, ev_left, mta_hit, mta_take, mta_evict};  // for proofs and covers

  reg acc_rsp_q, acc_rsp_alloc_q, acc_rsp_protect_q;
  reg [WayW-1:0] acc_rsp_way_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ld_rsp_q <= 1'b0;
      acc_rsp_q <= 1'b0;
    end else begin
      ld_rsp_q <= ld_take;
      acc_rsp_q <= act_q;
    end
  end
  always_ff @(posedge clk_i) begin
    acc_rsp_alloc_q <= alloc;
    acc_rsp_way_q <= victim;
    acc_rsp_protect_q <= alloc && protect;
  end
  assign acc_rsp_valid_o = acc_rsp_q;
  assign acc_rsp_alloc_o = acc_rsp_alloc_q;
  assign acc_rsp_way_o = acc_rsp_way_q;
  assign acc_rsp_protect_o = acc_rsp_protect_q;
  assign psb_o = psb;
  assign mon_valid_o = mon_q == WATCH;
  assign mon_warp_o = mon_warp_q;
  assign idle_o = !(ev_busy || late || start_q || kernel_q || acc_in || ld_rsp_q || acc_rsp_q
                    || clear_q || mon_q == SCAN || cait_busy || exit_valid);

  // Counters: the order is that of unit.ini. Requests are counted with their answers, which are
  // registers.
  generate
    if (CounterBits != 0) begin : g_count
      reg miss_q, set_q, done_q, loop_q, renewed_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) {miss_q, set_q, done_q, loop_q, renewed_q} <= '0;
        else
          {miss_q, set_q, done_q, loop_q, renewed_q} <= {
            look_q && !acc_hit_q, psb_set, psb_end && done_acts, psb_end && left_acts, renewed};
      end
      apcm_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({renewed_q, loop_q, done_q, set_q, miss_q && !acc_rsp_alloc_q,
                acc_rsp_q && acc_rsp_protect_q, miss_q && acc_rsp_alloc_q, acc_rsp_q, ld_protect,
                ld_bypass, ld_rsp_q && !ld_rsp_tracked_q, ld_rsp_q}),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
      wire unused = &{1'b0, cnt_snapshot_i};
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, psb_end, renewed};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME_STABLE(rule1_ld, ld_valid_i, ld_ready_o, ld_pc_i, PcBits,
                    "Rule 1: an offered load holds")
  `WF_ASSUME_STABLE(rule1_acc, acc_valid_i, acc_ready_o,
                    ({acc_warp_i, acc_id_i, acc_last_i, acc_method_i, acc_line_i, acc_set_i}),
                    WarpW + 2 * IdW + 2 + LineBits + SetW,
                    "Rule 1: an offered request holds")
  `WF_ASSUME_STABLE(rule1_done, done_valid_i, done_ready_o, ({done_warp_i, done_id_i}),
                    WarpW + IdW, "Rule 1: an offered end of a load holds")
  `WF_ASSUME_STABLE(rule1_exit, exit_valid_i, exit_ready_o, exit_warp_i, WarpW,
                    "Rule 1: an offered exit of a warp holds")
  `WF_ASSUME_STABLE(rule1_cf, cf_valid_i, cf_ready_o,
                    ({cf_warp_i, cf_from_i, cf_to_i, cf_jump_i, cf_push_i}),
                    WarpW + 2 * PcBits + 2,
                    "Rule 1: an offered change of a stack holds")
  wire [31:0] done_warp_n = 32'(done_warp_i), exit_warp_n = 32'(exit_warp_i),
              start_warp_n = 32'(start_warp_i), acc_warp_n = 32'(acc_warp_q),
              cf_warp_n = 32'(cf_warp_i);
  `WF_ASSUME(rule2_acc, !acc_in || acc_warp_n < NumWarp,
             "Rule 2: a request's warp is below NumWarp")
  `WF_ASSUME(rule2_done, !done_valid_i || done_warp_n < NumWarp,
             "Rule 2: the warp of a load that ends is below NumWarp")
  `WF_ASSUME(rule2_exit, !exit_valid_i || exit_warp_n < NumWarp,
             "Rule 2: a warp that ends is below NumWarp")
  `WF_ASSUME(rule2_start, !start_i || start_warp_n < NumWarp,
             "Rule 2: a warp that starts is below NumWarp")
  `WF_ASSUME(rule2_cf, !cf_valid_i || cf_warp_n < NumWarp,
             "Rule 2: a stack's warp is below NumWarp")
  `WF_ASSUME(rule4_track, !acc_in || acc_tracked_q || acc_method_q == NORMAL,
             "Rule 4: a load without an id is managed as usual")
  `WF_ASSUME(rule4_id, !acc_in || !acc_tracked_q || FillW'(acc_id_q) < fill,
             "Rule 4: ids are those that were answered")
  `WF_ASSUME(rule4_method, !acc_in || acc_method_q != 2'd3, "Rule 4: a method is 0, 1 or 2")
  `WF_ASSUME(rule5_set, !(acc_in && miss_q && acc_method_q != BYPASS && acc_set_q == last_set_q),
             "Rule 5: no request of a set follows while a miss of it waits for its answer")
  `WF_ASSUME(rule6_alone, !(kernel_i || kernel_q)
             || (ready_q && !(ld_valid_i || acc_valid_i || done_valid_i || exit_valid_i
                              || cf_valid_i || start_i || acc_in || ev_busy)),
             "Rule 6: a kernel's start comes alone, when the unit takes offers")
  `WF_ASSUME(rule6_start, !start_i || ready_q, "Rule 6: a warp starts when the unit takes offers")
  `WF_ASSUME(rule6_once, !(kernel_i && kernel_q), "Rule 6: a kernel starts once")
`ifdef WF_ASSERT_LIVE
  reg miss_q;
  reg [SetW-1:0] last_set_q;
  always_ff @(posedge clk_i) begin
    miss_q <= look_q && !acc_hit_q;
    if (act_q) last_set_q <= acc_set_q;
  end
`endif
  `WF_ASSERT(rule7_protect, !psb_set || protect,
             "Rule 7: only a line that is protected sets the PSB")
  `WF_ASSERT(rule8_watch, mon_q == SCAN || !scanning, "Rule 8: a scan belongs to a warp that ended")
  `WF_ASSERT(rule9_idle, !idle_o || (ready_q && !look_q && !scanning),
             "Rule 9: an idle unit is ready and holds nothing")
  wire unused_warp = &{1'b0, done_warp_n, exit_warp_n, start_warp_n, acc_warp_n, cf_warp_n, fill};
endmodule
`default_nettype wire
