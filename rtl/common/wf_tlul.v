// A unit's memory side as a TileLink-UL client: reads of whole blocks, writes of sectors (as wide
// as a beat of the unit) with a mask. A read that is taken after a write to its block sees what was
// written. buses.md has the page; the unit's channels and the fence are those of wf_axi4.
//
// TL-UL has no bursts: a block is a Get for each word of the bus, a sector a Put for each word of
// which some byte is written: PutFullData if all are, else PutPartialData. On a bus that is wider
// than a sector a Put is as large as a sector. Each message is as large as it is aligned.
//   a_source   {0, slot of the block, word} or {1, slot of the sector, word}: one of a kind among
//              those on their way, so that answers may come in any order
//   d_ready    always high. d_denied or d_corrupt: the word is 0, or was not written
//   a_corrupt, a_param: 0. Channels B, C and E are not there.
//
// WHO WAITS FOR WHOM: rd for a slot, for writes to its block, and until the block before is asked
// for; wr for a slot, for a write to its sector, and until the sector before is sent; both by turns
// for a_ready. Answers wait for nobody: d is taken whatever a does.
//
// TIME: the first word of a block is offered two edges after rd is taken, a word an edge; a block's
// first beat two edges after its last word came.
//
// STORAGE: RAM RdSlots * (8 * BlockBytes + TagBits), counters; flops: BeatBits and a word of the
// bus, see wf_bus_reads and wf_bus_writes.
//
// Rules
//   1 Offers hold: a, rsp.
//   2 A message is aligned to its size, and its mask lies within it.
//   3 The unit's offers on wr hold, and some mask bit is set.
//   4 Answers are for what is on its way, and of its kind.
//   5 An idle converter offers nothing.
`default_nettype none
`include "wf_assert.vh"

