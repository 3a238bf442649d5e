// mff_pack: gathers the words of one command that are ready in a slice into response flits, up to
// PackWords per flit. Entries are keyed by {home slice, job}; their words lie in RAM.
//
// Words come 1..4 at a time, of one lane and with ascending a_offset. They join their command's
// entry, or take a free one, or the next in rotation, which is flushed. A full entry is flushed at
// once (the words that fill it bypass the RAM) and starts anew with what did not fit. A sweep
// visits one entry every SWEEP cycles (every cycle while flush_i says that no more words are
// coming) and flushes it unless it got a word since the last visit: a word waits at most 2 * SWEEP
// * Entries cycles. One flush per cycle; the sweep takes cycles in which the word does not flush.
//
// word_ready_o depends on registers only (a two-entry queue). The table of SM, warp and tag per
// command is written by announcements of the home slices, before any word of the command can exist.
//   Entries 1..64   PackWords 1..5, or 3 of 8 bytes
// Storage: RAM Entries x (PackWords - 1) x (10 + 8 ElemBytes) and 2^KeyW x (14 + SmW);
// Entries x (KeyW + 5) flops.
`default_nettype none
`include "wf_assert.vh"

module mff_pack #(
  parameter integer Entries = 16,
  parameter integer PackWords = 5,
  parameter integer KeyW = 9,
  parameter integer ElemBytes = 4,            // of a word
  parameter integer SmW = 6,                  // bits of an SM's number, up to 8
  localparam integer WhoW = SmW + 14          // {tag, warp, sm}
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            ann_valid_i,
  input  wire [KeyW-1:0] ann_key_i,
  input  wire [WhoW-1:0] ann_who_i,
  input  wire            word_valid_i,
  output wire            word_ready_o,
  input  wire [KeyW-1:0] word_key_i,
  input  wire [1:0]      word_n1_i,        // words, less 1
  input  wire [9:0]      word_at_i,        // {a_offset of the first, lane}
  input  wire [32*ElemBytes-1:0] words_i,
  input  wire            flush_i,
  output wire            rsp_valid_o,
  input  wire            rsp_ready_i,
  output wire [255:0]    rsp_data_o,
  output wire [KeyW-1:0] rsp_key_o,
  output wire [2:0]      rsp_count_o
);
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1;
  localparam integer LastI = Entries - 1;
  localparam [EntryW-1:0] LAST = LastI[EntryW-1:0];
  localparam [2:0] SWEEP_LAST = 3'd7;
  localparam integer ElemW = 8 * ElemBytes;
  localparam integer OneW = 10 + ElemW;        // a word, its place and its lane
  localparam integer Slots = 224 / OneW;       // of a flit
  localparam integer FlitW = WhoW + Slots * OneW;

  reg [Entries-1:0] valid_q, recent_q;
  reg [KeyW-1:0] key_q [0:Entries-1];
  reg [2:0] count_q [0:Entries-1];
  reg [EntryW-1:0] victim_q, sweep_q;
  reg [2:0] tick_q;

  // P0: the queue, and how much of its head was taken.
  localparam integer NodeW = KeyW + 2 + 10 + 4 * ElemW;
  wire in_valid;
  wire [NodeW-1:0] in_node;
  wire [1:0] in_fill;
  wire p1_free;
  wf_fifo #(.Width(NodeW), .Depth(2)) u_in (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(word_valid_i), .in_ready_o(word_ready_o),
    .in_data_i({word_key_i, word_n1_i, word_at_i, words_i}), .out_valid_o(in_valid),
    .out_ready_i(p1_free), .out_data_o(in_node), .count_o(in_fill)
  );
  wire [KeyW-1:0] in_key;
  wire [1:0] in_n1;
  wire [4:0] in_a, in_lane;
  wire [4*ElemW-1:0] in_words;
  assign {in_key, in_n1, in_a, in_lane, in_words} = in_node;

  // P0 finds the entry, as P1 and the sweep leave it at this edge.
  reg match;
  reg [EntryW-1:0] match_slot;
  reg [2:0] match_at;
  always_comb begin
    match = 1'b0;
    match_slot = '0;
    match_at = '0;
    if (in_valid) begin
      for (int i = 0; i < Entries; i = i + 1) begin
        if (valid_q[i] && key_q[i] == in_key) begin
          match = 1'b1;
          match_slot = match_slot | EntryW'(i);
          match_at = match_at | count_q[i];
        end
      end
    end
  end

  // P1: the words, how many of them are left, and their entry.
  reg p1_valid_q, p1_hit_q;
  reg [KeyW-1:0] p1_key_q;
  reg [4:0] p1_a_q, p1_lane_q;
  reg [4*ElemW-1:0] p1_words_q;
  reg [1:0] p1_off_q;                    // words that were taken
  reg [2:0] p1_rest_q, p1_at_q;          // words that were not; words in the
                                         // entry, 0 if there is none
  reg [EntryW-1:0] p1_slot_q;
  wire [2:0] rest = p1_rest_q, at = p1_at_q;

  reg [EntryW-1:0] free_slot;
  always_comb begin
    free_slot = '0;
    if (p1_valid_q)
      for (int i = Entries - 1; i >= 0; i = i - 1) if (!valid_q[i]) free_slot = EntryW'(i);
  end
  wire full = valid_q == '1;
  wire out_ready;
  wire fire = p1_valid_q && out_ready;
  wire [EntryW-1:0] slot = p1_hit_q ? p1_slot_q : full ? victim_q : free_slot;
  wire evicts = !p1_hit_q && full;                         // an eviction is this cycle's flush
  wire [2:0] room = PackWords[2:0] - at - {2'd0, evicts};
  wire [2:0] take = rest < room ? rest : room;
  wire [3:0] sum = {1'b0, at} + {1'b0, rest};
  wire fills = !evicts && sum >= {1'b0, PackWords[2:0]};
  // Words beyond those that fill the entry start it anew.
  localparam [2:0] OVER_MOST = PackWords[2:0] - 3'd1;
  wire [2:0] beyond = rest - take;
  wire [2:0] over = !fills ? 3'd0 : beyond >= PackWords[2:0] ? OVER_MOST : beyond;
  wire [2:0] taken = take + over;
  wire [2:0] count_d = fills ? over : at + take;
  wire p1_done = out_ready && taken == rest;
  wire word_flush = fire && (fills || evicts);
  wire store = fire && (!fills || over != 3'd0);
  assign p1_free = !p1_valid_q || p1_done;
  wire p1_load = in_valid && p1_free;

  reg flush_q;                           // flush_i, which comes late
  wire sweep_turn = valid_q != '0 && (flush_q || tick_q == SWEEP_LAST);
  // The entry that the sweep visits.
  reg [Entries-1:0] sweep_onehot_q;
  wire sweep_valid = (valid_q & sweep_onehot_q) != '0;
  wire sweep_recent = (recent_q & sweep_onehot_q) != '0;
  reg [KeyW-1:0] sweep_key;
  reg [2:0] sweep_count;
  always_comb begin
    sweep_key = '0;
    sweep_count = '0;
    if (sweep_turn) for (int i = 0; i < Entries; i = i + 1) begin
      if (sweep_onehot_q[i]) begin
        sweep_key = sweep_key | key_q[i];
        sweep_count = sweep_count | count_q[i];
      end
    end
  end
  wire sweep_go = sweep_turn && !word_flush && out_ready
                  && !(fire && p1_hit_q && p1_slot_q == sweep_q);
  wire sweep_flush = sweep_go && sweep_valid && (flush_q || !sweep_recent);

  wire flush = word_flush || sweep_flush;
  wire [EntryW-1:0] flush_slot = word_flush ? slot : sweep_q;
  wire [KeyW-1:0] flush_key = !word_flush ? sweep_key : fills ? p1_key_q : key_q[victim_q];
  wire [2:0] flush_count = !word_flush ? sweep_count
                           : fills ? PackWords[2:0] : count_q[victim_q];

  wire same = in_key == p1_key_q;
  wire match_lost = (fire && evicts && match_slot == victim_q)
                    || (sweep_flush && match_slot == sweep_q);

  // P2: words of the flushed entry, SM, warp and tag of its command.
  reg p2_valid_q;
  reg [KeyW-1:0] p2_key_q;
  reg [2:0] p2_count_q, p2_old_q;         // words in all, and of these from the RAM
  reg [Slots*OneW-1:0] p2_words_q;
  wire [Slots*OneW-1:0] ram_words;
  wire [WhoW-1:0] who;

  wire [Slots*OneW-1:0] slot_words;
  wire [Slots-1:0] slot_we;
  generate
    for (genvar w = 0; w < Slots; w = w + 1) begin : g_word
      localparam integer SlotW = w;
      // The flushed flit's word of this slot, and the word that the RAM gets.
      wire [1:0] pick = p1_off_q + SlotW[1:0] - at[1:0];
      wire [1:0] next = p1_off_q + SlotW[1:0] + take[1:0];
      wire [1:0] kept = fills ? next : pick;
      wire [OneW-1:0] stored =
          fire ? {p1_a_q + {3'd0, kept}, p1_lane_q, p1_words_q[kept*ElemW +: ElemW]} : '0;
      assign slot_we[w] = fills ? SlotW[2:0] < over : SlotW[2:0] >= at && SlotW[2:0] < at + take;
      assign slot_words[w*OneW +: OneW] =
          fire ? {p1_a_q + {3'd0, pick}, p1_lane_q, p1_words_q[pick*ElemW +: ElemW]} : '0;
      wire unused_slot = &{1'b0, stored};
      // The word that fills an entry never waits in it.
      if (w < PackWords - 1) begin : g_ram
        wf_ram_1r1w #(.Width(OneW), .Depth(Entries)) u_words (
          .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(store && slot_we[w]), .wr_mask_i(1'b1),
          .wr_addr_i(slot), .wr_data_i(stored),
          .rd_en_i(flush), .rd_addr_i(flush_slot), .rd_data_o(ram_words[w*OneW +: OneW])
        );
      end else begin : g_none
        assign ram_words[w*OneW +: OneW] = '0;
      end
    end
  endgenerate
  wf_ram_1r1w #(.Width(WhoW), .Depth(1 << KeyW)) u_who (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(ann_valid_i), .wr_mask_i(1'b1),
    .wr_addr_i(ann_key_i), .wr_data_i(ann_who_i),
    .rd_en_i(flush), .rd_addr_i(flush_key), .rd_data_o(who)
  );

  wire [Slots*ElemW-1:0] flit_words;
  wire [Slots*10-1:0] flit_at;
  generate
    for (genvar w = 0; w < Slots; w = w + 1) begin : g_flit
      localparam integer NextI = w + 1;
      wire [OneW-1:0] one = p2_old_q < NextI[2:0] ? p2_words_q[w*OneW +: OneW]
                                                  : ram_words[w*OneW +: OneW];
      wire here = p2_count_q >= NextI[2:0];
      assign flit_words[w*ElemW +: ElemW] = here ? one[ElemW-1:0] : '0;
      assign flit_at[w*10 +: 10] = here ? one[OneW-1:ElemW] : 10'd0;
    end
  endgenerate

  wire [1:0] q_fill;
  wire q_ready;
  wire [FlitW-1:0] q_data;
  wf_fifo #(.Width(KeyW + 3 + FlitW), .Depth(3)) u_q (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(p2_valid_q), .in_ready_o(q_ready),
    .in_data_i({p2_key_q, p2_count_q, who, flit_at, flit_words}),
    .out_valid_o(rsp_valid_o), .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_key_o, rsp_count_o, q_data}), .count_o(q_fill)
  );
  assign out_ready = {1'b0, q_fill} + {2'd0, p2_valid_q} < 3'd3;
  assign rsp_data_o = {q_data[FlitW-1 -: 8], 2'd0, q_data[FlitW-9 -: 6],
                       8'(q_data[FlitW-15 -: SmW]), 1'b0, rsp_count_o, 4'd0,
                       {(224-Slots*OneW){1'b0}}, q_data[Slots*OneW-1:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      recent_q <= '0;
      victim_q <= '0;
      sweep_q <= '0;
      sweep_onehot_q <= Entries'(1);
      tick_q <= '0;
      flush_q <= 1'b0;
      p1_valid_q <= 1'b0;
      p2_valid_q <= 1'b0;
    end else begin
      flush_q <= flush_i;
      if (p1_free) p1_valid_q <= in_valid;
      if (sweep_flush) valid_q[sweep_q] <= 1'b0;
      if (sweep_go) begin
        recent_q[sweep_q] <= 1'b0;
        sweep_q <= sweep_q == LAST ? '0 : sweep_q + 1'b1;
        sweep_onehot_q <= Entries'({sweep_onehot_q, sweep_onehot_q[Entries-1]});
        tick_q <= '0;
      end else if (valid_q != '0 && tick_q != SWEEP_LAST) begin
        tick_q <= tick_q + 3'd1;
      end
      if (fire) begin
        valid_q[slot] <= store;
        recent_q[slot] <= 1'b1;
        if (evicts) victim_q <= victim_q == LAST ? '0 : victim_q + 1'b1;
      end
      p2_valid_q <= flush;
    end
  end

  always_ff @(posedge clk_i) begin
    if (p1_load) begin
      p1_key_q <= in_key;
      p1_a_q <= in_a;
      p1_lane_q <= in_lane;
      p1_words_q <= in_words;
      p1_off_q <= '0;
      p1_rest_q <= {1'b0, in_n1} + 3'd1;
    end else if (fire) begin
      p1_off_q <= p1_off_q + taken[1:0];
      p1_rest_q <= rest - taken;
    end
    // The entry of the next words: that of these words if they are of one command.
    if (p1_load && !(fire && same)) begin
      p1_hit_q <= match && !match_lost;
      p1_slot_q <= match_slot;
      p1_at_q <= match_lost ? 3'd0 : match_at;
    end else if (fire) begin
      p1_hit_q <= store;
      p1_slot_q <= slot;
      p1_at_q <= store ? count_d : 3'd0;
    end
    if (store) begin
      key_q[slot] <= p1_key_q;
      count_q[slot] <= count_d;
    end
    if (fire) p2_words_q <= slot_words;
    if (flush) begin
      p2_key_q <= flush_key;
      p2_count_q <= flush_count;
      p2_old_q <= word_flush && fills ? at : flush_count;
    end
  end

  initial if (PackWords < 1 || PackWords > Slots)
    $fatal(1, "mff_pack: PackWords must be 1..5, or 1..3 of 8 bytes");
  initial if (Entries < 1 || Entries > 64) $fatal(1, "mff_pack: Entries must be 1..64");
  wire unused = &{1'b0, in_fill, slot_we, slot_words, flush_slot};
  `WF_ASSERT(rule3, !fire || take != 3'd0, "Rule 3: an entry that is chosen has room")
  `WF_ASSERT(rule1, !p2_valid_q || q_ready, "Rule 1: a flushed entry has a queue entry")
  `WF_ASSERT(rule2, !p2_valid_q || (p2_count_q != 3'd0 && p2_count_q <= PackWords[2:0]),
             "Rule 2: a flit holds 1..PackWords words")
  `WF_ASSERT(rule4, sweep_onehot_q == Entries'(1) << sweep_q,
             "Rule 4: the sweep visits one entry")
endmodule

`default_nettype wire
