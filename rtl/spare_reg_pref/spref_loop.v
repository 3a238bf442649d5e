// spref_loop: which loop, which loads in it, and how their addresses move. Finds the loop by its
// backward branch, follows one warp through two iterations (pass A: what steps by a constant; pass
// B: what is computed from it), and leaves a table that names the target loads, the test of the
// loop and the instructions that must run in every iteration for the addresses to be as foretold. A
// compiler may write the table instead (hint port).
//
// The table and the tags share registers: a table is made in place, so one loop at a time. Tags: a
// register that is not written in the loop is constant; one that holds the value of an entry below
// (spref_rename) is constant, stride or from a load (with the load's id); else it is random.
//
// An entry that steps is its register's for the whole loop; any other from the instruction that
// makes it to the last one that reads it, and the same register may hold others before and after.
// Program counters only grow within an iteration of a lane, as inner loops take the table away: so
// where the value is needed is an interval of them, in which who else writes the register is seen.
//
// Timing: the instruction of S1 (registered in the top) changes tags and states at the next edge;
// matching is combinational from S1. A table made by training is live NumForm + 2 cycles after the
// branch that ended pass B.
//
// Parts: spref_rename names the entries of the operands, spref_form says what comes of them,
// spref_test keeps the loop's test, spref_fit counts and gives registers out.
//
// Parameters: those of spare_reg_pref. Storage, flops: the parts', entries NumForm * (2 * OffBits +
//   2 + 1 + 16 + (1 + RegBits + 4 + 2) + NumForm + 3), loop 2 * PcBits, refused 4 * (PcBits + 1),
//   loads 2 * (OffBits + 16) + 2 * (OffBits + 16 + RegBits + 7), and some 60 of control.
//
// Rules
//   1 A live table has a head-load, and a leader that is the first of them.
//   2 Registers whose constancy is relied upon are not written in the two passes.
`default_nettype none
`include "wf_assert.vh"

