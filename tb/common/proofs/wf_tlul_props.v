// wf_tlul: what TL-UL asks of a client (sources are single, messages have the right kind, size,
// alignment and mask, a does not wait for ready, nor d for a); each read is answered once, in whole
// and in order, with what memory gave; each write is sent once, part by part, as it was taken;
// nothing passes a write of its sector, and no read one of its block; while memory owes no answer
// the unit does not wait. Memory answers in any order, at once as well, and denies some.
//
// Reads with tag 1 are followed, of which one at most is on its way; so any one is.
`default_nettype none
`include "wf_assert.vh"
module wf_tlul_props #(
  parameter integer AddrBits = 3,
  parameter integer BlockBytes = 2,
  parameter integer BeatBits = 8,
  parameter integer BusBits = 8,
  parameter integer SourceBits = 3,
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
  input wire a_ready, input wire d_valid, input wire [SourceBits-1:0] d_source,
  input wire d_denied, input wire d_corrupt, input wire [BusBits-1:0] d_data
);
`include "formal.vh"
  localparam integer BlockB = $clog2(BlockBytes);
  localparam integer SectorB = $clog2(BeatBits / 8);
  localparam integer BusB = $clog2(BusBits / 8);
  localparam integer PartBits = BusBits > BeatBits ? BeatBits : BusBits;
  localparam integer Parts = BeatBits / PartBits;
  localparam integer Lanes = BusBits / PartBits;
  localparam integer Sources = 1 << SourceBits;
  wire rd_ready, rsp_valid, rsp_tag, rsp_last, rsp_error, wr_ready, fence_done, rd_error, wr_error;
  wire a_valid, a_size, a_corrupt, d_ready, idle;
  wire [BeatW-1:0] rsp_beat;
  wire [BeatBits-1:0] rsp_data;
  wire [2:0] a_opcode, a_param;
  wire [SourceBits-1:0] a_source;
  wire [AddrBits-1:0] a_address;
  wire [BusBits/8-1:0] a_mask;
  wire [BusBits-1:0] a_data;
  wire [63:0] count;
  reg [Sources-1:0] owed_q, put_q;  // sources on their way; those of writes
  initial owed_q = '0;
  wf_tlul #(
    .AddrBits(AddrBits), .BlockBytes(BlockBytes), .BeatBits(BeatBits), .MaskBits(8), .TagBits(1),
    .BusBits(BusBits), .SourceBits(SourceBits), .SizeBits(1), .RdSlots(RdSlots),
    .WrSlots(WrSlots), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
    .rd_addr_i(rd_addr), .rd_tag_i(rd_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag), .rsp_beat_o(rsp_beat), .rsp_last_o(rsp_last), .rsp_error_o(rsp_error),
    .rsp_data_o(rsp_data), .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr),
    .wr_mask_i(wr_mask), .wr_data_i(wr_data), .fence_i(fence), .fence_done_o(fence_done),
    .rd_error_o(rd_error), .wr_error_o(wr_error), .tl_a_valid_o(a_valid), .tl_a_ready_i(a_ready),
    .tl_a_opcode_o(a_opcode), .tl_a_param_o(a_param), .tl_a_size_o(a_size),
    .tl_a_source_o(a_source), .tl_a_address_o(a_address), .tl_a_mask_o(a_mask),
    .tl_a_data_o(a_data), .tl_a_corrupt_o(a_corrupt), .tl_d_valid_i(d_valid),
    .tl_d_ready_o(d_ready), .tl_d_opcode_i(is_put ? 3'd0 : 3'd1), .tl_d_source_i(d_source),
    .tl_d_denied_i(d_denied), .tl_d_data_i(d_data), .tl_d_corrupt_i(d_corrupt),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(count),
    .idle_o(idle)
  );
  wire rd_take = rst_ni && rd_valid && rd_ready, wr_take = rst_ni && wr_valid && wr_ready;
  wire a = rst_ni && a_valid && a_ready, d = rst_ni && d_valid && d_ready;
  wire get = a && a_opcode == 3'd4, put = a && a_opcode != 3'd4;
  wire rsp = rst_ni && rsp_valid && rsp_ready;
  // An answer may come with the message.
  wire at_once = a && a_source == d_source;
  wire is_put = at_once ? put : put_q[d_source];
  always @(posedge clk_i) if (rst_ni) begin
    if (a) owed_q[a_source] <= 1'b1;
    if (a) put_q[a_source] <= put;
    if (d) owed_q[d_source] <= 1'b0;
  end
  `WF_ASSUME(owed, !d_valid || owed_q[d_source] || at_once, "answers are of what was asked")

  // The protocol. Offers hold and are aligned: rules 1 and 2 of the module.
  `WF_ASSERT(single, !a_valid || !owed_q[a_source], "no two messages on their way have one source")
  `WF_ASSERT(kind, !a_valid || a_opcode == 3'd4 || (a_opcode == 3'd0) == (a_mask == all_lanes)
             && a_opcode <= 3'd1, "Get, or PutFullData if all bytes are written, or PutPartialData")
  `WF_ASSERT(plain, a_param == 3'd0 && !a_corrupt, "nothing else is asked")
  `WF_ASSERT(size, !a_valid || 32'(a_size) == (a_opcode == 3'd4 ? BusB : $clog2(PartBits / 8)),
             "as large as the bus, or as a sector")
  wire [31:0] lane = Lanes > 1 ? 32'(a_address >> SectorB) % Lanes : 32'd0;
  wire [BusBits/8-1:0] all_lanes = (BusBits/8)'({PartBits/8{1'b1}}) << lane * (PartBits / 8);
  `WF_ASSERT(mask, !a_valid || (a_opcode == 3'd4 ? a_mask == '1
                                : (a_mask & ~all_lanes) == '0 && a_mask != '0),
             "the mask lies within the message")
  `WF_ASSERT(always_taken, d_ready, "answers wait for nobody")

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

  // The followed read: its Gets come after those of the blocks before, word by word.
  reg [3:0] ahead_q, gets_q;  // Gets before its own; all that are still to be sent
  reg on_q, f_error_q;
  initial on_q = 1'b0;
  initial gets_q = 4'd0;
  reg [3:0] asked_q;
  reg [Words-1:0] came_q;
  reg [AddrBits-BlockB-1:0] f_block_q;
  reg [8*BlockBytes-1:0] f_data_q;
  wire f_take = rd_take && rd_tag;
  wire f_get = get && on_q && ahead_q == 4'd0 && asked_q != 4'(Words);
  wire [3:0] gets_now = gets_q - {3'd0, get};
  wire [Words-1:0] f_word;
  always @(posedge clk_i) if (rst_ni) begin
    gets_q <= gets_now + (rd_take ? 4'(Words) : 4'd0);
    if (f_take) begin
      on_q <= 1'b1;
      ahead_q <= gets_now;
      asked_q <= 4'd0;
      came_q <= '0;
      f_error_q <= 1'b0;
      f_block_q <= rd_addr[AddrBits-1:BlockB];
    end else begin
      if (rsp && rsp_tag && rsp_last) on_q <= 1'b0;
      if (get && ahead_q != 4'd0) ahead_q <= ahead_q - 4'd1;
      if (f_get) asked_q <= asked_q + 4'd1;
      came_q <= came_q | f_word;
      if (f_word != '0 && (d_denied || d_corrupt)) f_error_q <= 1'b1;
    end
  end
  generate
    for (genvar i = 0; i < Words; i = i + 1) begin : g_word
      reg [SourceBits-1:0] source_q;
      wire here = f_get && asked_q == 4'(i);
      always @(posedge clk_i) if (here) source_q <= a_source;
      assign f_word[i] = d && !came_q[i] && (here ? d_source == a_source
                                             : on_q && asked_q > 4'(i) && d_source == source_q);
      always @(posedge clk_i) if (f_word[i])
        f_data_q[i*BusBits +: BusBits] <= d_denied || d_corrupt ? '0 : d_data;
    end
  endgenerate
  `WF_ASSUME(one_followed, !(rd_valid && rd_tag) || !on_q, "one read at a time has tag 1")
  wire [AddrBits-1:0] f_address = {f_block_q, {BlockB{1'b0}}} + (AddrBits'(asked_q) << BusB);
  `WF_ASSERT(f_asked, !f_get || a_address == f_address, "each word of the block, once")
  `WF_ASSERT(f_once, !(rsp_valid && rsp_tag) || (on_q && came_q == '1),
             "answered once, when it is whole")
  wire [31:0] beat = 32'(rsp_beat);
  `WF_ASSERT(f_right, !(rsp_valid && rsp_tag) || rsp_data == f_data_q[beat*BeatBits +: BeatBits],
             "what memory gave, 0 in place of errors")
  `WF_ASSERT(f_told, !(rsp_valid && rsp_tag) || rsp_error == f_error_q, "an error is told")
  `WF_ASSERT(no_get_more, !(a_valid && a_opcode == 3'd4) || gets_q != 4'd0,
             "no Get that no read asked for")

  // Any one sector: its write. Of one sector one write is on its way.
  (* anyconst *) wire [AddrBits-SectorB-1:0] sector;
  wire s_take = wr_take && wr_addr[AddrBits-1:SectorB] == sector;
  reg [Parts-1:0] s_send_q, s_wait_q;  // to be sent, to be answered
  initial {s_send_q, s_wait_q} = '0;
  reg s_old_q;
  initial s_old_q = 1'b0;
  reg [BeatBits-1:0] s_data_q;
  reg [MaskW-1:0] s_mask_q;
  wire [31:0] a_part = 32'(a_address) % (BeatBits / 8) / (PartBits / 8);
  wire s_put = put && a_address[AddrBits-1:SectorB] == sector;
  wire [Parts-1:0] s_end, s_parts;
  wire s_on = s_send_q != '0 || s_wait_q != '0;
  wire s_over = ((s_send_q | s_wait_q) & ~s_end) == '0;
  generate
    for (genvar p = 0; p < Parts; p = p + 1) begin : g_part
      reg [SourceBits-1:0] source_q;
      wire here = s_put && a_part == p;
      assign s_parts[p] = wr_mask[p*PartBits/8 +: PartBits/8] != '0;
      always @(posedge clk_i) if (here) source_q <= a_source;
      assign s_end[p] = d && (here ? d_source == a_source : s_wait_q[p] && d_source == source_q);
      always @(posedge clk_i) if (rst_ni) begin
        s_send_q[p] <= s_take ? s_parts[p] : s_send_q[p] && !here;
        s_wait_q[p] <= !s_take && (s_wait_q[p] || here) && !s_end[p];
      end
    end
  endgenerate
  always @(posedge clk_i) if (rst_ni) begin
    if (s_take) s_data_q <= wr_data;
    if (s_take) s_mask_q <= wr_mask;
    if (fence) s_old_q <= s_take || (s_on && !s_over);
    else if (s_over) s_old_q <= 1'b0;
  end
  wire s_offer = a_valid && a_opcode != 3'd4 && a_address[AddrBits-1:SectorB] == sector;
  `WF_ASSERT(s_once, !s_offer || s_send_q[a_part], "each part that is written is sent once")
  wire [PartBits/8-1:0] s_part = s_mask_q[a_part*(PartBits/8) +: PartBits/8];
  `WF_ASSERT(s_mask, !s_offer || a_mask == (BusBits/8)'(s_part) << lane * (PartBits / 8),
             "its mask, in its lane")
  `WF_ASSERT(s_data, !s_offer || a_data[lane*PartBits +: PartBits]
             == s_data_q[a_part*PartBits +: PartBits], "its data")
  `WF_ASSERT(s_alone, !s_take || !s_on, "no write passes another of its sector")
  `WF_ASSERT(s_read, !(rd_take && s_on)
             || rd_addr[AddrBits-1:BlockB] != sector[AddrBits-SectorB-1:BlockB-SectorB],
             "no read passes a write of its block")
  `WF_ASSERT(s_fence, !fence_done || !s_old_q, "a fence waits for the writes before it")

  // Nothing waits for ever: memory owes nothing and takes all, the unit takes what comes.
  wire owes = owed_q != '0 || d_valid;
  reg [4:0] rd_late_q, wr_late_q, rsp_late_q, quiet_q;
  initial {rd_late_q, wr_late_q, rsp_late_q, quiet_q} = '0;
  wire free_run = !owes && rsp_ready && !a_valid;
  always @(posedge clk_i) begin
    rd_late_q <= rst_ni && rd_valid && !rd_ready && free_run ? rd_late_q + 5'd1 : 5'd0;
    wr_late_q <= rst_ni && wr_valid && !wr_ready && free_run ? wr_late_q + 5'd1 : 5'd0;
    rsp_late_q <= rst_ni && on_q && came_q == '1 && rsp_ready && !(rsp && rsp_tag)
                  ? rsp_late_q + 5'd1 : 5'd0;
    quiet_q <= rst_ni && !a_valid && (gets_q != 4'd0 || s_send_q != '0) ? quiet_q + 5'd1 : 5'd0;
  end
  localparam integer Late = RdSlots * Beats + Beats + 2;
  `WF_ASSERT(a_at_once, quiet_q < 5'd2, "what is to be sent is offered, ready or not")
  `WF_ASSERT(rd_in_time, 32'(rd_late_q) < Late, "a read is taken if memory owes nothing")
  `WF_ASSERT(wr_in_time, wr_late_q < 5'd2, "a write is taken if memory owes nothing")
  `WF_ASSERT(rsp_in_time, 32'(rsp_late_q) < Late, "a whole block is offered")
  // By turns: while a is taken, a Get that waits sees one Put at most pass, and a Put one Get.
  reg [1:0] puts_q, gets_passed_q;
  initial {puts_q, gets_passed_q} = 4'd0;
  always @(posedge clk_i) if (rst_ni) begin
    puts_q <= get || gets_q == 4'd0 ? 2'd0 : puts_q + {1'b0, put};
    gets_passed_q <= s_put || s_send_q == '0 ? 2'd0 : gets_passed_q + {1'b0, get};
  end
  `WF_ASSERT(fair_get, puts_q <= 2'd2, "reads wait for one write")
  `WF_ASSERT(fair_put, 32'(gets_passed_q) <= 2, "writes wait for one read")

  `WF_COVER(full, inside_q == 3'(RdSlots) && gets_q == 4'd0 && owed_q[0] && rd_valid)
  `WF_COVER(same_time, at_once && d)
  `WF_COVER(bad_block, rsp && rsp_tag && rsp_last && rsp_error)
  `WF_COVER(held_read, rd_valid && !rd_ready && s_wait_q != '0 && inside_q == 3'd0)
  `WF_COVER(both, get && owed_q[Sources-1:Sources/2] != '0 && owed_q[Sources/2-1:0] != '0)
  `WF_QUIET(idle && !rd_valid && !wr_valid && !fence && !d_valid && fence_done)
  wire unused = &{1'b0, count, rd_error, wr_error};
endmodule
`default_nettype wire
