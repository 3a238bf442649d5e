// spref_edge: between an SM's issue stage and spare_reg_pref, which have one clock. Which of two
// schedulers' instructions is told, which of the loads that wait, and which warp's next
// instruction: each has its turn here, and what issues reaches the unit from flops, an edge later.
//
// CHANNELS of the SM, at each edge.
//   try   an instruction that is about to issue, of each scheduler: must_o, it must be told; may_o,
//         it may issue; go: it does if it may. plain: it writes no register or predicate, and is no
//         branch or exit. end: it may end a warp. One that is the loop's test, or the one before
//         it, is told and counted, and so is, unasked, what comes before a branch of its warp has
//         acted: that takes four edges from the one at which it went in. Of those that go and must
//         be told the first one may. data: the fields of the unit's port `in` that have no port
//         here.
//   load  warps whose next instruction is a load that may be replaced, until it issues (ld_bit_i).
//         They are told one by one, before what issues: the instruction buffer of load_bit_o's warp
//         drives load_*.
//   cnt   a counted test's operands are in the collector from the edge on at which it is told,
//         until the last beat is in; u_cnt_beat_o says which lanes it shows to the unit. sm_held_o
//         names its warp until the unit does, as it does that of any setp, and what issues beside.
//   iss   warps that issue anything at this edge; the unit hears of those with a load that waits
//         to be injected, and of loads. Until it has answered sm_hold_o names them.
//   have  warps whose next instruction is known. Of one that the unit asks about the buffer is read
//         an edge later (u_next_bit_o), and drives the unit's next_*.
// The unit's other channels (ld, inj, sum, done) are the SM's own; stirs_i: something goes in
// there.
//
// CLOCK. wake_o: the unit has something to do at its next edge; else its clock may rest. busy_o: so
// has this module; while it is low and nothing is said, nothing changes here.
//
// Timing: must_o is combinational from try_*, need_i and flops, may_o from load_i and u_in_ready_i
// as well; load_bit_o is from load_i and flops. iss and ld_bit may depend on may_o, try_go_i does
// not. What goes to the unit comes from flops. Where the loop's test is (test_*, pre_*) is seen an
// edge later.
//
// Parameters: those of spare_reg_pref. Storage: flops, 7 * NumWarp + 5 * WarpW + DataW + 3 *
// PcBits, some 20; RAM 8 * CounterBits.
//
// Rules
//   1 One instruction is told at a time; where may_o says no, none issues.
//   2 A warp that sm_hold_o or ask_i names issues nothing.
//   3 An instruction goes in as it was told, once.
//   4 A load that waits issues, once it was told, before its warp has another.
//   5 While there is a test it is where it is.
//   6 What issues goes as a try, or is a load; what is told issues.
`default_nettype none
`include "wf_assert.vh"

