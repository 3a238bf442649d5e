// Situations inside region_slice that its tests must have met, bound into models built for
// coverage: the ports do not show them. Those that they do show are in slice_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module region_slice_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire line_forwarded, flight_forwarded, leaves_at_once
);
  `WF_COVER(line_written_as_it_is_read, line_forwarded)
  `WF_COVER(flight_written_as_it_is_read, flight_forwarded)
  `WF_COVER(line_just_sent_leaves, leaves_at_once)
endmodule
bind region_slice region_slice_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .line_forwarded(hit && fresh_line_q),
  .flight_forwarded((join_ || fill) && fresh_flight_q), .leaves_at_once(leaves && fresh_line_q)
);
`default_nettype wire
