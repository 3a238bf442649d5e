// Situations inside mshr_rich that its tests must have met, bound into models built for coverage:
// the ports do not show them. Those that they do show are in mshr_rich_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module mshr_rich_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire handed_on, last_way, stash_full
);
  `WF_COVER(read_as_written, handed_on)
  `WF_COVER(only_the_last_table_free, last_way)
  `WF_COVER(stash_all_held, stash_full)
endmodule
bind mshr_rich mshr_rich_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .handed_on(s1_req_q && g_way[0].handed_on_q),
  .last_way(enters && held == (Ways'(1) << (Ways - 1)) - 1'b1), .stash_full(stash_held_q == '1)
);

module mshr_rich_rows_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire late_read, late_told, begins_as_told
);
  `WF_COVER(linked_as_it_is_read, late_read)
  `WF_COVER(linked_as_it_is_told, late_told)
  `WF_COVER(begins_as_the_last_ends, begins_as_told)
endmodule
bind mshr_rich_rows mshr_rich_rows_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .late_read(late && reads), .late_told(late && !reads),
  .begins_as_told(begins && line_told)
);
`default_nettype wire
