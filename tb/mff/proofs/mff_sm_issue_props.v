// mff_sm_issue: any one lane of any one instruction that asks for something is in its command once,
// at its place, unchanged; the header tells lanes and rows; a command is sent for each instruction
// that asks for something, and for no other; its words are counted.
`default_nettype none
`include "wf_assert.vh"
module mff_sm_issue_props #(
  parameter integer Beats = 2
) (
  input wire clk_i, input wire iss_valid, input wire op, input wire [1:0] mask2,
  input wire [5:0] index, input wire [23:0] size, input wire start, input wire cmd_ready,
  input wire pick
);
`include "formal.vh"
  localparam integer AddrW = 5, Rows = (4 * Beats + 5) / 6;
  wire iss_ready, target_we, commit, commit_gather, hold, cmd_valid, cmd_slice, cmd_last, ev_empty,
       ev_stall, ev_held, idle;
  wire [3:0] target_row;
  wire [4*AddrW-1:0] target;
  wire [5:0] commit_warp, hold_warp;
  wire [10:0] commit_words;
  wire [255:0] cmd;
  // Lanes 0 and 1 of a beat are active together, and so are 2 and 3. One bit of the index counts.
  wire [3:0] mask = {mask2[1], mask2[1], mask2[0], mask2[0]};
  wire [127:0] indexes = {31'd0, index[3], 31'd0, index[2], 31'd0, index[1], 31'd0, index[0]};
  wire [5:0] warp = {4'd0, index[5:4]};
  // An entry with its credit stays until the commit.
  reg started_q;
  initial started_q = 1'b0;
  always @(posedge clk_i) started_q <= rst_ni && (start || started_q) && !commit;
  wire start_now = start || started_q;
  mff_sm_issue #(.SliceW(1), .EntryW(1), .AddrW(AddrW), .Beats(Beats)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_i(8'd9), .iss_valid_i(iss_valid && rst_ni),
    .iss_ready_o(iss_ready), .iss_op_i(op), .iss_warp_i(warp), .iss_mask_i(mask),
    .iss_index_i(indexes), .iss_size_i(size), .iss_target_i({4*AddrW{1'b0}}),
    .start_i(start_now), .entry_i(1'b1), .slice_i(1'b0), .target_we_o(target_we),
    .target_row_o(target_row), .target_o(target), .commit_o(commit),
    .commit_gather_o(commit_gather), .commit_warp_o(commit_warp), .commit_words_o(commit_words),
    .hold_o(hold), .hold_warp_o(hold_warp), .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready),
    .cmd_data_o(cmd), .cmd_slice_o(cmd_slice), .cmd_last_o(cmd_last), .ev_empty_o(ev_empty),
    .ev_stall_o(ev_stall), .ev_held_o(ev_held), .idle_o(idle)
  );
  `WF_ASSUME_STABLE(iss_stable, iss_valid, iss_ready, {op, mask2, index, size}, 33,
                    "an offer holds until taken")
  (* anyconst *) wire [4:0] f_any;
  localparam integer LaneW = $clog2(4 * Beats);
  wire [4:0] f_lane = 5'(f_any[LaneW-1:0]);
  wire take = iss_valid && iss_ready && rst_ni, out = cmd_valid && cmd_ready && rst_ni;
  reg [2:0] beat_q;
  initial beat_q = 3'd0;
  wire last_beat = beat_q == 3'(Beats - 1);
  always @(posedge clk_i) if (take) beat_q <= last_beat ? 3'd0 : beat_q + 3'd1;
  logic [3:0] asks;
  logic [2:0] here;                       // lanes of the beat before the followed one
  logic [8:0] sum;
  always_comb begin
    sum = '0;
    here = '0;
    for (int k = 0; k < 4; k++) begin
      asks[k] = mask[k] && size[6*k +: 6] != 6'd0;
      if (asks[k]) sum = sum + {3'd0, size[6*k +: 6]};
      if (asks[k] && {beat_q, 2'(k)} < f_lane) here = here + 3'd1;
    end
  end
  // The followed instruction.
  localparam [1:0] NONE = 2'd0, BEATS = 2'd1, SENT = 2'd2, OVER = 2'd3;
  reg [1:0] f_q;
  reg op_q, asks_q, index_q;
  reg [5:0] size_q, warp_q, rank_q;
  reg [4*Beats-1:0] mask_q;
  reg [10:0] words_q;
  reg [2:0] at_q;                         // flits of its command that left
  initial f_q = NONE;
  wire ends_empty = f_q == SENT && at_q == 3'd0 && ev_empty;  // not the one behind it
  wire follow = take && beat_q == 3'd0 && pick && f_q == NONE && idle && !cmd_valid;
  wire mine = follow || f_q == BEATS;
  wire fresh = follow;
  always @(posedge clk_i) if (rst_ni) begin
    if (follow) begin
      f_q <= BEATS;
      op_q <= op;
      warp_q <= warp;
      asks_q <= 1'b0;
      at_q <= 3'd0;
    end else if (f_q == BEATS && take && last_beat) begin
      f_q <= SENT;
    end
    if (mine && take) begin
      words_q <= (fresh ? 11'd0 : words_q) + {2'd0, sum};
      rank_q <= (fresh ? 6'd0 : rank_q) + {3'd0, here};
      mask_q <= {asks, mask_q[4*Beats-1:4]};
      if (f_lane[4:2] == beat_q) begin
        asks_q <= asks[f_lane[1:0]];
        size_q <= size[6*f_lane[1:0] +: 6];
        index_q <= index[f_lane[1:0]];
      end
    end
    if (f_q == SENT && out) begin
      at_q <= at_q + 3'd1;
      if (cmd_last) f_q <= OVER;
    end
    if (ends_empty) f_q <= OVER;
  end
  logic [5:0] lanes;
  always_comb begin
    lanes = '0;
    for (int i = 0; i < 4 * Beats; i++) lanes = lanes + {5'd0, mask_q[i]};
  end
  wire [2:0] rows = lanes > 6'd30 ? 3'd6 : lanes > 6'd24 ? 3'd5 : lanes > 6'd18 ? 3'd4
                    : lanes > 6'd12 ? 3'd3 : lanes > 6'd6 ? 3'd2 : 3'd1;
  wire [2:0] row = rank_q > 6'd29 ? 3'd6 : rank_q > 6'd23 ? 3'd5 : rank_q > 6'd17 ? 3'd4
                   : rank_q > 6'd11 ? 3'd3 : rank_q > 6'd5 ? 3'd2 : 3'd1;
  wire [5:0] before = rank_q - {3'd0, row - 3'd1} * 6'd6;
  wire [2:0] slot = before[2:0];
  wire head = cmd_valid && f_q == SENT && at_q == 3'd0;
  wire its = cmd_valid && f_q == SENT && at_q != 3'd0 && at_q == row && asks_q;
  `WF_ASSERT(not_before, !(cmd_valid && f_q == BEATS), "nothing leaves before the last beat")
  `WF_ASSERT(header, !head || (cmd[0] == op_q && cmd[13:8] == 6'd9 && cmd[21:16] == warp_q
                               && cmd[31:24] == 8'd1 && cmd[63:32] == 32'(mask_q)
                               && cmd[66:64] == rows && cmd[255:67] == '0),
             "the header names the command, its lanes and its rows")
  `WF_ASSERT(lane_right, !its || (cmd[32*slot +: 32] == {31'd0, index_q}
                                  && cmd[192 + 6*slot +: 6] == size_q),
             "a lane is at its place, unchanged")
  `WF_ASSERT(last_right, !(cmd_valid && f_q == SENT) || cmd_last == (at_q == rows),
             "as many rows as are told")
  `WF_ASSERT(sent_if_asked, !(f_q == SENT && (commit || cmd_valid)) || lanes != 6'd0,
             "who asks for nothing sends nothing")
  `WF_ASSERT(empty_right, !ends_empty || lanes == 6'd0, "and nobody else ends here")
  `WF_ASSERT(words_right, !(f_q == SENT && commit)
             || (commit_words == (op_q ? 11'd0 : words_q) && commit_gather == !op_q
                 && commit_warp == warp_q),
             "words that are to come are counted")
  `WF_ASSERT(held, !((f_q == BEATS || (f_q == SENT && at_q == 3'd0)) && rst_ni) || op_q
             || (hold && hold_warp == warp_q),
             "a gather is told of until its command leaves")
  reg [4:0] late_q;
  initial late_q = 5'd0;
  always @(posedge clk_i)
    late_q <= rst_ni && f_q == SENT && cmd_ready ? late_q + {4'd0, late_q != 5'd31} : 5'd0;
  `WF_ASSERT(in_time, late_q < 5'(5 + Rows), "a command leaves as soon as its lanes are in flits")
  `WF_COVER(second_row, its && row == 3'd2)
  `WF_COVER(empty, ends_empty)
  `WF_COVER(rests, idle && cmd_valid && !cmd_ready && f_q == SENT)
  `WF_QUIET(idle && !iss_valid && !out)
  wire unused = &{1'b0, cmd_slice, target, target_row, ev_stall, ev_held};
endmodule
`default_nettype wire
