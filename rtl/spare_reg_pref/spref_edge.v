// spref_edge: between the SM's clock and that of spare_reg_pref, which gets each n-th edge of it.
// It is clocked with the SM; tick_i says that this edge is the unit's as well. What the SM says at
// an edge in between is kept here until then, what the unit says stands until its next edge, and
// two arbiters decide which of the warps that wait goes in with it. The unit's streams have their
// names, after u_.
//
// CHANNELS of the SM, at each of its edges. Who says something at an edge that is the unit's, too,
// is heard there; else it is kept.
//   try   an instruction that is about to issue, of each scheduler: must_o, it must be told; may_o,
//         it may issue; go: it does if it may. plain: it writes no register or predicate, and is no
//         branch or exit. end: it may end a warp. One that is the loop's test, or the one before
//         it, is told and counted, and so is, unasked, what comes before a branch of its warp has
//         acted: that takes four edges of the unit. Of those that go and must be told the first one
//         may, for an edge of the unit. data: the fields of the unit's port `in` that have no port
//         here.
//   load  warps whose next instruction is a load that may be replaced, until it issues. They are
//         told one by one, where no tell takes the edge: the instruction buffer of load_bit_o's
//         warp drives load_*.
//   cnt   a counted test's operands are in the collector from the edge on at which it is told,
//         until the last beat is in; u_cnt_beat_o says which lanes it shows to the unit.
//   ld    one a cycle, with sm_ld_ready_o. done: with sm_done_ready_o. take: the offer of
//         sm_inj_valid_o issues.
//   sum   at any edge, but not while one waits (sums come three of the unit's edges apart).
//   iss   warps that issue anything at this edge.
//   have  warps whose next instruction is known. The buffer of u_next_bit_o's warp drives the
//         unit's next_*.
// With Ahead load and have are behind what issues at this edge, and load_then is load as it was
// when the tries were asked. Without, both are as the cycle began: nothing then goes from what
// issues to whose buffer is read, and load_then is not looked at.
//
// CLOCK. wake_o: the unit has something to do at its next edge; else its clock may rest. busy_o: so
// has this module; while it is low and nothing is said, nothing changes here.
//
// Timing: all that goes to the unit is combinational from the SM and flops, and there at its edge;
// outputs to the SM come from flops here and of the unit, but may_o, must_o, who is told, and whose
// buffer is read. What issues may depend on may_o, and load, have and iss on what issues; try_go_i
// depends on none of them. u_in_valid_o waits for u_in_ready_i, which waits for nothing.
//
// Parameters: those of spare_reg_pref. Storage: flops, 4 * NumWarp + 3 * WarpW, some 12; latches
// (wf_hold), 2 * (Lanes * AddrBits + 1) + DataW + PcBits + 3 * WarpW + SlotW + RegBits + 10; RAM
// 8 * CounterBits.
//
// Rules
//   1 One instruction is told at a time; where may_o says no, none issues.
//   2 A load issues, and a load comes back, only where sm_ld_ready_o and sm_done_ready_o say so.
//   3 No sum comes while one waits.
//   4 What is offered to the unit with tick_i is taken, but beats and sums.
//   5 A load that waits issues before its warp has another.
//   6 A load that issues is told twice, as a number and as one bit of all.
`default_nettype none
`include "wf_assert.vh"

