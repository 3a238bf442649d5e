// Situations inside obm that its tests must have met, bound into models built for coverage: the
// ports do not show them. Those that they do show are in obm_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module obm_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire pair_forwarded, owner_forwarded, decided_by_forwarded
);
  `WF_COVER(pair_written_as_it_is_read, pair_forwarded)
  `WF_COVER(owner_written_as_it_is_read, owner_forwarded)
  `WF_COVER(pair_just_written_decides, decided_by_forwarded)
endmodule
bind obm obm_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .pair_forwarded(acc_q && fresh_pair_q),
  .owner_forwarded(acc_q && fresh_owner_q), .decided_by_forwarded(decided && fresh_pair_q)
);
`default_nettype wire
