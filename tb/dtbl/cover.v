// Situations inside dtbl_scheduler that its tests must have met, bound into models built for
// coverage: the ports do not show them. Each becomes a functional bin MODULE.NAME, summed over
// instances; those that the ports do show are in dtbl_cover.c.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module dtbl_kde_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire start_and_end, join_and_pop, all_used, pinned, full, several_over
);
  `WF_COVER(block_starts_and_ends_in_one_kernel, start_and_end)
  `WF_COVER(join_and_pop_of_two_kernels, join_and_pop)
  `WF_COVER(all_entries_used, all_used)
  `WF_COVER(release_waits_for_a_group_on_its_way, pinned)
  `WF_COVER(pool_full, full)
  `WF_COVER(several_kernels_over, several_over)
endmodule
bind dtbl_kde dtbl_kde_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .start_and_end((start1 & end1) != '0),
  .join_and_pop(join1 != '0 && pop1 != '0), .all_used(used_q == '1),
  .pinned((open_q & ~marked_q & resting_c & pin_i) != '0), .full(full_c != '0),
  .several_over((over & (over - 1'b1)) != '0)
);

module dtbl_search_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire many_match, match_and_miss, stands, stale, wraps, reread
);
  `WF_COVER(several_groups_answered_at_once, many_match)
  `WF_COVER(hit_and_miss_at_once, match_and_miss)
  `WF_COVER(entry_stands_and_hits_again, stands)
  `WF_COVER(old_key_of_a_closed_entry_fits, stale)
  `WF_COVER(rotation_wraps, wraps)
  `WF_COVER(entry_read_again_after_it_was_written, reread)
endmodule
bind dtbl_search dtbl_search_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .many_match((match_c & (match_c - 1'b1)) != '0),
  .match_and_miss(match_c != '0 && (end_c & ~match_c) != '0),
  .stands(match_c != '0 && !next),
  .stale(at_valid_q && !is_open && ((live[0] && key_q[0] == scan_key_i)
                                    || (live[Slots-1] && key_q[Slots-1] == scan_key_i))),
  .wraps(next && at_q == LAST_KDE), .reread(at_valid_q && wr_i && wr_at_i == scan_at_o)
);

module dtbl_join_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire over_empty, over_table, over_far, hit_far, hit_near, wait_alloc, away_full,
  away_room, remark_over, tail_left
);
  `WF_COVER(record_of_first_group, over_empty)
  `WF_COVER(record_behind_entry, over_table)
  `WF_COVER(record_behind_record, over_far)
  `WF_COVER(entry_behind_record, hit_far)
  `WF_COVER(entry_behind_entry, hit_near)
  `WF_COVER(waits_for_the_table, wait_alloc)
  `WF_COVER(leaves_a_full_pool, away_full)
  `WF_COVER(leaves_though_the_pool_has_room_again, away_room)
  `WF_COVER(marks_again_with_a_record, remark_over)
  `WF_COVER(last_group_starts_while_the_record_is_written, tail_left)
endmodule
bind dtbl_join dtbl_join_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .over_empty(commit_o && !got && !some_i),
  .over_table(commit_o && !got && some_i && !far), .over_far(commit_o && !got && far),
  .hit_far(commit_o && got && far), .hit_near(commit_o && got && some_i && !far),
  .wait_alloc(ask && !alloc_ready_i), .away_full(dk_valid_o && dk_ready_i && grp_hit_i && full_i),
  .away_room(dk_valid_o && dk_ready_i && grp_hit_i && !full_i),
  .remark_over(remark_o && !got), .tail_left(commit_q && !commit_o && some_i)
);

module dtbl_agt_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire forward, done_over, fin_before, alloc_taken, done_waits, fin_wins
);
  `WF_COVER(word_of_the_operation_before, forward)
  `WF_COVER(freed_by_the_last_end, done_over)
  `WF_COVER(blocks_end_before_all_are_distributed, fin_before)
  `WF_COVER(entry_taken, alloc_taken)
  `WF_COVER(end_waits_for_fin, done_waits)
  `WF_COVER(alloc_waits, fin_wins)
endmodule
bind dtbl_agt dtbl_agt_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .forward(op_q && last_q), .done_over(freed_o),
  .fin_before(op_q && kind_q == DONE && left[CountW-1]),
  .alloc_taken(op_q && kind_q == ALLOC && valid), .done_waits(done_valid_i && fin_valid_i),
  .fin_wins(alloc_valid_i && !alloc_ready_o && !clear_q)
);

module dtbl_sscr_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire joins_now, chain_mem, chain_table, head_mem, head_table, ask_waits, last_group,
  pool_grows
);
  `WF_COVER(decision_waits_for_a_join, joins_now)
  `WF_COVER(next_group_in_memory, chain_mem)
  `WF_COVER(next_group_in_table, chain_table)
  `WF_COVER(first_group_in_memory, head_mem)
  `WF_COVER(first_group_in_table, head_table)
  `WF_COVER(read_waits_for_the_queue, ask_waits)
  `WF_COVER(unmarked_after_a_group, last_group)
  `WF_COVER(pool_grows_while_its_last_group_runs, pool_grows)
endmodule
bind dtbl_sscr dtbl_sscr_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .joins_now(state_q == NEXT && joining_i),
  .chain_mem(pop && chain_q && !link[0]), .chain_table(pop && chain_q && link[0]),
  .head_mem(state_q == HEAD && !link[0]), .head_table(state_q == HEAD && link[0]),
  .ask_waits(state_q == ASK && !mem_ready_i), .last_group(unmark_o && group_q),
  .pool_grows(pop && !chain_q && group_q)
);

module dtbl_smx_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire no_slot, no_warps, no_regs, no_shm, moved, queue
);
  `WF_COVER(no_slot_free, no_slot)
  `WF_COVER(no_warps_free, no_warps)
  `WF_COVER(no_registers_free, no_regs)
  `WF_COVER(no_shared_memory_free, no_shm)
  `WF_COVER(lower_slot_ends_while_offer_stands, moved)
  `WF_COVER(several_ends_wait, queue)
endmodule
bind dtbl_smx dtbl_smx_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .no_slot(busy_q == '1),
  .no_warps(!any ? 1'b0 : warps_q < need_warps_i),
  .no_regs(any && warps_q >= need_warps_i && regs_q < need_regs_i),
  .no_shm(any && warps_q >= need_warps_i && regs_q >= need_regs_i && shm_q < need_shm_i),
  .moved(hold_i && lowest != slot1), .queue(count > 1)
);

`default_nettype wire
