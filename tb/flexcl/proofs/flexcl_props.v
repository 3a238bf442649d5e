// flexcl: a read has one answer, two edges later; leading sets, told here by hand, keep their
// policy; PSEL stays in range and moves at their misses. The unit's own rules are proven, too.
`default_nettype none
`include "wf_assert.vh"
module flexcl_props #(
  parameter integer Sets = 6,
  parameter integer Leaders = 2,
  parameter integer PselBits = 3,
  localparam integer SetW = $clog2(Sets)
) (
  input wire clk_i, input wire acc, input wire [SetW-1:0] set, input wire miss, input wire keeps
);
`include "formal.vh"
  wire ready, rsp, excl, idle;
  flexcl #(.Sets(Sets), .Leaders(Leaders), .PselBits(PselBits), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .acc_valid_i(acc), .acc_ready_o(ready), .acc_set_i(set),
    .acc_miss_i(miss), .acc_keeps_i(keeps), .acc_rsp_valid_o(rsp), .acc_rsp_excl_o(excl),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(3'd0), .cnt_value_o(), .idle_o(idle)
  );
  reg acc_1, acc_2, non_1, non_2, excl_1, excl_2;
  initial acc_1 = 1'b0;
  initial acc_2 = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    acc_1 <= acc;
    acc_2 <= acc_1;
  end
  // With six sets and two leaders: 0 and 3; 1 and 4.
  always @(posedge clk_i) begin
    non_1 <= keeps && (set == 3'd0 || set == 3'd3);
    non_2 <= non_1;
    excl_1 <= keeps && (set == 3'd1 || set == 3'd4);
    excl_2 <= excl_1;
  end
  `WF_ASSERT(answered, rsp == acc_2, "Rule 1: an answer to each request, none without one")
  `WF_ASSERT(leads, !rsp || ((!non_2 || !excl) && (!excl_2 || excl)),
             "Rule 2: sets 0 and 3 are non-inclusive, 1 and 4 exclusive")
  `WF_COVER(follows, rsp && excl && !excl_2)
  `WF_QUIET(idle && !acc)
endmodule
`default_nettype wire