module spref_edge #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer PredBits = 4,
  parameter integer AddrBits = 40,
  parameter integer Waiting = 16,
  parameter integer CntLanes = 8,
  parameter integer Tries = 2,
  parameter integer Ahead = 1,
  parameter integer CounterBits = 40,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1,
  localparam integer Beats = (Lanes + CntLanes - 1) / CntLanes,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer DataW = PcBits + Lanes + 3*RegBits + 2*PredBits + 37
) (
  input  wire                      clk_i,
  input  wire                      rst_ni,
  input  wire                      tick_i,
  // instructions that issue
  input  wire [Tries*WarpW-1:0]    try_warp_i,
  input  wire [Tries*PcBits-1:0]   try_pc_i,
  input  wire [Tries*4-1:0]        try_op_i,
  input  wire [Tries-1:0]          try_plain_i,
  input  wire [Tries-1:0]          try_end_i,
  input  wire [Tries-1:0]          try_go_i,
  input  wire [Tries*DataW-1:0]    try_data_i,
  output reg  [Tries-1:0]          must_o,
  output reg  [Tries-1:0]          may_o,
  output wire                      tell_valid_o,    // one that goes is told
  output wire                      tell_counted_o,  // its operands stay in the collector
  output wire                      tell_pre_o,      // for the test before the loop
  // loads that wait to be told
  input  wire [NumWarp-1:0]        load_i,
  input  wire [NumWarp-1:0]        load_then_i,
  output wire                      load_take_o,
  output wire [NumWarp-1:0]        load_bit_o,
  input  wire [PcBits-1:0]         load_pc_i,
  input  wire [3:0]                load_op_i,
  input  wire [DataW-1:0]          load_data_i,
  // loads that issue
  output wire [NumWarp-1:0]        sm_go_o,
  output wire [NumWarp-1:0]        sm_hold_o,
  output wire [NumWarp-1:0]        sm_wait_o,
  output wire [NumWarp-1:0]        sm_held_o,
  input  wire                      sm_ld_valid_i,
  output wire                      sm_ld_ready_o,
  input  wire [WarpW-1:0]          sm_ld_warp_i,
  input  wire [NumWarp-1:0]        sm_ld_bit_i,     // this warp's, or none
  input  wire [3:0]                sm_ld_type_i,
  input  wire                      sm_ld_over_i,
  input  wire                      sm_ld_far_i,
  input  wire [Lanes*AddrBits-1:0] sm_ld_addr_i,
  // injected loads
  output wire                      sm_inj_valid_o,
  input  wire                      sm_inj_take_i,
  input  wire                      sm_sum_valid_i,
  input  wire [SlotW-1:0]          sm_sum_slot_i,
  input  wire                      sm_sum_far_i,
  input  wire [Lanes*AddrBits-1:0] sm_sum_addr_i,
  input  wire                      sm_done_valid_i,
  output wire                      sm_done_ready_o,
  input  wire [WarpW-1:0]          sm_done_warp_i,
  input  wire [RegBits-1:0]        sm_done_reg_i,
  input  wire                      sm_done_fault_i,
  // what warps do next
  input  wire [NumWarp-1:0]        iss_i,
  input  wire [NumWarp-1:0]        have_i,
  // of the unit
  input  wire                      quiet_i,
  input  wire [Tries-1:0]          need_i,
  input  wire                      test_v_i,
  input  wire [PcBits-1:0]         test_pc_i,
  input  wire                      pre_v_i,
  input  wire [PcBits-1:0]         pre_pc_i,
  output wire                      u_in_valid_o,
  input  wire                      u_in_ready_i,
  output wire [WarpW-1:0]          u_in_warp_o,
  output wire [PcBits-1:0]         u_in_pc_o,
  output wire [3:0]                u_in_op_o,
  output wire [DataW-1:0]          u_in_data_o,
  output wire                      u_in_counted_o,
  input  wire [NumWarp-1:0]        held_i,
  output wire                      u_cnt_valid_o,
  input  wire                      u_cnt_ready_i,
  output wire [BeatW-1:0]          u_cnt_beat_o,
  input  wire [NumWarp-1:0]        go_i,
  output wire                      u_ld_valid_o,
  input  wire                      u_ld_ready_i,
  output wire [WarpW-1:0]          u_ld_warp_o,
  output wire [3:0]                u_ld_type_o,
  output wire                      u_ld_over_o,
  output wire                      u_ld_far_o,
  output wire [Lanes*AddrBits-1:0] u_ld_addr_o,
  input  wire                      u_inj_valid_i,
  output wire                      u_inj_ready_o,
  output wire                      u_sum_valid_o,
  input  wire                      u_sum_ready_i,
  output wire [SlotW-1:0]          u_sum_slot_o,
  output wire                      u_sum_far_o,
  output wire [Lanes*AddrBits-1:0] u_sum_addr_o,
  output wire                      u_done_valid_o,
  input  wire                      u_done_ready_i,
  output wire [WarpW-1:0]          u_done_warp_o,
  output wire [RegBits-1:0]        u_done_reg_o,
  output wire                      u_done_fault_o,
  output wire [NumWarp-1:0]        issued_o,
  output wire                      u_next_valid_o,
  output wire [WarpW-1:0]          u_next_warp_o,
  output wire [NumWarp-1:0]        u_next_bit_o,
  input  wire [NumWarp-1:0]        ask_i,
  input  wire [NumWarp-1:0]        hold_i,
  input  wire [NumWarp-1:0]        wait_i,
  output wire                      wake_o,
  output wire                      busy_o,
  // counters: snapshot copies all, clear zeroes the running ones; order in spref_edge.ini
  input  wire                      cnt_snapshot_i,
  input  wire                      cnt_clear_i,
  input  wire [1:0]                cnt_index_i,
  output wire [63:0]               cnt_value_o,
  output wire                      idle_o
);
  localparam [3:0] SETP = 4'd6, BRA = 4'd7;
  localparam integer Acts = 4;  // edges of the unit from a branch until it has acted
  initial begin
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "spref_edge: NumWarp must be 1..64");
    if (Lanes < 1 || Lanes > 64) $fatal(1, "spref_edge: Lanes must be 1..64");
    if (CntLanes < 1 || CntLanes > Lanes) $fatal(1, "spref_edge: CntLanes must be 1..Lanes");
    if (Tries < 1 || Tries > 8) $fatal(1, "spref_edge: Tries must be 1..8");
    if (AddrBits < 1 || AddrBits > 64) $fatal(1, "spref_edge: AddrBits must be 1..64");
    if (CounterBits < 0 || CounterBits > 64) $fatal(1, "spref_edge: CounterBits must be 0..64");
    if (Ahead < 0 || Ahead > 1) $fatal(1, "spref_edge: Ahead must be 0 or 1");
  end
  function automatic [NumWarp-1:0] bit_of(input [WarpW-1:0] warp);
    bit_of = NumWarp'(1) << warp;
  endfunction
  // Bits with no one at or above them.
  function automatic [NumWarp-1:0] over(input [NumWarp-1:0] v);
    over = v;
    for (int s = 1; s < NumWarp; s = s * 2) over = over | (over >> s);
    over = ~over;
  endfunction

  // Loads that issue.
  reg ld_q;  // one is kept
  reg [NumWarp-1:0] ld_bit_q;  // its warp
  assign u_ld_valid_o = ld_q || sm_ld_valid_i;
  assign sm_ld_ready_o = u_ld_ready_i && !ld_q;
  wf_hold #(.Width(WarpW + 5)) u_ld (
    .clk_i(clk_i), .hold_i(ld_q), .in_i({sm_ld_warp_i, sm_ld_type_i, sm_ld_over_i}),
    .out_o({u_ld_warp_o, u_ld_type_o, u_ld_over_o})
  );
  wf_hold #(.Width(1 + Lanes*AddrBits)) u_base (
    .clk_i(clk_i), .hold_i(ld_q), .in_i({sm_ld_far_i, sm_ld_addr_i}),
    .out_o({u_ld_far_o, u_ld_addr_o})
  );

  // Instructions: one that was told first, else a load that waits.
  reg in_q, in_counted_q;      // one is kept; it is a test
  reg [NumWarp-1:0] told_q;    // the load of these has been told
  reg sending_q;               // a test's operands are still to go in
  reg [WarpW-1:0] tell_warp;   // of the try that is told
  reg [PcBits-1:0] tell_pc;
  reg [3:0] tell_op;
  reg [DataW-1:0] tell_data;
  reg tell_test, tell_pre;
  assign tell_counted_o = tell_test;
  assign tell_pre_o = tell_pre;
  // A load that issues is no longer its warp's next.
  wire [NumWarp-1:0] gone = Ahead != 0 ? sm_ld_bit_i : '0;
  wire [NumWarp-1:0] untold = load_i & ~(told_q & ~gone);
  wire some_load;
  wire [WarpW-1:0] load_warp;
  reg [NumWarp-1:0] load_after_q;  // behind the last one
  wire [NumWarp-1:0] load_after, next_after;
  spref_pick #(.N(NumWarp)) u_load (
    .req_i(untold), .after_i(load_after_q), .bit_o(load_bit_o), .index_o(load_warp),
    .some_o(some_load), .after_o(load_after)
  );
  assign load_take_o = tick_i && some_load && u_in_ready_i && !in_q && !tell_valid_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_after_q <= '0;
    else if (load_take_o) load_after_q <= load_after;
  end
  // Words that are kept are latches: what decides here has flops of its own.
  reg in_branch_q;
  reg [WarpW-1:0] in_warp_q;
  always_ff @(posedge clk_i) if (tell_valid_o && !in_q) begin
    in_branch_q <= tell_op == BRA;
    in_warp_q <= tell_warp;
  end
  wire [WarpW-1:0] kept_warp;
  wire [PcBits-1:0] kept_pc;
  wire [3:0] kept_op;
  wire [DataW-1:0] kept_data;
  wf_hold #(.Width(WarpW + PcBits + 4 + DataW)) u_in (
    .clk_i(clk_i), .hold_i(in_q), .in_i({tell_warp, tell_pc, tell_op, tell_data}),
    .out_o({kept_warp, kept_pc, kept_op, kept_data})
  );
  wire told = in_q || tell_valid_o;
  assign u_in_valid_o = told || (some_load && u_in_ready_i);
  assign {u_in_warp_o, u_in_pc_o, u_in_op_o, u_in_data_o}
      = told ? {kept_warp, kept_pc, kept_op, kept_data}
             : {load_warp, load_pc_i, load_op_i, load_data_i};
  assign u_in_counted_o = in_q ? in_counted_q : tell_test;
  assign sm_held_o = held_i | (in_q && in_counted_q ? bit_of(in_warp_q) : '0);

  // Branches that went in and have not acted.
  reg [Acts-2:0] acts_q;
  reg [(Acts-1)*WarpW-1:0] acts_warp_q;
  wire branch = in_q ? in_branch_q : u_in_valid_o && (tell_valid_o ? tell_op : load_op_i) == BRA;

  // Instructions that issue. Nobody waits for another's answer: of two that must be told the first
  // one that goes has the port.
  wire load_first = Ahead != 0 ? (load_then_i & ~told_q) != '0 : some_load;
  wire free = u_in_ready_i && !in_q && !load_first;
  reg test_c, pre_c, soon_c, taken_c;
  reg [WarpW-1:0] warp_c;
  reg [PcBits-1:0] pc_c;
  reg [Tries-1:0] pick_c, told_c;  // the first that must be told; that may be
  assign tell_valid_o = told_c != '0;
  always_comb begin
    taken_c = 1'b0;
    tell_test = 1'b0;
    tell_pre = 1'b0;
    tell_warp = '0;
    tell_pc = '0;
    tell_op = '0;
    tell_data = '0;
    for (int k = 0; k < Tries; k = k + 1) begin
      warp_c = try_warp_i[k*WarpW +: WarpW];
      pc_c = try_pc_i[k*PcBits +: PcBits];
      pre_c = pre_v_i && pc_c == pre_pc_i;
      test_c = try_op_i[k*4 +: 4] == SETP && (pre_c || (test_v_i && pc_c == test_pc_i));
      soon_c = in_q && in_branch_q && in_warp_q == warp_c;
      for (int e = 0; e < Acts - 1; e = e + 1)
        soon_c = soon_c || (acts_q[e] && acts_warp_q[e*WarpW +: WarpW] == warp_c);
      must_o[k] = !try_plain_i[k] && (try_end_i[k] || test_c || soon_c || need_i[k]);
      may_o[k] = !must_o[k] || (free && !taken_c && !(test_c && sending_q));
      pick_c[k] = try_go_i[k] && must_o[k] && !taken_c;
      told_c[k] = pick_c[k] && may_o[k];
      taken_c = taken_c || pick_c[k];
      tell_test = tell_test || (told_c[k] && test_c);
      tell_pre = tell_pre || (told_c[k] && test_c && pre_c);
      tell_warp = tell_warp | (warp_c & {WarpW{pick_c[k]}});
      tell_pc = tell_pc | (pc_c & {PcBits{pick_c[k]}});
      tell_op = tell_op | (try_op_i[k*4 +: 4] & {4{pick_c[k]}});
      tell_data = tell_data | (try_data_i[k*DataW +: DataW] & {DataW{pick_c[k]}});
    end
  end

  // A test's operands, in beats.
  reg [BeatW-1:0] beat_q;
  wire sending = sending_q || tell_test;
  assign u_cnt_valid_o = sending;
  assign u_cnt_beat_o = beat_q;
  wire beat = tick_i && sending && u_cnt_ready_i, last = beat_q == BeatW'(Beats - 1);

  // Injected loads.
  reg take_q, sum_q, done_q;
  assign sm_inj_valid_o = u_inj_valid_i && !take_q;
  assign u_inj_ready_o = take_q || sm_inj_take_i;
  assign u_sum_valid_o = sum_q || sm_sum_valid_i;
  wf_hold #(.Width(SlotW)) u_slot (
    .clk_i(clk_i), .hold_i(sum_q), .in_i(sm_sum_slot_i), .out_o(u_sum_slot_o)
  );
  wf_hold #(.Width(1 + Lanes*AddrBits)) u_sum (
    .clk_i(clk_i), .hold_i(sum_q), .in_i({sm_sum_far_i, sm_sum_addr_i}),
    .out_o({u_sum_far_o, u_sum_addr_o})
  );
  assign u_done_valid_o = done_q || sm_done_valid_i;
  assign sm_done_ready_o = u_done_ready_i && !done_q;
  wf_hold #(.Width(WarpW + RegBits + 1)) u_done (
    .clk_i(clk_i), .hold_i(done_q), .in_i({sm_done_warp_i, sm_done_reg_i, sm_done_fault_i}),
    .out_o({u_done_warp_o, u_done_reg_o, u_done_fault_o})
  );

  // What warps do while a load of theirs waits to be injected.
  reg [NumWarp-1:0] issued_q;
  assign issued_o = issued_q | (iss_i & wait_i) | sm_ld_bit_i;
  assign sm_go_o = go_i & ~ld_bit_q;
  assign sm_wait_o = wait_i | ld_bit_q;
  assign sm_hold_o = hold_i | issued_q;
  // The next that is asked about: the first behind the one before. Where none had an instruction,
  // the last of them was the one before.
  reg [NumWarp-1:0] next_after_q;
  wire next_some;
  wire [NumWarp-1:0] asked = ask_i | (Ahead != 0 ? issued_o : issued_q), known = asked & have_i;
  // What it does next is what issues at this edge.
  wire next_late = Ahead == 0 && (u_next_bit_o & (iss_i | sm_ld_bit_i)) != '0;
  assign u_next_valid_o = next_some && !next_late;
  spref_pick #(.N(NumWarp)) u_next (
    .req_i(known), .after_i(next_after_q), .bit_o(u_next_bit_o), .index_o(u_next_warp_o),
    .some_o(next_some), .after_o(next_after)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) next_after_q <= '0;
    else if (tick_i && asked != '0) next_after_q <= next_some ? next_after : over(asked);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ld_q <= 1'b0;
      ld_bit_q <= '0;
      in_q <= 1'b0;
      in_counted_q <= 1'b0;
      told_q <= '0;
      acts_q <= '0;
      sending_q <= 1'b0;
      beat_q <= '0;
      take_q <= 1'b0;
      sum_q <= 1'b0;
      done_q <= 1'b0;
      issued_q <= '0;
    end else begin
      ld_q <= u_ld_valid_o && !tick_i;
      ld_bit_q <= tick_i ? '0 : ld_bit_q | sm_ld_bit_i;
      in_q <= told && !tick_i;
      in_counted_q <= u_in_counted_o && !tick_i;
      told_q <= (told_q & ~sm_ld_bit_i) | (load_take_o ? load_bit_o : '0);
      if (tick_i) acts_q <= {acts_q[Acts-3:0], branch};
      sending_q <= sending && !(beat && last);
      if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
      take_q <= u_inj_ready_o && !tick_i;
      sum_q <= u_sum_valid_o && !(tick_i && u_sum_ready_i);
      done_q <= u_done_valid_o && !tick_i;
      issued_q <= tick_i ? '0 : issued_o;
    end
  end
  always_ff @(posedge clk_i)
    if (tick_i && branch) acts_warp_q[WarpW-1:0] <= u_in_warp_o;
  generate
    for (genvar e = 1; e < Acts - 1; e = e + 1) begin : g_acts
      always_ff @(posedge clk_i) if (tick_i && acts_q[e-1])
        acts_warp_q[e*WarpW +: WarpW] <= acts_warp_q[(e-1)*WarpW +: WarpW];
    end
  endgenerate

  wire comes = told || some_load || sending || u_ld_valid_o || u_inj_ready_o || u_sum_valid_o
               || u_done_valid_o || issued_q != '0 || (iss_i & wait_i) != '0;
  assign wake_o = comes || ask_i != '0 || !quiet_i;
  assign busy_o = comes || ask_i != '0 || acts_q != '0;
  assign idle_o = !(in_q || sending_q || ld_q || take_q || sum_q || done_q) && issued_q == '0
                  && acts_q == '0 && told_q == '0;

  // What was told, as it issued and as it waited, and at how many edges something was kept.
  wire keeps = !tick_i && (tell_valid_o || sm_ld_valid_i || sm_inj_take_i || sm_sum_valid_i
                           || sm_done_valid_i);
  wire [3:0] inc = {beat, keeps, load_take_o, tell_valid_o};
  generate
    if (CounterBits != 0) begin : g_count
      wf_counters #(.N(4), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_counts = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, inc};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSERT(rule1_one, (pick_c & (pick_c - 1'b1)) == '0, "Rule 1: one is told at a time")
  `WF_ASSUME(rule2_ld, !sm_ld_valid_i || (sm_ld_ready_o && go_i[sm_ld_warp_i]),
             "Rule 2: a load issues only with sm_ld_ready_o, and go")
  `WF_ASSUME(rule2_done, !sm_done_valid_i || sm_done_ready_o,
             "Rule 2: a load comes back only with sm_done_ready_o")
  `WF_ASSUME(rule3_sum, !(sm_sum_valid_i && sum_q), "Rule 3: no sum comes while one waits")
  `WF_ASSERT(rule4_in, !(tick_i && u_in_valid_o) || u_in_ready_i,
             "Rule 4: an instruction that is offered is taken")
  `WF_ASSERT(rule4_ld, !(tick_i && u_ld_valid_o) || u_ld_ready_i,
             "Rule 4: a load that is offered is taken")
  `WF_ASSERT(rule4_done, !(tick_i && u_done_valid_o) || u_done_ready_i,
             "Rule 4: what came back is taken")
  `WF_ASSUME(rule5_loads, (told_q & ~gone & ~load_i) == '0,
             "Rule 5: a load that waits issues before its warp has another")
  `WF_ASSUME(rule6_bit, sm_ld_bit_i == (sm_ld_valid_i ? bit_of(sm_ld_warp_i) : '0),
             "Rule 6: a load that issues is told twice, as a number and as one bit of all")
endmodule
`default_nettype wire
