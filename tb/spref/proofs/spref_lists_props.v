// spref_warp with the registers that spref_fit gives to targets: any table, any spare registers,
// any instructions and counts. What is named is spare (rule 2 of spref_warp), and a tail's index is
// not its own register (rule 4).
`default_nettype none
`include "wf_assert.vh"
module spref_lists_props #(
  parameter integer RegBits = 4,
  parameter integer OffBits = 3,
  parameter integer NumForm = 4
) (
  input wire clk_i, input wire want, input wire in_loop, input wire leader, input wire head1,
  input wire [1:0] tail, input wire crit, input wire test, input wire counted, input wire drop,
  input wire count, input wire [1:0] count_class, input wire [3:0] row, input wire last
);
`include "formal.vh"
  localparam integer CritW = $clog2(NumForm + 2);
  // The table: made once, then it stands.
  (* anyconst *) wire cache_only;
  (* anyconst *) wire [RegBits:0] spare;
  (* anyconst *) wire [1:0] distance, has_head, has_tail, head_wide, tail_wide;
  (* anyconst *) wire [2*OffBits-1:0] head_off, tail_off;
  (* anyconst *) wire [OffBits-1:0] test_off;
  wire counted_o, fits;
  wire [1:0] heads, tails, dmax;
  wire [CritW-1:0] ncrit;
  wire [3*CritW-1:0] pos;
  wire [11:0] first;
  wire [3:0] has_reg;
  reg clean_q, made_q;
  initial clean_q = 1'b0;
  initial made_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    clean_q <= 1'b1;
    made_q <= clean_q;
  end
  wire fit = clean_q && !made_q;
  spref_fit #(.RegBits(RegBits), .OffBits(OffBits), .NumForm(NumForm)) table (
    .clk_i(clk_i), .rst_ni(rst_ni), .count_i(1'b0), .fit_i(fit), .hold_i(clean_q),
    .cache_only_i(cache_only), .spare_i(spare), .need_i('0), .off_i('0), .head_v_i(has_head),
    .tail_v_i(has_tail), .head_wide_i(head_wide), .tail_wide_i(tail_wide), .head_off_i(head_off),
    .tail_off_i(tail_off), .test_off_i(test_off), .counted_o(counted_o), .ok_o(fits),
    .head_ok_o(heads), .tail_ok_o(tails), .ncrit_o(ncrit), .pos_o(pos), .first_o(first),
    .has_reg_o(has_reg), .dmax_o(dmax)
  );
  `WF_ASSUME(made, !fit || fits, "a table is live if its first head fits")
  `WF_ASSUME(room, spare <= 5'd16, "spare registers have names")
  `WF_ASSUME(classes, count_class != 2'd0, "classes are 1 to 3")
  // Targets are at different places: an instruction is one of them at most.
  wire is_head1 = head1 && heads[1];
  wire [1:0] is_tail = tail & tails;
  `WF_ASSUME(roles, {2'd0, leader} + {2'd0, is_head1} + {2'd0, is_tail[0]} + {2'd0, is_tail[1]}
             <= 3'd1, "an instruction is one target")
  wire inject_head, inject_tail, slot, reg_v;
  wire [RegBits-1:0] inject_reg, index;
  spref_warp #(.NumWarp(1), .Lanes(1), .RegBits(RegBits), .CritW(CritW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .distance_i(distance), .base_i('0), .spare_i(spare),
    .s2_i(1'b1), .s2_warp_i(1'b0), .s2_mask_i(1'b1), .s2_row_i(row),
    .s3_i(want && made_q && rst_ni), .s3_warp_i(1'b0), .counted_i(counted), .in_loop_i(in_loop),
    .leader_i(leader), .head1_i(is_head1), .tail_i(is_tail), .crit_i(crit), .test_i(test),
    .pre_i(1'b0), .clobber_i(1'b0), .drop_i(drop), .last_i(last), .imm_i(16'd0), .tail_v_i(tails),
    .head_wide_i(head_wide), .tail_wide_i(tail_wide), .stride_i('0), .ncrit_i(ncrit), .pos_i(pos),
    .first_i(first), .has_reg_i(has_reg), .dmax_i(dmax), .set_i(count), .set_warp_i(1'b0),
    .set_class_i(count_class), .fault_i(1'b0), .fault_warp_i(1'b0), .clear_i(1'b0),
    .inject_head_o(inject_head), .inject_tail_o(inject_tail), .inject_slot_o(slot),
    .inject_reg_v_o(reg_v), .inject_reg_o(inject_reg), .index_o(index)
  );
  `WF_ASSERT(other_index, !(inject_tail && reg_v) || inject_reg != index,
             "a tail's index is not its own register")
  `WF_COVER(second_tail, inject_tail && slot && reg_v && head_wide[1] && dmax == 2'd2)
  wire unused = &{1'b0, inject_head, counted_o, fits};
endmodule
`default_nettype wire