module spref_edge #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer PredBits = 4,
  parameter integer CntLanes = 8,
  parameter integer Tries = 2,
  parameter integer CounterBits = 40,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer Beats = (Lanes + CntLanes - 1) / CntLanes,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer DataW = PcBits + Lanes + 3*RegBits + 2*PredBits + 37
) (
  input  wire                      clk_i,
  input  wire                      rst_ni,
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
  output wire                      load_take_o,
  output wire [NumWarp-1:0]        load_bit_o,
  input  wire [PcBits-1:0]         load_pc_i,
  input  wire [3:0]                load_op_i,
  input  wire [DataW-1:0]          load_data_i,
  // what issues, and what warps do next
  input  wire [NumWarp-1:0]        ld_bit_i,        // the warp whose load issues, or none
  input  wire [NumWarp-1:0]        iss_i,
  input  wire [NumWarp-1:0]        have_i,
  output wire [NumWarp-1:0]        sm_hold_o,
  output wire [NumWarp-1:0]        sm_held_o,
  input  wire                      stirs_i,
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
  localparam integer Acts = 4;  // edges from a branch until it has acted
  initial begin
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "spref_edge: NumWarp must be 1..64");
    if (Lanes < 1 || Lanes > 64) $fatal(1, "spref_edge: Lanes must be 1..64");
    if (CntLanes < 1 || CntLanes > Lanes) $fatal(1, "spref_edge: CntLanes must be 1..Lanes");
    if (Tries < 1 || Tries > 8) $fatal(1, "spref_edge: Tries must be 1..8");
    if (CounterBits < 0 || CounterBits > 64) $fatal(1, "spref_edge: CounterBits must be 0..64");
  end
  // Bits with no one at or above them.
  function automatic [NumWarp-1:0] over(input [NumWarp-1:0] v);
    over = v;
    for (int s = 1; s < NumWarp; s = s * 2) over = over | (over >> s);
    over = ~over;
  endfunction

  // What goes in at the next edge.
  reg in_q, in_counted_q;
  reg [WarpW-1:0] in_warp_q;
  reg [PcBits-1:0] in_pc_q;
  reg [3:0] in_op_q;
  reg [DataW-1:0] in_data_q;
  assign u_in_valid_o = in_q;
  assign {u_in_warp_o, u_in_pc_o, u_in_op_o, u_in_data_o}
      = {in_warp_q, in_pc_q, in_op_q, in_data_q};
  assign u_in_counted_o = in_counted_q;
  reg [NumWarp-1:0] beside_q;  // warps that issued with the last setp
  assign sm_held_o = held_i | beside_q;
  wire room = !in_q || u_in_ready_i;

  // Loads that wait go first, in turn.
  reg [NumWarp-1:0] told_q;  // the load of these has been told
  wire some_load;
  wire [WarpW-1:0] load_warp;
  reg [NumWarp-1:0] load_after_q;  // behind the last one
  wire [NumWarp-1:0] load_after, next_after;
  spref_pick #(.N(NumWarp)) u_load (
    .req_i(load_i & ~told_q), .after_i(load_after_q), .bit_o(load_bit_o), .index_o(load_warp),
    .some_o(some_load), .after_o(load_after)
  );
  assign load_take_o = some_load && room;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_after_q <= '0;
    else if (load_take_o) load_after_q <= load_after;
  end

  // Branches that have not acted; one that waits is noted until it is in.
  reg [Acts-2:0] acts_q;
  reg [(Acts-1)*WarpW-1:0] acts_warp_q;
  wire branch = in_q && in_op_q == BRA;

  // Instructions that issue. Nobody waits for another's answer: of two that must be told the first
  // one that goes has the port.
  reg test_v_q, pre_v_q;
  reg [PcBits-1:0] test_pc_q, pre_pc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {test_v_q, pre_v_q} <= 2'd0;
    else {test_v_q, pre_v_q} <= {test_v_i, pre_v_i};
  end
  always_ff @(posedge clk_i) begin
    if (test_v_i) test_pc_q <= test_pc_i;
    if (pre_v_i) pre_pc_q <= pre_pc_i;
  end
  reg sending_q;  // a test's operands are still to go in
  wire free = room && !some_load;
  reg some_setp;
  always_comb begin
    some_setp = 1'b0;
    for (int k = 0; k < Tries; k = k + 1)
      some_setp = some_setp || (try_go_i[k] && try_op_i[k*4 +: 4] == SETP);
  end
  reg test_c, pre_c, soon_c, taken_c, tell_test, tell_pre;
  reg [WarpW-1:0] warp_c, tell_warp;
  reg [PcBits-1:0] pc_c, tell_pc;
  reg [3:0] tell_op;
  reg [DataW-1:0] tell_data;
  reg [Tries-1:0] pick_c, told_c;  // the first that must be told; that may be
  assign tell_valid_o = told_c != '0;
  assign tell_counted_o = tell_test;
  assign tell_pre_o = tell_pre;
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
      pre_c = pre_v_q && pc_c == pre_pc_q;
      test_c = try_op_i[k*4 +: 4] == SETP && (pre_c || (test_v_q && pc_c == test_pc_q));
      soon_c = in_q && in_op_q == BRA && in_warp_q == warp_c;
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
  wire tells = tell_valid_o || load_take_o;
  always_ff @(posedge clk_i) if (tells)
    {in_warp_q, in_pc_q, in_op_q, in_data_q}
        <= some_load ? {load_warp, load_pc_i, load_op_i, load_data_i}
                     : {tell_warp, tell_pc, tell_op, tell_data};

  // A test's operands, in beats.
  reg [BeatW-1:0] beat_q;
  assign u_cnt_valid_o = sending_q;
  assign u_cnt_beat_o = beat_q;
  wire beat = sending_q && u_cnt_ready_i, last = beat_q == BeatW'(Beats - 1);

  // What warps do while a load of theirs waits to be injected.
  reg [NumWarp-1:0] issued_q, seen_q;
  assign issued_o = issued_q;
  assign sm_hold_o = hold_i | issued_q | seen_q;
  // The next that is asked about: the first behind the one before. Where none had an instruction,
  // the last of them was the one before. Its buffer is read in the cycle after.
  reg next_q;
  reg [NumWarp-1:0] next_after_q, next_bit_q;
  reg [WarpW-1:0] next_warp_q;
  wire next_some;
  wire [NumWarp-1:0] next_bit;
  wire [WarpW-1:0] next_warp;
  assign {u_next_valid_o, u_next_bit_o, u_next_warp_o} = {next_q, next_bit_q, next_warp_q};
  wire [NumWarp-1:0] asked = (ask_i | issued_q) & ~next_bit_q;
  spref_pick #(.N(NumWarp)) u_next (
    .req_i(asked & have_i), .after_i(next_after_q), .bit_o(next_bit), .index_o(next_warp),
    .some_o(next_some), .after_o(next_after)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_after_q <= '0;
      next_q <= 1'b0;
      next_bit_q <= '0;
    end else begin
      if (asked != '0) next_after_q <= next_some ? next_after : over(asked);
      next_q <= next_some;
      next_bit_q <= next_bit;
    end
  end
  always_ff @(posedge clk_i) if (next_some) next_warp_q <= next_warp;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= 1'b0;
      in_counted_q <= 1'b0;
      beside_q <= '0;
      told_q <= '0;
      acts_q <= '0;
      sending_q <= 1'b0;
      beat_q <= '0;
      issued_q <= '0;
      seen_q <= '0;
    end else begin
      in_q <= tells || (in_q && !u_in_ready_i);
      if (tells) in_counted_q <= tell_test;
      if (room) beside_q <= iss_i & {NumWarp{some_setp}};
      told_q <= (told_q & ~ld_bit_i) | (load_take_o ? load_bit_o : '0);
      acts_q <= {acts_q[Acts-3:0], branch};
      sending_q <= tell_test || (sending_q && !(beat && last));
      if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
      issued_q <= (iss_i & wait_i) | ld_bit_i;
      seen_q <= issued_q;
    end
  end
  always_ff @(posedge clk_i) if (branch) acts_warp_q[WarpW-1:0] <= in_warp_q;
  generate
    for (genvar e = 1; e < Acts - 1; e = e + 1) begin : g_acts
      always_ff @(posedge clk_i) if (acts_q[e-1])
        acts_warp_q[e*WarpW +: WarpW] <= acts_warp_q[(e-1)*WarpW +: WarpW];
    end
  endgenerate

  wire comes = in_q || sending_q || issued_q != '0 || ask_i != '0 || next_q;
  assign wake_o = comes || stirs_i || !quiet_i;
  wire unseen = {test_v_q, pre_v_q} != {test_v_i, pre_v_i};
  assign busy_o = comes || seen_q != '0 || tells || acts_q != '0 || ld_bit_i != '0
                  || (wait_i != '0 && try_go_i != '0) || some_setp || beside_q != '0 || unseen;
  assign idle_o = !(in_q || sending_q || next_q || unseen) && beside_q == '0 && issued_q == '0
                  && seen_q == '0 && acts_q == '0 && told_q == '0;

  // What was told, as it issued and as it waited, and at how many edges it had to wait.
  wire [3:0] inc = {beat, in_q && !u_in_ready_i, load_take_o, tell_valid_o};
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

  `WF_ASSERT(rule1_one, (pick_c & (pick_c - 1'b1)) == '0 && !(load_take_o && tell_valid_o),
             "Rule 1: one is told at a time")
  `WF_ASSUME(rule2_hold, ((iss_i | ld_bit_i) & (sm_hold_o | ask_i)) == '0,
             "Rule 2: a warp that is held or asked about issues nothing")
  `WF_ASSERT(rule3_stays, !(tells && in_q && !u_in_ready_i),
             "Rule 3: what was told goes in before the next is told")
  `WF_ASSUME(rule4_loads, (told_q & ~load_i) == '0,
             "Rule 4: a load that waits issues before its warp has another")
  `WF_ASSUME(rule4_told, (ld_bit_i & ~told_q) == '0,
             "Rule 4: a load issues once it was told")
  // So what busy_o compares is enough.
  `WF_ASSUME(rule5_test, !(test_v_q && test_v_i) || test_pc_i == test_pc_q,
             "Rule 5: while there is a test it is where it is")
  `WF_ASSUME(rule5_pre, !(pre_v_q && pre_v_i) || pre_pc_i == pre_pc_q,
             "Rule 5: while there is a test before the loop it is where it is")
  // So busy_o need not look at what issues.
  `WF_ASSUME(rule6_goes, (iss_i & wait_i & ~ld_bit_i) == '0 || try_go_i != '0,
             "Rule 6: what issues goes as a try, or is a load")
  `WF_ASSUME(rule6_told, !tell_valid_o || iss_i[tell_warp], "Rule 6: what is told issues")
endmodule
`default_nettype wire
