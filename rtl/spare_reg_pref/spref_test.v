// spref_test: the test that ends the loop: a setp of what steps against what is constant (the
// candidate), then a branch that is guarded by its predicate. A compiler may write both it and the
// test before the loop.
//
// Timing: the instruction of S1 acts at the next edge. Storage, flops: the candidate OffBits +
//   PredBits + NumForm + RegBits + 12, the test before the loop PcBits + 9, and 3 of what is valid.
`default_nettype none

module spref_test #(
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer OffBits = 12,
  parameter integer PredBits = 4,
  parameter integer NumForm = 12
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                clear_i,
  // the instruction in S1, of the warp that is followed
  input  wire                training_i,
  input  wire                pass_b_i,
  input  wire                take_i,
  input  wire                branch_i,    // a guarded branch
  input  wire                in_order_i,
  input  wire [OffBits-1:0]  off_i,
  input  wire                setp_i,      // unguarded
  input  wire [2:0]          cmp_i,
  input  wire                pd_v_i,
  input  wire [PredBits-1:0] pd_i,
  input  wire [PredBits-1:0] gpred_i,
  input  wire                gneg_i,
  input  wire                out_i,       // the branch leaves the loop
  input  wire                on_i,        // it goes on with it
  // the setp's operands: one steps, the other is constant
  input  wire                kinds_ok_i,
  input  wire                swap_i,      // b steps
  input  wire [15:0]         step_i,
  input  wire [NumForm-1:0]  dep_i,       // entries that both rest on
  input  wire                rests_i,     // the constant is a register without an entry
  input  wire [RegBits-1:0]  const_i,
  input  wire                const_pair_i,
  // a compiler's
  input  wire                hint_test_i,
  input  wire                hint_pre_i,
  input  wire [OffBits-1:0]  hint_off_i,
  input  wire [PcBits-1:0]   hint_pc_i,
  input  wire [2:0]          hint_cmp_i,
  input  wire                hint_swap_i,
  input  wire [3:0]          hint_sh_i,
  input  wire                hint_down_i,
  // at the next edge a candidate, a test
  output wire                new_cand_o,
  output wire                new_o,
  output wire [NumForm-1:0]  dep_o,
  output wire                rests_o,
  output wire [RegBits-1:0]  const_o,
  output wire                const_pair_o,
  // the test
  output wire                v_o,
  output wire [OffBits-1:0]  off_o,
  output wire [2:0]          cmp_o,
  output wire                swap_o,
  output wire [3:0]          shift_o,
  output wire                down_o,
  // the test before the loop
  output wire                pre_v_o,
  output wire [PcBits-1:0]   pre_o,
  output wire [2:0]          pcmp_o,
  output wire                pswap_o,
  output wire [3:0]          pshift_o,
  output wire                pdown_o
);
  localparam [2:0] EQ = 3'd0, NE = 3'd1, LT = 3'd2, LE = 3'd3, GT = 3'd4, GE = 3'd5;

  reg cand_v_q, test_v_q, pre_v_q;
  reg [PredBits-1:0] cand_pd_q;
  reg [OffBits-1:0] cand_off_q;
  reg [2:0] cand_cmp_q, pcmp_q;
  reg cand_swap_q, cand_down_q, pswap_q, pdown_q;
  reg [3:0] cand_shift_q, pshift_q;
  reg [PcBits-1:0] pre_q;
  reg [NumForm-1:0] cand_dep_q;
  reg cand_used_q;
  reg [RegBits-1:0] cand_reg_q;
  reg cand_pair_q;

  wire [15:0] size = step_i[15] ? ~step_i + 16'd1 : step_i;
  wire power = size != '0 && (size & (size - 16'd1)) == '0;
  wire [3:0] shift = {|(size & 16'hff00), |(size & 16'hf0f0), |(size & 16'hcccc),
                      |(size & 16'haaaa)};
  wire new_cand = pass_b_i && setp_i && pd_v_i && in_order_i && kinds_ok_i && power && !test_v_q;

  // The loop goes on when the branch is taken (closes), or when it is not (opens).
  wire guarded = branch_i && cand_v_q && gpred_i == cand_pd_q;
  wire closes = guarded && on_i, opens = guarded && out_i;
  wire negate = closes ? gneg_i : !gneg_i;
  reg [2:0] cont_c;  // the condition to go on, of the register that steps against the other
  always_comb begin
    cont_c = cand_cmp_q;
    if (training_i && negate) begin
      case (cand_cmp_q)
        EQ: cont_c = NE;
        NE: cont_c = EQ;
        LT: cont_c = GE;
        LE: cont_c = GT;
        GT: cont_c = LE;
        default: cont_c = LT;
      endcase
    end
    if (training_i && cand_swap_q) begin
      case (cont_c)
        LT: cont_c = GT;
        LE: cont_c = GE;
        GT: cont_c = LT;
        GE: cont_c = LE;
        default: cont_c = cont_c;
      endcase
    end
  end
  wire cont_ok = cont_c == NE
                 || (!cand_down_q && (cont_c == LT || cont_c == LE))
                 || (cand_down_q && (cont_c == GT || cont_c == GE));
  wire new_test = pass_b_i && !test_v_q && (closes || opens) && cont_ok;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cand_v_q <= 1'b0;
      test_v_q <= 1'b0;
      pre_v_q <= 1'b0;
    end else if (clear_i) begin
      cand_v_q <= 1'b0;
      test_v_q <= 1'b0;
      pre_v_q <= 1'b0;
    end else begin
      if (take_i && pass_b_i) begin
        if (new_cand) cand_v_q <= 1'b1;
        else if (pd_v_i && pd_i == cand_pd_q && !test_v_q) cand_v_q <= 1'b0;
      end
      if (new_test || hint_test_i) test_v_q <= 1'b1;
      if (hint_pre_i) pre_v_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i && new_cand) begin
      cand_pd_q <= pd_i;
      cand_off_q <= off_i;
      cand_cmp_q <= cmp_i;
      cand_swap_q <= swap_i;
      cand_down_q <= step_i[15];
      cand_shift_q <= shift;
      cand_dep_q <= dep_i;
      cand_used_q <= rests_i;
      cand_reg_q <= const_i;
      cand_pair_q <= const_pair_i;
    end
    if (new_test) cand_cmp_q <= cont_c;
    if (hint_test_i) begin
      cand_off_q <= hint_off_i;
      cand_cmp_q <= hint_cmp_i;
      cand_swap_q <= hint_swap_i;
      cand_shift_q <= hint_sh_i;
      cand_down_q <= hint_down_i;
    end
    if (hint_pre_i) begin
      pre_q <= hint_pc_i;
      pcmp_q <= hint_cmp_i;
      pswap_q <= hint_swap_i;
      pshift_q <= hint_sh_i;
      pdown_q <= hint_down_i;
    end
  end

  assign new_cand_o = new_cand;
  assign new_o = new_test;
  assign dep_o = cand_dep_q;
  assign rests_o = cand_used_q;
  assign const_o = cand_reg_q;
  assign const_pair_o = cand_pair_q;
  assign v_o = test_v_q;
  assign off_o = cand_off_q;
  assign cmp_o = cand_cmp_q;
  assign swap_o = cand_swap_q;
  assign shift_o = cand_shift_q;
  assign down_o = cand_down_q;
  assign pre_v_o = pre_v_q;
  assign pre_o = pre_q;
  assign pcmp_o = pcmp_q;
  assign pswap_o = pswap_q;
  assign pshift_o = pshift_q;
  assign pdown_o = pdown_q;
endmodule
`default_nettype wire
