// Blocks that are on their way over a bus: the half of wf_axi4 and wf_tlul that knows which reads
// are outstanding. A block takes a slot; its bus words come in any order, mixed with those of other
// blocks; when all are there the block is offered, its beats in a row and in order. Blocks are
// offered in the order in which they became whole.
//
// Timing: a request is taken at the edge where take_i is high, which free_o allows. A word is
// always taken: its slot has room. The first beat is offered two edges after a block's last word;
// a beat a cycle from then on, and the next block follows without a gap. All outputs but free_o and
// slot_o (a priority encoder behind flops) and next_o (a multiplexer) come from flops and RAM.
// Handshake: a transfer is valid and ready at an edge; valid never waits for ready.
//
// Parameters
//   Slots       1 ..    blocks on their way
//   TagBits     1 ..    what comes back with a block
//   BlockBytes  2^k     of a block
//   BeatBits    2^k     of a beat that is offered, 8 .. 8 * BlockBytes
//   BusBits     2^k     of a word of the bus, 8 .. 8 * BlockBytes
// Storage in RAM: Slots * (8 * BlockBytes + TagBits); flops: Slots * (2 + log2(Words) +
//   log2(Slots)), 2 * log2(Slots) + some ten of control.
//
// Rules
//   1 A word comes for a slot that waits for one.
//   2 An offered beat holds until it is taken.
//   3 A block that is whole finds a place in the queue.
//   4 A slot is taken only if it is free.
`default_nettype none
`include "wf_assert.vh"

