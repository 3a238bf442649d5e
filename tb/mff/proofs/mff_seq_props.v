// mff_seq: of any job, any one element (lane, i) lies in exactly one run, at its place in C; runs
// name lanes of the mask only and stay within their block; other jobs may come before and after.
`default_nettype none
`include "wf_assert.vh"
module mff_seq_props #(
  parameter integer Lanes = 2  // lanes that may be active: 0 .. Lanes - 1
) (
  input wire clk_i, input wire work_valid, input wire work_op, input wire [Lanes-1:0] work_mask,
  input wire run_ready, input wire row_we, input wire [215:0] row_data
);
`include "formal.vh"
  wire row_ready, work_ready, run_valid, ev_run;
  reg keep_q;
  initial keep_q = 1'b0;
  always @(posedge clk_i) keep_q <= rst_ni && row_we;
  wire run_dest;
  wire [24:0] run_blk;
  wire [22:0] run;
  (* anyconst *) wire [31:0] c_base;
  mff_seq #(.NSlice(1), .InterleaveBytes(128), .Jobs(1), .Rows(6)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .home_i(1'b0), .c_base_i(c_base),
    .row_valid_i(row_we && rst_ni), .row_ready_o(row_ready), .row_i(row_data),
    .row_keep_i(keep_q), .row_drop_i(1'b0), .work_valid_i(work_valid && rst_ni),
    .work_ready_o(work_ready), .work_job_i(1'b0), .work_op_i(work_op),
    .work_mask_i({{(32-Lanes){1'b0}}, work_mask}), .run_valid_o(run_valid), .run_ready_i(run_ready),
    .run_dest_o(run_dest), .run_blk_o(run_blk), .run_o(run), .ev_run_o(ev_run)
  );
  wire [1:0] key;
  wire op;
  wire [4:0] lane, first, start, len1;
  assign {key, op, lane, first, start, len1} = run;
  // The followed lane and element. The rows are written once, before the one job of the proof.
  (* anyconst *) wire [4:0] f_lane;
  (* anyconst *) wire [4:0] f_i;
  reg loaded_q, started_q;
  reg [29:0] index_q;
  reg [5:0] size_q;
  reg [Lanes-1:0] mask_q;
  initial loaded_q = 1'b0;
  initial started_q = 1'b0;
  `WF_ASSUME(one_load, !(row_we && loaded_q) && !(work_valid && (!loaded_q || keep_q || started_q)),
             "rows, then one job")
  `WF_ASSUME(lanes, work_mask != '0 && f_lane < 5'(Lanes), "a job in work has lanes")
  // The row holds operands of active lanes, lowest first; `place` is where the followed lane's are.
  logic [2:0] place;
  always_comb begin
    place = '0;
    for (int l = 0; l < Lanes; l++) if (5'(l) < f_lane && work_mask[l]) place = place + 3'd1;
  end
  logic legal;
  always_comb begin
    legal = 1'b1;
    for (int k = 0; k < 6; k++)
      if (row_data[36*k+30 +: 6] > 6'd32 || row_data[36*k+9 +: 21] != '0) legal = 1'b0;
  end
  `WF_ASSUME(sizes, !row_we || legal,
             "sizes over 32 were refused; indexes below 512, to keep the adders small")
  `WF_ASSUME(small_base, c_base[31:10] == '0, "a base below 1024")
  reg [215:0] row_q;
  wire begins = work_valid && work_ready && rst_ni;
  always @(posedge clk_i) if (rst_ni) begin
    if (row_we) row_q <= row_data;
    if (row_we) loaded_q <= 1'b1;
    if (begins) begin
      started_q <= 1'b1;
      mask_q <= work_mask;
      index_q <= row_q[place*36 +: 30];
      size_q <= work_mask[f_lane] ? row_q[place*36+30 +: 6] : 6'd0;
    end
  end
  wire fire = run_valid && run_ready;
  wire holds = fire && lane == f_lane && f_i >= first && f_i - first <= len1;
  wire [29:0] word = c_base[31:2] + index_q + {25'd0, f_i};
  reg seen_q;
  initial seen_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && holds) seen_q <= 1'b1;
  wire [4:0] at = start + (f_i - first);
  `WF_ASSERT(once, !holds || !seen_q, "an element is in one run")
  `WF_ASSERT(wanted, !holds || {1'b0, f_i} < size_q, "only elements that were asked for")
  `WF_ASSERT(where, !holds || {run_blk, at} == word, "the run has the element's place in C")
  `WF_ASSERT(in_block, !fire || {1'b0, start} + {1'b0, len1} <= 6'd31,
             "a run stays within its block")
  `WF_ASSERT(of_mask, !fire || (started_q && lane < 5'(Lanes) && mask_q[lane]),
             "runs of active lanes only")
  // After the job: all seen. Cycles in which the taker waits do not count.
  reg [5:0] age_q;
  initial age_q = 6'd0;
  always @(posedge clk_i)
    if (rst_ni && started_q && run_ready && age_q != 6'd63) age_q <= age_q + 6'd1;
  `WF_ASSERT(all_seen, age_q < 6'(11 + 3 * Lanes) || !({1'b0, f_i} < size_q) || seen_q,
             "every element is in a run, in bounded time")
  `WF_ASSERT(ends, age_q < 6'(11 + 3 * Lanes) || (!run_valid && work_ready),
             "the job ends in bounded time")
  reg held_q;
  reg [47:0] held_run_q;
  initial held_q = 1'b0;
  always @(posedge clk_i) begin
    held_q <= rst_ni && run_valid && !run_ready;
    held_run_q <= {run_blk, run};
  end
  `WF_ASSERT(run_stable, !held_q || (run_valid && {run_blk, run} == held_run_q),
             "a run holds until taken")
  `WF_COVER(second_run, holds && first != 5'd0)
  `WF_COVER(last_lane, holds && f_lane == 5'(Lanes - 1))
endmodule
`default_nettype wire
