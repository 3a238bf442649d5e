// Situations inside mshr_file that its tests must have met, bound into models built for coverage:
// the ports do not show them. Those that they do show are in mshr_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module mshr_file_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire read_as_written, last_entry, first_entry
);
  `WF_COVER(row_written_as_it_is_read, read_as_written)
  `WF_COVER(last_entry_taken, last_entry)
  `WF_COVER(first_entry_taken, first_entry)
endmodule
bind mshr_file mshr_file_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .read_as_written(takes && fill_valid_i && req_entry_o == fill_entry_i),
  .last_entry(enters && taken[Entries-1]), .first_entry(enters && taken[0])
);
`default_nettype wire
