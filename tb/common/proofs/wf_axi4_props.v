// wf_axi4: what AXI4 asks of a manager (offers hold, IDs are single, bursts have the right shape
// and last word, AW and W do not wait for ready or for each other); each read is answered once, in
// whole and in order, with what memory gave; each write is sent once, as it was taken; nothing
// passes a write of its sector, and no read one of its block; while memory owes no answer the unit
// does not wait. Memory answers in any order, with errors, and mixes words of several blocks.
//
// Reads with tag 1 are followed, of which one at most is on its way; so any one is.
`default_nettype none
`include "wf_assert.vh"
module wf_axi4_props #(
  parameter integer AddrBits = 4,
  parameter integer BlockBytes = 2,
  parameter integer BeatBits = 8,
  parameter integer BusBits = 8,
  parameter integer RdSlots = 2,
  parameter integer WrSlots = 2,
  localparam integer Words = 8 * BlockBytes / BusBits,
  localparam integer Beats = 8 * BlockBytes / BeatBits,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer MaskW = BeatBits / 8
) (
  input wire clk_i, input wire rd_valid, input wire [AddrBits-1:0] rd_addr, input wire rd_tag,
  input wire rsp_ready, input wire wr_valid, input wire [AddrBits-1:0] wr_addr,
  input wire [MaskW-1:0] wr_mask, input wire [BeatBits-1:0] wr_data, input wire fence,
  input wire arready, input wire awready, input wire wready, input wire rvalid, input wire rid,
  input wire [BusBits-1:0] rdata, input wire [1:0] rresp, input wire bvalid, input wire bid,
  input wire [1:0] bresp
);
`include "formal.vh"
  localparam integer BlockB = $clog2(BlockBytes);
  localparam integer SectorB = $clog2(BeatBits / 8);
  localparam integer PartBits = BusBits > BeatBits ? BeatBits : BusBits;
  localparam integer WWords = BeatBits / PartBits;
  localparam integer Lanes = BusBits / PartBits;
  wire rd_ready, rsp_valid, rsp_tag, rsp_last, rsp_error, wr_ready, fence_done, rd_error, wr_error;
  wire arvalid, arid, arlock, rready, awvalid, awid, awlock, wvalid, wlast, bready, idle;
  wire [BeatW-1:0] rsp_beat;
  wire [BeatBits-1:0] rsp_data;
  wire [AddrBits-1:0] araddr, awaddr;
  wire [7:0] arlen, awlen;
  wire [2:0] arsize, awsize, arprot, awprot;
  wire [1:0] arburst, awburst;
  wire [3:0] arcache, arqos, awcache, awqos;
  wire [BusBits-1:0] wdata;
  wire [BusBits/8-1:0] wstrb;
  wire [63:0] count;
  reg [3:0] got0_q, got1_q;  // words of the burst of each ID
  wire rlast = (rid ? got1_q : got0_q) == 4'(Words - 1);
  wf_axi4 #(
    .AddrBits(AddrBits), .BlockBytes(BlockBytes), .BeatBits(BeatBits), .MaskBits(8), .TagBits(1),
    .BusBits(BusBits), .IdBits(1), .RdSlots(RdSlots), .WrSlots(WrSlots), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
    .rd_addr_i(rd_addr), .rd_tag_i(rd_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag), .rsp_beat_o(rsp_beat), .rsp_last_o(rsp_last), .rsp_error_o(rsp_error),
    .rsp_data_o(rsp_data), .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr),
    .wr_mask_i(wr_mask), .wr_data_i(wr_data), .fence_i(fence), .fence_done_o(fence_done),
    .rd_error_o(rd_error), .wr_error_o(wr_error), .axi_arvalid_o(arvalid),
    .axi_arready_i(arready), .axi_arid_o(arid), .axi_araddr_o(araddr), .axi_arlen_o(arlen),
    .axi_arsize_o(arsize), .axi_arburst_o(arburst), .axi_arlock_o(arlock),
    .axi_arcache_o(arcache), .axi_arprot_o(arprot), .axi_arqos_o(arqos), .axi_rvalid_i(rvalid),
    .axi_rready_o(rready), .axi_rid_i(rid), .axi_rdata_i(rdata), .axi_rresp_i(rresp),
    .axi_rlast_i(rlast), .axi_awvalid_o(awvalid), .axi_awready_i(awready), .axi_awid_o(awid),
    .axi_awaddr_o(awaddr), .axi_awlen_o(awlen), .axi_awsize_o(awsize), .axi_awburst_o(awburst),
    .axi_awlock_o(awlock), .axi_awcache_o(awcache), .axi_awprot_o(awprot), .axi_awqos_o(awqos),
    .axi_wvalid_o(wvalid), .axi_wready_i(wready), .axi_wdata_o(wdata), .axi_wstrb_o(wstrb),
    .axi_wlast_o(wlast), .axi_bvalid_i(bvalid), .axi_bready_o(bready), .axi_bid_i(bid),
    .axi_bresp_i(bresp), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0),
    .cnt_value_o(count), .idle_o(idle)
  );
  wire rd_take = rst_ni && rd_valid && rd_ready, wr_take = rst_ni && wr_valid && wr_ready;
  wire ar = rst_ni && arvalid && arready, aw = rst_ni && awvalid && awready;
  wire w = rst_ni && wvalid && wready, r = rst_ni && rvalid && rready;
  wire b = rst_ni && bvalid && bready, rsp = rst_ni && rsp_valid && rsp_ready;

  // Memory: what it owes.
  reg [1:0] r_owed_q, aw_owed_q;
  initial {r_owed_q, aw_owed_q} = 4'd0;
  reg [1:0] w_more_q;   // bursts of words that came, less addresses that came, + 1
  reg [3:0] w_word_q;   // words of the burst at hand
  initial w_more_q = 2'd1;
  initial w_word_q = 4'd0;
  // Words come in the order of their addresses: an ID's words are all there unless its address was
  // the last one and their burst is not over.
  reg aw_last_q;
  wire words_there = !(w_more_q == 2'd0 && aw_last_q == bid);
  always @(posedge clk_i) if (rst_ni) begin
    if (ar) r_owed_q[arid] <= 1'b1;
    if (r && rlast) r_owed_q[rid] <= 1'b0;
    if (ar && !arid) got0_q <= 4'd0;
    else if (r && !rid) got0_q <= got0_q + 4'd1;
    if (ar && arid) got1_q <= 4'd0;
    else if (r && rid) got1_q <= got1_q + 4'd1;
    if (aw) aw_owed_q[awid] <= 1'b1;
    if (aw) aw_last_q <= awid;
    if (b) aw_owed_q[bid] <= 1'b0;
    if (w) w_word_q <= wlast ? 4'd0 : w_word_q + 4'd1;
    w_more_q <= w_more_q + {1'b0, w && wlast} - {1'b0, aw};
  end
  `WF_ASSUME(r_owed, !rvalid || r_owed_q[rid], "words are answers")
  `WF_ASSUME(b_owed, !bvalid || (aw_owed_q[bid] && words_there), "so are they of writes")

  // The protocol. Offers hold: rules 1 of the module.
  `WF_ASSERT(ar_single, !arvalid || !r_owed_q[arid], "no two reads on their way have one ID")
  `WF_ASSERT(aw_single, !awvalid || !aw_owed_q[awid], "nor have two writes")
  `WF_ASSERT(ar_shape, 32'(arlen) == Words - 1 && 32'(arsize) == $clog2(BusBits / 8)
             && arburst == 2'b01 && !arlock, "a block is one burst of full words")
  `WF_ASSERT(aw_shape, 32'(awlen) == WWords - 1 && 32'(awsize) == $clog2(PartBits / 8)
             && awburst == 2'b01 && !awlock, "a sector is one burst")
  `WF_ASSERT(ar_aligned, araddr[BlockB-1:0] == '0, "aligned to its size: within 4 KB")
  wire [AddrBits-1:0] in_sector = awaddr & AddrBits'(BeatBits / 8 - 1);
  `WF_ASSERT(aw_aligned, in_sector == '0, "a write is aligned to its size")
  `WF_ASSERT(w_last, !wvalid || wlast == (w_word_q == 4'(WWords - 1)),
             "the last word, and no other")
  `WF_ASSERT(w_paired, w_more_q <= 2'd2 && (w_word_q == 4'd0 || w_more_q < 2'd2),
             "words and addresses are of the same writes")
  reg rd_before_q, wr_before_q;
  initial {rd_before_q, wr_before_q} = 2'd0;
  always @(posedge clk_i) {rd_before_q, wr_before_q} <= {rd_take, wr_take};
  `WF_ASSERT(ar_at_once, !rd_before_q || arvalid, "a read is offered, ready or not")
  `WF_ASSERT(aw_at_once, !wr_before_q || (awvalid && wvalid),
             "address and words are offered, ready or not")
  `WF_ASSERT(always_taken, rready && bready, "answers wait for nobody")

  // Blocks: as many come back as were asked for, beats in a row and in order.
  reg [2:0] inside_q;
  reg [BeatW-1:0] beat_q;
  reg mid_tag_q;
  initial inside_q = 3'd0;
  initial beat_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    inside_q <= inside_q + {2'd0, rd_take} - {2'd0, rsp && rsp_last};
    if (rsp) beat_q <= rsp_last ? '0 : beat_q + 1'b1;
    if (rsp) mid_tag_q <= rsp_tag;
  end
  `WF_ASSERT(none_made, !rsp_valid || inside_q != 3'd0, "no block that was not asked for")
  `WF_ASSERT(in_order, !rsp_valid
             || (rsp_beat == beat_q && rsp_last == (beat_q == BeatW'(Beats - 1))), "beats in order")
  `WF_ASSERT(in_a_row, !rsp_valid || beat_q == '0 || rsp_tag == mid_tag_q, "beats in a row")
  `WF_ASSERT(bounded, 32'(inside_q) <= RdSlots + 1, "as many as slots, and the one that is offered")

  // The followed read.
  reg on_q, first_q, sent_q, whole_q, f_error_q, f_id_q;
  initial {on_q, first_q, sent_q, whole_q} = 4'd0;
  reg [AddrBits-BlockB-1:0] f_block_q;
  reg [8*BlockBytes-1:0] f_data_q;
  reg [3:0] f_got_q;
  wire f_take = rd_take && rd_tag, f_word = r && sent_q && !whole_q && rid == f_id_q;
  always @(posedge clk_i) if (rst_ni) begin
    if (f_take) begin
      on_q <= 1'b1;
      first_q <= 1'b1;
      sent_q <= 1'b0;
      whole_q <= 1'b0;
      f_error_q <= 1'b0;
      f_got_q <= 4'd0;
      f_block_q <= rd_addr[AddrBits-1:BlockB];
    end else if (rsp && rsp_tag && rsp_last) on_q <= 1'b0;
    if (ar && first_q) begin
      first_q <= 1'b0;
      sent_q <= 1'b1;
      f_id_q <= arid;
    end
    if (f_word) begin
      f_got_q <= f_got_q + 4'd1;
      if (f_got_q == 4'(Words - 1)) whole_q <= 1'b1;
      if (rresp[1]) f_error_q <= 1'b1;
    end
  end
  generate
    for (genvar i = 0; i < Words; i = i + 1) begin : g_word
      always @(posedge clk_i) if (f_word && f_got_q == 4'(i))
        f_data_q[i*BusBits +: BusBits] <= rresp[1] ? '0 : rdata;
    end
  endgenerate
  `WF_ASSUME(one_followed, !(rd_valid && rd_tag) || !on_q, "one read at a time has tag 1")
  `WF_ASSERT(f_asked, !(first_q && arvalid) || araddr[AddrBits-1:BlockB] == f_block_q,
             "the block that was asked for")
  `WF_ASSERT(f_once, !(rsp_valid && rsp_tag) || (on_q && whole_q),
             "answered once, when it is whole")
  wire [31:0] beat = 32'(rsp_beat);
  `WF_ASSERT(f_right, !(rsp_valid && rsp_tag) || rsp_data == f_data_q[beat*BeatBits +: BeatBits],
             "what memory gave, 0 in place of errors")
  `WF_ASSERT(f_told, !(rsp_valid && rsp_tag) || rsp_error == f_error_q, "an error is told")
  `WF_ASSERT(f_owed, !first_q || arvalid, "it is asked for")

  // Any one sector: its write.
  (* anyconst *) wire [AddrBits-SectorB-1:0] sector;
  wire s_take = wr_take && wr_addr[AddrBits-1:SectorB] == sector;
  reg s_on_q, s_aw_q, s_w_q, s_id_q, s_old_q;
  initial {s_on_q, s_aw_q, s_w_q, s_old_q} = 4'd0;
  reg [3:0] s_word_q;
  reg [BeatBits-1:0] s_data_q;
  reg [MaskW-1:0] s_mask_q;
  wire s_end = b && s_on_q && !s_aw_q && bid == s_id_q;
  always @(posedge clk_i) if (rst_ni) begin
    if (s_take) begin
      s_on_q <= 1'b1;
      s_aw_q <= 1'b1;
      s_w_q <= 1'b1;
      s_word_q <= 4'd0;
      s_data_q <= wr_data;
      s_mask_q <= wr_mask;
    end else begin
      if (s_end) s_on_q <= 1'b0;
      if (aw) s_aw_q <= 1'b0;
      if (w && wlast) s_w_q <= 1'b0;
      if (w && s_w_q) s_word_q <= s_word_q + 4'd1;
    end
    if (aw && s_aw_q) s_id_q <= awid;
    if (fence) s_old_q <= s_take || (s_on_q && !s_end);
    else if (s_end) s_old_q <= 1'b0;
  end
  wire [31:0] s_word = 32'(s_word_q), s_lane = Lanes > 1 ? 32'(sector) % Lanes : 32'd0;
  `WF_ASSERT(s_address, !s_aw_q || (awvalid && awaddr[AddrBits-1:SectorB] == sector),
             "the sector that was written")
  wire [PartBits/8-1:0] s_part = s_mask_q[s_word*(PartBits/8) +: PartBits/8];
  `WF_ASSERT(s_mask, !s_w_q || (wvalid && wstrb == (BusBits/8)'(s_part) << s_lane * (PartBits / 8)),
             "its mask, in its lane")
  `WF_ASSERT(s_data, !s_w_q || wdata[s_lane*PartBits +: PartBits]
             == s_data_q[s_word*PartBits +: PartBits], "its data")
  `WF_ASSERT(s_alone, !s_take || !s_on_q, "no write passes another of its sector")
  `WF_ASSERT(s_read, !(rd_take && s_on_q)
             || rd_addr[AddrBits-1:BlockB] != sector[AddrBits-SectorB-1:BlockB-SectorB],
             "no read passes a write of its block")
  `WF_ASSERT(s_fence, !fence_done || !s_old_q, "a fence waits for the writes before it")
  `WF_ASSERT(fence_ends, fence_done || awvalid || wvalid || aw_owed_q != 2'd0,
             "a fence ends when memory owes no answer")

  // Nothing waits for ever: memory owes nothing and takes all, the unit takes what comes.
  wire owes = r_owed_q != 2'd0 || aw_owed_q != 2'd0;
  reg [3:0] rd_late_q, wr_late_q, rsp_late_q;
  initial {rd_late_q, wr_late_q, rsp_late_q} = 12'd0;
  wire free_run = !owes && arready && awready && wready && rsp_ready;
  always @(posedge clk_i) begin
    rd_late_q <= rst_ni && rd_valid && !rd_ready && free_run ? rd_late_q + 4'd1 : 4'd0;
    wr_late_q <= rst_ni && wr_valid && !wr_ready && free_run ? wr_late_q + 4'd1 : 4'd0;
    rsp_late_q <= rst_ni && on_q && whole_q && rsp_ready && !(rsp && rsp_tag)
                  ? rsp_late_q + 4'd1 : 4'd0;
  end
  localparam integer Late = RdSlots * Beats + Beats + 2;
  `WF_ASSERT(rd_in_time, 32'(rd_late_q) < Late, "a read is taken if memory owes nothing")
  `WF_ASSERT(wr_in_time, 32'(wr_late_q) < WWords + 3, "a write is taken if memory owes nothing")
  `WF_ASSERT(rsp_in_time, 32'(rsp_late_q) < Late, "a whole block is offered")

  `WF_COVER(full, inside_q == 3'(RdSlots) && r_owed_q == 2'b11 && rd_valid)
  `WF_COVER(words_first, w_more_q == 2'd2 && awvalid)
  `WF_COVER(bad_block, rsp && rsp_tag && rsp_last && rsp_error)
  `WF_COVER(held_read, rd_valid && !rd_ready && s_on_q && !s_aw_q && !arvalid && inside_q == 3'd0)
  `WF_COVER(two_writes, aw_owed_q == 2'b11)
  `WF_QUIET(idle && !rd_valid && !wr_valid && !fence && !rvalid && !bvalid && fence_done)
  wire unused = &{1'b0, arprot, awprot, arcache, awcache, arqos, awqos, count, rd_error, wr_error,
                  bresp, got0_q, got1_q};
endmodule
`default_nettype wire
