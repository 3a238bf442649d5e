// Situations inside spare_reg_pref that its tests must have met, bound into models built for
// coverage. Those that the ports show are in spref_cover.c.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module spref_loop_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire full, swapped, dies, cand_lost, falls, inner, grows, too_long, ages, gives_up
);
  `WF_COVER(no_entry_left, full)
  `WF_COVER(addition_swaps, swapped)
  `WF_COVER(entry_dies, dies)
  `WF_COVER(candidate_overwritten, cand_lost)
  `WF_COVER(branch_falls_out, falls)
  `WF_COVER(inner_loop_takes_over, inner)
  `WF_COVER(loop_grows, grows)
  `WF_COVER(loop_too_long, too_long)
  `WF_COVER(table_ages, ages)
  `WF_COVER(gives_up, gives_up)
endmodule
bind spref_loop spref_loop_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .full(take && !free_c && follows && plain_write),
  .swapped(take && swap && new_form), .dies(take && dst_v_i && d_hit != '0 && !again_raw),
  .cand_lost(take && u_test.cand_v_q && pd_v_i && pd_i == u_test.cand_pd_q && !new_cand),
  .falls(new_test && falls_out), .inner(training && inner && may), .grows(training && grows),
  .too_long(too_long && state_q != NONE), .ages(old_age), .gives_up(give_up)
);

module spref_warp_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire forward, both, gone, second_breaks, tail_late
);
  `WF_COVER(word_of_the_instruction_before, forward)
  `WF_COVER(count_and_instruction_of_one_edge, both)
  `WF_COVER(entry_of_a_skipped_tail_dropped, gone)
  `WF_COVER(second_head_breaks, second_breaks)
  `WF_COVER(tail_out_of_place, tail_late)
endmodule
bind spref_warp spref_warp_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .forward(s3_i && in_loop_i && wrote_q && wrote_warp_q == s3_warp_i), .both(set_i && s3_i),
  .gone((lost & tail_v_i) != 2'd0), .second_breaks(here && head1_i && !second && !bad),
  .tail_late(here && !bad && tail_i != 2'd0 && tails == 2'd0)
);

`default_nettype wire
