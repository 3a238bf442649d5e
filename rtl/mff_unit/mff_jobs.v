// mff_jobs: the commands whose home is this slice. Takes command flits, checks them, stores their
// lanes, counts what remains and offers the completion.
//
// Intake: header flit (waits for a free job), a cycle that counts lanes (the checks end one cycle
// later, beside the first lane flit), the lane flits, then the commit. A command with an unknown SM
// or warp, a wrong number of lane flits, a size over 32 or a misaligned base is consumed whole,
// does nothing and completes with the error status; one without elements completes at once. Before
// its commit a job is announced to all slices, so that they can name SM, warp and tag.
//
// A lane flit waits for a row of the ring (mff_rows), which the sequencer frees. A command without
// work gives its rows back as it is committed.
//
// Tokens {job, count} are always accepted; when nothing remains the job goes to the done queue,
// which has room for all jobs. Commits wait for tokens, never the reverse: completions cannot be
// held up by new commands. A job is free again when its done flit was taken at the port.
//   Jobs 1..1024
// Storage, RAM: Jobs x (77 + 2 log2 Jobs), 79 with over 64 SMs; the lanes are in mff_rows.
`default_nettype none
`include "wf_assert.vh"

module mff_jobs #(
  parameter integer Jobs = 43,
  parameter integer NumSm = 15,
  parameter integer NumWarp = 48,
  parameter integer IndexW = 30,             // bits of an index that are kept, up to 32
  localparam integer JobW = Jobs > 1 ? $clog2(Jobs) : 1,
  localparam integer SmW = NumSm > 64 ? 8 : 6,
  localparam integer WhoW = SmW + 14,         // {tag, warp, sm}
  localparam integer JobUsedW = $clog2(Jobs + 1),
  localparam integer LaneW = 6 + IndexW
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                gather_bad_i,   // a base that gathers use is misaligned
  input  wire                scatter_bad_i,
  input  wire                cmd_valid_i,
  output wire                cmd_ready_o,
  input  wire [255:0]        cmd_data_i,
  // announcement to all slices
  output wire                ann_valid_o,
  input  wire                ann_ready_i,
  output wire [JobW-1:0]     ann_job_o,
  output wire [WhoW-1:0]     ann_who_o,      // {tag, warp, sm}
  // lanes and work for the sequencer
  output wire                row_valid_o,
  input  wire                row_ready_i,
  output wire [6*LaneW-1:0]  row_o,          // {size, index} of six lanes, lowest first
  output wire                row_keep_o,
  output wire                row_drop_o,
  output wire                work_valid_o,
  input  wire                work_ready_i,
  output wire [JobW-1:0]     work_job_o,
  output wire                work_op_o,
  output wire [31:0]         work_mask_o,
  // delivered elements
  input  wire                tok_valid_i,
  input  wire [JobW-1:0]     tok_job_i,
  input  wire [10:0]         tok_count_i,
  // completions
  output wire                done_valid_o,
  input  wire                done_ready_i,
  output wire [JobW-1:0]     done_job_o,
  output wire [255:0]        done_data_o,
  input  wire                free_i,
  input  wire [JobW-1:0]     free_job_i,
  output wire                ev_command_o,
  output wire                ev_error_o,
  output wire                ev_stall_job_o,
  output wire [JobUsedW-1:0] used_o,
  output wire                empty_o
);
  localparam [1:0] HEAD = 2'd0, CHECK = 2'd1, LANES = 2'd2, COMMIT = 2'd3;

  reg [1:0] state_q;
  reg op_q, err_q, ann_q, sum_valid_q, checked_q;
  reg [SmW-1:0] sm_q;
  reg [5:0] warp_q;
  reg [7:0] tag_q;
  reg [31:0] mask_q;
  reg [2:0] flits_q, flit_q;
  reg [5:0] lanes_left_q;
  reg [35:0] sizes_q;                   // of the flit before, lanes that do not count zeroed
  reg [10:0] total_q;
  reg [JobW-1:0] job_q;

  wire job_avail;
  wire [JobW-1:0] job_new;
  wire head_take = state_q == HEAD && cmd_valid_i && job_avail;
  wire row_here = flit_q == 3'd6 || row_ready_i; // flits over six are not kept
  wire lane_take = state_q == LANES && cmd_valid_i && row_here;
  assign cmd_ready_o = (state_q == LANES && row_here) || (state_q == HEAD && job_avail);

  // Header checks.
  reg [5:0] lanes;
  always_comb begin
    lanes = '0;
    if (state_q == CHECK)
      for (int i = 0; i < 32; i = i + 1) lanes = lanes + {5'd0, mask_q[i]};
  end
  // One cycle later.
  wire [2:0] flits_right = lanes_left_q > 6'd30 ? 3'd6 : lanes_left_q > 6'd24 ? 3'd5
                           : lanes_left_q > 6'd18 ? 3'd4 : lanes_left_q > 6'd12 ? 3'd3
                           : lanes_left_q > 6'd6 ? 3'd2 : {2'd0, lanes_left_q != '0};
  wire head_bad = 32'(sm_q) >= NumSm || 32'(warp_q) >= NumWarp || flits_right != flits_q
                  || (op_q ? scatter_bad_i : gather_bad_i);

  // Lane flits: sizes of the lanes that count are summed one cycle later.
  reg [35:0] sizes;
  always_comb begin
    sizes = '0;
    if (lane_take)
      for (int k = 0; k < 6; k = k + 1)
        if (lanes_left_q > 6'(k)) sizes[6*k +: 6] = cmd_data_i[192+6*k +: 6];
  end
  reg [10:0] sum;
  reg too_big;
  always_comb begin
    sum = '0;
    too_big = 1'b0;
    if (sum_valid_q) begin
      for (int k = 0; k < 6; k = k + 1) begin
        sum = sum + {5'd0, sizes_q[6*k +: 6]};
        if (sizes_q[6*k+5] && sizes_q[6*k +: 5] != 5'd0) too_big = 1'b1;
      end
    end
  end

  assign row_valid_o = state_q == LANES && cmd_valid_i && flit_q != 3'd6;
  generate
    for (genvar k = 0; k < 6; k = k + 1) begin : g_lane
      wire [31:0] index = cmd_data_i[32*k +: 32];
      wire unused_index = &{1'b0, index};    // byte addresses of indexes wrap at 2^AddrBits
      assign row_o[LaneW*k +: LaneW] = {cmd_data_i[192+6*k +: 6], index[IndexW-1:0]};
    end
  endgenerate

  assign ann_valid_o = ann_q;
  assign ann_job_o = job_q;
  assign ann_who_o = {tag_q, warp_q, sm_q};

  // Commit, when no token is being counted.
  wire counting;
  wire commit = state_q == COMMIT && !checked_q && !sum_valid_q && !ann_q && !counting;
  wire at_once = err_q || total_q == '0;
  assign row_keep_o = commit && !at_once;
  assign row_drop_o = commit && at_once;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= HEAD;
      ann_q <= 1'b0;
      sum_valid_q <= 1'b0;
      checked_q <= 1'b0;
    end else begin
      case (state_q)
        HEAD: if (head_take) state_q <= CHECK;
        CHECK: state_q <= flits_q == '0 ? COMMIT : LANES;
        LANES: if (lane_take && flit_q + 3'd1 == flits_q) state_q <= COMMIT;
        COMMIT: if (commit) state_q <= HEAD;
      endcase
      if (head_take) ann_q <= 1'b1;
      else if (ann_ready_i) ann_q <= 1'b0;
      sum_valid_q <= lane_take;
      checked_q <= state_q == CHECK;
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_take) begin
      op_q <= cmd_data_i[0];
      sm_q <= cmd_data_i[8 +: SmW];
      warp_q <= cmd_data_i[21:16];
      tag_q <= cmd_data_i[31:24];
      mask_q <= cmd_data_i[63:32];
      flits_q <= cmd_data_i[66:64];
      flit_q <= '0;
      total_q <= '0;
      job_q <= job_new;
    end
    if (state_q == CHECK) lanes_left_q <= lanes;
    if (checked_q) err_q <= head_bad;
    if (lane_take) begin
      flit_q <= flit_q + 3'd1;
      lanes_left_q <= lanes_left_q > 6'd6 ? lanes_left_q - 6'd6 : '0;
      sizes_q <= sizes;
    end
    if (sum_valid_q) begin
      total_q <= total_q + sum;
      if (too_big) err_q <= 1'b1;
    end
  end

  mff_freelist #(.Entries(Jobs)) u_jobs (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(job_avail), .id_o(job_new), .take_i(head_take),
    .put_i(free_i), .put_id_i(free_job_i), .used_o(used_o)
  );

  wire work_room, done_room;
  wire [JobUsedW-1:0] work_count, done_count;
  wf_fifo #(.Width(JobW + 33), .Depth(Jobs), .Ram(1)) u_work (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(commit && !at_once), .in_ready_o(work_room),
    .in_data_i({job_q, op_q, mask_q}), .out_valid_o(work_valid_o), .out_ready_i(work_ready_i),
    .out_data_o({work_job_o, work_op_o, work_mask_o}), .count_o(work_count)
  );

  // Remaining elements: T1 reads, T2 subtracts and writes, T3 completes.
  reg t2_valid_q, t2_fwd_q;
  reg [JobW-1:0] t2_job_q;
  reg [10:0] t2_count_q, t2_fwd_data_q;
  wire [10:0] rem_ram;
  wire [10:0] rem_now = t2_fwd_q ? t2_fwd_data_q : rem_ram;
  wire [10:0] rem_left = rem_now - t2_count_q;
  // T3: nothing remained.
  reg t3_zero_q;
  reg [JobW-1:0] t3_job_q;
  wire rem_zero = t3_zero_q;
  assign counting = t2_valid_q || t3_zero_q;
  wire init = commit && !at_once;
  wf_ram_1r1w #(.Width(11), .Depth(Jobs)) u_remaining (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(t2_valid_q || init), .wr_mask_i(1'b1),
    .wr_addr_i(t2_valid_q ? t2_job_q : job_q), .wr_data_i(t2_valid_q ? rem_left : total_q),
    .rd_en_i(tok_valid_i), .rd_addr_i(tok_job_i), .rd_data_o(rem_ram)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      t2_valid_q <= 1'b0;
      t3_zero_q <= 1'b0;
    end else begin
      t2_valid_q <= tok_valid_i;
      t3_zero_q <= t2_valid_q && rem_now == t2_count_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (tok_valid_i) begin
      t2_job_q <= tok_job_i;
      t2_count_q <= tok_count_i;
      t2_fwd_q <= t2_valid_q && t2_job_q == tok_job_i;
      t2_fwd_data_q <= rem_left;
    end
    if (t2_valid_q) t3_job_q <= t2_job_q;
  end

  // Completions.
  reg d1_valid_q;
  reg [JobW-1:0] d1_job_q;
  wire dq_valid;
  wire [JobW-1:0] dq_job;
  wire dq_take = dq_valid && !d1_valid_q;   // every other cycle at most: commands come slower
  wf_fifo #(.Width(JobW), .Depth(Jobs), .Ram(1)) u_done (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(rem_zero || (commit && at_once)),
    .in_ready_o(done_room), .in_data_i(rem_zero ? t3_job_q : job_q), .out_valid_o(dq_valid),
    .out_ready_i(dq_take), .out_data_o(dq_job), .count_o(done_count)
  );
  wire [WhoW+12:0] info;
  wf_ram_1r1w #(.Width(WhoW + 13), .Depth(Jobs)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(commit), .wr_mask_i(1'b1), .wr_addr_i(job_q),
    .wr_data_i({err_q, op_q, err_q ? 11'd0 : total_q, tag_q, warp_q, sm_q}),
    .rd_en_i(dq_take), .rd_addr_i(dq_job), .rd_data_o(info)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) d1_valid_q <= 1'b0;
    else d1_valid_q <= d1_valid_q ? !done_ready_i : dq_valid;
  end
  always_ff @(posedge clk_i) if (dq_take) d1_job_q <= dq_job;
  assign done_valid_o = d1_valid_q;
  assign done_job_o = d1_job_q;
  assign done_data_o = {info[WhoW-1 -: 8], 2'd0, info[SmW +: 6], 8'(info[SmW-1:0]), 8'd1, 192'd0,
                        14'd0, info[WhoW+12], info[WhoW+11], 5'd0, info[WhoW +: 11]};

  assign ev_command_o = commit;
  assign ev_error_o = commit && err_q;
  assign ev_stall_job_o = cmd_valid_i && ((state_q == HEAD && !job_avail)
                                          || (state_q == LANES && !row_here));
  assign empty_o = used_o == '0;
  wire unused = &{1'b0, work_count, done_count};

  initial if (Jobs < 1 || Jobs > 1024) $fatal(1, "mff_jobs: Jobs must be 1..1024 per slice");
  `WF_ASSERT(rule1, !t2_valid_q || (t2_fwd_q ? t2_fwd_data_q : rem_ram) >= t2_count_q,
             "Rule 1: no job gets more elements than it asked for")
  `WF_ASSERT(rule2, !commit || (work_room && done_room),
             "Rule 2: the queues have room for all jobs")
  `WF_ASSERT(rule3, !(rem_zero && commit), "Rule 3: tokens and commits do not collide")
endmodule

`default_nettype wire
