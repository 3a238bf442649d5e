// Situations inside region_core that its tests must have met, bound into models built for coverage:
// the ports do not show them. Those that they do show are in core_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module region_core_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire taken_as_judged, freed_as_counted, row_forwarded
);
  `WF_COVER(row_changes_hands_as_it_is_judged, taken_as_judged)
  `WF_COVER(row_is_freed_as_it_counts, freed_as_counted)
  `WF_COVER(row_written_as_it_is_read, row_forwarded)
endmodule
bind region_core region_core_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .taken_as_judged(row_takes && row_judged),
  .freed_as_counted(row_frees && rep_named && rep_there && rep_at_c[row_min_at_q]),
  .row_forwarded(u_rows.m_op_q && u_rows.m_fresh_q)
);

module region_pcs_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire swapped_as_hit, owner_forwarded, hits_forwarded, same_taken
);
  `WF_COVER(row_changes_hands_as_its_line_is_hit, swapped_as_hit)
  `WF_COVER(owner_written_as_it_is_read, owner_forwarded)
  `WF_COVER(hits_written_as_they_are_read, hits_forwarded)
  `WF_COVER(pc_that_takes_a_row_comes_again_at_once, same_taken)
endmodule
bind region_pcs region_pcs_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .swapped_as_hit(swaps && owned_hit && RowW'(owner_c) == least_at_q),
  .owner_forwarded(two_i && hit_q && fresh_q),
  .hits_forwarded(u_hits.m_op_q && u_hits.m_fresh_q), .same_taken(one_i && takes && same)
);
`default_nettype wire