module spref_loop #(
  parameter integer NumWarp = 48,
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer PcStep = 1,
  parameter integer OffBits = 12,
  parameter integer PredBits = 4,
  parameter integer NumForm = 12,
  parameter integer MaxTries = 8,
  parameter integer AgeBits = 6,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer FormW = NumForm > 1 ? $clog2(NumForm) : 1,
  localparam integer CritW = $clog2(NumForm + 2)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // levels
  input  wire                en_i,
  input  wire                hints_on_i,
  input  wire                cache_only_i,
  input  wire                widen_i,
  input  wire [RegBits:0]    spare_i,
  input  wire                clear_i,  // a new kernel
  // the instruction that is taken: its registers, looked up a cycle ahead
  input  wire [RegBits-1:0]  next_dst_i,
  input  wire [RegBits-1:0]  next_a_i,
  input  wire [RegBits-1:0]  next_b_i,
  input  wire [2:0]          next_pair_i,
  // the instruction in S1
  input  wire                valid_i,
  input  wire [WarpW-1:0]    warp_i,
  input  wire [PcBits-1:0]   pc_i,
  input  wire [3:0]          op_i,
  input  wire                guard_i,
  input  wire [PredBits-1:0] gpred_i,
  input  wire                gneg_i,
  input  wire                dst_v_i,
  input  wire [RegBits-1:0]  dst_i,
  input  wire [RegBits-1:0]  a_i,
  input  wire [1:0]          bkind_i,
  input  wire [RegBits-1:0]  b_i,
  input  wire [2:0]          pair_i,  // {b, a, dst}
  input  wire [15:0]         imm_i,
  input  wire [1:0]          ext_i,
  input  wire [3:0]          sh_i,
  input  wire                wide_i,
  input  wire [2:0]          cmp_i,
  input  wire                pd_v_i,
  input  wire [PredBits-1:0] pd_i,
  input  wire [PcBits-1:0]   target_i,
  input  wire                taken_i,
  input  wire                last_i,   // the warp ends with it
  // hints
  input  wire                hint_i,
  input  wire [2:0]          hint_kind_i,
  input  wire                hint_slot_i,
  input  wire [PcBits-1:0]   hint_pc_i,
  input  wire                hint_reg_v_i,
  input  wire [RegBits-1:0]  hint_reg_i,
  input  wire [15:0]         hint_imm_i,
  input  wire [3:0]          hint_sh_i,
  input  wire [1:0]          hint_ext_i,
  input  wire                hint_wide_i,
  input  wire [2:0]          hint_cmp_i,
  input  wire                hint_swap_i,
  // what the instruction in S1 is
  output wire                in_loop_o,
  output wire                leader_o,
  output wire                head1_o,
  output wire [1:0]          tail_o,
  output wire                crit_o,
  output wire                test_o,
  output wire                pre_o,
  output wire                clobber_o,
  output wire                drop_o,
  // the table
  output wire                live_o,
  output wire [PcBits-1:0]   low_o,
  output wire [PcBits-1:0]   high_o,
  output wire                grows_o,  // a longer loop
  output wire                follow_o, // this warp is followed
  output wire [WarpW-1:0]    follow_warp_o,
  output wire [1:0]          head_v_o,
  output wire [1:0]          tail_v_o,
  output wire [1:0]          head_wide_o,
  output wire [1:0]          tail_wide_o,
  output wire [31:0]         stride_o,
  output wire [1:0]          base_v_o,
  output wire [2*RegBits-1:0] base_o,
  output wire [7:0]          scale_o,
  output wire [3:0]          ext_o,
  output wire [31:0]         timm_o,
  output wire [2:0]          cmp_o,
  output wire                swap_o,
  output wire [3:0]          shift_o,
  output wire                down_o,
  output wire [2:0]          pcmp_o,
  output wire                pswap_o,
  output wire [3:0]          pshift_o,
  output wire                pdown_o,
  output wire [CritW-1:0]    ncrit_o,
  output wire [3*CritW-1:0]  pos_o,    // crit instructions before {tail 1, tail 0, head 1}
  output wire [11:0]         first_o,  // first register of {tail 1, head 1, tail 0,
                                       // head 0}, in units of the distance
  output wire [3:0]          has_reg_o,
  output wire [1:0]          dmax_o,
  output wire                test_v_o,
  output wire [PcBits-1:0]   test_pc_o,
  output wire                pre_v_o,
  output wire [PcBits-1:0]   pre_pc_o,
  // for counters
  output wire                ev_found_o,
  output wire                ev_abort_o,
  output wire                ev_refuse_o,
  output wire                ev_fail_o,
  output wire                ev_live_o,
  output wire                busy_o
);
  localparam [3:0] ADD = 4'd1, SCALE = 4'd3, LDNC = 4'd5, SETP = 4'd6,
                   BRA = 4'd7, CLOBBER = 4'd8;
  localparam [1:0] CONST = 2'd0, STRIDE = 2'd1, LOAD = 2'd2, RANDOM = 2'd3;
  localparam [2:0] NONE = 3'd0, PASS_A = 3'd1, PASS_B = 3'd2, COUNT = 3'd3, FIT = 3'd4, LIVE = 3'd5;
  localparam [2:0] H_LOW = 3'd0, H_HIGH = 3'd1, H_HEAD = 3'd2, H_TAIL = 3'd3, H_TEST = 3'd4,
                   H_PRE = 3'd5, H_CRIT = 3'd6, H_COMMIT = 3'd7;
  localparam integer TryW = $clog2(MaxTries + 1);
  localparam integer Refused = 4;

  initial begin
    if (NumForm < 4 || NumForm > 14) $fatal(1, "spref_loop: NumForm must be 4..14");
    if (OffBits < 4 || OffBits >= PcBits)
      $fatal(1, "spref_loop: OffBits must be 4 or more and less than PcBits");
    if (MaxTries < 1 || MaxTries > 255) $fatal(1, "spref_loop: MaxTries must be 1..255");
    if (AgeBits < 1 || AgeBits > 16) $fatal(1, "spref_loop: AgeBits must be 1..16");
  end

  // ---- the loop ----
  reg [2:0] state_q;
  reg [PcBits-1:0] lo_q, hi_q;
  reg [WarpW-1:0] warp_q;     // followed in passes A and B
  reg [TryW-1:0] tries_q;
  reg [AgeBits-1:0] age_q;
  reg [Refused*PcBits-1:0] no_q;
  reg [Refused-1:0] no_v_q;
  reg [1:0] no_at_q;
  reg exit_v_q;               // an unconditional branch that leaves the loop
  reg [PcBits-1:0] exit_q;

  wire on = valid_i && en_i;
  wire live = state_q == LIVE;
  wire training = state_q == PASS_A || state_q == PASS_B;
  wire in_range = pc_i >= lo_q && pc_i <= hi_q;
  wire [OffBits-1:0] off = OffBits'(pc_i - lo_q);
  wire back = on && op_i == BRA && taken_i && target_i <= pc_i;
  wire fits = ((pc_i - target_i) >> OffBits) == '0;
  reg refused_c, lo_refused_c;
  always_comb begin
    refused_c = 1'b0;
    lo_refused_c = 1'b0;
    if (op_i == BRA) for (int i = 0; i < Refused; i = i + 1) begin
      if (no_v_q[i] && no_q[i*PcBits +: PcBits] == target_i) refused_c = 1'b1;
      if (no_v_q[i] && no_q[i*PcBits +: PcBits] == lo_q) lo_refused_c = 1'b1;
    end
  end
  wire may = fits && !refused_c;
  wire same = target_i == lo_q;
  wire grows = back && same && pc_i > hi_q;
  wire inner = back && !same && target_i > lo_q && pc_i <= hi_q;
  wire around = back && !same && target_i < lo_q && pc_i >= lo_q;
  wire other = back && !same && !inner && !around && may;
  wire mine = on && training && warp_i == warp_q;
  wire pass_end = mine && back && same && !grows;
  wire leaves = mine && !grows && (!in_range || last_i);
  wire too_long = grows && ((pc_i - lo_q) >> OffBits) != '0;

  // ---- tags ----
  reg [NumForm-1:0] f_valid_q, f_seen_q, f_raw_q, need_q;
  reg [NumForm*2-1:0] f_kind_q;
  reg [NumForm*RegBits-1:0] f_base_q;
  reg [NumForm*OffBits-1:0] f_off_q, f_use_q;  // made by; last read by
  reg read_q;                                  // noted an edge later: read_at_q, by read_off_q
  reg [NumForm-1:0] read_at_q;
  reg [OffBits-1:0] read_off_q;
  reg [NumForm*16-1:0] f_num_q;   // stride, or number added to the load's value
  reg [NumForm-1:0] f_id_q, f_basev_q;
  reg [NumForm*4-1:0] f_scale_q;
  reg [NumForm*2-1:0] f_ext_q;
  reg [NumForm*NumForm-1:0] f_dep_q;

  // Entries of the operands and of the destination, and a free one.
  wire [NumForm-1:0] a_hit, b_hit, d_hit, over, held;
  wire a_free, b_free, d_first, c_free, d_used, broken;
  wire [NumForm-1:0] free_at = ~f_valid_q & (f_valid_q + 1'b1);
  wire a_hit_c = a_hit != '0, b_hit_c = b_hit != '0, free_c = f_valid_q != '1;
  reg [FormW-1:0] free_at_c, d_at_c;
  always_comb begin
    free_at_c = '0;
    if (training || hint_i) for (int i = 0; i < NumForm; i = i + 1)
      if (free_at[i]) free_at_c = free_at_c | FormW'(i);
  end
  // What is looked up rests while no warp is followed.
  reg [1:0] a_kind_c, b_kind_c;
  reg steps_again_c;          // its entry steps here by the same number,
                              // and has not yet in this pass
  always_comb begin
    d_at_c = '0;
    a_kind_c = 2'd0;
    b_kind_c = 2'd0;
    steps_again_c = 1'b0;
    if (training) begin
      for (int i = 0; i < NumForm; i = i + 1) begin
        if (d_hit[i]) d_at_c = d_at_c | FormW'(i);
        if (d_hit[i] && f_raw_q[i] && !f_seen_q[i] && f_off_q[i*OffBits +: OffBits] == off
            && f_num_q[i*16 +: 16] == imm_i)
          steps_again_c = 1'b1;
        a_kind_c = a_kind_c | (f_kind_q[i*2 +: 2] & {2{a_hit[i]}});
        b_kind_c = b_kind_c | (f_kind_q[i*2 +: 2] & {2{b_hit[i]}});
      end
    end
  end
  wire b_reg = bkind_i == 2'd1, b_num = bkind_i >= 2'd2;
  wire [1:0] a_kind = a_hit_c ? a_kind_c : a_free ? CONST : RANDOM;
  wire [1:0] b_kind = b_hit_c ? b_kind_c : b_free ? CONST : RANDOM;
  wire b_const = b_num || (b_reg && b_kind == CONST);

  // x: the operand whose form goes on; the other is added to it. An addition may swap.
  wire swap = op_i == ADD && b_reg && a_kind == CONST && b_kind != CONST;
  wire [1:0] x_kind = swap ? b_kind : a_kind;
  wire [NumForm-1:0] x_at = swap ? b_hit : a_hit;
  wire [RegBits-1:0] y_reg = swap ? a_i : b_i;
  wire y_const = swap ? 1'b1 : b_const;
  wire y_hit = swap ? a_hit_c : b_hit_c && b_reg;
  wire [NumForm-1:0] y_at = swap ? a_hit : b_hit;
  // Fields of x, and what it and y rest on: one entry at most is hit.
  reg [15:0] x_num;
  reg x_basev, x_id;
  reg [RegBits-1:0] x_base;
  reg [3:0] x_scale;
  reg [1:0] x_ext;
  reg [NumForm-1:0] x_dep, y_dep;
  always_comb begin
    x_num = '0;
    x_basev = 1'b0;
    x_id = 1'b0;
    x_base = '0;
    x_scale = '0;
    x_ext = '0;
    x_dep = '0;
    y_dep = '0;
    if (training) for (int i = 0; i < NumForm; i = i + 1) begin
      x_num = x_num | (f_num_q[i*16 +: 16] & {16{x_at[i]}});
      x_basev = x_basev | (f_basev_q[i] & x_at[i]);
      x_id = x_id | (f_id_q[i] & x_at[i]);
      x_base = x_base | (f_base_q[i*RegBits +: RegBits] & {RegBits{x_at[i]}});
      x_scale = x_scale | (f_scale_q[i*4 +: 4] & {4{x_at[i]}});
      x_ext = x_ext | (f_ext_q[i*2 +: 2] & {2{x_at[i]}});
      x_dep = x_dep | (f_dep_q[i*NumForm +: NumForm] & {NumForm{x_at[i]}});
      y_dep = y_dep | (f_dep_q[i*NumForm +: NumForm] & {NumForm{y_at[i] && y_hit}});
    end
  end
  wire follows, takes_base, tail_num_ok;
  wire [15:0] new_num, tail_num;
  wire [3:0] new_scale;
  wire [1:0] new_ext;
  spref_form u_form (
    .widen_i(widen_i), .op_i(op_i), .imm_i(imm_i), .ext_i(ext_i), .sh_i(sh_i), .y_number_i(b_num),
    .y_reg_i(b_reg), .y_const_i(y_const), .y_hit_i(y_hit), .x_kind_i(x_kind), .x_num_i(x_num),
    .x_base_v_i(x_basev), .x_scale_i(x_scale), .x_ext_i(x_ext), .follows_o(follows),
    .base_o(takes_base), .num_o(new_num), .scale_o(new_scale), .ext_o(new_ext),
    .address_o(tail_num), .address_ok_o(tail_num_ok)
  );

  // Lanes that part may be told in another order than that of program counters: what comes late
  // makes nothing and reads nothing that is followed.
  reg [OffBits:0] next_off_q;
  wire in_order = {1'b0, off} >= next_off_q;
  wire plain_write = dst_v_i && !guard_i;
  // A constant that is overwritten with what is computed from it is none.
  wire a_own = dst_i[RegBits-1:1] == a_i[RegBits-1:1]
               && (pair_i[0] || pair_i[1] || dst_i[0] == a_i[0]);
  wire b_own = b_reg && dst_i[RegBits-1:1] == b_i[RegBits-1:1]
               && (pair_i[0] || pair_i[2] || dst_i[0] == b_i[0]);
  wire own = (a_own && !a_hit_c) || (b_own && !b_hit_c);
  wire steps = op_i == ADD && dst_i == a_i && pair_i[0] == pair_i[1] && b_num;
  wire new_raw = state_q == PASS_A && plain_write && steps && d_first && free_c && imm_i != '0;
  wire again_raw = state_q == PASS_B && plain_write && steps && steps_again_c;
  wire new_form = state_q == PASS_B && plain_write && in_order && !own && !again_raw && follows
                  && free_c;

  // Loads.
  reg [1:0] head_v_q, tail_v_q, head_wide_q, tail_wide_q, base_v_q;
  reg [2*OffBits-1:0] head_off_q, tail_off_q;
  reg [31:0] stride_q, timm_q;
  reg [2*RegBits-1:0] base_q;
  reg [7:0] scale_q;
  reg [3:0] ext_q;
  wire load = op_i == LDNC;
  wire head_slot = head_v_q[0];
  wire new_head = state_q == PASS_B && load && plain_write && in_order && a_kind == STRIDE
                  && a_hit_c && free_c && !head_v_q[1];
  wire new_tail = state_q == PASS_B && load && dst_v_i && in_order && a_kind == LOAD && a_hit_c
                  && !tail_v_q[x_id] && tail_num_ok;

  // The test of the loop: a candidate, then the branch that is guarded by it.
  wire t_swap = b_reg && b_kind == STRIDE;
  reg [15:0] t_step;
  reg [NumForm-1:0] t_dep;
  always_comb begin
    t_step = '0;
    t_dep = '0;
    if (training) for (int i = 0; i < NumForm; i = i + 1) begin
      t_step = t_step | (f_num_q[i*16 +: 16] & {16{t_swap ? b_hit[i] : a_hit[i]}});
      t_dep =
          t_dep | (f_dep_q[i*NumForm +: NumForm] & {NumForm{a_hit[i] || (b_hit[i] && b_reg)}});
    end
  end
  wire t_kinds = t_swap ? a_kind == CONST : a_kind == STRIDE && a_hit_c && b_const;
  wire out = target_i < lo_q || target_i > hi_q;
  wire [PcBits-1:0] next_pc = pc_i + PcBits'(PcStep);
  wire falls_out = exit_v_q && next_pc == exit_q && !out;
  wire new_cand, new_test, cand_used, cand_pair, test_v, pre_v;
  wire [NumForm-1:0] cand_dep;
  wire [RegBits-1:0] cand_reg;
  wire [OffBits-1:0] test_off;
  wire [PcBits-1:0] pre;

  // The end of pass B.
  wire [NumForm-1:0] need_all = need_q | (new_test ? cand_dep : '0);
  // What steps must be its register's to the end.
  wire [NumForm-1:0] good = f_valid_q & f_seen_q & (held | ~f_raw_q);
  wire used_new = new_test && cand_used;
  // A register whose constancy is relied upon is written.
  wire used_written = broken || (used_new && !c_free);
  wire complete = (test_v || new_test) && head_v_q[0]
                  && (need_all & ~good) == '0 && !used_written;
  wire finish = state_q == PASS_B && pass_end;
  wire fail = finish && !complete;
  wire give_up = fail && tries_q == TryW'(MaxTries - 1);
  wire inner_refused = training && inner && !may;   // its inner loop has no targets: neither has it
  wire drop_inner = live && inner && !hints_on_i;
  wire old_age = live && other && !hints_on_i && age_q == '1;
  wire refuse = (give_up || (training && too_long) || inner_refused || drop_inner) && !lo_refused_c;
  wire begin_new = (state_q == NONE && back && may && !hints_on_i) || (training && inner && may);
  assign drop_o = drop_inner || old_age || (live && too_long && !hints_on_i);

  // ---- the table's last fields, counted entry by entry ----
  wire counted, first_fits;
  wire [1:0] head_ok, tail_ok;
  spref_fit #(.RegBits(RegBits), .OffBits(OffBits), .NumForm(NumForm)) u_fit (
    .clk_i(clk_i), .rst_ni(rst_ni), .count_i(state_q == COUNT), .fit_i(state_q == FIT),
    .hold_i(state_q == FIT || live), .cache_only_i(cache_only_i), .spare_i(spare_i),
    .need_i(need_q), .off_i(f_off_q), .head_v_i(head_v_q), .tail_v_i(tail_v_q),
    .head_wide_i(head_wide_q), .tail_wide_i(tail_wide_q), .head_off_i(head_off_q),
    .tail_off_i(tail_off_q), .test_off_i(test_off), .counted_o(counted), .ok_o(first_fits),
    .head_ok_o(head_ok), .tail_ok_o(tail_ok), .ncrit_o(ncrit_o), .pos_o(pos_o),
    .first_o(first_o), .has_reg_o(has_reg_o), .dmax_o(dmax_o)
  );

  reg [2:0] state_c;
  always_comb begin
    state_c = state_q;
    if (clear_i) state_c = NONE;
    else if (hint_i) state_c = hint_kind_i == H_COMMIT ? COUNT : NONE;
    else if (begin_new) state_c = PASS_A;
    else if (training) begin
      if (too_long || inner_refused) state_c = NONE;
      else if (grows) state_c = PASS_A;
      else if (leaves) state_c = NONE;
      else if (pass_end) state_c = state_q == PASS_A ? PASS_B : complete ? COUNT : NONE;
    end else if (state_q == COUNT) begin
      if (counted) state_c = FIT;
    end else if (state_q == FIT) state_c = first_fits ? LIVE : NONE;
    else if (live && drop_o) state_c = NONE;
  end
  // What others see of it has flops of its own: it goes far.
  reg live_q, follow_q, busy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {state_q, live_q, follow_q, busy_q} <= {NONE, 3'd0};
    else begin
      state_q <= state_c;
      live_q <= state_c == LIVE;
      follow_q <= state_c == PASS_A || state_c == PASS_B;
      busy_q <= state_c == COUNT || state_c == FIT;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      no_v_q <= '0;
      no_at_q <= '0;
      tries_q <= '0;
      age_q <= '0;
      exit_v_q <= 1'b0;
      lo_q <= '0;
      hi_q <= '0;
    end else if (clear_i) begin
      no_v_q <= '0;
      no_at_q <= '0;
      tries_q <= '0;
      exit_v_q <= 1'b0;
      lo_q <= '0;
      hi_q <= '0;
    end else begin
      if (hint_i) begin
        if (hint_kind_i == H_LOW) lo_q <= hint_pc_i;
        if (hint_kind_i == H_HIGH) hi_q <= hint_pc_i;
      end else if (begin_new) begin
        lo_q <= target_i;
        hi_q <= pc_i;
        if (target_i != lo_q) begin
          tries_q <= '0;
          exit_v_q <= 1'b0;
        end
      end else if (training) begin
        if (!(too_long || inner_refused) && grows) hi_q <= pc_i;
        if (fail) tries_q <= tries_q + 1'b1;
      end else if (live && !drop_o && grows) hi_q <= pc_i;
      if (!live || (on && in_range)) age_q <= '0;
      else if (other) age_q <= age_q + 1'b1;
      if (refuse || (state_q == FIT && !first_fits)) begin
        no_v_q[no_at_q] <= 1'b1;
        no_at_q <= no_at_q + 1'b1;
      end
      if (on && training && op_i == BRA && !guard_i && in_range && out) exit_v_q <= 1'b1;
    end
  end
  wire start_pass = begin_new || (training && grows);
  always_ff @(posedge clk_i) begin
    if (refuse || (state_q == FIT && !first_fits)) no_q[no_at_q*PcBits +: PcBits] <= lo_q;
    if (on && training && op_i == BRA && !guard_i && in_range && out) exit_q <= pc_i;
    if (start_pass) warp_q <= warp_i;
  end

  wire hint_start = hint_i && hint_kind_i == H_LOW;
  wire hint_crit = hint_i && hint_kind_i == H_CRIT && free_c;
  wire [OffBits-1:0] hint_off = OffBits'(hint_pc_i - lo_q);
  wire take = mine && in_range && !pass_end;
  wire alloc = take && (new_raw || new_form || new_head);
  wire put = take && dst_v_i && free_c;  // into an entry that is free: it counts if it is made
  wire reads = new_form || new_head || new_tail || new_cand;
  spref_test #(
    .RegBits(RegBits), .PcBits(PcBits), .OffBits(OffBits), .PredBits(PredBits), .NumForm(NumForm)
  ) u_test (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i || start_pass || hint_start),
    .training_i(training), .pass_b_i(state_q == PASS_B), .take_i(take),
    .branch_i(mine && op_i == BRA && guard_i && in_range), .in_order_i(in_order), .off_i(off),
    .setp_i(op_i == SETP && !guard_i), .cmp_i(cmp_i), .pd_v_i(pd_v_i), .pd_i(pd_i),
    .gpred_i(gpred_i), .gneg_i(gneg_i), .out_i(out), .on_i(target_i == lo_q || falls_out),
    .kinds_ok_i(t_kinds), .swap_i(t_swap), .step_i(t_step), .dep_i(t_dep),
    .rests_i(t_swap ? !a_hit_c : b_reg && !b_hit_c), .const_i(t_swap ? a_i : b_i),
    .const_pair_i(t_swap ? pair_i[1] : pair_i[2]),
    .hint_test_i(hint_i && hint_kind_i == H_TEST), .hint_pre_i(hint_i && hint_kind_i == H_PRE),
    .hint_off_i(hint_off), .hint_pc_i(hint_pc_i), .hint_cmp_i(hint_cmp_i),
    .hint_swap_i(hint_swap_i), .hint_sh_i(hint_sh_i), .hint_down_i(hint_slot_i),
    .new_cand_o(new_cand), .new_o(new_test), .dep_o(cand_dep), .rests_o(cand_used),
    .const_o(cand_reg), .const_pair_o(cand_pair), .v_o(test_v), .off_o(test_off), .cmp_o(cmp_o),
    .swap_o(swap_o), .shift_o(shift_o), .down_o(down_o), .pre_v_o(pre_v), .pre_o(pre),
    .pcmp_o(pcmp_o), .pswap_o(pswap_o), .pshift_o(pshift_o), .pdown_o(pdown_o)
  );
  spref_rename #(.RegBits(RegBits), .NumForm(NumForm)) u_rename (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i || start_pass || hint_start),
    .look_i(state_q != NONE), .next_dst_i(next_dst_i), .next_a_i(next_a_i), .next_b_i(next_b_i),
    .next_pair_i(next_pair_i), .take_i(take), .dst_i(dst_i), .a_i(a_i), .b_i(b_i),
    .pair_i(pair_i), .write_i(dst_v_i),
    .again_i(again_raw), .lose_i(op_i == CLOBBER), .make_i(alloc), .make_at_i(free_at),
    .use_a_i(take && new_form && !a_hit_c),
    .use_b_i(take && new_form && b_reg && op_i != SCALE && !b_hit_c),
    .use_c_i(new_test && cand_used), .c_i(cand_reg), .c_pair_i(cand_pair),
    .hint_i(hint_crit), .hint_at_i(free_at), .hint_reg_i(hint_reg_i), .hint_pair_i(hint_wide_i),
    .a_at_o(a_hit), .b_at_o(b_hit), .dst_at_o(d_hit), .over_o(over), .held_o(held),
    .a_free_o(a_free), .b_free_o(b_free), .dst_free_o(d_first), .c_free_o(c_free),
    .dst_used_o(d_used), .broken_o(broken)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_valid_q <= '0;
      need_q <= '0;
      head_v_q <= '0;
      tail_v_q <= '0;
    end else if (clear_i || start_pass || hint_start) begin
      f_valid_q <= '0;
      need_q <= '0;
      head_v_q <= '0;
      tail_v_q <= '0;
    end else begin
      if (pass_end && state_q == PASS_A) begin
        f_valid_q <= f_valid_q & f_raw_q & held;
      end else if (take) begin
        if (alloc) f_valid_q[free_at_c] <= 1'b1;
        if (state_q == PASS_B) begin
          if (new_head) begin
            head_v_q[head_slot] <= 1'b1;
            need_q <= need_q | x_dep | (NumForm'(1) << free_at_c);
          end
          if (new_tail) begin
            tail_v_q[x_id] <= 1'b1;
            need_q <= need_q | x_dep;
          end
        end
      end
      if (new_test) need_q <= need_all;
      if (hint_i) begin
        if (hint_kind_i == H_HEAD) head_v_q[hint_slot_i] <= 1'b1;
        if (hint_kind_i == H_TAIL) tail_v_q[hint_slot_i] <= 1'b1;
        if (hint_crit) begin
          f_valid_q[free_at_c] <= 1'b1;
          need_q[free_at_c] <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_pass || pass_end) next_off_q <= '0;
    else if (take && in_order) next_off_q <= {1'b0, off} + 1'b1;
    if (pass_end && state_q == PASS_A) f_seen_q <= '0;
    else if (take && again_raw) f_seen_q[d_at_c] <= 1'b1;
    read_q <= take && reads;
    if (take) begin
      read_at_q <= a_hit | (b_reg ? b_hit : '0);
      read_off_q <= off;
    end
    for (int i = 0; i < NumForm; i = i + 1)
      if (read_q && read_at_q[i]) f_use_q[i*OffBits +: OffBits] <= read_off_q;
    if (put) begin
      f_seen_q[free_at_c] <= 1'b1;
      f_raw_q[free_at_c] <= new_raw;
      f_kind_q[free_at_c*2 +: 2] <= new_raw ? STRIDE : new_head ? LOAD : x_kind;
      f_off_q[free_at_c*OffBits +: OffBits] <= off;
      f_use_q[free_at_c*OffBits +: OffBits] <= off;
      f_num_q[free_at_c*16 +: 16] <= new_raw ? imm_i : new_head ? 16'd0 : new_num;
      f_id_q[free_at_c] <= new_head ? head_slot : x_id;
      f_basev_q[free_at_c] <= !new_head && (x_basev || takes_base);
      f_base_q[free_at_c*RegBits +: RegBits] <= takes_base ? y_reg : x_base;
      f_scale_q[free_at_c*4 +: 4] <= new_head ? 4'd0 : new_scale;
      f_ext_q[free_at_c*2 +: 2] <= new_head ? 2'd0 : new_ext;
      f_dep_q[free_at_c*NumForm +: NumForm] <= (NumForm'(1) << free_at_c)
        | (new_raw ? '0 : x_dep | (new_head || op_i == SCALE || !b_reg ? '0 : y_dep));
    end
    if (hint_crit) begin
      f_raw_q[free_at_c] <= hint_imm_i == '0;
      f_off_q[free_at_c*OffBits +: OffBits] <= hint_off;
      f_use_q[free_at_c*OffBits +: OffBits] <= hint_off + OffBits'(hint_imm_i);
    end
    if (take && new_head) begin
      head_off_q[head_slot*OffBits +: OffBits] <= off;
      stride_q[head_slot*16 +: 16] <= x_num;
      head_wide_q[head_slot] <= wide_i;
    end
    if (take && new_tail) begin
      tail_off_q[x_id*OffBits +: OffBits] <= off;
      timm_q[x_id*16 +: 16] <= tail_num;
      tail_wide_q[x_id] <= wide_i;
      base_v_q[x_id] <= x_basev;
      base_q[x_id*RegBits +: RegBits] <= x_base;
      scale_q[x_id*4 +: 4] <= x_scale;
      ext_q[x_id*2 +: 2] <= x_ext;
    end
    if (hint_i) begin
      case (hint_kind_i)
        H_HEAD: begin
          head_off_q[hint_slot_i*OffBits +: OffBits] <= hint_off;
          stride_q[hint_slot_i*16 +: 16] <= hint_imm_i;
          head_wide_q[hint_slot_i] <= hint_wide_i;
        end
        H_TAIL: begin
          tail_off_q[hint_slot_i*OffBits +: OffBits] <= hint_off;
          timm_q[hint_slot_i*16 +: 16] <= hint_imm_i;
          tail_wide_q[hint_slot_i] <= hint_wide_i;
          base_v_q[hint_slot_i] <= hint_reg_v_i;
          base_q[hint_slot_i*RegBits +: RegBits] <= hint_reg_i;
          scale_q[hint_slot_i*4 +: 4] <= hint_sh_i;
          ext_q[hint_slot_i*2 +: 2] <= hint_ext_i;
        end
        default: ;
      endcase
    end
  end

  // ---- matching ----
  reg crit_c, over_c;
  always_comb begin
    crit_c = 1'b0;
    over_c = 1'b0;  // it writes what an address rests on, where that is needed
    if (live) for (int i = 0; i < NumForm; i = i + 1) begin
      if (need_q[i] && f_off_q[i*OffBits +: OffBits] == off) crit_c = 1'b1;
      if (need_q[i] && over[i] && (f_raw_q[i] || (off > f_off_q[i*OffBits +: OffBits]
                                                  && off < f_use_q[i*OffBits +: OffBits])))
        over_c = 1'b1;
    end
  end
  wire crit_reg_c = dst_v_i && (over_c || d_used) && !crit_c;
  assign in_loop_o = live && in_range;
  assign leader_o = in_loop_o && off == head_off_q[OffBits-1:0];
  assign head1_o = in_loop_o && head_ok[1] && off == head_off_q[OffBits +: OffBits];
  assign tail_o = {2{in_loop_o}} & tail_ok
                  & {off == tail_off_q[OffBits +: OffBits], off == tail_off_q[0 +: OffBits]};
  assign crit_o = in_loop_o && crit_c && !leader_o;
  assign test_o = in_loop_o && test_v && op_i == SETP && off == test_off;
  assign pre_o = live && pre_v && op_i == SETP && pc_i == pre;
  assign clobber_o = in_loop_o && (crit_reg_c || op_i == CLOBBER);

  assign live_o = live_q;
  assign low_o = lo_q;
  assign high_o = hi_q;
  assign grows_o = grows;
  assign follow_o = follow_q;
  assign follow_warp_o = warp_q;
  assign test_v_o = live && test_v;
  assign test_pc_o = {PcBits{test_v_o}} & (lo_q + PcBits'(test_off));
  assign pre_v_o = live && pre_v;
  assign pre_pc_o = {PcBits{pre_v_o}} & pre;
  assign head_v_o = head_ok;
  assign tail_v_o = tail_ok;
  assign head_wide_o = head_wide_q;
  assign tail_wide_o = tail_wide_q;
  assign stride_o = stride_q;
  assign base_v_o = base_v_q;
  assign base_o = base_q;
  assign scale_o = scale_q;
  assign ext_o = ext_q;
  assign timm_o = timm_q;
  assign ev_found_o = begin_new && !clear_i && !hint_i;
  assign ev_abort_o = leaves && !clear_i;
  assign ev_refuse_o = (refuse || (state_q == FIT && !first_fits)) && !clear_i;
  assign ev_fail_o = fail && !clear_i;
  assign ev_live_o = state_q == FIT && first_fits && !clear_i;
  assign busy_o = busy_q;

  `WF_ASSERT(rule1_leader, !live || (head_ok[0] && head_v_q[0]),
             "Rule 1: a live table has a head-load")
  `WF_ASSERT(rule2_const, state_q != FIT || hints_on_i || !broken,
             "Rule 2: registers relied upon as constant are not written")
endmodule
`default_nettype wire
