// spref_fit: the last fields of a table. Counts, an entry a cycle, how many of the instructions
// that must run come before each target, from the leader on; then gives registers to the targets,
// in the order head 0, tail 0, head 1, tail 1: as many as fit.
//
// Timing: NumForm cycles of count_i, then one of fit_i; what it leaves stands while hold_i.
// Storage, flops: 4 * log2(NumForm + 2) + log2(NumForm) + 22.
//
// Rules
//   1 Targets need no more registers than there are.
`default_nettype none
`include "wf_assert.vh"

module spref_fit #(
  parameter integer RegBits = 6,
  parameter integer OffBits = 12,
  parameter integer NumForm = 12,
  localparam integer FormW = NumForm > 1 ? $clog2(NumForm) : 1,
  localparam integer CritW = $clog2(NumForm + 2)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 count_i,
  input  wire                 fit_i,
  input  wire                 hold_i,
  input  wire                 cache_only_i,
  input  wire [RegBits:0]     spare_i,
  // entries that must run, and where; targets; the test
  input  wire [NumForm-1:0]   need_i,
  input  wire [NumForm*OffBits-1:0] off_i,
  input  wire [1:0]           head_v_i,
  input  wire [1:0]           tail_v_i,
  input  wire [1:0]           head_wide_i,
  input  wire [1:0]           tail_wide_i,
  input  wire [2*OffBits-1:0] head_off_i,
  input  wire [2*OffBits-1:0] tail_off_i,
  input  wire [OffBits-1:0]   test_off_i,
  output wire                 counted_o,  // this is the last entry
  output wire                 ok_o,       // the first head fits
  output wire [1:0]           head_ok_o,
  output wire [1:0]           tail_ok_o,
  output wire [CritW-1:0]     ncrit_o,
  output wire [3*CritW-1:0]   pos_o,      // as those of spref_loop
  output wire [11:0]          first_o,
  output wire [3:0]           has_reg_o,
  output wire [1:0]           dmax_o
);
  reg [FormW-1:0] at_q;
  reg [CritW-1:0] ncrit_q;
  reg [3*CritW-1:0] pos_q;
  reg [11:0] first_q;
  reg [3:0] has_reg_q;
  reg [1:0] dmax_q, head_ok_q, tail_ok_q;

  wire [OffBits-1:0] lead_off = head_off_i[OffBits-1:0];
  reg [OffBits-1:0] at_off;
  reg at_need;
  always_comb begin
    at_off = '0;
    at_need = 1'b0;
    if (count_i) begin
      at_off = off_i[at_q*OffBits +: OffBits];
      at_need = need_i[at_q];
    end
  end
  wire after_lead = at_off > lead_off;
  wire test_mid = test_off_i > lead_off;
  wire [2:0] prior = {at_off < tail_off_i[OffBits +: OffBits], at_off < tail_off_i[0 +: OffBits],
                      at_off < head_off_i[OffBits +: OffBits]};
  wire [2:0] test_in = {3{test_mid}} & {test_off_i < tail_off_i[OffBits +: OffBits],
                                        test_off_i < tail_off_i[0 +: OffBits],
                                        test_off_i < head_off_i[OffBits +: OffBits]};

  wire h0 = head_v_i[0];
  wire t0 = h0 && tail_v_i[0] && !test_in[1] && tail_off_i[0 +: OffBits] > lead_off;
  wire h1 = h0 && head_v_i[1] && !test_in[0] && head_off_i[OffBits +: OffBits] > lead_off;
  wire t1 = h1 && tail_v_i[1] && !test_in[2]
            && tail_off_i[OffBits +: OffBits] > head_off_i[OffBits +: OffBits];
  wire r_h0 = h0 && !(cache_only_i && !t0), r_t0 = t0 && !cache_only_i;
  wire r_h1 = h1 && !(cache_only_i && !t1), r_t1 = t1 && !cache_only_i;
  wire [3:0] n_h0 = r_h0 ? {2'd0, head_wide_i[0], !head_wide_i[0]} : 4'd0;
  wire [3:0] n_t0 = n_h0 + (r_t0 ? {2'd0, tail_wide_i[0], !tail_wide_i[0]} : 4'd0);
  wire [3:0] n_h1 = n_t0 + (r_h1 ? {2'd0, head_wide_i[1], !head_wide_i[1]} : 4'd0);
  wire [3:0] n_t1 = n_h1 + (r_t1 ? {2'd0, tail_wide_i[1], !tail_wide_i[1]} : 4'd0);
  localparam integer SpareW = RegBits + 4;
  wire [SpareW-1:0] spare = SpareW'(spare_i);
  wire ok_h0 = h0 && SpareW'(n_h0) <= spare, ok_t0 = t0 && SpareW'(n_t0) <= spare;
  wire ok_h1 = h1 && SpareW'(n_h1) <= spare, ok_t1 = t1 && SpareW'(n_t1) <= spare;
  wire [3:0] total = ok_t1 ? n_t1 : ok_h1 ? n_h1 : ok_t0 ? n_t0 : n_h0;
  wire [SpareW-1:0] total_1 = SpareW'(total), total_2 = total_1 << 1, total_3 = total_1 + total_2;

  always_ff @(posedge clk_i) begin
    if (count_i) begin
      at_q <= at_q + 1'b1;
      if (at_need) begin
        if (at_off != lead_off) ncrit_q <= ncrit_q + 1'b1;
        for (int i = 0; i < 3; i = i + 1)
          if (after_lead && prior[i]) pos_q[i*CritW +: CritW] <= pos_q[i*CritW +: CritW] + 1'b1;
      end
    end else begin
      at_q <= '0;
      if (!hold_i) begin
        ncrit_q <= CritW'(1);
        pos_q <= '0;
      end
    end
    if (fit_i) begin
      head_ok_q <= {ok_h1, ok_h0};
      tail_ok_q <= {ok_t1, ok_t0};
      has_reg_q <= {r_t1, r_h1, r_t0, r_h0};
      first_q <= {n_h1[2:0], n_t0[2:0], n_h0[2:0], 3'd0};
      dmax_q <= total_3 <= spare ? 2'd3 : total_2 <= spare ? 2'd2 : 2'd1;
    end
  end

  assign counted_o = at_q == FormW'(NumForm - 1);
  assign ok_o = ok_h0;
  assign head_ok_o = head_ok_q;
  assign tail_ok_o = tail_ok_q;
  assign ncrit_o = ncrit_q;
  assign pos_o = pos_q;
  assign first_o = first_q;
  assign has_reg_o = has_reg_q;
  assign dmax_o = dmax_q;

  `WF_ASSERT(rule1_fit, !fit_i || !ok_h0 || SpareW'(total) <= spare,
             "Rule 1: targets fit into the spare registers")
endmodule
`default_nettype wire
