// wf_skid: an item comes out once, in order and unchanged; two places; ready does not depend on
// ready.
`default_nettype none
`include "wf_assert.vh"
module wf_skid_props #(parameter integer Width = 2) (
  input wire clk_i, input wire in_valid, input wire [Width-1:0] in_data, input wire out_ready,
  input wire pick
);
`include "formal.vh"
  wire in_ready, out_valid;
  wire [Width-1:0] out_data;
  wf_skid #(.Width(Width)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_data_i(in_data), .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data)
  );
  (* hierconn *) wire \dut.spare_valid_q , \dut.out_valid_q ;
  (* hierconn *) wire [Width-1:0] \dut.spare_data_q , \dut.out_data_q ;
  wire push = in_valid && in_ready, pop = out_valid && out_ready;
  wire [3:0] held = {3'd0, \dut.spare_valid_q } + {3'd0, \dut.out_valid_q };
  `WF_FOLLOW(item, pick, push, in_data, pop, out_data, Width, held, 4'd2)
  `WF_ASSERT(where, !item_on_q
             || item_item_q == (item_ahead_q == 4'd0 ? \dut.out_data_q : \dut.spare_data_q ),
             "the followed item is where its place says")
  reg pop_q;
  initial pop_q = 1'b0;
  always @(posedge clk_i) pop_q <= rst_ni && out_ready;
  `WF_ASSERT(full_rate, !pop_q || in_ready, "a taken item makes room for the next cycle")
  `WF_QUIET(!out_valid && !in_valid)
endmodule
`default_nettype wire
