// mff_pack: any one word that goes in comes out in exactly one flit, unchanged; none is made; all
// come out when no more are coming.
`default_nettype none
`include "wf_assert.vh"
module mff_pack_props #(
  parameter integer Entries = 1,
  parameter integer PackWords = 2
) (
  input wire clk_i, input wire word_valid, input wire word_key, input wire [1:0] word_n1,
  input wire [9:0] word_at, input wire [127:0] words, input wire flush, input wire rsp_ready
);
`include "formal.vh"
  wire word_ready, rsp_valid, rsp_key;
  wire [255:0] rsp;
  wire [2:0] rsp_count;
  mff_pack #(.Entries(Entries), .PackWords(PackWords), .KeyW(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .ann_valid_i(1'b0), .ann_key_i(1'b0), .ann_who_i(20'd0),
    .word_valid_i(word_valid), .word_ready_o(word_ready), .word_key_i(word_key),
    .word_n1_i(word_n1), .word_at_i(word_at), .words_i(words), .flush_i(flush),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_data_o(rsp), .rsp_key_o(rsp_key),
    .rsp_count_o(rsp_count)
  );
  (* anyconst *) wire [9:0] f_at;  // {place, lane}
  (* anyconst *) wire f_key;
  `WF_ASSUME_STABLE(words_stable, word_valid, word_ready, {word_key, word_n1, word_at, words}, 141,
                    "an offer holds until taken")
  wire go_in = word_valid && word_ready && rst_ni, go_out = rsp_valid && rsp_ready && rst_ni;
  wire [4:0] ahead = f_at[9:5] - word_at[9:5];
  wire has = word_key == f_key && word_at[4:0] == f_at[4:0] && f_at[9:5] >= word_at[9:5]
             && ahead <= {3'd0, word_n1};
  reg in_q, out_q;
  reg [1:0] data_q;  // two bits of the word stand for all
  initial in_q = 1'b0;
  initial out_q = 1'b0;
  `WF_ASSUME(one_word, !(word_valid && has && in_q) && {1'b0, word_at[9:5]} + {4'd0, word_n1} < 6'd8
             && word_at[4:1] == '0 && !word_n1[1],
             "a place is filled once; 2 lanes, 8 places, one or two words at a time")
  always @(posedge clk_i) if (go_in && has) begin
    in_q <= 1'b1;
    data_q <= words[ahead[1:0]*32 +: 2];
  end
  logic [4:0] here;
  logic right;
  always_comb begin
    right = 1'b1;
    for (int k = 0; k < 5; k++) begin
      here[k] = go_out && rsp_key == f_key && 3'(k) < rsp_count && rsp[160+10*k +: 10] == f_at;
      if (here[k] && rsp[32*k +: 2] != data_q) right = 1'b0;
    end
  end
  always @(posedge clk_i) if (here != '0) out_q <= 1'b1;
  `WF_ASSERT(out_once, here == '0 || (in_q && !out_q && (here & (here - 1'b1)) == '0),
             "a word comes out once, if it went in")
  `WF_ASSERT(unchanged, right, "a word comes out unchanged")
  `WF_ASSERT(count_right, !rsp_valid || (rsp_count != 3'd0 && rsp_count <= PackWords
                                         && rsp[230:228] == rsp_count && !rsp[224]),
             "a flit holds 1 to PackWords words and says so")
  reg [7:0] count_q;
  reg [5:0] drain_q;
  initial count_q = 8'd0;
  initial drain_q = 6'd0;
  always @(posedge clk_i) if (rst_ni) begin
    count_q <= count_q + (go_in ? {6'd0, word_n1} + 8'd1 : 8'd0)
               - (go_out ? {5'd0, rsp_count} : 8'd0);
    drain_q <= word_valid || !rsp_ready || !flush ? 6'd0 : drain_q == 6'd63 ? 6'd63
               : drain_q + 6'd1;
  end
  `WF_ASSERT(none_made, !go_out || count_q >= {5'd0, rsp_count}, "no word is made")
  `WF_ASSERT(drained, drain_q < 6'(15 + 2 * Entries) || (count_q == 8'd0 && in_q == out_q),
             "all words come out when no more come")
  `WF_COVER(out, here != '0 && rsp_count == PackWords)
  `WF_COVER(all_out, drain_q == 6'(15 + 2 * Entries) && out_q)
endmodule
`default_nettype wire
