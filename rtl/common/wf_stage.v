// A stage of a pipeline that moves as a whole, or none: what goes in comes out at the next edge
// with en_i high (Stages over 0) or at once (0).
//   Width 1..   Storage: Width flops, or none. What is valid is the owner's to know.
`default_nettype none

module wf_stage #(
  parameter integer Width = 8,
  parameter integer Stages = 1
) (
  input  wire             clk_i,
  input  wire             en_i,
  input  wire [Width-1:0] d_i,
  output wire [Width-1:0] q_o
);
  generate
    if (Stages == 0) begin : g_none
      wire unused = &{1'b0, clk_i, en_i};
      assign q_o = d_i;
    end else begin : g_one
      reg [Width-1:0] q;
      always_ff @(posedge clk_i) if (en_i) q <= d_i;
      assign q_o = q;
    end
  endgenerate
endmodule
`default_nettype wire
