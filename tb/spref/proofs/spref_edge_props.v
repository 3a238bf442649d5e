// spref_edge: any SM, any unit, any edges of the unit among those of the SM. What is said at an
// edge is seen at the unit's next one, once and unchanged; loads and warps that wait take turns;
// of two schedulers' the first has the port;
// beats are in order; what follows a branch is told until that has acted.
`default_nettype none
`include "wf_assert.vh"
module spref_edge_props #(
  parameter integer NumWarp = 3,
  parameter integer Ahead = 1,
  localparam integer WarpW = $clog2(NumWarp),
  localparam integer DataW = 2 + 1 + 3*3 + 2*1 + 37,
  localparam integer InW = WarpW + 2 + 4
) (
  input wire clk_i, input wire tick, input wire [2*WarpW-1:0] warps, input wire [3:0] pcs,
  input wire [7:0] ops, input wire [1:0] plain, input wire [1:0] ends, input wire [1:0] goes,
  input wire [1:0] word, input wire [NumWarp-1:0] loads, input wire [NumWarp-1:0] thens,
  input wire [1:0] load_pc,
  input wire [3:0] load_op, input wire lds, input wire [WarpW-1:0] ld_warp, input wire ld_over,
  input wire ld_addr, input wire takes, input wire sums, input wire sum_slot, input wire sum_addr,
  input wire dones, input wire [2:0] done_reg, input wire done_fault, input wire [NumWarp-1:0] iss,
  input wire [NumWarp-1:0] have, input wire quiet, input wire [1:0] need, input wire test_v,
  input wire [1:0] test_pc, input wire pre_v, input wire [1:0] pre_pc, input wire in_ready,
  input wire cnt_ready, input wire [NumWarp-1:0] go, input wire ld_ready, input wire inj_valid,
  input wire sum_ready, input wire done_ready, input wire [NumWarp-1:0] ask,
  input wire [NumWarp-1:0] waits
);
`include "formal.vh"
  wire [1:0] must, may;
  wire tell, tell_counted, tell_pre, load_take, in_valid, in_counted, cnt_valid, cnt_beat,
       ld_valid, over, far, addr, inj_take, sum_valid, slot, sum_far, sum_out, done_valid, fault,
       next_valid, wake, busy, idle, sm_ld_ready, sm_inj_valid, sm_done_ready;
  wire [WarpW-1:0] in_warp, out_warp, done_warp, next_warp;
  wire [1:0] in_pc;
  wire [3:0] in_op, ld_type;
  wire [DataW-1:0] in_data;
  wire [2:0] reg_out;
  wire [NumWarp-1:0] load_bit, next_bit, issued, sm_go, sm_hold, sm_wait, sm_held;
  wire [63:0] value;
  wire [1:0] go_now = goes & {2{rst_ni}};
  wire first = go_now[0] && must[0] && may[0];  // is told, of the two
  wire [WarpW-1:0] tell_warp = first ? warps[WarpW-1:0] : warps[WarpW +: WarpW];
  wire [1:0] tell_pc = first ? pcs[1:0] : pcs[3:2];
  wire [3:0] tell_op = first ? ops[3:0] : ops[7:4];
  wire tell_word = first ? word[0] : word[1];
  wire ld = lds && rst_ni, take = takes && rst_ni, sum = sums && rst_ni,
       done = dones && rst_ni;
  wire [NumWarp-1:0] ld_bit = ld ? NumWarp'(1) << ld_warp : '0, load = loads & {NumWarp{rst_ni}};
  wire [NumWarp-1:0] going = iss & {NumWarp{rst_ni}};
  spref_edge #(
    .NumWarp(NumWarp), .Lanes(1), .RegBits(3), .PcBits(2), .PredBits(1), .AddrBits(1), .Waiting(2),
    .CntLanes(1), .Tries(2), .Ahead(Ahead), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .tick_i(tick), .try_warp_i(warps), .try_pc_i(pcs),
    .try_op_i(ops), .try_plain_i(plain), .try_end_i(ends), .try_go_i(go_now),
    .try_data_i({{DataW{word[1]}}, {DataW{word[0]}}}), .must_o(must), .may_o(may),
    .tell_valid_o(tell), .tell_counted_o(tell_counted), .tell_pre_o(tell_pre),
    .load_i(load), .load_then_i(thens), .load_take_o(load_take), .load_bit_o(load_bit),
    .load_pc_i(load_pc), .load_op_i(load_op), .load_data_i({DataW{1'b0}}), .sm_go_o(sm_go),
    .sm_hold_o(sm_hold), .sm_wait_o(sm_wait), .sm_held_o(sm_held), .sm_ld_valid_i(ld),
    .sm_ld_ready_o(sm_ld_ready),
    .sm_ld_warp_i(ld_warp), .sm_ld_bit_i(ld_bit), .sm_ld_type_i(4'd3), .sm_ld_over_i(ld_over),
    .sm_ld_far_i(1'b0), .sm_ld_addr_i(ld_addr), .sm_inj_valid_o(sm_inj_valid),
    .sm_inj_take_i(take), .sm_sum_valid_i(sum), .sm_sum_slot_i(sum_slot), .sm_sum_far_i(1'b1),
    .sm_sum_addr_i(sum_addr), .sm_done_valid_i(done), .sm_done_ready_o(sm_done_ready),
    .sm_done_warp_i(ld_warp), .sm_done_reg_i(done_reg), .sm_done_fault_i(done_fault),
    .iss_i(going), .have_i(have), .quiet_i(quiet), .need_i(need), .test_v_i(test_v),
    .test_pc_i(test_pc), .pre_v_i(pre_v), .pre_pc_i(pre_pc), .u_in_valid_o(in_valid),
    .u_in_ready_i(in_ready), .u_in_warp_o(in_warp), .u_in_pc_o(in_pc), .u_in_op_o(in_op),
    .u_in_data_o(in_data), .u_in_counted_o(in_counted), .held_i({NumWarp{1'b0}}),
    .u_cnt_valid_o(cnt_valid), .u_cnt_ready_i(cnt_ready), .u_cnt_beat_o(cnt_beat), .go_i(go),
    .u_ld_valid_o(ld_valid), .u_ld_ready_i(ld_ready), .u_ld_warp_o(out_warp), .u_ld_type_o(ld_type),
    .u_ld_over_o(over), .u_ld_far_o(far), .u_ld_addr_o(addr), .u_inj_valid_i(inj_valid),
    .u_inj_ready_o(inj_take), .u_sum_valid_o(sum_valid), .u_sum_ready_i(sum_ready),
    .u_sum_slot_o(slot), .u_sum_far_o(sum_far), .u_sum_addr_o(sum_out),
    .u_done_valid_o(done_valid), .u_done_ready_i(done_ready), .u_done_warp_o(done_warp),
    .u_done_reg_o(reg_out), .u_done_fault_o(fault), .issued_o(issued),
    .u_next_valid_o(next_valid), .u_next_warp_o(next_warp),
    .u_next_bit_o(next_bit), .ask_i(ask), .hold_i({NumWarp{1'b0}}), .wait_i(waits), .wake_o(wake),
    .busy_o(busy), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(2'd0),
    .cnt_value_o(value), .idle_o(idle)
  );
  localparam [WarpW:0] N = (WarpW+1)'(NumWarp);
  `WF_ASSUME(in_range, {1'b0, warps[WarpW-1:0]} < N && {1'b0, warps[WarpW +: WarpW]} < N
             && {1'b0, ld_warp} < N,
             "warps are below NumWarp")
  // The unit's outputs come from flops that have the unit's edges.
  reg between_q, in_ready_q, ld_ready_q, done_ready_q;
  initial between_q = 1'b0;
  always @(posedge clk_i) begin
    between_q <= rst_ni && !tick;
    {in_ready_q, ld_ready_q, done_ready_q} <= {in_ready, ld_ready, done_ready};
  end
  `WF_ASSUME(steady, !between_q
             || {in_ready, ld_ready, done_ready} == {in_ready_q, ld_ready_q, done_ready_q},
             "what the unit says stands until its next edge")
  `WF_ASSUME(offered, !take || sm_inj_valid, "an offer is taken if it is there")

  // What was said since the unit's last edge.
  reg told_q, counted_q, ld_q, take_q, done_q, sum_q;
  reg [InW:0] told_item_q;
  reg [WarpW+1:0] ld_item_q;
  reg [WarpW+3:0] done_item_q;
  reg [1:0] sum_item_q;
  initial {told_q, counted_q, ld_q, take_q, done_q, sum_q} = 6'd0;
  wire told = told_q || tell;
  wire [InW:0] told_item = told_q ? told_item_q : {tell_warp, tell_pc, tell_op, tell_word};
  wire counted = told_q ? counted_q : tell_counted;
  wire sum_all = sum_q || sum;
  wire [1:0] sum_item = sum_q ? sum_item_q : {sum_slot, sum_addr};
  always @(posedge clk_i) if (rst_ni) begin
    told_q <= told && !tick;
    told_item_q <= told_item;
    counted_q <= counted && !tick;
    ld_q <= (ld_q || ld) && !tick;
    if (ld) ld_item_q <= {ld_warp, ld_over, ld_addr};
    take_q <= (take_q || take) && !tick;
    done_q <= (done_q || done) && !tick;
    if (done) done_item_q <= {ld_warp, done_reg, done_fault};
    sum_q <= sum_all && !(tick && sum_ready);
    sum_item_q <= sum_item;
  end
  wire at = tick && rst_ni;
  `WF_ASSERT(told_once, !at || (in_valid && !load_take) == told,
             "an instruction that was told is seen at the unit's next edge, and no other")
  `WF_ASSERT(told_same, !at || !told
             || ({in_warp, in_pc, in_op, in_data[0]} == told_item && in_counted == counted
                 && in_data == {DataW{in_data[0]}}),
             "an instruction goes in as it was told")
  wire [1:0] told_of = go_now & must & may;
  `WF_ASSERT(first_told, tell == (told_of != 2'd0) && told_of != 2'd3,
             "of two that must be told and go, one is")
  `WF_ASSERT(one_told, !told_q || !tell, "one is told for an edge of the unit")
  `WF_ASSERT(ld_once, !at || ld_valid == (ld_q || ld), "a load that issued is seen once")
  `WF_ASSERT(ld_same, !at || !ld_valid || {out_warp, over, addr}
             == (ld_q ? ld_item_q : {ld_warp, ld_over, ld_addr}), "a load and its base are its own")
  `WF_ASSERT(take_once, !at || inj_take == (take_q || take), "an offer is taken once")
  `WF_ASSERT(done_once, !at || done_valid == (done_q || done), "what came back is seen once")
  `WF_ASSERT(done_same, !at || !done_valid || {done_warp, reg_out, fault}
             == (done_q ? done_item_q : {ld_warp, done_reg, done_fault}), "and is what came")
  `WF_ASSERT(sum_once, sum_valid == sum_all && (!sum_all || {slot, sum_out} == sum_item),
             "a sum stays until it is taken")

  // Of any warp.
  (* anyconst *) wire [WarpW-1:0] one;
  `WF_ASSUME(one_is, {1'b0, one} < N, "a warp")
  reg wait_told_q, issued_q;
  reg [WarpW:0] passed_q, skipped_q;
  reg [1:0] edges_q;
  initial {wait_told_q, issued_q} = 2'd0;
  initial passed_q = '0;
  initial skipped_q = '0;
  initial edges_q = 2'd0;
  wire mine = load[one] && !(wait_told_q && !(Ahead != 0 && ld_bit[one]));
  wire mine_told = load_take && load_bit[one];
  wire mine_issued = issued_q || (going[one] && waits[one]) || ld_bit[one];
  wire mine_asked = (ask[one] || (Ahead != 0 ? mine_issued : issued_q)) && have[one];
  always @(posedge clk_i) if (rst_ni) begin
    wait_told_q <= (wait_told_q && !ld_bit[one]) || mine_told;
    if (!mine || mine_told) passed_q <= '0;
    else if (load_take) passed_q <= passed_q + 1'b1;
    issued_q <= mine_issued && !tick;
    if (tick) skipped_q <= mine_asked && !next_bit[one] ? skipped_q + 1'b1 : '0;
    if (tick) edges_q <= in_valid && in_op == 4'd7 && in_warp == one ? 2'd3
                         : edges_q != 2'd0 ? edges_q - 1'b1 : 2'd0;
  end
  `WF_ASSERT(load_once, !mine_told || mine, "a load is told once, and while it waits")
  `WF_ASSERT(load_one, (load_bit & (load_bit - 1'b1)) == '0, "one load at a time")
  `WF_ASSERT(load_turn, passed_q < N, "a load that waits is passed by fewer than all warps")
  `WF_ASSERT(issues_seen, !at || issued[one] == mine_issued,
             "what a warp with a load that waits issues is seen at the unit's next edge")
  `WF_ASSERT(next_known, !at || !next_bit[one] || mine_asked,
             "a next instruction is of a warp that is asked about and has one")
  `WF_ASSERT(next_late, Ahead != 0 || !next_valid || !next_bit[one] || !(going[one] || ld_bit[one]),
             "nothing is said of what a warp does next that issues")
  `WF_ASSERT(next_turn, skipped_q < N, "a warp that is asked about is passed by fewer than all")
  `WF_ASSERT(branch_told, !(rst_ni && warps[WarpW-1:0] == one && !plain[0]
             && (edges_q != 2'd0 || (told_q && told_item_q[InW -: WarpW] == one
                                     && told_item_q[4:1] == 4'd7))) || must[0],
             "what issues before a branch of its warp has acted is told")
  `WF_ASSERT(held, !(told_q && counted_q && told_item_q[InW -: WarpW] == one) || sm_held[one],
             "a warp whose test was told is held")
  // Beats.
  reg sends_q;
  initial sends_q = 1'b0;
  wire sends = sends_q || tell_counted;
  always @(posedge clk_i) if (rst_ni) sends_q <= sends && !(tick && cnt_ready);
  `WF_ASSERT(nobody_waits, !(tick && in_ready && !told_q && load == '0 && thens == '0
             && go_now == 2'd3 && must == 2'd3 && !tell_counted && !sends_q) || told_of == 2'd1,
             "with nothing before them the first one is told")
  `WF_ASSERT(beats, !rst_ni || (cnt_valid == sends && !cnt_beat), "a counted test sends its beat")
  `WF_ASSERT(one_test, !rst_ni || !(sends_q && may[1] && must[1] && ops[7:4] == 4'd6
             && ((test_v && pcs[3:2] == test_pc) || (pre_v && pcs[3:2] == pre_pc))),
             "no test may issue while another's operands go in")
  `WF_ASSERT(sleeps, wake || !(told || (ld_q || ld) || sum_all || (done_q || done) || sends
             || (take_q || take) || mine), "the unit is woken for all that is said")
  `WF_COVER(kept, at && told_q)
  `WF_COVER(at_once, at && tell)
  `WF_COVER(sum_waits, at && sum_q && sum_ready)
  `WF_COVER(turns, passed_q == N - 1'b1)
  `WF_COVER(skips, skipped_q == N - 1'b1)
  `WF_COVER(again, mine_told && (Ahead == 0 || ld_bit[one]))
  `WF_COVER(second, at && tell && !first)
  `WF_COVER(test_kept, at && told_q && counted_q)
  `WF_COVER(branch_kept, edges_q == 2'd1 && must[0])
endmodule
`default_nettype wire
