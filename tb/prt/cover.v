// Situations inside pending_request_table that its tests must have met, bound into models built for
// coverage: the ports do not show them. Those that they do show are in prt_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module pending_request_table_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire written_as_read, last_entry, asked_as_answered
);
  `WF_COVER(row_written_as_it_is_read, written_as_read)
  `WF_COVER(last_entry_taken, last_entry)
  `WF_COVER(open_load_asked_as_answered, asked_as_answered)
endmodule
bind pending_request_table pending_request_table_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .written_as_read(enters && reply_valid_i && req_entry_o == reply_entry_i),
  .last_entry(enters && taken[Entries-1]),
  .asked_as_answered(takes && !req_first_i && (taken & replies) != '0)
);
`default_nettype wire
