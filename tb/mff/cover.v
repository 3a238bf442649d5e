// Situations inside mff_unit that its tests must have met, bound into models built for coverage:
// the ports do not show them. Each becomes a functional bin MODULE.NAME, summed over instances; the
// bins that the ports do show are counted in mff_cover.c.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

// List lengths and the rotation of walks.
module mff_walk_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire take,
  input wire last,
  input wire several_ready,
  input wire gapless,
  input wire again
);
  reg [5:0] length_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) length_q <= 6'd1;
    else if (take) length_q <= last ? 6'd1 : length_q == 6'd63 ? 6'd63 : length_q + 6'd1;
  wire ends = take && last;
  `WF_COVER(list_of_1, ends && length_q == 6'd1)
  `WF_COVER(list_of_2, ends && length_q == 6'd2)
  `WF_COVER(list_of_3, ends && length_q == 6'd3)
  `WF_COVER(list_of_4_to_15, ends && length_q > 6'd3 && length_q < 6'd16)
  `WF_COVER(list_of_16_or_more, ends && length_q > 6'd15)
  `WF_COVER(several_lines_ready, several_ready)
  `WF_COVER(next_list_without_gap, gapless)
  `WF_COVER(list_grew_during_its_walk, again)
endmodule
bind mff_walk mff_walk_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .take(take), .last(node_last_i),
  .several_ready((ready_q & (ready_q - 1'b1)) != '0), .gapless(start && take), .again(set_again_i)
);

// Lookups against the walker: every race that the table's header names.
module mff_table_cover #(parameter integer VSide = 1) (
  input wire clk_i,
  input wire rst_ni,
  input wire fire, same, hit, alloc, chain, fwd_head, det, det_joins, det_fwd,
  input wire free_try, free_done, free_joins, match_lost,
  input wire tags_full, regs_full, no_reg, no_tag, no_rd
);
  generate
    if (VSide != 0) begin : v
      `WF_COVER(merge, fire && hit)
      `WF_COVER(miss, alloc)
      `WF_COVER(same_block_back_to_back, fire && same)
      `WF_COVER(chain_of_three_in_a_row, fire && chain && fwd_head)
      `WF_COVER(detach_while_joined, det && det_joins && fire)
      `WF_COVER(detach_forwards_head, det && det_fwd)
      `WF_COVER(free_refused_by_list, free_try && !free_done && !free_joins)
      `WF_COVER(free_against_join, free_try && !free_done && free_joins)
      `WF_COVER(tags_full, tags_full)
      `WF_COVER(registers_full, regs_full)
      `WF_COVER(miss_waits_for_tag, no_tag)
      `WF_COVER(miss_waits_for_read_queue, no_rd)
    end else begin : c
      `WF_COVER(merge, fire && hit)
      `WF_COVER(miss, alloc)
      `WF_COVER(same_block_back_to_back, fire && same)
      `WF_COVER(detach_while_joined, det && det_joins && fire)
      `WF_COVER(detach_forwards_head, det && det_fwd)
      `WF_COVER(free_refused_by_list, free_try && !free_done && !free_joins)
      `WF_COVER(free_against_join, free_try && !free_done && free_joins)
      `WF_COVER(lines_full, tags_full)
      `WF_COVER(registers_full, regs_full)
      `WF_COVER(miss_waits_for_line, no_tag)
    end
    // Each needs a table that is short of registers; one side or the other suffices.
  endgenerate
  `WF_COVER(request_waits_for_register, no_reg)
  `WF_COVER(waiting_match_lost_to_free, match_lost)
  // No bin for s2_same_q lost to a free: the register that ends the wait is back two cycles after
  // the walk took its node, no later than mff_keep can free that tag, and a free is refused once a
  // register is there.
endmodule
bind mff_table mff_table_cover #(.VSide(HasAddr)) u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .fire(s2_fire), .same(s2_same_q), .hit(s2_hit), .alloc(s2_alloc),
  .chain(s2_chain && !(det_i && s2_tag == det_tag_i)),
  .fwd_head(s3_valid_q && s2_tag == s3_tag_q), .det(det_i),
  .det_joins(s2_hit && s2_tag == det_tag_i), .det_fwd(s3_valid_q && s3_tag_q == det_tag_i),
  .free_try(free_i), .free_done(free_done_o),
  .free_joins(free_i && !list_o && s2_valid_q && s2_uses_free),
  .match_lost(free_done_o && s2_valid_q && s2_uses_free), .tags_full(&held),
  .regs_full(!reg_avail), .no_reg(s2_valid_q && !reg_avail),
  .no_tag(s2_valid_q && reg_avail && !s2_hit && !tag_avail), .no_rd(ev_stall_rd_o)
);

