// wf_reset_sync: low with its input, high from the second edge after the input's release on, steady
// in between.
`default_nettype none
`include "wf_assert.vh"
module wf_reset_sync_props (
  input wire clk_i, input wire pin
);
`include "formal.vh"
  wire in = pin && rst_ni, out;
  wf_reset_sync dut (.clk_i(clk_i), .rst_ni(in), .rst_no(out));
  reg [1:0] high_q;                       // edges since the release
  initial high_q = 2'd0;
  always @(posedge clk_i) high_q <= !in ? 2'd0 : high_q + {1'b0, high_q != 2'd2};
  `WF_ASSERT(at_once, in || !out, "the output falls with the input")
  `WF_ASSERT(released, !in || out == (high_q == 2'd2), "it rises at the second edge, not earlier")
  `WF_QUIET(in && high_q == 2'd2)
  reg was_q;
  initial was_q = 1'b0;
  always @(posedge clk_i) if (out) was_q <= 1'b1;
  `WF_COVER(again, was_q && in && high_q == 2'd1)
endmodule
`default_nettype wire
