// One of the twins.
`default_nettype none
`include "wf_assert.vh"

module twins_one (
  input  wire clk_i,
  input  wire rst_ni,
  input  wire trip_i /*verilator public_flat_rd*/,
  input  wire stray_i /*verilator public_flat_rd*/,
  input  wire offer_i /*verilator public_flat_rd*/,
  output reg  seen_o
);
  /* verilator no_inline_module */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_o <= 1'b0;
    else if (trip_i || stray_i) seen_o <= 1'b1;
  end
  `WF_ASSERT(rule_1_quiet, !trip_i, "Rule 1: nobody trips over the wire")
  `WF_ASSERT_PROVEN(rule_2_home, !stray_i, "Rule 2: nobody strays")
  `WF_ASSERT_STABLE(rule_3_held, offer_i, 1'b0, trip_i, 1, "Rule 3: nobody takes an offer back")
endmodule
`default_nettype wire
