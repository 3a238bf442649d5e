// mff_cside: the C half of a slice. Runs of indexes wait for their C block (mff_table; the tag is
// the line buffer, so a C block that was asked for always has a place to land); landed lines are
// walked, up to 4 indexes of a run a cycle, and kept for later runs until their line is wanted
// (mff_keep). Neighbouring indexes that fall into one block of V (gather) or one word of the bit
// vector (scatter) become one V request.
//
// Pipeline: E0 takes a node from the walk; E1 reads the row that holds the next indexes; E2 picks
// the words; E3 adds the base of V or of the bit vector; E4 finds owner slices, with Hash
// in three more stages, and equal neighbours; E5 offers the group's requests, one a cycle. The
// other stages move when E5 is done with its group. A C walk waits for V resources, never the
// reverse.
//   CLines 1..64   Regs 1 or more   KeyW: {home slice, job}
// Storage: CLines x 8 BlockBytes line bits and Regs x (KeyW + 17 + log2 (BlockBytes / 4)
// + log2 Regs) node bits in RAM.
`default_nettype none
`include "wf_assert.vh"

module mff_cside #(
  parameter integer NSlice = 6,
  parameter integer Hash = 0,
  parameter integer InterleaveBytes = 256,
  parameter integer CLines = 16,
  parameter integer Regs = 128,
  parameter integer KeyW = 9,
  parameter integer AddrBits = 32,
  parameter integer Keep = 1,                 // 1: landed blocks stay until their line is wanted
  parameter integer BlockBytes = 128,
  parameter integer ElemBytes = 4,            // of an element of V
  localparam integer PlaceW = $clog2(BlockBytes / 4), // of a word in its block
  localparam integer RunW = KeyW + 16 + PlaceW, // {key, op, lane, a_offset, start, length - 1}
  localparam integer VPayW = KeyW + 35 + PlaceW, // {key, op, place}
  localparam integer BeatW = $clog2(BlockBytes / 32),
  localparam integer LineW = CLines > 1 ? $clog2(CLines) : 1,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1,
  localparam integer TagUsedW = $clog2(CLines + 1),
  localparam integer WordW = AddrBits - 2,    // a word's address
  localparam integer BlkW = WordW - PlaceW
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire [AddrBits-1:0] v_base_i,
  input  wire [AddrBits-1:0] b_base_i,
  input  wire                flush_i,         // no command is in the unit
  // runs
  input  wire                run_valid_i,
  output wire                run_ready_o,
  input  wire [BlkW-1:0]     run_blk_i,
  input  wire [RunW-1:0]     run_i,
  // block reads and landing beats (always accepted)
  output wire                rd_valid_o,
  input  wire                rd_ready_i,
  output wire [BlkW-1:0]     rd_blk_o,
  output wire [LineW-1:0]    rd_line_o,
  input  wire                land_valid_i,
  input  wire [LineW-1:0]    land_line_i,
  input  wire [BeatW-1:0]    land_beat_i,
  input  wire [255:0]        land_data_i,
  // V requests of 1..4 elements; place: gather {0, count - 1, a_offset of the first, lane, their 4
  // places in the block}, scatter {count - 1, word, bit mask}
  output wire                vreq_valid_o,
  input  wire                vreq_ready_i,
  output wire [SliceW-1:0]   vreq_dest_o,
  output wire [BlkW-1:0]     vreq_blk_o,
  output wire [VPayW-1:0]    vreq_payload_o,
  output wire                ev_lookup_o,
  output wire                ev_merge_o,
  output wire                ev_stall_tag_o,
  output wire                ev_stall_reg_o,
  output wire [2:0]          ev_elements_o,
  output wire                ev_stall_out_o,
  output wire [TagUsedW-1:0] lines_used_o,
  output wire                empty_o
);
  localparam integer RegW = Regs > 1 ? $clog2(Regs) : 1;
  localparam integer RegUsedW = $clog2(Regs + 1);
  localparam integer Rows = CLines * (BlockBytes / 32);
  localparam integer RowW = $clog2(Rows);

  wire det, node_re, put, node_valid, node_last, free, free_done, list, alloc, join_new, again,
       joined, freed;
  wire [LineW-1:0] det_tag, node_line, free_tag, free_next_tag, join_tag, check_line;
  wire [RegW-1:0] det_head, node_id, node_next, put_id;
  wire [RunW-1:0] node_run;
  wire node_ready;
  // The node that the walk shows.
  wire w_valid, w_ready, w_last;
  wire [LineW-1:0] w_line;
  wire [RunW-1:0] w_run;
  reg free_q;
  reg [LineW-1:0] free_line_q;
  wire [BlkW-1:0] addr_blk;
  wire [RegUsedW-1:0] regs_used;
  wire ev_stall_rd, quiet;
  wire unused = &{1'b0, addr_blk, regs_used, ev_stall_rd, freed, quiet};

  mff_table #(
    .Tags(CLines), .Regs(Regs), .PayloadW(RunW), .BlkW(BlkW), .HasAddr(0)
  ) u_table (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(run_valid_i), .in_ready_o(run_ready_o), .in_blk_i(run_blk_i),
    .in_payload_i(run_i),
    .rd_valid_o(rd_valid_o), .rd_ready_i(rd_ready_i), .rd_blk_o(rd_blk_o), .rd_tag_o(rd_line_o),
    .det_i(det), .det_tag_i(det_tag), .det_head_o(det_head),
    .free_i(free), .free_tag_i(free_tag), .free_next_tag_i(free_next_tag), .free_done_o(free_done),
    .list_o(list), .alloc_o(alloc), .join_o(join_new), .join_tag_o(join_tag),
    .node_re_i(node_re), .node_id_i(node_id), .node_payload_o(w_run),
    .node_next_o(node_next), .node_last_o(w_last), .put_i(put), .put_id_i(put_id),
    .addr_re_i(1'b0), .addr_tag_i({LineW{1'b0}}), .addr_blk_o(addr_blk),
    .ev_lookup_o(ev_lookup_o), .ev_merge_o(ev_merge_o), .ev_stall_tag_o(ev_stall_tag_o),
    .ev_stall_reg_o(ev_stall_reg_o), .ev_stall_rd_o(ev_stall_rd),
    .tags_used_o(lines_used_o), .regs_used_o(regs_used), .quiet_o(quiet),
    .empty_o(empty_o)
  );

  wire [CLines*LineW-1:0] line_tags;
  generate
    for (genvar i = 0; i < CLines; i = i + 1) begin : g_identity
      localparam integer LineI = i;
      assign line_tags[i*LineW +: LineW] = LineI[LineW-1:0];
    end
  endgenerate

  // Room is made before it is needed: some tags stay free.
  localparam integer Spare = CLines > 8 ? 3 : 1;
  localparam integer WantI = CLines - Spare;
  reg need_q, want_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      need_q <= 1'b0;
      want_q <= 1'b0;
    end else begin
      need_q <= lines_used_o == CLines[TagUsedW-1:0];
      want_q <= lines_used_o > WantI[TagUsedW-1:0];
    end
  end
  mff_keep #(.Lines(CLines), .TagW(LineW), .Keep(Keep)) u_keep (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(want_q), .need_i(need_q), .flush_i(flush_i),
    .line_tag_i(line_tags), .hold_i(alloc), .hold_line_i(join_tag), .end_i(free_q),
    .end_line_i(free_line_q), .join_i(join_new), .join_line_i(join_tag),
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
      land_q <= land_valid_i && land_beat_i == '1;
      again_q <= again;
      joined_q <= joined;
    end
  end
  always_ff @(posedge clk_i) begin
    if (land_valid_i && land_beat_i == '1) land_set_q <= land_line_i;
    again_line_q <= check_line;
    joined_line_q <= join_tag;
  end

  mff_walk #(.Lines(CLines), .TagW(LineW), .RegW(RegW)) u_walk (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .set_land_i(land_q), .set_land_line_i(land_set_q),
    .set_again_i(again_q), .set_again_line_i(again_line_q),
    .set_join_i(joined_q), .set_join_line_i(joined_line_q),
    .line_tag_i(line_tags), .det_o(det), .det_tag_o(det_tag), .det_head_i(det_head),
    .node_re_o(node_re), .node_id_o(node_id), .node_next_i(node_next), .node_last_i(w_last),
    .put_o(put), .put_id_o(put_id), .node_valid_o(w_valid), .node_line_o(w_line),
    .node_ready_i(w_ready)
  );
  // A register slice: the walk's and the table's decisions do not depend on this cycle's stalls.
  wf_skid #(.Width(1 + LineW + RunW)) u_node (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(w_valid), .in_ready_o(w_ready),
    .in_data_i({w_last, w_line, w_run}), .out_valid_o(node_valid), .out_ready_i(node_ready),
    .out_data_o({node_last, node_line, node_run})
  );

  // E1: the next indexes of the run, up to 4 that lie in one row.
  wire [KeyW-1:0] run_key;
  wire run_op;
  wire [4:0] run_lane, run_a, run_len1;
  wire [PlaceW-1:0] run_start;
  assign {run_key, run_op, run_lane, run_a, run_start, run_len1} = node_run;
  reg [4:0] k_q;
  wire [PlaceW-1:0] word = run_start + PlaceW'(k_q);
  wire [4:0] left = run_len1 - k_q;                  // of the run, after this index
  wire [2:0] row_left = 3'd7 - word[2:0];            // of the row
  wire [1:0] left1 = left > 5'd3 ? 2'd3 : left[1:0];
  wire [1:0] row_left1 = row_left > 3'd3 ? 2'd3 : row_left[1:0];
  wire [1:0] take1 = left1 < row_left1 ? left1 : row_left1;  // indexes taken, less 1
  wire run_end = left == {3'd0, take1};
  wire en;
  wire e1_fire = node_valid && en;
  assign node_ready = en && run_end;

  wire [LineW+BeatW-1:0] rd_row_full = {node_line, word[PlaceW-1:3]};
  wire [LineW+BeatW-1:0] wr_row_full = {land_line_i, land_beat_i};
  wire [255:0] row;
  wf_ram_1r1w #(.Width(256), .Depth(Rows)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(land_valid_i), .wr_mask_i(1'b1),
    .wr_addr_i(wr_row_full[RowW-1:0]), .wr_data_i(land_data_i),
    .rd_en_i(e1_fire), .rd_addr_i(rd_row_full[RowW-1:0]), .rd_data_o(row)
  );

  reg e2_valid_q, e3_valid_q, e4_valid_q, e5_valid_q;
  reg [KeyW-1:0] e2_key_q, e3_key_q, e4_key_q, e5_key_q;
  reg e2_op_q, e3_op_q, e4_op_q, e5_op_q;
  reg [9:0] e2_at_q, e3_at_q, e4_at_q, e5_at_q;      // {a_offset of the first, lane}
  reg [1:0] e2_n1_q, e3_n1_q, e4_n1_q, e5_n1_q;      // elements, less 1
  reg [2:0] e2_sel_q;
  reg [4*32-1:0] e3_index_q;
  reg [4*WordW-1:0] e4_waddr_q;                         // word addresses
  reg [4*5-1:0] e4_bit_q, e5_bit_q;
  reg [4*PlaceW-1:0] e5_word_q;
  reg [4*BlkW-1:0] e5_blk_q;
  reg [4*SliceW-1:0] e5_dest_q;
  reg [1:0] e5_eq_q;                                 // bit j: element j+2 goes with element j+1
  reg [1:0] e5_m1_q;                                 // elements of the request, less 1
  reg e5_done_q;                                     // it is the group's last
  // The group of E4 with its owners.
  localparam integer GroupW = 4 * WordW + 4 * 5 + KeyW + 13;
  localparam integer ChunkShift = $clog2(InterleaveBytes / BlockBytes);
  localparam integer ChunkW = BlkW - ChunkShift;
  wire [4*ChunkW-1:0] e4_chunk;
  wire [GroupW-1:0] e4_group;
  wire [4*WordW-1:0] e4_waddr;
  wire [4*5-1:0] e4_bit;
  wire [KeyW-1:0] e4_key;
  wire e4_op, e4_valid;
  wire [9:0] e4_at;
  wire [1:0] e4_n1;
  wire [4*SliceW-1:0] e4_dest;
  wire [2:0] e4_eq;

  // An element's place in its block: that of its first word, less the bits that say which word.
  localparam integer ElemShift = $clog2(ElemBytes / 4);
  localparam integer ElemW = PlaceW - ElemShift;
  wire [4*32-1:0] e2_picked;
  generate
    for (genvar j = 0; j < 4; j = j + 1) begin : g_element
      localparam integer ElementJ = j;
      wire [2:0] sel = e2_sel_q + ElementJ[2:0];
      assign e2_picked[j*32 +: 32] = e2_valid_q ? row[sel*32 +: 32] : 32'd0;
      assign e4_chunk[j*ChunkW +: ChunkW] =
          e4_waddr_q[j*WordW+PlaceW+ChunkShift +: ChunkW];
      if (j < 3) begin : g_equal
        assign e4_eq[j] = ElementJ[1:0] < e4_n1
                          && e4_waddr[j*WordW+PlaceW +: BlkW]
                             == e4_waddr[(j+1)*WordW+PlaceW +: BlkW]
                          && (!e4_op || e4_waddr[j*WordW +: PlaceW]
                                          == e4_waddr[(j+1)*WordW +: PlaceW]);
      end
    end
  endgenerate
  mff_owner #(
    .N(4), .Width(GroupW), .NSlice(NSlice), .Hash(Hash), .Bits(ChunkW)
  ) u_owner (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en), .valid_i(e4_valid_q),
    .data_i({e4_waddr_q, e4_bit_q, e4_key_q, e4_op_q, e4_at_q, e4_n1_q}), .chunk_i(e4_chunk),
    .valid_o(e4_valid), .data_o(e4_group), .slice_o(e4_dest)
  );
  assign {e4_waddr, e4_bit, e4_key, e4_op, e4_at, e4_n1} = e4_group;

  // E5: the request of the group's first element and those that go with it; the rest moves up.
  // How many go with it (e5_m1_q), and whether none are left, are known when the group or its rest
  // arrives.
  wire [1:0] e5_m1 = e5_m1_q;
  wire [1:0] e5_n1_rest = e5_n1_q - e5_m1 - 2'd1;
  wire [1:0] e5_eq_rest = e5_m1 == 2'd0 ? e5_eq_q : e5_m1 == 2'd1 ? {1'b0, e5_eq_q[1]} : 2'd0;
  wire [1:0] e4_m1 = !e4_eq[0] ? 2'd0 : !e4_eq[1] ? 2'd1 : !e4_eq[2] ? 2'd2 : 2'd3;
  wire [1:0] e5_m1_rest = !e5_eq_rest[0] ? 2'd0 : !e5_eq_rest[1] ? 2'd1 : 2'd2;
  wire e5_ready;
  wire e5_fire = e5_valid_q && e5_ready;
  reg [31:0] e5_mask;
  always_comb begin
    e5_mask = '0;
    if (e5_valid_q && e5_op_q)
      for (int j = 0; j < 4; j = j + 1)
        if (2'(j) <= e5_m1) e5_mask = e5_mask | (32'd1 << e5_bit_q[j*5 +: 5]);
  end
  assign en = !e5_valid_q || (e5_ready && e5_done_q);
  wire [4*ElemW-1:0] e5_elem;
  generate
    for (genvar j = 0; j < 4; j = j + 1) begin : g_place
      assign e5_elem[j*ElemW +: ElemW] = e5_word_q[j*PlaceW+ElemShift +: ElemW];
    end
  endgenerate
  wire [VPayW-1:0] e5_payload = {e5_key_q, e5_op_q,
      e5_op_q ? {e5_m1, e5_word_q[PlaceW-1:0], e5_mask}
              : {{(PlaceW+22-4*ElemW){1'b0}}, e5_m1, e5_at_q, e5_elem}};
  // Whether the crossbar has room depends on the destination: too late for the stages of the
  // pipeline.
  wf_skid #(.Width(SliceW + BlkW + VPayW)) u_out (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(e5_valid_q), .in_ready_o(e5_ready),
    .in_data_i({e5_dest_q[SliceW-1:0], e5_blk_q[BlkW-1:0], e5_payload}), .out_valid_o(vreq_valid_o),
    .out_ready_i(vreq_ready_i), .out_data_o({vreq_dest_o, vreq_blk_o, vreq_payload_o})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      k_q <= '0;
      e2_valid_q <= 1'b0;
      e3_valid_q <= 1'b0;
      e4_valid_q <= 1'b0;
      e5_valid_q <= 1'b0;
      free_q <= 1'b0;
    end else begin
      if (e1_fire) k_q <= run_end ? '0 : k_q + {3'd0, take1} + 5'd1;
      free_q <= e1_fire && run_end && node_last;
      if (en) begin
        e2_valid_q <= node_valid;
        e3_valid_q <= e2_valid_q;
        e4_valid_q <= e3_valid_q;
        e5_valid_q <= e4_valid;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (e1_fire) begin
      e2_key_q <= run_key;
      e2_op_q <= run_op;
      e2_at_q <= {run_a + k_q, run_lane};
      e2_n1_q <= take1;
      e2_sel_q <= word[2:0];
      free_line_q <= node_line;
    end
    if (en && e2_valid_q) begin
      e3_index_q <= e2_picked;
      e3_key_q <= e2_key_q;
      e3_op_q <= e2_op_q;
      e3_at_q <= e2_at_q;
      e3_n1_q <= e2_n1_q;
    end
    if (en && e3_valid_q) begin
      for (int j = 0; j < 4; j = j + 1) begin
        e4_waddr_q[j*WordW +: WordW] <= e3_op_q
            ? b_base_i[AddrBits-1:2] + WordW'(e3_index_q[j*32+5 +: 27])
            : v_base_i[AddrBits-1:2] + (WordW'(e3_index_q[j*32 +: 32]) << ElemShift);
        e4_bit_q[j*5 +: 5] <= e3_index_q[j*32 +: 5];
      end
      e4_key_q <= e3_key_q;
      e4_op_q <= e3_op_q;
      e4_at_q <= e3_at_q;
      e4_n1_q <= e3_n1_q;
    end
    if (en && e4_valid) begin
      for (int j = 0; j < 4; j = j + 1) begin
        e5_blk_q[j*BlkW +: BlkW] <= e4_waddr[j*WordW+PlaceW +: BlkW];
        e5_word_q[j*PlaceW +: PlaceW] <= e4_waddr[j*WordW +: PlaceW];
      end
      e5_bit_q <= e4_bit;
      e5_dest_q <= e4_dest;
      e5_eq_q <= e4_eq[2:1];
      e5_key_q <= e4_key;
      e5_op_q <= e4_op;
      e5_at_q <= e4_at;
      e5_n1_q <= e4_n1;
      e5_m1_q <= e4_m1;
      e5_done_q <= e4_m1 == e4_n1;
    end else if (e5_fire) begin
      e5_n1_q <= e5_n1_rest;
      e5_m1_q <= e5_m1_rest;
      e5_done_q <= e5_m1_rest == e5_n1_rest;
      e5_eq_q <= {1'b0, e5_eq_rest[1]};
      e5_at_q[9:5] <= e5_at_q[9:5] + {3'd0, e5_m1} + 5'd1;
      case (e5_m1)
        2'd0: begin
          e5_blk_q <= {{BlkW{1'b0}}, e5_blk_q[4*BlkW-1:BlkW]};
          e5_word_q <= e5_word_q >> PlaceW;
          e5_bit_q <= {5'd0, e5_bit_q[19:5]};
          e5_dest_q <= {{SliceW{1'b0}}, e5_dest_q[4*SliceW-1:SliceW]};
        end
        2'd1: begin
          e5_blk_q <= {{(2*BlkW){1'b0}}, e5_blk_q[4*BlkW-1:2*BlkW]};
          e5_word_q <= e5_word_q >> 2 * PlaceW;
          e5_bit_q <= {10'd0, e5_bit_q[19:10]};
          e5_dest_q <= {{(2*SliceW){1'b0}}, e5_dest_q[4*SliceW-1:2*SliceW]};
        end
        default: begin
          e5_blk_q <= {{(3*BlkW){1'b0}}, e5_blk_q[4*BlkW-1:3*BlkW]};
          e5_word_q <= e5_word_q >> 3 * PlaceW;
          e5_bit_q <= {15'd0, e5_bit_q[19:15]};
          e5_dest_q <= {{(3*SliceW){1'b0}}, e5_dest_q[4*SliceW-1:3*SliceW]};
        end
      endcase
    end
  end

  assign ev_elements_o = e5_fire ? {1'b0, e5_m1} + 3'd1 : 3'd0;
  assign ev_stall_out_o = e5_valid_q && !e5_ready;

  wire unused_base = &{1'b0, v_base_i[1:0], b_base_i[1:0], rd_row_full, wr_row_full};
  initial if (CLines < 1 || CLines > 64) $fatal(1, "mff_cside: CLines must be 1..64");
  localparam integer WordsI = BlockBytes / 4;
  `WF_ASSERT(rule1, !node_valid || 8'(run_start) + 8'(run_len1) < WordsI[7:0],
             "Rule 1: a run stays within its block")
  `WF_ASSERT(rule2, !e5_valid_q || e5_m1 <= e5_n1_q,
             "Rule 2: a request holds elements of its group")
endmodule

`default_nettype wire
