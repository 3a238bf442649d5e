// mff_pack: gathers the words of one command that are ready in a slice into response flits, up to
// PackWords per flit. Entries are keyed by {home slice, job}; their words lie in RAM.
//
// A word joins its command's entry or takes a free one, or the next in rotation, which is flushed. A
// full entry is flushed at once (the word that fills it bypasses the RAM). A sweep visits one entry
// every SWEEP cycles (every cycle while flush_i says that no more words are coming) and flushes it
// unless it got a word since the last visit: a word waits at most 2 * SWEEP * Entries cycles.
// One flush per cycle; the sweep takes cycles in which the word does not flush.
//
// word_ready_o depends on registers only. The table of SM, warp and tag per command is written by
// announcements of the home slices, before any word of the command can exist.
//   Entries 1..64   PackWords 1..5
// Storage: RAM Entries x 5 x 42 and 2^KeyW x 20; Entries x (KeyW + 5) flops.
`default_nettype none
`include "wf_assert.vh"

module mff_pack #(
  parameter integer Entries = 16,
  parameter integer PackWords = 5,
  parameter integer KeyW = 9
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            ann_valid_i,
  input  wire [KeyW-1:0] ann_key_i,
  input  wire [19:0]     ann_who_i,        // {tag, warp, sm}
  input  wire            word_valid_i,
  output wire            word_ready_o,
  input  wire [KeyW-1:0] word_key_i,
  input  wire [9:0]      word_at_i,
  input  wire [31:0]     word_i,
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

  reg [Entries-1:0] valid_q, recent_q;
  reg [KeyW-1:0] key_q [0:Entries-1];
  reg [2:0] count_q [0:Entries-1];
  reg [EntryW-1:0] victim_q, sweep_q;
  reg [2:0] tick_q;

  // P1: find the entry.
  reg hit;
  reg [EntryW-1:0] hit_slot, free_slot;
  always_comb begin
    hit = 1'b0;
    hit_slot = '0;
    free_slot = '0;
    if (word_valid_i) begin
      for (int i = 0; i < Entries; i = i + 1) begin
        if (valid_q[i] && key_q[i] == word_key_i) begin
          hit = 1'b1;
          hit_slot = hit_slot | EntryW'(i);
        end
      end
      if (!hit)
        for (int i = Entries - 1; i >= 0; i = i - 1) if (!valid_q[i]) free_slot = EntryW'(i);
    end
  end
  wire full = valid_q == '1;
  wire fire = word_valid_i && word_ready_o;
  wire [EntryW-1:0] slot = hit ? hit_slot : full ? victim_q : free_slot;
  wire [2:0] at = hit ? count_q[hit_slot] : 3'd0;
  wire fills = at == PackWords[2:0] - 3'd1;
  wire evicts = !hit && full;
  wire word_flush = fire && (fills || evicts);

  wire sweep_turn = valid_q != '0 && (flush_i || tick_q == SWEEP_LAST);
  wire sweep_go = sweep_turn && !word_flush && word_ready_o && !(fire && slot == sweep_q);
  wire sweep_flush = sweep_go && valid_q[sweep_q] && (flush_i || !recent_q[sweep_q]);

  wire flush = word_flush || sweep_flush;
  wire [EntryW-1:0] flush_slot = word_flush ? slot : sweep_q;
  wire [KeyW-1:0] flush_key = word_flush && fills ? word_key_i : key_q[flush_slot];
  wire [2:0] flush_count = word_flush && fills ? PackWords[2:0] : count_q[flush_slot];
  wire store = fire && !fills;

  // P2: words of the flushed entry, SM, warp and tag of its command.
  reg p2_valid_q, p2_bypass_q;
  reg [KeyW-1:0] p2_key_q;
  reg [2:0] p2_count_q;
  reg [41:0] p2_word_q;
  wire [209:0] ram_words;
  wire [19:0] who;
  generate
    for (genvar w = 0; w < 5; w = w + 1) begin : g_word
      localparam integer WordI = w;
      if (w < PackWords) begin : g_ram
        wf_ram_1r1w #(.Width(42), .Depth(Entries)) u_words (
          .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(store && at == WordI[2:0]), .wr_mask_i(1'b1),
          .wr_addr_i(slot), .wr_data_i({word_at_i, word_i}),
          .rd_en_i(flush), .rd_addr_i(flush_slot), .rd_data_o(ram_words[w*42 +: 42])
        );
      end else begin : g_none
        assign ram_words[w*42 +: 42] = '0;
      end
    end
  endgenerate
  wf_ram_1r1w #(.Width(20), .Depth(1 << KeyW)) u_who (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(ann_valid_i), .wr_mask_i(1'b1),
    .wr_addr_i(ann_key_i), .wr_data_i(ann_who_i),
    .rd_en_i(flush), .rd_addr_i(flush_key), .rd_data_o(who)
  );

  wire [159:0] flit_words;
  wire [49:0] flit_at;
  generate
    for (genvar w = 0; w < 5; w = w + 1) begin : g_flit
      localparam integer NextI = w + 1;
      wire [41:0] one = p2_bypass_q && p2_count_q == NextI[2:0] ? p2_word_q
                                                                : ram_words[w*42 +: 42];
      wire here = p2_count_q >= NextI[2:0];
      assign flit_words[w*32 +: 32] = here ? one[31:0] : 32'd0;
      assign flit_at[w*10 +: 10] = here ? one[41:32] : 10'd0;
    end
  endgenerate

  wire [1:0] q_fill;
  wire q_ready;
  wire [229:0] q_data;
  wf_fifo #(.Width(KeyW + 3 + 230), .Depth(3)) u_q (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(p2_valid_q), .in_ready_o(q_ready),
    .in_data_i({p2_key_q, p2_count_q, who, flit_at, flit_words}),
    .out_valid_o(rsp_valid_o), .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_key_o, rsp_count_o, q_data}), .count_o(q_fill)
  );
  assign word_ready_o = {1'b0, q_fill} + {2'd0, p2_valid_q} < 3'd3;
  assign rsp_data_o = {q_data[229:222], 2'd0, q_data[221:216], 2'd0, q_data[215:210], 1'b0,
                       rsp_count_o, 4'd0, 14'd0, q_data[209:160], q_data[159:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      recent_q <= '0;
      victim_q <= '0;
      sweep_q <= '0;
      tick_q <= '0;
      p2_valid_q <= 1'b0;
    end else begin
      if (sweep_flush) valid_q[sweep_q] <= 1'b0;
      if (sweep_go) begin
        recent_q[sweep_q] <= 1'b0;
        sweep_q <= sweep_q == LAST ? '0 : sweep_q + 1'b1;
        tick_q <= '0;
      end else if (valid_q != '0 && tick_q != SWEEP_LAST) begin
        tick_q <= tick_q + 3'd1;
      end
      if (fire) begin
        valid_q[slot] <= !fills;
        recent_q[slot] <= 1'b1;
        if (evicts) victim_q <= victim_q == LAST ? '0 : victim_q + 1'b1;
      end
      p2_valid_q <= flush;
    end
  end

  always_ff @(posedge clk_i) begin
    if (store) begin
      key_q[slot] <= word_key_i;
      count_q[slot] <= at + 3'd1;
    end
    if (flush) begin
      p2_key_q <= flush_key;
      p2_count_q <= flush_count;
      p2_bypass_q <= word_flush && fills;
      p2_word_q <= {word_at_i, word_i};
    end
  end

  initial if (PackWords < 1 || PackWords > 5) $fatal(1, "mff_pack: PackWords must be 1..5");
  initial if (Entries < 1 || Entries > 64) $fatal(1, "mff_pack: Entries must be 1..64");
  `WF_ASSERT(rule1, !p2_valid_q || q_ready, "Rule 1: a flushed entry has a queue entry")
  `WF_ASSERT(rule2, !p2_valid_q || (p2_count_q != 3'd0 && p2_count_q <= PackWords[2:0]),
             "Rule 2: a flit holds 1..PackWords words")
endmodule

`default_nettype wire
