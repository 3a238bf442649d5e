// wf_fifo: an item comes out once, in order and unchanged, and within two cycles of being the
// first.
`default_nettype none
`include "wf_assert.vh"
module wf_fifo_props #(
  parameter integer Width = 2,
  parameter integer Depth = 3,
  parameter integer Ram = 0,
  parameter integer OutReg = 0
) (
  input wire clk_i, input wire in_valid, input wire [Width-1:0] in_data, input wire out_ready,
  input wire pick
);
`include "formal.vh"
  localparam integer CountBits = $clog2(Depth + 1);
  localparam [3:0] DEPTH = Depth;
  wire in_ready, out_valid;
  wire [Width-1:0] out_data;
  wire [CountBits-1:0] count;
  wf_fifo #(.Width(Width), .Depth(Depth), .Ram(Ram), .OutReg(OutReg)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_data_i(in_data), .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
    .count_o(count)
  );
  wire push = in_valid && in_ready, pop = out_valid && out_ready;
  wire [3:0] held = {{(4 - CountBits){1'b0}}, count};
  `WF_FOLLOW(item, pick, push, in_data, pop, out_data, Width, held, DEPTH)
  `WF_ASSERT(room, in_ready == (held < DEPTH), "it accepts exactly while there is room")
  reg late_q;
  initial late_q = 1'b0;
  always @(posedge clk_i) late_q <= rst_ni && count != '0 && !out_valid;
  `WF_ASSERT(offered_soon, !late_q || out_valid, "what it holds is offered at most one cycle later")
  `WF_COVER(both, push && pop)
  `WF_QUIET(count == '0 && !in_valid)
  // The two pointers differ by what is in the array: helps induction.
  (* hierconn *) wire [((Depth > 1) ? $clog2(Depth) : 1)-1:0] \dut.head_q , \dut.tail_q ;
  wire [3:0] head = {'0, \dut.head_q }, tail = {'0, \dut.tail_q };
  wire [3:0] array = held - {3'd0, (Ram != 0 || OutReg != 0) && out_valid};
  wire [3:0] sum = head + array;
  `WF_ASSERT(pointers, head < DEPTH && tail < DEPTH && array <= DEPTH
             && tail == (sum >= DEPTH ? sum - DEPTH : sum),
             "pointers and count agree")
endmodule
`default_nettype wire