module wf_bus_reads #(
  parameter integer Slots = 16,
  parameter integer TagBits = 16,
  parameter integer BlockBytes = 128,
  parameter integer BeatBits = 256,
  parameter integer BusBits = 64,
  // Values out of range are refused below; here they only must not break the elaboration before.
  localparam integer Words = 8 * BlockBytes > BusBits ? 8 * BlockBytes / BusBits : 1,
  localparam integer Beats = 8 * BlockBytes > BeatBits ? 8 * BlockBytes / BeatBits : 1,
  localparam integer SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam integer WordW = Words > 1 ? $clog2(Words) : 1,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // a block is asked for
  output wire                free_o,   // a slot is free
  output wire [SlotW-1:0]    slot_o,   // this one
  input  wire                take_i,
  input  wire [TagBits-1:0]  tag_i,
  // words of the bus
  input  wire                in_valid_i,
  input  wire [SlotW-1:0]    in_slot_i,
  output wire [WordW-1:0]    next_o,   // how many the slot in_slot_i has
  input  wire [WordW-1:0]    in_word_i,
  input  wire                in_error_i,
  input  wire [BusBits-1:0]  in_data_i,
  // whole blocks
  output wire                rsp_valid_o,
  input  wire                rsp_ready_i,
  output wire [TagBits-1:0]  rsp_tag_o,
  output wire [BeatW-1:0]    rsp_beat_o,
  output wire                rsp_last_o,
  output wire                rsp_error_o,  // of the block: some word of it had one, and is 0
  output wire [BeatBits-1:0] rsp_data_o,
  output wire                idle_o
);
  localparam integer RowBits = BusBits > BeatBits ? BusBits : BeatBits;
  localparam integer Rows = 8 * BlockBytes > RowBits ? 8 * BlockBytes / RowBits : 1;
  localparam integer RowWords = RowBits / BusBits;
  localparam integer RowBeats = RowBits / BeatBits;
  localparam integer AddrW = Slots * Rows > 1 ? $clog2(Slots * Rows) : 1;

  initial begin
    if (Slots < 1) $fatal(1, "wf_bus_reads: Slots is %0d, must be 1 or more", Slots);
    if (TagBits < 1) $fatal(1, "wf_bus_reads: TagBits is %0d, must be 1 or more", TagBits);
    if (BlockBytes < 1 || (BlockBytes & (BlockBytes - 1)) != 0)
      $fatal(1, "wf_bus_reads: BlockBytes is %0d, must be a power of two", BlockBytes);
    if (BeatBits < 8 || (BeatBits & (BeatBits - 1)) != 0 || BeatBits > 8 * BlockBytes)
      $fatal(1, "wf_bus_reads: BeatBits is %0d, must be a power of two, 8 .. a block's", BeatBits);
    if (BusBits < 8 || (BusBits & (BusBits - 1)) != 0 || BusBits > 8 * BlockBytes)
      $fatal(1, "wf_bus_reads: BusBits is %0d, must be a power of two, 8 .. a block's", BusBits);
  end

  // Slots: busy from the request to the fetch of the last beat.
  reg [Slots-1:0] busy_q, error_q;
  (* mem2reg *) reg [WordW-1:0] got_q [Slots];  // words that came; 0 again when all did
  wire [Slots-1:0] pick;
  wire any_free;
  assign free_o = busy_q != '1;
  wf_priority_enc #(.N(Slots)) u_free (
    .bits_i(~busy_q), .onehot_o(pick), .index_o(slot_o), .any_o(any_free)
  );
  assign next_o = got_q[in_slot_i];
  wire whole = in_valid_i && next_o == WordW'(Words - 1);

  // Blocks that are whole, oldest first.
  wire head_valid, pop, queue_ready;
  wire [SlotW-1:0] head;
  wire [$clog2(Slots+1)-1:0] queued;
  wf_fifo #(.Width(SlotW), .Depth(Slots)) u_whole (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(whole), .in_ready_o(queue_ready),
    .in_data_i(in_slot_i), .out_valid_o(head_valid), .out_ready_i(pop), .out_data_o(head),
    .count_o(queued)
  );

  // The beat whose row is read next.
  reg [BeatW-1:0] at_q, beat_q;
  reg valid_q, bad_q;
  wire fetch = head_valid && (!valid_q || rsp_ready_i);
  wire final_beat = at_q == BeatW'(Beats - 1);
  assign pop = fetch && final_beat;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (fetch) at_q <= final_beat ? '0 : at_q + 1'b1;
      if (!valid_q || rsp_ready_i) valid_q <= head_valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fetch) begin
      beat_q <= at_q;
      bad_q <= error_q[head];
    end
  end

  generate
    for (genvar s = 0; s < Slots; s = s + 1) begin : g_slot
      localparam [SlotW-1:0] THIS = SlotW'(s);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) busy_q[s] <= 1'b0;
        else if (take_i && pick[s]) busy_q[s] <= 1'b1;
        else if (pop && head == THIS) busy_q[s] <= 1'b0;
      end
      always_ff @(posedge clk_i) begin
        if (take_i && pick[s]) begin
          got_q[s] <= '0;
          error_q[s] <= 1'b0;
        end else if (in_valid_i && in_slot_i == THIS) begin
          got_q[s] <= whole ? '0 : got_q[s] + 1'b1;
          if (in_error_i) error_q[s] <= 1'b1;
        end
      end
    end
  endgenerate

  // A row holds a word of the bus or a beat, whichever is larger.
  wire [31:0] in_word = 32'(in_word_i), at = 32'(at_q), beat = 32'(beat_q);
  wire [31:0] wr_row = 32'(in_slot_i) * Rows + in_word / RowWords;
  wire [31:0] rd_row = 32'(head) * Rows + at / RowBeats;
  wire [BusBits-1:0] word = in_error_i ? '0 : in_data_i;
  wire [RowWords-1:0] wr_mask;
  generate
    for (genvar w = 0; w < RowWords; w = w + 1) begin : g_mask
      assign wr_mask[w] = in_word % RowWords == w;
    end
  endgenerate
  wire [RowBits-1:0] row;
  wf_ram_1r1w #(.Width(RowBits), .Depth(Slots * Rows), .PartBits(BusBits)) u_data (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(in_valid_i), .wr_addr_i(AddrW'(wr_row)),
    .wr_mask_i(wr_mask), .wr_data_i({RowWords{word}}), .rd_en_i(fetch),
    .rd_addr_i(AddrW'(rd_row)), .rd_data_o(row)
  );
  wf_ram_1r1w #(.Width(TagBits), .Depth(Slots)) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(take_i), .wr_addr_i(slot_o), .wr_mask_i(1'b1),
    .wr_data_i(tag_i), .rd_en_i(fetch), .rd_addr_i(head), .rd_data_o(rsp_tag_o)
  );
  assign rsp_valid_o = valid_q;
  assign rsp_beat_o = beat_q;
  assign rsp_last_o = beat_q == BeatW'(Beats - 1);
  assign rsp_error_o = bad_q;
  assign rsp_data_o = row[(beat % RowBeats) * BeatBits +: BeatBits];
  assign idle_o = busy_q == '0 && !valid_q;

`ifdef WF_ASSERT_LIVE
  reg [Slots-1:0] whole_q;
  always_ff @(posedge clk_i) begin
    if (whole) whole_q[in_slot_i] <= 1'b1;
    if (take_i) whole_q[slot_o] <= 1'b0;
  end
`endif
  `WF_ASSUME(rule_1_waits, !in_valid_i || (busy_q[in_slot_i] && !whole_q[in_slot_i]),
             "Rule 1: a word comes for a slot that waits for one")
  `WF_ASSERT_STABLE(rule_2_stable, rsp_valid_o, rsp_ready_i,
                    {rsp_tag_o, rsp_beat_o, rsp_error_o, rsp_data_o},
                    TagBits + BeatW + 1 + BeatBits,
                    "Rule 2: an offered beat holds until it is taken")
  `WF_ASSERT(rule_3_room, !whole || queue_ready, "Rule 3: a whole block finds a place in the queue")
  `WF_ASSUME(rule_4_free, !take_i || free_o, "Rule 4: a slot is taken only if it is free")
  wire unused = &{1'b0, any_free, queue_ready, queued, in_word, at, beat, wr_row, rd_row};
endmodule
`default_nettype wire
