// Situations inside laperm_scheduler that its tests must have met, bound into models built for
// coverage: the ports do not show them. Each becomes a functional bin MODULE.NAME.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module laperm_queue_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire onto_gone, two_popped, all_used, spare_used, end_refused, looks_at_link
);
  `WF_COVER(push_where_the_only_entry_leaves, onto_gone)
  `WF_COVER(queue_0_is_popped_with_another, two_popped)
  `WF_COVER(all_entries_are_used, all_used)
  `WF_COVER(entry_of_a_queues_end_is_given_on, spare_used)
  `WF_COVER(queue_too_short_to_give_its_end, end_refused)
  `WF_COVER(look_at_what_has_just_become_first, looks_at_link)
endmodule
bind laperm_queue laperm_queue_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .onto_gone(push_i && onto && becomes_first), .two_popped(zero),
  .all_used(all_full_q), .spare_used(group && spare_q), .end_refused(back_q && !back_ok_o),
  .looks_at_link(look_rd_i && (look1_i & follow1_q) != '0)
);

module laperm_join_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire fronted, front_failed, appended, put_again, full_pool, held_up
);
  `WF_COVER(a_lower_level_gives_its_entry, fronted)
  `WF_COVER(a_lower_level_cannot_give_its_entry, front_failed)
  `WF_COVER(group_goes_to_memory, appended)
  `WF_COVER(kernel_is_put_into_queue_0_again, put_again)
  `WF_COVER(full_pool_sends_a_group_away, full_pool)
  `WF_COVER(push_waits_for_one_from_memory, held_up)
endmodule
bind laperm_join laperm_join_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .fronted(front_done_i), .front_failed(front_fail_i),
  .appended(append_done_i), .put_again(remark_o), .full_pool(dk_valid_o && grp_hit_i),
  .held_up(push_taken_i && state_q == PLACE)
);

module laperm_spill_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire next_known, list_busy, no_entry, many_wait
);
  `WF_COVER(next_was_written_while_its_record_was_read, next_known)
  `WF_COVER(record_in_front_of_one_that_is_read, list_busy)
  `WF_COVER(entry_is_gone_when_the_record_comes, no_entry)
  `WF_COVER(all_reads_wait, many_wait)
endmodule
bind laperm_spill laperm_spill_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .next_known(ended && next_q && !read_is_last),
  .list_busy(op && op_front_i && busy_list), .no_entry(state_q == CLAIM && !room),
  .many_wait(!few_q)
);

module laperm_chunks_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire used_again, closed, filled, no_room
);
  `WF_COVER(chunk_is_used_again, used_again)
  `WF_COVER(list_leaves_its_chunk, closed)
  `WF_COVER(chunk_is_read_to_its_end, filled)
  `WF_COVER(no_place_is_left, no_room)
endmodule
bind laperm_chunks laperm_chunks_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .used_again(begins && !fresh), .closed(close_q),
  .filled(through), .no_room(look_i && !open_q[list_i] && !fresh && !again_valid)
);

module laperm_context_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire preempts, preempts_begun, goes_on, two_in_flight, joins_at_end
);
  `WF_COVER(higher_queue_preempts, preempts)
  `WF_COVER(higher_queue_preempts_a_grid_that_was_begun, preempts_begun)
  `WF_COVER(preempted_grid_goes_on, goes_on)
  `WF_COVER(two_blocks_of_one_grid_in_flight, two_in_flight)
  `WF_COVER(group_joins_when_the_last_block_leaves, joins_at_end)
endmodule
bind laperm_context laperm_context_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .preempts(preempt),
  .preempts_begun(preempt && pick_at_c != '0), .goes_on(load_q && load_begun_q),
  .two_in_flight(fit_rd_i && take_i && ctx_i == fit_ctx_i),
  .joins_at_end(over && alone && joins_i)
);

module laperm_place_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire new_backup, same_backup, waits, again, diverted
);
  `WF_COVER(backup_is_chosen, new_backup)
  `WF_COVER(backup_is_kept, same_backup)
  `WF_COVER(visit_waits_for_the_common_context, waits)
  `WF_COVER(visit_is_made_again, again)
  `WF_COVER(offer_stands_though_its_smx_is_diverted_now, diverted)
endmodule
bind laperm_place laperm_place_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .new_backup(visit && third && !recorded),
  .same_backup(visit && third && recorded), .waits(fit_waits && !stall), .again(repeats),
  .diverted(held_q && divert_q[offer_smx_q])
);
`default_nettype wire
