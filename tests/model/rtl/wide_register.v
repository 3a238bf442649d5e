// The smallest model that is wide: for the cost of a cycle of the layer itself.
`default_nettype none

module wide_register (
  input  wire          clk_i,
  input  wire          rst_ni,
  input  wire  [511:0] d_i,
  output logic [511:0] d_o,
  output logic [31:0]  sum_o  // combinational
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) d_o <= '0;
    else d_o <= d_i;
  end
  assign sum_o = d_i[31:0] + d_o[31:0];
endmodule
`default_nettype wire
