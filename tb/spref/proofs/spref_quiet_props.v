// spare_reg_pref as a whole, without counters: while quiet_o is high and nothing is offered, no
// flop of it changes, so its clock may rest. What is offered obeys the rules in its header; of what
// is not the fields are zeros, as a few that nobody then reads would follow them.
`default_nettype none
`include "wf_assert.vh"
module spref_quiet_props #(
  parameter integer NumWarp = 2,
  parameter integer Lanes = 1,
  parameter integer RegBits = 3,
  parameter integer PcBits = 5,
  parameter integer OffBits = 4,
  parameter integer PredBits = 1,
  parameter integer NumForm = 4,
  parameter integer MaxTries = 1,
  parameter integer AgeBits = 1,
  parameter integer Queue = 1,
  parameter integer CntLanes = 1,
  parameter integer Waiting = 1,
  parameter integer AddrBits = 1,
  parameter integer NearBits = 2,
  parameter integer Tries = 1,
  localparam integer WarpW = 1,
  localparam integer SlotW = 1
) (
  input wire clk_i,
  input wire in_valid, input wire [WarpW-1:0] in_warp, input wire [PcBits-1:0] in_pc,
  input wire [3:0] in_op, input wire in_guard, input wire [PredBits-1:0] in_gpred,
  input wire in_gneg, input wire [Lanes-1:0] in_mask, input wire in_dst_v,
  input wire [RegBits-1:0] in_dst, input wire [RegBits-1:0] in_a, input wire [1:0] in_bkind,
  input wire [RegBits-1:0] in_b, input wire [2:0] in_pair, input wire [15:0] in_imm,
  input wire [1:0] in_ext, input wire [3:0] in_sh, input wire in_wide, input wire [2:0] in_cmp,
  input wire in_pd_v, input wire [PredBits-1:0] in_pd, input wire [PcBits-1:0] in_target,
  input wire in_taken, input wire in_counted, input wire in_last,
  input wire [Tries*WarpW-1:0] try_warp, input wire [Tries*PcBits-1:0] try_pc,
  input wire [Tries*4-1:0] try_op, input wire out_ready, input wire cnt_valid,
  input wire [WarpW-1:0] cnt_warp, input wire cnt_pre, input wire cnt_wide, input wire cnt_sign,
  input wire [CntLanes-1:0] cnt_mask, input wire [CntLanes*64-1:0] cnt_a,
  input wire [CntLanes*64-1:0] cnt_b, input wire ld_valid, input wire [WarpW-1:0] ld_warp,
  input wire [3:0] ld_type, input wire ld_inject, input wire ld_over, input wire ld_far,
  input wire [Lanes*AddrBits-1:0] ld_addr, input wire inj_ready, input wire sum_valid,
  input wire [SlotW-1:0] sum_slot, input wire sum_far, input wire [Lanes*AddrBits-1:0] sum_addr,
  input wire done_valid, input wire [WarpW-1:0] done_warp, input wire [RegBits-1:0] done_reg,
  input wire done_fault, input wire [NumWarp-1:0] issued, input wire next_valid,
  input wire [WarpW-1:0] next_warp, input wire next_dst_v, input wire next_all,
  input wire [RegBits-1:0] next_dst, input wire new_kernel, input wire hint_valid,
  input wire [2:0] hint_kind, input wire hint_slot, input wire [PcBits-1:0] hint_pc,
  input wire hint_reg_v, input wire [RegBits-1:0] hint_reg, input wire [15:0] hint_imm,
  input wire [3:0] hint_sh, input wire [1:0] hint_ext, input wire hint_wide,
  input wire [2:0] hint_cmp, input wire hint_swap
);
`include "formal.vh"
  (* anyconst *) wire en, hints_on, cache_only, widen;
  (* anyconst *) wire [1:0] distance;
  (* anyconst *) wire [RegBits:0] max_s, max_d;
  wire quiet;
  spare_reg_pref #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .PcBits(PcBits), .OffBits(OffBits),
    .PredBits(PredBits), .NumForm(NumForm), .MaxTries(MaxTries), .AgeBits(AgeBits), .Queue(Queue),
    .CntLanes(CntLanes), .Waiting(Waiting), .AddrBits(AddrBits), .NearBits(NearBits),
    .Tries(Tries), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en), .hints_on_i(hints_on), .distance_i(distance),
    .cache_only_i(cache_only), .widen_i(widen), .max_s_i(max_s), .max_d_i(max_d),
    .in_valid_i(in_valid), .in_warp_i(in_warp & {WarpW{in_valid}}),
    .in_pc_i(in_pc & {PcBits{in_valid}}), .in_op_i(in_op & {4{in_valid}}),
    .in_guard_i(in_guard & in_valid), .in_gpred_i(in_gpred & {PredBits{in_valid}}),
    .in_gneg_i(in_gneg & in_valid), .in_mask_i(in_mask & {Lanes{in_valid}}),
    .in_dst_v_i(in_dst_v & in_valid), .in_dst_i(in_dst & {RegBits{in_valid}}),
    .in_a_i(in_a & {RegBits{in_valid}}), .in_bkind_i(in_bkind & {2{in_valid}}),
    .in_b_i(in_b & {RegBits{in_valid}}), .in_pair_i(in_pair & {3{in_valid}}),
    .in_imm_i(in_imm & {16{in_valid}}), .in_ext_i(in_ext & {2{in_valid}}),
    .in_sh_i(in_sh & {4{in_valid}}), .in_wide_i(in_wide & in_valid),
    .in_cmp_i(in_cmp & {3{in_valid}}), .in_pd_v_i(in_pd_v & in_valid),
    .in_pd_i(in_pd & {PredBits{in_valid}}), .in_target_i(in_target & {PcBits{in_valid}}),
    .in_taken_i(in_taken & in_valid), .in_counted_i(in_counted & in_valid),
    .in_last_i(in_last & in_valid), .try_warp_i(try_warp), .try_pc_i(try_pc), .try_op_i(try_op),
    .out_ready_i(out_ready), .cnt_valid_i(cnt_valid), .cnt_warp_i(cnt_warp & {WarpW{cnt_valid}}),
    .cnt_pre_i(cnt_pre & cnt_valid), .cnt_wide_i(cnt_wide & cnt_valid),
    .cnt_sign_i(cnt_sign & cnt_valid), .cnt_mask_i(cnt_mask & {CntLanes{cnt_valid}}),
    .cnt_a_i(cnt_a & {CntLanes*64{cnt_valid}}), .cnt_b_i(cnt_b & {CntLanes*64{cnt_valid}}),
    .ld_valid_i(ld_valid), .ld_warp_i(ld_warp & {WarpW{ld_valid}}),
    .ld_type_i(ld_type & {4{ld_valid}}), .ld_inject_i(ld_inject & ld_valid),
    .ld_over_i(ld_over & ld_valid), .ld_far_i(ld_far & ld_valid),
    .ld_addr_i(ld_addr & {Lanes*AddrBits{ld_valid}}), .inj_ready_i(inj_ready),
    .sum_valid_i(sum_valid), .sum_slot_i(sum_slot & {SlotW{sum_valid}}),
    .sum_far_i(sum_far & sum_valid), .sum_addr_i(sum_addr & {Lanes*AddrBits{sum_valid}}),
    .done_valid_i(done_valid), .done_warp_i(done_warp & {WarpW{done_valid}}),
    .done_reg_i(done_reg & {RegBits{done_valid}}), .done_fault_i(done_fault & done_valid),
    .issued_i(issued), .next_valid_i(next_valid), .next_warp_i(next_warp & {WarpW{next_valid}}),
    .next_dst_v_i(next_dst_v & next_valid), .next_all_i(next_all & next_valid),
    .next_dst_i(next_dst & {RegBits{next_valid}}), .new_kernel_i(new_kernel),
    .hint_valid_i(hint_valid), .hint_kind_i(hint_kind & {3{hint_valid}}),
    .hint_slot_i(hint_slot & hint_valid), .hint_pc_i(hint_pc & {PcBits{hint_valid}}),
    .hint_reg_v_i(hint_reg_v & hint_valid), .hint_reg_i(hint_reg & {RegBits{hint_valid}}),
    .hint_imm_i(hint_imm & {16{hint_valid}}), .hint_sh_i(hint_sh & {4{hint_valid}}),
    .hint_ext_i(hint_ext & {2{hint_valid}}), .hint_wide_i(hint_wide & hint_valid),
    .hint_cmp_i(hint_cmp & {3{hint_valid}}), .hint_swap_i(hint_swap & hint_valid),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(5'd0), .in_ready_o(), .need_o(),
    .out_valid_o(), .out_warp_o(), .out_move_o(), .out_move_reg_o(), .out_inject_o(),
    .out_reg_v_o(), .out_reg_o(), .out_base_v_o(), .out_over_o(), .out_base_o(), .out_index_o(),
    .out_scale_o(), .out_ext_o(), .out_offset_o(), .out_mask_o(), .test_v_o(), .test_pc_o(),
    .pre_v_o(), .pre_pc_o(), .cnt_ready_o(), .counted_o(), .counted_warp_o(), .held_o(), .go_o(),
    .move_o(), .inject_o(), .ld_ready_o(), .ld_slot_o(), .inj_valid_o(), .inj_add_o(),
    .inj_sum_o(), .inj_slot_o(), .inj_warp_o(), .inj_type_o(), .inj_reg_v_o(), .inj_reg_o(),
    .inj_base_v_o(), .inj_base_o(), .inj_index_o(), .inj_scale_o(), .inj_ext_o(),
    .inj_offset_o(), .inj_mask_o(), .inj_far_o(), .inj_addr_o(), .sum_ready_o(), .done_ready_o(),
    .ask_o(), .hold_o(), .wait_o(), .hint_ready_o(), .live_o(), .cnt_value_o(), .quiet_o(quiet),
    .idle_o()
  );
  wire offered = in_valid || cnt_valid || ld_valid || inj_ready || sum_valid || done_valid
                 || issued != '0 || next_valid || new_kernel || hint_valid;
  `WF_QUIET(quiet && !offered)
  // It rests, does something, and rests again.
  reg [1:0] seen_q;
  initial seen_q = 2'd0;
  always @(posedge clk_i) if (rst_ni && quiet == (seen_q != 2'd1) && seen_q != 2'd3)
    seen_q <= seen_q + 2'd1;
  `WF_COVER(rests_again, seen_q == 2'd3)
endmodule
`default_nettype wire
