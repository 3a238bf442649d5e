// Situations inside gran that its tests must have met, bound into models built for coverage: the
// ports do not show them. Those that they do show are in gran_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module gran_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire mask_forwarded, mask_of_another_way
);
  `WF_COVER(mask_written_as_it_is_read, mask_forwarded)
  `WF_COVER(mask_of_another_way_written_as_it_is_read, mask_of_another_way)
endmodule
bind gran gran_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .mask_forwarded(acc_q && fresh_q && last_way_q == way_q),
  .mask_of_another_way(acc_q && fresh_q && last_way_q != way_q)
);
`default_nettype wire
