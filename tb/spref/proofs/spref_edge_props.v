// spref_edge: any issue stage, any unit. What is told is in the register with the next edge, as it
// was told, and stays until the unit takes it; loads go before what issues; loads and warps that
// wait take turns; of two schedulers' the first has the port; a test's beats are in order; what
// follows a branch is told until that has acted; who issues is held until the unit has answered,
// and a test's warp until the unit holds it; and while busy_o is low no flop changes.
`default_nettype none
`include "wf_assert.vh"
module spref_edge_props #(
  parameter integer NumWarp = 3,
  localparam integer WarpW = $clog2(NumWarp),
  localparam integer DataW = 2 + 2 + 3*3 + 2*1 + 37,
  localparam integer ItemW = WarpW + 2 + 4 + 1
) (
  input wire clk_i, input wire [2*WarpW-1:0] warps, input wire [3:0] pcs, input wire [7:0] ops,
  input wire [1:0] plain, input wire [1:0] ends, input wire [1:0] goes, input wire [1:0] word,
  input wire [NumWarp-1:0] load, input wire [1:0] load_pc, input wire [3:0] load_op,
  input wire load_word, input wire [NumWarp-1:0] ld_bit,
  input wire [NumWarp-1:0] have, input wire stirs, input wire quiet, input wire [1:0] need,
  input wire test_v, input wire [1:0] test_pc, input wire pre_v, input wire [1:0] pre_pc,
  input wire in_ready, input wire cnt_ready, input wire [NumWarp-1:0] held,
  input wire [NumWarp-1:0] ask, input wire [NumWarp-1:0] hold, input wire [NumWarp-1:0] waits
);
`include "formal.vh"
  wire [1:0] must, may;
  wire tell, tell_counted, tell_pre, load_take, in_valid, in_counted, cnt_valid, cnt_beat,
       next_valid, wake, busy, idle;
  wire [WarpW-1:0] in_warp, next_warp;
  wire [1:0] in_pc;
  wire [3:0] in_op;
  wire [DataW-1:0] in_data;
  wire [NumWarp-1:0] load_bit, next_bit, issued, sm_hold, sm_held;
  wire [63:0] value;
  spref_edge #(
    .NumWarp(NumWarp), .Lanes(2), .RegBits(3), .PcBits(2), .PredBits(1), .CntLanes(1), .Tries(2),
    .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .try_warp_i(warps), .try_pc_i(pcs), .try_op_i(ops),
    .try_plain_i(plain), .try_end_i(ends), .try_go_i(goes),
    .try_data_i({{DataW{word[1]}}, {DataW{word[0]}}}), .must_o(must), .may_o(may),
    .tell_valid_o(tell), .tell_counted_o(tell_counted), .tell_pre_o(tell_pre), .load_i(load),
    .load_take_o(load_take), .load_bit_o(load_bit), .load_pc_i(load_pc), .load_op_i(load_op),
    .load_data_i({DataW{load_word}}), .ld_bit_i(ld_bit), .iss_i(iss), .have_i(have),
    .sm_hold_o(sm_hold), .sm_held_o(sm_held), .stirs_i(stirs), .quiet_i(quiet), .need_i(need),
    .test_v_i(test_v), .test_pc_i(test_pc), .pre_v_i(pre_v), .pre_pc_i(pre_pc),
    .u_in_valid_o(in_valid), .u_in_ready_i(in_ready), .u_in_warp_o(in_warp), .u_in_pc_o(in_pc),
    .u_in_op_o(in_op), .u_in_data_o(in_data), .u_in_counted_o(in_counted), .held_i(held),
    .u_cnt_valid_o(cnt_valid), .u_cnt_ready_i(cnt_ready), .u_cnt_beat_o(cnt_beat),
    .issued_o(issued), .u_next_valid_o(next_valid), .u_next_warp_o(next_warp),
    .u_next_bit_o(next_bit), .ask_i(ask), .hold_i(hold), .wait_i(waits), .wake_o(wake),
    .busy_o(busy), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(2'd0),
    .cnt_value_o(value), .idle_o(idle)
  );
  // What issues: tries that go and may, and loads.
  wire [1:0] out = goes & may;
  wire [NumWarp-1:0] iss = ld_bit | (NumWarp'(out[0]) << warps[WarpW-1:0])
                           | (NumWarp'(out[1]) << warps[WarpW +: WarpW]);
  localparam [WarpW:0] N = (WarpW+1)'(NumWarp);
  localparam [3:0] SETP = 4'd6, BRA = 4'd7;
  `WF_ASSUME(in_range, {1'b0, warps[WarpW-1:0]} < N && {1'b0, warps[WarpW +: WarpW]} < N,
             "warps are below NumWarp")

  // Where the tests were at the edge before.
  reg test_q, pre_q;
  reg [1:0] test_at_q, pre_at_q;
  initial {test_q, pre_q} = 2'd0;
  always @(posedge clk_i) if (rst_ni)
    {test_q, pre_q, test_at_q, pre_at_q} <= {test_v, pre_v, test_pc, pre_pc};
  wire [1:0] pre, test;
  generate
    for (genvar k = 0; k < 2; k = k + 1) begin : g_test
      assign pre[k] = ops[k*4 +: 4] == SETP && pre_q && pcs[k*2 +: 2] == pre_at_q;
      assign test[k] = pre[k]
                       || (ops[k*4 +: 4] == SETP && test_q && pcs[k*2 +: 2] == test_at_q);
    end
  endgenerate

  // What is told, and what was told and has not gone in.
  wire [1:0] told_of = goes & must & may;
  wire which = !told_of[0];
  wire [ItemW-1:0] tell_item = {warps[which*WarpW +: WarpW], pcs[which*2 +: 2],
                                ops[which*4 +: 4], word[which]};
  reg [WarpW-1:0] load_warp;
  always @(*) begin
    load_warp = '0;
    for (int w = 0; w < NumWarp; w = w + 1) if (load_bit[w]) load_warp = WarpW'(w);
  end
  reg told_q, counted_q;
  reg [ItemW-1:0] item_q;
  initial {told_q, counted_q} = 2'd0;
  wire says = tell || load_take, goes_in = told_q && in_ready;
  always @(posedge clk_i) if (rst_ni) begin
    told_q <= says || (told_q && !in_ready);
    if (says) begin
      item_q <= load_take ? {load_warp, load_pc, load_op, load_word} : tell_item;
      counted_q <= tell_counted;
    end
  end
  wire [WarpW-1:0] told_warp = item_q[ItemW-1 -: WarpW];
  `WF_ASSERT(told_once, in_valid == told_q,
             "what is told is there with the next edge, until the unit takes it, and then no more")
  `WF_ASSERT(told_same, !told_q
             || ({in_warp, in_pc, in_op, in_data[0]} == item_q && in_counted == counted_q
                 && in_data == {DataW{in_data[0]}}),
             "an instruction goes in as it was told")
  `WF_ASSERT(one_told, !(tell && load_take) && !(says && told_q && !in_ready),
             "one is told at a time, where there is room")
  `WF_ASSERT(first_told, tell == (told_of != 2'd0) && told_of != 2'd3,
             "of two that must be told and go, one is")
  `WF_ASSERT(counted, tell_counted == (tell && test[which]) && tell_pre == (tell && pre[which]),
             "the loop's test is counted")

  // Beats.
  reg [1:0] left_q;
  initial left_q = 2'd0;
  always @(posedge clk_i) if (rst_ni)
    left_q <= tell_counted ? 2'd2 : left_q - {1'b0, left_q != 2'd0 && cnt_ready};
  `WF_ASSERT(beats, cnt_valid == (left_q != 2'd0) && cnt_beat == (left_q == 2'd1),
             "a counted test sends its beats in order, from the next edge on")
  `WF_ASSERT(one_test, !(left_q != 2'd0 && tell_counted)
             && !(left_q != 2'd0 && may[1] && must[1] && test[1]),
             "no test may issue while another's operands go in")

  // Of any warp.
  (* anyconst *) wire [WarpW-1:0] one;
  `WF_ASSUME(one_is, {1'b0, one} < N, "a warp")
  reg load_told_q, issued_q, heard_q, again_q, asked_q, beside_q;
  reg [WarpW:0] passed_q, skipped_q;
  reg [1:0] edges_q;
  initial {load_told_q, issued_q, heard_q, again_q, asked_q, beside_q} = 6'd0;
  initial passed_q = '0;
  initial skipped_q = '0;
  initial edges_q = 2'd0;
  wire mine = load[one] && !load_told_q, mine_told = load_take && load_bit[one];
  wire mine_asked = (ask[one] || issued_q) && !next_bit[one] && have[one];
  wire skipped = asked_q && !next_bit[one];
  wire [1:0] setp = {ops[7:4] == SETP, ops[3:0] == SETP};
  always @(posedge clk_i) if (rst_ni) begin
    load_told_q <= (load_told_q && !ld_bit[one]) || mine_told;
    again_q <= ld_bit[one];
    if (!mine || mine_told) passed_q <= '0;
    else if (load_take) passed_q <= passed_q + 1'b1;
    issued_q <= (iss[one] && waits[one]) || ld_bit[one];
    heard_q <= issued_q;
    asked_q <= mine_asked;
    skipped_q <= skipped ? skipped_q + 1'b1 : '0;
    if (!told_q || in_ready) beside_q <= iss[one] && (goes & setp) != 2'd0;
    edges_q <= goes_in && item_q[4:1] == BRA && told_warp == one ? 2'd3
               : edges_q != 2'd0 ? edges_q - 1'b1 : 2'd0;
  end
  `WF_ASSERT(load_once, !mine_told || mine, "a load is told once, and while it waits")
  `WF_ASSERT(load_one, (load_bit & (load_bit - 1'b1)) == '0 && !(load_take && load_bit == '0),
             "one load at a time")
  `WF_ASSERT(load_turn, passed_q < N, "a load that waits is passed by fewer than all warps")
  `WF_ASSERT(load_first, !mine || (!tell && load_take == (!told_q || in_ready)),
             "loads that wait go before what issues, as soon as there is room")
  `WF_ASSERT(issues_seen, issued[one] == issued_q,
             "a load, and what a warp with one that waits issues, is seen an edge later")
  `WF_ASSERT(issues_held, sm_hold[one] == (hold[one] || issued_q || heard_q),
             "until the unit has answered its warp is held: for two edges")
  `WF_ASSERT(next_known, !next_bit[one] || asked_q,
             "a next instruction is of a warp that was asked about and had one")
  `WF_ASSERT(next_one, next_bit == (next_valid ? NumWarp'(1) << next_warp : '0),
             "one next instruction at a time")
  `WF_ASSERT(next_turn, skipped_q < N && !(asked_q && !next_valid),
             "a warp that is asked about is passed by fewer than all")
  wire soon = edges_q != 2'd0 || (told_q && told_warp == one && item_q[4:1] == BRA);
  wire [1:0] ones = {warps[WarpW +: WarpW] == one, warps[WarpW-1:0] == one};
  `WF_ASSERT(branch_told, (ones & ~plain & {2{soon}} & ~must) == 2'd0,
             "what issues before a branch of its warp has acted is told")
  `WF_ASSERT(must_same, (ones & (must ^ (~plain & (ends | need | test | {2{soon}})))) == 2'd0,
             "what ends a warp, tests the loop or is needed is told, and nothing else")
  `WF_ASSERT(held_test, !(told_q && counted_q && told_warp == one) || sm_held[one],
             "a warp whose test was told is held until the unit has it")
  `WF_ASSERT(held_warps, sm_held[one] == (held[one] || beside_q),
             "so is what issued with a setp, and nobody else")
  `WF_ASSERT(nobody_waits, !((!told_q || in_ready) && load == '0 && goes == 2'd3 && must == 2'd3
             && !(test[0] && left_q != 2'd0)) || told_of == 2'd1,
             "with nothing before them the first one is told")
  `WF_ASSERT(may_rest, (may | must) == 2'd3, "what need not be told may issue")
  `WF_ASSERT(sleeps, wake || !(in_valid || cnt_valid || issued != '0 || next_valid || ask != '0
             || stirs || !quiet), "the unit is woken for all that is said")
  `WF_ASSERT(rests, !idle || !(told_q || left_q != 2'd0 || issued_q || heard_q || load_told_q
             || soon || next_valid || beside_q),
             "an idle module holds nothing")
  `WF_QUIET(!busy)

  `WF_COVER(behind, goes_in && tell)
  `WF_COVER(waiting, told_q && !in_ready && must == 2'd3 && may == 2'd0)
  `WF_COVER(turns, passed_q == N - 1'b1)
  `WF_COVER(skips, skipped_q == N - 1'b1)
  `WF_COVER(again, mine_told && again_q)
  `WF_COVER(load_before, load_take && (goes & must) == 2'd3)
  `WF_COVER(second, tell && which)
  `WF_COVER(test_waits, told_q && counted_q && !in_ready && left_q == 2'd1)
  `WF_COVER(test_late, ops[3:0] == SETP && test_v && pcs[1:0] == test_pc && !must[0] && !plain[0])
  `WF_COVER(branch_acts, edges_q == 2'd1 && must[0] && !ends[0] && !need[0] && !test[0])
  `WF_COVER(asleep, !wake && load_told_q)
  `WF_COVER(beside, told_q && counted_q && told_warp != one && beside_q && !in_ready)
  `WF_COVER(held_longer, !issued_q && heard_q && next_bit[one])
  `WF_COVER(at_rest, !busy && out != 2'd0 && have != '0)
  `WF_COVER(still, !busy && load_told_q && test_q)
endmodule
`default_nettype wire
