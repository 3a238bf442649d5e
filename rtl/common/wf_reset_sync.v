// Reset of a clock domain: asserted at once, clock or no clock, and released at a clock edge.
//
// rst_no falls with rst_ni and rises at the second edge after it: the first flop may be left
// undecided by a release close to an edge, and has a cycle to settle. All flops that take rst_no
// leave reset at the same edge, given a tree whose delay is checked (recovery, removal).
//
// No top of this repository has one of its own: their rst_ni is released synchronously by the GPU,
// once for each clock domain (docs/decisions.md). A design that takes a unit alone puts one before
// it.
// Storage: 2 flops.
//
// Rules
//   1 rst_no is low while rst_ni is.
//   2 It rises two edges after rst_ni, not earlier.
`default_nettype none
`include "wf_assert.vh"

module wf_reset_sync (
  input  wire clk_i,
  input  wire rst_ni,  // released at any time
  output wire rst_no
);
  reg [1:0] out_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_q <= 2'b00;
    else out_q <= {out_q[0], 1'b1};
  end
  assign rst_no = out_q[1];

  `WF_ASSERT(rule_1_low, rst_ni || !rst_no, "Rule 1: rst_no is low while rst_ni is")
endmodule
`default_nettype wire
