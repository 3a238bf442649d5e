// Situations inside foo that its tests must have met, bound into models built for
// coverage: the ports do not show them. Those that they do show are in foo_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module foo_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire invalid_is_not_oldest
);
  `WF_COVER(invalid_way_goes_before_the_oldest, invalid_is_not_oldest)
endmodule
bind foo foo_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .invalid_is_not_oldest(acc_valid_i && alloc && acc_rank_i[way*WayW +: WayW] != oldest)
);
`default_nettype wire
