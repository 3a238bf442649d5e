// A unit's memory side as an AXI4 manager: reads of whole blocks, writes of sectors (as wide as a
// beat of the unit) with a mask. A read that is taken after a write to its block sees what was
// written. buses.md has the page.
//
// CHANNELS of the unit: ready/valid; a transfer is both high at an edge; an offer holds until taken
// (rd alone may be withdrawn); valid may not wait for ready.
//   rd     a block's address (its low bits are ignored) and a tag
//   rsp    a block's beats, in a row and in order, blocks in any order; the tag; error: some word
//          of the block was answered with SLVERR or DECERR, and is 0
//   wr     a sector's address (low bits ignored), a bit of mask for each MaskBits of data
//   fence_i, fence_done_o   as of wf_bus_writes: what was taken on wr is in memory
//   rd_error_o, wr_error_o  high for a cycle with each answer that is an error
// AXI: each block is one INCR burst of full words, or of one word; it is aligned, so it does not
//   cross 4 KB. A sector is one burst as well, of one narrow word where the bus is wider. Each has
//   an ID of its own among those on their way, so that answers may come in any order, and words of
//   several blocks mixed. AWVALID and WVALID do not wait for each other. RREADY and BREADY are
//   always high. ARLOCK and its like are constants; ARREGION, USER are not there.
//
// WHO WAITS FOR WHOM: rd for a slot, for writes to its block, and for ARREADY; wr for a slot, for a
// write to its sector, for AWREADY and WREADY. Answers wait for nobody. So memory may answer reads
// and writes in any order, and finish either while the other stands.
//
// TIME: AR and AW are offered an edge after rd and wr are taken; a read is taken every second edge
// at most, a write each words + 1. A block's first beat is offered two edges after its last word.
//
// STORAGE: RAM RdSlots * (8 * BlockBytes + TagBits), counters; flops: BeatBits for W, see
// wf_bus_reads and wf_bus_writes.
//
// Rules
//   1 Offers hold: AR, AW, W, rsp.
//   2 WLAST is high with the last word of a burst, and with no other.
//   3 The unit's offers on wr hold, and some mask bit is set.
//   4 Answers are for what is on its way; RLAST comes with a block's last word.
//   5 An idle converter offers nothing.
`default_nettype none
`include "wf_assert.vh"

