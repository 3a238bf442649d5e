// Three instances of a module that is not inlined: their code is there once, and messages name the
// right one.
`default_nettype none

module twins (
  input  wire       clk_i,
  input  wire       rst_ni,
  input  wire [2:0] trip_i,
  input  wire [2:0] stray_i,
  input  wire [2:0] offer_i,
  output wire [2:0] seen_o
);
  generate
    for (genvar i = 0; i < 3; i = i + 1) begin : g_twin
      twins_one u_one (
        .clk_i(clk_i), .rst_ni(rst_ni), .trip_i(trip_i[i]), .stray_i(stray_i[i]),
        .offer_i(offer_i[i]), .seen_o(seen_o[i])
      );
    end
  endgenerate
endmodule
`default_nettype wire
