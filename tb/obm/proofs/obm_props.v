// obm: a miss takes a way that may be had, an invalid one first, else the oldest; each
// transfer has its answer.
`default_nettype none
`include "wf_assert.vh"
module obm_props #(
  parameter integer Ways = 3,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input wire clk_i, input wire bypass, input wire ld, input wire acc, input wire miss,
  input wire [Ways-1:0] invalid, input wire [Ways-1:0] reserved, input wire [Ways*WayW-1:0] rank
);
`include "formal.vh"
  wire ld_ready, ld_rsp, ld_bypass, acc_ready, acc_rsp, alloc, idle;
  wire [WayW-1:0] way;
  obm #(.Ways(Ways), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .bypass_i(bypass), .ld_valid_i(ld), .ld_ready_o(ld_ready),
    .ld_rsp_valid_o(ld_rsp), .ld_rsp_bypass_o(ld_bypass), .acc_valid_i(acc),
    .acc_ready_o(acc_ready), .acc_miss_i(miss), .acc_invalid_i(invalid),
    .acc_reserved_i(reserved), .acc_rank_i(rank), .acc_rsp_valid_o(acc_rsp),
    .acc_rsp_alloc_o(alloc), .acc_rsp_way_o(way), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0),
    .cnt_index_i(2'd0), .cnt_value_o(), .idle_o(idle)
  );
  (* anyconst *) wire [WayW-1:0] any; // a way, any one
  wire [WayW-1:0] any_rank = rank[any*WayW +: WayW];
  reg ld_q, acc_q, miss_q, free_q, some_q, bypass_q;
  reg [Ways-1:0] invalid_q, reserved_q;
  reg [Ways*WayW-1:0] rank_q;
  initial ld_q = 1'b0;
  initial acc_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    ld_q <= ld;
    acc_q <= acc;
  end
  always @(posedge clk_i) begin
    bypass_q <= bypass;
    miss_q <= miss;
    some_q <= reserved != '1;
    invalid_q <= invalid;
    reserved_q <= reserved;
    rank_q <= rank;
    free_q <= {1'b0, any} < (WayW + 1)'(Ways) && !reserved[any];
  end
  reg [WayW-1:0] any_rank_q;
  always @(posedge clk_i) any_rank_q <= any_rank;
  wire given = acc_rsp && alloc;
  `WF_ASSERT(answered, ld_rsp == ld_q && acc_rsp == acc_q,
             "Rule 2: an answer to each transfer, none without one")
  `WF_ASSERT(as_told, !ld_rsp || ld_bypass == bypass_q,
             "past the L1 exactly while bypass_i is high")
  `WF_ASSERT(free, !given || !reserved_q[way], "Rule 1: no way that a fill is on its way to")
  `WF_ASSERT(found, !acc_rsp || alloc == (miss_q && some_q),
             "a miss takes a way if one may be had, a hit none")
  `WF_ASSERT(in_range, !given || {1'b0, way} < (WayW + 1)'(Ways), "a way that there is")
  `WF_ASSERT(invalid_first, !given || !free_q || !invalid_q[any] || invalid_q[way],
             "an invalid way before others")
  `WF_ASSERT(oldest, !given || !free_q || invalid_q[way] || rank_q[way*WayW +: WayW] >= any_rank_q,
             "else the oldest")
  `WF_COVER(takes_invalid, given && invalid_q[way])
  `WF_COVER(refused, acc_rsp && miss_q && !alloc)
  `WF_QUIET(idle && !ld && !acc)
endmodule
`default_nettype wire