module wf_axi4 #(
  parameter integer AddrBits = 32,     // of a byte address, on both sides
  parameter integer BlockBytes = 128,  // of a read: 2^k to 4096
  parameter integer BeatBits = 256,    // of a beat and of a sector: 2^k from 8 to a block's
  parameter integer MaskBits = 32,     // that a bit of the mask enables: 2^k from 8 to BeatBits
  parameter integer TagBits = 16,      // of the unit's tags
  parameter integer BusBits = 128,     // of RDATA and WDATA: 2^k from 8 to 1024 and a block's
  parameter integer IdBits = 8,        // of ARID and AWID
  parameter integer RdSlots = 32,      // reads on their way
  parameter integer WrSlots = 8,       // writes on their way; 0: none are ever offered
  parameter [3:0]   Cache = 4'b0011,   // ARCACHE, AWCACHE: normal, not cacheable, bufferable
  parameter [2:0]   Prot = 3'b000,     // ARPROT, AWPROT
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
  // AXI4
  output wire                  axi_arvalid_o,
  input  wire                  axi_arready_i,
  output wire [IdBits-1:0]     axi_arid_o,
  output wire [AddrBits-1:0]   axi_araddr_o,
  output wire [7:0]            axi_arlen_o,
  output wire [2:0]            axi_arsize_o,
  output wire [1:0]            axi_arburst_o,
  output wire                  axi_arlock_o,
  output wire [3:0]            axi_arcache_o,
  output wire [2:0]            axi_arprot_o,
  output wire [3:0]            axi_arqos_o,
  input  wire                  axi_rvalid_i,
  output wire                  axi_rready_o,
  input  wire [IdBits-1:0]     axi_rid_i,
  input  wire [BusBits-1:0]    axi_rdata_i,
  input  wire [1:0]            axi_rresp_i,
  input  wire                  axi_rlast_i,
  output wire                  axi_awvalid_o,
  input  wire                  axi_awready_i,
  output wire [IdBits-1:0]     axi_awid_o,
  output wire [AddrBits-1:0]   axi_awaddr_o,
  output wire [7:0]            axi_awlen_o,
  output wire [2:0]            axi_awsize_o,
  output wire [1:0]            axi_awburst_o,
  output wire                  axi_awlock_o,
  output wire [3:0]            axi_awcache_o,
  output wire [2:0]            axi_awprot_o,
  output wire [3:0]            axi_awqos_o,
  output wire                  axi_wvalid_o,
  input  wire                  axi_wready_i,
  output wire [BusBits-1:0]    axi_wdata_o,
  output wire [BusBits/8-1:0]  axi_wstrb_o,
  output wire                  axi_wlast_o,
  input  wire                  axi_bvalid_i,
  output wire                  axi_bready_o,
  input  wire [IdBits-1:0]     axi_bid_i,
  input  wire [1:0]            axi_bresp_i,
  // counters: snapshot copies all, clear zeroes the running ones; order in wf_axi4.ini
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
  localparam integer NCount = 9;

  initial begin
    if (BlockBytes < 1 || BlockBytes > 4096 || (BlockBytes & (BlockBytes - 1)) != 0)
      $fatal(1, "wf_axi4: BlockBytes is %0d, must be a power of two to 4096", BlockBytes);
    if (BeatBits < 8 || BeatBits > 8 * BlockBytes || (BeatBits & (BeatBits - 1)) != 0)
      $fatal(1, "wf_axi4: BeatBits is %0d, must be a power of two, 8 .. a block's", BeatBits);
    if (MaskBits < 8 || MaskBits > BeatBits || (MaskBits & (MaskBits - 1)) != 0)
      $fatal(1, "wf_axi4: MaskBits is %0d, must be a power of two, 8 .. BeatBits", MaskBits);
    if (BusBits < 8 || BusBits > 1024 || BusBits > 8 * BlockBytes || (BusBits & (BusBits - 1)) != 0)
      $fatal(1, "wf_axi4: BusBits is %0d, must be a power of two, 8 .. 1024 and a block's",
             BusBits);
    if (Words > 256)
      $fatal(1, "wf_axi4: a block has %0d words of the bus, must have 256 at most", Words);
    if (AddrBits <= BlockB || AddrBits > 64)
      $fatal(1, "wf_axi4: AddrBits is %0d, must be more than a block's, to 64", AddrBits);
    if (IdBits < SlotW || (WrSlots > 1 && IdBits < $clog2(WrSlots)))
      $fatal(1, "wf_axi4: IdBits is %0d, must hold the numbers of RdSlots and of WrSlots", IdBits);
    if (RdSlots < 1) $fatal(1, "wf_axi4: RdSlots is %0d, must be 1 or more", RdSlots);
    if (WrSlots < 0) $fatal(1, "wf_axi4: WrSlots is %0d, must be 0 or more", WrSlots);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "wf_axi4: CounterBits is %0d, must be 0..64", CounterBits);
  end

  // Reads.
  wire slot_free, held, reads_idle, writes_idle;
  wire [SlotW-1:0] slot;
  wire [WordW-1:0] next_word;
  reg ar_valid_q;
  reg [SlotW-1:0] ar_slot_q;
  reg [AddrBits-BlockB-1:0] ar_block_q;
  wire rd_take = rd_valid_i && rd_ready_o;
  assign rd_ready_o = slot_free && !ar_valid_q && !held;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ar_valid_q <= 1'b0;
    else ar_valid_q <= rd_take || (ar_valid_q && !axi_arready_i);
  end
  always_ff @(posedge clk_i) begin
    if (rd_take) begin
      ar_slot_q <= slot;
      ar_block_q <= rd_addr_i[AddrBits-1:BlockB];
    end
  end
  assign axi_arvalid_o = ar_valid_q;
  assign axi_arid_o = IdBits'(ar_slot_q);
  assign axi_araddr_o = {ar_block_q, {BlockB{1'b0}}};
  assign axi_arlen_o = 8'(Words - 1);
  assign axi_arsize_o = 3'(BusB);
  assign axi_arburst_o = 2'b01;
  assign axi_arlock_o = 1'b0;
  assign axi_arcache_o = Cache;
  assign axi_arprot_o = Prot;
  assign axi_arqos_o = 4'd0;
  assign axi_rready_o = 1'b1;
  wire [SlotW-1:0] r_slot = SlotW'(axi_rid_i);
  assign rd_error_o = axi_rvalid_i && axi_rresp_i[1];
  wf_bus_reads #(
    .Slots(RdSlots > 0 ? RdSlots : 1), .TagBits(TagBits), .BlockBytes(BlockBytes),
    .BeatBits(BeatBits), .BusBits(BusBits)
  ) u_reads (
    .clk_i(clk_i), .rst_ni(rst_ni), .free_o(slot_free), .slot_o(slot), .take_i(rd_take),
    .tag_i(rd_tag_i), .in_valid_i(axi_rvalid_i), .in_slot_i(r_slot), .next_o(next_word),
    .in_word_i(next_word), .in_error_i(axi_rresp_i[1]), .in_data_i(axi_rdata_i),
    .rsp_valid_o(rsp_valid_o), .rsp_ready_i(rsp_ready_i), .rsp_tag_o(rsp_tag_o),
    .rsp_beat_o(rsp_beat_o), .rsp_last_o(rsp_last_o), .rsp_error_o(rsp_error_o),
    .rsp_data_o(rsp_data_o), .idle_o(reads_idle)
  );

  // Writes.
  wire wr_slotless;
  generate
    if (WrSlots > 0) begin : g_write
      localparam integer WrW = WrSlots > 1 ? $clog2(WrSlots) : 1;
      localparam integer SectorB = $clog2(BeatBits / 8);
      localparam integer Lanes = BusBits > BeatBits ? BusBits / BeatBits : 1;
      localparam integer PartBits = BusBits > BeatBits ? BeatBits : BusBits;
      localparam integer WWords = BeatBits / PartBits;
      localparam integer WWordW = WWords > 1 ? $clog2(WWords) : 1;
      localparam integer StrbW = BeatBits / 8;
      reg aw_valid_q, w_valid_q;
      reg [WrW-1:0] aw_slot_q;
      reg [AddrBits-SectorB-1:0] sector_q;
      reg [WWordW-1:0] word_q;
      reg [BeatBits-1:0] data_q;
      reg [StrbW-1:0] strb_q;
      wire free, clash;
      wire [WrW-1:0] wr_slot;
      wire take = wr_valid_i && wr_ready_o;
      assign wr_ready_o = free && !clash && !aw_valid_q && !w_valid_q;
      assign wr_slotless = !free;
      wire sent = w_valid_q && axi_wready_i, final_word = word_q == WWordW'(WWords - 1);
      wire [StrbW-1:0] strb;
      for (genvar b = 0; b < StrbW; b = b + 1) begin : g_strb
        assign strb[b] = wr_mask_i[8 * b / MaskBits];
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          aw_valid_q <= 1'b0;
          w_valid_q <= 1'b0;
        end else begin
          aw_valid_q <= take || (aw_valid_q && !axi_awready_i);
          w_valid_q <= take || (w_valid_q && !(sent && final_word));
        end
      end
      always_ff @(posedge clk_i) begin
        if (take) begin
          aw_slot_q <= wr_slot;
          sector_q <= wr_addr_i[AddrBits-1:SectorB];
          word_q <= '0;
          data_q <= wr_data_i;
          strb_q <= strb;
        end else if (sent) begin
          word_q <= word_q + 1'b1;
          data_q <= data_q >> PartBits;
          strb_q <= strb_q >> PartBits / 8;
        end
      end
      assign axi_awvalid_o = aw_valid_q;
      assign axi_awid_o = IdBits'(aw_slot_q);
      assign axi_awaddr_o = {sector_q, {SectorB{1'b0}}};
      assign axi_awlen_o = 8'(WWords - 1);
      assign axi_awsize_o = 3'($clog2(PartBits / 8));
      assign axi_wvalid_o = w_valid_q;
      assign axi_wlast_o = final_word;
      assign axi_wdata_o = {Lanes{data_q[PartBits-1:0]}};
      for (genvar l = 0; l < Lanes; l = l + 1) begin : g_lane
        if (Lanes > 1) begin : g_some
          wire here = sector_q[$clog2(Lanes)-1:0] == ($clog2(Lanes))'(l);
          assign axi_wstrb_o[l*PartBits/8 +: PartBits/8] = here ? strb_q[PartBits/8-1:0] : '0;
        end else begin : g_all
          assign axi_wstrb_o = strb_q[PartBits/8-1:0];
        end
      end
      assign axi_bready_o = 1'b1;
      wire [WrW-1:0] b_slot = WrW'(axi_bid_i);
      assign wr_error_o = axi_bvalid_i && axi_bresp_i[1];
      wf_bus_writes #(
        .Slots(WrSlots), .SectorBits(AddrBits - SectorB), .BlockShift(BlockB - SectorB)
      ) u_writes (
        .clk_i(clk_i), .rst_ni(rst_ni), .free_o(free), .slot_o(wr_slot), .take_i(take),
        .sector_i(wr_addr_i[AddrBits-1:SectorB]), .parts_i(1'b1), .clash_o(clash),
        .block_i(rd_addr_i[AddrBits-1:BlockB]), .held_o(held), .ack_valid_i(axi_bvalid_i),
        .ack_slot_i(b_slot), .ack_part_i(1'b0), .fence_i(fence_i), .fence_done_o(fence_done_o),
        .idle_o(writes_idle)
      );
      `WF_ASSERT_STABLE(rule_1_aw, axi_awvalid_o, axi_awready_i, {axi_awid_o, axi_awaddr_o},
                        IdBits + AddrBits, "Rule 1: an offered write holds")
      `WF_ASSERT_STABLE(rule_1_w, axi_wvalid_o, axi_wready_i,
                        {axi_wlast_o, axi_wstrb_o, axi_wdata_o}, 1 + BusBits / 8 + BusBits,
                        "Rule 1: an offered word holds")
      `WF_ASSUME_STABLE(rule_3_wr, wr_valid_i, wr_ready_o, {wr_addr_i, wr_mask_i, wr_data_i},
                        AddrBits + MaskW + BeatBits, "Rule 3: the unit's write holds")
      `WF_ASSUME(rule_3_mask, !wr_valid_i || wr_mask_i != '0, "Rule 3: some mask bit is set")
      wire unused_write = &{1'b0, wr_addr_i, axi_bid_i, axi_bresp_i};
    end else begin : g_no_write
      assign {wr_ready_o, axi_awvalid_o, axi_wvalid_o, axi_wlast_o, wr_error_o, held} = '0;
      assign axi_awid_o = '0;
      assign axi_awaddr_o = '0;
      assign axi_awlen_o = '0;
      assign axi_awsize_o = '0;
      assign axi_wdata_o = '0;
      assign axi_wstrb_o = '0;
      assign {axi_bready_o, fence_done_o, writes_idle, wr_slotless} = '1;
      wire unused_write = &{1'b0, wr_valid_i, wr_addr_i, wr_mask_i, wr_data_i, fence_i,
                            axi_awready_i, axi_wready_i, axi_bvalid_i, axi_bid_i, axi_bresp_i};
    end
  endgenerate
  assign axi_awburst_o = 2'b01;
  assign axi_awlock_o = 1'b0;
  assign axi_awcache_o = Cache;
  assign axi_awprot_o = Prot;
  assign axi_awqos_o = 4'd0;
  assign idle_o = reads_idle && writes_idle;

  // Counters: the order is that of wf_axi4.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        rsp_valid_o && !rsp_ready_i, axi_arvalid_o && !axi_arready_i,
        wr_valid_i && wr_slotless, rd_valid_i && held, rd_valid_i && !slot_free, wr_error_o,
        rd_error_o, wr_valid_i && wr_ready_o, rd_take};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, wr_slotless};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSERT_STABLE(rule_1_ar, axi_arvalid_o, axi_arready_i, {axi_arid_o, axi_araddr_o},
                    IdBits + AddrBits, "Rule 1: an offered read holds")
  `WF_ASSUME(rule_4_last, !axi_rvalid_i || axi_rlast_i == (next_word == WordW'(Words - 1)),
             "Rule 4: RLAST comes with a block's last word")
  `WF_ASSERT(rule_5_idle, !idle_o || !(axi_arvalid_o || axi_awvalid_o || axi_wvalid_o),
             "Rule 5: an idle converter offers nothing")
  wire unused = &{1'b0, rd_addr_i, axi_rid_i, axi_rlast_i, axi_rresp_i};
endmodule
`default_nettype wire
