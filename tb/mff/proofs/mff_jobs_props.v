// mff_jobs: every command is completed exactly once, after its last element, with its own SM, warp
// and tag; a refused one without work. Commands are free, tokens are any that the handed-out work
// allows.
`default_nettype none
`include "wf_assert.vh"
module mff_jobs_props #(
  parameter integer Jobs = 2,
  localparam integer JobW = Jobs > 1 ? $clog2(Jobs) : 1
) (
  input wire clk_i, input wire cmd_valid, input wire [255:0] cmd_data, input wire ann_ready,
  input wire work_ready, input wire tok_valid, input wire [JobW-1:0] tok_job,
  input wire [10:0] tok_count, input wire done_ready, input wire pick, input wire row_ready
);
`include "formal.vh"
  localparam integer UsedW = $clog2(Jobs + 1);
  wire cmd_ready, ann_valid, row_valid, row_keep, row_drop, work_valid, work_op, done_valid,
       ev_command, ev_error, ev_stall, empty;
  wire [JobW-1:0] ann_job, work_job, done_job;
  wire [19:0] ann_who;
  wire [215:0] row;
  wire [31:0] work_mask;
  wire [255:0] done_data;
  wire [UsedW-1:0] used;
  wire done = done_valid && done_ready;
  reg free_q;
  reg [JobW-1:0] free_job_q;
  initial free_q = 1'b0;
  mff_jobs #(.Jobs(Jobs), .NumSm(3), .NumWarp(2)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .gather_bad_i(1'b0), .scatter_bad_i(1'b0),
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_data_i(cmd_data),
    .ann_valid_o(ann_valid), .ann_ready_i(ann_ready), .ann_job_o(ann_job), .ann_who_o(ann_who),
    .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row), .row_keep_o(row_keep),
    .row_drop_o(row_drop), .work_valid_o(work_valid), .work_ready_i(work_ready),
    .work_job_o(work_job), .work_op_o(work_op), .work_mask_o(work_mask),
    .tok_valid_i(tok_valid && rst_ni), .tok_job_i(tok_job), .tok_count_i(tok_count),
    .done_valid_o(done_valid), .done_ready_i(done_ready), .done_job_o(done_job),
    .done_data_o(done_data), .free_i(free_q), .free_job_i(free_job_q), .ev_command_o(ev_command),
    .ev_error_o(ev_error), .ev_stall_job_o(ev_stall), .used_o(used), .empty_o(empty)
  );
  // A done flit is taken at the port a cycle after it left here.
  always @(posedge clk_i) begin
    free_q <= rst_ni && done;
    free_job_q <= done_job;
  end
  // One command with one lane flit is followed: its header, its lanes, its job.
  localparam [1:0] NONE = 2'd0, LANES = 2'd1, WORK = 2'd2, OVER = 2'd3;
  reg [1:0] f_q;
  reg [63:0] head_q;
  reg [2:0] flits_q, seen_flits_q;
  reg [10:0] left_q, total_q;
  reg bad_q, handed_q;
  reg [JobW-1:0] job_q;
  initial f_q = NONE;
  wire take = cmd_valid && cmd_ready && rst_ni;
  // Where a header is expected: followed by counting flits.
  reg [2:0] rest_q;
  initial rest_q = 3'd0;
  always @(posedge clk_i) if (take) rest_q <= rest_q == 3'd0 ? cmd_data[66:64] : rest_q - 3'd1;
  wire is_head = take && rest_q == 3'd0;
  wire follow = is_head && pick && f_q == NONE;
  logic [5:0] lanes;
  always_comb begin
    lanes = '0;
    for (int i = 0; i < 32; i++) lanes = lanes + {5'd0, cmd_data[32+i]};
  end
  // Lanes 0 and 1 only, in one flit, so that the sums stay small.
  `WF_ASSUME(short, !is_head || (cmd_data[63:34] == 30'd0 && cmd_data[66:64] <= 3'd1),
             "commands of at most two lanes")
  reg [5:0] lanes_q;
  logic [10:0] sum;
  logic over;
  always_comb begin
    sum = '0;
    over = 1'b0;
    for (int k = 0; k < 2; k++) if (6'(k) < lanes_q) begin
      sum = sum + {5'd0, cmd_data[192+6*k +: 6]};
      if (cmd_data[192+6*k +: 6] > 6'd32) over = 1'b1;
    end
  end
  wire tok_mine = tok_valid && rst_ni && f_q == WORK && handed_q && !asked_q && tok_job == job_q;
  wire done_mine = done && f_q == WORK && !asked_q && done_job == job_q;
  always @(posedge clk_i) if (rst_ni) begin
    if (follow) begin
      f_q <= cmd_data[66:64] == 3'd0 ? WORK : LANES;
      head_q <= cmd_data[63:0];
      lanes_q <= lanes;
      left_q <= '0;
      total_q <= '0;
      handed_q <= 1'b0;
      bad_q <= cmd_data[13:8] >= 6'd3 || cmd_data[21:16] >= 6'd2
               || cmd_data[66:64] != {2'd0, lanes != '0};
    end
    if (f_q == LANES && take) begin
      f_q <= WORK;
      left_q <= sum;
      total_q <= sum;
      bad_q <= bad_q || over;
    end
    if (work_valid && work_ready && work_job == job_q && f_q == WORK && !asked_q) handed_q <= 1'b1;
    if (tok_mine) left_q <= left_q - tok_count;
    if (done_mine) f_q <= OVER;
  end
  reg asked_q;
  initial asked_q = 1'b0;
  always @(posedge clk_i) begin
    asked_q <= rst_ni && follow;
    if (asked_q) job_q <= ann_job;
  end
  `WF_ASSUME(tok_right, !(tok_valid && rst_ni) || tok_count != '0, "tokens count something")
  `WF_ASSUME(tok_owed, !tok_mine || tok_count <= left_q, "no more elements than were asked for")
  // Tokens of other jobs: what is owed them is kept here too.
  reg [Jobs*11-1:0] owed_q;
  reg [Jobs-1:0] out_q;
  initial out_q = '0;
  (* hierconn *) wire [10:0] \dut.total_q ;
  (* hierconn *) wire [JobW-1:0] \dut.job_q ;
  (* hierconn *) wire \dut.init ;
  always @(posedge clk_i) if (rst_ni) begin
    if (work_valid && work_ready) out_q[work_job] <= 1'b1;
    if (\dut.init ) owed_q[\dut.job_q *11 +: 11] <= \dut.total_q ;
    if (tok_valid) begin
      owed_q[tok_job*11 +: 11] <= owed_q[tok_job*11 +: 11] - tok_count;
      if (owed_q[tok_job*11 +: 11] == tok_count) out_q[tok_job] <= 1'b0;
    end
  end
  // What the table holds when a token counts is what is owed: a token that meets an older value
  // would be lost.
  (* hierconn *) wire \dut.t2_valid_q ;
  (* hierconn *) wire [10:0] \dut.rem_now ;
  reg [10:0] before_q;
  always @(posedge clk_i) before_q <= owed_q[tok_job*11 +: 11];
  `WF_ASSERT(counted, !(\dut.t2_valid_q && rst_ni) || \dut.rem_now == before_q,
             "each token counts from what is owed")
  `WF_ASSUME(tok_out,
             !(tok_valid && rst_ni) || ({1'b0, tok_job} < (JobW + 1)'(Jobs) && out_q[tok_job]
                                        && tok_count <= owed_q[tok_job*11 +: 11]),
             "tokens of jobs in work, no more than they are owed")
  wire mine = done_valid && f_q == WORK && !asked_q && done_job == job_q;
  `WF_ASSERT(done_after_last, !mine || bad_q || left_q == '0,
             "a completion comes after the last element")
  `WF_ASSERT(done_who,
             !mine || (done_data[237:232] == head_q[13:8] && done_data[245:240] == head_q[21:16]
                       && done_data[255:248] == head_q[31:24] && done_data[224]
                       && done_data[16] == head_q[0]),
             "a completion names its command")
  `WF_ASSERT(done_count, !mine
             || (done_data[17] == bad_q && done_data[15:0] == (bad_q ? 16'd0 : {5'd0, total_q})),
             "a completion tells the count, or that the command was refused")
  `WF_ASSERT(refused_no_work, !(work_valid && f_q == WORK && !asked_q && work_job == job_q)
             || !bad_q,
             "a refused command does nothing")
  `WF_ASSERT(once, !(done_valid && f_q == OVER && done_job == job_q && !free_q && out_mine_q),
             "a command completes once")
  reg out_mine_q;  // nothing else has the followed job's number since its completion
  initial out_mine_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (done_mine) out_mine_q <= 1'b1;
    if (is_head) out_mine_q <= 1'b0;
  end
  wire head_soon = rst_ni && f_q == WORK;
  // Bounded: an environment that takes everything and owes nothing sees the completion soon.
  reg [4:0] age_q;
  initial age_q = 5'd0;
  always @(posedge clk_i)
    if (!head_soon || !ann_ready || !work_ready || !done_ready || tok_valid
        || (!bad_q && left_q != '0))
      age_q <= 5'd0;
    else if (age_q != 5'd31) age_q <= age_q + 5'd1;
  `WF_ASSERT(bounded, age_q < 5'd16,
             "a completion is offered in bounded time after the last element")
  `WF_COVER(completed, mine && !bad_q && total_q > 11'd2)
  `WF_COVER(refused, mine && bad_q)
  `WF_COVER(all_in_use, used == UsedW'(Jobs) && f_q == WORK)
endmodule
`default_nettype wire
