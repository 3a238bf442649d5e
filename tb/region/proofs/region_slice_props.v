// region_slice: a question has one answer, two edges later. Of any one way: a hit's line leaves
// exactly if an L1 sent it, the one that asks now and keeps it; it is private exactly if the core
// that brought it has asked again. The unit's own rules are proven with these.
`default_nettype none
`include "wf_assert.vh"
module region_slice_props #(
  parameter integer Sets = 2,
  parameter integer Ways = 2,
  parameter integer Mshrs = 2,
  parameter integer CoreBits = 1,
  localparam integer SetW = $clog2(Sets),
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1,
  localparam integer MshrW = $clog2(Mshrs)
) (
  input wire clk_i, input wire pick, input wire acc, input wire [2:0] kind, input wire asks,
  input wire [SetW-1:0] set, input wire [WayW-1:0] way, input wire [MshrW-1:0] mshr,
  input wire [CoreBits-1:0] core, input wire past, input wire keeps
);
`include "formal.vh"
  wire ready, rsp, rsp_past, leaves, shared, private_, idle;
  region_slice #(.Sets(Sets), .Ways(Ways), .Mshrs(Mshrs), .CoreBits(CoreBits),
                 .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .acc_valid_i(acc), .acc_ready_o(ready), .acc_kind_i(kind),
    .acc_asks_i(asks), .acc_set_i(set), .acc_way_i(way), .acc_mshr_i(mshr), .acc_core_i(core),
    .acc_past_i(past), .acc_keeps_i(keeps), .acc_rsp_valid_o(rsp), .acc_rsp_past_o(rsp_past),
    .acc_rsp_leaves_o(leaves), .acc_rsp_shared_o(shared), .acc_rsp_private_o(private_),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(), .idle_o(idle)
  );
  // Any one way: that to which a victim or a store comes while `pick` is high; they name a core.
  reg on, known, sent, again;
  reg [SetW-1:0] of_set;
  reg [WayW-1:0] of_way;
  reg [CoreBits-1:0] whose;
  initial on = 1'b0;
  initial known = 1'b0;
  wire begins = acc && pick && !on && kind > 3'd3;
  always @(posedge clk_i) if (rst_ni && begins) begin
    on <= 1'b1;
    of_set <= set;
    of_way <= way;
  end
  wire here = begins || (acc && on && set == of_set && way == of_way);
  wire own = whose == core;
  always @(posedge clk_i) if (rst_ni && here && kind >= 3'd3) begin
    known <= kind != 3'd3;
    sent <= kind == 3'd4;
    whose <= core;
    again <= 1'b0;
  end else if (rst_ni && here && kind == 3'd0 && own) again <= 1'b1;

  reg asks_1, asks_2, here_1, here_2, hit_1, hit_2;
  reg leaves_1, leaves_2, private_1, private_2, past_1, past_2;
  initial asks_1 = 1'b0;
  initial asks_2 = 1'b0;
  initial here_1 = 1'b0;
  initial here_2 = 1'b0;
  initial hit_1 = 1'b0;
  initial hit_2 = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    asks_1 <= acc && asks && kind <= 3'd2;
    asks_2 <= asks_1;
    here_1 <= here && kind == 3'd0;
    here_2 <= here_1;
    hit_1 <= here && kind == 3'd0 && known;
    hit_2 <= hit_1;
  end
  always @(posedge clk_i) begin
    leaves_1 <= sent && own && keeps;
    leaves_2 <= leaves_1;
    private_1 <= again || own;
    private_2 <= private_1;
    past_1 <= past && kind != 3'd0;
    past_2 <= past_1;
  end
  `WF_ASSERT(answered, rsp == asks_2, "Rule 1: an answer to each question, none without one")
  `WF_ASSERT(leaves_for_its_core, !(rsp && here_2) || leaves == leaves_2,
             "Rule 2: a line leaves for the core whose L1 sent it, if that keeps it")
  `WF_ASSERT(past_as_asked, !rsp || rsp_past == past_2, "Rule 3: past as the request says")
  `WF_ASSERT(private_to_its_core, !(rsp && hit_2) || private_ == private_2,
             "Rule 4: private exactly if the core that brought it has asked again")
  `WF_COVER(leaves_once, rsp && leaves)
  `WF_COVER(shared_once, rsp && hit_2 && shared && private_)
  `WF_QUIET(idle && !acc)
endmodule
`default_nettype wire
