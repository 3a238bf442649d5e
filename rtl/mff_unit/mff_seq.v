// mff_seq: the issue sequencer of a slice. Takes jobs in order, walks their lanes, and splits each
// lane's part of C at block boundaries into runs, one C request each: one run per cycle. (One
// sequencer per slice over one ring of lanes replaces a set of issue engines with a few jobs each.)
//
// Pipeline: a register holds the next job; Q1 picks lane and operands from the row of six lanes; Q2
// adds the base of C; Q3 splits (a cycle for each block that a lane's part lies in); Q4 finds the
// owner, with Hash in three more stages.
// Addresses wrap at 2^AddrBits, of which an index of 32 bits reaches 2^34 bytes from its base.
// Both ends are registers: work_ready_o and the stages' stalls do not depend on run_ready_i in the
// same cycle.
//   Jobs 1..1024   Rows 6 or more   KeyW: {home slice, job}; home_i: this slice
// Storage, RAM: Rows x 6 x (6 + min(32, AddrBits - 2)).
`default_nettype none
`include "wf_assert.vh"

module mff_seq #(
  parameter integer NSlice = 6,
  parameter integer Hash = 0,
  parameter integer InterleaveBytes = 256,
  parameter integer Jobs = 43,
  parameter integer Rows = 258,           // of six lanes, in which commands wait
  parameter integer AddrBits = 32,
  parameter integer BlockBytes = 128,
  localparam integer JobW = Jobs > 1 ? $clog2(Jobs) : 1,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1,
  localparam integer KeyW = SliceW + JobW,
  localparam integer WordW = AddrBits - 2, // a word's address
  localparam integer PlaceW = $clog2(BlockBytes / 4), // of a word in its block
  localparam integer BlkW = WordW - PlaceW,
  localparam integer RunW = KeyW + 16 + PlaceW,
  localparam integer IndexW = WordW < 32 ? WordW : 32,
  localparam integer LaneW = 6 + IndexW
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire [SliceW-1:0] home_i,
  input  wire [AddrBits-1:0] c_base_i,
  input  wire              row_valid_i,
  output wire              row_ready_o,
  input  wire [6*LaneW-1:0] row_i,        // {size, index} of six lanes, lowest first
  input  wire              row_keep_i,
  input  wire              row_drop_i,
  input  wire              work_valid_i,
  output wire              work_ready_o,
  input  wire [JobW-1:0]   work_job_i,
  input  wire              work_op_i,
  input  wire [31:0]       work_mask_i,
  output wire              run_valid_o,
  input  wire              run_ready_i,
  output wire [SliceW-1:0] run_dest_o,
  output wire [BlkW-1:0]   run_blk_o,
  output wire [RunW-1:0]   run_o,
  output wire              ev_run_o
);
  reg busy_q, op_q;
  reg [JobW-1:0] job_q;
  reg [31:0] mask_q;
  reg [2:0] k_q;

  wire en1, en2, en3, en4;
  // The next job.
  wire job_valid, job_ready, job_op, job_count;
  wire [JobW-1:0] job_next;
  wire [31:0] job_mask;
  wf_fifo #(.Width(JobW + 33), .Depth(1)) u_job (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(work_valid_i), .in_ready_o(work_ready_o),
    .in_data_i({work_job_i, work_op_i, work_mask_i}), .out_valid_o(job_valid),
    .out_ready_i(job_ready), .out_data_o({job_next, job_op, job_mask}), .count_o(job_count)
  );
  wire [4:0] lane;
  wire [31:0] lane_onehot;
  wire lane_any;
  wf_priority_enc #(.N(32)) u_lane (
    .bits_i(mask_q), .onehot_o(lane_onehot), .index_o(lane), .any_o(lane_any)
  );
  wire [31:0] mask_rest = mask_q & ~lane_onehot;
  // Lanes that are left after this one: counted, since the end of a job decides what is read next.
  reg [4:0] left_q;
  reg [5:0] lanes;
  always_comb begin
    lanes = '0;
    if (job_valid) for (int i = 0; i < 32; i = i + 1) lanes = lanes + {5'd0, job_mask[i]};
  end
  wire [5:0] lanes_less = lanes - 6'd1;
  wire step = busy_q && en1;
  wire finish = step && left_q == '0;
  wire start = job_valid && job_ready;
  wire more = step && !finish && k_q == 3'd5;
  assign job_ready = !busy_q || finish;

  wire [6*LaneW-1:0] row;
  mff_rows #(.Rows(Rows), .Width(6 * LaneW)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(row_valid_i), .in_ready_o(row_ready_o),
    .in_row_i(row_i), .keep_i(row_keep_i), .drop_i(row_drop_i), .next_i(start || more),
    .row_o(row)
  );

  // Q1
  reg [IndexW-1:0] pick_index;
  reg [5:0] pick_size;
  always_comb begin
    {pick_size, pick_index} = '0;
    for (int k = 0; k < 6; k = k + 1)
      if (k_q == 3'(k)) {pick_size, pick_index} = row[LaneW*k +: LaneW];
  end
  reg q1_valid_q, q2_valid_q, q3_valid_q, second_q;
  reg [IndexW-1:0] q1_index_q;
  reg [WordW-1:0] q2_word_q;
  reg [5:0] q1_size_q, q2_size_q;
  reg [JobW+5:0] q1_who_q, q2_who_q, q3_who_q;             // {job, op, lane}
  reg q2_crosses_q;
  reg [BlkW-1:0] q3_blk_q;
  reg [PlaceW+9:0] q3_run_q;                               // {a_offset, start, length - 1}
  wire [SliceW-1:0] owned_dest;
  wire [PlaceW-1:0] q1_at = c_base_i[2 +: PlaceW] + q1_index_q[PlaceW-1:0];

  localparam integer SumW = PlaceW > 5 ? PlaceW + 2 : 7;
  wire [SumW-1:0] q1_end = {{(SumW-PlaceW){1'b0}}, q1_at} + {{(SumW-6){1'b0}}, q1_size_q};

  // Q3: split. `room` is what the blocks before this part hold, of the first what its own does; a
  // lane's part lies in three blocks where 32 words are more than one.
  localparam integer Small = BlockBytes < 128 ? 1 : 0;
  localparam integer RoomW = PlaceW > 5 ? PlaceW + 1 : 6;
  localparam integer WordsI = BlockBytes / 4;
  localparam [RoomW-1:0] WORDS = WordsI[RoomW-1:0];
  reg q2_third_q, third_q;
  wire third = Small != 0 && third_q;
  wire [RoomW-1:0] first_room = WORDS - {{(RoomW-PlaceW){1'b0}}, q2_word_q[PlaceW-1:0]};
  wire [RoomW-1:0] room = third ? first_room + WORDS : first_room;
  wire crosses = q2_crosses_q;
  wire middle = Small != 0 && second_q && q2_third_q && !third_q;
  wire goes_on = (crosses && !second_q) || middle;
  wire q2_take = q2_valid_q && en3;
  wire q2_done = q2_take && !goes_on;
  wire [5:0] len1_first = (crosses ? room[5:0] : q2_size_q) - 6'd1;
  wire [5:0] len1_second = (middle ? WORDS[5:0] : q2_size_q - room[5:0]) - 6'd1;

  localparam integer ChunkShift = $clog2(InterleaveBytes / BlockBytes);
  localparam integer OwnedW = BlkW + JobW + 16 + PlaceW;
  wire owned_valid;
  wire [OwnedW-1:0] owned;
  mff_owner #(
    .N(1), .Width(OwnedW), .NSlice(NSlice), .Hash(Hash), .Bits(BlkW - ChunkShift)
  ) u_owner (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en4), .valid_i(q3_valid_q),
    .data_i({q3_blk_q, q3_who_q, q3_run_q}), .chunk_i(q3_blk_q[BlkW-1:ChunkShift]),
    .valid_o(owned_valid), .data_o(owned), .slice_o(owned_dest)
  );

  // Q4
  wire [JobW+5:0] q4_who;
  wire [PlaceW+9:0] q4_run;
  // A queue of two where a wf_skid would do: run_ready_i, which the crossbar makes of the
  // destination, comes late, and moves a pointer instead of data. The destination has its own.
  wire [1:0] run_fill;
  wire unused_fill = &{1'b0, run_fill};
  wf_fifo #(.Width(OwnedW), .Depth(2)) u_run (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(owned_valid), .in_ready_o(en4),
    .in_data_i(owned), .out_valid_o(run_valid_o),
    .out_ready_i(run_ready_i), .out_data_o({run_blk_o, q4_who, q4_run}), .count_o(run_fill)
  );
  reg [SliceW-1:0] dest0_q, dest1_q;
  reg dest_head_q, dest_tail_q;
  assign run_dest_o = dest_head_q ? dest1_q : dest0_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dest_head_q <= 1'b0;
      dest_tail_q <= 1'b0;
    end else begin
      if (run_valid_o && run_ready_i) dest_head_q <= !dest_head_q;
      if (owned_valid && en4) dest_tail_q <= !dest_tail_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (owned_valid && en4 && !dest_tail_q) dest0_q <= owned_dest;
    if (owned_valid && en4 && dest_tail_q) dest1_q <= owned_dest;
  end
  assign en3 = !q3_valid_q || en4;
  assign en2 = !q2_valid_q || q2_done;
  assign en1 = !q1_valid_q || en2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      q1_valid_q <= 1'b0;
      q2_valid_q <= 1'b0;
      q3_valid_q <= 1'b0;
      second_q <= 1'b0;
      third_q <= 1'b0;
    end else begin
      if (start) busy_q <= 1'b1;
      else if (finish) busy_q <= 1'b0;
      if (en1) q1_valid_q <= busy_q && pick_size != '0;
      if (en2) q2_valid_q <= q1_valid_q;
      if (en3) q3_valid_q <= q2_valid_q;
      if (q2_take) second_q <= goes_on;
      if (q2_take) third_q <= middle;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      job_q <= job_next;
      op_q <= job_op;
      mask_q <= job_mask;
      left_q <= lanes_less[4:0];
      k_q <= '0;
    end else if (step) begin
      mask_q <= mask_rest;
      left_q <= left_q - 5'd1;
      k_q <= k_q == 3'd5 ? 3'd0 : k_q + 3'd1;
    end
    if (step) begin
      q1_index_q <= pick_index;
      q1_size_q <= pick_size;
      q1_who_q <= {job_q, op_q, lane};
    end
    if (en2 && q1_valid_q) begin
      q2_word_q <= c_base_i[AddrBits-1:2] + WordW'(q1_index_q);
      q2_size_q <= q1_size_q;
      q2_crosses_q <= q1_end > SumW'(WordsI);
      q2_third_q <= q1_end > SumW'(2 * WordsI);
      q2_who_q <= q1_who_q;
    end
    if (q2_take) begin
      q3_blk_q <= q2_word_q[WordW-1:PlaceW] + {{(BlkW-2){1'b0}}, third, second_q && !third};
      q3_run_q <= second_q ? {room[4:0], {PlaceW{1'b0}}, len1_second[4:0]}
                           : {5'd0, q2_word_q[PlaceW-1:0], len1_first[4:0]};
      q3_who_q <= q2_who_q;
    end
  end

  assign run_o = {home_i, q4_who, q4_run};
  assign ev_run_o = run_valid_o && run_ready_i;

  wire unused = &{1'b0, lane_any, job_count, c_base_i[1:0], len1_first[5], len1_second[5],
                  lanes_less[5], q2_third_q, third_q, room};
  `WF_ASSERT(rule1, !q2_valid_q || (q2_size_q != '0 && q2_size_q <= 6'd32),
             "Rule 1: sizes 1..32 only")
  `WF_ASSERT(rule2, !start || job_mask != '0, "Rule 2: a job in work has lanes")
  `WF_ASSERT(rule3, !step || finish == (mask_rest == '0), "Rule 3: its last lane is known")
  `WF_ASSERT(rule4, run_fill[0] == (dest_head_q != dest_tail_q),
             "Rule 4: a run and its destination move together")
endmodule

`default_nettype wire
