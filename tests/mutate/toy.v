// A counter that the tests of `make mutate` seed with faults.
`default_nettype none
`include "wf_assert.vh"

module toy #(
  parameter integer Top = 9
) (
  input  wire       clk_i,
  input  wire       rst_ni,
  input  wire       up_i,
  output wire [3:0] count_o
);
  reg [3:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= 4'd0;
    else if (up_i) count_q <= count_q == Top[3:0] ? 4'd0 : count_q + 4'd1;
  end
  assign count_o = count_q;
  `WF_ASSERT(rule1, count_q <= Top[3:0], "Rule 1: it stays in its range")
endmodule

`default_nettype wire
