// Situations inside apcm that its tests must have met, bound into models built for coverage: the
// ports do not show them. Each becomes a functional bin MODULE.NAME, summed over instances; those
// that the ports do show are in apcm_cover.c.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module apcm_lines_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire dropped, hit_drops, both, runs_out
);
  `WF_COVER(several_protections_dropped, dropped)
  `WF_COVER(hit_drops_protection_of_its_line, hit_drops)
  `WF_COVER(dropped_line_is_taken, both)
  `WF_COVER(line_is_taken_as_its_credit_runs_out, runs_out)
endmodule
bind apcm_lines apcm_lines_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .dropped(valid_i && (stale_c & (stale_c - 1'b1)) != '0),
  .hit_drops(valid_i && hit_i && stale_c[way_i]), .both((stale_c & choose) != '0),
  .runs_out(ages_q && alloc_o && !renew_o && !pins_i && !some_invalid
            && row[way_o*LineW + CreditAt +: CreditBits] != '0)
);

module apcm_mta_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire passes, turns, empty_between, quiet_hit, quiet_miss
);
  `WF_COVER(count_passes_threshold, passes)
  `WF_COVER(rotation_wraps, turns)
  `WF_COVER(empty_entry_beside_others, empty_between)
  `WF_COVER(hit_after_a_report_tells_nothing, quiet_hit)
  `WF_COVER(miss_after_a_report_takes_nothing, quiet_miss)
endmodule
bind apcm_mta apcm_mta_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .passes(passes), .turns(ev_evict_o && turn_q == LAST_WAY),
  .empty_between(take && empty && present != '0),
  .quiet_hit(hit && busy_i && more_count > threshold_i),
  .quiet_miss(valid_i && !hit && own_i && tracked_i && may_take_i && !empty && busy_i)
);

module apcm_psb_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire at_once, clear_while_on, both, acc_new, ev_new
);
  `WF_COVER(set_and_ended_at_one_edge, at_once)
  `WF_COVER(cleared_while_set, clear_while_on)
  `WF_COVER(set_and_end_of_two_warps, both)
  `WF_COVER(request_meets_what_was_just_set, acc_new)
  `WF_COVER(event_meets_what_was_just_set, ev_new)
endmodule
bind apcm_psb apcm_psb_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .at_once(set && end_new),
  .clear_while_on(clear_i && protect_q != '0), .both(set && end_o && !end_new),
  .acc_new(acc_bit_q && acc_new_q && acc_word != written_q),
  .ev_new(ev_new_q && kind != '0 && protect_q[ev_warp_i])
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
  .clk_i(clk_i), .rst_ni(rst_ni), .first(better && count == '0), .more(better && count != '0),
  .refused(write_q && !better)
);

module apcm_loops_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire two_inside, both
);
  `WF_COVER(one_loop_takes_the_place_of_two, two_inside)
  `WF_COVER(exit_comes_as_one_goes, both)
endmodule
bind apcm_loops apcm_loops_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .two_inside(learn && (around_c & (around_c - 1'b1)) != '0), .both(left && pop)
);

`default_nettype wire
