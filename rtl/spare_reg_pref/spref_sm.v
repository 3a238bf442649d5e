// spref_sm: one cycle of an SM's issue stage beside spref_edge and the unit, for timing: what two
// schedulers have chosen, the unit's answer (spref_sieve, spref_edge), what issues, who is told,
// whose instruction buffers are read, and what is chosen next (spref_choose), flop to flop. Nothing
// of it runs: `make synth` times it, and prices spref_reads and spref_choose.
//
// TIMING. All has one clock. A cycle issues what was chosen in the one before, unless the unit is
// now against it. From flops come what is chosen by, the buffers' flags (with a load's: it has its
// answer; that flags follow who issued is the SM's scoreboard, of which no path is timed), a test's
// operands (the latch of the collector's RAM, whose address goes out), a base whose load overwrites
// it (no path to the register file is timed), which pipes are free. Of the buffers' words a fifth
// of a period is taken, as at any port; lanes and whether a branch is taken are among them, as the
// SM's SIMT stack and predicates say, which are read for what issues anyway. What has a cycle of
// its own beside this (hints, levels) comes from flops of which no path is timed.
//
// Parameters: those of spref_edge. Storage: none that an SM has not.
`default_nettype none

module spref_sm #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer PredBits = 4,
  parameter integer AddrBits = 40,
  parameter integer Waiting = 16,
  parameter integer CntLanes = 8,
  parameter integer Tries = 2,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1,
  localparam integer Beats = (Lanes + CntLanes - 1) / CntLanes,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer DataW = PcBits + Lanes + 3*RegBits + 2*PredBits + 37,
  localparam integer LoadW = PcBits + PredBits + Lanes + 2*RegBits + 23,
  localparam integer BufW = PcBits + 5 + DataW,
  localparam integer NextW = RegBits + 2,
  localparam integer FixedW = 2*RegBits + 9,
  localparam integer TestW = 3 + WarpW + CntLanes + 128*CntLanes
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  // of each warp's next instruction: its operands are there; as a move; what it is
  input  wire [NumWarp-1:0]       there_i,
  input  wire [NumWarp-1:0]       move_there_i,
  input  wire [NumWarp-1:0]       is_load_i,
  input  wire [NumWarp-1:0]       is_over_i,  // whose base has been read
  input  wire [NumWarp-1:0]       is_branch_i,
  input  wire [NumWarp-1:0]       is_end_i,
  input  wire [NumWarp*BufW-1:0]  first_i,    // {data, plain, op, PC}
  // of the one behind it, should that issue: no load is answered so soon
  input  wire [NumWarp-1:0]       behind_there_i,
  input  wire [NumWarp-1:0]       behind_branch_i,
  input  wire [NumWarp-1:0]       behind_end_i,
  input  wire [NumWarp*BufW-1:0]  behind_i,
  input  wire [Tries-1:0]         add_free_i,
  input  wire                     load_free_i,
  output reg  [Tries-1:0]         issues_o,
  output reg  [Tries*NumWarp-1:0] pick_bit_o,  // whose
  // instruction buffers: each warp's next instruction
  input  wire [NumWarp-1:0]       load_i,
  input  wire [NumWarp-1:0]       have_i,
  input  wire [NumWarp*LoadW-1:0] word_i,
  input  wire [NumWarp*NextW-1:0] next_i,
  // the rest of both modules' ports
  input  wire [3:0]               ld_type_i,
  input  wire                     ld_far_i,
  input  wire [Lanes*AddrBits-1:0] ld_addr_i,
  input  wire                     sum_valid_i,
  input  wire [SlotW-1:0]         sum_slot_i,
  input  wire                     sum_far_i,
  input  wire [Lanes*AddrBits-1:0] sum_addr_i,
  input  wire                     done_valid_i,
  input  wire [WarpW-1:0]         done_warp_i,
  input  wire [RegBits-1:0]       done_reg_i,
  input  wire                     done_fault_i,
  input  wire [FixedW-1:0]        fixed_i,
  input  wire [TestW-1:0]         test_i,
  output wire [Lanes+4*RegBits+WarpW+31:0] answer_o,
  output wire [Lanes*AddrBits+Lanes+3*RegBits+WarpW+SlotW+33:0] inject_o,
  output wire [BeatW-1:0]         beat_o,    // address of the collector's RAM
  output reg  [11:0]              rest_o
);
  initial if (NumWarp < 2 || Tries < 1 || Tries > NumWarp)
    $fatal(1, "spref_sm: NumWarp must be 2 or more, Tries 1..NumWarp");

  // A cycle begins.
  wire [Tries-1:0] valid_q, plain_q, branch_q, end_q, loads_q, moves_q, over_q;
  wire [Tries*WarpW-1:0] warp_q;
  wire [Tries*PcBits-1:0] pc_q;
  wire [Tries*4-1:0] op_q;
  wire [Tries*DataW-1:0] data_q;
  wire [Tries*NumWarp-1:0] bit_q;
  reg load_free_q;
  reg [Tries-1:0] add_free_q;
  reg [NumWarp-1:0] load_q, have_q, there_q, move_there_q, is_load_q, is_over_q, is_branch_q,
                    is_end_q, behind_there_q, behind_branch_q, behind_end_q;
  reg [FixedW-1:0] fixed_q;
  reg [TestW-1:0] test_q;
  reg ld_far_q;
  reg [Lanes*AddrBits-1:0] ld_addr_q;
  always_ff @(posedge clk_i) begin
    {add_free_q, load_free_q} <= {add_free_i, load_free_i};
    {load_q, have_q, there_q, move_there_q, is_load_q, is_over_q, is_branch_q, is_end_q}
        <= {load_i, have_i, there_i, move_there_i, is_load_i, is_over_i, is_branch_i, is_end_i};
    {behind_there_q, behind_branch_q, behind_end_q}
        <= {behind_there_i, behind_branch_i, behind_end_i};
    fixed_q <= fixed_i;
    test_q <= test_i;
    {ld_far_q, ld_addr_q} <= {ld_far_i, ld_addr_i};
  end

  // What issues.
  wire [NumWarp-1:0] u_go, u_inject, moves, hold, u_wait, held;
  wire [Tries-1:0] must, may;
  wire u_ld_ready, inj_valid;
  wire [WarpW-1:0] inj_warp;
  wire [Tries-1:0] inj_mine;  // the offer is of a warp of that scheduler
  generate
    for (genvar k = 0; k < Tries; k = k + 1) begin : g_mine
      assign inj_mine[k] = inj_warp % WarpW'(Tries) == WarpW'(k);
    end
  endgenerate
  wire inj_add = inject_o[0];
  wire inj_take = inj_valid && (inj_add ? (inj_mine & add_free_q) != '0 : load_free_q);
  reg [Tries-1:0] free_c, try_c, named_c, lds_c;
  reg [NumWarp-1:0] one_c, ld_bit_c;
  reg [WarpW-1:0] ld_warp_c;
  reg ld_c, ld_inject_c, ld_over_c;
  always_comb begin
    ld_bit_c = '0;
    ld_warp_c = '0;
    ld_c = 1'b0;
    ld_inject_c = 1'b0;
    ld_over_c = 1'b0;
    for (int k = 0; k < Tries; k = k + 1) begin
      one_c = bit_q[k*NumWarp +: NumWarp];
      named_c[k] = (one_c & u_go) != '0;
      free_c[k] = valid_q[k] && !(inj_take && inj_mine[k])
                  && (one_c & hold) == '0;
      try_c[k] = free_c[k] && !loads_q[k]
                 && !((end_q[k] || branch_q[k]) && (one_c & held) != '0)
                 && !(end_q[k] && (one_c & u_wait) != '0);
      lds_c[k] = free_c[k] && loads_q[k] && u_ld_ready && named_c[k] && !ld_c
                 && ((one_c & moves) != '0) == moves_q[k];
      ld_inject_c = ld_inject_c || (lds_c[k] && (one_c & u_inject) != '0);
      ld_over_c = ld_over_c || (lds_c[k] && over_q[k]);
      ld_c = ld_c || lds_c[k];
      ld_warp_c = ld_warp_c | (warp_q[k*WarpW +: WarpW] & {WarpW{lds_c[k]}});
      ld_bit_c = ld_bit_c | (one_c & {NumWarp{lds_c[k]}});
    end
  end
  wire [Tries-1:0] issue = lds_c | (try_c & may);
  reg [NumWarp-1:0] iss_c;
  always_comb begin
    iss_c = '0;
    for (int k = 0; k < Tries; k = k + 1)
      iss_c = iss_c | (bit_q[k*NumWarp +: NumWarp] & {NumWarp{issue[k]}});
  end
  always_ff @(posedge clk_i) issues_o <= issue;

  // What issues next.
  wire [Tries*BufW-1:0] word_q;
  generate
    for (genvar k = 0; k < Tries; k = k + 1) begin : g_word
      assign {data_q[k*DataW +: DataW], plain_q[k], op_q[k*4 +: 4], pc_q[k*PcBits +: PcBits]}
          = word_q[k*BufW +: BufW];
    end
  endgenerate
  spref_choose #(.NumWarp(NumWarp), .Tries(Tries), .WordW(BufW)) u_choose (
    .clk_i(clk_i), .rst_ni(rst_ni), .there_i(there_q), .move_there_i(move_there_q),
    .is_load_i(is_load_q), .is_over_i(is_over_q), .is_branch_i(is_branch_q), .is_end_i(is_end_q),
    .first_i(first_i), .behind_there_i(behind_there_q), .behind_branch_i(behind_branch_q),
    .behind_end_i(behind_end_q), .behind_i(behind_i), .go_i(u_go), .move_i(moves), .hold_i(hold),
    .wait_i(u_wait), .held_i(held), .issue_i(issue), .valid_o(valid_q), .warp_o(warp_q),
    .bit_o(bit_q), .word_o(word_q), .load_o(loads_q), .move_o(moves_q), .over_o(over_q),
    .branch_o(branch_q), .end_o(end_q)
  );
  always_ff @(posedge clk_i) pick_bit_o <= bit_q;

  // Whose buffers are read.
  wire [NumWarp-1:0] load_bit, next_bit;
  wire [LoadW-1:0] load_word;
  wire [NextW-1:0] next_word;
  spref_reads #(.NumWarp(NumWarp), .LoadW(LoadW), .NextW(NextW)) u_reads (
    .load_bit_i(load_bit), .next_bit_i(next_bit), .word_i(word_i), .next_i(next_i),
    .word_o(load_word), .next_o(next_word)
  );
  wire [DataW-1:0] load_data;
  wire [PcBits-1:0] load_pc;
  wire [PredBits-1:0] l_gpred;
  wire [Lanes-1:0] l_mask;
  wire l_guard, l_gneg, l_dst_v, l_wide;
  wire [RegBits-1:0] l_dst, l_a;
  wire [2:0] l_pair;
  wire [15:0] l_imm;
  assign {load_pc, l_wide, l_imm, l_pair, l_a, l_dst, l_dst_v, l_mask, l_gneg, l_gpred, l_guard}
      = load_word;
  assign load_data = DataW'({l_wide, 4'd0, 2'd0, l_imm, l_pair, {RegBits{1'b0}}, 2'd0, l_a, l_dst,
                             l_dst_v, l_mask, l_gneg, l_gpred, l_guard});

  // The two modules.
  wire quiet, test_v, pre_v, in_valid, in_ready, in_counted, cnt_valid, cnt_ready, sum_ready,
       done_ready, next_valid;
  wire [Tries-1:0] need;
  wire [PcBits-1:0] test_pc, pre_pc, in_pc;
  wire [WarpW-1:0] in_warp, next_warp;
  wire [3:0] in_op;
  wire [DataW-1:0] in_data;
  wire [NumWarp-1:0] u_held, u_hold, ask, issued;
  wire [63:0] edge_value;
  wire tell_valid, tell_counted, tell_pre, load_take, wake, busy, edge_idle;
  wire [BeatW-1:0] beat;
  spref_edge #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .PcBits(PcBits), .PredBits(PredBits),
    .CntLanes(CntLanes), .Tries(Tries)
  ) u_edge (
    .clk_i(clk_i), .rst_ni(rst_ni), .try_warp_i(warp_q), .try_pc_i(pc_q), .try_op_i(op_q),
    .try_plain_i(plain_q), .try_end_i(end_q), .try_go_i(try_c), .try_data_i(data_q),
    .must_o(must), .may_o(may), .tell_valid_o(tell_valid), .tell_counted_o(tell_counted),
    .tell_pre_o(tell_pre), .load_i(load_q), .load_take_o(load_take), .load_bit_o(load_bit),
    .load_pc_i(load_pc), .load_op_i(4'd5), .load_data_i(load_data), .ld_bit_i(ld_bit_c),
    .iss_i(iss_c), .have_i(have_q), .sm_hold_o(hold), .sm_held_o(held),
    .stirs_i(ld_c || inj_take || sum_valid_i || done_valid_i), .quiet_i(quiet), .need_i(need),
    .test_v_i(test_v), .test_pc_i(test_pc), .pre_v_i(pre_v), .pre_pc_i(pre_pc),
    .u_in_valid_o(in_valid), .u_in_ready_i(in_ready), .u_in_warp_o(in_warp), .u_in_pc_o(in_pc),
    .u_in_op_o(in_op), .u_in_data_o(in_data), .u_in_counted_o(in_counted), .held_i(u_held),
    .u_cnt_valid_o(cnt_valid), .u_cnt_ready_i(cnt_ready), .u_cnt_beat_o(beat), .issued_o(issued),
    .u_next_valid_o(next_valid), .u_next_warp_o(next_warp), .u_next_bit_o(next_bit), .ask_i(ask),
    .hold_i(u_hold), .wait_i(u_wait), .wake_o(wake), .busy_o(busy), .cnt_snapshot_i(1'b0),
    .cnt_clear_i(1'b0), .cnt_index_i(2'd0), .cnt_value_o(edge_value), .idle_o(edge_idle)
  );

  wire i_guard, i_gneg, i_dst_v, i_wide, i_pd_v, i_taken, i_last;
  wire [PredBits-1:0] i_gpred, i_pd;
  wire [Lanes-1:0] i_mask;
  wire [RegBits-1:0] i_dst, i_a, i_b;
  wire [1:0] i_bkind, i_ext;
  wire [2:0] i_pair, i_cmp;
  wire [15:0] i_imm;
  wire [3:0] i_sh;
  wire [PcBits-1:0] i_target;
  assign {i_last, i_taken, i_target, i_pd, i_pd_v, i_cmp, i_wide, i_sh, i_ext, i_imm, i_pair, i_b,
          i_bkind, i_a, i_dst, i_dst_v, i_mask, i_gneg, i_gpred, i_guard} = in_data;
  wire en, hints_on, cache_only, widen, new_kernel, cnt_pre, cnt_wide, cnt_sign;
  wire [1:0] distance;
  wire [RegBits:0] max_s, max_d;
  wire [WarpW-1:0] cnt_warp;
  wire [CntLanes-1:0] cnt_mask;
  wire [CntLanes*64-1:0] cnt_a, cnt_b;
  // The collector's RAM is read for the next cycle's beat.
  wire [BeatW-1:0] one_more = beat == BeatW'(Beats - 1) ? '0 : beat + 1'b1;
  assign beat_o = cnt_valid && cnt_ready ? one_more : beat;
  assign {en, hints_on, cache_only, widen, new_kernel, distance, max_s, max_d} = fixed_q;
  assign {cnt_pre, cnt_wide, cnt_sign, cnt_warp, cnt_mask, cnt_a, cnt_b} = test_q;
  wire counted, live, hint_ready, unit_idle;
  wire [WarpW-1:0] counted_warp;
  wire [SlotW-1:0] ld_slot;
  wire [63:0] unit_value;
  spare_reg_pref #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .PcBits(PcBits), .PredBits(PredBits),
    .AddrBits(AddrBits), .Waiting(Waiting), .CntLanes(CntLanes), .Tries(Tries)
  ) u_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en), .hints_on_i(hints_on), .distance_i(distance),
    .cache_only_i(cache_only), .widen_i(widen), .max_s_i(max_s), .max_d_i(max_d),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .in_warp_i(in_warp), .in_pc_i(in_pc),
    .in_op_i(in_op), .in_guard_i(i_guard), .in_gpred_i(i_gpred), .in_gneg_i(i_gneg),
    .in_mask_i(i_mask), .in_dst_v_i(i_dst_v), .in_dst_i(i_dst), .in_a_i(i_a),
    .in_bkind_i(i_bkind), .in_b_i(i_b), .in_pair_i(i_pair), .in_imm_i(i_imm), .in_ext_i(i_ext),
    .in_sh_i(i_sh), .in_wide_i(i_wide), .in_cmp_i(i_cmp), .in_pd_v_i(i_pd_v), .in_pd_i(i_pd),
    .in_target_i(i_target), .in_taken_i(i_taken), .in_counted_i(in_counted), .in_last_i(i_last),
    .try_warp_i(warp_q), .try_pc_i(pc_q), .try_op_i(op_q), .need_o(need),
    .out_valid_o(answer_o[0]), .out_ready_i(1'b1), .out_warp_o(answer_o[WarpW:1]),
    .out_move_o(answer_o[WarpW+1]), .out_move_reg_o(answer_o[WarpW+2 +: RegBits]),
    .out_inject_o(answer_o[WarpW+RegBits+2 +: 2]), .out_reg_v_o(answer_o[WarpW+RegBits+4]),
    .out_reg_o(answer_o[WarpW+RegBits+5 +: RegBits]),
    .out_base_v_o(answer_o[WarpW+2*RegBits+5]), .out_over_o(answer_o[WarpW+2*RegBits+6]),
    .out_base_o(answer_o[WarpW+2*RegBits+7 +: RegBits]),
    .out_index_o(answer_o[WarpW+3*RegBits+7 +: RegBits]),
    .out_scale_o(answer_o[WarpW+4*RegBits+7 +: 4]),
    .out_ext_o(answer_o[WarpW+4*RegBits+11 +: 2]),
    .out_offset_o(answer_o[WarpW+4*RegBits+13 +: 19]),
    .out_mask_o(answer_o[WarpW+4*RegBits+32 +: Lanes]), .test_v_o(test_v), .test_pc_o(test_pc),
    .pre_v_o(pre_v), .pre_pc_o(pre_pc), .cnt_valid_i(cnt_valid), .cnt_ready_o(cnt_ready),
    .cnt_warp_i(cnt_warp), .cnt_pre_i(cnt_pre), .cnt_wide_i(cnt_wide), .cnt_sign_i(cnt_sign),
    .cnt_mask_i(cnt_mask), .cnt_a_i(cnt_a), .cnt_b_i(cnt_b), .counted_o(counted),
    .counted_warp_o(counted_warp), .held_o(u_held), .go_o(u_go), .move_o(moves),
    .ld_valid_i(ld_c), .ld_ready_o(u_ld_ready), .ld_warp_i(ld_warp_c), .ld_type_i(ld_type_i),
    .ld_inject_i(ld_inject_c), .inject_o(u_inject), .ld_over_i(ld_over_c), .ld_far_i(ld_far_q),
    .ld_addr_i(ld_addr_q), .ld_slot_o(ld_slot),
    .inj_valid_o(inj_valid), .inj_ready_i(inj_take), .inj_add_o(inject_o[0]),
    .inj_sum_o(inject_o[1]), .inj_slot_o(inject_o[2 +: SlotW]), .inj_warp_o(inj_warp),
    .inj_type_o(inject_o[SlotW+2 +: 4]), .inj_reg_v_o(inject_o[SlotW+6]),
    .inj_reg_o(inject_o[SlotW+7 +: RegBits]), .inj_base_v_o(inject_o[SlotW+RegBits+7]),
    .inj_base_o(inject_o[SlotW+RegBits+8 +: RegBits]),
    .inj_index_o(inject_o[SlotW+2*RegBits+8 +: RegBits]),
    .inj_scale_o(inject_o[SlotW+3*RegBits+8 +: 4]), .inj_ext_o(inject_o[SlotW+3*RegBits+12 +: 2]),
    .inj_offset_o(inject_o[SlotW+3*RegBits+14 +: 19]),
    .inj_mask_o(inject_o[SlotW+3*RegBits+33 +: Lanes]),
    .inj_far_o(inject_o[SlotW+3*RegBits+33+Lanes]),
    .inj_addr_o(inject_o[SlotW+3*RegBits+34+Lanes +: Lanes*AddrBits]),
    .sum_valid_i(sum_valid_i), .sum_ready_o(sum_ready), .sum_slot_i(sum_slot_i),
    .sum_far_i(sum_far_i), .sum_addr_i(sum_addr_i), .done_valid_i(done_valid_i),
    .done_ready_o(done_ready), .done_warp_i(done_warp_i), .done_reg_i(done_reg_i),
    .done_fault_i(done_fault_i), .issued_i(issued), .next_valid_i(next_valid),
    .next_warp_i(next_warp),
    .next_dst_v_i(next_word[RegBits]), .next_all_i(next_word[RegBits+1]),
    .next_dst_i(next_word[RegBits-1:0]), .ask_o(ask), .hold_o(u_hold), .wait_o(u_wait),
    .new_kernel_i(new_kernel), .hint_valid_i(1'b0), .hint_ready_o(hint_ready),
    .hint_kind_i(3'd0), .hint_slot_i(1'b0), .hint_pc_i({PcBits{1'b0}}), .hint_reg_v_i(1'b0),
    .hint_reg_i({RegBits{1'b0}}), .hint_imm_i(16'd0), .hint_sh_i(4'd0), .hint_ext_i(2'd0),
    .hint_wide_i(1'b0), .hint_cmp_i(3'd0), .hint_swap_i(1'b0), .live_o(live),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(5'd0), .cnt_value_o(unit_value),
    .quiet_o(quiet), .idle_o(unit_idle)
  );
  assign inject_o[SlotW+3*RegBits+34+Lanes+Lanes*AddrBits +: WarpW] = inj_warp;
  always_ff @(posedge clk_i)
    rest_o <= {tell_valid, tell_counted, tell_pre, load_take, done_ready, sum_ready, wake,
               busy, counted, live, edge_idle, unit_idle};
  wire unused_all = &{1'b0, must, counted_warp, ld_slot, unit_value, edge_value, hint_ready};
endmodule
`default_nettype wire
