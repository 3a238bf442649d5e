// mff_cside: of all elements of the runs that went in, any one comes out in exactly one V request,
// at the block and word that v_base + C says; none is made or lost. Gathers; bases and indexes
// small, to keep the adders small.
`default_nettype none
`include "wf_assert.vh"
module mff_cside_props #(
  parameter integer MaxRun = 4  // elements of a run
) (
  input wire clk_i, input wire run_valid, input wire run_block, input wire [4:0] run_lane,
  input wire [4:0] run_a, input wire [4:0] run_start, input wire [4:0] run_len1,
  input wire rd_ready, input wire mem_lazy, input wire [255:0] fresh, input wire vreq_ready
);
`include "formal.vh"
  wire run_ready, rd_valid, vreq_valid, empty, ev_lookup, ev_merge, ev_tag, ev_reg, ev_out, rd_line,
       lines_used, dest;
  wire [24:0] rd_blk, vreq_blk;
  wire [40:0] payload;
  wire [2:0] ev_elements;
  (* anyconst *) wire [31:0] v_base;
  (* anyconst *) wire [4:0] f_lane;
  (* anyconst *) wire [4:0] f_a;
  (* anyconst *) wire [7:0] f_c;
  `WF_ASSUME(small_base, v_base[31:8] == '0 && f_c[7:6] == '0, "small addresses")
  // Memory: one line, so one read at a time.
  reg asked_q, busy_q, blk_q;
  reg [1:0] beat_q;
  initial asked_q = 1'b0;
  initial busy_q = 1'b0;
  wire rd_fire = rd_valid && rd_ready && rst_ni, lands = busy_q && !mem_lazy;
  always @(posedge clk_i) if (rst_ni) begin
    if (rd_fire) asked_q <= 1'b1;
    if (rd_fire) blk_q <= rd_blk[0];
    if (asked_q && !mem_lazy) begin
      asked_q <= 1'b0;
      busy_q <= 1'b1;
      beat_q <= 2'd0;
    end
    if (lands) beat_q <= beat_q + 2'd1;
    if (lands && beat_q == 2'd3) busy_q <= 1'b0;
  end
  `WF_ASSERT(read_once, !rd_fire || (!asked_q && !busy_q), "a line has one read outstanding")
  // The followed element: where its run has it.
  reg in_q, out_q;
  (* anyconst *) wire f_blk;   // known from the start: its block may land before its run comes
  (* anyconst *) wire [4:0] f_word;
  initial in_q = 1'b0;
  initial out_q = 1'b0;
  wire go_in = run_valid && run_ready && rst_ni;
  wire has = run_lane == f_lane && f_a >= run_a && f_a - run_a <= run_len1;
  `WF_ASSUME(run_right,
             !run_valid || ({1'b0, run_start} + {1'b0, run_len1} < 6'd32
                            && {1'b0, run_a} + {1'b0, run_len1} < 6'd32 && run_len1 < 5'(MaxRun)
                            && run_lane[4:1] == '0 && run_start[1:0] <= 2'd2),
             "runs stay within their block and list")
  wire [4:0] place = run_start + (f_a - run_a);
  `WF_ASSUME(f_place, !(run_valid && has) || (run_block == f_blk && place == f_word),
             "the run that holds the element")
  `WF_ASSUME(one_run, !(run_valid && has && in_q), "an element is in one run")
  always @(posedge clk_i) if (go_in && has) begin
    in_q <= 1'b1;
  end
  logic [255:0] data;
  always_comb begin
    data = fresh;
    for (int j = 0; j < 8; j++) begin
      data[j*32+6 +: 26] = '0;
      if (blk_q == f_blk && {beat_q, 3'd0} + 5'(j) == f_word) data[j*32 +: 8] = f_c;
    end
  end
  mff_cside #(.NSlice(1), .InterleaveBytes(128), .CLines(1), .Regs(2), .KeyW(1), .Keep(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .flush_i(1'b0), .v_base_i(v_base), .b_base_i(32'd0),
    .run_valid_i(run_valid), .run_ready_o(run_ready), .run_blk_i({24'd0, run_block}),
    .run_i({1'b0, 1'b0, run_lane, run_a, run_start, run_len1}), .rd_valid_o(rd_valid),
    .rd_ready_i(rd_ready), .rd_blk_o(rd_blk), .rd_line_o(rd_line), .land_valid_i(lands),
    .land_line_i(1'b0), .land_beat_i(beat_q), .land_data_i(data), .vreq_valid_o(vreq_valid),
    .vreq_ready_i(vreq_ready), .vreq_dest_o(dest), .vreq_blk_o(vreq_blk), .vreq_payload_o(payload),
    .ev_lookup_o(ev_lookup), .ev_merge_o(ev_merge), .ev_stall_tag_o(ev_tag),
    .ev_stall_reg_o(ev_reg), .ev_elements_o(ev_elements), .ev_stall_out_o(ev_out),
    .lines_used_o(lines_used), .empty_o(empty)
  );
  wire go_out = vreq_valid && vreq_ready && rst_ni;
  wire [1:0] n1 = payload[31:30];
  wire [4:0] a = payload[29:25], lane = payload[24:20];
  wire out_here = go_out && lane == f_lane && f_a >= a && f_a - a <= {3'd0, n1};
  wire [4:0] at = f_a - a;
  wire [4:0] word = payload[at[1:0]*5 +: 5];
  always @(posedge clk_i) if (out_here) out_q <= 1'b1;
  `WF_ASSERT(out_once, !out_here || (in_q && !out_q),
             "an element comes out once, and only if it went in")
  `WF_ASSERT(out_where, !out_here || {vreq_blk, word} == v_base[31:2] + {22'd0, f_c},
             "at the block and word of V[C[..]]")
  reg [7:0] count_q;  // elements inside
  initial count_q = 8'd0;
  always @(posedge clk_i) if (rst_ni)
    count_q <= count_q + (go_in ? {3'd0, run_len1} + 8'd1 : 8'd0)
               - (go_out ? {6'd0, n1} + 8'd1 : 8'd0);
  `WF_ASSERT(none_made, !go_out || count_q > {6'd0, n1}, "no element is made")
  reg [2:0] rest_q;
  initial rest_q = 3'd0;
  always @(posedge clk_i) rest_q <= !rst_ni || !empty || vreq_valid || run_valid ? 3'd0
                                    : rest_q == 3'd7 ? 3'd7 : rest_q + 3'd1;
  `WF_ASSERT(none_lost, rest_q != 3'd7 || (count_q == 8'd0 && in_q == out_q),
             "after it ran empty all are out")
  `WF_QUIET(rest_q == 3'd7 && !run_valid)
  `WF_COVER(grouped, out_here && n1 == 2'd2)
  `WF_COVER(drained, rest_q == 3'd7 && out_q)
endmodule
`default_nettype wire
