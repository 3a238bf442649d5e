// mff_vside: requests of one element. Any one word of a gather comes out once, as memory holds it;
// a scatter's token comes only after its bit was accepted by memory; no other bit changes; no
// element is made or lost.
`default_nettype none
`include "wf_assert.vh"
module mff_vside_props #(
  parameter integer Scatter = 0  // 0: gathers, 1: scatters
) (
  input wire clk_i, input wire req_valid, input wire req_block, input wire [4:0] req_word,
  input wire [4:0] req_bit, input wire [9:0] req_at, input wire rd_ready, input wire mem_lazy,
  input wire [255:0] fresh, input wire wr_ready, input wire word_ready, input wire tok_ready
);
`include "formal.vh"
  wire req_ready, rd_valid, land_ready, wr_valid, wr_last, word_valid, tok_valid, word_key, tok_key,
       empty, rd_tag;
  wire [24:0] rd_blk;
  wire [26:0] wr_sector;
  wire [7:0] wr_mask;
  wire [255:0] wr_data;
  wire [1:0] word_n1;
  wire [9:0] word_at;
  wire [127:0] words;
  wire [10:0] tok_count;
  wire [8:0] events;
  wire tags_used;
  wire [1:0] regs_used;
  // The followed place: a word of a block, one bit of it, and the gather that reads it.
  (* anyconst *) wire f_block;
  (* anyconst *) wire [4:0] f_word;
  (* anyconst *) wire [4:0] f_bit;
  (* anyconst *) wire [9:0] f_at;
  (* anyconst *) wire f_before;
  reg bit_q;
  // Memory: one tag, so one read at a time.
  reg asked_q, busy_q, blk_q;
  reg [1:0] beat_q;
  reg [255:0] data_q;
  initial asked_q = 1'b0;
  initial busy_q = 1'b0;
  wire rd_fire = rd_valid && rd_ready && rst_ni, lands = busy_q && land_ready && rst_ni;
  always @(posedge clk_i) if (rst_ni) begin
    if (rd_fire) asked_q <= 1'b1;
    if (rd_fire) blk_q <= rd_blk[0];
    if (asked_q && !mem_lazy) begin
      asked_q <= 1'b0;
      busy_q <= 1'b1;
      beat_q <= 2'd0;
    end
    if ((asked_q && !mem_lazy) || lands) data_q <= fresh;
    if (lands) beat_q <= beat_q + 2'd1;
    if (lands && beat_q == 2'd3) busy_q <= 1'b0;
  end
  logic [255:0] data;
  always_comb begin
    data = data_q;
    for (int j = 0; j < 8; j++)
      if (blk_q == f_block && {beat_q, 3'd0} + 5'(j) == f_word) data[j*32 + {27'd0, f_bit}] = bit_q;
  end
  wire [38:0] place = Scatter != 0 ? {2'd0, req_word, 32'd1 << req_bit}
                      : {7'd0, 2'd0, req_at, 15'd0, req_word};
  mff_vside #(.Tags(1), .Regs(2), .VLines(1), .KeyW(1), .TokDepth(2), .Keep(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .flush_i(1'b0), .req_valid_i(req_valid),
    .req_ready_o(req_ready), .req_blk_i({24'd0, req_block}),
    .req_payload_i({1'b0, Scatter != 0, place}), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
    .rd_blk_o(rd_blk), .rd_tag_o(rd_tag), .land_valid_i(busy_q), .land_ready_o(land_ready),
    .land_tag_i(1'b0), .land_beat_i(beat_q), .land_data_i(data), .wr_valid_o(wr_valid),
    .wr_ready_i(wr_ready), .wr_sector_o(wr_sector), .wr_mask_o(wr_mask), .wr_last_o(wr_last),
    .wr_data_o(wr_data), .word_valid_o(word_valid), .word_ready_i(word_ready),
    .word_key_o(word_key), .word_n1_o(word_n1), .word_at_o(word_at), .words_o(words),
    .tok_valid_o(tok_valid), .tok_ready_i(tok_ready), .tok_key_o(tok_key), .tok_count_o(tok_count),
    .ev_lookup_o(events[0]), .ev_merge_o(events[1]), .ev_stall_tag_o(events[2]),
    .ev_stall_reg_o(events[3]), .ev_stall_rd_o(events[4]), .ev_node_o(events[5]),
    .ev_stall_line_o(events[6]), .ev_stall_walk_o(events[7]), .ev_early_o(events[8]),
    .tags_used_o(tags_used), .regs_used_o(regs_used), .empty_o(empty)
  );
  wire go_in = req_valid && req_ready && rst_ni, wr_fire = wr_valid && wr_ready && rst_ni;
  wire word_out = word_valid && word_ready && rst_ni, tok_out = tok_valid && tok_ready && rst_ni;
  wire names = req_block == f_block && req_word == f_word
               && (Scatter != 0 ? req_bit == f_bit : req_at == f_at);
  reg in_q, out_q;
  initial in_q = 1'b0;
  initial out_q = 1'b0;
  `WF_ASSUME(one_gather, Scatter != 0 || !(req_valid && req_at == f_at && (in_q || !names)),
             "one gather has the followed place")
  always @(posedge clk_i) if (rst_ni) begin
    if (go_in && names) in_q <= 1'b1;
    if (word_out && word_at == f_at) out_q <= 1'b1;
  end
  always @(posedge clk_i)
    if (!rst_ni) bit_q <= f_before;
    else if (wr_fire)
      for (int j = 0; j < 8; j++)
        if (wr_mask[j] && {wr_sector, 3'd0} + 30'(j) == {24'd0, f_block, f_word})
          bit_q <= wr_data[j*32 + {27'd0, f_bit}];
  `WF_ASSERT(word_once, !(word_out && word_at == f_at) || (in_q && !out_q),
             "a gather is answered once, if it was asked")
  `WF_ASSERT(word_right, !(word_out && word_at == f_at) || words[f_bit] == f_before,
             "with what memory holds")
  `WF_ASSERT(writes, Scatter != 0 || !wr_valid, "gathers write nothing")
  `WF_ASSERT(bit_kept, bit_q == f_before || (in_q && bit_q),
             "a bit changes only to 1, and only if it was named")
  reg [7:0] count_q;
  initial count_q = 8'd0;
  wire [7:0] gone = (word_out ? {6'd0, word_n1} + 8'd1 : 8'd0) + (tok_out ? tok_count[7:0] : 8'd0);
  always @(posedge clk_i) if (rst_ni) count_q <= count_q + {7'd0, go_in} - gone;
  `WF_ASSERT(none_made, count_q >= gone, "no element is made")
  // When all tokens are out, all bits are in memory.
  `WF_ASSERT(token_after_write, Scatter == 0 || count_q != 8'd0 || !in_q || bit_q,
             "a token comes after its bit's write")
  reg [2:0] rest_q;
  initial rest_q = 3'd0;
  always @(posedge clk_i) rest_q <= !rst_ni || !empty || tok_valid || word_valid || req_valid ? 3'd0
                                    : rest_q == 3'd7 ? 3'd7 : rest_q + 3'd1;
  `WF_ASSERT(none_lost, rest_q != 3'd7 || count_q == 8'd0, "after it ran empty all are out")
  `WF_QUIET(rest_q == 3'd7 && !req_valid)
  `WF_COVER(answered, Scatter != 0 ? wr_fire : word_out && word_at == f_at)
  `WF_COVER(rested, rest_q == 3'd7 && in_q)
endmodule
`default_nettype wire
