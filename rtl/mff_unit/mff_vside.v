// mff_vside: the V half of a slice. V requests wait for their block (mff_table); landed blocks take
// one of VLines line buffers; their lists are walked one node per cycle. A gather node sends its
// word to the packing buffer; a scatter node sets its bit in the line. A changed line is written
// back, dirty sectors only, when its list is done. A line keeps its block for later requests until
// it is wanted for another one (mff_keep).
//
// Walk pipeline: W0 takes a node from the walk; W1 reads the line of the node's 1..4 words; W2
// picks them; W3 delivers them, or writes a scatter's word back with its bits set. W2 forwards from
// the writes of this and the previous cycle, so scatters to one word follow each other without a
// gap.
//
// Tokens of scattered bits {key, count} wait in a small queue until the sectors they went into were
// accepted by memory: entries of the open pass, then of the pass being written, then committed
// ones. If the open pass alone fills the queue, its line is written early and the walk goes on
// after that.
//
// Who waits for whom: a V walk waits for the packing buffer (reply port), the write port and the
// token crossbar, and for nothing else; a landing V block waits for a free line, that is for V
// walks; inserts wait for tags and registers, that is for reads and V walks. None of them waits for
// C.
//   VLines 1..64   TokDepth >= 1
// Storage: RAM VLines x 8 BlockBytes, Tags x log2 VLines, VLines x log2 VLines; flops VLines x
// (log2 Tags + 5) and TokDepth x (KeyW + 11).
`default_nettype none
`include "wf_assert.vh"

