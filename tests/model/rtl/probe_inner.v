// The part of probe whose assertion trips: messages must name this instance.
`default_nettype none
`include "wf_assert.vh"

module probe_inner (
  input wire clk_i,
  input wire rst_ni,
  input wire trip_i
);
  `WF_ASSERT(rule_7_quiet, !trip_i, "Rule 7: nobody trips over the wire")
endmodule
`default_nettype wire
