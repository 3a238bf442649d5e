// Situations inside apcm that its tests must have met, bound into models built for coverage: the
// ports do not show them. Each becomes a functional bin MODULE.NAME, summed over instances; those
// that the ports do show are in apcm_cover.c.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module apcm_lines_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire forward, dropped, hit_drops, both
);
  `WF_COVER(row_of_the_request_before, forward)
  `WF_COVER(several_protections_dropped, dropped)
  `WF_COVER(hit_drops_protection_of_its_line, hit_drops)
  `WF_COVER(dropped_line_is_taken, both)
endmodule
bind apcm_lines apcm_lines_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .forward(valid_i && last_q && last_set_q == set_i),
  .dropped(gone_o > 1), .hit_drops(valid_i && hit_i && stale_c[way_i]),
  .both((stale_c & choose) != '0)
);

module apcm_mta_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire forward_hit, forward_evict, passes, turns, empty_between
);
  `WF_COVER(entry_written_before_is_hit, forward_hit)
  `WF_COVER(entry_written_before_is_evicted, forward_evict)
  `WF_COVER(count_passes_threshold, passes)
  `WF_COVER(rotation_wraps, turns)
  `WF_COVER(empty_entry_beside_others, empty_between)
endmodule
bind apcm_mta apcm_mta_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .forward_hit(hit && forward && last_way_q == way_c),
  .forward_evict(ev_evict_o && forward && last_way_q == way_c), .passes(passes),
  .turns(ev_evict_o && turn_q == LAST_WAY), .empty_between(take && empty && present != '0)
);

module apcm_psb_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire at_once, clear_while_on, both
);
  `WF_COVER(set_and_ended_at_one_edge, at_once)
  `WF_COVER(cleared_while_set, clear_while_on)
  `WF_COVER(set_and_end_of_two_warps, both)
endmodule
bind apcm_psb apcm_psb_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .at_once(set_i && end_new),
  .clear_while_on(clear_i && protect_q != '0), .both(set_i && end_o && !end_new)
);

module apcm_cait_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire first, more, refused
);
  `WF_COVER(first_report, first)
  `WF_COVER(report_of_more_accesses, more)
  `WF_COVER(report_of_not_more_accesses, refused)
endmodule
bind apcm_cait apcm_cait_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .first(up_write_o && !valid_q[up_id_i]),
  .more(up_write_o && valid_q[up_id_i]), .refused(up_valid_i && !up_write_o)
);

`default_nettype wire
