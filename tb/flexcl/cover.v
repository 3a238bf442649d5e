// Situations inside flexcl that its tests must have met, bound into models built for coverage: the
// ports do not show them. Those that they do show are in flexcl_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module flexcl_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire at_top, at_bottom, at_half_down
);
  `WF_COVER(psel_full, at_top)
  `WF_COVER(psel_empty, at_bottom)
  `WF_COVER(psel_comes_back_to_half, at_half_down)
endmodule
bind flexcl flexcl_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .at_top(up && psel_q == '1), .at_bottom(down && psel_q == '0),
  .at_half_down(down && over && psel_d == HALF)
);
`default_nettype wire