module mff_hash_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire second_bank, way_just_taken, sets_full
);
  `WF_COVER(tag_of_second_bank, second_bank)
  `WF_COVER(way_just_taken, way_just_taken)
  `WF_COVER(sets_full_tags_free, sets_full)
endmodule
bind mff_hash mff_hash_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .second_bank(|(took >> W)),
  .way_just_taken(se_move_i && take_i && se_valid_i && after_pick != se_pick),
  .sets_full(s2_valid_i && s2_pick == '0 && !(&held_q))
);

// Requests of a run's neighbours.
module mff_cside_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire fire,
  input wire op,
  input wire [1:0] elements,
  input wire split,
  input wire stalled
);
  `WF_COVER(gather_of_1, fire && !op && elements == 2'd0)
  `WF_COVER(gather_of_2, fire && !op && elements == 2'd1)
  `WF_COVER(gather_of_3, fire && !op && elements == 2'd2)
  `WF_COVER(gather_of_4, fire && !op && elements == 2'd3)
  `WF_COVER(scatter_of_1, fire && op && elements == 2'd0)
  `WF_COVER(scatter_of_2, fire && op && elements == 2'd1)
  `WF_COVER(scatter_of_3, fire && op && elements == 2'd2)
  `WF_COVER(scatter_of_4, fire && op && elements == 2'd3)
  `WF_COVER(group_split, split)
  `WF_COVER(crossbar_holds_walk, stalled)
endmodule
bind mff_cside mff_cside_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .fire(e5_fire), .op(e5_op_q), .elements(e5_m1),
  .split(e5_fire && !e5_done_q), .stalled(e5_valid_q && !e5_ready)
);

module mff_vside_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire write, same_now, same_before, kept, early, early_again, end_waits, lines_full,
  land_waits, input wire row_blocks_walk, tok_join, tok_full, tok_waits, several_rows, free_both
);
  `WF_COVER(scatter_to_the_word_before, write && same_now)
  `WF_COVER(scatter_to_the_word_two_before, same_before)
  `WF_COVER(node_kept_while_waiting, kept)
  `WF_COVER(early_write, early)
  `WF_COVER(clean_or_dirty_end_after_early_write, early_again)
  `WF_COVER(list_end_waits_for_write_back, end_waits)
  `WF_COVER(lines_full, lines_full)
  `WF_COVER(block_waits_for_line, land_waits)
  `WF_COVER(write_back_read_goes_first, row_blocks_walk)
  `WF_COVER(token_joined, tok_join)
  `WF_COVER(token_queue_full, tok_full)
  `WF_COVER(scatter_waits_for_token_entry, tok_waits)
  `WF_COVER(write_back_of_several_sectors, several_rows)
  `WF_COVER(two_lines_freed_at_once, free_both)
endmodule
bind mff_vside mff_vside_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .write(w3_write), .same_now(w2_move && w2_op_q && w3_at == w2_at),
  .same_before(w2_valid_q && !w2_kept_q && w2_op_q && prev_write_q && prev_at_q == w2_at),
  .kept(w2_valid_q && w2_kept_q), .early(wo_start_early), .early_again(wo_start_end && wo_early_q),
  .end_waits(w3_valid_q && !w3_end_ok), .lines_full(!line_avail), .land_waits(ev_stall_line_o),
  .row_blocks_walk(node_valid && wo_re), .tok_join(w3_write && tok_join),
  .tok_full(tok_fill_q == TokDepth[TokFillW-1:0]), .tok_waits(w3_valid_q && w3_op_q && !tok_room),
  .several_rows(wo_start && |wo_mask_d[Words-1:8] && |wo_mask_d[7:0]),
  .free_both(free_q && wo_free_q)
);

module mff_pack_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire fire, hit, full, fills, starts_anew, flush, by_sweep, at_end, part
);
  `WF_COVER(words_join_entry, fire && hit)
  `WF_COVER(words_take_free_entry, fire && !hit && !full)
  `WF_COVER(words_evict_entry, fire && !hit && full)
  `WF_COVER(entry_filled, fire && fills)
  `WF_COVER(entry_filled_and_started_anew, fire && starts_anew)
  `WF_COVER(swept_after_a_while, flush && by_sweep && !at_end)
  `WF_COVER(swept_at_the_end, flush && by_sweep && at_end)
  `WF_COVER(node_taken_in_parts, part)
endmodule
bind mff_pack mff_pack_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .fire(fire), .hit(p1_hit_q), .full(full), .fills(fills),
  .starts_anew(over != 3'd0), .flush(flush), .by_sweep(sweep_flush), .at_end(flush_i),
  .part(fire && taken != rest)
);

module mff_xbar_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire conflict,
  input wire refill,
  input wire refused
);
  `WF_COVER(two_inputs_for_one_output, conflict)
  `WF_COVER(queue_refilled_as_it_empties, refill)
  `WF_COVER(input_waits, refused)
endmodule
bind mff_xbar mff_xbar_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .conflict(|(some & ~pop_c) && |pop_c), .refill(|(push_c & some)),
  .refused(|(in_valid_i & ~in_ready_o))
);

module mff_jobs_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire no_job, no_row, dropped, forward, commit_waits, at_once, announce_waits
);
  `WF_COVER(header_waits_for_job, no_job)
  `WF_COVER(lanes_wait_for_row, no_row)
  `WF_COVER(rows_given_back, dropped)
  `WF_COVER(tokens_of_one_job_in_a_row, forward)
  `WF_COVER(commit_waits_for_token, commit_waits)
  `WF_COVER(done_at_once, at_once)
  `WF_COVER(announcement_waits, announce_waits)
endmodule
bind mff_jobs mff_jobs_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .no_job(ev_stall_job_o && state_q == HEAD), .no_row(ev_stall_job_o && state_q == LANES),
  .dropped(row_drop_o && flits_q != '0), .forward(t2_valid_q && t2_fwd_q),
  .commit_waits(state_q == COMMIT && counting), .at_once(commit && at_once),
  .announce_waits(ann_q && !ann_ready_i)
);

module mff_seq_cover (
  input wire clk_i,
  input wire rst_ni,
  input wire crosses, next_row, gapless, stalled
);
  `WF_COVER(run_crosses_block, crosses)
  `WF_COVER(next_row_of_lanes, next_row)
  `WF_COVER(next_job_without_gap, gapless)
  `WF_COVER(crossbar_holds_run, stalled)
endmodule
bind mff_seq mff_seq_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .crosses(q2_take && second_q), .next_row(more),
  .gapless(start && finish), .stalled(run_valid_o && !run_ready_i)
);

// Every pair of the crossbars: slices of the configuration "small".
module mff_pairs_cover #(parameter integer N = 2) (
  input wire clk_i,
  input wire rst_ni,
  input wire [3:0] c_pair, v_pair, t_pair
);
  generate
    if (N == 2) begin : two
      `WF_COVER(run_0_to_0, c_pair[0])
      `WF_COVER(run_1_to_0, c_pair[1])
      `WF_COVER(run_0_to_1, c_pair[2])
      `WF_COVER(run_1_to_1, c_pair[3])
      `WF_COVER(request_0_to_0, v_pair[0])
      `WF_COVER(request_1_to_0, v_pair[1])
      `WF_COVER(request_0_to_1, v_pair[2])
      `WF_COVER(request_1_to_1, v_pair[3])
      `WF_COVER(token_0_to_0, t_pair[0])
      `WF_COVER(token_1_to_0, t_pair[1])
      `WF_COVER(token_0_to_1, t_pair[2])
      `WF_COVER(token_1_to_1, t_pair[3])
    end
  endgenerate
endmodule
bind mff_unit mff_pairs_cover #(.N(NSlice)) u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .c_pair({u_xc.push_c[(NSlice > 1 ? 3 : 0)], u_xc.push_c[(NSlice > 1 ? 2 : 0)],
           u_xc.push_c[(NSlice > 1 ? 1 : 0)], u_xc.push_c[0]}),
  .v_pair({u_xv.push_c[(NSlice > 1 ? 3 : 0)], u_xv.push_c[(NSlice > 1 ? 2 : 0)],
           u_xv.push_c[(NSlice > 1 ? 1 : 0)], u_xv.push_c[0]}),
  .t_pair({u_xt.push_c[(NSlice > 1 ? 3 : 0)], u_xt.push_c[(NSlice > 1 ? 2 : 0)],
           u_xt.push_c[(NSlice > 1 ? 1 : 0)], u_xt.push_c[0]})
);

`default_nettype wire