module wf_tlul #(
  parameter integer AddrBits = 32,     // of a byte address, on both sides
  parameter integer BlockBytes = 128,  // of a read: 2^k
  parameter integer BeatBits = 256,    // of a beat and of a sector: 2^k from 8 to a block's
  parameter integer MaskBits = 32,     // that a bit of the mask enables: 2^k from 8 to BeatBits
  parameter integer TagBits = 16,      // of the unit's tags
  parameter integer BusBits = 64,      // of a_data and d_data: 2^k from 8 to a block's
  parameter integer SourceBits = 9,    // of a_source
  parameter integer SizeBits = 3,      // of a_size
  parameter integer RdSlots = 16,      // reads on their way
  parameter integer WrSlots = 8,       // writes on their way; 0: none are ever offered
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  // Values out of range are refused below; here they only must not break the elaboration before.
  localparam integer Beats = 8 * BlockBytes > BeatBits ? 8 * BlockBytes / BeatBits : 1,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer MaskW = BeatBits > MaskBits ? BeatBits / MaskBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // the unit
  input  wire                  rd_valid_i,
  output wire                  rd_ready_o,
  input  wire [AddrBits-1:0]   rd_addr_i,
  input  wire [TagBits-1:0]    rd_tag_i,
  output wire                  rsp_valid_o,
  input  wire                  rsp_ready_i,
  output wire [TagBits-1:0]    rsp_tag_o,
  output wire [BeatW-1:0]      rsp_beat_o,
  output wire                  rsp_last_o,
  output wire                  rsp_error_o,
  output wire [BeatBits-1:0]   rsp_data_o,
  input  wire                  wr_valid_i,
  output wire                  wr_ready_o,
  input  wire [AddrBits-1:0]   wr_addr_i,
  input  wire [MaskW-1:0]      wr_mask_i,
  input  wire [BeatBits-1:0]   wr_data_i,
  input  wire                  fence_i,
  output wire                  fence_done_o,
  output wire                  rd_error_o,
  output wire                  wr_error_o,
  // TileLink
  output wire                  tl_a_valid_o,
  input  wire                  tl_a_ready_i,
  output wire [2:0]            tl_a_opcode_o,
  output wire [2:0]            tl_a_param_o,
  output wire [SizeBits-1:0]   tl_a_size_o,
  output wire [SourceBits-1:0] tl_a_source_o,
  output wire [AddrBits-1:0]   tl_a_address_o,
  output wire [BusBits/8-1:0]  tl_a_mask_o,
  output wire [BusBits-1:0]    tl_a_data_o,
  output wire                  tl_a_corrupt_o,
  input  wire                  tl_d_valid_i,
  output wire                  tl_d_ready_o,
  input  wire [2:0]            tl_d_opcode_i,
  input  wire [SourceBits-1:0] tl_d_source_i,
  input  wire                  tl_d_denied_i,
  input  wire [BusBits-1:0]    tl_d_data_i,
  input  wire                  tl_d_corrupt_i,
  // counters: snapshot copies all, clear zeroes the running ones; order in wf_tlul.ini
  input  wire                  cnt_snapshot_i,
  input  wire                  cnt_clear_i,
  input  wire [3:0]            cnt_index_i,
  output wire [63:0]           cnt_value_o,
  output wire                  idle_o
);
  localparam integer Words = 8 * BlockBytes > BusBits ? 8 * BlockBytes / BusBits : 1;
  localparam integer WordW = Words > 1 ? $clog2(Words) : 1;
  localparam integer SlotW = RdSlots > 1 ? $clog2(RdSlots) : 1;
  localparam integer BlockB = $clog2(BlockBytes);
  localparam integer BusB = $clog2(BusBits / 8);
  localparam integer SectorB = $clog2(BeatBits / 8);
  localparam integer PartBits = BusBits > BeatBits ? BeatBits : BusBits;  // of a Put
  localparam integer PartB = $clog2(PartBits / 8);
  localparam integer Parts = BeatBits / PartBits;
  localparam integer PartW = Parts > 1 ? $clog2(Parts) : 1;
  localparam integer WrW = WrSlots > 1 ? $clog2(WrSlots) : 1;
  localparam integer KindW = SlotW + WordW > WrW + PartW ? SlotW + WordW : WrW + PartW;
  localparam integer ItemW = 4 + AddrBits + SourceBits + BusBits + BusBits / 8;
  localparam integer NameW = SourceBits - 1;
  localparam integer NCount = 9;
  localparam [2:0] PUT_FULL = 3'd0, PUT_PARTIAL = 3'd1, GET = 3'd4;

  initial begin
    if (BlockBytes < 1 || (BlockBytes & (BlockBytes - 1)) != 0)
      $fatal(1, "wf_tlul: BlockBytes is %0d, must be a power of two", BlockBytes);
    if (BeatBits < 8 || BeatBits > 8 * BlockBytes || (BeatBits & (BeatBits - 1)) != 0)
      $fatal(1, "wf_tlul: BeatBits is %0d, must be a power of two, 8 .. a block's", BeatBits);
    if (MaskBits < 8 || MaskBits > BeatBits || (MaskBits & (MaskBits - 1)) != 0)
      $fatal(1, "wf_tlul: MaskBits is %0d, must be a power of two, 8 .. BeatBits", MaskBits);
    if (BusBits < 8 || BusBits > 8 * BlockBytes || (BusBits & (BusBits - 1)) != 0)
      $fatal(1, "wf_tlul: BusBits is %0d, must be a power of two, 8 .. a block's", BusBits);
    if (AddrBits <= BlockB || AddrBits > 64)
      $fatal(1, "wf_tlul: AddrBits is %0d, must be more than a block's, to 64", AddrBits);
    if (SourceBits <= KindW)
      $fatal(1, "wf_tlul: SourceBits is %0d, must be %0d or more", SourceBits, KindW + 1);
    if (SizeBits < $clog2(BusB + 1) || SizeBits < 1)
      $fatal(1, "wf_tlul: SizeBits is %0d, must hold log2 of the bus's bytes", SizeBits);
    if (RdSlots < 1) $fatal(1, "wf_tlul: RdSlots is %0d, must be 1 or more", RdSlots);
    if (WrSlots < 0) $fatal(1, "wf_tlul: WrSlots is %0d, must be 0 or more", WrSlots);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "wf_tlul: CounterBits is %0d, must be 0..64", CounterBits);
  end

  // Reads: a block whose words are asked for, one after the other.
  wire slot_free, held, reads_idle, writes_idle, get_go, put_valid, put_go;
  wire [SlotW-1:0] slot;
  reg get_q;
  reg [SlotW-1:0] get_slot_q;
  reg [AddrBits-BlockB-1:0] get_block_q;
  reg [WordW-1:0] get_word_q;
  wire rd_take = rd_valid_i && rd_ready_o;
  assign rd_ready_o = slot_free && !get_q && !held;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) get_q <= 1'b0;
    else get_q <= rd_take || (get_q && !(get_go && get_word_q == WordW'(Words - 1)));
  end
  always_ff @(posedge clk_i) begin
    if (rd_take) begin
      get_slot_q <= slot;
      get_block_q <= rd_addr_i[AddrBits-1:BlockB];
      get_word_q <= '0;
    end else if (get_go) get_word_q <= get_word_q + 1'b1;
  end
  wire [AddrBits-1:0] get_addr = {get_block_q, {BlockB{1'b0}}} | (AddrBits'(get_word_q) << BusB);

  // Answers.
  wire of_write = tl_d_source_i[SourceBits-1];
  wire bad = tl_d_denied_i || tl_d_corrupt_i;
  wire data_valid = tl_d_valid_i && !of_write;
  wire [WordW-1:0] next_word;
  wire [WordW-1:0] d_word = WordW'(tl_d_source_i);
  wire [SlotW-1:0] d_slot = SlotW'(tl_d_source_i >> WordW);
  assign tl_d_ready_o = 1'b1;
  assign rd_error_o = data_valid && bad;
  assign wr_error_o = tl_d_valid_i && of_write && bad;
  wf_bus_reads #(
    .Slots(RdSlots > 0 ? RdSlots : 1), .TagBits(TagBits), .BlockBytes(BlockBytes),
    .BeatBits(BeatBits), .BusBits(BusBits)
  ) u_reads (
    .clk_i(clk_i), .rst_ni(rst_ni), .free_o(slot_free), .slot_o(slot), .take_i(rd_take),
    .tag_i(rd_tag_i), .in_valid_i(data_valid), .in_slot_i(d_slot), .next_o(next_word),
    .in_word_i(d_word), .in_error_i(bad), .in_data_i(tl_d_data_i),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_tag_o(rsp_tag_o),
    .rsp_beat_o(rsp_beat_o), .rsp_last_o(rsp_last_o), .rsp_error_o(rsp_error_o),
    .rsp_data_o(rsp_data_o), .idle_o(reads_idle)
  );

  // Writes: a sector whose parts are sent, the lowest first.
  wire wr_slotless;
  wire [WrW-1:0] put_slot;
  wire [PartW-1:0] put_part;
  wire [AddrBits-1:0] put_addr;
  wire [PartBits/8-1:0] put_strb;
  wire [PartBits-1:0] put_data;
  generate
    if (WrSlots > 0) begin : g_write
      reg [WrW-1:0] slot_q;
      reg [Parts-1:0] left_q;
      reg [AddrBits-SectorB-1:0] sector_q;
      reg [BeatBits-1:0] data_q;
      reg [BeatBits/8-1:0] strb_q;
      wire free, clash, any;
      wire [WrW-1:0] wr_slot;
      wire [Parts-1:0] parts, lowest;
      wire [BeatBits/8-1:0] strb;
      wire take = wr_valid_i && wr_ready_o;
      assign wr_ready_o = free && !clash && !any;
      assign wr_slotless = !free;
      for (genvar b = 0; b < BeatBits / 8; b = b + 1) begin : g_strb
        assign strb[b] = wr_mask_i[8 * b / MaskBits];
      end
      for (genvar p = 0; p < Parts; p = p + 1) begin : g_part
        assign parts[p] = strb[p*PartBits/8 +: PartBits/8] != '0;
      end
      wf_priority_enc #(.N(Parts)) u_part (
        .bits_i(left_q), .onehot_o(lowest), .index_o(put_part), .any_o(any)
      );
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) left_q <= '0;
        else if (take) left_q <= parts;
        else if (put_go) left_q <= left_q & ~lowest;
      end
      always_ff @(posedge clk_i) begin
        if (take) begin
          slot_q <= wr_slot;
          sector_q <= wr_addr_i[AddrBits-1:SectorB];
          data_q <= wr_data_i;
          strb_q <= strb;
        end
      end
      assign put_valid = any;
      assign put_slot = slot_q;
      assign put_addr = {sector_q, {SectorB{1'b0}}} | (AddrBits'(put_part) << PartB);
      wire [31:0] part = 32'(put_part);
      assign put_data = data_q[part*PartBits +: PartBits];
      assign put_strb = strb_q[part*(PartBits/8) +: PartBits/8];
      wire [PartW-1:0] d_part = PartW'(tl_d_source_i);
      wire [WrW-1:0] d_wr_slot = WrW'(tl_d_source_i >> PartW);
      wf_bus_writes #(
        .Slots(WrSlots), .SectorBits(AddrBits - SectorB), .BlockShift(BlockB - SectorB),
        .Parts(Parts)
      ) u_writes (
        .clk_i(clk_i), .rst_ni(rst_ni), .free_o(free), .slot_o(wr_slot), .take_i(take),
        .sector_i(wr_addr_i[AddrBits-1:SectorB]), .parts_i(parts), .clash_o(clash),
        .block_i(rd_addr_i[AddrBits-1:BlockB]), .held_o(held),
        .ack_valid_i(tl_d_valid_i && of_write), .ack_slot_i(d_wr_slot), .ack_part_i(d_part),
        .fence_i(fence_i), .fence_done_o(fence_done_o), .idle_o(writes_idle)
      );
      `WF_ASSUME_STABLE(rule_3_wr, wr_valid_i, wr_ready_o, {wr_addr_i, wr_mask_i, wr_data_i},
                        AddrBits + MaskW + BeatBits, "Rule 3: the unit's write holds")
      `WF_ASSUME(rule_3_mask, !wr_valid_i || wr_mask_i != '0, "Rule 3: some mask bit is set")
      wire unused_write = &{1'b0, wr_addr_i, part};
    end else begin : g_no_write
      assign {wr_ready_o, put_valid, held} = '0;
      assign {fence_done_o, writes_idle, wr_slotless} = '1;
      assign put_slot = '0;
      assign put_part = '0;
      assign put_addr = '0;
      assign put_strb = '0;
      assign put_data = '0;
      wire unused_write = &{1'b0, wr_valid_i, wr_addr_i, wr_mask_i, wr_data_i, fence_i};
    end
  endgenerate

  // Channel A: reads and writes by turns.
  reg a_valid_q, put_next_q;
  reg [ItemW-1:0] a_q;
  wire load = !a_valid_q || tl_a_ready_i;
  wire put_pick = put_valid && (put_next_q || !get_q);
  assign put_go = load && put_pick;
  assign get_go = load && get_q && !put_pick;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      put_next_q <= 1'b0;
    end else begin
      if (load) a_valid_q <= put_valid || get_q;
      if (put_go || get_go) put_next_q <= get_go;
    end
  end
  localparam integer Lanes = BusBits / PartBits;
  wire [BusBits/8-1:0] put_mask;
  generate
    for (genvar l = 0; l < Lanes; l = l + 1) begin : g_lane
      if (Lanes > 1) begin : g_some
        wire here = put_addr[PartB +: $clog2(Lanes)] == ($clog2(Lanes))'(l);
        assign put_mask[l*PartBits/8 +: PartBits/8] = here ? put_strb : '0;
      end else begin : g_all
        assign put_mask = put_strb;
      end
    end
  endgenerate
  wire [NameW-1:0] name = put_pick ? NameW'({put_slot, put_part})
                                   : NameW'({get_slot_q, get_word_q});
  always_ff @(posedge clk_i) begin
    if (put_go || get_go)
      a_q <= {put_pick, put_pick ? put_strb == '1 ? PUT_FULL : PUT_PARTIAL : GET,
              put_pick ? put_addr : get_addr, put_pick, name,
              put_pick ? {Lanes{put_data}} : BusBits'(0), put_pick ? put_mask : {BusBits/8{1'b1}}};
  end
  wire a_put;
  assign {a_put, tl_a_opcode_o, tl_a_address_o, tl_a_source_o, tl_a_data_o, tl_a_mask_o} = a_q;
  assign tl_a_valid_o = a_valid_q;
  assign tl_a_param_o = 3'd0;
  assign tl_a_size_o = a_put ? SizeBits'(PartB) : SizeBits'(BusB);
  assign tl_a_corrupt_o = 1'b0;
  assign idle_o = reads_idle && writes_idle;

  // Counters: the order is that of wf_tlul.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        rsp_valid_o && !rsp_ready_i, tl_a_valid_o && !tl_a_ready_i, wr_valid_i && wr_slotless,
        rd_valid_i && held, rd_valid_i && !slot_free, wr_error_o, rd_error_o,
        wr_valid_i && wr_ready_o, rd_take};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, wr_slotless};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSERT_STABLE(rule_1_a, tl_a_valid_o, tl_a_ready_i, a_q, ItemW, "Rule 1: an offer holds")
  wire [AddrBits-1:0] low = tl_a_address_o & ((AddrBits'(1) << tl_a_size_o) - 1'b1);
  `WF_ASSERT(rule_2_aligned, !tl_a_valid_o || low == '0, "Rule 2: a message is aligned to its size")
  `WF_ASSUME(rule_4_kind, !tl_d_valid_i || tl_d_opcode_i == (of_write ? 3'd0 : 3'd1),
             "Rule 4: answers are of the kind of what they answer")
  `WF_ASSERT(rule_5_idle, !idle_o || !tl_a_valid_o, "Rule 5: an idle converter offers nothing")
  wire unused = &{1'b0, rd_addr_i, tl_d_source_i, tl_d_opcode_i, next_word, low};
endmodule
`default_nettype wire