module mff_vside #(
  parameter integer Tags = 256,
  parameter integer Ways = 4,
  parameter integer Regs = 1237,
  parameter integer VLines = 4,
  parameter integer KeyW = 9,
  parameter integer TokDepth = 16,
  parameter integer Keep = 1,                 // 1: landed blocks stay until their line is wanted
  parameter integer BlkW = 25,                // bits of a block's number
  parameter integer BlockBytes = 128,
  parameter integer ElemBytes = 4,            // of an element of V
  localparam integer PlaceW = $clog2(BlockBytes / 4), // of a word in its block
  localparam integer VPayW = KeyW + 35 + PlaceW,
  localparam integer Beats = BlockBytes / 32,
  localparam integer BeatW = $clog2(Beats),
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer TagUsedW = $clog2(Tags + 1),
  localparam integer RegUsedW = $clog2(Regs + 1)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                flush_i,         // no command is in the unit
  input  wire                req_valid_i,
  output wire                req_ready_o,
  input  wire [BlkW-1:0]     req_blk_i,
  input  wire [VPayW-1:0]    req_payload_i,
  // block reads and landing beats
  output wire                rd_valid_o,
  input  wire                rd_ready_i,
  output wire [BlkW-1:0]     rd_blk_o,
  output wire [TagW-1:0]     rd_tag_o,
  input  wire                land_valid_i,
  output wire                land_ready_o,
  input  wire [TagW-1:0]     land_tag_i,
  input  wire [BeatW-1:0]    land_beat_i,
  input  wire [255:0]        land_data_i,
  // sector writes
  output wire                wr_valid_o,
  input  wire                wr_ready_i,
  output wire [BlkW+BeatW-1:0] wr_sector_o,
  output wire [7:0]          wr_mask_o,
  output wire                wr_last_o,
  output wire [255:0]        wr_data_o,
  // words for the packing buffer
  output wire                word_valid_o,
  input  wire                word_ready_i,
  output wire [KeyW-1:0]     word_key_o,
  output wire [1:0]          word_n1_o,       // words, less 1
  output wire [9:0]          word_at_o,       // {a_offset of the first, lane}
  output wire [32*ElemBytes-1:0] words_o,
  // committed scatter tokens
  output wire                tok_valid_o,
  input  wire                tok_ready_i,
  output wire [KeyW-1:0]     tok_key_o,
  output wire [10:0]         tok_count_o,
  output wire                ev_lookup_o,
  output wire                ev_merge_o,
  output wire                ev_stall_tag_o,
  output wire                ev_stall_reg_o,
  output wire                ev_stall_rd_o,
  output wire                ev_node_o,
  output wire                ev_stall_line_o,
  output wire                ev_stall_walk_o,
  output wire                ev_early_o,
  output wire [TagUsedW-1:0] tags_used_o,
  output wire [RegUsedW-1:0] regs_used_o,
  output wire                quiet_o,         // no request waits, no word is on its way
  output wire                empty_o
);
  localparam integer Words = BlockBytes / 4;
  localparam integer ElemShift = $clog2(ElemBytes / 4);
  localparam integer ElemPlaceW = PlaceW - ElemShift; // of an element in its block
  localparam integer ElemW = 8 * ElemBytes;
  localparam integer RegW = Regs > 1 ? $clog2(Regs) : 1;
  localparam integer LineW = VLines > 1 ? $clog2(VLines) : 1;
  localparam integer LineUsedW = $clog2(VLines + 1);
  localparam integer TokW = TokDepth > 1 ? $clog2(TokDepth) : 1;
  localparam integer TokFillW = $clog2(TokDepth + 1);
  localparam integer TokLastI = TokDepth - 1;
  localparam [TokW-1:0] TOK_LAST = TokLastI[TokW-1:0];

  wire det, node_re, put, node_valid, node_last, node_ready;
  wire free, free_done, list, alloc, join_new, again, joined, freed, quiet;
  wire [TagW-1:0] det_tag, free_tag, free_next_tag, join_tag;
  wire [LineW-1:0] node_line, check_line, join_line;
  wire [RegW-1:0] det_head, node_id, node_next, put_id;
  wire [VPayW-1:0] node_payload;
  // The node that the walk shows.
  wire w_valid, w_ready, w_last;
  wire [LineW-1:0] w_line;
  wire [VPayW-1:0] w_payload;
  wire addr_re;
  wire [BlkW-1:0] addr_blk;

  // Lines.
  reg [VLines*TagW-1:0] line_tag_q;
  reg [Words-1:0] dirty_q;                      // words changed in the pass that W3 sees

  mff_table #(
    .Tags(Tags), .Regs(Regs), .PayloadW(VPayW), .BlkW(BlkW), .HasAddr(1), .Ways(Ways)
  ) u_table (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(req_valid_i), .in_ready_o(req_ready_o), .in_blk_i(req_blk_i),
    .in_payload_i(req_payload_i),
    .rd_valid_o(rd_valid_o), .rd_ready_i(rd_ready_i), .rd_blk_o(rd_blk_o), .rd_tag_o(rd_tag_o),
    .det_i(det), .det_tag_i(det_tag), .det_head_o(det_head),
    .free_i(free), .free_tag_i(free_tag), .free_next_tag_i(free_next_tag), .free_done_o(free_done),
    .list_o(list), .alloc_o(alloc), .join_o(join_new), .join_tag_o(join_tag),
    .node_re_i(node_re), .node_id_i(node_id), .node_payload_o(w_payload),
    .node_next_o(node_next), .node_last_o(w_last), .put_i(put), .put_id_i(put_id),
    .addr_re_i(addr_re), .addr_tag_i(line_tag_q[w3_line_q*TagW +: TagW]), .addr_blk_o(addr_blk),
    .ev_lookup_o(ev_lookup_o), .ev_merge_o(ev_merge_o), .ev_stall_tag_o(ev_stall_tag_o),
    .ev_stall_reg_o(ev_stall_reg_o), .ev_stall_rd_o(ev_stall_rd_o),
    .tags_used_o(tags_used_o), .regs_used_o(regs_used_o), .quiet_o(quiet), .empty_o(empty_o)
  );

  // Landing: beat 0 takes a free line, the other beats follow into it.
  wire w3_write;
  reg land_mid_q;
  reg [LineW-1:0] land_line_q;
  wire [LineW-1:0] line_free;
  wire line_avail;
  wire [LineUsedW-1:0] lines_used;
  wire [LineW-1:0] land_line = land_mid_q ? land_line_q : line_free;
  assign land_ready_o = (land_mid_q || line_avail) && !w3_write;
  wire land_fire = land_valid_i && land_ready_o;
  wire land_first = land_fire && !land_mid_q;
  wire land_end = land_fire && land_beat_i == '1;

  mff_freelist #(.Entries(VLines)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(line_avail), .id_o(line_free), .take_i(land_first),
    .put_i(freed), .put_id_i(check_line), .used_o(lines_used)
  );

  // The line of a tag, for requests that join a kept block: known since it landed.
  wf_ram_1r1w #(.Width(LineW), .Depth(Tags)) u_line_of (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(land_first), .wr_mask_i(1'b1),
    .wr_addr_i(land_tag_i), .wr_data_i(line_free),
    .rd_en_i(join_new), .rd_addr_i(join_tag), .rd_data_o(join_line)
  );
  reg join_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) join_q <= 1'b0;
    else join_q <= join_new;
  end

  // Room is made before it is needed: some lines and tags stay free.
  localparam integer SpareLines = VLines > 8 ? 3 : 1;
  localparam integer WantLineI = VLines - SpareLines;
  localparam integer SpareTags = Tags > 16 ? 4 : 1;
  localparam integer WantTagI = Tags - SpareTags;
  reg need_q, want_q, full_q;                // full_q: a request waited for a tag
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      need_q <= 1'b0;
      want_q <= 1'b0;
      full_q <= 1'b0;
    end else begin
      full_q <= ev_stall_tag_o;
      need_q <= !line_avail || tags_used_o == Tags[TagUsedW-1:0];
      want_q <= lines_used > WantLineI[LineUsedW-1:0] || tags_used_o > WantTagI[TagUsedW-1:0]
                || (full_q && ev_stall_tag_o);
    end
  end
  reg hold_q;                                // beat 0 landed a cycle ago, in land_line_q
  reg free_q, wo_free_q;
  reg [LineW-1:0] free_line_q, wo_line_q;
  mff_keep #(.Lines(VLines), .TagW(TagW), .Keep(Keep)) u_keep (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(want_q), .need_i(need_q), .flush_i(flush_i),
    .line_tag_i(line_tag_q), .hold_i(hold_q), .hold_line_i(land_line_q),
    .end_i(free_q || wo_free_q), .end_line_i(free_q ? free_line_q : wo_line_q),
    .join_i(join_q), .join_line_i(join_line),
    .free_o(free), .free_tag_o(free_tag), .free_next_tag_o(free_next_tag), .free_done_i(free_done),
    .list_i(list), .again_o(again), .joined_o(joined), .freed_o(freed), .check_line_o(check_line)
  );

  // What makes a line ready for its walk; the decisions come late in a cycle.
  reg land_q, again_q, joined_q;
  reg [LineW-1:0] land_set_q, again_line_q, joined_line_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      land_q <= 1'b0;
      again_q <= 1'b0;
      joined_q <= 1'b0;
    end else begin
      land_q <= land_end;
      again_q <= again;
      joined_q <= joined;
    end
  end
  always_ff @(posedge clk_i) begin
    if (land_end) land_set_q <= land_line;
    again_line_q <= check_line;
    joined_line_q <= join_line;
  end

  mff_walk #(.Lines(VLines), .TagW(TagW), .RegW(RegW)) u_walk (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .set_land_i(land_q), .set_land_line_i(land_set_q),
    .set_again_i(again_q), .set_again_line_i(again_line_q),
    .set_join_i(joined_q), .set_join_line_i(joined_line_q),
    .line_tag_i(line_tag_q), .det_o(det), .det_tag_o(det_tag), .det_head_i(det_head),
    .node_re_o(node_re), .node_id_o(node_id), .node_next_i(node_next), .node_last_i(w_last),
    .put_o(put), .put_id_o(put_id), .node_valid_o(w_valid), .node_line_o(w_line),
    .node_ready_i(w_ready)
  );
  // W0, a register slice: the walk's and the table's decisions do not depend on this cycle's
  // stalls.
  wf_skid #(.Width(1 + LineW + VPayW)) u_node (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(w_valid), .in_ready_o(w_ready),
    .in_data_i({w_last, w_line, w_payload}), .out_valid_o(node_valid), .out_ready_i(node_ready),
    .out_data_o({node_last, node_line, node_payload})
  );

  // W1: the line of the node's words. Write-back reads go first.
  wire [KeyW-1:0] node_key;
  wire node_op;
  wire [PlaceW+33:0] node_place;
  assign {node_key, node_op, node_place} = node_payload;
  localparam integer GatherAt = 4 * ElemPlaceW;        // of a gather's lane and a_offset
  wire [1:0] node_n1 = node_op ? node_place[PlaceW+33 -: 2] : node_place[GatherAt+10 +: 2];

  wire wo_re;
  wire w2_move, w3_go;
  reg w2_valid_q, w3_valid_q;
  assign node_ready = !wo_re && (!w2_valid_q || w2_move);
  wire w1_fire = node_valid && node_ready;

  // W2: pick the words, or the copies kept when W2 had to wait. Only a scatter's word (and with it
  // a gather's first) needs the writes of this and the previous cycle.
  reg w2_op_q, w2_last_q, w2_kept_q;
  reg [KeyW-1:0] w2_key_q;
  reg [1:0] w2_n1_q;
  reg [PlaceW+33:0] w2_place_q;
  reg [LineW-1:0] w2_line_q;
  reg [4*ElemW-1:0] w2_keep_q;
  // W3
  reg w3_op_q, w3_last_q;
  reg [KeyW-1:0] w3_key_q;
  reg [1:0] w3_n1_q;
  reg [9:0] w3_lane_q;
  reg [31:0] w3_mask_q;
  reg [PlaceW-1:0] w3_word_q;
  reg [LineW-1:0] w3_line_q;
  reg [4*ElemW-1:0] w3_data_q;
  // the write of the previous cycle
  reg prev_write_q;
  reg [LineW+PlaceW-1:0] prev_at_q;
  reg [31:0] prev_data_q;

  wire [8*BlockBytes-1:0] line;
  wire [31:0] w3_set = w3_data_q[31:0] | w3_mask_q;
  wire [PlaceW-1:0] w2_word = w2_op_q ? w2_place_q[32 +: PlaceW]
                                      : PlaceW'(w2_place_q[ElemPlaceW-1:0]) << ElemShift;
  wire [LineW+PlaceW-1:0] w3_at = {w3_line_q, w3_word_q};
  wire [LineW+PlaceW-1:0] w2_at = {w2_line_q, w2_word};
  // The upper word of a gather's first element.
  wire [ElemPlaceW-1:0] w2_first = w2_place_q[ElemPlaceW-1:0];
  wire [31:0] w2_upper = line[w2_first*ElemW + (ElemW-32) +: 32];
  wire unused_upper = &{1'b0, w2_upper};
  reg [4*ElemW-1:0] w2_read;
  always_comb begin
    w2_read = w2_keep_q;
    if (w2_valid_q && !w2_kept_q) begin
      w2_read[31:0] = prev_write_q && prev_at_q == w2_at ? prev_data_q : line[w2_word*32 +: 32];
      if (ElemShift != 0) w2_read[ElemW-1 -: 32] = w2_upper;
      for (int j = 1; j < 4; j = j + 1)
        w2_read[j*ElemW +: ElemW] = line[w2_place_q[j*ElemPlaceW +: ElemPlaceW]*ElemW +: ElemW];
    end
  end
  assign w2_move = w2_valid_q && (!w3_valid_q || w3_go);

  // One bank per beat: a block lands beat by beat, a node reads the whole line.
  wire [7:0] w3_sel = 8'd1 << w3_word_q[2:0];
  wire [LineW-1:0] wo_line;
  generate
    for (genvar b = 0; b < Beats; b = b + 1) begin : g_bank
      localparam integer BankI = b;
      wf_ram_1r1w #(.Width(256), .Depth(VLines), .PartBits(32)) u_bank (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .wr_en_i(w3_write ? w3_word_q[PlaceW-1:3] == BankI[BeatW-1:0]
                          : land_fire && land_beat_i == BankI[BeatW-1:0]),
        .wr_mask_i(w3_write ? w3_sel : 8'hff), .wr_addr_i(w3_write ? w3_line_q : land_line),
        .wr_data_i(w3_write ? {8{w3_set}} : land_data_i),
        .rd_en_i(w1_fire || wo_re), .rd_addr_i(wo_re ? wo_line : node_line),
        .rd_data_o(line[b*256 +: 256])
      );
    end
  endgenerate

  // W3: deliver. The end of a pass needs the write-back free if its line is dirty.
  reg wo_busy_q, wo_early_q;
  reg [Words-1:0] wo_mask_q;
  reg [Beats-1:0] wo_rows_q;

  reg [KeyW-1:0] tok_key_q [0:TokDepth-1];
  reg [10:0] tok_count_q [0:TokDepth-1];
  reg [TokW-1:0] tok_rp_q, tok_wp_q, tok_last_q;   // tok_last_q: entry written last
  reg [KeyW-1:0] tok_last_key_q;                   // and its key
  reg w3_last_key_q;                               // it is W3's
  reg dirty_any_q;                                 // some word is dirty
  // Entries open, being written, committed.
  reg [TokFillW-1:0] tok_open_q, tok_closed_q, tok_done_q;
  reg [TokFillW-1:0] tok_fill_q;                   // their sum
  reg tok_full_q;
  reg tok_some_q;                                  // an entry is open
  wire tok_join = tok_some_q && w3_last_key_q;
  wire tok_room = tok_join || !tok_full_q;

  wire w3_dirty = w3_op_q || dirty_any_q;
  wire w3_end_ok = !w3_last_q || !w3_dirty || !wo_busy_q;
  assign w3_go = w3_valid_q && w3_end_ok && (w3_op_q ? tok_room : word_ready_i);
  assign w3_write = w3_valid_q && w3_op_q && w3_end_ok && tok_room;
  assign word_valid_o = w3_valid_q && !w3_op_q && w3_end_ok;
  assign word_key_o = w3_key_q;
  assign word_n1_o = w3_n1_q;
  assign word_at_o = w3_lane_q;
  assign words_o = w3_data_q;
  wire tok_push = w3_write && !tok_join;
  localparam integer TokLessI = TokDepth - 1;
  wire tok_valid = tok_done_q != '0;
  wire tok_pop = tok_valid && tok_ready_i;
  assign tok_valid_o = tok_valid;
  assign tok_key_o = tok_key_q[tok_rp_q];
  assign tok_count_o = tok_count_q[tok_rp_q];

  wire wo_start_end = w3_go && w3_last_q && w3_dirty;
  wire wo_start_early = w3_valid_q && w3_op_q && !tok_room && !wo_busy_q
                        && tok_open_q == TokDepth[TokFillW-1:0];
  wire wo_start = wo_start_end || wo_start_early;
  assign addr_re = wo_start;
  wire [Words-1:0] wo_mask_d = dirty_q | (w3_write ? Words'(1) << w3_word_q : '0);
  reg [Beats-1:0] wo_rows_d;
  always_comb
    for (int i = 0; i < Beats; i = i + 1) wo_rows_d[i] = wo_mask_d[8*i +: 8] != '0;

  // Write-back: one dirty row per cycle into a two-entry queue at the port.
  reg wo_rd_q, wo_rd_last_q;
  reg [BeatW-1:0] wo_rd_row_q, wo_pick;
  always_comb begin
    wo_pick = '1;
    for (int i = Beats - 2; i >= 0; i = i - 1) if (wo_rows_q[i]) wo_pick = BeatW'(i);
  end
  wire [Beats-1:0] wo_rest = wo_rows_q & (wo_rows_q - 1'b1);
  wire [1:0] wq_fill;
  wire wq_ready;
  // The row must stay on the RAM's output only for one cycle; a node in W2 keeps its own copy.
  assign wo_re = wo_rows_q != '0 && (!wo_rd_q ? wq_fill != 2'd2 : wq_fill == 2'd0);
  assign wo_line = wo_line_q;
  wf_fifo #(.Width(BlkW + BeatW + 8 + 1 + 256), .Depth(2)) u_wq (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(wo_rd_q), .in_ready_o(wq_ready),
    .in_data_i({addr_blk, wo_rd_row_q, wo_mask_q[wo_rd_row_q*8 +: 8], wo_rd_last_q,
                line[wo_rd_row_q*256 +: 256]}),
    .out_valid_o(wr_valid_o), .out_ready_i(wr_ready_i),
    .out_data_o({wr_sector_o, wr_mask_o, wr_last_o, wr_data_o}), .count_o(wq_fill)
  );
  wire wo_done = wr_valid_o && wr_ready_i && wr_last_o;

  // Ends of walks: a clean pass that just ended first, then the line just written.
  wire wo_free_served = wo_free_q && !free_q;

  wire [TokFillW-1:0] tok_open_d = tok_open_q + {{(TokFillW-1){1'b0}}, tok_push};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      land_mid_q <= 1'b0;
      hold_q <= 1'b0;
      w2_valid_q <= 1'b0;
      w2_kept_q <= 1'b0;
      w3_valid_q <= 1'b0;
      prev_write_q <= 1'b0;
      wo_busy_q <= 1'b0;
      wo_free_q <= 1'b0;
      wo_early_q <= 1'b0;
      wo_rows_q <= '0;
      wo_rd_q <= 1'b0;
      free_q <= 1'b0;
      tok_rp_q <= '0;
      tok_wp_q <= '0;
      tok_open_q <= '0;
      tok_some_q <= 1'b0;
      tok_closed_q <= '0;
      tok_done_q <= '0;
      tok_fill_q <= '0;
      tok_full_q <= 1'b0;
      dirty_q <= '0;
      dirty_any_q <= 1'b0;
    end else begin
      if (land_fire) land_mid_q <= land_beat_i != '1;
      hold_q <= land_first;

      if (w1_fire || w2_move) w2_valid_q <= w1_fire;
      w2_kept_q <= w2_valid_q && !w2_move;
      if (w2_move || w3_go) w3_valid_q <= w2_move;
      prev_write_q <= w3_write;

      if (w3_write) dirty_q[w3_word_q] <= 1'b1;
      if (w3_write) dirty_any_q <= 1'b1;
      free_q <= w3_go && w3_last_q && !w3_dirty;

      if (wo_start) begin
        dirty_q <= '0; // the pass is written
        dirty_any_q <= 1'b0;
        wo_busy_q <= 1'b1;
        wo_early_q <= wo_start_early;
        wo_rows_q <= wo_rows_d;
      end else if (wo_re) begin
        wo_rows_q <= wo_rest;
      end
      wo_rd_q <= wo_re;
      if (wo_done) wo_free_q <= !wo_early_q;
      else if (wo_free_served) wo_free_q <= 1'b0;
      if ((wo_done && wo_early_q) || wo_free_served) wo_busy_q <= 1'b0;

      if (tok_push) tok_wp_q <= tok_wp_q == TOK_LAST ? '0 : tok_wp_q + 1'b1;
      if (tok_pop) tok_rp_q <= tok_rp_q == TOK_LAST ? '0 : tok_rp_q + 1'b1;
      if (tok_push != tok_pop) begin
        tok_fill_q <= tok_push ? tok_fill_q + 1'b1 : tok_fill_q - 1'b1;
        tok_full_q <= tok_push && tok_fill_q == TokLessI[TokFillW-1:0];
      end
      tok_open_q <= wo_start ? '0 : tok_open_d;
      tok_some_q <= !wo_start && (tok_some_q || tok_push);
      if (wo_start) tok_closed_q <= tok_open_d;
      else if (wo_done) tok_closed_q <= '0;
      if (wo_done || tok_pop)
        tok_done_q <= tok_done_q + (wo_done ? tok_closed_q : '0)
                      - {{(TokFillW-1){1'b0}}, tok_pop};
    end
  end

  always_ff @(posedge clk_i) begin
    if (land_first) begin
      land_line_q <= line_free;
      line_tag_q[line_free*TagW +: TagW] <= land_tag_i;
    end
    if (w1_fire) begin
      w2_key_q <= node_key;
      w2_op_q <= node_op;
      w2_n1_q <= node_n1;
      w2_place_q <= node_place;
      w2_line_q <= node_line;
      w2_last_q <= node_last;
    end
    if (w2_valid_q && !w2_move) w2_keep_q <= w2_read;
    if (w2_move) begin
      w3_key_q <= w2_key_q;
      // A scatter that leaves W3 now leaves its key as the last one.
      w3_last_key_q <= w3_write ? w2_key_q == w3_key_q : w2_key_q == tok_last_key_q;
      w3_op_q <= w2_op_q;
      w3_n1_q <= w2_n1_q;
      w3_lane_q <= w2_place_q[GatherAt +: 10];
      w3_mask_q <= w2_place_q[31:0];
      w3_word_q <= w2_word;
      w3_line_q <= w2_line_q;
      w3_last_q <= w2_last_q;
      w3_data_q <= {w2_read[4*ElemW-1:32], w3_write && w3_at == w2_at ? w3_set : w2_read[31:0]};
    end
    if (w3_write) begin
      prev_at_q <= w3_at;
      prev_data_q <= w3_set;
    end
    if (w3_go && w3_last_q && !w3_dirty) free_line_q <= w3_line_q;
    if (wo_start) begin
      wo_line_q <= w3_line_q;
      wo_mask_q <= wo_mask_d;
    end
    if (wo_re) begin
      wo_rd_row_q <= wo_pick;
      wo_rd_last_q <= wo_rest == '0;
    end
    if (tok_push) begin
      tok_key_q[tok_wp_q] <= w3_key_q;
      tok_count_q[tok_wp_q] <= {9'd0, w3_n1_q} + 11'd1;
      tok_last_q <= tok_wp_q;
      tok_last_key_q <= w3_key_q;
    end
    if (w3_write && tok_join)
      tok_count_q[tok_last_q] <= tok_count_q[tok_last_q] + {9'd0, w3_n1_q} + 11'd1;
  end

  assign quiet_o = quiet && !node_valid && !w2_valid_q && !w3_valid_q;
  wire unused = &{1'b0, alloc};

  assign ev_node_o = w3_go;
  assign ev_stall_walk_o = w3_valid_q && !w3_go;
  assign ev_stall_line_o = land_valid_i && !land_mid_q && !line_avail;
  assign ev_early_o = wo_start_early;

  initial if (VLines < 1 || VLines > 64) $fatal(1, "mff_vside: VLines must be 1..64");
  `WF_ASSERT(rule1, !wo_rd_q || wq_ready, "Rule 1: a row read for write-back has a queue entry")
  `WF_ASSERT(rule2, !land_first || land_beat_i == '0, "Rule 2: a block lands from beat 0 on")
  `WF_ASSERT(rule3, !wo_done || wo_busy_q, "Rule 3: writes belong to a write-back")
  `WF_ASSERT(rule4, tok_fill_q <= TokDepth[TokFillW-1:0]
             && tok_fill_q == tok_open_q + tok_closed_q + tok_done_q,
             "Rule 4: tokens fit their queue")
  `WF_ASSERT(rule5, !(wo_start && wo_busy_q), "Rule 5: one write-back at a time")
  `WF_ASSERT(rule8,
             !w3_valid_q || tok_open_q == '0 || w3_last_key_q == (tok_last_key_q == w3_key_q),
             "Rule 8: scatters of one command share a token")
  `WF_ASSERT(rule9, dirty_any_q == (dirty_q != '0), "Rule 9: a line with a dirty word is dirty")
  `WF_ASSERT(rule10, tok_some_q == (tok_open_q != '0), "Rule 10: whether a token is open is known")
`ifdef WF_ASSERT_LIVE
  reg [LineW-1:0] dirty_line_q;
  always_ff @(posedge clk_i) if (w3_write) dirty_line_q <= w3_line_q;
`endif
  `WF_ASSERT(rule6, !(w3_go && dirty_q != '0) || w3_line_q == dirty_line_q,
             "Rule 6: what a pass changed is written back before the next pass")
  `WF_ASSERT(rule7, !freed || !wo_busy_q || wo_early_q || check_line != wo_line_q,
             "Rule 7: a line is clean when its tag is freed")
endmodule

`default_nettype wire
